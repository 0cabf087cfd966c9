"""Summaries for a terminal: the verdict first, then the evidence for it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.table import Column, Table
from rich.text import Text

from ...reference.quantity import Quantity
from ..verdict import Verdict, verdict_word
from .because import because, given_away, would_do
from .wording import audit_said, ends_of, facts_of, fails_first, visible, worst_rows

if TYPE_CHECKING:
    from ..audits.decision import Audit
    from ..mechanisms.hypotheses import Finding
    from ..mechanisms.protocol import RowLosses

COLOURS = {
    Verdict.CERTIFIED: "green",
    Verdict.REFUTED: "red",
    Verdict.ERROR: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.INAPPLICABLE: "yellow",
}
# Where no bar moves, a line is written so often.
_SECONDS_A_LINE = 30
# Of a release with many rows so many are shown.
_MOST_ROWS = 5
# A pipe is as wide as a page of text.
_PIPE_WIDTH = 100
_BAR_WIDTH = 12
# A text is not folded into less, however narrow the terminal.
_LEAST_WIDTH = 20
_STATUS_COLOURS = {"holds": "green", "fails": "red", "undecided": "yellow", "assumed": "yellow"}
_BETWEEN_WORDS = re.compile(r"(?<! =) (?!= )")


def console_here() -> Console:
    """Return a console that shows names as they are: ``:name:`` stands for no picture."""
    console = Console(highlight=False, soft_wrap=False, emoji=False)
    if console.is_terminal:
        return console
    return Console(highlight=False, width=_PIPE_WIDTH, emoji=False)


def print_verdict(
    console: Console,
    verdict: Verdict,
    about: str,
    *,
    slack: Fraction = Fraction(0),
    assumptions: int = 0,
    quiet: bool = False,
) -> None:
    """Print line 1: the verdict, and beside it its subject: names that somebody else chose.

    What is certified with a backend's ``slack`` alone, or under ``assumptions``, is no plain pass,
    and says so. Where it is all that is printed, ``quiet``, it stays one line; else it is folded.
    Every mark in a name is seen, so that nothing in it can stand where a verdict does, or move the
    cursor there.
    """
    plain = " ".join(str(visible(about)).split())
    word = verdict_word(verdict, slack, assumptions)
    before = Text.assemble((word, f"bold {COLOURS[verdict]}"), "  ")
    if quiet:
        console.print(before + plain, soft_wrap=True)
    else:
        print_folded(console, plain, before, " " * (len(verdict.value) + 2))


def print_folded(
    console: Console, text: str, before: Text | str = "", after: str = "  ", style: str = ""
) -> None:
    """Print a text on as many lines as it takes: the first has ``before``, the others ``after``.

    No line ends in spaces, nor between a name and its number.
    """
    start = Text.assemble(before)
    room = console.width - max(start.cell_len, len(after))
    for at, line in enumerate(_folded(text, max(room, _LEAST_WIDTH))):
        console.print((Text(after) if at else start) + Text(line, style), soft_wrap=True)


def _folded(text: str, width: int) -> Iterator[str]:
    """Yield lines of at most so many columns; one that cannot be folded is cut."""
    line = ""
    for word in _BETWEEN_WORDS.split(text):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            yield line.rstrip()
        *whole, line = chop_cells(word, width) or [""]
        yield from whole
    yield line.rstrip()


def print_labelled(
    console: Console,
    lines: Iterable[tuple[str, str]],
    colours: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Print texts beside their labels, each folded in its column; an empty label adds a line."""
    listed = list(lines)
    width = max((len(label) for label, _ in listed), default=0)
    for label, text in listed:
        before = Text(f"  {label.ljust(width)}  ", colours.get(label, ""))
        print_folded(console, text, before, " " * len(before))


