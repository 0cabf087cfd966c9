"""Second opinions on the chance that a Dirichlet draw misses a good set, and its inverse.

All by the trapezoid rule on the inversion of a Laplace transform (``laplace``), where the first
engine sums a power series in gamma. None is rigorous: the ends are two values, from two contours,
two numbers of nodes and two precisions, widened by ten times their difference. 0 and 1 are exact
where they are known.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from gmpy2 import mpfr

from ....enclosure import Enclosure
from ...directed import OutOfReachError, or_nothing
from ...nearest import widened, working
from ...opinion import second_opinion
from .laplace import BITS_HIDDEN, NARROW_SLACK, Integrand, Inversion, Threshold
from .level import gamma_at
from .shares import Draw

# A first look decides which of P and 1 - P is the integral; either is right.
_LOOK_BITS = 40
# Ends are widened by a unit of this many bits fewer than the working precision.
_SPARED_BITS = 8


@second_opinion("dirichlet.tail.uniform", engine="mpmath", rigorous=False)
@or_nothing
def uniform(bits: int, alpha: Fraction, count: int, rest: Fraction, gamma: Fraction) -> Enclosure:
    """Enclose P(some of ``count`` coordinates < gamma) for equal parameters; not rigorous.

    x ~ Dirichlet(alpha, ..., alpha, rest); rest may be 0.
    """
    return _missed(bits, _equal(alpha, count, rest), gamma)


@second_opinion("dirichlet.tail.general", engine="mpmath", rigorous=False)
@or_nothing
def general(bits: int, alpha: tuple[Fraction, ...], rest: Fraction, gamma: Fraction) -> Enclosure:
    """Enclose P(some x_i < gamma, rest apart) for x ~ Dirichlet(alpha, rest); not rigorous."""
    return _missed(bits, Draw(Counter(alpha), rest), gamma)


@second_opinion("dirichlet.identity.delta_bound", engine="mpmath", rigorous=False)
@or_nothing
def identity_delta_bound(
    bits: int, k: Fraction, eta: Fraction, w: int, gamma: Fraction
) -> Enclosure:
    """Enclose the tail of w protected coordinates at the floor eta; not rigorous."""
    return _missed(bits, _identity(k, eta, w), gamma)


@second_opinion("dirichlet.counts.delta_bound", engine="mpmath", rigorous=False)
@or_nothing
def counts_delta_bound(bits: int, k: Fraction, eta: Fraction, n: int, gamma: Fraction) -> Enclosure:
    """Enclose the tail of all n coordinates, n - 1 of them at the floor eta; not rigorous."""
    return _missed(bits, _counts(k, eta, n), gamma)


@second_opinion("dirichlet.identity.gamma", engine="mpmath", rigorous=False)
@or_nothing
def identity_gamma(bits: int, k: Fraction, eta: Fraction, w: int, delta: Fraction) -> Enclosure:
    """Enclose the gamma in (0, 1/w) at which ``identity_delta_bound`` is delta; not rigorous."""
    return gamma_at(bits, _identity(k, eta, w), delta)


@second_opinion("dirichlet.counts.gamma", engine="mpmath", rigorous=False)
@or_nothing
def counts_gamma(bits: int, k: Fraction, eta: Fraction, n: int, delta: Fraction) -> Enclosure:
    """Enclose the gamma in (0, 1/n) at which ``counts_delta_bound`` is delta; not rigorous."""
    return gamma_at(bits, _counts(k, eta, n), delta)


def _equal(alpha: Fraction, count: int, rest: Fraction) -> Draw:
    return Draw({alpha: count}, rest)


def _identity(k: Fraction, eta: Fraction, w: int) -> Draw:
    return _equal(k * eta, w, k * (1 - w * eta))


def _counts(k: Fraction, eta: Fraction, n: int) -> Draw:
    floor, largest = k * eta, k * (1 - (n - 1) * eta)
    return Draw(Counter({floor: n - 1}) + Counter([largest]), Fraction(0))


def _missed(bits: int, draw: Draw, gamma: Fraction) -> Enclosure:
    """Enclose P(some protected coordinate < gamma), from the better one of two integrals."""
    known = _known(draw, gamma)
    if known is not None:
        return Enclosure.of(known, bits)
    with working(bits):  # the caller's context is not to be read nor marked
        threshold = Threshold.at(gamma, draw)
        survive, hidden = _way(draw, threshold)
        chances = Inversion(Integrand(draw, threshold, survive), bits + hidden).two_chances()
        one, other = (_missing(chance.value, survive) for chance in chances)
        return widened(one, other, bits - _SPARED_BITS, Fraction(1))


def _missing(chance: mpfr, survive: bool) -> mpfr:
    """Return P, where the chance is 1 - P if all survive."""
    with working(chance.precision):
        return 1 - chance if survive else +chance


def _known(draw: Draw, gamma: Fraction) -> Fraction | None:
    """Return the probability where it is 0 or 1: gamma too small, or too large."""
    if draw.is_alone:  # the only coordinate is 1
        return Fraction(int(gamma > 1))
    if gamma <= 0 or draw.count == 0:
        return Fraction(0)
    return Fraction(1) if draw.count * gamma >= 1 else None


def _way(draw: Draw, threshold: Threshold) -> tuple[bool, int]:
    """Return whether 1 - P is the better integral, and how many bits of P it may hide."""
    hidden = BITS_HIDDEN if threshold.slack < NARROW_SLACK else 1
    try:
        look = Inversion(Integrand(draw, threshold, survive=True), _LOOK_BITS).rough_chance()
    except OutOfReachError:
        return False, 0
    if look.value < 1 - Fraction(1, 1 << hidden):
        return True, hidden
    return False, 0
