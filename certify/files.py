"""Write files whole or not at all, and tell what they hold by its digest."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..reference.errors import InputError


def require_writable(path: str | Path) -> None:
    """Raise InputError now if a file could not be written there after long work."""
    target = Path(path)
    try:
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise InputError(f"cannot write {target}: it is there and is no regular file")
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


@contextmanager
def whole_file(
    path: str | Path, *, durable: bool = False, over: bool = True
) -> Iterator[IO[bytes]]:
    """Yield a stream that becomes the file only if the block ends without an error.

    ``durable``: it is on the disk before this returns, name and all. Without ``over`` nothing is
    ever overwritten: InputError where there is a file by then.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(name).chmod(usual_mode())
        _place(Path(name), target, over=over)
        if durable:
            _sync_folder(target.parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _place(made: Path, target: Path, *, over: bool) -> None:
    """Give a file that was made its name."""
    if over:
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


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file's whole content, or leave what was there. Raises InputError."""
    with whole_file(path) as stream:
        stream.write(content)


def write_durably(path: str | Path, content: bytes, *, over: bool = True) -> None:
    """Write a file's whole content so that it outlasts a failure of power, too.

    For files whose order on the disk matters: what is written after this returns is never there
    without this. Raises InputError.
    """
    try:
        with whole_file(path, durable=True, over=over) as stream:
            stream.write(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def remove_left_behind(path: str | Path) -> None:
    """Remove what a writer of this file left beside it when it was killed.

    Only whoever may alone write the file may call this: another's unfinished file looks the same.
    """
    target = Path(path)
    made = re.compile(rf"\.{re.escape(target.name)}\.[a-z0-9_]{{8}}")  # as tempfile names them
    for file in target.parent.iterdir():
        if made.fullmatch(file.name) and not file.is_symlink() and file.is_file():
            file.unlink(missing_ok=True)


def sha256_of_file(path: str | Path) -> str:
    """Return the digest of a regular file of any size, read piece by piece. Raises InputError."""
    file = Path(path)
    try:
        if not file.is_file():
            raise InputError(f"cannot read {file}: it is no regular file")
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {file}: {reason}") from None


def usual_mode() -> int:
    """Return the mode that a new file has here, where a temporary one is for its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
