"""The laws of proofs_notes/renyi-to-dp.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from ball_checks import as_ball, meets
from each import each_of
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.backends.float64 import renyi_to_dp as floats
from simplexcert.reference import evaluate, renyi
from simplexcert.reference.arb.balls import ball, enclosure_of
from simplexcert.reference.arb.roots import positive_root
from simplexcert.reference.dirichlet.renyi import to_approximate_dp
from simplexcert.reference.renyi import epsilon_for_dp

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
ONE = Fraction(1)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=4096)


ORDERS = st.one_of(st.just(ONE), between("1.01", "9"))
EPSILONS, DELTAS = between("1/64", "4"), between("1/512", "511/512")
RATIOS = between("1/64", "5")


def divergence(order: Fraction, p: list[arb], q: list[arb]) -> arb:
    """Enclose D of two laws of positive shares, from the definition."""
    logs = [(one / other).log() for one, other in zip(p, q, strict=True)]
    if order == 1:
        return sum((one * log for one, log in zip(p, logs, strict=True)), arb(0))
    over = ball(order - 1)
    terms = (one * (over * log).exp() for one, log in zip(p, logs, strict=True))
    return sum(terms, arb(0)).log() / over


def pair(x: arb, y: arb) -> tuple[list[arb], list[arb]]:
    """Enclose the laws on two points of the ratios e^x and e^-y."""
    a, b = x.exp(), (-y).exp()
    q = (1 - b) / (a - b)
    return [a * q, b * (1 - q)], [q, 1 - q]


def stick(t: Fraction, p: list[Fraction], q: list[Fraction]) -> Fraction:
    return sum((max(one - t * other, ONE * 0) for one, other in zip(p, q, strict=True)), ONE * 0)


def corner_of(order: Fraction, epsilon: Fraction) -> arb:
    return positive_root(lambda x: renyi._response(order, ball(x)) - ball(epsilon), ONE)


def at_corner(order: Fraction, epsilon: Fraction, delta: Fraction) -> tuple[arb, arb]:
    """Enclose v and s."""
    x = corner_of(order, epsilon)
    return ball(1 - delta) * x.exp() - ball(delta), renyi._slope(order, x)


@repeatable
@given(
    weights=st.lists(st.tuples(st.integers(1, 99), st.integers(1, 99)), min_size=3, max_size=6),
    order=ORDERS,
    t=between("1", "3"),
)
def test_two_points_suffice(weights: list[tuple[int, int]], order: Fraction, t: Fraction) -> None:
    totals = [sum(part) for part in zip(*weights, strict=True)]
    p = [Fraction(one, totals[0]) for one, _ in weights]
    q = [Fraction(other, totals[1]) for _, other in weights]
    large = [one > t * other for one, other in zip(p, q, strict=True)]
    assume(any(large))
    merged = [
        [sum((s for s, kept in zip(law, large, strict=True) if kept is part), ONE * 0)]
        for law in (p, q)
        for part in (True, False)
    ]
    short_p, short_q = [*merged[0], *merged[1]], [*merged[2], *merged[3]]
    assert stick(t, short_p, short_q) == stick(t, p, q)
    for first, second, few, others in ((p, q, short_p, short_q), (q, p, short_q, short_p)):
        more = divergence(order, [ball(s) for s in first], [ball(s) for s in second])
        less = divergence(order, [ball(s) for s in few], [ball(s) for s in others])
        assert not less > more


@repeatable
@given(x=RATIOS, y=RATIOS, order=ORDERS)
def test_which_order_binds(x: Fraction, y: Fraction, order: Fraction) -> None:
    assume(x != y)
    p, q = pair(ball(x), ball(y))
    there, back = divergence(order, p, q), divergence(order, q, p)
    assert (there > back) if x > y else (there < back)
    assert (p[0] + q[0] < 1) if x > y else (p[0] + q[0] > 1)
    if order > 1:
        c = ball(order - Fraction(1, 2))
        half = [ball(x) / 2, ball(y) / 2]
        factor = half[1].sinh() * (c * ball(x)).sinh() - half[0].sinh() * (c * ball(y)).sinh()
        whole = (ball(x).exp() - (-ball(y)).exp()) * (
            (ball(order - 1) * there).exp() - (ball(order - 1) * back).exp()
        )
        assert whole.overlaps(4 * ((ball(x) - ball(y)) / 2).exp() * factor)


@repeatable
@given(x=RATIOS, order=ORDERS)
def test_corner(x: Fraction, order: Fraction) -> None:
    point = ball(x)
    p, q = pair(point, point)
    lost = renyi._response(order, point)
    assert p[0].overlaps(1 - q[0])
    assert lost.overlaps(divergence(order, p, q))
    assert lost.overlaps(divergence(order, q, p))
    assert lost < renyi._response(order, ball(x * Fraction(129, 128)))
    slope = renyi._slope(order, point)
    assert slope > 1
    # dp/dq of g(p, q) = E, from the derivatives of g.
    a, b, power = point.exp(), (-point).exp(), ball(order)
    if order == 1:
        assert slope.overlaps((a - b) / (2 * point))
    else:
        over = power - 1
        by_q = over * ((power * point).exp() - (-power * point).exp())
        assert slope.overlaps(by_q / (power * ((over * point).exp() - (-over * point).exp())))


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS)
def test_corner_decides_large_delta(order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    value, slope = at_corner(order, epsilon, delta)
    found = as_ball(epsilon_for_dp(order, epsilon, delta))
    if value < 1:
        assert found == 0
        assert (corner_of(order, epsilon) / 2).tanh() < ball(delta)
    elif value < slope:
        assert found.overlaps(value.log())
        # The two tangents, mixed to the slope v, support the set: no law on a grid lies above.
        x = corner_of(order, epsilon)
        q0 = 1 / (1 + x.exp())
        for part in range(1, 8):
            for other in range(1, 8):
                p, q = ball(Fraction(part, 8)), ball(Fraction(other, 8))
                lost = [divergence(order, *laws) for laws in (([p, 1 - p], [q, 1 - q]),)]
                lost.append(divergence(order, [q, 1 - q], [p, 1 - p]))
                if all(each < ball(epsilon) for each in lost):
                    assert p - value * q < 1 - q0 - value * q0
    elif value > slope:
        assert found > value.log()
    assert epsilon_for_dp(order, ONE * 0, delta) == 0


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS)
def test_zero_needs_no_root(order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    lost = renyi._response(order, (ball(1 + delta) / ball(1 - delta)).log())
    found = epsilon_for_dp(order, epsilon, delta)
    assert (lost > ball(epsilon)) == (found == 0)
    assert lost > ball(epsilon) or lost < ball(epsilon)
    assert (2 * ball(delta).atanh()).overlaps((ball(1 + delta) / ball(1 - delta)).log())


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS, y=RATIOS, p=DELTAS, q=DELTAS)
def test_any_tangents_bound(
    order: Fraction, epsilon: Fraction, delta: Fraction, y: Fraction, p: Fraction, q: Fraction
) -> None:
    bound = renyi._dual(order, epsilon, delta, ball(y))
    found = as_ball(epsilon_for_dp(order, epsilon, delta))
    assert found == 0 or not bound < found
    # U is the slope t of the two tangents, and c is delta.
    width = renyi._width(order, epsilon, delta, ball(y))
    a, b, power = (width - ball(y)).exp(), (-ball(y)).exp(), ball(order)
    if order == 1:
        slope, axis = (a - b) / width, (ball(epsilon) - 1 + ball(y) + b) / width
    else:
        over = power - 1
        low, high = [base.log() * over for base in (b, a)]
        gap = power * (high.exp() - low.exp())
        slope = over * (a * high.exp() - b * low.exp()) / gap
        axis = ((over * ball(epsilon)).exp() - power * low.exp() + over * b * low.exp()) / gap
    assert meets(bound.exp(), slope)
    assert meets(axis, ball(delta))
    # No two laws of that divergence lie above the line.
    laws = [ball(p), ball(1 - p)], [ball(q), ball(1 - q)]
    if divergence(order, *laws) < ball(epsilon):
        assert laws[0][0] - slope * laws[1][0] < ball(delta)
    if order > 1:
        lemma = as_ball(to_approximate_dp(order, epsilon, delta))
        far = renyi._dual(order, epsilon, delta, arb(100_000))
        assert lemma == 0 or meets(far, lemma)


@repeatable
@given(order=ORDERS, x=RATIOS, y=RATIOS)
def test_attained_on_two_points(order: Fraction, x: Fraction, y: Fraction) -> None:
    """Start from any two laws with p + q < 1: they decide the answer at their own slope."""
    assume(x > y)
    p, q = pair(ball(x), ball(y))
    lost = divergence(order, p, q)
    top, under = (ball(order) * ball(z) for z in (x, -y))
    if order == 1:
        slope = (ball(x).exp() - (-ball(y)).exp()) / ball(x + y)
    else:
        over = ball(order - 1)
        slope = over * (top.exp() - under.exp())
        slope /= ball(order) * ((over * ball(x)).exp() - (-over * ball(y)).exp())
    delta = p[0] - slope * q[0]
    assume(delta > ball(Fraction(1, 10**6)))
    assume(slope > 1)
    # Below their epsilon, or above their delta, less is implied; and the reverse.
    hair = Fraction(1, 10**9)
    ends = enclosure_of(lost), enclosure_of(delta)
    epsilon, level = Fraction(ends[0].lower), Fraction(ends[1].lower)
    less = as_ball(epsilon_for_dp(order, epsilon * (1 - hair), level * (1 + hair)))
    more = as_ball(epsilon_for_dp(order, epsilon * (1 + hair), level * (1 - hair)))
    assert less < slope.log() < more
    reached = renyi._attained(order, epsilon, level, ball(y))
    assert ball(1 - hair) * lost < reached < ball(1 + hair) * lost


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS)
def test_one_sign_change(order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    value, slope = at_corner(order, epsilon, delta)
    assume(value > slope)
    x = enclosure_of(corner_of(order, epsilon)).lower
    signs = []
    for part in range(1, 24):
        excess = renyi._attained(order, epsilon, delta, ball(x * Fraction(part, 24)))
        assert excess.is_finite()
        signs.append(excess > ball(epsilon))
    assert all(before <= after for before, after in pairwise(signs))
    assert renyi._attained(order, epsilon, delta, ball(x * Fraction(1, 10**9))) < ball(epsilon)
    assert renyi._attained(order, epsilon, delta, ball(x)) > ball(epsilon)


@each_of(
    "order, epsilon, delta",
    [
        ("1", "0.2", "0.05"),
        ("1", "0.2", "0.3"),
        ("1.01", "1", "0.5"),
        ("2", "0.1", "0.15"),
        ("2", "1", "0.1"),
        ("2", "1", "0.45"),
        ("5", "0.5", "0.01"),
        ("30", "2", "0.7"),
    ],
)
def test_pairs_agree(order: str, epsilon: str, delta: str) -> None:
    """Brute force in floats, both orders of each pair: a fine grid on two points, any on three."""
    rank, most, level = float(order), float(epsilon), float(delta)

    def lost(p: np.ndarray, q: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        if rank == 1:
            return np.asarray(np.sum(p * np.log(p / q), axis=0))
        return np.asarray(np.log(np.sum(p**rank * q ** (1 - rank), axis=0)) / (rank - 1))

    def log_t(p: np.ndarray, q: np.ndarray) -> float:  # type: ignore[type-arg]
        """Return the largest log t at which H_t is delta, over the pairs that are admitted."""
        kept = (lost(p, q) <= most) & (lost(q, p) <= most)
        tops = [p[0] - level, p[0] + p[1] - level] if len(p) > 2 else [p[0] - level]
        under = [q[0], q[0] + q[1]] if len(p) > 2 else [q[0]]
        best = max(
            float(np.max((t / u)[kept], initial=1.0)) for t, u in zip(tops, under, strict=True)
        )
        return float(np.log(best))

    found = float(
        evaluate("renyi.epsilon_for_dp", {"order": order, "epsilon": epsilon, "delta": delta}).upper
    )
    p, log_odds = np.meshgrid(np.linspace(0.0005, 0.9995, 1000), np.linspace(-12, 6, 1200))
    q = 1 / (1 + np.exp(-log_odds))
    two = log_t(np.array([p, 1 - p]), np.array([q, 1 - q]))
    assert found - 0.02 < two <= found
    random = np.random.default_rng(19)
    three = random.dirichlet((1, 1, 1), 200_000).T, random.dirichlet((1, 1, 1), 200_000).T
    assert log_t(*three) <= found


def test_both_orders_matter() -> None:
    order, epsilon, delta = Fraction(2), Fraction(1, 10), Fraction(3, 20)
    found = as_ball(epsilon_for_dp(order, epsilon, delta))
    alone = [renyi._dual(order, epsilon, delta, ball(Fraction(y, 200))) for y in range(1, 400)]
    least = min(alone, key=lambda bound: bound.mid())
    assert ball(Fraction("0.0236711")) < found < ball(Fraction("0.0236712"))
    assert ball(Fraction("0.02497")) < least < ball(Fraction("0.02498"))
    value, slope = at_corner(order, epsilon, delta)
    assert value < slope


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS)
def test_falls_with_order(order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    found = as_ball(epsilon_for_dp(order, epsilon, delta))
    assume(found > 0)
    more = Fraction(9, 8)
    assert as_ball(epsilon_for_dp(order * more, epsilon, delta)) < found
    assert as_ball(epsilon_for_dp(order, epsilon * more, delta)) > found
    assert as_ball(epsilon_for_dp(order, epsilon, 1 - (1 - delta) / more)) < found


@repeatable
@given(order=between("1.01", "9"), epsilon=EPSILONS, delta=DELTAS, share=between("1/64", "1"))
def test_never_above_known_conversions(
    order: Fraction, epsilon: Fraction, delta: Fraction, share: Fraction
) -> None:
    found = as_ball(epsilon_for_dp(order, epsilon, delta))
    lower = 1 + (order - 1) * share
    assert not found > as_ball(to_approximate_dp(lower, epsilon, delta))
    assert found < ball(epsilon) + (1 / ball(delta)).log() / ball(order - 1)
    balle = ball(epsilon) + ball(1 - delta).log()
    if delta >= 1 / order and balle > 0:
        assert found < balle
    if ball(delta) ** 2 > 1 - (-ball(epsilon)).exp():
        assert found == 0


@repeatable
@given(order=ORDERS, epsilon=EPSILONS, delta=DELTAS)
def test_safe_floats(order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    given = {"order": float(order), "epsilon": float(epsilon), "delta": float(delta)}
    exact = {name: Fraction(value) for name, value in given.items()}
    truth = evaluate("renyi.epsilon_for_dp", exact)
    assert Fraction(backend.quantities["renyi.epsilon_for_dp"](**given)) >= truth.lower
    # The corner is used at a point of which the response certainly loses enough.
    arrays = [np.array([value]) for value in given.values()]
    with np.errstate(all="ignore"):
        x = Fraction(float(floats._corner(arrays[0], arrays[1])[0]))
    assert renyi._response(exact["order"], ball(x)) > ball(exact["epsilon"])
