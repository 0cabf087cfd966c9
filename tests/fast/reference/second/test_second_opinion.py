"""The second opinion: independent of the first engine, complete, and never of another mind.

Both engines on the profile at every size: each parameter from 1e-300 to 1e300, at once.
"""

from __future__ import annotations

import ast
import inspect
import math
import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import gmpy2
import pytest
import simplexcert.reference.second
from each import each, each_of
from instances import instances
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.draws import Draws
from simplexcert.certify.search.strategies import drawing_order, drawn, width_of
from simplexcert.reference import Answer, evaluate, quantities
from simplexcert.reference.domain import Domain, Entries, Exact, Interval, Law, Table, Value
from simplexcert.reference.enclosure import overlap
from simplexcert.reference.exact import exact_text
from simplexcert.reference.families import families
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Quantity
from simplexcert.reference.second import edges, opinion_on, opinions

NAMES = sorted(quantities())
ROOM = "simplexcert.reference"
# Of each quantity, and of those whose points take a tenth of a second and more.
POINTS = dict.fromkeys(NAMES, instances(3, 200))
POINTS |= {
    f"dirichlet.{name}": instances(1, 200)
    for name in (
        "add_remove.step_for_dp", "add_remove.step_for_renyi", "average.k_for_dp",
        "composition.delta", "counts.delta_bound",
        "counts.gamma", "counts.k_for_dp", "identity.delta_bound", "identity.gamma",
        "identity.k_for_dp", "matrix.delta", "matrix.delta_bound", "profile.step_for_dp",
        "profile.step_for_renyi", "tail.general", "tail.uniform", "utility.kl_tail",
    )
}  # fmt: skip
POINTS |= {
    f"markov.{name}": instances(1, 200)
    for name in (
        "largest_deviation_bound", "largest_deviation_square_bound", "model.delta_bound",
        "model.epsilon", "model.k_for_dp", "stationary_bound", "stationary_bound_a",
        "stationary_bound_b", "stationary_bound_c",
    )
}  # fmt: skip
POINTS |= {
    name: instances(1, 200)
    for name in NAMES
    if name.startswith(("dpsgd.", "composition."))
    or "least_" in name
    or name in {"discrete_gaussian.epsilon", "pufferfish.quilt_scale_approx"}
}
# Of these the gate tries two edges and no other point: a second opinion takes them a quarter of a
# second and more.
DEAR = {
    "composition.epsilon", "dirichlet.composition.epsilon", "dirichlet.identity.k_for_dp",
    "dpsgd.delta", "dpsgd.epsilon", "dpsgd.noise_multiplier_for_dp", "dpsgd.steps_for_dp",
    "pufferfish.chain_least_epsilon", "pufferfish.chain_least_scale",
    "pufferfish.chain_least_scale_renyi", "pufferfish.gaussian_epsilon",
    "pufferfish.gaussian_quilt_scale", "pufferfish.gaussian_renyi", "pufferfish.least_scale_renyi",
    "pufferfish.network_least_epsilon", "pufferfish.network_least_scale_renyi",
}  # fmt: skip
POINTS |= dict.fromkeys(DEAR, instances(0, 200)) | {
    "dirichlet.composition.epsilon": instances(0, 100)
}
TRIED_OF_DEAR = instances(2, 100)
# Edges of half a second and more, for the long run: others of their quantity take the same path.
AT_LENGTH = {
    "composition.epsilon": {1}, "dirichlet.tail.uniform": {10}, "dpsgd.delta": {0},
    "pufferfish.least_epsilon": {4},
}  # fmt: skip
# At more bits, and the edges at many digits: the last ones.
MANY_DIGITS = instances(100, 200)
# Every third quantity in the gate: what they share is tried, all of them in the long run.
SOME = NAMES if instances(1, 2) == 2 else sorted({*NAMES[1::3]} - DEAR)
POINTS_AT_MORE_BITS, EDGES_AT_MORE_DIGITS = instances(1, 5), instances(1, 2)
EDGES = edges()
_EDGES = "reference/second/edges.toml"


