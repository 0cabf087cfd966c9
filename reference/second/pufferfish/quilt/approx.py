"""Second opinions on MQMApprox's scale, by bisection on proved signs; rigorous, by MPFR.

Short chains are answered from the definition: every quilt of every node. For longer ones let n(t)
be the numerator of a score and e(t) its influence, convex and falling in t. Then

    D(t) = epsilon - e(t) - n(t) (e(t) - e(t+1))

rises in t and has the sign of score(t+1) - score(t) wherever these are finite, so that the first
t with D(t) > 0 has the least score. For two-sided quilts t = a + b - 1, and e is the least
influence of all with that sum: convex again, as an infimal convolution.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import gmpy2

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import OutOfReachError, Span, or_nothing
from ...opinion import second_opinion

# Up to this length all quilts of all nodes are looked at: at most length^3/6 of them.
_LONGEST_BY_DEFINITION = 12
SPARE_BITS = 48
_INFINITE = Span(gmpy2.inf(), gmpy2.inf())


@second_opinion("pufferfish.quilt_scale_approx", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_approx(
    bits: int, pi_min: Fraction, gap: Fraction, length: int, epsilon: Fraction
) -> Enclosure:
    """Enclose the scale where an influence to the left counts twice; rigorous."""
    return scale_of(_mixing(bits, pi_min, gap, length, epsilon, 2))


@second_opinion("pufferfish.quilt_scale_approx_stationary", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_approx_stationary(
    bits: int, pi_min: Fraction, gap: Fraction, length: int, epsilon: Fraction
) -> Enclosure:
    """Enclose the scale where an influence counts once on either side; rigorous."""
    return scale_of(_mixing(bits, pi_min, gap, length, epsilon, 1))


def _mixing(
    bits: int, pi_min: Fraction, gap: Fraction, length: int, epsilon: Fraction, backward: int
) -> _Mixing:
    return _Mixing(
        length=length,
        epsilon=epsilon,
        bits=bits + SPARE_BITS,
        pi_min=pi_min,
        gap=gap,
        backward=backward,
    )


@dataclass(frozen=True, kw_only=True)
class Sided(ABC):
    """A chain of this length, and bounds on the influence to either side; None is infinity."""

    length: int
    epsilon: Fraction
    bits: int

    @abstractmethod
    def right(self, lag: int) -> Span | None:
        """Enclose the influence of a node on one so many steps after it."""

    @abstractmethod
    def left(self, lag: int) -> Span | None:
        """Enclose the influence of a node on one so many steps before it."""

    @property
    def even(self) -> bool:
        """Whether both sides have the same bounds."""
        return False

    def number(self, value: Fraction | int) -> Span:
        """Return a number at the precision."""
        return Span.of(value, self.bits)

    def score(self, numerator: int, *influences: Span | None) -> Span:
        """Enclose a score, infinite where the influence reaches epsilon."""
        room = self.number(self.epsilon)
        for influence in influences:
            if influence is None:
                return _INFINITE
            room = room - influence
        if room.sign == 0:
            raise OutOfReachError
        return self.number(numerator) / room if room.sign > 0 else _INFINITE


@dataclass(frozen=True, kw_only=True)
class _Mixing(Sided):
    """With w at all lags asked for; an influence to the left counts ``backward`` times."""

    pi_min: Fraction
    gap: Fraction
    backward: int
    known: dict[int, Span | None] = field(default_factory=dict)

    @property
    def even(self) -> bool:
        return self.backward == 1

    def right(self, lag: int) -> Span | None:
        """Enclose log(1 + 2u/(1-u)), u = e^(-g t/2)/pi; None for infinity."""
        if lag not in self.known:
            check_budget()
            u = self.number(-self.gap * lag / 2).exp() / self.number(self.pi_min)
            self.known[lag] = _log_ratio(u, self.number(1) - u)
        return self.known[lag]

    def left(self, lag: int) -> Span | None:
        """Enclose the influence of a node on one so many steps before it."""
        found = self.right(lag)
        return None if found is None else self.number(self.backward) * found


def _log_ratio(u: Span, rest: Span) -> Span | None:
    if rest.sign == 0:
        raise OutOfReachError
    return ((u + u) / rest).log1p() if rest.sign > 0 else None


def scale_of(chain: Sided) -> Enclosure:
    """Enclose the largest over the nodes of the least score; rigorous."""
    trivial = chain.length / chain.epsilon
    if chain.length <= _LONGEST_BY_DEFINITION:
        found = _largest(*(_by_definition(chain, i) for i in range(1, chain.length + 1)))
    else:
        found = _by_bisection(chain)
    if (found - chain.number(trivial)).sign > 0:
        return Enclosure.of(trivial)
    return _smallest(found, chain.number(trivial)).enclosure()


def _by_definition(chain: Sided, node: int) -> Span:
    """Enclose the least score of one node's quilts, the trivial one left out."""
    before, after = range(1, node), range(1, chain.length - node + 1)
    scores = [chain.score(chain.length - node + a, chain.left(a)) for a in before]
    scores += [chain.score(node + b - 1, chain.right(b)) for b in after]
    scores += [chain.score(a + b - 1, chain.left(a), chain.right(b)) for a in before for b in after]
    return _smallest(_INFINITE, *scores)


