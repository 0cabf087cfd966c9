"""Noise on a whole number of which only the sensitivity is known: discrete Laplace, or Gaussian.

The law that is shifted by the sensitivity, against itself, bounds all neighbours, and two answers
that differ by it attain it (proofs_notes/discrete-noise.md).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ...reference.dirichlet.pair import Neighbours
from ...reference.discrete_laplace import NOTE
from ...reference.domain import Domain, Value
from ...reference.errors import DomainError
from ...reference.exact import exact_text, shown
from ...reference.quantity import quantity_named
from .hypotheses import Finding
from .protocol import Claim, Inputs, Parameters, Worst, asked_of
from .questions import Printed, Question, Term
from .tight import Enough, Given, Least, Tight
from .undrawn import LEAST_MULTIPLIER, Undrawn

_SCALE, _SENSITIVITY = "scale", "sensitivity"
_ALONE = "Only this one release is covered: several together lose more."
_NEVER_REACHED = (
    "Anything of a query that changes by less than the sensitivity: what is refuted here may be "
    "true of it."
)
_OTHER_NOISE = "Anything of noise of another scale, or of continuous noise that is rounded."


@dataclass(frozen=True)
class DiscreteParameters(Parameters):
    """The noise's scale, how much the query changes, and for which neighbours."""

    scale: Fraction
    sensitivity: int
    neighbours: str


class Discrete(Undrawn):
    """One release of a whole number with independent noise on the whole numbers."""

    _called: ClassVar[str]

    @abstractmethod
    def _threshold(self, own: DiscreteParameters, epsilon: Fraction) -> Fraction:
        """Return the number up to which no loss exceeds epsilon."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The noise, and which inputs are neighbours."""
        return (_SCALE, _SENSITIVITY, "neighbours")

    @property
    def _domains(self) -> dict[str, Domain]:
        domains = quantity_named(f"{self.name}.delta").parameters
        return {key: domains[key] for key in (_SCALE, _SENSITIVITY)}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[DiscreteParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        return DiscreteParameters.read(self.read_in(table, self._domains, where)), None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws, and answers that attain it."""
        own = DiscreteParameters.of(claim)
        asked = asked_of(claim, self.name, {_SCALE: own.scale, _SENSITIVITY: own.sensitivity})
        pair = "the noise shifted by the sensitivity against the noise: attained at the sensitivity"
        return Worst(Neighbours.ATTAINED, asked, {}, (pair,), self._inputs(claim))

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        own = DiscreteParameters.of(claim)
        most = shown(own.sensitivity)
        assumed = (
            f"the query's answer is one whole number; neighbours' answers differ by at most {most}",
            f"the noise is {self._called}, independent of all else and drawn from the exact law",
            "query, sensitivity and noise were fixed without looking at the private data",
        )
        return [Finding(statement, "assumed", NOTE) for statement in assumed]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _NEVER_REACHED, _OTHER_NOISE]

    def _inputs(self, claim: Claim) -> Inputs:
        """Return answers that are the sensitivity apart, and where a claimed delta is seen."""
        own = DiscreteParameters.of(claim)
        first, others = shown(own.sensitivity), "nothing else is released"
        told = f"answers {first} and 0"
        if claim.order is not None:
            return Inputs(first, "0", others, told, {})
        least = self._threshold(own, claim.epsilon) // 1 + 1
        seen = f"released numbers of at least {shown(least)}"
        return Inputs(
            first, "0", others, f"{told}; it shows in {seen}", {"at_least": exact_text(least)}
        )


class DiscreteLaplace(Discrete):
    """Noise k with a chance in proportion to e^(-|k|/t)."""

    name = "discrete_laplace"
    releases = "a whole number of known sensitivity, with discrete Laplace (geometric) noise"
    _called = "k with a chance in proportion to e^(-|k|/scale)"

    def _threshold(self, own: DiscreteParameters, epsilon: Fraction) -> Fraction:
        return (own.sensitivity + epsilon * own.scale) / 2

    @property
    def tight(self) -> Tight:
        """The least scale that keeps the claim."""
        return Least(_SCALE, self._enough)

    def _enough(self, claim: Claim) -> Sequence[Enough]:
        """Return the least scale of a claimed delta. Raises DomainError."""
        own = DiscreteParameters.of(claim)
        if claim.delta is None:
            raise DomainError("the least scale is looked for with a delta, not at an order")
        if claim.delta == 1:
            raise DomainError("there is no least scale: every one keeps delta = 1")
        if claim.delta == 0 == claim.epsilon:
            raise DomainError("there is no least scale: none hides everything")
        point: dict[str, Value] = {
            _SENSITIVITY: own.sensitivity, "epsilon": claim.epsilon, "delta": claim.delta
        }  # fmt: skip
        term = Term(f"{self.name}.{LEAST_MULTIPLIER}", point, Fraction(own.sensitivity))
        return [Enough(Question("scale_needed", own.scale, (term,)), NOTE, must=True)]


class DiscreteGaussian(Discrete):
    """Noise k with a chance in proportion to e^(-k^2/(2 s^2))."""

    name = "discrete_gaussian"
    releases = "a whole number of known sensitivity, with discrete Gaussian noise"
    _called = "k with a chance in proportion to e^(-k^2/(2 scale^2))"

    def _threshold(self, own: DiscreteParameters, epsilon: Fraction) -> Fraction:
        return Fraction(own.sensitivity, 2) + epsilon * own.scale**2 / own.sensitivity

    @property
    def tight(self) -> Tight:
        """Nothing: a scale that is enough does not make all larger ones enough."""
        return Given()


DISCRETE_LAPLACE, DISCRETE_GAUSSIAN = DiscreteLaplace(), DiscreteGaussian()
