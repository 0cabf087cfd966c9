"""Chains in float64: stationary laws, group inverses, ergodicity, certificates of releases.

What a chain can do, from which of its doubles are positive: exact, whatever was rounded.

Stationary laws, fundamental matrices and their condition in float64, without cancellation.

States are taken out one by one (Grassmann, Taksar and Heyman 1985): what leaves a state is a sum of
its other moves, never 1 less what stays, so that only nonnegative numbers are added, multiplied and
divided. Each of them then keeps a relative error of about n^3 2^-53 at most, however slowly the
chain mixes. The group inverse is A#_ij = pi_j (m_pj - m_ij), with m_ij the mean time from i until j
is met and m_pj its mean over the stationary law. Its terms are at most twice the largest entry, as
pi_j m_ij = A#_jj - A#_ij: the difference is as good, measured by that entry.

Certificates of a release of a chain in float64, rounded up.

An entry of the group inverse is wrong by some n^3 2^-53 of the largest one (see above), which is
at most twice kappa (proofs_notes/fundamental-matrix.md, same-differences), and kappa is half the
sum of n differences: n^4 units and more cover it. What rounding to the grid adds is rational.

Coefficients of ergodicity in float64: sums of distances, so that nothing cancels.

A difference of two doubles costs one rounding, a sum of n nonnegative numbers n of them: the
relative error is at most about n 2^-53.

Answers about chains in float64, each under the name of its quantity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, rounded_towards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .elementwise import Answering

Matrix = NDArray[np.float64]
_Pattern = NDArray[np.bool_]


def _reachable(P: Matrix) -> _Pattern:
    """Return which state leads to which one, itself among them."""
    paths = (P > 0) | np.eye(len(P), dtype=np.bool_)
    while True:
        ways = paths.astype(np.float64)
        longer = ways @ ways > 0
        if np.array_equal(longer, paths):
            return np.asarray(paths)
        paths = longer


def _closed_class(P: Matrix) -> _Pattern:
    """Return which states lead nowhere without a way back: one class, where there is only one."""
    paths = _reachable(P)
    return np.asarray((paths <= paths.T).all(axis=1))


def communicating_classes(P: Matrix) -> float:
    """Return how many sets of states there are that lead to each other."""
    paths = _reachable(np.asarray(P, dtype=np.float64))
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


Rows = Sequence[Sequence[float]]

# A power of two beyond all that 1000 moves, none rarer than 2^-1074, can come to.
_FAR = 2**22


def stationary(P: Rows) -> Matrix:
    """Return the stationary law of a chain with one closed class of states."""
    matrix = _matrix(P)
    return _law(matrix, _closed_class(matrix))


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


# A distance that is so much less than what it is a difference of has lost most of its digits; of so
# few states fractions take some milliseconds.
_MOSTLY_LOST, _FEW_STATES = 1e-5, 24


def stationary_distance(P: Rows, Q: Rows) -> float:
    """Return half the 1-norm of the difference of two stationary laws.

    That is pi' (Q - P) A#, in which nothing is lost where the chains are close. It is wrong by some
    units of round-off of the size of its factors: where that is more than 1, as of a chain that
    hardly moves, the laws themselves are subtracted, which loses some units of 1. Where most of
    either is lost, as of unlike chains whose laws are nearly one, fractions decide.
    """
    one, other = _matrix(P), _matrix(Q)
    law, moved = _law(other, _closed_class(other)), other - one
    inverse = _group_inverse(one)
    size = min((law @ np.abs(moved)).sum() * np.abs(inverse).max(), 1.0)
    alike = size < 1.0
    difference = law @ moved @ inverse if alike else law - _law(one, _closed_class(one))
    found = float(np.abs(difference).sum()) / 2
    if found < _MOSTLY_LOST * size and len(one) <= _FEW_STATES:
        pairs = zip(_exact_law(one), _exact_law(other), strict=True)
        return float(sum(abs(here - there) for here, there in pairs) / 2)
    return found


def _matrix(P: Rows) -> Matrix:
    return np.asarray(P, dtype=np.float64)


def _law(P: Matrix, closed: _Pattern) -> Matrix:
    """Return the law: 0 off the closed class, on it from the last state taken out to the first."""
    states = np.flatnonzero(closed)
    moves, law = P[np.ix_(states, states)], np.zeros(len(P))
    for last in range(len(states) - 1, 0, -1):
        moves[:last, last] /= moves[last, :last].sum()
        moves[:last, :last] += np.outer(moves[:last, last], moves[last, :last])
    weights = _weights(moves)
    law[states] = weights / weights.sum()
    return law


def _exact_law(P: Matrix) -> list[Fraction]:
    """Return the law as ``_law`` does, without rounding."""
    law = [Fraction(0)] * len(P)
    states = np.flatnonzero(_closed_class(P)).tolist()
    moves = [[Fraction(float(P[here, there])) for there in states] for here in states]
    for last in range(len(states) - 1, 0, -1):
        leaves = sum(moves[last][:last])
        for here in range(last):
            moves[here][last] /= leaves
            for there in range(last):
                moves[here][there] += moves[here][last] * moves[last][there]
    weights = [Fraction(1)]
    for state in range(1, len(states)):
        weights.append(sum((weights[k] * moves[k][state] for k in range(state)), Fraction(0)))
    total = sum(weights)
    for state, weight in zip(states, weights, strict=True):
        law[state] = weight / total
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
    law = _law(P, _closed_class(P))
    return _group_inverse(P) + (law if sign == "plus" else -law)


def _group_inverse(P: Matrix) -> Matrix:
    closed = _closed_class(P)
    law, inverse = _law(P, closed), np.zeros_like(P)
    for state in np.flatnonzero(closed):
        target = np.arange(len(P)) == state
        times = _collected(P, target, np.ones((len(P), 1)))[:, 0]
        inverse[:, state] = law[state] * (law @ times - times)
    if not closed.all():  # of a state that is left for good: the mean number of visits
        inverse[:, ~closed] = _collected(P, closed, np.eye(len(P))[:, ~closed])
    return inverse


def _collected(P: Matrix, target: _Pattern, reward: Matrix) -> Matrix:
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


# For each of the four factors n of an error of kappa, and for each of some operations.
_KAPPA_UNITS, _UNITS = 64, 32
_LOG_2 = float(np.log(2.0))


def certificate_stationary(
    Q: Sequence[Sequence[float]],
    k: Sequence[float],
    sizes: Sequence[int],
    beta: float,
    grid_bits: int,
) -> float:
    """Return an upper bound on kappa times half the largest radius, at most 1."""
    matrix = np.asarray(Q, dtype=np.float64)
    closed = _closed_class(matrix)
    if not _reachable(matrix)[np.ix_(closed, closed)].all():
        return 1.0
    moved = [min(half + _half_norm(size, grid_bits), 1.0) for size, half in _halves(k, sizes, beta)]
    if not moved:
        return 0.0
    room = 1.0 + (_KAPPA_UNITS * len(k) ** 4 + _UNITS) * UNIT
    with np.errstate(all="ignore"):
        bound = condition_number(Q) * max(moved) * room
    return min(1.0, bound)  # in this order also where kappa is not a number


def certificate_ergodicity(
    k: Sequence[float], sizes: Sequence[int], beta: float, grid_bits: int
) -> float:
    """Return an upper bound on the sum of half the radii, at most half the number of states."""
    moved = [min(half + _entry(size, grid_bits), 1.0) for size, half in _halves(k, sizes, beta)]
    bound = sum(moved) * (1.0 + (len(moved) + _UNITS) * UNIT)
    return min(bound, float(len(k) // 2))


def _halves(k: Sequence[float], sizes: Sequence[int], beta: float) -> Iterator[tuple[int, float]]:
    """Yield the size of each row that is random, and an upper bound on half of its r_i."""
    random = [(float(one), int(size)) for one, size in zip(k, sizes, strict=True) if size > 1]
    for one, size in random:
        ways = size * _LOG_2 + np.log1p(-(2.0 ** (1 - size)))
        signs = np.log(len(random)) - np.log(beta) + ways
        yield size, float(np.sqrt(signs / (2.0 * (one + 1.0))) * (1.0 + _UNITS * UNIT))


def _half_norm(size: int, grid_bits: int) -> float:
    up = min(size // 2, 1 << grid_bits)
    return rounded_towards(Fraction(up * (size - up), size << grid_bits), np.inf)


def _entry(size: int, grid_bits: int) -> float:
    return rounded_towards(Fraction(size - 1, size << grid_bits), np.inf)


def ergodicity_coefficient(P: Sequence[Sequence[float]]) -> float:
    """Return the largest sum of distances of a column's entries to their median."""
    matrix = np.asarray(P, dtype=np.float64)
    # The upper median is an entry, and does as well as the mean of two: nothing is rounded here.
    middle = np.sort(matrix, axis=0)[len(matrix) // 2]
    return float(np.abs(matrix - middle).sum(axis=0).max())


def dobrushin_coefficient(P: Sequence[Sequence[float]]) -> float:
    """Return the largest of half the 1-norm of the difference of two rows."""
    matrix = np.asarray(P, dtype=np.float64)
    return max(float(np.abs(matrix - row).sum(axis=1).max()) for row in matrix) / 2


ANSWERS: Mapping[str, Answering] = MappingProxyType(
    {
        "markov.certificate_ergodicity": certificate_ergodicity,
        "markov.certificate_stationary": certificate_stationary,
        "markov.communicating_classes": communicating_classes,
        "markov.condition_number": condition_number,
        "markov.dobrushin_coefficient": dobrushin_coefficient,
        "markov.ergodicity_coefficient": ergodicity_coefficient,
        "markov.fundamental": fundamental,
        "markov.fundamental_norm": fundamental_norm,
        "markov.group_inverse": group_inverse,
        "markov.period": period,
        "markov.stationary": stationary,
        "markov.stationary_distance": stationary_distance,
    }
)
