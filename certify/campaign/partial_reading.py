"""Read the closed batches of a partial transcript back, as a worker would hand them over.

What is read is checked as far as it goes without asking the backend again: every byte against the
digest of its batch, the order of the batches against the campaign's, each line against the batch
and its checks, each remembered case against its line, and that the worst one is as grave as the
gravest line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec

from ...reference.errors import InputError
from ..verdict import Verdict, overall_of_cases
from .partial_lines import (
    CASE,
    CLOSED,
    MAX_LINE_BYTES,
    REMEMBERED,
    Closed,
    Closing,
    Remembered,
    read_line,
)
from .results import Tally
from .worked import Task, Worked, losses_of, share_of
from .written_cases import LineOfCase, WrittenCase, case_again

# Each of 500 points has a case of every check, seven at most, and 600 are remembered in all.
_MOST_LINES = 10_000


class Digest(Protocol):
    """What hashlib's objects do."""

    def update(self, data: bytes, /) -> None:
        """See more bytes."""

    def hexdigest(self) -> str:
        """Return the digest of what was seen."""


@dataclass
class _Lines:
    """What stands before the line that closes a batch, in order, and by its kind."""

    content: list[bytes] = field(default_factory=list)
    cases: list[bytes] = field(default_factory=list)
    remembered: list[WrittenCase] = field(default_factory=list)

    def add(self, line: bytes) -> None:
        if line.startswith(CASE):
            self.cases.append(line)
        elif line.startswith(REMEMBERED):
            self.remembered.append(read_line(line, Remembered).remembered)
        else:
            raise InputError("a line is of no kind that there is")
        self.content.append(line)
        if len(self.content) > _MOST_LINES:
            raise InputError(f"a batch of more than {_MOST_LINES} lines")


class _Told(msgspec.Struct, frozen=True):
    """What a line of a case is tallied by."""

    quantity: str
    check: str
    verdict: Verdict
    value: str


_TOLD = msgspec.json.Decoder(_Told)
_OF_CASE = msgspec.json.Decoder(LineOfCase)


def batches_in(
    stream: BinaryIO, digest: Digest, tasks: Iterator[Task], path: Path
) -> Iterator[Worked]:
    """Yield the batches that are closed, each with the next task; stop where one is not.

    The stream stands right after a closed batch whenever one is yielded, and ``digest`` has seen
    that much of the file. Raises InputError where what is closed is damaged.
    """
    try:
        while (batch := _next_batch(stream, digest)) is not None:
            yield _worked_again(next(tasks, None), *batch)
    except (InputError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is damaged: {error}; delete it to begin anew, or give another transcript"
        ) from None


def _next_batch(stream: BinaryIO, digest: Digest) -> tuple[_Lines, Closed] | None:
    """Return the lines up to the next that closes a batch, and that one; None without any."""
    lines = _Lines()
    while (line := stream.readline(MAX_LINE_BYTES)).endswith(b"\n"):
        if line.startswith(CLOSED):
            closed = read_line(line, Closing).closed
            _require_digest(lines, closed, digest)
            digest.update(line)
            return lines, closed
        lines.add(line)
    if len(line) == MAX_LINE_BYTES:
        raise InputError(f"a line of more than {MAX_LINE_BYTES} bytes")
    return None


def _require_digest(lines: _Lines, closed: Closed, digest: Digest) -> None:
    for content in lines.content:
        digest.update(content)
    if digest.hexdigest() != closed.sha256:
        raise InputError("the digest of a batch does not fit")


def _worked_again(task: Task | None, lines: _Lines, closed: Closed) -> Worked:
    if task is None:
        raise InputError("it has more batches than the campaign")
    batch = task.batch
    expected = batch.quantity, batch.number, len(lines.cases)
    if (closed.quantity, closed.number, closed.lines) != expected:
        raise InputError("a batch stands where another one has to")
    told = [_TOLD.decode(line) for line in lines.cases]
    found = task.tallies()
    for case in told:
        if case.quantity != batch.quantity or case.check not in found:
            raise InputError("a case is of no check that is made in its batch")
        found[case.check].cases += 1
        found[case.check].verdicts.add(case.verdict)
    _remember(lines, found)
    for check, tally in found.items():
        _require_whole(task.before[check], tally)
    losses = losses_of((case.check, case.value) for case in told)
    return Worked(batch.quantity, batch.number, b"".join(lines.cases).decode(), found, losses)


def _remember(lines: _Lines, found: dict[str, Tally]) -> None:
    for written in lines.remembered:
        if written.place >= len(lines.cases):
            raise InputError("a case is remembered that is not there")
        line = lines.cases[written.place]
        case = case_again(line.decode(), _OF_CASE.decode(line), written)
        if written.use == "sample":
            found[case.check].sample.append(case)
        else:
            found[case.check].worst = case


def _require_whole(before: Tally, tally: Tally) -> None:
    """Require that a tally remembers what it has to: its gravest case, and its share of them."""
    worst = Verdict.INAPPLICABLE if tally.worst is None else tally.worst.verdict
    if worst is not overall_of_cases(tally.verdicts):
        raise InputError("the worst case that is remembered is not as grave as the gravest")
    if len(tally.sample) != share_of(tally) - share_of(before):
        raise InputError("not as many cases are remembered as have to be")
