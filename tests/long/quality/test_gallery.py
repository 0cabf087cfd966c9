"""Every other backend of the gallery, and many seeds of the cheapest."""

from __future__ import annotations

import pytest
from fast.quality.test_gallery import (
    IN_GATE,
    SOUND_IN_GATE,
    faulty,
    nothing_kept,
    require_certified,
    require_refuted,
    sound,
)

__all__ = ["nothing_kept"]

SEEDS = range(1, 201)
FEW = ("profile_zero_epsilon", "renyi_near_one", "variance_degrees_of_freedom")
FEW_SOUND = ("renyi_by_log_gammas", "variance_plain", "largest_order_vectorized")


@pytest.mark.parametrize("label", sorted(set(faulty.entries) - IN_GATE))
def test_every_other_faulty_backend_is_refuted(label: str) -> None:
    require_refuted(faulty.entries[label])


@pytest.mark.parametrize("label", sorted(set(sound.entries) - SOUND_IN_GATE))
def test_every_other_sound_backend_is_certified(label: str) -> None:
    require_certified(sound.entries[label])


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_seed_faults_are_found_and_sound_backends_pass(seed: int) -> None:
    for label in FEW:
        require_refuted(faulty.entries[label], seed)
    for label in FEW_SOUND:
        require_certified(sound.entries[label], seed)
