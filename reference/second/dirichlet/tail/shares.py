"""The regularised incomplete gammas P(a, z) and Q(a, z) at complex z, many z for one a.

P = z^a e^-z / Gamma(a+1) * (1 + z/(a+1) + z^2/((a+1)(a+2)) + ...) (DLMF 8.7.1) is summed by
Horner's rule: the coefficients know nothing of z and serve every node of a contour. Where that
would be long, or cancel, Legendre's continued fraction gives Q (DLMF 8.9.2) by Lentz's method as
modified by Thompson and Barnett 1986. Rounded to nearest; not rigorous.

The protected coordinates of a Dirichlet draw, seen as gamma variables at complex points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ....precision import check_budget
from ...directed import OutOfReachError
from ...nearest import binary_exponent, inverse, log_gamma, number, working

# At 128 bits so many terms take 50 ms a node; a parameter that needs more is out of reach.
MAX_TERMS = 250_000
# Coefficients are kept for precisions that are multiples of this, and come in blocks.
_BITS_APART = 64
_BLOCK = 64
# Roundings of a sum, and of the fraction's last factor.
_GUARD_BITS = 10
_BITS_PER_NAT = 1.4427
# The fraction is the faster one from |z| = a + 4 sqrt(a) + bits/2 on, and beyond |z| = a where the
# series would lose bits/2 bits; it converges everywhere off the negative axis. A matter of speed.
_FRACTION_FROM_DEVIATIONS = 4
_FRACTION_FROM_BITS = 0.5


class Shares(NamedTuple):
    """P, Q = 1 - P and z dP/dz at a point, or, scaled, no P, e^z Q and e^z z dP/dz."""

    lower: mpc
    upper: mpc
    density: mpc


@dataclass(frozen=True)
class _Table:
    """What depends on the parameter and the precision alone."""

    parameter: mpfr
    log_scale: mpfr  # log Gamma(a+1)
    coefficients: list[mpfr]  # 1/(a+1)_n, more of them as they are needed

    def front(self, point: mpc, fall: mpc) -> mpc:
        """Return z^a e^-fall / Gamma(a+1)."""
        return gmpy2.exp(self.parameter * gmpy2.log(point) - fall - self.log_scale)


class GammaLaw:
    """The gamma distribution with one parameter; it keeps its tables for the points to come."""

    def __init__(self, alpha: Fraction) -> None:
        self._alpha = alpha
        self._size = float(alpha)
        # Q is about a E_1(z) for a tiny a: 1 - P loses so many bits.
        self._hidden = alpha.denominator.bit_length() - alpha.numerator.bit_length()
        self._tables: dict[int, _Table] = {}

    def shares(self, point: mpc, bits: int, scaled: bool) -> Shares:
        """Return P, Q and the density at a point off the negative axis, to about ``bits`` bits.

        Q has them only where it is not small, P always. With ``scaled``, Q and the density come
        multiplied by e^z, which leaves no large exponents, and Q has them always.
        """
        modulus, lost = float(abs(point)), 0.0
        if modulus > self._size:
            lost = _BITS_PER_NAT * (modulus - float(point.real))
            if self._is_for_fraction(modulus, lost, bits):
                return self._by_fraction(point, bits, scaled)
        needed = bits + int(lost)
        work = needed + _GUARD_BITS + (max(0, self._hidden) if scaled else 0)
        found = self._by_series(point, work)
        while scaled and work < needed - binary_exponent(found.upper):
            missing = work if found.upper == 0 else -binary_exponent(found.upper) + _GUARD_BITS
            work = needed + missing
            found = self._by_series(point, work)
        # MPC takes as many bits as 1 + z has to see how e^z rounds.
        if not scaled or binary_exponent(point) < -work:
            return found
        with working(bits + _GUARD_BITS):
            growth = gmpy2.exp(point)
            return Shares(mpc(0), found.upper * growth, found.density * growth)

    def _is_for_fraction(self, modulus: float, lost: float, bits: int) -> bool:
        least = _FRACTION_FROM_BITS * bits
        far = self._size + _FRACTION_FROM_DEVIATIONS * math.sqrt(self._size) + least
        return modulus > far or (modulus > least and lost > least)

    def _table(self, bits: int) -> _Table:
        """Return the tables for the precision of the context, which is ``bits``."""
        table = self._tables.get(bits)
        if table is None:
            scale = log_gamma(self._alpha + 1, bits)
            table = self._tables[bits] = _Table(number(self._alpha), scale, [mpfr(1)])
        return table

    def _by_series(self, point: mpc, bits: int) -> Shares:
        rounded = _rounded(bits)
        with working(rounded):
            table = self._table(rounded)
            count = self._terms_needed(table, abs(point), bits)
            total = mpc(table.coefficients[count])
            for coefficient in reversed(table.coefficients[:count]):
                total = total * point + coefficient
            front = table.front(point, point)
            lower = front * total
            return Shares(lower, 1 - lower, front * table.parameter)

    def _terms_needed(self, table: _Table, modulus: mpfr, bits: int) -> int:
        """Return the first index, past the largest term, of a term below 2**-bits."""
        known, each = table.coefficients, float(gmpy2.log2(modulus))
        low = max(1, int(float(modulus) - self._size))

        def is_small(n: int) -> bool:
            return bool(gmpy2.get_exp(known[n]) + n * each < -bits)

        while len(known) <= low or not is_small(len(known) - 1):
            self._lengthen(table)
        high = len(known) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if is_small(middle) else (middle + 1, high)
        return low

    def _lengthen(self, table: _Table) -> None:
        known = table.coefficients
        if len(known) > MAX_TERMS:
            raise OutOfReachError
        check_budget()
        for _ in range(_BLOCK):
            known.append(known[-1] / (table.parameter + len(known)))

    def _by_fraction(self, point: mpc, bits: int, scaled: bool) -> Shares:
        """Take Q = density / (z+1-a - 1(1-a)/(z+3-a - 2(2-a)/(z+5-a - ...)))."""
        rounded = _rounded(bits + _GUARD_BITS)
        with working(rounded):
            table = self._table(rounded)
            front = table.front(point, mpc(0) if scaled else point)
            density = front * table.parameter
            upper = density * inverse(_legendre(table.parameter, point, bits))
            return Shares(mpc(0) if scaled else 1 - upper, upper, density)


def _rounded(bits: int) -> int:
    return -(-bits // _BITS_APART) * _BITS_APART


def _legendre(alpha: mpfr, point: mpc, bits: int) -> mpc:
    """Return z+1-a - 1(1-a)/(z+3-a - 2(2-a)/(z+5-a - ...))."""
    part = found = ahead = point + 1 - alpha
    behind = mpc(0)
    for n in range(1, MAX_TERMS):
        if n % _BLOCK == 0:
            check_budget()
        part, weight = part + 2, n * (alpha - n)
        behind = inverse(part + weight * behind)
        ahead = part + weight * inverse(ahead)
        change = ahead * behind
        found = found * change
        if binary_exponent(change - 1) < -bits:
            return found
    raise OutOfReachError


class Draw:
    """Protected coordinates: how many have each parameter; ``rest`` is the sum of all others."""

    def __init__(self, groups: Mapping[Fraction, int], rest: Fraction) -> None:
        self.groups = groups
        self._laws = [(GammaLaw(alpha), count) for alpha, count in groups.items()]
        self.count = sum(groups.values())
        self.total = rest + sum((alpha * count for alpha, count in groups.items()), Fraction(0))
        self.is_alone = self.count == 1 and rest == 0

    def shares(self, point: mpc, bits: int, scaled: bool) -> Shares:
        """Return 1 - prod Q(a_i, z), prod Q(a_i, z) and z times the former's derivative.

        Or, ``scaled``, no number and the other two times e^(w z). Each different parameter is
        evaluated once.
        """
        found: Shares | None = None
        for law, count in self._laws:
            check_budget()
            several = _repeated(law.shares(point, bits, scaled), count)
            found = several if found is None else _either(found, several)
        if found is None:
            raise ValueError("no coordinate is protected")
        return found


def _either(first: Shares, second: Shares) -> Shares:
    """Return 1 - Q_1 Q_2 = P_1 + Q_1 P_2, which does not cancel where both P are small."""
    return Shares(
        first.lower + first.upper * second.lower,
        first.upper * second.upper,
        first.density * second.upper + first.upper * second.density,
    )


def _repeated(one: Shares, count: int) -> Shares:
    """Return 1 - Q^n and the rest by doubling, n at least 1."""
    result, square, left = one, one, count - 1
    while left:
        if left & 1:
            result = _either(result, square)
        left >>= 1
        square = _either(square, square) if left else square
    return result
