"""Exact Renyi divergence of Laplace noise between two known laws on the line.

Between neighbouring support points both densities are A e^-s + B e^(s - length), with coefficients
of their own. In a strip around the real line their arguments stay between -y and y, so the power
mean p^order r^(1 - order) is analytic there and known to within a power of cos y: Gauss's rule on
pieces of an interval has a proved error. Outside the support points the ratio is constant
(proofs_notes/known-laws-renyi.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise, permutations
from typing import Annotated, NamedTuple

from flint import arb, ctx

from ..arb.balls import ball, sharpened
from ..domain import AT_LEAST_ZERO, LINE_LAW, ONE, Interval, Positive
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..vocabulary import Meaning
from .divergences import Atoms, atoms_of_law
from .laplace_profile import sums_of_weights

NOTE = "proofs_notes/known-laws-renyi.md"
RENYI_ORDER = Annotated[
    Fraction,
    Interval(above=ONE, search=("1.01", "30"), beyond=("1.0001", "300")),
    Meaning("order of the Renyi divergence, above 1", "5", r"\lambda"),
]
# Where points are drawn, no condition.
LAPLACE_SCALE = Annotated[Positive, Interval(above=Fraction(0), search=("0.01", "1000"))]
_ZERO, _HALF = arb(0), arb(1) / 2
# Half the height of the strip that a rule counts on: at most this, and less for large orders.
_MOST_HEIGHT = 1.2
# Pieces that ask for more nodes are cut.
_MOST_NODES = 40
# What is left out is so many bits below what is wanted.
_SPARE_BITS = 12
_MOST_PIECES = 20_000


class _Pair(NamedTuple):
    """Both densities at an outcome, each up to the factor 1/(2 scale)."""

    above: arb
    below: arb

    @property
    def ratio(self) -> arb:
        return self.above / self.below


class _Density(NamedTuple):
    """A e^-s + B e^(s - length) for s from 0 to the length."""

    falling: arb
    rising: arb

    def at(self, here: arb, length: arb) -> arb:
        return self.falling * (-here).exp() + self.rising * (here - length).exp()


class Power(NamedTuple):
    """The power mean p^order r^(1 - order) of two positive numbers."""

    order: Fraction

    def mean(self, above: arb, below: arb) -> arb:
        """Enclose it; with full relative accuracy, since only logarithms are multiplied."""
        order = ball(self.order)
        return (order * above.log() - (order - 1) * below.log()).exp()

    def bound(self, ends: tuple[_Pair, _Pair]) -> arb:
        """Bound it between two outcomes, where p is convex and p/r monotone."""
        one, other = ends
        ratio = one.ratio.max(other.ratio)
        return (one.above.max(other.above) * ratio ** ball(self.order - 1)).upper()


@lru_cache(maxsize=256)
def _rule(nodes: int, _bits: int) -> list[tuple[arb, arb]]:
    """Return the nodes and weights of Gauss's rule on [-1, 1]."""
    return [arb.legendre_p_root(nodes, at, weight=True) for at in range(nodes)]


class _Interval:
    """The interval between two neighbouring support points, its length in scales."""

    def __init__(self, above: _Density, below: _Density, length: arb, power: Power) -> None:
        self._above, self._below, self._length, self._power = above, below, length, power
        self._height = min(_MOST_HEIGHT, 1.5 / math.sqrt(float(power.order)))

    def at(self, here: arb) -> _Pair:
        """Return both densities at a distance from the first point, which may be outside."""
        return _Pair(self._above.at(here, self._length), self._below.at(here, self._length))

    def enclosed(self, negligible: arb) -> arb:
        """Enclose the integral; pieces of less than ``negligible`` count from 0 to their bound."""
        total = _ZERO
        waiting = [(_ZERO, self._length)]
        for _ in range(_MOST_PIECES):
            if not waiting:
                return total
            check_budget()
            low, high = waiting.pop()
            most = self._power.bound((self.at(low), self.at(high))) * (high - low)
            if most < negligible:
                total += _ZERO.union(most.upper())
                continue
            found = self._by_rule(low, high, negligible)
            if found is None:
                cut = ((low + high) / 2).mid()
                waiting += [(cut, high), (low, cut)]
            else:
                total += found
        return arb("nan")

    def _by_rule(self, low: arb, high: arb, negligible: arb) -> arb | None:
        """Enclose the integral between two outcomes; None where they are to be closer."""
        middle, half = (low + high) / 2, (high - low) / 2
        height = arb(self._height)
        sine = height / half
        # The ellipse of Bernstein with the foci low and high, e^width its parameter.
        width = sine.asinh()
        reach = half * ((1 + sine**2).sqrt() - 1)
        ends = self.at(low - reach), self.at(high + reach)
        flat = height.cos() ** ball(1 - self._power.order)
        most = self._power.bound(ends) * flat * half * 16 / 3 / (-(-width).expm1())
        wanted = most / negligible
        if not (wanted.is_finite() and width > 0):
            return None
        nodes = max(2, math.ceil(max(0.0, float(wanted.log().upper())) / (2 * float(width))))
        if nodes > _MOST_NODES:
            return None
        total = _ZERO
        for node, weight in _rule(nodes, ctx.prec):
            both = self.at(middle + half * node)
            total += weight * self._power.mean(*both)
        error = (most * (-2 * nodes * width).exp()).upper()
        return half * total + error.union(-error)


