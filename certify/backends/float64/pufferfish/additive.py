"""Additive queries of a chain: their laws, exact or rounded, distances and losses.

The law of an additive query of a chain given each state of each node, in whole numbers.

Forward, the weight of each sum so far and state; backward, of what is added later. Probabilities
are doubles, so times powers of two they are whole numbers, and nothing is ever rounded.

The law of an additive query of a chain given each state of each node, in doubles.

Sums of products of non-negative numbers, each costing a rounding. Which atoms are possible is
decided by booleans.

Additive queries of a chain, sum over t of values[t][X_t]: distances and losses, rounded up.

Where that is little work the laws of the query are exact, else they are rounded. Then the monotone
coupling is taken to join all atoms that rounding leaves in doubt, which can only enlarge the
distance, and nothing is claimed of a node that has one of its states with less than 2^-100.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..doubled import UNIT, Flags, Indices, Reals, rounded_towards
from .chain import STATIONARY, Chain, ChainLaw, closed_class, reachable
from .line import MOST_DECAY, Atoms, gaps_of, largest_move, loss_between, loss_of_group

Rows = Sequence[Sequence[float]]
Weights: TypeAlias = list[dict[int, int]]
# Products of whole numbers in all; each takes about a microsecond or less.
_MOST_PRODUCTS = 400_000


class _Steps(NamedTuple):
    """What each state adds to the query at each node, in whole units above the node's least."""

    unit: Fraction
    steps: list[tuple[int, ...]]


