"""The laws of proofs_notes/exponential-mechanism.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import exponential_mechanism
from simplexcert.reference.arb.balls import ball, working_precision

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(20, 100))
ROOM = 160
BESIDE = Fraction(999, 1000), Fraction(1001, 1000)
EIGHTHS = st.integers(-16, 16).map(lambda x: Fraction(x, 8))


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


def as_ball(found: arb | Fraction) -> arb:
    return ball(found) if isinstance(found, Fraction) else found


def drawn(utilities: list[Fraction], rate: Fraction) -> list[arb]:
    weights = [ball(rate * u).exp() for u in utilities]
    return [weight / sum(weights, arb(0)) for weight in weights]


def lost(first: list[arb], second: list[arb], epsilon: Fraction) -> arb:
    grown = ball(epsilon).exp()
    return sum(((p - grown * q).max(arb(0)) for p, q in zip(first, second, strict=True)), arb(0))


def divergence(first: list[arb], second: list[arb], order: Fraction) -> arb:
    pairs = list(zip(first, second, strict=True))
    if order == 1:
        return sum((p * (p / q).log() for p, q in pairs), arb(0))
    powers = (p * (ball(order - 1) * (p / q).log()).exp() for p, q in pairs)
    return sum(powers, arb(0)).log() / ball(order - 1)


@SOME
@given(
    st.lists(st.tuples(EIGHTHS, st.integers(-4, 4)), min_size=2, max_size=5),
    between("1/64", "3"),
    between("0", "2"),
    between("65/64", "9"),
)
def test_two_losses_are_worst(
    moved: list[tuple[Fraction, int]], rate: Fraction, epsilon: Fraction, order: Fraction
) -> None:
    # any utilities that move by at most 1, in quarters: the loss range is twice the rate
    with working_precision(ROOM):
        here = drawn([u for u, _ in moved], rate)
        there = drawn([u + Fraction(by, 4) for u, by in moved], rate)
        for pair in ((here, there), (there, here)):
            bound = as_ball(exponential_mechanism.delta(2 * rate, epsilon))
            assert not lost(*pair, epsilon) > bound
            for at in (order, Fraction(1)):
                assert not divergence(*pair, at) > as_ball(
                    exponential_mechanism.renyi(2 * rate, at)
                )


@SOME
@given(between("1/64", "6"), between("0", "1"), between("65/64", "9"))
def test_worst_place(r: Fraction, share: Fraction, order: Fraction) -> None:
    # two candidates at any place lose no more, at the worst place as much
    epsilon = r * share

    def at_place(place: arb) -> tuple[list[arb], list[arb]]:
        first = (ball(r).exp() - place.exp()) / ball(r).expm1()
        chances = [first, 1 - first]
        losses = [place, place - ball(r)]
        return chances, [p * (-x).exp() for p, x in zip(chances, losses, strict=True)]

    with working_precision(ROOM):
        most = as_ball(exponential_mechanism.delta(r, epsilon))
        if share < 1:
            assert lost(*at_place(ball((r + epsilon) / 2)), epsilon).overlaps(most)
            about = Fraction(float(most.mid()))
            near = (as_ball(exponential_mechanism.epsilon(r, about * k)) for k in BESIDE)
            assert next(near) > ball(epsilon)
            assert next(near) < ball(epsilon) or epsilon == 0
        else:
            assert most == 0
        for part in (Fraction(1, 9), Fraction(1, 2), Fraction(7, 8)):
            pair = at_place(ball(r * part))
            assert not lost(*pair, epsilon) > most
            for one in (order, Fraction(1)):
                assert not divergence(*pair, one) > as_ball(exponential_mechanism.renyi(r, one))
        a, grown = ball(order - 1), ball(r).exp()
        fallen = (-a * ball(r)).exp()
        worst = (a * (grown - fallen) / (ball(order) * (1 - fallen))).log()
        assert divergence(*at_place(worst), order).overlaps(
            as_ball(exponential_mechanism.renyi(r, order))
        )
        mean = ((grown - 1) / ball(r)).log()
        assert divergence(*at_place(mean), Fraction(1)).overlaps(
            as_ball(exponential_mechanism.renyi(r, Fraction(1)))
        )


@SOME
@given(between("0", "4"), between("1/64", "63/64"))
def test_largest_loss_range(epsilon: Fraction, delta: Fraction) -> None:
    with working_precision(ROOM):
        most = as_ball(exponential_mechanism.loss_range_for_dp(epsilon, delta))
        assert most > ball(epsilon)
        about = Fraction(float(most.mid()))
        for beside, keeps in (
            (about * Fraction(99, 100), True),
            (about * Fraction(101, 100), False),
        ):
            found = as_ball(exponential_mechanism.delta(beside, epsilon))
            assert (found < ball(delta)) if keeps else (found > ball(delta))
        assert exponential_mechanism.loss_range_for_dp(epsilon, Fraction(0)) == epsilon
