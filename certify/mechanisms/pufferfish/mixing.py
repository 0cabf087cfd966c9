"""Releases of a Markov chain of which two numbers are known: its rarest state, how fast it mixes.

The class is that of song2017's MQMApprox, which bounds its influences; with every start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ....reference.domain import Domain, Value
from ....reference.domain.kinds import Interval
from ....reference.domain.matrices import MAX_STATES
from ....reference.errors import DomainError
from ....reference.exact import shown
from ....reference.markov.structure import Pattern
from ....reference.quantity import quantity_named
from ....reference.structures import ANY, ChainLaw, Matrix
from .. import reading
from ..hypotheses import Finding
from ..neighbours import Adjacency, Unlike
from ..protocol import Claim
from ..questions import Question, Term
from .chain import SequenceParameters
from .chain_class import NO_TOTAL, ChainClass
from .claims import DEFINITION, LAPLACE, SCALE, group_asked
from .noise import Added, require_values_for_chains, spread

_APPROX = "pufferfish.quilt_scale_approx"
_KEYS = ("pi_min", "gap", "state_count")
# By song2017 (14) a gap is at most 2.
_MOST_GAP = 2
# With more states no member is looked for that loses more than was claimed.
_MOST_STATES = 20
_NOT_NORMAL = 'noise = "gaussian" is not audited for a class by pi_min and gap: give its chains'
_CLASS = (
    "the data follow a chain whose stationary probabilities are all at least pi_min, with an "
    "eigengap, multiplicities counted, of at least gap: of P P*, or twice 1 - |the second "
    "eigenvalue| where P is reversible"
)


@dataclass(frozen=True, kw_only=True)
class MixingParameters(SequenceParameters):
    """The least stationary probability and the least eigengap, how many states, and the noise."""

    pi_min: Fraction
    gap: Fraction
    state_count: int

    @property
    def laws(self) -> dict[str, Value]:
        """The two numbers first."""
        found = super().laws
        return {key: found[key] for key in (*_KEYS, *found) if key in found}


class _MixingChain(ChainClass):
    """All chains of so many states with these two bounds, with every initial law."""

    name = "pufferfish.mixing_chain"
    releases = "queries of a sequence that follows some chain that mixes fast enough, with noise"
    law_keys = (*_KEYS, "length", "lengths")
    algorithm = "song2017 Algorithm 4"

    def law_domains(self) -> dict[str, Domain]:
        """Return the domains of the keys."""
        known = quantity_named(_APPROX).parameters
        return {
            "pi_min": known["pi_min"],
            "gap": Interval(above=Fraction(0), at_most=Fraction(_MOST_GAP)),
            "state_count": Interval(
                "integer", at_least=Fraction(2), at_most=Fraction(MAX_STATES), search=("2", "5")
            ),
            **self.length_domains(),
        }

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless the class is there, and a length or lengths."""
        reading.require_all(table, _KEYS, where)
        super().require(table, where)

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Raise DomainError where so many states cannot all be so likely."""
        if exact["pi_min"] * exact["state_count"] > 1:
            raise DomainError(
                f"{where}: pi_min = {shown(exact['pi_min'])}, but of {shown(exact['state_count'])} "
                "states one has at most their equal share"
            )

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return the spread of each row of values. Raises DomainError: not a row a node."""
        require_values_for_chains(exact, exact["state_count"], where)
        return [spread(row) for row in exact["values"]]

    def made_of(self, exact: Mapping[str, Any]) -> MixingParameters:
        """Return the parameters."""
        return MixingParameters.read(exact)

    def states(self, claim: Claim) -> int:
        """Return how many states the chains have."""
        return MixingParameters.of(claim).state_count

    def class_of(self, _claim: Claim) -> str:
        """Return the class in words."""
        return "the class of all chains that are as likely everywhere and mix as fast as claimed"

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return what MQMApprox knows, with the longest piece's length."""
        own = MixingParameters.of(claim)
        return {"pi_min": own.pi_min, "gap": own.gap, "length": own.longest}

    def members(self, claim: Claim) -> tuple[ChainLaw, ...]:
        """Return some chains of the class: that keep a state, or draw one anew."""
        own = MixingParameters.of(claim)
        found = dict.fromkeys(_members(own.pi_min, own.gap, own.state_count))
        return tuple(ChainLaw(ANY, P) for P in found)

    def allowed(self, claim: Claim) -> list[tuple[Pattern, Pattern]]:
        """Return that every start and every move is possible."""
        states = self.states(claim)
        return [(np.ones(states, dtype=np.bool_), np.ones((states, states), dtype=np.bool_))]

    def _bound(self, claim: Claim, noise: Added) -> tuple[Question, ...]:
        if noise.law != LAPLACE:
            return (self._normal_scale(claim, noise),)
        if not claim.epsilon:
            longest = MixingParameters.of(claim).longest
            return (group_asked(claim, noise.together, noise.lipschitz, longest),)
        return (Question(SCALE, noise.together, (self._scale(claim, noise),)),)

    def _normal_scale(self, claim: Claim, _noise: Added) -> Question:
        raise DomainError(f"{claim.name}: {_NOT_NORMAL}")

    def _scale(self, claim: Claim, noise: Added) -> Term:
        return Term(_APPROX, {**self.longest(claim), "epsilon": claim.epsilon}, noise.lipschitz)

    def adjacency(self, _claim: Claim, _data: Mapping[str, Any]) -> Adjacency | Unlike:
        """Return that several releases are not bounded together."""
        return Unlike(NO_TOTAL)

    def law_findings(self, _claim: Claim) -> list[Finding]:
        """Say what the class is."""
        return [Finding(_CLASS, "assumed", DEFINITION, "proofs_notes/eigengap.md")]


def _members(pi_min: Fraction, gap: Fraction, states: int) -> Iterator[Matrix]:
    """Yield matrices d I + (1 - d) 1 pi^T, which are reversible with second eigenvalue d.

    2 (1 - d) is the gap; of two states also with -d. pi has one state at pi_min, or all alike.
    """
    if states > _MOST_STATES:
        return
    d, equal = 1 - gap / 2, Fraction(1, states)
    rare = (1 - pi_min) / (states - 1)
    for law in ((equal,) * states, (pi_min, *(rare,) * (states - 1))):
        yield _lazy(law, d)
    if states == 2:  # noqa: PLR2004
        yield _lazy((equal, equal), -d)


def _lazy(law: Sequence[Fraction], d: Fraction) -> Matrix:
    return tuple(
        tuple((1 - d) * share + (d if at == state else 0) for at, share in enumerate(law))
        for state in range(len(law))
    )


MIXING_CHAIN = _MixingChain()
