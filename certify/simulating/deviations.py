"""Exact means of a Dirichlet row's errors, also where its mean is not what it is held against.

x_i is Beta(a, b). With its mean m and any c in (0, 1),

    E |x_i - c| = m - c + 2 (c I_c(a, b) - m I_c(a + 1, b)),

and E (x_i - c)^2 = m (1 - m)/(a + b + 1) + (m - c)^2.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Final

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ...reference.dirichlet.utility import absolute_deviation, variance
from ...reference.errors import DomainError
from .expected import ends_of
from .study import StudyRow

# Enough for concentrations of 10^10 and more: terms that cancel lose fewer than half of them.
_BITS: Final = 256
# Different coordinates whose mean deviation is worked out, at about a millisecond each.
MOST_DEVIATIONS: Final = 10_000


def mean_square(row: StudyRow) -> Fraction:
    """Return the mean of the squared distance in the 2-norm, a rational."""
    total, means = row.total, row.mean
    spread = sum((Fraction(variance(p=mean, k=total)) for mean in means), Fraction(0))
    away = zip(means, row.target, strict=True)
    return spread + sum(((mean - share) ** 2 for mean, share in away), Fraction(0))


def mean_distance(row: StudyRow) -> tuple[Fraction, Fraction]:
    """Enclose the mean distance in the 1-norm. Raises DomainError where that is too much work."""
    total, pairs = row.total, Counter(zip(row.alpha, row.target, strict=True))
    if len(pairs) > MOST_DEVIATIONS:
        raise DomainError(f"it is a sum of more than {MOST_DEVIATIONS} different terms")
    with working_precision(_BITS):
        terms = (times * _deviation(*pair, total) for pair, times in pairs.items())
        return ends_of(enclosure_of(sum(terms, arb(0))))


def _deviation(alpha: Fraction, share: Fraction, total: Fraction) -> arb:
    mean = alpha / total
    if mean == share:
        return arb(0) + _as_ball(absolute_deviation(p=mean, k=total))
    if alpha in (0, total) or share in (0, 1):  # no sign changes
        return ball(abs(mean - share))
    first = ball(share) * _as_ball(regularised_incomplete_beta(alpha, total - alpha, share))
    second = ball(mean) * _as_ball(regularised_incomplete_beta(alpha + 1, total - alpha, share))
    return ball(mean - share) + 2 * (first - second)


def _as_ball(value: arb | Fraction) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def root_ends(value: Fraction) -> tuple[Fraction, Fraction]:
    """Enclose a square root."""
    with working_precision(_BITS):
        return ends_of(enclosure_of(ball(value).sqrt()))
