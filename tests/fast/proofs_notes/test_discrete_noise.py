"""The laws of proofs_notes/discrete-noise.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from each import each_of
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import discrete_gaussian, discrete_laplace, evaluate
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(15, 60))
ROOM = 160
# What is cut off on either side is negligible beside what is compared, and bounded.
FAR = 160


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=32)


SCALES, SHIFTS, ORDERS = between("1/4", "3"), st.integers(1, 6), between("33/32", "9")


def laplace(scale: Fraction) -> Callable[[int], arb]:
    root = ball(-1 / scale).exp()
    return lambda k: (1 - root) / (1 + root) * root ** abs(k)


def gaussian(scale: Fraction) -> Callable[[int], arb]:
    rate = ball(1 / (2 * scale**2))
    whole = sum((2 * (-rate * k**2).exp() for k in range(1, FAR)), arb(1))
    return lambda k: (-rate * k**2).exp() / (whole + arb(0).union((-rate * FAR).exp()))


def brute(
    noise: Callable[[int], arb], shift: int, epsilon: Fraction, *, reverse: bool = False
) -> arb:
    """Sum the positive parts outcome by outcome; the chance of what is far is added."""
    grown, total, left = ball(epsilon).exp(), arb(0), arb(1)
    for k in range(-FAR, FAR + 1):
        first, second = noise(k - shift), noise(k)
        if reverse:
            first, second = second, first
        total += (first - grown * second).max(arb(0))
        left -= first
    return total + arb(0).union(left)


def as_ball(found: arb | Fraction) -> arb:
    return ball(found) if isinstance(found, Fraction) else found


@SOME
@given(SCALES, SHIFTS, SHIFTS, between("-3", "6"))
def test_largest_shift_dominates(scale: Fraction, shift: int, more: int, epsilon: Fraction) -> None:
    with working_precision(ROOM):
        for noise in (laplace(scale), gaussian(scale)):
            large = brute(noise, shift + more, epsilon)
            assert not brute(noise, shift, epsilon) > large
            assert brute(noise, shift + more, epsilon, reverse=True).overlaps(large)
            assert brute(noise, -shift - more, epsilon).overlaps(large)


@SOME
@given(SCALES, SHIFTS)
def test_law_of_the_laplace_loss(scale: Fraction, shift: int) -> None:
    with working_precision(ROOM):
        noise, root = laplace(scale), ball(-1 / scale).exp()
        for j in range(1, shift):
            k = shift - j
            assert (noise(k - shift) / noise(k)).overlaps(ball((shift - 2 * j) / scale).exp())
            assert noise(k - shift).overlaps((1 - root) / (1 + root) * root**j)
        for k, loss in ((shift, shift), (shift + 3, shift), (0, -shift), (-2, -shift)):
            assert (noise(k - shift) / noise(k)).overlaps(ball(loss / scale).exp())
        beyond = sum((noise(k) for k in range(FAR)), arb(0)) + arb(0).union(root**FAR)
        assert beyond.overlaps(1 / (1 + root))


@SOME
@given(SCALES, SHIFTS, between("0", "1"))
def test_laplace_closed_form(scale: Fraction, shift: int, share: Fraction) -> None:
    epsilon = shift / scale * share
    with working_precision(ROOM):
        found = as_ball(discrete_laplace.delta(scale, shift, epsilon))
        assert found.overlaps(brute(laplace(scale), shift, epsilon))
        if share < 1:
            less = as_ball(discrete_laplace.delta(scale, shift, epsilon * Fraction(31, 32)))
            assert less > found or epsilon == 0
        else:
            assert found == 0
        if 0 < share < 1:
            target = Fraction(float(found.mid()))
            ends = enclosure_of(as_ball(discrete_laplace.epsilon(scale, shift, target)))
            low, high = (Fraction(end) for end in (ends.lower, ends.upper))
            assert not as_ball(discrete_laplace.delta(scale, shift, low)) < ball(target)
            assert not as_ball(discrete_laplace.delta(scale, shift, high)) > ball(target)


@SOME
@given(SCALES, SHIFTS, between("1/32", "2"), between("0", "3/4"))
def test_more_laplace_noise_is_processing(
    scale: Fraction, shift: int, more: Fraction, share: Fraction
) -> None:
    epsilon = shift / (scale + more) * share
    with working_precision(ROOM):
        small, large = (ball(-1 / each).exp() for each in (scale, scale + more))
        # The coefficients of what is added: an atom at 0 and a geometric law, each way.
        part = small / large
        assert (part + (1 - part) / (1 - large)).overlaps((1 - small) / (1 - large))
        less = as_ball(discrete_laplace.delta(scale + more, shift, epsilon))
        assert less < as_ball(discrete_laplace.delta(scale, shift, epsilon))


@SOME
@given(SCALES, SHIFTS, ORDERS)
def test_laplace_renyi(scale: Fraction, shift: int, order: Fraction) -> None:
    with working_precision(ROOM):
        noise, root = laplace(scale), ball(-1 / scale).exp()
        losses = [(shift, 1 / (1 + root)), (-shift, root**shift / (1 + root))]
        losses += [(shift - 2 * j, noise(-j)) for j in range(1, shift)]
        mean = sum((chance * ball(loss / scale) for loss, chance in losses), arb(0))
        assert mean.overlaps(discrete_laplace.renyi(scale, shift, Fraction(1)))
        power = order - 1
        whole = sum((c * ball(power * loss / scale).exp() for loss, c in losses), arb(0))
        assert whole.log().overlaps(ball(power) * discrete_laplace.renyi(scale, shift, order))


@each_of("scale, start", [("100", 1), ("100", 700), ("95", 3000), ("300", 40), ("300", 60_000)])
def test_tails_of_a_theta_series(scale: str, start: int) -> None:
    """Euler's and Maclaurin's formula against the terms, one by one."""
    with working_precision(100):
        rate = 1 / (2 * Fraction(scale) ** 2)
        first = ball(-rate * start**2).exp()
        found = discrete_gaussian.tail(Fraction(scale), start)
        short = discrete_gaussian._by_derivatives(Fraction(scale), start)
        terms = discrete_gaussian._term_by_term(ball(rate), start)
        assert short.overlaps(terms)
        assert short.rel_accuracy_bits() > 80
        assert found.overlaps(first * terms)


@SOME
@given(SCALES, SHIFTS, between("-2", "9"))
def test_gaussian_closed_form(scale: Fraction, shift: int, epsilon: Fraction) -> None:
    with working_precision(ROOM):
        found = discrete_gaussian.profile(scale, shift, epsilon)
        assert found.overlaps(brute(gaussian(scale), shift, epsilon))
        assert discrete_gaussian.profile(scale, shift, epsilon + Fraction(1, 32)) < found
        assert found > 0


def test_more_gaussian_noise_may_lose_more() -> None:
    small, large = (
        evaluate("discrete_gaussian.delta", scale=scale, sensitivity=1, epsilon=6)
        for scale in ("0.29", "0.45")
    )
    assert small.upper < Fraction("0.0027")
    assert large.lower > Fraction("0.05")


@SOME
@given(SCALES, SHIFTS, ORDERS)
def test_gaussian_renyi(scale: Fraction, shift: int, order: Fraction) -> None:
    with working_precision(ROOM):
        noise = gaussian(scale)
        total = arb(0)
        for k in range(-FAR, FAR + 1):
            loss = Fraction(2 * k * shift - shift**2) / (2 * scale**2)
            total += noise(k - shift) * ball((order - 1) * loss).exp()
        found = as_ball(discrete_gaussian.renyi(scale, shift, order))
        # What is far is a part of less than 2^-100 here.
        far = arb(2) ** -100
        assert (total.log() + far.union(-far)).overlaps(ball(order - 1) * found)
        continuous = ball(order * shift**2 / (2 * scale**2))
        if (order * shift).denominator == 1:
            assert found.overlaps(continuous)
        else:
            assert not found > continuous
            away = order * shift - round(order * shift)
            if scale >= 1:
                less, whole = discrete_gaussian._poisson(scale, abs(away))
                rate = ball(1 / (2 * scale**2))
                direct = sum(
                    ((-rate * ball(k - away) ** 2).exp() for k in range(-FAR, FAR)), arb(0)
                )
                alone = sum(((-rate * k**2).exp() for k in range(-FAR, FAR)), arb(0))
                assert (direct / alone + far.union(-far)).overlaps(1 - less / whole)
        assert as_ball(discrete_gaussian.renyi(scale, shift, Fraction(1))).overlaps(
            ball(shift**2 / (2 * scale**2))
        )
