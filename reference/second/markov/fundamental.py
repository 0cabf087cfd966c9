"""Second opinions on a chain's classes, period, coefficients and long run; rational.

Rational, so rigorous, and by other algorithms than the first engine's. With h_ij the mean number of
steps from i until j, 0 for i = j, the stationary law has 1 over the mean time of return, and
A#_ij = pi_j (sum of pi_k h_kj - h_ij); where j is left for good, A#_ij is how often j is met from
i. Both come from one elimination, whose only subtractions are of a probability from 1.

Of the coefficients of ergodicity, the spread of a column is the least sum of distances of its
entries to one of them; the distance of two rows is 1 less what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd
from typing import Any, TypeAlias

from gmpy2 import mpq

from ...enclosure import Enclosed, Enclosure, mapped
from ...precision import check_budget
from ..opinion import second_opinion

_Vector: TypeAlias = tuple[Fraction, ...]
Matrix: TypeAlias = tuple[_Vector, ...]

_ZERO, _ONE = Fraction(0), Fraction(1)


@second_opinion("markov.stationary", engine="mpfr", rigorous=True)
def stationary(bits: int, P: Matrix) -> Enclosed:  # noqa: ARG001
    """Return 1 over the mean times of return, exactly."""
    return mapped(Enclosure.of, _law(P, _passages(P)))


@second_opinion("markov.group_inverse", engine="mpfr", rigorous=True)
def group_inverse(bits: int, P: Matrix) -> Enclosed:  # noqa: ARG001
    """Return the group inverse from passage times and visits, exactly."""
    return mapped(Enclosure.of, _shifted(P, 0))


@second_opinion("markov.fundamental", engine="mpfr", rigorous=True)
def fundamental(bits: int, P: Matrix) -> Enclosed:  # noqa: ARG001
    """Return the same and 1 pi, exactly."""
    return mapped(Enclosure.of, _shifted(P, 1))


@second_opinion("markov.fundamental_norm", engine="mpfr", rigorous=True)
def fundamental_norm(bits: int, P: Matrix, norm: str, sign: str) -> Enclosure:  # noqa: ARG001
    """Return the largest sum of absolute values, exactly."""
    matrix = _shifted(P, 1 if sign == "plus" else -1)
    lines = matrix if norm == "row" else tuple(zip(*matrix, strict=True))
    return Enclosure.of(max(sum(map(abs, line), _ZERO) for line in lines))


@second_opinion("markov.condition_number", engine="mpfr", rigorous=True)
def condition_number(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return the largest sum of the positive parts of a difference of two rows, exactly.

    The rows of A# sum to 0, so the positive parts are half of the 1-norm.
    """
    return Enclosure.of(max(map(_gain, permutations(_shifted(P, 0), 2))))


def _gain(pair: tuple[_Vector, ...]) -> Fraction:
    """Return the sum of the positive parts of a difference."""
    check_budget()
    return sum((max(p - q, _ZERO) for p, q in zip(*pair, strict=True)), _ZERO)


@second_opinion("markov.stationary_distance", engine="mpfr", rigorous=True)
def stationary_distance(bits: int, P: Matrix, Q: Matrix) -> Enclosure:  # noqa: ARG001
    """Return 1 less what the two laws have in common, exactly."""
    laws = _law(P, _passages(P)), _law(Q, _passages(Q))
    return Enclosure.of(1 - sum(map(min, *laws), _ZERO))


def _passages(P: Matrix) -> dict[int, _Vector]:
    """Return, for each state that every state reaches, the mean numbers of steps until it."""
    states = range(len(P))
    found = {}
    for target in sorted(set.intersection(*(reached(P, source) for source in states))):
        others = [state for state in states if state != target]
        times = _until_left(P, others, dict.fromkeys(others, _ONE))
        found[target] = tuple(times.get(state, _ZERO) for state in states)
    return found


