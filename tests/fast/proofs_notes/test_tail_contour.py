"""The laws of proofs_notes/tail-contour.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import factorial
from random import Random
from typing import TYPE_CHECKING

import pytest
from ball_checks import meets, seeded
from each import each_of
from flint import acb, arb
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.arb.incomplete_gamma import Expansion
from simplexcert.reference.arb.integration import integrate
from simplexcert.reference.dirichlet.tail.contour import Truncation, planned_line, trapezoid_rule
from simplexcert.reference.dirichlet.tail.event import Miss
from simplexcert.reference.dirichlet.tail.transform import (
    UpperBounds,
    geometric_sum,
    probability_of_any,
)
from simplexcert.reference.dirichlet.tail.wedge import Majorant, bent_integral, planned_wedge

if TYPE_CHECKING:
    from simplexcert.reference.arb.incomplete_gamma import Kind
    from simplexcert.reference.arb.integration import Cuts

# FLINT's own incomplete gammas need about 2 |z| bits more than they give.
ROOMY = 400


def uniform(count: int, rest: int, gamma: Fraction) -> Miss:
    """All protected parameters 1, so that delta(x) = 1 - (1 - count x)_+^(k-1)."""
    return Miss.of([Fraction(1)] * count, Fraction(rest), gamma)


def uniform_tail(event: Miss, level: arb) -> arb:
    room = 1 - event.count * level
    return 1 - room ** int(event.total - 1) if room > 0 else arb(1)


def lower_part(alpha: Fraction, point: acb) -> acb:
    """Return P(alpha, point) by FLINT's 1F1, with bits to spare."""
    with working_precision(ROOMY):
        a = ball(alpha)
        front = point.pow(acb(a)) * (-point).exp() * (a + 1).rgamma()
        return front * point.hypgeom_1f1(acb(1), acb(a + 1))


def missed(event: Miss, point: acb) -> acb:
    """Return H(s) by FLINT's 1F1."""
    with working_precision(ROOMY):
        parts = [(lower_part(a, ball(event.gamma) * point), n) for a, n in event.groups]
        return probability_of_any([(p, 1 - p, n) for p, n in parts])


def scaled_size(event: Miss, crossing: arb, point: acb) -> arb:
    """Return |F(s)| / (e^sigma sigma^-k)."""
    power = (point / crossing).pow(acb(-ball(event.total)))
    return abs((point - crossing).exp() * power * missed(event, point))


def some_alpha(rng: Random) -> Fraction:
    return Fraction(rng.choice([rng.uniform(0.05, 1), 1, rng.uniform(1, 30)]))


EVENTS = [
    Miss.of([Fraction(2), Fraction(5, 2)], Fraction(3, 2), Fraction(1, 10)),
    Miss.of([Fraction(1, 2)] * 3 + [Fraction(12)], Fraction(0), Fraction(1, 20)),
    Miss.of([Fraction(20)] * 2, Fraction(1, 3), Fraction(9, 20)),
    Miss.of([Fraction(7)], Fraction(40), Fraction(1, 50)),
]


@pytest.mark.parametrize(("count", "rest"), [(2, 1), (4, 0), (3, 5)])
def test_transform(count: int, rest: int) -> None:
    """The integral of e^(-st) t^(k-1) delta(gamma/t), split where delta becomes 1."""
    event, s = uniform(count, rest, Fraction(1, 20)), arb(40)
    power, level = int(event.total) - 1, ball(event.gamma)

    def beyond(t: acb, _: Cuts) -> acb:
        return (-s * t).exp() * (t**power - (t - count * level) ** power)

    edge = count * level
    left = integrate(lambda t, _: (-s * t).exp() * t**power, arb(0), edge)
    right = integrate(beyond, edge, arb(8))  # e^(-320) of it is left out
    transform = factorial(power) * s ** (-power - 1) * missed(event, acb(s)).real
    assert meets(left + right + arb(0, 1e-60), transform, 100)


