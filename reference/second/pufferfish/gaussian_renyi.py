"""Second opinions on the Renyi divergence of normal noise between two known laws on the line.

Fejer's first rule on cells of the line, each with its own number of nodes: the integrand on an
ellipse around a cell is bounded by the means of the atoms given its ends, and by the range of the
atoms. The first engine takes one trapezoid rule for the whole line. All in MPFR, term by term.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

import gmpy2
from gmpy2 import mpfr

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import LineLaw
from ..directed import OutOfReachError, Span, hull, or_nothing, roundings
from ..opinion import second_opinion
from .divergences import Masses, largest, masses_of_law
from .laplace_renyi import PowerMean, largest_renyi

_MOST_CELLS, _MOST_NODES = 4_000, 1_024
_BITS_MORE, _BITS_BELOW = 48, 8
# A cell's half is as long as the strip is high, so that the ellipse has these axes and parameter.
_ELLIPSE = math.log(1 + math.sqrt(2))
_REACH = Fraction(1415, 1000)
_GROWTH = Fraction(24142, 10_000)
_MOST_STEPS = 64
# A rule has at least so many nodes; their numbers have few digits, so that few rules are made.
_LEAST_NODES, _DIGITS = 16, 3


@second_opinion("pufferfish.gaussian_renyi", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_renyi(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, order: Fraction
) -> Enclosure:
    """Enclose the larger divergence of both orders; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]
    return largest_renyi(bits, [laws], gaussian_power_mean(scale, order), order).enclosure()


def gaussian_power_mean(scale: Fraction, order: Fraction) -> PowerMean:
    """Return what encloses the integral for normal noise."""

    def at(first: Masses, second: Masses, bits: int) -> Span:
        inner = bits + _BITS_MORE
        laws = [_Law(law, scale, inner) for law in (first, second)]
        total = _PowerMean(laws[0], laws[1], order, bits).enclosed()
        pi = _pi(inner)
        return total / ((pi + pi).log() / Span.of(2, inner)).exp()

    return at


class _Law:
    """A law of which the noise is standard normal."""

    def __init__(self, masses: Masses, scale: Fraction, bits: int) -> None:
        self.bits = bits
        self._atoms = [(at / scale, Span.of(mass, bits)) for at, mass in sorted(masses.items())]
        self.ends = self._atoms[0][0], self._atoms[-1][0]
        self._near = [float(point) for point, _ in self._atoms]
        self._known: dict[int, tuple[Span, list[Span], list[Span]]] = {}

    @property
    def range(self) -> Fraction:
        """How far the last atom is from the first."""
        return self.ends[1] - self.ends[0]

    def look(self, at: Fraction) -> tuple[Span, Span]:
        """Return log of the density, but for 1/sqrt(2 pi), and the mean of the atoms given it."""
        here = Span.of(at, self.bits)
        base, shares = self._shares(here)
        total = moment = Span.of(0, self.bits)
        for (point, _), share in zip(self._atoms, shares, strict=True):
            total = total + share
            moment = moment + share * Span.of(point - base, self.bits)
        return self._log(total, here, base), Span.of(base, self.bits) + moment / total

    def near(self, here: mpfr, work: Any) -> mpfr:
        """Return the log of the density, but for 1/sqrt(2 pi), rounded to nearest in a context.

        Off by at most `_rounded` says, where each step is.
        """
        rough = float(here)
        at = min(range(len(self._near)), key=lambda one: abs(self._near[one] - rough))
        base, steps, halves = self._about(at)
        moved = work.sub(here, base.low)
        total = mpfr(0)
        for (_, mass), step, half in zip(self._atoms, steps, halves, strict=True):
            power = work.mul(step.low, work.sub(moved, half.low))
            total = work.add(total, work.mul(mass.low, work.exp(power)))
        return work.sub(work.log(total), work.div_2exp(work.mul(moved, moved), 1))

    @property
    def smallest(self) -> float:
        """How far down the logarithm of a mass goes, about."""
        return max(-mass.log().middle for _, mass in self._atoms) + 1

    @property
    def size(self) -> int:
        """The number of atoms."""
        return len(self._atoms)

    def _log(self, total: Span, here: Span, base: Fraction) -> Span:
        away = here - Span.of(base, self.bits)
        return total.log() - away * away * Span.of(Fraction(1, 2), self.bits)

    def _shares(self, here: Span) -> tuple[Fraction, list[Span]]:
        """Return the atom that is nearest, about, and all atoms' shares over its density."""
        check_budget()
        rough = here.middle
        at = min(range(len(self._near)), key=lambda one: abs(self._near[one] - rough))
        _, steps, halves = self._about(at)
        base = self._atoms[at][0]
        moved = here - Span.of(base, self.bits)
        return base, [
            mass * (step * (moved - half)).exp()
            for (_, mass), step, half in zip(self._atoms, steps, halves, strict=True)
        ]

    def _about(self, at: int) -> tuple[Span, list[Span], list[Span]]:
        """Return an atom, and all atoms' distances from it, whole and half."""
        if at not in self._known:
            base = self._atoms[at][0]
            away = [point - base for point, _ in self._atoms]
            wholes = [Span.of(one, self.bits) for one in away]
            whole = Span.of(base, self.bits)
            self._known[at] = whole, wholes, [Span.of(one / 2, self.bits) for one in away]
        return self._known[at]


