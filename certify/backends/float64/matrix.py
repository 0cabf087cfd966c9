"""fallin2023's matrix mechanism: the largest of all rows, and rows that change together.

Derived parameters are rounded to the side that is proved to be safe: delta falls with the floor
and rises with the step (proofs_notes/composition.md, monotone-in-each-release), a row's miss rises
with its number of protected coordinates, and the printed epsilon falls with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from . import composition, good_set, tails
from .doubled import Reals, rounded_towards

_WHOLE = 2.0**53
_HUGE = 10**300  # a whole number beyond is not a double; nothing here tells them apart


def delta(k: Reals, eta: Reals, b: Reals, changed_rows: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on the delta of so many rows that change by a whole step each."""
    return np.array(
        [_delta(*map(float, point)) for point in zip(k, eta, b, changed_rows, epsilon, strict=True)]
    )


def _delta(k: float, eta: float, b: float, changed_rows: float, epsilon: float) -> float:
    floor = rounded_towards(Fraction(k) * Fraction(eta), -np.inf)
    step = rounded_towards(Fraction(k) * Fraction(b) / 2, np.inf)
    if not (floor > 0.0 and step < np.inf):
        return 1.0
    # A whole number that large may have been rounded to a double; more rows show more.
    rows = changed_rows if changed_rows < _WHOLE else float(np.nextafter(changed_rows, np.inf))
    return composition.delta([(floor, step, int(rows))], epsilon) if rows < _HUGE else 1.0


def delta_bound(k: float, eta: float, rows: Sequence[Sequence[float]]) -> float:
    """Return an upper bound on the largest probability that a row misses its good set."""
    w, gamma = _columns(rows, np.inf)
    with np.errstate(all="ignore"):
        return tails.largest_identity_delta(_all(k, w), _all(eta, w), w, gamma)


def epsilon_bound(
    k: float, eta: float, eta_bar: float, b: float, rows: Sequence[Sequence[float]]
) -> float:
    """Return an upper bound on the largest of all rows' printed epsilons."""
    w, gamma = _columns(rows, -np.inf)
    with np.errstate(all="ignore"):
        first, second, third = (_all(value, w) for value in (k, eta, eta_bar))
        every = good_set.identity_epsilon(first, second, third, _all(b, w), w, gamma)
    return float(np.max(every))


def _columns(rows: Sequence[Sequence[float]], towards: float) -> tuple[Reals, Reals]:
    """Return each row's w, one that is no double rounded towards an infinity, and its gamma."""
    counts = [rounded_towards(Fraction(min(int(w), _HUGE)), towards) for w, _ in rows]
    return np.array(counts), np.array([float(gamma) for _, gamma in rows])


def _all(value: float, like: Reals) -> Reals:
    """Return one value for each row."""
    return np.full(like.shape, value, dtype=np.float64)
