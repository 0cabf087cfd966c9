"""Evaluate a quantity at one point, or over a grid: arrays in, one answer with arrays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

from .display import said_value, table_in_html
from .domain import Interval, Value
from .errors import InputError
from .evaluation import DEFAULT_DIGITS, Answer, answer_exactly, digits_asked
from .exact import shown
from .precision import Budget, BudgetSpentError, seconds_left
from .quantity import Quantity, Shape, quantity_named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Each point's answer is kept, a kilobyte or two.
MAX_POINTS: Final = 100_000
# What is surely one number; with an array, or a list, an answer may have arrays.
Number: TypeAlias = "int | float | str | Fraction | Decimal"
# Doubles hold every whole number up to here.
_WHOLE: Final = 2**53
_ROWS_SHOWN: Final = 10


@dataclass(frozen=True)
class Answers:
    """The answers about a quantity over a grid: in each array one entry for each of its points.

    ``points`` are the answers one by one, in C order, ``shape`` is the grid's. ``varied`` names the
    parameters that were given as arrays.
    """

    quantity: Quantity
    points: tuple[Answer, ...]
    shape: tuple[int, ...]
    varied: tuple[str, ...]

    @property
    def lower(self) -> NDArray[np.object_]:
        """The lower ends, each a Fraction, or a float infinity if it is infinite."""
        return self._array([point.lower for point in self.points])

    @property
    def upper(self) -> NDArray[np.object_]:
        """The upper ends, each a Fraction, or a float infinity if it is infinite."""
        return self._array([point.upper for point in self.points])

    @property
    def lower_float(self) -> NDArray[np.float64]:
        """The lower ends as doubles, rounded down."""
        return self._array([point.lower_float for point in self.points], "float64")

    @property
    def upper_float(self) -> NDArray[np.float64]:
        """The upper ends as doubles, rounded up."""
        return self._array([point.upper_float for point in self.points], "float64")

    @property
    def exact(self) -> NDArray[np.object_]:
        """The numbers themselves as Fractions, None where one is no known rational."""
        return self._array([point.exact for point in self.points])

    @property
    def narrow(self) -> NDArray[np.bool_]:
        """Whether each enclosure is as narrow as was asked; if not, its answer is undecided."""
        return self._array([point.narrow for point in self.points], "bool")

    @property
    def rigorous(self) -> bool:
        """Whether no enclosure rests on an estimate."""
        return all(point.rigorous for point in self.points)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The exact parameters; those that vary as arrays."""
        return {
            name: self._array([point.parameters[name] for point in self.points])
            if name in self.varied
            else value
            for name, value in self.points[0].parameters.items()
        }

    @property
    def verdict(self) -> str:
        """``certified`` where every enclosure is as narrow as was asked, else ``undecided``."""
        return "certified" if all(point.narrow for point in self.points) else "undecided"

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return columns by name, a row for each point, as ``pandas.DataFrame(...)`` takes them.

        The parameters that are numbers, as the nearest doubles, or as integers; ``lower``, a double
        rounded down, ``upper``, a double rounded up; and ``verdict``.
        """
        import numpy as np

        taken = {
            name: np.array([nearest_float(point.parameters[name]) for point in self.points])
            for name, domain in self.quantity.parameters.items()
            if isinstance(domain, Interval)
        }
        return {
            **taken,
            "lower": self.lower_float.ravel(),
            "upper": self.upper_float.ravel(),
            "verdict": np.array([point.verdict for point in self.points]),
        }

    def as_json(self) -> dict[str, object]:
        """Return each point's answer in the published shape: no real number is a JSON float."""
        return {
            "schema_version": 1,
            "quantity": self.quantity.name,
            "shape": list(self.shape),
            "varied": list(self.varied),
            "verdict": self.verdict,
            "points": [point.as_json() for point in self.points],
        }

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.points)

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape))
        first, last = self.points[0], self.points[-1]
        said = f"first {first.enclosure}, last {last.enclosure}"
        undecided = sum(not point.narrow for point in self.points)
        open_points = f" ({undecided} undecided)" if undecided else ""
        return f"{self.call}, {size} points: {said}{open_points}"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [
            (", ".join(f"{name} = {said_value(point.parameters[name])}" for name in self.varied),
             point.enclosure)
            for point in self.points[:_ROWS_SHOWN]
        ]  # fmt: skip
        if len(self.points) > _ROWS_SHOWN:
            rows.append(("...", f"{len(self.points)} points"))
        return table_in_html(self.call, rows)

    @property
    def call(self) -> str:
        """The quantity and its parameters as somebody would write the question."""
        given = ", ".join(
            f"{name}=..." if name in self.varied else f"{name}={said_value(value)}"
            for name, value in self.points[0].parameters.items()
        )
        return f"{self.quantity.name}({given})"

    def _array(self, values: Sequence[object], kind: str = "object") -> NDArray[Any]:
        import numpy as np

        found = np.empty(len(values), dtype=kind)
        found[:] = values
        return found.reshape(self.shape)


