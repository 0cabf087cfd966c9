"""The laws of proofs_notes/loss-density.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction

from ball_checks import as_ball, meets
from each import each_of
from flint import acb, arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference.arb.balls import ball, extra_bits
from simplexcert.reference.arb.gamma import log_gamma
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet import add_remove, loss_density, profile
from simplexcert.reference.dirichlet.loss_density import LossDensity, of_two_betas, of_two_gammas

EXAMPLES = instances(8, 25)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


ALPHAS, STEPS, PLACES = between("1/2", "40"), between("1/4", "30"), between("-2", "3")
PAIRS = st.sampled_from(("betas", "gammas"))


def density(pair: str, alpha: Fraction, step: Fraction) -> LossDensity:
    return of_two_betas(alpha, step) if pair == "betas" else of_two_gammas(alpha)


def start(pair: str, alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    if pair == "betas":
        return ball(epsilon / step)
    return (ball(epsilon) - log_gamma(alpha + step) + log_gamma(alpha)) / ball(step)


def delta(pair: str, alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    """The series' delta: these sizes are too small for anything else."""
    quantity = profile.delta if pair == "betas" else add_remove.delta
    return as_ball(quantity(alpha, step, epsilon))


@each_of("pair", ["betas", "gammas"])
@each_of("alpha, step, epsilon", [(2, 1, 1), (5, 3, 0), (30, 7, 2)])
def test_delta_is_an_integral_of_the_density(
    pair: str, alpha: int, step: int, epsilon: int
) -> None:
    """By the guarded integral of p as it is written, over all that counts."""
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    known, first = density(pair, a, s), start(pair, a, s, e)
    front = known.logarithm(arb(0)) + (ball(2 * a + s) * arb(2).log() if pair == "betas" else 1)

    def integrand(v: acb, cuts: Cuts) -> acb:
        u = first + v
        if pair == "betas":
            away = cuts.log(1 + (-u).exp())
            log_p = -ball(a + s) * away - ball(a) * (u + away) + front
        else:
            log_p = -ball(a) * u - (-u).exp() + front
        return log_p.exp() * -(-ball(s) * v).expm1()

    whole = integrate(integrand, arb(0), arb(60), tolerance_bits=80)
    assert abs(whole - delta(pair, a, s, e)) < arb(2) ** -60


@repeatable
@given(pair=PAIRS, alpha=ALPHAS, step=STEPS, place=PLACES)
def test_density_is_log_concave(
    pair: str, alpha: Fraction, step: Fraction, place: Fraction
) -> None:
    known, u = density(pair, alpha, step), ball(place)
    value, _, bend = known.coefficients(u, 3)
    assert value.overlaps(known.logarithm(u))
    x = 1 / (1 + u.exp())
    curve = ball(2 * alpha + step) * x * (1 - x) if pair == "betas" else (-u).exp()
    assert meets(-2 * bend, curve)
    assert abs(known.slope(known.mode)) < arb(2) ** -100
    hair = ball(Fraction(1, 100))
    assert known.slope(known.mode - hair) > 0 > known.slope(known.mode + hair)


@repeatable
@given(pair=PAIRS, alpha=ALPHAS, step=STEPS, epsilon=between("0", "9"))
def test_next_to_one(pair: str, alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    known, first = density(pair, alpha, step), start(pair, alpha, step, epsilon)
    bound = loss_density.complement_above(known, first, step)
    assert (bound is not None) == bool(known.slope(first) > 0)
    assume(bound is not None)
    assert bound is not None
    assert 1 - delta(pair, alpha, step, epsilon) < bound.upper()
    assert bound.lower() <= 0


@repeatable
@given(pair=PAIRS, alpha=ALPHAS, step=STEPS, epsilon=between("5", "60"))
def test_beyond_the_cut(pair: str, alpha: Fraction, step: Fraction, epsilon: Fraction) -> None:
    known, first = density(pair, alpha, step), start(pair, alpha, step, epsilon)
    slope = known.slope(first)
    assume(slope < 0)
    assert delta(pair, alpha, step, epsilon) < known.logarithm(first).exp() / -slope


@repeatable
@given(pair=PAIRS, alpha=ALPHAS, step=STEPS, place=PLACES)
def test_coefficients_are_bounded(
    pair: str, alpha: Fraction, step: Fraction, place: Fraction
) -> None:
    known, u = density(pair, alpha, step), ball(place)
    found = known.coefficients(u, 24)
    assert all(abs(a) <= known.bound(u) for a in found[2:])
    z = ball(Fraction(1, 4))
    rest = known.logarithm(u + z) - sum((a * z**n for n, a in enumerate(found)), arb(0))
    assert abs(rest) < 2 * known.bound(u) * z**24


@each_of("pair", ["betas", "gammas"])
@each_of(
    "alpha, step, epsilon",
    [("1e5", "1", "0"), ("1e5", "300", "1"), ("1e5", "1e3", "30"), ("3e5", "50", "1/4")],
)
def test_integral_agrees_with_the_series(pair: str, alpha: str, step: str, epsilon: str) -> None:
    a, s, e = Fraction(alpha), Fraction(step), Fraction(epsilon)
    bits = ctx.prec
    with extra_bits(bits + 64):
        found = loss_density.delta_of(density(pair, a, s), start(pair, a, s, e), s, bits)
    assert meets(found, delta(pair, a, s, e))
