"""Laws of the second opinion on tails: rationals, betas and series say the same."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction
from itertools import pairwise

import gmpy2
import mpmath
import pytest
from each import each_of
from gmpy2 import mpc, mpfr
from instances import instances
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.precision import Budget, climb
from simplexcert.reference.second import opinion_on
from simplexcert.reference.second.directed import OutOfReachError
from simplexcert.reference.second.dirichlet.laplace import (
    Draw,
    GammaLaw,
    Integrand,
    Inversion,
    Threshold,
)
from simplexcert.reference.second.dirichlet.tail import _next
from simplexcert.reference.second.nearest import (
    as_fraction,
    binary_exponent,
    log_gamma,
    widened,
    working,
)

BITS = 128
# At 128 bits an opinion is narrower than 10^-30 of itself.
DIGITS = 30

uniform = opinion_on("dirichlet.tail.uniform").enclose
general = opinion_on("dirichlet.tail.general").enclose
identity_delta = opinion_on("dirichlet.identity.delta_bound").enclose
counts_delta = opinion_on("dirichlet.counts.delta_bound").enclose
identity_gamma = opinion_on("dirichlet.identity.gamma").enclose
counts_gamma = opinion_on("dirichlet.counts.gamma").enclose


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def spread(rng: random.Random, low: float, high: float) -> Fraction:
    """Return a rational of eight figures, log-uniform."""
    return Fraction(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.8g}")


def contains(found: Enclosure, value: Fraction) -> bool:
    return found.low.compared_with(value) <= 0 <= found.high.compared_with(value)


def of_mpf(value: object, bits: int) -> Enclosure:
    """Return a value of mpmath's that is correct to ``bits`` bits."""
    _, mantissa, exponent, _ = value._mpf_  # type: ignore[attr-defined]
    around = Fraction(1, 1 << bits)
    middle = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    low, high = middle * (1 - around), middle * (1 + around)
    return Enclosure(Dyadic.rounded(low, 400, up=False), Dyadic.rounded(high, 400, up=True))


def mp(value: Fraction) -> object:
    return mpmath.mp.mpf(value.numerator) / value.denominator


def rational_tail(alphas: tuple[int, ...], rest: int, gamma: Fraction) -> Fraction:
    """Return P(some x_i < gamma) for whole parameters, from the density with x_i = gamma + y_i."""
    product = [Fraction(1)]
    for alpha in alphas:
        powers = [
            math.comb(alpha - 1, m) * math.factorial(m) * gamma ** (alpha - 1 - m)
            for m in range(alpha)
        ]
        shorter = [Fraction(0)] * (len(product) + alpha - 1)
        for i, one in enumerate(product):
            for m, other in enumerate(powers):
                shorter[i + m] += one * other / math.factorial(alpha - 1)
        product = shorter
    last, left = len(alphas) + rest - 1, 1 - len(alphas) * gamma
    kept = sum(
        term * left ** (m + last) / math.factorial(m + last) for m, term in enumerate(product)
    )
    return 1 - math.factorial(sum(alphas) + rest - 1) * kept


def series_tail(alpha: Fraction, count: int, rest: Fraction, gamma: Fraction) -> Enclosure:
    """Return P(some x_i < gamma) by inclusion, exclusion and a power series in gamma."""
    terms, bits = 260, 1000
    with mpmath.mp.workprec(bits):
        a, g, k = mp(alpha), mp(gamma), mp(rest + count * alpha)
        factors = [1 / (mpmath.factorial(n) * (a + n)) for n in range(terms)]
        power, total = [mpmath.mp.mpf(1)] + [mpmath.mp.mpf(0)] * (terms - 1), mpmath.mp.mpf(0)
        for j in range(1, count + 1):
            power = [mpmath.fdot(power[: n + 1], factors[n::-1]) for n in range(terms)]
            left = k - j * a if rest or j < count else mpmath.mp.mpf(0)
            inside, signed = mpmath.mp.mpf(0), mpmath.rgamma(left)
            for n in range(terms):
                inside += power[n] * signed
                signed *= -g * (left - n - 1)
            front = g ** (j * a) * mpmath.gamma(k) / mpmath.gamma(a) ** j
            total -= (-1) ** j * math.comb(count, j) * front * inside
        return of_mpf(total, 150)


