"""Lock a file against other processes; the lock ends with its process, however that ends.

The kernel holds it for the open file: nothing stale is left after ``kill -9``, and nothing waits.
"""

from __future__ import annotations

import fcntl
import io
import os
import stat
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from ..reference.errors import InputError

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