def nearest_float(value: Value) -> float | int:
    """Return an integer as it is, where a double holds it, any other number as the nearest double.

    Nothing is proved of it; it is for columns and pictures.
    """
    if isinstance(value, int) and abs(value) <= _WHOLE:
        return value
    if not isinstance(value, int | Fraction):
        raise TypeError("this parameter is no number")
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


@overload
def evaluate(
    name: str,
    parameters: Mapping[str, Number] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
    **named: Number,
) -> Answer: ...


@overload
def evaluate(
    name: str,
    parameters: Mapping[str, object] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
    **named: object,
) -> Answer | Answers: ...


def evaluate(
    name: str,
    parameters: Mapping[str, object] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
    **named: object,
) -> Answer | Answers:
    """Enclose a quantity to ``digits`` significant digits: the truth lies between the two ends.

    ``name`` is a quantity's, ``parameters`` and keywords are its parameters: integers, fractions,
    decimals by their text ("20.6" is 103/5), or floats as the dyadics they are. ``engine`` is
    "arb" (the reference) or "second" (another engine and another formula). ``budget`` limits
    seconds and bits, by default a minute.

    Returns an ``Answer``. Where numbers of the quantity are given as NumPy arrays, pandas Series or
    lists, of one shape after broadcasting, it returns one ``Answers`` for all points, which has
    arrays. A parameter that is a vector or a table itself takes a list for what it is.

    Raises UnknownNameError, InputError or DomainError. A spent budget is no error but an answer
    whose ``narrow`` is False; over a grid it is one budget for all points.
    """
    digits = digits_asked(digits, engine)
    quantity = quantity_named(name)
    given: dict[str, Any] = dict(parameters or {})
    for key, value in named.items():
        if key in given:
            raise InputError(f"the parameter {key} is given twice")
        given[key] = value
    # An array without an axis is a number.
    given = {key: value.item() if _is_single(value) else value for key, value in given.items()}
    varied = {key: value for key, value in given.items() if _is_grid(quantity, key, value)}
    budget = budget or Budget()
    if not varied:
        return answer_exactly(quantity, quantity.read(given), digits, engine, budget)
    if quantity.shape is not Shape.NUMBER:
        raise InputError(
            f"{name} answers with several numbers, and not over a grid; ask point by point"
        )
    shape, rows = _broadcast(varied)
    # All of them are read first: a point that is refused costs no work.
    exact = [quantity.read({**given, **row}) for row in rows]
    points = tuple(_point(quantity, point, digits, engine, budget) for point in exact)
    return Answers(quantity, points, shape, tuple(varied))


def _is_single(value: Any) -> bool:
    return hasattr(value, "__array__") and getattr(value, "shape", None) == ()


def _is_grid(quantity: Quantity, name: str, value: object) -> bool:
    """Whether a parameter that is a number was given as an array of numbers."""
    if not isinstance(quantity.parameters.get(name), Interval):
        return False
    if isinstance(value, str | bytes | Real | Decimal):
        return False
    return isinstance(value, Sequence) or hasattr(value, "__array__")


def _broadcast(
    varied: Mapping[str, object],
) -> tuple[tuple[int, ...], Iterator[dict[str, object]]]:
    """Return the grid's shape, and the values at each point. Raises InputError."""
    import numpy as np

    arrays = {name: _elements(name, value) for name, value in varied.items()}
    said = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        raise InputError(f"these shapes do not go together: {said}") from None
    count = int(np.prod(shape, dtype=object))
    if not 1 <= count <= MAX_POINTS:
        raise InputError(f"{said}: {shown(count)} points; ask for 1 to {MAX_POINTS}")
    flat = [np.broadcast_to(array, shape).ravel().tolist() for array in arrays.values()]
    return shape, (dict(zip(arrays, row, strict=True)) for row in zip(*flat, strict=True))


def _elements(name: str, value: object) -> NDArray[Any]:
    """Return an array whose entries are the very numbers that were given."""
    import numpy as np

    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        raise InputError(f"{name}: entries are masked, and would be read all the same")
    # Of a list NumPy would make one type, and round.
    return np.array(value, dtype=None if isinstance(value, np.ndarray) else object)


def _point(
    quantity: Quantity, exact: Mapping[str, Value], digits: int, engine: str, budget: Budget
) -> Answer:
    """Return the answer at a point; where no time is left, what is known by definition."""
    if not budget.is_over() and seconds_left():
        try:
            return answer_exactly(quantity, exact, digits, engine, budget)
        except BudgetSpentError:
            pass
    return Answer(quantity, exact, quantity.within, False, digits, engine, True, 0)
