"""Read a CSV file of private data, hostile until checked; no sentence holds anything out of it.

Every line is one record with as many fields as the header, so record i stands in line i + 2. The
header's names are not quoted either: where a header was forgotten, they are the first record.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....reference.errors import InputError
from ....reference.exact import MAX_DIGITS, shown
from .text import text_of

# A field takes some hundred bytes of memory: with these limits a table stays below a gigabyte.
MAX_FIELDS = 8_000_000
MAX_LINES = 4_000_000
MAX_COLUMNS = 100_000
# A number has at most MAX_DIGITS digits; the rest is for signs and points.
MAX_FIELD = MAX_DIGITS + 100
# Names are published with every release; a state's label has at most 100 characters, too.
MAX_NAME = 100
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
    require_names(header[corner:], f"{where}, line 1")
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


def _fields(reader: Any, width: int, where: str) -> list[str]:
    most = min(MAX_LINES, MAX_FIELDS // width)
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


def require_names(names: Sequence[str], place: str) -> None:
    """Raise InputError unless names are different, printable, and neither empty nor too long."""
    if not all(name and name.isprintable() and len(name) <= MAX_NAME for name in names):
        raise InputError(f"{place}: a name is empty, not printable or longer than {MAX_NAME} "
                         "characters")  # fmt: skip
    if len(set(names)) != len(names):
        raise InputError(f"{place}: two names are the same")
