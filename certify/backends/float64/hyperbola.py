"""The path on which the Laplace transform of a tail is inverted: one branch of a hyperbola.

    s(u) = sigma (1 + v(u)),  v = q (1 - cosh u) + i p sinh u,  p^2 = 1 + 2q,

with q = sin(phi)/(1 - sin(phi)), crosses the real axis at sigma and bends to the left, in the end
by the angle phi from the vertical; |s|/sigma = 1 + (1 + q)(cosh u - 1). To u + i theta belongs the
hyperbola of angle phi + theta that crosses at sigma (1 - sin(phi + theta))/(1 - sin(phi))
(Weideman and Trefethen 2007). The trapezoid rule with step h errs by at most the two integrals of
the modulus over the hyperbolas of angles phi - d and phi + d, divided by e^(2 pi d/h) - 1
(Trefethen and Weideman 2014, theorem 5.1).
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .doubled import Reals

Complexes: TypeAlias = NDArray[np.complex128]

_WIDEST = 0.65  # of phi; its double stays below a right angle, where the path meets the cut
_OF_WIDTH = 6.0  # of the integrand near the saddle, whose relative width is about 1/sqrt(k)
_SHARE = 0.9  # of phi that d is: the inner path still leans to the left
# The aliasing is e^-45 < 3e-20 of the larger modulus at the crossings of the two outer paths. What
# is allowed for it, 2^-50 of the integral of the modulus, lets their integrals be e^10 times that.
_ALIASING = 45.0
_GRID, _ZOOMS = 33, 4
_LEAST = 1e-4  # of k: where the saddle is sought


class Path(NamedTuple):
    """A hyperbola and the step of its trapezoid rule."""

    crossing: float  # sigma
    lean: float  # q
    step: float  # h


class Nodes(NamedTuple):
    """Points of the rule: v, log(s/sigma), and ds/du h/sigma; the first one counts half."""

    shift: Complexes
    logarithm: Complexes
    weight: Complexes


def nodes(path: Path, first: int, count: int) -> Nodes:
    """Return the nodes of these numbers, in forms that keep small v to a few units of round-off."""
    place = np.arange(first, first + count) * path.step
    sine, half = np.sinh(place), np.sinh(place / 2)
    bend = 2.0 * half * half  # cosh u - 1
    height = math.sqrt(1.0 + 2.0 * path.lean)
    shift = -path.lean * bend + 1j * (height * sine)
    angle = np.arctan2(height * sine, 1.0 - path.lean * bend)
    logarithm = np.log1p((1.0 + path.lean) * bend) + 1j * angle
    weight = (-path.lean * sine + 1j * (height * np.cosh(place))) * path.step
    if first == 0:
        weight[0] *= 0.5
    return Nodes(shift, logarithm, weight)


def path_through_saddle(alpha: Reals, count: Reals, total: float, gamma: float) -> Path:
    """Return a path through the saddle of e^s s^-k (1 - prod Q(a_i, gamma s)).

    Any positive crossing and step give a valid rule; these give a short and accurate one.
    """
    crossing = _saddle(alpha, count, total, gamma)
    angle = min(_WIDEST, _OF_WIDTH / math.sqrt(total))
    width = _SHARE * angle
    ends = [math.sin(angle), math.sin(angle - width), math.sin(angle + width)]
    crossings = crossing * (1.0 - np.array(ends)) / (1.0 - ends[0])
    height = _exponent(crossings, alpha, count, total, gamma)
    rises = height[1:] - height[0]
    rise = max(float(np.max(rises)), 0.0) if np.all(np.isfinite(rises)) else _ALIASING
    step = 2.0 * math.pi * width / (_ALIASING + rise)
    return Path(crossing, ends[0] / (1.0 - ends[0]), step)


def _saddle(alpha: Reals, count: Reals, total: float, gamma: float) -> float:
    """Return about where the integrand is least on the real axis, which lies below k."""
    low, high = _LEAST * total, total
    for _ in range(_ZOOMS):
        places = np.geomspace(low, high, _GRID)
        heights = _exponent(places, alpha, count, total, gamma)
        best = int(np.argmin(heights))
        if not math.isfinite(heights[best]):
            return total
        low, high = places[max(best - 1, 0)], places[min(best + 1, _GRID - 1)]
    return float(places[best])


def _exponent(places: Reals, alpha: Reals, count: Reals, total: float, gamma: float) -> Reals:
    """Return the logarithm of the integrand on the real axis, infinite where it underflows."""
    missed = special.gammainc(alpha[:, None], gamma * places[None, :])
    some = -np.expm1(np.sum(count[:, None] * np.log1p(-missed), axis=0))
    value = places - total * np.log(places) + np.log(some)
    return np.where(np.isfinite(value), value, np.inf)
