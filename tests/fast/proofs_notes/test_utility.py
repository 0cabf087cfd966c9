"""The laws of proofs_notes/utility.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import ball_checks
import pytest
from ball_checks import seeded
from flint import acb, arb
from instances import instances
from simplexcert.certify.papers.benvenuti2025 import deviation, divergence
from simplexcert.certify.papers.fallin2023 import accuracy
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta, trigamma
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet.utility import (
    absolute_deviation_bound,
    expected_kl,
    expected_kl_bound,
    expected_kl_prior,
    expected_kl_worst,
    kl_variance_prior,
)
from simplexcert.reference.second.gamma import _bernoulli

if TYPE_CHECKING:
    from collections.abc import Callable

meets = partial(ball_checks.meets, bits=100)


def some_k(rng: Random) -> Fraction:
    return Fraction(f"{10 ** rng.uniform(-4, 5):.6g}")


def some_law(rng: Random, n: int, least: int = 1) -> tuple[Fraction, ...]:
    counts = [rng.randint(least, 40) for _ in range(n)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


def beta_mean(a: Fraction, b: Fraction, function: Callable[[acb, acb], acb]) -> arb:
    """Enclose E f(log x, log(1-x)), x ~ Beta(a, b), a and b at least 3, by a guarded integral.

    In s = logit x, where x and 1 - x are at most e^-|s| on either side; beyond 60 the density is
    below e^-180/B(a, b), and f below 10^4.
    """

    def integrand(s: acb, cuts: Cuts) -> acb:
        both = cuts.log(1 + s.exp())
        log_x, log_rest = s - both, -both
        return function(log_x, log_rest) * (ball(a) * log_x + ball(b) * log_rest).exp()

    found = integrate(integrand, arb(-60), arb(60), 120)
    return (found + arb(0, 1e-60)) * (-log_beta(a, b)).exp()


def test_coordinate_variance() -> None:
    assert deviation.variances_are_exact()


def test_mean_absolute_deviation() -> None:
    assert deviation.deviations_are_exact()


def test_half_is_the_worst() -> None:
    assert deviation.half_is_the_worst()
    printed = arb(2) ** (1 - arb(7)) * arb(7).gamma() / (7 * (arb(7) / 2).gamma() ** 2)
    assert meets(absolute_deviation_bound(Fraction(7)), printed)


def test_spread_falls_with_k() -> None:
    assert accuracy.spread_falls()


def test_expected_divergence() -> None:
    """By harmonic numbers for whole parameters, by a guarded integral for others."""
    assert divergence.divergences_are_sums()
    a, b, p = Fraction(10, 3), Fraction(7, 2), Fraction(2, 5)
    mean = beta_mean(a, b, divergence_of(p))
    assert meets(mean, expected_kl_prior((p, 1 - p), (a, b)), bits=60)
    assert meets(beta_mean(3 * a, 3 * b, divergence_of(a / (a + b))),
                 expected_kl((a / (a + b), b / (a + b)), 3 * (a + b)), bits=60)  # fmt: skip


def divergence_of(p: Fraction) -> Callable[[acb, acb], acb]:
    def divergence(log_x: acb, log_rest: acb) -> acb:
        constant = ball(p) * ball(p).log() + ball(1 - p) * ball(1 - p).log()
        return constant - ball(p) * log_x - ball(1 - p) * log_rest

    return divergence


def squared_from(divergence: Callable[[acb, acb], acb], mean: arb) -> Callable[[acb, acb], acb]:
    return lambda log_x, log_rest: (divergence(log_x, log_rest) - mean) ** 2


def test_variance_of_the_divergence() -> None:
    for a, b, p in [("10/3", "7/2", "2/5"), ("5", "3", "1/9")]:
        law, u = (Fraction(p), 1 - Fraction(p)), (Fraction(a), Fraction(b))
        square = squared_from(divergence_of(law[0]), expected_kl_prior(law, u))
        assert meets(beta_mean(*u, square), kl_variance_prior(law, u), bits=60)
    # Without a second coordinate that varies there is nothing to cancel: log y_1 alone.
    alone = kl_variance_prior((Fraction(1), Fraction(0)), (Fraction(2), Fraction(3)))
    assert meets(alone, ball(sum(Fraction(1, j * j) for j in range(2, 5))))


def scaled_gap(x: arb) -> arb:
    """Enclose F(x) = x (log x - psi(x))."""
    return x * (x.log() - x.digamma())


def test_complete_monotonicity() -> None:
    """Differences of every order alternate in sign, strictly; F lies between 1/2 and 1."""
    rng = seeded(6)
    with working_precision(400):
        for _ in range(instances(20, 60)):
            start, step = ball(some_k(rng)), ball(some_k(rng))
            values = [scaled_gap(start + j * step) for j in range(8)]
            assert arb(1) / 2 < values[0] < 1
            for _ in range(7):
                assert all(value > 0 for value in values)
                values = [x - y for x, y in pairwise(values)]


def test_worst_vertex() -> None:
    assert divergence.vertex_has_the_largest()
    assert divergence.excess_is_convex_and_falls()


def test_bracket_of_the_mean() -> None:
    rng = seeded(8)
    for _ in range(instances(26, 80)):
        n, k = rng.randint(2, 9), some_k(rng)
        found = expected_kl((*some_law(rng, n), Fraction(0)), k)
        assert ball((n - 1) / (2 * k)) < found < ball((n - 1) / k)


def test_jump_at_the_boundary() -> None:
    k, n = Fraction(7, 2), 4
    values = [expected_kl_worst(k, Fraction(1, 10**j), n) for j in range(1, 30, 4)]
    assert all(low < high for low, high in pairwise(values))
    assert ball((n - 1) / k) * (1 - arb(10) ** -25) < values[-1] < ball((n - 1) / k)
    assert expected_kl((Fraction(0), Fraction(0), Fraction(1)), k) == 0


def test_trigamma_rest() -> None:
    rng = seeded(9)
    for _ in range(instances(13, 40)):
        y = Fraction(rng.randint(1, 400), 10)
        total, terms = 1 / y + 1 / (2 * y * y), rng.randint(0, 6)
        for m in range(1, terms + 1):
            total += _bernoulli(2 * m) / y ** (2 * m + 1)
        after = total + _bernoulli(2 * terms + 2) / y ** (2 * terms + 3)
        assert ball(min(total, after)) < trigamma(ball(y)) < ball(max(total, after))


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        (lambda: expected_kl_bound(Fraction("20.6"), 98, 5), "0.141796"),
        (lambda: expected_kl_worst(Fraction("20.6"), Fraction("0.073"), 5), "0.107525"),
        (lambda: expected_kl((Fraction(1, 5),) * 5, Fraction("20.6")), "0.101772"),
    ],
)
def test_published_numbers(value: Callable[[], arb], stated: str) -> None:
    """The reported 0.103 lies between the uniform law's value and that of the vertex."""
    found = value()
    assert abs(found - ball(Fraction(stated))) * 2 < arb(10) ** -6
    assert (found < ball(Fraction("0.103"))) == (stated == "0.101772")