def test_parts_of_a_union() -> None:
    rng = seeded(1)
    for _ in range(instances(8, 20)):
        parts = [
            (Fraction(rng.randint(1, 99), 10 ** rng.randint(2, 30)), rng.randint(1, 9))
            for _ in range(4)
        ]
        none = Fraction(1)
        for p, n in parts:
            none *= (1 - p) ** n
            total, power = geometric_sum(acb(ball(1 - p)), n)
            assert meets(total.real, ball((1 - (1 - p) ** n) / p), 140)
            assert meets(power.real, ball((1 - p) ** n), 140)
        found = probability_of_any([(acb(ball(p)), acb(ball(1 - p)), n) for p, n in parts])
        assert meets(found.real, ball(1 - none), 140)  # not lost with the small ones


def test_upper_part_bounds() -> None:
    rng = seeded(2)
    for _ in range(instances(50, 150)):
        alpha = some_alpha(rng)
        z = acb(rng.uniform(-20, 40), rng.choice([-1, 1]) * rng.uniform(0.1, 40))
        with working_precision(ROOMY):
            upper = abs(1 - lower_part(alpha, z)) * z.real.exp()
        size, height = abs(z), abs(z.imag)
        bounds = UpperBounds(Miss.of([alpha], Fraction(1), Fraction(1, 2)))
        (log,) = bounds.logarithms(size, size if z.real > 0 else height)
        assert upper.rel_accuracy_bits() > 40
        assert upper <= log.exp() or upper.overlaps(log.exp())
        if alpha > 1:
            reach = arb(rng.uniform(0.1, 60))
            scaled = [r.gamma_upper(ball(alpha)) * r.exp() for r in (reach, 2 * reach)]
            assert scaled[1] < scaled[0] * arb(2) ** ball(alpha - 1)


def test_lower_part_bound() -> None:
    rng = seeded(3)
    for _ in range(instances(33, 100)):
        alpha, z = some_alpha(rng), acb(rng.uniform(0.1, 30), rng.uniform(0.1, 60))
        most = (abs(z) / z.real) ** ball(alpha) * lower_part(alpha, acb(z.real)).real
        size = abs(lower_part(alpha, z))
        assert size.rel_accuracy_bits() > 40
        assert size < most


@each_of("event", EVENTS)
def test_decay(event: Miss) -> None:
    """|H| <= 1 + prod |Q|, each with its bound, on a line, on a slant and between."""
    rng = seeded(4)
    for _ in range(instances(10, 30)):
        s = acb(rng.uniform(-60, 20), rng.uniform(1, 120))
        bound = Majorant(event, 10.0).at(abs(s), s.real, abs(s.imag))
        size = scaled_size(event, arb(10), s)
        assert size.rel_accuracy_bits() > 20
        assert size < bound
    # Near the negative axis |Gamma(a, z)| e^(Re z) is above |z|^(a-1), a < 1.
    below_one, s = Miss.of([Fraction(1, 2)] * 3, Fraction(1, 4), Fraction(1, 5)), acb(-100, 1)
    bound = Majorant(below_one, 10.0).at(abs(s), s.real, abs(s.imag))
    by_size = Majorant(below_one, 10.0).at(abs(s), s.real, abs(s))
    assert by_size < scaled_size(below_one, arb(10), s) < bound
    assert event.total - sum(n * (a - 1) for a, n in event.groups) == event.count + event.rest


@each_of("event", EVENTS)
def test_inversion(event: Miss) -> None:
    """A line and a bent path, and the incomplete beta where there is one coordinate."""
    straight, bent = planned_line(event, 40), planned_wedge(event, 100)
    assert bent is not None
    found = bent_integral(event, bent)
    assert found.rel_accuracy_bits() > 90
    if straight is not None:
        with working_precision(straight.bits):
            assert meets(trapezoid_rule(event, straight), found, 30)
    if event.count == 1:
        direct = regularised_incomplete_beta(event.groups[0][0], event.rest, event.gamma)
        assert meets(found, direct, 90)


