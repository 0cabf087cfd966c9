"""The laws of proofs_notes/monotone-roots.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import pytest
from ball_checks import as_ball, meets
from each import each_of
from flint import acb, arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.papers.gohari2020 import averages
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import average, counts, identity, profile
from simplexcert.reference.enclosure import Trilean

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


FLOORS, STEPS, EPSILONS = between("1/8", "12"), between("1/8", "8"), between("0", "4")
MORES = between("1/32", "4")
# At epsilon/step = 300 the bounds differ from delta by a factor 1 - e^-300 only: 433 bits.
RESOLVING_BITS = 700
CASES = [("1/2", "1/4"), ("2", "1"), ("1", "5/2"), ("9", "3/2"), ("3", "1/3")]


def delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    return as_ball(profile.delta(alpha, step, epsilon))


def constant(alpha: Fraction, step: Fraction) -> arb:
    """C = step / (alpha (alpha + step) B(alpha, alpha + step))."""
    return ball(step / (alpha * (alpha + step))) / log_beta(alpha, alpha + step).exp()


def loss_integral(
    alpha: Fraction, step: Fraction, start: Fraction, shape: Callable[[acb], acb]
) -> arb:
    """Integrate shape(l) e^(-c l) (1 + e^(-l/s))^-(2 alpha + s) / (s B) over l > start.

    ``shape`` lies in [0, 2]. So what is cut off beyond ``end`` lies between 0 and
    2 e^(-c end)/c, over s B.
    """
    power, inverse, rate = ball(-(2 * alpha + step)), acb(ball(1 / step)), ball(alpha / step)
    end = ball(start + Fraction(3 * ctx.prec, 4) * step / alpha)

    def integrand(loss: acb, cuts: Cuts) -> acb:
        weight = cuts.power(1 + (-loss * inverse).exp(), power)
        return weight * (-loss * rate).exp() * shape(loss)

    body = integrate(integrand, ball(start), end) + arb(0).union(2 * (-rate * end).exp() / rate)
    return body / (ball(step) * log_beta(alpha, alpha + step).exp())


@each_of("alpha, step", CASES)
@each_of("beyond", ["0", "1/2", "3"])
def test_density_of_loss(alpha: str, step: str, beyond: str) -> None:
    """P(|L| > x): the density's integral against the two incomplete betas."""
    a, s, x = Fraction(alpha), Fraction(step), Fraction(beyond)
    q = 1 / (1 + ball(x / s).exp())
    exact = q.beta_lower(ball(a), ball(a + s), regularized=1)
    exact += q.beta_lower(ball(a + s), ball(a), regularized=1)
    assert meets(loss_integral(a, s, x, lambda loss: 1 + (-loss).exp()), exact)


@each_of("alpha, step", CASES)
@each_of("epsilon", ["0", "1/4", "2", "9"])
def test_delta_as_integral(alpha: str, step: str, epsilon: str) -> None:
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    start = ball(e)
    integral = loss_integral(a, s, e, lambda loss: 1 - (start - loss).exp())
    assert meets(integral, delta(a, s, e), 30)


@each_of("alpha, step", CASES)
@each_of("epsilon", ["0", "1/4", "2", "9"])
def test_delta_over_its_exponential(alpha: str, step: str, epsilon: str) -> None:
    """e^(c epsilon) delta is an integral over (0, 1) in which only e^(-epsilon/step) is left."""
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    power, floor, move = ball(-(2 * a + s)), ball(a), ball(s)
    rho = acb((-ball(e / s)).exp())
    end = ball(Fraction(3 * ctx.prec, 4) / a)

    def integrand(x: acb, cuts: Cuts) -> acb:
        # y = e^-x; the integrand lies below e^(-alpha x), which bounds what is cut off.
        weight = cuts.power(1 + rho * (-x).exp(), power)
        return weight * (-x * floor).exp() * (1 - (-x * move).exp())

    body = integrate(integrand, arb(0), end) + arb(0).union((-floor * end).exp() / floor)
    value = body / log_beta(a, a + s).exp()
    assert meets(value, ball(a * e / s).exp() * delta(a, s, e), 30)


