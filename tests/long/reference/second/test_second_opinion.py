"""Both engines at more points, and over the full ranges."""

from __future__ import annotations

import pytest
from fast.reference.second.test_second_opinion import NAMES, both, seeded, shown, some_point
from simplexcert.reference import quantities
from simplexcert.reference.enclosure import overlap
from simplexcert.reference.precision import Budget

# Over the full ranges one root can take seconds.
FULL_POINTS, SECONDS = 300, 5.0


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_over_the_full_ranges(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"soak {name}")
    for _ in range(FULL_POINTS):
        first, second = both(name, some_point(quantity, rng, {}, {}), Budget(SECONDS))
        assert overlap(first.enclosure, second.enclosure), shown(first, second)
