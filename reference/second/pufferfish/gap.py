"""Second opinions on how fast a chain forgets, from characteristic polynomials; rigorous.

Everything is rational: the stationary law by the elimination of Grassmann, Taksar and Heyman
(1985), which never subtracts; the characteristic polynomial by Faddeev's and LeVerrier's recursion;
its eigenvalue 1, divided out once; and the largest root of the rest by Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from gmpy2 import mpq

from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError, Span, hull, or_nothing
from ..opinion import second_opinion

_Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]
# gmpy2's rationals, which have no types: their long numbers are reduced much faster.
_Rows: TypeAlias = list[list[mpq]]
# From the leading coefficient down.
_Polynomial: TypeAlias = list[mpq]

# The recursion's fractions grow with each step; larger chains are left to the first engine.
_MAX_STATES = 12
# Newton's steps from 1 to a simple root: its distance falls at first by a factor of 1 - 1/degree.
_MAX_STEPS = 4_096
_SPARE_BITS = 16


@second_opinion("pufferfish.stationary_minimum", engine="mpfr", rigorous=True)
def stationary_minimum(bits: int, P: _Matrix) -> Enclosure:  # noqa: ARG001
    """Return the least entry of the stationary law, exactly."""
    return Enclosure.of(min(stationary_law(P)))


@second_opinion("pufferfish.eigengap", engine="mpfr", rigorous=True)
@or_nothing
def eigengap(bits: int, P: _Matrix) -> Enclosure:
    """Enclose 1 less the largest root of what is left of P P*'s polynomial; rigorous."""
    rows = _reachable_size(_rationals(P))
    law, size = _law(rows), range(len(rows))
    back = [[law[y] * rows[y][x] / law[x] for y in size] for x in size]
    low, high = _largest_root(_without_one(characteristic(_product(rows, back))), bits)
    return _span(1 - high, 1 - low, bits)


@second_opinion("pufferfish.eigengap_reversible", engine="mpfr", rigorous=True)
@or_nothing
def eigengap_reversible(bits: int, P: _Matrix) -> Enclosure:
    """Enclose 2 less twice the largest modulus of a root of what is left of P's polynomial."""
    rest = _without_one(characteristic(_reachable_size(_rationals(P))))
    mirrored = [c if at % 2 == 0 else -c for at, c in enumerate(rest)]
    low, high = map(max, zip(_largest_root(rest, bits), _largest_root(mirrored, bits), strict=True))
    return _span(2 * (1 - high), 2 * (1 - low), bits)


def _span(low: Fraction, high: Fraction, bits: int) -> Enclosure:
    if low == high:
        return Enclosure.of(low)
    return hull(Span.of(low, bits), Span.of(high, bits)).enclosure()


def _reachable_size(rows: _Rows) -> _Rows:
    if len(rows) > _MAX_STATES:
        raise OutOfReachError
    return rows


def stationary_law(P: _Matrix) -> tuple[Fraction, ...]:
    """Return the stationary law of an irreducible chain, by censoring its last state in turn."""
    return tuple(map(_fraction, _law(_rationals(P))))


def _rationals(P: _Matrix) -> _Rows:
    return [[mpq(entry.numerator, entry.denominator) for entry in row] for row in P]


def _fraction(value: mpq) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def _law(P: _Rows) -> list[mpq]:
    rows = [list(row) for row in P]
    for last in range(len(rows) - 1, 0, -1):
        check_budget()
        leaving = sum(rows[last][:last])
        for x in range(last):
            rows[x][last] /= leaving
            for y in range(last):
                rows[x][y] += rows[x][last] * rows[last][y]
    weights = [mpq(1)]
    for last in range(1, len(rows)):
        weights.append(sum(weights[x] * rows[x][last] for x in range(last)))
    total = sum(weights)
    return [weight / total for weight in weights]


def _product(first: _Rows, second: _Rows) -> _Rows:
    columns = list(zip(*second, strict=True))
    return [[_inner_product(row, column) for column in columns] for row in first]


def _inner_product(first: Sequence[mpq], second: Sequence[mpq]) -> mpq:
    check_budget()
    return sum(a * b for a, b in zip(first, second, strict=True))


def characteristic(rows: _Rows) -> _Polynomial:
    """Return the characteristic polynomial, det(x - A)."""
    size = range(len(rows))
    found, power = [mpq(1)], [[mpq(x == y) for y in size] for x in size]
    for step in range(1, len(rows) + 1):
        power = _product(rows, power)
        found.append(-sum(power[x][x] for x in size) / step)
        for x in size:
            power[x][x] += found[-1]
    return found


def _without_one(polynomial: _Polynomial) -> _Polynomial:
    """Return the polynomial divided by x - 1, which must be a factor."""
    quotient = [polynomial[0]]
    for coefficient in polynomial[1:]:
        quotient.append(quotient[-1] + coefficient)
    if quotient.pop() != 0:
        raise ArithmeticError("1 is an eigenvalue of every stochastic matrix")
    return quotient


def _largest_root(polynomial: _Polynomial, bits: int) -> tuple[Fraction, Fraction]:
    """Return bounds on the largest root of a polynomial whose roots are real and at most 1.

    With m roots below x, q'/q = sum of 1/(x - root) there, which is at least one of its terms and
    at most m times the largest: x - m q/q' <= root <= x - q/q'. Newton's method approaches from
    above, and rounding up keeps it there.
    """
    simple = _divided(polynomial, _common(polynomial, _derivative(polynomial)))
    low, high = map(_fraction, _bounds(simple, bits))
    return low, high


def _bounds(simple: _Polynomial, bits: int) -> tuple[mpq, mpq]:
    """Return bounds on the largest root of such a polynomial without multiple roots."""
    x, slope = mpq(1), _derivative(simple)
    precision, degree = bits + _SPARE_BITS, len(simple) - 1
    for _ in range(_MAX_STEPS):
        check_budget()
        value = _at(simple, x)
        if value == 0:
            return x, x
        step = value / _at(slope, x)
        if degree == 1:
            return x - step, x - step
        rounded = mpq(-((step - x) * 2**precision // 1), 2**precision)
        if degree * step * 2**bits <= 1 - x or rounded >= x:
            return x - degree * step, x - step
        x = rounded
    raise OutOfReachError


def _at(polynomial: _Polynomial, x: mpq) -> mpq:
    value = mpq(0)
    for coefficient in polynomial:
        check_budget()
        value = value * x + coefficient
    return value


def _derivative(polynomial: _Polynomial) -> _Polynomial:
    degree = len(polynomial) - 1
    return [coefficient * (degree - at) for at, coefficient in enumerate(polynomial[:-1])]


def _common(first: _Polynomial, second: _Polynomial) -> _Polynomial:
    """Return the greatest common divisor, with leading coefficient 1."""
    while second:
        _, rest = _division(first, second)
        first, second = [c / second[0] for c in second], rest
    return first


def _divided(first: _Polynomial, second: _Polynomial) -> _Polynomial:
    return _division(first, second)[0]


def _division(first: _Polynomial, second: _Polynomial) -> tuple[_Polynomial, _Polynomial]:
    """Return quotient and remainder, the latter without leading zeros."""
    rest, quotient = list(first), []
    while len(rest) >= len(second):
        factor = rest[0] / second[0]
        quotient.append(factor)
        for at, coefficient in enumerate(second):
            check_budget()
            rest[at] -= factor * coefficient
        rest.pop(0)
    while rest and rest[0] == 0:
        rest.pop(0)
    return quotient, rest
