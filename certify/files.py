"""Read, lock and write files: whole or not at all, and never over somebody else's.

The kernel holds a lock for the open file: it ends with its process, nothing is left stale after
``kill -9``, and nothing waits.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Final

from ..reference.errors import InputError
from .done import has_written, undivided

if TYPE_CHECKING:
    from .marks import Mark

# Another process that ends removes its file: then the name is another file's, and is opened anew.
_ATTEMPTS = 5


def locked_file(path: Path, held: str) -> BinaryIO:
    """Return the file, made if it is not there, locked until it is closed, and still of this name.

    Raises InputError with the sentence ``held`` where another process holds it, and where it is no
    regular file; OSError where it cannot be opened, such as for a symbolic link.
    """
    for _ in range(_ATTEMPTS):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        with ExitStack() as stack:
            stream = stack.enter_context(os.fdopen(handle, "r+b", buffering=0))
            _require_regular(handle, path)
            _lock(handle, held)
            if _is_still(handle, path):
                stack.pop_all()
                return io.BufferedRandom(stream)
    raise InputError(f"another run keeps removing {path}")


def _require_regular(handle: int, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise InputError(f"cannot write {path}: it is there and is no regular file")


def _lock(handle: int, held: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(held) from None


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def lock_beside(file: Path) -> Path:
    """Return the file that is locked for another, beside it and hidden."""
    return file.with_name(f".{file.name}.lock")


def remove_left_lock(file: Path) -> None:
    """Remove the lock beside a file that a process left which was killed; not one that is held."""
    with suppress(OSError, InputError, ValueError):
        lock = lock_beside(file)
        if lock.exists():
            with locked_file(lock, "held") as stream:
                remove_lock(lock, stream)


def remove_lock(lock: Path, held: BinaryIO) -> None:
    """Remove a lock that is held; where its file holds anything it was somebody's, and stays."""
    with suppress(OSError):  # left behind it is in nobody's way
        if not os.fstat(held.fileno()).st_size:
            lock.unlink()


# Of the name of a file that is being written: so many are never drawn twice.
_TOKEN_BYTES = 8

# As the name of what a command reads or writes, standard input or output.
STANDARD: Final = "-"


def content_at(where: str | Path) -> bytes:
    """Return the bytes of a regular file, or with the text ``-`` standard input's, of bounded size.

    Raises InputError.
    """
    from ..reference.exact import MAX_FILE_BYTES, read_file, reason_of

    if where != STANDARD:
        return read_file(where)
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    try:
        content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read standard input: {reason_of(error)}") from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError(f"standard input is larger than {MAX_FILE_BYTES} bytes; it is not read")
    return content


def name_of(where: str | Path) -> str:
    """Return what people are told that something is read from."""
    return "standard input" if where == STANDARD else str(where)


def is_same(one: str | Path, other: str | Path) -> bool:
    """Whether two names are of one file, wherever links lead; those in a circle lead nowhere."""
    return os.path.realpath(one) == os.path.realpath(other)


def require_writable(path: str | Path, over: Mark | None) -> None:
    """Raise InputError now if a file could not be written there after long work.

    What is there has to bear the mark ``over``; with none, that is left to whoever asks.
    """
    if path == STANDARD:
        return
    target = Path(path)
    try:
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise InputError(f"cannot write {target}: it is there and is no regular file")
        if over is not None:
            require_ours(target, over)
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def require_ours(target: Path, mark: Mark) -> None:
    """Raise InputError unless nothing is there, or what may be written over: ours, or empty.

    Raises OSError where what is there cannot be read.
    """
    try:
        handle = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    except OSError:
        if target.is_symlink():  # the system's own word for it is of too many of them
            raise InputError(f"cannot write {target}: it is there and is no regular file") from None
        raise
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"cannot write {target}: it is there and is no regular file")
        if found.st_size and not mark.is_borne(stream):
            raise InputError(
                f"cannot write {target}: it is there and is no {mark.kind} of ours; move it away, "
                "or give another name"
            )


# The mode of a file that nobody but its owner may read.
OWNER_ALONE: Final = 0o600
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@contextmanager
def whole_file(
    path: str | Path,
    over: Mark | None = None,
    *,
    durable: bool = False,
    mode: int | None = None,
) -> Iterator[IO[bytes]]:
    """Yield a stream that becomes the file only if the block ends without an error.

    It is written over a file that bears the mark ``over``, and over no other; with none, over
    nothing. ``durable``: it is on the disk before this returns, name and all. ``mode`` is the
    file's, whatever is usual here. Raises InputError, also where the disk is full.
    """
    target = Path(path)
    made = target.parent / f".{target.name}.{secrets.token_hex(_TOKEN_BYTES)}"
    try:
        # A file that is opened so has the mode that is usual here; a temporary file's is not.
        opened = made.open("xb") if mode is None else os.fdopen(os.open(made, _NEW, mode), "wb")
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None
    try:
        with opened as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), mode)  # what is usual here may have taken from it
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        with undivided():
            _place(made, target, over)
            if durable:
                _sync_folder(target.parent)
            has_written(target)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise InputError(f"cannot write {target}: {error.strerror}") from None
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _place(made: Path, target: Path, over: Mark | None) -> None:
    """Give a file that was made its name."""
    if over is not None:
        # In one step: killed between two, a ledger would have two names.
        require_ours(target, over)
        made.replace(target)
        return
    try:
        os.link(made, target)  # fails where there is a file; to replace it would not
    except FileExistsError:
        raise InputError(f"cannot write {target}: it is there") from None
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise InputError(f"cannot write {target}: it is there") from None
        made.replace(target)
    else:
        made.unlink()


def _sync_folder(folder: Path) -> None:
    """See the names of a folder's files on the disk: a file's own fsync does not."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: str | Path, content: bytes, over: Mark | None) -> None:
    """Write a file's whole content, or leave what was there; the text ``-`` is standard output.

    Raises InputError, also where there is a file without the mark ``over``.
    """
    if path == STANDARD:
        _write_output(content)
        return
    with whole_file(path, over) as stream:
        stream.write(content)


def _write_output(content: bytes) -> None:
    if sys.stdout is None:
        raise InputError("cannot write standard output: it is closed")
    try:
        sys.stdout.flush()
        left = memoryview(content)
        # A stream without a buffer of its own may take a part only.
        while left:
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write standard output: {error.strerror}") from None


def write_durably(path: str | Path, content: bytes, over: Mark | None = None) -> None:
    """Write a file's whole content so that it outlasts a failure of power, too.

    For files whose order on the disk matters: what is written after this returns is never there
    without this. Raises InputError, also where there is a file without the mark ``over``.
    """
    with whole_file(path, over, durable=True) as stream:
        stream.write(content)


def remove_left_behind(path: str | Path) -> None:
    """Remove what a writer of this file left beside it when it was killed.

    Only whoever may alone write the file may call this: another's unfinished file looks the same.
    """
    for file in left_behind(path):
        file.unlink(missing_ok=True)


def left_behind(path: str | Path) -> list[Path]:
    """Return what stands beside a file as one of its writers begins it: killed, or still writing.

    In a folder that cannot be read there is none.
    """
    target = Path(path)
    made = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}")
    try:
        return sorted(
            file
            for file in target.parent.iterdir()
            if made.fullmatch(file.name) and not file.is_symlink() and file.is_file()
        )
    except OSError:
        return []


def sha256_of_file(path: str | Path) -> str:
    """Return the digest of a regular file of any size, read piece by piece. Raises InputError."""
    from ..reference.exact import open_regular, reason_of

    with open_regular(path) as stream:
        try:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"cannot read {path}: {reason_of(error)}") from None
