"""Bounds that take a counted matrix: per row its k, its records N_i and its positive counts n_i."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from ...dirichlet.kl import divergence_from, vertex
from ...domain import Condition
from ..conditions import SOURCE, classes_counted, counted_in_one_class

ONE_CLOSED_CLASS_COUNTED = Condition(
    "counts with one closed class of states",
    counted_in_one_class,
    SOURCE,
    classes_counted,
)
CONCENTRATION_OF_EACH_ROW = Condition(
    "as many entries of k as there are rows of counts",
    lambda counts, k: len(counts) == len(k),
    SOURCE,
    lambda counts, k: f"there are {len(counts)} rows, k has {len(k)} entries",
)


def divergence_bound(counts: Sequence[int], k: Fraction) -> arb | Fraction:
    """Enclose L_i: benvenuti2025 Corollary 1 with the number of the row's positive counts.

    The mean divergence at counts (1, ..., 1, N - n + 1), no smaller than at any others
    (proofs_notes/utility.md#worst-vertex); 0 for one positive count.
    """
    cells = sum(1 for count in counts if count)
    return divergence_from(vertex(Fraction(1, sum(counts)), cells), k)
