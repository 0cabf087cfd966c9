"""Few steps of DP-SGD of which at least one is large: what is left out is bounded by itself.

Where few steps are composed and q is small, M falls slowly along a line, as most steps lose next to
nothing. A smooth threshold parts each step's law in two: chi(t) = Phi((t - threshold)/width) of it
is large. That all steps are small, and lose more than epsilon together, is a chance that is
bounded; of the rest, a positive measure with M^T - (M - A)^T, A = E w^v chi, the moment function
falls as fast as A does. The proofs are in proofs_notes/dpsgd.md, whose letters stand here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import acb, arb

from ..arb.balls import ball, working_precision
from ..gaussian import profile
from ..pairs import Composed, Reals, saddle_about
from .subsampled import Grid, Point, Subsampled

# More steps are not parted: their moments fall by themselves.
_MOST_STEPS = 64
# A record that takes part so seldom on the whole is taken for one that takes part once at most.
_HARDLY_EVER = Fraction(1, 10)
# Widths that are tried, the wide ones first, whose points are few; and nats by which an estimate
# of delta may be off.
_WIDTHS = tuple(Fraction(1, each) for each in (3, 4, 6, 10, 16))
_SPARE_NATS = 8.0
# Of a moment at a real point, which is to bound something.
_REAL_SPARE = 72
# The threshold is a short number.
_SHORT = 1 << 12
# How often the estimate of delta is made again by the part itself.
_LOOKS = 2
# Where the epsilon of one large step is sought, how closely, and at so many bits.
_EPSILONS, _MOST_HALVINGS, _PLAN_BITS = (1e-9, 1e3), 40, 128
# Cells of the small part: how many of its widths a side is long, how many a width, how many most.
_CELLS_REACH, _CELLS_A_WIDTH, _MOST_CELLS = 12.0, 40, 4_000
# Thresholds are halved so often; crossings are tried up to so many nats, with so many points.
_HALVINGS, _FARTHEST, _MOST_NATS, _CROSSINGS, _PLANNED = 14, 600.0, 1e3, 50, 600
# From here on log Phi(-x) is about -x^2/2 - log x - log(2 pi)/2.
_FAR = 5.0
_between = np.vectorize(math.erfc)


def _log_chance(x: Reals) -> Reals:
    """Return about log Phi."""
    near = np.log(_between(-np.maximum(x, -_FAR) / math.sqrt(2)) / 2)
    below = np.minimum(x, -_FAR)
    far = -(below**2) / 2 - np.log(-below) - math.log(2 * math.pi) / 2
    found: Reals = np.where(x > -_FAR, near, far)
    return found


@dataclass(frozen=True)
class Above(Subsampled):
    """The part chi of a removed record's step, a measure of a mass below 1."""

    threshold: Fraction
    width: Fraction

    @property
    def spread_rate(self) -> Fraction:
        """1/u^2 + 1/width^2: |chi| on Im t = a is at most e^(a^2/2 width^2) times that at x."""
        return self.noise_multiplier**2 + 1 / self.width**2

    def _log_integrand(self, x: Reals, power: float) -> Reals:
        found: Reals = super()._log_integrand(x, power) + _log_chance(
            (x - float(self.threshold)) / float(self.width)
        )
        return found

    def log_small_about(self, x: Reals) -> Reals:
        """Return about the logarithm of the density of t, times 1 - chi."""
        over = (float(self.threshold) - x) / float(self.width)
        found: Reals = super()._log_integrand(x, 0.0) + _log_chance(over)
        return found

    def _part(self, x: Point) -> Point:
        root = ball(self.width) * arb(2).sqrt()
        return ((ball(self.threshold) - x) / root).erfc() / 2

    def small_part(self, x: arb) -> arb:
        """Enclose 1 - chi at a real point."""
        return ((x - ball(self.threshold)) / (ball(self.width) * arb(2).sqrt())).erfc() / 2

    def _weight_and_turn(self, power: arb, step: arb, grid: Grid, k: int) -> tuple[acb, acb]:
        weight, turn = super()._weight_and_turn(power, step, grid, k)
        return weight * self._part(acb(grid.first + grid.step * k, grid.lift)), turn


def _log_of_large_about(pair: Subsampled, count: int, epsilon: float) -> float:
    """Return about log delta where a record hardly ever takes part: k large steps, for the best k.

    Each of the k loses its part of epsilon; one alone loses about T times what one step does.
    """
    with working_precision(_PLAN_BITS):
        q = ball(pair.sampling_probability)
        one = q * profile(pair.noise_multiplier, (arb(epsilon).expm1() / q).log1p())
        most = float((one * count).log().mid()) if one > 0 else -math.inf
        for k in range(2, count + 1):
            least = ((arb(epsilon) / k).expm1() / q).log1p()
            chance = k * _chance_beyond(pair, least).log() + math.log(math.comb(count, k))
            most = max(most, float(chance.mid())) if chance.is_finite() else most
        return most


