"""What an experiment gives back: tables, plots, findings against the paper, what was skipped."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A cell without a value says why in the table's note, or that something does not apply.
Cell: TypeAlias = str | int | float | None


class Verdict(Enum):
    """How what came out compares with what the paper prints."""

    AS_PRINTED = "as printed"  # the printed number, or the printed statement, comes out
    IN_SHAPE = "in shape"  # orders and trends come out, the numbers are not comparable
    NOT_AS_PRINTED = "not as printed"


@dataclass(frozen=True)
class Table:
    """A table of numbers; its name is that of its CSV file, and nowhere twice in an experiment."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.name}: a row has not as many cells as there are columns")
        cells = (cell for row in self.rows for cell in row)
        if not all(isfinite(cell) for cell in cells if isinstance(cell, float)):
            raise ValueError(f"table {self.name}: a number is not finite; None says 'no value'")


@dataclass(frozen=True)
class Finding:
    """What the paper prints, in our words and with its place, beside what came out."""

    printed: str
    found: str
    verdict: Verdict
    why: str


@dataclass(frozen=True)
class Plot:
    """A figure that is not saved yet; its name is that of its file."""

    name: str
    title: str
    figure: Figure


@dataclass(frozen=True)
class Outcome:
    """All that an experiment has to say."""

    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    findings: tuple[Finding, ...] = ()
    # Parts that were not run, each a sentence with the reason.
    skipped: tuple[str, ...] = ()
    # What a reader has to know: which data, which sizes, which engine.
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for kind, names in (
            ("tables", [one.name for one in self.tables]),
            ("plots", [one.name for one in self.plots]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"two {kind} have one name: {', '.join(names)}")


# An experiment yields now and then the share of it that is done, from 0 to 1.
Running: TypeAlias = Generator[float, None, Outcome]