class _Cell(NamedTuple):
    """The middle of a cell, and a bound on log of the integrand around it."""

    middle: Fraction
    most: Span


class _PowerMean:
    """Fejer's rules for the power mean of two laws."""

    def __init__(self, above: _Law, below: _Law, order: Fraction, bits: int) -> None:
        self._above, self._below, self._order, self._bits = above, below, order, bits
        widest = max(above.range, below.range)
        self._half = min(Fraction(1), 2 / widest) if widest else Fraction(1)
        # The height times half of the range is at most 1: r shrinks by cos(1) > 1/2 at most.
        self._flat = self._span(self._half**2 / 2) + self._span(order - 1) * self._span(2).log()

    def _span(self, value: Fraction | int) -> Span:
        return Span.of(value, self._above.bits)

    def _mixed(self, above: Span, below: Span) -> Span:
        return self._span(self._order) * above - self._span(self._order - 1) * below

    def _slope(self, above: Span, below: Span, at: Fraction) -> Span:
        return self._mixed(above, below) - self._span(at)

    def enclosed(self) -> Span:
        """Enclose the integral of the power mean of both densities, but for 1/sqrt(2 pi)."""
        (low, left), (high, right) = (self._outer(way) for way in (-1, 1))
        cells = math.ceil((high - low) / (2 * self._half))
        if cells > _MOST_CELLS:
            raise OutOfReachError
        found = [self._cell(low + (2 * at + 1) * self._half) for at in range(cells)]
        top = max(0.0, max(cell.most.middle for cell in found) - float(self._flat.high))
        wanted = -(self._bits + _BITS_BELOW) * math.log(2) + top
        total = hull(self._span(0), left + right)
        # The last cell ends at or beyond the last outcome, and so is counted twice at most there.
        for cell in found:
            total = total + self._over(cell, wanted)
        last = low + 2 * cells * self._half
        if last > high:
            total = hull(total, total - right)
        return total

    def _outer(self, way: int) -> tuple[Fraction, Span]:
        """Return an outcome beyond which on one side little is left, and a bound on that."""
        side = 0 if way < 0 else 1
        end, other = self._above.ends[side], self._below.ends[side]
        least = self._span(1) / self._span(2 ** (self._bits + _BITS_BELOW))
        away = Fraction(4)
        for _ in range(_MOST_STEPS):
            at = (min(end, other) if way < 0 else max(end, other)) + way * away
            (above, _), (below, mean) = self._above.look(at), self._below.look(at)
            fall = -self._slope(self._span(end), mean, at)
            fall = fall if way > 0 else -fall
            if (fall - self._span(1)).sign > 0:
                rest = self._mixed(above, below).exp() / fall
                if (rest - least).sign < 0:
                    return at, rest
            away = away * 3 / 2
        raise OutOfReachError

    def _cell(self, middle: Fraction) -> _Cell:
        """Return a cell with a bound on log of the integrand's size on the ellipse around it."""
        reach = self._half * _REACH
        low, high = middle - reach, middle + reach
        (_, first), (_, start) = self._above.look(low), self._below.look(low)
        (_, last), (_, end) = self._above.look(high), self._below.look(high)
        slopes = self._slope(last, start, low), -self._slope(first, end, high)
        steepest = largest([*slopes, self._span(0)])
        above, below = self._above.look(middle)[0], self._below.look(middle)[0]
        most = self._mixed(above, below) + steepest * self._span(reach) + self._flat
        return _Cell(middle, most)

    def _over(self, cell: _Cell, wanted: float) -> Span:
        """Enclose the integral over a cell."""
        zero, half = self._span(0), self._span(self._half)
        if cell.most.middle < wanted:
            return hull(zero, half * self._span(2) * cell.most.exp())
        nodes = _roundly((cell.most.middle - wanted + 4) / _ELLIPSE)
        if nodes > _MOST_NODES:
            raise OutOfReachError
        bits = self._above.bits
        work = gmpy2.context(precision=bits)
        middle, reach = self._span(cell.middle).low, half.low
        total = most = size = mpfr(0)
        powers = self._span(self._order).low, self._span(self._order - 1).low
        check_budget()
        for cosine, weight in _rule(nodes, bits):
            at = work.add(middle, work.mul(reach, cosine.low))
            logs = self._above.near(at, work), self._below.near(at, work)
            log = work.sub(work.mul(powers[0], logs[0]), work.mul(powers[1], logs[1]))
            value = work.exp(log)
            total = work.add(total, work.mul(weight.low, value))
            most, size = max(most, value), work.add(size, work.abs(weight.low))
        error = self._rounded(cell.middle, nodes) * Span(most, most)
        found = Span(total, total) + hull(error, -error)
        size = Span(size, size) + self._span(1)
        # Chebyshev coefficients are at most 2 M/growth^m, their integrals 2, their sums ``size``.
        growth = self._span(_GROWTH)
        tail = (self._span(-nodes) * growth.log()).exp() * growth / (growth - self._span(1))
        error = self._span(2) * cell.most.exp() * tail * (self._span(2) + size)
        error = hull(error, -error)
        return half * (found + error)

    def _rounded(self, middle: Fraction, nodes: int) -> Span:
        """Bound how far rounding takes the sum of a rule, over the largest value at a node.

        proofs_notes/known-laws-renyi.md#rounded-to-nearest.
        """
        laws = self._above, self._below
        reach = 1 + abs(middle) + self._half + 2 * max(abs(end) for law in laws for end in law.ends)
        few = 20 * max(law.size for law in laws) + math.ceil(10 * max(law.smallest for law in laws))
        relative = self._order * (2_000 * reach**2 + few + 100) + 100 * nodes
        return self._span(4 * relative) / self._span(2**self._above.bits)


