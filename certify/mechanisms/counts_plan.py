"""Counts of records: Dirichlet(k counts/N), where no count is below the floor eta N."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

from ...reference.errors import DomainError
from ...reference.exact import shown
from .data.labels import labels_in, text_in
from .data.tallies import counts_of_records, given_counts
from .drawn import require_reach, vector_plan
from .maker import Said
from .plan import SimplexPlan
from .protocol import Claim

SOURCE = "benvenuti2025 Definition 2"
COLUMN, CATEGORIES = "column", "categories"


@dataclass(frozen=True)
class Counts:
    """The counting query of benvenuti2025."""

    mechanism: str = "dirichlet.counts"
    data_keys: tuple[str, ...] = (COLUMN, CATEGORIES)

    def public_names(self, _claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return the floor, how many records there are, and the categories."""
        return ("eta", "N", CATEGORIES)

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return k counts/N. Raises InputError, with no private value in its sentence."""
        categories = labels_in(said, CATEGORIES)
        if len(categories) != claim.number("n"):
            raise DomainError(f"{said.where}: [data] {CATEGORIES} lists {len(categories)}, but n = "
                              f"{shown(claim.number('n'))}")  # fmt: skip
        k, size = claim.number("k"), claim.number("N")
        floor, step = claim.number("eta") * size, k / size
        require_reach(step * ceil(floor), k, said.where)
        counts = counts_in(said, categories, file)
        require_total(counts, size, str(file))
        require_floor(counts, floor, str(file))
        return vector_plan(categories, [step * count for count in counts], str(file))


def counts_in(said: Said, categories: Sequence[str], file: Path) -> list[int]:
    """Return the count of each category, of a column of records or as given. Raises InputError."""
    if COLUMN in said.data:
        return counts_of_records(file, text_in(said, COLUMN), categories)
    return given_counts(file, categories)


def require_total(counts: Sequence[int], size: Fraction | int, place: str) -> None:
    """Raise DomainError unless there are N records."""
    if sum(counts) != size:
        raise DomainError(f"{place}: the number of records is not N = {shown(size)}, which is "
                          "public and fixed by the claim")  # fmt: skip


def require_floor(counts: Sequence[int], floor: Fraction, place: str) -> None:
    """Raise DomainError where a count is below the floor eta N, and there alone.

    Data at the floor have neighbours below it, which are no inputs; of two neighbours that are
    inputs neither is refused, so that a refusal tells no more than that they are none.
    """
    if min(counts) < floor:
        raise DomainError(f"{place}: a count is below eta N, so the data are no input of the "
                          f"mechanism ({SOURCE})")  # fmt: skip


COUNTS = Counts()
