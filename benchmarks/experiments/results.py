"""What is kept of an experiment that was run: JSON to make the page from, CSV tables and plots."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import msgspec
from matplotlib import rc_context

from .outcome import Finding, Outcome, Table

FORMAT = 1
RESULT = "result.json"
# A file beyond this is none of ours: tables are for people to read.
MOST_BYTES = 50_000_000


class BadResultError(Exception):
    """A file of results cannot be read; the message says which and why."""


@dataclass(frozen=True)
class Image:
    """A saved plot; the file's name is relative to the experiment's folder."""

    file: str
    title: str


@dataclass(frozen=True)
class Result:
    """An experiment that was run, or skipped as a whole with ``absent`` as the reason."""

    format: int
    id: str
    where: str
    title: str
    quick: bool
    seed: int
    seconds: float
    tables: tuple[Table, ...] = ()
    images: tuple[Image, ...] = ()
    findings: tuple[Finding, ...] = ()
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    absent: str = ""


def write_result(out: Path, result: Result) -> None:
    """Write the experiment's JSON, in place of what was there, and its tables as CSV."""
    folder = out / result.id
    folder.mkdir(parents=True, exist_ok=True)
    for table in result.tables:
        with (folder / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([table.columns, *table.rows])
    text = msgspec.json.format(msgspec.json.encode(result), indent=1)
    (folder / RESULT).write_bytes(text + b"\n")


def forget_result(out: Path, name: str) -> None:
    """Take an earlier run's result away, so that one which fails leaves none on the page."""
    (out / name / RESULT).unlink(missing_ok=True)


def save_plots(out: Path, name: str, outcome: Outcome) -> tuple[Image, ...]:
    """Write the plots into the experiment's folder; the same plot is the same file."""
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    for plot in outcome.plots:
        # Text stays text, and identifiers depend on nothing but the plot.
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
            plot.figure.savefig(folder / f"{plot.name}.svg", metadata={"Date": None})
    return tuple(Image(f"{plot.name}.svg", plot.title) for plot in outcome.plots)


def read_results(out: Path) -> list[Result]:
    """Read the results of all experiments that have been run, in the order of their ids."""
    return [_read(path) for path in sorted(out.glob(f"*/{RESULT}"))]


def _read(path: Path) -> Result:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadResultError(f"{path} has more than {MOST_BYTES} bytes")
        result = msgspec.json.decode(path.read_bytes(), type=Result)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise BadResultError(f"{path} is no result of an experiment: {error}") from error
    if result.format != FORMAT:
        raise BadResultError(f"{path} has the format {result.format}, not {FORMAT}: run it again")
    return result
