"""The laws of proofs_notes/add-remove.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial, prod
from typing import TYPE_CHECKING

from ball_checks import as_ball, meets
from each import each_of
from flint import acb, arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference.arb.balls import ball, enclosure_of, sharpened, working_precision
from simplexcert.reference.arb.gamma import log_beta, log_gamma
from simplexcert.reference.arb.incomplete_gamma import series_difference
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import add_remove, profile
from simplexcert.reference.dirichlet.renyi_divergence import divergence, gap

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
SOME = settings(repeatable, max_examples=10)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


FLOORS, STEPS, EPSILONS = between("1/8", "12"), between("1/8", "8"), between("0", "4")
MORES, SHARES = between("1/32", "4"), between("1/64", "63/64")
ZERO, ONE = Fraction(0), Fraction(1)
CASES = [("1/2", "1/4"), ("2", "1"), ("1", "5/2"), ("9", "3/2"), ("3", "1/3")]
# At epsilon/step = 32 the bounds of delta differ from it by a factor 1 - e^-32 at least.
RESOLVING_BITS = 600


def ends(root: arb) -> tuple[Fraction, Fraction]:
    known = enclosure_of(root)
    assert isinstance(known.lower, Fraction)
    assert isinstance(known.upper, Fraction)
    assert known.upper - known.lower < known.lower / 2**60
    return known.lower, known.upper


def delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    return as_ball(add_remove.delta(alpha, step, epsilon))


def log_ratio(alpha: Fraction, step: Fraction) -> arb:
    """Log K."""
    return sharpened(lambda: log_gamma(alpha + step) - log_gamma(alpha))


def threshold(alpha: Fraction, step: Fraction, loss: Fraction) -> arb:
    """Return x at which the log-ratio is ``loss``."""
    return ((log_ratio(alpha, step) - ball(loss)) / ball(step)).exp()


def lower(parameter: Fraction, point: arb) -> arb:
    return point.gamma_lower(ball(parameter), regularized=1)


def upper(parameter: Fraction, point: arb) -> arb:
    return point.gamma_upper(ball(parameter), regularized=1)


def other_order(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    """Return the hockey-stick of the larger count against the smaller one, by FLINT's gammas."""
    point = threshold(alpha, step, -epsilon)
    return upper(alpha + step, point) - ball(epsilon).exp() * upper(alpha, point)


def constant(alpha: Fraction, step: Fraction) -> arb:
    """C of the two-sided bounds."""
    power = (log_ratio(alpha, step) * ball(alpha / step)).exp()
    return power * ball(step / (alpha + step)) / ball(alpha + 1).gamma()


def added(alpha: Fraction, step: Fraction, order: Fraction) -> arb:
    return as_ball(add_remove.renyi(alpha, step, order))


def removed(alpha: Fraction, step: Fraction, order: Fraction) -> arb:
    return sharpened(lambda: gap(alpha + step, alpha, order))


def rising(base: Fraction, count: int) -> Fraction:
    return prod((base + j for j in range(count)), start=ONE)


@repeatable
@given(u=FLOORS, c=FLOORS, n=st.integers(0, 9))
def test_common_addition_only_hides(u: Fraction, c: Fraction, n: int) -> None:
    """E (X + Z)^n = (u + c)_n for independent gammas: Vandermonde for rising factorials."""
    sums = sum((comb(n, j) * rising(u, j) * rising(c, n - j) for j in range(n + 1)), ZERO)
    assert sums == rising(u + c, n)


def of_counts(
    mine: Fraction, others: Fraction, step: Fraction, epsilon: Fraction
) -> tuple[arb, arb]:
    """Return both hockey-sticks of Beta(mine, others) against Beta(mine + step, others)."""
    change = log_beta(mine + step, others) - log_beta(mine, others)
    front, more = ball(epsilon).exp(), mine + step

    def below(parameter: Fraction, y: arb) -> arb:
        return y.beta_lower(ball(parameter), ball(others), regularized=1)

    def above(parameter: Fraction, y: arb) -> arb:
        return (1 - y).beta_lower(ball(others), ball(parameter), regularized=1)

    first, second = (((change + sign * ball(epsilon)) / ball(step)).exp() for sign in (-1, 1))
    adding = below(mine, first) - front * below(more, first)
    # Beyond the largest y there is nothing to tell the larger count by.
    removing = above(more, second) - front * above(mine, second) if second < 1 else arb(0)
    return adding, removing


