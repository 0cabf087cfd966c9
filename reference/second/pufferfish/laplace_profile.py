"""Second opinions on the exact delta of Laplace noise between two known laws on the line.

Between two neighbouring points the difference of densities is positive up to where it crosses 0, or
from there on: the crossing is found by a logarithm, and what lies between it and an end is
integrated. The first engine has no crossing: there the area is a perfect square of square roots.
Where a sign at an end does not show, the area differs from all of the integral, or from 0, by at
most the doubtful value times the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import TypeAlias

from ...enclosure import Enclosure
from ...likely import likely_answer
from ...precision import check_budget
from ...structures import LineLaw
from ..directed import Span, or_nothing, sharpened
from ..dirichlet.series import log_of
from ..opinion import second_opinion
from ..roots import bracketed
from .divergences import LARGEST_EXPONENT, Masses, largest, largest_loss, masses_of_law

# The hockey-stick of two laws, in this order, at a precision.
HockeyStick: TypeAlias = Callable[[Masses, Masses, int], Span]


@second_opinion("pufferfish.laplace_delta", engine="mpfr", rigorous=True)
@or_nothing
def laplace_delta(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, epsilon: Fraction
) -> Enclosure:
    """Enclose the larger hockey-stick of both orders; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]
    return largest_delta(bits, [laws], laplace_hockey_stick(scale, epsilon)).enclosure()


