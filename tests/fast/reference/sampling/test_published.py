"""What is published, held against another engine on the same random bits.

Roundings are decided by balls that tell, sum to one, and never loop on exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import pytest
from ball_checks import seeded as points
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError, SoundnessError
from simplexcert.reference.sampling import (
    Bits,
    Counted,
    Draw,
    Noise,
    beta,
    dirichlet,
    exponential,
    gamma,
    gaussian,
    laplace,
    largest_remainder,
    nearest_multiple,
    normal,
    operating_system,
    published_number,
    published_vector,
    seeded,
)
from simplexcert.reference.sampling.draw import GREATEST_ALPHA, LEAST_ALPHA, MOST_GRID_BITS

# The digits of the other engine's numbers; the bits of a uniform that are not drawn are set to a
# half there, which is 10^-90 and less away.
DIGITS, DRAWN_BITS = 400, 320
VECTORS = {
    "small": [Fraction(1, 1000)] * 4,
    "mixed": [Fraction(1, 100), Fraction(0), Fraction(1), Fraction(7, 2), Fraction(900)],
    "large": [Fraction(10**12), Fraction(3 * 10**12), Fraction(5)],
    "halves": [Fraction(1, 2)] * 6,
}


def number(part: Any) -> Any:
    return mpmath.mpf(2 * part._drawn + 1) / mpmath.mpf(2) ** (part._count + 1)


def exact(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


def normal_again(draw: Any) -> Any:
    size = mpmath.sqrt(-2 * mpmath.log(number(draw._size)))
    return size * mpmath.cos(2 * mpmath.pi * number(draw._angle))


def attempt_again(draw: Any, shape: Fraction) -> Any:
    """Return an accepted gamma by the formula as Marsaglia and Tsang print it."""
    d = exact(shape) - mpmath.mpf(1) / 3
    return d * (1 + normal_again(draw._normal) / mpmath.sqrt(9 * d)) ** 3


def gamma_again(draw: Any, shape: Fraction) -> Any:
    if shape >= 1:
        return attempt_again(draw, shape)
    above = attempt_again(draw._above, shape + 1)
    return above * number(draw._exponential._uniform) ** (1 / exact(shape))


def shares_again(parts: Sequence[Any], alpha: Sequence[Fraction]) -> list[Any]:
    gammas = [
        gamma_again(part, one) if one else mpmath.mpf(0)
        for part, one in zip(parts, alpha, strict=True)
    ]
    return [one / mpmath.fsum(gammas) for one in gammas]


def rounded_again(shares: Sequence[Any], grid_bits: int) -> list[int]:
    scaled = [one * 2**grid_bits for one in shares]
    floors = [int(mpmath.floor(one)) for one in scaled]
    order = sorted(range(len(floors)), key=lambda i: floors[i] - scaled[i])
    chosen = order[: 2**grid_bits - sum(floors)]
    return [floor + (i in chosen) for i, floor in enumerate(floors)]


@each_of("name", VECTORS)
def test_vector_is_the_rounded_formula_of_its_bits(name: str) -> None:
    alpha, source = VECTORS[name], seeded(21)
    with mpmath.workdps(DIGITS + 700):
        for grid_bits in (0, 3, 53):
            for _ in range(4):
                draw = dirichlet(alpha, source)
                found = largest_remainder(draw.enclosures, grid_bits)
                draw.enclosures(DRAWN_BITS)
                assert found == rounded_again(shares_again(draw._parts, alpha), grid_bits)


@pytest.mark.parametrize("grid_bits", [-3, 0, 40])
def test_number_is_the_rounded_formula_of_its_bits(grid_bits: int) -> None:
    source, scale = seeded(22), Fraction(17, 3)
    with mpmath.workdps(DIGITS):
        for _ in range(instances(13, 40)):
            draw: Any = laplace(scale, source)
            found = nearest_multiple(draw.enclosure, grid_bits)
            draw.enclosure(DRAWN_BITS)
            size = -exact(scale) * mpmath.log(number(draw._draw._uniform))
            signed = size if draw._scale > 0 else -size
            assert found == int(mpmath.floor(signed * mpmath.mpf(2) ** grid_bits + 0.5))


@each_of("centre", [Fraction(0), Fraction(1, 3), -Fraction(10**40, 7)])
@each_of("grid_bits", [-2, 0, 30])
@each_of("noise", [laplace, gaussian])
def test_published_number_adds_the_noise_to_the_exact_centre(
    centre: Fraction, grid_bits: int, noise: Noise
) -> None:
    """One and the same draw is looked at again; the sum is rounded, not the parts."""
    unit = Fraction(2) ** grid_bits
    drawn: list[Draw] = []

    def kept(scale: Fraction, source: Bits) -> Draw:
        drawn.append(noise(scale, source))
        return drawn[-1]

    for seed in range(25):
        found = published_number(centre, Fraction(3), grid_bits, seeded(seed), kept)
        added = drawn[-1].enclosure(300)
        mantissa, exponent = added.mid().man_exp()
        value = centre + int(mantissa) * Fraction(2) ** int(exponent)
        assert (found * unit).denominator == 1
        assert found * unit == (value * unit + Fraction(1, 2)).__floor__()


@each_of("name", VECTORS)
@each_of("source", [operating_system, seeded(5)])
def test_published_vector_is_on_the_grid_and_sums_to_one(name: str, source: Bits) -> None:
    for grid_bits in (0, 1, 53, 200):
        found = published_vector(VECTORS[name], grid_bits, source)
        assert sum(found) == 1
        assert all(0 <= one <= 1 and (one * 2**grid_bits).denominator == 1 for one in found)


def test_published_is_the_same_for_the_same_seed() -> None:
    one, other = (published_vector(VECTORS["mixed"], 53, seeded(8)) for _ in range(2))
    assert one == other
    assert published_vector(VECTORS["mixed"], 53, seeded(9)) != one


def test_alpha_of_zero_gives_exactly_zero() -> None:
    alpha = [Fraction(0), Fraction(2), Fraction(0), Fraction(3)]
    balls = dirichlet(alpha, seeded(1)).enclosures(50)
    assert [one.is_zero() for one in balls] == [True, False, True, False]
    assert published_vector(alpha, 9, seeded(1))[::2] == [0, 0]


def test_lone_alpha_gives_exactly_one_and_draws_nothing() -> None:
    source = Counted(seeded(1))
    assert published_vector([Fraction(0), Fraction(1, 3)], 53, source) == [0, 1]
    assert source.drawn == 0


@each_of(
    "alpha",
    [
        [],
        [Fraction(0)] * 3,
        [Fraction(1), Fraction(-1)],
        [Fraction(1), LEAST_ALPHA - Fraction(1, 10**9)],
        [Fraction(1), GREATEST_ALPHA + 1],
        [Fraction(0), Fraction(1, 2000)],
    ],
)
def test_alpha_out_of_reach_is_refused_before_any_bit(alpha: list[Fraction]) -> None:
    source = Counted(seeded(1))
    with pytest.raises(DomainError, match="alpha"):
        published_vector(alpha, 53, source)
    assert source.drawn == 0


@pytest.mark.parametrize("shape", [Fraction(0), Fraction(-2), Fraction(1, 1001)])
def test_shape_out_of_reach_is_refused(shape: Fraction) -> None:
    for draw in (gamma, lambda a, source: beta(Fraction(1), a, source)):
        source = Counted(seeded(1))
        with pytest.raises(DomainError, match="alpha"):
            draw(shape, source)
        assert source.drawn == 0


@pytest.mark.parametrize("scale", [Fraction(0), Fraction(-1), Fraction(1, 10**301)])
def test_scale_out_of_reach_is_refused_before_any_bit(scale: Fraction) -> None:
    source = Counted(seeded(1))
    for noise in (laplace, gaussian):
        with pytest.raises(DomainError, match="scale"):
            published_number(Fraction(0), scale, 3, source, noise)
    assert source.drawn == 0


@pytest.mark.parametrize("grid_bits", [-MOST_GRID_BITS - 1, MOST_GRID_BITS + 1])
def test_grid_out_of_reach_is_refused_before_any_bit(grid_bits: int) -> None:
    source = Counted(seeded(1))
    with pytest.raises(DomainError, match="grid_bits"):
        published_number(Fraction(0), Fraction(1), grid_bits, source)
    with pytest.raises(DomainError, match="grid_bits"):
        published_vector(
            [Fraction(1), Fraction(2)], min(grid_bits, -1) if grid_bits < 0 else grid_bits, source
        )
    assert source.drawn == 0


def test_refusal_tells_no_value() -> None:
    """A parameter is made of private counts: the sentence names the limits alone."""
    with pytest.raises(DomainError) as refused:
        published_vector([Fraction(1), Fraction(271828, 10**12)], 53, seeded(1))
    assert "271828" not in str(refused.value)
    assert "67957" not in str(refused.value)


def test_finest_grid_is_reached() -> None:
    found = published_vector(VECTORS["small"], MOST_GRID_BITS, seeded(3))
    assert sum(found) == 1
    number_found = published_number(Fraction(1, 3), Fraction(10**300), MOST_GRID_BITS, seeded(3))
    assert (number_found * 2**MOST_GRID_BITS).denominator == 1


def test_normal_noise_has_its_scale_as_its_deviation() -> None:
    """A standard normal draw is multiplied, to any accuracy."""
    scale = Fraction(17, 3)
    for seed in range(instances(5, 40)):
        noise: Any = gaussian(scale, seeded(seed))
        assert type(noise._draw) is type(normal(seeded(seed)))
        for bits in (64, 200):
            found, standard = noise.enclosure(bits), noise._draw.enclosure(bits)
            with working_precision(220):
                assert found.overlaps(standard * ball(scale))


def test_exponential_is_minus_the_logarithm_of_its_uniform() -> None:
    draw: Any = exponential(seeded(2))
    ball = draw.enclosure(DRAWN_BITS)
    with mpmath.workdps(DIGITS):
        value = -mpmath.log(number(draw._uniform))
        mantissa, exponent = ball.mid().man_exp()
        middle = mpmath.mpf(int(mantissa)) * mpmath.mpf(2) ** int(exponent)
        assert abs(middle - value) < mpmath.mpf(2) ** (4 - DRAWN_BITS)


def seen(values: Sequence[Fraction]) -> Callable[[int], list[arb]]:
    """Return the enclosures of a vector that is known exactly only to the test."""

    def enclosures(bits: int) -> list[arb]:
        with working_precision(bits + 20):
            radii = [ball(one) * arb((1, -bits - 2)) for one in values]
            return [
                arb((ball(one) + radius / 3).mid(), radius.abs_upper())
                for one, radius in zip(values, radii, strict=True)
            ]

    return enclosures


def by_largest_remainder(values: Sequence[Fraction], grid_bits: int) -> list[int]:
    """Return the same in exact rationals, for values whose remainders differ."""
    scaled = [one * 2**grid_bits for one in values]
    floors = [one.__floor__() for one in scaled]
    order = sorted(range(len(values)), key=lambda i: floors[i] - scaled[i])
    units = 2**grid_bits - sum(floors)
    return [floor + (i in order[:units]) for i, floor in enumerate(floors)]


def some_shares(random: Random, size: int) -> list[Fraction]:
    masses = [random.randrange(1, 1 << random.randrange(2, 200)) for _ in range(size)]
    return [Fraction(one, sum(masses)) for one in masses]


@each_of("grid_bits", [0, 1, 5, 53, 300])
def test_largest_remainder_is_that_of_exact_rationals(grid_bits: int) -> None:
    random = points(grid_bits)
    for _ in range(instances(20, 60)):
        values = some_shares(random, random.randrange(2, 9))
        scaled = [one * 2**grid_bits % 1 for one in values]
        if len(set(scaled)) == len(scaled) and all(scaled):
            found = largest_remainder(seen(values), grid_bits)
            assert found == by_largest_remainder(values, grid_bits)
            assert sum(found) == 2**grid_bits


@each_of("digits", [30, 52, 53, 60, 200, 1000])
def test_remainders_that_nearly_tie_are_told_apart(digits: int) -> None:
    """Closer than doubles can tell: their order is that of the balls' exact middles."""
    near = Fraction(1, 2**digits)
    values = [Fraction(13, 40) - near, Fraction(13, 40) + near, Fraction(7, 20)]
    assert largest_remainder(seen(values), 3) == [2, 3, 3]
    assert largest_remainder(seen(values[::-1]), 3) == [3, 3, 2]


