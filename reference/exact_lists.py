"""Exact lists and tables: read number by number, sizes bounded, errors that name the place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias, TypeVar

import gmpy2

from .errors import InputError, UnknownNameError
from .exact import MAX_BITS, MAX_MATRIX_VALUES, exact_integer, exact_number, parse_json, shown

Row: TypeAlias = tuple[Fraction | int, ...]
_Reader: TypeAlias = Callable[[object, str], Fraction | int]
_Item = TypeVar("_Item")

# Shares whose sum is so near 1 were meant to sum to 1, and were rounded.
_ROUNDING = Fraction(1, 10**6)


def exact_vector(value: object, name: str, most: int) -> tuple[Fraction, ...]:
    """Return a list of numbers, or its JSON text such as ``["1/2", 1]``, as exact numbers.

    Raises InputError for what is no list, is empty, or has more than ``most`` entries.
    """
    items = _items(_from_text(value, name), name, most, 'numbers such as ["1/2", 1]')
    return tuple(exact_number(item, f"{name}, entry {at}") for at, item in enumerate(items, 1))


def exact_rows(
    value: object, name: str, columns: Mapping[str, _Reader], most: int
) -> tuple[Row, ...]:
    """Return a list of rows, or its JSON text such as ``[["1/2", 3]]``, as exact numbers.

    A row has one number a column, read as its column says. Raises InputError, which names the row
    and the column, for anything else, for no row at all, and for more than ``most`` rows.
    """
    shape = f"rows [{', '.join(columns)}]"
    items = _items(_from_text(value, name), name, most, shape)
    return tuple(_row(item, f"{name}, row {at}", columns) for at, item in enumerate(items, 1))


def exact_whole_numbers(value: object, name: str, most: int, fewest: int = 1) -> tuple[int, ...]:
    """Return a list of whole numbers, or its JSON text, as integers; empty only if it may be.

    Raises InputError for anything else, and for more than ``most`` entries.
    """
    items = _items(_from_text(value, name), name, most, "integers such as [1, 3]", fewest)
    return tuple(exact_integer(item, f"{name}, entry {at}") for at, item in enumerate(items, 1))


def exact_list(
    value: object, name: str, each: tuple[str, Callable[[object, str], _Item]], most: int, what: str
) -> tuple[_Item, ...]:
    """Return a list, or its JSON text, of things that are read one by one and named ``each``.

    ``what`` says what the list holds. Raises InputError for what is no list, is empty, or has more
    than ``most`` entries, and whatever reading an entry raises.
    """
    called, read = each
    items = _items(_from_text(value, name), name, most, what)
    return tuple(read(item, f"{name}, {called} {at}") for at, item in enumerate(items, 1))


def exact_fields(value: object, name: str, keys: tuple[str, ...]) -> tuple[object, ...]:
    """Return the value of each key of an object, of its JSON text, or of a named tuple.

    Raises InputError for anything else and for a missing key, UnknownNameError for another key.
    """
    shape = f"{{{', '.join(keys)}}}"
    table = _from_text(value, name)
    if isinstance(table, tuple) and hasattr(table, "_asdict"):
        table = table._asdict()
    if not isinstance(table, Mapping):
        raise InputError(f"{name}: {shown(value)} is not an object {shape}")
    for key in table:
        if key not in keys:
            text = key if isinstance(key, str) else shown(key)
            raise UnknownNameError(f"key of {name}", text, keys, f"(it has {', '.join(keys)})")
    missing = [key for key in keys if key not in table]
    if missing:
        raise InputError(f"{name} lacks {', '.join(missing)}; it is an object {shape}")
    return tuple(table[key] for key in keys)


def off_by_rounding(total: Fraction) -> str:
    """Return the remedy for shares that sum to nearly 1; "" where the sum is 1 or far from it."""
    if total == 1 or abs(total - 1) > _ROUNDING:
        return ""
    return " (decimals that are off by rounding: give fractions, or counts divided by their total)"


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
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        return parse_json(value, name, most=MAX_MATRIX_VALUES)
    return value


def _items(
    value: object, name: str, most: int, what: str, fewest: int = 1
) -> list[object] | tuple[object, ...]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple) and not value and fewest:
        raise InputError(f"{name}: the list is empty; it holds {what}")
    if not isinstance(value, list | tuple):
        raise InputError(f"{name}: {shown(value)} is not a list of {what}")
    if len(value) > most:
        items = what.partition(" ")[0]
        raise InputError(f"{name}: a list of {len(value)} {items} is longer than {most}")
    return value


def _row(value: object, name: str, columns: Mapping[str, _Reader]) -> Row:
    items = _items(value, name, len(columns), f"numbers [{', '.join(columns)}]")
    if len(items) < len(columns):
        raise InputError(f"{name}: {shown(value)} lacks {', '.join([*columns][len(items) :])}")
    pairs = zip(columns.items(), items, strict=True)
    return tuple(read(item, f"{name}, {column}") for (column, read), item in pairs)
