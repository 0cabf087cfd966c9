"""The contour route: exact rationals, brackets, other contours, other precisions, hard corners."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import factorial

import pytest
from each import each_of
from flint import acb, arb, ctx
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.arb.integration import Cuts, Integrand, integrate
from simplexcert.reference.dirichlet.tail import contour, wedge
from simplexcert.reference.dirichlet.tail.contour import (
    planned_line,
    probability_on_line,
    trapezoid_rule,
)
from simplexcert.reference.dirichlet.tail.event import Miss
from simplexcert.reference.dirichlet.tail.transform import Doubles, _upper_fraction, log_transform
from simplexcert.reference.dirichlet.tail.wedge import (
    Majorant,
    bent_integral,
    planned_wedge,
    probability_on_wedge,
)
from simplexcert.reference.precision import Budget, BudgetSpentError, climb

HUGE = 10**400
# Accuracy that each precision has to give, in bits below it.
LOST = 8


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def miss(alphas: list[str | int], rest: str | int, gamma: str) -> Miss:
    return Miss.of([Fraction(a) for a in alphas], Fraction(rest), Fraction(gamma))


GRADES = miss(["1.5038"] * 4 + ["14.5848"], 0, "0.0004")
REFEREE = miss([200] * 5, 4000, "0.03")
FIVE = miss([20] * 5, 400, "0.01")


def exact(event: Miss) -> Fraction:
    """Return delta for whole parameters of the protected coordinates and a whole rest.

    prod of Q(a, gamma s) is e^(-w gamma s) times a polynomial, so its inverse is elementary.
    """
    product = [Fraction(1)]
    for alpha, count in event.groups:
        factor = [event.gamma**j / factorial(j) for j in range(int(alpha))]
        for _ in range(count):
            product = multiplied(product, factor)
    room, k = 1 - event.count * event.gamma, int(event.total)
    terms = (
        q * factorial(k - 1) * room ** (k - m - 1) / factorial(k - m - 1)
        for m, q in enumerate(product)
    )
    return 1 - sum(terms, Fraction(0))


def multiplied(first: list[Fraction], second: list[Fraction]) -> list[Fraction]:
    result = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, x in enumerate(first):
        for j, y in enumerate(second):
            result[i + j] += x * y
    return result


def narrow(value: arb, lost: int = LOST) -> bool:
    return value.is_finite() and value.rel_accuracy_bits() >= ctx.prec - lost


def random_event(rng: random.Random, *, whole: bool) -> Miss:
    alphas = [
        Fraction(rng.randint(1, 30)) if whole else Fraction(rng.uniform(0.01, 30))
        for _ in range(rng.randint(1, 4))
    ]
    rest = Fraction(rng.randint(0, 40)) if whole else Fraction(rng.choice([0, 0.1, 3, 40]))
    if len(alphas) == 1 and rest == 0:
        rest = Fraction(1)
    gamma = Fraction(10 ** rng.uniform(-4, 0)).limit_denominator(10**6) * Fraction(9, 10)
    return Miss.of(alphas, rest, gamma / len(alphas))


@each_of(
    "event",
    [
        miss([1, 1], 1, "0.1"),
        miss([1] * 5, 0, "0.1998"),
        miss([1] * 4, 1, "1/5"),
        miss([2, 3, 5], 10, "0.01"),
        miss([7, 30, 30], 0, "0.3"),
        miss([50] * 6, 100, "0.05"),
        miss([3] * 20, 0, "0.001"),
        miss([1] * 1000, 5, "0.00001"),
        miss([100, 1], 300, "1e-9"),
    ],
)
def test_whole_parameters_give_the_exact_rational(event: Miss) -> None:
    found = contour.probability(event)
    assert narrow(found)
    assert found.overlaps(ball(exact(event)))


def test_random_whole_parameters_give_the_exact_rational() -> None:
    rng = random.Random(11)  # noqa: S311
    for _ in range(instances(10, 40)):
        event = random_event(rng, whole=True)
        found = contour.probability(event)
        assert narrow(found), event
        assert found.overlaps(ball(exact(event))), event


def test_one_coordinate_is_an_incomplete_beta() -> None:
    for alpha, rest, gamma in [("0.3", "0.4", "0.2"), ("40", "90", "0.5"), ("3000", "70", "0.9")]:
        event = miss([alpha], rest, gamma)
        found = contour.probability(event)
        direct = regularised_incomplete_beta(event.groups[0][0], event.rest, event.gamma)
        assert narrow(found)
        assert narrow(direct)
        assert found.overlaps(direct)


def test_line_and_wedge_agree_and_lie_in_the_bracket() -> None:
    """1 - prod (1 - I_gamma(a, k - a)) <= delta <= sum I_gamma(a, k - a)."""
    rng, both = random.Random(12), 0  # noqa: S311
    for _ in range(instances(8, 25)):
        event = random_event(rng, whole=False)
        found = contour.probability(event)
        assert narrow(found), event
        above, none = arb(0), arb(1)
        for alpha, count in event.groups:
            single = regularised_incomplete_beta(alpha, event.total - alpha, event.gamma)
            above, none = above + count * single, none * (1 - single) ** count
        assert not found > above, event
        assert not found < 1 - none, event
        planned = planned_line(event, ctx.prec)
        if planned and planned.seconds < 0.05:
            first, second = probability_on_line(event), probability_on_wedge(event)
            assert narrow(first)
            assert narrow(second)
            assert first.overlaps(second)
            both += 1
    assert both >= 5


@pytest.mark.parametrize("event", [FIVE, REFEREE, miss(["30.5", 70], 30, "0.1")])
def test_any_crossing_step_and_length_give_the_same(event: Miss) -> None:
    planned = planned_line(event, ctx.prec)
    assert planned is not None
    with working_precision(planned.bits):
        first = trapezoid_rule(event, planned)
        others = [
            replace(planned, crossing=planned.crossing * 0.9, nodes=2 * planned.nodes),
            replace(planned, step=planned.step / 2, nodes=2 * planned.nodes),
            replace(planned, step=planned.step * 1.7),
            replace(planned, nodes=planned.nodes // 2),
            replace(planned, nodes=2),
        ]
        for other in others:
            assert trapezoid_rule(event, other).overlaps(first), other
    assert narrow(first)


def test_a_coarse_rule_is_wide_and_right() -> None:
    """The bounds on aliases and on the tail are needed: without them the truth is missed."""
    planned, truth = planned_line(FIVE, ctx.prec), ball(exact(FIVE))
    assert planned is not None
    with working_precision(planned.bits):
        coarse = trapezoid_rule(FIVE, replace(planned, step=planned.step * 2))
        short = trapezoid_rule(FIVE, replace(planned, nodes=planned.nodes // 2))
    for found in (coarse, short):
        assert found.overlaps(truth)
        assert 8 < found.rel_accuracy_bits() < 120


def test_without_the_bound_on_aliases_the_rule_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = planned_line(FIVE, ctx.prec)
    assert planned is not None
    monkeypatch.setattr(contour.Truncation, "aliases", lambda *_: arb(0))
    with working_precision(planned.bits):
        coarse = trapezoid_rule(FIVE, replace(planned, step=planned.step * 2))
    assert coarse > ball(exact(FIVE))  # all aliases are positive


def test_without_the_bound_on_the_tail_the_rule_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = planned_line(FIVE, ctx.prec)
    assert planned is not None
    monkeypatch.setattr(contour.Truncation, "tail", lambda *_: arb(0))
    with working_precision(planned.bits):
        short = trapezoid_rule(FIVE, replace(planned, nodes=planned.nodes // 2))
    assert not short.overlaps(ball(exact(FIVE)))


def test_a_short_path_is_wide_and_right_and_wrong_without_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = miss([2, 3], 5, "0.1")
    path, truth = planned_wedge(event, ctx.prec), ball(exact(event))
    assert path is not None
    short = replace(path, pieces=path.pieces[:-1])
    found = bent_integral(event, short)
    assert found.overlaps(truth)
    assert 8 < found.rel_accuracy_bits() < 120
    monkeypatch.setattr(Majorant, "cut_off", lambda *_: arb(0))
    assert not bent_integral(event, short).overlaps(truth)


def test_a_path_may_cross_the_axis_anywhere() -> None:
    event = miss(["0.4", "2.5"], "0.1", "0.2")
    path = planned_wedge(event, ctx.prec)
    assert path is not None
    truth = bent_integral(event, path)
    assert narrow(truth)
    moved = replace(path, crossing=path.crossing * 1.25)
    assert bent_integral(event, moved).overlaps(truth)
    assert bent_integral(event, moved).rel_accuracy_bits() > 60


def test_the_line_says_nothing_where_poisson_summation_is_not_proved() -> None:
    """At k <= 1 the integrand is not integrable; a rule without the guard would be far off."""
    event = miss(["0.3", "0.3"], "0.3", "0.1")
    assert planned_line(event, ctx.prec) is None
    assert probability_on_line(event).is_nan()
    any_line = planned_line(FIVE, ctx.prec)
    assert any_line is not None
    assert trapezoid_rule(event, replace(any_line, plans=any_line.plans * 2)).is_nan()
    assert trapezoid_rule(FIVE, replace(any_line, crossing=-1.0)).is_nan()


def test_without_room_between_the_levels_the_path_has_no_bound() -> None:
    """At w gamma >= 1 the integrand does not fall, and no negative number may pass for a bound."""
    crowded = Miss(FIVE.groups, FIVE.rest, Fraction(1, 4))
    assert not Majorant(crowded, 10.0).cut_off(50.0).is_finite()


def test_a_path_that_ends_right_of_the_axis_is_not_bounded() -> None:
    assert not Majorant(FIVE, 10.0).cut_off(9.0).is_finite()
    assert Majorant(FIVE, 10.0).cut_off(10.0).is_finite()


@pytest.mark.parametrize(
    ("event", "digits"),
    [
        (REFEREE, "0.000216256816710268 +/- 5e-19"),
        (GRADES, "0.001995349296406657 +/- 1e-18"),
    ],
)
def test_values_that_were_worked_out_elsewhere(event: Miss, digits: str) -> None:
    found = contour.probability(event)
    assert narrow(found)
    assert found.overlaps(arb(digits))


@each_of(
    "event",
    [
        FIVE,
        GRADES,
        miss(["1/300"] * 2, "1/300", "0.1"),
        miss([1] * 5, 0, "0.1998"),
        miss(["0.5"] * 3, 0, "1e-30"),
        miss([10**4] * 5, 5 * 10**4, "0.01"),
    ],
)
def test_precisions_agree(event: Miss) -> None:
    coarse = contour.probability(event)
    with working_precision(256):
        fine = contour.probability(event)
        assert narrow(fine)
    assert narrow(coarse)
    assert coarse.overlaps(fine)


def test_sixty_digits() -> None:
    with working_precision(512):
        found = contour.probability(FIVE)
        assert narrow(found)
        assert found.overlaps(ball(exact(FIVE)))


@each_of(
    "event",
    [
        miss([10**4] * 5, 5 * 10**4, "0.01"),  # near 1e-6277
        miss([10**4] * 1000, 0, "0.00099"),
        miss([10**6] * 3, 10**6, "0.2495"),
        miss(["0.001"] * 3, 0, "1e-30"),
        miss([1, 1], 0, "1e-1000"),
        miss(["1e-6"] * 20, 1, "0.04"),
        miss([1000] * 2, "0.5", "1e-12"),
        miss([100] * 5, 0, "0.18"),
    ],
)
def test_hard_corners_are_narrow(event: Miss) -> None:
    assert narrow(contour.probability(event))


def test_sixty_different_parameters_of_a_large_sum() -> None:
    rng = random.Random(3)  # noqa: S311
    sizes = [Fraction(rng.randint(1000, 2400)) for _ in range(60)]
    event = Miss.of([size * 10**5 / sum(sizes) for size in sizes], Fraction(0), Fraction(1, 100))
    found = contour.probability(event)
    assert narrow(found)
    assert found < 1


@each_of(
    "event",
    [
        miss([HUGE, HUGE], 1, "1/3"),
        miss([f"1/{HUGE}", "1"], 1, "1/3"),
        Miss(((Fraction(1), HUGE),), Fraction(0), Fraction(1, 10 * HUGE)),
        miss([1, 1], f"1/{HUGE}", "1/3"),
        miss([1, 1], 1, f"1/{HUGE}"),
        Miss.of([Fraction(1)] * 2, Fraction(1), Fraction(1, 2) - Fraction(1, HUGE)),
        miss([10**8] * 2, f"1/{HUGE}", "0.49"),
    ],
)
def test_absurd_parameters_never_raise(event: Miss) -> None:
    expected = contour.seconds_expected(event)
    assert expected > 0
    if math.isinf(expected):
        assert contour.probability(event).is_nan()
    elif expected < 1:
        assert narrow(contour.probability(event))


def test_a_planner_that_fails_means_hopeless(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_event: Doubles) -> float:
        raise OverflowError

    monkeypatch.setattr(contour, "saddle", failing)
    monkeypatch.setattr(wedge, "saddle", failing)
    assert math.isinf(contour.seconds_expected(miss([3, 4], 5, "0.123")))


def test_a_wrong_choice_in_doubles_costs_width_and_not_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, truth = miss([2, 6], 50, "0.017"), ball(exact(miss([2, 6], 50, "0.017")))
    monkeypatch.setattr(contour, "saddle", lambda _event: 20.0)
    monkeypatch.setattr(wedge, "saddle", lambda _event: 20.0)
    monkeypatch.setattr(contour, "log_transform", lambda *_: (-5.0, 0.0))
    monkeypatch.setattr(wedge, "log_transform", lambda *_: (-5.0, 0.0))
    for value in (probability_on_line(event), probability_on_wedge(event)):
        assert value.overlaps(truth)
        assert value.rel_accuracy_bits() > 20


def test_the_saddle_is_where_the_integrand_is_least_on_the_axis() -> None:
    for event in (FIVE, GRADES, REFEREE, miss(["0.1"] * 3, "0.2", "0.1")):
        doubles = Doubles.of(event)
        assert doubles is not None
        planned = planned_wedge(event, 128)
        assert planned is not None
        crossing = max(planned.crossing, 1.0)

        def height(s: float, doubles: Doubles = doubles) -> float:
            return s - doubles.total * math.log(s) + log_transform(doubles, s)[0]

        width = 1 + 1 / math.sqrt(doubles.total)
        assert height(crossing) < height(crossing * width)
        assert crossing == 1.0 or height(crossing) < height(crossing / width)


def test_the_precision_is_given_back() -> None:
    contour.seconds_expected(FIVE)
    contour.probability(FIVE)
    contour.probability(GRADES)
    assert ctx.prec == 128


@pytest.mark.parametrize("event", [REFEREE, GRADES])
def test_the_route_notices_that_the_time_is_over(event: Miss) -> None:
    def at(bits: int) -> object:
        with working_precision(bits), pytest.raises(BudgetSpentError):
            contour.probability(event)
        raise BudgetSpentError

    climb(at, lambda _: True, 96, Budget(seconds=-1))  # type: ignore[arg-type]


def test_planning_notices_that_the_time_is_over() -> None:
    """The plans for ten thousand different parameters of a large sum take half a minute."""
    doubles = Doubles(((2.0, 1), (3.0, 1)), 1.0, 6.0, -3.0)

    def at(_bits: int) -> object:
        with pytest.raises(BudgetSpentError):
            log_transform(doubles, 5.0)
        with pytest.raises(BudgetSpentError):
            contour._first(lambda _: False, 1.0)
        with pytest.raises(BudgetSpentError):
            contour.seconds_expected(miss([3, 5], 7, "0.0123"))
        raise BudgetSpentError

    climb(at, lambda _: True, 64, Budget(seconds=-1))  # type: ignore[arg-type]


def test_an_integral_that_cancels_has_precision_beyond_its_tolerance() -> None:
    """The real part of a complex integral, to a tolerance above the working precision's."""
    coarse = integrate(lambda x, _: (x * arb(3)).cos(), arb(0), arb(1), 40)
    fine = integrate(lambda x, _: (x * arb(3)).cos(), arb(0), arb(1))
    assert coarse.overlaps(arb(3).sin() / 3)
    assert fine.overlaps(arb(3).sin() / 3)
    assert 36 < coarse.rel_accuracy_bits() < fine.rel_accuracy_bits()


