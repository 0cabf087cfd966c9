"""The transcript of a campaign: one canonical line a case, compressed reproducibly."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .files import whole_file


@contextmanager
def transcript_writer(path: str | Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that appends one line; the file appears when the block ends well."""
    with (
        whole_file(path) as stream,
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed,
    ):
        yield lambda line: _append(packed, line)


def _append(packed: gzip.GzipFile, line: str) -> None:
    packed.write(line.encode())