def _chance_beyond(pair: Subsampled, least: arb) -> arb:
    """Enclose the chance that a removed record's step has t beyond a point."""
    q, u = ball(pair.sampling_probability), 1 / ball(pair.noise_multiplier)
    out, taken = (((least + side * u * u / 2) / (u * arb(2).sqrt())).erfc() / 2 for side in (1, -1))
    return (1 - q) * out + q * taken


def _log_delta_about(pair: Subsampled, count: int, epsilon: float, estimate: float) -> float:
    """Return the saddle's estimate, or a much smaller one where a record hardly ever takes part.

    Where M has two humps the saddle's is far too large.
    """
    if count * pair.sampling_probability > _HARDLY_EVER:
        return estimate
    most = _log_of_large_about(pair, count, epsilon)
    return most if -math.inf < most < estimate - _SPARE_NATS else estimate


@dataclass(frozen=True)
class Parted(Composed):
    """All steps of a removed record, at least one of them large in part: a positive measure."""

    above: Above
    small_crossing: float

    @property
    def _whole(self) -> tuple[Subsampled, int]:
        above, ((_, count),) = self.above, self.events
        return Subsampled(above.noise_multiplier, above.sampling_probability, removed=True), count

    @property
    def cost(self) -> float:
        """About how much longer a node takes than one of the whole: points are nearer."""
        above = self.above
        return 1 + math.sqrt(float(above.spread_rate)) / float(above.noise_multiplier)

    def log_delta_about(self, epsilon: float, estimate: float) -> float:
        """Return about log delta, where the saddle's estimate is given."""
        return _log_delta_about(*self._whole, epsilon, estimate)

    def log_moments_about(self, crossings: Reals) -> Reals:
        """Return about log (T A M^(T - 1)), which is not below that of the measure."""
        whole, count = self._whole
        part = self.above.log_moments_about(crossings)
        found: Reals = part + (count - 1) * whole.log_moments_about(crossings) + math.log(count)
        return found

    def log_bound_about(self, crossing: float, height: float) -> float:
        """Return about what ``log_bound`` will say."""
        whole, count = self._whole
        others = (count - 1) * whole.log_bound_about(crossing, 0.0)
        return self.above.log_bound_about(crossing, height) + others + math.log(count)

    def log_moment(self, crossing: arb) -> arb:
        """Enclose log M of the measure at a real point."""
        return self.moments(crossing, arb(1), 0, _REAL_SPARE)[0].real.log()

    def log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M^T - (M - A)^T| by that of T sup |A| M(c)^(T - 1)."""
        whole, count = self._whole
        others = (count - 1) * whole.log_moment(crossing)
        return self.above.log_bound(crossing, height) + others + arb(count).log()

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose A (M^(T - 1) + M^(T - 2) (M - A) + ... + (M - A)^(T - 1)) at every node."""
        whole, count = self._whole
        spare += count.bit_length()
        parts = self.above.moments(crossing, step, nodes, spare)
        for j, moment in enumerate(whole.moments(crossing, step, nodes, spare)):
            rest, power, total = moment - parts[j], acb(1), acb(1)
            for _ in range(count - 1):
                power *= rest
                total = total * moment + power
            parts[j] *= total
        return parts

    def left_out(self, epsilon: arb) -> arb:
        """Bound what all steps lose where each is small, by Chernoff's bound."""
        crossing, moment = arb(self.small_crossing), self._small_moment()
        least = crossing * crossing.log() - (1 + crossing) * crossing.log1p()
        bound = (self._whole[1] * moment.log() - crossing * epsilon + least).exp()
        return bound.min(arb(1)) if bound.is_finite() else arb(1)

    @lru_cache(maxsize=1)  # noqa: B019 - it lives as long as its line
    def _small_moment(self) -> arb:
        """Bound E w^v (1 - chi), v = small_crossing + 1: in cells, w rises and 1 - chi falls.

        Beyond the last end R the integrand is below an exponential: w <= w(R) e^(t - R), and
        1 - chi is at most half of e^(-(t - threshold)^2/2 width^2) there.
        """
        power = arb(self.small_crossing) + 1
        above = self.above
        s, q = ball(above.noise_multiplier), ball(above.sampling_probability)
        u, root, width = 1 / s, arb(2).sqrt(), ball(above.width)
        ends = [arb(float(end)) for end in _ends_of_cells(above, self.small_crossing + 1)]
        beyond = [((end * s + u / 2) / root).erfc() / 2 for end in ends]
        grown = [(power * (q * end.expm1()).log1p()).exp() for end in ends]
        total = grown[0] * (1 - beyond[0])
        for k, (end, rise) in enumerate(zip(ends[:-1], grown[1:], strict=True)):
            total += rise * (beyond[k] - beyond[k + 1]) * above.small_part(end)
        last = ends[-1]
        over, off = last * s + u / 2, (last - ball(above.threshold)) / width
        steep = over * s + off / width - power
        if not (steep > 0 and off >= 0):
            return arb("nan")
        density = (-(over**2) / 2).exp() * s / (2 * arb.pi()).sqrt()
        return total + grown[-1] * density * (-(off**2) / 2).exp() / 2 / steep


