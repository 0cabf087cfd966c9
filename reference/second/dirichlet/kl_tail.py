"""Second opinions on the tail of the divergence, and on its Chernoff bound.

The tail is P(KL > eta) = 1/(2 pi i) * integral of F(z) = e^(-eta z) M(z)/z over the parabola around
[z_max, inf), or 1 plus the same around the pole 0, which is minus P(KL <= eta). The trapezoid rule,
its step halved until little changes; rounded to nearest, not rigorous.

The parabola z = focus - (s - i t)^2, t real, goes around [focus, inf). Its size is what goes with
the precision (Weideman and Trefethen 2007), which needs few nodes; but around z_max, if that is too
near to 0, it goes through the saddle of F(z), its nodes first as far apart as F is wide.

The Chernoff bound is rigorous, by MPFR: log M(z) from log Gamma at arguments that are 1 larger, at
a point that two proved signs of the derivative hold the minimum close to; the tangent there bounds
the minimum from below.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError, Span, hull, or_nothing, sharpened
from ..gamma import trigamma
from ..nearest import (
    MAX_BITS,
    Stirling,
    as_fraction,
    binary_exponent,
    log_gamma,
    number,
    widened,
    working,
)
from ..opinion import second_opinion
from ..roots import bracketed
from .series import log_of

_LOOK_BITS, _SPARE_BITS = 64, 24
# The reach of a contour, in units of 1/eta, for the size of the numbers on it.
_NATS = 256
# The first step is halved so often at most.
_MOST_REFINEMENTS, _MOST_NODES = 14, 200_000
# The second value comes from a contour that crosses elsewhere, by this share of s.
_ELSEWHERE, _MORE_BITS = Fraction(7, 8), 32


@second_opinion("dirichlet.utility.kl_tail", engine="mpmath", rigorous=False)
@or_nothing
def kl_tail(
    bits: int, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
) -> Enclosure:
    """Enclose P(KL(p || y) > eta), y of Dirichlet(beta p + alpha); not rigorous."""
    law = LogMoment(p, beta, alpha, eta)
    if law.count == 1 or eta == 0:
        return Enclosure.of(Fraction(0 if law.count == 1 else 1))
    size = _bits_before_the_point(law)
    if bits + 2 * size > MAX_BITS:
        raise OutOfReachError
    path = parabola(law, bits, _LOOK_BITS + 2 * size)
    other = path._replace(s=_scaled(path.s, _ELSEWHERE))
    first = _chance(law, path, bits, size)
    second = _chance(law, other, bits + _MORE_BITS, size)
    return widened(first, second, bits, Fraction(1))


def _bits_before_the_point(law: LogMoment) -> int:
    """Return how many bits the terms of log M and eta z have before their points."""
    size = int(law.total * (1 + law.eta) + _NATS / law.eta).bit_length()
    return size + size.bit_length()


def _scaled(value: mpfr, share: Fraction) -> mpfr:
    with working(value.precision):
        return value * number(share)


def _chance(law: LogMoment, path: _Parabola, bits: int, size: int) -> mpfr:
    """Return the chance by one parabola."""
    deep = bits + path.lost + path.risen
    precision = deep + size + _SPARE_BITS
    with working(precision):
        value = _integrand(law, path.focus, path.s, precision)
        if not path.around_zero:
            return _integral(value, path.step, bits, deep)
        return 1 + _integral(value, path.step, bits + path.lost, deep, beside_one=True)


def _integral(
    value: Callable[[mpfr], mpc], step: mpfr, bits: int, deep: int, *, beside_one: bool = False
) -> mpfr:
    """Return the integral over t > 0 of the imaginary part, by ever finer trapezoid rules.

    To so many bits of itself, or of 1; nodes matter down to 2^-deep of the largest. Each halving
    doubles the number of correct bits, so half of them are enough to stop.
    """
    total = value(mpfr(0)).imag / 2 + _sum(value, step, step, deep)
    found = step * total
    for _ in range(_MOST_REFINEMENTS):
        total += _sum(value, step / 2, step, deep)
        step, before, found = step / 2, found, step / 2 * total
        scale = 0 if beside_one else binary_exponent(found)
        if binary_exponent(found - before) < scale - bits // 2 - _SPARE_BITS:
            return found
    raise OutOfReachError


def _sum(value: Callable[[mpfr], mpc], start: mpfr, step: mpfr, bits: int) -> mpfr:
    """Return the sum of imaginary parts at start, start + step, ... while they matter."""
    total, largest = mpfr(0), None
    for j in range(_MOST_NODES):
        term = value(start + j * step)
        total += term.imag
        size = binary_exponent(term)
        largest = size if largest is None else max(largest, size)
        if size < largest - bits - _SPARE_BITS:
            return total
    raise OutOfReachError


_ANY_PROBABILITY = Enclosure(Dyadic(0), Dyadic(1))


class LogMoment:
    """log M(z) - eta z and its derivative, M(z) = E e^(z KL), y of Dirichlet(beta p + alpha)."""

    def __init__(
        self, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
    ) -> None:
        self.shares = Counter(share for share in p if share)
        self.count = len(p) if alpha else self.shares.total()
        self.total = beta + self.count * alpha
        self.beta, self.alpha, self.eta = beta, alpha, eta
        self.limit = beta + alpha / max(self.shares)

    def value(self, z: Fraction, bits: int) -> Span:
        """Enclose the logarithm at 0 <= z < limit."""
        total = self._gamma_ratio(self.total, self.total - z, bits) - Span.of(self.eta * z, bits)
        for share, times in self.shares.items():
            b = self.beta * share + self.alpha
            entropy = Span.of(z * share, bits) * log_of(share, bits)
            part = entropy - self._gamma_ratio(b, b - z * share, bits)
            total = total + Span.of(times, bits) * part
        return total

    @staticmethod
    def _gamma_ratio(top: Fraction, bottom: Fraction, bits: int) -> Span:
        """Enclose log(Gamma(top)/Gamma(bottom)) as that of Gamma(x+1)/x."""
        gammas = Span.of(top + 1, bits).lgamma() - Span.of(bottom + 1, bits).lgamma()
        return gammas - log_of(top / bottom, bits)

    def slope(self, z: Fraction, bits: int) -> Span:
        """Enclose the derivative, which increases."""
        total = self._digamma(self.total - z, bits) - Span.of(self.eta, bits)
        for share, times in self.shares.items():
            argument = self.beta * share + self.alpha - z * share
            part = log_of(share, bits) - self._digamma(argument, bits)
            total = total + Span.of(times * share, bits) * part
        return total

    @staticmethod
    def _digamma(x: Fraction, bits: int) -> Span:
        return Span.of(x + 1, bits).digamma() - Span.of(1 / x, bits)


@second_opinion("dirichlet.utility.kl_chernoff", engine="mpfr", rigorous=True)
@or_nothing
def kl_chernoff(
    bits: int, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
) -> Enclosure:
    """Enclose the least E e^(z (KL - eta)) over z >= 0; rigorous."""
    moment = LogMoment(p, beta, alpha, eta)
    if moment.count == 1 or eta == 0:
        return Enclosure.of(Fraction(0 if eta else 1))
    at_mean = sharpened(bits, lambda precision: moment.slope(Fraction(0), precision)).sign
    if at_mean >= 0:
        return Enclosure.of(Fraction(1)) if at_mean else _ANY_PROBABILITY
    return _least(moment, bits)


def _least(moment: LogMoment, bits: int) -> Enclosure:
    """Enclose the minimum between the two points where the slope's sign is proved."""

    def place(odds: Fraction) -> Fraction:
        return moment.limit * odds / (1 + odds)

    def slope(odds: Fraction, precision: int) -> Span:
        return sharpened(precision, lambda more: moment.slope(place(odds), more))

    found = bracketed(slope, Fraction(1), bits)
    if found.low is None or found.high is None:
        return _ANY_PROBABILITY
    low, high = place(found.low), place(found.high)

    def logarithm(precision: int) -> Span:
        drop = moment.slope(low, precision) * Span.of(high - low, precision)
        return moment.value(low, precision) + hull(drop, Span.of(0, precision))

    size = int(abs(logarithm(64).middle)).bit_length()
    return sharpened(bits + size, logarithm).exp_enclosure()