def test_a_uniform_draw_has_an_elementary_tail() -> None:
    """All parameters 1: delta = 1 - (1 - w gamma)^(k-1)."""
    for count, rest in ((2, 1), (5, 0), (12, 30)):
        event = miss([1] * count, rest, "1/20")
        power = (1 - count * event.gamma) ** int(event.total - 1)
        assert exact(event) == 1 - power
        assert contour.probability(event).overlaps(ball(1 - power))


def test_a_box_that_meets_the_cut_is_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound over wide boxes must not stand in where the integrand is not analytic."""
    integrands: list[Integrand] = []

    def caught(integrand: Integrand, *_: object) -> arb:
        integrands.append(integrand)
        return arb(0)

    event = miss([2, 3], 5, "0.1")
    path = planned_wedge(event, ctx.prec)
    assert path is not None
    monkeypatch.setattr(wedge, "integrate", caught)
    bent_integral(event, path)
    sigma = arb(path.crossing)
    # There s = sigma + r (-1 + i) is around -2 sigma.
    box = -3 * sigma / acb(-1, 1) + acb(arb(0, 0.1), arb(0, 0.1))
    for integrand in integrands:
        assert not integrand(box, Cuts(analytic=True)).is_finite()


@pytest.mark.parametrize("event", [FIVE, GRADES, miss(["0.3", 4], "0.2", "0.4")])
def test_the_bound_over_a_box_holds_at_its_points(event: Miss) -> None:
    rng, bound = random.Random(13), Majorant(event, 10.0)  # noqa: S311
    for _ in range(instances(13, 40)):
        centre, size = acb(rng.uniform(-30, 20), rng.uniform(3, 60)), rng.uniform(0.1, 2.9)
        over = bound.over(centre + acb(arb(0, size), arb(0, size)))
        for _ in range(5):
            s = centre + acb(rng.uniform(-size, size), rng.uniform(-size, size))
            assert bound.over(s).upper() <= over.upper()


def test_a_wide_value_is_replaced_by_its_bound() -> None:
    wide = acb(arb(0, 1e30), 0)
    assert wedge._smaller(wide, arb(2)).abs_upper() < 3
    assert wedge._smaller(acb(1), arb(2)) == acb(1)
    assert wedge._smaller(acb("nan"), arb(2)).abs_upper() < 3
    assert not wedge._smaller(acb("nan"), arb("nan")).is_finite()
    assert wedge._smaller(acb(1), arb("nan")) == acb(1)


@each_of("point", [2.5, 4.0, 1024.0])
def test_of_an_exponential_the_upper_fraction_is_one_over_the_point(point: float) -> None:
    """Gamma(1, x) = e^-x, and Lentz's method ends at its first term."""
    assert _upper_fraction(1.0, point) == 1 / point
