"""The laws of proofs_notes/laplace-profile.md: a test named for each heading.

Where e^(1/scale) is a rational number, densities at whole points are rational; where A, B and q are
squares of rational numbers, so are areas and crossings.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random

from ball_checks import seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball, middle
from simplexcert.reference.pufferfish.divergences import Atoms, atoms_of_law, laplace_loss
from simplexcert.reference.pufferfish.laplace_profile import (
    _area,
    _area_within,
    _Gap,
    _vanishes,
    laplace_delta,
    laplace_epsilon,
    laplace_hockey_stick,
    signed_weights,
    sums_of_weights,
)
from simplexcert.reference.second.directed import Span
from simplexcert.reference.second.pufferfish import laplace_profile as second
from simplexcert.reference.structures import LineLaw

SCALES = [Fraction(b, 8) for b in (1, 4, 9, 40, 400)]


def random_law(random: Random, reach: int = 12) -> LineLaw:
    points = sorted(random.sample(range(reach), random.randint(1, 5)))
    weights = [random.choice((1, 2, 7, 10**6)) for _ in points]
    masses = tuple(Fraction(w, sum(weights)) for w in weights)
    return LineLaw(tuple(map(Fraction, points)), masses)


def pairs(number: int, count: int = 20) -> Iterator[tuple[Atoms, Atoms, Fraction, Fraction]]:
    """Two laws, a scale and an epsilon."""
    random = seeded(number)
    for _ in range(count):
        epsilon = Fraction(random.randint(0, 16), 8)
        laws = [atoms_of_law(random_law(random)) for _ in range(2)]
        yield laws[0], laws[1], random.choice(SCALES), epsilon


def density(law: Atoms, w: Fraction, scale: Fraction) -> arb:
    """Times twice the scale."""
    terms = (
        ball(Fraction(weight, law.total)) * (-ball(abs(w - point) / scale)).exp()
        for point, weight in zip(law.points, law.weights, strict=True)
    )
    return sum(terms, arb(0))


def gap(q: Fraction) -> _Gap:
    """A gap whose half decay is a rational number."""
    return _Gap(-2 * ball(q).log(), ball(q))


def shares(random: Random) -> Fraction:
    return Fraction(random.randint(1, 20), random.randint(1, 20))


def test_difference_between_points() -> None:
    random = seeded(1)
    for first, second_law, scale, epsilon in pairs(2):
        points = sorted({*first.points, *second_law.points})
        gaps = [_Gap.of(Fraction(b - a) / scale) for a, b in pairwise(points)]
        weights = signed_weights(first, second_law, points, epsilon)
        decays = [one.decay for one in gaps]
        left = sums_of_weights(weights, decays)
        right = sums_of_weights(reversed(weights), reversed(decays))[::-1]

        def difference(
            w: Fraction,
            laws: tuple[Atoms, Atoms] = (first, second_law),
            at: tuple[Fraction, Fraction] = (scale, epsilon),
        ) -> arb:
            one, other = (density(law, w, at[0]) for law in laws)
            return one - ball(at[1]).exp() * other

        beyond = Fraction(random.randint(1, 30), 7)
        decay = (-ball(beyond / scale)).exp()
        assert (right[0] * decay).overlaps(difference(points[0] - beyond))
        assert (left[-1] * decay).overlaps(difference(points[-1] + beyond))
        for at, (a, b) in enumerate(pairwise(points)):
            w = a + (b - a) * Fraction(random.randint(0, 7), 7)
            here = left[at] * (-ball((w - a) / scale)).exp()
            there = right[at + 1] * (-ball((b - w) / scale)).exp()
            assert (here + there).overlaps(difference(w))


def area_by_antiderivative(
    left: Fraction, right: Fraction, q: Fraction, crossing: Fraction
) -> Fraction:
    """Integrate from 0 up to the crossing, given as e^-s."""
    return left * (1 - crossing) + right * (q**2 / crossing - q**2)


def test_area_is_a_square() -> None:
    random = seeded(3)
    cases = [0, 0, 0]
    for _ in range(instances(100, 300)):
        u, v = shares(random), shares(random)
        q = Fraction(random.randint(1, 19), 20)
        left, right = u**2, -(v**2)
        crossing = v / u * q
        ends = max(u - v * q, 0) ** 2 - max(u * q - v, 0) ** 2
        if crossing >= 1:
            expected = Fraction(0)
        elif crossing <= q**2:
            expected = area_by_antiderivative(left, right, q, q**2)
        else:
            expected = area_by_antiderivative(left, right, q, crossing)
        cases[0 if crossing >= 1 else 1 if crossing <= q**2 else 2] += 1
        assert ends == expected
        for one, other in ((left, right), (right, left)):
            assert _area(ball(one), ball(other), gap(q)).overlaps(ball(expected))
        assert _area(ball(left), ball(-right), gap(q)).overlaps(ball((left - right) * (1 - q**2)))
        assert _area(ball(-left), ball(right), gap(q)).is_zero()
    assert min(cases) > 20


def test_area_rises_in_both() -> None:
    random = seeded(4)

    def area(left: Fraction, right: Fraction, q: Fraction) -> arb:
        return _area(ball(left), ball(right), gap(q))

    for _ in range(instances(66, 200)):
        left, right = (shares(random) * random.choice((-1, 1)) for _ in range(2))
        q = Fraction(random.randint(1, 18), 20)
        found, more = area(left, right, q), shares(random) / 8
        assert not area(left + more, right, q) < found
        assert not area(left, right + more, q) < found
        assert not area(left, right, q + Fraction(1, 20)) > found
        wide = [ball(value).union(ball(value + more)) for value in (left, right)]
        enclosed = _area_within(*wide, gap(q))
        assert enclosed.overlaps(found)
        assert enclosed.overlaps(area(left + more, right + more, q))


def test_zero_is_decided() -> None:
    one, other = (Atoms((at,), (1,)) for at in (0, 3))
    assert laplace_hockey_stick(one, other, Fraction(2), Fraction(3, 2)).is_zero()
    beside = Fraction(3, 2) - Fraction(1, 10**30)
    assert laplace_delta(law_at(0), law_at(3), Fraction(2), beside) > 0
    assert _vanishes(one, other, 0, Fraction(2), Fraction(3, 2))
    assert not _vanishes(one, other, 3, Fraction(2), Fraction(3, 2))
    zero = positive = 0
    for first, second_law, scale, epsilon in pairs(5, 200):
        loss = max(
            (density(first, w, scale) / density(second_law, w, scale)).log()
            for w in map(Fraction, {*first.points, *second_law.points})
        )
        if first.is_same_law(second_law) or loss < ball(epsilon):
            assert laplace_hockey_stick(first, second_law, scale, epsilon).is_zero()
            zero += 1
        elif loss > ball(epsilon):
            assert laplace_hockey_stick(first, second_law, scale, epsilon) > 0
            positive += 1
    assert min(zero, positive) > 30


def law_at(point: int) -> LineLaw:
    return LineLaw((Fraction(point),), (Fraction(1),))


def test_falls_with_scale_and_epsilon() -> None:
    random = seeded(6)
    for _ in range(instances(8, 20)):
        mu, nu = random_law(random), random_law(random)
        if mu == nu:
            continue
        scale = random.choice(SCALES)
        steps = [Fraction(k, 16) for k in (0, 1, 4, 9, 20, 45)]
        for values in (
            [laplace_delta(mu, nu, scale, epsilon) for epsilon in steps],
            [laplace_delta(mu, nu, b, Fraction(1, 8)) for b in SCALES],
        ):
            assert all(b.is_zero() or b < a for a, b in pairwise(values))
        ours, theirs = atoms_of_law(mu), atoms_of_law(nu)
        both = [
            laplace_hockey_stick(*laws, scale, Fraction(0))
            for laws in ((ours, theirs), (theirs, ours))
        ]
        assert both[0].overlaps(both[1])
        assert laplace_epsilon(mu, nu, scale, Fraction(0)).overlaps(laplace_loss(mu, nu, scale))
        target = Fraction(random.randint(1, 99), 1000)
        if laplace_delta(mu, nu, scale, Fraction(0)) > ball(target):
            root = laplace_epsilon(mu, nu, scale, target)
            assert isinstance(root, arb)
            low, high = (middle(root) * (1 + Fraction(sign, 10**9)) for sign in (-1, 1))
            assert laplace_delta(mu, nu, scale, low) > ball(target)
            assert laplace_delta(mu, nu, scale, high) < ball(target)
        else:
            assert laplace_epsilon(mu, nu, scale, target) == 0


def test_area_from_the_crossing() -> None:
    random = seeded(7)

    def span(value: Fraction) -> Span:
        return Span.of(value, 120)

    for _ in range(instances(100, 400)):
        left, right = (shares(random) * random.choice((-1, 1)) for _ in range(2))
        q = Fraction(random.randint(1, 19), 20)
        ends = left + right * q**2, left * q**2 + right
        length = -(span(q) * span(q)).log()
        known = second._area(span(left), span(right), length, (span(ends[0]), span(ends[1])))
        found = _area(ball(left), ball(right), gap(q))
        low, high = (ball(end) for end in (known.low_fraction, known.high_fraction))
        assert found.overlaps(low.union(high))
        assert known.is_within(80)
        # Ends whose signs do not show, with the truth within.
        doubt = Fraction(1, 10 ** random.randint(1, 6))
        wide = [Span(span(min(e, -doubt)).low, span(max(e, doubt)).high) for e in ends]
        loose = second._area(span(left), span(right), length, (wide[0], wide[1]))
        low, high = (ball(end) for end in (loose.low_fraction, loose.high_fraction))
        assert not found < low
        assert not found > high
