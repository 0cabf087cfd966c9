"""Two steps of DP-SGD: the mean of one step's delta over the other's loss; not rigorous.

delta_2(epsilon) = E delta_1(epsilon - L), delta_1 the closed form of one step at any real threshold
(proofs_notes/dpsgd.md, closed-form-of-a-step), L a function of a normal variable. By the tanh-sinh
rule on both sides of the one point where delta_1 is flat and not analytic: where the threshold is
the least loss. No contour, and no moment: all summands are positive, also where samples are small.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import gmpy2
from gmpy2 import mpfr

from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError
from ..leaning import FIRST_BITS, MORE_THAN_ASKED, NATS_PER_BIT, SPARED_BITS
from ..nearest import bits_agreed, number, widened, working
from ..trapezoid import two_that_agree

STEPS = 2
_GUARD_BITS, _BITS_MORE = 20, 16
# So many points on one side.
_MOST_POINTS = 1_000
_STEPS = (1 / 24, 1 / 29)


class Pair(Protocol):
    """One order of the pair of a step."""

    @property
    def noise_multiplier(self) -> Fraction:
        """Of the normal noise."""

    @property
    def sampling_probability(self) -> Fraction:
        """Below 1."""

    @property
    def removed(self) -> bool:
        """Whether a record is removed, or added."""


def estimate(bits: int, pair: Pair, epsilon: Fraction) -> Enclosure:
    """Return the hull of two rules' deltas of one order, widened."""
    s, q = pair.noise_multiplier, pair.sampling_probability
    bits = max(bits - MORE_THAN_ASKED, FIRST_BITS)
    deep = [0]

    def rule(which: int, more: float) -> mpfr:
        work = bits + deep[0] + _GUARD_BITS + _BITS_MORE * which
        work += math.ceil(s * (1 + s * (1 + epsilon))).bit_length()
        with working(work):
            one = _Step(number(s), number(q), pair.removed)
            step = mpfr(_STEPS[which] / more)
            found = one.mean(number(epsilon), bits + deep[0], step)
            size = -int(gmpy2.floor(gmpy2.log2(found))) if found > 0 else 0
        if size > deep[0]:  # what is left out has to be small beside it
            deep[0] = size + _GUARD_BITS
            return rule(which, more)
        return found

    found = two_that_agree(rule, bits_agreed, bits)
    with working(max(each.precision for each in found)):
        return widened(*found, bits - SPARED_BITS, Fraction(1))


class _Step:
    """One step in one order, at the context's bits."""

    def __init__(self, s: mpfr, q: mpfr, removed: bool) -> None:
        self._s, self._q, self._removed = s, q, removed
        # The least loss of a removed record, the largest of an added one.
        self._end = gmpy2.log1p(-q) if removed else -gmpy2.log1p(-q)

    def mean(self, epsilon: mpfr, bits: int, step: mpfr) -> mpfr:
        """Return about delta of two steps."""
        s, q = self._s, self._q
        reach = gmpy2.sqrt(2 * mpfr(NATS_PER_BIT) * (bits + _GUARD_BITS)) + 1 / s
        # Beyond this loss of one step all of delta is known of the other, or none.
        loss = epsilon - self._end
        excess = gmpy2.expm1(loss if self._removed else -loss) + q
        place = (gmpy2.log(excess / q) + 1 / (2 * s * s)) * s if excess > 0 else -reach
        ends = [-reach, *([place] if abs(place) < reach else []), reach]
        total = mpfr(0)
        for low, high in pairwise(ends):
            check_budget()
            for x, weight in _nodes(low, high, bits, step):
                own = gmpy2.log1p(q * gmpy2.expm1(x / s - 1 / (2 * s * s)))
                exponent = own - x * x / 2 if self._removed else -x * x / 2
                rest = epsilon - own if self._removed else epsilon + own
                total += weight * gmpy2.exp(exponent) * self._delta(rest)
        return total / gmpy2.sqrt(2 * gmpy2.const_pi())

    def _delta(self, threshold: mpfr) -> mpfr:
        """Return one step's delta at any real threshold."""
        q = self._q
        if self._removed:
            over = gmpy2.expm1(threshold) + q
            if over <= 0:
                return -gmpy2.expm1(threshold)
            return q * self._normal(gmpy2.log(over / q))
        under = gmpy2.expm1(-threshold) + q
        if under <= 0:
            return mpfr(0)
        return under * gmpy2.exp(threshold) * self._normal(gmpy2.log(q / under))

    def _normal(self, threshold: mpfr) -> mpfr:
        """Return the delta of normal noise at any real threshold."""
        s, root = self._s, gmpy2.sqrt(mpfr(2))
        low, high = threshold * s - 1 / (2 * s), threshold * s + 1 / (2 * s)
        return (gmpy2.erfc(low / root) - gmpy2.exp(threshold) * gmpy2.erfc(high / root)) / 2


def _nodes(low: mpfr, high: mpfr, bits: int, step: mpfr) -> Iterator[tuple[mpfr, mpfr]]:
    """Yield nodes and weights of the tanh-sinh rule."""
    middle, half = (low + high) / 2, (high - low) / 2
    for turned, weight in _turned(bits, step, int(gmpy2.get_context().precision)):
        yield middle + half * turned, half * weight


@lru_cache(maxsize=8)
def _turned(bits: int, step: mpfr, _precision: int) -> list[tuple[mpfr, mpfr]]:
    found, quarter = [], gmpy2.const_pi() / 2
    last = math.log(bits * NATS_PER_BIT + 8)
    count = math.ceil(last / float(step))
    if count > _MOST_POINTS:
        raise OutOfReachError
    for k in range(-count, count + 1):
        u = step * k
        inner = quarter * gmpy2.sinh(u)
        whole = gmpy2.cosh(inner)
        found.append((gmpy2.tanh(inner), step * quarter * gmpy2.cosh(u) / (whole * whole)))
    return found
