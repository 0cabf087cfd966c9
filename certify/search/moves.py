"""A vector drawn from another one: something of it moved, two entries exchanged, or one changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ...reference.domain import Interval
from ..points import Number
from .grid import place
from .ways import Choice, number, share

# Of so many turns one each leaves it as it is, exchanges two entries, or changes one at will.
_TURNS, _AS_IT_IS, _CHANGED, _EXCHANGED = 8, 0, 1, 2


def moved_from(
    model: Sequence[float], each: Interval, turn: Choice, choices: Sequence[Choice]
) -> tuple[Number, ...]:
    """Return what the choices make of a model of at least two entries, exactly in doubles."""
    entries = list(model)
    first = place(choices[0], len(entries))
    second = (first + 1 + place(choices[1], len(entries) - 1)) % len(entries)
    what = place(turn, _TURNS)
    if what == _CHANGED:
        entries[first] = float(number(each, choices[2], model))
    elif what != _AS_IT_IS:
        entries[first], entries[second] = _after_move(
            entries[first], entries[second], share(choices[2]), exchanged=what == _EXCHANGED
        )
    return tuple(entries)


def _after_move(
    first: float, second: float, part: float, *, exchanged: bool
) -> tuple[float, float]:
    """Return both after a part of the smaller has moved to the first; exchanged where not exact.

    What moves is a multiple of the larger one's last place, so both results are mostly doubles.
    """
    unit = math.ulp(max(first, second))
    moved = math.floor(part * min(first, second) / unit) * unit
    more, less = first + moved, second - moved
    exact = Fraction(more) + Fraction(less) == Fraction(first) + Fraction(second)
    return (more, less) if exact and not exchanged else (second, first)
