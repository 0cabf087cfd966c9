"""How far answers may be from what a law says of the truth.

A law about answers has a slack of its own, 1/100, which is part of its statement: the interface
lets a backend be conservative by any amount where it promises no accuracy, and these laws do not
let that amount change from one point to the next by more. Beyond it there is room for what the
backend declares, so that no answer is refuted for being where it was declared to be.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from ....reference.dyadic import MINUS_INFINITY, PLUS_INFINITY
from ....reference.enclosure import Enclosure
from ...backends.answers import Real

# By so much, relatively, answers may be out of order or out of the range.
SLACK_OF_LAWS = Fraction(1, 100)
# A truth may exceed a target that was met, or a promise that was made, by so little: exact answers
# meet them just so, and no precision tells that from more. What is smaller is left to direction.
TIE = Fraction(1, 2**40)
# The logarithm of a ratio near 1 is about the ratio less 1, which doubles know to 2^-53 at best and
# after a sum of many products to less: so much of it may be rounding.
NEAR_ONE = Fraction(1, 2**40)
# Below the smallest normal double an accuracy allows that much absolutely, at each of two answers.
_FLOOR_OF_LAWS = 2 * Fraction(sys.float_info.min)


def are_in_order(
    first: Real,
    second: Real,
    slack: Fraction,
    accuracy: Fraction | None,
    floor: Fraction = Fraction(0),
) -> bool:
    """Whether two answers can stand for truths of which the first is at most the second.

    The first may exceed the second by the slack of laws times the larger size, by ``floor``, and by
    what the declarations allow. An answer v that is off by no more than they say has |v - t| <=
    max(d |t|, m), d the larger of slack and accuracy, m the smallest normal double. Where d |t|
    is the larger, |t| <= |v|/(1 - d); so |v - t| <= max(d |v|/(1 - d), m), and t <= t' gives
    v - v' <= d/(1 - d) (|v| + |v'|) + 2 m. Declared deviations are never refuted.
    """
    if math.isinf(first) or math.isinf(second):
        return first <= second
    low, high = Fraction(first), Fraction(second)
    declared = max(slack, accuracy or Fraction(0))
    allowed = SLACK_OF_LAWS * max(abs(low), abs(high)) + floor + _FLOOR_OF_LAWS
    return low - high <= allowed + declared / (1 - declared) * (abs(low) + abs(high))


def is_in_range(
    value: Real,
    within: Enclosure,
    slack: Fraction,
    accuracy: Fraction | None,
    *,
    of_an_entry: bool = False,
) -> bool:
    """Whether an answer lies where the quantity can lie, up to the slack of laws.

    A declared accuracy or slack d moves an answer by d times the size of a finite end at most
    where the truth is beyond 0; across a lower end of 0 not at all. Of an array it moves an entry
    by d times the largest one's size, which a range without a finite end does not bound: such an
    entry is in range wherever it is.
    """
    low, high = within.lower, within.upper
    finite = [Fraction(end) for end in (low, high) if not math.isinf(end)]
    if of_an_entry and len(finite) < len((low, high)):
        return True
    largest = max([Fraction(1), *map(abs, finite)])
    moved = (SLACK_OF_LAWS + max(slack, accuracy or Fraction(0))) * largest
    above = low == -math.inf or value >= low - moved
    return above and value != -math.inf and (high == math.inf or value <= high + moved)


def point_at(value: Real) -> Enclosure:
    """Return the enclosure of one answer: a point."""
    if isinstance(value, Fraction):
        return Enclosure.of(value)
    end = PLUS_INFINITY if value > 0 else MINUS_INFINITY
    return Enclosure(end, end)
