"""The series route: exact probabilities, other formulas, other precisions, and its guards."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import pytest
from each import each_of
from flint import arb, ctx
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet.tail import plans, series
from simplexcert.reference.dirichlet.tail.event import Miss
from simplexcert.reference.dirichlet.tail.plans import Plan
from simplexcert.reference.precision import Budget, BudgetSpentError, _under

if TYPE_CHECKING:
    from collections.abc import Iterator

BITS = 128
# What `probability` aims at: this many bits below the working precision.
SLACK = 8


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
        yield


def uniform(alpha: str, count: int, rest: str, gamma: str) -> Miss:
    return Miss(((Fraction(alpha), count),), Fraction(rest), Fraction(gamma))


def narrow(value: arb, bits: int) -> bool:
    return bool(value.is_finite()) and value.rel_accuracy_bits() >= bits


def meets(first: arb, second: arb, bits: int = BITS - SLACK) -> bool:
    # A wide ball or a NaN overlaps everything, so both have to be narrow first.
    return narrow(first, bits) and narrow(second, bits) and bool(first.overlaps(second))


def exact(miss: Miss) -> Fraction:
    """Integrate the density over all x_i >= gamma, a polynomial's for whole parameters."""
    alphas = [int(alpha) for alpha, count in miss.groups for _ in range(count)]
    mass, total = int(miss.rest) + miss.count, int(miss.total)
    room, sums = 1 - miss.count * miss.gamma, [Fraction(1)]
    for alpha in alphas:
        powers = [
            comb(alpha - 1, n) * factorial(n) * miss.gamma ** (alpha - 1 - n) for n in range(alpha)
        ]
        longer = [Fraction(0)] * (len(sums) + alpha - 1)
        for i, x in enumerate(sums):
            for j, y in enumerate(powers):
                longer[i + j] += x * y
        sums = longer
    whole = sum(
        x * room ** (mass + n - 1) * Fraction(factorial(total - 1), factorial(mass + n - 1))
        for n, x in enumerate(sums)
    )
    return 1 - whole / prod(factorial(alpha - 1) for alpha in alphas)


def at_length(miss: Miss) -> arb:
    """The exact probability as a ball that is far narrower than any that it is held against."""
    with working_precision(4000):
        return ball(exact(miss))


def whole_numbers(seed: int) -> Miss:
    draw = random.Random(seed)  # noqa: S311
    groups = {Fraction(draw.randint(1, 30)): draw.randint(1, 4) for _ in range(seed % 3 + 1)}
    gamma = Fraction(draw.randint(1, 999), 1000) / sum(groups.values())
    gamma /= draw.choice([1, 1, 10, 10**9])
    # Without a rest there have to be two coordinates for anything to be unknown.
    groups[Fraction(1)] = 2
    gamma /= 3
    return Miss(tuple(sorted(groups.items())), Fraction(draw.choice([0, 1, 7, 60])), gamma)


def broken_numbers(seed: int, least: int = 1) -> Miss:
    draw = random.Random(seed)  # noqa: S311
    groups = {
        Fraction(draw.randint(1, 999), draw.choice([10, 100, 1000])): draw.randint(least, 3)
        for _ in range(seed % 2 + 1)
    }
    gamma = Fraction(draw.randint(100, 950), 1000) / sum(groups.values())
    rest = Fraction(draw.randint(1, 3000), draw.choice([10, 100]))
    return Miss(tuple(sorted(groups.items())), rest, gamma)


@each_of("seed", range(instances(10, 60)))
def test_whole_parameters_give_rational_probabilities(seed: int) -> None:
    miss = whole_numbers(seed)
    assert meets(series.probability(miss), ball(exact(miss)))


