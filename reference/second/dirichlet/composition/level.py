"""The epsilon at which a composition's delta has a given value, by Newton's method; not rigorous.

log delta falls, and so does its slope, mostly; from the right Newton's steps then lead down to the
root, and a bracket watches over them. Above 1/2 it is log(1 - delta). The root is sought at low
precision, then every precision starts from the last one's root. Rounded to nearest.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import gmpy2
from gmpy2 import mpfr

from ....enclosure import Enclosure
from ...directed import OutOfReachError
from ...nearest import as_fraction, binary_exponent, number, widened, working
from .contour import Chance, Inversion, is_better_survived
from .moments import Losses, Number

_SEARCH_BITS = 40
# The search ends at a step below this part of epsilon and of the slope's scale; it is squared.
_SEARCH_STEP = 2.0**-12
_MOST_STEPS = 100
_LONGEST_FACTOR = 16
_MOST_POLISHINGS = 12
_BITS_SPARED, _ROOM_BITS = 8, 64


class _Move(NamedTuple):
    """A step of epsilon, and by how much the level falls or rises for each unit."""

    step: mpfr
    rate: mpfr


class Level:
    """The epsilon at which delta is the target, which is below delta at 0."""

    def __init__(self, losses: Losses, target: Fraction, bits: int) -> None:
        self._losses, self._target, self._bits = losses, target, bits
        self._survives = 2 * target > 1
        self._room = 2 * bits + _ROOM_BITS

    def epsilon(self) -> Enclosure:
        """Return the hull of two roots, from two contours, widened."""
        first, second = self._polished(self._sought())
        limit = 4 * max(as_fraction(first), as_fraction(second))
        return widened(first, second, self._bits - _BITS_SPARED, limit)

    def _moves(self, epsilon: Number, bits: int, rough: bool = False) -> list[_Move]:
        """Return the changes of epsilon that take either contour's level to the target.

        Or, ``rough``, the first contour's alone.
        """
        better = is_better_survived(self._losses, epsilon)
        inversion = Inversion(self._losses, epsilon, bits, better)
        found = [inversion.chance(0)] if rough else inversion.two_chances()
        return [self._move(chance, better) for chance in found]

    def _move(self, chance: Chance, survives: bool) -> _Move:
        with working(chance.logarithm.precision):
            logarithm, rate = chance
            if survives != self._survives:  # of delta from that of 1 - delta, or the other way
                value = gmpy2.exp(logarithm)
                logarithm, rate = gmpy2.log1p(-value), -rate * value / (1 - value)
            aim = gmpy2.log(number(1 - self._target if self._survives else self._target))
            return _Move((aim - logarithm) / rate, abs(rate))

    def _sought(self) -> mpfr:
        """Return the root to some 24 bits of it, or of the slope's scale."""
        low, high, here = 0.0, math.inf, self._mean()
        for _ in range(_MOST_STEPS):
            step, rate = map(float, self._moves(mpfr(here), _SEARCH_BITS, rough=True)[0])
            if abs(step) < _SEARCH_STEP * min(here, 1 / rate):
                return mpfr(here + step)
            low, high = (here, high) if step > 0 else (low, here)
            here = _next(here, step, low, high)
            if not 0 <= here < math.inf:
                raise OutOfReachError
        raise OutOfReachError

    def _mean(self) -> float:
        """Return the mean loss, where delta is neither small nor next to 1."""
        with working(4 * _SEARCH_BITS):
            return float(self._losses.slope(mpfr(0), Fraction(0)))

    def _polished(self, start: mpfr) -> tuple[mpfr, mpfr]:
        """Return two roots, each one Newton step away from the same point."""
        here, bits = start, _SEARCH_BITS
        for _ in range(_MOST_POLISHINGS):
            bits = min(2 * bits, self._bits)
            moves = self._moves(here, bits)
            with working(self._room):
                roots = [here + move.step for move in moves]
                # Next time the step would be about its square times the rate.
                ahead = binary_exponent(moves[1].step ** 2 * moves[1].rate / roots[1])
            here = roots[1]
            if bits == self._bits and -ahead >= bits:
                return roots[0], roots[1]
        raise OutOfReachError


def _next(here: float, step: float, low: float, high: float) -> float:
    """Return the point that the step leads to, or one that the bracket allows; 0 is tried once."""
    point = min(here + step, _LONGEST_FACTOR * here) if here else step
    if low < point < high:
        return point
    if low == 0 and point <= 0:
        return 0.0
    return (low + high) / 2
