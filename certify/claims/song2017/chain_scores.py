"""Scores of the quilts of a two-state chain's nodes, in two ways that share no formula.

The first multiplies exact quotients of powers of the transitions and takes balls' logarithms. The
second has the quotients in closed form (proofs_notes/two-state-corner.md) and MPFR's logarithms.
A quilt's score is at least its card over epsilon, so larger cards than the least score allows are
not looked at.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.second.directed import Span
from .exact_chains import Law, Moves, after, largest, near, power

_BITS = 128
Lags: TypeAlias = tuple[int, int]
# The pairs of values (x, x') of the two states.
_PAIRS = ((0, 1), (1, 0))


class Scores(ABC):
    """The scores of the quilts of the nodes of a chain of two states."""

    def __init__(self, start: Law, moves: Moves, length: int, epsilon: Fraction) -> None:
        self.start, self.moves, self.length, self.epsilon = start, moves, length, epsilon

    @abstractmethod
    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score; None if it is infinite."""

    def least(self, node: int) -> tuple[Enclosure, Lags]:
        """Return a node's least score with its quilt.

        Raises ArithmeticError where two quilts are not told apart.
        """
        trivial = Enclosure.of(self.length / self.epsilon)
        found = [(trivial, (0, 0))]
        for lags in sorted(self._quilts(node), key=lambda lags: self._card(node, lags)):
            if found[0][0].is_below(self._card(node, lags) / self.epsilon) is Trilean.TRUE:
                break
            score = self.score(node, lags)
            if score and not score.low > found[0][0].high:
                found = [(score, lags)] if score.high < found[0][0].low else [*found, (score, lags)]
        if len(found) > 1:
            raise ArithmeticError(f"node {node}: {found} are not told apart")
        return found[0]

    def largest(self) -> tuple[Enclosure, int]:
        """Return the largest over the nodes of the least score, and the only node that has it.

        Raises ArithmeticError where two nodes are not told apart.
        """
        least = [(self.least(node)[0], node) for node in range(1, self.length + 1)]
        top, node = max(least, key=lambda one: one[0].low)
        if any(other.high >= top.low for other, at in least if at != node):
            raise ArithmeticError("several nodes have the largest score")
        return top, node

    def _card(self, node: int, lags: Lags) -> int:
        return near(node, self.length, *lags)

    def _quilts(self, node: int) -> Iterator[Lags]:
        for left in range(node):
            for right in range(self.length - node + 1):
                if left or right:
                    yield left, right


class ByPowers(Scores):
    """By exact powers; ``all_states`` as (5) is printed, else over the possible values."""

    def __init__(
        self, start: Law, moves: Moves, length: int, epsilon: Fraction, *, all_states: bool
    ) -> None:
        super().__init__(start, moves, length, epsilon)
        self.all_states = all_states
        self.power = cache(lambda steps: power(moves, steps))
        self.law = cache(lambda node: after(start, moves, node - 1))

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score from exact quotients."""
        ratio = max((self._ratio(node, lags, *pair) for pair in self._pairs(node)), default=1)
        with working_precision(_BITS):
            room = ball(self.epsilon) - ball(Fraction(ratio)).log()
            return enclosure_of(self._card(node, lags) / room) if room > 0 else None

    def _pairs(self, node: int) -> list[tuple[int, int]]:
        own = self.law(node)
        return [(x, other) for x, other in _PAIRS if own[x] and own[other]]

    def _ratio(self, node: int, lags: Lags, x: int, other: int) -> Fraction:
        (left, right), own = lags, self.law(node)
        found = Fraction(1)
        if left:
            before = self.law(node - left)
            rows = zip(self.power(left), before, strict=True)
            kept = (row for row, can in rows if can or self.all_states)
            found *= Fraction(largest((row[x], row[other]) for row in kept)) * own[other] / own[x]
        if right:
            ahead = self.power(right)
            found *= Fraction(largest(zip(ahead[x], ahead[other], strict=True)))
        return found


class ByClosedForm(Scores):
    """By the closed form for two states, over all states of the left node."""

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score from the closed form."""
        ratios = [self._ratio(node, lags, *pair) for pair in _PAIRS if self._is_possible(node)]
        room = Span.of(self.epsilon, _BITS) - Span.of(max(ratios, default=Fraction(1)), _BITS).log()
        if room.sign <= 0:
            return None
        return (Span.of(self._card(node, lags), _BITS) / room).enclosure()

    def _pi(self) -> tuple[Fraction, Fraction]:
        leave, come = self.moves[0][1], self.moves[1][0]
        return come / (leave + come), leave / (leave + come)

    def _chance(self, node: int, x: int) -> Fraction:
        pi = self._pi()[x]
        return pi + self._slope() ** (node - 1) * (self.start[x] - pi)

    def _is_possible(self, node: int) -> bool:
        return 0 < self._chance(node, 0) < 1

    def _slope(self) -> Fraction:
        return 1 - self.moves[0][1] - self.moves[1][0]

    def _row_ratio(self, lag: int, x: int, other: int) -> Fraction:
        """Return e^F of the corner note: (1 + r m)/(1 - m) for a positive slope's power m."""
        pi, m = self._pi(), self._slope() ** lag
        odds = pi[other] / pi[x]
        return (1 + odds * m) / (1 - m) if m >= 0 else (1 - m) / (1 + m / odds)

    def _ratio(self, node: int, lags: Lags, x: int, other: int) -> Fraction:
        (left, right), pi, found = lags, self._pi(), Fraction(1)
        if left:
            found *= pi[x] / pi[other] * self._row_ratio(left, x, other)
            found *= self._chance(node, other) / self._chance(node, x)
        return found * (self._row_ratio(right, x, other) if right else 1)


def both_ways(
    start: Law, moves: Moves, length: int, epsilon: Fraction, *, all_states: bool
) -> tuple[Scores, Scores]:
    """Return the scores in both ways."""
    first = ByPowers(start, moves, length, epsilon, all_states=all_states)
    return first, ByClosedForm(start, moves, length, epsilon)
