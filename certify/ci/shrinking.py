"""A simpler witness: the same failure at parameters with fewer binary digits.

The backend is asked again at each simpler point and the answer is judged as any other, so what is
told is a failure like the one that was found. Binary digits, because a double with few of them is
short in hex, as a fraction and in decimals, and is the same number in each.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.domain import Law, Word
from ...reference.quantity import Quantity, quantity_named
from ..points import Case, Drawn, Given, exact_point
from ..search.paths import Leaf, at, leaves, put_at
from ..verdict import Verdict
from .asking import Ask

# So many points are asked at for one witness; 9 settle all parameters at once, 8 each one more.
MAX_TRIES = 80
# Significant binary digits that are tried, fewest first; the next would be all that there are.
_DIGITS = (1, 2, 3, 4, 6, 8, 12, 20, 32)


@dataclass(frozen=True)
class Seen:
    """A witness, as simple as it was made, and whether asking again showed the failure again."""

    case: Case
    again: bool


def simpler(worst: Case, ask: Ask, seconds: float) -> Seen:
    """Return a failing case with parameters as simple as can be found in so many seconds.

    It has the verdict of the one given, which is returned itself where the failure is not seen
    again.
    """
    search = _Search(quantity_named(worst.quantity), worst, ask, time.monotonic() + seconds)
    if not search.fails_at(dict(worst.parameters)):
        return Seen(worst, again=False)
    search.shorten(None)
    for name in worst.parameters:
        search.shorten(name)
    return Seen(search.found, again=True)


@dataclass
class _Search:
    """The simplest failing case so far, and what there is left to try."""

    quantity: Quantity
    found: Case
    ask: Ask
    until: float
    tries: int = 0

    def fails_at(self, point: Given) -> bool:
        """Ask at a point, and keep the case where it fails as the witness does."""
        if self.tries >= MAX_TRIES or time.monotonic() > self.until:
            return False
        self.tries += 1
        case = self.ask(point)
        if _kind(case) != _kind(self.found):
            return False
        self.found = case
        return True

    def shorten(self, name: str | None) -> None:
        """Give one parameter, or all, as few digits as the failure outlives."""
        for digits in _DIGITS:
            point = dict(self.found.parameters)
            for each in point if name is None else [name]:
                point[each] = shortened(self.quantity, each, point[each], digits)
            if point == self.found.parameters:
                return
            if self.quantity.admits(exact_point(point)) and self.fails_at(point):
                return


def _kind(case: Case) -> tuple[Verdict, str]:
    """Return what makes two failures alike: errors are, by what was raised."""
    return case.verdict, case.reason.split(":")[0] if case.verdict is Verdict.ERROR else ""


def shortened(quantity: Quantity, name: str, value: Drawn, digits: int) -> Drawn:
    """Return a parameter with each of its numbers rounded to so many binary digits.

    A law's shares are rounded to multiples of 2^-digits, and still sum to one.
    """
    changed: Any = value
    for path, leaf in leaves(quantity.parameters[name], value):
        changed = put_at(changed, path, _leaf(leaf, at(value, path), digits))
    return changed  # type: ignore[no-any-return]


def _leaf(leaf: Leaf, value: Any, digits: int) -> Any:
    if isinstance(leaf, Word):
        return value
    if isinstance(leaf, Law):
        return tuple(_shares(value, digits))
    return _whole(value, digits) if isinstance(value, int) else _real(value, digits)


def _real(value: float, digits: int) -> float:
    if not math.isfinite(value) or not value:
        return value
    fraction, exponent = math.frexp(value)
    whole = round(math.ldexp(fraction, digits))
    # Rounded up from the last powers of two it would be no double any more.
    return math.ldexp(whole, exponent - digits) if exponent < sys.float_info.max_exp else value


def _whole(value: int, digits: int) -> int:
    shift = max(abs(value).bit_length() - digits, 0)
    return value >> shift << shift


def _shares(shares: tuple[float, ...], digits: int) -> Iterator[float]:
    """Yield shares rounded down on a grid, the largest with what is left of one."""
    units = [int(Fraction(share) * 2**digits) for share in shares]
    units[units.index(max(units))] += 2**digits - sum(units)
    yield from (math.ldexp(unit, -digits) for unit in units)
