"""Composition and Renyi calibration beside what people use now, in one run.

The composition of 32 releases of fallin2023's matrix (floor 0.987, step 0.123375) at epsilon 1.16,
of 1,000 and of 10,000 smaller ones: the reference to 15 digits, dp-accounting's privacy-loss
distributions of the same pair on three grids, prv-accountant, and the float64 backend; and
ponnoprat2023's line 1 by the reference, SciPy's brentq and fsolve. Times, and how far each number
is from the enclosure and on which side ("under" is the unsafe one, for a step "over"). What is not
installed is skipped: ``pip install dp-accounting prv-accountant`` beside the bench extra. Nothing
here asserts a time.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count as numbers
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import Answer, evaluate

DELTA, STEP = "dirichlet.composition.delta", "dirichlet.renyi.step"
DIGITS, TRUE_DIGITS = 15, 30
OURS = f"evaluate to {DIGITS} digits"


@dataclass(frozen=True)
class Problem:
    """So many equal releases, and an epsilon."""

    alpha: str
    step: str
    count: int
    epsilon: str

    @property
    def title(self) -> str:
        """What stands above the problem's lines."""
        return f"{self.count} releases, alpha {self.alpha}, step {self.step}, eps {self.epsilon}"

    def answer(self, digits: int, shift: Fraction = Fraction(0)) -> Answer:
        """Return the reference's answer."""
        epsilon = Fraction(self.epsilon) + shift
        releases = [[self.alpha, self.step, self.count]]
        return evaluate(DELTA, {"releases": releases, "epsilon": epsilon}, digits=digits)


PROBLEMS = (
    Problem("0.987", "0.123375", 32, "1.16"),
    Problem("50", "0.5", 1000, "3"),
    Problem("200", "0.5", 10_000, "3"),
)
EACH = pytest.mark.parametrize("asked", PROBLEMS, ids=lambda asked: str(asked.count))


@dataclass
class Table:
    """What is printed at the end, by problem."""

    lines: dict[str, list[tuple[str, float, str]]] = field(default_factory=dict)

    def add(self, title: str, route: str, seconds: float, error: str) -> None:
        """Add the line of one route."""
        self.lines.setdefault(title, []).append((route, seconds, error))

    def rows(self) -> Iterator[str]:
        """Yield the table, every time beside the first one of its problem."""
        for title, lines in self.lines.items():
            yield f"\n{title:<52}{'ms':>10}{'ratio':>9}  relative error"
            for route, seconds, error in lines:
                yield f"{route:<52}{1e3 * seconds:>10.3f}{seconds / lines[0][1]:>9.2f}  {error}"


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    collected = Table()
    yield collected
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(*collected.rows(), sep="\n")  # noqa: T201 - the table is what it is for


def error_of(value: float | Fraction, truth: Answer) -> str:
    """How far off, relative to the truth, and on which side of the enclosure."""
    exact, low, high = Fraction(value), Fraction(truth.lower), Fraction(truth.upper)
    side = "over" if exact > high else "under" if exact < low else "within"
    return f"{side} {abs(float((exact - low) / low)):.1e}"


def timed(
    benchmark: Any, run: Callable[[], float | Fraction], rounds: int
) -> tuple[float | Fraction, float | None]:
    """Return what ``run`` delivers, and its best time (None under --benchmark-disable)."""
    value = benchmark.pedantic(run, rounds=rounds, iterations=1, warmup_rounds=1)
    return value, None if benchmark.stats is None else benchmark.stats.stats.min


@EACH
def test_evaluate(benchmark: Any, table: Table, asked: Problem) -> None:
    """Each time at another epsilon, a trifle further on, so that nothing is remembered."""
    tries = numbers(1)

    def run() -> Fraction:
        return Fraction(asked.answer(DIGITS, Fraction(next(tries), 10**40)).upper)

    value, seconds = timed(benchmark, run, 10)
    if seconds is not None:
        table.add(asked.title, OURS, seconds, error_of(value, asked.answer(TRUE_DIGITS)))


@EACH
def test_float64(benchmark: Any, table: Table, asked: Problem) -> None:
    if DELTA not in backend.quantities:
        pytest.skip("the built-in backend does not answer it")
    releases = [[float(asked.alpha), float(asked.step), asked.count]]
    given = {"releases": releases, "epsilon": float(asked.epsilon)}
    value, seconds = timed(benchmark, lambda: float(backend.quantities[DELTA](**given)), 5)
    if seconds is not None:
        table.add(asked.title, "float64 backend", seconds, error_of(value, truth_for(given)))


def truth_for(given: dict[str, Any]) -> Answer:
    """The enclosure for the exact numbers that the doubles are."""
    return evaluate(DELTA, given, digits=TRUE_DIGITS)