_NATS_PER_BIT = math.log(2)
# An error of e^(-2 pi N/3) takes N nodes that are 3 s/N apart, and eta s^2 = pi N/12; left of the
# focus no pole may be within 16 s^2. The first step is nearly twice that: half of the bits, and
# some for M's own size.
_NODES_PER_BIT, _SIZE_PER_NODE = 3 * _NATS_PER_BIT / (2 * math.pi), math.pi / 12
_FIRST_STEP, _STAYS_OFF = 5.5, 16
# The saddle is looked for over powers of 2 in so many doublings of the exponent and halvings.
_DOUBLINGS, _HALVINGS = 14, 20


class _Parabola(NamedTuple):
    """Focus, s, a first step and F's bits at the crossing; the bits of P that 1 - P hides."""

    focus: Fraction
    s: mpfr
    step: mpfr
    risen: int = 0
    around_zero: bool = False
    lost: int = 0


def parabola(law: LogMoment, bits: int, look: int) -> _Parabola:
    """Return the parabola around 0, unless that would hide more than half of the bits of P.

    ``look`` is a precision at which log M and its slope have some digits.
    """
    lost = 0
    if law.slope(Fraction(0), look).sign < 0:
        with working(look):
            z = _saddle(law, look)
        lost = int(-law.value(z, look).middle / _NATS_PER_BIT) + _SPARE_BITS
        if 2 * lost > bits:
            return _around_the_others(law, z, bits, look)
    return _sized(law, Fraction(0), bits + lost, look)._replace(around_zero=True, lost=lost)


