"""Speed and true error of delta by every route, on one set of parameters, in one run.

alpha log-uniform in [0.05, 1000], step/alpha in [0.001, 2], epsilon from 0 to six standard
deviations of the privacy loss. Errors are measured against 30 digits of the reference, where delta
is at least 1e-100, and their side is told: "under" is the unsafe one. Nothing here asserts a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate, quantities

Reals = NDArray[np.float64]

NAME = "dirichlet.profile.delta"
ARRAY, REFERENCE, SLOW, JUDGED = 100_000, 500, 25, 300
SMALLEST_JUDGED = 1e-100
DIGITS, MPMATH_DIGITS, FIRST_BITS = 20, 30, 128


@dataclass(frozen=True)
class Parameters:
    """Equal-length arrays of what delta takes."""

    alpha: Reals
    step: Reals
    epsilon: Reals

    def first(self, count: int) -> list[dict[str, float]]:
        """Return the first points, each as keyword arguments."""
        rows = zip(self.alpha[:count], self.step[:count], self.epsilon[:count], strict=True)
        return [{"alpha": float(a), "step": float(s), "epsilon": float(e)} for a, s, e in rows]


@dataclass
class Table:
    """What is printed at the end."""

    rows: list[str] = field(default_factory=list)

    def add(self, route: str, values: int, seconds: float, error: str) -> None:
        """Add the line of one route."""
        self.rows.append(f"{route:<34}{values / seconds:>14,.0f} {error}")


@pytest.fixture(scope="module")
def parameters() -> Parameters:
    random = np.random.default_rng(20)
    alpha = 10 ** random.uniform(math.log10(0.05), 3, ARRAY)
    step = alpha * 10 ** random.uniform(-3, math.log10(2), ARRAY)
    spread = step * np.sqrt((2 * alpha + step) / (alpha * (alpha + step)))
    return Parameters(alpha, step, spread * random.uniform(0, 6, ARRAY))


@pytest.fixture(scope="module")
def truths(parameters: Parameters) -> list[Fraction]:
    answers = (evaluate(NAME, point, digits=30) for point in parameters.first(JUDGED))
    return [Fraction(answer.lower) for answer in answers]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    collected = Table()
    yield collected
    header = f"\n\n{'delta by':<34}{'values/s':>14} worst relative error on either side"
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(header, *collected.rows, sep="\n")  # noqa: T201 - the table is what it is for


def worst_error(values: list[Fraction | None], truths: list[Fraction]) -> str:
    """The largest relative error on each side; None stands for a value that was not delivered."""
    over, under, missing, judged = Fraction(0), Fraction(0), 0, 0
    for value, truth in zip(values, truths, strict=False):
        if truth < SMALLEST_JUDGED:
            continue
        judged += 1
        if value is None:
            missing += 1
            continue
        relative = (value - truth) / truth
        over, under = max(over, relative), max(under, -relative)
    lost = f", {missing} not delivered" if missing else ""
    return f"over {float(over):.1e}, under {float(under):.1e} ({judged} judged{lost})"


def fractions(values: Reals) -> list[Fraction | None]:
    return [Fraction(float(v)) if np.isfinite(v) else None for v in values[:JUDGED]]


def timed(
    benchmark: Any, table: Table, route: str, count: int, run: Callable[[], Any], error: str
) -> None:
    """Time ``run``, which delivers ``count`` values, and record it."""
    benchmark.extra_info |= {"values": count, "error": error}
    benchmark.pedantic(run, rounds=3, iterations=1)
    if benchmark.stats is not None:  # absent under --benchmark-disable
        table.add(route, count, benchmark.stats.stats.min, error)


def test_reference_evaluate(
    benchmark: Any, table: Table, parameters: Parameters, truths: list[Fraction]
) -> None:
    points = parameters.first(REFERENCE)
    lower = [Fraction(evaluate(NAME, p, digits=DIGITS).lower) for p in points[:JUDGED]]
    timed(
        benchmark,
        table,
        "reference, evaluate to 20 digits",
        REFERENCE,
        lambda: [evaluate(NAME, point, digits=DIGITS) for point in points],
        worst_error(list(lower), truths),
    )


def test_reference_engine_alone(
    benchmark: Any, table: Table, parameters: Parameters, truths: list[Fraction]
) -> None:
    exact = [
        {name: Fraction(value) for name, value in point.items()}
        for point in parameters.first(REFERENCE)
    ]
    item = quantities()[NAME]

    def run() -> list[Any]:
        return [item.enclose(FIRST_BITS, point) for point in exact]

    lower = [Fraction(found.lower) for found in run()]
    error = worst_error(list(lower), truths)
    timed(benchmark, table, "reference, engine at 128 bits", REFERENCE, run, error)


def by_mpmath(point: dict[str, float]) -> Fraction | None:
    """The difference of two incomplete betas at 30 digits, as one would write it."""
    with mpmath.workdps(MPMATH_DIGITS):
        alpha, step, epsilon = (mpmath.mpf(point[name]) for name in ("alpha", "step", "epsilon"))
        low = 1 / (1 + mpmath.exp(epsilon / step))
        try:
            first = mpmath.betainc(alpha, alpha + step, 0, low, regularized=True)
            second = mpmath.betainc(alpha + step, alpha, 0, low, regularized=True)
        except (mpmath.NoConvergence, ValueError, ZeroDivisionError):
            return None
        value = first - mpmath.exp(epsilon) * second
        return Fraction(mpmath.nstr(value, MPMATH_DIGITS)) if mpmath.isfinite(value) else None


def test_mpmath(
    benchmark: Any, table: Table, parameters: Parameters, truths: list[Fraction]
) -> None:
    points = parameters.first(SLOW)
    error = worst_error([by_mpmath(point) for point in points], truths)
    timed(
        benchmark,
        table,
        "mpmath at 30 digits",
        SLOW,
        lambda: [by_mpmath(point) for point in points],
        error,
    )


def test_float64_backend(
    benchmark: Any, table: Table, parameters: Parameters, truths: list[Fraction]
) -> None:
    delta = backend.quantities[NAME]

    def run() -> Reals:
        return np.asarray(
            delta(alpha=parameters.alpha, step=parameters.step, epsilon=parameters.epsilon)
        )

    error = worst_error(fractions(run()), truths)
    timed(benchmark, table, "float64 backend, arrays", ARRAY, run, error)


def test_scipy(
    benchmark: Any, table: Table, parameters: Parameters, truths: list[Fraction]
) -> None:
    def run() -> Reals:
        second = parameters.alpha + parameters.step
        low = special.expit(-parameters.epsilon / parameters.step)
        above = special.betainc(parameters.alpha, second, low)
        below = special.betainc(second, parameters.alpha, low)
        return np.asarray(above - np.exp(parameters.epsilon) * below)

    with np.errstate(all="ignore"):
        error = worst_error(fractions(run()), truths)
        timed(benchmark, table, "SciPy's betainc, arrays", ARRAY, run, error)
