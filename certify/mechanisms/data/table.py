"""Read the tables of private data: records, counts, transitions, matrices, vectors.

Files are hostile until checked, and no sentence holds anything out of them. Every line is one
record with as many fields as the header, so record i stands in line i + 2. The header's names are
not quoted either: where a header was forgotten, they are the first record. Which states there are
is public; rows, columns and vectors may stand in any order, which is not shown: a file that was
sorted would tell the ranks.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from ....reference.errors import DomainError, InputError
from ....reference.exact import MAX_DIGITS, parse_json, shown
from .fields import Room, exact_fields, exact_or_none, text_of, told, whole_fields

# A field takes some hundred bytes of memory: with these limits a table stays below a gigabyte.
MAX_FIELDS = 8_000_000
MAX_LINES = 4_000_000
MAX_COLUMNS = 100_000
# A number has at most MAX_DIGITS digits; the rest is for signs and points.
MAX_FIELD = MAX_DIGITS + 100
# Names are published with every release; a state's label has at most 100 characters, too.
_MAX_NAME = 100
FIRST_LINE = 2  # the header is line 1

QUOTE, _SPACE = '"', " "


@dataclass(frozen=True, repr=False)
class Table:
    """Records under a header; ``where`` is what the file is called.

    The fields of all records stand one after the other, which is quick to read a column off.
    """

    where: str
    header: tuple[str, ...]
    fields: Sequence[str]

    @property
    def size(self) -> int:
        """How many records there are."""
        return len(self.fields) // len(self.header)

    def place(self, record: int) -> str:
        """Return where a record stands, as a sentence begins; records are numbered from 0."""
        return f"{self.where}, line {record + FIRST_LINE}"

    def record(self, number: int) -> Sequence[str]:
        """Return the fields of one record, in the order of the header; some may be empty."""
        width = len(self.header)
        return self.fields[number * width : (number + 1) * width]

    def column(self, name: str) -> list[str]:
        """Return one column's fields, none of them empty nor too long. Raises InputError.

        The name is public: it stands in a claim file, or in what a format asks for.
        """
        if name not in self.header:
            raise InputError(f"{self.where}: the header in line 1 has no column {shown(name)}")
        return self.column_at(self.header.index(name), shown(name))

    def column_at(self, position: int, called: str) -> list[str]:
        """Return the fields of the column in a position, from 0. Raises InputError."""
        found = list(self.fields[position :: len(self.header)])
        if "" in found:
            raise InputError(f"{self.place(found.index(''))}: column {called} is empty; a missing "
                             "value is not read")  # fmt: skip
        if max(map(len, found), default=0) > MAX_FIELD:
            raise InputError(f"{self.where}: column {called} has a field of more than {MAX_FIELD} "
                             "characters; it is not read")  # fmt: skip
        return found

    def numbered(self, name: str, known: Sequence[str]) -> list[int]:
        """Return which of the known labels, from 0, each record holds in a column.

        Raises InputError, with the line, for a label that is not known.
        """
        numbers = {label: at for at, label in enumerate(known)}
        found: list[Any] = [numbers.get(label) for label in self.column(name)]
        if None in found:
            raise InputError(f"{self.place(found.index(None))}: column {shown(name)} holds a label "
                             "that the claim file does not list")  # fmt: skip
        return found


def read_table(path: str | Path, *, corner: bool = False, least: int = 1) -> Table:
    """Return the header and the records of a CSV file. Raises InputError with the line.

    With a ``corner`` the first name of the header may be empty: that of a column of row labels.
    ``least`` is 0 where there may be no records at all.
    """
    where, text = str(path), text_of(path)
    header, fields = _read(text, where)
    _require_names(header[corner:], f"{where}, line 1")
    if least and not fields:
        raise InputError(f"{where} has a header and no records")
    return Table(where, tuple(header), fields)


def _read(text: str, where: str) -> tuple[list[str], list[str]]:
    """Return the header and the fields of all records."""
    reader: Any = csv.reader(io.StringIO(text, newline=""), strict=True)
    with suppress(csv.Error):
        header: list[str] = next(reader, [])
        _require_width(header, where)
        fields = _fields(reader, len(header), where)
        return _plain(header, text, where), _plain(fields, text, where)
    # Only now, so that the error that was met is no context of this one.
    raise InputError(f"{where}, line {reader.line_num}: not CSV: a quotation mark is left open or "
                     "out of place, or a field is too long")  # fmt: skip


def most_lines(width: int) -> int:
    """Return the number of the last line of so many columns that is read; the header is one."""
    return min(MAX_LINES, MAX_FIELDS // width)


def require_lines(records: int, width: int, where: str) -> None:
    """Raise DomainError where no file of so many columns, or of more, holds so many records."""
    most = most_lines(width) - FIRST_LINE + 1
    if records > most:
        raise DomainError(
            f"{where}: {shown(records)} records are more than a data file holds, {most} at most"
        )


def _fields(reader: Any, width: int, where: str) -> list[str]:
    most = most_lines(width)
    fields: list[str] = []
    for line, cells in enumerate(reader, FIRST_LINE):
        if len(cells) != width or reader.line_num != line:
            raise InputError(f"{where}, line {line}: {_misfit(len(cells), width)}")
        if line > most:
            raise InputError(f"{where}: more than {most} lines of {width} columns are not read")
        fields += cells
    return fields


def _misfit(cells: int, width: int) -> str:
    if not cells:
        return "a blank line; a missing value is not read"
    if cells != width:
        return "the line has more or fewer fields than the header"
    return "a field goes on in the next line; a record is one line"


def _plain(fields: list[str], text: str, where: str) -> list[str]:
    """Return the fields without spaces around them. Raises InputError for a stray quote."""
    if QUOTE in text and any(QUOTE in field for field in fields):
        raise InputError(f"{where}: a quotation mark stands inside a field; such a file is not "
                         "read")  # fmt: skip
    return [field.strip(_SPACE) for field in fields] if _SPACE in text else fields


def _require_width(header: list[str], where: str) -> None:
    if not header:
        raise InputError(f"{where} has no header in its first line")
    if len(header) > MAX_COLUMNS:
        raise InputError(f"{where}: more than {MAX_COLUMNS} columns are not read")


def _require_names(names: Sequence[str], place: str) -> None:
    """Raise InputError unless names are different, printable, and neither empty nor too long."""
    if not all(name and name.isprintable() and len(name) <= _MAX_NAME for name in names):
        raise InputError(f"{place}: a name is empty, not printable or longer than {_MAX_NAME} "
                         "characters")  # fmt: skip
    if len(set(names)) != len(names):
        raise InputError(f"{place}: two names are the same")


_CATEGORY, _COUNT = "category", "count"


def counts_of_records(path: Path, column: str, categories: Sequence[str]) -> list[int]:
    """Return how many records of a CSV column are of each category. Raises InputError.

    No records are data, too, where one may be removed: refused, they would be told from one record.
    """
    counts = [0] * len(categories)
    for category in read_table(path, least=0).numbered(column, categories):
        counts[category] += 1
    return counts


def given_counts(path: Path, categories: Sequence[str]) -> list[int]:
    """Return the counts that a CSV file has, a line for each category. Raises InputError."""
    table = read_table(path)
    if table.header != (_CATEGORY, _COUNT):
        raise InputError(f"{path}: the header in line 1 is not {_CATEGORY},{_COUNT}; for a file of "
                         "records give [data] column")  # fmt: skip
    numbers = table.numbered(_CATEGORY, categories)
    _require_different(numbers, table, "a category has one line")
    if len(numbers) != len(categories):
        raise InputError(f"{path} does not have a line for each of the categories that the claim "
                         "file lists; write a count of 0 where there is none")  # fmt: skip
    counts = _whole_column(table, _COUNT)
    return [counts[numbers.index(at)] for at in range(len(categories))]


def _whole_column(table: Table, name: str) -> list[int]:
    """Return the counts in a column. Raises InputError with the line."""
    return whole_fields(table.column(name), lambda record: f"{table.place(record)}: column {name}")


def _require_different(keys: Sequence[object], table: Table, rule: str) -> None:
    """Raise InputError with the line of the first key that stood before."""
    seen: set[object] = set()
    for record, key in enumerate(keys):
        if key in seen:
            raise InputError(f"{table.place(record)}: {rule}, and this one stood before")
        seen.add(key)


SOURCE, TARGET = "from", "to"

Number = TypeVar("Number")
# What reads the fields of a file: it raises InputError with the place where a field is none.
Fields = Callable[[Sequence[str], Callable[[int], str]], list[Number]]


def is_sparse(table: Table, what: str) -> bool:
    """Whether a table has a line for each pair: from, to, and what is between them."""
    return table.header == (SOURCE, TARGET, what)


def sparse(
    table: Table, what: str, states: Sequence[str], read: Fields[Number], nothing: Number
) -> list[list[Number]]:
    """Return numbers by source and target, ``nothing`` where no line is. Raises InputError."""
    sources, targets = (table.numbered(key, states) for key in (SOURCE, TARGET))
    pairs = list(zip(sources, targets, strict=True))
    _require_different(pairs, table, "a pair of states has one line")
    numbers = read(table.column(what), lambda record: f"{table.place(record)}: column {what}")
    found = [[nothing] * len(states) for _ in states]
    for (source, target), number in zip(pairs, numbers, strict=True):
        found[source][target] = number
    return found


def square(table: Table, states: Sequence[str], read: Fields[Number]) -> list[list[Number]]:
    """Return numbers by source and target, of a table whose first column has the sources.

    The table was read with a corner. Raises InputError.
    """
    columns = _columns(table, states)
    rows = _rows(table, states)
    return [_row(table, record, columns, read) for record in rows]


def _columns(table: Table, states: Sequence[str]) -> list[int]:
    """Return in which column each state stands."""
    labels = table.header[1:]
    if sorted(labels) != sorted(states):
        raise InputError(f"{table.where}: the header in line 1 does not have, after its first "
                         "field, exactly the states that the claim file lists")  # fmt: skip
    return [labels.index(state) + 1 for state in states]


def _rows(table: Table, states: Sequence[str]) -> list[int]:
    """Return in which record each state stands."""
    labels = table.column_at(0, "1")
    if sorted(labels) != sorted(states):
        raise InputError(f"{table.where}: the first column does not have, from line {FIRST_LINE} "
                         "on, exactly the states that the claim file lists")  # fmt: skip
    return [labels.index(state) for state in states]


def _row(table: Table, record: int, columns: Sequence[int], read: Fields[Number]) -> list[Number]:
    fields = table.record(record)
    return read(
        [fields[at] for at in columns],
        lambda place: f"{table.place(record)}: column {columns[place] + 1}",
    )


Counts = list[list[int]]


def counts_of_transitions(
    path: Path, columns: tuple[str, str], states: Sequence[str], kept: int
) -> Counts:
    """Return how many records go from each state to each, one record a line. Raises InputError.

    The first ``kept`` states are those that are told of; a record from or to another is left out.
    """
    table = read_table(path)
    sources, targets = (table.numbered(column, states) for column in columns)
    seen = Counter(zip(sources, targets, strict=True))
    return [[seen[source, target] for target in range(kept)] for source in range(kept)]


def given_transitions(path: Path, states: Sequence[str], kept: int) -> Counts:
    """Return the counts of a file, square or with the header from,to,count. Raises InputError."""
    table = read_table(path, corner=True)
    if is_sparse(table, _COUNT):
        found = sparse(table, _COUNT, states, whole_fields, 0)
    else:
        found = square(table, states, whole_fields)
    return [row[:kept] for row in found[:kept]]


_JSON_NAME = ".json"
# So many names with a number of a few hundred digits each; a longer object takes long to read.
_MAX_JSON = 16 * 1024 * 1024


@dataclass(frozen=True, repr=False)
class Vectors:
    """Vectors with their coordinates in the public order, and where each stands in the file."""

    values: Sequence[tuple[Fraction, ...]]
    places: Sequence[str]


def read_vectors(path: Path, names: Sequence[str]) -> Vectors:
    """Return the vectors of a CSV file whose header names the coordinates. Raises InputError."""
    table = read_table(path)
    order = _order(table.header, names, f"{path}: the header in line 1 does")
    room = Room(table.size * len(order))
    columns = [_exact_column(table, at, room) for at in order]
    places = [table.place(record) for record in range(table.size)]
    return Vectors(list(zip(*columns, strict=True)), places)


def _order(found: Sequence[str], names: Sequence[str], what: str) -> list[int]:
    """Return where each of the public names stands in a file."""
    if sorted(found) != sorted(names):
        raise InputError(f"{what} not have exactly the names that the claim file lists")
    at = {name: number for number, name in enumerate(found)}
    return [at[name] for name in names]


def _exact_column(table: Table, at: int, room: Room) -> list[Fraction]:
    # The header may be a record of a file without one, so a column goes by its number.
    called = str(at + 1)
    return exact_fields(
        table.column_at(at, called),
        lambda record: f"{table.place(record)}: column {called}",
        room,
    )


def read_vector(path: Path, names: Sequence[str]) -> Vectors:
    """Return the one vector of a CSV file, or of a JSON object of numbers. Raises InputError."""
    if path.suffix.lower() == _JSON_NAME:
        return _in_json(path, names)
    found = read_vectors(path, names)
    if len(found.values) != 1:
        raise InputError(f"{path} does not have exactly one line under its header, line "
                         f"{FIRST_LINE}: the vector")  # fmt: skip
    return found


def _in_json(path: Path, names: Sequence[str]) -> Vectors:
    text = text_of(path)
    if len(text) > _MAX_JSON:
        raise InputError(f"{path}: JSON of more than {_MAX_JSON} characters is not read")
    how = f"{path} is not a JSON object of exact numbers by different names"
    found: Any = told(lambda: parse_json(text), how)
    if not isinstance(found, dict) or not 0 < len(found) <= MAX_COLUMNS:
        raise InputError(how)
    _require_names(tuple(found), str(path))
    order = _order(tuple(found), names, f"{path} does")
    values = tuple(map(exact_or_none, found.values()))
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) != len(values):
        raise InputError(f"{path}: coordinate {values.index(None) + 1} is not an exact number")
    return Vectors([tuple(numbers[at] for at in order)], [str(path)])


@dataclass(frozen=True)
class Border:
    """The bordered simplex: each coordinate in W at least eta, their sum at most 1 - eta_bar.

    ``protected`` are the numbers of the coordinates in W, from 0; ``source`` is where it is asked.
    """

    eta: Fraction
    eta_bar: Fraction
    protected: tuple[int, ...]
    source: str


def require_bordered(vector: Sequence[Fraction], border: Border, place: str) -> None:
    """Raise DomainError, which tells no coordinate, where a vector is no input of the mechanism."""
    if min(vector) < 0:
        raise DomainError(f"{place}: a coordinate is negative; the input lies on the simplex "
                          f"({border.source})")  # fmt: skip
    if sum(vector) != 1:
        raise DomainError(f"{place}: the coordinates do not sum to exactly 1; the input lies on "
                          f"the simplex ({border.source})")  # fmt: skip
    protected = [vector[at] for at in border.protected]
    if any(value < border.eta for value in protected):
        raise DomainError(f"{place}: a protected coordinate is below eta ({border.source})")
    if sum(protected) > 1 - border.eta_bar:
        raise DomainError(f"{place}: the protected coordinates sum to more than 1 - eta_bar "
                          f"({border.source})")  # fmt: skip
