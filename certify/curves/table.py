"""A curve: proved points in columns, as CSV, as JSON, on a screen, or in a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...reference.display import table_in_html
from ...reference.enclosure import Enclosure
from ...reference.exact import exact_text
from ...reference.grids import nearest_float
from ..files import require_writable, write_whole
from ..marks import CURVE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

VERDICT: Final = "verdict"
# A number that has a decimal of so many figures is written as that, else as a fraction.
_DECIMAL_FIGURES: Final = 30
# What fits a screen: figures of a number, rows of a table.
_FIGURES_SHOWN, _ROWS_SHOWN = 10, 40


class Kind(Enum):
    """Whether the numbers of a column are exact, lower ends, or upper ends; or it has words."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    WORD = "word"


@dataclass(frozen=True)
class Column:
    """A column: exact numbers, enclosures of which one end is told, or words; None is nothing.

    A parameter that is the same everywhere is ``fixed``, and no column on a screen.
    """

    name: str
    kind: Kind
    cells: tuple[Any, ...]
    fixed: bool = False

    def texts(self, digits: int) -> list[str | None]:
        """Return the cells as text, lower ends rounded down and upper ends up."""
        return [None if cell is None else self._text(cell, digits) for cell in self.cells]

    def shown(self) -> list[str]:
        """Return the cells in a few figures, for a screen."""
        return [self._shown(cell) for cell in self.cells]

    def numbers(self) -> list[float | int | str]:
        """Return lower ends as doubles rounded down, upper ends up, exact numbers as the nearest.

        Where there is no number it is NaN.
        """
        return [float("nan") if cell is None else self._number(cell) for cell in self.cells]

    def _text(self, cell: Any, digits: int) -> str:
        if self.kind is Kind.WORD:
            return str(cell)
        if self.kind is Kind.EXACT:
            low, high = Enclosure.of(Fraction(cell)).decimals(_DECIMAL_FIGURES)
            return low if low == high else exact_text(cell)
        lower, upper = cell.decimals(digits)
        return str(lower if self.kind is Kind.LOWER else upper)

    def _shown(self, cell: Any) -> str:
        if cell is None:
            return "-"
        if self.kind is not Kind.EXACT:
            return self._text(cell, _FIGURES_SHOWN - 2)
        low, high = Enclosure.of(Fraction(cell)).decimals(_FIGURES_SHOWN - 2)
        return low if low == high else f"{low}..."

    def _number(self, cell: Any) -> float | int | str:
        if self.kind is Kind.WORD:
            return str(cell)
        if self.kind is Kind.EXACT:
            return nearest_float(cell)
        return float(cell.lower_float if self.kind is Kind.LOWER else cell.upper_float)


@dataclass(frozen=True)
class Line:
    """A line of a picture, from column to column, at the rows that it goes through."""

    label: str
    up: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Curve:
    """A quantity, or what the release of a claim loses, over a grid: each point is proved.

    ``columns()`` is a table for NumPy and pandas, ``plot()`` draws it, ``write_csv(path)`` and
    ``write_plot(path)`` write files, ``as_json()`` gives it to programs. ``title`` says what it is
    of, ``subject`` the same for programs; ``varied`` names the parameters that vary, of which the
    first is drawn to the right, and ``height`` what is drawn upward.
    """

    title: str
    subject: Mapping[str, object]
    varied: tuple[str, ...]
    height: str
    digits: int
    table: tuple[Column, ...]
    lines: tuple[Line, ...]
    # A point that stands alone in the picture, such as what was claimed: its label and place.
    mark: tuple[str, Fraction, Fraction] | None = None

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Of each point, ``certified`` where it is as narrow as was asked, else ``undecided``.

        Of a claim's points, which are numbers and no verdict on the claim, ``proved``.
        """
        return self.column(VERDICT).cells

    @property
    def verdict(self) -> str:
        """``certified`` where every point is, else ``undecided``."""
        return "undecided" if "undecided" in self.verdicts else "certified"

    def column(self, name: str) -> Column:
        """Return the column of a name."""
        return next(column for column in self.table if column.name == name)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return arrays by name, a row for each point, as ``pandas.DataFrame(...)`` takes them.

        Lower ends are doubles rounded down, upper ends are rounded up, parameters are the nearest
        doubles, or integers; NaN stands where there is no number.
        """
        import numpy as np

        return {column.name: np.array(column.numbers()) for column in self.table}

    def as_json(self) -> dict[str, object]:
        """Return the curve in its published shape: no real number is a JSON float."""
        return {
            "schema_version": 1,
            **self.subject,
            "varied": list(self.varied),
            "verdict": self.verdict,
            "points": [dict(zip(self._header, row, strict=True)) for row in self._rows()],
        }

    def csv(self) -> str:
        """Return the curve as CSV with a header line; where there is no number a field is empty."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self._header)
        writer.writerows(self._rows())
        return stream.getvalue()

    def write_csv(self, path: str | Path) -> None:
        """Write the curve as CSV, whole or not at all.

        Raises InputError also where there is a file that is neither empty nor such a curve.
        """
        require_writable(Path(path), CURVE)
        write_whole(Path(path), self.csv().encode(), CURVE)

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the curve on matplotlib axes, or on new ones, and return them.

        Raises InputError where matplotlib is missing, and for more lines than can be told apart.
        """
        from .drawing import plotted

        return plotted(self, axes)

    def write_plot(self, path: str | Path) -> None:
        """Write the picture of the curve; the name ends in .svg, .pdf or .png.

        Raises InputError also where there is a file that is neither empty nor such a picture.
        """
        from ..pictures import mark_of
        from .drawing import picture_of

        mark = mark_of(path)
        require_writable(Path(path), mark)
        write_whole(Path(path), picture_of(self, path), mark)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __repr__(self) -> str:
        undecided = self.verdicts.count("undecided")
        said = f"{self.title}; {self.height} at {len(self)} points"
        return f"{said} ({undecided} undecided)" if undecided else said

    def _repr_html_(self) -> str:
        rows = list(self.shown_rows())
        return table_in_html(repr(self), ((row[0], "  ".join(row[1:])) for row in rows))

    def shown_rows(self, *, every: bool = False) -> Iterator[Sequence[str]]:
        """Yield rows for a screen, the header first; of many the first and last, unless every."""
        told = self.verdict == "undecided"
        columns = [c for c in self.table if not c.fixed and (told or c.name != VERDICT)]
        yield [column.name for column in columns]
        rows = list(zip(*(column.shown() for column in columns), strict=True))
        if every or len(rows) <= _ROWS_SHOWN:
            yield from rows
            return
        yield from rows[: _ROWS_SHOWN // 2]
        yield ["..."] * len(columns)
        yield from rows[-_ROWS_SHOWN // 2 :]

    @property
    def _header(self) -> list[str]:
        return [column.name for column in self.table]

    def _rows(self) -> Iterator[tuple[str | None, ...]]:
        yield from zip(*(column.texts(self.digits) for column in self.table), strict=True)
