"""The laws of proofs_notes/dominating-pair.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import ceil, comb, prod
from random import Random

import pytest
from ball_checks import as_ball, meets, printed
from each import each_of
from flint import acb, arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.papers.gohari2020 import definitions, privacy
from simplexcert.reference.arb.balls import ball, enclosure_of
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import average, counts, identity, profile
from simplexcert.reference.dirichlet.pair import Neighbours

Pair = tuple[Fraction, Fraction]

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
HALF = Fraction(1, 2)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


FLOORS, STEPS, EPSILONS = between("1/8", "12"), between("1/8", "8"), between("0", "4")
EXTRAS = st.one_of(st.just(Fraction(0)), between("0", "6"))


def hockey_stick(first: Pair, second: Pair, epsilon: Fraction) -> arb:
    """Enclose sup over A of P(A) - e^epsilon Q(A) for two Betas of one sum, from the definition."""
    if first[0] < second[0]:
        first, second = first[::-1], second[::-1]
    move = first[0] - second[0]
    # With y = 1 - r the ratio of densities falls in y and crosses e^epsilon at one point.
    logit = (ball(epsilon) + log_beta(*first) - log_beta(*second)) / ball(move)
    crossing = enclosure_of(1 / (1 + logit.exp()))
    low, high = crossing.lower, crossing.upper
    assert isinstance(low, Fraction)
    assert isinstance(high, Fraction)
    factor = ball(epsilon).exp()
    p_low, p_high = (regularised_incomplete_beta(first[1], first[0], y) for y in (low, high))
    q_low = regularised_incomplete_beta(second[1], second[0], low)
    # Any set bounds the supremum from below; the optimal one lies between y < low and y < high.
    return (p_low - factor * q_low).union(p_high - factor * q_low)


def test_ratio_is_sufficient() -> None:
    """Dir(u)/Dir(u') at x is Beta(u_i, u_j)/Beta(u'_i, u'_j) at r = x_i/(x_i + x_j), exactly."""
    assert privacy.densities_ratio_is_the_formula()


def rising(base: Fraction, count: int) -> Fraction:
    return prod((base + j for j in range(count)), start=Fraction(1))


@repeatable
@given(s=st.tuples(FLOORS, FLOORS), c=st.tuples(EXTRAS, EXTRAS), power=st.integers(0, 9))
def test_beta_mixture(s: Pair, c: Pair, power: int) -> None:
    """Each moment of B r + (1 - B) R is that of Beta(s1 + c1, s2 + c2), in exact rationals."""
    assume(sum(c) > 0)
    total, added = sum(s), sum(c)
    mixed = sum(
        comb(power, j)
        * (rising(total, j) * rising(added, power - j) / rising(total + added, power))
        * (rising(s[0], j) / rising(total, j))
        * (rising(c[0], power - j) / rising(added, power - j))
        for j in range(power + 1)
    )
    assert mixed == rising(s[0] + c[0], power) / rising(total + added, power)


@repeatable
@given(
    alpha=FLOORS,
    step=STEPS,
    share=st.sampled_from([Fraction(1, 3), Fraction(7, 8), Fraction(1)]),
    extra=st.tuples(EXTRAS, EXTRAS),
    epsilon=EPSILONS,
)
def test_dominates_every_neighbour(
    alpha: Fraction, step: Fraction, share: Fraction, extra: Pair, epsilon: Fraction
) -> None:
    """No neighbouring pair above the floor has a larger hockey-stick, in either order."""
    move, (first, second) = share * step, extra
    u = (alpha + move + first, alpha + second)
    v = (alpha + first, alpha + move + second)
    largest = as_ball(profile.delta(alpha, step, epsilon))
    for one, other in ((u, v), (v, u)):
        found = hockey_stick(one, other, epsilon)
        if move == step and extra == (0, 0):
            assert meets(found, largest, 20)
        else:
            assert found < largest


@repeatable
@given(u=st.tuples(FLOORS, FLOORS), move=STEPS, epsilon=EPSILONS)
def test_small_thresholds_follow(u: Pair, move: Fraction, epsilon: Fraction) -> None:
    """H_t(P, Q) = 1 - t + t H_(1/t)(Q, P), so thresholds below 1 are the other order's."""
    first, second = (u[0] + move, u[1]), (u[0], u[1] + move)
    t = (-ball(epsilon)).exp()
    assert meets(
        hockey_stick(first, second, -epsilon),
        1 - t + t * hockey_stick(second, first, epsilon),
        20,
    )


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_order_is_immaterial(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    one, other = (alpha, alpha + step), (alpha + step, alpha)
    assert meets(hockey_stick(one, other, epsilon), hockey_stick(other, one, epsilon), 20)


@repeatable
@given(alpha=FLOORS, step=STEPS, more=STEPS, epsilon=EPSILONS)
def test_larger_step_shows_more(
    alpha: Fraction, step: Fraction, more: Fraction, epsilon: Fraction
) -> None:
    smaller = hockey_stick((alpha, alpha + step), (alpha + step, alpha), epsilon)
    assert smaller < profile.delta(alpha, step + more, epsilon)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_closed_form(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """Delta is the difference of two incomplete betas at q = 1/(1 + e^(epsilon/step))."""
    q, a, b = 1 / (1 + ball(epsilon / step).exp()), ball(alpha), ball(alpha + step)
    direct = q.beta_lower(a, b, regularized=1)
    direct -= ball(epsilon).exp() * q.beta_lower(b, a, regularized=1)
    assert meets(direct, profile.delta(alpha, step, epsilon), 20)


@repeatable
@given(alpha=FLOORS, step=STEPS)
def test_total_variation(alpha: Fraction, step: Fraction) -> None:
    direct = 2 * regularised_incomplete_beta(alpha, alpha + step, HALF) - 1
    assert meets(direct, profile.total_variation(alpha, step))
    assert meets(direct, profile.delta(alpha, step, Fraction(0)))


@pytest.mark.parametrize("seed", range(instances(3, 8)))
def test_adaptive_composition(seed: int) -> None:
    """Finite experiments: garbled adaptively, two releases show no more than the plain product."""
    random = Random(seed)  # noqa: S311

    def law(size: int) -> list[Fraction]:
        weights = [random.randint(1, 9) for _ in range(size)]
        return [Fraction(weight, sum(weights)) for weight in weights]

    def garbled(channel: list[list[Fraction]], source: list[Fraction]) -> list[Fraction]:
        return [
            sum((p * row[y] for p, row in zip(source, channel, strict=True)), Fraction(0))
            for y in range(3)
        ]

    pairs = [(law(4), law(4)) for _ in range(2)]
    first = [law(3) for _ in range(4)]
    second = [[law(3) for _ in range(4)] for _ in range(3)]  # one channel a first output
    composed, plain = (
        [
            [
                marginal * p
                for y, marginal in enumerate(garbled(first, pairs[0][side]))
                for p in garbled(second[y], pairs[1][side])
            ]
            for side in (0, 1)
        ],
        [[p * q for p, q in product(pairs[0][side], pairs[1][side])] for side in (0, 1)],
    )
    for t in {p / q for laws in (composed, plain) for p, q in zip(*laws, strict=True)}:
        shown, most = (
            sum(max(p - t * q, Fraction(0)) for p, q in zip(*laws, strict=True))
            for laws in (composed, plain)
        )
        assert shown <= most


CASES = [("1/2", "1/4"), ("2", "1"), ("1", "5/2"), ("9", "3/2")]


@each_of("alpha, step", CASES)
def test_kullback_leibler_from_hockey_sticks(alpha: str, step: str) -> None:
    """KL is the integral of (1 + e^-epsilon) delta(epsilon): enclosed by falling step functions."""
    a, s = Fraction(alpha), Fraction(step)
    ratio = a / s
    points = [Fraction(40) / ratio * Fraction(j, 300) ** 2 for j in range(301)]
    heights = [(1 + (-ball(point)).exp()) * as_ball(profile.delta(a, s, point)) for point in points]
    widths = [ball(right - left) for left, right in pairwise(points)]
    below = sum((w * h for w, h in zip(widths, heights[1:], strict=True)), arb(0))
    above = sum((w * h for w, h in zip(widths, heights[:-1], strict=True)), arb(0))
    # delta <= C e^(-ratio epsilon) bounds what lies beyond the last point.
    c = ball(s / (a * (a + s))) / log_beta(a, a + s).exp()
    beyond = 2 * c * (-ball(ratio * points[-1])).exp() / ball(ratio)
    exact = as_ball(profile.renyi(a, s, Fraction(1)))
    assert below < exact < above + beyond
    assert above + beyond < below * ball(Fraction(11, 10))


def loss_integral(alpha: Fraction, step: Fraction, rates: Pair) -> arb:
    """Integrate f(l) (1 + e^(-l/s))^-(2 alpha + s) / (s B) over l > 0, f = the sum of e^(-rate l).

    What is cut off beyond ``end`` lies between 0 and the sum of e^(-rate end)/rate, over s B.
    """
    power, inverse = ball(-(2 * alpha + step)), acb(ball(1 / step))
    end = ball(Fraction(3 * ctx.prec, 4) / min(rates))
    falls = [acb(ball(-rate)) for rate in rates]

    def integrand(loss: acb, cuts: Cuts) -> acb:
        weight = cuts.power(1 + (-loss * inverse).exp(), power)
        return weight * sum(((fall * loss).exp() for fall in falls), acb(0))

    tail = sum(((-ball(rate) * end).exp() / ball(rate) for rate in rates), arb(0))
    body = integrate(integrand, arb(0), end) + arb(0).union(tail)
    return body / (ball(step) * log_beta(alpha, alpha + step).exp())


@each_of("alpha, step", CASES)
@each_of("share", ["1/4", "3/4"])
def test_renyi_formula(alpha: str, step: str, share: str) -> None:
    """E_P e^((order-1) L) by guarded integration of the loss's density, against the formula."""
    a, s = Fraction(alpha), Fraction(step)
    excess = Fraction(share) * a / s  # order - 1; it must stay below a/s
    moment = loss_integral(a, s, (a / s - excess, a / s + 1 + excess))
    assert meets(moment.log() / ball(excess), profile.renyi(a, s, 1 + excess))


@repeatable
@given(alpha=FLOORS, step=STEPS)
def test_renyi_is_finite_below_one_order(alpha: Fraction, step: Fraction) -> None:
    """It is finite exactly when (order - 1) step < alpha."""
    edge = 1 + alpha / step
    assert enclosure_of(profile.renyi(alpha, step, edge)).low.kind == 1
    assert as_ball(profile.renyi(alpha, step, edge - Fraction(1, 10**6) * (edge - 1))).is_finite()


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=between("0", "200"))
def test_no_pure_privacy(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    assert as_ball(profile.delta(alpha, step, epsilon)) > 0


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=EPSILONS)
def test_probabilistic_asks_for_more(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """P(L > epsilon) = I_q(alpha, alpha + step) is above delta(epsilon)."""
    q = 1 / (1 + ball(epsilon / step).exp())
    exceeds = q.beta_lower(ball(alpha), ball(alpha + step), regularized=1)
    assert exceeds > profile.delta(alpha, step, epsilon)


def bordered(random: Random, n: int, w: int, eta: Fraction, eta_bar: Fraction) -> list[Fraction]:
    """Draw a point of the bordered simplex, the protected coordinates first."""
    room = (1 - eta_bar - w * eta) * Fraction(random.randint(0, 9), 9)
    weights = [random.randint(0, 5) for _ in range(w)]
    spread = sum(weights) or 1
    inside = [eta + room * Fraction(weight, spread) for weight in weights]
    outside = [random.randint(1, 5) for _ in range(n - w)]
    rest = 1 - sum(inside)
    return inside + [rest * Fraction(weight, sum(outside)) for weight in outside]


def in_bordered(p: list[Fraction], w: int, eta: Fraction, eta_bar: Fraction) -> bool:
    return (
        sum(p) == 1
        and min(p) > 0
        and all(share >= eta for share in p[:w])
        and sum(p[:w]) <= 1 - eta_bar
    )


def adjacent(p: list[Fraction], q: list[Fraction], w: int, b: Fraction) -> bool:
    moved = [i for i, (one, other) in enumerate(zip(p, q, strict=True)) if one != other]
    distance = sum(abs(one - other) for one, other in zip(p, q, strict=True))
    return len(moved) == 2 and max(moved) < w and distance <= b


def setting(random: Random) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction]:
    w = random.randint(2, 4)
    n = w + random.randint(1, 3)
    eta = Fraction(random.randint(1, 9), 10 * w)
    eta_bar = (1 - w * eta) * Fraction(random.randint(1, 8), 9)
    return n, w, eta, eta_bar, Fraction(random.randint(1, 20), 20), Fraction(random.randint(1, 99))


def farthest(
    n: int, w: int, eta: Fraction, eta_bar: Fraction, b: Fraction
) -> tuple[list[Fraction], list[Fraction]]:
    """Return the two neighbours that attain the dominating pair."""
    move = min(b / 2, 1 - eta_bar - w * eta)
    rest = [(1 - w * eta - move) / (n - w)] * (n - w)
    floors = [eta] * (w - 2)
    return [eta, eta + move, *floors, *rest], [eta + move, eta, *floors, *rest]


@each_of("seed", range(instances(5, 30)))
def test_identity_attains(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    n, w, eta, eta_bar, b, k = setting(random)
    p, q = farthest(n, w, eta, eta_bar, b)
    assert in_bordered(p, w, eta, eta_bar)
    assert in_bordered(q, w, eta, eta_bar)
    assert adjacent(p, q, w, b)
    alpha, step = identity.floor_and_step(k, eta, eta_bar, b, w)
    assert (k * p[0], k * p[1]) == (alpha, alpha + step)
    assert (k * q[0], k * q[1]) == (alpha + step, alpha)
    named = identity.worst_pair(k, eta, eta_bar, b, w)
    assert named.neighbours is Neighbours.ATTAINED
    assert (named.first, named.second) == (tuple(p[:2]), tuple(q[:2]))


def test_identity_never_passes_floor_and_step() -> None:
    """Whatever neighbours are drawn, nothing lies below the floor or moves beyond the step."""
    assert definitions.steps_are_bounded()


@pytest.mark.parametrize("seed", range(instances(3, 20)))
def test_average_attains(seed: int) -> None:
    """One vector of N at the far end, all others at the floor, in W."""
    random = Random(seed)  # noqa: S311
    n, w, eta, eta_bar, b, k = setting(random)
    size = random.randint(1, 5)
    p, q = farthest(n, w, eta, eta_bar, b)
    other = [eta] * w + [(1 - w * eta) / (n - w)] * (n - w)
    assert in_bordered(other, w, eta, eta_bar)
    means = [
        [(one + (size - 1) * common) / size for one, common in zip(vector, other, strict=True)]
        for vector in (p, q)
    ]
    alpha, step = average.floor_and_step(k, eta, eta_bar, b, size, w)
    assert (k * means[0][0], k * means[0][1]) == (alpha, alpha + step)
    assert (k * means[1][0], k * means[1][1]) == (alpha + step, alpha)
    named = average.worst_pair(k, eta, eta_bar, b, size, w)
    assert (named.first, named.second) == (tuple(means[0][:2]), tuple(means[1][:2]))


def all_counts(n: int, total: int, least: int) -> list[tuple[int, ...]]:
    heads = product(range(least, total + 1), repeat=n - 1)
    whole = ((*head, total - sum(head)) for head in heads)
    return [vector for vector in whole if vector[-1] >= least]


def moved_pairs(n: int, total: int, least: int) -> set[tuple[int, int]]:
    """Return what the two categories can hold besides the record that moves."""
    return {
        (vector[i] - 1, vector[j])
        for vector in all_counts(n, total, least)
        for i, j in product(range(n), repeat=2)
        if i != j and vector[i] > least
    }


@pytest.mark.parametrize("n", [2, 3, 4])
def test_counts_attain(n: int) -> None:
    """Exhaustively: n >= 3 and N >= n m + 1, or n = 2 and N = 2 m + 1; m = ceil(eta N)."""
    for total, eta in product(range(2, 12), (Fraction(1, 12), Fraction(1, 5), Fraction(3, 10))):
        least = ceil(eta * total)
        pairs = moved_pairs(n, total, least)
        claimed = total >= n * least + 1 if n >= 3 else total == 2 * least + 1
        assert ((least, least) in pairs) == claimed
        assert all(min(pair) >= least for pair in pairs)
        # There are neighbours exactly when there is room for one record above the floor.
        assert bool(pairs) == (total >= n * least + 1)
        if total < n * least:
            expected = Neighbours.NO_INPUT
        elif not pairs:
            expected = Neighbours.NONE
        else:
            expected = Neighbours.ATTAINED if claimed else Neighbours.BOUNDED
        assert counts.worst_pair(Fraction(7), eta, total, n).neighbours is expected
        alpha, step = counts.floor_and_step(Fraction(7), eta, total)
        assert (alpha, step) == (Fraction(7 * least, total), Fraction(7, total))


@repeatable
@given(
    eta=st.fractions(Fraction(1, 64), Fraction(31, 64), max_denominator=64),
    b=st.fractions(Fraction(1, 64), 2, max_denominator=64),
    size=st.integers(4, 40),
    more=st.integers(2, 5),
)
def test_room_for_two(eta: Fraction, b: Fraction, size: int, more: int) -> None:
    """No border and no more coordinates leave more room than two with a border next to nothing."""
    fits = identity.ROOM_FOR_TWO.test(eta=eta, b=b)
    near = Fraction(1, 10**9)
    wide = identity.floor_and_step(Fraction(1), eta, near, b, 2)[1]
    assert wide <= min(b / 2, 1 - 2 * eta) <= wide + near
    assert fits is (min(b / 2, 1 - 2 * eta) == b / 2)
    for border, w in product((near, Fraction(1, 7)), (2, more)):
        if w * eta + border < 1:
            assert identity.floor_and_step(Fraction(1), eta, border, b, w)[1] <= wide
    pairs = [counts.worst_pair(Fraction(1), eta, size, n) for n in (3, 3 + more)]
    can = counts.record_can_move(eta, size)
    assert can is (pairs[0].neighbours is Neighbours.ATTAINED)
    assert can or pairs[1].neighbours is not Neighbours.ATTAINED


def test_two_categories_hide_strictly() -> None:
    """With n = 2 and N > 2m + 1 no pair is the dominating one, and every delta is smaller."""
    total, least, k = 9, 2, Fraction(20)
    for epsilon in (Fraction(0), Fraction(1, 2), Fraction(3)):
        bound = as_ball(profile.delta(k * Fraction(least, total), k / total, epsilon))
        for held, other in moved_pairs(2, total, least):
            u = (k * Fraction(held + 1, total), k * Fraction(other, total))
            v = (k * Fraction(held, total), k * Fraction(other + 1, total))
            assert hockey_stick(u, v, epsilon) < bound


def test_histogram_attains() -> None:
    """Exhaustively: with three cells or one record the pair is attained, else all lose less."""
    alpha, step, epsilon = Fraction(5, 4), Fraction(2, 3), Fraction(1, 2)
    bound = as_ball(profile.delta(alpha, step, epsilon))
    for cells, records in product((2, 3, 4), range(1, 6)):
        losses = {}
        for held, other in moved_pairs(cells, records, 0):
            u = (alpha + step * (held + 1), alpha + step * other)
            v = (alpha + step * held, alpha + step * (other + 1))
            assert min(*u, *v) >= alpha
            assert abs(u[0] - v[0]) == step
            losses[held, other] = hockey_stick(u, v, epsilon)
        attained = {pair for pair, loss in losses.items() if meets(loss, bound)}
        assert attained == ({(0, 0)} if cells > 2 or records == 1 else set())
        assert all(loss < bound for pair, loss in losses.items() if pair not in attained)
        assert losses


# One neighbour has smallest count 8, the other 7: k = 20.6, N = 98.
UNIT = Fraction(103, 5) / 98


@pytest.mark.parametrize(
    ("epsilon", "floor", "shown"),
    [("0.6055", Fraction(8), "3.041e-3"), ("2.212", Fraction(98 * 73, 1000), "4.21e-8")],
)
def test_neighbour_below_the_floor(epsilon: str, floor: Fraction, shown: str) -> None:
    """A floor read off one neighbour promises too much; the floor of both holds."""
    exponent = Fraction(epsilon)
    found = hockey_stick((9 * UNIT, 7 * UNIT), (8 * UNIT, 8 * UNIT), exponent)
    assert found > profile.delta(floor * UNIT, UNIT, exponent)
    assert found < profile.delta(7 * UNIT, UNIT, exponent)
    assert printed(shown).contains(found)


# (alpha, step) of gohari2020's example, of the grades at both floors, and of one row of fallin2023.
EXAMPLE = (Fraction(6, 5), Fraction(3, 25))
GRADES = (8 * UNIT, UNIT)
LOOSE_GRADES = (Fraction(73, 1000) * Fraction(103, 5), UNIT)
ROW = (Fraction("0.987"), Fraction("0.123375"))


@pytest.mark.parametrize(
    ("pair", "delta", "text"),
    [
        (EXAMPLE, "0.05", "0.0508067"),
        (GRADES, "0.00199534929640667", "0.605529"),
        (LOOSE_GRADES, "0.00199534929640667", "0.667769"),
    ],
)
def test_recorded_epsilons(pair: Pair, delta: str, text: str) -> None:
    assert printed(text).contains(as_ball(profile.epsilon(*pair, Fraction(delta))))


@pytest.mark.parametrize(
    ("pair", "epsilon", "text"),
    [
        (GRADES, "2.2119", "5.671e-9"),
        (LOOSE_GRADES, "2.2119", "3.3431e-8"),
        (ROW, "1.16", "1.14965e-5"),
    ],
)
def test_recorded_deltas(pair: Pair, epsilon: str, text: str) -> None:
    assert printed(text).contains(as_ball(profile.delta(*pair, Fraction(epsilon))))


def test_recorded_probabilistic_gap() -> None:
    """At delta 0.05 gohari2020's example needs epsilon above 0.3218 in the probabilistic sense."""
    alpha, step = EXAMPLE
    q = 1 / (1 + ball(Fraction("0.3218") / step).exp())
    assert q.beta_lower(ball(alpha), ball(alpha + step), regularized=1) > ball(Fraction(1, 20))
