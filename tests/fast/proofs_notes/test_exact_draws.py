"""The laws of proofs_notes/exact-draws.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log2
from random import Random

import pytest
from ball_checks import meets
from ball_checks import seeded as points
from flint import acb, arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify.models import layout
from simplexcert.reference import sampling
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.sampling import draw, published
from simplexcert.reference.sampling.draw import (
    MOST_ASKED_BITS,
    MOST_BITS,
    _Exponential,
    _Normal,
    _Scaled,
    _Uniform,
)

EXAMPLES = instances(20, 60)
repeatable = settings(derandomize=True, deadline=None, database=None, max_examples=EXAMPLES)
ONE = Fraction(1)
LEAST_D = Fraction(2, 3)
SHAPES = st.fractions(Fraction(1, 64), 50, max_denominator=64)
ABOVE_ONE = st.fractions(1, 50, max_denominator=64)
# What the note says of one vector: a bound on an open rounding, and on the bits of a coordinate.
FAIR, FIRST_LOOK = Fraction(9516, 10000), 40


def g(t: arb) -> arb:
    return 3 * (t.log1p() - t + t * t / 2 - t * t * t / 3)


HALF_DIGITS = 4


def digits_of(tape: int, rule: int) -> tuple[int, int]:
    """Return the digits of two uniforms that are given bits in an order that the bits set."""
    left = iter(f"{tape:0{2 * HALF_DIGITS}b}")
    both = [_Uniform(lambda _: int(next(left))) for _ in range(2)]
    while any(one._count < HALF_DIGITS for one in both):
        turn = (rule * both[0]._drawn + both[1]._drawn + both[0]._count) % 2
        one = both[turn] if both[turn]._count < HALF_DIGITS else both[1 - turn]
        one._append(1)
    return both[0]._drawn, both[1]._drawn


@pytest.mark.parametrize("rule", [0, 1, 3])
def test_adaptive_bits(rule: int) -> None:
    """Over all strings of bits, every pair of digits of two uniforms is met once."""
    tapes = 4**HALF_DIGITS
    assert len({digits_of(tape, rule) for tape in range(tapes)}) == tapes


@repeatable
@given(st.fractions(Fraction(-99, 100), 40, max_denominator=100))
def test_squeeze(t: Fraction) -> None:
    assume(t != 0)
    with working_precision(256):
        value = g(ball(t))
        assert value < 0
        if t > Fraction(-1, 2):
            assert value > ball(-3 * t**4 / 2)


@repeatable
@given(ABOVE_ONE, *[st.fractions(Fraction(-9, 10), 5, max_denominator=64)] * 2)
def test_accepted_density(shape: Fraction, one: Fraction, other: Fraction) -> None:
    """The accepted density over the gamma's is the same at any two points."""

    def ratio(point: Fraction) -> arb:
        d, t = ball(shape - Fraction(1, 3)), ball(point)
        value = d * (1 + t) ** 3
        accepted = d * g(t) - 9 * d * t * t / 2 - 2 * (1 + t).log()  # over dw/dt = 3 d (1 + t)^2
        return accepted - (ball(shape - 1) * value.log() - value)

    with working_precision(160):
        assert (ratio(one) - ratio(other)).contains(0)
        assert (ratio(one) - ratio(other)).rad() < arb(2) ** -90


def accepted(d: Fraction) -> arb:
    """Return p(d) by its formula."""
    number = ball(d)
    power = number ** (ball(Fraction(1, 6)) - number)
    return number.exp() * power * (number + ball(Fraction(1, 3))).gamma() / (2 * arb.pi()).sqrt()


def test_acceptance() -> None:
    """P is the mean of exp(d g), by quadrature up to a bounded rest, and rises from 0.9516 on."""
    with working_precision(80):
        for d in (LEAST_D, Fraction(2), Fraction(17, 2)):
            number = ball(d)

            def mass(v: acb, cuts: Cuts, d: arb = number) -> acb:
                return cuts.power(v, 3 * d) * (d - d * v**3).exp()

            low, high = arb(2) ** -40, arb(6)
            rest = low + (number * (1 - high**3)).exp() * high ** (3 * number + 1)
            whole = integrate(mass, low, high, 40) + arb(0, rest.upper())
            assert meets(3 * number.sqrt() / (2 * arb.pi()).sqrt() * whole, accepted(d), 30)
        chain = [accepted(LEAST_D + Fraction(n, 3)) for n in range(40)]
        assert all(one < other for one, other in pairwise(chain))
        assert accepted(LEAST_D) > ball(FAIR)
        assert meets(accepted(LEAST_D), (arb(2) / 3).exp() * (3 / (4 * arb.pi())).sqrt())
    assert Fraction(1, 2**1000) > (1 - FAIR) ** 256


