"""Summaries for a terminal: the verdict first, then the evidence for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Protocol

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

from ...reference.exact import shown
from ...reference.quantity import Quantity
from ..verdict import Verdict
from .wording import audit_said, facts_of, visible, worst_rows

if TYPE_CHECKING:
    from ..audits.decision import Audit
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
# Wide enough that no line of a table in a pipe is folded.
_PIPE_WIDTH = 400


def console_here() -> Console:
    """Return a console that shows names as they are: ``:name:`` stands for no picture."""
    console = Console(highlight=False, soft_wrap=False, emoji=False)
    if console.is_terminal:
        return console
    return Console(highlight=False, width=_PIPE_WIDTH, emoji=False)


def headline(verdict: Verdict, about: str, slack: Fraction = Fraction(0)) -> Table:
    """Return the verdict, and beside it its subject: names that somebody else chose.

    What is certified with a backend's ``slack`` alone is no plain pass, and says so.

    Text that is too long for a line goes on under itself, and every mark in it is seen, so that
    nothing in a name can stand where a verdict does, or move the cursor there.
    """
    grid = Table.grid(padding=(0, 2))
    plain = " ".join(str(visible(about)).split())
    word = verdict.value.upper()
    if slack and verdict is Verdict.CERTIFIED:
        word = f"{word} WITH SLACK {shown(slack)}"
    grid.add_row(f"[bold {COLOURS[verdict]}]{word}[/]", Text(plain))
    return grid


def name_column() -> Column:
    """Return a column that is never folded: names tell rows apart."""
    return Column("quantity", no_wrap=True)


def print_quantities(found: Mapping[str, Quantity]) -> None:
    """Print the registry as a table."""
    table = Table(name_column(), "parameters", "safe", "what", box=None, pad_edge=False)
    for name, item in found.items():
        table.add_row(name, ", ".join(item.parameters), item.safe.value, item.summary)
    console_here().print(table)


def print_headline(console: Console, audit: Audit) -> None:
    """Print the verdict on a claim, and why it is inapplicable, if it is."""
    console.print(headline(audit.verdict, audit_said(audit)))


def print_audit(audit: Audit) -> None:
    """Print the verdict on a claim, the hypotheses, the numbers, and the slack."""
    console = console_here()
    print_headline(console, audit)
    table = Table("hypothesis", "status", "source", box=None, pad_edge=False)
    for finding in audit.hypotheses:
        table.add_row(Text(finding.statement), finding.status, Text(finding.source))
        if finding.note:
            table.add_row(Text(f"  {finding.note}"), "", "")
    console.print(table)
    console.print()
    facts = Table.grid(padding=(0, 2))
    for label, fact in facts_of(audit):
        facts.add_row(label, Text(fact))
    console.print(facts)
    _print_worst_rows(console, audit.worst.parts.rows)
    print_sentences(console, "Not claimed:", audit.non_claims)


def _print_worst_rows(console: Console, rows: Sequence[RowLosses]) -> None:
    """Print the rows that lose most, where a release has rows; JSON has all of them."""
    worst = worst_rows(rows, _MOST_ROWS)
    if worst is None:
        return
    table = Table(*worst.columns, box=None)
    for label, *cells in worst.lines:
        table.add_row(Text(label), *cells)
    console.print(f"\n{worst.title}", markup=False)
    console.print(table)


def print_sentences(console: Console, title: str, sentences: Sequence[str]) -> None:
    """Print a title and a list of sentences under it."""
    console.print(f"\n{title}", markup=False)
    for sentence in sentences:
        console.print(f"  - {sentence}", markup=False, soft_wrap=True)


@contextmanager
def working(label: str) -> Iterator[None]:
    """Show ``label`` and a spinner on a terminal's standard error; silent elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(escape(label)):
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
        super().__init__()
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
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, _Left(pace), console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)

        def move(done: int, total: int, name: str = "") -> None:
            pace.advance(done, total, name)
            bar.update(task, completed=done, total=total, description=pace.named)

        yield move
