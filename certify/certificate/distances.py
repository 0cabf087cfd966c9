"""Whether the distance and the side that a worst case is stated to be off by can be so.

What is stated belongs to the enclosure by which the case was judged, which may be wider than the
one that is found now. So it is held against both: by the stated ends it may not be less, by those
that are found it may not be more.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosure
from ...reference.enclosures import largest_size
from ..backends.answers import Real
from ..checks.judgement import distance
from ..points import figures_up
from ..verdict import Verdict
from .enclosures import stated_enclosure
from .errors import WitnessError
from .models import Check, Witness

_UNBOUNDED = "unbounded"
_NOWHERE = "at"
# In units in the last place. An exact truth is judged by ends of 128 bits, 2^-74 of such a unit or
# less from those of its decimals, which may lie inside.
_ROUNDING = Fraction(1, 2**40)


def require_distance(
    check: Check, worst: Witness, value: Real, truth: Enclosure, size: Enclosure
) -> None:
    """Raise WitnessError unless the stated distance and side can be those of the worst case.

    ``truth`` is what is found now, ``size`` encloses the largest entry's, or this number's own.
    """
    name = f"{check.quantity}, {check.check}"
    _require_side(check.side, truth, value, size, name)
    stated = stated_enclosure(worst.lower, worst.upper, name)
    if not math.isfinite(value) or {"inf", "-inf"} & {worst.lower, worst.upper}:
        _require_unbounded(check, worst, value, name)
    elif check.ulps == _UNBOUNDED:
        if not worst.entry or check.side != "unknown":  # the largest entry may be infinite
            raise WitnessError(f"{name}: the answer's distance from the truth is not unbounded")
    else:
        _require_at_least(check, stated, value, name, of_an_entry=bool(worst.entry))
        _require_at_most(check, value, truth, size, name)


def _require_side(side: str, truth: Enclosure, value: Real, size: Enclosure, name: str) -> None:
    if not math.isfinite(value) or side == _NOWHERE:
        return
    _, found = distance(truth, Fraction(value), size)
    if found not in (side, _NOWHERE, "unknown"):
        raise WitnessError(f"{name}: the answer is {found} the truth, not {side}")


def _require_unbounded(check: Check, worst: Witness, value: Real, name: str) -> None:
    """Require what is always told where the answer, or an end of the truth, is infinite."""
    told = _UNBOUNDED, "unknown"
    if not math.isfinite(value):
        above = "above" if value > 0 else "below"
        told = ("0", _NOWHERE) if check.verdict is Verdict.CERTIFIED else (_UNBOUNDED, above)
    elif worst.lower == worst.upper == "inf":
        told = _UNBOUNDED, "below"  # the truth is infinite
    if (check.ulps, check.side) != told:
        raise WitnessError(f"{name}: the distance is {' '.join(told)}, not {check.ulps}")


def _require_at_least(
    check: Check, stated: Enclosure, value: Real, name: str, *, of_an_entry: bool
) -> None:
    """Require as much as the stated enclosure leaves, which holds the one that was judged by.

    The unit is the last place of the larger end, so that of the stated enclosure is no smaller. Of
    an entry the largest one's size gives the unit, which is not stated: there only 0 is refused.
    """
    least, side = distance(stated, Fraction(value), largest_size(stated))
    if least is None or least <= _ROUNDING:
        return
    if check.side != side:
        raise WitnessError(f"{name}: the answer is {side} the truth, not {check.side}")
    said = _said(check, name)
    if said.high <= Dyadic(0) or (not of_an_entry and said.high.compared_with(least) < 0):
        raise WitnessError(f"{name}: the answer is {figures_up(least)} ulps off, not {check.ulps}")


def _require_at_most(
    check: Check, value: Real, truth: Enclosure, size: Enclosure, name: str
) -> None:
    """Require no more, rounded up, than from the farther end that is found, in the least unit."""
    least_size = Enclosure(size.low, size.low)
    ends = [
        distance(Enclosure(end, end), Fraction(value), least_size)[0]
        for end in (truth.low, truth.high)
    ]
    if None in ends:
        return
    most = figures_up(max(end for end in ends if end is not None))
    if _said(check, name).low > stated_enclosure(most, most, name).high:
        raise WitnessError(f"{name}: the answer is {most} ulps off at most, not {check.ulps}")


def _said(check: Check, name: str) -> Enclosure:
    """Return the stated distance, whatever its exponent."""
    text = check.ulps or "0"
    return stated_enclosure(text, text, name)
