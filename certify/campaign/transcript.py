"""A campaign's transcript: a canonical line a case, kept as the campaign runs, packed at its end.

What is kept stands in ``FILE.part``, on the disk batch by batch before the next one is begun. Its
first line binds it to a campaign. Then come the batches, in order; of each the transcript's own
lines, and one that closes it with the sha256 of every byte before. Killed in the middle of a batch,
that batch is cut off and run again; nothing that was closed is lost.

The digest finds damage, not malice: who can write to this file could as well write a certificate.
Both are believed no further than ``verify`` works them out again.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from ...reference.errors import InputError
from ...reference.exact import exact_text
from ..backends.declarations import written_ranges
from ..backends.protocol import Backend
from ..backends.subjects import Subject
from ..checks.case import gravity_of
from ..checks.judgement import AGAINST_THE_TRUTH
from ..files import locked_file, whole_file
from ..marks import TRANSCRIPT
from ..points import Line, line_in
from ..search.hunt import WORST_INPUTS
from ..verdict import FAILED
from .batches import (
    Batch,
    BatchResult,
    Tally,
    Task,
    crashes_in,
    form_cases,
    relation_cases_in,
    versions,
)

_SUFFIX = ".part"
_FORM = "https://simplexcert.github.io/partial-transcript/v0"
# How the lines begin that are a case's, whose keys are in canonical order, and that close a batch.
_CASE, _CLOSED = b'{"check":', b'{"closed":'
# How the first line ends; what the backend says of itself stands right before.
_ENDS = b"}}\n"
# A line of a transcript is of 2**21 bytes at most; the first one names every file of a backend.
_MAX_LINE_BYTES = 2**24
# Each of 500 points has a case of every check, seven at most.
_MOST_LINES = 10_000
# Of these lines together: they are held in memory until the one that closes them.
_MAX_BATCH_BYTES = 2**28
# Differences that are told; there may be one for each file of a backend.
_MOST_DIFFERENCES = 5
_FRESH = "to begin anew, or give another transcript"

_Bound: TypeAlias = Mapping[str, Any]
_Model = TypeVar("_Model")


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a batch: which one it is, its lines, and the digest of every byte before."""

    quantity: str
    number: Annotated[int, Meta(ge=0)]
    lines: Annotated[int, Meta(ge=0)]
    sha256: str


class _Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    closed: _Closed


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    campaign: dict[str, Any]


class _Digest(Protocol):
    """A digest that hashlib makes."""

    def update(self, data: bytes, /) -> None:
        """See more bytes."""

    def hexdigest(self) -> str:
        """Return the digest of what was seen."""


class PartialTranscript:
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

    def require_possible(self, asked: _Bound) -> None:
        """Require that the file may be of a campaign of which no more is known than this.

        Raises InputError where it is another's, or something else, whatever the backend will say.
        """
        head = _line(_First(dict(asked)))
        begins = head.removesuffix(_ENDS)
        self._stream.seek(0)
        first = self._stream.readline(len(begins))
        # A file that is empty, or whose first line is torn, is begun anew.
        if first != begins and not begins.startswith(first):
            _require_bound(self._stream, head, self.path)

    def begun(self, bound: _Bound) -> None:
        """Bind an empty file to a campaign, or find that it is this campaign's.

        Raises InputError where it is another's, or something else.
        """
        head = _line(_First(dict(bound)))
        self._stream.seek(0)
        first = self._stream.readline(len(head))
        if first != head and head.startswith(first):  # empty, or killed as it was begun
            self._stream.seek(0)
            self._stream.truncate()
            self._is_bare = True
            with self._writing():
                self._append(head)
        else:
            _require_bound(self._stream, head, self.path)
            self._digest.update(head)
            self._stream.seek(len(head))

    def restored(self, tasks: Iterator[Task]) -> Iterator[BatchResult]:
        """Yield the batches that are closed, taking their tasks; what follows them is cut off."""
        end, count = self._stream.tell(), 0
        for found in _batches_in(self._stream, self._digest, tasks, self.path):
            end, count = self._stream.tell(), count + 1
            yield found
        self._stream.seek(end)
        self._stream.truncate()
        self._end = end
        self.batches, self.goes_on, self._is_bare = count, count > 0, not count

    def add(self, found: BatchResult) -> None:
        """Write a batch and see it on the disk. Raises InputError where there is no room."""
        # Whoever interrupts this may find the batch whole on the disk, or torn.
        self.goes_on, self._is_bare = True, False
        with self._writing():
            self._append(found.lines.encode())
            count = found.lines.count("\n")
            sha256 = self._digest.hexdigest()
            self._append(_line(_Closing(_Closed(found.quantity, found.number, count, sha256))))
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
        while self._stream.tell() < self._end and (line := self._stream.readline(_MAX_LINE_BYTES)):
            if line.startswith(_CASE):
                yield line

    def forget(self) -> None:
        """Remove the file: what it was kept for is whole and stands elsewhere."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; remove it where no batch of this campaign was completed."""
        if self._is_bare:
            self.forget()
        # What could not be written before cannot be now; that was told.
        with suppress(OSError):
            self._stream.close()


