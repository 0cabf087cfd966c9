"""A transcript that is being written: batch by batch, on the disk before the next one is begun.

The first line binds it to a campaign. Then come the batches, in order; of each its lines as the
transcript has them, the cases that its tallies remember, exact, and a line that closes it with the
sha256 of every byte before. Killed in the middle of a batch, that batch is cut off and worked out
again; nothing that was closed is lost.

The digest finds damage, not malice: who can write to this file could as well write a certificate.
Both are believed no further than ``verify`` works them out again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ...reference.errors import InputError
from ..files import locked_file
from .binding import Bound
from .partial_lines import (
    CASE,
    MAX_LINE_BYTES,
    closing_line,
    first_line,
    remembered_lines,
    require_bound,
)
from .partial_reading import batches_in
from .worked import Task, Worked

SUFFIX = ".part"


class Partial:
    """A partial transcript, open and locked; ``partial_beside`` opens it.

    ``goes_on`` tells whether another run can go on from it, ``batches`` how many it would find.
    """

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self.batches, self.goes_on = 0, False
        self._stream = stream
        self._digest = hashlib.sha256()
        # Where what was closed ends; what others put behind it is not ours.
        self._end = 0
        # Whether there is nothing in it that anybody could miss.
        self._is_bare = not os.fstat(stream.fileno()).st_size

    def begun(self, bound: Bound) -> None:
        """Bind an empty file to a campaign, or find that it is this campaign's.

        Raises InputError where it is another's, or something else.
        """
        head = first_line(bound)
        self._stream.seek(0)
        first = self._stream.readline(len(head))
        if first != head and head.startswith(first):  # empty, or killed as it was begun
            self._stream.seek(0)
            self._stream.truncate()
            self._is_bare = True
            with self._writing():
                self._append(head)
        else:
            require_bound(self._stream, bound, self.path)
            self._digest.update(head)
            self._stream.seek(len(head))

    def restored(self, tasks: Iterator[Task]) -> Iterator[Worked]:
        """Yield the batches that are closed, taking their tasks; what follows them is cut off."""
        end, count = self._stream.tell(), 0
        for found in batches_in(self._stream, self._digest, tasks, self.path):
            end, count = self._stream.tell(), count + 1
            yield found
        self._stream.seek(end)
        self._stream.truncate()
        self._end = end
        self.batches, self.goes_on, self._is_bare = count, count > 0, not count

    def add(self, found: Worked) -> None:
        """Write a batch and see it on the disk. Raises InputError where there is no room."""
        # Whoever interrupts this may find the batch whole on the disk, or torn.
        self.goes_on, self._is_bare = True, False
        with self._writing():
            self._append(found.lines.encode())
            for line in remembered_lines(found):
                self._append(line)
            self._append(closing_line(found, self._digest.hexdigest()))
        self._end = self._stream.tell()
        self.batches += 1

    def _append(self, content: bytes) -> None:
        self._digest.update(content)
        self._stream.write(content)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None

    def lines(self) -> Iterator[bytes]:
        """Yield the transcript's lines with their ends, from the first one on.

        Whoever takes them has to require their digest: the file may not be as it was written.
        """
        self._stream.seek(0)
        while self._stream.tell() < self._end and (line := self._stream.readline(MAX_LINE_BYTES)):
            if line.startswith(CASE):
                yield line

    def forget(self) -> None:
        """Remove the file: what it was kept for is whole and stands elsewhere."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; one of this campaign without a single batch is removed."""
        if self._is_bare:
            self.forget()
        # What could not be written before cannot be now; that was told.
        with suppress(OSError):
            self._stream.close()


def partial_path(transcript: str | Path) -> Path:
    """Return where the partial file of a transcript stands: beside it."""
    return Path(f"{transcript}{SUFFIX}")


@contextmanager
def partial_beside(transcript: str | Path) -> Iterator[Partial]:
    """Open and lock the partial file of a transcript, which is made if it is not there.

    Raises InputError if it is no regular file, or another run is writing it.
    """
    path = partial_path(transcript)
    held = f"another run is writing {path}: let it end, or give another transcript"
    try:
        partial = Partial(path, locked_file(path, held))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    try:
        yield partial
    finally:
        partial.close()
