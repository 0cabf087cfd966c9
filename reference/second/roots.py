"""Certified roots: find the root somehow, then prove on both sides of it.

The search (growing steps, bisection in log scale, regula falsi, secants) follows floats from the
middles of spans and proves nothing. Where it ends, the sign of the function is proved by directed
rounding at two points close around; where a sign does not show, the points move apart. The answer
is the narrowest pair of points with proved signs that was met on the way.

Where somebody says what the root may be (``likely``) the search begins beside that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from ..dyadic import PLUS_INFINITY, Dyadic
from ..enclosure import Enclosure
from ..precision import check_budget
from .directed import OutOfReachError, Span

# An increasing function of a positive number, at a precision.
_Excess: TypeAlias = Callable[[Fraction, int], Span]

# The search works at this precision, floats choose the points, and it stops at this distance.
_SEARCH_BITS = 64
_SEARCH_DISTANCE = 2.0**-30
# Further away it sees enough at fewer bits.
_LOOK_BITS, _LOOK_DISTANCE = 24, 2.0**-8
# Steps outward are factors 2, 4, 8, ..., together 2**(64*65/2).
_MAX_STEPS = 64
_MAX_PROBES = 400
# A bracket wider than this factor is bisected in log scale, a narrower one by interpolation.
_WIDE_FACTOR = 4
# Beyond every distance at which floats choose a point.
_FARTHEST = 2**1000
# After so many points that did not halve the bracket, the next one does.
_PATIENCE = 2
_MAX_SECANTS = 16
# The bracket aims at a relative width of 2**(41 - bits): what the functions lose, and some room.
_LOST_BITS = 40
# Where a sign does not show, look this many bits further out.
_WIDENING_BITS = 8


# So far on either side of a likely root, which is closer than the search would come.
_BESIDE = Fraction(1, 1 << 32)


class Bracket:
    """The closest points below and above the root at which the sign is proved, so far."""

    def __init__(self, excess: _Excess, bits: int) -> None:
        self.low: Fraction | None = None
        self.high: Fraction | None = None
        self._excess = excess
        self._bits = bits

    def value_at(self, point: Fraction, bits: int | None = None) -> Span:
        """Return the function, at full precision if its sign needs it, and note the sign.

        Raises OutOfReachError where nothing at all is known.
        """
        check_budget()
        value = self._excess(point, bits or self._bits)
        if value.sign == 0 and bits is not None:
            return self.value_at(point, _SEARCH_BITS if bits < _SEARCH_BITS else None)
        if value.sign > 0 and (self.high is None or point < self.high):
            self.high = point
        if value.sign < 0 and (self.low is None or point > self.low):
            self.low = point
        if not math.isfinite(value.middle):
            raise OutOfReachError
        return value

    def close_around(self, near: Fraction) -> None:
        """Prove a sign on either side of ``near``, as close to it as signs show."""
        for lost in range(_LOST_BITS, self._bits, _WIDENING_BITS):
            margin = near / (1 << self._bits - lost)
            if self.low is None or self.low < near - margin:
                self.value_at(shortened(near - margin, self._bits))
            if self.high is None or self.high > near + margin:
                self.value_at(shortened(near + margin, self._bits))
            if self._is_within(4 * margin):
                return

    def halve(self) -> None:
        """Narrow to the aim by halving, where the function bends too much for all else."""
        for _ in range(self._bits):
            if self.low is None or self.high is None:
                return
            middle = shortened((self.low + self.high) / 2, self._bits)
            if self._is_within(4 * middle / (1 << self._bits - _LOST_BITS)):
                return
            if self.value_at(middle).sign == 0:
                return

    def _is_within(self, width: Fraction) -> bool:
        return self.low is not None and self.high is not None and self.high - self.low <= width

    def enclosure(self) -> Enclosure:
        """Return the enclosure of the root."""
        low, high = self.low, self.high
        return Enclosure(
            Dyadic(0) if low is None else Dyadic.rounded(low, self._bits, up=False),
            PLUS_INFINITY if high is None else Dyadic.rounded(high, self._bits, up=True),
        )


def bracketed(
    excess: _Excess,
    start: Fraction,
    bits: int,
    beyond: Fraction | None = None,
    *,
    likely: Fraction | None = None,
) -> Bracket:
    """Return a proved bracket of the root of an increasing function on the positive numbers.

    Rigorous whatever the search does. Its relative width is about 2**(41 - bits) where the
    function is as precise as it was asked to be. The search begins beside ``likely``, and where
    the root is not there, at ``start``; it gives up where the root lies beyond ``beyond``. An end
    without a proof is None.
    """
    bracket = Bracket(excess, bits)
    try:
        ends = None if likely is None else _beside(bracket, shortened(likely, _SEARCH_BITS))
        ends = ends or _outward(bracket, shortened(start, _SEARCH_BITS), beyond)
        if ends is not None:
            near, slope = _inward(bracket, *ends)
            bracket.close_around(_polished(bracket, near, slope, bits))
            bracket.halve()
    except OutOfReachError:
        pass
    return bracket


def shortened(point: Fraction, bits: int) -> Fraction:
    """Return a dyadic of ``bits`` bits just below a rational."""
    short = Dyadic.rounded(point, bits, up=False).as_fraction()
    return short if isinstance(short, Fraction) else point


_End: TypeAlias = tuple[Fraction, float]


def _beside(bracket: Bracket, likely: Fraction) -> tuple[_End, _End] | None:
    """Return two points close around a likely root, if the function changes its sign there."""
    low, high = likely * (1 - _BESIDE), likely * (1 + _BESIDE)
    try:
        left, right = (bracket.value_at(end, _SEARCH_BITS).middle for end in (low, high))
    except OutOfReachError:
        return None
    return ((low, left), (high, right)) if left < 0 < right else None


def _outward(
    bracket: Bracket, start: Fraction, beyond: Fraction | None
) -> tuple[_End, _End] | None:
    """Return two points between which the function seems to change its sign."""
    here = start, bracket.value_at(start, _LOOK_BITS).middle
    for step in range(1, _MAX_STEPS):
        up = here[1] < 0
        if up and beyond is not None and here[0] > beyond:
            return None
        point = here[0] * (1 << step) if up else here[0] / (1 << step)
        there = point, bracket.value_at(point, _LOOK_BITS).middle
        if (there[1] < 0) != up:
            return (here, there) if up else (there, here)
        here = there
    return None


def _inward(bracket: Bracket, low: _End, high: _End) -> tuple[Fraction, float]:
    """Return a point near the root, and the function's slope there per relative change.

    Regula falsi with the Illinois rule (Dowell and Jarratt 1971); bisection where it is slow.
    """
    (_, left), (_, right) = low, high
    slow = side = 0
    for _ in range(_MAX_PROBES):
        width = high[0] - low[0]
        closeness = float(min(width / low[0], Fraction(_FARTHEST)))
        if closeness <= _SEARCH_DISTANCE:
            break
        share = left / (left - right) if slow < _PATIENCE and left < right else 0.5
        point = _between(low[0], high[0], share)
        wide = closeness > _LOOK_DISTANCE
        value = bracket.value_at(point, _LOOK_BITS if wide else _SEARCH_BITS).middle
        if value < 0:
            low, left, right = (point, value), value, right / 2 if side < 0 else right
        else:
            high, right, left = (point, value), value, left / 2 if side > 0 else left
        side = -1 if value < 0 else 1
        slow = 0 if 2 * (high[0] - low[0]) <= width else slow + 1
    return (low[0] + high[0]) / 2, (high[1] - low[1]) / closeness


def _between(low: Fraction, high: Fraction, share: float) -> Fraction:
    """Return a point at that share of the bracket, or at its middle in log scale if it is wide.

    Never closer to an end than a part of the distance that is aimed at, so that the last points
    close the bracket from both sides.
    """
    if high > _WIDE_FACTOR * low:
        return low * (1 << int(high / low).bit_length() // 2)
    least = _SEARCH_DISTANCE * float(low / (high - low)) / 2
    point = low + (high - low) * Fraction(min(max(share, least), 1 - least))
    return shortened(point, _SEARCH_BITS)


def _polished(bracket: Bracket, near: Fraction, first_slope: float, bits: int) -> Fraction:
    """Return a better point, by secants at full precision."""
    if not math.isfinite(first_slope):
        return near
    aim = Fraction(1, 1 << max(bits - _LOST_BITS, 0))
    slope, last = Fraction(first_slope), Fraction(_SEARCH_DISTANCE)
    before: Fraction | None = None
    for _ in range(_MAX_SECANTS):
        value = bracket.value_at(near).low_fraction
        if before is not None and value != before:
            slope = shortened((before - value) / last, bits)
        if slope <= 0 or 2 * abs(value) > slope:
            break
        move = shortened(value / slope, bits)
        near = shortened(near * (1 - move), bits)
        if move == 0 or abs(move * last) < aim:
            break
        before, last = value, move
    return near
