"""The mean of private vectors: Dirichlet(k mean), after each was found in the bordered simplex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ...reference.errors import DomainError
from ...reference.exact import shown
from .data.bordered import require_bordered
from .data.labels import labels_in
from .data.vectors import read_vectors
from .drawn import require_support, vector_plan, with_support
from .maker import Said
from .plan import SimplexPlan
from .protocol import Claim
from .vector_plan import NAMES, PROTECTED, SOURCE, border_of


@dataclass(frozen=True)
class Average:
    """The average query of gohari2020."""

    mechanism: str = "dirichlet.average"
    data_keys: tuple[str, ...] = (NAMES, PROTECTED)

    def public_names(self, _claim: Claim, said: Said) -> tuple[str, ...]:
        """Return the floors, how many vectors there are, and the names of the coordinates."""
        return with_support(said, ("eta", "eta_bar", "N", NAMES))

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return k times the mean. Raises InputError, with no private value in its sentence."""
        names, size = labels_in(said, NAMES), claim.number("N")
        border = border_of(claim, said, names)
        found = read_vectors(file, names)
        if len(found.values) != size:
            raise DomainError(f"{file} does not have N = {shown(size)} lines under its header, one "
                              "for each vector; N is public and fixed by the claim")  # fmt: skip
        for vector, place in zip(found.values, found.places, strict=True):
            require_bordered(vector, border, place)
        mean = [_sum(column) / size for column in zip(*found.values, strict=True)]
        require_support(mean, said, f"{file}, the mean", SOURCE)
        k = claim.number("k")
        return vector_plan(names, [k * share for share in mean], f"{file}, the mean")


def _sum(shares: Iterable[Fraction]) -> Fraction:
    """Return the exact sum. Shares of one denominator are added first, as whole numbers.

    One after the other, a hundred thousand shares of many denominators would take minutes.
    """
    by_denominator: Counter[int] = Counter()
    for share in shares:
        by_denominator[share.denominator] += share.numerator
    return sum((Fraction(top, bottom) for bottom, top in by_denominator.items()), Fraction(0))


AVERAGE = Average()
