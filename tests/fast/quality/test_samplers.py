"""The gallery of samplers: every faulty one is refuted, or an error, and every sound one passes.

A sample of the points; all of them, and many seeds, are for tests/long.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from instances import instances
from simplexcert.certify.samplers import Point, points_of, results_at, sampler_verdict
from simplexcert.certify.verdict import Verdict, overall

# The gallery is no module of a distribution.
sys.path.insert(0, str(Path(__file__).parent))

from sampler_gallery import Entry, dirichlet_entries, laplace_entries

ENTRIES = [*dirichlet_entries.values(), *laplace_entries.values()]
FAULTY = [entry for entry in ENTRIES if not entry.is_sound]
SOUND = [entry for entry in ENTRIES if entry.is_sound]
FEWEST_FAULTY, FEWEST_SOUND = 40, 10
# What answers no draws is an error; all others are refuted by a count.
ERRORS = {"not_a_number_now_and_then", "logarithm_of_nothing", "one_draw_short"}
# In the gate: of each kind of fault, where it is, the first point, in tests/long two.
POINTS_IN_GATE = instances(1, 2)
SEEDS_IN_GATE = range(instances(1, 3))
# Slow, or there in another way: tried at the gate's seeds alone.
SLOW = {"rejection_in_python", "exponential_with_a_sign", "log_gammas_normalised"}


def points_for(entry: Entry, seed: int) -> list[Point]:
    return [point for point in points_of(entry.kind, seed) if entry.where(point)]


def third_of_points(entry: Entry, seed: int) -> list[Point]:
    """Every third point, other ones for the next seeds."""
    return points_for(entry, seed)[seed % 3 :: 3]


def verdict_at(entry: Entry, points: list[Point]) -> Verdict:
    return overall(result.verdict for result in results_at(tuple(points), entry.backend()))


def named(entries: list[Entry]) -> list[ParameterSet]:
    return [pytest.param(entry, id=f"{entry.kind}-{entry.name}") for entry in entries]


def test_gallery_is_large_enough() -> None:
    assert len(FAULTY) >= FEWEST_FAULTY
    assert len(SOUND) >= FEWEST_SOUND


@pytest.mark.parametrize("entry", named(FAULTY))
def test_faulty_sampler_is_refuted(entry: Entry) -> None:
    """At each of the points alone, and what is written of it says the same."""
    wanted = Verdict.ERROR if entry.name in ERRORS else Verdict.REFUTED
    for point in points_for(entry, 0)[:POINTS_IN_GATE]:
        (result,) = results_at((point,), entry.backend())
        assert result.verdict is wanted, point
        assert sampler_verdict(result.as_json()) is wanted


@pytest.mark.parametrize("entry", named(SOUND[:: instances(2, 1)]))
def test_sound_sampler_passes(entry: Entry) -> None:
    for seed in SEEDS_IN_GATE:
        points = third_of_points(entry, seed)
        few = points[:1] if entry.name in SLOW else points
        assert verdict_at(entry, few) is Verdict.CERTIFIED


def test_points_are_doubles() -> None:
    for kind in ("dirichlet", "laplace"):
        for point in points_of(kind, 5):
            assert all(Fraction(float(value)) == value for value in point.values)
