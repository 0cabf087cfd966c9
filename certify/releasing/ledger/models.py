"""The shape of a ledger, version 1: every field is required and none may be added.

A ledger holds what is published anyway: claims, what was said to be public of the data, digests.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

import msgspec
import rfc8785
from msgspec import Meta

from ....reference.errors import InputError
from ....reference.exact import exact_number, exact_text
from ...certificate.models_parts import Closed, Subject
from ...certificate.models_release import ReleaseClaim
from ...certificate.release import published_claim
from ...certificate.texts import (
    MAX_EXACT_DEPTH,
    ExactNumber,
    Sha256,
    Table,
    require_published,
)
from ...mechanisms.protocol import Claim

SCHEMA_VERSION: Final = 1
LEDGER_TYPE: Final = "https://simplexcert.github.io/release-ledger/v1"
# One release a day for 27 years; each is added up anew whenever the ledger is read.
MAX_ENTRIES: Final = 10_000
# A release and its certificate, and room for what else may be published with them.
MAX_OUTPUTS: Final = 8
# What is read of a file at all is 64 MiB; three quarters of that is what base64 can hold.
MAX_PENDING_TEXT: Final = 64 * 1024 * 1024

_BASE64 = "^[A-Za-z0-9+/]*={0,2}$"
Bytes = Annotated[str, Meta(max_length=MAX_PENDING_TEXT, pattern=_BASE64)]


class Entry(Closed, frozen=True):
    """What is recorded of a release: the claim, the public part of [data], and if it is private.

    ``data`` says which data are meant and what neighbours of them are, such as the names of the
    protected coordinates. Two releases are only added up where it is the same.
    """

    claim: ReleaseClaim
    data: Table
    private: bool

    def __post_init__(self) -> None:
        """Require that what is said of the data is text, lists and objects of text."""
        require_published(self.data)


class Recorded(Entry, frozen=True):
    """An entry, the files that it published by relative names and digests, and what came before.

    ``previous`` is the ``head`` of the ledger that it was added to.
    """

    outputs: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_OUTPUTS)]
    previous: Sha256

    def __post_init__(self) -> None:
        """Require names that are different and none of them hidden."""
        require_published(self.data)
        names = [output.name for output in self.outputs]
        if len(set(names)) != len(names):
            raise ValueError("Expected outputs of different names")
        if any(part.startswith(".") for name in names for part in name.split("/")):
            raise ValueError("Expected no hidden output")


class Cap(Closed, frozen=True):
    """What all releases may come to together; exactly one of delta and order is given.

    Releases chosen in view of earlier answers have it as their guarantee, so it is fixed before the
    first one (proofs_notes/ledger.md#a-cap-holds-whatever-comes-next).
    """

    epsilon: ExactNumber
    delta: ExactNumber | None
    order: ExactNumber | None

    def __post_init__(self) -> None:
        """Require reduced fractions in their ranges: epsilon > 0, 0 <= delta < 1, order >= 1."""
        if (self.delta is None) == (self.order is None):
            raise ValueError("Expected a cap with exactly one of delta and order")
        for text in (self.epsilon, self.delta, self.order):
            if text is not None and exact_text(exact_number(text)) != text:
                raise ValueError("Expected the numbers of a cap as reduced fractions")
        if exact_number(self.epsilon) <= 0:
            raise ValueError("Expected a cap with epsilon > 0")
        if self.delta is not None and not 0 <= exact_number(self.delta) < 1:
            raise ValueError("Expected a cap with 0 <= delta < 1")
        if self.order is not None and exact_number(self.order) < 1:
            raise ValueError("Expected a cap with order >= 1")


class Ledger(Closed, frozen=True):
    """All releases of the same data that were recorded, in order, and their cap if they have one.

    ``pending`` holds the outputs of the last entry, byte for byte in base64, as long as it is not
    known that they were written; else nothing.
    """

    schema_version: Literal[1]
    type: Literal["https://simplexcert.github.io/release-ledger/v1"]
    cap: Cap | None
    entries: Annotated[list[Recorded], Meta(max_length=MAX_ENTRIES)]
    pending: Annotated[list[Bytes], Meta(max_length=MAX_OUTPUTS)]

    def __post_init__(self) -> None:
        """Require that what is pending is that of the last entry, in the one way to write it."""
        if self.pending and (
            not self.entries or len(self.pending) != len(self.entries[-1].outputs)
        ):
            raise ValueError("Expected all outputs of the last entry to be pending, or none")
        for text in self.pending:
            if in_base64(b64decode(text, validate=True)) != text:
                raise ValueError("Expected base64 in its canonical form")

    @property
    def head(self) -> str:
        """The digest of the last entry, by which all before it are told, too.

        Of a ledger without entries its own. Nothing that is pending goes into it.
        """
        return digest_of(self.entries[-1] if self.entries else self.beginning)

    @property
    def beginning(self) -> Ledger:
        """The ledger before its first entry."""
        return msgspec.structs.replace(self, entries=[], pending=[])

    @property
    def undelivered(self) -> list[tuple[Subject, bytes]]:
        """The outputs that were recorded and may not have been written, with their content."""
        if not self.pending:
            return []
        content = [b64decode(text) for text in self.pending]
        return list(zip(self.entries[-1].outputs, content, strict=True))


NO_RELEASES: Final = Ledger(SCHEMA_VERSION, LEDGER_TYPE, None, [], [])


def digest_of(part: Ledger | Recorded) -> str:
    """Return the sha256 of the canonical JSON (RFC 8785) of a ledger or an entry, in hex."""
    return sha256(canonical_json(part)).hexdigest()


def canonical_json(part: Ledger | Recorded) -> bytes:
    """Return a ledger or an entry as canonical JSON (RFC 8785)."""
    return rfc8785.dumps(msgspec.to_builtins(part))


def in_base64(content: bytes) -> str:
    """Return bytes as they stand in a ledger."""
    return b64encode(content).decode()


def base64_length(count: int) -> int:
    """Return how many characters so many bytes more may take in base64."""
    return 4 * -(-count // 3)


def entry_of(claim: Claim, data: Mapping[str, Any], *, private: bool) -> Entry:
    """Return what is to be recorded of a release; ``data`` is the claim file's [data].

    Raises InputError where that cannot be published.
    """
    table = {key: _published(value, f"[data] {key}") for key, value in sorted(data.items())}
    return Entry(published_claim(claim), table, private)


def _published(value: object, where: str, depth: int = MAX_EXACT_DEPTH) -> Any:
    """Return a value of a claim file with its numbers as exact text."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | Fraction):
        return exact_text(value)
    if depth and isinstance(value, list | tuple):
        return [_published(item, where, depth - 1) for item in value]
    if depth and isinstance(value, dict):
        return {str(key): _published(item, where, depth - 1) for key, item in value.items()}
    raise InputError(f"{where} holds what no ledger can say: write numbers, text, lists or tables")