def test_whole_parameters_give_the_rational_they_give() -> None:
    rng = seeded("whole")
    for _ in range(instances(6, 25)):
        alphas = tuple(rng.randint(1, 8) for _ in range(rng.randint(1, 4)))
        rest = rng.randint(0 if len(alphas) > 1 else 1, 30)
        gamma = spread(rng, 1e-3, 0.999) / len(alphas)
        fractions = tuple(map(Fraction, alphas))
        found = general(BITS, fractions, Fraction(rest), gamma)
        assert found.is_narrow(DIGITS)
        assert contains(found, rational_tail(alphas, rest, gamma)), (alphas, rest, gamma)


def test_large_whole_parameters_give_the_rational_they_give() -> None:
    alphas, gamma = (70, 70, 70, 11), Fraction(19, 100)
    found = general(BITS, tuple(map(Fraction, alphas)), Fraction(59), gamma)
    assert found.is_narrow(DIGITS)
    assert contains(found, rational_tail(alphas, 59, gamma))


def test_one_coordinate_is_an_incomplete_beta() -> None:
    rng = seeded("beta")
    for _ in range(instances(5, 20)):
        alpha, rest = spread(rng, 1e-3, 300), spread(rng, 1e-3, 300)
        gamma = spread(rng, 1e-6, 0.99)
        found = uniform(BITS, alpha, 1, rest, gamma)
        with mpmath.mp.workprec(900):
            expected = mpmath.betainc(mp(alpha), mp(rest), 0, mp(gamma), regularized=True)
        assert found.is_narrow(DIGITS)
        assert found.overlaps(of_mpf(expected, 200)), (alpha, rest, gamma)


def test_equal_parameters_give_the_power_series_in_gamma() -> None:
    rng = seeded("series")
    for _ in range(4):
        alpha, count = spread(rng, 1e-3, 30), rng.randint(2, 4)
        rest, gamma = rng.choice((Fraction(0), spread(rng, 1e-3, 60))), spread(rng, 1e-9, 0.1)
        found = uniform(BITS, alpha, count, rest, gamma)
        assert found.is_narrow(DIGITS)
        assert found.overlaps(series_tail(alpha, count, rest, gamma)), (alpha, count, rest, gamma)


def test_a_probability_far_below_the_smallest_double_keeps_its_relative_accuracy() -> None:
    alpha, gamma = Fraction(3, 2), Fraction(1, 10**2000)
    found = uniform(BITS, alpha, 3, Fraction(7), gamma)
    assert found.high.compared_with(Fraction(1, 10**2990)) < 0
    assert found.is_narrow(DIGITS)
    assert found.overlaps(series_tail(alpha, 3, Fraction(7), gamma))


@pytest.mark.parametrize(
    ("alpha", "count", "total", "gamma", "low", "high"),
    [
        ("1.5038", 4, "20.6", "0.0004", "0.00199534929640", "0.00199534929641"),
        ("200", 5, "5000", "0.03", "2.16256816710267e-4", "2.16256816710269e-4"),
        ("4.81236", 5, "171.87", "0.001", "9.58532e-6", "9.58534e-6"),
    ],
)
def test_known_values(alpha: str, count: int, total: str, gamma: str, low: str, high: str) -> None:
    a = Fraction(alpha)
    found = uniform(BITS, a, count, Fraction(total) - count * a, Fraction(gamma))
    assert found.low.compared_with(Fraction(low)) > 0
    assert found.high.compared_with(Fraction(high)) < 0


HARD = [
    # alpha, count, rest, gamma: tiny and huge parameters, w gamma near 1, many coordinates.
    ("0.001", 3, "0.0001", "1e-30"),
    ("1e-12", 2, "1e-12", "1e-9"),
    ("1e-100", 2, "1", "0.3"),
    ("3e-40", 1, "1e-40", "0.3"),
    ("0.3", 3, "0.1", "0.333333333333333"),
    ("0.021", 1, "0.0049", "0.999999872"),
    ("0.003", 1, "2.8e-8", "0.999999655"),
    ("200", 5, "0", "0.1999"),
    ("200", 5, "0", "0.18"),
    ("1", 1000, "0", "0.000999"),
    ("1", 1000, "0", "1e-8"),
    ("1e5", 3, "2.7e6", "0.03"),
    ("2000", 20, "6e4", "0.0499"),
    ("1e6", 1, "1", "0.9999995"),
]


@each_of("alpha, count, rest, gamma", HARD[:: instances(2, 1)])
def test_more_bits_overlap_fewer_bits(alpha: str, count: int, rest: str, gamma: str) -> None:
    point = Fraction(alpha), count, Fraction(rest), Fraction(gamma)
    few, many = uniform(BITS, *point), uniform(2 * BITS, *point)
    assert few.is_narrow(DIGITS)
    assert many.is_narrow(2 * DIGITS)
    assert few.overlaps(many)