def _steps_of(values: Rows, length: int) -> _Steps:
    """Return the query's steps; a single row of values serves every node."""
    exact = [[Fraction(value) for value in row] for row in values]
    common = lcm(*(value.denominator for row in exact for value in row))
    above = [tuple(int((value - min(row)) * common) for value in row) for row in exact]
    unit = gcd(*(value for row in above for value in row)) or 1
    steps = [tuple(value // unit for value in row) for row in above]
    return _Steps(Fraction(unit, common), steps * length if len(steps) == 1 else steps)


def _sums_of(steps: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return the sums that there can be after each node."""
    found: list[list[int]] = []
    known = {0}
    for row in steps:
        known = {total + step for total in known for step in row}
        found.append(sorted(known))
    return found


def is_little_work(states: int, steps: Sequence[tuple[int, ...]]) -> bool:
    """Whether exact laws take a second at most."""
    many, nodes = len(_sums_of(steps)[-1]), len(steps)
    # Products have as many digits as there are nodes, nearly.
    return nodes * states * many * (states + many) * (1 + nodes // 50) <= _MOST_PRODUCTS


def _exact_laws(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[list[Atoms]]:
    """Yield, node by node, the law of the query given each state that can be there."""
    (start,), rows = _whole([_exact_start(law)]), _whole(law["P"])
    later = list(_whole_backward(rows, steps))
    now: Weights = [
        {step: share} if share else {} for share, step in zip(start, steps[0], strict=True)
    ]
    for at in range(len(steps)):
        if at:
            columns = [[row[state] for row in rows] for state in range(len(rows))]
            now = [
                _moved(_mixed(column, now), step)
                for column, step in zip(columns, steps[at], strict=True)
            ]
        rest = later.pop()
        yield [_atoms(ours, theirs) for ours, theirs in zip(now, rest, strict=True) if ours]


def _whole_backward(
    rows: Sequence[Sequence[int]], steps: Sequence[tuple[int, ...]]
) -> Iterator[Weights]:
    now: Weights = [{0: 1} for _ in rows]
    yield now
    for added in reversed(steps[1:]):
        ahead = [_moved(weights, step) for weights, step in zip(now, added, strict=True)]
        now = [_mixed(row, ahead) for row in rows]
        yield now


def _moved(weights: dict[int, int], step: int) -> dict[int, int]:
    return {total + step: weight for total, weight in weights.items()}


def _mixed(shares: Sequence[int], weights: Weights) -> dict[int, int]:
    found: dict[int, int] = {}
    for share, each in zip(shares, weights, strict=True):
        if share:
            for total, weight in each.items():
                found[total] = found.get(total, 0) + share * weight
    return found


def _atoms(ours: dict[int, int], theirs: dict[int, int]) -> Atoms:
    found: dict[int, int] = {}
    for total, weight in ours.items():
        for more, other in theirs.items():
            found[total + more] = found.get(total + more, 0) + weight * other
    ordered = sorted(found)
    return Atoms(tuple(ordered), tuple(found[total] for total in ordered))


def _whole(rows: Sequence[Sequence[float | Fraction]]) -> list[list[int]]:
    """Return rows in proportion to these, all by one factor."""
    exact = [[Fraction(share) for share in row] for row in rows]
    common = lcm(*(share.denominator for row in exact for share in row))
    return [[int(share * common) for share in row] for row in exact]


def _exact_start(law: ChainLaw) -> list[Fraction]:
    if law["initial"] != STATIONARY:
        return [Fraction(share) for share in law["initial"]]
    closed = [int(state) for state in closed_class(np.array(law["P"], dtype=np.float64))]
    inner = [[Fraction(law["P"][x][y]) for y in closed] for x in closed]
    found = [Fraction(0)] * len(law["P"])
    for state, share in zip(closed, _exact_stationary(inner), strict=True):
        found[state] = share
    return found


def _exact_stationary(rows: list[list[Fraction]]) -> list[Fraction]:
    """Return the stationary law up to a factor: states are left out one by one."""
    for state in range(len(rows) - 1, 0, -1):
        leaving = sum(rows[state][:state], Fraction(0))
        for row in rows[:state]:
            row[state] /= leaving
            for target in range(state):
                row[target] += row[state] * rows[state][target]
    shares = [Fraction(1)]
    for state in range(1, len(rows)):
        shares.append(sum((share * rows[x][state] for x, share in enumerate(shares)), Fraction(0)))
    return shares


# A node that has a state with less is not looked at: what underflowed could be a part of it.
_RARE = 2.0**-100
_LONG = 2**62
Totals: TypeAlias = NDArray[Any]


class Law(NamedTuple):
    """The masses of all sums that there can be, and which of them are positive."""

    masses: Reals
    possible: Flags


class _NodeLaws(NamedTuple):
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


def _laws_at_nodes(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[_NodeLaws]:
    """Yield the laws of the query given each state that a node can have."""
    chain, kept = Chain.of(law), _kept_states(law)
    own = [tuple(row[state] for state in kept) for row in steps]
    before, after = _sums_of(steps), [[0], *_sums_of(steps[:0:-1])]
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


def _node_laws(
    now: _Weights, rest: _Weights, index: Indices, sizes: tuple[int, float]
) -> _NodeLaws:
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
    return _NodeLaws(laws, roundings, known)


# What underflowed in a law that is not rare adds up to less.
_UNDERFLOWED = 2.0**-800


def chain_wasserstein(chains: Sequence[ChainLaw], length: int, values: Rows) -> float:
    """Return an upper bound on W, exact where the laws are: the largest over nodes and chains."""
    unit, steps = _steps_of(values, length)
    worst = Fraction(0)
    for law in chains:
        if is_little_work(len(law["P"]), steps):
            groups = _exact_laws(law, steps)
            moves = (largest_move(*two) for laws in groups for two in combinations(laws, 2))
            worst = max(worst, *moves, Fraction(0))
        else:
            worst = max(worst, *_moves_at_most(law, steps), Fraction(0))
    return rounded_towards(worst * unit, np.inf)


def chain_loss(chains: Sequence[ChainLaw], length: int, values: Rows, scale: float) -> float:
    """Return an upper bound on the exact loss of the query under Laplace noise of this scale."""
    unit, steps = _steps_of(values, length)
    relative = Fraction(scale) / unit
    worst = 0.0
    for law in chains:
        if is_little_work(len(law["P"]), steps):
            losses = (loss_of_group(laws, relative) for laws in _exact_laws(law, steps) if laws)
        else:
            gaps = gaps_of(_sums_of(steps)[-1], relative)
            losses = (_loss_at(node, gaps) for node in _laws_at_nodes(law, steps))
        worst = max(worst, *losses, 0.0)
    return worst


def _loss_at(node: _NodeLaws, gaps: Reals) -> float:
    if len(node.laws) <= 1:
        return 0.0
    masses = np.array([law.masses for law in node.laws])
    possible = np.array([law.possible for law in node.laws])
    # An atom too small to be known can be all that there is where noise is small.
    known = not (possible & (masses < _UNDERFLOWED)).any()
    if not node.are_known or not (known or gaps.sum() <= MOST_DECAY):
        return math.inf
    return loss_between(gaps, masses, node.roundings)


def _moves_at_most(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[Fraction]:
    every = _sums_of(steps)[-1]
    for node in _laws_at_nodes(law, steps):
        if not node.are_known:
            yield Fraction(every[-1] - every[0])
            continue
        doubt = 2.02 * UNIT * node.roundings
        for one, other in combinations(node.laws, 2):
            yield Fraction(
                max(_move_at_most(every, *two, doubt) for two in ((one, other), (other, one)))
            )


def _move_at_most(points: Sequence[int], one: Law, other: Law, doubt: float) -> int:
    """Return how far up an atom of one law may be joined to one of the other at most.

    It is joined to one above it only if less lies before that than up to the first, and more from
    that on than beyond the first.
    """
    mine, theirs = np.flatnonzero(one.possible), np.flatnonzero(other.possible)
    up_to, theirs_up_to = np.cumsum(one.masses[mine]), np.cumsum(other.masses[theirs])
    beyond = np.append(np.cumsum(one.masses[mine][::-1])[::-1][1:], 0.0)
    from_there = np.cumsum(other.masses[theirs][::-1])[::-1]
    up = up_to * (1.0 + doubt) + _UNDERFLOWED
    last = np.searchsorted(theirs_up_to * (1.0 - doubt), up, "right")
    least = beyond * (1.0 - doubt) - _UNDERFLOWED
    # How many of the other law's atoms have more from there on.
    more = len(theirs) - np.searchsorted(from_there[::-1] * (1.0 + doubt), least, "right")
    farthest = np.minimum(np.minimum(last, more - 1), len(theirs) - 1)
    joined = zip(mine.tolist(), theirs[farthest].tolist(), strict=True)
    moves = [points[there] - points[here] for here, there in joined]
    return int(max(moves))
