"""Delta of two laws on the line under noise, and its inverse for Laplace noise, rounded up.

Under Laplace noise delta is a finite sum that rises in what lies on either side of each gap and
falls in the decay across it (proofs_notes/laplace-profile.md): the former are rounded up, the
latter down.

Under normal noise the weights are rounded up, which can only enlarge delta. Then the line is cut
into cells: where the log-ratio of the positive part to the negative one is certainly negative there
is nothing; where it is certainly positive the area is a difference of error functions; elsewhere
it is at most (e^h - 1) times the negative part, or all of the positive part
(proofs_notes/gaussian-profile.md). Cells with much in doubt are cut on. What lies beyond 40
standard deviations is far below 1e-300, which is added. Nor is it above what it is without noise.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .line import Atoms, gaps_of, laplace_loss, law_of

_UP, _DOWN = 1.0 + 8 * UNIT, 1.0 - 8 * UNIT
# Beside sums of what may underflow.
_TINY = 1e-300
_HUGE = 1e300


def laplace_delta(
    mu: Mapping[str, Any], nu: Mapping[str, Any], scale: float, epsilon: float
) -> float:
    """Return an upper bound on delta of two laws under Laplace noise."""
    return _larger(_laplace, law_of(mu), law_of(nu), float(scale), float(epsilon))


def gaussian_delta(
    mu: Mapping[str, Any], nu: Mapping[str, Any], scale: float, epsilon: float
) -> float:
    """Return an upper bound on delta of two laws under normal noise."""
    return _larger(_gaussian, law_of(mu), law_of(nu), float(scale), float(epsilon))


def laplace_epsilon(
    mu: Mapping[str, Any], nu: Mapping[str, Any], scale: float, delta: float
) -> float:
    """Return an upper bound on epsilon of two laws under Laplace noise."""
    most = laplace_loss(mu, nu, scale)
    if delta == 0:
        return most
    return _least_epsilon(lambda e: laplace_delta(mu, nu, scale, e), float(delta), most)


_Stick = Callable[[Atoms, Atoms, float, float], float]


def _larger(stick: _Stick, one: Atoms, other: Atoms, scale: float, epsilon: float) -> float:
    with np.errstate(all="ignore"):
        found = [stick(one, other, scale, epsilon), stick(other, one, scale, epsilon)]
    return min(1.0, max(0.0 if math.isnan(each) else each for each in found))


# A root is looked for up to where e^epsilon is no double, and so closely.
_LARGEST_EPSILON, _NEAR, _MOST_PROBES = 700.0, 1e-12, 40


def _least_epsilon(bound: Callable[[float], float], delta: float, most: float) -> float:
    """Return an epsilon at which a bound that falls is at most delta; else the most it can be."""
    if delta >= 1 or bound(0.0) <= delta:
        return 0.0
    low, high = 0.0, min(most, 1.0)
    while not bound(high) <= delta:
        if high >= min(most, _LARGEST_EPSILON):
            return most
        low, high = high, min(2 * high, most, _LARGEST_EPSILON)
    return _closed(bound, delta, low, high)


def _closed(bound: Callable[[float], float], delta: float, low: float, high: float) -> float:
    """Return a point close to where a bound that falls is delta, at which it is at most that.

    Regula falsi with the Illinois rule, in logarithms (Dowell and Jarratt 1971).
    """
    heights = [_height(bound(end), delta) for end in (low, high)]
    side = 0
    for _ in range(_MOST_PROBES):
        if high - low <= _NEAR * high:
            break
        share = heights[0] / (heights[0] - heights[1]) if heights[1] > -math.inf else 0.5
        # A little beyond, so that the last point is on the safe side.
        middle = min(low + (high - low) * share, high) * (1.0 + _NEAR / 2)
        if not low < middle < high:
            middle = low / 2 + high / 2
        found = _height(bound(middle), delta)
        if found <= 0:
            high, heights = middle, [heights[0] / (2 if side > 0 else 1), found]
            side = 1
        else:
            low, heights = middle, [found, heights[1] / (2 if side < 0 else 1)]
            side = -1
    return high


def _height(value: float, delta: float) -> float:
    return math.log(value / delta) if value > 0 else -math.inf


class _Weights(NamedTuple):
    """Points of both laws, the first's masses rounded up, e^epsilon times the second's down."""

    points: list[Fraction | int]
    above: Reals
    below: Reals


def _weights(one: Atoms, other: Atoms, epsilon: float) -> _Weights:
    points = sorted({*one.points, *other.points})
    place = {point: at for at, point in enumerate(points)}
    above, below = np.zeros(len(points)), np.zeros(len(points))
    factor = min(math.exp(min(epsilon, _LARGEST_EPSILON)), _HUGE) * _DOWN
    if epsilon == 0:
        factor = 1.0
    for law, row, way in ((one, above, np.inf), (other, below, -np.inf)):
        for point, weight in zip(law.points, law.weights, strict=True):
            row[place[point]] = rounded_towards(Fraction(weight, law.total), way)
    return _Weights(points, above, below * factor * (1.0 if epsilon == 0 else _DOWN))


def _laplace(one: Atoms, other: Atoms, scale: float, epsilon: float) -> float:
    points, above, below = _weights(one, other, epsilon)
    if epsilon == 0 and (above <= below).all():
        return 0.0
    gaps = gaps_of(points, Fraction(scale))
    if not gaps.sum() < _HUGE:
        return 1.0
    least_decay = np.exp(-gaps / 2) * _DOWN * np.maximum(0.0, 1.0 - 4 * UNIT * gaps)
    most_decay = np.exp(-gaps) * (1.0 + 8 * UNIT + 4 * UNIT * gaps)
    share = np.minimum(1.0, -np.expm1(-gaps) * _UP)
    left = _surplus(above, below, least_decay**2 * _DOWN, most_decay)
    reversed_decays = (least_decay**2 * _DOWN)[::-1], most_decay[::-1]
    right = _surplus(above[::-1], below[::-1], *reversed_decays)[::-1]
    total = max(right[0], 0.0) + max(left[-1], 0.0)
    for at in range(len(gaps)):
        area = _area(left[at], right[at + 1], least_decay[at], share[at])
        total = (total + area) * (1.0 + 4 * UNIT)
    return float(total / 2)


def _surplus(above: Reals, below: Reals, least: Reals, most: Reals) -> Reals:
    """Return upper bounds on what lies at or before each point, decayed up to it."""
    found = np.empty_like(above)
    more = less = 0.0
    for at in range(len(above)):
        if at:
            more = more * most[at - 1] * _UP + _TINY
            less = less * least[at - 1] * _DOWN
        more = (more + above[at]) * (1.0 + 2 * UNIT) if more else float(above[at])
        less = (less + below[at]) * (1.0 - 2 * UNIT) if less else float(below[at])
        difference = more - less
        found[at] = difference + 4 * UNIT * abs(difference)
    return found


def _area(left: float, right: float, decay: float, share: float) -> float:
    """Return an upper bound on twice the area of the positive part between two points."""
    if left <= 0 and right <= 0:
        return 0.0
    if left >= 0 and right >= 0:
        return (left + right) * share * _UP
    positive, negative = max(left, right), -min(left, right)
    high, low = math.sqrt(positive) * _UP, math.sqrt(negative) * _DOWN
    doubt = 8 * UNIT * high
    near = high - low * decay
    if near + doubt <= 0:
        return 0.0
    far = high * decay - low
    crossed = (near + doubt) ** 2 * _UP
    if far <= 0:
        return crossed
    # Where both ends are positive, or one hardly is: all of the integral, or what it misses.
    return min(
        crossed, (positive - negative) * share * _UP + doubt**2 + 8 * UNIT * positive * share
    )


# As many standard deviations beyond the last point as leave less than 1e-340.
_REACH = 40.0
# So much in doubt, of what is known, is little enough; or so many cells were cut.
_DOUBT, _MOST_CUTS = 1e-12, 600
# Points so many standard deviations from 0 and more are too coarse to look around.
_FINEST = 1e9
_CUT = 499 / 1024


class _Look(NamedTuple):
    """An outcome, log P - log N with its error, the means given it, and theirs."""

    at: float
    excess: float
    error: float
    means: tuple[float, float]
    doubt: float


class _Cell(NamedTuple):
    """Two outcomes; whether P > N for certain between them; what the positive part is at most."""

    low: _Look
    high: _Look
    is_positive: bool
    most: float


class _Mixtures:
    """P - N of weights that are rounded up, under normal noise."""

    def __init__(self, points: Reals, weights: Reals, scale: float) -> None:
        self.points, self.weights, self.scale = points, weights, scale
        self.sides = [
            (points[weights * way > 0], np.abs(weights[weights * way > 0])) for way in (1, -1)
        ]

    def look(self, at: float) -> _Look:
        logs, means, error, doubt = [], [], 0.0, 0.0
        base = float(self.points[np.argmin(np.abs(self.points - at))])
        for points, weights in self.sides:
            powers = (points - base) / self.scale * ((at - (points + base) / 2) / self.scale)
            size = np.abs(points - base) / self.scale
            size = size * ((abs(at) + np.abs(points) + abs(base)) / self.scale)
            top = float(powers.max())
            shares = weights * np.exp(powers - top)
            total = float(shares.sum())
            # Each power is off by a few units of its terms; of a share that counts for little less.
            off = (
                UNIT * float((shares * (8 * size + 8 * abs(top) + len(points) + 16)).sum()) / total
            )
            logs.append(math.log(total) + top)
            error += 2 * off + 4 * UNIT * (abs(logs[-1]) + abs(top))
            means.append(base + float((shares * (points - base)).sum()) / total)
            spread = float(points[-1] - points[0])
            doubt += 4 * off * spread + 16 * UNIT * (abs(base) + abs(means[-1]))
        excess = logs[0] - logs[1]
        return _Look(at, excess, error + 4 * UNIT * abs(excess), (means[0], means[1]), doubt)

    def cell(self, low: _Look, high: _Look) -> _Cell:
        """Return what is known between two outcomes."""
        width = high.at - low.at
        doubt = low.doubt + high.doubt
        most = (high.means[0] - low.means[1] + doubt) / self.scale / self.scale
        least = (low.means[0] - high.means[1] - doubt) / self.scale / self.scale
        up, down = max(0.0, most) * width / 2 * _UP, max(0.0, -least) * width / 2 * _UP
        ends = (low.excess + low.error, high.excess + high.error)
        top = max(ends[0] + up, ends[1] + down)
        top += 8 * UNIT * abs(top)
        if top <= 0:
            return _Cell(low, high, is_positive=False, most=0.0)
        bottom = min(low.excess - low.error - down, high.excess - high.error - up)
        is_positive = bottom - 8 * UNIT * abs(bottom) > 0
        bound = math.inf
        if top <= _LARGEST_EPSILON:
            bound = math.expm1(top) * self._most_below(low.at, high.at) * width
        return _Cell(low, high, is_positive, min(bound * _UP, self.area(low.at, high.at, (1,))))

    def _most_below(self, low: float, high: float) -> float:
        points, weights = self.sides[1]
        away = np.maximum(0.0, np.maximum(low - points, points - high)) / self.scale
        away = np.maximum(0.0, away * (1.0 - 16 * UNIT) - 16 * UNIT * np.abs(points) / self.scale)
        # The weights are up to e^epsilon, so that a density alone may underflow.
        logs = np.log(weights) - away * away / 2
        logs = logs + 8 * UNIT * (np.abs(np.log(weights)) + away * away / 2 + 1.0)
        return float(np.exp(logs).sum()) * 0.39894228040143274 / self.scale * _UP + _TINY

    def area(self, low: float, high: float, ways: Sequence[int] = (1, -1)) -> float:
        """Return an upper bound on the integral of P - N, or of P alone."""
        total = doubt = 0.0
        for way in ways:
            points, weights = self.sides[0 if way > 0 else 1]
            for point, weight in zip(points.tolist(), weights.tolist(), strict=True):
                chance, off = _chance(point, low, high, self.scale)
                total += way * weight * chance
                doubt += weight * (off + 8 * UNIT * chance)
        return max(0.0, total) * _UP + doubt * (2.0 + UNIT * len(self.points)) + _TINY


def _chance(point: float, low: float, high: float, scale: float) -> tuple[float, float]:
    """Return the chance that a point plus noise lies between two outcomes, and its error."""
    unit = scale * math.sqrt(2.0)
    left, right = (low - point) / unit, (high - point) / unit
    ends = [abs(left), abs(right)]
    # An argument is off by a few units of what it is made of.
    offs = [8 * UNIT * (abs(end) + abs(point)) / unit + 8 * UNIT * at
            for end, at in zip((low, high), ends, strict=True)]  # fmt: skip
    tails = [math.erfc(end) / 2 for end in ends]
    off = sum(
        16 * UNIT * tail + min(0.6 * away, tail * (2 * end + 2) * away * 2)
        for tail, end, away in zip(tails, ends, offs, strict=True)
    )
    if left >= 0:
        return tails[0] - tails[1], off
    if right <= 0:
        return tails[1] - tails[0], off
    return 1.0 - tails[0] - tails[1], off + 4 * UNIT


def _gaussian(one: Atoms, other: Atoms, scale: float, epsilon: float) -> float:
    exact, above, below = _weights(one, other, epsilon)
    weights = above - below
    weights = weights + 4 * UNIT * np.abs(weights)
    weights[above <= below] = np.minimum(weights[above <= below], 0.0)
    if not (weights > 0).any():
        return 0.0
    points = np.array([float(point) for point in exact])
    # Without noise it is this, and noise only lowers it.
    most = float(weights[weights > 0].sum() * (1.0 + len(weights) * UNIT))
    if not (weights < 0).any() or not np.abs(points).max() < _FINEST * scale:
        return most
    return min(most, _positive_area(_Mixtures(points, weights, scale)))


def _positive_area(mixtures: _Mixtures) -> float:
    reach = _REACH * mixtures.scale
    ends = [
        mixtures.look(float(end))
        for end in (mixtures.points[0] - reach, mixtures.points[-1] + reach)
    ]
    if not ends[0].at < ends[1].at:
        return 1.0
    first = mixtures.cell(*ends)
    known: list[_Cell] = []
    doubtful: list[tuple[float, int, _Cell]] = []
    order = 0
    total = doubt = 0.0

    def keep(cell: _Cell) -> None:
        nonlocal total, doubt, order
        if cell.is_positive:
            known.append(cell)
            total += mixtures.area(cell.low.at, cell.high.at)
        elif cell.most > 0:
            order += 1
            heapq.heappush(doubtful, (-cell.most, order, cell))
            doubt += cell.most

    keep(first)
    for _ in range(_MOST_CUTS):
        if not doubtful or -doubtful[0][0] <= _DOUBT * total / 8:
            break
        most, _, cell = heapq.heappop(doubtful)
        doubt += most
        inner = cell.low.at + (cell.high.at - cell.low.at) * _CUT
        if not cell.low.at < inner < cell.high.at:
            known.append(cell._replace(is_positive=False))
            continue
        middle = mixtures.look(inner)
        keep(mixtures.cell(cell.low, middle))
        keep(mixtures.cell(middle, cell.high))
    rest = [-most for most, _, _ in doubtful] + [c.most for c in known if not c.is_positive]
    runs = _joined([cell for cell in known if cell.is_positive])
    areas = sum(mixtures.area(low, high) for low, high in runs)
    return float((areas + math.fsum(rest)) * _UP + _TINY)


def _joined(cells: list[_Cell]) -> list[tuple[float, float]]:
    runs: list[tuple[float, float]] = []
    for cell in sorted(cells, key=lambda one: one.low.at):
        if runs and runs[-1][1] == cell.low.at:
            runs[-1] = runs[-1][0], cell.high.at
        else:
            runs.append((cell.low.at, cell.high.at))
    return runs
