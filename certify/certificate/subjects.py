"""What a certificate is about: files by their names and sha256, in order, none twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ...reference.errors import InputError
from ..audits.claim import EXAMPLE_PREFIX
from ..files import sha256_of_file
from .models import Digest, Subject


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
