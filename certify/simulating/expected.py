"""Exact values and proved bounds of mean errors, without any draw.

Of a Dirichlet row, x_i is Beta(a, b). With its mean m and any c in (0, 1),

    E |x_i - c| = m - c + 2 (c I_c(a, b) - m I_c(a + 1, b)),

and E (x_i - c)^2 = m (1 - m)/(a + b + 1) + (m - c)^2, also where c is not m.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.gamma import digamma
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ...reference.dirichlet.utility import absolute_deviation, variance
from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import answer_at
from ...reference.precision import Budget, BudgetSpentError
from ..mechanisms.protocol import Public
from .study import NoiseStudy, SimplexStudy, Study, StudyRow

# Eight digits are far more than a simulation gives.
DIGITS: Final = 8
# For one quantity; what is not known by then is told as not known.
_SECONDS: Final = 20.0


class Kind(Enum):
    """Kind of knowledge of a mean."""

    EXACT = "exact"
    UPPER = "upper bound"
    LOWER = "lower bound"


@dataclass(frozen=True)
class Expected:
    """Proved: the mean of ``error`` is at least ``low`` and at most ``high``; None is no end.

    Both None where nothing could be had, for the reason ``why_not``. ``what`` is a quantity's name
    or a formula, ``source`` who proved it.
    """

    error: str
    kind: Kind
    what: str
    source: str
    low: Fraction | None = None
    high: Fraction | None = None
    why_not: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a number."""
        return self.low is not None or self.high is not None


@dataclass(frozen=True)
class _Stated:
    """The claim to be made of a mean, before its number is worked out."""

    error: str
    kind: Kind
    what: str
    source: str

    def by(self, ends: Callable[[], tuple[Fraction, Fraction]]) -> Expected:
        """Return the expected error with its ends, or with the reason why there are none."""
        said = self.error, self.kind, self.what, self.source
        try:
            low, high = ends()
        except (InputError, BudgetSpentError) as error:
            return Expected(*said, why_not=str(error))
        return Expected(
            *said,
            None if self.kind is Kind.UPPER else low,
            None if self.kind is Kind.LOWER else high,
        )


