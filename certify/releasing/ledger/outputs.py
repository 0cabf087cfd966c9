"""The files that a ledger publishes: where they may stand, what they may hold, how they get there.

A ledger is read from a file, which anybody may have forged. So nothing is written outside of its
folder, nothing hidden, nothing over a file that is there, and nothing but a release or a
certificate of the very claim that the entry states, whose digest is the entry's.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ....reference.errors import InputError
from ...certificate.errors import CertificateError
from ...certificate.models import Digest, MadeStatement, ReleaseStatement, Subject
from ...certificate.models_release import ReleaseClaim
from ...certificate.reading import read_statement
from ...certificate.released import claim_in_release, read_released
from ...files import remove_left_behind, sha256_of_file, write_durably
from .models import Ledger


def subject_of(path: Path, content: bytes, folder: Path) -> Subject:
    """Return an output's name, relative to the ledger's folder, and its digest.

    Raises InputError where it does not lie in that folder, or something is there already.
    """
    target = _resolved(path)
    if not target.is_relative_to(folder):
        raise InputError(
            f"{path} is not in {folder}, the ledger's folder; what a ledger records has to stand "
            "there or further down"
        )
    if os.path.lexists(target):
        raise InputError(f"{path} is there already; a release is not drawn over another")
    name = target.relative_to(folder).as_posix()
    if any(part.startswith(".") for part in name.split("/")):
        raise InputError(f"{path} would be hidden; give another name")
    try:
        return Subject(name, Digest(hashlib.sha256(content).hexdigest()))
    except ValueError:
        raise InputError(f"{path} has an odd name; give one of plain letters") from None


def _resolved(path: Path) -> Path:
    """Return a path through no link but the last part. Raises InputError: no such folder."""
    try:
        return path.parent.resolve(strict=True) / path.name
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it leads in a circle"
        raise InputError(f"cannot write {path}: {reason}") from None


def require_own_outputs(ledger: Ledger, name: str) -> None:
    """Raise InputError unless what is pending is what the last entry says."""
    for output, content in ledger.undelivered:
        if hashlib.sha256(content).hexdigest() != output.digest.sha256:
            raise InputError(f"{name}: what is to be written to {output.name} has another digest")
        try:
            claim, private = _said_in(content, output.name)
        except CertificateError as error:
            raise InputError(f"{name}: {error}") from None
        last = ledger.entries[-1]
        if claim != last.claim or private != last.private:
            raise InputError(f"{name}: {output.name} is of another release than its entry states")


def _said_in(content: bytes, name: str) -> tuple[ReleaseClaim, bool]:
    """Return the claim of a release, or of a certificate of one, and whether it is private."""
    if b'"predicateType"' not in content:
        released = read_released(content, name)
        return claim_in_release(released), released.private
    statement = read_statement(content, name)
    if isinstance(statement, MadeStatement):
        return statement.predicate.release.claim, statement.predicate.made.private
    if isinstance(statement, ReleaseStatement):
        return statement.predicate.claim, True
    raise InputError(f"{name} is the certificate of no release")


def deliver(ledger: Ledger, folder: Path) -> tuple[str, ...]:
    """Write what was recorded and is not there, and return the names of all that was pending.

    Raises InputError where another file has the name.
    """
    for output, content in ledger.undelivered:
        _deliver(output, content, folder)
    return tuple(output.name for output, _ in ledger.undelivered)


def _deliver(output: Subject, content: bytes, folder: Path) -> None:
    target = _resolved(folder / output.name)
    if not target.is_relative_to(folder):
        raise InputError(f"{output.name} is recorded in a ledger, but leads out of {folder}")
    if not os.path.lexists(target):
        write_durably(target, content)
    elif target.is_symlink() or sha256_of_file(target) != output.digest.sha256:
        raise InputError(
            f"{target} was recorded in the ledger and not yet written, and another file has its "
            "name: move that one away, and open the ledger again"
        )
    remove_left_behind(target)