def quick_ends(name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the floors and the caps within which a quantity is quick to find."""
    both = ({}, {})  # type: tuple[dict[str, str], dict[str, str]]
    for bound in quantities()[name].quick:
        both[not bound.lower][bound.parameter] = str(bound.value)
    return both


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def some_number(rng: random.Random, interval: Interval, low: Fraction, high: Fraction) -> Exact:
    if low == 0:  # of whole numbers; others are searched from some positive number on
        return rng.randint(0, int(high))
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    return round(value) if interval.kind == "integer" else Fraction(f"{value:.8g}")


def some_point(
    quantity: Quantity,
    rng: random.Random,
    floors: Mapping[str, str],
    caps: Mapping[str, str],
) -> dict[str, Value]:
    """Return admissible parameters, each log-uniform in its search interval.

    Floors and caps go by a parameter's name, those of a table by a name such as releases.count.
    """

    def numbers(name: str, interval: Interval, count: int = 1) -> list[Exact]:
        low, high = (Fraction(end) for end in interval.search)
        low, high = max(low, Fraction(floors.get(name, low))), Fraction(caps.get(name, high))
        return [some_number(rng, interval, low, high) for _ in range(count)]

    while True:
        point: dict[str, Value] = {}
        for name in drawing_order(quantity):
            point[name] = some_value(name, quantity.parameters[name], rng, numbers, point)
        if quantity.admits(point):
            return point


def some_value(
    name: str,
    domain: Domain,
    rng: random.Random,
    numbers: Callable[..., list[Exact]],
    point: Mapping[str, Value],
) -> Value:
    if isinstance(domain, Interval):
        return numbers(name, domain)[0]
    if isinstance(domain, Table):
        count = rng.randint(1, domain.longest_searched)
        columns = [numbers(f"{name}.{title}", each, count) for title, each in domain.columns]
        return tuple(zip(*columns, strict=True))
    if type(domain) not in (Entries, Law):
        draws = Draws(f"{name}/{rng.random()}")
        return exact_point({"it": drawn(domain, draws, point)})["it"]
    assert isinstance(domain, Entries)
    count = width_of(point.get(domain.as_long_as or ""))
    count = count or rng.randint(domain.fewest, domain.longest_searched)
    entries = numbers(name, domain.each, count)
    return (
        tuple(entry / sum(entries) for entry in entries)
        if isinstance(domain, Law)
        else tuple(entries)
    )


def both(
    name: str, point: Mapping[str, object], budget: Budget, digits: int = 20
) -> tuple[Answer, Answer]:
    first, second = (
        evaluate(
            name,
            point,
            digits=digits,
            engine=engine,
            budget=Budget(budget.seconds, budget.bits),
        )
        for engine in ("arb", "second")
    )
    return first, second


def shown(first: Answer, second: Answer) -> str:
    ends = first.enclosure.decimals(20), second.enclosure.decimals(20)
    point = {name: exact_text(value) for name, value in first.parameters.items()}
    return f"{first.quantity.name} at {point}: {ends[0]} against {ends[1]}"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", ["steps", "rows", "collision", "distance", "shares", "ordered"])
def test_points_are_drawn_for_parameters_of_every_kind(name: str) -> None:
    name = f"made.{name}"
    rng, caps = seeded(name), {"releases.count": "2", "rows.w": "3"}
    for _ in range(instances(16, 50)):
        point = some_point(quantities()[name], rng, {"u": "1"}, caps)
        first, second = both(name, point, Budget())
        assert first.exact == second.exact is not None, shown(first, second)
        assert all(entry >= 1 for entry in point.get("u", ()))  # type: ignore[union-attr,operator]
        assert all(row[2] <= 2 for row in point.get("releases", ()))  # type: ignore[union-attr]
        assert all(row[0] <= 3 for row in point.get("rows", ()))  # type: ignore[union-attr]


def test_every_quantity_has_a_second_opinion_and_nothing_else_has() -> None:
    told = [
        f"write a function with @second_opinion({name!r}, ...) under reference/second/"
        for name in sorted({*NAMES} - {*opinions()})
    ]
    told += [f"{name} is no quantity: no second opinion" for name in {*opinions()} - {*NAMES}]
    assert not told, "\n".join(told)


@each(NAMES)
def test_a_second_opinion_takes_the_quantitys_parameters(name: str) -> None:
    expected = ["bits", *quantities()[name].parameters]
    assert list(inspect.signature(opinion_on(name).enclose).parameters) == expected


@each(NAMES)
def test_a_rigorous_opinion_comes_from_mpfr_and_any_other_says_that_it_is_none(name: str) -> None:
    opinion = opinion_on(name)
    assert opinion.engine == ("mpfr" if opinion.rigorous else "mpmath")


# What the second engine must not know: the first one's library, its formulas, and who asks.
FIRST_ENGINE = ("arb", "quantity", "evaluation", *families())
FORBIDDEN = ("flint", *(f"{ROOM}.{part}" for part in FIRST_ENGINE))


def imported_by(file: Path) -> Iterator[str]:
    """Yield the full name of everything that a file of the second engine imports."""
    folder = Path(simplexcert.reference.second.__file__).parent
    here = [*f"{ROOM}.second".split("."), *file.relative_to(folder).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) + 1 - node.level] if node.level else []
            yield from (
                ".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names
            )


def test_the_second_engine_imports_nothing_of_the_first() -> None:
    seen = set()
    for file in sorted(Path(simplexcert.reference.second.__file__).parent.glob("**/*.py")):
        for name in imported_by(file):
            assert not f"{name}.".startswith(tuple(f"{one}." for one in FORBIDDEN)), file.name
            seen.add(name)
    assert {f"{ROOM}.precision.check_budget", "gmpy2.mpfr"} <= seen


@each(NAMES)
def test_both_engines_overlap_and_are_narrow_at_random_points(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"gate {name}")
    floors, caps = quick_ends(name)
    for _ in range(POINTS[name]):
        first, second = both(name, some_point(quantity, rng, floors, caps), Budget())
        assert first.narrow, shown(first, second)
        assert second.narrow, shown(first, second)
        assert overlap(first.enclosure, second.enclosure), shown(first, second)


@each(EDGES)
def test_both_engines_overlap_and_are_narrow_at_the_edges(name: str) -> None:
    later = AT_LENGTH.get(name, set()) if instances(1, 2) == 1 else set()
    points = [point for number, point in enumerate(EDGES[name]) if number not in later]
    for point in points[: TRIED_OF_DEAR if name in DEAR else None]:
        first, second = both(name, point, Budget())
        assert first.narrow, shown(first, second)
        assert second.narrow, shown(first, second)
        assert overlap(first.enclosure, second.enclosure), shown(first, second)


def test_every_quantity_has_edges() -> None:
    told = [f"add edges of {name!r} to {_EDGES}" for name in sorted({*NAMES} - {*EDGES})]
    told += [f"take {name!r} out of {_EDGES}: no quantity" for name in {*EDGES} - {*NAMES}]
    assert not told, "\n".join(told)


@each(SOME)
def test_more_bits_overlap_fewer_bits(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"bits {name}")
    floors, caps = quick_ends(name)
    enclose = opinion_on(name).enclose
    for _ in range(POINTS_AT_MORE_BITS):
        point = some_point(quantity, rng, floors, caps)
        assert overlap(enclose(100, **point), enclose(330, **point))


@each(SOME)
def test_a_second_opinion_is_narrow_at_many_digits(name: str) -> None:
    for point in EDGES[name][-EDGES_AT_MORE_DIGITS:]:
        first = evaluate(name, point)
        second = evaluate(name, point, digits=MANY_DIGITS, engine="second")
        assert second.narrow, shown(first, second)
        assert overlap(first.enclosure, second.enclosure), shown(first, second)


@each(SOME)
def test_a_second_opinion_leaves_the_callers_context_alone(name: str) -> None:
    point = quantities()[name].read(EDGES[name][0])
    expected = opinion_on(name).enclose(128, **point)
    with gmpy2.context(precision=11, round=gmpy2.RoundUp):
        before = str(gmpy2.get_context())
        found = opinion_on(name).enclose(128, **point)
        assert str(gmpy2.get_context()) == before
    assert found == expected


def test_total_variation_of_whole_parameters_is_the_rational_it_is() -> None:
    enclose = opinion_on("dirichlet.profile.total_variation").enclose
    assert enclose(128, Fraction(3), Fraction(2)).exact == 1 - 2 * Fraction(1 + 7 + 21, 128)
    assert enclose(128, Fraction(1), Fraction(1)).exact == Fraction(1, 2)


def test_epsilon_at_the_total_variation_is_exactly_zero_and_just_below_it_is_not() -> None:
    enclose = opinion_on("dirichlet.profile.epsilon").enclose
    distance = opinion_on("dirichlet.profile.total_variation").enclose(64, Fraction(8), Fraction(1))
    assert distance.exact is not None
    assert enclose(128, Fraction(8), Fraction(1), distance.exact).exact == 0
    just_below = enclose(256, Fraction(8), Fraction(1), distance.exact - Fraction(1, 10**20))
    assert just_below.exact is None
    assert just_below.low.compared_with(Fraction(0)) > 0


def test_epsilon_at_delta_zero_and_renyi_beyond_its_orders_are_infinite() -> None:
    six, two = Fraction(6), Fraction(2)
    epsilon = opinion_on("dirichlet.profile.epsilon").enclose(128, six, two, Fraction(0))
    renyi = opinion_on("dirichlet.profile.renyi").enclose(128, six, two, Fraction(4))
    assert not epsilon.low.is_finite
    assert not renyi.low.is_finite


def test_kullback_leibler_of_a_whole_step_is_rational() -> None:
    enclose = opinion_on("dirichlet.profile.renyi").enclose
    found = enclose(128, Fraction(6), Fraction(2), Fraction(1))
    assert found.exact == 2 * (Fraction(1, 6) + Fraction(1, 7))


def test_delta_falls_with_epsilon_and_grows_with_the_step() -> None:
    enclose = opinion_on("dirichlet.profile.delta").enclose
    steps = [Fraction(1, 10**6), Fraction(1, 3), Fraction(7, 2), Fraction(40)]
    epsilons = [Fraction(0), Fraction(1, 10**6), Fraction(1, 3), Fraction(5), Fraction(25)]
    table = [[enclose(200, Fraction(11, 2), s, e) for e in epsilons] for s in steps]
    for row in table:
        assert all(later.high < earlier.low for earlier, later in pairwise(row))
    for column in zip(*table, strict=True):
        pairs = pairwise(column)
        assert all(smaller.high < larger.low for smaller, larger in pairs)


def test_what_is_hopeless_is_answered_at_once_by_nothing_known() -> None:
    found = opinion_on("dirichlet.add_remove.delta").enclose(
        128, Fraction(10**30), Fraction(1, 10**4), Fraction(0)
    )
    assert not found.low.is_finite
    assert not found.high.is_finite


EXTREME_SIZES = [
    ("delta", {"alpha": "1e300", "step": "1e150", "epsilon": "1"}),
    ("delta", {"alpha": "1e30", "step": "1e-300", "epsilon": "0"}),
    ("delta", {"alpha": "1e-300", "step": "1e300", "epsilon": "1e299"}),
    ("delta", {"alpha": "1e8", "step": "1e4", "epsilon": "3"}),
    ("delta", {"alpha": "1e40", "step": "1e40", "epsilon": "1e300"}),
    ("delta", {"alpha": "1", "step": "1e300", "epsilon": "1"}),
    ("delta", {"alpha": "1e5", "step": "1e-200", "epsilon": "1e100"}),
    ("total_variation", {"alpha": "1e300", "step": "1e-300"}),
    ("total_variation", {"alpha": "1e60", "step": "3e30"}),
    ("epsilon", {"alpha": "1e20", "step": "1e11", "delta": "1e-9"}),
    ("epsilon", {"alpha": "1e-200", "step": "1e100", "delta": "1e-100"}),
    ("renyi", {"alpha": "1e300", "step": "1e-300", "order": "1"}),
    ("renyi", {"alpha": "1e-300", "step": "1e-301", "order": "2"}),
    ("step_for_dp", {"alpha": "1e9", "epsilon": "1e6", "delta": "1e-7"}),
    ("step_for_dp", {"alpha": "1e-100", "epsilon": "0", "delta": "1e-200"}),
    ("step_for_renyi", {"alpha": "1e300", "order": "3", "epsilon": "1e-300"}),
]


@each_of("name, point", EXTREME_SIZES)
def test_both_engines_are_narrow_and_overlap_at_extreme_sizes(
    name: str, point: dict[str, str]
) -> None:
    first, second = both(f"dirichlet.profile.{name}", point, Budget(60.0), digits=12)
    assert first.narrow
    assert second.narrow
    assert second.rigorous
    assert overlap(first.enclosure, second.enclosure)
