"""Layout of a model's tables: public sizes, and nothing of the data."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, shown
from ...reference.sampling.draw import MOST_COORDINATES

# Of integers, one row for each vector of a table.
Counts: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

# All cells may be those of one vector, so no more than are drawn at once.
MOST_CELLS = MOST_COORDINATES
# Counts are integers of 64 bits.
MOST_RECORDS = 2**63 - 1
_TWO_DIMENSIONS = 2


class _NoNumberError(InputError, TypeError):
    """The data hold an object that is no number."""


@dataclass(frozen=True)
class Table:
    """``vectors`` vectors of ``categories`` categories each; a record is counted in one cell.

    A ``summed`` table are the sums of another one's vectors, which cost nothing besides it;
    ``weight`` is the number of cells of each sum.
    """

    name: str
    vectors: int
    categories: int
    summed: str | None = None
    weight: int = 1

    @property
    def is_paid(self) -> bool:
        """Whether the table takes a share of the budget."""
        return self.summed is None


@dataclass(frozen=True)
class Layout:
    """All tables of a model."""

    tables: tuple[Table, ...]

    def __post_init__(self) -> None:
        cells = sum(table.vectors * table.categories for table in self.tables)
        if cells > MOST_CELLS:
            raise DomainError(
                f"the tables have {shown(cells)} cells; more than {MOST_CELLS} are not made"
            )

    @property
    def different_records(self) -> int:
        """How many different records there can be, at least: those that some table tells apart."""
        return max(table.vectors * table.categories for table in self.tables)

    @property
    def paid(self) -> int:
        """How many tables share the budget."""
        return sum(table.is_paid for table in self.tables)


def sizes_of(given: Any, count: int, name: str) -> tuple[int, ...]:
    """Return how many categories each of ``count`` variables has; one number serves them all.

    Raises InputError.
    """
    if given is None:
        raise InputError(
            f"{name} has to be given: how many categories each feature has is a public number, and "
            "what is read off the data would not be"
        )
    values = [given] * count if np.ndim(given) == 0 else list(given)
    if len(values) != count:
        raise InputError(f"{name} lists {len(values)} numbers for {count} features")
    sizes = tuple(exact_integer(_plain(value), name) for value in values)
    if min(sizes, default=1) < 1:
        raise DomainError(f"{name} holds {shown(min(sizes))}; a feature has at least one category")
    return sizes


def records_of(given: object) -> int:
    """Return a public number of records. Raises InputError."""
    number = exact_integer(given, "records")
    if not 1 <= number <= MOST_RECORDS:
        raise DomainError(f"records = {shown(number)}; a number of records is from 1 to 2^63 - 1")
    return number


def require_categories(data: Counts, sizes: tuple[int, ...]) -> None:
    """Raise InputError unless column k holds integers from 0 to sizes[k] - 1; no value is shown."""
    for column, size in enumerate(sizes):
        entries = data[:, column]
        if entries.size and not (entries.min() >= 0 and entries.max() < size):
            raise InputError(
                f"feature {column} has categories 0 to {shown(size - 1)} and the data hold another "
                "one. Negative values in data are no categories; others ask for more n_categories"
            )


def array_of(given: Any, sentence: str, dtype: type | None = None) -> Any:
    """Return an array of data. Raises InputError, with this sentence where there is none.

    An error of NumPy's tells sizes or values, so it is left behind before the sentence is raised.
    """
    if isinstance(given, np.ma.MaskedArray):
        raise InputError("the data are masked; fill in what is missing, by filled()")
    with suppress(TypeError, ValueError):
        return np.asarray(given, dtype=dtype)
    raise InputError(sentence)


def table_in(given: Any, columns: int | None) -> Counts:
    """Return lines of whole numbers; no lines have as many ``columns`` as are known beforehand.

    Raises InputError, or NoNumberError. No sentence holds a value, or how many lines there are:
    both may be private. NumPy's and scikit-learn's own sentences do.
    """
    if hasattr(given, "toarray"):
        raise InputError("the data are sparse; hand over an array, by toarray()")
    found = array_of(given, "the data are no table: all lines have one length")
    if found.shape in {(0,), (0, 0)} and columns is not None:
        found = found.reshape(0, columns)
    if found.ndim != _TWO_DIMENSIONS:
        raise InputError(
            "the data are a 2D array, a line a record and a column a feature. Reshape your data"
        )
    if not found.shape[1]:
        # What scikit-learn's checks ask for, but for the number of lines.
        raise InputError("0 feature(s) (shape=(, 0)) while a minimum of 1 is required.")
    return _whole_numbers(found)


def _whole_numbers(given: Any) -> Counts:
    """Return an array of whole numbers as integers. Raises InputError; no value is shown."""
    if given.dtype.kind == "c":
        raise InputError("Complex data not supported: the data have to be whole numbers")
    if given.dtype.kind == "O":
        given = _numbers_of(given)
    if given.dtype.kind not in "iub":
        if given.dtype.kind != "f":
            raise InputError("the data have to be whole numbers, the positions of categories")
        if not np.isfinite(given).all():
            raise InputError("the data hold NaN or inf; they have to be whole numbers")
        if not (given == np.floor(given)).all():
            raise InputError("the data have to be whole numbers, the positions of categories")
        # Halves of 16 bits do not hold MOST_CELLS, and NumPy would warn of data that hold a record.
        if given.size and abs(given.astype(np.result_type(given, np.float64))).max() > MOST_CELLS:
            raise InputError("the data hold a number that is no position of a category")
    found: Counts = given.astype(np.int64)
    return found


def _numbers_of(given: Any) -> Any:
    """Return an array of objects as floats. Raises NoNumberError unless each is a number."""
    try:
        if all(isinstance(one, Real | np.bool_) for one in given.flat):
            return given.astype(np.float64)
    except OverflowError:
        pass
    raise _NoNumberError(
        "an entry of the data is none: each argument must be no string but a number"
    )


def positions_among(known: Any, labels: Any) -> Counts:
    """Return the position of each record's label among all classes, each by itself.

    Raises InputError, without the label: it is of the private data.
    """
    places = {label: place for place, label in enumerate(known.tolist())}
    try:
        positions = [places.get(label, -1) for label in labels.tolist()]
    except TypeError:  # a list is no label
        positions = [-1]
    if min(positions, default=0) < 0:
        raise InputError("y holds a label that is not among the classes")
    return np.array(positions, dtype=np.int64)


def counts_of(vectors: Counts, categories: Counts, table: Table) -> Counts:
    """Return a table's counts: each record adds 1 in its vector, at its category."""
    cells = np.bincount(
        vectors * table.categories + categories, minlength=table.vectors * table.categories
    )
    return cells.astype(np.int64).reshape(table.vectors, table.categories)


