"""Delta at every size: from 1e-300 to 1e300 in each parameter, at once."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import pytest
from simplexcert.certify import audit
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.precision import Budget

SIZES = ("1e-300", "1e-30", "1e-3", "1", "1e5", "1e8", "1e30", "1e300")
EPSILONS = ("0", "1e-8", "1", "1e30")
SECONDS = 10.0
CLAIM = """
[release]
name = "of any size"
mechanism = "dirichlet.renyi"
adjacency = "replace"
step = "{step}"
alpha = "{alpha}"
delta2_squared = 2
delta_inf = 1
[claim]
epsilon = "{epsilon}"
delta = "{delta}"
"""
DELTAS = ("dirichlet.profile.delta", "dirichlet.add_remove.delta")


@pytest.mark.parametrize("alpha", SIZES)
@pytest.mark.parametrize("name", DELTAS)
def test_delta_is_narrow_at_every_size(name: str, alpha: str) -> None:
    for step, epsilon in itertools.product(SIZES, EPSILONS):
        if alpha == step == "1e-300" and epsilon == "0":
            continue  # found as well, in seconds
        point = {"alpha": alpha, "step": step, "epsilon": epsilon}
        found = evaluate(name, point, digits=12, budget=Budget(SECONDS))
        assert found.narrow, point


@pytest.mark.parametrize("name", DELTAS)
def test_delta_keeps_its_order_across_the_ways_to_it(name: str) -> None:
    """Rising in step and falling in alpha and epsilon, over sizes that take different ways."""
    steps = ("1e2", "3e2", "1e3", "2e3")
    alphas = (2**20 - 1, 2**20, 2**20 + 1, 2**24)
    values = [
        [evaluate(name, {"alpha": a, "step": s, "epsilon": 1}).enclosure for s in steps]
        for a in alphas
    ]
    for row in values:
        assert all(one.high < other.low for one, other in itertools.pairwise(row))
    for less, more in itertools.pairwise(values):
        assert all(one.low > other.high for one, other in zip(less, more, strict=True))


@pytest.mark.parametrize(
    ("step", "alpha", "epsilon", "delta", "verdict"),
    [
        ("1e8", "1", "1", "0.999", Verdict.REFUTED),
        ("1e300", "1e-3", "1", "0.999", Verdict.REFUTED),
        ("1e300", "1", "1", "0.999", Verdict.REFUTED),
        ("1e-300", "1", "1", "1e-30", Verdict.CERTIFIED),
        ("1e30", "1e300", "0", "1e-30", Verdict.CERTIFIED),
    ],
)
def test_a_claim_of_any_size_has_its_verdict(
    step: str, alpha: str, epsilon: str, delta: str, verdict: Verdict, tmp_path: Path
) -> None:
    given = {"step": step, "alpha": alpha, "epsilon": epsilon, "delta": delta}
    (tmp_path / "claim.toml").write_text(CLAIM.format(**given))
    found = audit(tmp_path / "claim.toml")
    assert found.verdict is verdict
    assert isinstance(found.exact["delta_at_epsilon"].upper, Fraction)


@pytest.mark.parametrize("k", ["1e30", "1e300"])
def test_a_miss_that_is_hardly_possible_is_narrow_at_once(k: str) -> None:
    """Four coordinates miss alike: as often as one does, up to four times."""
    point = {"k": k, "eta": "1/10", "n": 4, "gamma": "1/1000"}
    found = evaluate("dirichlet.counts.delta_bound", point, budget=Budget(bits=128))
    assert found.narrow
    assert found.number.low.mantissa > 0
    assert found.number.high.exponent < -(10**29)
