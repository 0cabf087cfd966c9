"""Roundings are decided by balls that tell, sum to one, and never loop on exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

import pytest
from ball_checks import seeded as points
from flint import arb
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.sampling import largest_remainder, nearest_multiple


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


@pytest.mark.parametrize("grid_bits", [0, 1, 5, 53, 300])
def test_largest_remainder_is_that_of_exact_rationals(grid_bits: int) -> None:
    random = points(grid_bits)
    for _ in range(60):
        values = some_shares(random, random.randrange(2, 9))
        scaled = [one * 2**grid_bits % 1 for one in values]
        if len(set(scaled)) == len(scaled) and all(scaled):
            found = largest_remainder(seen(values), grid_bits)
            assert found == by_largest_remainder(values, grid_bits)
            assert sum(found) == 2**grid_bits


@pytest.mark.parametrize("digits", [30, 52, 53, 60, 200, 1000])
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


@pytest.mark.parametrize("grid_bits", [-40, -1, 0, 7, 900])
def test_nearest_multiple_is_that_of_exact_rationals(grid_bits: int) -> None:
    random = points(grid_bits)
    for _ in range(60):
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