@pytest.mark.parametrize("grid_bits", [0, 10, 53])
def test_share_next_to_one_is_decided_by_the_others(grid_bits: int) -> None:
    """What is left of 1 is far below any digit of the share, and not looked for there."""
    small = Fraction(1, 2**5000)
    asked: list[int] = []
    values = [small, 1 - 3 * small, 2 * small]

    def enclosures(bits: int) -> list[arb]:
        asked.append(bits)
        return seen(values)(bits)

    assert largest_remainder(enclosures, grid_bits) == [0, 2**grid_bits, 0]
    assert len(asked) == 1


def test_exact_zeros_and_a_lone_one_are_decided() -> None:
    zero, one = arb(0), arb(1)
    assert largest_remainder(lambda _: [zero, one, zero], 7) == [0, 128, 0]
    assert largest_remainder(lambda _: [one], 0) == [1]


def test_exact_zeros_never_get_a_unit() -> None:
    third = seen([Fraction(1, 3), Fraction(2, 3)])
    assert largest_remainder(lambda bits: [arb(0), *third(bits), arb(0)], 1) == [0, 1, 1, 0]


@pytest.mark.parametrize("wrong", [[Fraction(1, 4)] * 2, [Fraction(7, 8), Fraction(3, 4)]])
def test_shares_that_do_not_sum_to_one_are_not_rounded(wrong: list[Fraction]) -> None:
    with pytest.raises(SoundnessError):
        largest_remainder(seen([one + Fraction(1, 999) for one in wrong]), 4)