def _ends_of_cells(above: Above, power: float) -> Reals:
    """Return ends of cells that hold the small part of a step's law; a matter of width alone."""
    u, s = 1 / float(above.noise_multiplier), float(above.noise_multiplier)
    width, threshold = float(above.width), float(above.threshold)
    low = min(-u * u / 2 - _CELLS_REACH * u, threshold)
    high = threshold + _CELLS_REACH * width
    # From here on the exponential falls by itself.
    high = max(high, (power + 1 - u * s / 2 + threshold / width**2) / (s * s + width**-2))
    return np.linspace(low, high, min(math.ceil((high - low) * _CELLS_A_WIDTH * s), _MOST_CELLS))


@dataclass(frozen=True)
class Steps(Composed):
    """All steps of a removed record."""

    def log_delta_about(self, epsilon: float, estimate: float) -> float:
        """Return about log delta, where the saddle's estimate is given."""
        ((pair, count),) = self.events
        assert isinstance(pair, Subsampled)
        return _log_delta_about(pair, count, epsilon, estimate)

    def epsilons_about(self, log_delta: float) -> Iterator[float]:
        """Yield that of some large steps, where few are taken; and the saddle's."""
        ((pair, count),) = self.events
        assert isinstance(pair, Subsampled)
        if count > _MOST_STEPS or count * pair.sampling_probability > _HARDLY_EVER:
            yield from super().epsilons_about(log_delta)
            return
        low, high = _EPSILONS
        for _ in range(_MOST_HALVINGS):
            epsilon = math.sqrt(low * high)
            less = _log_of_large_about(pair, count, epsilon) < log_delta
            low, high = (low, epsilon) if less else (epsilon, high)
        yield high
        yield from super().epsilons_about(log_delta)

    def parted(self, epsilon: float, nats: float) -> Iterator[Composed]:
        """Yield other ways to the same delta, each with a threshold of its own.

        What they leave out is negligible beside delta at epsilon, as far as doubles tell.
        """
        ((pair, count),) = self.events
        if not (isinstance(pair, Subsampled) and count <= _MOST_STEPS and epsilon > 0):
            return
        # Where M has two humps the estimate is far off, that of a part is not.
        log_delta = self.log_delta_about(epsilon, saddle_about(self, epsilon).log_delta)
        for width in _WIDTHS:
            part: Parted | None = None
            for _ in range(_LOOKS):
                if math.isfinite(log_delta):
                    part = _part_for(pair, count, epsilon, width, log_delta - nats - _SPARE_NATS)
                if part is None:
                    break
                log_delta = part.log_delta_about(epsilon, saddle_about(part, epsilon).log_delta)
            if part:
                yield part


def _part_for(
    pair: Subsampled, count: int, epsilon: float, width: Fraction, negligible: float
) -> Parted | None:
    """Return the part with about the highest threshold at which what is left out is negligible."""
    q, s = float(pair.sampling_probability), pair.noise_multiplier
    log_share = math.log(math.expm1(epsilon) / q) if epsilon < _FARTHEST else math.inf
    low, high = -float(1 / s), log_share
    if not low < high < _FARTHEST:
        return None
    found: Parted | None = None
    for _ in range(_HALVINGS):
        middle = Fraction(math.floor((low + high) / 2 * _SHORT), _SHORT)
        above = Above(s, pair.sampling_probability, True, middle, width)
        crossing, least = _left_out_about(above, count, epsilon)
        if least < negligible:
            low, found = float(middle), Parted(((above, count),), above, crossing)
        else:
            high = float(middle)
    return found


def _left_out_about(above: Above, count: int, epsilon: float) -> tuple[float, float]:
    """Return about the best crossing for what a part leaves out, and the bound's logarithm."""
    crossings = np.geomspace(1, _MOST_NATS, _CROSSINGS) / epsilon
    u = 1 / float(above.noise_multiplier)
    low = -u * u / 2 - _CELLS_REACH * u
    high = float(above.threshold) + 2 * _CELLS_REACH * float(above.width)
    x = np.linspace(low, max(high, 0.0), _PLANNED)
    # Far out the largest powers of w have a second hump.
    far = float(crossings[-1]) * float(above.width) ** 2 + 1
    x = np.concatenate([x, x[-1] + np.geomspace((x[1] - x[0]), far, _PLANNED // 4)])
    plain = above.log_small_about(x) + np.log(np.gradient(x))
    q = float(above.sampling_probability)
    loss = np.logaddexp(math.log1p(-q), math.log(q) + x)
    logs = plain[None, :] + (crossings[:, None] + 1) * loss[None, :]
    most = np.max(logs, axis=1)
    moments = most + np.log(np.sum(np.exp(logs - most[:, None]), axis=1))
    bounds = count * moments - crossings * epsilon
    best = int(np.argmin(bounds))
    return float(crossings[best]), float(bounds[best])
