"""Speed and true error of the good set's delta by every route, on two problems, in one run.

The grades of benvenuti2025, and eight different protected parameters, where the papers' nested
integral is out of reach. Each line tells the time, how many times that of `evaluate` to 20 digits
it is, and by how much its delta is off, against 30 digits of the reference. The peers are given
the papers' integral in the form that suits them: the good set mapped to the unit cube, where the
density is smooth. Nothing here asserts a time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from itertools import count as numbers
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, special
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import enclosure_of, working_precision
from simplexcert.reference.dirichlet.tail import Miss

Reals = NDArray[np.float64]

DIGITS, TRUE_DIGITS, FIRST_BITS = 20, 30, 128
DRAWS = 1_000_000
# A peer that has not answered by then has not answered.
PATIENCE_SECONDS = 10.0
CUBATURE_REGIONS = {"genz-malik": 4000, "gk15": 20}
MPMATH_DIGITS = 15


@dataclass(frozen=True)
class Problem:
    """A Dirichlet law and a level, as exact numbers."""

    title: str
    alphas: tuple[Fraction, ...]
    rest: Fraction
    gamma: Fraction

    @property
    def miss(self) -> Miss:
        """The event whose probability is asked for."""
        return Miss.of(self.alphas, self.rest, self.gamma)

    def answer(self, digits: int) -> Fraction:
        """Return the upper end of the reference's enclosure."""
        given: dict[str, object] = {"rest": self.rest, "gamma": self.gamma}
        if len(set(self.alphas)) == 1:
            name = "dirichlet.tail.uniform"
            given |= {"alpha": self.alphas[0], "count": len(self.alphas)}
        else:
            name, given["alpha"] = "dirichlet.tail.general", list(self.alphas)
        found = evaluate(name, given, digits=digits)
        assert found.narrow
        return Fraction(found.upper)


def problem(title: str, k: str, shares: list[str], gamma: str) -> Problem:
    alphas = tuple(Fraction(k) * Fraction(share) for share in shares)
    return Problem(title, alphas, Fraction(k) - sum(alphas), Fraction(gamma))


GRADES = problem("grades: k = 20.6, 4 at eta = 0.073", "20.6", ["0.073"] * 4, "0.0004")
UNEQUAL = problem(
    "unequal: k = 60, 8 from 0.02 to 0.16", "60", [f"{i / 50}" for i in range(1, 9)], "0.0004"
)
BOTH = pytest.mark.parametrize("asked", [GRADES, UNEQUAL], ids=["grades", "unequal"])


@dataclass
class Table:
    """What is printed at the end: seconds and remark by problem and route."""

    lines: dict[str, dict[str, tuple[float, str]]] = field(default_factory=dict)

    def add(self, asked: Problem, route: str, seconds: float, remark: str) -> None:
        """Add the line of one route."""
        self.lines.setdefault(asked.title, {})[route] = seconds, remark

    def rows(self) -> Iterator[str]:
        """Yield the table, every time beside that of `evaluate`."""
        for title, routes in self.lines.items():
            ours = routes.get(EVALUATE, (math.nan, ""))[0]
            yield f"\n{title:<40}{'ms':>12}{'ratio':>10}  relative error of delta"
            for route, (seconds, remark) in routes.items():
                yield f"{route:<40}{1e3 * seconds:>12.3f}{seconds / ours:>10.2f}  {remark}"


EVALUATE = f"evaluate to {DIGITS} digits"


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    collected = Table()
    yield collected
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(*collected.rows(), sep="\n")  # noqa: T201 - the table is what it is for


def timed(
    benchmark: Any,
    table: Table,
    asked: Problem,
    route: str,
    run: Callable[[], Fraction | float | None],
    *,
    rounds: int = 1,
) -> None:
    """Time ``run``, which delivers delta or None, and record how far off it is."""
    value = benchmark.pedantic(run, rounds=rounds, iterations=1, warmup_rounds=int(rounds > 1))
    remark = "not delivered"
    if value is not None:
        truth = asked.answer(TRUE_DIGITS)
        remark = f"{float((Fraction(value) - truth) / truth):+.1e}"
    if route.startswith("Monte Carlo"):
        remark += f", standard error {standard_error(asked):.1e}"
    benchmark.extra_info |= {"error": remark}
    if benchmark.stats is not None:  # absent under --benchmark-disable
        table.add(asked, route, benchmark.stats.stats.min, remark)


def standard_error(asked: Problem) -> float:
    """The exact one of DRAWS draws, relative to delta."""
    delta = float(asked.answer(TRUE_DIGITS))
    return math.sqrt((1 - delta) / (delta * DRAWS))


@BOTH
def test_evaluate(benchmark: Any, table: Table, asked: Problem) -> None:
    """Each time at another gamma, a trifle further on, so that nothing is remembered."""
    tries = numbers(1)

    def run() -> Fraction:
        moved = asked.gamma * (1 + Fraction(next(tries), 10**40))
        return replace(asked, gamma=moved).answer(DIGITS)

    timed(benchmark, table, asked, EVALUATE, run, rounds=50)


@BOTH
@pytest.mark.parametrize("name", ["series", "contour", "cubature"])
def test_one_route(benchmark: Any, table: Table, asked: Problem, name: str) -> None:
    route = import_module(f"simplexcert.reference.dirichlet.tail.{name}")
    with working_precision(FIRST_BITS):
        if not route.seconds_expected(asked.miss) < PATIENCE_SECONDS:
            pytest.skip(f"{name} does not apply, or takes too long")

    def run() -> Fraction | None:
        with working_precision(FIRST_BITS):
            found = enclosure_of(route.probability(asked.miss))
        return Fraction(found.upper) if found.high.is_finite else None

    timed(benchmark, table, asked, f"{name} at {FIRST_BITS} bits", run, rounds=3)