@pytest.mark.parametrize("step", [3.0, 9.0, 40.0])
def test_aliases(step: float) -> None:
    """The rule with a coarse step is delta and its aliases, each of them known here."""
    event, crossing = uniform(2, 48, Fraction(1, 5000)), arb(45)
    k, h = ball(event.total), arb(step)
    rule = arb(0)
    for j in range(int(2000 / step)):
        s = acb(crossing, j * h)
        term = (s - k * s.log()).exp() * missed(event, s)
        rule += (1 if j == 0 else 2) * term.real
    rule *= k.gamma() * h / (2 * arb.pi())
    total = arb(0)
    for m in range(-20, 60):
        ratio = 1 + 2 * arb.pi() * m / h
        if ratio > 0:
            weight = (-crossing * (ratio - 1)).exp() * ratio ** (k - 1)
            total += weight * uniform_tail(event, ball(event.gamma) / ratio)
    assert meets(rule, total, 60)
    delta = uniform_tail(event, ball(event.gamma))
    assert delta < total
    planned = Truncation(event, 45.0).aliases(step, total)
    assert total - delta < planned or (total - delta).overlaps(planned)


def test_weights_shrink() -> None:
    rng = seeded(5)
    for _ in range(instances(16, 50)):
        event = uniform(2, rng.randint(1, 200), Fraction(1, 10))
        bounds = Truncation(event, rng.uniform(0.1, 1.5) * float(event.total))
        apart = rng.uniform(0.01, 0.2)
        logs = [bounds.log_weight(arb(m * apart)) for m in range(-4, 8)]
        steps = [after - before for before, after in pairwise(logs)]
        assert all(after < before for before, after in pairwise(steps))


def test_one_coordinate_at_a_time() -> None:
    rng = seeded(6)
    for _ in range(instances(13, 40)):
        event = uniform(rng.randint(1, 6), rng.randint(1, 60), Fraction(rng.randint(1, 99), 1000))
        bound = Truncation(event, 10.0).probability(arb(1))
        delta = uniform_tail(event, ball(event.gamma))
        assert delta < bound or meets(delta, bound, 100)  # equal for one coordinate and k = 2
        alpha, rest, x = some_alpha(rng), some_alpha(rng), Fraction(rng.randint(1, 999), 1000)
        single = Miss.of([alpha], rest, x)
        found = regularised_incomplete_beta(alpha, rest, x)
        closed = Truncation(single, 10.0).probability(arb(1))
        assert found.rel_accuracy_bits() > 100
        assert found < closed or meets(found, closed, 100)


def test_nodes_beyond_the_last() -> None:
    """The sum of a power over the nodes, its own rest included, stays below the bound."""
    for sigma, step, nodes, power in [(5, 0.5, 3, 1.5), (50, 4, 30, 6), (1, 9, 1, 3)]:
        last = acb(sigma, step * nodes)
        start, p = abs(last), arb(power)
        terms = [(abs(acb(sigma, step * (nodes + j))) / start) ** (-p) for j in range(1, 2000)]
        bound = start**2 / (arb(step) * last.imag * (p - 1))
        assert sum(terms, arb(0)) < bound
        for v in (0.1, 3.0, 100.0):
            size = abs(last + acb(0, v)) / start
            assert size >= 1 + v * last.imag / start**2


@each_of("event", EVENTS)
@each_of("step, nodes", [(1.0, 8), (4.0, 5), (7.0, 20)])
def test_two_bounds_on_the_tail(event: Miss, step: float, nodes: int) -> None:
    """Nodes that are left out weigh less than the bound, and than each of its two parts."""
    crossing = 12.0
    lower = [lower_part(a, acb(ball(event.gamma) * arb(crossing))).real for a, _ in event.groups]
    bounds = Truncation(event, crossing)
    omitted = [
        scaled_size(event, arb(crossing), acb(crossing, step * j))
        for j in range(nodes + 1, nodes + 25)
    ]
    assert all(size.rel_accuracy_bits() > 20 for size in omitted)
    assert sum(omitted, arb(0)) < bounds.tail(step, nodes, lower)
    height = arb(step) * nodes
    ratio = (abs(acb(crossing, height)) / crossing).log()
    point = bounds.gamma * abs(acb(crossing, height))
    logs = [x - bounds.gamma * crossing for x in bounds.upper.logarithms(point, point)]
    scale = abs(acb(crossing, height)) ** 2 / (arb(step) * height)
    for part in (bounds._plain(ratio, logs), bounds._by_parts(ratio, logs, lower)):
        assert sum(omitted, arb(0)) < scale * part


