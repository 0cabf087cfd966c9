"""Both engines on the profile at every size: each parameter from 1e-300 to 1e300, at once."""

from __future__ import annotations

import pytest
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.enclosure import overlap
from simplexcert.reference.precision import Budget

DIGITS = 12
SECONDS = 60.0
POINTS = [
    ("delta", {"alpha": "1e300", "step": "1e150", "epsilon": "1"}),
    ("delta", {"alpha": "1e30", "step": "1e-300", "epsilon": "0"}),
    ("delta", {"alpha": "1e-300", "step": "1e300", "epsilon": "1e299"}),
    ("delta", {"alpha": "1e8", "step": "1e4", "epsilon": "3"}),
    ("delta", {"alpha": "1e40", "step": "1e40", "epsilon": "1e300"}),
    ("delta", {"alpha": "1", "step": "1e300", "epsilon": "1"}),
    ("delta", {"alpha": "1e5", "step": "1e-200", "epsilon": "1e100"}),
    ("total_variation", {"alpha": "1e300", "step": "1e-300"}),
    ("total_variation", {"alpha": "1e60", "step": "3e30"}),
    ("epsilon", {"alpha": "1e20", "step": "1e11", "delta": "1e-9"}),
    ("epsilon", {"alpha": "1e-200", "step": "1e100", "delta": "1e-100"}),
    ("renyi", {"alpha": "1e300", "step": "1e-300", "order": "1"}),
    ("renyi", {"alpha": "1e-300", "step": "1e-301", "order": "2"}),
    ("step_for_dp", {"alpha": "1e9", "epsilon": "1e6", "delta": "1e-7"}),
    ("step_for_dp", {"alpha": "1e-100", "epsilon": "0", "delta": "1e-200"}),
    ("step_for_renyi", {"alpha": "1e300", "order": "3", "epsilon": "1e-300"}),
]


@pytest.mark.parametrize(("name", "point"), POINTS)
def test_both_engines_are_narrow_and_overlap_at_extreme_sizes(
    name: str, point: dict[str, str]
) -> None:
    first, second = both(name, point)
    assert first.narrow
    assert second.narrow
    assert second.rigorous
    assert overlap(first.enclosure, second.enclosure)


def both(name: str, point: dict[str, str]) -> tuple[Answer, Answer]:
    first, second = (
        evaluate(
            f"dirichlet.profile.{name}",
            point,
            digits=DIGITS,
            engine=engine,
            budget=Budget(SECONDS),
        )
        for engine in ("arb", "second")
    )
    return first, second
