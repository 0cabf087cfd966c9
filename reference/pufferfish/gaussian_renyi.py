"""Exact Renyi divergence of normal noise between two known laws on the line.

The power mean p^order r^(1 - order) of two mixtures of normal densities is analytic in a strip
around the real line whose height the conditional variance of the atoms given an outcome bounds;
there it is known to within a factor. So the trapezoid rule has a relative error that is known
before it is summed, and most of its nodes need not be looked at: the conditional means at two
outcomes bound all that is between them (proofs_notes/known-laws-renyi.md).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, NamedTuple

from flint import arb, arb_poly, ctx

from ..arb.balls import ball
from ..domain import AT_LEAST_ZERO, LINE_LAW, Interval, Positive
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..vocabulary import Meaning
from .divergences import Atoms, atoms_of_law
from .laplace_renyi import NOTE, RENYI_ORDER, renyi_between

SIGMA = Annotated[
    Positive,
    Interval(above=Fraction(0), search=("0.1", "100"), beyond=("0.02", "1e9")),
    Meaning("standard deviation of the normal noise", "", r"\sigma"),
]
_ZERO = arb(0)
# A law is seen as a polynomial where its points stand on a lattice with at most so many times as
# many points.
_MOST_HOLES = 8
# The variance is bounded on cells of this length, in standard deviations, where half of the range
# is more than one of them, and the cells are not too many.
_CELL = 0.5
_MOST_CELLS = 4_000
# A cell's end is further from its middle than from that of the next one's by a little.
_OVERLAPPING = arb(15) / 8
# The strip's height times the largest standard deviation of the atoms given an outcome.
_MOST_HEIGHT = 0.95
# What is left out is so many bits below what is wanted.
_SPARE_BITS = 12
_MOST_NODES, _MOST_STRETCHES = 200_000, 50_000
# So many nodes are summed one by one, without looking whether they matter.
_FEW = 16
# From an end of the points outward: the first step in standard deviations, and how steps grow.
_FIRST_STEP, _GROWTH = 2.0, 1.5
_MOST_STEPS = 200


class _Law:
    """A law of which the noise is standard normal: its first point, the others from there on."""

    def __init__(self, atoms: Atoms, scale: Fraction) -> None:
        least = Fraction(atoms.points[0])
        away = [(point - least) / scale for point in atoms.points]
        self.first = ball(least / scale)
        self.points = [ball(point) for point in away]
        self.masses = [arb(weight) / atoms.total for weight in atoms.weights]
        self._step, self._polynomial = self._on_lattice(away)
        if self._polynomial is not None:
            self._derivative = self._polynomial.derivative()
        self.variance = self._variance()

    @property
    def last(self) -> arb:
        """The last point."""
        return self.first + self.points[-1]

    def _on_lattice(self, away: Sequence[Fraction]) -> tuple[arb, arb_poly | None]:
        """Return a step, and the mixture as a polynomial in e^(step times the outcome)."""
        step = gcd_of(away)
        if not step or away[-1] / step > _MOST_HOLES * len(away):
            return _ZERO, None
        coefficients = [_ZERO] * (int(away[-1] / step) + 1)
        for at, point, mass in zip(away, self.points, self.masses, strict=True):
            coefficients[int(at / step)] = mass * (-(point * point) / 2).exp()
        return ball(step), arb_poly(coefficients)

    def look(self, outcome: arb) -> tuple[arb, arb]:
        """Enclose log of the density, but for 1/sqrt(2 pi), and the mean of the atoms given it."""
        at = outcome - self.first
        if self._polynomial is None:
            base, shares = self._shares(at)
            total = sum(shares, _ZERO)
            away = zip(self.points, shares, strict=True)
            moment = sum((share * (point - base) for point, share in away), _ZERO)
            log = total.log() + base * (at - base / 2) - at * at / 2
            return log, self.first + base + moment / total
        power = (at * self._step).exp()
        total = self._polynomial(power)
        mean = self._step * power * self._derivative(power) / total
        return total.log() - at * at / 2, self.first + mean

    def log_density(self, outcome: arb) -> arb:
        """Enclose the log of the density, but for 1/sqrt(2 pi)."""
        if self._polynomial is None:
            return self.look(outcome)[0]
        at = outcome - self.first
        return self._polynomial((at * self._step).exp()).log() - at * at / 2

    def _shares(self, at: arb) -> tuple[arb, list[arb]]:
        """Return a point, and the atoms' chances given an outcome up to a factor, 1 for that point.

        The outcome is told by its distance from the first point.
        """
        check_budget()
        base = self.points[0] if at < self.points[-1] / 2 else self.points[-1]
        return base, [
            mass * ((point - base) * (at - (point + base) / 2)).exp()
            for point, mass in zip(self.points, self.masses, strict=True)
        ]

    def chances(self, outcome: arb) -> list[arb]:
        """Enclose the atoms' chances given an outcome."""
        _, shares = self._shares(outcome - self.first)
        total = sum(shares, _ZERO)
        return [share / total for share in shares]

    def _variance(self) -> arb:
        """Bound the variance of the atoms given an outcome, over all outcomes."""
        reach = self.points[-1]
        trivial = (reach * reach / 4).upper()
        if reach < 4 * _CELL or reach > _CELL * _MOST_CELLS:
            return trivial
        return trivial.min(self._variance_by_cells()).upper()

    def _variance_by_cells(self) -> arb:
        """Bound it cell by cell, and outside the first and the last one."""
        inner = arb(_CELL) / 2
        most = _ZERO
        at, left = (self.first - inner).mid(), True
        for _ in range(2 * _MOST_CELLS):
            chances = self.chances(at)
            if left:
                most, left = self._from_end(chances, self.points[0]), False
            most = most.max(self._within(chances, inner))
            beyond = self._from_end(chances, self.points[-1])
            if at > self.last and (beyond < most or at > self.last + _MOST_STEPS):
                return most.max(beyond)
            at = (at + inner * _OVERLAPPING).mid()
        return arb("inf")

    def _within(self, chances: Sequence[arb], inner: arb) -> arb:
        """Bound the variance given any outcome so near to one with these chances."""
        pairs = [*zip(self.points, chances, strict=True)]
        mean = sum((point * chance for point, chance in pairs), _ZERO)
        total = _ZERO
        for point, chance in pairs:
            away = abs(point - mean)
            total += chance * away * away * (inner * away).exp()
        return total.upper()

    def _from_end(self, chances: Sequence[arb], end: arb) -> arb:
        """Bound the variance given any outcome beyond one with these chances, on an end's side."""
        total = _ZERO
        for point, chance in zip(self.points, chances, strict=True):
            total += chance * (point - end) * (point - end)
        return total.upper()


