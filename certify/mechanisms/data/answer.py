"""Read one exact number that a private file gives: an answer, or the number of a data set."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from ....reference.errors import InputError
from ....reference.exact import exact_number, parse_json
from .quiet import told
from .table import FIRST_LINE, read_table
from .text import text_of

ANSWER, DATASET = "answer", "dataset"
_HOW = f'it holds "{ANSWER}", the exact answer, or "{DATASET}", the number of the data set from 1'


def number_in(file: Path) -> tuple[str, Fraction]:
    """Return which of the two a file gives, and the number. Raises InputError without it.

    The file is JSON, one object with one key, if its name says so, else CSV: a header of one name
    and one line.
    """
    return _in_json(file) if file.suffix.lower() == ".json" else _in_csv(file)


def _in_json(file: Path) -> tuple[str, Fraction]:
    text = text_of(file)
    found = told(lambda: parse_json(text, str(file)), f"{file} is not JSON with exact numbers")
    if not isinstance(found, dict) or len(found) != 1 or not found.keys() <= {ANSWER, DATASET}:
        raise InputError(f"{file} is not an object with one key: {_HOW}")
    (key, value), *_ = found.items()
    return key, told(lambda: exact_number(value), f"{file}: {key} is not an exact number")


def _in_csv(file: Path) -> tuple[str, Fraction]:
    table = read_table(file)
    key = table.header[0]
    if len(table.header) != 1 or key not in {ANSWER, DATASET}:
        raise InputError(f"{file}: the header in line 1 is not one name: {_HOW}")
    fields = table.column(key)
    if len(fields) != 1:
        raise InputError(f"{file} does not have exactly one line under its header")
    return key, told(
        lambda: exact_number(fields[0]),
        f"{file}, line {FIRST_LINE}: {key} is not an exact number",
    )
