"""The gallery of samplers at all points and with many seeds."""

from __future__ import annotations

import pytest
from fast.quality.test_samplers import (
    ERRORS,
    FAULTY,
    SLOW,
    SOUND,
    Entry,
    named,
    points_for,
    third_of_points,
    verdict_at,
)
from simplexcert.certify.verdict import Verdict

SEEDS, SEEDS_OF_FAULTY = range(3, 203), range(1, 6)


@pytest.mark.parametrize("entry", named(FAULTY))
def test_faulty_sampler_is_refuted_with_every_seed(entry: Entry) -> None:
    wanted = Verdict.ERROR if entry.name in ERRORS else Verdict.REFUTED
    for seed in SEEDS_OF_FAULTY:
        assert verdict_at(entry, points_for(entry, seed)) is wanted, seed


@pytest.mark.parametrize("entry", named([entry for entry in SOUND if entry.name not in SLOW]))
def test_sound_sampler_passes_with_every_seed(entry: Entry) -> None:
    for seed in SEEDS:
        assert verdict_at(entry, third_of_points(entry, seed)) is Verdict.CERTIFIED, seed
