"""Releases of a Markov chain with noise (song2017 Algorithms 2 to 4): the audit, and what is drawn.

Privacy is for data that follow a law of the class. A sequence that no law of it allows is outside,
and refused; under each law of the class that has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ....reference.arb.balls import working_precision
from ....reference.domain import Domain, Value
from ....reference.errors import DomainError, InputError
from ....reference.exact import Nested
from ....reference.markov.structure import Pattern, has_one_stationary_law, pattern_of
from ....reference.precision import Budget
from ....reference.pufferfish.additive import laws_by_node, steps_of
from ....reference.pufferfish.possible import chain_has_secrets, first_states
from ....reference.pufferfish.quilt.exact import worst_node_for_scale
from ....reference.quantity import quantity_named
from ....reference.structures import STATIONARY, ChainLaw, Matrix
from .. import reading
from ..data.sequence import States, one_piece, pieces
from ..data.table import read_table, require_lines
from ..hypotheses import Finding
from ..plan import NoisePlan
from ..protocol import Claim, Inputs, PublicSettings
from ..questions import Printed, Question
from ..reading import labels_in, text_in
from .claims import LAPLACE, Losses, chain_findings, chain_scales, found_within, printed_scales
from .noise import (
    QUERY_KEYS,
    Added,
    Nodes,
    NoiseParameters,
    Query,
    independent,
    plan_of,
    query_of,
    require_one_of,
    require_values_for_chains,
    spread,
    with_matrices,
)
from .quilts import PLACE_SECONDS, Place, Quilts, place_of
from .refuting import (
    SEARCH_SECONDS,
    Noise,
    has_exact_loss,
    least_value,
    likely_queries,
    most_telling,
    shown_to_lose,
    started,
    state_groups,
)

# Which node sets a scale is found at this precision, and not looked for in longer chains.
_BITS = 128
_MOST_LENGTH = 1_000


@dataclass(frozen=True, kw_only=True)
class ChainParameters(NoiseParameters):
    """Laws of chains, how long the data are or their pieces, and the noise."""

    chains: tuple[ChainLaw, ...]
    length: int | None = None
    lengths: tuple[int, ...] | None = None

    @property
    def pieces(self) -> tuple[int, ...]:
        """The lengths of the pieces, of which there may be one."""
        return self.lengths or (() if self.length is None else (self.length,))

    @property
    def longest(self) -> int:
        """The length of the longest piece."""
        return max(self.pieces)


class _Chain(Quilts):
    """Chains of one length, or independent pieces of several lengths."""

    name = "pufferfish.chain"
    releases = "queries of a sequence that follows a Markov chain, with Laplace or normal noise"
    paper = "song2017"
    laws = "chains"
    law_keys = ("chains", "length", "lengths")
    epsilon = "pufferfish.quilt_epsilon"
    scale = "pufferfish.quilt_scale_exact"
    loss = "pufferfish.chain_loss"
    losses = Losses.of("pufferfish.chain_")
    gaussian_scale = "pufferfish.gaussian_quilt_scale"
    distance = "pufferfish.chain_wasserstein"
    algorithm = "song2017 Algorithm 3"
    data_keys = ("column", "piece", "states", *QUERY_KEYS)

    def law_domains(self) -> dict[str, Domain]:
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
        for number, chain in enumerate(exact["chains"], 1):
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

    def made_of(self, exact: Mapping[str, Any]) -> ChainParameters:
        """Return the parameters."""
        return ChainParameters.read(exact)

    def nodes(self, exact: Mapping[str, Any]) -> int:
        """Return the length of the longest piece."""
        lengths: tuple[int, ...] = exact.get("lengths") or (exact["length"],)
        return max(lengths)

    def require_columns(self, claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless there is a column of states, and of pieces where there are."""
        _columns(ChainParameters.of(claim), settings)

    def nodes_in_all(self, claim: Claim, where: str) -> int:
        """Return the length of all pieces together. Raises DomainError: no file holds them."""
        length = sum(ChainParameters.of(claim).pieces)
        require_lines(length, 1, where)
        return length

    def states(self, claim: Claim) -> int:
        """Return how many states the chains have."""
        return len(ChainParameters.of(claim).chains[0].P)

    def asked(self, claim: Claim, settings: PublicSettings) -> Query:
        """Return the query. Raises InputError."""
        own, number = ChainParameters.of(claim), self.states(claim)
        names = labels_in(settings, "states", least=1)
        if len(names) != number:
            raise DomainError(f"{settings.where} [data]: states lists {len(names)} names, but the "
                              f"chains have {number} states")  # fmt: skip
        return query_of(claim, settings, Nodes(sum(own.pieces), len(names), names))

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the chains and the length of the longest piece."""
        own = ChainParameters.of(claim)
        return {"chains": own.chains, "length": own.longest}

    def has_secrets(self, claim: Claim) -> bool:
        """Whether some node of a chain has two possible states."""
        own = ChainParameters.of(claim)
        return any(chain_has_secrets(chain, own.longest) for chain in own.chains)

    def independent(self, claim: Claim) -> bool:
        """Whether every matrix has one row only, repeated."""
        return independent(ChainParameters.of(claim).chains)

    def worst_place(self, claim: Claim) -> Place | None:
        """Return the chain, the node and a quilt that set MQMExact's scale."""
        own = ChainParameters.of(claim)
        length = own.longest
        if length > _MOST_LENGTH:
            return None

        def look() -> Place | None:
            with working_precision(_BITS):
                found = worst_node_for_scale(own.chains, length, claim.epsilon, own.width)
            return place_of("chain", found.chain, found.node, found.quilt)

        return found_within(PLACE_SECONDS, look)

    def losing(self, claim: Claim, noise: Added) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node: of the given query, or of one of all that are claimed.

        Where every initial law is claimed, of chains that start with some of them.
        """
        if noise.alone is None or not (noise.values or noise.every_query):
            return
        own, search = ChainParameters.of(claim), Budget(SEARCH_SECONDS)
        length = own.longest
        for chains in started(own.chains):
            queries = (
                [noise.values] if noise.values else likely_queries(chains, length, noise.lipschitz)
            )
            for values in filter(lambda one: has_exact_loss(chains, length, one), queries):
                if search.is_over() and noise.every_query:
                    return
                yield from _of_chains(claim, chains, length, values, noise)

    def printed(self, claim: Claim) -> Printed:
        """Return the scales of MQMApprox, and of MQMExact for every initial law."""
        own = ChainParameters.of(claim)
        if own.added.law != LAPLACE or not claim.epsilon:
            return printed_scales({})
        lipschitz, width = own.lipschitz, own.width
        return printed_scales(
            chain_scales(own.chains, own.longest, claim.epsilon, lipschitz, width)
        )

    def law_findings(self, claim: Claim) -> list[Finding]:
        """Decide what MQMApprox asks of the chains; it has Laplace noise."""
        own = ChainParameters.of(claim)
        return chain_findings(own.chains) if own.added.law == LAPLACE else []

    def public_names(self, claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return what is taken for public: how long, the states' names, the laws."""
        return ("lengths" if ChainParameters.of(claim).lengths else "length", "states", "class")

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> NoisePlan:
        """Return the exact answers and the scale. Raises InputError, without a private value."""
        self.require_releasable(claim, settings.where)
        own = ChainParameters.of(claim)
        query = self.asked(claim, settings)
        states = _states(own, settings, file, labels_in(settings, "states", least=1))
        _require_possible(states, own.chains)
        return plan_of(query, states, claim, settings.where)


