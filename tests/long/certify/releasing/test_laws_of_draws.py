"""Exact draws are draws from their laws: of all subjects, all draws, and many seeds."""

from __future__ import annotations

import pytest
from counted_draws import refuting
from fast.certify.releasing.test_laws_of_draws import SEED, SUBJECTS, Subject

SEEDS, FEWER_DRAWS = range(2, 52), 10_000


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_many_draws_follow_their_law(subject: Subject) -> None:
    assert refuting(subject.counted(SEED)) == []


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_draws_of_other_seeds_follow_their_law(subject: Subject) -> None:
    counted = {seed: refuting(subject.counted(seed, FEWER_DRAWS)) for seed in SEEDS}
    assert {seed: names for seed, names in counted.items() if names} == {}
