"""Second opinions on the Renyi divergence of Laplace noise between two known laws on the line.

With v = e^(2w/scale) both densities are v^(-1/2) times linear functions of v between two points, so
the power mean is a product of three powers of linear functions: a power series about the middle of
a piece, whose coefficients follow from a recurrence and are summed until the rest is bounded by
that of one power. The first engine takes Gauss's rule. All in MPFR.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import NamedTuple, TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import LineLaw
from ..directed import OutOfReachError, Span, hull, or_nothing, sharpened
from ..opinion import second_opinion
from .divergences import Masses, largest, masses_of_law
from .laplace_profile import sums_on_both_sides

# The integral of p^order r^(1 - order) of two laws in this order, at a precision.
PowerMean: TypeAlias = Callable[[Masses, Masses, int], Span]
# Pieces are at most so long, in scales, and 1/order.
_LONGEST = Fraction(1, 8)
_MOST_PIECES, _MOST_TERMS = 4_000, 2_000
# Of the first look at all pairs.
_FEW_BITS = 24
# What recurrences lose, and how far below what is wanted a remainder is left.
_BITS_MORE, _BITS_BELOW = 48, 8


@second_opinion("pufferfish.laplace_renyi", engine="mpfr", rigorous=True)
@or_nothing
def laplace_renyi(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, order: Fraction
) -> Enclosure:
    """Enclose the larger divergence of both orders; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]
    return largest_renyi(bits, [laws], laplace_power_mean(scale, order), order).enclosure()


def largest_renyi(
    bits: int, groups: Iterable[Sequence[Masses]], power_mean: PowerMean, order: Fraction
) -> Span:
    """Enclose the largest Renyi divergence of two laws of one group, in either order."""
    every = (pair for laws in groups for pair in permutations(laws, 2) if pair[0] != pair[1])
    pairs = {tuple(frozenset(law.items()) for law in pair): pair for pair in every}.values()
    if not pairs:
        return Span.of(0, bits)

    def one(pair: tuple[Masses, Masses], precision: int) -> Span:
        return power_mean(*pair, precision).log() / Span.of(order - 1, precision)

    # With few bits most pairs are seen to be below another.
    rough = [(one(pair, _FEW_BITS), pair) for pair in pairs]
    least = largest(found for found, _ in rough)
    likely = [pair for found, pair in rough if not found.high < least.low]
    return sharpened(bits, lambda precision: largest(one(pair, precision) for pair in likely))


class _Line(NamedTuple):
    """What falls and what rises of a density at an outcome."""

    falling: Span
    rising: Span

    @property
    def value(self) -> Span:
        """The density, up to the factor that all have."""
        return self.falling + self.rising

    def moved(self, factor: Span) -> _Line:
        """Return the same log(factor) further on."""
        return _Line(self.falling / factor, self.rising * factor)


class _Piece(NamedTuple):
    """From one outcome to another, and both densities at both."""

    length: Fraction
    low: tuple[_Line, _Line]
    high: tuple[_Line, _Line]


def laplace_power_mean(scale: Fraction, order: Fraction) -> PowerMean:
    """Return what encloses the integral for Laplace noise."""

    def at(first: Masses, second: Masses, bits: int) -> Span:
        inner = bits + _BITS_MORE
        points = sorted({*first, *second})
        sums = [_sums(law, points, scale, inner) for law in (first, second)]
        decays = [
            (-Span.of((after - here) / scale, inner)).exp() for here, after in pairwise(points)
        ]
        lines = [[_Line(*both) for both in _at_points(*one, decays)] for one in sums]
        means = [_mean(one.value, other.value, order) for one, other in zip(*lines, strict=True)]
        total = means[0] + means[-1]
        # The logarithm's slope is below 2 order: so much of the integral is about a point.
        least = largest([Span.of(1, inner), *means]) / Span.of(2 * order, inner)
        negligible = least / Span.of(2 ** (bits + _BITS_BELOW), inner)
        for at, (here, after) in enumerate(pairwise(points)):
            low = [_Line(one[0][at], one[1][at + 1] * decays[at]) for one in sums]
            high = [_Line(one[0][at] * decays[at], one[1][at + 1]) for one in sums]
            piece = _Piece((after - here) / scale, (low[0], low[1]), (high[0], high[1]))
            total = total + _integral(piece, order, negligible)
        return total / Span.of(2, inner)

    return at


def _sums(
    law: Masses, points: Sequence[Fraction], scale: Fraction, bits: int
) -> tuple[list[Span], list[Span]]:
    weights = [Span.of(law.get(point, Fraction(0)), bits) for point in points]
    return sums_on_both_sides(weights, points, scale)


def _at_points(
    before: Sequence[Span], behind: Sequence[Span], decays: Sequence[Span]
) -> list[tuple[Span, Span]]:
    """Return what of the density falls and rises at each point."""
    rising = [after * decay for after, decay in zip(behind[1:], decays, strict=True)]
    return [*zip(before, [*rising, Span.of(0, before[0].bits)], strict=True)]


def _mean(above: Span, below: Span, order: Fraction) -> Span:
    power = Span.of(order, above.bits)
    return (power * above.log() - (power - Span.of(1, above.bits)) * below.log()).exp()


