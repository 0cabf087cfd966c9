"""MQMExact for all chains of two states whose probabilities to stay lie in one interval.

song2017 Section 5.2 puts a grid over such a class. None is needed: with every initial law allowed,
no influence of any quilt is larger than that in a symmetric chain at a corner, where both states
are left as rarely, or as often, as the class allows (proofs_notes/two-state-corner.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from ..domain import AT_LEAST_ZERO, Condition, Interval, Positive, count_from
from ..quantity import Side, Truth, quantity
from ..structures import ANY, ChainLaw
from .quilt import quilt_scale_exact

NOTE = "proofs_notes/two-state-corner.md"
# Both ends of a drawn interval come from here; a condition puts them in order.
STAY = Annotated[Fraction, Interval(above=Fraction(0), below=Fraction(1), search=("0.01", "0.99"))]
SHORT = Annotated[int, count_from(1, 12)]


def worst_corner(low: Fraction, high: Fraction) -> ChainLaw:
    """Return the chain that decides a class, with every initial law.

    Influences in a symmetric chain grow with |2 stay - 1|, so it is the end farther from 1/2.
    """
    stay = high if low + high >= 1 else low
    return ChainLaw(ANY, ((stay, 1 - stay), (1 - stay, stay)))


@quantity(
    "pufferfish.quilt_scale_two_state",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(Condition("low <= high", lambda low, high: low <= high, NOTE),),
    rises="high length",
    falls="low epsilon width",
)
def quilt_scale_two_state(
    low: STAY, high: STAY, length: SHORT, epsilon: Positive, width: SHORT
) -> arb | Fraction:
    """Laplace scale of MQMExact for all chains of two states that stay with p in [low, high].

    Both probabilities to stay and the initial law are free: song2017's Theta = [alpha, beta]. Per
    unit of the query's Lipschitz constant; exact, as the supremum over the class is attained.
    """
    scale: arb | Fraction = quilt_scale_exact((worst_corner(low, high),), length, epsilon, width)
    return scale
