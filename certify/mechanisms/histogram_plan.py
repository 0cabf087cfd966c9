"""A histogram: Dirichlet(step counts + alpha), a count of 0 being drawn like any other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...reference.errors import DomainError
from ...reference.markov.model.table import MAX_COUNT_DIGITS
from .counts_plan import CATEGORIES, COLUMN, counts_in
from .data.labels import labels_in
from .drawn import require_reach, vector_plan
from .maker import Said
from .plan import SimplexPlan
from .protocol import Claim
from .sensitivities import HISTOGRAM_CHANGE, REPLACE, SENSITIVITIES

# As many records as one cell can have in a file that is read.
MOST_COUNTED = 10**MAX_COUNT_DIGITS
SOURCE = "ponnoprat2023 Section 5.1"


@dataclass(frozen=True)
class Histogram:
    """Algorithm 1 of ponnoprat2023, of a histogram."""

    mechanism: str = "dirichlet.renyi"
    data_keys: tuple[str, ...] = (COLUMN, CATEGORIES)

    def public_names(self, claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return the cells; and how many records there are, where neighbours have as many."""
        size = ("N",) if claim.release["adjacency"] == REPLACE else ()
        return (*size, CATEGORIES)

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return step counts + alpha. Raises InputError, with no private value in its sentence."""
        _require_sensitivities(claim, said)
        categories = labels_in(said, CATEGORIES)
        step, alpha = claim.number("step"), claim.number("alpha")
        require_reach(alpha, step * MOST_COUNTED + alpha, said.where)
        counts = counts_in(said, categories, file)
        return vector_plan(categories, [step * count + alpha for count in counts], str(file))


def _require_sensitivities(claim: Claim, said: Said) -> None:
    """Raise DomainError where one record of a histogram changes more than the claim says."""
    changes = HISTOGRAM_CHANGE[str(claim.release["adjacency"])]
    for key, change in zip(SENSITIVITIES, changes, strict=True):
        if claim.number(key) < change:
            raise DomainError(f"{said.where}: {key} is below {change}, which one record of a "
                              f"histogram changes ({SOURCE})")  # fmt: skip


HISTOGRAM = Histogram()