@each_of("seed", range(instances(5, 30)))
def test_one_coordinate_is_an_incomplete_beta(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    alpha = Fraction(draw.randint(1, 9999), draw.choice([1000, 100]))
    rest = Fraction(draw.randint(1, 9999), draw.choice([1000, 10]))
    gamma = Fraction(draw.randint(1, 999), 1000) / draw.choice([1, 100])
    miss = Miss(((alpha, 1),), rest, gamma)
    other = regularised_incomplete_beta(alpha, rest, gamma)
    assert meets(series.probability(miss), other, BITS // 2)


def by_plan(miss: Miss, plan: Plan) -> arb:
    """Evaluate by a plan that is given."""
    with working_precision(900):
        if plan.about_gamma:
            return 1 - series._all_above(miss, plan.terms)
        return series._alternating_sum(series._Expansion(miss, plan), arb(2) ** -300)


@each_of("seed", range(instances(6, 40)))
def test_the_expansions_agree(seed: int) -> None:
    """Outward, inward and about gamma are three formulas for one number."""
    miss = broken_numbers(seed, least=2)
    found = series.probability(miss)
    plan = Plan(0, miss.count, 400, 0)
    values = [by_plan(miss, plan), by_plan(miss, replace(plan, outward=True))]
    if (miss.count + 1) * miss.gamma > 1:
        values.append(by_plan(miss, replace(plan, about_gamma=True)))
    usable = [value for value in values if narrow(value, 60)]
    assert narrow(found, BITS - SLACK)
    assert usable
    assert all(found.overlaps(value) for value in usable)


def test_each_expansion_is_the_choice_somewhere() -> None:
    found = [
        plans.plan_for(miss)
        for miss in (
            uniform("3", 5, "100", "1/1000"),
            uniform("50", 3, "3/10", "1/4"),
            uniform("7/10", 5, "3/10", "199/1000"),
        )
    ]
    kinds = [(plan.outward, plan.about_gamma) for plan in found if plan]
    assert kinds == [(True, False), (False, False), (False, True)]


@each_of("seed", range(instances(5, 30)))
def test_a_higher_precision_agrees(seed: int) -> None:
    miss = broken_numbers(seed)
    found = series.probability(miss)
    with working_precision(400):
        again = series.probability(miss)
        assert narrow(again, 400 - 2 * SLACK)
    assert meets(found, again)


def test_the_graph_of_ponnoprat2023() -> None:
    alpha = Fraction("171.87") * Fraction("0.028")
    miss = Miss(((alpha, 5),), Fraction("171.87") - 5 * alpha, Fraction("0.001"))
    found = series.probability(miss)
    assert narrow(found, BITS - SLACK)
    assert ball(Fraction("9.585325e-6")) < found < ball(Fraction("9.585335e-6"))


def test_the_grades_of_benvenuti2025() -> None:
    k, eta = Fraction("20.6"), Fraction("0.073")
    miss = Miss.of([k * eta] * 4 + [k * (1 - 4 * eta)], Fraction(0), Fraction("0.0004"))
    found = series.probability(miss)
    assert narrow(found, BITS - SLACK)
    low, high = Fraction("0.0019953492964066"), Fraction("0.0019953492964067")
    assert ball(low) < found < ball(high)


# The corners of what the route is for, and a rough bound on how small the answer is.
CORNERS = [
    uniform("0.001", 1000, "0", "1/10000"),
    uniform("0.001", 1000, "1/1000", "1/10000"),
    uniform("0.001", 1000, "100000", "1/100000000"),
    uniform("0.001", 3, "5", "1/1000000"),
    uniform("100000", 5, "0", "1/50"),
    uniform("100000", 1000, "0", "1/100000000"),
    uniform("100", 1000, "0", "1/1000000"),
    uniform("3", 1000, "7000", "1/20000"),
    uniform("3", 200, "10000", "1/2000"),
    uniform("3", 1, "1" + "0" * 33, "1e-30"),
    uniform("300", 1000, "1" + "0" * 33, "1e-31"),
    uniform("1/1000", 1000, "1" + "0" * 33, "1e-31"),
    uniform("100", 2, "100", "1e-15"),
    Miss.of([Fraction(3)] * 99 + [Fraction(40000)], Fraction(0), Fraction(1, 10000)),
    Miss.of([Fraction("0.1")] * 999 + [Fraction(1000)], Fraction(0), Fraction(1, 10000)),
]


@each_of("miss", CORNERS)
def test_the_corners_come_in_one_go(miss: Miss) -> None:
    found = series.probability(miss)
    assert narrow(found, BITS - SLACK)
    assert series.seconds_expected(miss) < 1
    assert found.upper() > 0
    assert found.lower() <= 1


def test_tiny_probabilities_keep_their_exponents() -> None:
    miss = uniform("100", 2, "100", "1e-15")
    found = series.probability(miss)
    assert meets(found, ball(exact(miss)))
    assert found < arb(10) ** -1400
    deeper = series.probability(uniform("100000", 1000, "0", "1/100000000"))
    assert narrow(deeper, BITS - SLACK)
    assert 0 < deeper < arb(10) ** -400_000


def test_stopping_after_any_level_brackets() -> None:
    miss = uniform("2", 6, "5", "1/20")
    truth = at_length(miss)
    plan = plans.plan_for(miss)
    assert plan
    for levels in range(1, 6):
        with working_precision(300):
            value = series._alternating_sum(
                series._Expansion(miss, replace(plan, levels=levels)), arb(2) ** -300
            )
        assert value.overlaps(truth)
        assert not narrow(value, 20 * levels)


@each_of("terms", [1, 2, 5, 20])
@each_of("outward", [True, False])
def test_too_few_terms_make_a_wide_ball(terms: int, outward: bool) -> None:
    """The remainder is in the ball: what a series of a few terms says is true, and little."""
    miss = uniform("2", 3, "40", "1/20")  # c is at least 40, so there are more terms
    value = by_plan(miss, Plan(0, 3, terms, 0, outward=outward))
    assert value.is_nan() or value.overlaps(at_length(miss))
    assert not narrow(value, 8 * terms + 20)


@each_of("terms", [1, 2, 5, 20])
def test_what_is_left_out_of_terms_that_are_all_positive_is_more_than_the_first(terms: int) -> None:
    miss = uniform("1/2", 2, "1/10", "1/5")  # c is below 1
    value, long = by_plan(miss, Plan(0, 2, terms, 0)), by_plan(miss, Plan(0, 2, 400, 0))
    assert narrow(long, 100)
    assert value.overlaps(long)
    assert not narrow(value, 8 * terms + 20)


def test_terms_that_still_rise_say_nothing() -> None:
    """Outward, before the c-th term, a ratio of 1 or more leaves the remainder unbounded."""
    plan = Plan(0, 1, 2, 0, outward=True)
    assert by_plan(uniform("1", 1, "5000", "1/20"), plan).is_nan()


def test_outward_stops_before_the_terms_grow_again() -> None:
    """Above gamma = 1/2 a longer series is worse, unless it stops where its terms are least."""
    miss = uniform("30", 1, "81/2", "3/5")
    short, long = (by_plan(miss, Plan(0, 1, terms, 0, outward=True)) for terms in (60, 600))
    assert narrow(long, 20)
    assert long.rel_accuracy_bits() >= short.rel_accuracy_bits()
    assert meets(long, series.probability(miss), 20)


@pytest.mark.parametrize("terms", [3, 8, 30])
def test_too_few_terms_about_gamma_make_a_wide_ball(terms: int) -> None:
    miss = uniform("9", 3, "2", "3/10")
    value = by_plan(miss, Plan(0, 0, terms, 0, about_gamma=True))
    assert value.is_nan() or value.overlaps(at_length(miss))
    assert not narrow(value, 4 * terms + 10)


def test_about_gamma_says_nothing_where_it_diverges() -> None:
    assert by_plan(uniform("9", 3, "2", "1/5"), Plan(0, 0, 50, 0, about_gamma=True)).is_nan()


def test_a_bracket_close_to_one_ends_after_the_first_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    miss = uniform("1", 400, "9600", "1/10000")
    sizes: list[int] = []
    original = series._Expansion.part

    def spied(self: series._Expansion, choice: series.Choice, row: series.Row) -> arb:
        sizes.append(sum(choice))
        return original(self, choice, row)

    monkeypatch.setattr(series._Expansion, "part", spied)
    found = series.probability(miss)
    assert set(sizes) == {1}
    assert narrow(found, BITS - SLACK)
    # P(x_i >= gamma for i <= w) = (1 - w gamma)^(k - 1) for alpha = 1.
    with working_precision(4000):
        truth = 1 - ball(1 - miss.count * miss.gamma) ** 9999
    assert found.overlaps(truth)


def test_without_a_rest_the_last_level_is_left_out() -> None:
    """Its c is 0, where log Gamma is infinite."""
    miss = uniform("2", 3, "0", "1/4")
    assert plans.levels_in_all(miss) == 2
    assert plans.levels_in_all(uniform("2", 3, "1/9", "1/4")) == 3
    for outward in (True, False):
        value = by_plan(miss, Plan(0, 3, 300, 0, outward=outward))
        assert narrow(value, 100)
        assert value.overlaps(ball(exact(miss)))


def test_no_plan_is_no_answer() -> None:
    hopeless = Miss.of([Fraction(n, 7) for n in range(1, 200)], Fraction(0), Fraction(1, 2000))
    assert series.seconds_expected(hopeless) == math.inf
    assert series.probability(hopeless).is_nan()


def test_no_plan_is_expected_to_take_less_than_to_make_it() -> None:
    for gamma in ("1/10", "9/10", "99/100"):
        miss = uniform("2/3", 1, "1", gamma)
        for plan in (plans._by_levels(miss.quick), plans._about_gamma(miss.quick)):
            assert plan is None or plan.seconds > plans._PLANNING


HUGE = Fraction(10) ** 400


@each_of("alpha", [1 / HUGE, Fraction(1), HUGE])
@each_of("rest", [Fraction(0), 1 / HUGE, Fraction(2), HUGE])
@each_of("gamma", [1 / HUGE, Fraction(1, 5), Fraction(499, 1000)])
def test_absurd_parameters_raise_nothing(alpha: Fraction, rest: Fraction, gamma: Fraction) -> None:
    for miss in (Miss.of([alpha] * 2, rest, gamma), Miss.of([alpha, Fraction(3)], rest, gamma)):
        assert series.seconds_expected(miss) >= 0


def test_tiny_parameters_are_evaluated() -> None:
    miss = Miss.of([1 / HUGE] * 2, 1 / HUGE, Fraction(1, 4))
    found = series.probability(miss)
    assert narrow(found, BITS - SLACK)
    # One coordinate is nearly 1, and two of three times that one is not below gamma alone.
    assert 1 - arb(2) ** -100 < found <= 1 + arb(2) ** -100


def test_the_precision_is_given_back() -> None:
    series.probability(uniform("3", 5, "100", "1/1000"))
    assert ctx.prec == BITS


def test_long_work_heeds_the_deadline() -> None:
    with _under(Budget(seconds=-1.0)), pytest.raises(BudgetSpentError):
        series.probability(uniform("3", 5, "100", "1/1000"))
    with _under(Budget(seconds=-1.0)), pytest.raises(BudgetSpentError):
        series.probability(uniform("7/10", 5, "3/10", "199/1000"))


@pytest.mark.parametrize("kind", [{"outward": True}, {"outward": False}, {"about_gamma": True}])
def test_a_long_series_heeds_the_deadline_on_its_way(
    monkeypatch: pytest.MonkeyPatch, kind: dict[str, bool]
) -> None:
    """A single coordinate is a single row: at 10,000 digits one row may take minutes."""
    looks: list[int] = []
    monkeypatch.setattr(series, "check_budget", lambda: looks.append(1))
    by_plan(uniform("1", 1, "5000", "3/5"), Plan(0, 1, 5000, 0, **kind))
    assert len(looks) > 30


@each_of("alpha", ["1/2", "6", "601/2"])
@each_of("rest", ["1e-300", "1e-30", "1e-10"])
@each_of("away", ["1e-3", "1e-10", "1e-30"])
def test_nearly_all_for_one_coordinate_comes_in_one_go(alpha: str, rest: str, away: str) -> None:
    """That it is below gamma, just below 1, is as rare as that anything else is there at all."""
    miss = Miss.of([Fraction(alpha)], Fraction(rest), 1 - Fraction(away))
    assert narrow(series.probability(miss), BITS - SLACK)