@pytest.mark.parametrize("what", ["nan", "inf", "-inf"])
def test_balls_that_are_not_finite_decide_no_rounding(what: str) -> None:
    with pytest.raises(SoundnessError):
        nearest_multiple(lambda _: arb(what), 3)
    with pytest.raises(SoundnessError):
        largest_remainder(lambda _: [arb(what), arb("0.5")], 3)


@each_of("grid_bits", [-40, -1, 0, 7, 900])
def test_nearest_multiple_is_that_of_exact_rationals(grid_bits: int) -> None:
    random = points(grid_bits)
    for _ in range(instances(20, 60)):
        value = Fraction(random.randrange(-(10**20), 10**20), random.randrange(1, 10**9))
        scaled = value * Fraction(2) ** grid_bits
        if (scaled + Fraction(1, 2)).denominator > 1:
            nearest = (scaled + Fraction(1, 2)).__floor__()
            assert nearest_multiple(lambda bits, v=value: seen([v])(bits)[0], grid_bits) == nearest


def test_nearest_multiple_of_an_exact_number_ends() -> None:
    assert nearest_multiple(lambda _: arb(0), 5) == 0
    assert nearest_multiple(lambda _: arb(3), 0) == 3
    assert nearest_multiple(lambda _: arb((5, -1)), 0) == 3


@pytest.mark.parametrize("digits", [20, 100, 3000])
def test_number_next_to_a_half_multiple_is_refined(digits: int) -> None:
    for side, nearest in ((-1, 2), (1, 3)):
        value = Fraction(5, 2) + Fraction(side, 2**digits)
        assert nearest_multiple(lambda bits, v=value: seen([v])(bits)[0], 0) == nearest