def print_table(console: Console, table: Table) -> None:
    """Print a table as wide as it may be; in a pipe no line ends in spaces."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as caught:
        console.print(table)
    for line in caught.get().splitlines():
        console.print(line.rstrip(), markup=False, soft_wrap=True)


def name_column() -> Column:
    """Return a column that is never folded: names tell rows apart."""
    return Column("quantity", no_wrap=True)


def print_quantities(
    found: Mapping[str, Quantity], *, quiet: bool = False, verbose: bool = False
) -> None:
    """Print how many quantities there are, and each: ``verbose``, or if alone, explained."""
    from .explained import quantity_explained

    console = console_here()
    explained = [quantity_explained(item) for item in found.values()]
    if len(explained) == 1:
        lines = list(explained[0])
        console.print("\n".join(lines[:1] if quiet else lines), markup=False, soft_wrap=True)
        return
    console.print(f"{len(found)} quantities")
    if quiet:
        return
    console.print()
    if verbose:
        for lines_of_one in explained:
            console.print("\n".join([*lines_of_one, ""]), markup=False, soft_wrap=True)
        return
    for name, item in found.items():
        given = ", ".join(item.parameters)
        print_folded(console, f"{name}({given})  safe side: {item.safe.value}", "", "    ")
        print_folded(console, item.summary, "  ", "  ")


def print_audit(audit: Audit, *, quiet: bool = False, verbose: bool = False) -> None:
    """Print the verdict on a claim, why, and what would do; then what it rests on, and its limits.

    ``quiet`` is the verdict's line alone; ``verbose`` all rows, and both ends of every number.
    """
    console = console_here()
    print_decided(console, audit, quiet=quiet)
    if quiet:
        return
    if audit.would_do:
        console.print("\nAny one of these would do:", markup=False)
        print_labelled(console, would_do(audit))
    print_grounds(console, audit, verbose=verbose)
    print_sentences(console, "Not claimed:", audit.non_claims)


def print_grounds(console: Console, audit: Audit, *, verbose: bool = False) -> None:
    """Print what a verdict on a claim rests on: the hypotheses, and the numbers."""
    if audit.hypotheses:
        console.print("\nHypotheses:", markup=False)
        _print_hypotheses(console, audit.hypotheses)
    if audit.vacuity:  # then there is no number, and line 2 says why
        return
    console.print("\nNumbers:", markup=False)
    print_labelled(console, facts_of(audit))
    if verbose:
        print_labelled(console, ends_of(audit))
    rows = audit.worst.parts.rows
    _print_worst_rows(console, rows, len(rows) if verbose else _MOST_ROWS)


def print_decided(console: Console, audit: Audit, *, quiet: bool = False) -> None:
    """Print the verdict on a claim, and unless ``quiet`` why it has it and what it gives away."""
    print_verdict(
        console,
        audit.verdict,
        audit_said(audit),
        assumptions=len(audit.assumptions),
        quiet=quiet,
    )
    if quiet:
        return
    print_folded(console, f"because: {because(audit)}")
    if given := given_away(audit):
        print_folded(console, f"given away: {given}")


def _print_hypotheses(console: Console, findings: Sequence[Finding]) -> None:
    """Print each hypothesis with its status and source, those that fail first."""
    lines: list[tuple[str, str]] = []
    for finding in fails_first(findings):
        lines.append((finding.status, f"{finding.statement}  ({finding.source})"))
        if finding.note:
            lines.append(("", finding.note))
    print_labelled(console, lines, _STATUS_COLOURS)


def _print_worst_rows(console: Console, rows: Sequence[RowLosses], most: int) -> None:
    """Print the rows that lose most, where a release has rows; JSON has all of them."""
    worst = worst_rows(rows, most)
    if worst is None:
        return
    table = Table(*worst.columns, box=None)
    for label, *cells in worst.lines:
        table.add_row(Text(label), *cells)
    console.print(f"\n{worst.title}", markup=False)
    print_table(console, table)


def print_sentences(console: Console, title: str, sentences: Sequence[str]) -> None:
    """Print a title and a list of sentences under it."""
    console.print(f"\n{title}", markup=False)
    for sentence in sentences:
        print_folded(console, sentence, "  - ", "    ")


@contextmanager
def working(label: str) -> Iterator[None]:
    """Show ``label`` and a spinner on a terminal's standard error; silent elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(escape(str(visible(label)))):
        yield


class Advance(Protocol):
    """Says how much is done, of how much, and by its name what is worked on next."""

    def __call__(self, done: int, total: int, name: str = "") -> None:
        """Say it; the first time this says from where on the pace is taken."""


@dataclass
class _Pace:
    """How far long work is, and how long the rest takes at the pace since it began.

    What was done when it began, by an earlier run, is no part of the pace.
    """

    label: str
    unit: str
    name: str = ""
    done: int = 0
    total: int | None = None
    _before: int = 0
    _start: float = 0.0

    def advance(self, done: int, total: int, name: str = "") -> None:
        """See how much is done, of how much, and what is next."""
        if self.total is None:
            self._before, self._start = done, monotonic()
        self.done, self.total, self.name = done, total, name

    @property
    def named(self) -> str:
        """What is done, and to what."""
        return f"{self.label} {self.name}".rstrip()

    @property
    def left(self) -> str:
        """How long the rest takes, if that can be said: parts may take longer than those so far."""
        fresh = self.done - self._before
        if self.total is None or fresh <= 0:
            return "no pace yet"
        seconds = (monotonic() - self._start) / fresh * (self.total - self.done)
        return f"about {_time_said(seconds)} left at this pace"

    def said(self) -> str:
        """Return all of it as a line."""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.named}: {self.done} of {self.total}{unit}, {self.left}"


def _time_said(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


class _Left(ProgressColumn):
    """How long the rest takes, as its pace says."""

    max_refresh = 1.0

    def __init__(self, pace: _Pace) -> None:
        super().__init__(table_column=Column(no_wrap=True))
        self._pace = pace

    def render(self, task: Task) -> Text:
        """Return it for the bar."""
        del task
        return Text(self._pace.left)


@contextmanager
def _lines(pace: _Pace, console: Console) -> Iterator[Advance]:
    """Write a line every so many seconds, however long a single step takes.

    A thread of its own only looks and writes.
    """
    is_over = threading.Event()

    def write() -> None:
        with suppress(OSError, ValueError):  # nobody reads any more
            while not is_over.wait(_SECONDS_A_LINE):
                if pace.total is not None:
                    console.print(pace.said(), markup=False, highlight=False, soft_wrap=True)

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    try:
        yield pace.advance
    finally:
        is_over.set()
        writing.join()


@contextmanager
def progress(label: str, unit: str = "") -> Iterator[Advance]:
    """Yield a callback that moves a bar on a terminal's standard error.

    Elsewhere a line is written there now and then. Either says what is worked on.
    """
    console, pace = Console(stderr=True), _Pace(label, unit)
    if not console.is_terminal:
        with _lines(pace, console) as advance:
            yield advance
        return
    # All of it is one line: the name has the room that the rest leaves, and is cut there.
    room = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    name = TextColumn("{task.description}", markup=False, table_column=room)
    counted = MofNCompleteColumn(table_column=Column(no_wrap=True))
    columns = name, BarColumn(_BAR_WIDTH), counted, _Left(pace)
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task(label, total=None)

        def move(done: int, total: int, name: str = "") -> None:
            pace.advance(done, total, name)
            bar.update(task, completed=done, total=total, description=pace.named)

        yield move
