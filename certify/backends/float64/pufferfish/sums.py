"""The law of an additive query of a chain given each state of each node, in whole numbers.

Forward, the weight of each sum so far and state; backward, of what is added later. Probabilities
are doubles, so times powers of two they are whole numbers, and nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeAlias

import numpy as np

from .chain import STATIONARY, ChainLaw, closed_class
from .line import Atoms

Rows = Sequence[Sequence[float]]
Weights: TypeAlias = list[dict[int, int]]
# Products of whole numbers in all; each takes about a microsecond or less.
_MOST_PRODUCTS = 400_000


class Steps(NamedTuple):
    """What each state adds to the query at each node, in whole units above the node's least."""

    unit: Fraction
    steps: list[tuple[int, ...]]


def steps_of(values: Rows, length: int) -> Steps:
    """Return the query's steps; a single row of values serves every node."""
    exact = [[Fraction(value) for value in row] for row in values]
    common = lcm(*(value.denominator for row in exact for value in row))
    above = [tuple(int((value - min(row)) * common) for value in row) for row in exact]
    unit = gcd(*(value for row in above for value in row)) or 1
    steps = [tuple(value // unit for value in row) for row in above]
    return Steps(Fraction(unit, common), steps * length if len(steps) == 1 else steps)


def sums_of(steps: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return the sums that there can be after each node."""
    found: list[list[int]] = []
    known = {0}
    for row in steps:
        known = {total + step for total in known for step in row}
        found.append(sorted(known))
    return found


def is_little_work(states: int, steps: Sequence[tuple[int, ...]]) -> bool:
    """Whether exact laws take a second at most."""
    many, nodes = len(sums_of(steps)[-1]), len(steps)
    # Products have as many digits as there are nodes, nearly.
    return nodes * states * many * (states + many) * (1 + nodes // 50) <= _MOST_PRODUCTS


def exact_laws(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[list[Atoms]]:
    """Yield, node by node, the law of the query given each state that can be there."""
    (start,), rows = _whole([_exact_start(law)]), _whole(law["P"])
    later = list(_backward(rows, steps))
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


def _backward(rows: Sequence[Sequence[int]], steps: Sequence[tuple[int, ...]]) -> Iterator[Weights]:
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