@pytest.mark.parametrize(
    ("alpha", "count", "rest"), [("0.01", 3, "0.02"), ("3.5", 4, "0"), ("900", 2, "200")]
)
def test_the_tail_grows_with_gamma(alpha: str, count: int, rest: str) -> None:
    shares = [Fraction(1, 10**200), Fraction(1, 10**9), *(Fraction(n, 9) for n in range(1, 6))]
    row = [uniform(256, Fraction(alpha), count, Fraction(rest), s / count) for s in shares]
    assert all(smaller.high < larger.low for smaller, larger in pairwise(row))


def test_either_integral_gives_one_less_the_other() -> None:
    rng = seeded("either")
    for _ in range(instances(3, 12)):
        draw = Draw({spread(rng, 0.01, 40): 2, spread(rng, 0.01, 40): 1}, spread(rng, 0.01, 90))
        threshold = Threshold.at(spread(rng, 1e-3, 0.3), draw)
        missed, kept = (
            as_fraction(Inversion(Integrand(draw, threshold, way), 100).two_chances()[0].value)
            for way in (False, True)
        )
        assert abs(missed + kept - 1) < Fraction(1, 1 << 88)


def test_equal_and_different_parameters_are_one_quantity() -> None:
    alpha, rest, gamma = Fraction(7, 3), Fraction(11), Fraction(1, 50)
    assert uniform(BITS, alpha, 4, rest, gamma) == general(BITS, (alpha,) * 4, rest, gamma)


def test_the_identity_querys_bound_is_the_tail_of_coordinates_at_the_floor() -> None:
    k, eta, gamma = Fraction(41, 2), Fraction(2, 25), Fraction(1, 300)
    expected = uniform(BITS, k * eta, 4, k * (1 - 4 * eta), gamma)
    assert identity_delta(BITS, k, eta, 4, gamma) == expected


def test_the_counting_querys_bound_protects_the_large_coordinate_too() -> None:
    k, eta, gamma = Fraction(9), Fraction(3, 10), Fraction(1, 5)
    floor, largest = k * eta, k * (1 - 2 * eta)
    expected = general(BITS, (floor, floor, largest), Fraction(0), gamma)
    found = counts_delta(BITS, k, eta, 3, gamma)
    assert found == expected
    assert identity_delta(BITS, k, eta, 2, gamma).high < found.low


def test_the_counting_querys_bound_at_the_largest_floor_has_equal_coordinates() -> None:
    k, eta, gamma = Fraction(8), Fraction(1, 4), Fraction(1, 10)
    expected = uniform(BITS, Fraction(2), 4, Fraction(0), gamma)
    assert counts_delta(BITS, k, eta, 4, gamma) == expected


ROOTS = [
    ("identity", "20.6", "0.073", 4, "0.002"),
    ("identity", "20.6", "0.073", 4, "1e-3000"),
    ("identity", "20.6", "0.073", 4, "0.999999999999"),
    ("identity", "0.01", "0.1", 4, "0.1"),
    ("identity", "1000", "0.2", 5, "1e-3"),
    ("identity", "30", "0.4", 1, "0.5"),
    ("identity", "5000", "0.26", 2, "0.9450980542"),
    ("identity", "0.026", "0.81", 1, "0.25"),
    ("identity", "3.000001", "0.9999998", 1, "1e-7"),
    ("counts", "20.6", "0.073", 5, "0.002"),
    ("counts", "7", "0.5", 2, "0.9999999"),
    ("counts", "0.6", "0.4", 2, "0.7"),
]


@each_of("query, k, eta, count, delta", ROOTS[:: instances(3, 1)])
def test_the_tail_at_the_root_is_the_one_asked_for(
    query: str, k: str, eta: str, count: int, delta: str
) -> None:
    root_of, tail_of = (
        (identity_gamma, identity_delta) if query == "identity" else (counts_gamma, counts_delta)
    )
    point, level = (Fraction(k), Fraction(eta), count), Fraction(delta)
    found = root_of(BITS, *point, level)
    assert found.is_narrow(DIGITS)
    assert tail_of(2 * BITS, *point, found.low.as_fraction()).high.compared_with(level) < 0
    assert tail_of(2 * BITS, *point, found.high.as_fraction()).low.compared_with(level) > 0


