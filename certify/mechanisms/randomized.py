"""Randomized response: each record answers for itself, now and then with another category.

Any two categories have the same two laws, up to names, so that one pair of laws is all that there
is, and attained (proofs_notes/randomized-response.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Value
from ...reference.quantity import quantity_named
from ...reference.randomized_response import NOTE
from ...reference.structures import NOT_HIDDEN
from .hypotheses import Finding
from .neighbours import ADD_REMOVE
from .protocol import Claim, Inputs, Parameters, Vacuity, Worst, asked_of
from .questions import Printed
from .tight import Given
from .undrawn import Undrawn

_CATEGORIES, _PROBABILITY = "categories", "truth_probability"
_ALONE: Final = "Only one answer of each record is covered: several together lose more."
_OTHER_COIN: Final = (
    "Anything of truth told with another chance: of one that is told with chance u, and else a "
    "fair draw among all k, truth_probability is u + (1 - u)/k."
)
_ANSWERS: Final = (
    "each record answers once, with its own category with chance truth_probability, else with one "
    "of the others, each as likely"
)
_AFRESH: Final = "each record's chance is its own, independent of all else and of exactly this size"


@dataclass(frozen=True)
class ResponseParameters(Parameters):
    """How many answers there are, how often they are true, and for which neighbours."""

    categories: int
    truth_probability: Fraction
    neighbours: str


class RandomizedResponse(Undrawn):
    """One answer of each record, which is its own category or another."""

    name = "randomized_response"
    releases = "an answer of each record: its own category, or by chance another"

    @property
    def tight(self) -> Given:
        """Nothing: the loss does not rise with the chance of truth where that is small."""
        return Given()

    @property
    def keys(self) -> tuple[str, ...]:
        """The answers, and which inputs are neighbours."""
        return (_CATEGORIES, _PROBABILITY, "neighbours")

    def read(self, table: Mapping[str, Any], where: str) -> tuple[ResponseParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        known = quantity_named(f"{self.name}.delta").parameters
        domains = {key: known[key] for key in (_CATEGORIES, _PROBABILITY)}
        return ResponseParameters.read(self.read_in(table, domains, where)), None

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return that there is no pair where records are added or removed."""
        if ResponseParameters.of(claim).neighbours != ADD_REMOVE:
            return None
        return Vacuity(Neighbours.NO_PAIR, NOT_HIDDEN)

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws, and categories that attain it."""
        own = ResponseParameters.of(claim)
        point: dict[str, Value] = {_CATEGORIES: own.categories, _PROBABILITY: own.truth_probability}
        pair = "the answers of two categories, each as likely to be the true one: attained"
        return Worst(
            Neighbours.ATTAINED, asked_of(claim, self.name, point), {}, (pair,), _inputs(own)
        )

    def findings(self, _claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        return [Finding(statement, "assumed", NOTE) for statement in (_ANSWERS, _AFRESH)]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _OTHER_COIN]


def _inputs(own: ResponseParameters) -> Inputs:
    """Return two records' categories, and the answer that shows them."""
    true, others = own.truth_probability, "all other records are equal"
    said = "1" if true * own.categories >= 1 else "2"
    told = f"one record of category 1, or of category 2 in its place; {others}"
    facts = {"answer": said}
    return Inputs("1", "2", others, f"{told}; it shows in the answer {said}", facts)


RANDOMIZED_RESPONSE = RandomizedResponse()
