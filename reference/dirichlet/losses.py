"""What concrete pairs of inputs lose together: independent releases, each its own move.

The trapezoid rule of proofs_notes/composition.md on one vertical line, for pairs that need not be
dominating ones. The proofs there use of M only that it is the moment generating function of a loss
with a density and that |M(c + iy)| falls with |y|, and both hold here: M is a product of Gammas of
arguments with a positive real part and real slopes, times e^(offset z).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from flint import acb, arb, ctx

from ..arb.balls import ball, extra_bits
from ..precision import check_budget
from .loss import Move, delta_of_move

# For sums of log Gammas that cancel; a matter of width alone.
_SPARE_BITS = 64
# Beyond so many nodes the answer is what is known by then, a wider ball.
_MOST_NODES = 1000
# Halvings of the interval in which the crossing is looked for; a matter of speed alone.
_SEARCH_STEPS = 24
Point = TypeVar("Point", arb, acb)


def delta_of_moves(moves: Sequence[Move], epsilon: Fraction) -> arb | Fraction:
    """Enclose the hockey-stick at e^epsilon of the product laws, epsilon >= 0; 0 without moves."""
    if not moves:
        return Fraction(0)
    if len(moves) == 1:
        return delta_of_move(moves[0], epsilon)
    wanted = ctx.prec
    with extra_bits(_SPARE_BITS):
        return _on_line(_Exponent(moves, epsilon), wanted)


class _Exponent:
    """f(z) = log M(z) - z epsilon on 0 <= Re z < limit, M(z) = E e^(z loss) under the first law."""

    def __init__(self, moves: Sequence[Move], epsilon: Fraction) -> None:
        self.limit = ball(min(move.far / move.moved for move in moves))
        counted = Counter(moves)
        offsets = (count * move.offset() for move, count in counted.items())
        self._slope = sum(offsets, arb(0)) - ball(epsilon)
        self._moves = [
            (ball(move.near + move.moved), ball(move.far), ball(move.moved), count)
            for move, count in counted.items()
        ]
        parts = (count * (a.lgamma() + b.lgamma()) for a, b, _, count in self._moves)
        self._at_zero = sum(parts, arb(0))

    def __call__(self, z: Point) -> Point:
        """Enclose f at a point; NaN unless every Gamma's argument is certainly right of 0."""
        total = z * self._slope - self._at_zero
        for near, far, moved, count in self._moves:
            check_budget()
            shift = z * moved
            if not ((near + shift).real > 0 and (far - shift).real > 0):
                return total * arb("nan")
            total += count * ((near + shift).lgamma() + (far - shift).lgamma())
        return total

    def integrand(self, z: acb) -> acb:
        """Enclose e^f(z)/(z (z + 1))."""
        return self(z).exp() / (z * (z + 1))


def _on_line(exponent: _Exponent, wanted: int) -> arb:
    """Enclose delta by nodes c + ijh: aliases and what lies beyond the last node are bounded."""
    crossing = _crossing(exponent)
    right = ((crossing + exponent.limit) / 2).mid()
    nats = wanted * arb(2).log()
    at_crossing, at_right = exponent(crossing), exponent(right)
    # Each bound on aliases is then about 2^-wanted of the integrand's size on the axis.
    left_step = crossing / (nats - at_crossing.min(arb(0)))
    right_step = (right - crossing) / (nats + (at_right - at_crossing).max(arb(0)))
    step = (2 * arb.pi() * left_step.min(right_step)).mid()
    total = exponent.integrand(acb(crossing)).real
    scale, beyond = abs(total) * arb(2) ** -wanted, arb("inf")
    for node in range(1, _MOST_NODES):
        point = acb(crossing, node * step)
        total += 2 * exponent.integrand(point).real
        beyond = exponent(point).real.exp() / (arb.pi() * node * step)
        if beyond < scale:
            break
    found = total * step / (2 * arb.pi()) + beyond.union(-beyond)
    left = _geometric(2 * arb.pi() * crossing / step)
    aliases = left + at_right.exp() * _geometric(2 * arb.pi() * (right - crossing) / step)
    return found - aliases.union(arb(0))


def _geometric(rate: arb) -> arb:
    """Enclose the sum of e^(-rate m) over m >= 1; NaN unless it certainly converges."""
    ratio = (-rate).exp()
    return ratio / (1 - ratio) if rate > 0 else arb("nan")


def _crossing(exponent: _Exponent) -> arb:
    """Return about where the integrand is least on the axis; any point of the strip is right."""
    low, high = arb(0), exponent.limit.lower().mid()
    for _ in range(_SEARCH_STEPS):
        first, second = (low + (high - low) * share / 8 for share in (3, 5))
        if _height(exponent, first.mid()) < _height(exponent, second.mid()):
            high = second.mid()
        else:
            low = first.mid()
    return ((low + high) / 2).mid()


def _height(exponent: _Exponent, point: arb) -> arb:
    return exponent(point) - (point * (point + 1)).log()
