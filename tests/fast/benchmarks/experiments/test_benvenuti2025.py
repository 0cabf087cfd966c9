"""Zones are merged as they are said to be, and sampled numbers agree with certified ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest
from experiments.benvenuti2025.grades import figure_1, real_sections
from experiments.benvenuti2025.sampled_delta import (
    TAXI_DELTA,
    gammas_by_delta,
    mean_relative_error,
    point,
)
from experiments.benvenuti2025.taxis import TARGET, merged
from experiments.benvenuti2025.zones import ANY_EPSILON, Zones, stairs, taxi_zones
from experiments.registry import Setting
from experiments.running import outcome_of
from made_up_data import ZONES, write_all
from simulation.chains import DATA

# Doubles of sums and of log-Gammas keep twelve digits.
RELATIVE = 1e-10
# A seeded mean that is further off than this has another expectation.
ERRORS = 5


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    write_all(tmp_path)
    monkeypatch.setenv(DATA, str(tmp_path))
    return Setting("benvenuti2025.figure-3", quick=True, seed=3)


def trips(zones: Zones) -> int:
    return sum(zones.records)


def test_a_zone_that_no_trip_leaves_is_left_out(setting: Setting) -> None:
    zones, remark = taxi_zones(setting)
    assert len(zones.counts) == ZONES
    assert f"zone {10 + ZONES}, left out" in remark


def test_a_merge_keeps_every_trip_and_every_zone(setting: Setting) -> None:
    zones, _ = taxi_zones(setting)
    for step in stairs(zones, 4):
        assert trips(step) == trips(zones)
        assert sorted(sum(step.names, ())) == sorted(sum(zones.names, ()))


def test_each_step_has_fewer_zones_and_a_smaller_epsilon(setting: Setting) -> None:
    steps = list(stairs(taxi_zones(setting)[0], 4))
    assert len(steps) > 1
    for before, after in pairwise(steps):
        assert len(after.counts) < len(before.counts)
        assert after.epsilon() < before.epsilon()


def test_a_row_without_an_epsilon_is_merged_first(setting: Setting) -> None:
    zones, _ = taxi_zones(setting)
    reached = zones.merged_to(ANY_EPSILON)
    assert reached is not None
    assert min(zones.records) == 2 < min(reached.records)


def test_a_row_of_two_transitions_or_a_large_eta_does_not_meet_the_hypotheses() -> None:
    names = (("a",), ("b",), ("c",), ("d",))
    good = (5, 5, 5, 1)
    assert Zones((good,) * 4, names).meets_the_hypotheses
    assert not Zones(((5, 5, 0, 0), *(good,) * 3), names).meets_the_hypotheses
    assert not Zones(((1, 1, 1, 1), *(good,) * 3), names).meets_the_hypotheses
    assert not Zones(((9, 1, 0, 0), *(good,) * 3), names).meets_the_hypotheses


def test_what_cannot_be_reached_is_none(setting: Setting) -> None:
    assert taxi_zones(setting)[0].merged_to(Fraction(1, 10**6)) is None


def test_the_merged_chain_meets_the_target_and_the_hypotheses(setting: Setting) -> None:
    zones, _ = merged(setting)
    assert Fraction(zones.epsilon()) <= TARGET
    assert zones.meets_the_hypotheses
    assert all(
        k * eta == Fraction(3, 2) for k, eta in zip(zones.k(Fraction(1)), zones.floors, strict=True)
    )


def test_sections_are_of_98_grades_with_shares_of_eta(setting: Setting) -> None:
    assert real_sections(setting) == {"section of made up": (30, 28, 20, 11, 9)}


def test_the_mean_relative_error_is_the_sum_over_all_outcomes() -> None:
    delta, samples = Fraction(1, 7), 20
    exact = sum(
        comb(samples, hits)
        * delta**hits
        * (1 - delta) ** (samples - hits)
        * abs(Fraction(hits, samples) - delta)
        for hits in range(samples + 1)
    )
    assert abs(mean_relative_error(float(delta), samples) * float(delta) / float(exact) - 1) < (
        RELATIVE
    )


def test_fractions_of_misses_are_near_the_certified_delta(setting: Setting) -> None:
    for delta, gamma in gammas_by_delta().items():
        found = point(setting, delta, gamma, 1_000)
        assert abs(found.one.value - found.exact) < ERRORS * found.one.error


def test_the_larger_delta_is_the_one_that_is_printed() -> None:
    assert abs(Fraction(max(gammas_by_delta())) / TAXI_DELTA - 1) < Fraction(1, 10**9)


def test_simulated_divergences_are_near_theorem_2(setting: Setting) -> None:
    (table,) = outcome_of(figure_1(setting), lambda _share: None).tables
    for row in table.rows:
        cells = [float(cell) for cell in row if cell is not None]
        for expected, simulated, error in zip(cells[5::3], cells[6::3], cells[7::3], strict=True):
            assert abs(simulated - expected) < ERRORS * error
