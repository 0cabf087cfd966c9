"""Exact inputs and chains that the statements share: laws, influences and scores."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from random import Random
from typing import Any, TypeAlias

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.second.directed import Span

Texts: TypeAlias = list[str]
Rows: TypeAlias = list[Texts]

# The running example of Section 4.4 (p. 7): T = 100, epsilon = 1, states 0 and 1.
LENGTH = 100
START_1, P_1 = ["1", "0"], [["0.9", "0.1"], ["0.4", "0.6"]]
START_2, P_2 = ["0.9", "0.1"], [["0.8", "0.2"], ["0.3", "0.7"]]
# The example of Section 4.3 has three steps and the transitions of the first chain.
START_OF_THREE = ["0.8", "0.2"]
# The chains of the example of Section 2.2, with three activities.
ACTIVITIES = (
    (["1", "0", "0"], [["0.1", "0.5", "0.4"], ["0.4", "0.3", "0.3"], ["0.3", "0.3", "0.4"]]),
    (["0", "1", "0"], [["0.9", "0.1", "0.0"], ["0.0", "0.9", "0.1"], ["0.1", "0.0", "0.9"]]),
)
# The law of the number of infected people in a clique of four, Section 3.1.
INFECTED = ["0.1", "0.15", "0.5", "0.15", "0.1"]
# Three and more bits as data sets, in the order of counting.
FIVE_BITS = tuple(product((0, 1), repeat=5))


def one_chain(start: Texts | str, rows: Rows) -> list[dict[str, Any]]:
    """Return a class of one chain."""
    return [{"initial": start, "P": rows}]


def symmetric(stay: str) -> Rows:
    """Return the transitions of two states that stay with this probability."""
    leave = str(1 - Fraction(stay))
    return [[stay, leave], [leave, stay]]


def slow_line(states: int) -> Rows:
    """Return 1 -> 2 -> ... -> n, from n back to 1 or nowhere with probability 1/2 each."""
    ahead = [[str(int(to == at + 1)) for to in range(states)] for at in range(states - 1)]
    return [*ahead, ["1/2", *["0"] * (states - 2), "1/2"]]


def numbers(texts: Sequence[str]) -> tuple[Fraction, ...]:
    """Return a list of texts as exact numbers."""
    return tuple(map(Fraction, texts))


def matrix(rows: Rows) -> tuple[tuple[Fraction, ...], ...]:
    """Return rows of texts as exact numbers."""
    return tuple(map(numbers, rows))


def secrets_of_bits(data_sets: Sequence[tuple[int, ...]]) -> tuple[list[list[int]], list[Texts]]:
    """Return "bit i is 0" and "bit i is 1" for every bit, as lists of data sets, and the pairs."""
    bits = range(len(data_sets[0]))
    secrets = [
        [at for at, x in enumerate(data_sets, 1) if x[bit] == value]
        for bit in bits
        for value in (0, 1)
    ]
    return secrets, [[str(2 * bit + 1), str(2 * bit + 2)] for bit in bits]


# Laws of a short Markov chain in rationals: by its paths, and by formulas on powers.

Law: TypeAlias = tuple[Fraction, ...]
Moves: TypeAlias = tuple[Law, ...]
# A largest quotient of probabilities; infinite where a possible outcome meets an impossible one.
Ratio: TypeAlias = Fraction | float


def random_law(random: Random, size: int, least: int = 1) -> tuple[Fraction, ...]:
    """Return a law of small rationals."""
    weights = [random.randint(least, 9) for _ in range(size)]
    weights[0] += not sum(weights)
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def after(law: Law, moves: Moves, steps: int = 1) -> Law:
    """Return the law of the state so many steps later."""
    for _ in range(steps):
        later = [Fraction(0)] * len(moves)
        for q, row in zip(law, moves, strict=True):
            for to, share in enumerate(row):
                if q and share:
                    later[to] += q * share
        law = tuple(later)
    return law


def power(moves: Moves, steps: int) -> Moves:
    """Return the transitions over so many steps."""
    points = ([Fraction(at == to) for to in range(len(moves))] for at in range(len(moves)))
    return tuple(after(tuple(point), moves, steps) for point in points)


def multiplied(one: Moves, other: Moves) -> Moves:
    """Return the product of two matrices."""
    return tuple(after(row, other) for row in one)


def reversed_in_time(moves: Moves, pi: Law) -> Moves:
    """Return the time reversal of Definition 4.7."""
    states = range(len(pi))
    return tuple(tuple(moves[y][x] * pi[y] / pi[x] for y in states) for x in states)


def paths(start: Law, moves: Moves, length: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield every possible path with its probability."""
    for path in product(range(len(moves)), repeat=length):
        steps = (moves[x][y] for x, y in pairwise(path))
        chance = start[path[0]] * math.prod(steps, start=Fraction(1))
        if chance:
            yield path, chance


