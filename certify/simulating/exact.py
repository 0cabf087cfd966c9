"""Which exact values and proved bounds there are for each error of a study."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from ...reference.arb.balls import enclosure_of, working_precision
from ...reference.arb.gamma import digamma
from ..mechanisms.protocol import Public
from .deviations import mean_distance, mean_square, root_ends
from .expected import (
    Expected,
    Kind,
    Stated,
    ends_of,
    mean_of_ends,
    of_quantity,
    quantity_ends,
)
from .study import NoiseStudy, SimplexStudy, Study, StudyRow

NOTE: Final = "proofs_notes/simulation.md"
_BITS: Final = 128
_KL = "dirichlet.utility.expected_kl"


def expected_errors(study: Study, public: Public, *, chain: bool) -> list[Expected]:
    """Return all that is known of the means, by error."""
    if isinstance(study, NoiseStudy):
        return list(_of_noise(study))
    found = [*_of_rows(study), *_bounds_of_rows(study, public)]
    return [*found, *_of_chain(study)] if chain else found


def _of_rows(study: SimplexStudy) -> Iterator[Expected]:
    """Yield exact values, and what follows from them."""
    rows = study.rows
    distance = Stated("l1", Kind.EXACT, _distance_named(study), NOTE)
    yield distance.by(lambda: mean_of_ends(map(mean_distance, rows)))
    squares = [mean_square(row) for row in rows]
    roots = Stated("l2", Kind.UPPER, "root of the mean square of each row", NOTE)
    yield roots.by(lambda: mean_of_ends(map(root_ends, squares)))
    square = sum(squares, Fraction(0)) / len(rows)
    formula = "sum of dirichlet.utility.variance and squared biases"
    yield Stated("l2_squared", Kind.EXACT, formula, NOTE).by(lambda: (square, square))
    yield _largest(study, squares)
    named = _KL if all(row.unbiased for row in rows) else "dirichlet.utility.expected_kl_prior"
    divergence = Stated("kl", Kind.EXACT, named, "benvenuti2025 Theorem 2")
    yield divergence.by(lambda: mean_of_ends(map(_divergence, rows)))


def _distance_named(study: SimplexStudy) -> str:
    if all(row.unbiased for row in study.rows):
        return "sum of dirichlet.utility.absolute_deviation"
    return "sum of incomplete beta functions"


def _largest(study: SimplexStudy, squares: list[Fraction]) -> Expected:
    """Return a bound: errors of a row sum to 0, so none is above half of the 1-norm."""
    if len(study.rows) == 1:
        half = Stated("largest", Kind.UPPER, "half of the exact mean in the 1-norm", NOTE)
        return half.by(lambda: _halved(mean_distance(study.rows[0])))
    root = Stated("largest", Kind.UPPER, "root of the sum of all mean squares", NOTE)
    return root.by(lambda: root_ends(sum(squares, Fraction(0))))


def _halved(ends: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return ends[0] / 2, ends[1] / 2


def _divergence(row: StudyRow) -> tuple[Fraction, Fraction]:
    """Enclose the mean divergence of one row; a coordinate of parameter 0 is left out."""
    held = [(p, a) for p, a in zip(row.target, row.alpha, strict=True) if a]
    target, alpha = zip(*held, strict=True)
    if len(held) == 1:  # the row is released as it is
        return Fraction(0), Fraction(0)
    if row.unbiased:
        return quantity_ends(_KL, {"p": target, "k": row.total})
    return quantity_ends("dirichlet.utility.expected_kl_prior", {"p": target, "u": alpha})


def _bounds_of_rows(study: SimplexStudy, public: Public) -> Iterator[Expected]:
    """Yield bounds that use less than the input: the concentration, a floor, how many records."""
    if not all(row.unbiased for row in study.rows):
        return
    per_row = Stated(
        "l1", Kind.UPPER, "dirichlet.utility.absolute_deviation_bound a coordinate",
        "fallin2023 equation 15",
    )  # fmt: skip
    yield per_row.by(lambda: mean_of_ends(map(_any_distance, study.rows)))
    if len(study.rows) > 1:
        return
    (row,) = study.rows
    n, least, k = len(row.target), min(row.target), row.total
    if public.eta is not None and 0 < public.eta <= least:
        name = "dirichlet.utility.expected_kl_worst"
        yield of_quantity("kl", Kind.UPPER, name, {"k": k, "eta": public.eta, "n": n})
    if public.N is not None and least * public.N >= 1:
        name = "dirichlet.utility.expected_kl_bound"
        yield of_quantity("kl", Kind.UPPER, name, {"k": k, "N": public.N, "n": n})


def _any_distance(row: StudyRow) -> tuple[Fraction, Fraction]:
    moving = sum(0 < share < 1 for share in row.target)
    _, high = quantity_ends("dirichlet.utility.absolute_deviation_bound", {"k": row.total})
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
        yield of_quantity(error, kind, name, given)


def _of_noise(study: NoiseStudy) -> Iterator[Expected]:
    """Yield what is known of sizes of Laplace noise: independent exponential variables."""
    m, scale = study.numbers, study.scale
    yield Stated("l1", Kind.EXACT, "scale times how many numbers", NOTE).by(
        lambda: (m * scale, m * scale)
    )
    yield Stated("l2", Kind.UPPER, "root of the mean square", NOTE).by(
        lambda: root_ends(2 * m * scale**2)
    )
    yield Stated("l2", Kind.LOWER, "mean 1-norm over the root of how many numbers", NOTE).by(
        lambda: root_ends(m * scale**2)
    )
    yield Stated("largest", Kind.EXACT, "scale times 1 + 1/2 + 1/3 + ...", NOTE).by(
        lambda: _scaled(_harmonic(m), scale)
    )


def _harmonic(m: int) -> tuple[Fraction, Fraction]:
    from flint import arb

    with working_precision(_BITS):
        return ends_of(enclosure_of(digamma(arb(m + 1)) - digamma(arb(1))))


def _scaled(ends: tuple[Fraction, Fraction], scale: Fraction) -> tuple[Fraction, Fraction]:
    return ends[0] * scale, ends[1] * scale
