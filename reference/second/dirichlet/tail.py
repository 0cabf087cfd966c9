"""Second opinions on the chance that a Dirichlet draw misses a good set, and its inverse.

All by the trapezoid rule on the inversion of a Laplace transform (``laplace``), where the first
engine sums a power series in gamma. None is rigorous: the ends are two values, from two contours,
two numbers of nodes and two precisions, widened by ten times their difference. 0 and 1 are exact
where they are known.

The gamma of a given chance P is a root in y = log(w gamma / (1 - w gamma)), any real number: the
level log(-log(1 - P)) is nearly straight on either side, like a y for small gamma and like log y
near gamma = 1/w, and Newton's method from the left converges; a bracket watches over it. Where P is
above 1/2 the integral is 1 - P's. The root is sought at low precision, then every precision starts
from the last one's root.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError, or_nothing
from ..nearest import binary_exponent, log_gamma, number, widened, working
from ..opinion import second_opinion
from .laplace import BITS_HIDDEN, NARROW_SLACK, Chance, Draw, Integrand, Inversion, Threshold

_SEARCH_BITS = 40
# The search ends at a step below this; its square is what is left.
_SEARCH_STEP = 2.0**-16
_MOST_STEPS = 100
# gamma would have no exponent below it.
_LEAST_LOGIT = -7e8
_NATS_PER_BIT = math.log(2)
# Where only one end of a bracket is known, no step is longer than the distance from 0 and this.
_LONGEST_STEP = 8.0
# A logit has some 30 bits before the binary point, and exponents as many.
_ROOM_BITS = 96
_BITS_SPARED = 8
# Of P and 1 - P, one that hides more bits of the other is left for it.
_BITS_HIDDEN = 10
_MOST_POLISHINGS = 12


class _Level:
    """gamma in (0, 1/w) as a function of its logit, and the level delta that P is to have."""

    def __init__(self, draw: Draw, delta: Fraction, bits: int) -> None:
        self._draw, self._delta, self._bits = draw, delta, bits
        self._survive = 2 * delta > 1
        # From here on gamma is 1/w to ``bits`` bits.
        self._most_logit = bits * _NATS_PER_BIT
        # Enough for gamma and for 1 - w gamma, and for the inversion's own precision.
        self._room = 2 * bits + _ROOM_BITS

    def gamma(self) -> Enclosure:
        """Return gamma, the hull of two roots widened; not rigorous."""
        found = self._sought()
        if found is None:
            nearly = Fraction((1 << self._bits) - 1, (1 << self._bits) * self._draw.count)
            low = Dyadic.rounded(nearly, 2 * self._bits, up=False)
            return Enclosure(low, Dyadic.rounded(self._largest, 2 * self._bits, up=True))
        first, second = (self._threshold(root).gamma for root in self._polished(found))
        return widened(first, second, self._bits - _BITS_SPARED, self._largest)

    @property
    def _largest(self) -> Fraction:
        return Fraction(1, self._draw.count)

    def _threshold(self, logit: mpfr) -> Threshold:
        with working(self._room):
            odds = gmpy2.exp(logit)
            slack = 1 / (1 + odds)
            return Threshold(odds * slack / self._draw.count, slack)

    def _sought(self) -> float | None:
        """Return the root's logit to some 30 bits; None where gamma is 1/w to all bits."""
        low, high, here = -math.inf, math.inf, min(self._start(), self._most_logit)
        for _ in range(_MOST_STEPS):
            check_budget()
            step = float(self._newton_steps(mpfr(here), _SEARCH_BITS)[0])
            if abs(step) < _SEARCH_STEP:
                return here + step
            low, high = (here, high) if step > 0 else (low, here)
            if low >= self._most_logit:
                return None
            here = min(_next(here, step, low, high), self._most_logit)
            if not here > _LEAST_LOGIT:  # or no number
                raise OutOfReachError
        raise OutOfReachError

    def _start(self) -> float:
        """Return a logit left of the root, for small gamma by P < sum of C_i gamma^a_i.

        C = Gamma(k)/(Gamma(k-a) Gamma(a+1)); the bound holds if every k - a_i is at least 1.
        """
        groups, k = self._draw.groups, self._draw.total
        aim, logs = float(self._target(_ROOM_BITS)), []
        for alpha, count in groups.items():
            lost = float(log_gamma(k, _ROOM_BITS) - log_gamma(k - alpha, _ROOM_BITS))
            factor = lost - float(log_gamma(alpha + 1, _ROOM_BITS))
            logs.append((aim - math.log(count * len(groups)) - factor) / float(alpha))
        return min(0.0, min(logs) + math.log(self._draw.count))

    def _target(self, bits: int) -> mpfr:
        """Return log(-log(1 - delta))."""
        with working(bits):
            return _level(number(1 - self._delta if self._survive else self._delta), self._survive)

    def _newton_steps(self, logit: mpfr, bits: int) -> list[mpfr]:
        """Return the changes of the logit that take either contour's level to the target."""
        threshold = self._threshold(logit)
        narrow = threshold.slack < NARROW_SLACK
        survive, hidden = self._survive or narrow, BITS_HIDDEN if narrow else _BITS_HIDDEN
        found = Inversion(Integrand(self._draw, threshold, survive), bits + hidden).two_chances()
        if found[0].value > 1 - Fraction(1, 1 << hidden):
            survive = not survive
            found = Inversion(Integrand(self._draw, threshold, survive), bits).two_chances()
        return [self._newton_step(threshold, chance, survive) for chance in found]

    def _newton_step(self, threshold: Threshold, chance: Chance, survive: bool) -> mpfr:
        value, bits = chance.value, chance.value.precision
        with working(bits):
            missing = self._target(bits) - _level(value, survive)
            hidden = -gmpy2.log(value) if survive else -gmpy2.log1p(-value)
            odds = 1 if survive else value / (1 - value)
            return missing * hidden / (chance.elasticity * number(threshold.slack) * odds)

    def _polished(self, start: float) -> tuple[mpfr, mpfr]:
        """Return two roots, from two contours, each one Newton step away from the same logit."""
        logit, bits = mpfr(start), _SEARCH_BITS
        for _ in range(_MOST_POLISHINGS):
            bits = min(2 * bits, self._bits)
            steps = self._newton_steps(logit, bits)
            with working(self._room):
                roots = [logit + step for step in steps]
            logit = roots[1]
            if bits == self._bits and -2 * binary_exponent(steps[1]) >= bits:
                return roots[0], roots[1]
        raise OutOfReachError


