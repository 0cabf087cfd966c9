"""The laws of proofs_notes/markov-certificate.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

from ball_checks import as_ball, seeded
from flint import arb
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.markov.bounds.certificate import (
    certificate_ergodicity,
    certificate_stationary,
)
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.inverse import group_inverse_of
from simplexcert.reference.markov.stationary import stationary_law

ZERO, ONE = Fraction(0), Fraction(1)
Rows = tuple[tuple[Fraction, ...], ...]


def some_matrix(rng: Random, n: int) -> Rows:
    rows = []
    for _ in range(n):
        counts = [rng.randint(1, 9) for _ in range(n)]
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def norm(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((abs(x - y) for x, y in zip(one, other, strict=True)), ZERO)


def kappa(P: Rows) -> Fraction:
    rows = [[Fraction(x) for x in row if isinstance(x, Fraction)] for row in group_inverse_of(P)]
    assert all(len(row) == len(P) for row in rows)
    return max(norm(*pair) for pair in combinations(rows, 2)) / 2


def beta_below(a: int, b: int, x: Fraction) -> Fraction:
    """Return P(X <= x), X ~ Beta(a, b) with whole parameters, exactly."""
    x, k = min(max(x, ZERO), ONE), a + b - 1
    return sum((comb(k, j) * x**j * (1 - x) ** (k - j) for j in range(a, k + 1)), ZERO)


def test_row_radius() -> None:
    for a, b in ((1, 1), (1, 9), (20, 20), (5, 95)):
        p, k = Fraction(a, a + b), a + b
        for r in (Fraction(j, 16) for j in range(1, 32)):
            tail = beta_below(a, b, p - r / 2) + 1 - beta_below(a, b, p + r / 2)
            assert ball(tail) < 2 * ball(-(k + 1) * r**2 / 2).exp()
    sizes, k, beta = (2, 5), (Fraction(3), Fraction(70)), Fraction(1, 20)
    left = ZERO
    radii = 2 * as_ball(certificate_ergodicity(k, sizes, beta))
    for one, size in zip(k, sizes, strict=True):
        # At r_i the bound is beta/n.
        square = 2 * ball(2 * (2**size - 2) / beta).log() / ball(one + 1)
        assert (ball(-(one + 1) / 2) * square).exp().overlaps(ball(beta / 2 / (2**size - 2)))
        radii -= square.sqrt()
        left += beta / 2
    assert left == beta
    assert radii.contains(0)
    assert radii.rad() < arb(2) ** -40


def test_distance_from_the_private_chain() -> None:
    rng = seeded("certificate")
    for n in (2, 3, 4) * 10:
        P, Q = some_matrix(rng, n), some_matrix(rng, n)  # noqa: N806
        apart = [norm(*rows) for rows in zip(P, Q, strict=True)]
        laws = norm(stationary_law(P), stationary_law(Q)) / 2
        assert laws <= kappa(Q) * max(apart) / 2
        change = abs(ergodicity_coefficient(P) - ergodicity_coefficient(Q))
        assert change <= sum(apart) / 2


def test_monotone() -> None:
    rng = seeded("monotone")
    for n in (2, 3, 4) * 5:
        Q, k = some_matrix(rng, n), tuple(Fraction(rng.randint(1, 99)) for _ in range(n))  # noqa: N806
        sizes, beta = tuple(rng.randint(n, 9) for _ in range(n)), Fraction(1, 20)
        found = as_ball(certificate_stationary(Q, k, sizes, beta))
        assert found < as_ball(certificate_stationary(Q, k, sizes, beta / 2))
        assert found < as_ball(
            certificate_stationary(Q, k, tuple(size + 1 for size in sizes), beta)
        )
        assert found > as_ball(certificate_stationary(Q, tuple(one + 1 for one in k), sizes, beta))
        change = as_ball(certificate_ergodicity(k, sizes, beta))
        assert change < as_ball(certificate_ergodicity(k, (sizes[0] + 1, *sizes[1:]), beta))
        assert change > as_ball(certificate_ergodicity((k[0] + 1, *k[1:]), sizes, beta))