def _plain(value: object) -> object:
    """Return a NumPy scalar as the Python number that it is."""
    return value.item() if isinstance(value, np.generic) else value


_CLASS_TABLES = ("own", "summed")
CLASSES = "classes"


def feature_name(index: int) -> str:
    """Return the name of a feature's table."""
    return f"feature {index}"


def bayes_layout(classes: int, sizes: tuple[int, ...], class_table: object) -> Layout:
    """Return the tables. Raises InputError.

    An "own" table of the classes takes a share of the budget. A "summed" one are the sums of the
    vectors of the feature with the fewest categories, which cost nothing besides it.
    """
    if class_table not in _CLASS_TABLES:
        known = f"(known: {', '.join(_CLASS_TABLES)})"
        raise UnknownNameError("class_table", str(class_table), _CLASS_TABLES, known)
    features = [Table(feature_name(k), classes, size) for k, size in enumerate(sizes)]
    smallest = min(features, key=lambda table: table.categories)
    first = (
        Table(CLASSES, 1, classes)
        if class_table == "own"
        else Table(CLASSES, 1, classes, smallest.name, smallest.categories)
    )
    return Layout((first, *features))


def bayes_counts(layout: Layout, data: Counts, labels: Counts) -> dict[str, Counts]:
    """Return the counts of every table, from categories and the classes' positions."""
    first, *features = layout.tables
    counts = {first.name: counts_of(labels * 0, labels, first)}
    for index, table in enumerate(features):
        counts[table.name] = counts_of(labels, data[:, index], table)
    return counts
