"""The laws of proofs_notes/randomized-response.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import randomized_response
from simplexcert.reference.arb.balls import ball, working_precision

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(25, 100))
ROOM = 160


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


def as_ball(found: arb | Fraction) -> arb:
    return ball(found) if isinstance(found, Fraction) else found


@SOME
@given(st.integers(2, 6), between("1/64", "63/64"), between("0", "4"), between("65/64", "9"))
def test_one_pair_for_all(k: int, p: Fraction, epsilon: Fraction, order: Fraction) -> None:
    other = (1 - p) / (k - 1)
    first = [p, *(other for _ in range(k - 1))]
    with working_precision(ROOM):
        grown = ball(epsilon).exp()
        for j in range(1, k):
            second = [first[(i - j) % k] for i in range(k)]
            pairs = list(zip(first, second, strict=True))
            total = sum(((ball(x) - grown * ball(y)).max(arb(0)) for x, y in pairs), arb(0))
            delta = as_ball(randomized_response.delta(k, p, epsilon))
            assert total.overlaps(delta)
            powers = sum(
                (ball(x) * (ball(x) / ball(y)) ** ball(order - 1) for x, y in pairs), arb(0)
            )
            found = as_ball(randomized_response.renyi(k, p, order))
            assert powers.log().overlaps(ball(order - 1) * found)
            mean = sum((ball(x) * (ball(x) / ball(y)).log() for x, y in pairs), arb(0))
            assert mean.overlaps(as_ball(randomized_response.renyi(k, p, Fraction(1))))
        high, low = max(p, other), min(p, other)
        if epsilon > 0 and high > low:
            target = (high - low) / 3
            root = as_ball(randomized_response.epsilon(k, p, target))
            assert (ball(high) - root.exp() * ball(low)).overlaps(ball(target))
            assert randomized_response.epsilon(k, p, high - low) == 0


@SOME
@given(st.integers(2, 6), between("0", "4"), between("0", "31/32"))
def test_largest_truth_probability(k: int, epsilon: Fraction, delta: Fraction) -> None:
    with working_precision(ROOM):
        most = as_ball(randomized_response.truth_probability_for_dp(k, epsilon, delta))
        other = (1 - most) / (k - 1)
        assert (most - ball(epsilon).exp() * other).overlaps(ball(delta))
        about = Fraction(float(most.mid()))
        below, above = about - (1 - about) / 64, about + (1 - about) / 64
        assert as_ball(randomized_response.delta(k, above, epsilon)) > ball(delta)
        assert most >= ball(Fraction(1, k)) or most.overlaps(ball(Fraction(1, k)))
        larger = as_ball(randomized_response.truth_probability_for_dp(k + 1, epsilon, delta))
        assert larger < most
        assert not as_ball(
            randomized_response.delta(k, max(below, Fraction(1, k)), epsilon)
        ) > ball(delta)