@each_of("event", EVENTS)
@each_of("length", [10.0, 25.0, 80.0])
def test_end_of_the_path(event: Miss, length: float) -> None:
    """From there on |F| stays below what the bound integrates: M(L) e^(-(1 - w gamma)(r - L))."""
    crossing, left = arb(10), ball(1 - event.count * event.gamma)
    end = Majorant(event, 10.0).at(abs(acb(10 - length, length)), arb(10 - length), arb(length))
    assert meets(Majorant(event, 10.0).cut_off(length), arb(2).sqrt() * end / left, 100)
    for j in range(40):
        r = length + j * arb(0.5)
        here = scaled_size(event, crossing, acb(crossing - r, r))
        assert here.rel_accuracy_bits() > 10
        assert here < end * (-left * (r - length)).exp()


def expansion_gap(kind: Kind, alpha: Fraction, z: acb, terms: int) -> tuple[arb, acb]:
    """Return the radius of an expansion's answer for P and its distance from the truth."""
    found = Expansion(alpha, kind, terms).both(z, z.log())[0]
    return found.real.rad() + found.imag.rad(), found.mid() - lower_part(alpha, z)


def expansions_hold(kind: Kind) -> None:
    """Any number of terms: the truth is within the rest, which is not far above it."""
    rng, told = seeded(7), 0
    for _ in range(80):
        alpha, terms = some_alpha(rng), rng.randint(1, 50)
        z = acb(rng.uniform(-20, 40), rng.uniform(1, 40))
        radius, gap = expansion_gap(kind, alpha, z, terms)
        if radius.is_finite():
            told += 1
            assert abs(gap.real) <= radius or abs(gap.real).overlaps(radius)
            assert abs(gap.imag) <= radius or abs(gap.imag).overlaps(radius)
    assert told > 20


def test_rising_expansion() -> None:
    expansions_hold("rising")


def test_entire_expansion() -> None:
    expansions_hold("entire")


def test_falling_expansion() -> None:
    """Besides, the recurrence by parts: Gamma(a, z) = z^(a-1) e^-z + (a-1) Gamma(a-1, z)."""
    expansions_hold("falling")
    # Near the negative axis the first term left out is no bound.
    half, z = Fraction(1, 2), acb(-5, arb("0.05"))
    radius, gap = expansion_gap("falling", half, z, 4)
    assert abs(gap) < radius
    next_term = abs(z) ** -4.5 * arb(5).exp() / arb(0.5).gamma() * arb("6.5625")
    assert abs(gap) > 2 * next_term
    rng = seeded(8)
    for _ in range(instances(8, 20)):
        a, z = ball(some_alpha(rng)), arb(rng.uniform(0.5, 20))
        step = z ** (a - 1) * (-z).exp() + (a - 1) * z.gamma_upper(a - 1)
        assert meets(z.gamma_upper(a), step)


@each_of("event", EVENTS)
def test_one_saddle(event: Miss) -> None:
    """Log F is convex on the axis, and still rises at s = k."""

    def height(s: float) -> arb:
        value = acb(s)
        k = ball(event.total)
        return (value.real - k * value.real.log()) + missed(event, value).real.log()

    k = float(event.total)
    points = [k * x for x in (0.05, 0.1, 0.3, 0.6, 1.0, 1.4)]
    for low, high in pairwise(points):
        middle = height((low + high) / 2)
        assert 2 * middle < height(low) + height(high)
    assert height(k) < height(k * 1.001)
