"""Releases that stand beside a ledger and are not in it: it cannot have counted them.

It is a warning and no guard: a release that was moved, hidden, or laid out anew is not found. What
stands there is hostile: no link is followed, nothing is parsed, only as many bytes are read as a
release begins with unless it does so, and how much is looked at is bounded.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from ....reference.exact import MAX_FILE_BYTES
from ...certificate.released import RELEASED_MARK
from .models import MAX_ENTRIES, MAX_OUTPUTS, Ledger

# As many names as the fullest ledger has outputs, and its own.
MAX_NAMES: Final = MAX_ENTRIES * MAX_OUTPUTS + 1
# Of all files together that begin as a release does: what one of them may hold.
MAX_BYTES: Final = MAX_FILE_BYTES
_PIECE: Final = 1024 * 1024
# Names that are told to people; programs get all of them.
_TOLD: Final = 5


@dataclass(frozen=True)
class Beside:
    """The releases in a ledger's folder that are not in it, and whether all files were looked at.

    Hidden files and folders further down are never looked at.
    """

    unlisted: tuple[str, ...]
    complete: bool

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        return {"unlisted": list(self.unlisted), "complete": self.complete}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be told of it: sentences, none where there is nothing."""
        found = []
        if self.unlisted:
            more = len(self.unlisted) - _TOLD
            names = ", ".join(self.unlisted[:_TOLD]) + (f" and {more} more" if more > 0 else "")
            found.append(
                f"released beside the ledger, and not in it: {names}. If that is of the same data, "
                "no total here holds; an older copy of the ledger may have been put back"
            )
        if not self.complete:
            found.append(
                "not every file beside the ledger was looked at: there are too many, too large "
                "ones, or some that cannot be read"
            )
        return tuple(found)


def releases_beside(path: Path, ledger: Ledger) -> Beside:
    """Return which releases stand in a ledger's folder and are not in it, by their digests."""
    listed = {output.digest.sha256 for entry in ledger.entries for output in entry.outputs}
    names, complete = _names(path.parent)
    unlisted, left = [], MAX_BYTES
    for name in names:
        try:
            with _regular(path.parent / name) as stream:
                if stream.read(len(RELEASED_MARK)) != RELEASED_MARK:
                    continue
                size = os.fstat(stream.fileno()).st_size
                if size > left:
                    complete = False
                    continue
                left -= size
                if _digest(stream, size) not in listed:
                    unlisted.append(name)
        except OSError:
            complete = False
    return Beside(tuple(unlisted), complete)


def _names(folder: Path) -> tuple[list[str], bool]:
    """Return the names of the regular files that are not hidden, and whether these are all."""
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number == MAX_NAMES:
                    return sorted(found), False
                if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                    found.append(entry.name)
    except OSError:
        return sorted(found), False
    return sorted(found), True


@contextmanager
def _regular(file: Path) -> Iterator[BinaryIO]:
    """Open a file that is still a regular one, or raise OSError; a pipe is not waited for."""
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "is no regular file")
        yield stream


def _digest(stream: BinaryIO, size: int) -> str:
    """Return the digest of a file's first ``size`` bytes, however it grows in the meantime."""
    stream.seek(0)
    found = hashlib.sha256()
    while size > 0 and (piece := stream.read(min(size, _PIECE))):
        found.update(piece)
        size -= len(piece)
    return found.hexdigest()
