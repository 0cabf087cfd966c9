"""Releases of a Markov chain with noise (song2017 Algorithms 2 to 4): the audit, and what is drawn.

Privacy is for data that follow a law of the class. A sequence that no law of it allows is outside,
and refused; under each law of the class that has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

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
class SequenceParameters(NoiseParameters):
    """How long the data are, or their pieces, and the noise."""

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


@dataclass(frozen=True, kw_only=True)
class ChainParameters(SequenceParameters):
    """Laws of chains, how long the data are or their pieces, and the noise."""

    chains: tuple[ChainLaw, ...]

    @property
    def laws(self) -> dict[str, Value]:
        """The chains first."""
        return {"chains": self.chains, **super().laws}


class Sequences(Quilts):
    """One sequence that follows a chain, or independent pieces of several lengths."""

    paper = "song2017"
    epsilon = "pufferfish.quilt_epsilon"
    scale = "pufferfish.quilt_scale_exact"
    loss = "pufferfish.chain_loss"
    losses = Losses.of("pufferfish.chain_")
    gaussian_scale = "pufferfish.gaussian_quilt_scale"
    gaussian_renyi = "pufferfish.gaussian_quilt_renyi"
    algorithm = "song2017 Algorithm 3"
    data_keys = ("column", "piece", "states", *QUERY_KEYS)
    # What a chain of the class is called where two secrets refute.
    member: ClassVar[str] = "chain"

    @abstractmethod
    def allowed(self, claim: Claim) -> list[tuple[Pattern, Pattern]]:
        """Return which first states and which moves the laws allow, two patterns for each."""

    def length_domains(self) -> dict[str, Domain]:
        """Return the domains of the length and of the lengths."""
        one = quantity_named(self.epsilon).parameters
        pieces = quantity_named("pufferfish.quilt_scale_pieces").parameters
        return {"length": one["length"], "lengths": pieces["lengths"]}

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there is one length, or the lengths of pieces."""
        require_one_of(table, "length", "lengths", where)
        if "values" in table:
            reading.require_all(table, ("length",), f"{where}: values are of one piece")

    def nodes(self, exact: Mapping[str, Any]) -> int:
        """Return the length of the longest piece."""
        lengths: tuple[int, ...] = exact.get("lengths") or (exact["length"],)
        return max(lengths)

    def require_columns(self, claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless there is a column of states, and of pieces where there are."""
        _columns(SequenceParameters.of(claim), settings)

    def nodes_in_all(self, claim: Claim, where: str) -> int:
        """Return the length of all pieces together. Raises DomainError: no file holds them."""
        length = sum(SequenceParameters.of(claim).pieces)
        require_lines(length, 1, where)
        return length

    def asked(self, claim: Claim, settings: PublicSettings) -> Query:
        """Return the query. Raises InputError."""
        own, number = SequenceParameters.of(claim), self.states(claim)
        names = labels_in(settings, "states", least=1)
        if len(names) != number:
            raise DomainError(f"{settings.where} [data]: states lists {len(names)} names, but the "
                              f"chains have {number} states")  # fmt: skip
        return query_of(claim, settings, Nodes(sum(own.pieces), len(names), names))

    def public_names(self, claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return what is taken for public: how long, the states' names, the laws."""
        return ("lengths" if SequenceParameters.of(claim).lengths else "length", "states", "class")

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> NoisePlan:
        """Return the exact answers and the scale. Raises InputError, without a private value."""
        self.require_releasable(claim, settings.where)
        own = SequenceParameters.of(claim)
        query = self.asked(claim, settings)
        states = _states(own, settings, file, labels_in(settings, "states", least=1))
        _require_possible(states, self.allowed(claim))
        return plan_of(query, states, claim, settings.where)

    def losing_under(
        self, claim: Claim, noise: Added, chains: tuple[ChainLaw, ...]
    ) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node: of the given query, or of one of all that are claimed.

        Under one of these chains, which are of the class; where one stands for every initial law,
        it starts with some of them.
        """
        if noise.alone is None or not (noise.values or noise.every_query):
            return
        length, search = SequenceParameters.of(claim).longest, Budget(SEARCH_SECONDS)
        for known in started(chains):
            queries = (
                [noise.values] if noise.values else likely_queries(known, length, noise.lipschitz)
            )
            for values in filter(lambda one: has_exact_loss(known, length, one), queries):
                if search.is_over() and noise.every_query:
                    return
                yield from self._of_chains(claim, known, values, noise)

    def _of_chains(
        self, claim: Claim, chains: tuple[ChainLaw, ...], values: Matrix, added: Added
    ) -> Iterator[tuple[Inputs, Question]]:
        """Yield the two states of a node that seem to lose most, of chains with initial laws."""
        noise, length = Noise(added.law, added.scales[0]), SequenceParameters.of(claim).longest
        least = least_value(values, length)
        unit = steps_of(values, length).unit
        groups = state_groups(
            self.member, laws_by_node(chains, length, values), unit, lambda _: least
        )
        likely = most_telling(claim, groups, noise)
        if likely is not None:
            chain = chains[int(str(likely.group.place[self.member])) - 1]
            laws: dict[str, Value] = {"chains": (chain,), "length": length}
            point = {**laws, "values": values, "scale": noise.scale}
            otherwise = self.lost(claim, added, point)[0].terms[0]
            unsaid = {**_query_of(claim, values), **self.unsaid(claim, chain)}
            yield shown_to_lose(claim, likely, noise, otherwise, unsaid)

    @abstractmethod
    def unsaid(self, claim: Claim, chain: ChainLaw) -> dict[str, Nested]:
        """Return what the claim does not say of a chain of its class."""


class _Chain(Sequences):
    """Chains that are listed."""

    name = "pufferfish.chain"
    releases = "queries of a sequence that follows a Markov chain, with Laplace or normal noise"
    laws = "chains"
    law_keys = ("chains", "length", "lengths")
    distance = "pufferfish.chain_wasserstein"

    def law_domains(self) -> dict[str, Domain]:
        """Return the domains of the keys."""
        chains = quantity_named(self.epsilon).parameters["chains"]
        return {"chains": chains, **self.length_domains()}

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there are chains, and one length or the lengths of pieces."""
        reading.require_all(table, ("chains",), where)
        super().require(table, where)

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
        require_values_for_chains(exact, len(exact["chains"][0].P), where)
        return [spread(row) for row in exact["values"]]

    def made_of(self, exact: Mapping[str, Any]) -> ChainParameters:
        """Return the parameters."""
        return ChainParameters.read(exact)

    def states(self, claim: Claim) -> int:
        """Return how many states the chains have."""
        return len(ChainParameters.of(claim).chains[0].P)

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
        """Yield two states of a node that seem to lose most, under a chain of the list."""
        return self.losing_under(claim, noise, ChainParameters.of(claim).chains)

    def unsaid(self, claim: Claim, chain: ChainLaw) -> dict[str, Nested]:
        """Return the initial law where the claim is about every one."""
        listed = chain in ChainParameters.of(claim).chains
        return {} if listed else {"initial": chain.initial}

    def allowed(self, claim: Claim) -> list[tuple[Pattern, Pattern]]:
        """Return which first states and which moves each chain allows."""
        return _allowed(ChainParameters.of(claim).chains)

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


def _query_of(claim: Claim, values: Matrix) -> dict[str, Nested]:
    """Return the query where the claim does not say it."""
    return {} if SequenceParameters.of(claim).values is not None else {"values": values}


def _states(
    own: SequenceParameters, settings: PublicSettings, file: Path, names: tuple[str, ...]
) -> States:
    """Return the sequence, of exactly the public length or lengths."""
    (column, piece), lengths = _columns(own, settings), own.pieces
    if piece is None:
        return one_piece(read_table(file), column, names, lengths[0])
    return pieces(read_table(file), column, names, piece, lengths)


def _columns(own: SequenceParameters, settings: PublicSettings) -> tuple[str, str | None]:
    """Return the columns of states and of pieces, None where there is one. Raises InputError."""
    column, cut = text_in(settings, "column"), own.lengths is not None
    if cut != ("piece" in settings.data):
        raise InputError(f"{settings.where} [data]: a column for piece goes with lengths in "
                         "[release], and with nothing else")  # fmt: skip
    return column, text_in(settings, "piece") if cut else None


def _require_possible(states: States, laws: list[tuple[Pattern, Pattern]]) -> None:
    """Raise DomainError unless each piece has positive probability under some law of the class.

    Pieces are independent, and each may follow a law of its own: the quilts' proof asks no more.
    """
    stopped = [_stops(states, *allowed) for allowed in laws]
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
