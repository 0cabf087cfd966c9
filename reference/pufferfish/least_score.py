"""The least score of a kind of quilts, where the influence of each side has a closed bound.

The bound on the influence of a node on one at lag t is a multiple of

    w_t = log((pi + e^(-g t/2)) / (pi - e^(-g t/2))), infinite unless e^(-g t/2) < pi,

which falls and is convex in t. A kind of quilts has some sides, each with a factor f, and its score
at lags t_1, ... is (offset + sum of t_j) / (epsilon - sum of f_j w_(t_j)). The least one over all
lags is found by Dinkelbach's method and proved by duality: for each multiplier the least values of
t + multiplier f w_t, side by side, bound every score from below
(proofs_notes/eigengap.md#bound-from-any-multiplier).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

from flint import arb

from ..arb.balls import INFINITY, ball, middle, sign
from ..enclosure import Trilean
from ..precision import check_budget

NAN = arb("nan")
# Dinkelbach's steps converge faster than any geometric series. Stopping early costs width only.
_MAX_STEPS = 64
# The least value of a convex function is proved from so many integers on each side of a guess.
_NEIGHBOURS = 2


class Mixing(NamedTuple):
    """A lower bound on stationary probabilities, and one on the eigengap."""

    pi_min: Fraction
    gap: Fraction

    def influence(self, lag: int) -> arb:
        """Enclose w at a lag: infinite where it is proved to be, NaN where that is not decided."""
        share = (-ball(self.gap * lag / 2)).exp() / ball(self.pi_min)
        room = sign(1 - share)
        if room is Trilean.FALSE:
            return INFINITY
        return share.log1p() - (-share).log1p() if room is Trilean.TRUE else NAN

    def lag_near(self, share: arb) -> int:
        """Return about the lag at which e^(-g t/2)/pi is a given share; it proves nothing."""
        return int(middle(-(share * ball(self.pi_min)).log() / ball(self.gap / 2)))


class Side(NamedTuple):
    """One side of a quilt: the factor of its influence, and its largest lag, if there is one."""

    factor: int
    farthest: int | None = None

    def nearest_to(self, lag: int) -> int:
        """Return the lag within the side's reach that is nearest to a given number."""
        return max(1, lag if self.farthest is None else min(lag, self.farthest))


class Kind(NamedTuple):
    """A kind of quilts: its score's numerator is ``offset`` and the lags of its sides."""

    mixing: Mixing
    epsilon: Fraction
    offset: int
    sides: tuple[Side, ...]

    def score(self, lags: Sequence[int]) -> arb:
        """Enclose the score at given lags, infinite where the influence reaches epsilon."""
        left = ball(self.epsilon)
        for side, lag in zip(self.sides, lags, strict=True):
            left -= side.factor * self.mixing.influence(lag)
        room = sign(left)
        if room is Trilean.FALSE:
            return INFINITY
        return (self.offset + sum(lags)) / left if room is Trilean.TRUE else NAN


def least_score(kind: Kind) -> arb:
    """Enclose the least score of a kind of quilts over all lags within reach.

    Precondition: offset + the number of sides >= 1, so that no numerator is below 1. Infinite if
    no lag has a finite score; NaN where the precision decides neither that nor the least one.
    """
    lags, score = _settled(kind)
    if score.is_finite():
        return score.union(_proved_lower(kind, middle(score)).min(score))
    # The largest lags have the least influence.
    nothing_left = all(lag == side.farthest for side, lag in zip(kind.sides, lags, strict=True))
    return INFINITY if nothing_left and score > 0 else NAN


def _settled(kind: Kind) -> tuple[list[int], arb]:
    """Return lags that are about the best, and their score; they prove an upper bound alone.

    The first ones spend half of epsilon on influence, or are the largest within reach.
    """
    factors = sum(side.factor for side in kind.sides)
    share = ball(kind.epsilon / (4 * factors)).tanh()  # w = 2 atanh(share)
    lags = [side.nearest_to(kind.mixing.lag_near(share) + 1) for side in kind.sides]
    score = kind.score(lags)
    for _ in range(_MAX_STEPS):
        check_budget()
        if not score.is_finite():
            break
        multiplier = middle(score)
        better = [_best_lag(kind.mixing, side, multiplier) for side in kind.sides]
        found = kind.score(better)
        if not (found.is_finite() and middle(found) < multiplier):
            break
        lags, score = better, found
    return lags, score


def _best_lag(mixing: Mixing, side: Side, multiplier: Fraction) -> int:
    """Return about the lag with the least t + h w, h = multiplier times factor.

    With u = e^(-g t/2)/pi the derivative of w in t is -g u/(1 - u^2), so the best real t has
    u^2 + h g u = 1.
    """
    slope = ball(multiplier * side.factor * mixing.gap)
    share = 2 / (slope + (slope * slope + 4).sqrt())
    first = side.nearest_to(mixing.lag_near(share))
    second = side.nearest_to(first + 1)
    fall = mixing.influence(first) - mixing.influence(second)
    gain = ball(multiplier * side.factor) * fall
    return second if gain > second - first or not gain.is_finite() else first


def _proved_lower(kind: Kind, multiplier: Fraction) -> arb:
    """Return a lower bound on all scores of a kind, one number or NaN.

    With F the least of numerator - multiplier * denominator, every score c/q is at least
    multiplier + F/q. If F < 0 and c/q is below the multiplier, then q > c/multiplier and c >= 1,
    so the score is at least multiplier (1 + F).
    """
    least = ball(kind.offset - multiplier * kind.epsilon)
    for side in kind.sides:
        least += _least_sum(kind.mixing, side, multiplier)
    return (ball(multiplier) * (1 + smaller(least, arb(0)))).lower()


def _least_sum(mixing: Mixing, side: Side, multiplier: Fraction) -> arb:
    """Enclose the least t + multiplier f w over the lags within a side's reach; NaN if undecided.

    The sum is convex in t. A few neighbours of a guess contain the least one if it is proved to
    fall into the first of them and to rise out of the last, where they do not end the reach. From
    one infinite sum to the next nothing rises: finite ones may follow, though none can precede.
    """
    guess = _best_lag(mixing, side, multiplier)
    lags = range(max(1, guess - _NEIGHBOURS), side.nearest_to(guess + _NEIGHBOURS) + 1)
    weight = ball(multiplier * side.factor)
    sums = [lag + weight * mixing.influence(lag) for lag in lags]
    falls = lags[0] == 1 or sums[0] >= sums[1]
    rises = lags[-1] == side.farthest or INFINITY > sums[-1] >= sums[-2]
    return reduce(smaller, sums) if falls and rises else NAN


def smaller(first: arb, second: arb) -> arb:
    """Enclose the smaller one; a ball around infinity does not widen what is proved to be less."""
    if first <= second:
        return first
    return second if second <= first else first.min(second)


def larger(first: arb, second: arb) -> arb:
    """Enclose the larger one, infinity if either is proved to be."""
    if first <= second:
        return second
    return first if second <= first else first.max(second)
