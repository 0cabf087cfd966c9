"""Exact inputs: integers, fractions, decimals by their text, and floats as the dyadics they are.

Nothing here rounds. A number that would be unreasonably large to hold is refused before it is
built, so a hostile file cannot exhaust memory with the text ``1e400000000``.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import gmpy2

from .errors import InputError
from .structures import RECORDS, STARTS, Record

MAX_DIGITS = 10_000
MAX_DECIMAL_EXPONENT = 10_000
MAX_FILE_BYTES = 64 * 1024 * 1024
# Either part of a fraction within the limits above is below 10**(digits + exponent).
MAX_BITS = math.ceil((MAX_DIGITS + MAX_DECIMAL_EXPONENT) * math.log2(10))

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_FRACTION = re.compile(r"([+-]?[0-9]+)\s*/\s*([0-9]+)", re.ASCII)
_HOW = "write an integer, a decimal such as 20.6, or a fraction such as 103/5"
_SHOWN = 40
# The TOML parser builds integers by itself, and the interpreter refuses long ones in these words.
_LONG_INTEGER = "integer string conversion"
# A vector is one deep, a table two; so is a list of networks down to its nodes, and a node's table.
_DEPTH = 2

Nested: TypeAlias = "Fraction | int | str | tuple[Nested, ...]"
Texts: TypeAlias = "str | list[Texts] | dict[str, Texts]"


def exact_number(value: object, name: str = "number") -> Fraction:
    """Return ``value`` as the rational number that it exactly is.

    Text is read as written (``"20.6"`` is 103/5), a float as the dyadic it holds.
    Raises InputError for anything else: booleans, NaN, infinities, malformed or oversized numbers.
    """
    if isinstance(value, bool):
        raise InputError(f"{name}: {value} is a truth value, not a number; {_HOW}")
    if isinstance(value, str):
        return _parse(value, name)
    if isinstance(value, Rational):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), name)
    if isinstance(value, Decimal):
        return _parse(str(value), name)
    if isinstance(value, Real) and hasattr(value, "as_integer_ratio"):
        if not math.isfinite(value):
            raise InputError(f"{name}: {float(value)} is not a finite number; {_HOW}")
        return Fraction(*value.as_integer_ratio())
    raise InputError(f"{name}: {shown(value)} is not a number; {_HOW}")


def exact_integer(value: object, name: str = "number") -> int:
    """Return ``value`` as an integer; ``"98"``, ``98.0`` and ``98`` are one. Raises InputError."""
    number = exact_number(value, name)
    if number.denominator != 1:
        raise InputError(f"{name}: {shown(value)} is not a whole number")
    return number.numerator


def exact_text(value: Nested) -> str:
    """Return the reduced fraction or integer as text, whatever its size; lists in brackets.

    A record stands in braces, its parts named; a word is itself.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, RECORDS):
        parts = (f"{key}: {exact_text(item)}" for key, item in fields_of(value).items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(exact_text, value))}]"
    top, bottom = value.numerator, value.denominator
    text = gmpy2.mpz(top).digits()
    return text if bottom == 1 else f"{text}/{gmpy2.mpz(bottom).digits()}"


def exact_json(value: Nested) -> Texts:
    """Return what stands for an exact parameter in JSON: its text, a list of such, an object."""
    if isinstance(value, RECORDS):
        return {key: exact_json(item) for key, item in fields_of(value).items()}
    return [exact_json(item) for item in value] if isinstance(value, tuple) else exact_text(value)


def fields_of(value: Record) -> dict[str, Any]:
    """Return the parts of a record by their names."""
    return dict(zip(value._fields, value, strict=True))


def shown(value: object) -> str:
    """Return what was given, cut to a length that fits in a sentence."""
    text = exact_text(value) if _is_exact(value) else _printable(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"


def _is_exact(value: object, depth: int = _DEPTH) -> TypeGuard[Nested]:
    """Whether this is an exact parameter: a number, a vector, a table, records, lists of them."""
    if isinstance(value, RECORDS):
        return all(item in STARTS or _is_table(item) for item in value)
    if isinstance(value, tuple):
        return depth > 0 and all(_is_exact(item, depth - 1) for item in value)
    return _is_number(value)


def _is_table(value: object, depth: int = _DEPTH) -> bool:
    """Whether this is a number, a vector or a table of numbers."""
    if isinstance(value, tuple):
        return depth > 0 and all(_is_table(item, depth - 1) for item in value)
    return _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, Fraction | int) and not isinstance(value, bool)


