"""A draw is one number: its enclosures are refined, never changed.

Sources of random bits: all of them fresh, none lost, and a seed's the same for ever.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from each import each_of
from flint import arb, ctx
from instances import instances
from simplexcert.reference import sampling
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError, SoundnessError
from simplexcert.reference.sampling import (
    Bits,
    Counted,
    Draw,
    beta,
    dirichlet,
    exponential,
    gamma,
    gaussian,
    laplace,
    normal,
    operating_system,
    seeded,
    uniform,
)
from simplexcert.reference.sampling.draw import (
    MOST_BITS,
    MOST_COORDINATES,
    accurate,
    decided,
    require_alpha,
)
from simplexcert.reference.sampling.gamma import _Attempt

SOME: dict[str, Callable[[Bits], Draw]] = {
    "uniform": uniform,
    "exponential": exponential,
    "laplace": lambda source: laplace(Fraction(7, 3), source),
    "narrow laplace": lambda source: laplace(Fraction(1, 10**300), source),
    "normal": normal,
    "narrow normal": lambda source: gaussian(Fraction(1, 10**300), source),
    "gamma 1/1000": lambda source: gamma(Fraction(1, 1000), source),
    "gamma 1": lambda source: gamma(Fraction(1), source),
    "gamma 10^12": lambda source: gamma(Fraction(10**12), source),
    "gamma 10^300": lambda source: gamma(Fraction(10**300), source),
    "beta": lambda source: beta(Fraction(1, 1000), Fraction(5, 2), source),
}


@each_of("name", SOME)
def test_enclosures_of_one_draw_contain_one_number(name: str) -> None:
    source = seeded(11)
    for _ in range(instances(8, 20)):
        draw = SOME[name](source)
        balls = [draw.enclosure(bits) for bits in (5, 40, 41, 200, 1500)]
        assert all(one.overlaps(other) for one, other in pairwise(balls))
        assert all(balls[-1].overlaps(one) for one in balls)


@each_of("name", SOME)
@each_of("bits", [1, 17, 64, 500])
def test_enclosures_are_as_accurate_as_asked_for(name: str, bits: int) -> None:
    source = seeded(12)
    for _ in range(instances(10, 30)):
        ball = SOME[name](source).enclosure(bits)
        assert ball.is_finite()
        assert ball.rel_accuracy_bits() >= bits


@pytest.mark.parametrize("name", ["uniform", "exponential", "laplace"])
def test_draw_is_the_same_however_it_is_looked_at(name: str) -> None:
    """What is made of one uniform takes its bits in their order, in whatever steps."""
    once, stepwise = (SOME[name](seeded(3)) for _ in range(2))
    for bits in (3, 50, 64, 90, 130, 250):
        stepwise.enclosure(bits)
    one, other = once.enclosure(300), stepwise.enclosure(300)
    assert one.overlaps(other)
    assert (one - other).abs_upper() < one.abs_lower() * arb((1, -290))


@pytest.mark.parametrize("bits", [1, 30, 300])
def test_shares_are_as_accurate_as_asked_for(bits: int) -> None:
    source = seeded(13)
    for size in (2, 3, 7, 40):
        draw = dirichlet([Fraction(1, 100), Fraction(5)] * size, source)
        balls = draw.enclosures(bits)
        assert all(one.is_finite() and one.rel_accuracy_bits() >= bits for one in balls)
        assert sum(balls, arb(0)).overlaps(arb(1))


def test_sign_of_noise_is_a_bit_of_its_own() -> None:
    for seed in range(20):
        first = seeded(seed)(1)
        assert (laplace(Fraction(2), seeded(seed)).enclosure(9) < 0) == bool(first)


def test_less_accuracy_draws_no_bits() -> None:
    draw = gamma(Fraction(3), seeded(1))
    known = draw.enclosure(200)
    assert draw.enclosure(100) is known


def test_precision_of_the_process_is_left_alone() -> None:
    before = ctx.prec
    for some in SOME.values():
        some(seeded(2)).enclosure(700)
    dirichlet([Fraction(1), Fraction(0), Fraction(2)], seeded(2)).enclosures(700)
    assert ctx.prec == before


def test_precision_of_the_process_does_not_change_a_draw() -> None:
    one = gamma(Fraction(1, 3), seeded(4)).enclosure(150)
    before, ctx.prec = ctx.prec, 20
    try:
        other = gamma(Fraction(1, 3), seeded(4)).enclosure(150)
    finally:
        ctx.prec = before
    assert (one.mid(), one.rad()) == (other.mid(), other.rad())


@pytest.mark.parametrize("zeros", [0, 10, 700])
def test_uniform_with_leading_zeros_has_all_its_digits(zeros: int) -> None:
    left = iter("0" * zeros + "1" + "01" * 1000)
    draw = uniform(lambda count: int("".join(next(left) for _ in range(count)), 2))
    ball = draw.enclosure(100)
    assert ball.rel_accuracy_bits() >= 100
    assert ball.log() < arb(2).log() * -zeros
    assert ball.log() > arb(2).log() * -(zeros + 1)


@pytest.mark.parametrize("ball", ["nan", "inf", "[0 +/- 1]"])
def test_ball_that_says_nothing_is_never_a_value(ball: str) -> None:
    with pytest.raises(SoundnessError):
        accurate(lambda _: arb(ball), 20)


def test_undecided_comparison_is_refined_and_never_answered() -> None:
    seen = []

    def verdict(bits: int) -> Trilean:
        seen.append((bits, ctx.prec))
        return Trilean.UNKNOWN

    with pytest.raises(SoundnessError):
        decided(verdict, 64)
    assert seen == [(64 * 2**n, 64 * 2**n) for n in range(9)]


def test_draw_does_not_show_its_value() -> None:
    draw = laplace(Fraction(1), seeded(1))
    value = draw.enclosure(64).str(4, radius=False)
    assert value not in repr(draw)


def test_a_vector_of_too_many_coordinates_is_refused_by_its_length() -> None:
    """Before any of them is looked at, or a bit drawn: what was proved is for so many."""
    long = range(1, MOST_COORDINATES + 2)
    with pytest.raises(DomainError, match=f"{MOST_COORDINATES + 1} coordinates"):
        require_alpha(long)  # type: ignore[arg-type]


def test_bits_of_a_seed_are_those_of_the_hash() -> None:
    block = hashlib.shake_256(b"simplexcert sampling seed 2a block 0").digest(16)
    assert seeded(42)(128) == int.from_bytes(block, "big")


def test_bits_of_a_seed_go_on_with_the_next_block() -> None:
    block = hashlib.shake_256(b"simplexcert sampling seed 2a block 1").digest(16)
    assert seeded(42)(8 * 1088 + 128) % 2**128 == int.from_bytes(block, "big")


def test_seed_never_changes_its_bits() -> None:
    """Recorded: a seeded release is the same on every machine and in every version."""
    assert seeded(7)(64) == 0x91B0A8F03ED7EF73


def test_bits_do_not_depend_on_how_they_are_asked_for() -> None:
    source, whole = seeded(3), 0
    counts = [1, 7, 64, 9000, 0, 3, 20000]
    for count in counts:
        whole = whole << count | source(count)
    assert whole == seeded(3)(sum(counts))


@each_of("count", [0, 1, 5, 64, 1000])
@each_of("source", [operating_system, seeded(1)])
def test_bits_are_as_many_as_asked_for(source: sampling.Bits, count: int) -> None:
    assert all(0 <= source(count) < 1 << count for _ in range(50))


def test_different_seeds_have_different_bits() -> None:
    assert len({seeded(seed)(256) for seed in (-1, 0, 1, 2**64, 16)}) == 5


def test_counted_hands_on_and_counts() -> None:
    counted, other = Counted(seeded(1)), seeded(1)
    assert [counted(count) for count in (3, 0, 70)] == [other(count) for count in (3, 0, 70)]
    assert counted.drawn == 73


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_forked_process_repeats_no_bits() -> None:
    """Nothing of the operating system's bits is kept, so parent and child have different ones."""
    sampling.published_vector([Fraction(1)] * 3, 20, operating_system)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, operating_system(256).to_bytes(32, "big"))
        os._exit(0)
    os.waitpid(child, 0)
    assert int.from_bytes(os.read(reading, 32), "big") != operating_system(256)
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("given", [lambda count: 1 << count, lambda _: -1])
def test_bits_out_of_range_are_refused(given: sampling.Bits) -> None:
    with pytest.raises(SoundnessError, match="more than"):
        sampling.uniform(given).enclosure(10)


STUCK: dict[str, Callable[[sampling.Bits], object]] = {
    "vector": lambda source: sampling.published_vector([Fraction(2), Fraction(1, 2)], 10, source),
    "number": lambda source: sampling.published_number(Fraction(0), Fraction(1), 10, source),
}


@each_of("bit", [0, 1])
@each_of("law", STUCK)
def test_stuck_source_ends_in_an_error(bit: int, law: str) -> None:
    """All bits alike: no endless loop, and no value."""
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        STUCK[law](lambda count: bit * ((1 << count) - 1))


def test_endless_rejections_end_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = []
    monkeypatch.setattr(_Attempt, "is_accepted", lambda *attempt: attempts.append(attempt))
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        sampling.gamma(Fraction(1), seeded(1))
    assert len(attempts) == 256


def test_endless_zeros_end_in_an_error() -> None:
    zeros = Counted(lambda _: 0)
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        sampling.uniform(zeros).enclosure(10)
    assert zeros.drawn <= 2 * MOST_BITS
