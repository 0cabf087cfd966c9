"""Which quantity is to bound which statistic, at which parameters, and who says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any

from simplexcert.reference.errors import DomainError

from .chains import Chain, scaled
from .measures import BETA, GRID_BITS

Given = dict[str, Any]


class Kind(Enum):
    """What a bound claims of the mean, and who proved it."""

    PROVED = "proved"  # at or above it
    BELOW = "proved lower"  # at or below it
    EXACT = "exact"  # equal to it
    PRINTED = "printed"  # at or above it, says a paper
    CERTIFICATE = "95 % certificate"  # on nearly every draw, not on the mean
    RATE = "rate"  # what it comes near to as k grows, times sqrt(pi/2); no bound


@dataclass(frozen=True)
class Source:
    """A quantity that bounds a statistic, with its parameters at a factor, as one part of it."""

    statistic: str
    label: str
    quantity: str
    kind: Kind
    given: Callable[[Chain, int], Given]
    share: Fraction = Fraction(1)


def private(chain: Chain, factor: int) -> Given:
    """Return P and k."""
    return {"P": chain.matrix, "k": scaled(chain.k_minimum, factor)}


def counted(chain: Chain, factor: int) -> Given:
    """Return the counts and k."""
    return {"counts": chain.counts, "k": scaled(chain.k_minimum, factor)}


def equal(chain: Chain, factor: int) -> Given:
    """Return P and one k for all rows. Raises DomainError where they differ."""
    several = scaled(chain.k_minimum, factor)
    if len(set(several)) > 1:
        raise DomainError("the rows have different k")
    return {"P": chain.matrix, "k": several[0]}


def identity_query(chain: Chain, factor: int) -> Given:
    """Return what fallin2023 asks for, with all but the least of each row's shares in its W_i."""
    ordered = [sorted(filter(None, row)) for row in chain.matrix]
    if min(chain.sizes) < 3:
        raise DomainError("a row has fewer than three transitions")
    return {
        **equal(chain, factor),
        "eta": min(row[1] for row in ordered),
        "eta_bar": min(row[0] for row in ordered),
        "w": tuple(len(row) - 1 for row in ordered),
    }


def bracketed(chain: Chain, factor: int) -> Given:
    """Return what fallin2023's bracket asks for: the number of states in place of P."""
    given = identity_query(chain, factor)
    return {"n": len(given.pop("P")), **given}


def public(chain: Chain, factor: int) -> Given:
    """Return what everybody may know."""
    k = scaled(chain.k_minimum, factor)
    return {"k": k, "sizes": chain.sizes, "beta": BETA, "grid_bits": GRID_BITS}


def _normed(given: Callable[[Chain, int], Given], norm: str, sign: str) -> Callable[..., Given]:
    return lambda chain, factor: {**given(chain, factor), "norm": norm, "sign": sign}


def _sources() -> Iterator[Source]:
    tv, change, kl = "total_variation", "coefficient_change", "kl"
    proved, printed, half = Kind.PROVED, Kind.PRINTED, Fraction(1, 2)
    for letter in "abc":
        yield Source(
            tv, f"T4-{letter.upper()}", f"markov.stationary_bound_{letter}", proved, private
        )
    yield Source(tv, "least", "markov.stationary_bound", proved, private)
    yield Source(tv, "repair", "markov.stationary_bound_repair", proved, counted)
    yield Source(tv, "uniform", "markov.stationary_bound_uniform", proved, equal)
    yield Source(tv, "S1/2", "markov.stationary_rate", Kind.RATE, private)
    for norm, sign in product(("row", "column"), ("plus", "minus")):
        name, label = "markov.benvenuti2025.theorem_4", f"printed T4, {norm}, {sign}"
        yield Source(tv, label, name, printed, _normed(counted, norm, sign))
    for norm in ("row", "column"):
        name, label = "markov.fallin2023.theorem_3", f"fallin2023 theorem 3, {norm}"
        yield Source(tv, label, name, printed, _normed(identity_query, norm, "minus"), half)
    yield Source(change, "T5-A", "markov.ergodicity_bound_a", proved, private)
    yield Source(change, "T5-B", "markov.ergodicity_bound_b", proved, private)
    yield Source(change, "least", "markov.ergodicity_bound", proved, private)
    yield Source(change, "repair", "markov.ergodicity_bound_repair", proved, counted)
    yield Source(change, "floor", "markov.ergodicity_floor", Kind.BELOW, private)
    certificate = "markov.certificate_ergodicity"
    yield Source(change, "certificate", certificate, Kind.CERTIFICATE, public)
    theorem_5, lemma_4 = "markov.benvenuti2025.theorem_5", "markov.benvenuti2025.lemma_4"
    yield Source(change, "printed T5", theorem_5, printed, counted)
    yield Source(kl, "exact", "markov.expected_kl", Kind.EXACT, private)
    yield Source(kl, "printed L", lemma_4, printed, counted)
    private_bound = "markov.stationary_bound_private"
    yield Source("scaled_variation", "T4-private", private_bound, proved, private)
    yield Source("deviations", "exact", "markov.expected_deviations", Kind.EXACT, private)
    largest = "largest_deviation"
    yield Source(largest, "bound", "markov.largest_deviation_bound", proved, private)
    yield Source(largest, "printed lemma 6, row", theorem_5, printed, counted)
    square = "markov.largest_deviation_square_bound"
    yield Source("largest_deviation_square", "bound", square, proved, private)
    column = "column_deviation"
    yield Source(column, "fallin2023 (41)", "markov.fallin2023.bracket", printed, bracketed)
    yield Source(column, "printed lemma 6, column", theorem_5, printed, counted)


SOURCES = tuple(_sources())