def gcd_of(numbers: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all are whole multiples; 0 of zeros alone."""
    common = math.lcm(*(number.denominator for number in numbers))
    whole = (number.numerator * (common // number.denominator) for number in numbers)
    return Fraction(math.gcd(*whole), common)


@lru_cache(maxsize=512)
def _law(atoms: Atoms, scale: Fraction, _bits: int) -> _Law:
    return _Law(atoms, scale)


class _Look(NamedTuple):
    """A node's number and place, the log of the integrand there, the means of both laws' atoms."""

    number: int
    at: arb
    log: arb
    means: tuple[arb, arb]


class _Stretch(NamedTuple):
    """The nodes from one up to before another, and a bound on log of their sum.

    ``rank`` is about minus that, and ``number`` tells equal ones apart.
    """

    rank: float
    number: int
    low: _Look
    high: _Look
    most: arb


class _PowerMean:
    """The trapezoid rule for the power mean of two laws, the noise standard normal."""

    def __init__(self, above: _Law, below: _Law, order: Fraction) -> None:
        self._above, self._below = above, below
        self._order = ball(order)
        bits = (ctx.prec + _SPARE_BITS) * math.log(2)
        variance = above.variance.max(below.variance)
        spread = float(variance.upper())
        height = min(
            _MOST_HEIGHT / math.sqrt(spread) if spread else math.inf,
            math.sqrt(2 * bits / (float(order) * spread + 1)),
        )
        self._height = arb(height)
        # Of the integrand in the strip over that on the line.
        kept = 1 - self._height**2 * below.variance / 2
        self._flat = (self._height**2 / 2).exp() * kept ** (1 - self._order)
        room = bits + float(self._flat.log().upper()) + 1
        self._step = arb(2 * math.pi * height / room)
        self._origin = above.first.mid()
        self._log_step = self._step.log()

    def value(self) -> arb:
        """Enclose the integral."""
        q = 2 * self._flat / (2 * arb.pi() * self._height / self._step).expm1()
        if not q < 1:
            return arb("nan")
        found = self._sum() / (2 * arb.pi()).sqrt()
        return (found / (1 + q)).union(found / (1 - q))

    def _place(self, number: int) -> arb:
        return self._origin + number * self._step

    def _log(self, at: arb) -> arb:
        return self._mixed(self._above.log_density(at), self._below.log_density(at))

    def _mixed(self, above: arb, below: arb) -> arb:
        return self._order * above - (self._order - 1) * below

    def _look(self, number: int) -> _Look:
        at = self._place(number)
        above, below = self._above.look(at), self._below.look(at)
        return _Look(number, at, self._mixed(above[0], below[0]), (above[1], below[1]))

    def _slope(self, above: arb, below: arb, at: arb) -> arb:
        """Enclose the slope of the log at an outcome where the atoms have these means."""
        return self._order * above - (self._order - 1) * below - at

    def _last(self, way: int, negligible: arb) -> tuple[_Look, arb]:
        """Return a node beyond which on one side all is negligible, and a bound on its sum."""
        laws = self._above, self._below
        ends = [law.first if way < 0 else law.last for law in laws]
        outermost = ends[0].min(ends[1]) if way < 0 else ends[0].max(ends[1])
        away = _FIRST_STEP
        for _ in range(_MOST_STEPS):
            number = math.ceil(float((way * (outermost - self._origin) + away) / self._step))
            look = self._look(way * number)
            fall = -way * self._slope(ends[0], look.means[1], look.at)
            if fall > 1:
                rest = look.log.exp() / (fall * self._step).expm1() * self._step
                if rest < negligible:
                    return look, rest.upper()
            away *= _GROWTH
        raise _UndecidedError

    def _stretch(self, low: _Look, high: _Look) -> _Stretch:
        least = self._slope(low.means[0], high.means[1], high.at)
        most = self._slope(high.means[0], low.means[1], low.at)
        half = (high.at - low.at) / 2
        up, down = most.max(_ZERO) * half, (-least).max(_ZERO) * half
        top = (low.log + up).max(high.log + down)
        top += self._log_step + arb(high.number - low.number).log()
        return _Stretch(-float(top.upper()), low.number, low, high, top.upper())

    def _sum(self) -> arb:
        """Enclose the sum over all nodes, times their distance."""
        unit = arb(2) ** -(ctx.prec + _SPARE_BITS)
        (low, left), (high, right) = (self._last(way, unit) for way in (-1, 1))
        total = high.log.exp() * self._step + _ZERO.union(left + right)
        waiting = [self._stretch(low, high)]
        largest = arb(1)
        nodes = 0
        for _ in range(_MOST_STRETCHES):
            if not waiting:
                return total
            stretch = heapq.heappop(waiting)
            bound = stretch.most.exp()
            if bound < unit * largest:
                rest = sum((one.most.exp() for one in waiting), bound)
                return total + _ZERO.union(rest.upper())
            low, high = stretch.low, stretch.high
            between = high.number - low.number
            nodes += between if between <= _FEW else 1
            if nodes > _MOST_NODES:
                break
            if between <= _FEW:
                total += low.log.exp() * self._step
                for number in range(low.number + 1, high.number):
                    total += self._log(self._place(number)).exp() * self._step
                largest = largest.max(total).mid()
            else:
                middle = self._look((low.number + high.number) // 2)
                for part in (self._stretch(low, middle), self._stretch(middle, high)):
                    heapq.heappush(waiting, part)
        return arb("nan")


class _UndecidedError(ArithmeticError):
    """The precision does not tell where the integrand ends."""


def gaussian_power_mean(first: Atoms, second: Atoms, scale: Fraction, order: Fraction) -> arb:
    """Enclose the integral of p^order r^(1 - order), p the first law's density, r the second's.

    It is e^((order - 1) D) and at least 1.
    """
    above, below = (_law(law, scale, ctx.prec) for law in (first, second))
    try:
        return _PowerMean(above, below, order).value()
    except _UndecidedError:
        return arb("nan")


@quantity(
    "pufferfish.gaussian_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \left\{ D_{\lambda}(\mu, \nu), D_{\lambda}(\nu, \mu) \right\}, \quad "
    r"D_{\lambda}(\mu, \nu) = \frac{1}{\lambda - 1} \log \int p_{\mu}(w)^{\lambda} "
    r"p_{\nu}(w)^{1 - \lambda} \, dw, \quad p_{\mu}(w) = \frac{1}{\sigma \sqrt{2 \pi}} \int "
    r"e^{-(w - x)^2 / 2 \sigma^2} \, d\mu(x)",
    within=AT_LEAST_ZERO,
    rises="order",
    falls="scale",
    vanishes="high scale",
    quick="scale >= 10, order <= 4",
    slow=True,
)
def gaussian_renyi(mu: LINE_LAW, nu: LINE_LAW, scale: SIGMA, order: RENYI_ORDER) -> arb:
    """Exact Renyi divergence of two laws on the line under normal noise, the worse of both orders.

    The trapezoid rule with a proved error. At most order W^2/(2 scale^2), W their
    infinity-Wasserstein distance, which two point masses attain: of these it is ``gaussian.renyi``.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    return renyi_between(laws, gaussian_power_mean, scale, order)