def _roundly(nodes: float) -> int:
    """Return a number of nodes that is enough, of three binary digits and zeros."""
    whole = max(math.ceil(nodes), _LEAST_NODES)
    step = 1 << (whole.bit_length() - _DIGITS)
    return -(-whole // step) * step


@lru_cache(maxsize=64)
def _rule(nodes: int, bits: int) -> Sequence[tuple[Span, Span]]:
    """Return the nodes and weights of Fejer's first rule on [-1, 1], exact up to degree nodes - 1.

    Weights are 2/nodes times 1 less the sum of 2 cos(2 j angle)/(4 j^2 - 1), in whole numbers: each
    cosine is off by some ten units at most, each quotient by one, so the sum by 4 nodes of them.
    """
    work = bits + nodes.bit_length() + 4
    unit = 1 << work
    # The cosines of k pi/(2 nodes), k = 0, 1, ..., from those of the first quarter.
    quarter = [_cosine(Fraction(at, 2 * nodes), work) for at in range(nodes + 1)]
    half = [*quarter, *(-one for one in quarter[-2::-1])]
    cosines = [*half, *half[-2:0:-1]]
    whole = [math.floor(one.low_fraction * unit) for one in cosines]
    found = []
    for at in range(nodes):
        total = unit
        for j in range(1, nodes // 2 + 1):
            total -= 2 * whole[2 * j * (2 * at + 1) % (4 * nodes)] // (4 * j * j - 1)
        ends = (Fraction(2 * (total + way * 4 * nodes), nodes * unit) for way in (-1, 1))
        low, high = (Span.of(end, bits) for end in ends)
        found.append((cosines[2 * at + 1], hull(low, high)))
    return found


def _cosine(turn: Fraction, bits: int) -> Span:
    """Enclose cos(pi turn) for a turn from 0 to 1/2; it falls."""
    down, up = roundings(bits)
    angle = _pi(bits) * Span.of(turn, bits)
    return Span(down.cos(angle.high), up.cos(angle.low))


@cache
def _pi(bits: int) -> Span:
    down, up = roundings(bits)
    return Span(down.acos(-1), up.acos(-1))
