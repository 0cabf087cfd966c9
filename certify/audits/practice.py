"""Claims that are true of releases which hide nothing in practice: what a verdict then says."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

# So rarely errs, of all people alive, nobody.
LEAST_ERROR: Final = Fraction(1, 10**10)
# A bit that is flipped with LEAST_ERROR is private by log(1/LEAST_ERROR - 1) < 24, at any delta and
# any order; and one that is told with probability MOST_DELTA, and else not at all, by that delta.
MOST_EPSILON: Final = Fraction(24)
MOST_DELTA: Final = 1 - LEAST_ERROR

BEYOND: Final = "it hides nothing in practice"
NOT_HIDDEN: Final = (
    f"That anything is hidden in practice: of an epsilon above {MOST_EPSILON}, or a delta above "
    f"1 - {LEAST_ERROR}, the claim is true also where whoever sees the release tells neighbouring "
    f"inputs apart and errs with a probability below {LEAST_ERROR}."
)


def is_beyond_practice(epsilon: Fraction, delta: Fraction | None) -> bool:
    """Whether a claim with a delta, or with None at an order, is kept by what hides nothing."""
    return epsilon > MOST_EPSILON or (delta is not None and delta > MOST_DELTA)