@repeatable
@given(
    second=st.tuples(FLOORS, STEPS),
    step=STEPS,
    extra=st.one_of(st.just(Fraction(0)), between("0", "1")),
    loss=between("1/64", "20"),
    epsilon=EPSILONS,
)
def test_blackwell_order(
    second: tuple[Fraction, Fraction],
    step: Fraction,
    extra: Fraction,
    loss: Fraction,
    epsilon: Fraction,
) -> None:
    """alpha/s and (2 alpha + s)/s^2 both no smaller: dominated, strictly unless the pairs agree."""
    limit_2 = second[0] / second[1] + Fraction(1, 2)
    limit = max(limit_2, limit_2 * step / second[1]) * (1 + extra)
    alpha = (limit - Fraction(1, 2)) * step
    assume((alpha, step) != second)
    assert alpha / step >= second[0] / second[1]
    assert (2 * alpha + step) / step**2 >= (2 * second[0] + second[1]) / second[1] ** 2
    falls, falls_2 = (
        ball(top) * (ball(loss / (2 * s))).tanh()
        for top, s in ((limit, step), (limit_2, second[1]))
    )
    assert falls > falls_2
    assert delta(alpha, step, epsilon) < delta(*second, epsilon)
    order = 1 + second[0] / second[1] / 2
    assert as_ball(profile.renyi(alpha, step, order)) < as_ball(profile.renyi(*second, order))