def _around_the_others(law: LogMoment, z: Fraction, bits: int, look: int) -> _Parabola:
    """Return the parabola around z_max: far from 0 that of its own size, else through z."""
    sized = _sized(law, law.limit, bits, look)
    with working(look):
        if sized.s**2 * _STAYS_OFF < number(law.limit):
            return sized
        s = gmpy2.sqrt(number(law.limit - z))
        width = 1 / (2 * s * gmpy2.sqrt(_curvature(law, z, look)))
    return _Parabola(law.limit, s, width)


def _sized(law: LogMoment, focus: Fraction, bits: int, look: int) -> _Parabola:
    """Return the parabola of the size that goes with so many bits."""
    nodes = (bits + _SPARE_BITS) * _NODES_PER_BIT
    size = nodes * _SIZE_PER_NODE
    with working(look):
        s = gmpy2.sqrt(number(Fraction(size) / law.eta))
        step = s * mpfr(_FIRST_STEP / nodes)
    return _Parabola(focus, s, step, risen=int(size / _NATS_PER_BIT) + 1)


def _saddle(law: LogMoment, bits: int) -> Fraction:
    """Return about where |F| is least between 0 and z_max."""

    def place(odds: mpfr) -> Fraction:
        exact = as_fraction(odds)
        return law.limit * exact / (1 + exact)

    def is_beyond(exponent: mpfr) -> bool:
        check_budget()
        z = place(gmpy2.exp2(exponent))
        return (law.slope(z, bits) - Span.of(1 / z, bits)).sign > 0

    return place(gmpy2.exp2(_turn(is_beyond)))


def _turn(is_beyond: Callable[[mpfr], bool]) -> mpfr:
    """Return about where an increasing function changes sign."""
    beyond = is_beyond(mpfr(0))
    near, far = mpfr(0), mpfr(-1 if beyond else 1)
    for _ in range(_DOUBLINGS):
        if is_beyond(far) != beyond:
            break
        near, far = far, 2 * far
    else:
        raise OutOfReachError
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (middle, far) if is_beyond(middle) == beyond else (near, middle)
    return (near + far) / 2


def _curvature(law: LogMoment, z: Fraction, bits: int) -> mpfr:
    """Return about the second derivative of log |F| at a real point."""
    total = Span.of(1 / z**2, bits) - trigamma(law.total - z, bits)
    for share, times in law.shares.items():
        part = trigamma(law.beta * share + law.alpha - z * share, bits)
        total = total + Span.of(times * share**2, bits) * part
    return +total.high


def _integrand(law: LogMoment, focus: Fraction, s: mpfr, bits: int) -> Callable[[mpfr], mpc]:
    """Return t -> F dz/dt on the parabola, over pi i, in the context of ``bits`` bits."""
    gamma, start, pi = Gammas(bits), number(focus), gmpy2.const_pi()
    total, constant = number(law.total), log_gamma(law.total, bits)
    rate, parts = -number(law.eta), []
    for share, times in law.shares.items():
        x, b = number(share), law.beta * share + law.alpha
        parts.append((x, number(b), times))
        constant -= times * log_gamma(b, bits)
        rate += times * x * gmpy2.log(x)

    def value(t: mpfr) -> mpc:
        check_budget()
        w = mpc(s, -t)
        z = start - w * w
        logarithm = constant + z * rate - gamma.logarithm(total - z)
        for x, b, times in parts:
            logarithm += times * gamma.logarithm(b - x * z)
        return gmpy2.exp(logarithm) * mpc(0, 2) * w / (z * pi)

    return value


class Gammas:
    """log Gamma on and below the real axis, but for a multiple of 2 pi i, at one precision."""

    def __init__(self, bits: int) -> None:
        """Work out what does not depend on the point, in the context of so many bits."""
        self._stirling = Stirling(bits)
        self._pi = gmpy2.const_pi()
        self._reflected = mpc(gmpy2.log(2 * self._pi), self._pi / 2)

    def logarithm(self, point: mpc) -> mpc:
        """Return log Gamma(x); left of the imaginary axis by Gamma(x) Gamma(1-x) sin(pi x) = pi."""
        if not point.real < 0:
            return self._to_the_right(point)
        turn = mpc(0, -self._pi) * point
        sine = gmpy2.log(1 - gmpy2.exp(2 * turn))
        return self._reflected + turn - sine - self._to_the_right(1 - point)

    def _to_the_right(self, point: mpc) -> mpc:
        moved, product = self._stirling.parts(point)
        return moved - gmpy2.log(product)
