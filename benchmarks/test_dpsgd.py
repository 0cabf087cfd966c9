"""DP-SGD beside a peer in one run: epsilon at a delta, its time, and how wide each answer is.

Ours is an enclosure of 15 digits in both orders; the peer's discretised losses, at its default
grid, bound epsilon from above. Settings are log-uniform by a fixed seed. Nothing asserts a time.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate

SETTINGS, SEED, DIGITS = 12, 25, 15


def settings() -> list[dict[str, Any]]:
    """Return settings of daily use, log-uniform: s, q, T and delta."""
    rng = random.Random(SEED)  # noqa: S311 - settings, not secrets

    def between(low: float, high: float) -> float:
        return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.4g}")

    return [
        {
            "noise_multiplier": between(0.6, 8),
            "sampling_probability": between(0.001, 0.1),
            "steps": round(between(30, 1e5)),
            "delta": between(1e-10, 1e-4),
        }
        for _ in range(SETTINGS)
    ]


def enclosed() -> list[Any]:
    return [evaluate("dpsgd.epsilon", given, digits=DIGITS) for given in settings()]


def in_doubles() -> list[float]:
    return [float(backend.quantities["dpsgd.epsilon"](**given)) for given in settings()]


def discretised() -> list[float]:
    accounting = pytest.importorskip("dp_accounting")
    pld = pytest.importorskip("dp_accounting.pld.pld_privacy_accountant")
    found = []
    for given in settings():
        accountant = pld.PLDAccountant()
        noise = accounting.GaussianDpEvent(given["noise_multiplier"])
        step = accounting.PoissonSampledDpEvent(given["sampling_probability"], noise)
        accountant.compose(step, given["steps"])
        found.append(float(accountant.get_epsilon(given["delta"])))
    return found


def excess(found: list[float]) -> str:
    """Return by how much answers exceed the truth, and how many are under it."""
    truths = enclosed()
    parts = sorted(
        float(Fraction(value) / truth.upper) - 1 for value, truth in zip(found, truths, strict=True)
    )
    under = sum(Fraction(v) < t.lower for v, t in zip(found, truths, strict=True))
    return f"excess {parts[len(parts) // 2]:.1e} in the middle, {parts[-1]:.1e} most, {under} under"


def test_enclosure(benchmark: Any) -> None:
    found = benchmark.pedantic(enclosed, rounds=1)
    assert all(answer.narrow for answer in found)


def test_doubles(benchmark: Any) -> None:
    benchmark.extra_info["truth"] = excess(benchmark.pedantic(in_doubles, rounds=1))


def test_discretised_losses(benchmark: Any) -> None:
    benchmark.extra_info["truth"] = excess(benchmark.pedantic(discretised, rounds=1))
