"""Samplers with a planted fault, what is slow among them, and with many seeds."""

from __future__ import annotations

import pytest
from fast.quality.test_planted_draws import FAULTY, SOUND, Planted, is_found, named, passes

SEEDS, SEEDS_IF_SLOW = range(2, 52), range(2, 22)


@pytest.mark.parametrize("entry", named(FAULTY, slow=True))
def test_planted_fault_that_is_slow_is_found(entry: Planted) -> None:
    assert is_found(entry)


@pytest.mark.parametrize("entry", named(SOUND, slow=True))
def test_the_same_without_a_fault_passes_where_it_is_slow(entry: Planted) -> None:
    assert passes(entry)


@pytest.mark.parametrize("entry", [*named(FAULTY), *named(FAULTY, slow=True)])
def test_planted_fault_is_found_with_every_seed(entry: Planted) -> None:
    seeds = SEEDS_IF_SLOW if entry.slow else SEEDS
    assert [seed for seed in seeds if not is_found(entry, seed)] == []


@pytest.mark.parametrize("entry", [*named(SOUND), *named(SOUND, slow=True)])
def test_the_same_without_a_fault_passes_with_every_seed(entry: Planted) -> None:
    assert [seed for seed in SEEDS if not passes(entry, seed)] == []
