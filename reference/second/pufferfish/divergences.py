"""Second opinions on how far two laws are apart: on the line, as a divergence, under Laplace noise.

The Wasserstein distance by Strassen's condition, where the first engine walks along the monotone
coupling: W is at most d just if every x reaches its quantile of the other law within d.

Divergences are differences of logarithms, entry by entry. The loss under Laplace noise by the
coefficients of the Moebius function between two points, or by the definition, term by term, at
the support points of the law whose density is on top; the first engine runs two recursions, whose
terms all decay, over the support points of both laws.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import LineLaw
from ..directed import Span, or_nothing, sharpened
from ..dirichlet.series import log_of
from ..opinion import second_opinion

# Points and their positive masses, which sum to 1.
Masses: TypeAlias = Mapping[Fraction, Fraction]


@second_opinion("pufferfish.wasserstein", engine="mpfr", rigorous=True)
def wasserstein(bits: int, mu: LineLaw, nu: LineLaw) -> Enclosure:
    """Enclose the distance by Strassen's condition, exactly."""
    return Enclosure.of(distance(masses_of_law(mu), masses_of_law(nu)), bits)


def masses_of_law(law: LineLaw) -> Masses:
    """Return the positive masses by their points."""
    return {point: mass for point, mass in zip(law.points, law.mass, strict=True) if mass}


def distance(first: Masses, second: Masses) -> Fraction:
    """Return the least d for which each law's mass up to x is at most the other's up to x + d."""
    return max(_reach(first, second), _reach(second, first))


def _reach(first: Masses, second: Masses) -> Fraction:
    """Return how far at most x lies below the other law's quantile of the mass up to x."""
    points, theirs = sorted(first), sorted(second)
    reached = [*accumulate(second[point] for point in theirs)]
    sums = accumulate(first[point] for point in points)
    quantiles = (theirs[bisect_left(reached, mass)] for mass in sums)
    pairs = zip(points, quantiles, strict=True)
    return max(Fraction(0), *(quantile - point for point, quantile in pairs))


# e to this power, either sign, is well within MPFR's exponents, which end near 2**30.
LARGEST_EXPONENT = 2**27


def largest(spans: Iterable[Span]) -> Span:
    """Enclose the largest of several numbers."""
    found = [*spans]
    return Span(max(each.low for each in found), max(each.high for each in found))


@second_opinion("pufferfish.laplace_loss", engine="mpfr", rigorous=True)
@or_nothing
def laplace_loss(bits: int, mu: LineLaw, nu: LineLaw, scale: Fraction) -> Enclosure:
    """Enclose the largest log-ratio of the densities, each at its law's own points; rigorous."""
    return largest_loss(bits, [[masses_of_law(mu), masses_of_law(nu)]], scale)


def largest_loss(bits: int, groups: Iterable[Sequence[Masses]], scale: Fraction) -> Enclosure:
    """Enclose the largest loss between two laws of one group, over all groups and outcomes."""
    found = [*groups]
    if not any(law != laws[0] for laws in found for law in laws):
        return Enclosure.of(Fraction(0))
    return loss_span(bits, found, scale).enclosure()


def loss_span(bits: int, groups: Iterable[Sequence[Masses]], scale: Fraction) -> Span:
    """Enclose the same as a span; exactly 0 where the laws of each group are one law."""
    unequal = [laws for laws in groups if any(law != laws[0] for law in laws)]
    if not unequal:
        return Span.of(0, bits)

    def at(precision: int) -> Span:
        found = (_losses(laws, scale, precision) for laws in unequal)
        return largest(loss for losses in found for loss in losses)

    return sharpened(bits, at)


def _losses(laws: Sequence[Masses], scale: Fraction, bits: int) -> Iterator[Span]:
    """Yield, for each law and each of its own points, the log-density less the least of any law."""
    points = sorted({point for law in laws for point in law})
    extent = (points[-1] - points[0]) / scale
    logs = _log_densities_by_sums if extent < LARGEST_EXPONENT else _log_densities_term_by_term
    found = [logs(law, points, scale, bits) for law in laws]
    for law, ours in zip(laws, found, strict=True):
        for point in law:
            check_budget()
            values = [theirs[point] for theirs in found]
            least = Span(min(each.low for each in values), min(each.high for each in values))
            yield ours[point] - least


