"""The contents of a ledger, version 1: shape, canonical bytes, chain of digests, published files.

A ledger holds what is published anyway: claims, what was said to be public of the data, digests.
Its file is hostile until checked, for anybody may have forged it: so nothing is written outside of
its folder, nothing hidden, nothing over a file that is there, and nothing but a release or a
certificate of the very claim that the entry states, whose digest is the entry's.
"""

from __future__ import annotations

import hashlib
import os
import stat
from base64 import b64decode, b64encode
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import rfc8785
from msgspec import Meta

from ....reference.errors import InputError
from ....reference.exact import (
    MAX_FILE_BYTES,
    MAX_MATRIX_VALUES,
    exact_number,
    exact_text,
    parse_json,
    read_file,
)
from ...certificate.claim import published_claim
from ...certificate.errors import CertificateError, plainly
from ...certificate.models import ClaimStatement, ReleaseClaim
from ...certificate.parts import (
    MAX_EXACT_DEPTH,
    Closed,
    Digest,
    ExactNumber,
    Sha256,
    Subject,
    Table,
    require_published,
)
from ...certificate.reading import read_statement, require_bounded
from ...certificate.release import claim_in_release, read_released
from ...files import remove_left_behind, sha256_of_file, write_durably
from ...mechanisms.protocol import Claim

_SCHEMA_VERSION: Final = 1
LEDGER_TYPE: Final = "https://simplexcert.github.io/release-ledger/v1"
# One release a day for 27 years; each is added up anew whenever the ledger is read.
MAX_ENTRIES: Final = 10_000
# The fullest ledger has as many as the largest matrix.
_MAX_VALUES: Final = MAX_MATRIX_VALUES
# A release and its certificate, and room for what else may be published with them.
MAX_OUTPUTS: Final = 8
# What is read of a file at all is 64 MiB; three quarters of that is what base64 can hold.
_MAX_PENDING_TEXT: Final = 64 * 1024 * 1024

_BASE64 = "^[A-Za-z0-9+/]*={0,2}$"
_Bytes = Annotated[str, Meta(max_length=_MAX_PENDING_TEXT, pattern=_BASE64)]


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
    pending: Annotated[list[_Bytes], Meta(max_length=MAX_OUTPUTS)]

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


NO_RELEASES: Final = Ledger(_SCHEMA_VERSION, LEDGER_TYPE, None, [], [])


def digest_of(part: Ledger | Recorded) -> str:
    """Return the sha256 of the canonical JSON (RFC 8785) of a ledger or an entry, in hex."""
    return sha256(_canonical_json(part)).hexdigest()


def _canonical_json(part: Ledger | Recorded) -> bytes:
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


def _require_own_outputs(ledger: Ledger, name: str) -> None:
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
    if isinstance(statement, ClaimStatement):
        drawn = statement.predicate.release
        return statement.predicate.claim, drawn is None or drawn.private
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


def read_ledger(path: str | Path) -> Ledger:
    """Return the ledger in a file. Raises InputError where there is none, or it is no ledger."""
    file = Path(path)
    _require_plain(file)
    return _ledger_in(read_file(file), str(file))


def ledger_or_none_yet(path: Path) -> Ledger:
    """Return the ledger in a file, without entries where there is no file."""
    _require_plain(path)
    return read_ledger(path) if path.exists() else NO_RELEASES


def _require_plain(path: Path) -> None:
    """Raise InputError unless this is a regular file of one name, or nothing is there.

    Under two names a ledger would have two locks, and become two when it is written.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {path}: {reason}") from None
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path} is no regular file; give the ledger itself, not a link to it")
    if found.st_nlink > 1:
        raise InputError(f"{path} has a second name (a hard link); a ledger needs to have one")


def _ledger_in(content: bytes, name: str) -> Ledger:
    """Return the ledger that the bytes canonically are. Raises InputError."""
    try:
        _require_bounded(parse_json(content, name, most=_MAX_VALUES), name)
        ledger = msgspec.json.decode(content, type=Ledger)
    except InputError:
        raise
    except CertificateError as error:
        raise InputError(str(error)) from None
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{name} is no ledger of this version: {plainly(error)}") from None
    if _canonical_json(ledger) != content:
        raise InputError(f"{name} is not in canonical form (RFC 8785): it was changed by hand")
    _require_chain(ledger, name)
    _require_own_outputs(ledger, name)
    return ledger


def _require_chain(ledger: Ledger, name: str) -> None:
    """Raise InputError unless each entry holds the digest of the one before it.

    A last entry that is changed or missing is not noticed, nor is a ledger that was made anew:
    whoever keeps the head elsewhere notices both.
    """
    head = ledger.beginning.head
    for number, entry in enumerate(ledger.entries, 1):
        if entry.previous != head:
            before = f"entry {number - 1}" if number > 1 else "a ledger without entries"
            raise InputError(
                f"{name}: entry {number} does not hold the digest of {before}: entries were "
                "changed, removed, moved or put in since they were recorded. Go on with an "
                "unchanged copy that has all of them"
            )
        head = digest_of(entry)


def _require_bounded(value: Any, name: str) -> None:
    """Raise unless depth, number and text of all values but the pending bytes are bounded."""
    kept = {**value, "pending": None} if isinstance(value, dict) else value
    require_bounded(kept, name, _MAX_VALUES)


def ledger_bytes(ledger: Ledger, name: str, room: int = 0) -> bytes:
    """Return a ledger as its file holds it, and as it can be read again. Raises InputError.

    Also where it could not be so many bytes longer.
    """
    content = _canonical_json(ledger)
    if len(content) + room > MAX_FILE_BYTES:
        raise InputError(f"{name} would be larger than {MAX_FILE_BYTES} bytes; begin another one")
    _ledger_in(content, name)
    return content