@second_opinion("pufferfish.laplace_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def laplace_epsilon(
    bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose the least epsilon with at most ``delta`` between two proved signs; rigorous."""
    laws = [masses_of_law(mu), masses_of_law(nu)]
    if delta == 0 and laws[0] != laws[1]:
        return largest_loss(bits, [laws], scale)

    def profile(precision: int, epsilon: Fraction) -> Span:
        return largest_delta(precision, [laws], laplace_hockey_stick(scale, epsilon))

    return least_argument(bits, profile, delta, 1 / scale)


def largest_delta(bits: int, groups: Iterable[Sequence[Masses]], hockey_stick: HockeyStick) -> Span:
    """Enclose the largest hockey-stick of two laws of one group, in either order."""
    pairs = [pair for laws in groups for pair in permutations(laws, 2) if pair[0] != pair[1]]
    if not pairs:
        return Span.of(0, bits)
    return sharpened(bits, lambda at: largest(hockey_stick(*pair, at) for pair in pairs))


def least_argument(
    bits: int, falling: Callable[[int, Fraction], Span], target: Fraction, start: Fraction
) -> Enclosure:
    """Enclose the least x >= 0 at which a function that falls is at most a target."""

    def excess(point: Fraction, precision: int) -> Span:
        value = falling(precision, point)
        if value.sign > 0:
            return log_of(target, precision) - value.log()
        return Span.of(1, precision) - value / Span.of(target, precision)

    if target == 1 or (target - falling(bits, Fraction(0)).high_fraction) >= 0:
        return Enclosure.of(Fraction(0), bits)
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


def laplace_hockey_stick(scale: Fraction, epsilon: Fraction) -> HockeyStick:
    """Return what encloses the hockey-stick at e^epsilon of two laws under Laplace noise."""

    def at(first: Masses, second: Masses, bits: int) -> Span:
        points = sorted({*first, *second})
        weights = signed_weights(first, second, points, epsilon, bits)
        before, behind = sums_on_both_sides(weights, points, scale)
        lengths = [(after - here) / scale for here, after in pairwise(points)]
        values = [
            _value(first, second, point, scale, epsilon, value)
            for point, value in zip(
                points,
                [
                    one + other * (-Span.of(length, bits)).exp()
                    for one, other, length in zip(before, behind[1:], lengths, strict=False)
                ]
                + [before[-1]],
                strict=True,
            )
        ]
        total = clamped(values[0]) + clamped(values[-1])
        ends = pairwise(values)
        for left, right, length, both in zip(before, behind[1:], lengths, ends, strict=False):
            check_budget()
            total = total + _area(left, right, Span.of(length, bits), both)
        return total / Span.of(2, bits)

    return at


def signed_weights(
    first: Masses, second: Masses, points: Sequence[Fraction], epsilon: Fraction, bits: int
) -> list[Span]:
    """Enclose the first law's mass less e^epsilon times the second's, at each point."""
    none = Fraction(0)
    if not epsilon:
        return [Span.of(first.get(at, none) - second.get(at, none), bits) for at in points]
    factor = Span.of(epsilon, bits).exp()
    return [
        Span.of(first.get(at, none), bits) - factor * Span.of(second.get(at, none), bits)
        for at in points
    ]


def sums_on_both_sides(
    weights: Sequence[Span], points: Sequence[Fraction], scale: Fraction
) -> tuple[list[Span], list[Span]]:
    """Return what lies at or before each point, and at or behind it, decayed up to it."""
    bits = weights[0].bits
    if (points[-1] - points[0]) / scale < LARGEST_EXPONENT:
        return _sums_by_powers(weights, points, scale)

    def decayed(point: Fraction, chosen: Iterable[int]) -> Span:
        check_budget()
        parts = (weights[at] * _decay(point, points[at], scale, bits) for at in chosen)
        return sum(parts, Span.of(0, bits))

    many = len(points)
    return (
        [decayed(points[at], range(at + 1)) for at in range(many)],
        [decayed(points[at], range(at, many)) for at in range(many)],
    )


def _decay(one: Fraction, other: Fraction, scale: Fraction, bits: int) -> Span:
    return (-Span.of(abs(one - other) / scale, bits)).exp()


def _sums_by_powers(
    weights: Sequence[Span], points: Sequence[Fraction], scale: Fraction
) -> tuple[list[Span], list[Span]]:
    """Return the same, each weight times e^(its point/scale), and over it, summed up."""
    bits = weights[0].bits
    powers = []
    for point in points:
        check_budget()
        powers.append(Span.of((point - points[0]) / scale, bits).exp())
    before, behind = [Span.of(0, bits)], [Span.of(0, bits)]
    for weight, power in zip(weights, powers, strict=True):
        before.append(before[-1] + weight * power)
    for weight, power in zip(reversed(weights), reversed(powers), strict=True):
        behind.append(behind[-1] + weight / power)
    return (
        [part / power for part, power in zip(before[1:], powers, strict=True)],
        [part * power for part, power in zip(behind[:0:-1], powers, strict=True)],
    )


def _value(
    first: Masses,
    second: Masses,
    point: Fraction,
    scale: Fraction,
    epsilon: Fraction,
    known: Span,
) -> Span:
    """Return the difference at a point, exactly 0 where its terms cancel, power by power."""
    if known.sign:
        return known
    left: dict[Fraction, Fraction] = {}
    for law, shift, factor in ((first, Fraction(0), 1), (second, epsilon, -1)):
        for at, mass in law.items():
            power = shift - abs(at - point) / scale
            left[power] = left.get(power, Fraction(0)) + factor * mass
    return known if any(left.values()) else Span.of(0, known.bits)


def clamped(value: Span) -> Span:
    """Return the positive part of a number."""
    zero = Span.of(0, value.bits)
    return Span(max(value.low, zero.low), max(value.high, zero.high))


def _area(left: Span, right: Span, length: Span, ends: tuple[Span, Span]) -> Span:
    """Enclose the area of the positive part of A e^-s + B e^(s - length) between two points.

    ``ends`` are the values at the points: at 0 and at the length.
    """
    first, last = ends
    if first.sign < 0 and last.sign < 0:
        return Span.of(0, left.bits)
    whole = -(left + right) * (-length).expm1()
    if first.sign > 0 and last.sign > 0:
        return whole
    if first.sign * last.sign < 0 and left.sign * right.sign < 0:
        above, below = (left, -right) if left.sign > 0 else (right, -left)
        crossing = (length + (above / below).log()) / Span.of(2, left.bits)
        return (
            above
            - above * (-crossing).exp()
            - below * ((crossing - length).exp() - (-length).exp())
        )
    # What is positive is at most the larger end times the length; so is what is negative.
    up, down = (length * clamped(largest(both)) for both in (ends, [-first, -last]))
    least, most = clamped(whole), clamped(whole) + down
    return Span(least.low, min(up.high, most.high))
