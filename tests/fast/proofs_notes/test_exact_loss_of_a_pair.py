"""The laws of proofs_notes/exact-loss-of-a-pair.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from typing import NamedTuple

from ball_checks import NARROW_BITS, as_ball, meets
from each import each_of
from flint import arb
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference.arb.balls import ball, extra_bits
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import beta_series, regularised_on_ball
from simplexcert.reference.dirichlet import add_remove, profile
from simplexcert.reference.dirichlet.loss import log_density_ratio
from simplexcert.reference.dirichlet.pair import delta

EXAMPLES = instances(10, 30)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


SIZES, STEPS, EPSILONS = between("1/16", "12"), between("1/16", "6"), between("0", "3")
ONE = Fraction(1)
# The turned form takes e^epsilon - 1 from what can be larger by the smallest delta drawn, 2^-250.
RESOLVING_BITS = 512


class Betas(NamedTuple):
    """Beta(a, b) against Beta(more_a, less_b)."""

    a: Fraction
    b: Fraction
    more_a: Fraction
    less_b: Fraction


@st.composite
def betas(draw: st.DrawFn) -> Betas:
    """Draw a move, a coordinate that grows, or one that shrinks."""
    a, b, step = draw(SIZES), draw(SIZES), draw(STEPS)
    kind = draw(st.sampled_from(["move", "grows", "shrinks"]))
    more_a = a if kind == "shrinks" else a + step
    return Betas(a, b, more_a, b) if kind == "grows" else Betas(a, b + step, more_a, b)


def front_change(pair: Betas) -> arb:
    """Log of B(more_a, less_b)/B(a, b)."""
    return log_beta(pair.more_a, pair.less_b) - log_beta(pair.a, pair.b)


def log_ratio(pair: Betas, x: arb) -> arb:
    rise, fall = pair.more_a - pair.a, pair.b - pair.less_b
    return front_change(pair) - ball(rise) * x.log() + ball(fall) * (1 - x).log()


def crossing(pair: Betas, epsilon: Fraction) -> arb | None:
    """Where the ratio is e^epsilon, as the note says; None where it is nowhere."""
    rise, fall = pair.more_a - pair.a, pair.b - pair.less_b
    excess = ball(epsilon) - front_change(pair)
    if rise and fall:
        return 1 / (1 + (excess / ball(rise)).exp())
    if rise:
        return (-excess / ball(rise)).exp()
    return None if excess > 0 else 1 - (excess / ball(fall)).exp()


def vectors(pair: Betas) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return two laws of three coordinates whose share is as the pair says."""
    a, b, more_a, less_b = pair
    if b == less_b:
        return (b / 3, a, 2 * b / 3), (b / 3, more_a, 2 * b / 3)
    if a == more_a:
        return (a / 4, 3 * a / 4, b), (a / 4, 3 * a / 4, less_b)
    return (b, ONE, a), (less_b, ONE, more_a)


def front(pair: Betas, x: arb) -> arb:
    return (ball(pair.a) * x.log() + ball(pair.b) * (1 - x).log() - log_beta(*pair[:2])).exp()


def below(a: Fraction, b: Fraction, x: arb) -> arb:
    return regularised_on_ball(a, b, x, log_beta(a, b))


def crossed(pair: Betas, epsilon: Fraction) -> arb:
    point = crossing(pair, epsilon)
    assume(point is not None)
    assert point is not None
    return point


@repeatable
@given(betas(), EPSILONS)
def test_share_is_sufficient(pair: Betas, epsilon: Fraction) -> None:
    """Of three coordinates and of the two laws of the share."""
    u, v = vectors(pair)
    point = crossed(pair, epsilon)
    betas_lose = below(*pair[:2], point) - ball(epsilon).exp() * below(*pair[2:], point)
    assert meets(as_ball(delta(u, v, epsilon)), betas_lose)


@repeatable
@given(betas(), between("1/64", "63/64"), between("1/64", "63/64"))
def test_best_event_is_an_interval(pair: Betas, x: Fraction, y: Fraction) -> None:
    """The ratio falls, and it is that of the two Dirichlet laws at an outcome of this share."""
    assume(x != y)
    low, high = sorted([x, y])
    assert log_ratio(pair, ball(low)) > log_ratio(pair, ball(high))
    u, v = vectors(pair)
    if pair.b == pair.less_b:
        outcome = ((1 - x) / 2, x, (1 - x) / 2)
    elif pair.a == pair.more_a:
        outcome = (x / 2, x / 2, 1 - x)
    else:
        outcome = ((1 - x) / 2, ONE / 2, x / 2)
    assert meets(log_density_ratio(u, v, outcome), log_ratio(pair, ball(x)))


@repeatable
@given(betas(), EPSILONS)
def test_crossing(pair: Betas, epsilon: Fraction) -> None:
    point = crossing(pair, epsilon)
    if point is None:
        assert as_ball(delta(*vectors(pair), epsilon)) == 0
        return
    assert 0 < point < 1
    left = log_ratio(pair, point) - ball(epsilon)
    assert left.contains(0)
    assert abs(left) < arb(2) ** -NARROW_BITS


@repeatable
@given(betas(), EPSILONS)
def test_one_front(pair: Betas, epsilon: Fraction) -> None:
    point = crossed(pair, epsilon)
    other = ball(epsilon).exp() * front(Betas(*pair[2:], *pair[2:]), point)
    assert meets(front(pair, point), other)
    series = beta_series(*pair[:2], point) - beta_series(*pair[2:], point)
    assert meets(as_ball(delta(*vectors(pair), epsilon)), front(pair, point) * series)