def _integral(whole: _Piece, order: Fraction, negligible: Span) -> Span:
    """Enclose the integral over a piece, cut where it is too long for a series."""
    longest = min(_LONGEST, 1 / order)
    bits = negligible.bits
    total, waiting = Span.of(0, bits), [whole]
    for _ in range(_MOST_PIECES):
        if not waiting:
            return total
        check_budget()
        piece = waiting.pop()
        most = _bound(piece, order)
        if (most - negligible).sign < 0:
            total = total + hull(Span.of(0, bits), most)
        elif piece.length <= longest:
            total = total + _series(piece, order, negligible)
        else:
            half = piece.length / 2
            factor = Span.of(half, bits).exp()
            middle = tuple(one.moved(factor) for one in piece.low)
            waiting += [
                _Piece(half, (middle[0], middle[1]), piece.high),
                _Piece(half, piece.low, (middle[0], middle[1])),
            ]
    raise OutOfReachError


def _bound(piece: _Piece, order: Fraction) -> Span:
    """Bound the integral: p is convex, p/r monotone."""
    ends = (piece.low, piece.high)
    most = largest(above.value for above, _ in ends)
    ratio = largest(above.value / below.value for above, below in ends)
    bits = most.bits
    return Span.of(piece.length, bits) * most * (Span.of(order - 1, bits) * ratio.log()).exp()


def _series(piece: _Piece, order: Fraction, negligible: Span) -> Span:
    """Enclose the integral over a short piece by a power series about the middle of v."""
    bits = negligible.bits
    one, half = Span.of(1, bits), Span.of(Fraction(1, 2), bits)
    grown = Span.of(2 * piece.length, bits).exp()
    away = (grown - one) / (grown + one)
    factor = (((grown + one) * half).log() * half).exp()
    above, below = (line.moved(factor) for line in piece.low)
    front = _mean(above.value, below.value, order) * away * half
    lead, other = above.rising / above.value, below.rising / below.value
    power = Span.of(order, bits)
    # g = (1 + x)^(-3/2) (1 + lead x)^order (1 + other x)^(1 - order), and Q(x) g' = E(x) g.
    up, down, three = power * lead, (one - power) * other, Span.of(Fraction(-3, 2), bits)
    slopes = (one + lead + other, lead + other + lead * other, lead * other)
    constants = (
        three + up + down,
        three * (lead + other) + up * (one + other) + down * (one + lead),
        -(lead * other) * half,
    )
    powers = (away, away * away, away * away * away)
    rates = [(_Fixed.of(e * x, bits), _Fixed.of(q * x, bits))
             for e, q, x in zip(constants, slopes, powers, strict=True)]  # fmt: skip
    wanted = negligible / front
    return front * _even_terms(rates, order, away, wanted)


class _Fixed(NamedTuple):
    """A number times 2^bits, rounded to a whole number, and by how much that is off at most."""

    value: int
    error: float

    @classmethod
    def of(cls, span: Span, bits: int) -> _Fixed:
        """Return one for a span, of moderate size."""
        one = 1 << bits
        low, high = math.floor(span.low_fraction * one), math.ceil(span.high_fraction * one)
        return cls((low + high) // 2, (high - low) / 2 + 1.0)


# Sums of errors are rounded to nearest, and made larger by this.
_SAFE = 1 + 2.0**-40
# Logarithms of bounds are enlarged by this.
_SLACK = 2.0**-20


def _even_terms(
    rates: Sequence[tuple[_Fixed, _Fixed]], order: Fraction, away: Span, wanted: Span
) -> Span:
    """Enclose twice the sum of g_n away^n/(n + 1) over even n, to about what is wanted.

    In whole numbers: with G_n = g_n away^n, (n + 1) G_(n + 1) is the sum over k = 0, 1, 2 of
    (e_k - (n - k) q_k) G_(n - k). Each G_n is known to within errors[n] units.
    """
    bits = away.bits
    terms, errors = [1 << bits], [0.0]
    sizes = [(abs(e.value) / (1 << bits) + 1e-9, abs(q.value) / (1 << bits) + 1e-9)
             for e, q in rates]  # fmt: skip
    total, off = 2 * terms[0], 0.0
    # Logarithms to base 2 of bounds, with room for the rounding of doubles.
    largest_ratio, rate = float(away.high) * _SAFE, 2 * float(order) * _SAFE + 0.5
    majorant, goal = 1.0, math.log2(wanted.middle) - _SLACK if wanted.middle > 0 else -math.inf
    for n in range(_MOST_TERMS):
        term, error = 0, 1.0
        for back, ((e, q), (high, steep)) in enumerate(zip(rates, sizes, strict=True)):
            if back <= n:
                at = n - back
                term += (e.value - at * q.value) * terms[at]
                known = abs(terms[at]) / (1 << bits) + 1e-9
                error += (high + at * steep) * errors[at]
                error += (e.error + at * q.error) * (known + errors[at] / 2.0**bits)
        terms.append((term >> bits) // (n + 1))
        errors.append((error / (n + 1) + 2.0) * _SAFE)
        majorant += math.log2(largest_ratio * (rate + n) / (n + 1)) + _SLACK
        if n % 2:  # the last term is that of an even power
            total += 2 * terms[-1] // (n + 2)
            off = (off + 2 * errors[-1] / (n + 2) + 1.0) * _SAFE
            ratio = largest_ratio * (rate + n + 1) / (n + 2)
            if ratio < 1 - _SLACK:
                left = majorant + math.log2(ratio / (1 - ratio)) + _SLACK
                if left < goal:
                    rest = Span.of(Fraction(2) ** math.ceil(left), bits)
                    unsure = math.ceil(off)
                    ends = (Fraction(total + way * unsure, 1 << bits) for way in (-1, 1))
                    return hull(*(Span.of(end, bits) for end in ends)) + hull(-rest, rest)
    raise OutOfReachError
