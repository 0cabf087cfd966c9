"""MQMApprox of song2017: the scale of the Laplace noise from two numbers of a class of chains.

``pi_min`` bounds all stationary probabilities of all chains of the class from below, ``gap`` their
eigengaps, with multiplicities. The scale is per unit of the query's Lipschitz constant: the largest
over the nodes of the least score over *all* quilts. No loop runs over nodes. With s the least score
of two-sided quilts in a chain without ends, L_i and R_i those of the quilts of node i with a left
and with a right side only, the least score of node i is min(s, L_i, R_i, length/epsilon); L falls
and R rises in i, so the worst node is where they cross
(proofs_notes/eigengap.md#best-quilt-of-a-node).

The least score of a kind of quilts needs a closed bound on the influence of each side. That
of a node on one at lag t is a multiple of

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
from typing import Annotated, NamedTuple, Protocol

from flint import arb

from ...arb.balls import INFINITY, ball, middle, sign
from ...domain import AT_LEAST_ZERO, Condition, Interval, OpenProbability, Positive, count_from
from ...enclosure import Trilean
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...relations import HALF, Complete, NoisePromise, OfMixingChains

_NOTE = "proofs_notes/eigengap.md"
# A general gap is at most 1, one by song2017 (14) at most 2, and -log(1 - gap) has no bound.
_GAP = Annotated[Fraction, Interval(at_least=Fraction(0), search=("0.001", "2"))]
_LENGTH = Annotated[int, count_from(1, 1_000, 1_000_000)]
_HAS_GAP = Condition(
    "gap > 0: without a gap this bounds no influence; take the gap of several steps at once "
    "(proofs_notes/eigengap.md#several-steps-at-once) or pufferfish.quilt_scale_exact",
    lambda gap: gap > 0,
    "song2017 Lemma 4.8",
)


def _released(p: Complete) -> OfMixingChains | None:
    """Return some releases of the class: symmetric chains; none above 1/2, where one state is."""
    few = p["pi_min"] <= HALF
    return OfMixingChains(p["gap"], p["length"], p["scale"]) if few else None


_PROMISE = NoisePromise("scale", _released)


@quantity(
    "pufferfish.quilt_scale_approx",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\sigma = \max_t \; \min_Q \frac{\mathrm{card}(X_N)}{\varepsilon - 2 w_l - w_r}, "
    r"\quad w_m = \log \frac{\pi + e^{-g m / 2}}{\pi - e^{-g m / 2}}",
    within=AT_LEAST_ZERO,
    conditions=(_HAS_GAP,),
    rises="length",
    falls="pi_min gap epsilon",
    noise=_PROMISE,
)
def quilt_scale_approx(
    pi_min: OpenProbability, gap: _GAP, length: _LENGTH, epsilon: Positive
) -> arb | Fraction:
    """Scale of MQMApprox for any initial law: largest over the nodes, least over all quilts.

    song2017 Algorithm 4 with the influence of Lemma C.1: w at the lag of the right side and 2 w at
    that of the left one. ``length``/``epsilon`` is never exceeded.
    """
    return Release(Mixing(pi_min, gap), length, epsilon, QuiltSide(2), QuiltSide(1)).scale()


@quantity(
    "pufferfish.quilt_scale_approx_stationary",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\sigma = \max_t \; \min_Q \frac{\mathrm{card}(X_N)}{\varepsilon - w_l - w_r}, "
    r"\quad w_m = \log \frac{\pi + e^{-g m / 2}}{\pi - e^{-g m / 2}}",
    within=AT_LEAST_ZERO,
    conditions=(_HAS_GAP,),
    rises="length",
    falls="pi_min gap epsilon",
    noise=_PROMISE,
)
def quilt_scale_approx_stationary(
    pi_min: OpenProbability, gap: _GAP, length: _LENGTH, epsilon: Positive
) -> arb | Fraction:
    """Scale of MQMApprox for chains that start from their stationary laws.

    The influence of the left side is then w, as on the right (#backward-factor of the note).
    """
    return Release(Mixing(pi_min, gap), length, epsilon, QuiltSide(1), QuiltSide(1)).scale()


class Release(NamedTuple):
    """One release of a query on a chain, and how the influence to either side is multiplied."""

    mixing: Decay
    length: int
    epsilon: Fraction
    before: QuiltSide
    after: QuiltSide

    def scale(self) -> arb | Fraction:
        """Enclose min(s, length/epsilon, largest over the nodes of min(L_i, R_i))."""
        trivial = self.length / self.epsilon
        inner = self._least(-1, self.before, self.after)
        # Every quilt of the middle node with one side leaves half of the chain within it.
        if inner * ball(self.epsilon) < (self.length + 1) // 2:
            return inner
        best = smaller(inner, self._at_the_ends())
        return trivial if best > ball(trivial) else smaller(best, ball(trivial))

    def _left(self, node: int) -> arb:
        """Enclose L_i, which falls in the node; infinite at node 1."""
        if node == 1:
            return INFINITY
        return self._least(self.length - node, self.before.up_to(node - 1))

    def _right(self, node: int) -> arb:
        """Enclose R_i, which rises in the node; infinite at the last one."""
        if node == self.length:
            return INFINITY
        return self._least(node - 1, self.after.up_to(self.length - node))

    def _least(self, offset: int, *sides: QuiltSide) -> arb:
        return least_score(Kind(self.mixing, self.epsilon, offset, sides))

    def _at_the_ends(self) -> arb:
        """Enclose the largest over the nodes of min(L_i, R_i).

        It is at least what two neighbours j and j + 1 have, and, L falling and R rising, at most
        max(R_j, L_(j+1)), for whatever j; where the two cross these are equal.
        """
        after = self._crossing()
        above = smaller(self._left(after), self._right(after))
        if not above.is_finite():  # a node with neither kind of quilt, or nothing is decided
            return above
        before = after - 1
        below = smaller(self._left(before), self._right(before))
        upper = larger(self._right(before), self._left(after))
        return larger(below, above).union(upper)

    def _crossing(self) -> int:
        """Return about the first node with R_i >= L_i; which one is no matter of proof."""
        low, high = 1, self.length
        while low < high:
            check_budget()
            node = (low + high) // 2
            if _about(self._right(node)) >= _about(self._left(node)):
                high = node
            else:
                low = node + 1
        return low


def _about(value: arb) -> Fraction | float:
    """Return the middle of a ball; of an infinite one, infinity."""
    return middle(value) if value.is_finite() else float("inf")


_NAN = arb("nan")
# Dinkelbach's steps converge faster than any geometric series. Stopping early costs width only.
_MAX_STEPS = 64
# The least value of a convex function is proved from so many integers on each side of a guess.
_NEIGHBOURS = 2


class Decay(Protocol):
    """A bound on the influence of a side by its lag: convex and falling."""

    def influence(self, lag: int) -> arb:
        """Enclose the bound at a lag: infinite where it is, NaN where that is not decided."""

    def lag_with(self, influence: arb) -> int:
        """Return about the lag at which the bound is so much; it proves nothing."""

    def best_lag(self, weight: arb) -> int:
        """Return about the lag with the least lag + weight * bound; it proves nothing."""


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
        return share.log1p() - (-share).log1p() if room is Trilean.TRUE else _NAN

    def lag_with(self, influence: arb) -> int:
        """Return about the lag at which w = 2 atanh(e^(-g t/2)/pi) is so much."""
        return self._lag_near((influence / 2).tanh())

    def best_lag(self, weight: arb) -> int:
        """Return about the lag with the least t + h w.

        With u = e^(-g t/2)/pi the derivative of w in t is -g u/(1 - u^2), so the best real t has
        u^2 + h g u = 1.
        """
        slope = weight * ball(self.gap)
        return self._lag_near(2 / (slope + (slope * slope + 4).sqrt()))

    def _lag_near(self, share: arb) -> int:
        """Return about the lag at which e^(-g t/2)/pi is a given share."""
        return int(middle(-(share * ball(self.pi_min)).log() / ball(self.gap / 2)))


class QuiltSide(NamedTuple):
    """One side of a quilt: the factor of its influence, and its largest lag, if there is one."""

    factor: int | arb
    farthest: int | None = None

    def up_to(self, farthest: int) -> QuiltSide:
        """Return the same side with a largest lag."""
        return self._replace(farthest=farthest)

    def nearest_to(self, lag: int) -> int:
        """Return the lag within the side's reach that is nearest to a given number."""
        return max(1, lag if self.farthest is None else min(lag, self.farthest))


class Kind(NamedTuple):
    """A kind of quilts: its score's numerator is ``offset`` and the lags of its sides."""

    mixing: Decay
    epsilon: Fraction
    offset: int
    sides: tuple[QuiltSide, ...]

    def score(self, lags: Sequence[int]) -> arb:
        """Enclose the score at given lags, infinite where the influence reaches epsilon."""
        left = ball(self.epsilon)
        for side, lag in zip(self.sides, lags, strict=True):
            left -= side.factor * self.mixing.influence(lag)
        room = sign(left)
        if room is Trilean.FALSE:
            return INFINITY
        return (self.offset + sum(lags)) / left if room is Trilean.TRUE else _NAN


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
    return INFINITY if nothing_left and score > 0 else _NAN


def _settled(kind: Kind) -> tuple[list[int], arb]:
    """Return lags that are about the best, and their score; they prove an upper bound alone.

    The first ones spend half of epsilon on influence, or are the largest within reach.
    """
    factors = sum((side.factor for side in kind.sides), arb(0))
    half = ball(kind.epsilon / 2) / factors
    lags = [side.nearest_to(kind.mixing.lag_with(half) + 1) for side in kind.sides]
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


def _best_lag(mixing: Decay, side: QuiltSide, multiplier: Fraction) -> int:
    """Return about the lag with the least t + h w, h = multiplier times factor."""
    weight = ball(multiplier) * side.factor
    first = side.nearest_to(mixing.best_lag(weight))
    second = side.nearest_to(first + 1)
    gain = weight * (mixing.influence(first) - mixing.influence(second))
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


def _least_sum(mixing: Decay, side: QuiltSide, multiplier: Fraction) -> arb:
    """Enclose the least t + multiplier f w over the lags within a side's reach; NaN if undecided.

    The sum is convex in t. A few neighbours of a guess contain the least one if it is proved to
    fall into the first of them and to rise out of the last, where they do not end the reach. From
    one infinite sum to the next nothing rises: finite ones may follow, though none can precede.
    """
    guess = _best_lag(mixing, side, multiplier)
    lags = range(max(1, guess - _NEIGHBOURS), side.nearest_to(guess + _NEIGHBOURS) + 1)
    weight = ball(multiplier) * side.factor
    sums = [lag + weight * mixing.influence(lag) for lag in lags]
    falls = lags[0] == 1 or sums[0] >= sums[1]
    rises = lags[-1] == side.farthest or INFINITY > sums[-1] >= sums[-2]
    return reduce(smaller, sums) if falls and rises else _NAN


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