def _by_bisection(chain: Sided) -> Span:
    inner = _least(chain, 0, lambda card: _influence_of_both(chain, card), None)
    half = (chain.length + 1) // 2
    if (inner * chain.number(chain.epsilon) - chain.number(half)).sign < 0:
        return inner  # the middle node's other quilts leave at least half of the chain within
    return _smallest(inner, _largest_at_the_ends(chain))


def _least(
    chain: Sided, offset: int, influence: Callable[[int], Span | None], farthest: int | None
) -> Span:
    """Enclose the least (offset + t)/(epsilon - influence(t)), by the sign of D."""

    def rises(t: int) -> bool:
        here, there = influence(t), influence(t + 1)
        if here is None or there is None:
            return False
        fall = chain.number(offset + t) * (here - there)
        return _is_positive(chain.number(chain.epsilon) - here - fall)

    best = _first(rises, farthest)
    return chain.score(offset + best, influence(best))


def _influence_of_both(chain: Sided, card: int) -> Span | None:
    """Enclose the least influence of the two-sided quilts with a + b - 1 = card."""

    def rises(a: int) -> bool:
        if chain.right(a) is None:
            return False
        before, after = chain.left(a), chain.left(a + 1)
        near, far = chain.right(card - a), chain.right(card + 1 - a)
        if near is None or far is None or before is None or after is None:
            return True
        return _is_positive((near - far) - (before - after))

    a = (card + 1) // 2 if chain.even else _first(rises, card)
    left, right = chain.left(a), chain.right(card + 1 - a)
    return None if left is None or right is None else left + right


def _is_positive(number: Span) -> bool:
    if number.sign == 0:
        raise OutOfReachError
    return number.sign > 0


def _first(holds: Callable[[int], bool], last: int | None) -> int:
    """Return the first t from 1 at which a monotone law holds, ``last`` if it does nowhere."""
    low, high = 1, 1
    while (last is None or high < last) and not holds(high):
        low, high = high + 1, 2 * high if last is None else min(2 * high, last)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def _largest_at_the_ends(chain: Sided) -> Span:
    """Enclose the largest over the nodes of min(L_i, R_i), between neighbours where they cross."""

    def left(node: int) -> Span:
        if node == 1:
            return _INFINITE
        return _least(chain, chain.length - node, chain.left, node - 1)

    def right(node: int) -> Span:
        if node == chain.length:
            return _INFINITE
        return _least(chain, node - 1, chain.right, chain.length - node)

    after = _first(lambda node: right(node).middle >= left(node).middle, chain.length)
    above = _smallest(left(after), right(after))
    if after == 1 or gmpy2.is_infinite(above.low):
        return above
    below = _smallest(left(after - 1), right(after - 1))
    upper = _largest(right(after - 1), left(after))
    return Span(_largest(below, above).low, upper.high)


def _smallest(*spans: Span) -> Span:
    return Span(min(span.low for span in spans), min(span.high for span in spans))


def _largest(*spans: Span) -> Span:
    return Span(max(span.low for span in spans), max(span.high for span in spans))
