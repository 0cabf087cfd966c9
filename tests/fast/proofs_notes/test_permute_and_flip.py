"""The laws of proofs_notes/permute-and-flip.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import factorial, prod

from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.reference import exponential_mechanism, laplace, permute_and_flip
from simplexcert.reference.arb.balls import ball, working_precision

SOME = settings(derandomize=True, deadline=None, database=None, max_examples=instances(20, 100))
ROOM = 160
EIGHTHS = st.integers(-16, 16).map(lambda x: Fraction(x, 8))


def between(low: str, high: str) -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(low), Fraction(high), max_denominator=64)


def as_ball(found: arb | Fraction) -> arb:
    return ball(found) if isinstance(found, Fraction) else found


def coins(utilities: list[Fraction]) -> list[arb]:
    return [ball(u - max(utilities)).exp() for u in utilities]


def taken(utilities: list[Fraction]) -> list[arb]:
    """By the formula."""
    p = coins(utilities)
    found = []
    for i, own in enumerate(p):
        others = [*p[:i], *p[i + 1 :]]
        total = arb(0)
        for size in range(len(p)):
            for some in combinations(others, size):
                total += own * prod(some, start=arb((-1) ** size)) / (size + 1)
        found.append(total)
    return found


def lost(first: list[arb], second: list[arb], epsilon: Fraction) -> arb:
    grown = ball(epsilon).exp()
    return sum(((p - grown * q).max(arb(0)) for p, q in zip(first, second, strict=True)), arb(0))


def laplace_cdf(x: arb) -> arb:
    return x.exp() / 2 if x < 0 else 1 - (-x).exp() / 2


@SOME
@given(st.lists(EIGHTHS, min_size=2, max_size=4))
def test_largest_of_exponential_noise(utilities: list[Fraction]) -> None:
    # order by order, coin by coin; and of two the largest with noise, which is Laplace's law
    with working_precision(ROOM):
        p, found = coins(utilities), taken(utilities)
        each = [arb(0)] * len(p)
        for order in permutations(range(len(p))):
            before = arb(1)
            for i in order:
                each[i] += before * p[i] / factorial(len(p))
                before *= 1 - p[i]
        assert all(one.overlaps(other) for one, other in zip(each, found, strict=True))
        assert sum(found, arb(0)).overlaps(arb(1))
        pair = utilities[:2]
        assert taken(pair)[0].overlaps(laplace_cdf(ball(pair[0] - pair[1])))


@SOME
@given(st.lists(EIGHTHS, min_size=2, max_size=4), between("1/64", "3"), st.data())
def test_a_set_moves_no_faster_than_laplace_noise(
    utilities: list[Fraction], rise: Fraction, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, len(utilities) - 1))
    with working_precision(ROOM):
        moved = [u + rise if j < size else u for j, u in enumerate(utilities)]
        before, after = (sum(taken(each)[:size], arb(0)) for each in (utilities, moved))
        place = (2 * before).log() if 2 * before < 1 else -(2 * (1 - before)).log()
        assert before < after
        assert not after > laplace_cdf(place + ball(rise))


@SOME
@given(
    st.lists(st.tuples(EIGHTHS, st.integers(-4, 4)), min_size=2, max_size=4),
    between("1/64", "3"),
    between("0", "1"),
)
def test_as_laplace_noise_at_each_epsilon(
    moved: list[tuple[Fraction, int]], rate: Fraction, share: Fraction
) -> None:
    # any utilities that move by at most 1, in quarters: the largest loss is twice the rate
    r, epsilon = 2 * rate, 2 * rate * share
    with working_precision(ROOM):
        most = as_ball(permute_and_flip.delta(r, epsilon))
        assert as_ball(laplace.delta(1 / r, epsilon)).overlaps(most)
        here = taken([rate * u for u, _ in moved])
        there = taken([rate * (u + Fraction(by, 4)) for u, by in moved])
        for pair in ((here, there), (there, here)):
            assert not lost(*pair, epsilon) > most
        worst = [taken([gap, Fraction(0)]) for gap in ((r - epsilon) / 2, -(r + epsilon) / 2)]
        assert lost(*worst, epsilon).overlaps(most)
        if share < 1:
            assert as_ball(exponential_mechanism.delta(r, epsilon)) < most
            about = Fraction(float(most.mid()))
            for part, above in ((Fraction(999, 1000), True), (Fraction(1001, 1000), False)):
                found = as_ball(permute_and_flip.epsilon(r, about * part))
                assert (found > ball(epsilon)) if above else not found > ball(epsilon)
                back = as_ball(permute_and_flip.largest_loss_for_dp(epsilon, about * part))
                assert (back < ball(r)) if above else back > ball(r)