def _level(chance: mpfr, survive: bool) -> mpfr:
    """Return log(-log(1 - P)) for P, or for 1 - P."""
    return gmpy2.log(-gmpy2.log(chance) if survive else -gmpy2.log1p(-chance))


def _next(here: float, step: float, low: float, high: float) -> float:
    """Return the point that the step leads to, or one that the bracket allows."""
    longest = _LONGEST_STEP + abs(here)
    point = here + max(-longest, min(step, longest))
    return point if low < point < high else (low + high) / 2


def _gamma_at(bits: int, draw: Draw, delta: Fraction) -> Enclosure:
    """Return gamma in (0, 1/w) with P(some x_i < gamma) = delta; not rigorous.

    Two roots, from two contours and precisions, widened by ten times their difference. Nothing is
    known where there is no such gamma.
    """
    if draw.count == 0 or draw.is_alone or not 0 < delta < 1:
        return Enclosure.nothing_known()
    with working(bits):  # the caller's context is not to be read nor marked
        return _Level(draw, delta, bits).gamma()


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
    return _gamma_at(bits, _identity(k, eta, w), delta)


@second_opinion("dirichlet.counts.gamma", engine="mpmath", rigorous=False)
@or_nothing
def counts_gamma(bits: int, k: Fraction, eta: Fraction, n: int, delta: Fraction) -> Enclosure:
    """Enclose the gamma in (0, 1/n) at which ``counts_delta_bound`` is delta; not rigorous."""
    return _gamma_at(bits, _counts(k, eta, n), delta)


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
