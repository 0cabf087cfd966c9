"""Bounds that are wrong, as printed or as one slips: the search finds a witness against each.

A witness is exact: inputs and an outcome that satisfy the definition (checked by
`neighbouring_inputs`, which does not know how they were drawn), and a loss and a bound whose
enclosures do not overlap. Beside each wrong bound stands the right one, which the same search does
not refute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from drawn_mechanisms import BorderedRelease, bordered_releases
from drawn_neighbours import (
    bordered_pairs,
    collection_pairs,
    count_pairs,
    matrix_pairs,
    outcomes,
    whole,
)
from flint import arb
from hypothesis import strategies as st
from instances import first, instances
from neighbouring_inputs import (
    Bordered,
    Collections,
    Counts,
    Matrices,
    mean,
)
from simplexcert.reference.adjacency import Vector
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet import average, counts, identity, matrix, profile
from simplexcert.reference.dirichlet.good_set import good_set_epsilon
from simplexcert.reference.dirichlet.loss import (
    Move,
    delta_between,
    delta_of_moves,
    log_density_ratio,
)
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.quantity import Routed
from worst_drawn import Worst, worst_of

Compared: TypeAlias = Callable[[Any], "tuple[arb, arb] | None"]
Refuted: TypeAlias = Callable[..., Worst[Any]]
BITS, COARSE_BITS = 96, 32
# A climb that ends on a lower hill is begun again, so often at most.
ROUNDS = 24
# What the right bound is held against.
STAND = instances(50, 150)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
        yield


def number(value: arb | Fraction | Routed) -> arb:
    if isinstance(value, Routed):
        value = value.value
    return ball(value) if isinstance(value, Fraction) else value


def times(factor: Fraction, vector: Vector) -> Vector:
    return tuple(factor * entry for entry in vector)


@pytest.fixture
def refuted(request: pytest.FixtureRequest) -> Refuted:
    """Return the search for a witness, which fails if it finds none and records what it finds."""

    def witness(
        strategy: st.SearchStrategy[Any], compared: Compared, cases: int = 150
    ) -> Worst[Any]:
        worst = worst_of(strategy, compared, cases, "planted", rounds=ROUNDS)
        assert worst is not None, "nothing was compared"
        assert worst.exceeds, f"no violation was found; the nearest: {worst}"
        assert not worst.loss.overlaps(worst.bound), str(worst)
        request.node.user_properties.append(("witness", str(worst)))
        return worst

    return witness


def stands(strategy: st.SearchStrategy[Any], compared: Compared, cases: int = STAND) -> None:
    """Assert that the same search has nothing against the right bound."""
    worst = worst_of(strategy, compared, cases, "planted", rounds=2)
    assert worst is not None, "nothing was compared"
    assert worst.loss < worst.bound or worst.loss.overlaps(worst.bound), str(worst)
    assert (worst.loss - worst.bound).rad() < worst.bound / 2**20, str(worst)


# fallin2023 Theorem 1, with its own numbers.

CHAIN_K, CLAIMED_EPSILON, CLAIMED_DELTA = Fraction("9.87"), Fraction("1.16"), Fraction("0.011")
ROW = Bordered(10, 2, Fraction("0.1"), Fraction("0.051"), Fraction("0.025"))
CHAIN_ROWS = 10


def chain_delta(pair: Any, epsilon: Fraction) -> arb:
    moves = [Move.between(times(CHAIN_K, p), times(CHAIN_K, q)) for p, q in zip(*pair, strict=True)]
    with working_precision(COARSE_BITS):
        return number(delta_of_moves([move for move in moves if move], epsilon))


def chains(most_changed: int) -> st.SearchStrategy[Any]:
    """Return a strategy for adjacent 10 by 10 matrices and how many of their rows differ."""
    return whole(1, most_changed).flatmap(lambda count: matrix_pairs([ROW] * CHAIN_ROWS, count))


def test_rows_that_change_together_refute_the_claim_of_fallin2023(refuted: Refuted) -> None:
    claimed = ball(CLAIMED_DELTA)
    found = refuted(
        chains(CHAIN_ROWS), lambda pair: (chain_delta(pair, CLAIMED_EPSILON), claimed), 80
    )
    assert Matrices((ROW,) * CHAIN_ROWS, CHAIN_ROWS).are_adjacent(*found.drawn)
    assert not Matrices((ROW,) * CHAIN_ROWS, 1).are_adjacent(*found.drawn)


def test_rows_that_change_together_refute_theorem_1_of_fallin2023(refuted: Refuted) -> None:
    """Its formulas, which give other numbers than are printed: epsilon 1.168 and delta 0.0189."""
    gamma = Fraction("0.001")
    rows = ((ROW.w, gamma),) * CHAIN_ROWS
    printed = matrix.epsilon_bound(CHAIN_K, ROW.eta, ROW.eta_bar, ROW.b, rows)
    epsilon = Fraction("1.168")
    assert printed < ball(epsilon)
    bound = number(matrix.delta_bound(CHAIN_K, ROW.eta, rows))
    found = refuted(chains(CHAIN_ROWS), lambda pair: (chain_delta(pair, epsilon), bound), 80)
    assert Matrices((ROW,) * CHAIN_ROWS, CHAIN_ROWS).are_adjacent(*found.drawn)


def test_one_changed_row_does_not_refute_it() -> None:
    claimed = ball(CLAIMED_DELTA)
    stands(chains(1), lambda pair: (chain_delta(pair, CLAIMED_EPSILON), claimed), 30)


# gohari2020 Theorem 2 prints n for N.

MEMBER = Bordered(7, 2, Fraction(1, 20), Fraction(1, 10), Fraction(1, 4))
MEMBER_K, MEMBER_GAMMA = Fraction(10), Fraction(1, 100)


def average_loss(case: Any) -> arb:
    pair, x = case
    u, v = (times(MEMBER_K, mean(side)) for side in pair)
    return log_density_ratio(u, v, x)


def averages(count: int) -> st.SearchStrategy[Any]:
    outcome = outcomes(MEMBER.n, MEMBER.w, MEMBER_GAMMA)
    return st.tuples(collection_pairs(MEMBER, count), outcome)


def average_bound(divisor: int) -> arb:
    return average.epsilon_bound(
        MEMBER_K, MEMBER.eta, MEMBER.eta_bar, MEMBER.b, divisor, MEMBER.w, MEMBER_GAMMA
    )


@pytest.mark.parametrize("count", first(1, [1, 2, 3]))
def test_the_dimension_for_the_number_of_vectors_is_refuted(count: int, refuted: Refuted) -> None:
    printed, right = average_bound(MEMBER.n), average_bound(count)
    found = refuted(averages(count), lambda case: (average_loss(case), printed))
    pair, x = found.drawn
    assert Collections(MEMBER, count).are_adjacent(*pair)
    assert MEMBER.good(x, MEMBER_GAMMA)
    stands(averages(count), lambda case: (average_loss(case), right))


def test_the_dimension_is_safe_where_there_are_as_many_vectors() -> None:
    printed = average_bound(MEMBER.n)
    stands(averages(MEMBER.n), lambda case: (average_loss(case), printed), 30)


# eta_bar: which mistake about it is one.


def identity_loss(case: Any) -> arb:
    (p, q), x = case
    return log_density_ratio(times(MEMBER_K, p), times(MEMBER_K, q), x)


IDENTITY = st.tuples(bordered_pairs(MEMBER), outcomes(MEMBER.n, MEMBER.w, MEMBER_GAMMA))


def identity_bound(eta_bar: Fraction, step: Fraction) -> arb:
    return good_set_epsilon(MEMBER_K, MEMBER.eta, eta_bar, step, MEMBER.w, MEMBER_GAMMA)


def test_a_forgotten_eta_bar_is_a_larger_bound_and_stands() -> None:
    """It rises with C = 1 - eta_bar, by k (psi(k (C - eta)) - psi(k (C - eta - t)))."""
    forgotten = identity_bound(Fraction(0), MEMBER.b / 2)
    assert forgotten > identity_bound(MEMBER.eta_bar, MEMBER.b / 2)
    stands(IDENTITY, lambda case: (identity_loss(case), forgotten))


def test_an_eta_bar_counted_twice_is_refuted(refuted: Refuted) -> None:
    twice, right = (identity_bound(times * MEMBER.eta_bar, MEMBER.b / 2) for times in (2, 1))
    found = refuted(IDENTITY, lambda case: (identity_loss(case), twice))
    (p, q), x = found.drawn
    assert MEMBER.are_adjacent(p, q)
    assert MEMBER.good(x, MEMBER_GAMMA)
    stands(IDENTITY, lambda case: (identity_loss(case), right))


def test_an_eta_bar_that_is_not_enforced_is_refuted(refuted: Refuted) -> None:
    """Inputs leave nothing like eta_bar to the other coordinates, the bound counts on it."""
    loose = Bordered(MEMBER.n, MEMBER.w, MEMBER.eta, Fraction(1, 1000), MEMBER.b)
    bound = identity_bound(MEMBER.eta_bar, MEMBER.b / 2)
    drawn = st.tuples(bordered_pairs(loose), outcomes(MEMBER.n, MEMBER.w, MEMBER_GAMMA))
    found = refuted(drawn, lambda case: (identity_loss(case), bound))
    (p, q), _ = found.drawn
    assert loose.are_adjacent(p, q)
    assert not MEMBER.are_adjacent(p, q)


# Half a step: b/4 for b/2.


def test_half_a_step_in_the_printed_epsilon_is_refuted(refuted: Refuted) -> None:
    half = identity_bound(MEMBER.eta_bar, MEMBER.b / 4)
    found = refuted(IDENTITY, lambda case: (identity_loss(case), half))
    (p, q), x = found.drawn
    assert MEMBER.are_adjacent(p, q)
    assert MEMBER.good(x, MEMBER_GAMMA)


@pytest.mark.parametrize("epsilon", first(2, [Fraction(0), Fraction(1, 2), Fraction(2)]))
def test_half_a_step_in_the_exact_profile_is_refuted(epsilon: Fraction, refuted: Refuted) -> None:
    alpha, step = identity.floor_and_step(MEMBER_K, MEMBER.eta, MEMBER.eta_bar, MEMBER.b, MEMBER.w)
    half, right = (number(profile.delta(alpha, step / parts, epsilon)) for parts in (2, 1))

    def loss(pair: Any) -> arb:
        return number(delta_between(*(times(MEMBER_K, side) for side in pair), epsilon))

    pairs = bordered_pairs(MEMBER)
    found = refuted(pairs, lambda pair: (loss(pair), half))
    assert MEMBER.are_adjacent(*found.drawn)
    stands(pairs, lambda pair: (loss(pair), right))


def test_half_a_record_in_the_printed_epsilon_of_counts_is_refuted(refuted: Refuted) -> None:
    space, k, gamma = Counts(5, 98, Fraction("0.073")), Fraction("20.6"), Fraction("0.0004")

    def loss(case: Any) -> arb:
        pair, x = case
        u, v = (times(k, space.shares(side)) for side in pair)
        return log_density_ratio(u, v, x)

    half = good_set_epsilon(k, space.eta, space.eta, Fraction(1, 2 * space.N), space.n, gamma)
    right = counts.epsilon_bound(k, space.eta, space.N, space.n, gamma)
    drawn = st.tuples(count_pairs(space), outcomes(space.n, space.n, gamma))
    found = refuted(drawn, lambda case: (loss(case), half))
    pair, x = found.drawn
    assert space.are_adjacent(*pair)
    assert space.good(x, gamma)
    stands(drawn, lambda case: (loss(case), right))


# gohari2020 Lemma 4, where a whole step is not the worst.


@st.composite
def lemma_cases(draw: st.DrawFn) -> Any:
    release = draw(bordered_releases(2))
    space = release.space
    return release, draw(bordered_pairs(space)), draw(outcomes(space.n, 2, release.gamma))


def lemma_loss(case: Any) -> arb:
    release, (p, q), x = case
    return log_density_ratio(times(release.k, p), times(release.k, q), x)


def asked(release: BorderedRelease) -> tuple[list[Trilean], Trilean]:
    """Return what the paper's hypotheses are, and what the one is that it lacks."""
    *of_paper, lacking = (item.holds(release.parameters()) for item in identity.HYPOTHESES)
    return of_paper, lacking


