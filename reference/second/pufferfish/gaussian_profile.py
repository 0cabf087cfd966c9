"""Second opinions on the exact delta of normal noise between two known laws on the line.

Signs of the difference of densities are proved cell by cell, from the means of the atoms given an
outcome (proofs_notes/gaussian-profile.md), each mixture about the atom of its own that is nearest,
in MPFR. Every root is bracketed to full precision, and delta is the sum over runs of positive cells
of chances between roots; the first engine stops earlier, with a bound of the second order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import LineLaw
from ..directed import OutOfReachError, Span, hull, or_nothing, roundings
from ..opinion import second_opinion
from ..roots import bracketed
from .divergences import Masses, largest, masses_of_law
from .laplace_profile import HockeyStick, clamped, largest_delta, least_argument, signed_weights

# Where signs take more cells, more bits or other laws are needed.
_MOST_CELLS = 2_048
_MOST_DOUBLINGS = 256
# A bracket of a root is wider than the precision by so much.
_BITS_OF_ROOTS = 44
# Not the middle, where symmetric laws have their roots.
_CUT = Fraction(509, 1024)
_CLOSE_BEYOND = Fraction(9, 8)


@second_opinion("pufferfish.gaussian_delta", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_delta(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, epsilon: Fraction
) -> Enclosure:
    """Enclose the larger hockey-stick of both orders; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]
    return largest_delta(bits, [laws], gaussian_hockey_stick(scale, epsilon)).enclosure()


