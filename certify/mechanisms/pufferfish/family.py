"""What Markov quilts have to know of a family of laws: chains, or Bayesian networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from ....reference.domain import Domain, Value
from ....reference.exact import Texts
from ..hypotheses import Finding
from ..printed import Printed
from ..protocol import Claim, Inputs
from ..questions import Question
from .noise import Laplace

# Which node sets a scale is looked for so long, and else not said.
PLACE_SECONDS = 10.0


@dataclass(frozen=True)
class Place:
    """The node and the quilt that set a scale, published and in words."""

    shape: dict[str, Texts]
    words: str


class Family(Protocol):
    """Laws of data on nodes, and the quantities that know them."""

    keys: tuple[str, ...]
    epsilon: str
    scale: str
    loss: str
    distance: str | None

    def domains(self) -> dict[str, Domain]:
        """Return the domains of the keys."""

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless the keys that are needed are there."""

    def prepared(self, table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return the table as its domains read it."""

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Raise DomainError unless each law is known that is named by a word."""

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return by how much each node changes a known query. Raises DomainError: not its shape."""

    def size(self, release: Mapping[str, Any]) -> int:
        """Return how many nodes depend on each other at most."""

    def point(self, claim: Claim) -> dict[str, Value]:
        """Return the laws, as a quantity takes them."""

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the laws of the longest piece."""

    def has_secrets(self, release: Mapping[str, Any]) -> bool:
        """Whether some node has two states that are both possible under one law of the class."""

    def independent(self, claim: Claim) -> bool:
        """Whether all nodes are known to be independent."""

    def worst_place(self, claim: Claim) -> Place | None:
        """Return what sets the scale, where it is found soon."""

    def losing(self, claim: Claim, noise: Laplace) -> Iterator[tuple[Inputs, Question]]:
        """Yield secrets that may lose more than was claimed, with what they lose."""

    def printed(self, claim: Claim, noise: Laplace) -> Printed:
        """Return the scales that the paper asks."""

    def findings(self, claim: Claim) -> list[Finding]:
        """Return the hypotheses of the paper's theorems on this family, decided."""


def place_of(kind: str, number: int, node: int, nodes: tuple[int, ...]) -> Place | None:
    """Return what sets a scale by its numbers; None where no node needs noise."""
    if not node:
        return None
    listed = ", ".join(map(str, nodes))
    words = f"the quilt {{{listed}}}" if nodes else "the empty quilt, all that is linked to it"
    shape: dict[str, Texts] = {
        kind: str(number),
        "node": str(node),
        "quilt": [str(one) for one in nodes],
    }
    return Place(shape, f"node {node} of {kind} {number}, with {words}")
