"""Points and cases: the exact inputs of a quantity, an answer there, and how both are written.

Every double is written as C99 hex, so nothing is lost; vectors are lists, records are objects,
integers and words stand as they are. A case is one line of canonical JSON, from which it is read
back as it was: the transcript's, which resuming a campaign reads as well.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
import rfc8785
from msgspec import Meta

from ..reference.domain import Value
from ..reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from ..reference.enclosure import Enclosure, Place
from ..reference.errors import InputError
from ..reference.exact import exact_ratio, exact_text, fields_of, shown
from ..reference.quantity import Quantity, quantity_named
from ..reference.structures import RECORDS, Record
from .verdict import Verdict

# What a parameter is drawn as: a float, an integer, a word, and tuples and records of such.
Number: TypeAlias = float | int
Drawn: TypeAlias = "Number | str | Record | tuple[Drawn, ...]"
Given: TypeAlias = Mapping[str, Drawn]
Point: TypeAlias = dict[str, Drawn]
# A campaign's points are drawn, by its seed alone, or found: kept, or met by a search.
PointKind: TypeAlias = Literal["drawn", "found"]
# Of a case against the truth: no double but the end of the quantity's range is on the safe side of
# the truth; or another one is, and the answer is that end. Of a relation: the answer is coarser
# than it need be, and promised no better.
Note: TypeAlias = Literal["", "closed", "trivial", "loose"]

TRUTH_DIGITS = 25
_ULPS_FIGURES = 3
# A list of networks, a network, a node, its table and a row: nothing that is written is deeper.
_DEEPEST = 5
# An entry of a vector has one place, one of a matrix two; relations ask for a few others at most.
_MOST_PLACES, _MOST_OTHERS = 2, 16

_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)", re.ASCII)
# The most frequent form: %a of a double. With a power that a double has, nothing is rounded.
_PLAIN = re.compile(r"[+-]?0x[01]\.[0-9a-f]{1,13}p([+-][0-9]{1,4})", re.ASCII)
_PLAIN_POWERS = range(sys.float_info.min_exp - 1, sys.float_info.max_exp)
# C prints these by %a; a NaN may have a sign.
_SPECIAL = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)
# No double needs more; beyond this power of two no number of so few digits is a double.
_MAX_HEX_CHARACTERS, _MOST_POWER = 64, 10_000
# No exponent of a truth has more digits: it grows like a product of a few doubles, as in e^-1e308.
_END = re.compile(r"(-?)0x([0-9a-f]+)p([+-][0-9]{1,1000})", re.ASCII)
_INFINITIES = {"inf": PLUS_INFINITY, "-inf": MINUS_INFINITY}
# Whole numbers in hexadecimal: reading them is linear, and their length is bounded by the line's.
_RATIO = re.compile(r"(-?)0x([0-9a-f]+)/0x([1-9a-f][0-9a-f]*)", re.ASCII)


class Many(tuple["Drawn", ...]):
    """The values of one real parameter at several points, which a backend is given as an array."""

    __slots__ = ()


class Answered(NamedTuple):
    """One more answer that a relation compares with, as C99 hex; no value: the truth, enclosed."""

    quantity: str
    parameters: Given
    value: str | None


@dataclass(frozen=True)
class Case:
    """A judged answer. Floats are shown as C99 hex, so nothing is lost in writing them down.

    Where a vector or a matrix was asked for, it is the worst entry's, and ``entry`` says which.
    ``others`` are what a relation compares the answer with, none for direction and accuracy;
    ``truth`` is then what the relation holds it against.
    """

    quantity: str
    check: str
    parameters: Given
    value: str
    verdict: Verdict
    truth: Enclosure
    ulps: Fraction | None
    side: str
    violation: Fraction
    reason: str
    entry: Place = ()
    others: tuple[Answered, ...] = ()
    kind: PointKind = "found"
    note: Note = ""

    def exact_parameters(self) -> dict[str, Value]:
        """Return the parameters as the exact numbers that they are."""
        return exact_point(self.parameters)

    def as_json(self) -> dict[str, Any]:
        """Return the case in the shape that a certificate's witness has."""
        lower, upper = self.truth.decimals(TRUTH_DIGITS)
        return {
            "parameters": written_point(self.parameters),
            "entry": list(self.entry),
            "value": self.value,
            "lower": lower,
            "upper": upper,
            "others": [
                {**other._asdict(), "parameters": written_point(other.parameters)}
                for other in self.others
            ],
        }

    def line(self) -> str:
        """Return the case as one canonical line of a transcript, with its end."""
        return _canonical(Line.of(self)).decode() + "\n"

    def size(self) -> float:
        """Return about the truth's absolute value; for a picture, nothing is decided by it."""
        return abs(float(self.truth.decimals(TRUTH_DIGITS)[1]))

    def ulps_text(self) -> str:
        """Return the distance in units in the last place, rounded up to three figures."""
        return "unbounded" if self.ulps is None else figures_up(self.ulps)


