"""Second opinions on the Markov quilts of a chain, node by node in exact rationals.

Of all quilts that leave so many nodes near the protected one, that with the least ratio is chosen
exactly; only then logarithms are taken, by MPFR. Every node is searched, but for a stationary
chain's nodes that are farther from both ends than any quilt that counts: they are alike.

The laws of a chain's other nodes given one node run backward along the chain run in reverse,
P(X_(j-1) = y' | X_j = y) = P(X_(j-1) = y') P(y', y)/P(X_j = y), and forward by its own moves. For
any start the law of the node and the moves are taken apart: the first engine's formula, in
rationals.

The scale of a class of two-state chains has a closed form. In the symmetric chain that stays with
probability p let m = |2p - 1|. The largest log-ratio of two rows of its t-th power is
F_t = log(1 + 2 m^t/(1 - m^t)), and every influence under all initial laws is a sum of these: F_b to
the right; F_a + F_(i-1) to the left, the latter for what the initial law tells of node i. All
quilts of all nodes are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import TypeAlias

import gmpy2
from gmpy2 import mpq

from ....enclosure import Enclosure
from ....precision import check_budget
from ....structures import ANY, STATIONARY, ChainLaw, Matrix
from ...directed import OutOfReachError, Span, or_nothing
from ...opinion import second_opinion

Rational: TypeAlias = "mpq"
# The score of a quilt that leaves so many nodes and has that ratio; None where it is infinite.
Score: TypeAlias = "Callable[[int, Rational], Span | None]"


def influence_of(bits: int, ratio: Rational | None) -> Enclosure:
    """Enclose the logarithm of a largest ratio; None stands for an infinite one, 1 is exact."""
    if ratio is None:
        return Enclosure.infinite()
    return Enclosure.of(Fraction(0), bits) if ratio == 1 else log_ratio(bits, ratio).enclosure()


def scale_score(bits: int, epsilon: Fraction) -> Score:
    """Return the scale that a quilt asks for this epsilon."""

    def score(near: int, ratio: Rational) -> Span | None:
        left = Span.of(epsilon, bits) - log_ratio(bits, ratio)
        return None if left.sign < 0 else Span.of(near, bits) / left

    return score


def epsilon_score(bits: int, scales: Sequence[Fraction]) -> Score:
    """Return the epsilon that noise of these scales gives through a quilt."""
    rate = sum((1 / scale for scale in scales), Fraction(0))

    def score(near: int, ratio: Rational) -> Span:
        return Span.of(near * rate, bits) + log_ratio(bits, ratio)

    return score


def log_ratio(bits: int, ratio: Rational) -> Span:
    """Enclose the logarithm of a ratio that is at least 1."""
    excess = ratio - 1
    return Span.of_ratio(int(excess.numerator), int(excess.denominator), bits).log1p()


# Bits that the rationals may come to have, and multiplications of one power: beyond, seconds each.
_MOST_BITS, _MOST_WORK = 20_000, 20_000


def _scores(chain: ChainLaw, node: int, length: int, width: int, score: Score) -> Span | None:
    """Return the least score over a node's quilts, by how many nodes they leave near it."""
    quilts = _NodeLaws(chain, node)
    if len(quilts.values) == 1:
        return None
    least = _without_influence(score, length)
    for card in range(1, min(width, length - 1) + 1):
        check_budget()
        if _without_influence(score, card).low >= least.high:
            break
        ratios = [quilts.largest(*lags) for lags in _lags(node, length, card)]
        finite = [ratio for ratio in ratios if ratio is not None]
        found = score(card, min(finite)) if finite else None
        if found is not None:
            least = Span(min(least.low, found.low), min(least.high, found.high))
    return least


def _without_influence(score: Score, card: int) -> Span:
    found = score(card, mpq(1))
    if found is None:
        raise OutOfReachError
    return found


def _lags(node: int, length: int, card: int) -> Iterator[tuple[int, int]]:
    """Yield the lags of the quilts that leave so many nodes, all but the trivial one."""
    for left in range(1, card + 1):
        right = card + 1 - left
        if left < node and right <= length - node:
            yield left, right
    left, right = card - (length - node), card + 1 - node
    if 1 <= left < node:
        yield left, 0
    if 1 <= right <= length - node:
        yield 0, right


def worst(
    bits: int,
    chains: Sequence[ChainLaw],
    length: int,
    width: int,
    score: Score,
) -> Enclosure:
    """Enclose the largest over chains and nodes of the least score of a quilt."""
    found = []
    for chain in chains:
        nodes: Iterator[int] | range = range(1, length + 1)
        if chain.initial == STATIONARY:
            nodes = _different_nodes(chain, length, width, score)
        for node in nodes:
            if chain.initial != STATIONARY:
                _require_reach(chain, node)
            found.append(_scores(chain, node, length, width, score))
    known = [span for span in found if span is not None]
    if not known:
        return Enclosure.of(Fraction(0), bits)
    return Span(max(one.low for one in known), max(one.high for one in known)).enclosure()


