"""Laplace releases of a Markov chain or a Bayesian network, by the Markov Quilt mechanism.

A known query's exact loss decides. For an unknown one the quilts' guarantee holds for every query
that changes by at most ``lipschitz``; that a claim asks a smaller scale refutes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ....reference.dirichlet.pair import Neighbours
from ....reference.domain import Domain, Value
from ....reference.exact import Texts, exact_text
from ....reference.quantity import quantity_named
from ..hypotheses import Finding, Told
from ..printed import Printed
from ..protocol import Claim, Release, Vacuity, Worst
from ..questions import Question, Term
from .claims import (
    CLASS_ASSUMED,
    DEFINITION,
    FIXED_CLASS,
    MANY_NODES,
    NOISE,
    NOT_SAID,
    ONE_STATE,
    SCALE,
    SECOND_SECONDS,
    SECOND_SECONDS_OF_MANY,
    epsilon_asked,
    group_asked,
)
from .family import Family
from .noise import (
    NOISE_KEYS,
    Laplace,
    as_release,
    laplace_of,
    noise_domains,
    read_parts,
    require_one_query,
    with_lipschitz,
)

_ONE_QUERY = "Only the query that values give is covered, and only this one release of it."
_ALONE = "What other releases from the same data add is not covered."
_OUT_OF_REACH = (
    "the exact loss of the query is not known: a chain starts with any law, or is too long, or the "
    "query takes too many values"
)
_OF_QUERY = "the exact loss of the query that values give"
_OF_QUILTS = "an upper bound by Markov quilts, for every query that changes by at most lipschitz"


@dataclass(frozen=True)
class Quilts:
    """Laplace noise on queries of data that follow one of the laws of a family."""

    name: str
    example: str
    family: Family

    @property
    def keys(self) -> tuple[str, ...]:
        """The laws, the noise, what is known of the query, and how wide quilts may be."""
        return (*self.family.keys, *NOISE_KEYS, "width")

    @property
    def _domains(self) -> dict[str, Domain]:
        quilts = quantity_named(self.family.epsilon).parameters
        return {
            **self.family.domains(),
            **noise_domains(self.family.loss),
            "width": quilts["width"],
        }

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, None]:
        """Return exact parameters, with the Lipschitz constant and the width if left open."""
        require_one_query(table, where)
        self.family.require(table, where)
        given = self.family.prepared(table, where)
        exact = read_parts(given, self._domains, self.name, where)
        self.family.require_laws(exact, where)
        spreads = self.family.spreads(exact, where) if "values" in exact else []
        exact = with_lipschitz(exact, spreads, where)
        exact.setdefault("width", self.family.size(exact))
        return as_release(exact, self.keys), None

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return nothing: a Pufferfish claim brings no data."""
        return ()

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two secrets can both happen, if so."""
        if self.family.has_secrets(claim.release):
            return None
        return Vacuity(Neighbours.NONE, ONE_STATE)

    def worst(self, claim: Claim) -> Worst:
        """Return the exact loss of a known query, or what the quilts guarantee for every one.

        A scale that a valid mechanism asks for certifies alone.
        """
        noise = laplace_of(claim)
        loss = self._loss(claim, noise)
        bound = epsilon_asked(claim, self.family.epsilon, self._quilts(claim, noise.per_unit))
        facts, sentences = self._facts(claim, noise)
        return Worst(
            Neighbours.BOUNDED if loss is None else Neighbours.ATTAINED,
            (bound if loss is None else loss,),
            facts,
            (_OF_QUILTS if loss is None else _OF_QUERY, *sentences),
            nearby=lambda: self.family.losing(claim, noise),
            sufficient=self._sufficient(claim, noise, exactly=loss is not None),
            second_seconds=self._second_seconds(claim),
        )

    def _second_seconds(self, claim: Claim) -> float:
        many = self.family.size(claim.release) > MANY_NODES
        return min(SECOND_SECONDS, SECOND_SECONDS_OF_MANY) if many else SECOND_SECONDS

    def scales_enough(self, claim: Claim) -> tuple[Question, ...]:
        """Return the scales of valid mechanisms, of which each is enough, whatever is released."""
        noise = laplace_of(claim)
        return self._sufficient(claim, noise, exactly=self._loss(claim, noise) is not None)

    def _loss(self, claim: Claim, noise: Laplace) -> Question | None:
        """Return the question for the exact loss; None where the query is not known, or too long.

        Nor has it a chain with every initial law at once.
        """
        if noise.values is None or noise.alone is None:
            return None
        point = {**self.family.point(claim), "values": noise.values, "scale": noise.alone}
        if not quantity_named(self.family.loss).admits(point):
            return None
        return epsilon_asked(claim, self.family.loss, point)

    def _quilts(self, claim: Claim, scales: tuple[Fraction, ...]) -> dict[str, Value]:
        return {
            **self.family.longest(claim),
            "scales": scales,
            "width": claim.release["width"],
        }

    def _sufficient(self, claim: Claim, noise: Laplace, *, exactly: bool) -> tuple[Question, ...]:
        """Return the scales of valid mechanisms; those that are rational come first."""
        found = [
            group_asked(claim, noise.together, noise.lipschitz, self.family.size(claim.release))
        ]
        if self.family.independent(claim):
            entry = {"lipschitz": noise.lipschitz, "epsilon": claim.epsilon}
            term = Term("pufferfish.entry_scale", entry)
            found.append(Question("scale_of_entry", noise.together, (term,)))
        if exactly and noise.alone is not None and self.family.distance:
            point = {**self.family.point(claim), "values": noise.values or ()}
            term = Term(self.family.distance, point, 1 / claim.epsilon)
            found.append(Question("scale_by_wasserstein", noise.alone, (term,)))
        return (*found, Question(SCALE, noise.together, (self._scale(claim, noise),)))

    def _scale(self, claim: Claim, noise: Laplace) -> Term:
        point = {
            **self.family.longest(claim),
            "epsilon": claim.epsilon,
            "width": claim.release["width"],
        }
        return Term(self.family.scale, point, noise.lipschitz)

    def _facts(
        self, claim: Claim, noise: Laplace
    ) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
        """Return what the scale is set by, also in words."""
        place = self.family.worst_place(claim)
        unknown = noise.values is not None and self._loss(claim, noise) is None
        facts: dict[str, Texts | None] = {
            "lipschitz": exact_text(noise.lipschitz),
            "scale": exact_text(noise.together),
            "set_by": None if place is None else place.shape,
        }
        released, change = exact_text(noise.together), exact_text(noise.lipschitz)
        what = "the released scale is"
        if noise.alone is None:
            what = f"the {len(noise.scales)} releases count as one of scale 1/(sum of 1/scale) ="
        sentences = [f"{what} {released}, for a change of at most {change}"]
        if unknown:
            sentences.append(_OUT_OF_REACH)
        if place is not None:
            sentences.append(f"the scale needed is set by {place.words}")
        return facts, tuple(sentences)

    def beside_the_data(self, _claim: Claim, worst: Worst) -> Worst:
        """Return the same: a Pufferfish claim brings no data."""
        return worst

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the scales that the paper asks for this epsilon."""
        return self.family.printed(claim, laplace_of(claim))

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Decide what the paper's theorems ask, and say what is taken for granted."""
        return [
            *self.family.findings(claim),
            _lipschitz(laplace_of(claim)),
            CLASS_ASSUMED,
            FIXED_CLASS,
            NOISE,
        ]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        known = laplace_of(claim).values is not None
        return [_ONE_QUERY if known else _ALONE, *NOT_SAID]


def _lipschitz(noise: Laplace) -> Finding:
    status = "assumed" if noise.values is None else "holds"
    return Finding(
        f"each query changes by at most lipschitz = {exact_text(noise.lipschitz)} in the 1-norm "
        "when one node changes",
        status,
        DEFINITION,
    )
