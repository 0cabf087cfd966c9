"""The laws of proofs_notes/positive-series.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, prod
from typing import TYPE_CHECKING

from ball_checks import as_ball, meets
from each import each_of
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import beta_series
from simplexcert.reference.dirichlet import profile

if TYPE_CHECKING:
    from collections.abc import Iterator


EXAMPLES = instances(13, 40)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


FLOORS, STEPS = between("1/64", "30"), between("1/64", "30")
POINTS = between("1/64", "1/2")
# The remainder after 60 terms at q = 1/64 is near 64^-60, 360 bits below the sum.
RESOLVING_BITS = 600


def rising(base: Fraction, count: int) -> Fraction:
    return prod((base + j for j in range(count)), start=Fraction(1))


def term(alpha: Fraction, step: Fraction, q: Fraction, n: int) -> Fraction:
    """T_n in closed form."""
    gap = 1 / rising(alpha, n + 1) - 1 / rising(alpha + step, n + 1)
    return rising(2 * alpha + step, n) * q**n * gap


def moment(alpha: Fraction, step: Fraction, n: int) -> Fraction:
    """d_n in closed form."""
    return factorial(n) * (1 / rising(alpha, n + 1) - 1 / rising(alpha + step, n + 1))


def bound_on_ratios(alpha: Fraction, step: Fraction, q: Fraction, n: int) -> Fraction:
    """Rho after term n."""
    growth = (2 * alpha + step + n) / (alpha + n + 1)
    return q * (1 + Fraction(1, n + 1)) * max(Fraction(1), growth)


@repeatable
@given(a=FLOORS, b=FLOORS, x=between("1/64", "15/16"))
def test_beta_series(a: Fraction, b: Fraction, x: Fraction) -> None:
    """(a - (a+b) x) S + x (1-x) S' = 1 coefficient by coefficient, hence I_x."""
    s = [rising(a + b, n) / rising(a, n + 1) for n in range(12)]
    assert a * s[0] == 1
    assert all(
        a * s[n] - (a + b) * s[n - 1] + n * s[n] - (n - 1) * s[n - 1] == 0 for n in range(1, 12)
    )
    front = (ball(a) * ball(x).log() + ball(b) * ball(1 - x).log() - log_beta(a, b)).exp()
    direct = ball(x).beta_lower(ball(a), ball(b), regularized=1)
    assert meets(front * beta_series(a, b, ball(x)), direct)