@second_opinion("pufferfish.gaussian_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_epsilon(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose the least epsilon with at most ``delta`` between two proved signs; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]

    def profile(precision: int, epsilon: Fraction) -> Span:
        return largest_delta(precision, [laws], gaussian_hockey_stick(scale, epsilon))

    return least_argument(bits, profile, delta, 1 / scale)


# Positive weights at points, in order of place.
_Mixture: TypeAlias = Sequence[tuple[Fraction, Span]]


class _Look(NamedTuple):
    """An outcome, log P - log N there, and the means of the atoms of P and of N given it."""

    at: Fraction
    excess: Span
    above: Span
    below: Span


class _Cell(NamedTuple):
    """Two outcomes, each with where it may be, whether P > N between them, and what is in doubt.

    None is infinite.
    """

    low: Span | None
    high: Span | None
    is_positive: bool
    rest: Span | None = None


def gaussian_hockey_stick(scale: Fraction, epsilon: Fraction) -> HockeyStick:
    """Return what encloses the hockey-stick at e^epsilon of two laws under normal noise."""

    def at(first: Masses, second: Masses, bits: int) -> Span:
        inner = bits + _BITS_OF_ROOTS
        points = sorted({*first, *second})
        weights = [*zip(points, signed_weights(first, second, points, epsilon, inner), strict=True)]
        above = [(point, weight) for point, weight in weights if weight.sign > 0]
        below = [(point, -weight) for point, weight in weights if weight.sign < 0]
        unknown = any(not w.sign and (w.low or w.high) for _, w in weights)
        if not above and not unknown:
            return Span.of(0, bits)
        if unknown:
            raise OutOfReachError
        return _Difference(above, below, scale, inner).positive_area()

    return at


class _Difference:
    """P - N under normal noise: where it is positive, and how much that is."""

    def __init__(self, above: _Mixture, below: _Mixture, scale: Fraction, bits: int) -> None:
        self._above, self._below, self._scale, self._bits = above, below, scale, bits
        self._variance = scale**2
        self._first, self._last = (
            pick(above[at][0], below[at][0]) for pick, at in ((min, 0), (max, -1))
        )

    def positive_area(self) -> Span:
        """Enclose the integral of the positive part."""
        cells = [*self._cells()]
        total = self._span(Fraction(0))
        begin: Span | None = None
        inside = False
        for cell in [*cells, None]:
            positive = cell is not None and cell.is_positive
            if cell is not None and cell.rest is not None:
                total = total + cell.rest
            if positive and not inside:
                begin = cell.low if cell else None
            if inside and not positive:
                total = total + self._area(begin, cell.low if cell else None)
            inside = positive
        return total

    def _span(self, value: Fraction) -> Span:
        return Span.of(value, self._bits)

    def _look(self, at: Fraction) -> _Look:
        check_budget()
        base, log_above, above = self._conditional(self._above, at)
        other, log_below, below = self._conditional(self._below, at)
        nearer = ((at - other) ** 2 - (at - base) ** 2) / (2 * self._variance)
        return _Look(at, log_above - log_below + self._span(nearer), above, below)

    def _conditional(self, mixture: _Mixture, at: Fraction) -> tuple[Fraction, Span, Span]:
        """Return the nearest atom, log of the density over its own, and the mean given at."""
        base = min((point for point, _ in mixture), key=lambda point: abs(point - at))
        total = moment = self._span(Fraction(0))
        for point, weight in mixture:
            power = ((at - base) ** 2 - (at - point) ** 2) / (2 * self._variance)
            share = weight * self._span(power).exp()
            total = total + share
            moment = moment + share * self._span(point - base)
        return base, total.log(), self._span(base) + moment / total

    def _outer(self, way: int) -> tuple[_Look, bool]:
        """Return an outcome beyond the last atom on a side from which on one sign is proved.

        And whether it is that of P.
        """
        at = 0 if way < 0 else -1
        tops = self._above[at][0], self._below[at][0]
        is_positive = way * tops[0] > way * tops[1]
        step = self._scale
        place = (self._first if way < 0 else self._last) + way * step
        for _ in range(_MOST_DOUBLINGS):
            here = self._look(place)
            mean, rival = (here.above, tops[1]) if is_positive else (here.below, tops[0])
            lead = mean - self._span(rival) if way > 0 else self._span(rival) - mean
            height = here.excess if is_positive else -here.excess
            if lead.sign > 0 and height.sign > 0:
                return here, is_positive
            step *= 2
            if lead.sign > 0 and height.sign < 0:
                further = -height / lead * self._span(self._variance)
                step = max(self._scale / 1024, Fraction(further.middle) * _CLOSE_BEYOND)
            place = here.at + way * step
        raise OutOfReachError

    def _cells(self) -> Iterator[_Cell]:
        (low, first), (high, last) = self._outer(-1), self._outer(1)
        yield _Cell(None, self._span(low.at), first)
        waiting = [(low, high)]
        for _ in range(_MOST_CELLS):
            if not waiting:
                break
            left, right = waiting.pop()
            found = self._decided(left, right)
            if found is None:
                inner = self._look(left.at + (right.at - left.at) * _CUT)
                waiting += [(inner, right), (left, inner)]
            else:
                yield from found
        else:
            raise OutOfReachError
        yield _Cell(self._span(high.at), None, last)

    def _decided(self, low: _Look, high: _Look) -> list[_Cell] | None:
        ends = self._span(low.at), self._span(high.at)
        half = self._span((high.at - low.at) / (2 * self._variance))
        least, most = low.above - high.below, high.above - low.below
        up, down = clamped(most) * half, clamped(-least) * half
        top = largest([low.excess + up, high.excess + down])
        bottom = -largest([down - low.excess, up - high.excess])
        if top.sign < 0 or bottom.sign > 0:
            return [_Cell(*ends, bottom.sign > 0)]
        if least.sign > 0 or most.sign < 0:
            signs = low.excess.sign, high.excess.sign
            if signs[0] * signs[1] < 0:
                return self._at_root(low, high, rises=signs[1] > 0)
        if self._is_fine(low, high, up + down):
            rest = clamped(top).expm1() * self._most_below() * (ends[1] - ends[0])
            return [_Cell(*ends, is_positive=False, rest=hull(self._span(Fraction(0)), rest))]
        return None

    def _is_fine(self, low: _Look, high: _Look, bend: Span) -> bool:
        """Whether the excess changes by less than it is known to within, or than its precision."""
        down, up = roundings(self._bits)
        noise = down.add(
            down.sub(low.excess.high, low.excess.low), down.sub(high.excess.high, high.excess.low)
        )
        return bool(bend.high <= up.mul(noise, 4)) or bool(
            bend.high <= up.mul_2exp(self._span(Fraction(1)).high, -self._bits)
        )

    def _most_below(self) -> Span:
        """Return a bound on the density of N."""
        total = sum((weight for _, weight in self._below), self._span(Fraction(0)))
        return total / self._span(2 * self._scale)

    def _at_root(self, low: _Look, high: _Look, *, rises: bool) -> list[_Cell]:
        """Return the cells on both sides of the one root, which is known to full precision."""
        width = high.at - low.at

        def excess(further: Fraction, _: int) -> Span:
            found = self._look(low.at + min(further, width)).excess
            return found if rises else -found

        bracket = bracketed(excess, width / 2, self._bits)
        left = Fraction(0) if bracket.low is None else bracket.low
        right = width if bracket.high is None else min(bracket.high, width)
        root = Span(self._span(low.at + left).low, self._span(low.at + right).high)
        return [
            _Cell(self._span(low.at), root, not rises),
            _Cell(root, self._span(high.at), rises),
        ]

    def _area(self, low: Span | None, high: Span | None) -> Span:
        """Enclose the integral of P - N between two outcomes that are enclosed."""
        middle = self._span((self._first + self._last) / 2)
        on_the_left = high is not None and (high - middle).sign < 0
        total = self._span(Fraction(0))
        for mixture, way in ((self._above, 1), (self._below, -1)):
            for point, weight in mixture:
                check_budget()
                if on_the_left:
                    one, other = (self._tail(point, end, -1) for end in (high, low))
                elif low is None:
                    one, other = self._span(Fraction(1)), self._tail(point, high, 1)
                else:
                    one, other = (self._tail(point, end, 1) for end in (low, high))
                part = weight * (one - other)
                total = total + part if way > 0 else total - part
        return total

    def _tail(self, point: Fraction, end: Span | None, way: int) -> Span:
        """Enclose the chance that a point plus noise is beyond an outcome; None: none is."""
        if end is None:
            return self._span(Fraction(0))
        down, up = roundings(self._bits)
        two = self._span(Fraction(2))
        root = Span(down.sqrt(two.low), up.sqrt(two.high))
        away = (end - self._span(point)) / (self._span(self._scale) * root)
        away = away if way > 0 else -away
        return Span(down.erfc(away.high), up.erfc(away.low)) / two
