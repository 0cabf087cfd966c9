"""Points and thresholds: functions of the seed and the parameters alone, the same everywhere."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from simplexcert.certify.samplers import CHUNK, DRAWS, distributions, points_of
from simplexcert.certify.samplers.constants import (
    BLOCK,
    LARGEST_ALPHA,
    LARGEST_SCALE,
    LEAST_ALPHA,
    LEAST_SCALE,
    MOST_TESTS,
    SEEDS,
)
from simplexcert.certify.samplers.distributions import BetaLaw
from simplexcert.certify.samplers.points import dirichlet_events, laplace_events

KINDS = ("dirichlet", "laplace")
LAWS = [(0.01, 0.01), (0.01, 1000.0), (1000.0, 0.01), (1000.0, 4000.0), (1.0, 1.0), (0.5, 7.0)]
MASSES = [Fraction(1, 1000), Fraction(1, 2), Fraction(93, 100), Fraction(999, 1000)]


def law_of(pair: tuple[float, float]) -> BetaLaw:
    return BetaLaw(*map(Fraction, pair))


@pytest.mark.parametrize("kind", KINDS)
def test_points_depend_on_the_seed_alone(kind: str) -> None:
    assert points_of(kind, 3) == points_of(kind, 3)
    drawn = {points_of(kind, seed)[-1].values for seed in range(20)}
    assert len(drawn) > 15
    assert points_of(kind, 3)[0].values == points_of(kind, 4)[0].values
    assert points_of(kind, 3)[0].seed != points_of(kind, 4)[0].seed


def test_points_are_where_samplers_are_tested() -> None:
    for seed in range(300):
        for point in points_of("dirichlet", seed):
            assert all(LEAST_ALPHA <= value <= LARGEST_ALPHA for value in point.values)
            assert point.width == len(point.values)
        for point in points_of("laplace", seed):
            assert LEAST_SCALE <= point.values[0] <= LARGEST_SCALE
            assert point.width is None


@pytest.mark.parametrize("seed", [0, 1, -7, 2**53 - 1])
def test_no_two_chunks_have_the_same_seed(seed: int) -> None:
    for kind in KINDS:
        for point in points_of(kind, seed):
            seeds = [point.chunk_seed(chunk) for chunk in range(DRAWS // CHUNK)]
            assert len(set(seeds)) == len(seeds)
            assert all(0 <= one < SEEDS for one in seeds)


def test_draws_come_in_whole_pairs_blocks_and_twos_of_chunks() -> None:
    assert DRAWS % (2 * CHUNK) == 0
    assert CHUNK % BLOCK == 0
    assert BLOCK % 2 == 0


def test_no_campaign_has_more_tests_than_the_power_is_stated_for() -> None:
    """The fixed points and, of each dimension, more than any drawn point has."""
    fixed = sum(len(point.events()) for point in points_of("dirichlet", 0)[:9])
    drawn = sum(len(dirichlet_events((Fraction(500),) * n)) for n in (2, 3, 5))
    noise = len(points_of("laplace", 0)) * len(laplace_events(Fraction(1)))
    assert 2 * (fixed + drawn + noise) < 2 * MOST_TESTS
    for seed in range(10):
        drawn_points = points_of("dirichlet", seed)[9:]
        assert sum(len(point.events()) for point in drawn_points) <= drawn


@pytest.mark.parametrize("pair", LAWS)
@pytest.mark.parametrize("mass", MASSES)
def test_a_threshold_is_the_least_with_enough_below(
    pair: tuple[float, float], mass: Fraction
) -> None:
    law = law_of(pair)
    found = distributions.threshold(law, mass)
    if found is None:
        assert law.below(Fraction(4095, 4096)).lower < mass
        return
    assert law.below(found).lower >= mass
    if found == Fraction(1, 2**1000):
        return  # there is none below
    significand, power = math.frexp(found)
    whole = int(significand * 2**12)
    assert Fraction(whole, 2**12) * Fraction(2) ** power == found
    step = 1 if whole > 2**11 else Fraction(1, 2)
    assert law.below((whole - step) * Fraction(2) ** (power - 12)).lower < mass


@pytest.mark.parametrize("pair", LAWS)
def test_a_guess_only_says_where_to_begin(
    pair: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [distributions.threshold(law_of(pair), mass) for mass in MASSES]
    for place in (1, 1000, 2**20, distributions._LAST):
        distributions.threshold.cache_clear()
        monkeypatch.setattr(distributions, "_guess", lambda _law, _mass, place=place: place)
        assert [distributions.threshold(law_of(pair), mass) for mass in MASSES] == found
