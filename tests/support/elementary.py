"""NumPy's logarithm and exponential against MPFR, as the machine-checked proofs assume them."""

from __future__ import annotations

import gmpy2
import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
UNIT = 2.0**-53
_BITS = 160


def worst_logarithm(points: Reals) -> float:
    """Return the largest relative error of np.log at points other than 1, in units of round-off."""
    return _worst(points, np.log(points), "log")


def worst_exponential(points: Reals) -> float:
    """Return the largest relative error of np.exp where it is normal, in units of round-off."""
    return _worst(points, np.exp(points), "exp")


def worst_logarithm_beside_1(points: Reals) -> float:
    """Return the largest relative error of np.log1p away from 0, in units of round-off."""
    return _worst(points, np.log1p(points), "log1p")


def _worst(points: Reals, found: Reals, name: str) -> float:
    with gmpy2.context(precision=_BITS):
        true = [getattr(gmpy2, name)(gmpy2.mpfr(point)) for point in points.tolist()]
        off = [abs((gmpy2.mpfr(y) - t) / t) for y, t in zip(found.tolist(), true, strict=True)]
    return float(max(off)) / UNIT


def logarithm_points(generator: np.random.Generator, size: int) -> Reals:
    """Return sums that a series may have: of all sizes, and near 1, where a logarithm is small."""
    wide = np.exp2(generator.uniform(-1000.0, 1023.0, size))
    near = 1.0 + generator.choice([-0.5, 1.0], size) * np.exp(generator.uniform(-36.0, 0.0, size))
    return np.concatenate([wide, near[near != 1.0]])


def points_beside_1(generator: np.random.Generator, size: int) -> Reals:
    """Return what is taken off 1: from next to nothing to next to all, and a little more than 1."""
    small = -np.exp(generator.uniform(-60.0, 0.0, size))
    near = -1.0 + np.exp(generator.uniform(-36.0, 0.0, size))
    return np.concatenate([small[small > -1.0], near[near != 0.0], generator.uniform(0.0, 9.0, 50)])


def exponential_points(generator: np.random.Generator, size: int) -> Reals:
    """Return logarithms of delta: down to the least normal double, and near 0; and up to 1."""
    wide = -generator.uniform(-1.0, 708.0, size)
    return np.concatenate([wide, -np.exp(generator.uniform(-40.0, 6.5, size))])
