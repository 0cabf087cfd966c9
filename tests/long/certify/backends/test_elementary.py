"""What the machine-checked proofs assume of NumPy's logarithm and exponential, on many points."""

from __future__ import annotations

import numpy as np
from elementary import (
    exponential_points,
    logarithm_points,
    points_beside_1,
    worst_exponential,
    worst_logarithm,
    worst_logarithm_beside_1,
)
from numpy.random import default_rng

_POINTS = 1_000_000


def test_a_logarithm_is_within_two_units_of_round_off() -> None:
    points = logarithm_points(default_rng(23), _POINTS)
    doubles = np.nextafter(1.0, np.array([0.0, 2.0]))
    assert worst_logarithm(np.concatenate([points, doubles])) <= 2.0


def test_an_exponential_is_within_a_unit_and_a_half() -> None:
    assert worst_exponential(exponential_points(default_rng(24), _POINTS)) <= 1.5


def test_a_logarithm_of_what_is_left_of_1_is_within_two_units_of_round_off() -> None:
    assert worst_logarithm_beside_1(points_beside_1(default_rng(25), _POINTS)) <= 2.0
