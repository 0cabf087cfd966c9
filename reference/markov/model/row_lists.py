"""The parameters of a model: vectors with one entry a row, and the largest number of all rows."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, TypeAlias

from flint import arb

from ...arb.balls import ball
from ...domain import ONE, ZERO, Entries, Interval, count_from

NOTE = "proofs_notes/markov-model.md"
PAPER = "benvenuti2025 Theorem 3"

# Hints for the search: points of few rows that often satisfy the conditions in each; of fewer where
# a row takes long.
_ROWS, _FEW_ROWS = 3, 2
_SHARE = Interval(above=ZERO, below=ONE, search=("0.001", "0.3"))
_CHANCE = Interval(at_least=ZERO, at_most=ONE, search=("1e-12", "0.3"))

Numbers: TypeAlias = tuple[Fraction, ...]
Whole: TypeAlias = tuple[int, ...]
KS = Annotated[Numbers, Entries(Interval(above=ZERO), _ROWS)]
ETAS_ALONE = Annotated[Numbers, Entries(_SHARE, _FEW_ROWS)]
FEW_KS = Annotated[Numbers, Entries(Interval(above=ZERO), _FEW_ROWS)]
ETAS = Annotated[Numbers, Entries(_SHARE, _ROWS, as_long_as="k")]
# A root in k takes time that grows with the least count.
FEW_RECORDS = Annotated[Whole, Entries(count_from(1, 100), _ROWS, as_long_as="eta")]
RECORDS = Annotated[Whole, Entries(count_from(1, 10_000), _ROWS, as_long_as="eta")]
CATEGORIES = Annotated[Whole, Entries(count_from(3, 8), _ROWS, as_long_as="eta")]
GAMMAS = Annotated[Numbers, Entries(_SHARE, _ROWS, as_long_as="eta")]
CHANCES = Annotated[Numbers, Entries(_CHANCE, _ROWS, as_long_as="eta")]


def largest(values: Iterable[arb | Fraction]) -> arb | Fraction:
    """Return the largest of several numbers, exactly where all of them are."""
    found = list(values)
    exact = [value for value in found if isinstance(value, Fraction)]
    if len(exact) == len(found):
        return max(exact)
    top, *others = (ball(value) if isinstance(value, Fraction) else value for value in found)
    for other in others:
        top = top.max(other)
    return top
