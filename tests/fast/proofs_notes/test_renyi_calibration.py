"""The laws of proofs_notes/renyi-calibration.md: a test named for each heading."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from ball_checks import as_ball, meets
from each import each_of
from flint import acb, arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.papers.ponnoprat2023 import guarantee
from simplexcert.reference.arb.balls import ball, enclosure_of, sharpened, working_precision
from simplexcert.reference.arb.gamma import log_gamma, trigamma
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.arb.roots import positive_root
from simplexcert.reference.dirichlet import add_remove, profile, renyi
from simplexcert.reference.dirichlet.renyi import epsilon_sensitivity, to_approximate_dp
from simplexcert.reference.dirichlet.renyi_divergence import divergence, far_point, gap

EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
SOME = settings(repeatable, max_examples=10)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


SHAPES, STEPS, ORDERS = between("1/8", "12"), between("1/16", "6"), between("1", "9")
SHARES, MORES = between("1/64", "63/64"), between("1/32", "4")
ZERO, ONE = Fraction(0), Fraction(1)
# Gammas against each other: (u, v, order), w = order u - (order - 1) v positive.
GAPS = [
    ("2", "5/2", "3"),
    ("5/2", "2", "3"),
    ("1/2", "3/4", "5/2"),
    ("4", "1", "9"),
    ("3", "5", "1"),
]


def rounds_to(value: arb | Fraction, stated: str) -> bool:
    """Whether all of a ball rounds to the number as it is printed."""
    known = enclosure_of(value)
    half_unit = Fraction(Decimal(1).scaleb(int(Decimal(stated).as_tuple().exponent))) / 2
    assert isinstance(known.lower, Fraction)
    assert isinstance(known.upper, Fraction)
    return all(abs(end - Fraction(stated)) <= half_unit for end in (known.lower, known.upper))


def ends(root: arb) -> tuple[Fraction, Fraction]:
    known = enclosure_of(root)
    assert isinstance(known.lower, Fraction)
    assert isinstance(known.upper, Fraction)
    assert known.upper - known.lower < known.lower / 2**60
    return known.lower, known.upper


def gamma_gap(first: Fraction, second: Fraction, order: Fraction) -> arb:
    return sharpened(lambda: gap(first, second, order))


def order_inside(u: tuple[Fraction, ...], v: tuple[Fraction, ...], share: Fraction) -> Fraction:
    """Return an order at which the divergence is finite, that share of the way."""
    ends = (before / (after - before) for before, after in zip(u, v, strict=True) if after > before)
    return 1 + share * min(ends, default=Fraction(8))


def law_of_one(*entries: str | Fraction) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, entries))


def tight(step: Fraction, alpha: Fraction, order: Fraction) -> arb:
    return as_ball(profile.renyi(alpha, step, order))


@each_of("u, v, order", GAPS[:4])
def test_gap_is_a_divergence(u: str, v: str, order: str) -> None:
    """T from the moment integral of x = e^t, both ends cut off with a bound."""
    first, second, rank = Fraction(u), Fraction(v), Fraction(order)
    power = ball(far_point(first, second, rank))
    low, high = -ball(ctx.prec) / power, ball(200)  # in t, and in x

    def integrand(t: acb, _: Cuts) -> acb:
        return (power * t - t.exp()).exp()

    rest = (power * low).exp() / power + high**power * (-high).exp()
    moment = integrate(integrand, low, high.log()) + arb(0).union(rest)
    log_moment = moment.log() + ball(rank - 1) * log_gamma(second) - ball(rank) * log_gamma(first)
    assert meets(log_moment / ball(rank - 1), gamma_gap(first, second, rank))
    assert gamma_gap(first, second, rank) > 0


@each_of("u, v, order", GAPS)
def test_gap_as_trigammas(u: str, v: str, order: str) -> None:
    first, second, excess = Fraction(u), Fraction(v), Fraction(order) - 1
    start, change, factor = acb(ball(first)), ball(second - first), ball(excess)

    def integrand(x: acb, _: Cuts) -> acb:
        near, far = acb(2).zeta(start + change * x), acb(2).zeta(start - factor * change * x)
        return (1 - x) * (near + factor * far)

    value = change**2 * integrate(integrand, arb(0), arb(1))
    assert meets(value, gamma_gap(first, second, Fraction(order)))


@repeatable
@given(u=SHAPES, v=SHAPES, more=MORES, share=SHARES)
def test_gap_falls_with_its_floor(
    u: Fraction, v: Fraction, more: Fraction, share: Fraction
) -> None:
    assume(u != v)
    order = order_inside((u,), (v,), share)
    assert 0 < gamma_gap(u + more, v + more, order) < gamma_gap(u, v, order)


@repeatable
@given(floor=SHAPES, step=STEPS, more=MORES, share=SHARES)
def test_gap_rises_with_the_change(
    floor: Fraction, step: Fraction, more: Fraction, share: Fraction
) -> None:
    order = 1 + share * floor / (step + more)
    for rank in (order, ONE):
        up = [gamma_gap(floor, floor + s, rank) for s in (step, step + more)]
        down = [gamma_gap(floor + s, floor, rank) for s in (step, step + more)]
        assert up[0] < up[1]
        assert down[0] < down[1]
    edge = floor / (order - 1)
    # F(x) is near -log x as x falls to 0: a million times closer adds log(10^6)/(order - 1).
    near, nearer = (
        gamma_gap(floor, floor + edge * (1 - Fraction(1, 10**digits)), order) for digits in (12, 18)
    )
    assert nearer - near > (ball(10**6).log() - ball(Fraction(1, 100))) / ball(order - 1)


def beta_moment(first: Fraction, second: Fraction) -> arb:
    """Integrate y^(first-1) (1-y)^(second-1) over (0, 1), with y/(1-y) = e^t, in two halves."""

    def half(power: Fraction) -> arb:
        rate, total = ball(power), ball(-(first + second))
        end = ball(ctx.prec) / rate

        def integrand(t: acb, cuts: Cuts) -> acb:
            return (-rate * t).exp() * cuts.power(1 + (-t).exp(), total)

        # The power lies below 1, which bounds what is cut off.
        return integrate(integrand, arb(0), end) + arb(0).union((-rate * end).exp() / rate)

    return half(first) + half(second)


@pytest.mark.parametrize(
    ("u", "v", "order"),
    [
        (("2", "3"), ("5/2", "2"), "3"),
        (("1/2", "7/4"), ("5/8", "2"), "2"),
        (("4", "1/3"), ("1", "1/4"), "7/2"),
    ],
)
def test_divergence_of_dirichlet_laws(u: tuple[str, ...], v: tuple[str, ...], order: str) -> None:
    """Two coordinates: e^((order-1) D) as an integral of densities."""
    one, other, rank = law_of_one(*u), law_of_one(*v), Fraction(order)
    moment = beta_moment(*(far_point(a, b, rank) for a, b in zip(one, other, strict=True)))
    norms = [log_gamma(a) + log_gamma(b) - log_gamma(a + b) for a, b in (one, other)]
    logarithm = moment.log() + ball(rank - 1) * norms[1] - ball(rank) * norms[0]
    assert meets(logarithm / ball(rank - 1), divergence(one, other, rank))


@repeatable
@given(u=st.tuples(SHAPES, SHAPES, SHAPES), v=st.tuples(SHAPES, SHAPES, SHAPES), share=SHARES)
def test_divergence_splits(
    u: tuple[Fraction, ...], v: tuple[Fraction, ...], share: Fraction
) -> None:
    """The share of two coordinates together and their ratio are independent."""
    order = order_inside(u, v, share)
    assume(u[:2] != v[:2] and (sum(u[:2]), u[2]) != (sum(v[:2]), v[2]))
    together = divergence((u[0] + u[1], u[2]), (v[0] + v[1], v[2]), order)
    assert meets(
        as_ball(together) + as_ball(divergence(u[:2], v[:2], order)), divergence(u, v, order)
    )


@repeatable
@given(u=SHAPES, order=between("9/8", "9"), rest=SHAPES)
def test_divergence_is_finite_exactly_inside(u: Fraction, order: Fraction, rest: Fraction) -> None:
    edge = order * u / (order - 1)
    hair = Fraction(1, 10**60)
    for beyond in (edge, edge + hair, 2 * edge):
        assert not as_ball(divergence((u, rest), (beyond, rest), order)).is_finite()
        assert as_ball(divergence((u, rest), (beyond, rest), order)) > 0
    inside = as_ball(divergence((u, rest), (edge - hair, rest), order))
    assert inside.is_finite()
    assert divergence((u,), (2 * edge,), order) == 0


@repeatable
@given(base=SHAPES, rises=st.lists(st.integers(0, 20), min_size=2, max_size=6), data=st.data())
def test_permuted_kullback_leibler_is_rational(
    base: Fraction, rises: list[int], data: st.DataObject
) -> None:
    u = tuple(base + rise for rise in rises)
    v = tuple(data.draw(st.permutations(u)))
    known = divergence(u, v, ONE)
    assert isinstance(known, Fraction)
    moved = [(a, b) for a, b in zip(u, v, strict=True) if a != b]
    direct = sum((ball(a - b) * ball(a).digamma() for a, b in moved), arb(0))
    assert known == 0 if not moved else meets(direct, known)
    assert divergence(u, v, ONE) == sum(
        ((a - b) * sum((1 / (base + j) for j in range(int(a - base))), ZERO) for a, b in moved),
        ZERO,
    )


@repeatable
@given(a=SHAPES, slope=between("-4", "9"), step=STEPS, more=MORES)
def test_square_times_trigamma_rises(
    a: Fraction, slope: Fraction, step: Fraction, more: Fraction
) -> None:
    assume(a + slope * (step + more) > 0)
    first, second = (ball(r**2) * trigamma(ball(a + slope * r)) for r in (step, step + more))
    assert first < second
    assert first > ball(step**2 / (a + slope * step))
    # Term by term as the note says: 1/((a + n)/r + slope)^2.
    for n in range(4):
        assert 1 / ((a + n) / step + slope) < 1 / ((a + n) / (step + more) + slope)


@repeatable
@given(epsilon=MORES, squared=MORES, largest=MORES)
def test_step_at_order_one(epsilon: Fraction, squared: Fraction, largest: Fraction) -> None:
    step = renyi.step(ONE, epsilon, squared, largest)
    assert meets(step**2 * ball(squared) * arb.pi() ** 2 / 12, epsilon)
    low, high = ends(step)
    with working_precision(400):
        below, above = (renyi.epsilon_bound(ONE, r, squared, largest) for r in (low, high))
        assert below < ball(epsilon) < above


@SOME
@given(order=between("65/64", "9"), epsilon=MORES, squared=MORES, largest=MORES)
def test_bracket_encloses_the_step(
    order: Fraction, epsilon: Fraction, squared: Fraction, largest: Fraction
) -> None:
    low, high = ends(renyi.step(order, epsilon, squared, largest))
    with working_precision(400):
        below, above = (renyi.epsilon_bound(order, r, squared, largest) for r in (low, high))
        assert below < ball(epsilon) < above


@repeatable
@given(a=between("0", "4"), slope=between("0", "4"), step=STEPS, more=MORES, share=SHARES)
def test_rises_along_rays(
    a: Fraction, slope: Fraction, step: Fraction, more: Fraction, share: Fraction
) -> None:
    assume(a + slope > 0)
    further = step + more
    # Finite at both points: (order - 1) step < alpha.
    order = 1 + share * min((a + slope * s) / s for s in (step, further))
    floors = [(s, a + slope * s) for s in (step, further)]
    for rank in (order, ONE):
        up = [gamma_gap(floor, floor + s, rank) for s, floor in floors]
        down = [gamma_gap(floor + s, floor, rank) for s, floor in floors]
        both = [tight(s, floor, rank) for s, floor in floors]
        for first, second in (up, down, both):
            assert first < second


VECTORS = st.lists(st.tuples(between("0", "5"), between("0", "5")), min_size=2, max_size=6).filter(
    lambda pairs: any(one != other for one, other in pairs)
)


def neighbours(
    pairs: list[tuple[Fraction, Fraction]], step: Fraction, alpha: Fraction
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction, Fraction]:
    """Return u, v of Dirichlet(step f + alpha), and by how much f changes in both norms."""
    u, v = (tuple(step * pair[end] + alpha for pair in pairs) for end in range(2))
    changes = [abs(one - other) for one, other in pairs]
    return u, v, sum((change**2 for change in changes), ZERO), max(changes)


@repeatable
@given(pairs=VECTORS, step=MORES, order=ORDERS, room=MORES)
def test_equation_eighteen(
    pairs: list[tuple[Fraction, Fraction]], step: Fraction, order: Fraction, room: Fraction
) -> None:
    """Random inputs, whole counts or not, never exceed it, for any alpha above its edge."""
    largest = max(abs(one - other) for one, other in pairs)
    alpha = room + (order - 1) * step * largest
    u, v, squared, largest = neighbours(pairs, step, alpha)
    bound = renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)
    assert guarantee.is_below_eighteen((u, v), order, bound)
    line_1 = renyi.epsilon_bound(order, step, squared, largest)
    at_line_2 = 1 + 4 * (order - 1) * step * largest
    assert meets(renyi.epsilon_bound_alpha(order, step, at_line_2, squared, largest), line_1)


@repeatable
@given(order=between("9/8", "9"), step=MORES, largest=MORES, share=between("1/64", "1"))
def test_equation_eighteen_ends_at_its_edge(
    order: Fraction, step: Fraction, largest: Fraction, share: Fraction
) -> None:
    edge = (order - 1) * step * largest
    alpha = share * edge
    bound = renyi.epsilon_bound_alpha(order, step, alpha, largest**2, largest)
    u, v = (alpha, alpha), (alpha + step * largest, alpha)
    for value in (bound, as_ball(divergence(u, v, order))):
        assert value > 0
        assert not value.is_finite()
    just_above = edge + Fraction(1, 10**60)
    assert renyi.epsilon_bound_alpha(order, step, just_above, largest**2, largest).is_finite()


@repeatable
@given(pairs=VECTORS, step=MORES, order=ORDERS, room=MORES)
def test_sensitivity_bound(
    pairs: list[tuple[Fraction, Fraction]], step: Fraction, order: Fraction, room: Fraction
) -> None:
    """Random inputs, whole counts or not, never exceed it."""
    largest = max(abs(one - other) for one, other in pairs)
    alpha = room + (order - 1) * step * largest
    u, v, squared, largest = neighbours(pairs, step, alpha)
    bound = epsilon_sensitivity(order, step, alpha, squared, largest)
    assert as_ball(divergence(u, v, order)) < bound
    assert as_ball(divergence(v, u, order)) < bound
    spread, large = both_terms(order, step, alpha, squared, largest)
    assert meets(bound, spread.max(large))


def both_terms(
    order: Fraction, step: Fraction, alpha: Fraction, squared: Fraction, largest: Fraction
) -> tuple[arb, arb]:
    """Return what many small changes and what few large ones cost."""
    spread = ball(squared * order * step**2 / 2) * trigamma(ball(alpha))
    large = ball(squared / largest**2) * gamma_gap(alpha, alpha + step * largest, order)
    return spread, large


@repeatable
@given(order=ORDERS, step=MORES, room=MORES, squared=MORES, largest=MORES)
def test_sensitivity_bound_is_never_above_eighteen(
    order: Fraction, step: Fraction, room: Fraction, squared: Fraction, largest: Fraction
) -> None:
    for rank in (order + Fraction(1, 64), ONE):
        point = (rank, step, room + (rank - 1) * step * largest, squared, largest)
        tighter, printed = epsilon_sensitivity(*point), renyi.epsilon_bound_alpha(*point)
        assert meets(tighter, printed) if rank == 1 else tighter < printed


@repeatable
@given(order=between("2", "9"), step=MORES, room=MORES, squared=MORES, largest=MORES)
def test_one_large_step_is_worst(
    order: Fraction, step: Fraction, room: Fraction, squared: Fraction, largest: Fraction
) -> None:
    alpha = room + (order - 1) * step * largest
    spread, large = both_terms(order, step, alpha, squared, largest)
    assert spread < large
    smaller = both_terms(order, step, alpha, squared, largest / 2)[1]
    assert smaller < large
    assert meets(epsilon_sensitivity(order, step, alpha, squared, largest), large)
    # Near order 1 many small changes are worse.
    spread, large = both_terms(1 + Fraction(1, 10**9), step, alpha, squared, largest)
    assert spread > large


@repeatable
@given(order=between("2", "6"), step=MORES, room=MORES, m=st.integers(1, 4))
def test_sensitivity_bound_is_approached(
    order: Fraction, step: Fraction, room: Fraction, m: int
) -> None:
    alpha = room + (order - 1) * step
    bound = epsilon_sensitivity(order, step, alpha, Fraction(m), ONE)
    costs = [
        as_ball(divergence((alpha,) * m + (huge,), (alpha + step,) * m + (huge,), order))
        for huge in (Fraction(10) ** digits for digits in (3, 6, 9))
    ]
    assert all(first < second for first, second in pairwise([*costs, bound]))
    assert bound - costs[-1] < ball(Fraction(1, 1000)) * bound


@repeatable
@given(pairs=VECTORS, step=MORES, order=ORDERS, room=MORES, least=MORES)
def test_known_lower_bound(
    pairs: list[tuple[Fraction, Fraction]],
    step: Fraction,
    order: Fraction,
    room: Fraction,
    least: Fraction,
) -> None:
    """Inputs of at least b cost no more than alpha + step b does, even at a smaller alpha."""
    raised = [(one + least, other + least) for one, other in pairs]
    largest = max(abs(one - other) for one, other in pairs)
    floor = step * least + room + (order - 1) * step * largest
    u, v, squared, largest = neighbours(raised, step, floor - step * least)
    cost = as_ball(divergence(u, v, order))
    assert cost < epsilon_sensitivity(order, step, floor, squared, largest)
    assert cost < renyi.epsilon_bound_alpha(order, step, floor, squared, largest)
    if order > 1:
        wider = largest + least / (3 * (order - 1))
        argument = 1 + step * least + 3 * (order - 1) * step * largest
        remark = ball(order * step**2 * squared / 2) * trigamma(ball(argument))
        assert meets(renyi.epsilon_bound(order, step, squared, wider), remark)


@repeatable
@given(alpha=SHAPES, step=STEPS)
def test_largest_order(alpha: Fraction, step: Fraction) -> None:
    """Finite just below it, infinite at it, for a replaced record and for an added one."""
    edge, hair = renyi.largest_order(alpha, step), Fraction(1, 10**60)
    for cost in (profile.renyi, add_remove.renyi):
        assert as_ball(cost(alpha, step, edge - hair)).is_finite()
        assert not as_ball(cost(alpha, step, edge)).is_finite()


@repeatable
@given(
    u=st.lists(between("0", "4"), min_size=2, max_size=4),
    v=st.lists(between("0", "4"), min_size=2, max_size=4),
    step=MORES,
    room=MORES,
    order=ORDERS,
)
def test_moved_record_costs_no_more(
    u: list[Fraction], v: list[Fraction], step: Fraction, room: Fraction, order: Fraction
) -> None:
    alpha = room + (order - 1) * step
    leaves, enters = (tuple(alpha + step * entry for entry in each) for each in (u, v))
    before, after = (leaves[0] + step, *leaves[1:]), (enters[0] + step, *enters[1:])
    cost = as_ball(divergence(before, leaves, order)) + as_ball(divergence(enters, after, order))
    assert cost < tight(step, alpha, order)
    huge = Fraction(10**9)
    near = as_ball(divergence((alpha + step, huge), (alpha, huge), order))
    near += as_ball(divergence((alpha, huge), (alpha + step, huge), order))
    exact = tight(step, alpha, order)
    assert near < exact < near * (1 + ball(Fraction(1, 1000)))


@repeatable
@given(
    alpha=MORES,
    step=MORES,
    share=SHARES,
    delta=between("1/64", "1/2"),
    ratio=between("65/64", "9"),
)
def test_conversion_to_approximate_privacy(
    alpha: Fraction, step: Fraction, share: Fraction, delta: Fraction, ratio: Fraction
) -> None:
    """The inequality of the proof, and the promise kept by the exact profile."""
    order = 1 + share * alpha / step
    excess = ball(order - 1)
    peak = (ball(order) * ball(1 - 1 / order).log()).exp() / excess
    assert meets(ball(1 / order) * (excess * ball(1 - 1 / order).log()).exp(), peak)
    assume(ratio != order / (order - 1))
    assert ball(1 - 1 / ratio) < peak * (excess * ball(ratio).log()).exp()
    cost = enclosure_of(tight(step, alpha, order)).upper
    assert isinstance(cost, Fraction)
    promised = enclosure_of(to_approximate_dp(order, cost, delta)).upper
    assert isinstance(promised, Fraction)
    assert promised >= 0
    assert as_ball(profile.delta(alpha, step, promised)) < ball(delta)


@each_of("order", [2, 3, 7, 40])
def test_conversion_ties(order: int) -> None:
    """The tie itself is exactly 0, and a hair beside it is told apart."""
    tie, hair = Fraction(order - 1, order) ** (order - 1) / order, Fraction(1, 10**30)
    rank = Fraction(order)
    assert to_approximate_dp(rank, ZERO, tie) == 0
    assert to_approximate_dp(rank, ZERO, tie * (1 + hair)) == 0
    assert as_ball(to_approximate_dp(rank, ZERO, tie * (1 - hair))) > 0
    assert as_ball(to_approximate_dp(rank, hair, tie)) > 0
    # (b + 1)^q - b^q > q: no tie between whole orders.
    assert all((b + 1) ** q - b**q > q for b in range(1, 9) for q in range(2, 9))


def test_recorded_steps() -> None:
    """Digits that are cut off, not rounded."""
    for step in ends(renyi.step(Fraction(5), Fraction(1, 10), Fraction(2), ONE)):
        for value, text in ((step, "0.2775676898960677"), (1 + 16 * step, "5.441083038337083")):
            places = 10 ** len(text.split(".")[1])
            assert int(value * places) == int(Fraction(text) * places)


@each_of(
    "order, step, printed, exact",
    [
        (2, "0.01", "3.151250e-4", "3.086160e-4"),
        (2, "0.1", "0.02268507", "0.01962858"),
        (2, "1", "0.5676459", "0.4054651"),
        (2, "10", "6.556790", "4.488003"),
        (20, "0.1", "0.03218876", "0.02474723"),
        (20, "10", "3.505696", "2.641706"),
        (200, "0.01", "3.085087e-3", "2.382149e-3"),
        (200, "10", "3.349803", "2.537760"),
    ],
)
def test_recorded_bounds(order: int, step: str, printed: str, exact: str) -> None:
    rank, r = Fraction(order), Fraction(step)
    assert rounds_to(renyi.epsilon_bound(rank, r, Fraction(2), ONE), printed)
    assert rounds_to(tight(r, 1 + 4 * (rank - 1) * r, rank), exact)


EPSILONS = ("0.001", "0.1", "1", "10")
SPENT = {
    2: ("0.964", "0.787", "0.701", "0.683"),
    5: ("0.937", "0.764", "0.740", "0.737"),
    20: ("0.885", "0.759", "0.754", "0.753"),
    200: ("0.795", "0.758", "0.758", "0.758"),
}
GAINED = {
    2: ("1.019", "1.199", "1.398", "1.460"),
    5: ("1.038", "1.279", "1.347", "1.356"),
    20: ("1.083", "1.311", "1.326", "1.327"),
    200: ("1.222", "1.318", "1.320", "1.320"),
}


@each_of(
    "order, epsilon, share",
    [
        *(
            (order, *pair)
            for order, row in SPENT.items()
            for pair in zip(EPSILONS, row, strict=True)
        ),
        (1, "10", "0.411"),
        (1, "1000", "0.094"),
    ],
)
def test_recorded_shares(order: int, epsilon: str, share: str) -> None:
    rank = Fraction(order)
    step = ends(renyi.step(rank, Fraction(epsilon), Fraction(2), ONE))[0]
    spent = tight(step, 1 + 4 * (rank - 1) * step, rank)
    assert rounds_to(spent / ball(Fraction(epsilon)), share)


@each_of(
    "order, epsilon, gain",
    [(order, *pair) for order, row in GAINED.items() for pair in zip(EPSILONS, row, strict=True)],
)
def test_recorded_tight_steps(order: int, epsilon: str, gain: str) -> None:
    rank, target = Fraction(order), ball(Fraction(epsilon)).log()
    step = renyi.step(rank, Fraction(epsilon), Fraction(2), ONE)
    largest = positive_root(
        lambda r: tight(r, 1 + 4 * (rank - 1) * r, rank).log() - target, start=ends(step)[0]
    )
    assert rounds_to(largest / step, gain)


@pytest.mark.parametrize(
    ("order", "floor"), [(2, "10.12663"), (20, "0.396980"), (200, "0.0262166")]
)
def test_recorded_floors(order: int, floor: str) -> None:
    least = to_approximate_dp(Fraction(order), ZERO, Fraction(1, 10**5))
    assert rounds_to(least, floor)
    assert as_ball(least) < as_ball(
        to_approximate_dp(Fraction(order), Fraction(1, 10**9), Fraction(1, 10**5))
    )


@pytest.mark.parametrize(("order", "cost"), [(2, "2.13499"), (5, "3.32926"), (20, "3.92940")])
def test_wrong_alpha_breaks_the_promise(order: int, cost: str) -> None:
    rank = Fraction(order)
    step = ends(renyi.step(rank, ONE, Fraction(2), ONE))[0]
    assert rounds_to(tight(step, 1 + (rank - 1) * step, rank), cost)
