"""Second opinion on the scale of a class of two-state chains, in closed form; rigorous, by MPFR.

In the symmetric chain that stays with probability p let m = |2p - 1|. The largest log-ratio of two
rows of its t-th power is F_t = log(1 + 2 m^t/(1 - m^t)), and every influence under all initial laws
is a sum of these: F_b to the right; F_a + F_(i-1) to the left, the latter for what the initial law
tells of node i. All quilts of all nodes are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import gmpy2

from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError, Span, or_nothing
from ..opinion import second_opinion

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
