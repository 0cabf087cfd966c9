"""The least Laplace scale that a mechanism of song2017 asks for an epsilon."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError
from ...reference.precision import BudgetSpentError
from ..mechanisms.protocol import Claim
from ..mechanisms.pufferfish.chain import CHAIN
from ..mechanisms.pufferfish.claims import SCALE
from ..mechanisms.pufferfish.network import NETWORK
from ..mechanisms.pufferfish.quilts import Quilts
from ..mechanisms.pufferfish.wasserstein import WASSERSTEIN, Wasserstein
from ..mechanisms.questions import Question
from ..mechanisms.truth import truth_of
from .tight_decimals import FIGURES, first_kept, is_kept

_QUILTS = {
    CHAIN.name: "song2017 Algorithm 3, Markov quilts",
    NETWORK.name: "song2017 Algorithm 2, Markov quilts",
    WASSERSTEIN.name: "song2017 Algorithm 1, the Wasserstein mechanism",
}
_OTHERS = {
    "scale_of_group": "noise for all nodes at once",
    "scale_of_entry": "noise for one node, as all are independent",
    "scale_by_wasserstein": "song2017 Algorithm 1, the Wasserstein mechanism",
}


def least_scale(claim: Claim, where: str) -> tuple[Fraction, str]:
    """Return the least decimal that is enough, of all mechanisms that give one, and by which.

    Raises DomainError where every scale is enough.
    """
    question, needed = min(_needed(claim), key=lambda found: found[1].high)
    if needed.upper == 0:
        raise DomainError(
            f'{where}: scale = "tight", but nothing is to be hidden under any law of the class: '
            "every scale is enough; give one"
        )
    if not isinstance(needed.lower, Fraction) or needed.lower <= 0:
        raise BudgetSpentError("the scale was not found in time")
    found = first_kept(lambda scale: is_kept(replace(question, claimed=scale)), needed.lower)
    by = _OTHERS.get(question.key, _QUILTS[claim.mechanism.name])
    return found, f"the least scale of {FIGURES} figures that is enough by {by}"


def _needed(claim: Claim) -> list[tuple[Question, Enclosure]]:
    """Return the scale that each mechanism asks, where it is not refused; quilts come first."""
    mechanism, found = claim.mechanism, []
    if not isinstance(mechanism, Quilts | Wasserstein):
        raise TypeError(f"{mechanism.name} has no scale")
    enough = sorted(mechanism.scales_enough(claim), key=lambda one: one.key != SCALE)
    for question in enough:
        try:
            found.append((question, truth_of(question, settled=True).value))
        except DomainError:
            if question.key == SCALE:
                raise
    return found
