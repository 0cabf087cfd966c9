"""How far off an answer is, in words: as a share of the truth, which people can compare.

Units in the last place say it of rounding alone; of anything else they are astronomic.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ...reference.dyadic import leading, rational_decimal
from ...reference.errors import InputError
from ...reference.exact import exact_number
from ..points import Case, real_in

if TYPE_CHECKING:
    from ..certificate.models import Witness

# Of a larger or smaller number no share is worked out for people, by its power of two.
_MOST_POWER = 4_000
_FIGURES = 3
# Of a truth of 0 no share can be told.
ABSOLUTE = " (absolute)"
# What is off by fewer units in the last place may be rounding, which these tell best.
ROUNDING_ULPS = 2**20


def off_said(case: Case) -> tuple[str, str]:
    """Return how far an answer is from the truth, as a share of it, rounded up, and the side.

    No share is told of what is infinite, or of a truth beyond all that people would read.
    """
    side = "" if case.side == "none" else case.side
    ends = (case.truth.low, case.truth.high)
    if any(not end.is_finite or abs(leading(end)) > _MOST_POWER for end in ends):
        return "", side
    low, high = (Fraction(end.as_fraction()) for end in ends)
    return _share_said(case.value, low, high), side


def off_said_of(witness: Witness) -> str:
    """Return how far a certificate's worst answer is from the truth, as a share, rounded up.

    Nothing where that is infinite, or of a size beyond all that people would read. The truth's ends
    are decimals there, rounded outward.
    """
    try:
        low, high = (exact_number(end, "an end") for end in (witness.lower, witness.upper))
    except InputError:  # infinite, or beyond what is read
        return ""
    return _share_said(witness.value, low, high)


def _share_said(answer: str, low: Fraction, high: Fraction) -> str:
    try:
        value = real_in(answer)
    except InputError:
        return ""
    if not isinstance(value, Fraction):
        return ""
    gap, size = max(low - value, value - high), max(abs(low), abs(high))
    if gap <= 0:
        return "0"
    if not size:
        return f"{rational_decimal(gap, _FIGURES, up=True)}{ABSOLUTE}"
    return rational_decimal(gap / size, _FIGURES, up=True)