@repeatable
@given(st.fractions(Fraction(1, 1000), Fraction(999, 1000)), st.fractions(Fraction(1, 9), 9))
def test_small_shape(shape: Fraction, power: Fraction) -> None:
    """The moments of the product are those of the gamma of the small shape."""
    with working_precision(128):
        a, s = ball(shape), ball(power)
        product = (a + 1 + s).gamma() / (a + 1).gamma() * (a / (a + s))
        assert meets(product, (a + s).gamma() / a.gamma())


@repeatable
@given(SHAPES, SHAPES, st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
def test_logit_density(a: Fraction, b: Fraction, x: Fraction) -> None:
    with working_precision(256):
        one, other = ball(a), ball(b)
        over = (one + other).gamma() / (one.gamma() * other.gamma())
        bound = (one.min(other) / (2 * arb.pi())).sqrt()
        for point in (ball(x), one / (one + other)):
            assert point**one * (1 - point) ** other * over < bound


def open_at(shares: list[Fraction], grid_bits: int, bits: int, spread: Fraction) -> bool:
    """Whether balls of a relative accuracy of so many bits leave the rounding open."""
    with working_precision(bits + 40):
        balls = []
        for one in shares:
            centre = ball(one * (1 + spread / 2 ** (bits + 1)))
            balls.append(arb(centre.mid(), (centre * arb((1, -bits - 1))).abs_upper()))
        return published._rounded(balls, grid_bits) is None


def near_ties(random: Random, size: int, grid_bits: int) -> list[Fraction]:
    """Return shares near eighths of the grid."""
    parts = [
        Fraction(random.randrange(12), 8) + Fraction(random.randrange(-64, 64), 2**19)
        for _ in range(size - 1)
    ]
    return [one / 2**grid_bits for one in (*parts, 2**grid_bits - sum(parts))]


def near(shares: list[Fraction], grid_bits: int, bits: int) -> bool:
    """Whether the note's proof lists these shares among those that may be left open."""
    eta = 3 * Fraction(2) ** (grid_bits - bits)
    whole = 2**grid_bits
    scaled = [one * whole for one in shares]
    integers = any(abs(one - round(one)) <= eta and 1 <= round(one) <= whole - 1 for one in scaled)
    parts = [one - one.__floor__() for one in scaled]
    pairs = [(i, j) for i in range(len(parts)) for j in range(i)]
    return integers or any(abs(parts[i] - parts[j]) <= 2 * eta for i, j in pairs)


def test_largest_remainder_decided() -> None:
    """A rounding is open only where the proof says so; grids so coarse that it happens."""
    random, opened = points(2), 0
    for _ in range(2000):
        size, grid_bits = random.randrange(2, 6), random.randrange(2, 5)
        shares = near_ties(random, size, grid_bits)
        spread = Fraction(random.randrange(-99, 100), 100)
        if min(shares) > 0 and open_at(shares, grid_bits, grid_bits + 12, spread):
            opened += 1
            assert near(shares, grid_bits, grid_bits + 12)
    assert opened > 100


def test_nearest_multiple_decided() -> None:
    """The sum over half multiples is below its bound, for wide and for narrow noise."""
    for sigma in (Fraction(1, 50), Fraction(1, 3), Fraction(1), Fraction(20)):
        with working_precision(128):
            scale = ball(sigma)
            for shift in (Fraction(0), Fraction(1, 3), Fraction(1, 2)):
                sizes = [abs(shift + k) for k in range(-4000, 4000)]
                total = sum(((ball(h) + 1) * (-ball(h) / scale).exp() for h in sizes), arb(0))
                rest = (-3900 / scale).exp() * 10**9
                assert (total + rest) / scale < 2 * (1 + scale) * (3 + scale) / scale
    with working_precision(64):
        for x in (arb(k) / 50 for k in range(2000)):
            assert (-x * x / 2).exp() / (2 * arb.pi()).sqrt() < arb("0.66") * (-x).exp()


def tape_of(random: Random, first: str) -> sampling.Bits:
    """Return a source with these first bits."""
    left = iter(first + f"{random.getrandbits(4000):04000b}")
    return lambda count: int("".join(next(left) for _ in range(count)), 2)


def middle_of(draw: _Uniform) -> arb:
    return draw.enclosure(200).mid()


def test_losses() -> None:
    """No formula loses more than the note's bound, at any precision, near its bad points too."""
    random = points(3)
    for trial in range(300):
        one, two = (kind(tape_of(random, "1" * (trial % 20))) for kind in (_Exponential, _Normal))
        with working_precision(300):
            u, size, angle = map(middle_of, (one._uniform, two._size, two._angle))
            cosine = abs((2 * angle).cos_pi())
            bounds = arb("0.6") / (1 - u) + 4, arb("0.3") / (1 - size) + 20 / cosine + 8
        noise = _Scaled(two, Fraction(17, 3))
        for drawn, bound in zip((one, two, noise), (*bounds, bounds[1] + 4), strict=True):
            for working in (64, 100, 180):
                with working_precision(working):
                    found = drawn._formula(working)
                assert working - found.rel_accuracy_bits() <= log2(float(bound.mid())) + 2.2
    with working_precision(64):
        both = (arb("0.3").sqrt() + arb(20).sqrt()) ** 2
        for k in range(12, 60):
            assert both / (arb(2) ** (k - arb("2.2")) - 12) < arb(2) ** (7 - k)


def test_uniform_bits() -> None:
    """However it is asked, it has drawn what was asked for, seven bits, and the leading zeros."""
    random = points(4)
    for zeros in (0, 1, 5, 40, 300):
        counted = sampling.Counted(tape_of(random, "0" * zeros + "1"))
        draw = _Uniform(counted)
        for bits in (1, 2, 30, 31, 64, 200):
            draw.enclosure(bits)
            assert bits < counted.drawn <= bits + 7 + zeros


def left_open(count: int, grid_bits: int, largest: Fraction, bits: int) -> float:
    """Return the note's bound on an open rounding; 1 where it says nothing."""
    peak = (float(largest) / 6.28) ** 0.5
    size = count**2 * (13 * count + 78 * grid_bits + 140)
    return min(1.0, peak * size * 2.0 ** (grid_bits - bits))


def mean_asked(count: int, grid_bits: int, largest: Fraction) -> float:
    """Return the note's bound on the mean accuracy that a vector's gammas are asked for."""
    looks = [(grid_bits + FIRST_LOOK) * 2**r for r in range(6)]
    asked = looks[0] + sum(bits * left_open(count, grid_bits, largest, bits) for bits in looks)
    return asked + 4 + count.bit_length()


def bits_of(alpha: Fraction, asked: float) -> float:
    """Return the note's bound on the mean number of random bits of a gamma."""
    small = 3 * asked + 196 + int(1 / alpha).bit_length()
    return small if alpha < 1 else 2 * asked + 135


def test_expected_bits() -> None:
    """Counted bits stay within the bounds in the mean, and the bounds within a quarter of them."""
    for alpha, count in ((ONE, 5), (Fraction(7, 2), 63), (Fraction(1, 1000), 9), (ONE / 3, 5)):
        source, times = sampling.Counted(sampling.seeded(5)), 1200 // count
        for _ in range(times):
            sampling.published_vector([alpha] * count, 53, source)
        mean = Fraction(source.drawn, times * count)
        bound = bits_of(alpha, mean_asked(count, 53, alpha))
        assert 0.8 * bound < mean < bound
    assert mean_asked(63, 53, Fraction(100)) < 93.1 + 4 + 6
    assert bits_of(Fraction(100), 93.1 + 4 + 6) < 342
    source = sampling.Counted(sampling.seeded(6))
    for _ in range(500):
        sampling.published_number(Fraction(1, 3), ONE, 30, source)
    assert 0.8 * 99 < Fraction(source.drawn, 500) < 99


def test_cap() -> None:
    """Each bound of the note at the limits is below 2^-1000, in exact powers of two."""
    last = MOST_ASKED_BITS // 2
    peak, grid_bits, count = 498, draw.MOST_GRID_BITS, 24
    assert 2**count > draw.MOST_COORDINATES
    assert layout.MOST_CELLS <= draw.MOST_COORDINATES
    assert 2 ** (2 * peak + 2) > draw.GREATEST_ALPHA
    size = 13 * draw.MOST_COORDINATES + 78 * grid_bits + 140
    assert size < 2**27
    assert peak + 2 * count + 27 + grid_bits - last < -1000
    assert 2**last > 200 * draw.MOST_COORDINATES
    widest = draw.GREATEST_ALPHA * 2**grid_bits
    assert draw.LEAST_SCALE * draw.GREATEST_ALPHA == 1
    assert widest + 4 + 3 * widest < 2**2024
    assert 7 + 2024 - last < -1001
    assert Fraction(2) ** -5909 < Fraction(1, 2**1001)  # e^-4096, as log2(e) > 1.4427
    assert 6 - last // 2 < -1000
    assert MOST_BITS // 2 - MOST_ASKED_BITS > 16_000