@repeatable
@given(first=st.tuples(FLOORS, STEPS), second=st.tuples(FLOORS, STEPS))
def test_tail_exponent_decides(
    first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction]
) -> None:
    """A smaller alpha/step means the larger delta from some epsilon on."""
    gap = second[0] / second[1] - first[0] / first[1]
    assume(gap > Fraction(1, 8))
    crossing = (constant(*second) / as_ball(profile.total_variation(*first))).log() / ball(gap)
    beyond = enclosure_of(crossing).upper
    assert isinstance(beyond, Fraction)
    epsilon = max(beyond, Fraction(0)) + 1
    assert delta(*first, epsilon) > delta(*second, epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_decreases_in_epsilon(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert delta(alpha, step, epsilon) > delta(alpha, step, epsilon + more)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_decreases_in_alpha(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert delta(alpha, step, epsilon) > delta(alpha + more, step, epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_increases_in_step(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert averages.delta_rises([(alpha, step), (alpha, step + more)], epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_increases_in_k(alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction) -> None:
    k = 1 + more
    assert averages.delta_rises([(alpha, step), (k * alpha, k * step)], epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, more=MORES, share=between("0", "15/16"))
def test_renyi_increases_in_step(
    alpha: Fraction, step: Fraction, more: Fraction, share: Fraction
) -> None:
    """Strictly, at every order at which the larger step's divergence is finite."""
    order = 1 + share * alpha / (step + more)
    smaller, larger = (as_ball(profile.renyi(alpha, s, order)) for s in (step, step + more))
    assert smaller < larger


@repeatable
@given(alpha=FLOORS, step=STEPS, more=MORES, share=between("1/64", "63/64"))
def test_renyi_as_product(alpha: Fraction, step: Fraction, more: Fraction, share: Fraction) -> None:
    """e^((order-1) D) is a product of 1 + v/(x_n - v), v = order (order-1), each rising with step.

    The first factors bound it from below, and the rest is at most an exponential near 1.
    """
    order = 1 + share * alpha / (step + more)
    v = order * (order - 1)

    def factor(n: int, s: Fraction) -> Fraction:
        x = (alpha + n) / s * ((alpha + n) / s + 1)
        return 1 + v / (x - v)

    assert all(factor(n, step) < factor(n, step + more) for n in range(5))
    low, high = alpha - (order - 1) * step, alpha + order * step
    assert factor(3, step) == (alpha + 3) * (alpha + step + 3) / ((low + 3) * (high + 3))
    count = 60
    lower = arb(1)
    for n in range(count):
        lower *= ball(factor(n, step))
    # log(1 + t) <= t, and v step^2/((low + n)(high + n)) <= v step^2/((low + n - 1)(low + n)).
    rest = ball(v * step**2 / (low + count - 1)).exp()
    exact = (ball(order - 1) * as_ball(profile.renyi(alpha, step, order))).exp()
    assert lower < exact < lower * rest


def trigamma_average(alpha: Fraction, step: Fraction, order: Fraction) -> arb:
    """Average psi' over A + X x + Y y, x and y uniform: the sum's density is a trapezoid."""
    wide, narrow = order * step, (order - 1) * step
    lowest = acb(ball(alpha - narrow))

    def piece(low: Fraction, high: Fraction, level: Fraction, slope: int) -> arb:
        def integrand(v: acb, _: Cuts) -> acb:
            return acb(2).zeta(lowest + v) * (ball(level) + slope * v)

        return integrate(integrand, ball(low), ball(high)) / ball(wide * narrow)

    return (
        piece(Fraction(0), narrow, Fraction(0), 1)
        + piece(narrow, wide, narrow, 0)
        + piece(wide, wide + narrow, wide + narrow, -1)
    )


@each_of("alpha, step", CASES)
@each_of("share", ["1/8", "1/2", "7/8"])
def test_renyi_as_trigamma_integral(alpha: str, step: str, share: str) -> None:
    a, s = Fraction(alpha), Fraction(step)
    order = 1 + Fraction(share) * a / s
    value = ball(order * s**2) * trigamma_average(a, s, order)
    assert meets(value, profile.renyi(a, s, order))


@repeatable
@given(alpha=FLOORS, step=STEPS, share=between("1/64", "63/64"))
def test_renyi_between_trigammas(alpha: Fraction, step: Fraction, share: Fraction) -> None:
    """Order step^2 psi' at the ends of the average: above 0, and to 0 with the step."""
    order = 1 + share * alpha / step
    found = as_ball(profile.renyi(alpha, step, order))
    low, high = (
        ball(order * step**2) * arb(2).zeta(ball(argument))
        for argument in (alpha + order * step, alpha - (order - 1) * step)
    )
    assert low < found < high


@repeatable
@given(alpha=FLOORS, step=STEPS)
def test_kullback_leibler_is_unbounded(alpha: Fraction, step: Fraction) -> None:
    """At order 1 it exceeds step log(1 + step/alpha)."""
    found = as_ball(profile.renyi(alpha, step, Fraction(1)))
    assert found > ball(step) * (1 + ball(step / alpha)).log()


@repeatable
@given(alpha=FLOORS, order=between("9/8", "9"))
def test_renyi_is_unbounded_at_its_edge(alpha: Fraction, order: Fraction) -> None:
    """Closer to alpha/(order - 1) by 10^6, higher by log(10^6)/(order - 1) in the limit."""
    edge = alpha / (order - 1)
    near, nearer = (
        as_ball(profile.renyi(alpha, edge * (1 - Fraction(1, 10**digits)), order))
        for digits in (12, 18)
    )
    assert nearer - near > (ball(10**6).log() - ball(Fraction(1, 100))) / ball(order - 1)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_distance_from_one(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """1 - delta <= e^(epsilon/2) B(alpha + step/2, alpha + step/2) / B(alpha, alpha + step)."""
    middle = alpha + step / 2
    affinity = (log_beta(middle, middle) - log_beta(alpha, alpha + step)).exp()
    assert 1 - delta(alpha, step, epsilon) <= ball(epsilon / 2).exp() * affinity


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_limits_of_delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """Far out on either side delta is as near to 0 and 1 as its closed bounds say."""
    assert delta(alpha, step / 10**9, epsilon) < ball(Fraction(1, 10**6))
    assert delta(alpha, 1000 + step, epsilon) > ball(1 - Fraction(1, 10**6))
    k = 10_000 * max(1, (alpha + step) / step**2)
    assert delta(k * alpha, k * step, epsilon) > ball(1 - Fraction(1, 10**6))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=between("1/64", "30"), more=MORES)
def test_two_sided_bounds(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    """TV <= e^(c epsilon) delta <= C, and it increases."""
    c = alpha / step
    with working_precision(RESOLVING_BITS):
        scaled, further = (
            ball(c * point).exp() * delta(alpha, step, point) for point in (epsilon, epsilon + more)
        )
        distance = as_ball(profile.total_variation(alpha, step))
        assert distance < scaled < further < constant(alpha, step)


@repeatable
@given(alpha=FLOORS, step=STEPS)
def test_constant_as_binomial(alpha: Fraction, step: Fraction) -> None:
    """C (1 + 2c) = Gamma(2 alpha + s + 1) / (Gamma(alpha + 1) Gamma(alpha + s + 1))."""
    binomial = (
        ball(2 * alpha + step + 1).lgamma()
        - ball(alpha + 1).lgamma()
        - ball(alpha + step + 1).lgamma()
    ).exp()
    assert meets(constant(alpha, step) * ball(1 + 2 * alpha / step), binomial)
    shrunk = ball(2) ** ball(-(2 * alpha + step)) * constant(alpha, step)
    assert shrunk < as_ball(profile.total_variation(alpha, step))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, halvings=st.integers(0, 3))
def test_floor_over_all_k(
    alpha: Fraction, step: Fraction, epsilon: Fraction, halvings: int
) -> None:
    """Delta stays above e^(-c epsilon)/(1 + 2c), and comes as near as the binomial is to 1."""
    c = alpha / step
    with working_precision(RESOLVING_BITS):
        limit = (-ball(c * epsilon)).exp() / ball(1 + 2 * c)
        k = Fraction(1, 2**halvings)
        largest = limit * constant(k * alpha, k * step) * ball(1 + 2 * c)
        assert limit < delta(k * alpha, k * step, epsilon) < largest
        k = Fraction(1, 2**60)
        near = limit * (1 + ball(Fraction(1, 2**40)))
        assert limit < delta(k * alpha, k * step, epsilon) < near


@repeatable
@given(ratio=between("1/8", "20"), epsilon=EPSILONS, share=between("1/64", "4"))
def test_domain_of_k(ratio: Fraction, epsilon: Fraction, share: Fraction) -> None:
    """Some k reaches delta exactly when delta is above the floor; at 0 that is rational."""
    at_zero = 1 / (1 + 2 * ratio)
    assert profile.some_k_reaches(ratio, Fraction(0), at_zero) is Trilean.FALSE
    just_above = at_zero * (1 + Fraction(1, 10**50))
    assert profile.some_k_reaches(ratio, Fraction(0), just_above) is Trilean.TRUE
    target = min(share * at_zero, Fraction(63, 64))
    room = ball(target) - (-ball(ratio * epsilon)).exp() * ball(at_zero)
    if epsilon > 0:
        expected = Trilean.of(bool(room > 0))
        assert profile.some_k_reaches(ratio, epsilon, target) is expected


@pytest.mark.parametrize("records", [1, 7, 98])
def test_ratio_of_each_mechanism(records: int) -> None:
    """C = alpha/step is 2 eta/b, 2 eta N/b and ceil(eta N), whatever k is."""
    eta, bar, b = Fraction(73, 1000), Fraction(1, 10), Fraction(1, 4)
    for k in (Fraction(1), Fraction(103, 5)):
        alpha, step = identity.floor_and_step(k, eta, bar, b, 3)
        assert alpha / step == 2 * eta / b
        alpha, step = average.floor_and_step(k, eta, bar, b, records, 3)
        assert alpha / step == 2 * eta * records / b
        alpha, step = counts.floor_and_step(k, eta, records)
        assert alpha / step == -(-73 * records // 1000)


def ends(root: arb) -> tuple[Fraction, Fraction]:
    known = enclosure_of(root)
    assert isinstance(known.lower, Fraction)
    assert isinstance(known.upper, Fraction)
    assert known.upper - known.lower < known.lower / 2**60
    return known.lower, known.upper


SOME = settings(repeatable, max_examples=8)


@SOME
@given(alpha=FLOORS, epsilon=EPSILONS, target=between("1/64", "15/16"))
def test_bracket_encloses_the_step(alpha: Fraction, epsilon: Fraction, target: Fraction) -> None:
    """At the lower, safe end delta is proved below the target, at the upper one above it."""
    low, high = ends(profile.step_for_dp(alpha, epsilon, target))
    with working_precision(400):
        assert delta(alpha, low, epsilon) < ball(target) < delta(alpha, high, epsilon)


@SOME
@given(alpha=FLOORS, order=between("1", "9"), target=between("1/64", "4"))
def test_bracket_encloses_the_renyi_step(
    alpha: Fraction, order: Fraction, target: Fraction
) -> None:
    low, high = ends(profile.step_for_renyi(alpha, order, target))
    with working_precision(400):
        below, above = (as_ball(profile.renyi(alpha, step, order)) for step in (low, high))
        assert below < ball(target) < above


@SOME
@given(alpha=FLOORS, step=STEPS, share=between("1/64", "15/16"))
def test_bracket_encloses_epsilon(alpha: Fraction, step: Fraction, share: Fraction) -> None:
    """At the upper, safe end delta is proved below the target."""
    bound = enclosure_of(as_ball(profile.total_variation(alpha, step))).lower
    assert isinstance(bound, Fraction)
    target = share * bound
    low, high = ends(as_ball(profile.epsilon(alpha, step, target)))
    with working_precision(400):
        assert delta(alpha, step, high) < ball(target) < delta(alpha, step, low)


@SOME
@given(eta=between("1/8", "1/2"), shift=between("1/8", "1/2"), epsilon=EPSILONS)
def test_bracket_encloses_k(eta: Fraction, shift: Fraction, epsilon: Fraction) -> None:
    target = delta(3 * eta, 3 * shift, epsilon).mid()
    exact = enclosure_of(target).lower
    assert isinstance(exact, Fraction)
    low, high = ends(profile.largest_k(eta, shift, epsilon, exact))
    with working_precision(400):
        below, above = (delta(k * eta, k * shift, epsilon) for k in (low, high))
        assert below < ball(exact) < above


@repeatable
@given(alpha=st.integers(1, 40), step=st.integers(1, 40))
def test_rational_total_variation(alpha: int, step: int) -> None:
    """The chance that 2 alpha + step - 1 fair tosses show alpha to alpha + step - 1 heads."""
    tosses = 2 * alpha + step - 1
    exact = Fraction(sum(comb(tosses, j) for j in range(alpha, alpha + step)), 2**tosses)
    assert profile.total_variation(Fraction(alpha), Fraction(step)) == exact
    direct = regularised_incomplete_beta(Fraction(alpha), Fraction(alpha + step), Fraction(1, 2))
    assert meets(2 * direct - 1, exact)


@repeatable
@given(alpha=FLOORS, step=st.integers(1, 20))
def test_rational_kullback_leibler(alpha: Fraction, step: int) -> None:
    exact = step * sum((1 / (alpha + j) for j in range(step)), Fraction(0))
    assert profile.renyi(alpha, Fraction(step), Fraction(1)) == exact
    direct = ball(step) * (ball(alpha + step).digamma() - ball(alpha).digamma())
    assert meets(direct, exact)


@repeatable
@given(alpha=st.integers(1, 9), step=st.integers(1, 9))
def test_ties_are_decided(alpha: int, step: int) -> None:
    """Epsilon is exactly 0 from the total variation on, and positive a hair below it."""
    a, s = Fraction(alpha), Fraction(step)
    distance = profile.total_variation(a, s)
    assert isinstance(distance, Fraction)
    assert profile.epsilon(a, s, distance) == 0
    below = profile.epsilon(a, s, distance * (1 - Fraction(1, 10**20)))
    assert isinstance(below, arb)
    assert below > 0