@repeatable
@given(
    alpha=FLOORS, step=STEPS, epsilon=EPSILONS, extra=between("0", "4"), others=FLOORS, share=SHARES
)
def test_dominates_every_neighbour(
    alpha: Fraction,
    step: Fraction,
    epsilon: Fraction,
    extra: Fraction,
    others: Fraction,
    share: Fraction,
) -> None:
    """Any floor above alpha, any change below the step, anything elsewhere, both orders."""
    adding, removing = of_counts(alpha + extra, others, share * step, epsilon)
    assert adding < delta(alpha, step, epsilon)
    assert removing < other_order(alpha, step, epsilon) or removing == 0


@each_of("alpha, step", CASES)
@each_of("epsilon", ["1/16", "1/2"])
def test_large_counts_come_near(alpha: str, step: str, epsilon: str) -> None:
    """Strictly more is seen with more records elsewhere, strictly less than by the pair."""
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    limits = delta(a, s, e), other_order(a, s, e)
    chains = zip(*(of_counts(a, Fraction(total), s, e) for total in (20, 200, 10**4)), strict=True)
    for chain, limit in zip(chains, limits, strict=True):
        assert all(first < second for first, second in pairwise([*chain, limit]))
        assert limit - chain[-1] < ball(Fraction(1, 100)) * limit
    order = 1 + a / s / 2
    costs = [
        as_ball(divergence((a, Fraction(total)), (a + s, Fraction(total)), order))
        for total in (20, 200, 10**6)
    ]
    assert all(one < more for one, more in pairwise([*costs, added(a, s, order)]))


@SOME
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, share=SHARES)
def test_short_of_the_bound(
    alpha: Fraction, step: Fraction, epsilon: Fraction, share: Fraction
) -> None:
    """The pair of counts itself, by two incomplete betas, is above 1 - kappa times the limit."""
    rest = max(ONE, add_remove.shortfall(alpha, step, ONE) / share)
    lacks = add_remove.shortfall(alpha, step, rest)
    assert 0 < lacks <= share
    with working_precision(RESOLVING_BITS):
        seen, limit = of_counts(alpha, rest, step, epsilon)[0], delta(alpha, step, epsilon)
        assert ball(1 - lacks) * limit < seen < limit


@repeatable
@given(alpha=FLOORS, step=STEPS, rest=FLOORS, epsilon=EPSILONS)
def test_unbounded_at_every_size(
    alpha: Fraction, step: Fraction, rest: Fraction, epsilon: Fraction
) -> None:
    """Infinite from one order on, never in the other order, which ends at a finite loss."""
    u, v = (alpha, rest), (alpha + step, rest)
    order = 1 + alpha / step
    assert as_ball(divergence(u, v, order)) == arb("inf")
    assert as_ball(divergence(u, v, 1 + alpha / step * Fraction(99, 100))).is_finite()
    assert as_ball(divergence(v, u, 8 * order)).is_finite()
    with working_precision(RESOLVING_BITS):
        assert of_counts(alpha, rest, step, epsilon)[0] > 0
        last = log_beta(alpha, rest) - log_beta(alpha + step, rest)
    beyond = enclosure_of(last).upper + Fraction(1, 1024)
    assert as_ball(of_counts(alpha, rest, step, beyond)[1]) == 0


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_closed_form(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """Against FLINT's incomplete gammas; no event near the threshold separates better."""
    front = ball(epsilon).exp()

    def seen(x: arb) -> arb:
        return lower(alpha, x) - front * lower(alpha + step, x)

    def seen_removing(x: arb) -> arb:
        return upper(alpha + step, x) - front * upper(alpha, x)

    with working_precision(RESOLVING_BITS):
        best, exact = threshold(alpha, step, epsilon), delta(alpha, step, epsilon)
        assert meets(seen(best), exact)
        best_removing = threshold(alpha, step, -epsilon)
        for factor in (Fraction(9, 10), Fraction(11, 10)):
            assert seen(best * ball(factor)) < exact
            beside = seen_removing(best_removing * ball(factor))
            assert beside < seen_removing(best_removing)


@repeatable
@given(alpha=FLOORS, step=STEPS, loss=between("1/64", "6"))
def test_density_of_loss(alpha: Fraction, step: Fraction, loss: Fraction) -> None:
    """log(h(l)/h(-l)) from the densities, and in closed form."""

    def log_half_density(point: Fraction) -> arb:
        x = threshold(alpha, step, point)
        density = ball(alpha) * x.log() - x - log_gamma(alpha)
        return density - ball(step).log() - ball(point / 2)

    direct = log_half_density(loss) - log_half_density(-loss)
    middle = (log_ratio(alpha, step) / ball(step)).exp()
    closed = 2 * middle * ball(loss / step).sinh() - ball((1 + 2 * alpha / step) * loss)
    assert meets(direct, closed, 20)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=between("1/32", "4"))
