"""The cubature: exact probabilities, other orders, FLINT's own integration, and every guard."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import mpmath
import pytest
from each import each_of
from flint import acb, arb, ctx
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import (
    regularised_incomplete_beta,
    regularised_on_ball,
    seconds_expected,
)
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet.tail import cubature
from simplexcert.reference.dirichlet.tail.cubature import Layer, Panel, Walk
from simplexcert.reference.dirichlet.tail.event import Miss
from simplexcert.reference.precision import Budget, BudgetSpentError, climb

if TYPE_CHECKING:
    from collections.abc import Sequence

LOST_BITS = 8


def miss(alphas: Sequence[str | int], rest: str | int, gamma: str) -> Miss:
    return Miss.of([Fraction(alpha) for alpha in alphas], Fraction(rest), Fraction(gamma))


def found(event: Miss, bits: int) -> arb:
    with working_precision(bits):
        value = cubature.probability(event)
    assert value.rel_accuracy_bits() >= bits - LOST_BITS
    return value


def exact(alphas: Sequence[int], rest: int, gamma: Fraction) -> Fraction:
    """Return the probability for integers: y_i = gamma + room t_i, and t over the simplex."""
    room = 1 - len(alphas) * gamma
    survival = Fraction(0)
    for js in product(*(range(a) for a in alphas)):
        power = sum(js) + len(alphas) + rest - 1
        terms = (
            comb(a - 1, j) * gamma ** (a - 1 - j) * factorial(j)
            for a, j in zip(alphas, js, strict=True)
        )
        survival += prod(terms) * room**power / factorial(power)
    return 1 - survival * Fraction(
        factorial(sum(alphas) + rest - 1), prod(factorial(a - 1) for a in alphas)
    )


def drawn(seed: int) -> tuple[list[int], int, Fraction, int]:
    seeded = random.Random(seed)  # noqa: S311
    count = seeded.choice([1, 2, 3, 3, 4, 5])
    alphas = [seeded.randint(1, 6 if count < 4 else 3) for _ in range(count)]
    rest = seeded.choice([1, 2, 7, 40] if count == 1 else [0, 1, 2, 7, 40])
    share = seeded.choice(["1/1000000", "1/300", "1/20", "1/3", "3/5"])
    return alphas, rest, Fraction(share) / count, seeded.choice([40, 64, 110])


@each_of("seed", range(instances(10, 60)))
def test_integer_parameters_give_the_exact_probability(seed: int) -> None:
    alphas, rest, gamma, bits = drawn(seed)
    value = found(Miss.of(map(Fraction, alphas), Fraction(rest), gamma), bits)
    with working_precision(300):
        assert value.overlaps(ball(exact(alphas, rest, gamma)))


@pytest.mark.parametrize("share", ["9/10", "99/100", "999/1000"])
def test_levels_near_the_largest_possible_one_are_enclosed(share: str) -> None:
    alphas, gamma = [2, 1, 3], Fraction(share) / 3
    value = found(Miss.of(map(Fraction, alphas), Fraction(1), gamma), 50)
    with working_precision(300):
        assert value.overlaps(ball(exact(alphas, 1, gamma)))


def test_the_grades_tail_is_the_known_number() -> None:
    k, eta = Fraction(206, 10), Fraction(73, 1000)
    event = Miss.of([k * eta] * 4, k * (1 - 4 * eta), Fraction(4, 10000))
    value = found(event, 128)
    assert ball(Fraction("0.00199534929635")) < value < ball(Fraction("0.00199534929645"))


def test_one_coordinate_is_one_incomplete_beta() -> None:
    value = found(miss(["7/3"], "5/2", "1/10"), 100)
    with working_precision(100):
        assert value.overlaps(
            regularised_incomplete_beta(Fraction(7, 3), Fraction(5, 2), Fraction(1, 10))
        )


REAL = [
    (["1/3", "5/2", "7"], "4/3", "1/7"),
    (["1/100", "3/10", "1/50"], 0, "3/10"),
    (["2/3", "5/4", "1/2", "9/2"], 0, "1/50"),
    (["1/9", "22/7", "3/4", "2"], "1/100", "1/12"),
    (["40", "65", "80/3"], "700", "1/30"),
]


@each_of("alphas, rest, gamma", REAL)
def test_the_order_of_the_walk_does_not_matter(
    alphas: list[str], rest: str | int, gamma: str
) -> None:
    with working_precision(64):
        parameters = [Fraction(alpha) for alpha in alphas]
        orders = list(permutations(parameters))[:: max(1, math.factorial(len(alphas)) // 6)]
        values = [
            cubature._some_below(Walk(order, Fraction(rest)), ball(Fraction(gamma)), arb(2) ** -60)
            for order in orders
        ]
        assert len(values) > 4
        assert all(value.rad() < arb(2) ** -40 * value.mid() for value in values)
        assert all(value.overlaps(values[0]) for value in values)


@pytest.mark.parametrize(("alphas", "rest", "gamma"), REAL[:: instances(3, 1)])
def test_two_precisions_give_one_number(alphas: list[str], rest: str | int, gamma: str) -> None:
    event = miss(alphas, rest, gamma)
    values = [found(event, bits) for bits in (40, 64, 110)]
    assert all(value.overlaps(values[-1]) for value in values)


def second_term_by_flint(first: Fraction, second: Fraction, rest: Fraction, gamma: Fraction) -> arb:
    """Enclose P(x_2 < gamma, x_1 >= gamma) by FLINT's adaptive integration, for second >= 1.

    Its inner incomplete beta is a function of a complex variable, cut along [1, infinity).
    """
    a, b, c, g = ball(second), ball(first), ball(rest), ball(gamma)

    def integrand(y: acb, cuts: Cuts) -> acb:
        level = g / (1 - y)
        if cuts.analytic and not (level.real < 1 and level.real > 0):
            return acb("nan")
        small = level.hypgeom_2f1(acb(b), acb(1 - c), acb(b + 1)) * cuts.power(level, b) / b
        survive = 1 - small / log_beta(first, rest).exp()
        return cuts.power(y, a - 1) * cuts.power(1 - y, b + c - 1) * survive

    return integrate(integrand, arb(0), g) / log_beta(second, first + rest).exp()


@pytest.mark.parametrize(
    ("first", "second", "rest", "gamma"),
    [("1/2", "2", "1/3", "1/5"), ("9/2", "3", "22/7", "2/5"), ("30", "21", "19/2", "1/3")],
)
def test_flint_integrates_to_the_same_number(
    first: str, second: str, rest: str, gamma: str
) -> None:
    one, two, other, level = (Fraction(value) for value in (first, second, rest, gamma))
    with working_precision(128):
        by_flint = second_term_by_flint(one, two, other, level)
    with working_precision(64):
        here = cubature._only_last_below(Walk((one, two), other), ball(level), arb(2) ** -64)
    assert min(by_flint.rel_accuracy_bits(), here.rel_accuracy_bits()) > 40
    assert here.overlaps(by_flint)


def test_mpmath_integrates_to_nearly_the_same_number() -> None:
    """mpmath.quad has no proved error, so eight digits are compared; both ends are singular."""
    a, b, c, g = (mpmath.mpf(value) for value in ("0.4", "0.7", "0.6", "0.2"))

    def over_second(y: mpmath.mpf) -> mpmath.mpf:
        weight = (1 - y ** (1 / b)) ** (a + c - 1) / b  # y stands for x_2 ** b
        return weight * mpmath.betainc(a, c, g / (1 - y ** (1 / b)), 1, regularized=True)

    part = mpmath.quad(over_second, [0, g**b]) / mpmath.beta(b, a + c)
    delta = mpmath.betainc(a, b + c, 0, g, regularized=True) + part
    value = found(miss(["2/5", "7/10"], "3/5", "1/5"), 64)
    assert abs(float(value.mid()) - float(delta)) < 1e-8 * float(delta)


@each_of(
    "alphas, rest, gamma",
    [
        (["10000", "10000"], "1000000", "1/1000"),
        (["10000", "10000"], "1000000", "9/1000"),
        (["1/100", "10000"], "10000", "1/5"),
        (["200", "300", "10000"], "0", "1/100"),
    ],
)
def test_large_parameters_are_narrow_and_between_the_single_probabilities(
    alphas: list[str], rest: str, gamma: str
) -> None:
    event = miss(alphas, rest, gamma)
    value = found(event, 64)
    with working_precision(100):
        singles = [
            regularised_incomplete_beta(alpha, event.total - alpha, event.gamma)
            for alpha, count in event.groups
            for _ in range(count)
        ]
        assert not any(value < single for single in singles)
        assert not value > sum(singles, arb(0))


@each_of("tolerance", ["1/3", "1/100", "1/1000000", "1/10000000000"])
def test_any_tolerance_gives_an_enclosure_about_as_narrow(tolerance: str) -> None:
    alphas, rest, gamma = (2, 3, 1), 4, Fraction(1, 9)
    with working_precision(100):
        walk = Walk(tuple(Fraction(alpha) for alpha in alphas), Fraction(rest))
        value = cubature._some_below(walk, ball(gamma), ball(Fraction(tolerance)))
        assert value.overlaps(ball(exact(alphas, rest, gamma)))
        assert value.rad() < 2 * ball(Fraction(tolerance))


def test_small_coordinates_are_cut_off_with_their_bound() -> None:
    """A term below the tolerance is enclosed without any node, from 0 to its bound."""
    walk = Walk((Fraction(3), Fraction(50)), Fraction(60))
    with working_precision(100):
        value = cubature._only_last_below(walk, ball(Fraction(1, 10)), arb(2) ** -30)
        truth = cubature._only_last_below(walk, ball(Fraction(1, 10)), arb(2) ** -300)
    assert truth > 0
    assert value.contains(0)
    assert value.contains(truth)


def test_more_panels_than_allowed_give_a_wide_enclosure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubature, "_MOST_PANELS", 1)
    cubature._panels.cache_clear()
    with working_precision(64):
        value = cubature.probability(miss(["100", "100", "100"], "1000", "1/12"))
    cubature._panels.cache_clear()
    assert value.contains(1)
    assert value.rad() > 0.4


@pytest.mark.parametrize("tolerance", ["nan", "inf", "[1 +/- 2]"])
def test_a_tolerance_that_says_nothing_still_gives_an_enclosure(tolerance: str) -> None:
    walk = Walk((Fraction(2), Fraction(3), Fraction(4)), Fraction(5))
    with working_precision(64):
        value = cubature._some_below(walk, ball(Fraction(1, 9)), arb(tolerance))
        assert value.contains(ball(exact((2, 3, 4), 5, Fraction(1, 9))).mid())


def test_a_tolerance_of_one_asks_for_no_work() -> None:
    walk = Walk((Fraction(2), Fraction(3), Fraction(4)), Fraction(5))
    value = cubature._some_below(walk, ball(Fraction(1, 9)), arb(1))
    assert "log_beta" not in vars(walk)
    assert value.contains(arb(0))
    assert value.contains(arb(1))


def test_a_coordinate_that_is_alone_equals_one() -> None:
    walk = Walk((Fraction(2),), Fraction(0))
    assert cubature._only_last_below(walk, ball(Fraction(1, 9)), arb(2) ** -60) == 0
    assert cubature._seconds(walk, ball(Fraction(1, 9)), arb(2) ** -60, set()) == 0
    assert "log_beta" not in vars(walk)  # B(2, 0) is infinite


def test_a_panel_without_nodes_counts_from_nothing_to_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layouts = iter([(Panel(0.0, 0.25), Panel(0.25, 1.0, 2.5, 40))])
    monkeypatch.setattr(cubature, "panels", lambda *_: next(layouts))
    walk, level = Walk((Fraction(2), Fraction(1)), Fraction(3)), Fraction(1, 4)
    with working_precision(64):
        value = cubature._only_last_below(walk, ball(level), arb(2) ** -60)
        before = exact((2,), 4, level)
        truth = ball(exact((2, 1), 3, level) - before)
    assert value.contains(truth)
    assert value.lower() < 0.95 * truth < truth < value.upper()
    assert value.rad() < truth


def layer(level: str | arb = "1/10", others: str = "7/2") -> Layer:
    z = level if isinstance(level, arb) else ball(Fraction(level))
    return Layer(Fraction(3, 2), Fraction(others), 2, z)


def test_an_ellipse_beyond_a_branch_point_has_no_bound() -> None:
    # Room up to u = 1/z - m = 8: semi-axis 7.5 about 1/2 at rho = 29.96.
    assert layer().error(Panel(0.0, 1.0, 29.9, 3)).is_finite()
    assert not layer().error(Panel(0.0, 1.0, 30.1, 3)).is_finite()


@pytest.mark.parametrize("ellipse", [0.5, 1.0])
def test_an_ellipse_that_does_not_surround_its_panel_has_no_bound(ellipse: float) -> None:
    assert layer().error(Panel(0.0, 1.0, ellipse, 3)).is_nan()


def test_an_ellipse_around_zero_has_no_bound_unless_the_weight_is_singular_there() -> None:
    assert layer().error(Panel(0.5, 1.0, 5.8, 3)).is_finite()
    assert not layer().error(Panel(0.5, 1.0, 5.9, 3)).is_finite()
    assert layer().error(Panel(0.0, 0.5, 5.9, 3)).is_finite()


def test_a_level_that_is_hardly_known_has_no_bound_and_no_panels() -> None:
    wide = arb("[0.3 +/- 0.2]")
    assert not layer(wide).error(Panel(0.0, 1.0, 1.5, 3)).is_finite()
    assert cubature.panels(layer(arb("nan")), arb(1)) == ()
    assert cubature.panels(layer(), arb("nan")) == ()


def test_a_wide_level_gives_an_enclosure_of_all_its_points() -> None:
    walk, wide = Walk((Fraction(2), Fraction(1), Fraction(3)), Fraction(4)), arb("[0.1 +/- 0.001]")
    with working_precision(64):
        value = cubature._some_below(walk, wide, arb(2) ** -40)
        for gamma in (Fraction(99, 1000), Fraction(1, 10), Fraction(101, 1000)):
            assert value.contains(ball(exact((2, 1, 3), 4, gamma)))
    assert value.is_finite()


def test_incomplete_betas_on_both_sides_of_the_mean_are_the_known_ones() -> None:
    with working_precision(90):
        for a, b, x in product(("1/7", "3", "400"), ("2/3", "5", "300"), ("1/10", "4/7", "9/10")):
            first, second, point = Fraction(a), Fraction(b), Fraction(x)
            value = regularised_on_ball(first, second, ball(point), log_beta(first, second))
            known = regularised_incomplete_beta(first, second, point)
            assert min(value.rel_accuracy_bits(), known.rel_accuracy_bits()) > 60
            assert value.overlaps(known)
            assert 0 < seconds_expected(first, second, ball(point)) < 1


ABSURD = [
    ([Fraction(10) ** 400, Fraction(1)], Fraction(1), Fraction(1, 5)),
    ([Fraction(1, 10**400), Fraction(1)], Fraction(1), Fraction(1, 5)),
    ([Fraction(1), Fraction(1)], Fraction(10) ** 400, Fraction(1, 5)),
    ([Fraction(1), Fraction(1)], Fraction(1, 10**400), Fraction(1, 5)),
    ([Fraction(1), Fraction(1)], Fraction(1), Fraction(1, 10**40000)),
    ([Fraction(1)] * 40, Fraction(1), Fraction(1, 50)),
]


@each_of("alphas, rest, gamma", ABSURD)
def test_absurd_parameters_are_not_tried(
    alphas: list[Fraction], rest: Fraction, gamma: Fraction
) -> None:
    event = Miss.of(alphas, rest, gamma)
    assert cubature.seconds_expected(event) == math.inf
    assert not cubature.probability(event).is_finite()


@each_of("gamma", ["1/5", "1/100000", "1e-4000"])
@each_of("alpha", ["1e-10", "1/3", "50000"])
def test_a_guess_of_the_time_is_a_number(alpha: str, gamma: str) -> None:
    with working_precision(64):
        event = miss([alpha, alpha, "2"], 0 if gamma == "1/5" else "1e-10", gamma)
        assert cubature.seconds_expected(event) > 0


def test_a_guess_of_the_time_is_infinite_where_the_panels_do_not_suffice() -> None:
    with working_precision(64):
        assert cubature.seconds_expected(miss(["1000000"] * 4, "1", "249999/1000000")) == math.inf


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    cubature.probability(miss(["2", "3"], "4", "1/10"))
    assert ctx.prec == before


def test_a_cubature_notices_that_the_time_is_over() -> None:
    with working_precision(64):
        cubature.probability(miss(["1/2", "3/7"], "4", "1/10"))  # the rules are known from now on

    def at(bits: int) -> object:
        with working_precision(bits), pytest.raises(BudgetSpentError):
            cubature.probability(miss(["1/2", "3/7"], "4", "1/10"))
        raise BudgetSpentError

    climb(at, lambda _: True, 64, Budget(seconds=-1))  # type: ignore[arg-type]
