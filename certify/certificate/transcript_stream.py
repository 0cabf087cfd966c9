"""The lines of a compressed transcript, as a stream: bounded in every way, and of one digest."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from ...reference.errors import InputError
from .errors import TranscriptError

# Compressed or not. Ten million cases, the most of one quantity, take some four gigabytes.
MAX_BYTES: Final = 2**36
MAX_LINES: Final = 2**28
# The longest parameter is a table of 1,000 rows of 16 numbers, of 26 characters each; a law's case
# has it three times at most.
MAX_LINE_BYTES: Final = 2**21
_CHUNK: Final = 2**16
_GZIP: Final = 16 + zlib.MAX_WBITS  # zlib's own way to say: a gzip header and its checksum


def lines_in(path: str | Path, total: int, sha256: str) -> Iterator[bytes]:
    """Yield the lines without their ends; then require that they are so many, of this digest.

    What is yielded is to be believed only after the last line. Raises InputError where the file
    cannot be read, TranscriptError where it is not such a transcript.
    """
    if total > MAX_LINES:
        raise TranscriptError(f"a transcript of more than {MAX_LINES} lines is not read")
    digest, count, rest = hashlib.sha256(), 0, b""
    for piece in _unpacked(path):
        digest.update(piece)
        *lines, rest = (rest + piece).split(b"\n")
        _require_short([*lines, rest], f"{path}")
        count += len(lines)
        if count > total:
            raise TranscriptError(f"{path} has more than the {total} cases that were judged")
        yield from lines
    if rest:
        raise TranscriptError(f"the last line of {path} has no end")
    if count != total:
        raise TranscriptError(f"{path} has {count} cases, {total} were judged")
    if digest.hexdigest() != sha256:
        raise TranscriptError(f"{path} is the transcript of another campaign: its sha256 differs")


def _require_short(lines: list[bytes], name: str) -> None:
    if max(map(len, lines)) > MAX_LINE_BYTES:
        raise TranscriptError(f"{name} has a line of more than {MAX_LINE_BYTES} bytes")


def _unpacked(path: str | Path) -> Iterator[bytes]:
    """Yield what one gzip member holds, in pieces; nothing may follow it."""
    file = Path(path)
    # A pipe or a device may never end.
    if not file.is_file():
        raise InputError(f"cannot read {file}: there is no regular file")
    try:
        with file.open("rb") as stream:
            yield from _pieces(stream, f"{path}")
    except zlib.error as error:
        raise TranscriptError(f"{file} is no gzip file, or a damaged one: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None


def _pieces(stream: BinaryIO, name: str) -> Iterator[bytes]:
    unpack, size = zlib.decompressobj(_GZIP), 0
    while not unpack.eof:
        packed = unpack.unconsumed_tail or stream.read(_CHUNK)
        piece = unpack.decompress(packed, _CHUNK)
        size += len(piece)
        if not packed and not piece and not unpack.eof:
            raise TranscriptError(f"{name} is cut short")
        if max(size, stream.tell()) > MAX_BYTES:
            raise TranscriptError(f"{name} is of more than {MAX_BYTES} bytes")
        yield piece
    if unpack.unused_data or stream.read(1):
        raise TranscriptError(f"something follows the transcript in {name}")