class _LineOther(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One more answer that a relation compares with, on a transcript's line; null for a truth."""

    quantity: str
    parameters: dict[str, Any]
    value: str | None


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case as a transcript has it, every number exact: the one form that a case is kept in.

    ``lower`` and ``upper`` are the ends of the truth's enclosure, a hexadecimal whole number times
    a power of 2 each; ``exact`` is the truth itself where that is known, a fraction. ``violation``
    is a fraction, too: by how many units in the last place the answer is on the wrong side, with a
    minus for the safe one; null where there is no finite distance.
    """

    quantity: str
    check: str
    kind: PointKind
    verdict: Verdict
    parameters: dict[str, Any]
    entry: Annotated[list[int], Meta(max_length=_MOST_PLACES)]
    value: str
    lower: str
    upper: str
    exact: str | None
    side: str
    violation: str | None
    reason: str
    note: Note
    others: Annotated[list[_LineOther], Meta(max_length=_MOST_OTHERS)]

    @classmethod
    def of(cls, case: Case) -> Line:
        """Return the line of a case."""
        truth = case.truth
        return cls(
            case.quantity,
            case.check,
            case.kind,
            case.verdict,
            written_point(case.parameters),
            list(case.entry),
            case.value,
            _written_end(truth.low),
            _written_end(truth.high),
            None if truth.exact is None else _written_ratio(truth.exact),
            case.side,
            None if case.ulps is None else _written_ratio(case.violation),
            case.reason,
            case.note,
            [
                _LineOther(each.quantity, written_point(each.parameters), each.value)
                for each in case.others
            ],
        )

    @property
    def truth(self) -> Enclosure:
        """The truth's enclosure. Raises InputError where it is none."""
        exact = None if self.exact is None else _ratio_in(self.exact)
        low, high = _end_in(self.lower), _end_in(self.upper)
        if high < low:
            raise InputError("a truth's lower end lies above its upper end")
        if exact is not None:
            near = Enclosure.of(exact, _BITS_OF_EXACT)
            if low < near.low or near.high < high:
                raise InputError("a truth's ends are not those of the exact number that it is")
        return Enclosure(low, high, exact)

    @property
    def off(self) -> Fraction | None:
        """The violation, None where there is no finite distance. Raises InputError."""
        return None if self.violation is None else _ratio_in(self.violation)

    def decimals(self) -> tuple[str, str]:
        """Return the ends of the truth's enclosure as a certificate's witness has them."""
        return self.truth.decimals(TRUTH_DIGITS)

    def case(self) -> Case:
        """Return the case that was written. Raises InputError where there is none such."""
        off = self.off
        return Case(
            self.quantity,
            self.check,
            _point_of(self.quantity, self.parameters),
            self.value,
            self.verdict,
            self.truth,
            None if off is None else abs(off),
            self.side,
            Fraction(0) if off is None else off,
            self.reason,
            tuple(self.entry),
            tuple(
                Answered(each.quantity, _point_of(each.quantity, each.parameters), each.value)
                for each in self.others
            ),
            self.kind,
            self.note,
        )


# To so many bits, and mostly many more, the ends are those of a number that is known exactly.
_BITS_OF_EXACT = 32
_LINE = msgspec.json.Decoder(Line)
# Keys among them. The longest parameter is a table of 1,000 rows of 16 numbers, and a relation's
# case has it three times at most.
MAX_LINE_VALUES = 100_000


def line_in(content: bytes) -> Line:
    """Return the line of a transcript, without its end. Raises InputError where it is none."""
    # An array of nothing takes twenty times its text.
    if sum(map(content.count, (b",", b":", b"[", b"{"))) > MAX_LINE_VALUES:
        raise InputError(f"holds more than {MAX_LINE_VALUES} values")
    try:
        line = _LINE.decode(content)
        _ = line.truth, line.off  # they are numbers
    # For bytes that are no UTF-8 msgspec has an error of its own, or not, by where they stand.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
        raise InputError(f"is no case: {error}") from None
    try:
        same = _canonical(line) == content
    except rfc8785.CanonicalizationError:
        same = False
    if not same:
        raise InputError("is not in canonical form")
    return line


def _canonical(line: Line) -> bytes:
    """Return a line's canonical JSON, without an end. Raises rfc8785.CanonicalizationError."""
    # For ASCII without control characters, and without floats, as here, this fast encoder writes
    # what RFC 8785 asks for; where the two might differ the slow one decides.
    fast = msgspec.json.encode(line, order="sorted")
    if fast.isascii() and b"\\u" not in fast:
        return fast
    return rfc8785.dumps(msgspec.to_builtins(line))


def _point_of(quantity: str, parameters: Mapping[str, Any]) -> Point:
    return point_from(quantity_named(quantity), parameters)


def _written_end(end: Dyadic) -> str:
    if end.kind:
        return "inf" if end.kind > 0 else "-inf"
    # An odd number before the power, so that an end has one text.
    zeros = (end.mantissa & -end.mantissa).bit_length() - 1 if end.mantissa else 0
    power = end.exponent + zeros if end.mantissa else 0
    return f"{_hex(end.mantissa >> zeros)}p{power:+d}"


def _end_in(text: str) -> Dyadic:
    if text in _INFINITIES:
        return _INFINITIES[text]
    found = _END.fullmatch(text)
    if found is None:
        raise InputError(f"{shown(text)} is no end of an enclosure")
    return Dyadic(_whole(found[1], found[2]), int(found[3]))


def _written_ratio(value: Fraction) -> str:
    return f"{_hex(value.numerator)}/{_hex(value.denominator)}"


def _ratio_in(text: str) -> Fraction:
    found = _RATIO.fullmatch(text)
    if found is None:
        raise InputError(f"{shown(text)} is no fraction in hex")
    return Fraction(_whole(found[1], found[2]), int(found[3], 16))


def _hex(number: int) -> str:
    return f"{'-' if number < 0 else ''}0x{abs(number):x}"


def _whole(sign: str, digits: str) -> int:
    return -int(digits, 16) if sign else int(digits, 16)


def figures_up(value: Fraction) -> str:
    """Return a non-negative number rounded up to three significant figures, as plain text."""
    return Enclosure.of(value).decimals(_ULPS_FIGURES - 2)[1]


def written(value: Any) -> Any:
    """Return an integer or a word as it is, a float as C99 hex text, lists and objects of them."""
    if isinstance(value, float):
        return float(value).hex()
    if isinstance(value, RECORDS):
        value = fields_of(value)
    if isinstance(value, dict):
        return {name: written(item) for name, item in value.items()}
    return [written(item) for item in value] if isinstance(value, list | tuple) else value


def written_point(point: Given) -> dict[str, Any]:
    """Return a point as it is written down, by the names of its parameters."""
    return {name: written(value) for name, value in point.items()}


def as_given(point: Given) -> dict[str, Any]:
    """Return a point as a backend is given it: lists for vectors, dictionaries for records."""
    return {name: _as_given(value) for name, value in point.items()}


def _as_given(value: Any) -> Any:
    if isinstance(value, Many):
        import numpy as np

        return np.array(value, dtype=np.float64)
    if isinstance(value, RECORDS):
        return {name: _as_given(item) for name, item in fields_of(value).items()}
    return [_as_given(item) for item in value] if isinstance(value, tuple) else value


def exact_point(point: Given) -> dict[str, Value]:
    """Return the numbers that a point's floats exactly are."""
    return {name: _exactly(value) for name, value in point.items()}


def _exactly(value: Any) -> Any:
    if isinstance(value, RECORDS):
        return type(value)._make(map(_exactly, value))
    if isinstance(value, tuple):
        return tuple(_exactly(item) for item in value)
    return value if isinstance(value, int | str) else Fraction(value)


def point_from(quantity: Quantity, written: Mapping[str, Any]) -> Point:
    """Return a point of the domain as it was written. Raises InputError where it is none."""
    exact = quantity.read(given_in(written))
    return {name: as_drawn(value) for name, value in exact.items()}


def given_in(written: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was written as a backend is given it: a double for each text in hex.

    Words, integers, lists and objects stay. Raises InputError where a text in hex is no double.
    """
    return {name: _given(value, _DEEPEST) for name, value in written.items()}


def _given(value: Any, depth: int) -> Any:
    if depth < 0:
        raise InputError("a point that was written is nested too deeply")
    if isinstance(value, list):
        return [_given(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {key: _given(item, depth - 1) for key, item in value.items()}
    return double_in(value) if isinstance(value, str) and "0x" in value else value


def double_in(text: str) -> float:
    """Return the double that C99 hex text is, or nan, or an infinity. Raises InputError.

    Text of more bits than a double has is refused, never rounded: nobody said in which direction.
    """
    if len(text) > _MAX_HEX_CHARACTERS:
        raise InputError(f"a text of {len(text)} characters, which is no number")
    plain = _PLAIN.fullmatch(text)
    if plain and int(plain[1]) in _PLAIN_POWERS:
        return float.fromhex(text)
    if _SPECIAL.fullmatch(text):
        return float(text)
    match = _HEX.fullmatch(text)
    if not match or not (match[2] or match[3]):
        raise InputError(f'{shown(text)}, no C99 hex text such as "0x1.8p-1"')
    # Beyond the power, no number but zero is a double, and zero has no digit but 0.
    power = int(match[4])
    mantissa = int(match[2] + match[3], 16)
    if not mantissa:
        return -0.0 if match[1] == "-" else 0.0
    if abs(power) <= _MOST_POWER:
        exact = mantissa * Fraction(2) ** (power - 4 * len(match[3]))
        if exact <= Fraction(sys.float_info.max) and Fraction(float(exact)) == exact:
            return -float(exact) if match[1] == "-" else float(exact)
    raise InputError(f"{text}, which is no double")


def written_real(value: Fraction | float) -> str:
    """Return what was answered as C99 hex; what no double is, as a fraction in decimal digits."""
    if isinstance(value, Fraction) and not _is_double(value):
        return f"{exact_text(value.numerator)}/{exact_text(value.denominator)}"
    return float(value).hex()


def is_finite(value: Fraction | float) -> bool:
    """Whether a number is neither infinite nor NaN; an exact one is finite beyond all doubles."""
    return not isinstance(value, float) or math.isfinite(value)


def real_in(text: str) -> Fraction | float:
    """Return the number that was answered, an infinity, or nan. Raises InputError."""
    if "/" in text:
        return exact_ratio(text, "a fraction")
    value = double_in(text)
    return Fraction(value) if math.isfinite(value) else value


def as_drawn(value: Value) -> Any:
    """Return what a search would have drawn: doubles for reals, all else as it is."""
    if isinstance(value, RECORDS):
        return type(value)._make(map(as_drawn, value))
    if isinstance(value, tuple):
        return tuple(map(as_drawn, value))
    if not isinstance(value, Fraction):
        return value
    if not _is_double(value):
        raise InputError(f"{shown(value)} is no double")
    return float(value)


def _is_double(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
