"""Laplace releases of a Markov chain: what is asked, what loses most, what the paper asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ....reference.arb.balls import working_precision
from ....reference.domain import Domain, Value
from ....reference.errors import DomainError
from ....reference.exact import Nested
from ....reference.markov.stationary import has_one_stationary_law
from ....reference.precision import Budget
from ....reference.pufferfish.additive import laws_by_node, steps_of
from ....reference.pufferfish.possible import chain_has_secrets
from ....reference.pufferfish.quilt import worst_node_for_scale
from ....reference.quantity import quantity_named
from ....reference.structures import STATIONARY, ChainLaw, Matrix
from .. import reading
from ..hypotheses import Finding
from ..printed import Printed
from ..protocol import Claim, Inputs
from ..questions import Question, Term
from .claims import printed_scales
from .family import PLACE_SECONDS, Family, Place, place_of
from .limit import found_within
from .noise import (
    Laplace,
    independent,
    require_one_of,
    require_values_for_chains,
    spread,
    with_matrices,
)
from .paper import chain_findings, chain_scales
from .queries import SEARCH_SECONDS, has_exact_loss, likely_queries, started
from .quilts import Quilts
from .secrets import least_value, most_telling, shown_to_lose, state_groups

# Which node sets a scale is found at this precision, and not looked for in longer chains.
_BITS = 128
_MOST_LENGTH = 1_000


def _chains_of(release: Mapping[str, Any]) -> tuple[ChainLaw, ...]:
    chains: tuple[ChainLaw, ...] = release["chains"]
    return chains


class _Chains:
    """Chains of one length, or independent pieces of several lengths."""

    keys: tuple[str, ...] = ("chains", "length", "lengths")
    epsilon = "pufferfish.quilt_epsilon"
    scale = "pufferfish.quilt_scale_exact"
    loss = "pufferfish.chain_loss"
    distance: str | None = "pufferfish.chain_wasserstein"

    def domains(self) -> dict[str, Domain]:
        """Return the domains of the keys."""
        one = quantity_named(self.epsilon).parameters
        pieces = quantity_named("pufferfish.quilt_scale_pieces").parameters
        return {"chains": one["chains"], "length": one["length"], "lengths": pieces["lengths"]}

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there are chains, and one length or the lengths of pieces."""
        reading.require_all(table, ("chains",), where)
        require_one_of(table, "length", "lengths", where)
        if "values" in table:
            reading.require_all(table, ("length",), f"{where}: values are of one piece")

    def prepared(self, table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return the table with matrices in place of counted transitions."""
        return {**table, "chains": with_matrices(table["chains"], f"{where}: chains")}

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Raise DomainError unless each stationary law that is named is the only one."""
        for number, chain in enumerate(_chains_of(exact), 1):
            if chain.initial == STATIONARY and not has_one_stationary_law(chain.P):
                raise DomainError(
                    f'{where}: chain {number} starts "{STATIONARY}", but it has several sets of '
                    "states that are never left, so its stationary law is not unique; give the "
                    "initial law"
                )

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return the spread of each row of values. Raises DomainError: not a row a node."""
        require_values_for_chains(exact, where)
        return [spread(row) for row in exact["values"]]

    def size(self, release: Mapping[str, Any]) -> int:
        """Return the length of the longest piece."""
        lengths: tuple[int, ...] = release.get("lengths") or (release["length"],)
        return max(lengths)

    def point(self, claim: Claim) -> dict[str, Value]:
        """Return the chains and the length."""
        return self.longest(claim)

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the chains and the length of the longest piece."""
        return {"chains": claim.release["chains"], "length": self.size(claim.release)}

    def has_secrets(self, release: Mapping[str, Any]) -> bool:
        """Whether some node of a chain has two possible states."""
        length = self.size(release)
        return any(chain_has_secrets(chain, length) for chain in _chains_of(release))

    def independent(self, claim: Claim) -> bool:
        """Whether every matrix has one row only, repeated."""
        return independent(_chains_of(claim.release))

    def worst_place(self, claim: Claim) -> Place | None:
        """Return the chain, the node and a quilt that set MQMExact's scale."""
        length, width = self.size(claim.release), int(claim.number("width"))
        if length > _MOST_LENGTH:
            return None

        def look() -> Place | None:
            with working_precision(_BITS):
                chains = _chains_of(claim.release)
                found = worst_node_for_scale(chains, length, claim.epsilon, width)
            return place_of("chain", found.chain, found.node, found.quilt)

        return found_within(PLACE_SECONDS, look)

    def losing(self, claim: Claim, noise: Laplace) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node: of the given query, or of one of all that are claimed.

        Where every initial law is claimed, of chains that start with some of them.
        """
        if noise.alone is None or not (noise.values or noise.every_query):
            return
        length, search = self.size(claim.release), Budget(SEARCH_SECONDS)
        for chains in started(_chains_of(claim.release)):
            queries = (
                [noise.values] if noise.values else likely_queries(chains, length, noise.lipschitz)
            )
            for values in filter(lambda one: has_exact_loss(chains, length, one), queries):
                if search.is_over() and noise.every_query:
                    return
                yield from _of_chains(claim, chains, length, values, noise.alone)

    def printed(self, claim: Claim, noise: Laplace) -> Printed:
        """Return the scales of MQMApprox, and of MQMExact for every initial law."""
        chains, length = _chains_of(claim.release), self.size(claim.release)
        width = int(claim.number("width"))
        return printed_scales(chain_scales(chains, length, claim.epsilon, noise.lipschitz, width))

    def findings(self, claim: Claim) -> list[Finding]:
        """Decide what MQMApprox asks of the chains."""
        return chain_findings(_chains_of(claim.release))


def _of_chains(
    claim: Claim, chains: tuple[ChainLaw, ...], length: int, values: Matrix, scale: Fraction
) -> Iterator[tuple[Inputs, Question]]:
    """Yield the two states of a node that seem to lose most, of chains with initial laws."""
    least = least_value(values, length)
    unit = steps_of(values, length).unit
    groups = state_groups("chain", laws_by_node(chains, length, values), unit, lambda _: least)
    likely = most_telling(groups, scale)
    if likely is not None:
        chain = chains[int(str(likely.group.place["chain"])) - 1]
        otherwise = Term(
            "pufferfish.chain_loss",
            {"chains": (chain,), "length": length, "values": values, "scale": scale},
        )
        yield shown_to_lose(claim, likely, scale, otherwise, _what(chain, values, claim))


def _what(chain: ChainLaw, values: Matrix, claim: Claim) -> dict[str, Nested]:
    """Return the query and the initial law where the claim itself does not say them."""
    facts: dict[str, Nested] = {}
    if "values" not in claim.release:
        facts["values"] = values
    if chain not in _chains_of(claim.release):
        facts["initial"] = chain.initial
    return facts


_FAMILY: Family = _Chains()
CHAIN = Quilts("pufferfish.chain", "song2017-chain", _FAMILY)
