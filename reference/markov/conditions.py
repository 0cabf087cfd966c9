"""What the quantities of a chain ask of it, and the sentences that say why it is not so."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..domain import Condition
from .stationary import has_one_stationary_law, not_unique
from .structure import Matrix, closed_classes, is_irreducible, pattern_of, reachable

SOURCE = "its definition"


def _classes(P: Matrix) -> str:
    return not_unique(closed_classes(P))


def _unreached(P: Matrix) -> str:
    paths = reachable(pattern_of(P))
    source, target = next(zip(*(~paths).nonzero(), strict=True))
    return f"state {target + 1} cannot be reached from state {source + 1}"


ONE_CLOSED_CLASS = Condition(
    "P with one closed class of states", has_one_stationary_law, SOURCE, _classes
)
IRREDUCIBLE = Condition("P irreducible", is_irreducible, SOURCE, _unreached)
CONCENTRATION_OF_EACH_STATE = Condition(
    "as many entries of k as P has rows",
    lambda P, k: len(P) == len(k),
    SOURCE,
    lambda P, k: f"P has {len(P)} rows, k has {len(k)} entries",
)


def chain_of(counts: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the relative frequencies of what was counted, row by row, exactly."""
    totals = map(sum, counts)  # once a row: there are up to a thousand of a thousand entries
    return tuple(
        tuple(Fraction(count, total) for count in row)
        for row, total in zip(counts, totals, strict=True)
    )


def counted_in_one_class(counts: Sequence[Sequence[int]]) -> bool:
    """Whether the chain that was counted has one closed class of states."""
    return has_one_stationary_law(chain_of(counts))


def classes_counted(counts: Sequence[Sequence[int]]) -> str:
    """Return which closed classes the chain that was counted has, as a sentence."""
    return _classes(chain_of(counts))
