"""The chance that a Dirichlet draw misses a good set, by inversion of a Laplace transform.

For x ~ Dirichlet(a_1, ..., a_w, rest), k the sum of all parameters, and a contour from
e^(-i pi) infinity to e^(i pi) infinity around the origin,

    P(some x_i < gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k (1 - prod Q(a_i, gamma s)) ds,
    P(all x_i >= gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k prod Q(a_i, gamma s) ds.

P(a, z) = z^a e^-z / Gamma(a+1) * (1 + z/(a+1) + z^2/((a+1)(a+2)) + ...) (DLMF 8.7.1) is summed by
Horner's rule: the coefficients know nothing of z and serve every node of a contour. Where that
would be long, or cancel, Legendre's continued fraction gives Q (DLMF 8.9.2) by Lentz's method as
modified by Thompson and Barnett 1986.

On the positive axis either integrand has one minimum: s^-k F(s) is the Laplace transform of a
positive function, whose logarithm is convex. The contour s(u) = sigma + r (1 - cosh u) + i r sinh u
passes through that saddle sigma, and r = 3 sigma/2 gives it there the curvature of the path of
steepest descent of e^s s^-k. Far out the integrand falls like e^((1 - w gamma) Re s), doubly
exponentially in u; so the trapezoid rule converges exponentially, for small and large k. The
conjugate half is left out. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ...precision import check_budget
from .. import trapezoid
from ..directed import OutOfReachError
from ..nearest import binary_exponent, bits_agreed, inverse, log_gamma, number, working

# At 128 bits so many terms take 50 ms a node; a parameter that needs more is out of reach.
_MAX_TERMS = 250_000
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


class _Shares(NamedTuple):
    """P, Q = 1 - P and z dP/dz at a point, or, scaled, no P, e^z Q and e^z z dP/dz."""

    lower: mpc
    upper: mpc
    density: mpc


@dataclass(frozen=True)
class _Table:
    """The coefficients that depend on the parameter and the precision alone."""

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

    def shares(self, point: mpc, bits: int, scaled: bool) -> _Shares:
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
            return _Shares(mpc(0), found.upper * growth, found.density * growth)

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

    def _by_series(self, point: mpc, bits: int) -> _Shares:
        rounded = _rounded(bits)
        with working(rounded):
            table = self._table(rounded)
            count = self._terms_needed(table, abs(point), bits)
            total = mpc(table.coefficients[count])
            for coefficient in reversed(table.coefficients[:count]):
                total = total * point + coefficient
            front = table.front(point, point)
            lower = front * total
            return _Shares(lower, 1 - lower, front * table.parameter)

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
        if len(known) > _MAX_TERMS:
            raise OutOfReachError
        check_budget()
        for _ in range(_BLOCK):
            known.append(known[-1] / (table.parameter + len(known)))

    def _by_fraction(self, point: mpc, bits: int, scaled: bool) -> _Shares:
        """Take Q = density / (z+1-a - 1(1-a)/(z+3-a - 2(2-a)/(z+5-a - ...)))."""
        rounded = _rounded(bits + _GUARD_BITS)
        with working(rounded):
            table = self._table(rounded)
            front = table.front(point, mpc(0) if scaled else point)
            density = front * table.parameter
            upper = density * inverse(_legendre(table.parameter, point, bits))
            return _Shares(mpc(0) if scaled else 1 - upper, upper, density)


def _rounded(bits: int) -> int:
    return -(-bits // _BITS_APART) * _BITS_APART


def _legendre(alpha: mpfr, point: mpc, bits: int) -> mpc:
    """Return z+1-a - 1(1-a)/(z+3-a - 2(2-a)/(z+5-a - ...))."""
    part = found = ahead = point + 1 - alpha
    behind = mpc(0)
    for n in range(1, _MAX_TERMS):
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

    def shares(self, point: mpc, bits: int, scaled: bool) -> _Shares:
        """Return 1 - prod Q(a_i, z), prod Q(a_i, z) and z times the former's derivative.

        Or, ``scaled``, no number and the other two times e^(w z). Each different parameter is
        evaluated once.
        """
        found: _Shares | None = None
        for law, count in self._laws:
            check_budget()
            several = _repeated(law.shares(point, bits, scaled), count)
            found = several if found is None else _either(found, several)
        if found is None:
            raise ValueError("no coordinate is protected")
        return found


def _either(first: _Shares, second: _Shares) -> _Shares:
    """Return 1 - Q_1 Q_2 = P_1 + Q_1 P_2, which does not cancel where both P are small."""
    return _Shares(
        first.lower + first.upper * second.lower,
        first.upper * second.upper,
        first.density * second.upper + first.upper * second.density,
    )


def _repeated(one: _Shares, count: int) -> _Shares:
    """Return 1 - Q^n and the rest by doubling, n at least 1."""
    result, square, left = one, one, count - 1
    while left:
        if left & 1:
            result = _either(result, square)
        left >>= 1
        square = _either(square, square) if left else square
    return result


# Closer to w gamma = 1 than this the integral for P has two scales, and that for 1 - P is the
# better one even if it hides so many bits of P.
NARROW_SLACK = Fraction(1, 1 << 10)
BITS_HIDDEN = 32

# What some hundred nodes lose; the exponents' own sizes are added to it.
_CONTOUR_GUARD_BITS = 24
# A sum that loses more than this is taken again at a higher precision.
_BITS_TO_LOSE = 12
# A saddle closer to the origin than this part of the precision in nats is passed further out.
_LEAST_SADDLE = 0.03
# r/sigma of one contour and of the other.
_RADII = (1.5, 1.3)
# Nodes per nat of precision: 1/pi on the steepest path of a Gaussian, some 0.9 on a hyperbola far
# from one, measured for k below 15.
_NODES_PER_NAT = 0.4
_MORE_NODES, _SMALL_SIZE = 1.3, 15.0


class Chance(NamedTuple):
    """A probability P, and |gamma dP/dgamma| / P."""

    value: mpfr
    elasticity: mpfr


class Inversion:
    """The integral over contours through the saddle, to about ``bits`` bits."""

    def __init__(self, integrand: Integrand, bits: int) -> None:
        self._integrand, self._bits = integrand, bits
        small = 1 / (1 + integrand.size / _SMALL_SIZE)
        self._nodes = _NODES_PER_NAT * (1 + _MORE_NODES * small) * trapezoid.NATS_PER_BIT * bits

    def two_chances(self) -> tuple[Chance, Chance]:
        """Return the probability by two contours, precisions and numbers of nodes.

        They agree to about ``bits`` bits. Raises OutOfReachError where they do not.
        """

        def agreement(first: Chance, second: Chance) -> int:
            return bits_agreed(first.value, second.value)

        return trapezoid.two_that_agree(self._chance, agreement, self._bits)

    def rough_chance(self) -> Chance:
        """Return the probability by one contour alone."""
        return self._chance(0, 1.0)

    @cached_property
    def _saddle(self) -> float:
        return self._integrand.saddle(_LEAST_SADDLE * trapezoid.NATS_PER_BIT * self._bits)

    @cached_property
    def _guard(self) -> int:
        """Bits for the exponents, and for the sum's roundings."""
        sizes = self._saddle + self._integrand.size * abs(math.log2(self._saddle))
        return _CONTOUR_GUARD_BITS + max(
            self._integrand.bits_of_exponents, int(math.log2(2 + sizes))
        )

    def _chance(self, which: int, more: float) -> Chance:
        """Return the probability by one of the two contours, with so many times the nodes."""
        radius, nodes = _RADII[which], self._nodes * more * trapezoid.FINER**which
        bits = self._bits + self._guard + trapezoid.BITS_MORE * which
        step = trapezoid.step_for(self._reach(radius), nodes)
        found, lost = self._summed(radius, step, bits)
        if lost > _BITS_TO_LOSE:
            found, _ = self._summed(radius, step, bits + lost)
        return found

    def _reach(self, radius: float) -> float:
        """Return a u from which on the integrand does not matter."""
        bits = self._integrand.search_bits
        start = 1 / math.sqrt(self._integrand.size + 1)
        with working(bits):
            return trapezoid.reach(lambda u: self._values(u, radius, bits), start, self._bits)

    def _values(self, u: mpfr, radius: float, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand and its companion at s(u), times ds/du."""
        check_budget()
        saddle, away = mpfr(self._saddle), mpfr(radius * self._saddle)
        sinh, cosh = gmpy2.sinh_cosh(u)
        point = mpc(saddle + away - away * cosh, away * sinh)
        slope = mpc(-away * sinh, away * cosh)
        value, companion = self._integrand.values(point, saddle, bits)
        return value * slope, companion * slope

    def _summed(self, radius: float, step: mpfr, bits: int) -> tuple[Chance, int]:
        """Return the trapezoid sum, and how many bits it lost to cancellation."""
        sums = trapezoid.sums_until_quiet(lambda u: self._values(u, radius, bits), step, bits)
        with working(bits):
            value = self._front(bits) * step * sums.total
            lost = sums.top - binary_exponent(sums.total)
            return Chance(value, sums.companion / sums.total), lost

    def _front(self, bits: int) -> mpfr:
        """Return Gamma(k)/pi times the exponential at the saddle."""
        saddle, k = mpfr(self._saddle), self._integrand.draw.total
        exponent = self._integrand.rate() * saddle - number(k) * gmpy2.log(saddle)
        return gmpy2.exp(log_gamma(k, bits) + exponent) / gmpy2.const_pi()


_SEARCH_BITS = 64
# The saddle is found to this part of its width, in so many steps at most.
_SADDLE_WIDTH = 0.02
_MOST_PROBES = 80
_BISECTED_EVERY = 3


@dataclass(frozen=True)
class Threshold:
    """gamma, and 1 - w gamma, which need not be what rounding leaves of it."""

    gamma: Fraction | mpfr
    slack: Fraction | mpfr

    @classmethod
    def at(cls, gamma: Fraction, draw: Draw) -> Threshold:
        """Return the exact threshold, w gamma < 1."""
        return cls(gamma, 1 - draw.count * gamma)


class Integrand:
    """e^s s^-k (1 - prod Q), or e^s s^-k prod Q for the chance that all ``survive``."""

    def __init__(self, draw: Draw, threshold: Threshold, survive: bool) -> None:
        self.draw, self.threshold, self.survive = draw, threshold, survive
        self.size = float(draw.total)
        self.slack = float(threshold.slack)
        if self.slack <= 0:
            raise OutOfReachError
        # Without the factor e^(w z) the exponents e^s and e^(-w z) nearly cancel.
        cancelling = 0 if survive else -math.log2(self.slack)
        self.search_bits = _SEARCH_BITS + int(cancelling)

    @cached_property
    def bits_of_exponents(self) -> int:
        """How many bits the integrand's exponents have before the binary point, at the saddle."""
        with working(_SEARCH_BITS):
            below = abs(float(gmpy2.log2(number(self.threshold.gamma))))
        return int(math.log2(2 + self.size * (1 + below)))

    def values(self, point: mpc, saddle: mpfr, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand over its exponential at the saddle, and that with z dF/dz for F.

        F is 1 - prod Q or prod Q; the sign of its derivative is left out.
        """
        found = self._shares(point, bits)
        way, rate = point - saddle, self.rate()
        weight = gmpy2.exp(rate * way - number(self.draw.total) * gmpy2.log(point / saddle))
        chance = found.upper if self.survive else found.lower
        return weight * chance, weight * found.density

    def rate(self) -> mpfr:
        """Return the exponent's factor of s: a scaled prod Q has e^(w gamma s) in it."""
        return number(self.threshold.slack) if self.survive else mpfr(1)

    def _shares(self, point: mpc, bits: int) -> _Shares:
        return self.draw.shares(number(self.threshold.gamma) * point, bits, self.survive)

    def saddle(self, least: float) -> float:
        """Return the minimum on the positive axis, or ``least`` if that is further right.

        At the minimum sigma - k + z F'/F = 0, z = gamma sigma; 0 < z F'/F for F = 1 - prod Q, and
        -z F'/F < w z + sum of (1 - a_i)+ for F = prod Q.
        """
        low, high = least, self.size
        if self.survive:
            groups = self.draw.groups.items()
            spare = sum(count * max(0.0, 1 - float(alpha)) for alpha, count in groups)
            low = max(self.size, least / self.slack)
            high = (self.size + spare) / self.slack
        return self._where_it_turns(low, high) if low < high else low

    def _where_it_turns(self, low: float, high: float) -> float:
        """Return where the pull changes sign; regula falsi by the Illinois rule, and bisection."""
        left, right = self._pull(low), self._pull(high)
        if left >= 0:
            return low
        width, side = _SADDLE_WIDTH / math.sqrt(self.size + 1), 0
        for probe in range(_MOST_PROBES):
            if high - low <= width * low:
                break
            by_value = right > left and probe % _BISECTED_EVERY
            middle = low + (high - low) * (left / (left - right) if by_value else 0.5)
            value = self._pull(middle)
            if value < 0:
                right = right / 2 if side < 0 else right
                low, left, side = middle, value, -1
            else:
                left = left / 2 if side > 0 else left
                high, right, side = middle, value, 1
        return (low + high) / 2

    def _pull(self, sigma: float) -> float:
        """Return sigma times the derivative of log(e^sigma sigma^-k F(gamma sigma))."""
        with working(self.search_bits):
            found = self._shares(mpc(sigma), self.search_bits)
            whole = -found.upper if self.survive else found.lower
            return float(mpfr(sigma) - number(self.draw.total) + (found.density / whole).real)
