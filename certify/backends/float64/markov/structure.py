"""What a chain can do, from which of its doubles are positive: exact, whatever was rounded."""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Pattern = NDArray[np.bool_]


def reachable(P: Matrix) -> Pattern:
    """Return which state leads to which one, itself among them."""
    paths = (P > 0) | np.eye(len(P), dtype=np.bool_)
    while True:
        ways = paths.astype(np.float64)
        longer = ways @ ways > 0
        if np.array_equal(longer, paths):
            return np.asarray(paths)
        paths = longer


def closed_class(P: Matrix) -> Pattern:
    """Return which states lead nowhere without a way back: one class, where there is only one."""
    paths = reachable(P)
    return np.asarray((paths <= paths.T).all(axis=1))


def communicating_classes(P: Matrix) -> float:
    """Return how many sets of states there are that lead to each other."""
    paths = reachable(np.asarray(P, dtype=np.float64))
    return float(len(np.unique(paths & paths.T, axis=0)))


def period(P: Matrix) -> float:
    """Return the greatest common divisor of the lengths of all cycles of an irreducible chain."""
    moves = np.asarray(P) > 0
    distance, waiting, found = {0: 0}, [0], 0
    for state in waiting:  # grows while it is read
        for target in map(int, np.flatnonzero(moves[state])):
            if target not in distance:
                distance[target] = distance[state] + 1
                waiting.append(target)
            found = gcd(found, distance[state] + 1 - distance[target])
    return float(found)
