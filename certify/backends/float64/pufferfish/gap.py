"""Eigengaps and the smallest stationary probability of a chain, never above the truth.

With D the stationary law, S = D^(1/2) P D^(-1/2) and v the vector of the roots of D, the second
largest eigenvalue of P P* is the largest of S S^T - v v^T. That it is at most m is proved by a
Cholesky factor of m - (S S^T - v v^T) (Rump 2006: one that runs to its end in doubles proves that
the matrix plus c is positive definite, c = (n + 1)u/(1 - 2(n + 1)u) times its trace). Entries of
the two non-negative parts carry few relative roundings, and the norms of both are at most 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .chain import reachable, stationary_law

Matrix = Sequence[Sequence[float]]
_PAIR = 2
# Tries of a bound, each with twice the room of the one before.
_TRIES = 30
# Roundings of an entry of S: of two laws, their roots and quotient, and of the product with P.
_ENTRY = 8


def stationary_minimum(P: Matrix) -> float:
    """Return a lower bound on the smallest stationary probability, 0 where it is not found."""
    law = stationary_law(np.array(P, dtype=np.float64)) if _is_irreducible(P) else None
    return 0.0 if law is None else float(law.min()) * (1.0 - 4 * UNIT)


def eigengap(P: Matrix) -> float:
    """Return a lower bound on 1 less the second eigenvalue of P P*, multiplicities counted."""
    known = _known(P, lambda other: 1 - other**2)
    if known is not None:
        return known
    parts = _symmetrised(P)
    if parts is None:
        return 0.0
    scaled, v = parts
    size = len(v)
    matrix = scaled @ scaled.T - np.outer(v, v)
    doubt = 2.0 * (size + 2 * _ENTRY + 4) * UNIT
    return max(0.0, _below(1.0 - _largest_eigenvalue(matrix, doubt)))


def eigengap_reversible(P: Matrix) -> float:
    """Return a lower bound on twice 1 less the largest modulus but one of the eigenvalues of P."""
    known = _known(P, lambda other: 2 * (1 - abs(other)))
    if known is not None:
        return known
    parts = _symmetrised(P)
    if parts is None:
        return 0.0
    scaled, v = parts
    # S is symmetric where P is reversible, up to the roundings of its entries.
    matrix = (scaled + scaled.T) / 2 - np.outer(v, v)
    doubt = 2.0 * (_ENTRY + 4) * UNIT
    largest = max(_largest_eigenvalue(matrix, doubt), _largest_eigenvalue(-matrix, doubt))
    return max(0.0, _below(2.0 * (1.0 - largest)))


def _below(value: float) -> float:
    """Return less than what was rounded to this after a subtraction from 1."""
    return value - 4 * UNIT


def _is_irreducible(P: Matrix) -> bool:
    return bool(reachable(np.array(P) > 0).all())


def _known(P: Matrix, of_two: Callable[[Fraction], Fraction]) -> float | None:
    """Return the gap where it is known exactly: 0, of equal rows, or from the other eigenvalue."""
    moves = np.array(P) > 0
    steps_back = moves.astype(np.float64) @ moves.T > 0
    if not (_is_irreducible(P) and reachable(steps_back).all()):
        return 0.0
    if all(list(row) == list(P[0]) for row in P):
        return float(of_two(Fraction(0)))
    if len(P) == _PAIR:
        return rounded_towards(of_two(Fraction(P[0][0]) + Fraction(P[1][1]) - 1), -np.inf)
    return None


def _symmetrised(P: Matrix) -> tuple[Reals, Reals] | None:
    """Return S and v up to a few roundings; nothing where a law or an entry is too small."""
    matrix = np.array(P, dtype=np.float64)
    law = stationary_law(matrix)
    if law is None:
        return None
    roots = np.sqrt(law)
    return roots[:, None] / roots[None, :] * matrix, roots


def _largest_eigenvalue(matrix: Reals, doubt: float) -> float:
    """Return a number that no eigenvalue exceeds of what is within ``doubt`` of a matrix."""
    size = len(matrix)
    symmetric = (matrix + matrix.T) / 2
    about = float(np.linalg.eigvalsh(symmetric)[-1])
    room = (size + 2) * UNIT
    for _ in range(_TRIES):
        bound = about + room
        shifted = bound * np.eye(size) - symmetric
        trace = float(np.abs(np.diagonal(shifted)).sum())
        # Its own roundings: one a diagonal entry, and halving the sum of two.
        slack = 2.0 * (size + 4) * UNIT * trace + 4 * UNIT * (abs(bound) + 1.0)
        if _is_positive(shifted):
            return bound + slack + doubt + 8 * UNIT
        room *= 2
    return math.inf


def _is_positive(matrix: Reals) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