def _quantity_ends(name: str, given: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Return a quantity's enclosure; of a vector, that of its entries' mean. Raises InputError."""
    answer = answer_at(name, given, digits=DIGITS, budget=Budget(seconds=_SECONDS))
    return _mean_of(answer.lower), _mean_of(answer.upper)


def _mean_of(ends: Any) -> Fraction:
    entries = ends if isinstance(ends, tuple) else (ends,)
    if not all(isinstance(end, Fraction) for end in entries):
        raise BudgetSpentError("it was not bounded in time, or is infinite")
    return sum(entries, Fraction(0)) / len(entries)


def _of_quantity(error: str, kind: Kind, name: str, given: dict[str, Any]) -> Expected:
    """Return the expected error that a quantity of the registry gives."""
    from ...reference.quantity import quantity_named

    stated = _Stated(error, kind, name, quantity_named(name).source)
    return stated.by(lambda: _quantity_ends(name, given))


def _mean_of_ends(
    ends: Iterable[tuple[Fraction, Fraction]],
) -> tuple[Fraction, Fraction]:
    """Return the mean of several enclosures, end by end."""
    found = list(ends)
    lows, highs = zip(*found, strict=True)
    return sum(lows, Fraction(0)) / len(found), sum(highs, Fraction(0)) / len(found)


def _ends_of(value: Enclosure) -> tuple[Fraction, Fraction]:
    """Return the ends of an enclosure. Raises BudgetSpentError where one is infinite."""
    return _mean_of(value.lower), _mean_of(value.upper)


# Enough for concentrations of 10^10 and more: terms that cancel lose fewer than half of them.
_DEVIATION_BITS: Final = 256
# Different coordinates whose mean deviation is worked out, at about a millisecond each.
_MOST_DEVIATIONS: Final = 10_000


def _mean_square(row: StudyRow) -> Fraction:
    """Return the mean of the squared distance in the 2-norm, a rational."""
    total, means = row.total, row.mean
    spread = sum((Fraction(variance(p=mean, k=total)) for mean in means), Fraction(0))
    away = zip(means, row.target, strict=True)
    return spread + sum(((mean - share) ** 2 for mean, share in away), Fraction(0))


def mean_distance(row: StudyRow) -> tuple[Fraction, Fraction]:
    """Enclose the mean distance in the 1-norm. Raises DomainError where that is too much work."""
    total, pairs = row.total, Counter(zip(row.alpha, row.target, strict=True))
    if len(pairs) > _MOST_DEVIATIONS:
        raise DomainError(f"it is a sum of more than {_MOST_DEVIATIONS} different terms")
    with working_precision(_DEVIATION_BITS):
        terms = (times * _deviation(*pair, total) for pair, times in pairs.items())
        return _ends_of(enclosure_of(sum(terms, arb(0))))


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


def _root_ends(value: Fraction) -> tuple[Fraction, Fraction]:
    """Enclose a square root."""
    with working_precision(_DEVIATION_BITS):
        return _ends_of(enclosure_of(ball(value).sqrt()))


_NOTE: Final = "proofs_notes/simulation.md"
_BITS: Final = 128
_KL = "dirichlet.utility.expected_kl"


def expected_errors(study: Study, public: Public, *, chain: bool) -> list[Expected]:
    """Return all that is known of the means, by error."""
    if isinstance(study, NoiseStudy):
        return list(_of_noise(study))
    found = [*_of_rows(study), *_bounds_of_rows(study, public)]
    return [*found, *_of_chain(study)] if chain else found


def _of_rows(study: SimplexStudy) -> Iterator[Expected]:
    """Yield exact values, and bounds that follow from them."""
    rows = study.rows
    distance = _Stated("l1", Kind.EXACT, _distance_named(study), _NOTE)
    yield distance.by(lambda: _mean_of_ends(map(mean_distance, rows)))
    squares = [_mean_square(row) for row in rows]
    roots = _Stated("l2", Kind.UPPER, "root of the mean square of each row", _NOTE)
    yield roots.by(lambda: _mean_of_ends(map(_root_ends, squares)))
    square = sum(squares, Fraction(0)) / len(rows)
    formula = "sum of dirichlet.utility.variance and squared biases"
    yield _Stated("l2_squared", Kind.EXACT, formula, _NOTE).by(lambda: (square, square))
    yield _largest(study, squares)
    named = _KL if all(row.unbiased for row in rows) else "dirichlet.utility.expected_kl_prior"
    divergence = _Stated("kl", Kind.EXACT, named, "benvenuti2025 Theorem 2")
    yield divergence.by(lambda: _mean_of_ends(map(_divergence, rows)))


def _distance_named(study: SimplexStudy) -> str:
    if all(row.unbiased for row in study.rows):
        return "sum of dirichlet.utility.absolute_deviation"
    return "sum of incomplete beta functions"


def _largest(study: SimplexStudy, squares: list[Fraction]) -> Expected:
    """Return a bound: errors of a row sum to 0, so none is above half of the 1-norm."""
    if len(study.rows) == 1:
        half = _Stated("largest", Kind.UPPER, "half of the exact mean in the 1-norm", _NOTE)
        return half.by(lambda: _halved(mean_distance(study.rows[0])))
    root = _Stated("largest", Kind.UPPER, "root of the sum of all mean squares", _NOTE)
    return root.by(lambda: _root_ends(sum(squares, Fraction(0))))


def _halved(ends: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return ends[0] / 2, ends[1] / 2


def _divergence(row: StudyRow) -> tuple[Fraction, Fraction]:
    """Enclose the mean divergence of one row; a coordinate of parameter 0 is left out."""
    held = [(p, a) for p, a in zip(row.target, row.alpha, strict=True) if a]
    target, alpha = zip(*held, strict=True)
    if len(held) == 1:  # the row is released as it is
        return Fraction(0), Fraction(0)
    if row.unbiased:
        return _quantity_ends(_KL, {"p": target, "k": row.total})
    return _quantity_ends("dirichlet.utility.expected_kl_prior", {"p": target, "u": alpha})


def _bounds_of_rows(study: SimplexStudy, public: Public) -> Iterator[Expected]:
    """Yield bounds that use less than the input: the concentration, a floor, how many records."""
    if not all(row.unbiased for row in study.rows):
        return
    per_row = _Stated(
        "l1", Kind.UPPER, "dirichlet.utility.absolute_deviation_bound a coordinate",
        "fallin2023 equation 15",
    )  # fmt: skip
    yield per_row.by(lambda: _mean_of_ends(map(_any_distance, study.rows)))
    if len(study.rows) > 1:
        return
    (row,) = study.rows
    n, least, k = len(row.target), min(row.target), row.total
    if public.eta is not None and 0 < public.eta <= least:
        name = "dirichlet.utility.expected_kl_worst"
        yield _of_quantity("kl", Kind.UPPER, name, {"k": k, "eta": public.eta, "n": n})
    if public.N is not None and least * public.N >= 1:
        name = "dirichlet.utility.expected_kl_bound"
        yield _of_quantity("kl", Kind.UPPER, name, {"k": k, "N": public.N, "n": n})


def _any_distance(row: StudyRow) -> tuple[Fraction, Fraction]:
    moving = sum(0 < share < 1 for share in row.target)
    _, high = _quantity_ends("dirichlet.utility.absolute_deviation_bound", {"k": row.total})
    return Fraction(0), moving * high


# The registry's own words on a chain: error, kind, quantity.
_CHAIN: Final = (
    ("l1", Kind.EXACT, "markov.expected_deviations"),
    ("largest_row_l1", Kind.UPPER, "markov.largest_deviation_bound"),
    ("kl_rate", Kind.EXACT, "markov.expected_kl"),
    ("stationary", Kind.UPPER, "markov.stationary_bound"),
    ("ergodicity", Kind.UPPER, "markov.ergodicity_bound"),
    ("ergodicity", Kind.LOWER, "markov.ergodicity_floor"),
)


def _of_chain(study: SimplexStudy) -> Iterator[Expected]:
    given: dict[str, Any] = {"P": study.P, "k": tuple(row.total for row in study.rows)}
    for error, kind, name in _CHAIN:
        yield _of_quantity(error, kind, name, given)


def _of_noise(study: NoiseStudy) -> Iterator[Expected]:
    """Yield values and bounds of sizes of Laplace noise: independent exponential variables."""
    m, scale = study.numbers, study.scale
    yield _Stated("l1", Kind.EXACT, "scale times how many numbers", _NOTE).by(
        lambda: (m * scale, m * scale)
    )
    yield _Stated("l2", Kind.UPPER, "root of the mean square", _NOTE).by(
        lambda: _root_ends(2 * m * scale**2)
    )
    yield _Stated("l2", Kind.LOWER, "mean 1-norm over the root of how many numbers", _NOTE).by(
        lambda: _root_ends(m * scale**2)
    )
    yield _Stated("largest", Kind.EXACT, "scale times 1 + 1/2 + 1/3 + ...", _NOTE).by(
        lambda: _scaled(_harmonic(m), scale)
    )


def _harmonic(m: int) -> tuple[Fraction, Fraction]:
    from flint import arb

    with working_precision(_BITS):
        return _ends_of(enclosure_of(digamma(arb(m + 1)) - digamma(arb(1))))


def _scaled(ends: tuple[Fraction, Fraction], scale: Fraction) -> tuple[Fraction, Fraction]:
    return ends[0] * scale, ends[1] * scale
