"""The laws of the built-in float64 backend: its safe sides before everything else."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from each import each, each_of
from instances import instances
from simplexcert.certify.backends import float64
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.backends.float64.elementwise import one_by_one
from simplexcert.certify.checks.case import answered as answer_of
from simplexcert.certify.checks.judgement import DEFAULT_ACCURACY
from simplexcert.certify.points import exact_point
from simplexcert.certify.search import strategies
from simplexcert.certify.search.draws import Draws, on_grid
from simplexcert.reference import Answer, Quantity, evaluate, quantities
from simplexcert.reference.domain import Domain, Entries, IndexSet, Interval, Law, Table
from simplexcert.reference.domain.kinds import Moved
from simplexcert.reference.quantity import Side

Point = dict[str, Any]

# Vectors and matrices, of which test_float64_markov.py judges every entry.
ARRAYS = ("markov.fundamental", "markov.group_inverse", "markov.stationary")
NAMES = tuple(sorted(set(backend.quantities) - set(ARRAYS)))
UPPER = tuple(name for name in NAMES if quantities()[name].safe is Side.UPPER)
LOWER = tuple(name for name in NAMES if quantities()[name].safe is Side.LOWER)
# The reference needs milliseconds for a value, and tens of them for a root in k.
POINTS = {name: 20 if name.endswith("k_for_dp") else 200 for name in NAMES}
POINTS["dirichlet.profile.delta"] = 400
POINTS["dirichlet.profile.step_for_dp"] = 60
POINTS |= {name: 10 for name in NAMES if name.endswith(".gamma")}
POINTS["dirichlet.composition.epsilon"] = 6
POINTS["dirichlet.utility.kl_tail"] = 40
POINTS["dirichlet.pair.delta"] = 100
POINTS |= {name: 60 for name in NAMES if ".tail." in name or name.endswith("delta_bound")}
# The gate tries an eighth of them, and one in 24 of those whose truths are integrals.
SLOW = {"dirichlet.composition.delta", "dirichlet.composition.epsilon", "dirichlet.matrix.delta"}
SLOW |= {"composition.delta", "composition.epsilon", "dpsgd.delta", "dpsgd.epsilon"}
POINTS |= {"composition.delta": 96, "composition.epsilon": 48}
SLOW |= {"dirichlet.utility.kl_chernoff", "dirichlet.utility.kl_tail"}
POINTS = {
    name: -(-count // instances(48 if name in SLOW else 16, 1)) for name, count in POINTS.items()
}
SCALARS = {name: instances(1, 12) for name in NAMES}
EXTREME_POINTS = instances(8, 80)
DELTA = backend.quantities["dirichlet.profile.delta"]


# Where epsilon is about the mean of the loss, delta hangs on the last digits of both sizes.
LARGE = [
    (4.975593599205247e28, 73640342744166.12, 0.048614406983148443),
    (1.546470821247161e30, 1.1858417061438742e16, 38.75485948009073),
    (1.6562687007117364e25, 1528552754624.813, 0.13664928468507936),
]


@pytest.mark.parametrize(("alpha", "step", "epsilon"), LARGE)
def test_delta_of_sizes_beyond_what_doubles_tell_apart_is_never_below_the_truth(
    alpha: float, step: float, epsilon: float
) -> None:
    given = {"alpha": Fraction(alpha), "step": Fraction(step), "epsilon": Fraction(epsilon)}
    truth = evaluate("dirichlet.profile.delta", given).number
    assert DELTA(alpha=alpha, step=step, epsilon=epsilon) >= truth.upper


# Where the floor k eta is small the gamma of a given delta is 10^-1000 and less, at which the
# reference takes its time; all that there is to say is 0.
SMALLEST_FLOOR = 0.1


def admissible(quantity: Quantity, point: Point) -> bool:
    if quantity.name.endswith(".gamma") and point["k"] * point["eta"] < SMALLEST_FLOOR:
        return False
    return quantity.admits(exact_point(point))


def answer_at(name: str, point: Point) -> Any:
    """Return what the backend answers when it is asked as a certification asks it."""
    value = answer_of(backend.quantities[name], point)
    if isinstance(value, Exception):
        raise value
    return value


def drawn(quantity: Quantity, random: np.random.Generator) -> Point:
    """Draw each parameter log-uniformly where the registry says to search, some on quarters."""
    point: Point = {}
    for name in strategies.drawing_order(quantity):
        domain = quantity.parameters[name]
        if not has_plain_numbers(domain):
            point[name] = searched(domain, random, point)
            continue
        model = domain.as_long_as if isinstance(domain, Entries) else None
        point[name] = drawn_value(domain, random, len(point[model]) if model else None)
    return point


def has_plain_numbers(domain: Domain) -> bool:
    """Whether a parameter is a number, a vector or a table of numbers that fit no pattern."""
    return isinstance(domain, Interval | Entries | Table) and not isinstance(
        domain, IndexSet | Moved
    )


def searched(domain: Domain, random: np.random.Generator, point: Point) -> Any:
    """Draw a parameter with parts as a search does, its zeros, ones and copies included."""
    return strategies.drawn(domain, Draws(f"{random.random()}"), point)


def drawn_value(domain: Domain, random: np.random.Generator, length: int | None = None) -> Any:
    if isinstance(domain, Table):
        rows = range(random.integers(1, domain.longest_searched + 1))
        return tuple(
            tuple(drawn_value(column, random) for _, column in domain.columns) for _ in rows
        )
    if isinstance(domain, Entries):
        length = length or int(random.integers(domain.fewest, domain.longest_searched + 1))
        entries = tuple(drawn_value(domain.each, random) for _ in range(length))
        return on_grid(entries) if isinstance(domain, Law) else entries
    low, high = map(float, domain.search)
    if low == 0:
        return int(random.integers(0, round(high) + 1))
    value = math.exp(random.uniform(math.log(low), math.log(high)))
    if domain.kind == "integer":
        return round(value)
    return round(4 * value) / 4 if random.random() < 0.1 and value > 1 else value


def points_of(name: str, count: int, seed: int = 1) -> list[Point]:
    quantity, random = quantities()[name], np.random.default_rng(seed)
    found: list[Point] = []
    while len(found) < count:
        point = drawn(quantity, random)
        if admissible(quantity, point):
            found.append(point)
    return found


def columns(points: list[Point]) -> dict[str, Any]:
    return {name: np.array([point[name] for point in points]) for name in points[0]}


def answered(name: str, points: list[Point]) -> Iterator[tuple[Point, float, Answer]]:
    if any(isinstance(value, tuple | str) for value in points[0].values()):
        values = np.array([answer_at(name, point) for point in points])
    else:
        values = np.asarray(backend.quantities[name](**columns(points)))
    assert values.shape == (len(points),)
    for point, value in zip(points, values, strict=True):
        yield point, float(value), evaluate(name, point, digits=20)


def exactly(value: float) -> Fraction | float:
    return Fraction(value) if math.isfinite(value) else value


def ceiling(answer: Answer) -> Fraction | float:
    """The upper end; what a probability is at most is known without an engine."""
    probability = answer.quantity.name.endswith((".delta", "total_variation"))
    return min(answer.upper, Fraction(1)) if probability else answer.upper


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", ["made.steps", "made.rows", "made.collision", "made.distance"])
def test_points_are_drawn_for_parameters_of_every_kind(name: str) -> None:
    quantity, random = quantities()[name], np.random.default_rng(7)
    for point in points_of(name, 20):
        evaluate(name, point)
    for _ in range(instances(8, 20)):
        point = extremes(quantity, random)
        if name != "made.distance":  # extremes are drawn for each parameter alone
            exact = exact_point(point)
            assert isinstance(quantity.admits(exact), bool)


def test_every_quantity_it_names_is_registered_with_the_same_parameters() -> None:
    assert set(backend.quantities) <= set(quantities())
    for name in NAMES:
        point = points_of(name, 1)[0]
        assert isinstance(answer_at(name, point), float)
    for name in ARRAYS:
        assert isinstance(answer_at(name, points_of(name, 1)[0]), np.ndarray)


def test_it_asks_for_no_slack_and_is_vectorised() -> None:
    assert backend.name == "simplexcert-float64"
    assert backend.version
    assert backend.vectorized
    assert not getattr(backend, "slack", {})


@each(UPPER)
def test_an_upper_quantity_is_never_below_the_truth(name: str) -> None:
    for point, value, answer in answered(name, points_of(name, POINTS[name])):
        known = answer.exact if answer.exact is not None else ceiling(answer)
        # Of a truth that is not had to the last digit, the lower end.
        assert exactly(value) >= (known if answer.narrow else answer.lower), point


@each_of("name", LOWER)
def test_a_lower_quantity_is_never_above_the_truth(name: str) -> None:
    for point, value, answer in answered(name, points_of(name, POINTS[name])):
        assert exactly(value) <= answer.lower, point


@each(sorted(set(backend.accuracy) - set(ARRAYS)))
def test_a_promised_accuracy_is_kept(name: str) -> None:
    for point, value, answer in answered(name, points_of(name, POINTS[name], seed=2)):
        if math.isinf(value):
            assert answer.lower == math.inf, point
            continue
        excess = abs(Fraction(value) - Fraction(answer.lower))
        assert excess <= Fraction(backend.accuracy[name]) * abs(Fraction(answer.upper)), point


def test_delta_exceeds_the_truth_by_less_than_1e_12() -> None:
    """For alpha in [0.05, 1000], step/alpha in [0.001, 2], delta from 1e-100 on."""
    random = np.random.default_rng(3)
    alpha = 10 ** random.uniform(math.log10(0.05), 3, 400)
    step = alpha * 10 ** random.uniform(-3, math.log10(2), 400)
    spread = step * np.sqrt((2 * alpha + step) / (alpha * (alpha + step)))
    epsilon = spread * random.uniform(0, 20, 400)
    values = np.asarray(DELTA(alpha=alpha, step=step, epsilon=epsilon))
    for a, s, e, value in zip(alpha, step, epsilon, values, strict=True):
        if value >= 1e-100:
            truth = evaluate("dirichlet.profile.delta", {"alpha": a, "step": s, "epsilon": e})
            assert Fraction(float(value)) >= min(truth.upper, Fraction(1))
            assert Fraction(float(value)) <= truth.lower * (1 + Fraction("1e-12"))


EDGES: tuple[tuple[str, Point], ...] = (
    # Rational truths, at which only a margin or exactness is safe.
    ("dirichlet.profile.total_variation", {"alpha": 1.0, "step": 1.0}),
    ("dirichlet.profile.total_variation", {"alpha": 1.0, "step": 2.0}),
    ("dirichlet.profile.total_variation", {"alpha": 512.0, "step": 64.0}),
    ("dirichlet.profile.renyi", {"alpha": 1.0, "step": 1.0, "order": 1.0}),
    ("dirichlet.profile.renyi", {"alpha": 1.0, "step": 1.0, "order": 1.0 + 2.0**-52}),
    # Within a unit in the last place of where the divergence becomes infinite.
    ("dirichlet.profile.renyi", {"alpha": 1.0, "step": math.nextafter(1.0, 0.0), "order": 2.0}),
    ("dirichlet.profile.renyi", {"alpha": 0.3, "step": 0.1, "order": 4.0}),
    ("dirichlet.profile.renyi", {"alpha": 0.1, "step": 0.7, "order": 1.0 + 1 / 7}),
    # log B(1, 1) = 0, and beside alpha = 1 and 2.
    ("dirichlet.profile.delta", {"alpha": 1.0, "step": 1e-12, "epsilon": 1e-12}),
    ("dirichlet.profile.delta", {"alpha": 2.0 - 2.0**-52, "step": 1e-9, "epsilon": 0.0}),
    # Large parameters, where the series give way to quadrature.
    ("dirichlet.profile.delta", {"alpha": 1e12, "step": 1e6, "epsilon": 2.0}),
    ("dirichlet.profile.delta", {"alpha": 1e9, "step": 1e6, "epsilon": 50.0}),
    ("dirichlet.profile.delta", {"alpha": 1e-12, "step": 1e-12, "epsilon": 700.0}),
    ("dirichlet.profile.delta", {"alpha": 1e-12, "step": 1e12, "epsilon": 1e24}),
    # The closed bound on epsilon is nearer to the truth here than any double.
    ("dirichlet.profile.epsilon", {"alpha": 2.0**-10, "step": 672.25, "delta": 2.0**-8}),
    ("dirichlet.profile.epsilon", {"alpha": 1e-8, "step": 1e8, "delta": 1e-12}),
)


@each_of("name, point", EDGES)
def test_the_safe_side_holds_at_edges(name: str, point: Point) -> None:
    answer = evaluate(name, point, digits=20)
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    known = answer.exact if answer.exact is not None else ceiling(answer)
    assert exactly(value) >= known
    if math.isfinite(value):
        assert value <= float(known) * (1 + 1e-10)


# Products of a step that leave the normal doubles, where a tangent stands for the expression.
VANISHING: tuple[tuple[str, Point], ...] = (
    (
        "dirichlet.identity.epsilon_bound",
        {"k": 1.0, "eta": 1e-49, "eta_bar": 0.5, "b": 5e-324, "w": 2, "gamma": 1e-150},
    ),
    (
        "dirichlet.identity.epsilon_bound",
        {"k": 1e-200, "eta": 0.3, "eta_bar": 0.25, "b": 1e-120, "w": 3, "gamma": 0.1},
    ),
    (
        "dirichlet.average.epsilon_bound",
        {"k": 1e-200, "eta": 0.3, "eta_bar": 0.25, "b": 1e-110, "N": 10**9, "w": 3, "gamma": 0.1},
    ),
    ("dirichlet.counts.epsilon_bound", {"k": 1e-315, "eta": 0.1, "N": 98, "n": 5, "gamma": 0.01}),
    ("dirichlet.profile.epsilon", {"alpha": 0.005746, "step": 7e-323, "delta": 2e-323}),
)


@each_of("name, point", VANISHING)
def test_the_safe_side_holds_where_products_leave_the_normal_doubles(
    name: str, point: Point
) -> None:
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    assert math.isfinite(value)
    assert exactly(value) >= ceiling(evaluate(name, point, digits=20))


@each(NAMES)
def test_scalars_are_as_safe_as_arrays(name: str) -> None:
    # NumPy's vector loops and its scalar ones may differ in the last place; both must be safe.
    for point in points_of(name, SCALARS[name], seed=4):
        value, answer = answer_at(name, point), evaluate(name, point)
        assert isinstance(value, float)
        if name in UPPER:
            assert exactly(value) >= ceiling(answer), point
        elif name in LOWER:
            assert exactly(value) <= answer.lower, point
        else:
            assert abs(exactly(value) - answer.lower) <= DEFAULT_ACCURACY * abs(ceiling(answer))


def test_the_shape_of_arrays_is_kept() -> None:
    ones = np.ones((2, 3))
    assert np.shape(DELTA(alpha=ones, step=ones, epsilon=ones)) == (2, 3)
    assert np.shape(DELTA(alpha=ones[:0], step=ones[:0], epsilon=ones[:0])) == (0, 3)


EXTREMES = (5e-324, 1e-310, 1e-290, 1e-150, 1e-30, 1e-3, 0.5, 1.0, 37.0, 1e8, 1e30, 1e150, 1e300)


def extremes(quantity: Quantity, random: np.random.Generator) -> Point:
    point: Point = {}
    for name in strategies.drawing_order(quantity):
        domain = quantity.parameters[name]
        if has_plain_numbers(domain):
            point[name] = extreme(domain, random)
        else:
            point[name] = searched(domain, random, point)
    return point


def extreme(domain: Domain, random: np.random.Generator) -> Any:
    if isinstance(domain, Table):
        rows = range(random.integers(1, 4))
        return tuple(tuple(extreme(column, random) for _, column in domain.columns) for _ in rows)
    if isinstance(domain, Entries):
        entries = range(random.integers(domain.fewest, domain.fewest + 3))
        drawn = tuple(extreme(domain.each, random) for _ in entries)
        return on_grid(drawn) if isinstance(domain, Law) else drawn
    if domain.kind == "integer":
        return int(random.choice((1, 2, 3, 50)))
    return float(random.choice(EXTREMES))


@each([*NAMES, *ARRAYS])
def test_extreme_parameters_give_numbers_without_warnings(name: str) -> None:
    """Warnings are errors in tests; the truth is finite but for pure privacy and high orders."""
    quantity, random = quantities()[name], np.random.default_rng(5)
    for _ in range(EXTREME_POINTS):
        point = extremes(quantity, random)
        exact = exact_point(point)
        lists = any(isinstance(value, list | tuple | str) for value in point.values())
        if lists and not quantity.admits(exact):
            continue  # lengths that have to agree
        if all(domain.admits(exact[key]) for key, domain in quantity.parameters.items()):
            value = answer_at(name, point)
            assert isinstance(value, np.ndarray if name in ARRAYS else float)
            if not name.endswith("epsilon_bound"):  # outside of its conditions it owes nothing
                assert not np.isnan(value).any(), point


def test_renyi_is_infinite_exactly_where_the_truth_is() -> None:
    random = np.random.default_rng(6)
    for _ in range(instances(75, 300)):
        step, order = float(random.uniform(0.1, 3)), float(1 + random.uniform(0.01, 5))
        edge = (order - 1) * step
        for alpha in (math.nextafter(edge, 0.0), edge, math.nextafter(edge, math.inf)):
            value = backend.quantities["dirichlet.profile.renyi"](
                alpha=alpha, step=step, order=order
            )
            truth = (Fraction(order) - 1) * Fraction(step) >= Fraction(alpha)
            assert (value == math.inf) == truth


def test_epsilon_is_infinite_at_delta_0_alone_and_0_from_the_total_variation_on() -> None:
    epsilon = backend.quantities["dirichlet.profile.epsilon"]
    assert epsilon(alpha=2.0, step=1.0, delta=0.0) == math.inf
    assert math.isfinite(float(epsilon(alpha=2.0, step=1.0, delta=5e-324)))
    assert epsilon(alpha=1.0, step=1.0, delta=0.75) == 0.0
    assert epsilon(alpha=1.0, step=1.0, delta=1.0) == 0.0


def test_counts_lie_on_the_lattice_of_the_exact_product() -> None:
    """The double 0.1 exceeds 1/10, so 10 records need a count of 2, although 0.1 * 10 == 1.0."""
    k_for_dp = backend.quantities["dirichlet.counts.k_for_dp"]
    above = k_for_dp(eta=0.1, N=10, epsilon=1.0, delta=0.3)
    assert above == k_for_dp(eta=0.2 - 2.0**-40, N=10, epsilon=1.0, delta=0.3)
    assert above > k_for_dp(eta=0.1 - 2.0**-40, N=10, epsilon=1.0, delta=0.3)


def test_delta_falls_in_epsilon_and_in_alpha_and_rises_in_step() -> None:
    """Up to the margins, over all three routes."""
    grid = np.exp(np.linspace(-5, 25, 400))
    slack = 1 + 1e-9
    falling = np.asarray(DELTA(alpha=grid, step=np.ones(400), epsilon=np.full(400, 0.01)))
    assert np.all(falling[1:] <= falling[:-1] * slack)
    rising = np.asarray(DELTA(alpha=np.full(400, 1e5), step=grid, epsilon=np.ones(400)))
    assert np.all(rising[1:] * slack >= rising[:-1])


def test_it_imports_neither_the_reference_nor_its_engines() -> None:
    for path in Path(float64.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, path
                assert node.level or (node.module or "").split(".")[0] not in FORBIDDEN, path
            elif isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & FORBIDDEN, path


FORBIDDEN = {"flint", "mpmath", "gmpy2", "simplexcert"}


def test_rows_of_an_array_that_are_the_same_to_the_bit_are_answered_once() -> None:
    asked = []

    def function(first: float, second: float) -> float:
        asked.append((first, second))
        return math.copysign(first, second)

    answers = one_by_one(function)(
        first=np.array([2.0, 3.0, 2.0, 2.0]), second=np.array([0.0] * 3 + [-0.0])
    )
    assert answers.tolist() == [2.0, 3.0, 2.0, -2.0]
    assert len(asked) == 3