def influence_by_paths(
    start: Law, moves: Moves, length: int, node: int, quilt: Sequence[int]
) -> Ratio:
    """Return e to the max-influence of a node on a set of others, by Definition 4.1."""
    joint: dict[tuple[int, tuple[int, ...]], Fraction] = {}
    for path, chance in paths(start, moves, length):
        key = (path[node - 1], tuple(path[at - 1] for at in quilt))
        joint[key] = joint.get(key, Fraction(0)) + chance
    own = after(start, moves, node - 1)
    values = {x for x, _ in joint}
    found: Ratio = Fraction(1)
    for (x, seen), chance in joint.items():
        for other in values - {x}:
            below = joint.get((other, seen), Fraction(0))
            found = max(found, chance / own[x] * own[other] / below if below else math.inf)
    return found


def influence_by_formula(
    start: Law, moves: Moves, node: int, left: int, right: int, *, all_states: bool = False
) -> Ratio:
    """Return e to the influence on the nodes so far to the left and right, by equation (5).

    A lag of 0 leaves its side out. The backward maximum runs over the values that the left node
    can have; with ``all_states`` over every state, as (5) is printed.
    """
    own = after(start, moves, node - 1)
    before = after(start, moves, node - 1 - left)
    back, ahead = power(moves, left), power(moves, right)
    found: Ratio = Fraction(1)
    for x, other in permutations([x for x, chance in enumerate(own) if chance], 2):
        sides: list[Ratio] = [Fraction(1)]
        if left:
            rows = (row for row, can in zip(back, before, strict=True) if can or all_states)
            sides += [largest((row[x], row[other]) for row in rows), own[other] / own[x]]
        if right:
            sides.append(largest(zip(ahead[x], ahead[other], strict=True)))
        found = max(found, multiplied_ratios(sides))
    return found


def multiplied_ratios(ratios: Sequence[Ratio]) -> Ratio:
    """Return a product of positive ratios; infinite where one is."""
    if math.inf in ratios:
        return math.inf
    return math.prod((Fraction(ratio) for ratio in ratios), start=Fraction(1))


def largest(pairs: Iterable[tuple[Fraction, Fraction]]) -> Ratio:
    """Return the largest quotient, 0/0 left out."""
    found: Ratio = Fraction(0)
    for top, bottom in pairs:
        if top or bottom:
            found = max(found, top / bottom if bottom else math.inf)
    return found


def near(node: int, length: int, left: int, right: int) -> int:
    """Return how many nodes a quilt of these lags leaves with the node."""
    return (left or node) + (right or length - node + 1) - 1


def worst_ratio_to(pi: Law, moves: Moves) -> Fraction:
    """Return the largest |P(x, y)/pi(y) - 1|."""
    return max(abs(p / q - 1) for row in moves for p, q in zip(row, pi, strict=True))


