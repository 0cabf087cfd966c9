"""Thresholds near given quantiles of a Beta law, the same on any machine.

A threshold is the least double of THRESHOLD_BITS bits, from 2^-1000 to 1, below which the law
certainly has the mass that is asked for. A guess in floating point tells only where to begin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from .constants import LEAST_THRESHOLD_EXPONENT, THRESHOLD_BITS
from .laws import BetaLaw

_A_BINADE = 1 << (THRESHOLD_BITS - 1)
_LAST = -LEAST_THRESHOLD_EXPONENT * _A_BINADE - 1  # the largest that is below 1
_KEPT = 4096


@lru_cache(_KEPT)
def threshold(law: BetaLaw, mass: Fraction) -> Fraction | None:
    """Return the least threshold with at least so much mass below it, or None."""

    def enough(place: int) -> bool:
        return law.below(_at(place)).lower >= mass

    if not enough(_LAST):
        return None
    return _at(0) if enough(0) else _at(_first(enough, _guess(law, mass)))


def _first(enough: Callable[[int], bool], guess: int) -> int:
    """Return the first place with enough, which the place 0 has not and the last has."""
    low, high, step = guess, guess, 1
    while low > 0 and enough(low):
        low, high, step = max(low - step, 0), low, 2 * step
    step = 1
    while high < _LAST and not enough(high):
        low, high, step = high, min(high + step, _LAST), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _at(place: int) -> Fraction:
    power, part = divmod(place, _A_BINADE)
    return Fraction(_A_BINADE + part, _A_BINADE << (-LEAST_THRESHOLD_EXPONENT - power))


def _guess(law: BetaLaw, mass: Fraction) -> int:
    """Return a place near the threshold, wherever the guess comes from: it decides nothing."""
    from scipy.special import betaincinv

    found = float(betaincinv(float(law.first), float(law.second), float(mass)))
    if not 0 < found < 1:
        return _LAST // 2
    significand, power = math.frexp(found)
    place = (power - 1 - LEAST_THRESHOLD_EXPONENT) * _A_BINADE
    return min(max(place + int((2 * significand - 1) * _A_BINADE), 1), _LAST)