def _printable(value: object) -> str:
    """Return a representation in ASCII; an object's own may hide control characters.

    Or raise anything at all, SystemExit included, which must not end whoever only wants to show it.
    """
    try:
        return ascii(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001
        return f"a {type(value).__name__} that cannot be shown"


def _parse(text: str, name: str) -> Fraction:
    text = text.strip()
    if sum(character.isdigit() for character in text) > MAX_DIGITS:
        raise InputError(f"{name}: a number of more than {MAX_DIGITS} digits is not read")
    ratio = _FRACTION.fullmatch(text)
    if ratio:
        return _ratio(ratio[1], ratio[2], name)
    decimal = _DECIMAL.fullmatch(text)
    if not decimal or not (decimal[2] or decimal[3]):
        raise InputError(f"{name}: {shown(text)} is not a number; {_HOW}")
    return _decimal(decimal, text, name)


def _ratio(top: str, bottom: str, name: str) -> Fraction:
    denominator = _integer(bottom)
    if denominator == 0:
        raise InputError(f"{name}: a fraction with denominator 0 is not a number")
    return Fraction(_integer(top), denominator)


def _decimal(match: re.Match[str], text: str, name: str) -> Fraction:
    sign, whole, part, power = match[1], match[2], match[3] or "", match[4] or "0"
    digits_of_power = power.lstrip("+-").lstrip("0")
    if len(digits_of_power) > len(str(MAX_DECIMAL_EXPONENT)) or (
        abs(int(digits_of_power or "0")) > MAX_DECIMAL_EXPONENT
    ):
        raise InputError(
            f"{name}: the exponent of {shown(text)} is beyond {MAX_DECIMAL_EXPONENT}; "
            "such a number is not read"
        )
    exponent = int(power) - len(part)
    mantissa = _integer(sign + whole + part)
    if exponent >= 0:
        return Fraction(mantissa * 10**exponent)
    return Fraction(mantissa, 10**-exponent)


def _integer(digits: str) -> int:
    # gmpy2 has no limit on the number of digits, the interpreter's own int() stops at 4300.
    return int(gmpy2.mpz(digits.removeprefix("+")))


def _bounded(value: Fraction, name: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise InputError(f"{name}: a number of more than {MAX_DIGITS} digits is not read")
    return value


def parse_json(text: str | bytes, name: str = "JSON") -> Any:
    """Return the JSON value with every number exact (int or Fraction).

    Raises InputError for malformed text, duplicate keys, NaN and Infinity, oversized numbers and
    nesting too deep to read.
    """

    def load(source: str) -> Any:
        return json.loads(
            source,
            parse_float=lambda digits: exact_number(digits, name),
            parse_int=lambda digits: exact_integer(digits, name),
            parse_constant=lambda word: exact_number(word, name),
            object_pairs_hook=lambda pairs: _without_duplicates(pairs, name),
        )

    return _parsed(text, name, "JSON", load)


def parse_toml(text: str | bytes, name: str = "TOML") -> dict[str, Any]:
    """Return the TOML table with every number exact (int or Fraction). Raises InputError."""

    def load(source: str) -> Any:
        return tomllib.loads(source, parse_float=lambda digits: exact_number(digits, name))

    table: dict[str, Any] = _parsed(text, name, "TOML", load)
    return table


def _parsed(text: str | bytes, name: str, language: str, load: Callable[[str], Any]) -> Any:
    try:
        # Some editors put a byte order mark first, which says nothing.
        return load(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text: {error.reason}") from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply to be read") from None
    except ValueError as error:
        if _LONG_INTEGER in str(error):
            most = sys.get_int_max_str_digits()
            raise InputError(
                f"{name} holds an integer of more than {most} digits; write it in quotes"
            ) from None
        raise InputError(f"{name} is not {language}: {error}") from None


def _without_duplicates(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise InputError(f"{name}: the key {shown(key)} stands twice")
        table[key] = value
    return table


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a regular file of bounded size. Raises InputError."""
    file = Path(path)
    try:
        if file.is_dir():
            raise InputError(f"{file} is a directory, not a file")
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {file}: {reason}") from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError(f"{file} is larger than {MAX_FILE_BYTES} bytes; it is not read")
    return content
