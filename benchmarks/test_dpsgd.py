"""DP-SGD beside its peers in one run: epsilon at a delta, time, excess, answers under the truth.

Ours is an enclosure of 15 digits in both orders, and the built-in backend's safe doubles; the peers
are all accountants that are installed, at their defaults; those called optimistic or lower are to
be under the truth. Settings are log-uniform by a fixed seed.
What is told are ratios; nothing asserts a time.
"""

from __future__ import annotations

import math
import random
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from simplexcert.certify.backends.accountants import ACCOUNTANTS
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate

SETTINGS, SEED, DIGITS = 12, 25, 15
# Those that answer for DP-SGD.
TRAINERS = (
    "dp-accounting-rdp", "dp-accounting-pld", "dp-accounting-pld-optimistic",
    "opacus-rdp", "opacus-prv", "opacus-gdp", "prv-accountant", "prv-accountant-lower",
)  # fmt: skip
# A row of ratios for each that was asked, told at the end.
TABLE: dict[str, str] = {}


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


def of_another(name: str) -> list[float]:
    """Return the answers of an accountant that is installed; NaN where it gives none."""
    where = ACCOUNTANTS[name]
    pytest.importorskip(where.package)
    module, _, attribute = where.location.partition(":")
    answers = getattr(import_module(module), attribute).quantities
    found = []
    for given in settings():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found.append(float(answers["dpsgd.epsilon"](**given)))
            except Exception:  # noqa: BLE001 - no answer is one of the outcomes
                found.append(math.nan)
    return found


@cache
def truths() -> tuple[list[Any], float]:
    """Return the enclosures, and how long they took."""
    start = time.process_time()
    return enclosed(), time.process_time() - start


def beside(ask: Callable[[], list[float]], benchmark: Any) -> str:
    """Time answers, and return by how much they exceed the truth, as ratios."""
    start = time.process_time()
    found = benchmark.pedantic(ask, rounds=1)
    taken, (known, ours) = time.process_time() - start, truths()
    pairs = [pair for pair in zip(found, known, strict=True) if math.isfinite(pair[0])]
    if not pairs:
        return "no answers"
    parts = sorted(float(Fraction(value) / truth.upper) - 1 for value, truth in pairs)
    under = sum(Fraction(value) < truth.lower for value, truth in pairs)
    return (
        f"| {taken / ours:.3g} | {parts[len(parts) // 2]:.1e} | {parts[-1]:.1e} | {under} "
        f"| {len(found) - len(pairs)} |"
    )


def test_enclosure(benchmark: Any) -> None:
    found, _ = benchmark.pedantic(truths, rounds=1)
    assert all(answer.narrow for answer in found)


def test_doubles(benchmark: Any) -> None:
    benchmark.extra_info["truth"] = TABLE["built-in doubles"] = beside(in_doubles, benchmark)


@pytest.mark.parametrize("name", TRAINERS)
def test_of_others(name: str, benchmark: Any) -> None:
    found = beside(lambda: of_another(name), benchmark)
    benchmark.extra_info["truth"] = TABLE[name] = found


def test_every_ratio_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n\nepsilon of DP-SGD at {SETTINGS} settings; time as a part of the enclosures'")  # noqa: T201
        print("| answers | time | excess, middle | excess, most | under the truth | none |")  # noqa: T201
        print("|---|---|---|---|---|---|")  # noqa: T201
        for name, row in TABLE.items():
            print(f"| {name} {row}")  # noqa: T201
