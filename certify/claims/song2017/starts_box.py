"""MQMExact's scale for one small chain over all its initial laws at once, in balls."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb

from ....reference.arb.balls import ball
from .exact_chains import largest, near, power
from .inputs import matrix

# The example of quilt-influence.md: T = 6, epsilon = 4.
MOVES, LENGTH, EPSILON = [["0.1", "0.9"], ["0.7", "0.3"]], 6, 4
# No initial law needs this much; C.4 asks for 3/2.
ENOUGH = Fraction(27, 20)
_PAIRS = ((0, 1), (1, 0))


@cache
def _power(steps: int) -> tuple[tuple[Fraction, ...], ...]:
    return power(matrix(MOVES), steps)


@cache
def _sides(left: int, right: int, x: int, other: int) -> Fraction:
    """Return the product of the backward and the forward quotient, over all states."""
    back, ahead = _power(left), _power(right)
    found = largest((row[x], row[other]) for row in back) if left else 1
    forward = largest(zip(ahead[x], ahead[other], strict=True)) if right else 1
    return Fraction(found) * Fraction(forward)


def room_below_enough(q: arb) -> arb:
    """Return what is left of 27/20 above the scale for the start (q, 1 - q).

    All steps are possible, so X_2 to X_6 take both values for every q; over all states (5) is at
    least the influence, at q = 0 and 1 too.
    """
    return ball(ENOUGH) - _largest_score(q)


def _largest_score(q: arb) -> arb:
    found = arb(0)
    for node in range(1, LENGTH + 1):
        found = found.max(_least_score(node, q))
    return found


def _least_score(node: int, q: arb) -> arb:
    found = ball(Fraction(LENGTH, EPSILON))
    steps = _power(node - 1)
    own = [q * ball(steps[0][x]) + (1 - q) * ball(steps[1][x]) for x in (0, 1)]
    for left in range(node):
        for right in range(LENGTH - node + 1):
            if left or right:
                room = EPSILON - _influence(left, right, own)
                if room > 0:
                    found = found.min(near(node, LENGTH, left, right) / room)
    return found


def _influence(left: int, right: int, own: list[arb]) -> arb:
    found = arb(0)
    for x, other in _PAIRS:
        prior = own[other] / own[x] if left else arb(1)
        found = found.max((ball(_sides(left, right, x, other)) * prior).log())
    return found
