"""The pair of one step of DP-SGD: Gaussian noise on a sum over a Poisson sample.

With u = 1/s and t ~ N(-u^2/2, u^2) the density ratio is w = 1 - q + q e^t, and M(z) = E w^v, where
v = z + 1 if a record is removed, v = -z if one is added. One trapezoid rule in t encloses M at all
nodes of a vertical line; one integral on a shifted line bounds M beyond them. The proofs are in
proofs_notes/dpsgd.md, whose letters stand here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
from flint import acb, acb_mat, arb, ctx

from ..arb.balls import ball, working_precision
from ..arb.integration import Cuts, integrate
from ..pairs import NoPlanError, Reals
from ..precision import check_budget

# Shifts of the line of t that are tried; a matter of speed and width alone.
_SHIFTS = np.geomspace(0.004, 3.1, 34)
# Points a width of the integrand in plans, and the most that a plan takes.
_FINENESS, _MOST_PLANNED, _MOST_POINTS = 5.0, 4_000, 20_000
_REACH, _ROOM = 9.0, 6.0
# Bits of a bound, and how wide it may be; of a moment that is only to bound something.
_BOUND_BITS, _BOUND_TOLERANCE = 128, 32
_REAL_SPARE = 72
# Of log M.
_WELL_ENOUGH = 2.0**-32
_SPARE_NATS = 4.0
# Points of one block of a matrix product, which is what memory holds at once.
_BLOCK = 256
# So many products at so few bits take some seconds, and a line that takes longer is too long; each
# point's weight takes as long as so many products, and the clock is looked at once in so many.
_MOST_PRODUCTS, _FEW_BITS, _OF_A_WEIGHT, _BETWEEN_LOOKS = 90_000_000, 128, 300, 1_000
# At more bits a product takes longer than in proportion.
_MOST_BITS = 20_000
# The shifts of the upper line that a rule is planned with; a norm that needs few bits.
_MOST_LIFT, _COARSE = 3.0, 8
# The upper tail is bounded in cells, until w is so much steeper; a matter of width alone.
_STEEP, _CELLS_A_WIDTH, _MOST_CELLS = 6, 4, 300
# The lower tail ends where the density is smaller than that by so many nats more.
_NEVER = 100
_LOG_OF_TWO = math.log(2)

Point = TypeVar("Point", arb, acb)


@dataclass(frozen=True)
class Grid:
    """Points first + k step + i lift, 0 <= k < count; all numbers are exact."""

    first: arb
    step: arb
    count: int
    lift: arb

    @property
    def ends(self) -> tuple[arb, arb]:
        """Half a step before the first point and after the last."""
        low = self.first - self.step / 2
        return low, low + self.step * self.count


@dataclass(frozen=True)
class Subsampled:
    """A record takes part with probability q < 1; the noise multiplier is s."""

    noise_multiplier: Fraction
    sampling_probability: Fraction
    removed: bool

    def power(self, crossing: arb) -> arb:
        """Return Re v at a crossing."""
        return crossing + 1 if self.removed else -crossing

    @property
    def spread_rate(self) -> Fraction:
        """1/u^2: how fast the density's modulus grows off the real axis, as e^(a^2/2u^2)."""
        return self.noise_multiplier**2

    # Plans, in doubles.

    @cached_property
    def _about(self) -> tuple[float, float, float, float]:
        """u, q, and the logarithms of q and 1 - q."""
        q, rest = self.sampling_probability, 1 - self.sampling_probability
        return float(1 / self.noise_multiplier), float(q), math.log(q), math.log(rest)

    def log_moments_about(self, crossings: Reals) -> Reals:
        """Return about log M at real points; infinite where a plan would be too long."""
        return np.array([self._log_moment_about(float(c)) for c in crossings])

    def _log_moment_about(self, crossing: float) -> float:
        power = crossing + 1 if self.removed else -crossing
        x = self._plan_points(power, _REACH)
        if x is None:
            return math.inf
        return _log_sum(self._log_integrand(x, power)) + math.log(x[1] - x[0])

    def _log_integrand(self, x: Reals, power: float) -> Reals:
        u, _, log_q, log_rest = self._about
        density = -((x + u * u / 2) ** 2) / (2 * u * u) - math.log(u * math.sqrt(2 * math.pi))
        found: Reals = density + power * np.logaddexp(log_rest, log_q + x)
        return found

    def _plan_points(self, power: float, reach: float) -> Reals | None:
        """Return points that cover the integrand within so many of its widths."""
        u = self._about[0]
        low = -u * u / 2 - reach * u
        high = (max(power, 0.0) - 0.5) * u * u + reach * u
        if power < 0:  # it is moved to the left, at most as far as it could be moved to the right
            low = max(low + power * u * u, low - reach * u)
        step = 1 / (_FINENESS * math.sqrt(float(self.spread_rate) + abs(min(power, 0.0)) / 4))
        count = (high - low) / step
        if not count <= (_MOST_PLANNED if reach == _REACH else _MOST_POINTS):
            return None
        return np.linspace(low, high, max(math.ceil(count), 64))

    @lru_cache(maxsize=4)  # noqa: B019 - a pair lives as long as its question
    def _shifted(self, power: float, reach: float) -> tuple[Reals, Reals, Reals, float] | None:
        """Return log integrand and argument of w at x + i a, for all shifts; x, and its step."""
        x = self._plan_points(power, reach)
        if x is None:
            return None
        _, _, log_q, log_rest = self._about
        size = np.exp(np.clip(log_q - log_rest + x, -700, 700))[None, :]
        place = 1 + size * np.exp(1j * _SHIFTS)[:, None]
        density = self._log_integrand(x, 0.0)
        lifted = _SHIFTS[:, None] ** 2 / 2 * float(self.spread_rate)
        logs = density[None, :] + lifted + power * (log_rest + np.log(np.abs(place)))
        return x, logs, np.angle(place), float(x[1] - x[0])

    def log_bound_about(self, crossing: float, height: float) -> float:
        """Return about the least bound on log |M| beyond a height."""
        return self._best_shift(crossing, height)[0]

    def _best_shift(self, crossing: float, height: float) -> tuple[float, float]:
        """Return about that bound, and the shift that gives it: none where the height is 0."""
        if height == 0:
            return self._log_moment_about(crossing), 0.0
        power = crossing + 1 if self.removed else -crossing
        planned = self._shifted(power, _REACH)
        if planned is None:
            return math.inf, float(_SHIFTS[0])
        _, logs, angles, step = planned
        values = _log_sums(logs - height * angles) + math.log(step)
        best = int(np.argmin(values))
        return float(values[best]), float(_SHIFTS[best])

    def _grid(self, crossing: float, spare: int) -> Grid:
        """Return the coarsest points that give M to 2**-spare of M(crossing), at all heights.

        The rule is on Im t = b, between the real axis and Im t = 2b: the step is the longest for
        which what both lines contribute to its error is negligible.
        """
        power = crossing + 1 if self.removed else -crossing
        nats = spare * _LOG_OF_TWO + _SPARE_NATS
        planned = self._shifted(power, math.sqrt(2 * nats) + _ROOM)
        if planned is None:
            raise NoPlanError
        x, logs, _, width = planned
        plain = _log_sum(self._log_integrand(x, power)) + math.log(width)
        norms = _log_sums(logs) + math.log(width)
        steps = 2 * math.pi * _SHIFTS / 2 / (nats + np.maximum(norms - plain, 0.0))
        # Below pi/2 no power of 1/|w| grows along the upper line.
        steps[(_MOST_LIFT if power >= 0 else _MOST_LIFT / 2) < _SHIFTS] = 0.0
        best = int(np.argmax(steps))
        lift = float(_SHIFTS[best]) / 2
        # A side is short enough where its bound is negligible, at either end.
        lifted = lift * lift / 2 * float(self.spread_rate)
        lifts = [lifted, 4 * lifted]
        grown = max(lifts[0], lifts[1] - 2 * math.pi * lift / float(steps[best]))
        sides = (logs[best] - lifts[1] if power < 0 else self._log_integrand(x, power)) + grown
        inside = np.flatnonzero(sides > plain - nats - _SPARE_NATS)
        low, high = x[max(inside[0] - 1, 0)], x[min(inside[-1] + 1, x.size - 1)]
        step = float(steps[best])
        return Grid(arb(float(low)), arb(step), math.ceil((high - low) / step) + 1, arb(lift))

    # Enclosures and bounds.

    def log_moment(self, crossing: arb) -> arb:
        """Enclose log M at a real point."""
        found = arb("nan")
        for spare in (_REAL_SPARE, 2 * _REAL_SPARE):  # where M has two humps, more may be asked
            with working_precision(max(ctx.prec, spare + 32)):
                found = self.moments(crossing, arb(1), 0, spare)[0].real.log()
            if found.is_finite() and found.rad() < _WELL_ENOUGH:
                break
        return found

    def log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M(crossing + i y)| for all y >= height, by the norm on a shifted line.

        On Im t = a > 0 |w^(iy)| = e^(-y arg w) falls with y, as arg w > 0; on a = 0 it is 1.
        """
        about = float(crossing.mid())
        log_size, shift = self._best_shift(about, float(height.mid()))
        lost = (self._log_moment_about(about) - log_size) / _LOG_OF_TWO
        low, high = self._grid(about, _BOUND_TOLERANCE + math.ceil(max(lost, 0.0))).ends
        with working_precision(_BOUND_BITS):
            a = arb(shift)
            part = self._norm(crossing, height, a, low, high, _BOUND_TOLERANCE)
            return (part + self._tails(crossing, low, high, a)).log()

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose M(crossing + i j step), j = 0, ..., nodes, by one trapezoid rule in t.

        Both orders are E w^(v + iy) on a line of Im t > 0 where y >= 0, for add its conjugate.
        """
        grid = self._grid(float(crossing.mid()), spare)
        lifted = float(grid.lift.mid()) ** 2 * float(self.spread_rate)
        turns = _bits_of(step * nodes * (abs(grid.ends[0]) + abs(grid.ends[1]) + 4))
        bits = spare + 32 + math.ceil(lifted) + turns
        products = (nodes + _OF_A_WEIGHT) * grid.count
        if bits > _MOST_BITS or products * bits > _MOST_PRODUCTS * _FEW_BITS:
            raise NoPlanError
        with working_precision(bits):
            sums = self._sums(crossing, step, nodes, grid)
            doubt = self._rule_error(crossing, grid)
            doubt = doubt.union(-doubt)
            around = acb(doubt, doubt if nodes else arb(0))
            for j, value in enumerate(sums):
                found = value + around
                sums[j] = found if self.removed else found.conjugate()
            return sums if nodes else [acb(sums[0].real)]

    def _sums(self, crossing: arb, step: arb, nodes: int, grid: Grid) -> list[acb]:
        """Enclose the rule at every node: two tables of powers, multiplied as matrices."""
        power = self.power(crossing)
        small = max(math.isqrt(nodes), 1)
        large = nodes // small + 1
        pairs = [self._weight_and_turn(power, step, grid, k) for k in range(grid.count)]
        turns = [turn for _, turn in pairs]
        table = _powers(turns, small)
        leap = [row * turn for row, turn in zip(table[-1], turns, strict=True)]
        right = acb_mat(table).transpose()
        found: list[acb] = []
        weighed = [weight for weight, _ in pairs]
        for begin in range(0, large, _BLOCK):
            check_budget()
            rows = _powers(leap, min(_BLOCK, large - begin) + 1)
            left = [[w * x for w, x in zip(weighed, row, strict=True)] for row in rows[:-1]]
            product = acb_mat(left) * right
            found += [product[at, column] for at in range(len(left)) for column in range(small)]
            weighed = [w * x for w, x in zip(weighed, rows[-1], strict=True)]
        return found[: nodes + 1]

    def _weight_and_turn(self, power: arb, step: arb, grid: Grid, k: int) -> tuple[acb, acb]:
        """Enclose the rule's weight at a point, and w^(i step)."""
        if k % _BETWEEN_LOOKS == 0:
            check_budget()
        t, u, s = acb(grid.first + grid.step * k, grid.lift), self._u, ball(self.noise_multiplier)
        loss = (self._q * t.exp() + (1 - self._q)).log()
        scaled = (t + u * u / 2) * s
        weight = (power * loss - scaled * scaled / 2).exp() * (grid.step * s)
        return weight / (2 * arb.pi()).sqrt(), (loss * step * acb(0, 1)).exp()

    def _rule_error(self, crossing: arb, grid: Grid) -> arb:
        """Bound what the rule and the cut ends are off, at every height y >= 0."""
        power, b, rate = self.power(crossing), grid.lift, 2 * arb.pi() / grid.step
        low, high = grid.ends
        lines = arb(0)
        for a in (arb(0), 2 * b):
            lines += self._norm(crossing, arb(0), a, low, high, _COARSE)
        lines /= (rate * b).expm1()
        # On a side |density| is largest at the top, and the rule's kernel at the line itself.
        growth = self._lifted(b).max(self._lifted(2 * b) - rate * b).exp()
        sides = arb(0)
        for end in (low, high):
            part = self._q * end.exp()
            log_size = power * (1 - self._q + part).log()
            if power < 0:
                log_size = power * self._modulus(part, 2 * b).log()  # it falls with the shift
            sides += 2 * b * (log_size + self._log_density(end)).exp() * growth * self._part(end)
        return (lines + sides + self._tails(crossing, low, high, b)).abs_upper()

    def _log_density(self, t: arb) -> arb:
        u = self._u
        return -((t + u * u / 2) ** 2) / (2 * u * u) - (u * (2 * arb.pi()).sqrt()).log()

    def _norm(self, crossing: arb, height: arb, a: arb, low: arb, high: arb, tolerance: int) -> arb:
        """Bound the integral over [low, high] of |density w^v| e^(-height arg w) at x + i a."""
        power, u, q = self.power(crossing), self._u, self._q
        log_size = self._log_norm_about(float(crossing.mid()), float(height.mid()), float(a.mid()))
        up, down = (acb(0, a)).exp() * q, (acb(0, -a)).exp() * q
        rest, turned = 1 - q, not height.is_zero()
        across, front = 2 * q * rest * a.cos(), self._lifted(a) - log_size
        middle, spread = (low + high) / 2, high - low

        def scaled(place: acb, cuts: Cuts) -> acb:
            x = middle + spread * place
            grown = x.exp()
            exponent = front - (x + u * u / 2) ** 2 / (2 * u * u)
            if not turned:  # |w|^2 is positive on the line itself
                square = (q * q * grown + across) * grown + rest * rest
                return (exponent + power / 2 * cuts.log(square)).exp() * self._part(x)
            above, below = cuts.log(rest + up * grown), cuts.log(rest + down * grown)
            exponent += power / 2 * (above + below)
            return (exponent + (above - below) * acb(0, height / 2)).exp() * self._part(x)

        whole = integrate(scaled, arb(-0.5), arb(0.5), tolerance)
        return whole.abs_upper() * arb(log_size).exp() * spread / (u * (2 * arb.pi()).sqrt())

    def _part(self, x: Point) -> Point:
        """What the law is multiplied by; it rises along the real axis, to at most 1."""
        return x * 0 + 1

    def _lifted(self, a: arb) -> arb:
        """The logarithm of how much larger the density's modulus is on Im t = a."""
        return a * a / 2 * ball(self.spread_rate)

    def _log_norm_about(self, crossing: float, height: float, shift: float) -> float:
        planned = self._shifted(float(self.power(arb(crossing)).mid()), _REACH)
        if planned is None:
            raise NoPlanError
        _, logs, angles, _ = planned
        nearest = int(np.argmin(np.abs(_SHIFTS - shift)))
        return float(np.max(logs[nearest] - height * angles[nearest]))

    def _tails(self, crossing: arb, low: arb, high: arb, a: arb) -> arb:
        """Bound the integral of |density w^v| at x + i a over all x below low and above high."""
        power, u, q = self.power(crossing), self._u, self._q
        root = u * arb(2).sqrt()
        under = (-(low + u * u / 2) / root).erfc() / 2
        lifted = self._lifted(a).exp()
        if power >= 0:
            at_low = (q * low.expm1()).log1p()
            below = (power * at_low).exp() * under * self._part(low)
            return lifted * (below + self._upper_tail(power, high))
        over = ((high + u * u / 2) / root).erfc() / 2
        at_low, at_high = (q * end.exp() for end in (low, high))
        # |w| falls with q e^x up to the turn, where it is (1 - q) sin a, and then rises.
        rest, turn = 1 - q, -(1 - q) * a.cos()
        before = self._modulus(at_low, a) if at_low < turn else rest * a.sin()
        after = self._modulus(at_high, a) if at_high > turn else rest * a.sin()
        above = (power * after.log()).exp() * over
        if turn <= 0:
            return lifted * (self._lower_tail(power, low, a) + above)
        return lifted * ((power * before.log()).exp() * under + above)

    def _lower_tail(self, power: arb, low: arb, a: arb) -> arb:
        """Bound the integral of density |w|^v at x + i a below ``low``, v < 0, cos a >= 0.

        |w| rises, from 1 - q: cells, until the density makes up for (1 - q)^v.
        """
        u, q = self._u, self._q
        root, total, end = u * arb(2).sqrt(), arb(0), low
        grown = power * (-q).log1p()
        last = (-u * u / 2 - u * (2 * (grown + _NEVER)).sqrt()).min(low)
        cells = min(max(_about_ceiling((low - last) / u * _CELLS_A_WIDTH), 0), _MOST_CELLS)
        for k in range(1, cells + 1):
            following = low + (last - low) * k / cells
            chance = (-(end + u * u / 2) / root).erfc() / 2
            total += (power * self._modulus(q * following.exp(), a).log()).exp() * chance
            end = following
        return total + grown.exp() * (-(end + u * u / 2) / root).erfc() / 2

    def _upper_tail(self, power: arb, high: arb) -> arb:
        """Bound the integral of density w^v above ``high``, v >= 0: cells, then an exponential.

        log w is convex: on a cell it is below its chord, and beyond the last below the line of
        slope 1, as w e^(-x) falls. Of either line the integral from the cell on is in closed form.
        """
        u, q = self._u, self._q
        steep = (((1 - q) / q).log() + _STEEP).max(high)
        cells = min(max(_about_ceiling((steep - high) / u * _CELLS_A_WIDTH), 0), _MOST_CELLS)
        ends = [high + (steep - high) * k / cells for k in range(cells)] + [steep]
        logs = [(q * end.expm1()).log1p() for end in ends]
        slopes = [
            (after - here) / (end - begin)
            for here, after, begin, end in zip(logs, logs[1:], ends, ends[1:], strict=False)
        ]
        total, root = arb(0), u * arb(2).sqrt()
        for end, log_w, slope in zip(ends, logs, [*slopes, arb(1)], strict=True):
            k = power * slope
            over = ((end + u * u / 2 - k * u * u) / root).erfc() / 2
            total += (power * log_w - k * end + k * (k - 1) * u * u / 2).exp() * over
        return total

    def _modulus(self, part: arb, a: arb) -> arb:
        """Enclose |w(x + i a)|, where ``part`` is q e^x."""
        rest = 1 - self._q
        return (rest * rest + 2 * rest * part * a.cos() + part * part).sqrt()

    @property
    def _u(self) -> arb:
        return ball(1 / self.noise_multiplier)

    @property
    def _q(self) -> arb:
        return ball(self.sampling_probability)


def _powers(turns: list[acb], count: int) -> list[list[acb]]:
    """Return the powers 0, ..., count - 1 of each number, each a product of two smaller ones."""
    rows = [[acb(1)] * len(turns), turns]
    for n in range(2, count):
        rows.append([x * y for x, y in zip(rows[n // 2], rows[n - n // 2], strict=True)])
    return rows[:count]


def _log_sum(logs: Reals) -> float:
    most = float(np.max(logs))
    return most + math.log(float(np.sum(np.exp(logs - most))))


def _log_sums(logs: Reals) -> Reals:
    most = np.max(logs, axis=1)
    found: Reals = most + np.log(np.sum(np.exp(logs - most[:, None]), axis=1))
    return found


def _about_ceiling(value: arb) -> int:
    """Return about the ceiling of a number."""
    return math.ceil(float(value.mid()))


def _bits_of(value: arb) -> int:
    """Return the bits before the binary point of an upper bound."""
    return max(int(value.abs_upper().ceil().unique_fmpz() or 1), 1).bit_length()
