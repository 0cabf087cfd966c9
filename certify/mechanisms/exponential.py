"""The exponential mechanism: one of several candidates, likelier the larger its utility.

All that is known of the utilities is how far apart two losses can be; two candidates attain the
worst (proofs_notes/exponential-mechanism.md). Its noisy twin is the largest of utilities with
Gumbel noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ...reference.dirichlet.pair import Neighbours
from ...reference.exponential_mechanism import NOTE
from ...reference.quantity import quantity_named
from .hypotheses import Finding
from .protocol import Claim, Inputs, Parameters, Worst, asked_of
from .questions import Printed
from .tight import Given
from .undrawn import Undrawn

_RANGE = "loss_range"
_ALONE: Final = "Only this one choice is covered: several together lose more."
_NOT_REACHED: Final = (
    "Anything of utilities that cannot move by as much, or not in all these ways, and of a list of "
    "one candidate: what is refuted here may be true of them."
)
_OTHER_NOISE: Final = (
    "Anything of the largest of utilities with noise that is not Gumbel's, which is another law."
)
_CHOICE: Final = (
    "a candidate is drawn with a chance proportional to exp(c u), u its utility, from a list that "
    "does not depend on the private data"
)
_RANGE_SAID: Final = (
    "loss_range is 2cD, D the most by which a utility moves between neighbours, or cD where "
    "between any two neighbours all utilities move one way"
)
_EXACT: Final = "the draw is from that law exactly, independent of all else"


@dataclass(frozen=True)
class ChoiceParameters(Parameters):
    """How far apart two losses are at most, and for which neighbours."""

    loss_range: Fraction
    neighbours: str


class ExponentialMechanism(Undrawn):
    """One candidate, drawn by its utility."""

    name = "exponential_mechanism"
    releases = "one of several candidates, likelier the larger its utility"

    @property
    def tight(self) -> Given:
        """Nothing: less is lost by a smaller range, and none is the least."""
        return Given()

    @property
    def keys(self) -> tuple[str, ...]:
        """The range of losses, and which inputs are neighbours."""
        return (_RANGE, "neighbours")

    def read(self, table: Mapping[str, Any], where: str) -> tuple[ChoiceParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        known = quantity_named(f"{self.name}.delta").parameters
        return ChoiceParameters.read(self.read_in(table, {_RANGE: known[_RANGE]}, where)), None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws, and utilities that attain it."""
        point = {_RANGE: ChoiceParameters.of(claim).loss_range}
        pair = "two candidates whose losses are loss_range apart, at the worst place: attained"
        return Worst(
            Neighbours.ATTAINED, asked_of(claim, self.name, point), {}, (pair,), _inputs(claim)
        )

    def findings(self, _claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        return [Finding(said, "assumed", NOTE) for said in (_CHOICE, _RANGE_SAID, _EXACT)]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _NOT_REACHED, _OTHER_NOISE]


def _inputs(claim: Claim) -> Inputs:
    """Return utilities whose losses are loss_range apart, and the candidate that shows them."""
    others = "there are no other candidates"
    told = (
        "two candidates: between the two data the first's utility rises by D, and the second's "
        "falls by D, or stays where all move one way; their difference puts the losses at the "
        "worst place"
    )
    first, second = "x + D and 0", "x and D, or 0"
    if claim.order is not None:
        return Inputs(first, second, others, f"{told}; {others}", {})
    seen = "it shows in how often the first is chosen"
    return Inputs(first, second, others, f"{told}; {seen}; {others}", {"answer": "first"})


EXPONENTIAL_MECHANISM = ExponentialMechanism()
