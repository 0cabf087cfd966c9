"""The pairs of laws that dominate each release, by floor, step, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

from ....reference.domain import Value
from ...mechanisms.questions import Term
from .stated import Stated

BETA: Final = "dirichlet.profile"
_GAMMA: Final = "dirichlet.add_remove"
_TOGETHER: Final = "dirichlet.composition"
# Of a model with more rows of different numbers nothing exact is worked out.
_MOST_ROWS: Final = 50


@dataclass(frozen=True, order=True)
class Pair:
    """Two laws that dominate a release, which was made so many times.

    ``family`` is the family of quantities that is about such pairs: of Beta or of gamma laws.
    """

    family: str
    alpha: Fraction
    step: Fraction
    count: int

    @property
    def point(self) -> dict[str, Value]:
        """The parameters of the family's quantities, besides what is asked."""
        return {"alpha": self.alpha, "step": self.step}


Pairs: TypeAlias = tuple[Pair, ...]


def rows_of_pairs(releases: Sequence[Stated]) -> list[Pairs] | None:
    """Return the different lists of pairs, of which the worst one bounds what is lost.

    There is one list, but where rows are released by themselves one for each row: neighbours
    differ in one row. None where some release is dominated by no such pairs, or there are too
    many rows.
    """
    listed = []
    for same in zip(*(one.claim.mechanism.by_row(one.claim) for one in releases), strict=True):
        several = [_of_terms(terms, one.times) for terms, one in zip(same, releases, strict=True)]
        if any(pairs is None for pairs in several):
            return None
        if all(same):
            listed.append([pair for pairs in several for pair in pairs or ()])
    different = {_merged(pairs) for pairs in listed if pairs}
    return sorted(different) if len(different) <= _MOST_ROWS else None


def _of_terms(terms: Sequence[Term], times: int) -> list[Pair] | None:
    """Return the pairs that dominate neighbours in one row; None if none do."""
    found: list[Pair] = []
    for term in terms:
        pairs = _of_term(term, times)
        if pairs is None:
            return None
        found.extend(pairs)
    return found


def _of_term(term: Term, times: int) -> list[Pair] | None:
    family = term.quantity.rpartition(".")[0]
    point: Mapping[str, Any] = term.point
    count = times * int(term.times)
    if family in (BETA, _GAMMA):
        return [Pair(family, point["alpha"], point["step"], count)]
    if family == _TOGETHER:
        return [Pair(BETA, alpha, step, n * count) for alpha, step, n in point["releases"]]
    return None


def _merged(pairs: Iterable[Pair]) -> Pairs:
    """Return the pairs with equal ones counted together."""
    counts: Counter[tuple[str, Fraction, Fraction]] = Counter()
    for pair in pairs:
        counts[pair.family, pair.alpha, pair.step] += pair.count
    return tuple(Pair(*laws, count) for laws, count in sorted(counts.items()))
