"""The laws of a chain's other nodes given one node, and their largest ratios, in exact rationals.

Backward along the chain run in reverse, P(X_(j-1) = y' | X_j = y) =
P(X_(j-1) = y') P(y', y)/P(X_j = y), and forward by its own moves. For any start the law of the node
and the moves are taken apart: the first engine's formula, in rationals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from gmpy2 import mpq

from ...precision import check_budget
from ...structures import ANY, STATIONARY, ChainLaw, Matrix
from ..directed import OutOfReachError

# gmpy2 ships no types: a rational number.
Rational: TypeAlias = "mpq"
Rows: TypeAlias = list[list[Rational]]
# A ratio, or None where it is infinite.
Ratio: TypeAlias = "mpq | None"


class NodeLaws:
    """The largest ratio of each lag's law given one value of a node and given another."""

    def __init__(self, chain: ChainLaw, node: int) -> None:
        self.node = node
        self.P: Rows = [[mpq(*entry.as_integer_ratio()) for entry in row] for row in chain.P]
        self._any = chain.initial == ANY
        law = _start(chain)
        self._laws = [law]
        for _ in range(node - 1 if chain.initial != STATIONARY else 0):
            check_budget()
            self._laws.append(_moved(self._laws[-1], self.P))
        self.values = [x for x, share in enumerate(self.law(node)) if share]
        self._ahead = _identity(len(law))
        self._ratios: tuple[list[dict[tuple[int, int], Ratio]], ...] = ([], [])
        self._behind = _identity(len(law))
        self._powers = [_identity(len(law))]

    def law(self, node: int) -> list[Rational]:
        """Return the law of a node at or before this one; for any start, from a uniform one."""
        return self._laws[min(node, len(self._laws)) - 1]

    def largest(self, left: int, right: int) -> Ratio:
        """Return e to the max-influence on the quilt at these lags, 0 for an absent side."""
        largest: Ratio = mpq(1)
        for pair in permutations(self.values, 2):
            ratio = mpq(1)
            for lag, ratios in ((left, self._left), (right, self._right)):
                found = ratios(lag)[pair] if lag else mpq(1)
                if found is None:
                    return None
                ratio *= found
            largest = max(largest, ratio)
        return largest

    def _right(self, lag: int) -> dict[tuple[int, int], Ratio]:
        known = self._ratios[1]
        while len(known) < lag:
            self._ahead = [_moved(row, self.P) for row in self._ahead]
            known.append({(x, z): _ratio(self._ahead[x], self._ahead[z]) for x, z in self._pairs()})
        return known[lag - 1]

    def _left(self, lag: int) -> dict[tuple[int, int], Ratio]:
        known = self._ratios[0]
        while len(known) < lag:
            check_budget()
            step = _reversed(self.law(self.node - len(known) - 1), self.P)
            self._behind = [_moved(row, step) for row in self._behind]
            known.append({(x, z): self._backward(x, z, len(known) + 1) for x, z in self._pairs()})
        return known[lag - 1]

    def _backward(self, x: int, other: int, lag: int) -> Ratio:
        if not self._any:
            return _ratio(self._behind[x], self._behind[other])
        step, whole = self._power(lag), self._power(self.node - 1)
        sources = [y for y, share in enumerate(self.law(self.node - lag)) if share]
        ratio = _ratio([step[y][x] for y in sources], [step[y][other] for y in sources])
        prior = _ratio([row[other] for row in whole], [row[x] for row in whole])
        return None if ratio is None or prior is None else ratio * prior

    def _power(self, steps: int) -> Rows:
        while len(self._powers) <= steps:
            self._powers.append([_moved(row, self.P) for row in self._powers[-1]])
        return self._powers[steps]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return permutations(self.values, 2)


def _identity(size: int) -> Rows:
    return [[mpq(x == y) for y in range(size)] for x in range(size)]


def _moved(law: Sequence[Rational], P: Rows) -> list[Rational]:
    return [sum((p * row[y] for p, row in zip(law, P, strict=True)), mpq(0)) for y in range(len(P))]


def _reversed(before: Sequence[Rational], P: Rows) -> Rows:
    """Return the law of a node given each value of the next one; zeros where that cannot be."""
    after = _moved(before, P)
    return [
        [before[y] * P[y][x] / after[x] if after[x] else mpq(0) for y in range(len(P))]
        for x in range(len(P))
    ]


def _ratio(tops: Sequence[Rational], bottoms: Sequence[Rational]) -> Ratio:
    pairs = [(top, bottom) for top, bottom in zip(tops, bottoms, strict=True) if top]
    if not all(bottom for _, bottom in pairs):
        return None
    return max(top / bottom for top, bottom in pairs)


def _start(chain: ChainLaw) -> list[Rational]:
    """Return the law of the first node; a uniform one stands for any start."""
    if chain.initial == ANY:
        return [mpq(1, len(chain.P))] * len(chain.P)
    if chain.initial == STATIONARY:
        return _stationary(chain.P)
    return [mpq(*Fraction(share).as_integer_ratio()) for share in chain.initial]


def _stationary(P: Matrix) -> list[Rational]:
    """Return the stationary law by censoring the states away one by one, last to first.

    What a state passes on is given to where it comes back to (the state reduction of Grassmann,
    Taksar and Heyman 1985), which needs no subtraction; a state that cannot reach an earlier one
    takes all that the earlier ones have, so it is put first.
    """
    size = len(P)
    order = _recurrent_first(P)
    rows = [[mpq(*P[x][y].as_integer_ratio()) for y in order] for x in order]
    leaving = [mpq(1)] * size
    for last in range(size - 1, 0, -1):
        out = sum(rows[last][:last], mpq(0))
        for x in range(last):
            for y in range(last):
                rows[x][y] += rows[x][last] * rows[last][y] / out
        leaving[last] = out
    weights = [mpq(1)]
    for x in range(1, size):
        weights.append(sum((weights[y] * rows[y][x] for y in range(x)), mpq(0)) / leaving[x])
    law = [mpq(0)] * size
    for state, weight in zip(order, weights, strict=True):
        law[state] = weight / sum(weights)
    return law


def _recurrent_first(P: Matrix) -> list[int]:
    """Return the states in order of their distance to one that all states lead to.

    Then each state but the first can move to an earlier one.
    """
    for root in range(len(P)):
        order = [root]
        for state in order:
            order += [x for x in range(len(P)) if P[x][state] and x not in order]
        if len(order) == len(P):
            return order
    raise OutOfReachError
