"""Independent noise on a query of which only the sensitivity is known: Gaussian, or Laplace.

One pair of laws on the line bounds all neighbours, and two answers that differ by the sensitivity
in one direction attain it (proofs_notes/gaussian.md, proofs_notes/laplace.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ...reference import gaussian, laplace
from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Domain
from ...reference.errors import DomainError
from ...reference.exact import exact_text, shown
from ...reference.quantity import quantity_named
from .hypotheses import Finding
from .protocol import Claim, Inputs, Parameters, Worst, asked_of
from .questions import Printed
from .tight import Enough, Least
from .undrawn import LEAST_MULTIPLIER, Undrawn, least_multiplier

_MULTIPLIER = "noise_multiplier"
_ALONE = "Only this one release is covered: several together lose more."
_NEVER_REACHED = (
    "Anything of a query that changes by less than the sensitivity to which noise_multiplier is "
    "relative: what is refuted here may be true of it."
)
_DRAWN = "independent of all else and drawn from the exact law"
_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class NoiseParameters(Parameters):
    """The noise's scale over the sensitivity, and for which neighbours."""

    noise_multiplier: Fraction
    neighbours: str


@dataclass(frozen=True)
class Noise:
    """A law of noise in words, and where its loss exceeds an epsilon."""

    called: str
    norm: str  # in which the sensitivity is
    scale: str  # what of the law is the multiplier times the sensitivity
    pair: str
    note: str
    source: str
    # Released numbers above it, b the multiplier, have a loss above epsilon: 1/2 + epsilon times.
    times: Callable[[Fraction], Fraction]
    above: str  # the same in letters
    bounds_the_loss: bool  # so that it can be enough at delta = 0


class Additive(Undrawn):
    """One release of a query with independent noise on its coordinates."""

    _noise: ClassVar[Noise]

    @property
    def tight(self) -> Least:
        """The least noise multiplier that keeps the claim."""
        return Least(_MULTIPLIER, self._enough)

    @property
    def keys(self) -> tuple[str, ...]:
        """The noise, and which inputs are neighbours."""
        return (*self._domains, "neighbours")

    @property
    def _domains(self) -> dict[str, Domain]:
        return {_MULTIPLIER: quantity_named(f"{self.name}.delta").parameters[_MULTIPLIER]}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[NoiseParameters, None]:
        """Return exact parameters. Raises InputError with a sentence."""
        return NoiseParameters.read(self.read_in(table, self._domains, where)), None

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of laws, and answers that attain it."""
        multiplier = NoiseParameters.of(claim).noise_multiplier
        asked = asked_of(claim, self.name, {_MULTIPLIER: multiplier})
        pair = f"{self._noise.pair}: attained at the sensitivity"
        return Worst(Neighbours.ATTAINED, asked, {}, (pair,), self._inputs(claim))

    def findings(self, _claim: Claim, _printed: Printed) -> list[Finding]:
        """Say what is taken for granted."""
        assumed = (
            "the query's answers at neighbouring data differ by at most the sensitivity in the "
            + self._noise.norm,
            f"the noise on each coordinate is {self._noise.called}, {_DRAWN}",
            f"its {self._noise.scale} is noise_multiplier times that sensitivity",
            "query, sensitivity and noise were fixed without looking at the private data",
        )
        return [Finding(statement, "assumed", self._noise.note) for statement in assumed]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, _NEVER_REACHED]

    def _enough(self, claim: Claim) -> Sequence[Enough]:
        """Return the least noise multiplier of a claimed delta. Raises DomainError."""
        own = NoiseParameters.of(claim).noise_multiplier
        if self._noise.bounds_the_loss and claim.delta == 0 == claim.epsilon:
            raise DomainError("there is no least noise_multiplier: none hides everything")
        return least_multiplier(
            claim, own, f"{self.name}.{LEAST_MULTIPLIER}", {}, self._noise.source,
            pure=self._noise.bounds_the_loss,
        )  # fmt: skip

    def _inputs(self, claim: Claim) -> Inputs:
        """Return answers that are the sensitivity apart, and where a claimed delta is seen."""
        others = "the other coordinates of the answers are equal"
        told = "answers 1 and 0, in units of the sensitivity, in the direction in which they differ"
        if claim.order is not None:
            return Inputs("1", "0", others, f"{told}; {others}", {})
        multiplier = NoiseParameters.of(claim).noise_multiplier
        above = _HALF + claim.epsilon * self._noise.times(multiplier)
        seen = f"released numbers above {self._noise.above} = {shown(above)} there"
        return Inputs(
            "1", "0", others, f"{told}; it shows in {seen}; {others}", {"above": exact_text(above)}
        )


class Gaussian(Additive):
    """Normal noise."""

    name = "gaussian"
    releases = "a query of known 2-norm sensitivity, with Gaussian noise"
    _noise = Noise(
        called="normal",
        norm="2-norm",
        scale="standard deviation",
        pair="N(1, s^2) against N(0, s^2), s the noise multiplier",
        note=gaussian.NOTE,
        source="balle2018 Theorem 8",
        times=lambda s: s**2,
        above="1/2 + epsilon s^2",
        bounds_the_loss=False,
    )


class Laplace(Additive):
    """Noise whose density falls by e with each scale, on either side."""

    name = "laplace"
    releases = "a query of known 1-norm sensitivity, with Laplace noise"
    _noise = Noise(
        called="Laplace",
        norm="1-norm",
        scale="scale",
        pair="Lap(1, b) against Lap(0, b), b the noise multiplier",
        note=laplace.NOTE,
        source=laplace.NOTE,
        times=lambda b: b / 2,
        above="1/2 + epsilon b/2",
        bounds_the_loss=True,
    )


GAUSSIAN, LAPLACE = Gaussian(), Laplace()