def _log_densities_by_sums(
    law: Masses, points: Sequence[Fraction], scale: Fraction, bits: int
) -> dict[Fraction, Span]:
    """Enclose log(A/u + B u) at each point, u = e^(point/scale), points counted from the first.

    A sums mass times u over what lies at or before the point, B mass over u of what lies behind.
    """
    powers = {}
    for point in points:
        check_budget()
        powers[point] = Span.of((point - points[0]) / scale, bits).exp()
    terms = {point: Span.of(mass, bits) for point, mass in law.items()}
    before, behind = [Span.of(0, bits)], [Span.of(0, bits)]
    for point in points:
        here = [terms[point] * powers[point]] if point in law else []
        before.append(sum(here, before[-1]))
    for point in reversed(points[1:]):
        here = [terms[point] / powers[point]] if point in law else []
        behind.append(sum(here, behind[-1]))
    sums = zip(points, before[1:], reversed(behind), strict=True)
    return {point: (a / powers[point] + b * powers[point]).log() for point, a, b in sums}


def _log_densities_term_by_term(
    law: Masses, points: Sequence[Fraction], scale: Fraction, bits: int
) -> dict[Fraction, Span]:
    """Enclose the log of the sum of mass e^(-distance/scale), the nearest atom's decay apart.

    That keeps every exponent within MPFR's: what is far smaller than the nearest atom's becomes
    [0, tiny].
    """
    return {point: _log_density(law, point, scale, bits) for point in points}


def _log_density(law: Masses, outcome: Fraction, scale: Fraction, bits: int) -> Span:
    check_budget()
    nearest = min(abs(outcome - point) for point in law)
    total = Span.of(0, bits)
    for point, mass in law.items():
        check_budget()
        further = (abs(outcome - point) - nearest) / scale
        total = total + Span.of(mass, bits) * (-Span.of(further, bits)).exp()
    return total.log() - Span.of(nearest / scale, bits)


@second_opinion("pufferfish.max_divergence", engine="mpfr", rigorous=True)
@or_nothing
def max_divergence(bits: int, p: Sequence[Fraction], q: Sequence[Fraction]) -> Enclosure:
    """Enclose the largest log p_i - log q_i; rigorous."""
    return _largest_difference(bits, [(p, q)])


@second_opinion("pufferfish.closeness", engine="mpfr", rigorous=True)
@or_nothing
def closeness(
    bits: int,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    secrets: Sequence[Sequence[int]],
) -> Enclosure:
    """Enclose the largest difference of the logarithms of both laws given a secret; rigorous.

    log p_i - log P(secret) - log q_i + log Q(secret), where the first engine takes ratios of
    conditional probabilities.
    """
    pairs = []
    for secret in secrets:
        ours, theirs = ([law[number - 1] for number in secret] for law in (p, q))
        pairs += [(ours, theirs), (theirs, ours)] if any(ours) or any(theirs) else []
    return _largest_difference(bits, pairs)


def _largest_difference(
    bits: int, pairs: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]
) -> Enclosure:
    """Enclose the largest log-ratio of the first to the second of a pair, each over its sum."""
    if any(_exceeds(first, second) for first, second in pairs):
        return Enclosure.infinite()
    if all(_is_proportional(first, second) for first, second in pairs):
        return Enclosure.of(Fraction(0))

    def at(precision: int) -> Span:
        return largest(
            log_of(ours, precision) - log_of(theirs, precision) + log_of(total, precision)
            for first, second in pairs
            for total in [sum(second, Fraction(0)) / sum(first, Fraction(0))]
            for ours, theirs in zip(first, second, strict=True)
            if ours
        )

    return sharpened(bits, at).enclosure()


def _exceeds(first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
    """Whether the first is positive somewhere where the second is not."""
    return any(ours and not theirs for ours, theirs in zip(first, second, strict=True))


def _is_proportional(first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
    whole, their_whole = sum(first), sum(second)
    pairs = zip(first, second, strict=True)
    return all(ours * their_whole == theirs * whole for ours, theirs in pairs)
