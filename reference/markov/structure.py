"""What a chain can do, decided exactly: which moves are possible, after how many steps, whence.

Only which entries are positive matters here, so a matrix is an array of booleans and nothing is
ever rounded. Products count ways in float64: at most MAX_STATES of them, which it holds exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
