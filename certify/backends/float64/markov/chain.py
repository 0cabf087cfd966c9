"""Stationary laws, fundamental matrices and their condition in float64, without cancellation.

States are taken out one by one (Grassmann, Taksar and Heyman 1985): what leaves a state is a sum of
its other moves, never 1 less what stays, so that only nonnegative numbers are added, multiplied and
divided. Each of them then keeps a relative error of about n^3 2^-53 at most, however slowly the
chain mixes. The group inverse is A#_ij = pi_j (m_pj - m_ij), with m_ij the mean time from i until j
is met and m_pj its mean over the stationary law. Its terms are at most twice the largest entry, as
pi_j m_ij = A#_jj - A#_ij: the difference is as good, measured by that entry.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .structure import Matrix, Pattern, closed_class

Rows = Sequence[Sequence[float]]

# A power of two beyond all that 1000 moves, none rarer than 2^-1074, can come to.
_FAR = 2**22


def stationary(P: Rows) -> Matrix:
    """Return the stationary law of a chain with one closed class of states."""
    matrix = _matrix(P)
    return _law(matrix, closed_class(matrix))


def group_inverse(P: Rows) -> Matrix:
    """Return the group inverse of I - P."""
    return _group_inverse(_matrix(P))


def fundamental(P: Rows) -> Matrix:
    """Return the inverse of I - P + 1 pi, the group inverse and pi in every row."""
    return _fundamental(_matrix(P), "plus")


def condition_number(P: Rows) -> float:
    """Return the largest of half the 1-norm of the difference of two rows of the group inverse."""
    inverse = _group_inverse(_matrix(P))
    return max(float(np.abs(inverse - row).sum(axis=1).max()) for row in inverse) / 2


def fundamental_norm(P: Rows, norm: str, sign: str) -> float:
    """Return the largest sum of absolute values of a row, or a column, of that inverse."""
    sizes = np.abs(_fundamental(_matrix(P), sign))
    return float(sizes.sum(axis=1 if norm == "row" else 0).max())


def stationary_distance(P: Rows, Q: Rows) -> float:
    """Return half the 1-norm of the difference of two stationary laws.

    That is pi' (Q - P) A#, in which nothing is lost where the chains are close. It is wrong by some
    units of round-off of the size of its factors: where that is more than 1, as of a chain that
    hardly moves, the laws themselves are subtracted, which loses some units of 1.
    """
    one, other = _matrix(P), _matrix(Q)
    law, moved = _law(other, closed_class(other)), other - one
    inverse = _group_inverse(one)
    if (law @ np.abs(moved)).sum() * np.abs(inverse).max() < 1.0:
        difference = law @ moved @ inverse
    else:
        difference = law - _law(one, closed_class(one))
    return float(np.abs(difference).sum()) / 2


def _matrix(P: Rows) -> Matrix:
    return np.asarray(P, dtype=np.float64)


def _law(P: Matrix, closed: Pattern) -> Matrix:
    """Return the law: 0 off the closed class, on it from the last state taken out to the first."""
    states = np.flatnonzero(closed)
    moves, law = P[np.ix_(states, states)], np.zeros(len(P))
    for last in range(len(states) - 1, 0, -1):
        moves[:last, last] /= moves[last, :last].sum()
        moves[:last, :last] += np.outer(moves[:last, last], moves[last, :last])
    weights = _weights(moves)
    law[states] = weights / weights.sum()
    return law


def _weights(moves: Matrix) -> Matrix:
    """Return what is proportional to the law, from each state's moves into the later ones.

    Of the states of a chain that drifts, one's share may be beyond any double beside another's, and
    a later one's large again: powers of two are kept apart. NaN where a move in was too rare.
    """
    shares, powers = np.ones(len(moves)), np.zeros(len(moves), dtype=np.int64)
    for state in range(1, len(moves)):
        parts, shifts = np.frexp(shares[:state] * moves[:state, state])
        shifts = np.where(parts > 0, shifts + powers[:state], -_FAR)
        most = shifts.max()
        if most == -_FAR:
            return np.full(len(moves), np.nan)
        shares[state], power = np.frexp(np.ldexp(parts, np.maximum(shifts - most, -_FAR)).sum())
        powers[state] = most + power
    return np.asarray(np.ldexp(shares, np.maximum(powers - powers.max(), -_FAR)))


def _fundamental(P: Matrix, sign: str) -> Matrix:
    law = _law(P, closed_class(P))
    return _group_inverse(P) + (law if sign == "plus" else -law)


def _group_inverse(P: Matrix) -> Matrix:
    closed = closed_class(P)
    law, inverse = _law(P, closed), np.zeros_like(P)
    for state in np.flatnonzero(closed):
        target = np.arange(len(P)) == state
        times = _collected(P, target, np.ones((len(P), 1)))[:, 0]
        inverse[:, state] = law[state] * (law @ times - times)
    if not closed.all():  # of a state that is left for good: the mean number of visits
        inverse[:, ~closed] = _collected(P, closed, np.eye(len(P))[:, ~closed])
    return inverse


def _collected(P: Matrix, target: Pattern, reward: Matrix) -> Matrix:
    """Return what is collected on average, from each state, until the target is met.

    A visit to a state pays its row of ``reward``; in the target nothing is paid. The states off the
    target are taken out from the last to the first, then their means found from the first on.
    """
    states = np.flatnonzero(~target)
    moves = P[np.ix_(states, states)]
    met = P[np.ix_(states, np.flatnonzero(target))].sum(axis=1)
    paid = reward[states]
    for last in range(len(states) - 1, -1, -1):
        leaves = met[last] + moves[last, :last].sum()
        moves[last, :last] /= leaves
        paid[last] /= leaves
        comes = moves[:last, last]
        met[:last] += comes * (met[last] / leaves)
        paid[:last] += np.outer(comes, paid[last])
        moves[:last, :last] += np.outer(comes, moves[last, :last])
    for state in range(1, len(states)):
        paid[state] += moves[state, :state] @ paid[:state]
    means = np.zeros_like(reward)
    means[states] = paid
    return means
