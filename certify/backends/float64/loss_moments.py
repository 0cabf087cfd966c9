"""The moment generating function of the privacy loss of independent releases, on the real axis.

log M(c) = sum of n [log Gamma(alpha - c step) + log Gamma(alpha + step + c step) - log Gamma(alpha)
- log Gamma(alpha + step)], each bracket a second difference of log Gamma as in ``gammas``: nothing
cancels, and the error is relative (proofs_notes/composition.md, moment-function).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from .doubled import UNIT, Reals, plus, single, two_product
from .gammas import RISE_ERROR, digamma_rise

# Outside of these sizes nothing is attempted; inside, products of two doubles are error-free.
_TINIEST, _HUGEST = 1e-50, 1e50
_MOST_RELEASES = 1e300
# A floor that is shifted next to 0 loses all digits; nobody needs an abscissa so near to a pole.
_NEXT_TO_POLE = 1e-14
# Relative: the shifted floor within a unit and the shifts within 3, condition numbers below 2 and
# 1 (every term of the rise is a product of such), the products, and twice that.
_MOMENT_ERROR = RISE_ERROR + 40 * UNIT


class Releases(NamedTuple):
    """Independent releases, equal ones together; how many may be rounded up, but not down."""

    alpha: Reals
    step: Reals
    number: Reals

    @property
    def limit(self) -> float:
        """The least alpha/step, rounded: the first pole of M on the right."""
        return float(np.min(self.alpha / self.step))


class AxisValues(NamedTuple):
    """Values at real abscissae, with bounds on their absolute errors; infinite beyond the pole."""

    value: Reals
    doubt: Reals


def releases_of(rows: Iterable[Sequence[float]]) -> Releases | None:
    """Return the releases of a table; None where their sizes are not attempted.

    One more release shows more, so a count that is no double is rounded up.
    """
    counted: Counter[tuple[float, float]] = Counter()
    for alpha, step, count in rows:
        counted[float(alpha), float(step)] += int(count)
    if max(counted.values()) > _MOST_RELEASES:
        return None
    sizes = np.array(list(counted), dtype=np.float64).ravel()
    if not (np.min(sizes) >= _TINIEST and np.max(sizes) <= _HUGEST):
        return None
    number = np.array([rounded_up(each) for each in counted.values()])
    return Releases(sizes[::2].copy(), sizes[1::2].copy(), number)


def rounded_up(count: int) -> float:
    """Return the smallest double that is not below a whole number within the range of doubles."""
    nearest = float(count)
    return nearest if int(nearest) >= count else float(np.nextafter(nearest, np.inf))


def shifted_floor(alpha: Reals, step: Reals, point: Reals) -> Reals:
    """Return alpha - point step within a unit of round-off; NaN where it is not far from 0."""
    product, dropped = two_product(step, point)
    floor = plus(single(alpha + np.zeros_like(product)), (-product, -dropped))[0]
    return np.where(floor > _NEXT_TO_POLE * alpha, floor, np.nan)


def log_moments(releases: Releases, points: Reals) -> AxisValues:
    """Return log M at positive abscissae."""
    alpha, step, number = (part[:, None] for part in releases)
    floor = shifted_floor(alpha, step, points)
    inside = np.all(floor > 0.0, axis=0)
    base = np.where(inside, floor, 1.0)
    shift = np.where(inside, step * points, 1.0)
    rise = np.where(inside, step * (1.0 + points), 1.0)
    mean = digamma_rise(base.ravel(), shift.ravel(), rise.ravel()).reshape(base.shape)
    value = np.sum(number * (shift * mean), axis=0)
    value = np.where(inside & np.isfinite(value), value, np.inf)
    return AxisValues(value, value * (_MOMENT_ERROR + 2 * releases.number.size * UNIT))


def log_chernoff(points: Reals) -> Reals:
    """Return an upper bound on log c^c/(1 + c)^(1 + c), the largest (1 - e^-u) e^(-c u)."""
    return -(np.log1p(points) + points * np.log1p(1.0 / points)) * (1.0 - 32 * UNIT)