def test_smaller_count_first_is_worse(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    with working_precision(RESOLVING_BITS):
        assert delta(alpha, step, epsilon) > other_order(alpha, step, epsilon) > 0
        assert meets(delta(alpha, step, ZERO), other_order(alpha, step, ZERO))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_no_pure_privacy(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert delta(alpha, step, epsilon) > delta(alpha, step, epsilon + more) > 0
    assert delta(alpha, step, 10**4 * step / alpha) < ball(Fraction(1, 10**1000))


@each_of("alpha, step", CASES)
@each_of("epsilon", ["0", "1/4", "2", "9"])
def test_delta_over_its_exponential(alpha: str, step: str, epsilon: str) -> None:
    """The integral over y = e^-t; the integrand lies below e^(-alpha t)."""
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    floor, move, x = ball(a), ball(s), acb(threshold(a, s, e))
    end = ball(ctx.prec) / floor

    def integrand(t: acb, _: Cuts) -> acb:
        return (-floor * t - x * (-t).exp()).exp() * (1 - (-move * t).exp())

    body = integrate(integrand, arb(0), end) + arb(0).union((-floor * end).exp() / floor)
    front = (log_ratio(a, s) * ball(a / s) - log_gamma(a)).exp()
    assert meets(front * body, ball(a * e / s).exp() * delta(a, s, e))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=between("1/64", "30"), more=MORES)
def test_two_sided_bounds(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    with working_precision(RESOLVING_BITS):
        scaled, further = (
            ball(alpha / step * point).exp() * delta(alpha, step, point)
            for point in (epsilon, epsilon + more)
        )
        assert delta(alpha, step, ZERO) < scaled < further < constant(alpha, step)


def term(alpha: Fraction, step: Fraction, x: Fraction, n: int) -> Fraction:
    """T_n in closed form."""
    return x**n * (1 / rising(alpha, n + 1) - 1 / rising(alpha + step, n + 1))


@repeatable
@given(alpha=FLOORS, step=STEPS, x=between("1/64", "20"))
def test_delta_as_series(alpha: Fraction, step: Fraction, x: Fraction) -> None:
    """Two incomplete gammas over their common factors, at any x."""
    point = ball(x)

    def series(parameter: Fraction) -> arb:
        front = ball(parameter) * point.log() - point - log_gamma(parameter)
        return lower(parameter, point) / front.exp()

    assert meets(series_difference(alpha, step, point), series(alpha) - series(alpha + step), 20)


def recurrence(alpha: Fraction, step: Fraction, x: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    u = 1 / (alpha + step)
    t = step / (alpha * (alpha + step))
    n = 0
    while True:
        yield t, u
        n += 1
        t = x / (alpha + n) * (t + u * step / (alpha + step + n))
        u = x * u / (alpha + step + n)


@repeatable
@given(alpha=FLOORS, step=STEPS, x=between("1/64", "20"))
def test_recurrence(alpha: Fraction, step: Fraction, x: Fraction) -> None:
    """T_n and U_n run by positive operations are the closed forms, exactly."""
    for n, (t, u) in zip(range(25), recurrence(alpha, step, x), strict=False):
        assert t == term(alpha, step, x, n) > 0
        assert u == x**n / rising(alpha + step, n + 1)


@repeatable
@given(
    alpha=FLOORS,
    step=STEPS,
    x=between("1/64", "20"),
    n=st.integers(0, 30),
    later=st.integers(0, 30),
)
def test_remainder_bound(alpha: Fraction, step: Fraction, x: Fraction, n: int, later: int) -> None:
    """Each later ratio is below rho, and what follows T_n below the geometric series."""

    def bound(count: int) -> Fraction:
        return x * (count + 2) / ((count + 1) * (alpha + count + 1))

    ratio = term(alpha, step, x, n + later + 1) / term(alpha, step, x, n + later)
    assert ratio <= bound(n)
    while bound(n) >= 1:
        n += 1
    partial = sum((term(alpha, step, x, j) for j in range(n + 1)), ZERO)
    with working_precision(RESOLVING_BITS):
        rest = series_difference(alpha, step, ball(x)) - ball(partial)
        assert 0 < rest < ball(term(alpha, step, x, n) * bound(n) / (1 - bound(n)))


@repeatable
@given(alpha=FLOORS, epsilon=EPSILONS)
def test_unit_step(alpha: Fraction, epsilon: Fraction) -> None:
    assert meets(threshold(alpha, ONE, epsilon), ball(alpha) * (-ball(epsilon)).exp())
    closed = ball(alpha) * ball(alpha).log() - ball(alpha) - log_gamma(alpha + 1)
    assert meets(closed.exp(), delta(alpha, ONE, ZERO))


@repeatable
@given(alpha=st.integers(1, 9), step=st.integers(1, 9))
def test_total_variation_is_no_rational(alpha: int, step: int) -> None:
    """A finite sum of powers of x = K^(1/step), times e^-x."""
    floor, shift = Fraction(alpha), Fraction(step)
    ratio = rising(floor, step)
    x = (ball(ratio).log() / step).exp()
    powers = sum((x**k / factorial(k) for k in range(alpha, alpha + step)), arb(0))
    assert meets((-x).exp() * powers, delta(floor, shift, ZERO))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_decreases_in_alpha(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert delta(alpha, step, epsilon) > delta(alpha + more, step, epsilon)
    with working_precision(RESOLVING_BITS):
        assert other_order(alpha, step, epsilon) > other_order(alpha + more, step, epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, more=MORES)
def test_increases_in_step(
    alpha: Fraction, step: Fraction, epsilon: Fraction, more: Fraction
) -> None:
    assert delta(alpha, step, epsilon) < delta(alpha, step + more, epsilon)
    with working_precision(RESOLVING_BITS):
        assert other_order(alpha, step, epsilon) < other_order(alpha, step + more, epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_limits_in_step(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """Far out on either side delta is as near to 0 and 1 as its closed bounds say."""

    def missing(shift: Fraction) -> arb:
        affinity = log_gamma(alpha + shift / 2) - (log_gamma(alpha) + log_gamma(alpha + shift)) / 2
        return (ball(epsilon / 2) + affinity).exp()

    assert 1 - delta(alpha, step, epsilon) <= missing(step)
    assert missing(100 + step) < ball(Fraction(1, 10**6))
    assert delta(alpha, 100 + step, epsilon) > ball(1 - Fraction(1, 10**6))
    rise = (ball(alpha) * ball(alpha + step).digamma() - log_gamma(alpha + 1)).exp()
    assert constant(alpha, step) < rise * ball(step / (alpha + step))
    assert delta(alpha, step / 10**9, epsilon) < ball(Fraction(1, 10**6))


@repeatable
@given(alpha=FLOORS, step=STEPS, more=MORES, share=SHARES)
def test_renyi_formula(alpha: Fraction, step: Fraction, more: Fraction, share: Fraction) -> None:
    order = 1 + share * alpha / (step + more)
    for rank in (order, ONE):
        assert added(alpha, step, rank) < added(alpha, step + more, rank)
        assert added(alpha, step, rank) > added(alpha + more, step, rank) > 0
    edge, hair = alpha / (order - 1), Fraction(1, 10**60)
    for beyond in (edge, edge + hair):
        assert not added(alpha, beyond, order).is_finite()
        assert added(alpha, beyond, order) > 0
        assert removed(alpha, beyond, order).is_finite()
    assert added(alpha, edge - hair, order).is_finite()
    logs = [log_gamma(alpha + s) for s in (-(order - 1) * step, step, ZERO)]
    direct = logs[0] + ball(order - 1) * logs[1] - ball(order) * logs[2]
    assert meets(direct / ball(order - 1), added(alpha, step, order))
    direct = logs[1] - logs[2] - ball(step) * ball(alpha).digamma()
    assert meets(direct, added(alpha, step, ONE))


@repeatable
@given(alpha=FLOORS, step=STEPS, share=SHARES)
def test_adding_is_worse_at_every_order(alpha: Fraction, step: Fraction, share: Fraction) -> None:
    for order in (1 + share * alpha / step, ONE):
        assert added(alpha, step, order) > removed(alpha, step, order) > 0


@repeatable
@given(alpha=FLOORS, step=STEPS, share=SHARES)
def test_add_and_remove_make_a_replacement(
    alpha: Fraction, step: Fraction, share: Fraction
) -> None:
    for order in (1 + share * alpha / step, ONE):
        both = added(alpha, step, order) + removed(alpha, step, order)
        assert meets(both, profile.renyi(alpha, step, order))


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS, share=SHARES)
def test_replaced_record_costs_more(
    alpha: Fraction, step: Fraction, epsilon: Fraction, share: Fraction
) -> None:
    assert delta(alpha, step, epsilon) < as_ball(profile.delta(alpha, step, epsilon))
    for order in (1 + share * alpha / step, ONE):
        assert added(alpha, step, order) < as_ball(profile.renyi(alpha, step, order))


@repeatable
@given(
    alpha=FLOORS,
    step=between("1/8", "2"),
    epsilon=EPSILONS,
    counts=st.lists(st.integers(0, 9), min_size=2, max_size=5),
    share=SHARES,
)
def test_finite_counts_stay_below(
    alpha: Fraction, step: Fraction, epsilon: Fraction, counts: list[int], share: Fraction
) -> None:
    first, *rest = counts
    mine, others = alpha + step * first, sum(rest) * step + len(rest) * alpha
    adding, removing = of_counts(mine, others, step, epsilon)
    exact = delta(alpha, step, epsilon)
    assert adding < exact
    assert removing < exact
    fewer = tuple(alpha + step * count for count in counts)
    more = (fewer[0] + step, *fewer[1:])
    for order in (1 + share * alpha / step, ONE):
        for one, other in ((fewer, more), (more, fewer)):
            assert as_ball(divergence(one, other, order)) < added(alpha, step, order)


@SOME
@given(alpha=FLOORS, epsilon=EPSILONS, target=between("1/64", "15/16"), order=between("1", "9"))
def test_bracket_encloses_the_step(
    alpha: Fraction, epsilon: Fraction, target: Fraction, order: Fraction
) -> None:
    """At the lower, safe end the cost is proved below the target, at the upper one above it."""
    low, high = ends(add_remove.step_for_dp(alpha, epsilon, target))
    with working_precision(400):
        assert delta(alpha, low, epsilon) < ball(target) < delta(alpha, high, epsilon)
    low, high = ends(add_remove.step_for_renyi(alpha, order, target))
    with working_precision(400):
        assert added(alpha, low, order) < ball(target) < added(alpha, high, order)


@SOME
@given(alpha=FLOORS, step=STEPS, share=between("1/64", "15/16"))
def test_bracket_encloses_epsilon(alpha: Fraction, step: Fraction, share: Fraction) -> None:
    """At the upper, safe end delta is proved below the target."""
    distance = enclosure_of(delta(alpha, step, ZERO)).lower
    assert isinstance(distance, Fraction)
    assume(distance > 0)
    target = share * distance
    low, high = ends(as_ball(add_remove.epsilon(alpha, step, target)))
    with working_precision(400):
        assert delta(alpha, step, high) < ball(target) < delta(alpha, step, low)
    assert add_remove.epsilon(alpha, step, distance * (1 + Fraction(1, 10**20))) == 0


def rounds_to(value: arb | Fraction, stated: str) -> bool:
    """Whether all of a ball rounds to the number as it is printed."""
    known = enclosure_of(value)
    half_unit = Fraction(Decimal(1).scaleb(int(Decimal(stated).as_tuple().exponent))) / 2
    assert isinstance(known.lower, Fraction)
    assert isinstance(known.upper, Fraction)
    return all(abs(end - Fraction(stated)) <= half_unit for end in (known.lower, known.upper))


@each_of(
    "step, alpha, adding, replacing",
    [
        ("0.01", "1", "0.06328520", "0.06907250"),
        ("0.01", "100", "0.002021950", "0.002938030"),
        ("0.1", "0.5", "1.794259", "1.878768"),
        ("0.1", "20", "0.07629702", "0.1000978"),
        ("0.5", "2", "2.586075", "2.843034"),
        ("1", "1", "10.81977", "11.51292"),
        ("1", "100", "0.3629726", "0.4995341"),
        ("5", "5", "15.41943", "18.12356"),
        ("5", "100", "2.126863", "2.932488"),
    ],
)
def test_recorded_epsilons(step: str, alpha: str, adding: str, replacing: str) -> None:
    point = (Fraction(alpha), Fraction(step), Fraction(1, 10**5))
    assert rounds_to(add_remove.epsilon(*point), adding)
    assert rounds_to(profile.epsilon(*point), replacing)
