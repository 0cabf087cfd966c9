"""The rows of a release that lose most, as a table: the same for the terminal and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosure
from ...reference.exact import exact_number
from ..mechanisms.protocol import RowLosses
from .facts import PLACES, figures, said_exactly

_NUMBERS = ("N", "n", "eta", "k")
_BOUNDS = ("epsilon_bound", "delta_bound")
_TITLES = {
    "epsilon_bound": "paper's epsilon",
    "delta_bound": "paper's delta",
    "epsilon_at_delta": "epsilon",
    "delta_at_epsilon": "delta",
    "epsilon_at_order": "epsilon",
}


@dataclass(frozen=True)
class WorstRows:
    """The worst of so many rows: a title for each column, and a line for each row, its label first.

    Numbers of a row are exact, losses rounded up.
    """

    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    of: int

    @property
    def title(self) -> str:
        """What the table shows."""
        return f"rows, the worst {len(self.lines)} of {self.of}"


def worst_rows(rows: Sequence[RowLosses], most: int) -> WorstRows | None:
    """Return at most so many rows, that which loses most first; None where a release has none."""
    if not rows:
        return None
    decides = next(key for key in PLACES if key in rows[0].losses)
    keys = [key for key in (*_BOUNDS, *PLACES) if key in rows[0].losses]
    worst = sorted(rows, key=lambda row: _high(row.losses[decides]), reverse=True)
    columns = ("row", *_NUMBERS, *(_TITLES[key] for key in keys))
    return WorstRows(columns, tuple(_line(row, keys) for row in worst[:most]), len(rows))


def _line(row: RowLosses, keys: Sequence[str]) -> tuple[str, ...]:
    numbers = (said_exactly(exact_number(row.numbers[key])) for key in _NUMBERS)
    losses = (figures(value) if (value := row.losses[key]) else "none" for key in keys)
    return row.label, *numbers, *losses


def _high(value: Enclosure | None) -> Dyadic:
    """Return the upper end; below all others for a row without neighbours, which loses nothing."""
    return value.high if value else Dyadic(-1)
