"""Exact inputs: integers, fractions, decimals by their text, and floats as the dyadics they are.

Nothing here rounds. A number that would be unreasonably large to hold is refused before it is
built, one ``1e400000000``, and so are the numbers of a text that would be all together, a million
of ``1e9999``, in quotes or not. So a hostile file cannot exhaust memory: its exponents add at most
nine megabytes to what its own length allows, and its values some thirty, or a hundred where a
matrix of 1,000 states may stand.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Rational, Real
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import gmpy2

from .dyadic import rational_decimal
from .errors import InputError
from .structures import EVENTS, RECORDS, STARTS, Record

MAX_DIGITS = 10_000
MAX_DECIMAL_EXPONENT = 10_000
MAX_FILE_BYTES = 64 * 1024 * 1024
# All decimal exponents of a text together: nine megabytes, in digits of 30 bits that take 32. A
# number without one has seven bits a character at most.
MAX_EXPONENTS = 20_000_000
# Values of a text in all, its keys among them: a number takes some hundred bytes.
MAX_VALUES = 300_000
# The same where a matrix may stand: one of 1,000 states has half as many. An array or a table of
# nothing takes some 64 bytes, and three of its text.
MAX_MATRIX_VALUES = 2_000_000
# The parser of TOML reads one to four megabytes a second; long tables are a file of data beside it.
MAX_TOML_BYTES = 4_000_000
# Each part of a dotted key may be a new table; what a key costs grows with their square.
MAX_KEY_PARTS = 8
# Of headers and dotted keys all parts together: the parser keeps up to a thousand bytes for each.
MAX_TABLES = 20_000
# Either part of a fraction within the limits above is below 10**(digits + exponent).
MAX_BITS = math.ceil((MAX_DIGITS + MAX_DECIMAL_EXPONENT) * math.log2(10))

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_FRACTION = re.compile(r"([+-]?[0-9]+)\s*/\s*([0-9]+)", re.ASCII)
# Looks no further than the first digit that is too many.
_TOO_MANY_DIGITS = re.compile(rf"(?:\D*+\d){{{MAX_DIGITS + 1}}}")
_HOW = "write an integer, a decimal such as 20.6, or a fraction such as 103/5"
_SHOWN = 40
# A double, too, is told by its decimals where it has so few.
_FEW_FIGURES = 17
# Nothing longer is written as decimals: of a list the beginning is told, of 1e-300 the power.
_LONGEST_TRIED = 700
# A parser's own words quote keys, of any length.
_MOST_SAID = 200
# In double quotes a quote may stand after a backslash.
_KEY_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}", re.ASCII)
# Headers, and keys of several parts; a text in quotes that looks like one counts, too.
_HEADER = re.compile(
    rf"^[ \t]*+\[\[?+(?:[ \t]*+{_KEY_PART}[ \t]*+\.)*[ \t]*+{_KEY_PART}[ \t]*+\]",
    re.ASCII | re.MULTILINE,
)
_DOTTED_KEY = re.compile(
    rf"(?<![\w-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+)+{_KEY_PART}[ \t]*+=", re.ASCII
)
# What begins like a number; the parser's own look at one takes a hundred bytes a character.
_LONG_NUMBER = re.compile(
    rf"(?:^|[=,\[])[ \t]*+[+-]?[0-9][\w.+-]{{{2 * MAX_DIGITS}}}", re.ASCII | re.MULTILINE
)
# So long an integer is read by the interpreter at once.
_SHORT = 18
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
    return _nested_text(value, _reduced)


def _nested_text(value: Nested, number: Callable[[Fraction | int], str]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, RECORDS):
        parts = (f"{key}: {_nested_text(item, number)}" for key, item in fields_of(value).items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(_nested_text(item, number) for item in value)}]"
    return number(value)


def _reduced(value: Fraction | int) -> str:
    top, bottom = value.numerator, value.denominator
    text = gmpy2.mpz(top).digits()
    return text if bottom == 1 else f"{text}/{gmpy2.mpz(bottom).digits()}"


def exact_decimals(value: Nested) -> str:
    """Return what ``exact_text`` does with each number by its decimals, where these are few.

    Either text is read as the same number.
    """
    return _nested_text(value, _few_decimals)


def _few_decimals(value: Fraction | int) -> str:
    if value.denominator == 1:
        return _reduced(value)
    down, up = (rational_decimal(Fraction(value), _FEW_FIGURES, side) for side in (False, True))
    return down if down == up else _reduced(value)


def exact_json(value: Nested) -> Texts:
    """Return what stands for an exact parameter in JSON: its text, a list of such, an object."""
    if isinstance(value, RECORDS):
        return {key: exact_json(item) for key, item in fields_of(value).items()}
    return [exact_json(item) for item in value] if isinstance(value, tuple) else exact_text(value)


def fields_of(value: Record) -> dict[str, Any]:
    """Return the parts of a record by their names."""
    return dict(zip(value._fields, value, strict=True))


def shown(value: object) -> str:
    """Return a value as text for people, cut to a length that fits in a sentence.

    A number that has few decimals is told by them, exactly: 103/5 as 20.6. A long fraction keeps
    its slash: cut before it, it would read like a large number.
    """
    if _is_exact(value):
        text = exact_text(value)
        if len(text) <= _LONGEST_TRIED:
            text = exact_decimals(value)
    else:
        text = _printable(value)
    if isinstance(value, Fraction) and len(text) > _SHOWN:
        return "/".join(_cut(part, _SHOWN // 2) for part in text.split("/"))
    return _cut(text, _SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _is_exact(value: object, depth: int = _DEPTH) -> TypeGuard[Nested]:
    """Whether this is an exact parameter: a number, a vector, a table, records, lists of them."""
    if isinstance(value, RECORDS):
        return all(item in STARTS or item in EVENTS or _is_table(item) for item in value)
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


def exact_ratio(text: str, name: str) -> Fraction:
    """Return a fraction "p/q" of two integers of up to ``MAX_DIGITS`` digits each.

    Raises InputError for any other text. What a user writes has so many digits in all.
    """
    ratio = _FRACTION.fullmatch(text)
    if not ratio:
        raise InputError(f"{name}: {shown(text)} is not a fraction of two integers")
    if max(len(ratio[1].lstrip("+-")), len(ratio[2])) > MAX_DIGITS:
        raise InputError(f"{name}: a number of more than {MAX_DIGITS} digits is not read")
    return _ratio(ratio[1], ratio[2], name)


def _parse(text: str, name: str) -> Fraction:
    text = text.strip()
    if len(text) > MAX_DIGITS and _TOO_MANY_DIGITS.match(text):
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
    # gmpy2's power takes a tenth of the interpreter's.
    scale = int(gmpy2.mpz(10) ** abs(exponent))
    return Fraction(mantissa * scale) if exponent >= 0 else Fraction(mantissa, scale)


def _integer(digits: str) -> int:
    # gmpy2 has no limit on the number of digits, the interpreter's own int() stops at 4300.
    return int(gmpy2.mpz(digits.removeprefix("+")))


def _bounded(value: Fraction, name: str) -> Fraction:
    for part in (value.numerator, value.denominator):
        _bounded_bits(part, name)
    return value


def _bounded_bits(value: int, name: str) -> None:
    if value.bit_length() > MAX_BITS:
        raise InputError(f"{name}: a number of more than {MAX_DIGITS} digits is not read")


class _Account:
    """The limit on all numbers of a text together; each is counted before it is built."""

    def __init__(self, name: str, most: int, check: Callable[[], None] | None = None) -> None:
        self._name = name
        self._most_values = most
        self._check = check
        self._left = MAX_EXPONENTS
        # Of a list in quotes numbers are counted and not built.
        self._quoted = json.JSONDecoder(parse_float=self._charge, parse_int=len)

    def number(self, digits: str) -> Fraction:
        """Return a number that may have an exponent. Raises InputError where it is too much."""
        self._charge(digits)
        return exact_number(digits, self._name)

    def integer(self, digits: str) -> int:
        """Return an integer, which has no exponent."""
        if self._check:
            self._check()
        return int(digits) if len(digits) <= _SHORT else exact_integer(digits, self._name)

    def charge_texts(self, value: Any) -> None:
        """Count the numbers in quotes, and those of lists in quotes, which are yet to be built.

        Raises InputError for too many, and for an integer that is too long.
        """
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if self._check:
                self._check()
            if isinstance(item, str):
                if "e" in item or "E" in item:
                    waiting.append(self._charged(item))
            elif isinstance(item, dict):
                waiting.extend(item.values())
            elif isinstance(item, list):
                waiting.extend(item)
            elif isinstance(item, int):
                _bounded_bits(item, self._name)

    def _charged(self, text: str) -> Any:
        """Count a number in quotes, or the numbers of a list in quotes; return that, not its own.

        What it holds in quotes is still to be counted.
        """
        text = text.strip()
        if _DECIMAL.fullmatch(text):
            self._charge(text)
        if not text.startswith(("[", "{")):
            return None
        require_few_values(text, self._name, self._most_values)
        try:
            return self._quoted.decode(text)
        except (json.JSONDecodeError, RecursionError):
            return None  # a text like any other

    def _charge(self, digits: str) -> None:
        if self._check:
            self._check()
        _, mark, power = digits.lower().rpartition("e")
        if not mark:
            return
        power = power.lstrip("+-0") or "0"
        short = len(power) <= len(str(MAX_DECIMAL_EXPONENT))
        self._left -= min(int(power), MAX_DECIMAL_EXPONENT) if short else MAX_DECIMAL_EXPONENT
        if self._left < 0:
            raise InputError(
                f"{self._name}: the exponents of its numbers are more than {MAX_EXPONENTS} "
                "together; so large numbers are not read"
            )


def require_few_values(text: str, name: str, most: int, *, in_toml: bool = False) -> None:
    """Raise InputError for a text that may hold more values than ``most``; they take memory each.

    What a comma follows, what a bracket opens, and in TOML what a key names, is one at most. So is
    a key of JSON.
    """
    counted = {mark: text.count(mark) for mark in ",[{:="}
    opened = counted["["] + counted["{"]
    keys = MAX_KEY_PARTS * (counted["="] + opened) if in_toml else counted[":"] + opened
    if counted[","] + keys > most:
        raise InputError(f"{name} has commas, colons and brackets for more than {most} values; "
                         "so many are not read")  # fmt: skip


def _require_few_tables(text: str, name: str) -> None:
    """Raise InputError for a TOML text with too many names of tables; no key of it is long."""
    left = MAX_TABLES
    for found in chain(_HEADER.finditer(text), _DOTTED_KEY.finditer(text)):
        left -= found[0].count(".") + 1
        if left < 0:
            raise InputError(f"{name} has more than {MAX_TABLES} names of tables, in headers and "
                             "dotted keys; so many are not read")  # fmt: skip


def parse_json(
    text: str | bytes,
    name: str = "JSON",
    *,
    most: int | None = None,
    check: Callable[[], None] | None = None,
) -> Any:
    """Return the JSON value with every number exact (int or Fraction).

    Raises InputError for malformed text, duplicate keys, NaN and Infinity, numbers that are
    oversized each or together, more values than ``most``, by default ``MAX_VALUES``, and nesting
    too deep to read. ``check`` is called at each number and each value, and may end the reading by
    what it raises.
    """
    values = MAX_VALUES if most is None else most
    account = _Account(name, values, check)

    def load(source: str) -> Any:
        require_few_values(source, name, values)
        value = json.loads(
            source,
            parse_float=account.number,
            parse_int=account.integer,
            parse_constant=account.number,
            object_pairs_hook=lambda pairs: _without_duplicates(pairs, name),
        )
        account.charge_texts(value)
        return value

    return _parsed(text, name, "JSON", load)


def parse_toml(text: str | bytes, name: str = "TOML") -> dict[str, Any]:
    """Return the TOML table with every number exact (int or Fraction).

    Raises InputError as ``parse_json`` does, and for a text that is larger than any claim.
    """
    if len(text) > MAX_TOML_BYTES:
        raise InputError(f"{name} is larger than {MAX_TOML_BYTES} bytes; no TOML file is read that "
                         "is: put long tables into a file of data")  # fmt: skip
    account = _Account(name, MAX_MATRIX_VALUES)

    def load(source: str) -> Any:
        require_few_values(source, name, MAX_MATRIX_VALUES, in_toml=True)
        if _LONG_KEY.search(source):
            raise InputError(f"{name} has a dotted key of more than {MAX_KEY_PARTS} parts")
        _require_few_tables(source, name)
        if _LONG_NUMBER.search(source):
            raise InputError(f"{name}: a number of more than {MAX_DIGITS} digits is not read")
        value = tomllib.loads(source, parse_float=account.number)
        account.charge_texts(value)
        return value

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
        raise InputError(f"{name} is not {language}: {_cut(str(error), _MOST_SAID)}") from None


def _without_duplicates(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise InputError(f"{name}: the key {shown(key)} stands twice")
        table[key] = value
    return table


def open_regular(path: str | Path) -> io.BufferedReader:
    """Return a regular file, open for reading; a pipe is not waited for. Raises InputError."""
    if not str(path):
        raise InputError("an empty file name is given; give a file's")
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {reason_of(error)}") from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise InputError(f"cannot read {path}: it is a directory, not a file")
    raise InputError(f"cannot read {path}: it is no regular file, but a pipe or a device")


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a regular file of bounded size. Raises InputError."""
    with open_regular(path) as stream:
        try:
            content = stream.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise InputError(f"cannot read {path}: {reason_of(error)}") from None
    if content is None:
        raise InputError(f"cannot read {path}: it has nothing to read yet")
    if len(content) > MAX_FILE_BYTES:
        raise InputError(f"{path} is larger than {MAX_FILE_BYTES} bytes; it is not read")
    return content


def reason_of(error: Exception) -> str:
    """Return why a file could not be used, in the system's words where it has some."""
    return getattr(error, "strerror", None) or str(error)