# Scores of the quilts of a two-state chain's nodes, in two ways that share no formula.
#
# The first multiplies exact quotients of powers of the transitions and takes balls' logarithms. The
# second has the quotients in closed form (proofs_notes/two-state-corner.md) and MPFR's logarithms.
# A quilt's score is at least its card over epsilon, so larger cards than the least score allows are
# not looked at.

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
    """By exact powers; ``all_states`` over every state of the left node, as (5) is printed.

    Without ``forward`` the second term of (5) is 0, as it is printed, with x' for x.
    """

    def __init__(
        self,
        start: Law,
        moves: Moves,
        length: int,
        epsilon: Fraction,
        *,
        all_states: bool,
        forward: bool = True,
    ) -> None:
        super().__init__(start, moves, length, epsilon)
        self.all_states, self.forward = all_states, forward
        # Each from the one before.
        self.power = cache(
            lambda steps: multiplied(self.power(steps - 1), moves) if steps else power(moves, 0)
        )
        self.law = cache(
            lambda node: after(self.law(node - 1), moves) if node > 1 else tuple(start)
        )
        self.behind, self.ahead = cache(self._behind), cache(self._ahead)

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
        (left, right), found = lags, Fraction(1)
        if left:
            own, before = self.law(node), self.law(node - left)
            kept = tuple(bool(can) or self.all_states for can in before)
            found *= self.behind(left, kept, x, other) * (own[other] / own[x])
        if right and self.forward:
            found *= self.ahead(right, x, other)
        return found

    def _behind(self, left: int, kept: tuple[bool, ...], x: int, other: int) -> Fraction:
        rows = zip(self.power(left), kept, strict=True)
        return Fraction(largest((row[x], row[other]) for row, can in rows if can))

    def _ahead(self, right: int, x: int, other: int) -> Fraction:
        rows = self.power(right)
        return Fraction(largest(zip(rows[x], rows[other], strict=True)))


class _ByClosedForm(Scores):
    """By the closed form for two states, over all states of the left node."""

    def __init__(
        self, start: Law, moves: Moves, length: int, epsilon: Fraction, *, forward: bool
    ) -> None:
        super().__init__(start, moves, length, epsilon)
        self.forward = forward
        leave, come = moves[0][1], moves[1][0]
        self.pi, self.slope = (come / (leave + come), leave / (leave + come)), 1 - leave - come
        self.chance, self.row_ratio = cache(self._chance), cache(self._row_ratio)

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score from the closed form."""
        ratios = [self._ratio(node, lags, *pair) for pair in _PAIRS if self._is_possible(node)]
        room = Span.of(self.epsilon, _BITS) - Span.of(max(ratios, default=Fraction(1)), _BITS).log()
        if room.sign <= 0:
            return None
        return (Span.of(self._card(node, lags), _BITS) / room).enclosure()

    def _chance(self, node: int, x: int) -> Fraction:
        return self.pi[x] + self.slope ** (node - 1) * (self.start[x] - self.pi[x])

    def _is_possible(self, node: int) -> bool:
        return 0 < self.chance(node, 0) < 1

    def _row_ratio(self, lag: int, x: int, other: int) -> Fraction:
        """Return e^F of the corner note: (1 + r m)/(1 - m) for a positive slope's power m."""
        m, odds = self.slope**lag, self.pi[other] / self.pi[x]
        return (1 + odds * m) / (1 - m) if m >= 0 else (1 - m) / (1 + m / odds)

    def _ratio(self, node: int, lags: Lags, x: int, other: int) -> Fraction:
        (left, right), found = lags, Fraction(1)
        if left:
            found *= self.pi[x] / self.pi[other] * self.row_ratio(left, x, other)
            found *= self.chance(node, other) / self.chance(node, x)
        return found * (self.row_ratio(right, x, other) if right and self.forward else 1)


def both_ways(
    start: Law,
    moves: Moves,
    length: int,
    epsilon: Fraction,
    *,
    all_states: bool,
    forward: bool = True,
) -> tuple[Scores, Scores]:
    """Return the scores in both ways."""
    first = ByPowers(start, moves, length, epsilon, all_states=all_states, forward=forward)
    return first, _ByClosedForm(start, moves, length, epsilon, forward=forward)
