"""The subjects of a certificate of any kind, by their digests, and the time of its issue."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from ...reference.errors import InputError
from ...reference.exact import shown
from ..audits.claim import EXAMPLE_PREFIX
from ..files import sha256_of_file
from .parts import Digest, Subject


def claim_subject(content: bytes, name: str) -> Subject:
    """Return the subject that a claim file is; of ``example:NAME`` the example's text."""
    called = name if name.startswith(EXAMPLE_PREFIX) else Path(name).name
    return subject(called, hashlib.sha256(content).hexdigest())


def file_subject(path: str | Path) -> Subject:
    """Return the subject that a file is, by its name without the folder. Raises InputError."""
    return subject(Path(path).name, sha256_of_file(path))


def subject(name: str, sha256: str) -> Subject:
    """Return the subject of a name and a digest. Raises InputError where it cannot be one."""
    try:
        return Subject(name, Digest(sha256))
    except ValueError as error:
        raise InputError(f"{name} cannot name a subject: {error}") from None


def in_order(subjects: Iterable[Subject]) -> list[Subject]:
    """Return the subjects by name and digest, none twice."""
    return sorted(set(subjects), key=lambda item: (item.name, item.digest.sha256))


# What reproducible builds set to the moment that they tell (reproducible-builds.org).
_VARIABLE = "SOURCE_DATE_EPOCH"
# The last second of the year 9999, after which RFC 3339 has no times.
_LAST_SECOND = 253_402_300_799


def time_of_issue(*, asked: bool) -> str | None:
    """Return the moment in RFC 3339 and UTC: SOURCE_DATE_EPOCH where it is set, else now if asked.

    None where neither is so. Raises InputError where the variable is no moment.
    """
    given = os.environ.get(_VARIABLE)
    if given is None:
        return _written(int(time.time())) if asked else None
    plain = given.isascii() and given.isdigit() and len(given) <= len(str(_LAST_SECOND))
    if not plain or int(given) > _LAST_SECOND:
        raise InputError(f"{_VARIABLE} = {shown(given)} is no number of seconds since 1970")
    return _written(int(given))


def _written(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