def test_lemma_4_is_refuted_over_all_parameters_of_the_paper(refuted: Refuted) -> None:
    """The search has the parameters to choose, too."""

    def compared(case: Any) -> tuple[arb, arb] | None:
        return lemma_loss(case), identity.epsilon_bound(**case[0].parameters())

    found = refuted(lemma_cases(), compared, 400)
    release, (p, q), x = found.drawn
    of_paper, lacking = asked(release)
    assert of_paper == [Trilean.TRUE] * len(of_paper)
    assert lacking is Trilean.FALSE
    assert release.space.are_adjacent(p, q)
    assert release.space.good(x, release.gamma)


def test_lemma_4_is_refuted_at_the_recorded_parameters(refuted: Refuted) -> None:
    """Those of proofs_notes/good-set-epsilon.md: printed 2.4966, true 4.2504."""
    space = Bordered(3, 2, Fraction("0.01"), Fraction("0.48"), Fraction(1))
    gamma = Fraction(27, 4000)
    release = BorderedRelease(Fraction(1), space, gamma)
    printed = identity.epsilon_bound(**release.parameters())
    drawn = st.tuples(st.just(release), bordered_pairs(space), outcomes(3, 2, gamma))
    found = refuted(drawn, lambda case: (lemma_loss(case), printed))
    _, (p, q), x = found.drawn
    assert space.are_adjacent(p, q)
    assert space.good(x, gamma)
