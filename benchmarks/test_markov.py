"""How long the numbers of a Markov chain take: exactly, in balls, and beside NumPy.

The stationary law and the fundamental matrix of the Manhattan taxi trips (62 states; a zone where
no trip starts is left out), exactly and in balls, and by numpy.linalg with its true relative error;
the bounds of Theorems 4 and 5 for that chain; and 1,000 states with counts up to 1,000, in balls.
Set SIMPLEXCERT_DATA as for benchmarks/markov_simulation.py; without it only the last are run. The
memory is the process's peak so far. Nothing here asserts a time.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simplexcert.reference import evaluate
from simplexcert.reference.evaluation import Answer
from simplexcert.reference.markov import fundamental
from simplexcert.reference.precision import Budget
from simulation.chains import CHAINS, Chain, NoDataError, scaled

STATIONARY, FUNDAMENTAL = "markov.stationary", "markov.fundamental"
STATES, MOST, DIGITS = 1_000, 1_000, 20
# Exact solves that take less are preferred to balls: all of them, or none.
ROUTES = {"exactly": inf, "in balls": 0.0}
BOUNDS = {
    "T4-A": "markov.stationary_bound_a",
    "T4-B": "markov.stationary_bound_b",
    "T4-C": "markov.stationary_bound_c",
    "the least of T4": "markov.stationary_bound",
    "T5-A": "markov.ergodicity_bound_a",
    "T5-B": "markov.ergodicity_bound_b",
}
LARGE = {
    STATIONARY: "stationary law",
    FUNDAMENTAL: "fundamental matrix",
    "markov.condition_number": "condition number",
    "markov.ergodicity_coefficient": "ergodicity coefficient",
}
Reals = NDArray[np.float64]
Seconds = tuple[float, float]


@dataclass
class Table:
    """What is printed at the end."""

    rows: list[str] = field(default_factory=list)

    def add(self, what: str, seconds: Seconds, remark: str = "") -> None:
        """Add a line, with the process's peak of memory so far."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        wall, processor = seconds
        self.rows.append(f"{what:<44}{wall:>11.5f}{processor:>11.5f}{peak:>8}  {remark}")


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    collected = Table()
    yield collected
    header = f"\n\n{'':<44}{'s':>11}{'CPU s':>11}{'MB':>8}"
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(header, *collected.rows, sep="\n")  # noqa: T201 - the table is what it is for


@pytest.fixture(scope="module")
def taxi() -> Chain:
    try:
        return CHAINS["nyc-taxi"]()
    except NoDataError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def large() -> tuple[tuple[Fraction, ...], ...]:
    counts = np.random.default_rng(6).integers(0, MOST, (STATES, STATES), endpoint=True)
    return tuple(tuple(Fraction(int(c), int(row.sum())) for c in row) for row in counts)


def timed(benchmark: Any, run: Callable[[], Any], rounds: int = 3) -> tuple[Any, Seconds]:
    """Return the last result, and the least time by the clock and of the processor."""
    walls, processors = [], []

    def measured() -> Any:
        wall, processor = time.perf_counter(), time.process_time()
        result = run()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
        return result

    return benchmark.pedantic(measured, rounds=rounds, iterations=1), (min(walls), min(processors))


def answered(name: str, given: Mapping[str, object], *, digits: int = DIGITS) -> Answer:
    """Return a narrow answer."""
    answer = evaluate(name, given, digits=digits, budget=Budget(seconds=600))
    assert answer.narrow
    return answer


@pytest.mark.parametrize("name", [STATIONARY, FUNDAMENTAL])
@pytest.mark.parametrize("route", ROUTES)
def test_taxi_by_the_reference(
    name: str,
    route: str,
    benchmark: Any,
    table: Table,
    taxi: Chain,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fundamental, "_CHEAP_SECONDS", ROUTES[route])
    answer, seconds = timed(benchmark, lambda: answered(name, {"P": taxi.matrix}))
    assert (answer.exact is not None) == (route == "exactly")
    table.add(f"taxi, {LARGE[name]}, {route}", seconds)


def by_numpy(name: str, matrix: Reals) -> Reals:
    """Return the stationary law or the fundamental matrix as one would with numpy.linalg."""
    identity = np.eye(len(matrix))
    square = np.vstack([(identity - matrix).T[:-1], np.ones(len(matrix))])
    law = np.linalg.solve(square, identity[-1])
    found = law if name == STATIONARY else np.linalg.inv(identity - matrix + law)
    return np.asarray(found, dtype=np.float64)


@pytest.mark.parametrize("name", [STATIONARY, FUNDAMENTAL])
def test_taxi_by_numpy(name: str, benchmark: Any, table: Table, taxi: Chain) -> None:
    matrix = np.array(taxi.matrix, dtype=np.float64)
    found, seconds = timed(benchmark, lambda: by_numpy(name, matrix), rounds=20)
    truth = np.array(answered(name, {"P": taxi.matrix}).lower, dtype=np.float64)
    error = float(np.abs(found / truth - 1).max())
    table.add(f"taxi, {LARGE[name]}, numpy.linalg", seconds, f"relative error up to {error:.1e}")


@pytest.mark.parametrize("label", BOUNDS)
@pytest.mark.parametrize("factor", [1, 100])
def test_taxi_bounds(label: str, factor: int, benchmark: Any, table: Table, taxi: Chain) -> None:
    given = {"P": taxi.matrix, "k": scaled(taxi.k_minimum, factor)}
    answer, seconds = timed(benchmark, lambda: answered(BOUNDS[label], given), rounds=1)
    table.add(f"taxi at {factor} k_min, {label}", seconds, f"{float(answer.upper):.6g}")


@pytest.mark.parametrize("name", LARGE)
def test_a_thousand_states(
    name: str, benchmark: Any, table: Table, large: tuple[tuple[Fraction, ...], ...]
) -> None:
    _, seconds = timed(benchmark, lambda: answered(name, {"P": large}), rounds=1)
    table.add(f"1,000 states, {LARGE[name]}", seconds)
