"""Points and thresholds: functions of the seed and the parameters alone, the same everywhere.

Events: each counts what it says, against a count by hand of exact numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from ball_checks import seeded
from each import each_of
from simplexcert.certify.backends.draws import Draws
from simplexcert.certify.samplers import Point, distributions, points_of
from simplexcert.certify.samplers.distributions import BetaLaw
from simplexcert.certify.samplers.events import (
    BLOCK,
    CHUNK,
    DRAWS,
    LEAST_SUM,
    AnotherWhenAskedAgain,
    Below,
    BothBelow,
    FewBits,
    OffSimplex,
    Repeated,
    SameForAnotherSeed,
    SumAndRatioBelow,
    Within,
    Zero,
)
from simplexcert.certify.samplers.points import (
    LARGEST_ALPHA,
    LARGEST_SCALE,
    LEAST_ALPHA,
    LEAST_SCALE,
    SEEDS,
    dirichlet_events,
    laplace_events,
)
from simplexcert.certify.samplers.results import MOST_TESTS
from simplexcert.certify.samplers.statistics import TOLERANCE, Noise, Share, Size

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


@each_of("seed", [0, 1, -7, 2**53 - 1])
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


@each_of("pair", LAWS)
@each_of("mass", MASSES)
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


ALPHA = (Fraction(1), Fraction(2), Fraction(1, 100))
FIRST, PAIR = Share(ALPHA, (1,)), Share(ALPHA, (1, 3))
HALF, THIRD = Fraction(1, 2), Fraction(5, 16)
NOISE, SIZE = Noise(Fraction(1)), Size(Fraction(1))
EXACTLY = Fraction(0)


def grid(count: int, width: int = 3) -> Draws:
    """Draws of few bits, so that thresholds are met exactly, and some zeros."""
    random = seeded(count)
    rows = [[random.randrange(17) / 16 for _ in range(width)] for _ in range(count)]
    return np.array(rows)


def rows_of(draws: Draws) -> list[list[Fraction]]:
    return [[Fraction(item) for item in row] for row in draws.tolist()]


def test_below_counts_what_is_smaller() -> None:
    draws = grid(400)
    assert Below(FIRST, HALF).count(draws) == sum(row[0] < HALF for row in rows_of(draws))
    assert Below(PAIR, HALF).count(draws) == sum(row[0] + row[2] < HALF for row in rows_of(draws))


def test_within_counts_from_one_end_up_to_the_other() -> None:
    draws = grid(400)
    counted = sum(THIRD <= row[0] < HALF for row in rows_of(draws))
    assert Within(FIRST, THIRD, HALF).count(draws) == counted
    assert any(row[0] == THIRD for row in rows_of(draws))


def test_both_below_counts_disjoint_pairs() -> None:
    draws = grid(400)
    first = [row[0] < HALF for row in rows_of(draws)]
    counted = sum(one and other for one, other in zip(first[0::2], first[1::2], strict=True))
    assert BothBelow(FIRST, HALF).count(draws) == counted
    assert BothBelow(FIRST, HALF).trials == DRAWS // 2


def test_sizes_are_counted_without_their_signs() -> None:
    draws = grid(400, 1) - 0.5
    counted = sum(abs(row[0]) < THIRD for row in rows_of(draws))
    assert Below(SIZE, THIRD).count(draws) == counted
    assert Below(NOISE, THIRD).count(draws) > counted


def test_sum_and_ratio_are_counted_together_where_the_sum_is_not_tiny() -> None:
    draws = grid(400)
    counted = sum(
        LEAST_SUM <= row[0] + row[2] < HALF and row[0] < THIRD * (row[0] + row[2])
        for row in rows_of(draws)
    )
    event = SumAndRatioBelow(ALPHA, 1, 3, HALF, THIRD)
    assert event.count(draws) == counted
    tiny = float(LEAST_SUM) / 4
    assert event.count(np.array([[0.0, 1.0, 0.0], [tiny, 1.0, 2.5 * tiny]])) == 0


def test_zeros_are_counted_by_draws() -> None:
    draws = grid(400)
    event = Zero((FIRST, PAIR))
    assert event.count(draws) == sum(0 in row for row in rows_of(draws))
    assert event.count(np.array([[-0.0, 0.5, 0.5]])) == 1


@each_of(
    "change, blocks",
    [
        (lambda _values: None, 0),
        (lambda values: values.__setitem__(7, values[5]), 1),
        (lambda values: values.__setitem__(slice(BLOCK - 1, BLOCK + 1), values[5]), 1),
        (lambda values: values.__setitem__(BLOCK, values[5]), 0),
        (lambda values: values.__setitem__(slice(10, 20), 0.75), 0),
        (lambda values: values.__setitem__(slice(None), 0.25), 2),
    ],
)
def test_repeated_counts_blocks_with_equal_values(
    change: Callable[[Draws], None], blocks: int
) -> None:
    """A value comes twice in a block, across two blocks, or outside of the range."""
    values = np.random.default_rng(3).random(2 * BLOCK) / 2 + 2.0**-30
    change(values)
    event = Repeated(FIRST, Fraction(1, 2**40), HALF + Fraction(1, 8), EXACTLY)
    assert event.count(np.column_stack([values, 1 - values])) == blocks


@each_of(
    "value, is_counted",
    [
        (0.25, True),
        (float(np.float32(0.3)), True),
        (-float(np.float32(0.3)), True),
        (0.3, False),
        (0.25 + 2.0**-26, False),
        (0.25 + 2.0**-25, True),
        (0.75, False),
        (2.0**-22, False),
    ],
)
def test_few_bits_counts_floats_of_single_precision(value: float, *, is_counted: bool) -> None:
    event = FewBits(FIRST, Fraction(1, 2**21), HALF, EXACTLY, 1)
    assert event.count(np.array([[value, 1 - value]])) == is_counted


def test_off_the_simplex_is_decided_exactly() -> None:
    """At just so many tolerances a sum is on it, a unit in the last place further it is not."""
    step = float(3 * TOLERANCE)
    on = [[0.25, 0.25, 0.5 + step], [0.25, 0.25, 0.5 - step], [1.0, 0.0, -0.0]]
    beyond, under = np.nextafter(0.5 + step, 1), np.nextafter(0.5 - step, 0)
    off = [[0.25, 0.25, beyond], [0.25, 0.25, under], [-1e-300, 0.5, 0.5], [1e308, 1e308, 1e308]]
    event = OffSimplex(3)
    assert event.count(np.array(on)) == 0
    assert [event.count(np.array([row])) for row in off] == [1, 1, 1, 1]
    assert event.count(np.array([[0.1, 0.7, 0.2], [0.5, 0.25, 0.0]])) == 1


def test_another_answer_is_counted_bit_for_bit() -> None:
    one = np.array([[0.0, 1.0], [0.25, 0.75], [0.5, 0.5]])
    other = np.array([[-0.0, 1.0], [0.25, np.nextafter(0.75, 1)], [0.5, 0.5]])
    assert AnotherWhenAskedAgain().count(one, one.copy()) == 0
    assert AnotherWhenAskedAgain().count(one, other) == 2


def test_the_same_answer_for_another_seed_is_counted_within_a_range() -> None:
    one = np.array([[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.125, 0.875]])
    other = np.array([[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.125, 0.75]])
    event = SameForAnotherSeed(FIRST, Fraction(1, 8), Fraction(3, 8), EXACTLY)
    assert event.count(one, other) == 1


@pytest.mark.parametrize("kind", ["dirichlet", "laplace"])
def test_thresholds_are_doubles(kind: str) -> None:
    """Else what is counted would not be what the probability is of."""
    for point in points_of(kind, 11):
        for event in point.events():
            numbers = [x for x in event.parameters().values() if isinstance(x, Fraction)]
            assert all(Fraction(float(number)) == number for number in numbers)


def test_events_differ_from_each_other() -> None:
    for point in points_of("dirichlet", 12):
        told = [(event.name, repr(event.parameters())) for event in point.events()]
        assert len(set(told)) == len(told)


def test_a_point_of_equal_alphas_has_equal_probabilities() -> None:
    point = Point("dirichlet", (Fraction(3), Fraction(3)), 0)
    below = [event for event in point.events() if isinstance(event, Below)]
    assert [e.probability() for e in below[:5]] == [e.probability() for e in below[5:]]
