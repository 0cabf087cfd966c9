"""Open a ledger for one process at a time, and record a release together with what it publishes.

The order on the disk: one write that holds the entry and the bytes to be published; the published
files; the ledger without the bytes. Whoever opens it next finishes what was cut short.

Releases that stand beside a ledger and are not in it are named, for it cannot have counted them.
That is a warning and no guard: a release that was moved, hidden, or laid out anew is not found.
What stands there is hostile: no link is followed, nothing is parsed, only as many bytes are read as
a release begins with unless it does so, and how much is looked at is bounded.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from ....reference.errors import InputError
from ....reference.exact import MAX_FILE_BYTES
from ...certificate.release import RELEASED_MARK
from ...done import has_done, undivided
from ...files import (
    lock_beside,
    locked_file,
    remove_left_behind,
    remove_lock,
    require_writable,
    write_durably,
)
from ...marks import LEDGER
from .composition import Composition, cap_said, composed, require_within
from .contents import (
    MAX_ENTRIES,
    MAX_OUTPUTS,
    Cap,
    Entry,
    Ledger,
    Recorded,
    base64_length,
    deliver,
    in_base64,
    ledger_bytes,
    ledger_or_none_yet,
    subject_of,
)

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


_LATER: Final = "the release is recorded in the ledger, and is written when that is next opened"


class OpenLedger:
    """A ledger that no other process can open; ``open_ledger`` opens it.

    ``delivered`` names the outputs that an earlier run had recorded and may not have written.
    """

    def __init__(self, path: Path, ledger: Ledger) -> None:
        self.path = path
        self.ledger = ledger
        self.delivered = self._delivered()
        if self.delivered:
            has_done(f"what an earlier run had recorded in {path} is written now")
        self._is_known = True
        self._within: Entry | None = None

    @property
    def composition(self) -> Composition:
        """What all recorded releases come to together, worked out anew from their claims."""
        return composed(self.ledger.entries, self.ledger.cap)

    def require_within_cap(self, entry: Entry) -> None:
        """Raise InputError where the entry would pass the ledger's cap, whatever is released."""
        if entry is not self._within:  # to work it out twice may take twice its seconds
            require_within(self.ledger.cap, [*self.ledger.entries, entry], str(self.path))
            self._within = entry

    def require_possible(
        self, entry: Entry, outputs: Mapping[Path, bytes], longer: int = 0
    ) -> None:
        """Raise InputError where outputs like these could not be recorded; nothing is.

        They may be ``longer`` by so many bytes. Also where the entry would pass the ledger's cap.
        """
        ledger_bytes(self._with(entry, outputs), str(self.path), base64_length(longer))

    def commit(self, entry: Entry, outputs: Mapping[Path, bytes]) -> None:
        """Record a release and write its files, both or neither whenever this is cut short.

        Raises InputError, with nothing recorded, where a file is there or could not be recorded.
        """
        following = self._with(entry, outputs)
        content = ledger_bytes(following, str(self.path))
        if not self._is_known:
            raise InputError(f"{self.path} could not be written before; open it again")
        self._is_known = False  # whether the entry is there, if this raises
        try:
            write_durably(self.path, content, LEDGER)
        except InputError as error:
            if self._is_written(content):
                raise InputError(f"{error} ({_LATER})") from None
            raise
        has_done(f"the release is made, and counts in {self.path}: do not draw it again")
        self.ledger, self._is_known, self._within = following, True, None
        try:
            self._delivered()
        except InputError as error:
            raise InputError(f"{error} ({_LATER})") from None

    def _is_written(self, content: bytes) -> bool:
        """Whether the ledger's file holds this; the disk may have failed only after that."""
        try:
            return self.path.read_bytes() == content
        except OSError:
            return False

    def _with(self, entry: Entry, outputs: Mapping[Path, bytes]) -> Ledger:
        """Return the ledger with one entry more, and its outputs pending."""
        if len(self.ledger.entries) == MAX_ENTRIES:
            raise InputError(f"{self.path} has {MAX_ENTRIES} entries; no more are recorded")
        subjects = [
            subject_of(Path(path), content, self.path.parent) for path, content in outputs.items()
        ]
        if self.path.name in [subject.name for subject in subjects]:
            raise InputError(f"{self.path} is the ledger itself; give another file")
        try:
            recorded = Recorded(entry.claim, entry.data, entry.private, subjects, self.ledger.head)
        except ValueError as error:
            raise InputError(f"{self.path} cannot record this release: {error}") from None
        pending = [in_base64(content) for content in outputs.values()]
        self.require_within_cap(entry)
        entries = [*self.ledger.entries, recorded]
        return msgspec.structs.replace(self.ledger, entries=entries, pending=pending)

    def _delivered(self) -> tuple[str, ...]:
        """Write what is pending, and then the ledger without it; return the outputs' names."""
        if not self.ledger.pending:
            return ()
        names = deliver(self.ledger, self.path.parent)
        self.ledger = msgspec.structs.replace(self.ledger, pending=[])
        write_durably(self.path, ledger_bytes(self.ledger, str(self.path)), LEDGER)
        return names


@contextmanager
def open_ledger(path: str | Path, cap: Cap | None = None) -> Iterator[OpenLedger]:
    """Open and lock a ledger, which begins with no entries where there is no file.

    A ``cap`` is given to a ledger with no entries and none yet; any other must have it. What an
    earlier run had recorded and not written is written first. Raises InputError: another process
    has it open, or it is no ledger, or it has another cap, or it could not be written.
    """
    file = Path(path)
    try:
        file = file.parent.resolve(strict=True) / file.name
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it leads in a circle"
        raise InputError(f"cannot open {path}: {reason}") from None
    with _locked(file):
        require_writable(file, LEDGER)
        ledger = _capped(ledger_or_none_yet(file), cap, file)
        remove_left_behind(file)
        yield OpenLedger(file, ledger)


def _capped(ledger: Ledger, cap: Cap | None, file: Path) -> Ledger:
    """Return a ledger with this cap. Raises InputError: it has another, or entries and none."""
    if cap is None or cap == ledger.cap:
        return ledger
    if ledger.cap is None and not ledger.entries:
        return msgspec.structs.replace(ledger, cap=cap)
    has = f"the cap {cap_said(ledger.cap)}" if ledger.cap else "entries and no cap"
    raise InputError(
        f"{file} has {has}: a cap is fixed before the first release and stays. Leave it out, or "
        "begin another ledger before anything is released"
    )


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold the lock beside a ledger; the file of the lock is gone afterwards, if it is empty."""
    lock = lock_beside(file)
    held = f"another process is releasing into {file}: let it end, and try again"
    try:
        stream = locked_file(lock, held)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot lock {file} by {lock.name}: {reason}") from None
    try:
        yield
    finally:
        with undivided():
            remove_lock(lock, stream)
            stream.close()
