"""What a chain can do, decided exactly: which moves are possible, after how many steps, whence.

Only which entries are positive matters here, so a matrix is an array of booleans and nothing is
ever rounded. Products count ways in float64: at most MAX_STATES of them, which it holds exactly.

Which states a chain can be in after so many steps, exactly, however many they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..precision import check_budget

Matrix: TypeAlias = Sequence[Sequence[Fraction]]
Pattern: TypeAlias = NDArray[np.bool_]


def pattern_of(P: Matrix) -> Pattern:
    """Return which entries are positive."""
    return np.array([[entry > 0 for entry in row] for row in P], dtype=np.bool_)


def composed(first: Pattern, second: Pattern) -> Pattern:
    """Return what can be reached by a move of the first kind and then one of the second."""
    ways = first.astype(np.float64) @ second.astype(np.float64)
    return np.asarray(ways > 0, dtype=np.bool_)


def pattern_after(moves: Pattern, steps: int) -> Pattern:
    """Return which entries of the matrix's power are positive, by repeated squaring."""
    found, square = np.eye(len(moves), dtype=np.bool_), moves
    while steps:
        if steps % 2:
            found = composed(found, square)
        steps //= 2
        if steps:
            square = composed(square, square)
    return found


def reachable(moves: Pattern) -> Pattern:
    """Return which state can be reached from which one, in any number of steps, none included."""
    paths = moves | np.eye(len(moves), dtype=np.bool_)
    while True:
        longer = composed(paths, paths)
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def closed_classes(P: Matrix) -> tuple[tuple[int, ...], ...]:
    """Return the sets of states, numbered from 0, that are never left and reach all of themselves.

    In order of their first state. A finite chain has at least one.
    """
    paths = reachable(pattern_of(P))
    mutual = paths & paths.T
    found = [
        tuple(int(other) for other in np.flatnonzero(mutual[state]))
        for state in range(len(paths))
        if np.array_equal(paths[state], mutual[state])  # whatever is reached leads back
    ]
    return tuple(sorted(set(found)))


def is_irreducible(P: Matrix) -> bool:
    """Whether every state can be reached from every one."""
    return bool(reachable(pattern_of(P)).all())


def period(P: Matrix) -> int:
    """Return the greatest common divisor of the lengths of all cycles of an irreducible chain.

    With d(x) the length of some path from state 0 to x, it is that of d(x) + 1 - d(y) over the
    moves from x to y (proofs_notes/quilt-influence.md#period-from-path-lengths).
    """
    if not is_irreducible(P):
        raise ValueError("only an irreducible chain has one period")
    moves = pattern_of(P)
    distance = {0: 0}
    waiting = [0]
    found = 0
    for state in waiting:  # grows while it is read, so that each state comes once
        for target in map(int, np.flatnonzero(moves[state])):
            if target not in distance:
                distance[target] = distance[state] + 1
                waiting.append(target)
            found = gcd(found, distance[state] + 1 - distance[target])
    return found


# Supports that are kept from the start on, while they are looked through for one that returns. The
# time until one does can be the product of many periods; then powers of the moves are used.
_KEPT = 4096


class Supports:
    """The supports of a chain's nodes, numbered from 1, given the first one's."""

    def __init__(self, first: Pattern, moves: Pattern) -> None:
        self._moves = moves
        self._known = [first]
        self._places = {first.tobytes(): 0}
        self._cycle: int | None = None
        self._last: tuple[int, Pattern] = 1, first

    def at(self, node: int) -> Pattern:
        """Return which states a node can be in."""
        self._extend(node)
        known = self._known
        if node <= len(known):
            return known[node - 1]
        if self._cycle is not None:
            return known[self._cycle + (node - 1 - self._cycle) % (len(known) - self._cycle)]
        if self._last[0] != node:
            self._last = node, self._far(node)
        return self._last[1]

    def _extend(self, node: int) -> None:
        """Go on step by step until the node, a support that was there before, or enough of them."""
        while self._cycle is None and len(self._known) < min(node, _KEPT):
            following = self._after(self._known[-1])
            self._cycle = self._places.setdefault(following.tobytes(), len(self._known))
            if self._cycle == len(self._known):
                self._cycle = None
                self._known.append(following)

    def _far(self, node: int) -> Pattern:
        before, support = self._last
        if before == node - 1:
            return self._after(support)
        check_budget()
        power = pattern_after(self._moves, node - 1)
        return np.asarray(composed(self._known[0][None, :], power)[0])

    def _after(self, support: Pattern) -> Pattern:
        return np.asarray(composed(support[None, :], self._moves)[0])
