"""The float64 backend's compositions and matrices: safe, near to the truth, safe when hopeless."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from flint import acb, arb
from instances import instances
from scipy import special
from simplexcert.certify.backends.float64 import backend, composition, matrix
from simplexcert.certify.backends.float64.composition import chernoff_epsilon, log_chernoff_delta
from simplexcert.certify.backends.float64.moment_line import (
    Releases,
    change_off_axis,
    log_delta_on,
    log_moments,
    moment_line,
    releases_of,
    rounded_up,
)
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.arb.balls import ball, working_precision

Point = dict[str, Any]
Rows = list[tuple[float, float, int]]
DELTA, EPSILON = "dirichlet.composition.delta", "dirichlet.composition.epsilon"
MATRIX_DELTA = "dirichlet.matrix.delta"
BOUNDS = ("dirichlet.matrix.delta_bound", "dirichlet.matrix.epsilon_bound")
LARGEST = float(np.finfo(np.float64).max)
# Relative, for the releases of `several`; measured: 1.3e-10 of delta, 4e-12 of epsilon.
EXCESS = Fraction(5, 10**10)
SECTION_V = (0.987, 0.123375)  # fallin2023: floor and step of a row


def answer(name: str, point: Point) -> float:
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    return value


def truth(name: str, point: Point) -> Answer:
    known = evaluate(name, point, digits=18)
    assert known.narrow, point
    return known


def excess(name: str, point: Point) -> Fraction:
    """How far the answer is above the truth, relatively; it must not be below."""
    known, value = truth(name, point), Fraction(answer(name, point))
    exact = known.exact if known.exact is not None else known.upper
    if "delta" in name.rsplit(".", maxsplit=1)[-1]:
        exact = min(exact, Fraction(1))
    assert value >= exact, point
    return value / Fraction(exact) - 1 if exact else value


def log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** random.uniform(math.log10(low), math.log10(high)))


def several(random: np.random.Generator) -> Rows:
    rows: Rows = []
    for _ in range(random.integers(1, 4)):
        alpha = log_uniform(random, 0.1, 1000)
        rows.append((alpha, alpha * log_uniform(random, 1e-3, 3), int(random.integers(2, 100))))
    return rows


def loss(rows: Rows, deviations: float) -> float:
    """So many standard deviations above the mean loss, or 0."""
    mean = variance = 0.0
    for alpha, step, count in rows:
        mean += count * step * float(special.psi(alpha + step) - special.psi(alpha))
        both = special.polygamma(1, alpha) + special.polygamma(1, alpha + step)
        variance += count * step**2 * float(both)
    return max(0.0, mean + deviations * math.sqrt(variance))


def test_logarithms_of_moments_err_by_less_than_their_bound() -> None:
    random = np.random.default_rng(1)
    for _ in range(instances(37, 150)):
        alpha, count = log_uniform(random, 1e-20, 1e20), float(random.integers(1, 1000))
        step, odds = alpha * log_uniform(random, 1e-9, 1e9), log_uniform(random, 1e-9, 1e9)
        crossing = alpha / step * (odds / (1 + odds))
        height = crossing * 10 ** random.uniform(-4, 4, 2)
        releases = Releases(*(np.array([part]) for part in (alpha, step, count)))
        at = log_moments(releases, np.array([crossing]))
        change = change_off_axis(releases, crossing, height)
        with working_precision(600):
            on_axis = exact_log_moment(alpha, step, count, acb(crossing))
            assert off(at.value[0], on_axis.real) <= at.doubt[0]
            for j, y in enumerate(height):
                exact = exact_log_moment(alpha, step, count, acb(crossing, float(y)))
                assert off(change.real[j], (exact - on_axis).real) <= change.real_doubt[j]
                assert off(change.angle[j], exact.imag) <= change.angle_doubt[j]
        assert at.doubt[0] <= 1e-13 * at.value[0]
        # Stirling's higher terms are differenced directly: 4e-20 of a release, absolutely.
        assert np.all(change.real_doubt <= 1e-12 * np.abs(change.real) + 4e-20 * count)
        assert np.all(change.angle_doubt <= 1e-12 * change.angle + 4e-20 * count)


def exact_log_moment(alpha: float, step: float, count: float, point: acb) -> acb:
    near, far = alpha - point * step, arb(alpha) + step + point * step
    at_zero = arb(alpha).lgamma() + (arb(alpha) + step).lgamma()
    return count * (near.lgamma() + far.lgamma() - at_zero)


def off(value: float, exact: arb) -> float:
    return float(abs(arb(float(value)) - exact).upper())


def test_every_line_is_safe_however_badly_it_is_planned() -> None:
    """Long steps leave aliases, which are positive; few nodes a rest, whose bound is added."""
    random = np.random.default_rng(2)
    for _ in range(instances(15, 60)):
        rows = several(random)
        epsilon = loss(rows, random.uniform(-1, 6))
        releases = releases_of(rows)
        assert releases is not None
        crossing = releases.limit * float(random.uniform(0.001, 0.9))
        step = crossing * log_uniform(random, 0.01, 100)
        most = int(random.choice((1, 10, 1000)))
        line = moment_line(releases, crossing, step, -40.0, most)
        bound = float(log_delta_on(line, np.array([epsilon]))[0])
        known = truth(DELTA, {"releases": rows, "epsilon": epsilon})
        with working_precision(128):
            assert arb(bound) > ball(Fraction(known.upper)).log()


def test_a_line_of_one_node_is_far_from_the_truth() -> None:
    releases = releases_of([(*SECTION_V, 10)])
    assert releases is not None
    line = moment_line(releases, 3.0, 0.01, -40.0, 1)
    assert line.beyond > 1
    assert math.exp(float(log_delta_on(line, np.array([1.16]))[0])) > 0.0226


def test_chernoffs_bounds_are_above_delta_and_epsilon() -> None:
    random = np.random.default_rng(3)
    for _ in range(instances(7, 30)):
        rows = several(random)
        releases, epsilon = releases_of(rows), loss(rows, random.uniform(0, 8))
        assert releases is not None
        delta = truth(DELTA, {"releases": rows, "epsilon": epsilon})
        bound = log_chernoff_delta(releases, epsilon)
        log_delta = ball_log(Fraction(delta.upper))
        assert log_delta <= bound <= min(log_delta + 8, 0)
        if epsilon > 0:
            assert chernoff_epsilon(releases, log_delta) >= epsilon


def ball_log(value: Fraction) -> float:
    with working_precision(80):
        return float(ball(value).log().mid())


def test_delta_is_safe_and_near_the_truth() -> None:
    random = np.random.default_rng(4)
    for _ in range(instances(30, 120)):
        rows = several(random)
        point = {"releases": rows, "epsilon": loss(rows, random.uniform(-4, 10))}
        assert excess(DELTA, point) <= EXCESS, point


def test_epsilon_is_safe_and_near_the_truth() -> None:
    random = np.random.default_rng(5)
    for _ in range(instances(3, 8)):
        rows = several(random)
        point = {"releases": rows, "delta": log_uniform(random, 1e-12, 0.5)}
        assert excess(EPSILON, point) <= EXCESS, point


def test_one_release_is_the_profile() -> None:
    for epsilon in (0.0, 0.5, 20.0):
        alone = answer("dirichlet.profile.delta", {"alpha": 2.0, "step": 0.7, "epsilon": epsilon})
        assert answer(DELTA, {"releases": [[2.0, 0.7, 1]], "epsilon": epsilon}) == alone
    inverse = answer("dirichlet.profile.epsilon", {"alpha": 2.0, "step": 0.7, "delta": 1e-5})
    assert answer(EPSILON, {"releases": [[2.0, 0.7, 1]], "delta": 1e-5}) == inverse


def test_equal_rows_are_one_row_with_their_sum() -> None:
    split = [(*SECTION_V, 3), (5.0, 0.5, 2), (*SECTION_V, 7)]
    whole = [(*SECTION_V, 10), (5.0, 0.5, 2)]
    one, other = (answer(DELTA, {"releases": rows, "epsilon": 1.5}) for rows in (split, whole))
    assert one == other


def test_epsilon_is_infinite_at_delta_0_alone_and_0_from_the_total_variation_on() -> None:
    rows = [(*SECTION_V, 10)]
    assert answer(EPSILON, {"releases": rows, "delta": 0.0}) == math.inf
    assert math.isfinite(answer(EPSILON, {"releases": rows, "delta": 5e-324}))
    assert answer(EPSILON, {"releases": rows, "delta": 1.0}) == 0.0
    total_variation = answer(DELTA, {"releases": rows, "epsilon": 0.0})
    assert answer(EPSILON, {"releases": rows, "delta": total_variation}) == 0.0
    assert answer(EPSILON, {"releases": rows, "delta": total_variation * (1 - 1e-9)}) > 0.0


def test_counts_that_are_no_doubles_are_rounded_up() -> None:
    assert rounded_up(2**53 + 1) == 2.0**53 + 2
    assert rounded_up(2**53 + 2) == 2.0**53 + 2
    releases = releases_of([(1.0, 1.0, 2**53), (1.0, 1.0, 1)])
    assert releases is not None
    assert releases.number.tolist() == [2.0**53 + 2]


def test_matrix_delta_rounds_the_floor_down_and_the_step_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[float, float, int]] = []

    def recorded(rows: Rows, _: float) -> float:
        seen.extend(rows)
        return 0.5

    monkeypatch.setattr(composition, "delta", recorded)
    random = np.random.default_rng(6)
    for _ in range(instances(66, 200)):
        k, eta, b = random.uniform(0.1, 100), random.uniform(0.01, 1), random.uniform(0.01, 1)
        answer(MATRIX_DELTA, {"k": k, "eta": eta, "b": b, "changed_rows": 2, "epsilon": 1.0})
        floor, step, _ = seen[-1]
        exact_floor, exact_step = Fraction(k) * Fraction(eta), Fraction(k) * Fraction(b) / 2
        assert floor <= exact_floor < Fraction(math.nextafter(floor, math.inf))
        assert Fraction(math.nextafter(step, 0.0)) < exact_step <= step
    answer(
        MATRIX_DELTA, {"k": 1.0, "eta": 0.5, "b": 1.0, "changed_rows": 2**53 + 1, "epsilon": 1.0}
    )
    assert seen[-1][2] > 2**53


def test_matrix_delta_is_safe_and_near_the_truth() -> None:
    random = np.random.default_rng(7)
    for _ in range(instances(15, 60)):
        point = {
            "k": log_uniform(random, 1, 1000),
            "eta": log_uniform(random, 0.01, 0.5),
            "b": log_uniform(random, 0.01, 1),
            "changed_rows": int(random.integers(1, 50)),
            "epsilon": log_uniform(random, 0.01, 10),
        }
        if answer(MATRIX_DELTA, point) > 1e-300:
            assert excess(MATRIX_DELTA, point) <= EXCESS, point


def rows_for(random: np.random.Generator, eta: float) -> list[tuple[int, float]]:
    most = min(int(1 / eta), 40)
    counts = random.integers(2, most + 1, random.integers(1, 5))
    return [(int(w), log_uniform(random, 1e-9, 0.9) / int(w)) for w in counts]


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_over_rows_are_safe_and_near_the_truth(name: str) -> None:
    random = np.random.default_rng(8)
    for _ in range(instances(10, 40)):
        eta = log_uniform(random, 0.01, 0.4)
        point: Point = {
            "k": log_uniform(random, 1, 1000),
            "eta": eta,
            "rows": rows_for(random, eta),
        }
        if name == BOUNDS[1]:
            point |= {"eta_bar": random.uniform(0.01, 0.3), "b": log_uniform(random, 0.01, 0.5)}
        if name == BOUNDS[1] or answer(name, point) > 1e-300:
            assert excess(name, point) <= Fraction(1, 10**10), point


@pytest.mark.parametrize(
    ("k", "eta", "b"), [(1.0, 1e-49, 5e-324), (1e-150, 1e-12, 5e-324), (1e-200, 0.3, 1e-120)]
)
def test_the_printed_epsilon_is_safe_where_its_step_is_subnormal(
    k: float, eta: float, b: float
) -> None:
    point = {"k": k, "eta": eta, "eta_bar": 0.25, "b": b, "rows": [(2, 1e-150), (3, 0.1)]}
    assert Fraction(answer(BOUNDS[1], point)) >= truth(BOUNDS[1], point).upper
    assert answer(BOUNDS[1], point) < 1e-100


def test_hopeless_releases_have_chernoffs_bound() -> None:
    """No line has few enough nodes for two or three releases that far out."""
    for rows, epsilon in (
        ([(2.25e-9, 43883769.0, 3)], 1.0e18),
        ([(0.00067, 95645.0, 1), (0.148, 7.1e-5, 2)], 1.86e9),
    ):
        point = {"releases": rows, "epsilon": epsilon}
        known = evaluate(DELTA, point, digits=3)
        assert known.lower <= Fraction(answer(DELTA, point)) < 1000 * Fraction(known.upper)


def test_sizes_that_are_not_attempted_give_a_safe_number() -> None:
    for row in ((5e-324, 1.0, 2), (1.0, 1e300, 2), (1.0, 1.0, 10**310)):
        assert answer(DELTA, {"releases": [row], "epsilon": 1.0}) == 1.0
        assert answer(EPSILON, {"releases": [row], "delta": 0.5}) == LARGEST
    many: Point = {"k": 1.0, "eta": 0.5, "b": 1.0, "changed_rows": 10**310, "epsilon": 1.0}
    assert answer(MATRIX_DELTA, many) == 1.0
    tiny: Point = {"k": 5e-324, "eta": 0.5, "b": 1.0, "changed_rows": 2, "epsilon": 1.0}
    assert answer(MATRIX_DELTA, tiny) == 1.0


def test_large_counts_give_numbers_that_are_safe() -> None:
    for count in (10**4, 10**6, 10**9, 10**12):
        rows = [(*SECTION_V, count)]
        point = {"releases": rows, "epsilon": loss(rows, 4.0)}
        assert 0 < answer(DELTA, point) <= 1
        assert excess(DELTA, point) <= Fraction(1, 1000)


@each_of("point", [0.0, 1e-320, 1e-30, 1e8, 1e300])
def test_every_epsilon_and_delta_gives_a_number(point: float) -> None:
    """Warnings are errors in tests."""
    rows = [(1e-49, 1e49, 5), (1e49, 1e-49, 10**20), (2.0, 3.0, 10**6)]
    for releases in (rows, *([row] for row in rows)):
        assert 0 < answer(DELTA, {"releases": releases, "epsilon": point}) <= 1
        if point <= 1:
            assert answer(EPSILON, {"releases": releases, "delta": point}) >= 0


def test_without_a_plan_chernoffs_bound_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "plan", lambda *_: None)
    releases = releases_of([(*SECTION_V, 10)])
    assert releases is not None
    bound = math.exp(log_chernoff_delta(releases, 1.16))
    value = answer(DELTA, {"releases": [(*SECTION_V, 10)], "epsilon": 1.16})
    assert bound <= value <= bound * (1 + 1e-12)


def test_the_modules_here_are_the_backends() -> None:
    modules = {DELTA: composition.delta, BOUNDS[0]: matrix.delta_bound}
    for name, function in modules.items():
        assert inspect.unwrap(backend.quantities[name]) is function


MIXED = [
    (
        "replace",
        [
            {"mechanism": "laplace", "noise_multiplier": 3.0, "count": 2},
            {"mechanism": "discrete_laplace", "scale": 1.7, "sensitivity": 2, "count": 3},
            {
                "mechanism": "randomized_response",
                "categories": 5,
                "truth_probability": 0.61,
                "count": 2,
            },
        ],
    ),
    (
        "replace",
        [
            {"mechanism": "gaussian", "noise_multiplier": 1.3, "count": 2},
            {"mechanism": "discrete_gaussian", "scale": 2.9, "sensitivity": 2, "count": 3},
            {"mechanism": "dirichlet", "alpha": 30.3, "step": 0.7, "count": 4},
        ],
    ),
    (
        "add_remove",
        [
            {
                "mechanism": "dpsgd",
                "noise_multiplier": 1.3,
                "sampling_probability": 0.21,
                "steps": 50,
                "count": 1,
            },
            {"mechanism": "dirichlet", "alpha": 30.3, "step": 0.7, "count": 4},
        ],
    ),
]


@each_of("neighbours, events", MIXED)
def test_mixtures_are_safe_and_never_fail(neighbours: str, events: list[dict[str, Any]]) -> None:
    given: Point = {"events": events, "neighbours": neighbours}
    value = answer("composition.delta", {**given, "epsilon": 2.0})
    known = evaluate("composition.delta", {**given, "epsilon": 2}, digits=6)
    assert known.upper_float < value < min(20 * known.upper_float, 1.0)
    assert answer("composition.epsilon", {**given, "delta": known.lower_float}) >= 2
    for at, event in enumerate(events):
        for key, item in event.items():
            sizes = (10**400,) if isinstance(item, int) else (1e-300, 1e300)
            for extreme in () if isinstance(item, str) else sizes:
                if key.endswith("probability") and extreme > 1:
                    continue
                wild = {
                    **given,
                    "events": [*events[:at], {**event, key: extreme}, *events[at + 1 :]],
                }
                assert 0 <= answer("composition.delta", {**wild, "epsilon": 2.0}) <= 1
                assert answer("composition.epsilon", {**wild, "delta": 1e-6}) >= 0
