"""The Wasserstein mechanism on a finite Pufferfish instantiation: data sets listed one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ....reference.dirichlet.pair import Neighbours
from ....reference.domain import Domain, Value
from ....reference.enclosure import Trilean
from ....reference.errors import DomainError
from ....reference.exact import Texts, exact_text, shown
from ....reference.pufferfish.instantiation import compared, farthest
from ....reference.quantity import quantity_named
from .. import reading
from ..hypotheses import STATUS, Finding, Told
from ..printed import Printed
from ..protocol import Claim, Inputs, Release, Vacuity, Worst
from ..questions import Question, Term
from .claims import (
    CLASS_ASSUMED,
    FIXED_CLASS,
    NO_PAIR,
    NOISE,
    NOT_SAID,
    SCALE,
    SECOND_SECONDS,
    epsilon_asked,
    printed_scales,
)
from .limit import found_within
from .secrets import Group, Secret, most_telling, shown_to_lose

# Which two secrets are farthest apart is looked for so long, and else not said.
_FARTHEST_SECONDS = 10.0
_LOSS = "pufferfish.instantiation_loss"
_DISTANCE = "pufferfish.wasserstein_scale"
_ALONE = "Only the query that values give is covered, and only this one release of it."


@dataclass(frozen=True)
class Wasserstein:
    """Laplace noise on a query of which every data set's answer is listed."""

    name: str = "pufferfish.wasserstein"
    example: str = "song2017-flu"

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters of the exact loss."""
        return tuple(self._domains)

    @property
    def _domains(self) -> Mapping[str, Domain]:
        return quantity_named(_LOSS).parameters

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, None]:
        """Return exact parameters of one instantiation."""
        reading.require_all(table, self.keys, where)
        exact = reading.parameters(table, self._domains, self.name, where)
        for condition in quantity_named(_LOSS).conditions:
            if condition.holds(exact) is not Trilean.TRUE:
                given = ", ".join(f"{key} = {shown(exact[key])}" for key in condition.names)
                raise DomainError(f"{where}: {given}; {self.name} needs {condition.statement}")
        return {key: exact[key] for key in self.keys}, None

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return nothing: a Pufferfish claim brings no data."""
        return ()

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different secrets of a pair can both happen, if so."""
        _, _, secrets, pairs = _of(claim)
        both = zip(pairs, _possible(claim), strict=True)
        differ = (
            {*secrets[one - 1]} != {*secrets[other - 1]} for (one, other), count in both if count
        )
        return None if any(differ) else Vacuity(Neighbours.NONE, NO_PAIR)

    def worst(self, claim: Claim) -> Worst:
        """Return the exact loss, which the worst pair of secrets attains.

        The scale of Algorithm 1 certifies alone.
        """
        scale = claim.number("scale")
        asked = epsilon_asked(claim, _LOSS, dict(claim.values))
        facts, sentences = _facts(claim)
        return Worst(
            Neighbours.ATTAINED,
            (asked,),
            facts,
            ("the exact loss of the query that values give", *sentences),
            nearby=lambda: _losing(claim, scale),
            sufficient=self.scales_enough(claim),
            second_seconds=SECOND_SECONDS,
        )

    def scales_enough(self, claim: Claim) -> tuple[Question, ...]:
        """Return the scale of Algorithm 1, which is enough."""
        given = {key: value for key, value in claim.values.items() if key != "scale"}
        term = Term(_DISTANCE, {**given, "epsilon": claim.epsilon})
        return (Question(SCALE, claim.number("scale"), (term,)),)

    def beside_the_data(self, _claim: Claim, worst: Worst) -> Worst:
        """Return the same: a Pufferfish claim brings no data."""
        return worst

    def printed(self, _claim: Claim) -> Printed:
        """Return nothing: Algorithm 1's scale is the scale needed."""
        return printed_scales({})

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Say which pairs of secrets ask for nothing, and what is taken for granted."""
        return [_all_count(claim), CLASS_ASSUMED, FIXED_CLASS, NOISE]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, *NOT_SAID]


def _of(claim: Claim) -> tuple[Any, Any, Any, Any]:
    release: Mapping[str, Value] = claim.release
    return release["values"], release["laws"], release["secrets"], release["pairs"]


def _facts(claim: Claim) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
    scale = exact_text(claim.number("scale"))
    nothing: dict[str, Texts | None] = {"scale": scale, "distance": None, "set_by": None}
    worst = found_within(_FARTHEST_SECONDS, lambda: farthest(*_of(claim)))
    if worst is None:
        return nothing, ()
    one, other = worst.pair
    words = f"secrets {one} and {other} under law {worst.law}"
    distance = exact_text(worst.distance)
    return (
        {
            **nothing,
            "distance": distance,
            "set_by": {"law": str(worst.law), "secrets": [str(one), str(other)]},
        },
        (f"the largest distance is {distance}, between {words}",),
    )


def _possible(claim: Claim) -> list[bool]:
    """Return for each pair whether some law admits both of its secrets."""
    _, laws, secrets, pairs = _of(claim)
    under = [
        {at for at, secret in enumerate(secrets, 1) if any(law[one - 1] for one in secret)}
        for law in laws
    ]
    return [any(admitted.issuperset(pair) for admitted in under) for pair in pairs]


def _losing(claim: Claim, scale: Fraction) -> Iterator[tuple[Inputs, Question]]:
    """Yield the pair of secrets that seems to lose most, with what it loses."""
    likely = most_telling(_groups(claim), scale)
    if likely is not None:
        yield shown_to_lose(claim, likely, scale, Term(_LOSS, dict(claim.values)), {})


def _groups(claim: Claim) -> Iterator[Group]:
    for item in compared(*_of(claim)):
        secrets = tuple(Secret({"secret": str(at)}, f"secret {at}") for at in item.pair)
        yield Group({"law": str(item.law)}, f"law {item.law}", secrets, item.given)


def _all_count(claim: Claim) -> Finding:
    *_, pairs = _of(claim)
    idle = [pair for pair, count in zip(pairs, _possible(claim), strict=True) if not count]
    note = ""
    if idle:
        listed = ", ".join(exact_text(pair) for pair in idle[:5])
        note = f"pairs that no law asks anything for: {listed}{', ...' * (len(idle) > 5)}"  # noqa: PLR2004
    return Finding(
        "both secrets of every pair possible under some law",
        STATUS[Trilean.of(not idle)],
        "song2017 Definition 2.1",
        note,
    )


WASSERSTEIN = Wasserstein()