def loss_cdf(asked: Problem) -> Callable[[Any], Any]:
    """The loss step log(t/(1-t)), t ~ Beta(alpha + step, alpha), has this distribution function."""
    alpha, step = float(asked.alpha), float(asked.step)
    return lambda loss: special.betainc(alpha + step, alpha, special.expit(loss / step))


@EACH
@pytest.mark.parametrize("grid", [1e-3, 1e-4, 1e-5])
def test_dp_accounting(benchmark: Any, table: Table, asked: Problem, grid: float) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")

    def run() -> float:
        one = pld.create_from_cdf(loss_cdf(asked), value_discretization_interval=grid)
        composed = one.self_compose(asked.count)
        return float(composed.get_delta_for_epsilon(float(asked.epsilon)))

    value, seconds = timed(benchmark, run, 1)
    if seconds is not None:
        route = f"dp-accounting, grid {grid:g}"
        table.add(asked.title, route, seconds, error_of(value, asked.answer(TRUE_DIGITS)))


@EACH
def test_prv_accountant(benchmark: Any, table: Table, asked: Problem) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prv = pytest.importorskip("prv_accountant")
    alpha, step = float(asked.alpha), float(asked.step)

    class Loss(prv.PrivacyRandomVariable):  # type: ignore[misc, name-defined]
        def cdf(self, t: Any) -> Any:
            return loss_cdf(asked)(np.asarray(t, dtype=np.float64))

        def pdf(self, t: Any) -> Any:
            front = (alpha + step) * special.log_expit(t / step)
            front += alpha * special.log_expit(-t / step) - special.betaln(alpha + step, alpha)
            return np.exp(front) / step

        def rdp(self, order: float) -> float:
            if (order - 1) * step >= alpha:
                return math.inf
            moved = special.betaln(alpha - (order - 1) * step, alpha + order * step)
            return float((moved - special.betaln(alpha, alpha + step)) / (order - 1))

    def run() -> float:
        accountant = prv.PRVAccountant(
            prvs=Loss(), max_self_compositions=asked.count, eps_error=1e-3, delta_error=1e-10
        )
        _, estimate, _ = accountant.compute_delta(float(asked.epsilon), asked.count)
        return float(estimate)

    try:
        value, seconds = timed(benchmark, run, 1)
    except Exception as error:  # noqa: BLE001 - a peer that gives up is told as that
        pytest.skip(f"prv-accountant gives up: {type(error).__name__}: {error}")
    if seconds is not None:
        error = error_of(value, asked.answer(TRUE_DIGITS))
        table.add(asked.title, "prv-accountant, estimate, eps_error 1e-3", seconds, error)


ORDERS, RENYI = (2.0, 5.0, 20.0), "ponnoprat2023 line 1 at orders 2, 5, 20, epsilon 0.1"


def line_one(step: float, order: float) -> float:
    """The printed right-hand side in doubles, less epsilon: Delta_2^2 = 2, Delta_inf = 1."""
    return order * step**2 * special.polygamma(1, 1 + 3 * (order - 1) * step) - 0.1


def renyi_point(order: float) -> dict[str, Any]:
    return {"order": Fraction(order), "epsilon": "0.1", "delta2_squared": 2, "delta_inf": 1}


def test_renyi_step(benchmark: Any, table: Table) -> None:
    tries = numbers(1)

    def run() -> float:
        shift = Fraction(next(tries), 10**40)
        points = ({**renyi_point(o), "epsilon": Fraction(1, 10) + shift} for o in ORDERS)
        return float(sum(Fraction(evaluate(STEP, point).lower) for point in points))

    _, seconds = timed(benchmark, run, 20)
    if seconds is not None:
        table.add(RENYI, "evaluate to 20 digits", seconds, "safe end")


@pytest.mark.parametrize("solver", ["brentq", "fsolve"])
def test_renyi_step_by_scipy(benchmark: Any, table: Table, solver: str) -> None:
    def run() -> list[float]:
        if solver == "brentq":
            return [optimize.brentq(line_one, 1e-9, 100.0, args=(o,)) for o in ORDERS]
        return [float(optimize.fsolve(line_one, 1.0, args=(o,))[0]) for o in ORDERS]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = benchmark.pedantic(run, rounds=5, iterations=1)
    errors = []
    for order, value in zip(ORDERS, values, strict=True):
        truth = evaluate(STEP, renyi_point(order), digits=TRUE_DIGITS)
        errors.append(error_of(value, truth).replace("over", "UNSAFE, over"))
    if benchmark.stats is not None:
        table.add(RENYI, f"SciPy's {solver}", benchmark.stats.stats.min, "; ".join(errors))
