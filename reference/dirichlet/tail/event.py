"""The event that a good set is missed, and bounds on its probability that need no route.

Some protected coordinate of a Dirichlet draw is small. A single coordinate is x ~ Beta(a, b), of
mean m = a/(a + b). With D the relative entropy of m to gamma,
(a + b) D = a log(m/gamma) + b log((1 - m)/(1 - gamma)), and F = gamma^a/(a B(a, b)),

    P(x < gamma) <= e^(-(a + b) D) for gamma <= m,  P(x >= gamma) <= e^(-(a + b) D) for gamma >= m,
    F (1 - gamma)^max(b - 1, 0) <= P(x < gamma) <= F (1 - gamma)^min(b - 1, 0)

(proofs_notes/tail-worst-input.md, one-coordinate-in-closed-form): cheap at any size, narrow where
the tail is next to 0 or 1. The bracket puts the coordinates' own tails together,

    1 - prod (1 - I_gamma(a_i, k - a_i)) <= delta <= sum I_gamma(a_i, k - a_i)

(bracket, in the same note): narrow where delta is tiny, or nearly 1. It is what is left to say
where every route is too long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, fmpq

from ...arb.balls import ball, extra_bits, sharpened
from ...arb.gamma import log_beta
from ...arb.incomplete_beta import regularised_incomplete_beta
from ...precision import check_budget


@dataclass(frozen=True)
class Miss:
    """Some protected coordinate of x ~ Dirichlet(protected parameters, rest) is below gamma.

    ``groups`` holds each different parameter of a protected coordinate and how many have it, in
    increasing order; ``rest`` is the sum of all other parameters (0: every coordinate is
    protected). Everything is exact; parameters and gamma are positive.
    """

    groups: tuple[tuple[Fraction, int], ...]
    rest: Fraction
    gamma: Fraction

    @classmethod
    def of(cls, alphas: Iterable[Fraction], rest: Fraction, gamma: Fraction) -> Miss:
        """Return the event for protected parameters in any order."""
        return cls(tuple(sorted(Counter(alphas).items())), rest, gamma)

    @cached_property
    def count(self) -> int:
        """How many coordinates are protected, w."""
        return sum(count for _, count in self.groups)

    @cached_property
    def total(self) -> Fraction:
        """The sum of all parameters, k."""
        return self.rest + sum((alpha * count for alpha, count in self.groups), Fraction(0))

    @cached_property
    def known(self) -> Fraction | None:
        """The probability itself where it is 0 or 1, decided on rationals."""
        if self.count == 1 and self.rest == 0:  # the only coordinate is 1
            return Fraction(int(self.gamma > 1))
        if self.gamma <= 0:
            return Fraction(0)
        return Fraction(1) if self.count * self.gamma >= 1 else None

    @cached_property
    def quick(self) -> Quick:
        """The same event in FLINT's rationals."""
        groups = tuple((_rational(alpha), count) for alpha, count in self.groups)
        numbers = (_rational(number) for number in (self.rest, self.gamma, self.total))
        return Quick(groups, self.count, *numbers)


@dataclass(frozen=True, slots=True)
class Quick:
    """An event in FLINT's rationals, which are ten times as quick as Python's."""

    groups: tuple[tuple[fmpq, int], ...]
    count: int
    rest: fmpq
    gamma: fmpq
    total: fmpq


def _rational(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


@dataclass(frozen=True)
class _Single:
    """Bounds of one coordinate, points: on P(x < gamma) from both sides, on P(x >= gamma)."""

    below_at_least: arb
    below_at_most: arb
    above_at_most: arb


def closed_bounds(miss: Miss) -> arb:
    """Enclose the probability of a miss, 0 < gamma < 1, by numbers that need no series."""
    at_most, least, survival = arb(0), arb(0), arb(1)
    for alpha, count in miss.groups:
        single = _single(alpha, miss.total - alpha, miss.gamma)
        at_most += count * single.below_at_most
        least = least.max(single.below_at_least)
        survival *= single.above_at_most**count
    return least.max((1 - survival).lower()).union(at_most.upper().min(arb(1)))


def _single(alpha: Fraction, others: Fraction, gamma: Fraction) -> _Single:
    front = ball(alpha) * ball(gamma).log() - ball(alpha).log() - log_beta(alpha, others)
    bent = ball(others - 1) * ball(1 - gamma).log()
    at_least = (front + bent.min(arb(0))).exp().lower()
    at_least = at_least.max(arb(0)).min(arb(1)) if at_least.is_finite() else arb(0)
    at_most, above = _at_most_1(front + bent.max(arb(0))), (1 - at_least).upper()
    chernoff = _at_most_1(-_entropy(alpha, others, gamma))
    if gamma * (alpha + others) < alpha:
        at_most = at_most.min(chernoff)
    else:
        above = above.min(chernoff)
    return _Single(at_least, at_most, above)


def _at_most_1(logarithm: arb) -> arb:
    """Return an upper bound on e to this power, and 1 where that is larger, or hidden by sizes."""
    found = logarithm.exp().upper()
    return found.min(arb(1)) if found.is_finite() else arb(1)


def _entropy(alpha: Fraction, others: Fraction, gamma: Fraction) -> arb:
    """Enclose (a + b) D; 0 at the mean itself.

    Next to the mean it is of the size of 1, a difference of numbers as large as the parameters.
    """
    total = alpha + others
    mean = alpha / total
    if mean == gamma:
        return arb(0)

    def value() -> arb:
        first = ball(alpha) * ball(mean / gamma).log()
        return first + ball(others) * ball((1 - mean) / (1 - gamma)).log()

    with extra_bits(int(total).bit_length()):
        return sharpened(value)


# Below, what is left out is less than half a bit of any precision that is used.
_TINY = arb(2) ** -(2**20)


def bracket(miss: Miss) -> arb:
    """Enclose the probability of a miss, not necessarily narrowly at any precision."""
    union, log_survival = arb(0), arb(0)
    for alpha, count in miss.groups:
        check_budget()
        single = regularised_incomplete_beta(alpha, miss.total - alpha, miss.gamma)
        union += count * single
        log_survival += count * _log_above(miss, alpha, single)
    at_least = _one_minus_exp(-log_survival)
    return (at_least if at_least.is_finite() else arb(0)).union(union.min(arb(1)))


def _one_minus_exp(loss: arb) -> arb:
    """Enclose 1 - e^-loss, loss >= 0: from loss - loss^2/2 to loss.

    FLINT's own has 28 bits where the exponent of a small number is itself a large one.
    """
    if loss < _TINY:
        return loss - (loss * loss / 2).union(arb(0))
    return -(-loss).expm1()


def _log_above(miss: Miss, alpha: Fraction, below: arb) -> arb:
    """Enclose log P(x_i >= gamma), given P(x_i < gamma), precisely near either end."""
    if 2 * below < 1:
        return (-below).log1p()
    return regularised_incomplete_beta(miss.total - alpha, alpha, 1 - miss.gamma).log()
