"""Second opinions on the Markov quilts of a chain, node by node in exact rationals.

Of all quilts that leave so many nodes near the protected one, that with the least ratio is chosen
exactly; only then logarithms are taken, by MPFR. Every node is searched, but for a stationary
chain's nodes that are farther from both ends than any quilt that counts: they are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from gmpy2 import mpq

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import STATIONARY, ChainLaw, Matrix
from ..directed import OutOfReachError, Span, or_nothing
from ..opinion import second_opinion
from .quilt_laws import NodeLaws
from .scores import Score, epsilon_score, influence_of, scale_score

# Bits that the rationals may come to have, and multiplications of one power: beyond, seconds each.
_MOST_BITS, _MOST_WORK = 20_000, 20_000


def _scores(chain: ChainLaw, node: int, length: int, width: int, score: Score) -> Span | None:
    """Return the least score over a node's quilts, by how many nodes they leave near it."""
    quilts = NodeLaws(chain, node)
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


def _worst(
    bits: int,
    chains: Sequence[ChainLaw],
    length: int,
    width: int,
    score: Score,
) -> Enclosure:
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
    return influence_of(bits, NodeLaws(chain, node).largest(left, right))


@second_opinion("pufferfish.quilt_scale_exact", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_exact(
    bits: int, chains: tuple[ChainLaw, ...], length: int, epsilon: Fraction, width: int
) -> Enclosure:
    """Enclose MQMExact's scale, searching node by node."""
    return _worst(bits, chains, length, width, scale_score(bits, epsilon))


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
        _worst(bits, chains, length, width, scale_score(bits, epsilon)) for length in set(lengths)
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
    return _worst(bits, chains, length, width, epsilon_score(bits, scales))