@BOTH
def test_monte_carlo(benchmark: Any, table: Table, asked: Problem) -> None:
    """As benvenuti2025 Appendix A does it, at one vertex: the share of draws that miss."""
    parameters = [float(value) for value in (*asked.alphas, asked.rest)]
    level, protected = float(asked.gamma), len(asked.alphas)

    def run() -> float:
        draws = np.random.default_rng(20).dirichlet(parameters, DRAWS)
        return float(np.any(draws[:, :protected] < level, axis=1).mean())

    timed(benchmark, table, asked, f"Monte Carlo, {DRAWS} draws", run, rounds=2)


def test_float64_backend(benchmark: Any, table: Table) -> None:
    tail = backend.quantities.get("dirichlet.tail.uniform")
    if tail is None:
        pytest.skip("the built-in backend does not answer dirichlet.tail.uniform")
    count = len(GRADES.alphas)
    point = {
        "alpha": float(GRADES.alphas[0]),
        "rest": float(GRADES.rest),
        "gamma": float(GRADES.gamma),
    }

    def run() -> float:
        return float(tail(count=count, **point))

    timed(benchmark, table, GRADES, "float64 backend, one value", run, rounds=20)


def density_on_the_cube(asked: Problem) -> Callable[[Reals], Reals]:
    """The density over the good set, as a smooth function on the unit cube.

    x_i = gamma + (what is left above gamma) u_i, coordinate by coordinate.
    """
    alphas = [float(value) for value in asked.alphas]
    rest, level = float(asked.rest), float(asked.gamma)
    log_front = special.gammaln(sum(alphas) + rest) - special.gammaln([*alphas, rest]).sum()

    def density(points: Reals) -> Reals:
        free = np.full(points.shape[0], 1 - len(alphas) * level)
        logarithm = np.full(points.shape[0], log_front)
        for alpha, share in zip(alphas, points.T, strict=True):
            logarithm += (alpha - 1) * np.log(level + free * share) + np.log(free)
            free = free * (1 - share)
        return np.asarray(np.exp(logarithm + (rest - 1) * np.log(free)))

    return density


@pytest.mark.parametrize("rule", CUBATURE_REGIONS)
def test_scipy_cubature(benchmark: Any, table: Table, rule: str) -> None:
    density, most = density_on_the_cube(GRADES), CUBATURE_REGIONS[rule]

    def run() -> float:
        corners = np.zeros(4), np.ones(4)
        found = integrate.cubature(density, *corners, rule=rule, rtol=1e-9, max_subdivisions=most)
        return 1 - float(found.estimate)

    route = f"SciPy's cubature, {rule}, {most} regions"
    with np.errstate(all="ignore"):  # the cube's far faces, where the density is 0
        timed(benchmark, table, GRADES, route, run)


@pytest.mark.parametrize("degree", [10, 20, 32])
def test_tensor_gauss_legendre(benchmark: Any, table: Table, degree: int) -> None:
    density, axes = density_on_the_cube(GRADES), len(GRADES.alphas)

    def product(values: Reals) -> Reals:
        grid = np.meshgrid(*[values] * axes, indexing="ij")
        return np.stack(grid, axis=-1).reshape(-1, axes)

    def run() -> float:
        nodes, weights = np.polynomial.legendre.leggauss(degree)
        inside = density(product((nodes + 1) / 2))
        return 1 - float(inside @ product(weights / 2).prod(axis=1))

    timed(benchmark, table, GRADES, f"Gauss-Legendre, {degree}^4 nodes", run, rounds=2)


def in_time(integral: Callable[[Callable[[], None]], float]) -> float | None:
    """Return what an integral comes to, or None if its patience is over; it calls the watch."""
    end = time.perf_counter() + PATIENCE_SECONDS

    def watch() -> None:
        if time.perf_counter() > end:
            raise TimeoutError

    try:
        return integral(watch)
    except TimeoutError:
        return None


def test_scipy_nquad(benchmark: Any, table: Table) -> None:
    density = density_on_the_cube(GRADES)

    def integral(watch: Callable[[], None]) -> float:
        def at(*point: float) -> float:
            watch()
            return float(density(np.array([point]))[0])

        found, _ = integrate.nquad(at, [(0, 1)] * 4, opts={"epsrel": 1e-6, "epsabs": 1e-9})
        return 1 - float(found)

    timed(benchmark, table, GRADES, "SciPy's nquad", lambda: in_time(integral))


def test_mpmath_nested(benchmark: Any, table: Table) -> None:
    """The integral as it is written, each range ending where the next ones still have room."""
    level, rest = mpmath.mpf("0.0004"), mpmath.mpf("14.5848")
    alpha, count = mpmath.mpf("1.5038"), 4

    def integral(watch: Callable[[], None]) -> float:
        def over(left: Any, more: int) -> Any:
            watch()
            if more == 0:
                return left ** (rest - 1)
            return mpmath.quad(
                lambda x: x ** (alpha - 1) * over(left - x, more - 1),
                [level, left - (more - 1) * level],
            )

        front = mpmath.gamma(count * alpha + rest) / mpmath.gamma(alpha) ** count
        return 1 - float(front / mpmath.gamma(rest) * over(mpmath.mpf(1), count))

    with mpmath.workdps(MPMATH_DIGITS):
        route = f"mpmath's quad, nested, {MPMATH_DIGITS} digits"
        timed(benchmark, table, GRADES, route, lambda: in_time(integral))
