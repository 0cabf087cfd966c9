"""The transcript of a campaign: one canonical line a case, compressed reproducibly."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..reference.errors import InputError
from .files import whole_file
from .marks import TRANSCRIPT


@contextmanager
def transcript_writer(path: str | Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that appends one line; the file appears when the block ends well."""
    with (
        whole_file(path, TRANSCRIPT) as stream,
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed,
    ):
        yield lambda line: _append(packed, line)


def _append(packed: gzip.GzipFile, line: str) -> None:
    packed.write(line.encode())


def write_transcript(path: str | Path, lines: Iterable[bytes], sha256: str) -> None:
    """Write the lines, which have this digest; the file appears when all of them are in it.

    Raises InputError where they have another: a stranger's program runs while they are kept.
    """
    changed = f"what {path} was to be made of changed meanwhile; run it again"
    digest = hashlib.sha256()
    with transcript_writer(path) as write:
        for line in lines:
            digest.update(line)
            try:
                write(line.decode())
            except UnicodeDecodeError:
                raise InputError(changed) from None
        if digest.hexdigest() != sha256:
            raise InputError(changed)
