"""Whether what a certificate states agrees with what is found: texts equal, numbers as narrow.

The numbers that it prints are read back first: outward, whatever their exponents; the exact ones of
a witness are doubles in hex, integers and words, nested as it is.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from ...reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import MAX_DECIMAL_EXPONENT, exact_number, shown
from ..backends.answers import Real
from ..points import given_in, real_in, written_real
from .errors import CertificateError, ClaimError, EvidenceError, ShapeError, WitnessError
from .parts import DECIMAL

# As many digits as a printed end may have on either side of its point.
MAX_PRINTED_DIGITS = 60
_END_BITS = 256


def stated_enclosure(
    lower: str, upper: str, name: str, error: type[CertificateError] = WitnessError
) -> Enclosure:
    """Return the enclosure of two printed ends. Raises ``error`` if they are swapped."""
    low, high = _end(lower, name, error, up=False), _end(upper, name, error, up=True)
    if high < low:
        raise error(f"{name}: the enclosure's lower end lies above its upper end")
    return Enclosure(low, high)


def _end(text: str, name: str, error: type[CertificateError], *, up: bool) -> Dyadic:
    """Read a printed end, outward; exponents that no exact number is built for are rounded."""
    if text.endswith("inf"):
        return MINUS_INFINITY if text.startswith("-") else PLUS_INFINITY
    digits, _, exponent = text.partition("e")
    power = int(exponent or "0")
    if abs(power) > MAX_DECIMAL_EXPONENT - MAX_PRINTED_DIGITS:
        if text.startswith("-"):
            raise error(f"{name}: the end {shown(text)} cannot be read")
        if not Fraction(digits):
            return Dyadic(0)
        return _far_end(power, up=up)
    return Dyadic.rounded(exact_number(text, name), _END_BITS, up)


def _far_end(power: int, *, up: bool) -> Dyadic:
    """Return an end beyond all exponents that are read, rounded outward."""
    edge = 10 ** (MAX_DECIMAL_EXPONENT - 2 * MAX_PRINTED_DIGITS)
    if power < 0:
        return Dyadic.rounded(Fraction(1, edge), _END_BITS, up) if up else Dyadic(0)
    return PLUS_INFINITY if up else Dyadic.rounded(Fraction(edge), _END_BITS, up)


def answer_written(text: str, name: str) -> Real:
    """Return what was answered, a number or an infinity. Raises WitnessError for anything else."""
    try:
        value = real_in(text)
    except InputError as error:
        raise WitnessError(f"{name}: the answer is {error}") from None
    if isinstance(value, float) and math.isnan(value):
        raise WitnessError(f"{name}: the value is NaN")
    if "/" in text and written_real(value) != text:
        raise WitnessError(f"{name}: the answer is a fraction that is written otherwise")
    return value


def point_written(parameters: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return parameters by name, to be read by their quantity. Raises WitnessError."""
    try:
        return given_in(parameters)
    except InputError as error:
        raise WitnessError(f"{name}: the parameters have {error}") from None


# What an audit looks for during some seconds and tells if it is found; no verdict rests on it.
SEARCHED: Final = frozenset({"set_by", "distance"})
# What the second engine says where it was asked, and where it has no opinion. Of two inputs that
# are neighbours one stands under this key as well.
_SECOND: Final = "second"
_BY_THE_SECOND: Final = ("overlaps", "undecided")
_OPINIONS: Final = (*_BY_THE_SECOND, "inapplicable")
_ENDS: Final = {"lower", "upper"}
# Ends are published of enclosures of so many digits, and are rounded outward once more.
_DIGITS: Final = DEFAULT_DIGITS - 1
# What is found is written with so many: an enclosure that begins where the truth's ends by rounding
# would overlap it, and not hold the truth.
FOUND_DIGITS: Final = 50


class Known(enum.Enum):
    """Whether as much is found as is stated, or less, which confirms nothing."""

    AS_WELL = "as well"
    LESS = "less"