def _different_nodes(chain: ChainLaw, length: int, width: int, score: Score) -> Iterator[int]:
    """Yield one of all nodes that are farther from both ends than any quilt that counts.

    Those have the same two-sided quilts, and no other with a score as small as the one found.
    """
    reach = 1
    while 2 * reach < length:
        _require_reach(chain, reach)
        middle = _scores(chain, (length + 1) // 2, length, min(reach, width), score)
        if middle is None or _without_influence(score, reach).low >= middle.high:
            yield from range(1, min(reach + 1, length) + 1)
            yield from range(max(length - reach, reach + 2), length + 1)
            return
        reach *= 2
    yield from range(1, length + 1)


def _require_reach(chain: ChainLaw, steps: int) -> None:
    if len(chain.P) ** 3 > _MOST_WORK:
        raise OutOfReachError
    common = 1
    for row in chain.P:
        for entry in row:
            common = lcm(common, entry.denominator)
            if steps * common.bit_length() > _MOST_BITS:
                raise OutOfReachError


@second_opinion("pufferfish.max_influence", engine="mpfr", rigorous=True)
@or_nothing
def max_influence(
    bits: int,
    initial: tuple[Fraction, ...] | str,
    P: Matrix,
    node: int,
    left: int,
    right: int,
) -> Enclosure:
    """Enclose the max-influence of a node on two others, from their laws given the node."""
    chain = ChainLaw(initial, P)
    _require_reach(chain, max(node, left, right))
    return influence_of(bits, _NodeLaws(chain, node).largest(left, right))


@second_opinion("pufferfish.quilt_scale_exact", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_exact(
    bits: int, chains: tuple[ChainLaw, ...], length: int, epsilon: Fraction, width: int
) -> Enclosure:
    """Enclose MQMExact's scale, searching node by node."""
    return worst(bits, chains, length, width, scale_score(bits, epsilon))


@second_opinion("pufferfish.quilt_scale_pieces", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_pieces(
    bits: int,
    chains: tuple[ChainLaw, ...],
    lengths: tuple[int, ...],
    epsilon: Fraction,
    width: int,
) -> Enclosure:
    """Enclose the largest of MQMExact's scales for the pieces, each searched for itself."""
    found = [
        worst(bits, chains, length, width, scale_score(bits, epsilon)) for length in set(lengths)
    ]
    known = {one.exact for one in found}
    exact = known.pop() if len(known) == 1 else None
    return Enclosure(max(one.low for one in found), max(one.high for one in found), exact)


@second_opinion("pufferfish.quilt_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def quilt_epsilon(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    scales: tuple[Fraction, ...],
    width: int,
) -> Enclosure:
    """Enclose the epsilon that noise of these scales gives through quilts."""
    return worst(bits, chains, length, width, epsilon_score(bits, scales))


_Rows: TypeAlias = list[list[Rational]]
# A ratio, or None where it is infinite.
_Ratio: TypeAlias = "mpq | None"


class _NodeLaws:
    """The largest ratio of each lag's law given one value of a node and given another."""

    def __init__(self, chain: ChainLaw, node: int) -> None:
        self.node = node
        self.P: _Rows = [[mpq(*entry.as_integer_ratio()) for entry in row] for row in chain.P]
        self._any = chain.initial == ANY
        law = _start(chain)
        self._laws = [law]
        for _ in range(node - 1 if chain.initial != STATIONARY else 0):
            check_budget()
            self._laws.append(_moved(self._laws[-1], self.P))
        self.values = [x for x, share in enumerate(self.law(node)) if share]
        self._ahead = _identity(len(law))
        self._ratios: tuple[list[dict[tuple[int, int], _Ratio]], ...] = ([], [])
        self._behind = _identity(len(law))
        self._powers = [_identity(len(law))]

    def law(self, node: int) -> list[Rational]:
        """Return the law of a node at or before this one; for any start, from a uniform one."""
        return self._laws[min(node, len(self._laws)) - 1]

    def largest(self, left: int, right: int) -> _Ratio:
        """Return e to the max-influence on the quilt at these lags, 0 for an absent side."""
        largest: _Ratio = mpq(1)
        for pair in permutations(self.values, 2):
            ratio = mpq(1)
            for lag, ratios in ((left, self._left), (right, self._right)):
                found = ratios(lag)[pair] if lag else mpq(1)
                if found is None:
                    return None
                ratio *= found
            largest = max(largest, ratio)
        return largest

    def _right(self, lag: int) -> dict[tuple[int, int], _Ratio]:
        known = self._ratios[1]
        while len(known) < lag:
            self._ahead = [_moved(row, self.P) for row in self._ahead]
            known.append({(x, z): _ratio(self._ahead[x], self._ahead[z]) for x, z in self._pairs()})
        return known[lag - 1]

    def _left(self, lag: int) -> dict[tuple[int, int], _Ratio]:
        known = self._ratios[0]
        while len(known) < lag:
            check_budget()
            step = _reversed(self.law(self.node - len(known) - 1), self.P)
            self._behind = [_moved(row, step) for row in self._behind]
            known.append({(x, z): self._backward(x, z, len(known) + 1) for x, z in self._pairs()})
        return known[lag - 1]

    def _backward(self, x: int, other: int, lag: int) -> _Ratio:
        if not self._any:
            return _ratio(self._behind[x], self._behind[other])
        step, whole = self._power(lag), self._power(self.node - 1)
        sources = [y for y, share in enumerate(self.law(self.node - lag)) if share]
        ratio = _ratio([step[y][x] for y in sources], [step[y][other] for y in sources])
        prior = _ratio([row[other] for row in whole], [row[x] for row in whole])
        return None if ratio is None or prior is None else ratio * prior

    def _power(self, steps: int) -> _Rows:
        while len(self._powers) <= steps:
            self._powers.append([_moved(row, self.P) for row in self._powers[-1]])
        return self._powers[steps]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return permutations(self.values, 2)


def _identity(size: int) -> _Rows:
    return [[mpq(x == y) for y in range(size)] for x in range(size)]


def _moved(law: Sequence[Rational], P: _Rows) -> list[Rational]:
    return [sum((p * row[y] for p, row in zip(law, P, strict=True)), mpq(0)) for y in range(len(P))]


def _reversed(before: Sequence[Rational], P: _Rows) -> _Rows:
    """Return the law of a node given each value of the next one; zeros where that cannot be."""
    after = _moved(before, P)
    return [
        [before[y] * P[y][x] / after[x] if after[x] else mpq(0) for y in range(len(P))]
        for x in range(len(P))
    ]


def _ratio(tops: Sequence[Rational], bottoms: Sequence[Rational]) -> _Ratio:
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


# Quilts of all nodes together; more of them take some seconds.
_MOST_QUILTS = 200_000
_SPARE_BITS = 32
_INFINITE = Span(gmpy2.inf(), gmpy2.inf())


@second_opinion("pufferfish.quilt_scale_two_state", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_two_state(
    bits: int, low: Fraction, high: Fraction, length: int, epsilon: Fraction, width: int
) -> Enclosure:
    """Enclose the largest over the nodes of the least card/(epsilon - sum of F); rigorous."""
    widest = min(width, length)
    if length * widest * widest > _MOST_QUILTS:
        raise OutOfReachError
    precision = bits + _SPARE_BITS
    ratios = _ratios(max(abs(2 * low - 1), abs(2 * high - 1)), length, precision)
    best = [_least(ratios, node, length, epsilon, widest) for node in range(1, length + 1)]
    found = Span(max(one.low for one in best), max(one.high for one in best))
    trivial = length / epsilon
    if (found - Span.of(trivial, precision)).sign > 0:
        return Enclosure.of(trivial)
    ends = Span.of(trivial, precision)
    return Span(min(found.low, ends.low), min(found.high, ends.high)).enclosure()


def _ratios(size: Fraction, longest: int, bits: int) -> list[Span]:
    """Enclose F at all lags; lag 0 stands for a side that is not there, and has none."""
    one, found, power = Span.of(1, bits), [Span.of(0, bits)], Span.of(1, bits)
    for _ in range(longest):
        power = power * Span.of(size, bits)
        found.append(((power + power) / (one - power)).log1p())
    return found


def _least(ratios: list[Span], node: int, length: int, epsilon: Fraction, widest: int) -> Span:
    """Enclose the least score of a node's quilts, the trivial one left out; infinity if none."""
    check_budget()
    bits = ratios[0].bits
    low, high = _INFINITE.low, _INFINITE.high
    for card, a, b in _quilts(node, length, widest):
        room = Span.of(epsilon, bits) - ratios[a] - ratios[b]
        room = room - ratios[node - 1] if a else room
        if room.sign == 0:
            raise OutOfReachError
        if room.sign > 0:
            score = Span.of(card, bits) / room
            low, high = min(low, score.low), min(high, score.high)
    return Span(low, high)


def _quilts(node: int, length: int, widest: int) -> Iterator[tuple[int, int, int]]:
    """Yield the number of nodes near, and the lags to both sides, 0 where there is no side."""
    for a in range(min(node - 1, widest) + 1):
        for b in range(min(length - node, widest) + 1):
            card = (a or node) + (b or length - node + 1) - 1
            if (a or b) and card <= widest:
                yield card, a, b
