"""The law of an additive query of a chain given each state of each node, in doubles.

Sums of products of non-negative numbers, each costing a rounding. Which atoms are possible is
decided by booleans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..doubled import Flags, Indices, Reals
from .chain import STATIONARY, Chain, ChainLaw, closed_class, reachable
from .sums import sums_of

# A node that has a state with less is not looked at: what underflowed could be a part of it.
_RARE = 2.0**-100
_LONG = 2**62
Totals: TypeAlias = NDArray[Any]


class Law(NamedTuple):
    """The masses of all sums that there can be, and which of them are positive."""

    masses: Reals
    possible: Flags


class NodeLaws(NamedTuple):
    """The laws given each of a node's states, and how many roundings a mass or sum carries."""

    laws: list[Law]
    roundings: float
    are_known: bool


class _Weights(NamedTuple):
    """For each state and sum the weight up to rounding, and whether it is positive."""

    weights: Reals
    possible: Flags

    def mixed(self, shares: Reals) -> _Weights:
        """Return for each row of shares the weights of its mixture."""
        possible = (shares > 0).astype(np.float64) @ self.possible > 0
        return _Weights(shares @ self.weights, possible)

    def placed(self, sums: Sequence[int], steps: Sequence[int], onto: Sequence[int]) -> _Weights:
        """Return each state's weights, of sums moved by its step, on a longer list of sums."""
        place = {total: at for at, total in enumerate(onto)}
        shape = (len(self.weights), len(onto))
        found = _Weights(np.zeros(shape), np.zeros(shape, dtype=bool))
        for state, step in enumerate(steps):
            places = [place[total + step] for total in sums]
            found.weights[state, places] = self.weights[state]
            found.possible[state, places] = self.possible[state]
        return found


def laws_at_nodes(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[NodeLaws]:
    """Yield the laws of the query given each state that a node can have."""
    chain, kept = Chain.of(law), _kept_states(law)
    own = [tuple(row[state] for state in kept) for row in steps]
    before, after = sums_of(steps), [[0], *sums_of(steps[:0:-1])]
    many = len(before[-1])
    later = list(_backward(chain, own, after))
    # Each step mixes as many as there are states; then an atom is added up, and the total.
    roundings = len(steps) * (chain.size + 2.0) + chain.roundings + 3.0 * many + 2.0
    start = chain.law(1)[:, None] if chain.start is not None else np.full((chain.size, 1), np.nan)
    now = _Weights(start, chain.support(1)[:, None]).placed([0], own[0], before[0])
    for at in range(len(own)):
        if at:
            now = now.mixed(chain.P.T).placed(before[at - 1], own[at], before[at])
        index = _places(before[at], after[len(own) - 1 - at], before[-1])
        yield _node_laws(now, later.pop(), index, (many, roundings))


def _kept_states(law: ChainLaw) -> list[int]:
    """Return the numbers, from 0, of the states that the chain is kept on."""
    matrix = np.array(law["P"], dtype=np.float64)
    if law["initial"] == STATIONARY:
        return [int(state) for state in closed_class(matrix)]
    begin = np.array(law["initial"], dtype=np.float64) > 0
    return [int(state) for state in np.flatnonzero(reachable(matrix > 0)[begin].any(axis=0))]


def _backward(
    chain: Chain, steps: Sequence[tuple[int, ...]], after: Sequence[Sequence[int]]
) -> Iterator[_Weights]:
    now = _Weights(np.ones((chain.size, 1)), np.ones((chain.size, 1), dtype=bool))
    yield now
    for at, added in enumerate(reversed(steps[1:])):
        now = now.placed(after[at], added, after[at + 1]).mixed(chain.P)
        yield now


def _places(before: Sequence[int], after: Sequence[int], every: Sequence[int]) -> Indices:
    """Return where the sum of each two stands among all sums."""
    kind = np.int64 if every[-1] < _LONG else object
    totals: Totals = np.add.outer(np.array(before, dtype=kind), np.array(after, dtype=kind))
    return np.searchsorted(np.array(every, dtype=kind), totals.ravel())


def _node_laws(now: _Weights, rest: _Weights, index: Indices, sizes: tuple[int, float]) -> NodeLaws:
    many, roundings = sizes
    laws, known = [], True
    for state in np.flatnonzero(now.possible.any(axis=1)):
        weights = np.outer(now.weights[state], rest.weights[state])
        possible = np.outer(now.possible[state], rest.possible[state])
        law: Reals = np.asarray(np.bincount(index, weights.ravel(), many), dtype=np.float64)
        total = float(law.sum())
        known = known and total > _RARE
        if known:
            law = law / total
        laws.append(Law(law, np.bincount(index, possible.ravel(), many) > 0))
    return NodeLaws(laws, roundings, known)