def agreement_of(
    stated: Any,
    found: Any,
    where: str = "the certificate",
    error: type[CertificateError] = ClaimError,
    *,
    is_open: bool,
    digits: int = _DIGITS,
) -> Known:
    """Return whether as much is found as is stated. Raises ``error`` where they differ.

    What is found is written with ``FOUND_DIGITS``. Where something that is searched for was not
    found, on either side, that is no difference. ``is_open`` where the verdict is undecided: then
    what is stated may be wider than what is found.
    ``digits`` are those of the published width.
    """

    def compared(stated: Any, found: Any, where: str) -> Known:
        if isinstance(found, dict) and set(found) >= _ENDS:
            return _enclosed(stated, found, where, compared, error, None if is_open else digits)
        if isinstance(found, dict):
            return _tables(stated, found, where, compared, error)
        if isinstance(found, list):
            if not isinstance(stated, list) or len(stated) != len(found):
                raise error(f"{where} is not the list that is found")
            pairs = zip(stated, found, strict=True)
            return _least([compared(one, other, where) for one, other in pairs])
        if type(stated) is not type(found) or stated != found:
            raise error(f"{where} is not what is found")
        return Known.AS_WELL

    return compared(stated, found, where)


_Compared = Callable[[Any, Any, str], Known]


def _tables(
    stated: Any,
    found: dict[str, Any],
    where: str,
    compared: _Compared,
    error: type[CertificateError],
) -> Known:
    if not isinstance(stated, dict) or set(stated) != set(found):
        raise error(f"{where} does not have the parts that are found")
    known = []
    for key, value in found.items():
        if key in SEARCHED and None in (stated[key], value):
            known.append(Known.AS_WELL if stated[key] is None else Known.LESS)
        elif key == _SECOND and value in _OPINIONS:
            # It may have had more time, or less.
            asked = value in _BY_THE_SECOND and stated[key] in _BY_THE_SECOND
            if not asked and stated[key] != value:
                raise EvidenceError(f"{where}: the second engine cannot have said so")
            known.append(Known.AS_WELL)
        else:
            known.append(compared(stated[key], value, f"{where}, {key}"))
    return _least(known)


def _enclosed(
    stated: Any,
    found: dict[str, Any],
    where: str,
    compared: _Compared,
    error: type[CertificateError],
    digits: int | None,
) -> Known:
    """Compare an enclosure and what stands beside its ends; without ``digits``, of any width."""
    if not isinstance(stated, dict) or set(stated) != set(found):
        raise error(f"{where} is no enclosure")
    rest = [{key: part[key] for key in part if key not in _ENDS} for part in (stated, found)]
    beside = _tables(rest[0], rest[1], where, compared, error)
    lower, upper = (_decimal(stated[key], where) for key in ("lower", "upper"))
    one = stated_enclosure(lower, upper, where, error)
    other = stated_enclosure(found["lower"], found["upper"], where, CertificateError)
    if not one.overlaps(other):
        raise error(f"{where}: the stated enclosure is not that of the truth")
    if digits is not None and not is_as_narrow(one, lambda: other, digits):
        raise error(
            f"{where}: the stated enclosure is wider than what is found, so it says less than the "
            "verdict does; issue the certificate again"
        )
    return _least([beside, _known_as_well(one, other)])


def is_as_narrow(stated: Enclosure, found: Callable[[], Enclosure], digits: int = _DIGITS) -> bool:
    """Whether a stated enclosure has the published width, or at most twice that which is found."""
    return stated.is_narrow(digits) or stated.is_at_most_twice(found())


def _decimal(text: object, where: str) -> str:
    if not isinstance(text, str) or not DECIMAL.fullmatch(text):
        raise ShapeError(f"{where} holds no decimal number")
    return text


def _known_as_well(stated: Enclosure, found: Enclosure) -> Known:
    """Return whether an enclosure that overlaps is narrow wherever the stated one is."""
    wide = not found.is_narrow(_DIGITS) and not found.is_at_most_twice(stated)
    return Known.LESS if wide else Known.AS_WELL


def _least(known: list[Known]) -> Known:
    return Known.LESS if Known.LESS in known else Known.AS_WELL