@repeatable
@given(betas(), EPSILONS)
def test_turned_form(pair: Betas, epsilon: Fraction) -> None:
    a, b, more_a, less_b = pair
    with extra_bits(RESOLVING_BITS):
        point = crossed(pair, epsilon)
        series = beta_series(less_b, more_a, 1 - point) - beta_series(b, a, 1 - point)
        turned = front(pair, point) * series - ball(epsilon).expm1()
    assert meets(as_ball(delta(*vectors(pair), epsilon)), turned)


@repeatable
@given(betas())
def test_both_series_differ_term_by_term(pair: Betas) -> None:
    def term(a: Fraction, b: Fraction, n: int) -> Fraction:
        top = prod((a + b + j for j in range(n)), start=ONE)
        return top / prod((a + j for j in range(n + 1)), start=ONE)

    for n in range(8):
        first, second = term(*pair[:2], n), term(*pair[2:], n)
        assert first == second if n == 0 and pair.a == pair.more_a else first > second


@repeatable
@given(SIZES, STEPS, EPSILONS, SIZES)
@example(Fraction(3), Fraction(2), Fraction(0), ONE)
def test_equals_the_profile(
    alpha: Fraction, step: Fraction, epsilon: Fraction, other: Fraction
) -> None:
    u, v = (alpha, other, alpha + step), (alpha + step, other, alpha)
    expected = as_ball(profile.delta(alpha, step, epsilon))
    assert meets(as_ball(delta(u, v, epsilon)), expected)
    assert meets(as_ball(delta(v, u, epsilon)), expected)


@repeatable
@given(betas(), EPSILONS, SIZES)
def test_coordinates_may_be_exchanged(pair: Betas, epsilon: Fraction, other: Fraction) -> None:
    u, v = vectors(pair)
    found = as_ball(delta(u, v, epsilon))
    assert meets(found, as_ball(delta(u[::-1], v[::-1], epsilon)))
    if pair.a != pair.more_a and pair.b != pair.less_b:
        assert meets(found, as_ball(delta((*u, other), (*v, other), epsilon)))
    else:
        kept = next(place for place in range(3) if u[place] == v[place])
        halves = [(*w[:kept], w[kept] / 2, w[kept] / 2, *w[kept + 1 :]) for w in (u, v)]
        assert meets(found, as_ball(delta(halves[0], halves[1], epsilon)))


@repeatable
@given(betas())
def test_turning_round(pair: Betas) -> None:
    u, v = vectors(pair)
    assert meets(as_ball(delta(u, v, Fraction(0))), as_ball(delta(v, u, Fraction(0))))


@repeatable
@given(SIZES, SIZES, STEPS, EPSILONS, between("0", "1"))
def test_next_to_1(
    a: Fraction, b: Fraction, moved: Fraction, epsilon: Fraction, z: Fraction
) -> None:
    """The bounds hold of delta; a moment of the ratio is a beta function, as whole ones show."""
    pair = Betas(a, b + moved, a + moved, b)
    found = as_ball(delta(*vectors(pair), epsilon))
    for at in (-z, z * a / moved * Fraction(63, 64)):
        shifted = log_beta(a - at * moved, b + moved + at * moved)
        ends = log_beta(a, b + moved), log_beta(a + moved, b)
        bound = (shifted - ball(1 + at) * ends[0] + ball(at) * ends[1] - ball(at * epsilon)).exp()
        kept = found if at > 0 else 1 - found
        assert kept < bound or meets(kept, bound)


@repeatable
@given(betas(), EPSILONS, between("1/64", "2"))
def test_falls_with_epsilon(pair: Betas, epsilon: Fraction, more: Fraction) -> None:
    first, second = (as_ball(delta(*vectors(pair), at)) for at in (epsilon, epsilon + more))
    assert first > second or first == second == 0


@repeatable
@given(SIZES, STEPS, between("0", "1"), SIZES, SIZES, EPSILONS)
def test_below_the_dominating_pair(
    alpha: Fraction,
    step: Fraction,
    part: Fraction,
    near: Fraction,
    far: Fraction,
    epsilon: Fraction,
) -> None:
    """Strictly, for what is drawn is never the dominating pair."""
    first, second, moved = alpha + near, alpha + far, part * step
    bound = as_ball(profile.delta(alpha, step, epsilon))
    assert as_ball(delta((first, second + moved), (first + moved, second), epsilon)) < bound
    bound = as_ball(add_remove.delta(alpha, step, epsilon))
    assume(moved > 0)
    for u, v in [((alpha, far), (alpha + moved, far)), ((first + moved, far), (first, far))]:
        assert as_ball(delta(u, v, epsilon)) < bound


@each_of(
    "near, far, moved, chance",
    [(1, 3, 1, "3/4"), (4, 3, 1, "3/7"), (2, 2, 3, "1/2"), (1, 8, 2, "6/7")],
)
def test_whole_total_variation(near: int, far: int, moved: int, chance: str) -> None:
    """A rational where the root is one: 1 2/(8 9) = (1/6)^2."""
    q, trials = Fraction(chance), near + far + moved - 1
    expected = sum(
        comb(trials, hit) * q**hit * (1 - q) ** (trials - hit) for hit in range(far, far + moved)
    )
    u, v = (Fraction(near + moved), Fraction(far)), (Fraction(near), Fraction(far + moved))
    assert delta(u, v, Fraction(0)) == expected
    beside = delta(u, v, Fraction(1, 10**30))
    assert isinstance(beside, arb)
    assert abs(beside - ball(expected)) < ball(Fraction(1, 10**29))
    irrational = delta((Fraction(3), Fraction(2)), (Fraction(1), Fraction(4)), Fraction(0))
    assert isinstance(irrational, arb)
