"""Two steps of DP-SGD with small samples: a contour, and a mean of closed forms."""

from __future__ import annotations

import pytest
from simplexcert.reference import evaluate

CASES = [
    ("1", "0.001", "0.5"),
    ("3", "0.001", "0.01"),
    ("0.7", "0.01", "1"),
    ("1", "0.3", "0.5"),
    ("0.4", "0.3", "3"),
    ("0.4", "0.0001", "5"),
]


@pytest.mark.parametrize(("spread", "rate", "epsilon"), CASES)
def test_both_engines_agree_of_two_steps(spread: str, rate: str, epsilon: str) -> None:
    given = {
        "noise_multiplier": spread,
        "sampling_probability": rate,
        "steps": 2,
        "epsilon": epsilon,
    }
    first, second = (evaluate("dpsgd.delta", given, engine=engine) for engine in ("arb", "second"))
    assert first.narrow
    assert second.narrow
    assert first.lower <= second.upper
    assert second.lower <= first.upper
