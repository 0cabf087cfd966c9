"""Write files whole or not at all, and tell what they hold by its digest."""

from __future__ import annotations

import hashlib
import os
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
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """Yield a stream that becomes the file only if the block ends without an error."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file's whole content, or leave what was there. Raises InputError."""
    with whole_file(path) as stream:
        stream.write(content)


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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
