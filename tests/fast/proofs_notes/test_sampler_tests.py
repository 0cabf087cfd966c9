"""The laws of proofs_notes/sampler-tests.md: a test named for each heading."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from ball_checks import seeded
from counted_laws import AROUND, LesserLaw, cells_of_three
from each import each_of
from instances import instances
from sampler_power import least_power, least_power_of_floor, refuting_counts, scaled
from simplexcert.certify.samplers import Point
from simplexcert.certify.samplers.distributions import BetaLaw, Ends, ExponentialLaw, LaplaceLaw
from simplexcert.certify.samplers.events import DRAWS, FewBits, Repeated, SameForAnotherSeed, Zero
from simplexcert.certify.samplers.points import fixed_points
from simplexcert.certify.samplers.results import (
    at_least,
    doubled_tail,
    level,
    tail_verdict,
)
from simplexcert.certify.samplers.statistics import TOLERANCE, Noise, Share, Size, below
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.arb.gamma import log_beta

FOUND = Fraction(999, 1000)
KINDS = ("dirichlet", "laplace")


def fractions(random: Random, count: int) -> Iterator[Fraction]:
    """Rationals of very different sizes."""
    for _ in range(count):
        yield Fraction(random.randint(1, 10**6), 10**6) * Fraction(2) ** random.randint(-900, 0)


def fixed(kind: str) -> list[Point]:
    return [Point(kind, values, 0) for values in fixed_points(kind)]


def test_rounded_draws() -> None:
    """The events as sets of exact draws, and what the enclosure is wider by."""
    random = seeded(1)
    share = Share((Fraction(1), Fraction(2)), (1,))
    for t in fractions(random, 200):
        for error in (-TOLERANCE, Fraction(0), TOLERANCE):
            # The exact draw that is farthest away and still seen below, or at, the threshold.
            assert t / (1 + error) <= t + share.slip(t)
            assert t / (1 + error) >= t - share.slip(t)
    noise = Noise(Fraction(3))
    for size in fractions(random, 200):
        for t in (size, -size, Fraction(0)):
            high, low = t + noise.slip(t), t - noise.slip(t)
            assert high - TOLERANCE * (abs(high) + noise.scale) > t
            assert low + TOLERANCE * (abs(low) + noise.scale) < t
    sizes = Size(Fraction(3))
    for statistic, t in ((share, Fraction(1, 8)), (noise, Fraction(-1)), (sizes, Fraction(1))):
        exact, widened = statistic.law.below(t), below(statistic, t)
        assert widened.lower <= exact.lower - TOLERANCE
        assert widened.upper >= exact.upper + TOLERANCE


def rising(a: Fraction, n: int) -> Fraction:
    return math.prod((a + at for at in range(n)), start=Fraction(1))


def beta_moment(law: BetaLaw, n: int) -> Fraction:
    return rising(law.first, n) / rising(law.first + law.second, n)


def dirichlet_moment(alpha: list[Fraction], powers: list[int]) -> Fraction:
    top = math.prod((rising(a, n) for a, n in zip(alpha, powers, strict=True)), start=Fraction(1))
    return top / rising(sum(alpha, Fraction(0)), sum(powers))


def test_shares_are_beta() -> None:
    """All mixed moments of X_i = S R and X_j = S (1 - R): they determine laws on a bounded set."""
    random = seeded(2)
    for _ in range(20):
        alpha = [Fraction(random.randint(1, 5000), 100) for _ in range(4)]
        total, ratio = Share(tuple(alpha), (1, 2)).law, BetaLaw(alpha[0], alpha[1])
        for m in range(4):
            for n in range(4):
                parts = rising(alpha[0], m) * rising(alpha[1], n) / rising(sum(alpha[:2]), m + n)
                expected = dirichlet_moment(alpha, [m, n, 0, 0])
                assert beta_moment(total, m + n) * parts == expected
                assert n or beta_moment(ratio, m) == parts


def test_laplace_sizes() -> None:
    for scale in map(Fraction, ("1/1000000", "1", "25/2")):
        for t in (scale / 1000, scale, 7 * scale):
            both = LaplaceLaw(scale).below(t).minus(LaplaceLaw(scale).below(-t))
            assert both.overlaps(ExponentialLaw(scale).below(t))


@each_of("law", [(0.01, 0.01), (0.01, 1000.0), (1000.0, 4000.0), (2.0, 1.0), (0.2, 0.9)])
def test_log_density_bound(law: tuple[float, float]) -> None:
    a, b = map(Fraction, law)
    high = Fraction(1, 2)
    bound = ball(BetaLaw(a, b).largest_log_density(high))
    for at in range(1, 400):
        x = high * at / 400
        logarithm = ball(a) * ball(x).log() + ball(b - 1) * ball(1 - x).log()
        assert (logarithm - log_beta(a, b)).exp() < bound


def test_equal_values() -> None:
    """Two uniforms within 2 kappa: 4 kappa - 4 kappa^2, an area of the unit square."""
    for kappa in map(Fraction, ("1/1000", "1/7", "1/4")):
        area = 1 - (1 - 2 * kappa) ** 2
        assert area == 4 * kappa - 4 * kappa**2
        assert area <= 4 * kappa
    for point in [*fixed("dirichlet"), *fixed("laplace")]:
        (event,) = (event for event in point.events() if isinstance(event, Repeated))
        (twice,) = (event for event in point.events() if isinstance(event, SameForAnotherSeed))
        assert twice.movement == event.movement
        assert twice.probability().upper >= 4 * event.movement
        assert event.probability().upper >= 499_500 * 4 * event.movement
        assert event.probability().upper < Fraction(1, 1000)
        if point.sampler == "laplace":
            assert event.movement == 18 * TOLERANCE
        else:
            density = event.statistic.law.largest_log_density((1 + 2 * TOLERANCE) / 2)
            assert event.movement == TOLERANCE * (2 * density + 1)


def test_few_bits() -> None:
    """Floats of one precision follow each other as whole numbers do."""
    for point in [*fixed("dirichlet"), *fixed("laplace")]:
        (event,) = (event for event in point.events() if isinstance(event, FewBits))
        ends = np.array([float(event.low), float(event.high)], dtype=np.float32)
        assert [Fraction(float(end)) for end in ends] == [event.low, event.high]
        first, last = ends.view(np.int32).tolist()
        signs = 2 if point.sampler == "laplace" else 1
        assert event.doubles == signs * (last - first + 1)
        assert event.probability().upper >= event.doubles * 2 * event.movement
        assert event.probability().upper < Fraction(1, 20)


def test_zeros() -> None:
    for point in fixed("dirichlet"):
        (event,) = (event for event in point.events() if isinstance(event, Zero))
        least = Fraction(2) ** -1022
        terms = [one.law.below(least * (1 + 2 * TOLERANCE)).upper for one in event.statistics]
        assert event.probability().upper >= sum(terms) + len(terms) * TOLERANCE
        if min(point.values) >= Fraction(1, 20):
            assert event.probability().upper < Fraction(1, 10**11)


def exact_mass(n: int, k: int, p: Fraction) -> Fraction:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def test_tail_is_a_beta() -> None:
    for n, p in ((1, Fraction(1, 3)), (12, Fraction(1, 7)), (40, Fraction(9, 10))):
        for k in range(n + 2):
            tail = sum((exact_mass(n, at, p) for at in range(k, n + 1)), Fraction(0))
            found = at_least(k, n, p)
            assert found.lower <= tail <= found.upper
            assert at_least(k, n, p / 2).lower <= tail


def test_false_alarms() -> None:
    """The counts that refute, added up in rationals at probabilities all over the ends."""
    for n, ends in (
        (300, Ends(Fraction(1, 10), Fraction(1, 8))),
        (60, Ends(Fraction(0), Fraction(1, 50))),
    ):
        refuted = [
            k for k in range(n + 1) if tail_verdict(doubled_tail(k, n, ends), 3) is Verdict.REFUTED
        ]
        for k in range(0, n + 1, 7):
            p = ends.upper if k > n * ends.upper else ends.lower
            side = range(k, n + 1) if k > n * ends.upper else range(k + 1)
            tail = min(2 * sum(exact_mass(n, at, p) for at in side), Fraction(1))
            inside = n * ends.lower <= k <= n * ends.upper
            found = doubled_tail(k, n, ends)
            assert found.lower <= (Fraction(1) if inside else tail) <= found.upper
        low, high = refuting_counts(n, ends, 3)
        assert refuted == [*range(low + 1), *range(high, n + 1)]
        assert refuted
        for p in (ends.lower, sum(ends) / 2, ends.upper):
            assert sum(exact_mass(n, k, p) for k in refuted) < level(3)
    assert 3 * level(3) == level(1) == Fraction(1, 10**9)


@pytest.mark.parametrize("kind", KINDS)
def test_power(kind: str) -> None:
    for point in fixed(kind)[:: instances(9, 1)]:
        for factor in (Fraction(105, 100), Fraction(95, 100)):
            assert least_power(point, scaled(point, factor), FOUND) > FOUND
    if kind == "dirichlet":
        least = fixed(kind)[0]
        assert 1 - least_power(least, scaled(least, Fraction(105, 100))) < Fraction(22, 10**7)


def test_floor() -> None:
    found = [point for point in fixed("dirichlet") if min(point.values) >= Fraction(1, 20)]
    assert len(found) == 4
    for point in found:
        assert least_power_of_floor(point, Fraction(1, 1000)) > FOUND
    underflowing = [point for point in fixed("dirichlet") if len(point.values) == 2][:2]
    for point in underflowing:
        assert least_power_of_floor(point, Fraction(1, 1000)) < FOUND
        assert least_power_of_floor(point, Fraction(3, 1000)) > FOUND
    assert DRAWS == 200_000


def test_neutral_halves() -> None:
    """All mixed moments factor; and tails of unlike trials in rationals."""
    random = seeded(3)
    for _ in range(20):
        alpha = [Fraction(random.randint(1, 5000), 100) for _ in range(3)]
        for m, n, rest in product(range(3), repeat=3):
            first = rising(alpha[0], m) * rising(sum(alpha[1:]), n + rest)
            first /= rising(sum(alpha), m + n + rest)
            second = rising(alpha[1], n) * rising(alpha[2], rest) / rising(sum(alpha[1:]), n + rest)
            assert dirichlet_moment(alpha, [m, n, rest]) == first * second
    law = LesserLaw(Fraction(2), Fraction(3))
    for t in map(Fraction, ("1/8", "1/3", "1/2")):
        lesser = law.below(t)
        middle = (
            BetaLaw(Fraction(2), Fraction(3))
            .below(1 - t)
            .minus(BetaLaw(Fraction(2), Fraction(3)).below(t))
        )
        assert lesser.overlaps(Ends(1 - middle.upper, 1 - middle.lower))
    chances = [Fraction(1, 5), Fraction(1, 4), Fraction(1, 3)]
    for k in range(4):
        outcomes = product((0, 1), repeat=3)
        tail = sum(
            math.prod((p if hit else 1 - p for hit, p in zip(o, chances, strict=True)))
            for o in outcomes
            if sum(o) >= k
        )
        low, high = (
            sum(exact_mass(3, at, p) for at in range(k, 4)) for p in (chances[0], chances[2])
        )
        assert low <= tail <= high


def rank(rows: list[int]) -> int:
    """Return the rank modulo 2 of rows, each an integer of bits."""
    found: list[int] = []
    for row in rows:
        for one in found:
            row = min(row, row ^ one)  # noqa: PLW2901
        found += [row] * (row > 0)
    return len(found)


def test_sums_of_digits() -> None:
    """As many sums as there are have full rank."""
    length, numbers = 40, 4
    for apart in range(1, 33):
        rows = [1 << at | 1 << (at + apart) for at in range(length - apart)]
        assert rank(rows) == len(rows)
    rows = [
        1 << (length * number + at) | 1 << (length * (number + 1))
        for number in range(numbers)
        for at in range(length)
    ]
    assert rank(rows) == len(rows)


def rounded_by_largest_remainder(point: tuple[Fraction, ...]) -> tuple[int, ...]:
    floors = [math.floor(one) for one in point]
    order = sorted(range(3), key=lambda at: floors[at] - point[at])
    chosen = order[: int(sum(point)) - sum(floors)]
    return tuple(floor + (at in chosen) for at, floor in enumerate(floors))


def test_thirds_of_triangles() -> None:
    """Points near a corner go to it; the centroid of what does, from two triangles; all masses."""
    random, whole = seeded(4), 8
    for _ in range(300):
        corner = tuple(random.sample([2, 3, 3], 3))
        others = [tuple(map(sum, zip(corner, step, strict=True))) for step in AROUND]
        at = random.randrange(6)
        two = others[at], others[(at + 1) % 6]
        far = [Fraction(random.randint(1, 999), 3000) for _ in range(2)]
        near = 1 - sum(far)
        assert near > max(far)
        point = tuple(
            near * c + far[0] * v + far[1] * w for c, v, w in zip(corner, *two, strict=True)
        )
        assert rounded_by_largest_remainder(point) == corner
    # The corner, a middle of a side and the centre: half of what is nearest, by symmetry.
    half = [(Fraction(1), 0, 0), (Fraction(1, 2), Fraction(1, 2), 0), (Fraction(1, 3),) * 3]
    centroid = [sum(column) / 3 for column in zip(*half, strict=True)]
    assert centroid[0] == Fraction(11, 18)
    assert sum(centroid[1:]) / 2 == Fraction(7, 36)
    cells = dict(cells_of_three(3))
    assert sum(cells.values()) == 1
    assert len(cells) == (whole + 1) * (whole + 2) // 2
    assert cells[0, 0, 8] == Fraction(11 * 8 + 7 * 7, 18 * whole**3)
