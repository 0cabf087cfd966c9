"""The made-up grid joins real turns as it says, and walks follow their chains."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from each import each_of
from experiments.fallin2023.tenths import mean_difference
from experiments.fallin2023.traffic import (
    COLUMNS,
    DIRECTIONS,
    ETA,
    ETA_BAR,
    ROWS,
    admissible,
    next_state,
    traffic,
)
from experiments.fallin2023.walks import walks
from experiments.registry import Setting
from made_up_data import INTERSECTIONS, write_turns
from simplexcert.reference.dirichlet.utility import absolute_deviation
from simulation.chains import DATA, NoDataError

STATES = ROWS * COLUMNS * DIRECTIONS
SOUTH, WEST, NORTH, EAST = range(DIRECTIONS)
ERRORS = 5


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    write_turns(tmp_path, INTERSECTIONS)
    monkeypatch.setenv(DATA, str(tmp_path))
    return Setting("fallin2023.figure-2", quick=True, seed=3)


def test_going_ahead_leads_around_the_torus() -> None:
    for direction, times in ((SOUTH, ROWS), (WEST, COLUMNS), (NORTH, ROWS), (EAST, COLUMNS)):
        state = 5 * DIRECTIONS + direction
        for _ in range(times):
            state = next_state(state // DIRECTIONS, direction)
        assert state == 5 * DIRECTIONS + direction


def test_east_and_back_west_is_the_same_place() -> None:
    there = next_state(6, EAST) // DIRECTIONS
    assert there == 7
    assert next_state(there, WEST) // DIRECTIONS == 6


def test_of_southbound_drivers_those_who_turn_right_go_west(setting: Setting) -> None:
    chain = traffic(setting)
    right, ahead, left = chain.intersections[0].turns[SOUTH]
    total = right + ahead + left
    for direction, count in ((WEST, right), (SOUTH, ahead), (EAST, left)):
        assert chain.matrix[SOUTH][next_state(0, direction)] == Fraction(count, total)


def test_every_row_meets_the_hypotheses(setting: Setting) -> None:
    chain = traffic(setting)
    assert len(chain.matrix) == STATES
    for row in chain.matrix:
        outside, *protected = sorted(filter(None, row))
        assert sum(row) == 1
        assert len(protected) == 2
        assert min(protected) >= ETA
        assert outside >= ETA_BAR


def test_the_busiest_intersections_are_chosen(setting: Setting) -> None:
    names = {one.name for one in traffic(setting).intersections}
    assert len(names) == ROWS * COLUMNS
    assert "one way" not in names


@each_of(
    "turns, good",
    [
        ((100, 851, 49), False),
        ((51, 849, 100), True),
        ((99, 850, 51), False),
        ((0, 0, 0), False),
        ((51, 99, 850), False),
    ],
)
def test_a_share_below_its_floor_is_not_admissible(
    turns: tuple[int, int, int],
    good: bool,
) -> None:
    assert admissible(turns) is good


def test_too_few_intersections_are_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_turns(tmp_path, ROWS * COLUMNS - 1)
    monkeypatch.setenv(DATA, str(tmp_path))
    with pytest.raises(NoDataError, match="fewer than eight"):
        traffic(Setting("fallin2023.figure-2", quick=True, seed=3))


def test_a_walk_follows_transitions_that_are_certain() -> None:
    around = np.roll(np.eye(5), 1, axis=1)[None].repeat(2, axis=0)
    numbers = np.array([[0.0, 1 - 2**-53]] * 7)
    taken = walks(around, np.array([0, 3]), numbers)
    assert (taken == (np.arange(8)[:, None] + (0, 3)) % 5).all()


def test_walks_of_one_chain_with_one_number_agree() -> None:
    random = np.random.default_rng(4)
    matrices = np.full((6, 3, 3), 1 / 3)
    starts, numbers = random.integers(3, size=6), random.uniform(size=(9, 6))
    assert (walks(matrices, starts, numbers) == walks(matrices, starts, numbers)).all()


def test_a_transition_is_taken_as_often_as_it_is_likely() -> None:
    random, draws = np.random.default_rng(5), 20_000
    matrices = np.broadcast_to(np.array([[0.2, 0.0, 0.8]] * 3), (draws, 3, 3))
    (taken,) = walks(matrices, np.zeros(draws, dtype=np.int64), random.uniform(size=(1, draws)))[1:]
    assert not (taken == 1).any()
    assert abs((taken == 0).mean() - 0.2) < ERRORS * (0.2 * 0.8 / draws) ** 0.5


def test_simulated_differences_are_near_the_exact_mean() -> None:
    found = mean_difference(np.random.default_rng(6), 10, 400)
    exact = float(absolute_deviation(Fraction(1, 10), Fraction(10)).mid())
    assert abs(found.value - exact) < ERRORS * found.error
