"""The releases of a ledger as claims, each different one once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ....reference.errors import InputError
from ...certificate.errors import CertificateError
from ...certificate.release import claim_of
from ...mechanisms.protocol import Claim
from .models import Entry


@dataclass(frozen=True)
class Stated:
    """A release that was made so many times; ``number`` is its first entry's, from 1."""

    number: int
    times: int
    entry: Entry
    claim: Claim


def stated(entries: Sequence[Entry]) -> list[Stated]:
    """Return the different releases. Raises InputError where an entry states no claim."""
    found: dict[bytes, list[int]] = {}
    for at, entry in enumerate(entries):
        same = msgspec.json.encode((entry.claim, entry.data, entry.private), order="sorted")
        found.setdefault(same, []).append(at)
    return [
        Stated(at[0] + 1, len(at), entries[at[0]], _claim(entries[at[0]], at[0] + 1))
        for at in found.values()
    ]


def _claim(entry: Entry, number: int) -> Claim:
    try:
        return claim_of(entry.claim)
    except CertificateError as error:
        raise InputError(f"entry {number} of the ledger states no claim: {error}") from None
