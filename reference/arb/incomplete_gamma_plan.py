"""Which expansion of the incomplete gamma functions is the shortest on a region, in doubles.

A matter of speed alone: the expansions' own bounds are evaluated in balls at each point, and a
plan that is too short gives a wide ball.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..precision import check_budget

Kind = Literal["rising", "entire", "falling"]
# Beyond so many coefficients (a hundred megabytes) an expansion counts as hopeless.
MOST_TERMS = 1_000_000


@dataclass(frozen=True)
class Region:
    """Where the points lie, in doubles: |z|, Re z, and the largest |z|/|Im z| where Re z < 0."""

    least: float
    most: float
    low: float
    high: float
    tilt: float = 1.0


@dataclass(frozen=True)
class Plan:
    """An expansion, its number of terms, and how many nats cancel in its sum at worst."""

    kind: Kind
    terms: float
    loss: float

    @property
    def cost(self) -> float:
        """Return what plans are compared by: terms, and the precision that they need."""
        return self.terms * (1 + self.loss / 100)


def cheapest_plan(parameter: float, region: Region, nats: float) -> Plan:
    """Return the expansion with the fewest terms whose rest is below e^-nats on the region."""
    check_budget()
    # Below |z| = a the terms of the rising sum decrease, and nothing cancels.
    above = region.most - region.low if region.most > parameter else 0.0
    plans = (
        Plan("rising", _rising(parameter, region.most, nats), above),
        Plan("entire", _entire(region.most, nats), max(region.most + region.high, 0.0)),
        Plan("falling", _falling(parameter, region, nats), 0.0),
    )
    return min(plans, key=lambda plan: plan.cost)


def _first(enough: Callable[[int], bool], start: int, end: float = MOST_TERMS) -> float:
    """Return the least n > start with enough(n), which stays true from there on; else inf."""
    low, reach = start, 16
    while not enough(low + reach):
        low, reach = low + reach, 2 * reach
        if low + reach > end:
            return math.inf
    high = low + reach
    while high - low > 1 + high // 64:  # a few terms too many do no harm
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def _rising(parameter: float, most: float, nats: float) -> float:
    if most > parameter + MOST_TERMS:
        return math.inf
    log_most, base = math.log(most) if most else -math.inf, math.lgamma(parameter + 1)
    return _first(
        lambda n: n * log_most - math.lgamma(parameter + 1 + n) + base < -nats,
        max(int(most - parameter), 0),
    )


def _entire(most: float, nats: float) -> float:
    if most > MOST_TERMS:
        return math.inf
    log_most = math.log(most) if most else -math.inf
    return _first(lambda n: n * log_most - math.lgamma(n + 1) < -nats, int(most))


def _falling(parameter: float, region: Region, nats: float) -> float:
    """Count terms until they are small; they fall up to the parameter and some way beyond."""
    least = region.least
    if least <= parameter or not least:
        return math.inf
    log_least, tilt = math.log(least), math.log(region.tilt)
    base = math.lgamma(parameter)

    def enough(n: int) -> bool:
        left = parameter - n
        if left >= 1:
            return base - math.lgamma(left) - n * log_least < -nats
        # |Gamma(a)/Gamma(a-n)| <= Gamma(a) Gamma(n+1-a)/pi, by reflection
        return base + math.lgamma(1 - left) - n * log_least + (1 - left) * tilt < -nats

    return _first(enough, 0, parameter + least / region.tilt + 16)
