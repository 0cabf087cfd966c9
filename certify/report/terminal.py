"""Readable summaries: the verdict first, then what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from ...reference.domain import Value
from ...reference.enclosures import entries_of
from ...reference.evaluation import Answer
from ...reference.exact import exact_text, shown
from ...reference.quantity import Quantity
from ..audits.decision import Audit
from ..campaign import Campaign
from ..mechanisms.protocol import RowLosses
from ..verdict import Verdict
from .facts import audit_said, facts_of, said_beside
from .sampled import COLUMNS, sampler_row, sampler_violations
from .violations import violations
from .visible import quoted, visible
from .worst_rows import worst_rows

COLOURS = {
    Verdict.CERTIFIED: "green",
    Verdict.REFUTED: "red",
    Verdict.ERROR: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.INAPPLICABLE: "yellow",
}
# Of a release with many rows so many are shown.
_MOST_ROWS = 5
# A matrix of many states would fill screens; JSON has all of it.
_MOST_OF_PARAMETER = 1_000
_MOST_ENTRIES = 100
# Wide enough that no line of a table in a pipe is folded.
PIPE_WIDTH = 400


def console_here() -> Console:
    """Return a console that shows names as they are: ``:name:`` stands for no picture."""
    console = Console(highlight=False, soft_wrap=False, emoji=False)
    if console.is_terminal:
        return console
    return Console(highlight=False, width=PIPE_WIDTH, emoji=False)


def headline(verdict: Verdict, about: str) -> Table:
    """Return the verdict, and beside it what it is on: names that somebody else chose.

    What is too long for a line goes on under itself, and every mark in it is seen, so that nothing
    in a name can stand where a verdict does, or move the cursor there.
    """
    grid = Table.grid(padding=(0, 2))
    plain = " ".join(str(visible(about)).split())
    grid.add_row(f"[bold {COLOURS[verdict]}]{verdict.value.upper()}[/]", Text(plain))
    return grid


def _names() -> Column:
    """Return a column that is never folded: names are what rows are told apart by."""
    return Column("quantity", no_wrap=True)


def print_quantities(found: Mapping[str, Quantity]) -> None:
    """Print the registry as a table."""
    table = Table(_names(), "parameters", "safe", "what", box=None, pad_edge=False)
    for name, item in found.items():
        table.add_row(name, ", ".join(item.parameters), item.safe.value, item.summary)
    console_here().print(table)


def _cut(text: str) -> str:
    most = _MOST_OF_PARAMETER
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _said(value: Value) -> str:
    """Return a parameter as it is told again: a number shorter than a table."""
    return shown(value) if isinstance(value, Fraction | int) else _cut(exact_text(value))


def print_answer(answer: Answer) -> None:
    """Print an enclosure, with how it was found."""
    console = console_here()
    given = ", ".join(f"{key} = {_said(value)}" for key, value in answer.parameters.items())
    console.print(f"{answer.quantity.name}({given})", markup=False, soft_wrap=True)
    for line in _ends(answer):
        console.print(f"  {line}", markup=False, soft_wrap=True)
    how = "proved" if answer.rigorous else "estimated, not proved"
    way = f", route: {answer.route}" if answer.route else ""
    narrow = "" if answer.narrow else "; UNDECIDED: the budget was spent before it was narrow"
    console.print(
        f"  {how} at {answer.precision_bits} bits by {answer.engine}{way}; "
        f"safe side: {answer.quantity.safe.value}; source: {answer.quantity.source}{narrow}",
        markup=False,
        soft_wrap=True,
    )


def _ends(answer: Answer) -> Iterator[str]:
    """Yield the ends of a number, or those of an array's entries with their places."""
    entries = list(islice(entries_of(answer.enclosure), _MOST_ENTRIES + 1))
    for place, entry in entries[:_MOST_ENTRIES]:
        before = f"[{','.join(map(str, place))}]  " if place else ""
        lower, upper = entry.decimals(answer.digits)
        yield f"{before}lower  {lower}"
        yield f"{' ' * len(before)}upper  {upper}"
        if entry.exact is not None:
            exact = exact_text(entry.exact)
            yield f"{' ' * len(before)}exact  {_cut(exact) if place else exact}"
    if len(entries) > _MOST_ENTRIES:
        yield f"and more entries than these {_MOST_ENTRIES}; --json has all of them"


def print_headline(console: Console, audit: Audit) -> None:
    """Print the verdict on a claim, and why it is inapplicable, if it is."""
    console.print(headline(audit.verdict, audit_said(audit)))


def print_audit(audit: Audit) -> None:
    """Print the verdict on a claim, the hypotheses, and what was given away."""
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


def print_campaign(campaign: Campaign, out: str | None) -> None:
    """Print what the checks of a backend found."""
    console, backend = console_here(), campaign.loaded.backend
    run = [check for check in campaign.checks if check.cases]
    name = quoted(f"{backend.name} {backend.version}")
    about = f"backend {name}{said_beside(campaign.cases, run, campaign.seed)}"
    console.print(headline(campaign.verdict, about))
    table = Table(
        _names(),
        "check",
        "verdict",
        "cases",
        "worst, ulps",
        "side",
        "second engine",
        box=None,
        pad_edge=False,
    )
    for check in campaign.checks:
        worst = check.worst
        table.add_row(
            check.quantity,
            check.check,
            f"[{COLOURS[check.verdict]}]{check.verdict.value}[/]",
            str(check.cases),
            worst.ulps_text() if worst and worst.side != "none" else "",
            worst.side if worst and worst.side != "none" else "",
            check.second,
        )
    console.print(table)
    for line in violations(campaign.checks):
        console.print(line, markup=False, soft_wrap=True)
    _print_samplers(console, campaign)
    if out:
        console.print(f"certificate written to {out}", markup=False)


def _print_samplers(console: Console, campaign: Campaign) -> None:
    """Print what the draws of samplers came to, where some were tested."""
    if not campaign.samplers:
        return
    table = Table(*COLUMNS, box=None, pad_edge=False)
    for result in campaign.samplers:
        name, at, verdict, *rest = sampler_row(result)
        coloured = f"[{COLOURS[result.verdict]}]{verdict}[/]"
        table.add_row(name, Text(at), coloured, *rest)
    console.print(table)
    for line in sampler_violations(campaign.samplers):
        console.print(line, markup=False, soft_wrap=True)


@contextmanager
def working(label: str) -> Iterator[None]:
    """Say on a terminal's standard error what is being worked on, and turn; silent elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(escape(label)):
        yield


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback that moves a bar on a terminal's standard error; silent elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
