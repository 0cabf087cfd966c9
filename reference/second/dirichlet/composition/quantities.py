"""Second opinions on independent releases together.

One release alone has the series of positive terms (``series``). Else the first engine's line
becomes a hyperbola with another crossing, and log Gamma a product and Stirling's series, rounded to
nearest: the ends are two values, from two contours, two numbers of nodes and two precisions,
widened by ten times their difference. As an opinion none of them is rigorous.
"""

from __future__ import annotations

from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from ....dyadic import PLUS_INFINITY, Dyadic
from ....enclosure import Enclosure, Trilean
from ...directed import Span, or_nothing
from ...nearest import widened, working
from ...opinion import second_opinion
from .. import profile
from ..series import log_beta
from .contour import Chance, Inversion, is_better_survived
from .level import Level
from .moments import Losses, Release

# Ends are widened by a unit of this many bits fewer than the working precision.
_SPARED_BITS = 8
# Whether epsilon is above 0 is mostly seen at few bits.
_FIRST_BITS = 48
# For the sums and roundings around a release's two log-Betas.
_GUARD_BITS = 32


@second_opinion("dirichlet.composition.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(bits: int, releases: tuple[Release, ...], epsilon: Fraction) -> Enclosure:
    """Enclose the hockey-stick of all releases' losses together; not rigorous."""
    return composed_delta(bits, Losses(releases), epsilon)


@second_opinion("dirichlet.composition.epsilon", engine="mpmath", rigorous=False)
@or_nothing
def epsilon(bits: int, releases: tuple[Release, ...], delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon at which ``composed_delta`` is at most ``delta``; not rigorous.

    Infinite at delta 0, 0 from delta at 0 on, else two roots by Newton's method.
    """
    losses = Losses(releases)
    if losses.single:
        return profile.epsilon(bits, *losses.single, delta)
    if delta == 0:
        return Enclosure.infinite()
    room = _room(bits, losses, delta)
    if room is Trilean.FALSE:
        return Enclosure.of(Fraction(0), bits)
    if room is Trilean.UNKNOWN:
        return Enclosure(Dyadic(0), PLUS_INFINITY)
    with working(bits):
        return Level(losses, delta, bits).epsilon()


def _room(bits: int, losses: Losses, delta: Fraction) -> Trilean:
    """Whether delta at epsilon 0 is above the one that is asked for."""
    if delta == 1:
        return Trilean.FALSE
    first = composed_delta(min(bits, _FIRST_BITS), losses, Fraction(0)).is_above(delta)
    if first is not Trilean.UNKNOWN:
        return first
    return composed_delta(bits, losses, Fraction(0)).is_above(delta)


def composed_delta(bits: int, losses: Losses, epsilon: Fraction) -> Enclosure:
    """Enclose delta, from the smaller of it and 1 - delta; not rigorous.

    Next to 1 a bound that takes no contour is enough.
    """
    if losses.single:
        return profile.delta(bits, *losses.single, epsilon)
    log_rest = _log_affinity(bits, losses) + Span.of(epsilon / 2, bits)
    if log_rest.high < -bits:  # nats, and so more than enough
        return Enclosure((Span.of(1, bits) - log_rest.exp()).enclosure().low, Dyadic(1))
    with working(bits):  # the caller's context is not to be read nor marked
        survives = is_better_survived(losses, epsilon)
        chances = Inversion(losses, epsilon, bits, survives).two_chances()
        if survives:
            one, other = (_rest(chance) for chance in chances)
            return widened(one, other, bits - _SPARED_BITS, Fraction(1))
        return _between(*chances, bits - _SPARED_BITS)


def _log_affinity(bits: int, losses: Losses) -> Span:
    """Enclose the logarithm of the two product laws' Hellinger affinity, integral of sqrt(p q).

    Affinities of independent releases multiply; one's is B(a + s/2, a + s/2)/B(a, a + s). At e^eps
    1 - delta, the integral of min(p, e^eps q), is at most e^(eps/2) times the affinity
    (proofs_notes/composition.md, hellinger).
    """
    work = bits + _GUARD_BITS + int(losses.size).bit_length()
    work += int(losses.size).bit_length().bit_length()
    total = Span.of(0, work)
    for alpha, step, count in losses.kinds:
        middle = alpha + step / 2
        one = log_beta(middle, middle, work) - log_beta(alpha, alpha + step, work)
        total += Span.of(count, work) * one
    return total


def _rest(chance: Chance) -> mpfr:
    """Return 1 less the chance."""
    with working(chance.logarithm.precision):
        return -gmpy2.expm1(chance.logarithm)


def _between(first: Chance, second: Chance, bits: int) -> Enclosure:
    """Return the hull of two chances, widened, even where their exponents are beyond MPFR's."""
    with working(max(first.logarithm.precision, second.logarithm.precision)):
        log_two = gmpy2.log(mpfr(2))
        power = min(0, int(first.logarithm / log_two))
        one, other = (gmpy2.exp(each.logarithm - power * log_two) for each in (first, second))
    found = widened(one, other, bits, Fraction(1 if power == 0 else 4))
    low, high = (
        Dyadic(end.mantissa, end.exponent + power, end.kind) for end in (found.low, found.high)
    )
    return Enclosure(low, high)
