"""The laws of proofs_notes/laplace.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import laplace
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import integrate

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(12, 60))
ROOM = 160


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


SHIFTS, MORES, ORDERS = between("1/16", "6"), between("1/32", "3"), between("65/64", "12")


def density(x: arb) -> arb:
    return (-abs(x)).exp() / 2


def kept(threshold: arb, shift: Fraction) -> arb:
    """Return h of one coordinate, e^(-max(|t|, m)/2)."""
    return (-abs(threshold).max(ball(shift)) / 2).exp()


def pieces(function: Callable[[acb], acb], *ends: Fraction) -> arb:
    """Integrate what is analytic between neighbouring ends."""
    parts = (
        integrate(lambda x, _: function(x), ball(low), ball(high)) for low, high in pairwise(ends)
    )
    return sum(parts, arb(0))


@SOME
@given(SHIFTS, between("0", "1"))
def test_law_of_the_loss(shift: Fraction, share: Fraction) -> None:
    with working_precision(ROOM):
        m, at = ball(shift), shift * share
        # Loss 2x - m exceeds 2 at - m right of at: e^(x - m)/2 up to m, then half.
        beyond = pieces(lambda x: (x - acb(m)).exp() / 2, at, shift) + arb(1) / 2
        level = 2 * at - shift
        assert beyond.overlaps(1 - (ball(level - shift) / 2).exp() / 2)
        other = pieces(lambda x: (-x).exp() / 2, at, shift) + (-m).exp() / 2
        assert other.overlaps((-ball(level + shift) / 2).exp() / 2)
        for x, loss in ((m + 3, m), (m, m), (arb(0), -m), (arb(-1), -m)):
            assert (density(x - m) / density(x)).overlaps(loss.exp())


@SOME
@given(SHIFTS, between("-8", "8"))
def test_closed_form(shift: Fraction, threshold: Fraction) -> None:
    with working_precision(ROOM):
        m, grown = ball(shift), ball(threshold).exp()
        # min(p, e^t q): q's multiple where the loss is above t.
        turn = min(max((threshold + shift) / 2, Fraction(0)), shift)
        inside = pieces(lambda x: (x - acb(m)).exp() / 2, Fraction(0), turn)
        inside += grown * pieces(lambda x: (-x).exp() / 2, turn, shift)
        left = (-m).exp().min(grown) / 2
        right = arb(1).min(grown * (-m).exp()) / 2
        smaller = left + inside + right
        assert (smaller / (ball(threshold) / 2).exp()).overlaps(kept(ball(threshold), shift))
        if threshold >= 0:
            found = laplace.delta(1 / shift, threshold)
            delta = ball(found) if isinstance(found, Fraction) else found
            assert delta.overlaps(1 - smaller)


@SOME
@given(SHIFTS, SHIFTS, between("-14", "14"))
def test_coordinates_add_up(first: Fraction, second: Fraction, threshold: Fraction) -> None:
    with working_precision(ROOM):
        low, high = threshold - first, threshold + first
        ends = [low, *sorted(x for x in (-second, Fraction(0), second) if low < x < high), high]

        def over(begin: Fraction, end: Fraction) -> arb:
            middle = (begin + end) / 2
            if abs(middle) < second:
                return ball(end - begin) * kept(ball(middle), second)
            side = 1 if middle > 0 else -1
            return pieces(lambda x: (-side * x / 2).exp(), begin, end)

        integral = sum((over(*each) for each in pairwise(ends)), arb(0))
        both = kept(ball(low), second) + kept(ball(high), second) + integral / 2
        both *= (-ball(first) / 2).exp() / 2
        alone = kept(ball(threshold), first + second)
        if abs(threshold) >= first + second:
            assert both.overlaps(alone)
        else:
            assert both > alone


@SOME
@given(SHIFTS, SHIFTS, between("0", "1"))
def test_falls_with_noise_and_epsilon(shift: Fraction, more: Fraction, share: Fraction) -> None:
    epsilon = shift * share * Fraction(63, 64)
    less = epsilon + (shift - epsilon) / 2
    here = laplace.delta(1 / shift, epsilon)
    assert laplace.delta(1 / shift, less) < here < laplace.delta(1 / (shift + more), epsilon)
    assert laplace.delta(1 / shift, shift) == 0


@SOME
@given(SHIFTS, ORDERS)
def test_renyi_formula(shift: Fraction, order: Fraction) -> None:
    with working_precision(ROOM):
        m, power = ball(shift), ball(order - 1)
        both = ((power * m).exp() + (-ball(order) * m).exp()) / 2
        both += pieces(
            lambda x: (x - acb(m)).exp() / 2 * (acb(power) * (2 * x - acb(m))).exp(),
            Fraction(0),
            shift,
        )
        assert both.overlaps((power * laplace.renyi(1 / shift, order)).exp())
        mean = m / 2 - m * (-m).exp() / 2
        mean += pieces(lambda x: (x - acb(m)).exp() / 2 * (2 * x - acb(m)), Fraction(0), shift)
        assert mean.overlaps(laplace.renyi(1 / shift, Fraction(1)))


@SOME
@given(SHIFTS, ORDERS)
def test_bounds_of_doubles(shift: Fraction, order: Fraction) -> None:
    with working_precision(ROOM):
        twice = ball(2 * order - 1)
        u = -(-twice * ball(shift)).expm1()
        x = u * ball((order - 1) / (2 * order - 1))
        taken_from = (-(-u).log1p() - u) / twice
        taken = (-(-x).log1p() - x) / ball(order - 1)
        assert (taken_from - taken).overlaps(laplace.renyi(1 / shift, order))
        assert 2 * taken < taken_from
