"""Read and write the bytes of a ledger: hostile until checked, canonical JSON (RFC 8785)."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import msgspec

from ....reference.errors import InputError
from ....reference.exact import MAX_FILE_BYTES, parse_json, read_file
from ...certificate.errors import CertificateError, plainly
from ...certificate.reading import require_bounded
from .models import NO_RELEASES, Ledger, canonical_json, digest_of
from .outputs import require_own_outputs


def read_ledger(path: str | Path) -> Ledger:
    """Return the ledger in a file. Raises InputError where there is none, or it is no ledger."""
    file = Path(path)
    require_plain(file)
    return ledger_in(read_file(file), str(file))


def ledger_or_none_yet(path: Path) -> Ledger:
    """Return the ledger in a file, without entries where there is no file."""
    require_plain(path)
    return read_ledger(path) if path.exists() else NO_RELEASES


def require_plain(path: Path) -> None:
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


def ledger_in(content: bytes, name: str) -> Ledger:
    """Return the ledger that the bytes canonically are. Raises InputError."""
    try:
        _require_bounded(parse_json(content, name), name)
        ledger = msgspec.json.decode(content, type=Ledger)
    except InputError:
        raise
    except CertificateError as error:
        raise InputError(str(error)) from None
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{name} is no ledger of this version: {plainly(error)}") from None
    if canonical_json(ledger) != content:
        raise InputError(f"{name} is not in canonical form (RFC 8785): it was changed by hand")
    _require_chain(ledger, name)
    require_own_outputs(ledger, name)
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
    require_bounded(kept, name)


def ledger_bytes(ledger: Ledger, name: str, room: int = 0) -> bytes:
    """Return a ledger as its file holds it, and as it can be read again. Raises InputError.

    Also where it could not be so many bytes longer.
    """
    content = canonical_json(ledger)
    if len(content) + room > MAX_FILE_BYTES:
        raise InputError(f"{name} would be larger than {MAX_FILE_BYTES} bytes; begin another one")
    ledger_in(content, name)
    return content
