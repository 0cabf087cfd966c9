"""The laws of proofs_notes/known-laws-renyi.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

import gmpy2
from ball_checks import seeded
from flint import acb, arb
from simplexcert.reference import evaluate, laplace
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.pufferfish.divergences import Atoms, atoms_of, largest_move
from simplexcert.reference.pufferfish.gaussian_renyi import (
    _Law,
    _PowerMean,
    gaussian_power_mean,
    gaussian_renyi,
)
from simplexcert.reference.pufferfish.laplace_profile import laplace_hockey_stick
from simplexcert.reference.pufferfish.laplace_renyi import (
    Power,
    _Density,
    _Interval,
    laplace_power_mean,
    laplace_renyi,
)
from simplexcert.reference.pufferfish.least_renyi import largest_scale
from simplexcert.reference.second.directed import Span
from simplexcert.reference.second.pufferfish import gaussian_renyi as second_gaussian
from simplexcert.reference.second.pufferfish import laplace_renyi as second_laplace
from simplexcert.reference.structures import LineLaw

ORDERS = [Fraction(11, 10), Fraction(2), Fraction(7, 2), Fraction(20)]


def random_masses(random: Random, most: int = 4) -> dict[Fraction, Fraction]:
    points = random.sample(range(9), random.randint(1, most))
    weights = [random.choice((1, 2, 7, 1000)) for _ in points]
    return {Fraction(at): Fraction(w, sum(weights)) for at, w in zip(points, weights, strict=True)}


def laws(number: int, count: int = 6) -> Iterator[tuple[Atoms, Atoms, Random]]:
    """Two random laws that differ."""
    random = seeded(number)
    for _ in range(count):
        one, other = random_masses(random), random_masses(random)
        if one != other:
            yield atoms_of(one.items()), atoms_of(other.items()), random


def line_law(law: Atoms) -> LineLaw:
    masses = tuple(Fraction(weight, law.total) for weight in law.weights)
    return LineLaw(tuple(map(Fraction, law.points)), masses)


def normal(law: _Law, at: acb) -> acb:
    """The density, term by term."""
    parts = (
        mass * (-((at - law.first - point) * (at - law.first - point)) / 2).exp()
        for point, mass in zip(law.points, law.masses, strict=True)
    )
    return sum(parts, acb(0))


def interval(random: Random, order: Fraction) -> _Interval:
    above, below = (
        _Density(arb(random.randint(0, 30)), arb(random.randint(1, 30))) for _ in range(2)
    )
    return _Interval(above, below, arb(random.randint(1, 40)) / 8, Power(order))


def test_laplace_strip() -> None:
    random = seeded(1)
    for order in ORDERS:
        cell = interval(random, order)
        for _ in range(10):
            real, height = arb(random.randint(-40, 60)) / 8, arb(random.randint(0, 11)) / 8
            for density, value in zip((cell._above, cell._below), cell.at(real), strict=True):
                s = acb(real, height)
                size = abs(density.falling * (-s).exp() + density.rising * (s - cell._length).exp())
                assert not size > value
                assert not size < value * height.cos()
            low, high = sorted((arb(random.randint(-40, 60)) / 8 for _ in range(2)), key=float)
            inner = low + (high - low) * random.randint(0, 8) / 8
            most = cell._power.bound((cell.at(low), cell.at(high)))
            assert not cell._power.mean(*cell.at(inner)) > most


def test_gauss_error() -> None:
    random = seeded(2)
    for order in ORDERS:
        cell = interval(random, order)

        def integrand(s: acb, cuts: Cuts, cell: _Interval = cell, order: Fraction = order) -> acb:
            p, r = (
                one.falling * (-s).exp() + one.rising * (s - cell._length).exp()
                for one in (cell._above, cell._below)
            )
            return cuts.power(p, ball(order)) * cuts.power(r, ball(1 - order))

        exact = integrate(integrand, arb(0), cell._length)
        for bits in (10, 30, 60):
            found = cell.enclosed(exact * arb(2) ** -bits)
            assert found.overlaps(exact)
            assert found.rad() < exact * arb(2) ** (6 - bits)


def test_power_series() -> None:
    for first, second, random in laws(3, 4):
        scale, order = Fraction(random.randint(4, 30), 8), random.choice(ORDERS)
        masses = [
            {Fraction(at): Fraction(w, law.total) for at, w in zip(*law, strict=True)}
            for law in (first, second)
        ]
        mean = second_laplace.laplace_power_mean(scale, order)(masses[0], masses[1], 64)
        found = laplace_power_mean(first, second, scale, order)
        assert mean.low_fraction <= Fraction(str(found.upper().str(60, radius=False)))
        assert mean.is_within(40)
        low, high = (ball(end) for end in (mean.low_fraction, mean.high_fraction))
        assert low.union(high).overlaps(found)


def test_gaussian_strip() -> None:
    for one, other, random in laws(4):
        scale = Fraction(random.randint(2, 30), 8)
        for law in (_Law(one, scale), _Law(other, scale)):
            width = float(law.variance)
            for _ in range(8):
                real = arb(random.randint(-40, 120)) / 8
                height = arb(random.random() * min(2.0, 1.4 / width**0.5 if width else 2.0))
                size = abs(normal(law, acb(real, height)))
                value = normal(law, acb(real)).real * (height * height / 2).exp()
                assert not size > value
                assert not size < value * (1 - height * height * law.variance / 2)


def test_variance_over_all_outcomes() -> None:
    for one, other, random in laws(5):
        for law in (_Law(one, Fraction(1, 3)), _Law(other, Fraction(3, 2))):
            for _ in range(20):
                chances = law.chances(arb(random.randint(-40, 400)) / 16)
                mean = sum((c * x for c, x in zip(chances, law.points, strict=True)), arb(0))
                parts = (
                    c * (x - mean) * (x - mean) for c, x in zip(chances, law.points, strict=True)
                )
                assert not sum(parts, arb(0)) > law.variance


def test_trapezoid_error() -> None:
    for first, second, random in laws(6, 4):
        scale, order = Fraction(random.randint(4, 30), 8), random.choice(ORDERS)
        with working_precision(40):
            rough = gaussian_power_mean(first, second, scale, order)
        with working_precision(160):
            fine = gaussian_power_mean(first, second, scale, order)
        assert rough.overlaps(fine)
        assert rough.rad() < fine * arb(2) ** -20
        assert not fine < 1


def test_bounds_between_nodes() -> None:
    for first, second, random in laws(7, 4):
        scale, order = Fraction(random.randint(4, 30), 8), random.choice(ORDERS)
        rule = _PowerMean(_Law(first, scale), _Law(second, scale), order)
        for _ in range(6):
            low = random.randint(-200, 200)
            high = low + random.randint(1, 60)
            looks = rule._look(low), rule._look(high)
            stretch = rule._stretch(*looks)
            inner = [rule._log(rule._place(at)).exp() * rule._step for at in range(low, high)]
            assert not sum(inner, arb(0)) > stretch.most.exp()
        for way in (-1, 1):
            look, rest = rule._last(way, arb(2) ** -40)
            beyond = [
                rule._log(rule._place(look.number + way * at)).exp() * rule._step
                for at in range(1, 40)
            ]
            assert not sum(beyond, arb(0)) > rest


def test_fejer_error() -> None:
    for nodes in (16, 17):
        rule = second_gaussian._rule(nodes, 80)
        for degree in range(nodes):
            total = Span.of(0, 80)
            for node, weight in rule:
                power = Span.of(1, 80)
                for _ in range(degree):
                    power = power * node
                total = total + weight * power
            exact = Span.of(Fraction(2, degree + 1) if degree % 2 == 0 else Fraction(0), 80)
            assert not (total - exact).sign
            assert (total - exact).high < 2.0**-60
    for first, second, random in laws(8, 1):
        scale, order = Fraction(random.randint(8, 30), 8), random.choice(ORDERS[:3])
        given = {"mu": line_law(first), "nu": line_law(second), "scale": scale, "order": order}
        one, other = (
            evaluate("pufferfish.gaussian_renyi", given, digits=8, engine=engine)
            for engine in ("arb", "second")
        )
        assert one.narrow
        assert other.narrow
        assert one.lower <= other.upper
        assert other.lower <= one.upper


def test_at_most_point_masses() -> None:
    for first, second, random in laws(9):
        scale, order = Fraction(random.randint(2, 30), 8), random.choice(ORDERS)
        mu, nu, distance = line_law(first), line_law(second), largest_move(first, second)
        normal_noise = gaussian_renyi(mu, nu, scale, order)
        assert not normal_noise > ball(order * (distance / scale) ** 2 / 2)
        found = laplace_renyi(mu, nu, scale, order)
        assert not found > laplace.renyi(scale / distance, order)
        loss = evaluate("pufferfish.laplace_loss", mu=mu, nu=nu, scale=scale)
        assert not found > ball(Fraction(loss.upper))
        assert not ball(Fraction(loss.upper)) < laplace_renyi(mu, nu, scale, Fraction(200))


def rises_strictly(values: Sequence[arb]) -> bool:
    return all(one < other for one, other in pairwise(values))


def test_falls_with_scale() -> None:
    for first, second, _ in laws(10, 3):
        mu, nu = line_law(first), line_law(second)
        for renyi in (laplace_renyi, gaussian_renyi):
            scales = [Fraction(8), Fraction(3), Fraction(1)]
            assert rises_strictly([renyi(mu, nu, scale, Fraction(2)) for scale in scales])
            assert rises_strictly([renyi(mu, nu, Fraction(3), order) for order in ORDERS])


def test_least_scale_is_a_root() -> None:
    margin = Fraction(1, 10**9)
    for first, second, random in laws(11, 3):
        order, epsilon = random.choice(ORDERS[:3]), Fraction(random.randint(1, 16), 16)
        for noise, renyi in (("laplace", laplace_renyi), ("gaussian", gaussian_renyi)):
            found = largest_scale([(first, second)], noise, order, epsilon)
            mu, nu = line_law(first), line_law(second)
            if found > 0:
                near = Fraction(float(found))
                assert renyi(mu, nu, near * (1 + margin), order) < ball(epsilon)
                assert renyi(mu, nu, near * (1 - margin), order) > ball(epsilon)


def test_hockey_sticks_add_up() -> None:
    for first, second, random in laws(12, 3):
        scale, order = Fraction(random.randint(8, 30), 8), Fraction(random.choice((2, 3)))
        # From epsilon = -8 to 8; each H_t falls in t. Of t below 1 the other order's is used.
        steps = [Fraction(at, 16) for at in range(-128, 129)]
        sticks = [stick(first, second, scale, at) for at in steps]
        powers = [(ball(order - 1) * ball(at)).exp() / ball(order - 1) for at in steps]
        low, high = arb(0), powers[0]
        for at in range(len(steps) - 1):
            gained = powers[at + 1] - powers[at]
            low, high = low + gained * sticks[at + 1], high + gained * sticks[at]
        factor = ball(order * (order - 1))
        found = laplace_power_mean(first, second, scale, order)
        assert not found < factor * low
        if sticks[-1] == 0:
            assert not found > factor * high


def stick(first: Atoms, second: Atoms, scale: Fraction, epsilon: Fraction) -> arb:
    """H_t at any t = e^epsilon: below 1, 1 - t + t H_(1/t) of the other order."""
    if epsilon >= 0:
        return laplace_hockey_stick(first, second, scale, epsilon)
    t = ball(epsilon).exp()
    return 1 - t + t * laplace_hockey_stick(second, first, scale, -epsilon)


def test_several_releases() -> None:
    for secret in (0, 1):
        draws = [(secret ^ bit, bit) for bit in (0, 1)]
        assert sorted(xor for xor, _ in draws) == sorted(bit for _, bit in draws) == [0, 1]
        assert {xor ^ bit for xor, bit in draws} == {secret}


def test_rounded_to_nearest() -> None:
    for first, second, random in laws(14, 3):
        scale, order = Fraction(random.randint(4, 30), 8), random.choice(ORDERS)
        both = [
            second_gaussian._Law(
                {Fraction(at): Fraction(w, law.total) for at, w in zip(*law, strict=True)},
                scale,
                bits,
            )
            for law in (first, second)
            for bits in (60, 200)
        ]
        rule = second_gaussian._PowerMean(both[0], both[2], order, 40)
        fine = second_gaussian._PowerMean(both[1], both[3], order, 40)
        work = gmpy2.context(precision=60)
        for _ in range(20):
            at = Fraction(random.randint(-200, 400), 32)
            near = [law.near(gmpy2.mpfr(float(at)), work) for law in (both[0], both[2])]
            powers = [Span.of(power, 60).low for power in (order, order - 1)]
            log = work.sub(work.mul(powers[0], near[0]), work.mul(powers[1], near[1]))
            exact = fine._mixed(*(law.look(at)[0] for law in (both[1], both[3])))
            off = abs((Span(log, log) - exact).middle)
            assert off <= rule._rounded(at, 16).middle
