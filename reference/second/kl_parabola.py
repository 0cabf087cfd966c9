"""The parabola on which the tail of the divergence is inverted, and the integrand on it.

z = focus - (s - i t)^2, t real, goes around [focus, inf). Its size is what goes with the precision
(Weideman and Trefethen 2007), which needs few nodes; but around z_max, if that is too near to 0, it
goes through the saddle of F(z) = e^(-eta z) M(z)/z, its nodes first as far apart as F is wide.
Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ..precision import check_budget
from .directed import OutOfReachError, Span
from .kl_chernoff import LogMoment
from .nearest import as_fraction, log_gamma, number, working
from .stirling import Stirling
from .trigamma import trigamma

_NATS_PER_BIT = math.log(2)
_SPARE_BITS = 24
# An error of e^(-2 pi N/3) takes N nodes that are 3 s/N apart, and eta s^2 = pi N/12; left of the
# focus no pole may be within 16 s^2. The first step is nearly twice that: half of the bits, and
# some for M's own size.
_NODES_PER_BIT, _SIZE_PER_NODE = 3 * _NATS_PER_BIT / (2 * math.pi), math.pi / 12
_FIRST_STEP, _STAYS_OFF = 5.5, 16
# The saddle is looked for over powers of 2 in so many doublings of the exponent and halvings.
_DOUBLINGS, _HALVINGS = 14, 20


class Parabola(NamedTuple):
    """Focus, s, a first step and F's bits at the crossing; the bits of P that 1 - P hides."""

    focus: Fraction
    s: mpfr
    step: mpfr
    risen: int = 0
    around_zero: bool = False
    lost: int = 0


def parabola(law: LogMoment, bits: int, look: int) -> Parabola:
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


def _around_the_others(law: LogMoment, z: Fraction, bits: int, look: int) -> Parabola:
    """Return the parabola around z_max: far from 0 that of its own size, else through z."""
    sized = _sized(law, law.limit, bits, look)
    with working(look):
        if sized.s**2 * _STAYS_OFF < number(law.limit):
            return sized
        s = gmpy2.sqrt(number(law.limit - z))
        width = 1 / (2 * s * gmpy2.sqrt(_curvature(law, z, look)))
    return Parabola(law.limit, s, width)


def _sized(law: LogMoment, focus: Fraction, bits: int, look: int) -> Parabola:
    """Return the parabola of the size that goes with so many bits."""
    nodes = (bits + _SPARE_BITS) * _NODES_PER_BIT
    size = nodes * _SIZE_PER_NODE
    with working(look):
        s = gmpy2.sqrt(number(Fraction(size) / law.eta))
        step = s * mpfr(_FIRST_STEP / nodes)
    return Parabola(focus, s, step, risen=int(size / _NATS_PER_BIT) + 1)


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


def integrand(law: LogMoment, focus: Fraction, s: mpfr, bits: int) -> Callable[[mpfr], mpc]:
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
