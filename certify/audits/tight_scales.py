"""The least number that is enough for an epsilon, such as a Laplace scale."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError
from ...reference.precision import BudgetSpentError
from ..mechanisms.protocol import Claim
from ..mechanisms.tight import Enough, Least
from ..mechanisms.truth import truth_of
from .tight_decimals import FIGURES, first_kept, is_kept


def least_scale(tight: Least, claim: Claim, where: str) -> tuple[Fraction, str]:
    """Return the least decimal that is enough, of all mechanisms that give one, and by which.

    Raises DomainError where every number is enough.
    """
    enough, needed = min(_needed(tight, claim), key=lambda found: found[1].high)
    question, key = enough.question, tight.key
    if needed.upper == 0:
        raise DomainError(
            f'{where}: {key} = "tight", but nothing is to be hidden under any law of the class: '
            f"every {key} is enough; give one"
        )
    if not isinstance(needed.lower, Fraction) or needed.lower <= 0:
        raise BudgetSpentError(f"the {key} was not found in time")
    found = first_kept(lambda value: is_kept(replace(question, claimed=value)), needed.lower)
    return found, f"the least {key} of {FIGURES} figures that is enough by {enough.by}"


def _needed(tight: Least, claim: Claim) -> list[tuple[Enough, Enclosure]]:
    """Return the number that each mechanism asks, where it is not refused."""
    found = []
    for enough in tight.enough(claim):
        try:
            found.append((enough, truth_of(enough.question, settled=True).value))
        except DomainError:
            if enough.must:
                raise
    return found
