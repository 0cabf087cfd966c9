"""The laws of proofs_notes/simulation.md."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from each import each_of
from flint import acb, arb
from simplexcert.certify.mechanisms.protocol import Public
from simplexcert.certify.simulating.comparing import (
    log_bernstein,
    of_divergences,
    of_largest_noise,
    of_noise_sum,
)
from simplexcert.certify.simulating.expected import Kind, expected_errors, mean_distance
from simplexcert.certify.simulating.study import NoiseStudy, SimplexStudy, StudyRow
from simplexcert.reference import evaluate

SHARES = tuple(Fraction(n, 8) for n in (1, 3, 4))
ROWS = [
    StudyRow(tuple(k * share + prior for share in SHARES), SHARES)
    for k, prior in product((Fraction(5, 2), Fraction(40)), (Fraction(0), Fraction(3, 2)))
]


def exactly(low: Fraction, high: Fraction) -> arb:
    """Return the ball of an enclosure."""
    middle = arb((low + high).numerator) / arb((low + high).denominator) / 2
    return middle + arb(0, float(high - low) + 1e-300)


def integral(row: StudyRow, at: int) -> arb:
    """Enclose E |x_i - p_i| by guarded integration on either side of p_i, whole arguments."""
    a, b, c = row.alpha[at], row.total - row.alpha[at], row.target[at]
    first, second, cut = (acb(v.numerator) / acb(v.denominator) for v in (a, b, c))
    norm = (first.lgamma() + second.lgamma() - (first + second).lgamma()).exp()

    def moment(x: acb, _: bool, sign: int) -> acb:
        return sign * (x - cut) * x ** (first - 1) * (1 - x) ** (second - 1) / norm

    low = acb.integral(lambda x, d: moment(x, d, -1), 0, cut)
    return (low + acb.integral(lambda x, d: moment(x, d, 1), cut, 1)).real


@pytest.mark.parametrize("alpha", [(2, 3, 7), (5, 1, 2), (1, 1, 1)])
def test_distance_from_any_share(alpha: tuple[int, ...]) -> None:
    row = StudyRow(tuple(map(Fraction, alpha)), SHARES)
    found = exactly(*mean_distance(row))
    known = sum((integral(row, at) for at in range(3)), arb(0))
    assert found.overlaps(known)
    assert known.rad() < arb("1e-10")


def test_largest_is_half() -> None:
    grid = [Fraction(n, 6) for n in range(7)]
    points = [(a, b, 1 - a - b) for a, b in product(grid, grid) if a + b <= 1]
    for one, other in product(points, points):
        moved = [abs(x - y) for x, y in zip(one, other, strict=True)]
        assert 2 * max(moved) <= sum(moved)


@pytest.mark.parametrize("numbers", [1, 2, 7])
def test_sizes_of_noise(numbers: int) -> None:
    scale = Fraction(3, 2)
    known = {
        (one.error, one.kind): one
        for one in expected_errors(NoiseStudy(numbers, scale), Public(), chain=False)
    }
    assert known["l1", Kind.EXACT].high == numbers * scale
    largest = known["largest", Kind.EXACT]
    harmonic = scale * sum(Fraction(1, j) for j in range(1, numbers + 1))
    assert largest.low is not None
    assert largest.high is not None
    assert largest.low <= harmonic <= largest.high
    high, low = known["l2", Kind.UPPER].high, known["l2", Kind.LOWER].low
    assert high is not None
    assert low is not None
    assert high**2 >= 2 * numbers * scale**2
    assert low**2 <= numbers * scale**2


def exponential_moment(row: StudyRow, z: int) -> arb:
    """Enclose E e^(z KL) of a row of two coordinates by guarded integration."""
    shares, alphas = (
        [acb(v.numerator) / acb(v.denominator) for v in values]
        for values in (row.target, row.alpha)
    )
    norm = (alphas[0].lgamma() + alphas[1].lgamma() - (alphas[0] + alphas[1]).lgamma()).exp()
    scale = (shares[0] ** (z * shares[0])) * (shares[1] ** (z * shares[1])) / norm
    powers = [int((a - z * p) - 1) for a, p in zip(row.alpha, row.target, strict=True)]
    return (scale * acb.integral(lambda x, _: x ** powers[0] * (1 - x) ** powers[1], 0, 1)).real


@each_of("z", [-12, -4, 4, 8])
def test_moments_of_divergence(z: int) -> None:
    quarter = Fraction(1, 4)
    row = StudyRow((Fraction(6), Fraction(9)), (quarter, 1 - quarter))
    found = of_divergences(SimplexStudy((row,)), [Fraction(1)]).log_moment(Fraction(z)).exp()
    known = exponential_moment(row, z)
    assert found.overlaps(known)
    assert known.rad() < known.mid() * arb("1e-10")


@pytest.mark.parametrize("z", [Fraction(-3), Fraction(1, 2)])
def test_moments_of_noise(z: Fraction) -> None:
    """Exponentials of mean 1/j have moments j/(j - z), each size has 1/(1 - z)."""
    study = NoiseStudy(5, Fraction(1))
    largest = math.prod((Fraction(j) / (j - z) for j in range(1, 6)), start=Fraction(1))
    for moments, known in (
        (of_largest_noise(study), largest),
        (of_noise_sum(study), (1 - z) ** -5),
    ):
        assert moments.log_moment(z).exp().contains(arb(known.numerator) / known.denominator)


@each_of("row", ROWS)
def test_mean_by_convexity(row: StudyRow) -> None:
    study = SimplexStudy((row,))
    answer = evaluate("dirichlet.utility.expected_kl_prior", {"p": row.target, "u": row.alpha})
    ends = of_divergences(study, [Fraction(1)]).mean_ends
    assert ends is not None
    assert ends[0] <= answer.upper
    assert answer.lower <= ends[1]
    assert ends[1] - ends[0] < ends[1] / 10**9
    for noise, known in ((of_noise_sum, Fraction(21)), (of_largest_noise, 3 * Fraction(363, 140))):
        ends = noise(NoiseStudy(7, Fraction(3))).mean_ends
        assert ends is not None
        assert ends[0] <= known <= ends[1]


def test_bounded_errors() -> None:
    deviation, reach, draws = 0.3, 2.0, 1000
    for gap in (0.02, 0.05, 0.2):
        level = math.log(2) - log_bernstein(gap, deviation, reach, draws)
        below, above = (
            deviation * math.sqrt(2 * near / draws) + 7 * reach * near / (3 * (draws - 1))
            for near in (level * (1 - 2**-40), level * (1 + 2**-40))
        )
        assert below < gap < above
    random = np.random.default_rng(11)
    coins = random.random((2000, 200)) < 0.1
    gaps = coins.mean(axis=1) - 0.1
    chances = [
        log_bernstein(gap, run.std(ddof=1), 1.0, 200) if gap > 0 else 0.0
        for gap, run in zip(gaps, coins, strict=True)
    ]
    for level in (0.5, 0.1, 0.01):
        assert sum(chance < math.log(level) for chance in chances) <= 2000 * level