def partial_path(transcript: str | Path) -> Path:
    """Return where the partial file of a transcript stands: beside it."""
    return Path(f"{transcript}{_SUFFIX}")


@contextmanager
def partial_beside(transcript: str | Path) -> Iterator[PartialTranscript]:
    """Open and lock the partial file of a transcript, which is made if it is not there.

    Raises InputError if it is no regular file, or another run is writing it.
    """
    path = partial_path(transcript)
    held = f"another run is writing {path}: let it end, or give another transcript"
    try:
        partial = PartialTranscript(path, locked_file(path, held))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    try:
        yield partial
    finally:
        partial.close()


@contextmanager
def transcript_writer(path: str | Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that appends one line; the file appears when the block ends well."""
    with (
        whole_file(path, TRANSCRIPT) as stream,
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed,
    ):
        yield lambda line: _pack(packed, line)


def _pack(packed: gzip.GzipFile, line: str) -> None:
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


def campaign_asked(
    where: str,
    subjects: Iterable[Subject],
    names: Sequence[str],
    *,
    cases: int,
    screen: int,
    seed: int,
    batch: int,
    case_seconds: float,
) -> dict[str, Any]:
    """Return what of a campaign is known before the backend runs, by the names people are told."""
    return {
        "form": _FORM,
        "backend": where,
        "backend's files": {item.name: item.sha256 for item in subjects},
        "quantities": list(names),
        "cases": cases,
        "screen": screen,
        "seed": seed,
        "cases a batch": batch,
        "case seconds": float(case_seconds).hex(),
        "points kept from earlier campaigns": _digest(WORST_INPUTS.read_bytes()),
        "versions": versions(),
    }


def campaign_bound(asked: _Bound, backend: Backend) -> dict[str, Any]:
    """Return what binds a partial transcript to its campaign: what was asked, of which backend.

    What was asked comes first, so that a file can be told from another's by how it begins.
    """
    names = asked["quantities"]
    return {
        **asked,
        "backend's name": backend.name,
        "backend's version": backend.version,
        "backend's quantities": sorted(name for name in names if name in backend.quantities),
        "backend's slack": _texts(backend.slack),
        "backend's accuracy": _texts(backend.accuracy),
        "backend's domain": {
            name: written_ranges(ranges) for name, ranges in sorted(backend.domain.items())
        },
        "backend's direction": dict(sorted(backend.direction.items())),
    }


def _texts(shares: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: exact_text(share) for name, share in sorted(shares.items())}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _differing(ours: _Bound, theirs: _Bound) -> list[str]:
    """Return the names under which two campaigns differ; a table's differing keys one by one."""
    found: list[str] = []
    for name, value in ours.items():
        other = theirs.get(name)
        if value == other:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            found.extend(
                f"{name} ({key})"
                for key in sorted(value.keys() | other.keys())
                if value.get(key) != other.get(key)
            )
        else:
            found.append(name)
    return found


def _line(what: msgspec.Struct) -> bytes:
    # The name of a file may hold half a surrogate pair, which JSON in ASCII can carry.
    return json.dumps(msgspec.to_builtins(what), separators=(",", ":")).encode() + b"\n"


def _read_line(line: bytes, model: type[_Model]) -> _Model:
    """Return what a line says. Raises InputError where it is no such line."""
    try:
        return msgspec.convert(json.loads(line), model)
    except (ValueError, RecursionError) as error:
        raise InputError(f"a line is not what it begins like: {error}") from None


def _require_bound(stream: BinaryIO, head: bytes, path: Path) -> None:
    """Require that a file begins with a campaign's line; the InputError says what differs."""
    stream.seek(0)
    first = stream.readline(_MAX_LINE_BYTES)
    if first == head:
        return
    try:
        ours, theirs = (_read_line(line, _First).campaign for line in (head, first))
        found = _differing(ours, theirs) if theirs["form"] == _FORM else []
    except (InputError, KeyError):
        found = []
    if not found:
        raise InputError(f"{path} is no partial transcript of this form: delete {path} {_FRESH}")
    left = len(found) - _MOST_DIFFERENCES
    told = ", ".join(found[:_MOST_DIFFERENCES]) + (f" and {left} more" if left > 0 else "")
    raise InputError(f"{path} is of another campaign, with other {told}: delete {path} {_FRESH}")


def _batches_in(
    stream: BinaryIO, digest: _Digest, tasks: Iterator[Task], path: Path
) -> Iterator[BatchResult]:
    """Yield the batches that are closed, each with the next task; stop where one is not.

    Checked is what can be without asking the backend again: every byte against the digest of its
    batch, the order of the batches against the campaign's, and each line against its batch and
    checks. The stream stands right after a closed batch whenever one is yielded, and ``digest`` has
    seen that much of the file. Raises InputError where what is closed is damaged.
    """
    try:
        while (batch := _next_batch(stream, digest)) is not None:
            yield _restored(next(tasks, None), *batch)
    except InputError as error:
        raise InputError(f"{path} is damaged: {error}; delete it {_FRESH}") from None


def _next_batch(stream: BinaryIO, digest: _Digest) -> tuple[list[bytes], _Closed] | None:
    """Return the lines up to the next that closes a batch, and that one; None without any."""
    lines, size = list[bytes](), 0
    while (line := stream.readline(_MAX_LINE_BYTES)).endswith(b"\n"):
        if line.startswith(_CLOSED):
            closed = _read_line(line, _Closing).closed
            for content in lines:
                digest.update(content)
            if digest.hexdigest() != closed.sha256:
                raise InputError("the digest of a batch does not fit")
            digest.update(line)
            return lines, closed
        if not line.startswith(_CASE):
            raise InputError("a line is of no kind that there is")
        lines.append(line)
        size += len(line)
        if len(lines) > _MOST_LINES or size > _MAX_BATCH_BYTES:
            raise InputError(
                f"a batch of more than {_MOST_LINES} lines, or of {_MAX_BATCH_BYTES} bytes"
            )
    if len(line) == _MAX_LINE_BYTES:
        raise InputError(f"a line of more than {_MAX_LINE_BYTES} bytes")
    return None


def _restored(task: Task | None, content: Sequence[bytes], closed: _Closed) -> BatchResult:
    """Return a batch's result as the worker had it that wrote the lines."""
    if task is None:
        raise InputError("it has more batches than the campaign")
    batch = task.batch
    if (closed.quantity, closed.number, closed.lines) != (
        batch.quantity,
        batch.number,
        len(content),
    ):
        raise InputError("a batch stands where another one has to")
    return tallied(task, content)


def tallied(task: Task, content: Sequence[bytes]) -> BatchResult:
    """Return a task's result from its batch's lines alone, each with its end.

    Raises InputError where they are not the cases of such a batch: of other checks, or not as many.
    """
    batch, tallies = task.batch, task.tallies()
    if not all(each.endswith(b"\n") for each in content):
        raise InputError("a line has no end")
    lines = [_case_line(each) for each in content]
    for line in lines:
        if line.quantity != batch.quantity or line.check not in tallies:
            raise InputError("a case is of no check that is made in its batch")
    for check, tally in tallies.items():
        made = [line for line in lines if line.check == check]
        if len(made) not in _counts_of(check, batch):
            raise InputError(f"a batch has {len(made)} cases of the check {check}")
        _tally(tally, made)
    crashes = crashes_in((line.check, line.value) for line in lines)
    text = b"".join(content).decode()
    return BatchResult(batch.quantity, batch.number, text, tallies, crashes)


def _counts_of(check: str, batch: Batch) -> set[int]:
    """Return how many cases of a check a batch may have.

    Relations are tried at a share of the points, or, where one does not apply, at none.
    """
    if batch.of_forms:
        return {form_cases(batch.cases)}
    return {batch.cases} if check in AGAINST_THE_TRUTH else {0, relation_cases_in(batch.cases)}


def _case_line(content: bytes) -> Line:
    try:
        return line_in(content.removesuffix(b"\n"))
    except InputError as error:
        raise InputError(f"a line {error}") from None


def _tally(tally: Tally, lines: Iterable[Line]) -> None:
    """Tally the lines of a check; only those that it remembers are read as cases."""
    worst: Line | None = None
    for line in lines:
        if tally.counted(line.verdict, line.note):
            tally.sample.append(line.case())
        if line.verdict in FAILED:
            tally.failed_at(line.case().parameters)
        if worst is None or gravity_of(line) > gravity_of(worst):
            worst = line
    if worst is not None:
        tally.worst = worst.case()