@repeatable
@given(alpha=FLOORS, step=STEPS, epsilon=between("0", "4"))
def test_delta_as_a_difference(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """Both incomplete betas carry one factor, and e^epsilon is part of it."""
    q, a, b = 1 / (1 + ball(epsilon / step).exp()), ball(alpha), ball(alpha + step)
    front = (a * q.log() + b * (1 - q).log() - log_beta(alpha, alpha + step)).exp()
    first = q.beta_lower(a, b, regularized=1)
    second = ball(epsilon).exp() * q.beta_lower(b, a, regularized=1)
    assert meets(front * beta_series(alpha, alpha + step, q), first, 20)
    assert meets(front * beta_series(alpha + step, alpha, q), second, 20)
    assert meets(first - second, profile.delta(alpha, step, epsilon), 10)


@repeatable
@given(alpha=FLOORS, step=STEPS, q=POINTS, n=st.integers(0, 40))
def test_cancellation_bound(alpha: Fraction, step: Fraction, q: Fraction, n: int) -> None:
    """Term by term the difference is positive and at least step/(alpha + step) of the first."""
    first = rising(2 * alpha + step, n) * q**n / rising(alpha, n + 1)
    least = step / (alpha + step)
    assert 0 < least * first <= term(alpha, step, q, n)
    assert term(alpha, step, q, 0) == least / alpha
    whole = beta_series(alpha, alpha + step, ball(q))
    assert whole - beta_series(alpha + step, alpha, ball(q)) > ball(least) * whole


@repeatable
@given(alpha=st.integers(1, 9), step=st.integers(1, 9), n=st.integers(0, 9))
def test_moments_of_the_integrand(alpha: int, step: int, n: int) -> None:
    """d_n = integral of y^(alpha-1) (1 - y^step) (1-y)^n over (0, 1), as a polynomial's."""
    integral = sum(
        (-1) ** j * comb(n, j) * (Fraction(1, alpha + j) - Fraction(1, alpha + step + j))
        for j in range(n + 1)
    )
    assert integral == moment(Fraction(alpha), Fraction(step), n)


def recurrence(alpha: Fraction, step: Fraction, q: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    u = 1 / (alpha + step)
    t = step / (alpha * (alpha + step))
    n = 0
    while True:
        yield t, u
        n += 1
        f = q * (2 * alpha + step + n - 1)
        t = f / (alpha + n) * (t + u * step / (alpha + step + n))
        u = f * u / (alpha + step + n)


@repeatable
@given(alpha=FLOORS, step=STEPS, q=POINTS)
def test_recurrence(alpha: Fraction, step: Fraction, q: Fraction) -> None:
    """T_n and U_n run by positive operations are the closed forms, exactly."""
    for n, (t, u) in zip(range(25), recurrence(alpha, step, q), strict=False):
        assert t == term(alpha, step, q, n)
        assert t == rising(2 * alpha + step, n) * q**n / factorial(n) * moment(alpha, step, n)
        assert u == rising(2 * alpha + step, n) * q**n / rising(alpha + step, n + 1)


@repeatable
@given(alpha=FLOORS, step=STEPS, n=st.integers(1, 60))
def test_moments_shrink(alpha: Fraction, step: Fraction, n: int) -> None:
    ratio = moment(alpha, step, n) / moment(alpha, step, n - 1)
    assert ratio <= (n + 1) / (alpha + n)


@repeatable
@given(alpha=FLOORS, step=STEPS, q=POINTS, n=st.integers(0, 30), later=st.integers(0, 30))
def test_ratios_stay_bounded(
    alpha: Fraction, step: Fraction, q: Fraction, n: int, later: int
) -> None:
    """T_(m+1)/T_m is at most rho of n for every m >= n."""
    m = n + later
    ratio = term(alpha, step, q, m + 1) / term(alpha, step, q, m)
    assert ratio <= bound_on_ratios(alpha, step, q, n)


@repeatable
@given(alpha=FLOORS, step=STEPS, q=POINTS, extra=st.integers(0, 30))
def test_remainder_bound(alpha: Fraction, step: Fraction, q: Fraction, extra: int) -> None:
    """What follows T_n is positive and at most T_n rho/(1 - rho), once rho < 1."""
    n = extra
    while bound_on_ratios(alpha, step, q, n) >= 1:
        n += 1
    partial = sum((term(alpha, step, q, j) for j in range(n + 1)), Fraction(0))
    rho = bound_on_ratios(alpha, step, q, n)
    with working_precision(RESOLVING_BITS):
        point = ball(q)
        whole = beta_series(alpha, alpha + step, point) - beta_series(alpha + step, alpha, point)
        rest = whole - ball(partial)
        assert 0 < rest < ball(term(alpha, step, q, n) * rho / (1 - rho))


@settings(repeatable, max_examples=15)
@given(alpha=FLOORS, step=between("1", "30"), epsilon=between("0", "2"))
def test_mirrored_form(alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    """1 - delta is the common factor times a sum of two series."""
    # FLINT's series is slow near 1, so 1 - q stays below 9/10 here.
    q, a, b = 1 / (1 + ball(epsilon / step).exp()), ball(alpha), ball(alpha + step)
    front = (a * q.log() + b * (1 - q).log() - log_beta(alpha, alpha + step)).exp()
    both = beta_series(alpha + step, alpha, 1 - q) + beta_series(alpha + step, alpha, q)
    assert meets(1 - as_ball(profile.delta(alpha, step, epsilon)), front * both, 20)


@repeatable
@given(a=FLOORS, b=FLOORS, n=st.integers(0, 30), later=st.integers(0, 30))
def test_ratios_of_one_series(a: Fraction, b: Fraction, n: int, later: int) -> None:
    """Term m+1 of S over term m is x (a+b+m)/(a+m+1), at most x max{1, the same at n}."""
    m = n + later
    first, second = (rising(a + b, j) / rising(a, j + 1) for j in (m, m + 1))
    assert second / first == (a + b + m) / (a + m + 1)
    assert second / first <= max(Fraction(1), (a + b + n) / (a + n + 1))


def terms_needed(alpha: Fraction, step: Fraction, q: Fraction) -> int:
    """Count terms until the remainder's bound is below 10^-17 of the sum."""
    a, s, x = ball(alpha), ball(step), ball(q)
    u, t = 1 / (a + s), s / (a * (a + s))
    total, n, enough = t, 0, ball(Fraction(1, 10**17))
    while True:
        rho = ball(bound_on_ratios(alpha, step, q, n))
        if rho < 1 and t * rho / (1 - rho) < enough * total:
            return n + 1
        n += 1
        f = x * (2 * a + s + n - 1)
        t, u = f / (a + n) * (t + u * s / (a + s + n)), f * u / (a + s + n)
        total += t


@each_of(
    "alpha, share, q, count",
    [
        (1, "1e-9", "1/2", 59),
        (10, "1e-9", "1/2", 83),
        (100, "1e-9", "1/2", 166),
        (1000, "1e-9", "1/2", 435),
        (1, "1", "1/2", 62),
        (10, "1", "1/2", 103),
        (100, "1", "1/2", 308),
        (1, "10", "1/2", 90),
        (10, "10", "1/2", 264),
        (1, "1e-9", "2/5", 45),
        (10, "1e-9", "2/5", 61),
        (100, "1e-9", "2/5", 103),
        (1000, "1e-9", "2/5", 163),
    ],
)
def test_number_of_terms(alpha: int, share: str, q: str, count: int) -> None:
    """The table of terms that the note records as measured."""
    floor = Fraction(alpha)
    assert terms_needed(floor, floor * Fraction(share), Fraction(q)) == count