def _of_chains(
    claim: Claim, chains: tuple[ChainLaw, ...], length: int, values: Matrix, added: Added
) -> Iterator[tuple[Inputs, Question]]:
    """Yield the two states of a node that seem to lose most, of chains with initial laws."""
    noise = Noise(added.law, added.scales[0])
    least = least_value(values, length)
    unit = steps_of(values, length).unit
    groups = state_groups("chain", laws_by_node(chains, length, values), unit, lambda _: least)
    likely = most_telling(claim, groups, noise)
    if likely is not None:
        chain = chains[int(str(likely.group.place["chain"])) - 1]
        laws: dict[str, Value] = {"chains": (chain,), "length": length}
        point = {**laws, "values": values, "scale": noise.scale}
        otherwise = CHAIN.lost(claim, added, point)[0].terms[0]
        yield shown_to_lose(claim, likely, noise, otherwise, _what(chain, values, claim))


def _what(chain: ChainLaw, values: Matrix, claim: Claim) -> dict[str, Nested]:
    """Return the query and the initial law where the claim itself does not say them."""
    own, facts = ChainParameters.of(claim), dict[str, Nested]()
    if own.values is None:
        facts["values"] = values
    if chain not in own.chains:
        facts["initial"] = chain.initial
    return facts


def _states(
    own: ChainParameters, settings: PublicSettings, file: Path, names: tuple[str, ...]
) -> States:
    """Return the sequence, of exactly the public length or lengths."""
    (column, piece), lengths = _columns(own, settings), own.pieces
    if piece is None:
        return one_piece(read_table(file), column, names, lengths[0])
    return pieces(read_table(file), column, names, piece, lengths)


def _columns(own: ChainParameters, settings: PublicSettings) -> tuple[str, str | None]:
    """Return the columns of states and of pieces, None where there is one. Raises InputError."""
    column, cut = text_in(settings, "column"), own.lengths is not None
    if cut != ("piece" in settings.data):
        raise InputError(f"{settings.where} [data]: a column for piece goes with lengths in "
                         "[release], and with nothing else")  # fmt: skip
    return column, text_in(settings, "piece") if cut else None


def _require_possible(states: States, chains: tuple[ChainLaw, ...]) -> None:
    """Raise DomainError unless each piece has positive probability under some law of the class.

    Pieces are independent, and each may follow a law of its own: the quilts' proof asks no more.
    """
    stopped = [_stops(states, *allowed) for allowed in _allowed(chains)]
    impossible = set.intersection(*(set(stops) for stops in stopped))
    if impossible:
        piece = min(impossible)
        raise DomainError(
            f"{states.place(max(stops[piece] for stops in stopped))}: no law of the class allows "
            "the states up to this line; Pufferfish privacy is for data that follow one of them "
            "(song2017 Definition 2.1)"
        )


def _allowed(chains: tuple[ChainLaw, ...]) -> list[tuple[Pattern, Pattern]]:
    """Return which first states and which moves each law allows, each two patterns once."""
    both = [(first_states(chain), pattern_of(chain.P)) for chain in chains]
    return [*{(start.tobytes(), moves.tobytes()): (start, moves) for start, moves in both}.values()]


def _stops(states: States, start: Pattern, moves: Pattern) -> dict[int, int]:
    """Return, for each piece that is not allowed, the first record that is not."""
    numbers, starts = states.numbers, states.starts
    allowed = np.ones(len(numbers), dtype=np.bool_)
    allowed[1:] = moves[numbers[:-1], numbers[1:]]
    allowed[starts] = start[numbers[starts]]
    records = np.flatnonzero(~allowed)
    found, at = np.unique(np.searchsorted(starts, records, side="right") - 1, return_index=True)
    return dict(zip(found.tolist(), records[at].tolist(), strict=True))


CHAIN = _Chain()
