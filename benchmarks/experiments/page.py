"""One page in Markdown, made from the results alone: a changed result changes the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .outcome import Cell, Finding, Table, Verdict
from .results import Result

PAGE = "EXPERIMENTS.md"
# Digits of a measured number on the page; the CSV files have all of them.
DIGITS = 4
# Rows of a table on the page; the rest is in its CSV file.
MOST_ROWS = 40


def page(results: Sequence[Result]) -> str:
    """Return the page."""
    return "\n".join(_lines(results)) + "\n"


def _lines(results: Sequence[Result]) -> Iterator[str]:
    yield "# The papers' experiments, run again"
    yield (
        "\nMade from the results by `make experiments`. Drawn in fast floats from seeded"
        " generators: measured, not proved, and no draw here is private."
    )
    if any(result.quick for result in results):
        yield "\n**Some of these are quick runs: small sizes, to see that they run.**"
    yield from _summary(results)
    yield from _not_run(results)
    run = [result for result in results if not result.absent]
    for paper in dict.fromkeys(map(paper_of, run)):
        yield f"\n## {paper}"
        for result in run:
            if paper_of(result) == paper:
                yield from _experiment(result)


def paper_of(result: Result) -> str:
    """Return the paper's name, which is the id's first part."""
    return result.id.partition(".")[0]


def _summary(results: Sequence[Result]) -> Iterator[str]:
    verdicts = [verdict.value for verdict in Verdict]
    yield "\n## What came out\n"
    yield from _rows(["experiment", "in the paper", *verdicts, "seconds", "run"])
    for result in results:
        counts = Counter(finding.verdict.value for finding in result.findings)
        run = "skipped" if result.absent else "quick" if result.quick else "full"
        numbers = [counts[verdict] for verdict in verdicts]
        yield _row([f"`{result.id}`", result.where, *numbers, result.seconds, run])


def _not_run(results: Sequence[Result]) -> Iterator[str]:
    reasons = [(result.id, result.absent) for result in results if result.absent]
    reasons += [(result.id, reason) for result in results for reason in result.skipped]
    yield "\n## What was not run, and why\n"
    yield from (f"- `{name}`: {reason}" for name, reason in reasons)
    if not reasons:
        yield "- nothing"


def _experiment(result: Result) -> Iterator[str]:
    size = "quick run" if result.quick else "full run"
    yield f"\n### {result.title}\n"
    yield f"`{result.id}`, {result.where}; {size}, seed {result.seed}."
    yield from (f"\n{note}" for note in result.notes)
    yield from _findings(result.findings)
    for table in result.tables:
        yield from _table(result.id, table)
    yield from (f"\n![{one.title}]({result.id}/{one.file})" for one in result.images)


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield ""
        yield from _rows(["the paper", "here", "verdict", "why"])
    for one in findings:
        yield _row([one.printed, one.found, f"**{one.verdict.value}**", one.why])


def _table(folder: str, table: Table) -> Iterator[str]:
    yield f"\n{table.title} ([CSV]({folder}/{table.name}.csv)):\n"
    yield from _rows(table.columns)
    yield from map(_row, table.rows[:MOST_ROWS])
    if len(table.rows) > MOST_ROWS:
        yield f"\nThe first {MOST_ROWS} of {len(table.rows)} rows; the CSV file has all."
    if table.note:
        yield f"\n{table.note}"


def _rows(columns: Sequence[str]) -> Iterator[str]:
    yield _row(columns)
    yield "|---" * len(columns) + "|"


def _row(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(map(shown, cells))} |"


def shown(cell: Cell) -> str:
    """Return a cell's text, which cannot end the cell or its row."""
    if cell is None:
        return ""
    text = f"{cell:.{DIGITS}g}" if isinstance(cell, float) else str(cell)
    return text.replace("|", "\\|").replace("\n", " ")
