"""The acceptance of gamma draws: decided by disjoint balls, with fresh bits for every attempt."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball, middle, working_precision
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.sampling import Bits, Counted, gamma, seeded
from simplexcert.reference.sampling.draw import _Uniform
from simplexcert.reference.sampling.gamma import _accepted, _Attempt, _verdict

SHAPES = [Fraction(1), Fraction(3, 2), Fraction(40), Fraction(10**12), Fraction(10**300)]


def bound(t: Fraction, d: Fraction) -> arb:
    """Return exp(d g(t)) as it is printed, at a precision that bears the cancellation."""
    with working_precision(6000):
        v = (1 + ball(t)) ** 3
        number = ball(d)
        return (9 * number * ball(t) ** 2 / 2 + number - number * v + number * v.log()).exp()


@each_of("shape", SHAPES)
@each_of("step", [Fraction(1, 10**6), Fraction(1, 2**60)])
def test_height_next_to_the_bound_is_never_misjudged(shape: Fraction, step: Fraction) -> None:
    d = shape - Fraction(1, 3)
    for x in (Fraction(-2), Fraction(-1, 3), Fraction(1), Fraction(3)):
        with working_precision(6000):
            t = ball(x) / (9 * ball(d)).sqrt()
            point = middle(t)
        if point <= -1:
            continue
        level = bound(point, d)
        for bits in (64, 256, 4096):
            with working_precision(bits):
                under, over = (level * (1 + sign * ball(step)) for sign in (-1, 1))
                assert _verdict(ball(point), ball(d), under) is not Trilean.FALSE
                assert _verdict(ball(point), ball(d), over) is not Trilean.TRUE
        with working_precision(6000):
            assert _verdict(ball(point), ball(d), level * (1 - ball(step))) is Trilean.TRUE
            assert _verdict(ball(point), ball(d), level * (1 + ball(step))) is Trilean.FALSE


@each_of("t", ["nan", "[-1 +/- 0.001]", "[0 +/- 5]"])
@each_of("height", ["0.99", "nan", "[0.5 +/- 0.5]"])
def test_balls_that_do_not_tell_leave_it_open(t: str, height: str) -> None:
    assert _verdict(arb(t), arb(5), arb(height)) is Trilean.UNKNOWN


@pytest.mark.parametrize("t", ["-1", "-1.5", "[-3 +/- 1]"])
def test_value_that_is_not_positive_is_rejected(t: str) -> None:
    assert _verdict(arb(t), arb(5), arb("0.001")) is Trilean.FALSE


def test_rejected_attempt_keeps_its_bits_to_itself() -> None:
    """What was drawn is: the rejected attempts', then the accepted one's, none of them twice."""
    for seed in range(400):
        chunks: list[str] = []
        draw = _accepted(Fraction(1), recorded(seed, chunks))
        assert isinstance(draw, _Attempt)
        size, angle = draw._normal._size, draw._normal._angle  # type: ignore[attr-defined]
        own = [f"{one._drawn:0{one._count}b}" for one in (size, angle)]
        if len(chunks) > 5:
            break
    assert len(chunks) > 5
    assert own == chunks[-3:-1]
    assert not any(one in "".join(chunks[:-3]) for one in own)


def recorded(seed: int, chunks: list[str]) -> Bits:
    """Return a source that writes down what it gave."""
    source = seeded(seed)

    def give(count: int) -> int:
        found = source(count)
        chunks.append(f"{found:0{count}b}")
        return found

    return give


def test_parts_of_a_small_shape_have_bits_of_their_own() -> None:
    chunks: list[str] = []
    draw = gamma(Fraction(1, 3), recorded(5, chunks))
    draw.enclosure(300)
    parts = [draw._above._normal._size, draw._above._normal._angle, draw._exponential._uniform]  # type: ignore[attr-defined]
    assert all(isinstance(one, _Uniform) for one in parts)
    assert sum(one._count for one in parts) < sum(map(len, chunks))
    assert len({one._drawn >> one._count - 60 for one in parts}) == 3


@each_of("shape", SHAPES)
def test_large_shapes_take_no_more_bits(shape: Fraction) -> None:
    """The cancellation in the acceptance is met by the squeeze: no look at thousands of digits."""
    source = Counted(seeded(9))
    for _ in range(instances(16, 50)):
        gamma(shape, source).enclosure(64)
    assert source.drawn < 50 * (2 * 64 + 135)