def test_a_root_astronomically_small_keeps_its_relative_accuracy() -> None:
    k, eta, delta = Fraction(1, 100), Fraction(1, 10), Fraction(1, 10**3000)
    found = identity_gamma(BITS, k, eta, 4, delta)
    assert found.is_narrow(DIGITS)
    assert found.overlaps(identity_gamma(2 * BITS, k, eta, 4, delta))
    # P is nearly w C gamma^a, a = 1/1000, C = Gamma(10 a)/(Gamma(9 a) Gamma(1 + a)).
    with mpmath.mp.workprec(400):
        a = mpmath.mp.mpf(1) / 1000
        scale = 4 * mpmath.gamma(10 * a) / (mpmath.gamma(9 * a) * mpmath.gamma(1 + a))
        expected = (mp(delta) / scale) ** 1000
    assert found.overlaps(of_mpf(expected, 200))


def test_a_root_that_is_the_largest_gamma_to_all_bits_says_so() -> None:
    found = identity_gamma(BITS, Fraction(2), Fraction(199, 200), 1, Fraction(99, 100))
    assert found.is_narrow(DIGITS)
    assert found.high.compared_with(Fraction(1)) == 0


def test_more_bits_of_a_root_overlap_fewer_bits() -> None:
    rng = seeded("roots")
    for _ in range(3):
        k, eta, delta = spread(rng, 0.1, 300), spread(rng, 0.01, 0.33), spread(rng, 1e-9, 0.99)
        few = counts_gamma(BITS, k, eta, 3, delta)
        many = counts_gamma(2 * BITS, k, eta, 3, delta)
        assert few.is_narrow(DIGITS)
        assert many.is_narrow(2 * DIGITS)
        assert few.overlaps(many)


def test_what_is_known_is_exact() -> None:
    one, half, none = Fraction(1), Fraction(1, 2), Fraction(0)
    assert uniform(BITS, half, 3, one, none).exact == 0
    assert uniform(BITS, half, 1, none, one).exact == 0
    assert uniform(BITS, half, 1, none, one + half).exact == 1
    assert uniform(BITS, half, 2, one, half).exact == 1
    assert uniform(BITS, half, 1, one, one).exact == 1
    assert general(BITS, (half, one), one, half).exact == 1
    assert counts_delta(BITS, one, half, 2, half).exact == 1
    assert identity_delta(BITS, one, one, 1, half).exact == 0


def nothing(found: Enclosure) -> bool:
    return not found.low.is_finite and not found.high.is_finite


@each_of(
    "alpha, count, rest, gamma",
    [
        (Fraction(10**40), 3, Fraction(0), Fraction(1, 3) - Fraction(1, 10**15)),
        (Fraction(10**40), 3, Fraction(0), Fraction(1, 10)),
        (Fraction(10**400), 3, Fraction(0), Fraction(1, 10)),
        (Fraction(10**9), 2, Fraction(10**9), Fraction(1, 3)),
        (Fraction(1), 2, Fraction(0), Fraction(1, 2) - Fraction(1, 10**400)),
    ],
)
def test_what_is_hopeless_is_answered_at_once_by_nothing_known(
    alpha: Fraction, count: int, rest: Fraction, gamma: Fraction
) -> None:
    started = time.monotonic()
    assert nothing(uniform(BITS, alpha, count, rest, gamma))
    assert time.monotonic() - started < 5


def test_more_bits_than_can_be_had_are_answered_by_nothing_known() -> None:
    assert nothing(uniform(20_000, Fraction(3), 2, Fraction(1), Fraction(1, 5)))


def test_no_gamma_is_named_where_there_is_none() -> None:
    assert nothing(identity_gamma(BITS, Fraction(3), Fraction(1), 1, Fraction(1, 2)))
    assert nothing(identity_gamma(BITS, Fraction(3), Fraction(1, 4), 2, Fraction(1)))


def test_a_spent_budget_ends_the_sum() -> None:
    alphas = tuple(Fraction(1000 + n) for n in range(60))
    started = time.monotonic()
    answer = climb(
        lambda bits: general(bits, alphas, Fraction(10**5), Fraction(1, 150)),
        lambda found: found.is_narrow(20),
        BITS,
        Budget(0.1),
        rigorous=False,
    )
    assert not answer.satisfied
    assert time.monotonic() - started < 1


def test_the_callers_contexts_are_left_alone() -> None:
    point = Fraction(3, 2), 3, Fraction(5), Fraction(1, 30)
    expected = uniform(BITS, *point)
    before = mpmath.mp.prec
    with gmpy2.context(precision=11, round=gmpy2.RoundUp), mpmath.mp.workprec(17):
        context = str(gmpy2.get_context())
        found = uniform(BITS, *point)
        assert str(gmpy2.get_context()) == context
        assert mpmath.mp.prec == 17
    assert mpmath.mp.prec == before
    assert found == expected


