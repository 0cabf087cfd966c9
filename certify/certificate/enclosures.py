"""Read back the numbers that a certificate prints: outward, whatever their exponents."""

from __future__ import annotations

from fractions import Fraction

from ...reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from ...reference.enclosure import Enclosure
from ...reference.exact import MAX_DECIMAL_EXPONENT, exact_number, shown
from .errors import CertificateError, WitnessError

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
