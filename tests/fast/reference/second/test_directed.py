"""Laws of directed rounding: a span contains what it stands for, and leaves no trace."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import gmpy2
from each import each_of
from instances import instances
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.second.directed import OutOfReachError, Span, hull, or_nothing, sharpened
from simplexcert.reference.second.gamma import log_gamma_exchange

BITS = (24, 53, 128, 400)


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def some_rational(rng: random.Random) -> Fraction:
    top, bottom = rng.getrandbits(rng.randrange(1, 200)), rng.getrandbits(rng.randrange(1, 200)) + 1
    return Fraction(rng.choice((-1, 1)) * top, bottom)


def some_positive(rng: random.Random) -> Fraction:
    return abs(some_rational(rng)) + Fraction(1, 10**9)


def some_interval(rng: random.Random, bits: int) -> tuple[Span, Fraction]:
    """Return a span of some width and a rational inside it."""
    first, second = sorted((some_rational(rng), some_rational(rng)))
    inside = first + (second - first) * Fraction(rng.randrange(101), 100)
    return hull(Span.of(first, bits), Span.of(second, bits)), inside


def contains(span: Span, value: Fraction) -> bool:
    enclosure = span.enclosure()
    return enclosure.low.compared_with(value) <= 0 <= enclosure.high.compared_with(value)


def is_inside(inner: Span, outer: Span) -> bool:
    return bool(outer.low <= inner.low and inner.high <= outer.high)


def overlap(first: Span, second: Span) -> bool:
    return first.enclosure().overlaps(second.enclosure())


@each_of("bits", BITS)
def test_the_span_of_a_rational_contains_it_and_is_one_unit_wide(bits: int) -> None:
    rng = seeded(f"span {bits}")
    for _ in range(instances(166, 500)):
        value = some_rational(rng)
        span = Span.of(value, bits)
        assert contains(span, value)
        assert span.low == span.high or gmpy2.next_above(span.low) == span.high


@each_of("bits", BITS)
def test_arithmetic_of_intervals_contains_the_exact_result_of_what_is_inside(bits: int) -> None:
    rng = seeded(f"arithmetic {bits}")
    for _ in range(instances(125, 500)):
        (x, inside_x), (y, inside_y) = some_interval(rng, bits), some_interval(rng, bits)
        assert contains(x + y, inside_x + inside_y)
        assert contains(x - y, inside_x - inside_y)
        assert contains(x * y, inside_x * inside_y)
        assert contains(-x, -inside_x)
        if inside_y:
            assert contains(x / y, inside_x / inside_y)


def test_division_by_a_span_around_zero_says_nothing() -> None:
    around = hull(Span.of(-1, 64), Span.of(1, 64))
    assert (Span.of(1, 64) / around).enclosure().low == Enclosure.nothing_known().low
    assert (Span.of(1, 64) / around).enclosure().high == Enclosure.nothing_known().high


@each_of("name", ["exp", "expm1", "log", "log1p", "lgamma", "digamma"])
def test_a_function_at_low_precision_contains_itself_at_high_precision(name: str) -> None:
    rng = seeded(f"function {name}")
    for _ in range(instances(100, 300)):
        value = Fraction(rng.randrange(1, 10**6), rng.choice((1, 10**3, 10**5, 10**9)))
        rough, fine = Span.of(value, 40), Span.of(value, 300)
        assert is_inside(getattr(fine, name)(), getattr(rough, name)())


@each_of("name", ["exp", "expm1", "log", "log1p", "lgamma", "digamma"])
def test_a_function_of_an_interval_contains_its_value_anywhere_inside(name: str) -> None:
    rng = seeded(f"interval {name}")
    for _ in range(instances(75, 300)):
        ends = [Fraction(rng.randrange(1, 5000), 1000) for _ in range(2)]
        wide = getattr(hull(*(Span.of(end, 80) for end in ends)), name)()
        for share in range(11):
            inside = ends[0] + (ends[1] - ends[0]) * Fraction(share, 10)
            assert overlap(wide, getattr(Span.of(inside, 80), name)())
            assert is_inside(getattr(Span.of(inside, 300), name)(), wide)


def test_log_gamma_across_its_minimum_reaches_down_to_the_minimum() -> None:
    across = hull(Span.of(1, 128), Span.of(2, 128)).lgamma()
    at_minimum = Span.of(Fraction(14616321449683623412626595423, 10**28), 128).lgamma()
    assert is_inside(at_minimum, across)
    assert across.high == 0


def test_exp_undoes_log() -> None:
    rng = seeded("exp log")
    for _ in range(instances(66, 200)):
        value = some_positive(rng)
        assert contains(Span.of(value, 128).log().exp(), value)
        assert contains(Span.of(value, 128).log1p().expm1(), value)


def test_log_gamma_and_digamma_satisfy_their_recurrences() -> None:
    rng = seeded("recurrence")
    for _ in range(instances(66, 200)):
        value = some_positive(rng)
        here, there = Span.of(value, 128), Span.of(value + 1, 128)
        assert overlap(there.lgamma() - here.lgamma(), here.log())
        assert overlap(there.digamma() - here.digamma(), Span.of(1 / value, 128))


def test_log_gamma_of_a_whole_number_is_the_logarithm_of_a_factorial() -> None:
    for n in range(1, 60):
        assert overlap(Span.of(n, 128).lgamma(), Span.of(math.factorial(n - 1), 128).log())


def test_outside_the_domain_nothing_is_known() -> None:
    for value in (-2, 0):
        for span in (Span.of(value, 64).lgamma(), Span.of(value, 64).digamma()):
            assert span.sign == 0
            assert not gmpy2.is_finite(span.low)
            assert not gmpy2.is_finite(span.high)
    assert gmpy2.is_infinite(Span.of(-2, 64).log().high)


def test_infinity_times_zero_says_nothing() -> None:
    product = Span.of(0, 64) * hull(Span.of(1, 64), Span.of(0, 64).log())
    assert product.sign == 0
    assert not gmpy2.is_finite(product.low)


def test_what_is_too_small_or_too_large_for_mpfr_is_still_enclosed() -> None:
    huge = Span.of(10**12, 64)
    tiny_power, huge_power = (-huge).exp(), huge.exp()
    assert tiny_power.low == 0 < tiny_power.high
    assert gmpy2.is_finite(huge_power.low)
    assert gmpy2.is_infinite(huge_power.high)


@each_of("exponent", [-(10**12), -5, 3, 10**12])
def test_a_power_of_e_of_any_size_has_a_narrow_enclosure(exponent: int) -> None:
    enclosure = Span.of(exponent, 128).exp_enclosure()
    assert enclosure.is_narrow(20)
    if abs(exponent) < 100:
        assert enclosure.overlaps(Span.of(exponent, 128).exp().enclosure())


def test_the_callers_context_is_neither_used_nor_changed() -> None:
    with gmpy2.context(precision=20, round=gmpy2.RoundUp) as context:
        before = str(context)
        span = (Span.of(Fraction(1, 3), 200).exp().log() / Span.of(3, 200)).lgamma().expm1()
        log_gamma_exchange(100, Fraction(1, 3), Fraction(5), Fraction(1, 7))
        assert str(gmpy2.get_context()) == before
    assert span.bits == 200
    assert span.is_within(180)


def test_sharpened_keeps_the_bits_that_cancellation_takes() -> None:
    tiny = Fraction(1, 10**30)

    def at(precision: int) -> Span:
        return Span.of(1 + tiny, precision).log()

    assert not at(128).is_within(100)
    assert sharpened(100, at).is_within(100)


def test_what_is_out_of_reach_is_answered_by_the_enclosure_that_says_nothing() -> None:
    @or_nothing
    def hopeless(_bits: int) -> Enclosure:
        raise OutOfReachError

    answer, nothing = hopeless(64), Enclosure.nothing_known()
    assert (answer.low, answer.high) == (nothing.low, nothing.high)


def test_the_exchange_of_log_gammas_is_the_four_log_gammas_it_stands_for() -> None:
    rng = seeded("exchange")
    for _ in range(instances(37, 150)):
        first = Fraction(f"{10 ** rng.uniform(-4, 4):.6g}")
        part = Fraction(f"{10 ** rng.uniform(-9, 3):.6g}")
        second = first + part + Fraction(f"{10 ** rng.uniform(-9, 3):.6g}")
        at_first, at_second, more, less = (
            Span.of(value, 400).lgamma() for value in (first, second, first + part, second - part)
        )
        found = log_gamma_exchange(128, first, second, part)
        assert overlap(found, at_first + at_second - more - less)
        assert found.is_within(120)


def test_the_exchange_of_a_whole_part_is_the_logarithm_of_a_rational() -> None:
    for part in range(1, 12):
        x, y = Fraction(2, 7), Fraction(41, 3)
        product = math.prod(((y - part + j) / (x + j) for j in range(part)), start=Fraction(1))
        found = log_gamma_exchange(128, x, y, Fraction(part))
        assert overlap(found, Span.of(product, 200).log())
