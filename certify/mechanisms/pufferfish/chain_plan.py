"""Plan a Laplace release of a sequence of states (song2017 Algorithms 2 to 4).

Privacy is for data that follow a law of the class. A sequence that no law of it allows is outside,
and refused; under each law of the class that has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ....reference.errors import DomainError, InputError
from ....reference.markov.structure import Pattern, pattern_of
from ....reference.pufferfish.possible import first_states
from ....reference.structures import ChainLaw
from ..data.labels import labels_in, text_in
from ..data.sequence import States, one_piece, pieces
from ..data.table import read_table
from ..maker import Maker, Said
from ..plan import NoisePlan
from ..protocol import Claim
from .query import QUERY_KEYS, Nodes, plan_of, query_of, scale_of


@dataclass(frozen=True)
class ChainMaker:
    """Noise on a query of a sequence of states, or of independent pieces."""

    mechanism: str = "pufferfish.chain"
    data_keys: tuple[str, ...] = ("column", "piece", "states", *QUERY_KEYS)

    def public_names(self, claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return what is taken for public: how long, the states' names, the laws."""
        return ("lengths" if "lengths" in claim.release else "length", "states", "class")

    def plan(self, claim: Claim, said: Said, file: Path) -> NoisePlan:
        """Return the exact answers and the scale. Raises InputError, without a private value."""
        scale, chains = scale_of(claim, said.where), _chains(claim)
        names = labels_in(said, "states", least=1)
        if len(names) != len(chains[0].P):
            raise DomainError(f"{said.where} [data]: states lists {len(names)} names, but the "
                              f"chains have {len(chains[0].P)} states")  # fmt: skip
        nodes = Nodes(sum(_lengths(claim)), len(names), names)
        query = query_of(claim, said, nodes)
        states = _states(claim, said, file, names)
        require_possible(states, chains)
        return plan_of(query, states, scale)


def _chains(claim: Claim) -> tuple[ChainLaw, ...]:
    chains: Any = claim.release["chains"]
    return tuple(chains)


def _lengths(claim: Claim) -> tuple[int, ...]:
    found: Any = claim.release.get("lengths") or (claim.release["length"],)
    return tuple(map(int, found))


def _states(claim: Claim, said: Said, file: Path, names: tuple[str, ...]) -> States:
    """Return the sequence, of exactly the public length or lengths."""
    column, lengths = text_in(said, "column"), _lengths(claim)
    cut = "lengths" in claim.release
    if cut != ("piece" in said.data):
        raise InputError(f"{said.where} [data]: a column for piece goes with lengths in [release], "
                         "and with nothing else")  # fmt: skip
    if not cut:
        return one_piece(read_table(file), column, names, lengths[0])
    return pieces(read_table(file), column, names, text_in(said, "piece"), lengths)


def require_possible(states: States, chains: tuple[ChainLaw, ...]) -> None:
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


CHAIN: Maker = ChainMaker()
