"""Gaussian noise on a query of which only the 2-norm sensitivity is known.

One pair of normal laws bounds all neighbours, and two answers that are the sensitivity apart attain
it (proofs_notes/gaussian.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain
from ...reference.exact import exact_text, shown
from ...reference.gaussian import NOTE
from ...reference.quantity import quantity_named
from . import reading
from .hypotheses import Finding
from .neighbours import neighbours_of
from .protocol import Claim, Inputs, Parameters, Worst, asked_of
from .questions import Printed
from .tight import Enough, Least
from .undrawn import LEAST_MULTIPLIER, Undrawn, least_multiplier

_FAMILY = "gaussian"
_MULTIPLIER = "noise_multiplier"
_BY = "balle2018 Theorem 8"

_ASSUMED = (
    "the query's answers at neighbouring data differ by at most the sensitivity in the 2-norm",
    "the noise on each coordinate is normal, independent of all else and drawn from the exact law",
    "its standard deviation is noise_multiplier times that sensitivity",
    "query, sensitivity and noise were fixed without looking at the private data",
)
_ALONE = "Only this one release is covered: several together lose more."
_NEVER_REACHED = (
    "Anything of a query that changes by less than the sensitivity to which noise_multiplier is "
    "relative: what is refuted here may be true of it."
)


@dataclass(frozen=True)
class GaussianParameters(Parameters):
    """The noise's standard deviation over the 2-norm sensitivity, and for which neighbours."""

    noise_multiplier: Fraction
    neighbours: str


class Gaussian(Undrawn):
    """One release of a query with independent normal noise on its coordinates."""

    name = "gaussian"
    releases = "a query of known 2-norm sensitivity, with Gaussian noise"

    @property
    def tight(self) -> Least:
        """The least noise multiplier that keeps the claim."""
        return Least(_MULTIPLIER, _enough)

    @property
    def keys(self) -> tuple[str, ...]:
        """The noise, and which inputs are neighbours."""
        return (*self._domains, "neighbours")

    @property
    def _domains(self) -> dict[str, Domain]:
        return {_MULTIPLIER: quantity_named(f"{_FAMILY}.delta").parameters[_MULTIPLIER]}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[GaussianParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        reading.require_all(table, self.keys, where)
        exact = reading.parameters(table, self._domains, self.name, where)
        neighbours = neighbours_of(table["neighbours"], where)
        return GaussianParameters.read({**exact, "neighbours": neighbours}), None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of normal laws, and answers that attain it."""
        own = GaussianParameters.of(claim)
        asked = asked_of(claim, _FAMILY, {_MULTIPLIER: own.noise_multiplier})
        return Worst(Neighbours.ATTAINED, asked, {}, (_PAIR,), _inputs(claim))

    def findings(self, _claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        return [Finding(statement, "assumed", NOTE) for statement in _ASSUMED]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _NEVER_REACHED]


_PAIR = "N(1, s^2) against N(0, s^2), s the noise multiplier: attained at the sensitivity"


def _enough(claim: Claim) -> Sequence[Enough]:
    """Return the least noise multiplier of a claimed delta. Raises DomainError where none is."""
    own = GaussianParameters.of(claim).noise_multiplier
    return least_multiplier(claim, own, f"{_FAMILY}.{LEAST_MULTIPLIER}", {}, _BY)


def _inputs(claim: Claim) -> Inputs:
    """Return answers that are the sensitivity apart, and where a claimed delta is seen."""
    others = "the other coordinates of the answers are equal"
    told = "answers 1 and 0, in units of the sensitivity, in the direction in which they differ"
    if claim.order is not None:
        return Inputs("1", "0", others, f"{told}; {others}", {})
    half = Fraction(1, 2) + claim.epsilon * GaussianParameters.of(claim).noise_multiplier ** 2
    seen = f"released numbers above 1/2 + epsilon s^2 = {shown(half)} there"
    return Inputs(
        "1", "0", others, f"{told}; it shows in {seen}; {others}", {"above": exact_text(half)}
    )


GAUSSIAN = Gaussian()