def reached(P: Matrix, source: int) -> set[int]:
    """Return the states that can be reached from one, itself among them."""
    found, waiting = {source}, [source]
    while waiting:
        check_budget()
        row = P[waiting.pop()]
        fresh = [state for state, share in enumerate(row) if share and state not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _until_left(
    P: Matrix, states: Sequence[int], gains: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Return what is gained in the mean until these states are left, from each: x = gain + P x.

    By leaving out one state after the other; from every state they are left with certainty.
    """
    rows = {x: {y: mpq(P[x][y]) for y in states} for x in states}
    gained = {x: mpq(gain) for x, gain in gains.items()}
    for at, x in enumerate(states):
        later = [(z, rows[x][z]) for z in states[at + 1 :] if rows[x][z]]
        for y in states[at + 1 :]:
            check_budget()
            if rows[y][x]:
                share = rows[y][x] / (1 - rows[x][x])
                gained[y] += share * gained[x]
                for z, move in later:
                    rows[y][z] += share * move
    return _means(rows, gained, states)


def _means(
    rows: Mapping[int, Mapping[int, Any]], gained: Mapping[int, Any], states: Sequence[int]
) -> dict[int, Fraction]:
    """Return what is gained from each state, the last one first: it needs only those behind it."""
    found: dict[int, Any] = {}
    for x in reversed(states):
        check_budget()
        total = gained[x]
        for z, mean in found.items():
            total += rows[x][z] * mean
        found[x] = total / (1 - rows[x][x])
    return {x: Fraction(int(mean.numerator), int(mean.denominator)) for x, mean in found.items()}


def _law(P: Matrix, passages: Mapping[int, _Vector]) -> _Vector:
    return tuple(
        1 / (1 + _mean(P[state], passages[state])) if state in passages else _ZERO
        for state in range(len(P))
    )


def _mean(law: _Vector, values: _Vector) -> Fraction:
    return sum((share * value for share, value in zip(law, values, strict=True)), _ZERO)


def _shifted(P: Matrix, shift: int) -> Matrix:
    """Return A# + shift 1 pi, column by column."""
    passages, size = _passages(P), range(len(P))
    law = _law(P, passages)
    columns = []
    for state in size:
        if state in passages:
            times = passages[state]
            mean = _mean(law, times) + shift
            columns.append([law[state] * (mean - time) for time in times])
        else:
            left = [x for x in size if x not in passages]
            visits = _until_left(P, left, {x: Fraction(x == state) for x in left})
            columns.append([visits.get(x, _ZERO) for x in size])
    return tuple(zip(*columns, strict=True))


@second_opinion("markov.ergodicity_coefficient", engine="mpfr", rigorous=True)
def ergodicity_coefficient(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return the largest least sum of distances, exactly."""
    return Enclosure.of(max(map(_least_sum, zip(*P, strict=True))))


def _least_sum(column: tuple[Fraction, ...]) -> Fraction:
    return min(_sum_of_distances(column, c) for c in column)


def _sum_of_distances(column: tuple[Fraction, ...], c: Fraction) -> Fraction:
    check_budget()
    return sum((abs(entry - c) for entry in column), Fraction(0))


@second_opinion("markov.dobrushin_coefficient", engine="mpfr", rigorous=True)
def dobrushin_coefficient(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return 1 less the least that two rows have in common, exactly."""
    return Enclosure.of(1 - min(_in_common(one, other) for one, other in combinations(P, 2)))


def _in_common(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
    check_budget()
    return sum(map(min, one, other), Fraction(0))


@second_opinion("markov.communicating_classes", engine="mpfr", rigorous=True)
def communicating_classes(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Count the states from which no earlier one is reached that leads back."""
    sets = [reached(P, state) for state in range(len(P))]
    first = (
        not any(earlier in found and state in sets[earlier] for earlier in range(state))
        for state, found in enumerate(sets)
    )
    return Enclosure.of(Fraction(sum(first)))


@second_opinion("markov.period", engine="mpfr", rigorous=True)
def period(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return the greatest common divisor of the lengths, up to the number of states, of returns.

    Every closed path is made of cycles that visit no state twice, which are no longer than that.
    """
    moves = [{y for y, share in enumerate(row) if share} for row in P]
    found = 0
    for start in range(len(P)):
        ends = {start}
        for steps in range(1, len(P) + 1):
            check_budget()
            ends = set().union(*(moves[state] for state in ends))
            if start in ends:
                found = gcd(found, steps)
    return Enclosure.of(Fraction(found))
