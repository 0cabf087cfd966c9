"""Permute-and-flip: one of several candidates, looked at in random order, each with its own coin.

All that is known of the utilities is how far the gap of two can move; at each epsilon two
candidates attain the worst (proofs_notes/permute-and-flip.md). Its noisy twin is the largest of
utilities with exponential noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ...reference.dirichlet.pair import Neighbours
from ...reference.errors import InputError
from ...reference.permute_and_flip import NOTE
from ...reference.quantity import quantity_named
from .hypotheses import Finding
from .protocol import Claim, Inputs, Parameters, Target, Worst, asked_of
from .questions import Printed
from .tight import Given
from .undrawn import Undrawn

_LARGEST = "largest_loss"
_ALONE: Final = "Only this one choice is covered: several together lose more."
_NOT_REACHED: Final = (
    "Anything of utilities that cannot move by as much, or not in all these ways, and of a list of "
    "one candidate: what is refuted here may be true of them."
)
_OTHER_NOISE: Final = (
    "Anything of the largest of utilities with noise that is not exponential, which is another law."
)
_CHOICE: Final = (
    "candidates of a list that does not depend on the private data are looked at in random order, "
    "and the first one is taken whose coin falls, with chance exp(c (u - the largest u)), u its "
    "utility; or the one is taken whose utility with exponential noise of scale 1/c is the largest"
)
_LARGEST_SAID: Final = (
    "largest_loss is 2cD, D the most by which a utility moves between neighbours, or cD where "
    "between any two neighbours all utilities move one way"
)
_EXACT: Final = "the draw is from that law exactly, independent of all else"


@dataclass(frozen=True)
class FlipParameters(Parameters):
    """How far the gap of two candidates moves at most, and for which neighbours."""

    largest_loss: Fraction
    neighbours: str


class PermuteAndFlip(Undrawn):
    """One candidate, taken by a coin of its own."""

    name = "permute_and_flip"
    releases = "one of several candidates, in random order, by coins that are likelier to be right"

    @property
    def tight(self) -> Given:
        """Nothing: less is lost by a smaller range, and none is the least."""
        return Given()

    @property
    def keys(self) -> tuple[str, ...]:
        """The largest loss, and which inputs are neighbours."""
        return (_LARGEST, "neighbours")

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return a claimed epsilon and delta. Raises InputError."""
        found = super().target(table, where)
        if found[1] is None:
            raise InputError(
                f"{where}: of permute-and-flip no Renyi divergence is known here; [claim] needs a "
                "delta, not an order"
            )
        return found

    def read(self, table: Mapping[str, Any], where: str) -> tuple[FlipParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        known = quantity_named(f"{self.name}.delta").parameters
        return FlipParameters.read(self.read_in(table, {_LARGEST: known[_LARGEST]}, where)), None

    def worst(self, claim: Claim) -> Worst:
        """Return what Laplace noise loses, and utilities that attain it."""
        point = {_LARGEST: FlipParameters.of(claim).largest_loss}
        pair = "two candidates whose gap moves by largest_loss, at the worst place: attained"
        return Worst(Neighbours.ATTAINED, asked_of(claim, self.name, point), {}, (pair,), _inputs())

    def findings(self, _claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        return [Finding(said, "assumed", NOTE) for said in (_CHOICE, _LARGEST_SAID, _EXACT)]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _NOT_REACHED, _OTHER_NOISE]


def _inputs() -> Inputs:
    """Return utilities whose gap moves by the largest loss, and the candidate that shows it."""
    others = "there are no other candidates"
    told = (
        "two candidates: between the two data the first's utility rises by D, and the second's "
        "falls by D, or stays where all move one way; c times their gap is (largest_loss - "
        "epsilon)/2 at the first data; it shows in how often the first is taken"
    )
    return Inputs("x + D and 0", "x and D, or 0", others, f"{told}; {others}", {"answer": "first"})


PERMUTE_AND_FLIP = PermuteAndFlip()
