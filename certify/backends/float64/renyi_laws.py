"""The Renyi divergence of two Dirichlet laws, as a sum in which little cancels.

With T the Jensen gap of log Gamma (``jensen``), D = sum T(u_i, v_i) - T(u_0, v_0). Of log Gamma
the part z log z leaves a divergence of its own, a sum of positive terms,

    sum of d_i^2 [e(d_i/y_i)/y_i + c e(-c d_i/x_i)/x_i],   c = order - 1,
    y_i = u_i v_0/u_0,  x_i = u_i w_0/u_0,  d_i = v_i - y_i = (x_i - w_i)/c,

e being the bend of the entropy and 0 the index of sums. What is left of the gaps is convex as well,
and much smaller for large parameters. Changes, sums and d_i are formed from exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from .bends import BEND_ERROR, entropy_bend
from .doubled import UNIT, Reals
from .jensen import HUGEST, TINIEST, Gap, remainder, usable
from .rooms import rounded

Exact: TypeAlias = Sequence[Fraction]

_LARGEST = float(np.finfo(np.float64).max)
_UNITS = 60.0  # around a bend: factors and squares


def divergence(u: Sequence[float], v: Sequence[float], order: float) -> float:
    """Return an upper bound on the divergence; infinite exactly where it is, 0 for equal laws."""
    first, second = [Fraction(x) for x in u], [Fraction(x) for x in v]
    excess = Fraction(order) - 1
    moves = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(first) == 1 or not moves:
        return 0.0
    if any(a + excess * (a - b) <= 0 for a, b in moves):
        return float("inf")
    with np.errstate(all="ignore"):
        return divergence_above(first, second, excess)


def divergence_above(first: Exact, second: Exact, excess: Fraction) -> float:
    """Return an upper bound on the divergence of laws for which it is finite."""
    value, doubt = _divergence(first, second, excess)
    above = np.nextafter((value + doubt) * (1.0 + 4 * UNIT), np.inf)
    return float(min(above, _LARGEST)) if above >= 0 else _LARGEST


def _divergence(first: Exact, second: Exact, excess: Fraction) -> tuple[float, float]:
    """Return the divergence and an absolute bound on its error; NaN where it is not attempted."""
    total, other = sum(first, Fraction(0)), sum(second, Fraction(0))
    pairs = [*zip(first, second, strict=True), (total, other)]
    given = Gap(
        _column([a for a, _ in pairs]),
        _column([b - a for a, b in pairs]),
        _column([b for _, b in pairs]),
        _column([a + excess * (a - b) for a, b in pairs]),
        np.full(len(pairs), rounded(excess)),
    )
    if not np.all(usable(given)):
        return float("nan"), 0.0
    small, errors = remainder(given)
    small, errors = small * given.change * given.change, errors * given.change * given.change
    entropy, unfit = _entropy_part(first, second, excess)
    count = len(pairs)
    value = (entropy + np.sum(small[:-1])) - small[-1]
    sizes = entropy + np.sum(small)
    doubt = np.sum(errors) * (1.0 + 1e-9) + (count + 8) * UNIT * sizes
    doubt += (BEND_ERROR + _UNITS * UNIT) * entropy + _UNITS * np.finfo(np.float64).tiny
    return (float("nan") if unfit else float(value)), float(doubt)


def _column(values: Exact) -> Reals:
    return np.array([rounded(value) for value in values])


def _entropy_part(first: Exact, second: Exact, excess: Fraction) -> tuple[float, bool]:
    """Return the divergence that z log z leaves, and whether a number in it is out of range."""
    total, other = sum(first, Fraction(0)), sum(second, Fraction(0))
    lean = other / total
    far_lean = 1 + excess * (1 - lean)
    gap = _column([b - a * lean for a, b in zip(first, second, strict=True)])
    near = _column([a * lean for a in first])
    beyond = _column([a * far_lean for a in first])
    near_share = _column([b / (a * lean) for a, b in zip(first, second, strict=True)])
    far_share = _column(
        [(a + excess * (a - b)) / (a * far_lean) for a, b in zip(first, second, strict=True)]
    )
    rest = rounded(excess)
    value = entropy_bend(gap / near, near_share) / near
    value = value + rest * entropy_bend(-rest * gap / beyond, far_share) / beyond
    parts = np.abs([*near, *beyond, *gap[gap != 0]])
    unfit = bool(np.any((parts < TINIEST) | (parts > HUGEST)))
    return float(np.sum(gap * (gap * value))), unfit