def test_two_values_are_widened_by_ten_differences_and_a_unit() -> None:
    one, other = mpfr(0.5), mpfr(0.50390625)
    found = widened(one, other, 60, Fraction(1))
    assert found.lower <= Fraction(1, 2) - 10 * Fraction(1, 256)
    assert found.upper >= Fraction(129, 256) + 10 * Fraction(1, 256)
    alike = widened(one, one, 60, Fraction(1))
    assert alike.low < Dyadic(1, -1) < alike.high


def test_two_values_that_are_no_probabilities_say_nothing() -> None:
    assert nothing(widened(mpfr(1.5), mpfr(1.5), 60, Fraction(1)))
    assert nothing(widened(mpfr(-0.5), mpfr(-0.5), 60, Fraction(1)))
    assert widened(mpfr(0.999), mpfr(0.9995), 60, Fraction(1)).upper == 1


def test_what_is_no_number_is_out_of_reach() -> None:
    for value in (mpc("nan"), mpfr("inf"), mpc("inf")):
        with pytest.raises(OutOfReachError):
            binary_exponent(value)


def test_a_step_that_leaves_the_bracket_halves_it() -> None:
    assert _next(0.0, 3.0, -5.0, 4.0) == 3.0
    assert _next(0.0, 5.0, -5.0, 4.0) == -0.5
    assert 0 < _next(0.0, 1e9, 0.0, math.inf) < 100


def some_points(rng: random.Random) -> list[mpc]:
    polar = [(math.exp(rng.uniform(-5, 7)), rng.uniform(-2.4, 2.4)) for _ in range(30)]
    return [mpc(r * math.cos(t), r * math.sin(t)) for r, t in polar]


def distance(one: mpc, other: mpc) -> Fraction:
    with working(600):
        gap = one - other
        return abs(as_fraction(gap.real)) + abs(as_fraction(gap.imag))


def test_the_upper_share_goes_up_by_the_density_with_the_parameter() -> None:
    # Q(a+1, z) = Q(a, z) + z^a e^-z / Gamma(a+1), by the series here and by the fraction there.
    for alpha in (Fraction(1, 3), Fraction(7), Fraction(251, 2)):
        lower, higher = GammaLaw(alpha), GammaLaw(alpha + 1)
        for point in some_points(seeded(f"{alpha}")):
            before, after = (law.shares(point, 200, scaled=True) for law in (lower, higher))
            with working(300):
                expected = before.upper + before.density / mpfr(alpha.numerator) * alpha.denominator
                size = max(abs(after.upper), abs(before.upper), abs(before.density))
            bound = as_fraction(size) / (1 << 180)
            assert distance(after.upper, expected) < bound, (alpha, point)


def test_a_scaled_upper_share_is_precise_where_it_is_small() -> None:
    # e^z Q(1/2, z) = e^z erfc(sqrt z); a tiny parameter's Q is nearly a E_1(z).
    for size in (0.5, 9.0, 60.0, 700.0):
        found = GammaLaw(Fraction(1, 2)).shares(mpc(size), 200, scaled=True)
        with mpmath.mp.workprec(3000):
            z = mpmath.mp.mpf(size)
            expected = mpmath.exp(z) * mpmath.erfc(mpmath.sqrt(z))
        middle = as_fraction(found.upper.real)
        assert contains(of_mpf(expected, 180), middle)
    tiny = GammaLaw(Fraction(1, 10**200)).shares(mpc(1), 200, scaled=True)
    with mpmath.mp.workprec(300):
        expected = mpmath.e * mpmath.e1(1) / mpmath.mp.mpf(10) ** 200
    assert contains(of_mpf(expected, 180), as_fraction(tiny.upper.real))


def test_a_point_next_to_nothing_takes_no_time() -> None:
    started = time.monotonic()
    tiny = mpfr(2) ** -3_000_000
    found = GammaLaw(Fraction(1, 10**6)).shares(mpc(tiny, tiny), 128, scaled=True)
    assert time.monotonic() - started < 1
    assert contains(Enclosure(Dyadic(7, -3), Dyadic(9, -3)), 1 - as_fraction(found.density.real))


def test_log_gamma_is_that_of_mpfr() -> None:
    rng = seeded("log gamma")
    for _ in range(instances(13, 40)):
        value = spread(rng, 1e-9, 1e9)
        with working(400):
            expected = gmpy2.lngamma(mpfr(value.numerator) / value.denominator)
            gap = abs(log_gamma(value, 200) - expected)
            assert gap <= (1 + abs(expected)) / mpfr(2) ** 180