def laplace_power_mean(first: Atoms, second: Atoms, scale: Fraction, order: Fraction) -> arb:
    """Enclose the integral of p^order r^(1 - order), p the first law's density, r the second's.

    It is e^((order - 1) D) and at least 1.
    """
    points = sorted({*first.points, *second.points})
    power = Power(order)
    lengths = [ball(Fraction(after - here) / scale) for here, after in pairwise(points)]
    decays = [(-length).exp() for length in lengths]
    sums = [_densities(law, points, decays) for law in (first, second)]
    means = [power.mean(*both) for both in zip(sums[0].at_points, sums[1].at_points, strict=True)]
    total = (means[0] + means[-1]) / 2
    # The logarithm's slope is below 2 order, so what is at a point is so much of the integral.
    least = reduce(arb.max, means) / (2 * ball(order))
    negligible = least.max(arb(1)) * arb(2) ** -(ctx.prec + _SPARE_BITS)
    for above, below, length in zip(sums[0].between, sums[1].between, lengths, strict=True):
        total += _Interval(above, below, length, power).enclosed(negligible) / 2
    return total


class _Densities(NamedTuple):
    """A law's density between each two points, and at each of them."""

    between: list[_Density]
    at_points: list[arb]


def _densities(law: Atoms, points: Sequence[Fraction | int], decays: Sequence[arb]) -> _Densities:
    masses = dict(zip(law.points, law.weights, strict=True))
    weights = [arb(masses.get(at, 0)) / law.total for at in points]
    left = sums_of_weights(weights, decays)
    right = sums_of_weights(weights[::-1], decays[::-1])[::-1]
    between = [_Density(*both) for both in zip(left, right[1:], strict=False)]
    steps = zip(between, decays, strict=True)
    at_points = [one.falling + one.rising * decay for one, decay in steps]
    return _Densities(between, [*at_points, left[-1]])


# The power mean of two laws under noise of a scale, in this order, at an order.
PowerMean = Callable[[Atoms, Atoms, Fraction, Fraction], arb]


def renyi_between(
    laws: Sequence[Atoms], power_mean: PowerMean, scale: Fraction, order: Fraction
) -> arb:
    """Enclose the largest Renyi divergence of two of these laws, in either order.

    Exactly 0 where there is nothing to tell apart.
    """
    largest = _ZERO
    for first, second in _unequal(laws):
        check_budget()
        largest = largest.max(divergence(first, second, power_mean, scale, order))
    return largest


def divergence(
    first: Atoms, second: Atoms, power_mean: PowerMean, scale: Fraction, order: Fraction
) -> arb:
    """Enclose the Renyi divergence of two different laws, in this order."""
    return sharpened(lambda: power_mean(first, second, scale, order).log() / ball(order - 1))


def _unequal(laws: Sequence[Atoms]) -> Iterator[tuple[Atoms, Atoms]]:
    return (pair for pair in permutations(laws, 2) if not pair[0].is_same_law(pair[1]))


@quantity(
    "pufferfish.laplace_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \left\{ D_{\lambda}(\mu, \nu), D_{\lambda}(\nu, \mu) \right\}, \quad "
    r"D_{\lambda}(\mu, \nu) = \frac{1}{\lambda - 1} \log \int p_{\mu}(w)^{\lambda} "
    r"p_{\nu}(w)^{1 - \lambda} \, dw, \quad p_{\mu}(w) = \int \frac{e^{-|w - x| / \sigma}}{2 "
    r"\sigma} \, d\mu(x)",
    within=AT_LEAST_ZERO,
    rises="order",
    falls="scale",
    vanishes="high scale",
    quick="scale >= 3, order <= 10",
    slow=True,
)
def laplace_renyi(mu: LINE_LAW, nu: LINE_LAW, scale: LAPLACE_SCALE, order: RENYI_ORDER) -> arb:
    """Exact Renyi divergence of two laws on the line under Laplace noise, the worse of both orders.

    Gauss's rule between support points, with a proved error. At most ``pufferfish.laplace_loss``,
    which it approaches as the order grows; of two point masses it is ``laplace.renyi`` at the scale
    over their distance.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    return renyi_between(laws, laplace_power_mean, scale, order)
