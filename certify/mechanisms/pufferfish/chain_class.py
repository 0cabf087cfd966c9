"""The common part of claims about whole classes of chains: none is listed, any start is allowed.

Quilts certify, for every member; what a member loses that is found refutes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Final

from ....reference.exact import Nested
from ....reference.structures import ChainLaw
from ..protocol import Claim, Inputs, Mechanism
from ..questions import Printed, Question
from .chain import Sequences
from .claims import printed_scales
from .noise import Added
from .quilts import Place

# A law of what several releases lose needs a bound on the epsilon of all their noise at once.
NO_TOTAL: Final = (
    "what several releases of a class of chains lose together is bounded for bounds on two states "
    "alone, of which no probability may be 0"
)


class ChainClass(Sequences):
    """Chains that are not listed, each with every initial law."""

    laws = "class"
    member = "member"
    # Every start is allowed, so the first node has two possible states.
    vacuity = Mechanism.vacuity  # type: ignore[assignment]

    @abstractmethod
    def members(self, claim: Claim) -> tuple[ChainLaw, ...]:
        """Return some chains of the class, each with every initial law."""

    def has_secrets(self, _claim: Claim) -> bool:
        """Whether a node has two possible states: the first one has, as every start is allowed."""
        return True

    def independent(self, _claim: Claim) -> bool:
        """Whether all nodes are known to be independent: it is not looked at."""
        return False

    def worst_place(self, _claim: Claim) -> Place | None:
        """Return nothing: no chain is listed."""
        return None

    def losing(self, claim: Claim, noise: Added) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node that seem to lose most, under a member."""
        return self.losing_under(claim, noise, self.members(claim))

    def unsaid(self, _claim: Claim, chain: ChainLaw) -> dict[str, Nested]:
        """Return the member."""
        return {"initial": chain.initial, "P": chain.P}

    def printed(self, _claim: Claim) -> Printed:
        """Return nothing: the paper prints scales of listed chains."""
        return printed_scales({})

    def _loss(self, _claim: Claim, _noise: Added) -> tuple[Question, ...]:
        """Return nothing: the largest exact loss over the class is not known."""
        return ()

    def _least(self, _claim: Claim) -> Question | None:
        """Return nothing, likewise."""
        return None
