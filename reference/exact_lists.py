"""Exact lists and tables: read number by number, sizes bounded, errors that name the place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

import gmpy2

from .errors import InputError
from .exact import MAX_BITS, exact_number, parse_json, shown

Row: TypeAlias = tuple[Fraction | int, ...]
Reader: TypeAlias = Callable[[object, str], Fraction | int]


def exact_vector(value: object, name: str, most: int) -> tuple[Fraction, ...]:
    """Return a list of numbers, or its JSON text such as ``["1/2", 1]``, as exact numbers.

    Raises InputError for what is no list, is empty, or has more than ``most`` entries.
    """
    items = _items(_from_text(value, name), name, most, 'numbers such as ["1/2", 1]')
    return tuple(exact_number(item, f"{name}, entry {at}") for at, item in enumerate(items, 1))


def exact_rows(
    value: object, name: str, columns: Mapping[str, Reader], most: int
) -> tuple[Row, ...]:
    """Return a list of rows, or its JSON text such as ``[["1/2", 3]]``, as exact numbers.

    A row has one number a column, read as its column says. Raises InputError, which names the row
    and the column, for anything else, for no row at all, and for more than ``most`` rows.
    """
    shape = f"rows [{', '.join(columns)}]"
    items = _items(_from_text(value, name), name, most, shape)
    return tuple(_row(item, f"{name}, row {at}", columns) for at, item in enumerate(items, 1))


def exact_sum(numbers: Iterable[Fraction | int], name: str) -> Fraction:
    """Return the exact sum. Raises InputError where it is unreasonably large to hold.

    Fractions of many digits and no common divisor would give a sum of as many digits as all of
    them together, and take hours.
    """
    total = gmpy2.mpq(0)
    for number in numbers:
        total += gmpy2.mpq(number)
        if max(total.numerator.bit_length(), total.denominator.bit_length()) > MAX_BITS:
            raise InputError(f"{name}: the sum of the entries has too many digits to be formed")
    return Fraction(int(total.numerator), int(total.denominator))


def _from_text(value: object, name: str) -> object:
    if isinstance(value, str) and value.lstrip().startswith("["):
        return parse_json(value, name)
    return value


def _items(value: object, name: str, most: int, what: str) -> list[object] | tuple[object, ...]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple) and not value:
        raise InputError(f"{name}: the list is empty; it holds {what}")
    if not isinstance(value, list | tuple):
        raise InputError(f"{name}: {shown(value)} is not a list of {what}")
    if len(value) > most:
        items = what.partition(" ")[0]
        raise InputError(f"{name}: a list of {len(value)} {items} is longer than {most}")
    return value


def _row(value: object, name: str, columns: Mapping[str, Reader]) -> Row:
    items = _items(value, name, len(columns), f"numbers [{', '.join(columns)}]")
    if len(items) < len(columns):
        raise InputError(f"{name}: {shown(value)} lacks {', '.join([*columns][len(items) :])}")
    pairs = zip(columns.items(), items, strict=True)
    return tuple(read(item, f"{name}, {column}") for (column, read), item in pairs)
