"""Samplers with a planted fault are refuted by the tests of exact draws at 10^5 draws.

The tests are those that the exact samplers pass (test_laws_of_draws.py in
tests/fast/certify/releasing), each at a level of 10^-9 over TESTS_IN_ALL. What is drawn exactly,
and other seeds, are for tests/long.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from counted_draws import TESTS_IN_ALL, refuting
from counted_shares import chance_of_halves
from exact_draws import DRAWS, SMALL
from instances import instances
from sampler_power import power

# The gallery is no module of a distribution.
sys.path.insert(0, str(Path(__file__).parent))

from draw_gallery import PLANTED, Planted

FAULTY = [one for one in PLANTED.values() if one.found_by]
SOUND = [one for one in PLANTED.values() if not one.found_by]
FEWEST_FAULTY, FEWEST_SOUND = 24, 4
FOUND = Fraction(999, 1000)


def named(entries: list[Planted], *, slow: bool = False) -> list[ParameterSet]:
    return [pytest.param(one, id=one.name) for one in entries if one.slow is slow]


def is_found(entry: Planted, seed: int = 1) -> bool:
    return any(name.startswith(entry.found_by) for name in refuting(entry.tests(seed)))


def passes(entry: Planted, seed: int = 1) -> bool:
    return refuting(entry.tests(seed)) == []


def test_gallery_is_large_enough() -> None:
    assert len(FAULTY) >= FEWEST_FAULTY
    assert len(SOUND) >= FEWEST_SOUND


@pytest.mark.parametrize("entry", named(FAULTY[:: instances(3, 1)]))
def test_planted_fault_is_found(entry: Planted) -> None:
    """By the test that is meant to find it, and not by another alone."""
    assert is_found(entry)


@pytest.mark.parametrize("entry", named(SOUND))
def test_the_same_without_a_fault_passes(entry: Planted) -> None:
    assert passes(entry)


@pytest.mark.parametrize("factor", ["1.03", "0.97"])
def test_power_against_a_concentration_3_percent_off(factor: str) -> None:
    """Enclosed, not simulated: by the test of halves alone."""
    exact, off = chance_of_halves(SMALL), chance_of_halves(SMALL, Fraction(factor))
    assert power(2 * DRAWS, exact, off, TESTS_IN_ALL).lower > FOUND
