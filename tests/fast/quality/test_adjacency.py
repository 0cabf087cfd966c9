"""No pair of adjacent inputs loses more than a bound promises, and tight bounds are come up to.

Pairs and outcomes are drawn by `drawn_neighbours`, corners often; the loss of each is
worked out for itself and held against the bound, in enclosures and with no tolerance. The order is
strict unless the pair is the one that attains the bound: there the two, both narrow, overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import pytest
from drawn_mechanisms import (
    BorderedRelease,
    bordered_releases,
    counts_releases,
)
from drawn_neighbours import (
    VectorPair,
    added_pairs,
    between,
    bordered_pairs,
    collection_pairs,
    count_pairs,
    floored_pairs,
    histogram_pairs,
    matrix_pairs,
    outcomes,
    scaled,
    sensitive_pairs,
    shares,
    whole,
)
from flint import arb
from hypothesis import Phase, assume, given, settings, target
from hypothesis import strategies as st
from instances import instances
from neighbouring_inputs import (
    Bordered,
    Collections,
    Counts,
    Matrices,
    is_record_added,
    is_record_replaced,
    mean,
)
from simplexcert.reference.adjacency import Floored, Sensitive, Vector
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.dirichlet import (
    add_remove,
    average,
    counts,
    identity,
    matrix,
    profile,
    renyi,
)
from simplexcert.reference.dirichlet.composition import quantities as composition
from simplexcert.reference.dirichlet.good_set import whole_step_is_worst
from simplexcert.reference.dirichlet.loss import (
    Addition,
    Move,
    delta_between,
    delta_of_addition,
    delta_of_moves,
    delta_of_removal,
    log_density_ratio,
)
from simplexcert.reference.dirichlet.renyi import to_approximate_dp
from simplexcert.reference.dirichlet.renyi_divergence import divergence
from simplexcert.reference.dirichlet.tail.route import general
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.quantity import Routed
from worst_drawn import closeness, worst_of

BITS = 96
# Two numbers next to 1 are told apart by what they lack of it.
LADDER = (BITS, 4 * BITS, 16 * BITS)
# An integral of three releases at 40 bits has some hundred nodes.
COARSE = (BITS // 2, 2 * BITS)
Answer: TypeAlias = Callable[[], "arb | Fraction | Routed"]
NEAR = ball(Fraction(99, 100))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
        yield


def examples(count: int) -> settings:
    """Return what draws so many examples, and does not spend time on making a failure smaller."""
    few = instances(count // 5 + 5, count)
    return settings(max_examples=few, phases=(Phase.generate, Phase.target))


def number(value: arb | Fraction | Routed) -> arb:
    """Return the ball of an answer, whatever shape it has."""
    if isinstance(value, Routed):
        value = value.value
    return ball(value) if isinstance(value, Fraction) else value


def holds(
    loss: Answer,
    bound: Answer,
    *,
    attained: bool = False,
    ladder: tuple[int, ...] = LADDER,
    label: str = "",
) -> None:
    """Assert that a loss is certainly below its bound, or meets it where that is attained.

    The precision is raised until the order is decided; undecided is not passed.
    """
    for bits in ladder:
        with working_precision(bits):
            lost, allowed = number(loss()), number(bound())
            if attained:
                assert min(lost.rel_accuracy_bits(), allowed.rel_accuracy_bits()) > bits // 2
                assert lost.overlaps(allowed)
            if attained or lost < allowed or lost > allowed:
                break
    assert attained or lost < allowed
    target(closeness(lost, allowed), label=label)


def times(factor: Fraction, vector: Vector) -> Vector:
    return tuple(factor * entry for entry in vector)


def is_whole_step_at_the_floor(space: Bordered, p: Vector, q: Vector) -> bool:
    changed = sorted({*zip(p, q, strict=True)} - {(a, a) for a in p})
    return changed == [(space.eta, space.eta + space.step), (space.eta + space.step, space.eta)]


# One vector, gohari2020.


@st.composite
def identity_cases(draw: st.DrawFn) -> tuple[BorderedRelease, VectorPair, Vector]:
    release = draw(bordered_releases())
    space = release.space
    pair = draw(bordered_pairs(space))
    return release, pair, draw(outcomes(space.n, space.w, release.gamma))


@given(identity_cases())
@examples(300)
def test_no_identity_pair_exceeds_the_printed_epsilon(case: Any) -> None:
    release, (p, q), x = case
    given_parameters = release.parameters()
    hypotheses = [item.holds(given_parameters) for item in identity.HYPOTHESES]
    assert hypotheses[:-1] == [Trilean.TRUE] * 4
    assume(hypotheses[-1] is Trilean.TRUE)
    assert release.space.are_adjacent(p, q)
    assert release.space.good(x, release.gamma)
    loss = partial(log_density_ratio, times(release.k, p), times(release.k, q), x)
    holds(loss, partial(identity.epsilon_bound, **given_parameters))


@given(identity_cases())
@examples(200)
def test_no_identity_pair_exceeds_the_simplified_epsilon(case: Any) -> None:
    """Whether or not a whole step is the worst."""
    release, (p, q), x = case
    space = release.space
    k = 1 / (2 * min(space.eta, 1 - space.eta_bar - space.eta)) + release.k
    bound = partial(identity.epsilon_simplified, **{**release.parameters(), "k": k})
    holds(partial(log_density_ratio, times(k, p), times(k, q), x), bound)


@given(identity_cases(), shares(1))
@examples(300)
def test_no_identity_pair_exceeds_the_dominating_pair(case: Any, epsilon: Any) -> None:
    release, (p, q), _ = case
    threshold = 4 * epsilon[0]
    space = release.space
    floor_and_step = identity.floor_and_step(release.k, space.eta, space.eta_bar, space.b, space.w)
    loss = partial(delta_between, times(release.k, p), times(release.k, q), threshold)
    bound = partial(profile.delta, *floor_and_step, threshold)
    holds(loss, bound, attained=is_whole_step_at_the_floor(space, p, q))


@given(identity_cases())
@examples(120)
def test_no_input_misses_its_good_set_more_often_than_delta_bound(case: Any) -> None:
    release, (p, _), _ = case
    space, k = release.space, min(release.k, Fraction(100))
    protected = p[: space.w]
    loss = partial(general, times(k, protected), k * (1 - sum(protected)), release.gamma)
    bound = partial(identity.delta_bound, k, space.eta, space.w, release.gamma)
    holds(loss, bound, attained=set(protected) == {space.eta})


@given(identity_cases(), shares(2))
@examples(15)
def test_no_identity_pair_exceeds_delta_at_the_calibrated_k(case: Any, aims: Any) -> None:
    release, (p, q), _ = case
    space = release.space
    epsilon, delta = 4 * aims[0], scaled(-20, 0, aims[1]) / 2
    aim = {"eta": space.eta, "b": space.b, "epsilon": epsilon, "delta": delta}
    assume(identity._reachable(**aim) is Trilean.TRUE)
    k = enclosure_of(identity.k_for_dp(**aim)).lower
    assert isinstance(k, Fraction)
    loss = partial(delta_between, times(k, p), times(k, q), epsilon)
    holds(loss, lambda: delta)


# N vectors.


@st.composite
def average_cases(draw: st.DrawFn) -> Any:
    release, count = draw(bordered_releases(3)), draw(whole(1, 4))
    space = release.space
    pair = draw(collection_pairs(space, count))
    return release, Collections(space, count), pair, draw(outcomes(space.n, space.w, release.gamma))


@given(average_cases())
@examples(200)
def test_no_pair_of_collections_exceeds_the_printed_epsilon(case: Any) -> None:
    release, collections, pair, x = case
    assert collections.are_adjacent(*pair)
    given_parameters = {**release.parameters(), "N": collections.N}
    assume(average.HYPOTHESES[-1].holds(given_parameters) is Trilean.TRUE)
    u, v = (times(release.k, mean(side)) for side in pair)
    bound = partial(average.epsilon_bound, **given_parameters)
    holds(partial(log_density_ratio, u, v, x), bound)


@given(average_cases(), shares(1))
@examples(150)
def test_no_pair_of_collections_exceeds_the_dominating_pair(case: Any, epsilon: Any) -> None:
    release, collections, pair, _ = case
    space, threshold = release.space, 2 * epsilon[0]
    alpha, step = average.floor_and_step(
        release.k, space.eta, space.eta_bar, space.b, collections.N, space.w
    )
    p, q = (mean(side) for side in pair)
    loss = partial(delta_between, times(release.k, p), times(release.k, q), threshold)
    whole_step = Bordered(space.n, space.w, space.eta, space.eta_bar, 2 * step / release.k)
    attained = is_whole_step_at_the_floor(whole_step, p, q)
    holds(loss, partial(profile.delta, alpha, step, threshold), attained=attained)


# Counts, benvenuti2025.


@st.composite
def counts_cases(draw: st.DrawFn) -> Any:
    release = draw(counts_releases())
    space = release.space
    return release, draw(count_pairs(space)), draw(outcomes(space.n, space.n, release.gamma))


def lies_at_the_corner(space: Counts, first: Any, second: Any, x: Vector, gamma: Fraction) -> bool:
    """Whether printed and true log-ratio agree: n = 3, eta N whole, all else at its least."""
    (gains,) = [place for place in range(space.n) if first[place] > second[place]]
    (loses,) = [place for place in range(space.n) if first[place] < second[place]]
    third = [place for place in range(space.n) if place not in (gains, loses)]
    return (
        space.n == 3
        and space.eta * space.N == space.least == second[gains] == first[third[0]]
        and x[loses] == x[third[0]] == gamma
    )


@given(counts_cases())
@examples(300)
def test_no_pair_of_counts_exceeds_the_printed_epsilon(case: Any) -> None:
    """For every k: one record moves by a whole step or not at all."""
    release, (first, second), x = case
    space, k = release.space, release.k
    assert space.are_adjacent(first, second)
    assert space.good(x, release.gamma)
    u, v = (times(k, space.shares(side)) for side in (first, second))
    attained = lies_at_the_corner(space, first, second, x, release.gamma)
    bound = partial(counts.epsilon_bound, **release.parameters())
    holds(partial(log_density_ratio, u, v, x), bound, attained=attained)


@given(counts_cases(), shares(1))
@examples(200)
def test_no_pair_of_counts_exceeds_the_dominating_pair(case: Any, epsilon: Any) -> None:
    release, (first, second), _ = case
    space, k, threshold = release.space, release.k, 4 * epsilon[0]
    floor_and_step = counts.floor_and_step(k, space.eta, space.N)
    u, v = (times(k, space.shares(side)) for side in (first, second))
    changed = [max(pair) for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    attained = changed == [space.least + 1] * 2
    loss, bound = partial(delta_between, u, v), partial(profile.delta, *floor_and_step)
    holds(lambda: loss(threshold), lambda: bound(threshold), attained=attained)


@given(counts_cases())
@examples(80)
def test_no_counts_miss_their_good_set_more_often_than_delta_bound(case: Any) -> None:
    release, (first, _), _ = case
    space, k = release.space, min(release.k, Fraction(60))
    loss = partial(general, times(k, space.shares(first)), Fraction(0), release.gamma)
    bound = partial(counts.delta_bound, k, space.eta, space.n, release.gamma)
    at_vertex = sorted(first)[:-1] == [space.least] * (space.n - 1)
    holds(loss, bound, attained=at_vertex and space.eta * space.N == space.least)


# Matrices, fallin2023, and composition.


@st.composite
def matrix_cases(draw: st.DrawFn, most_rows: int = 4) -> Any:
    """Rows of one floor, border and b, not all with as many protected coordinates."""
    release, size = draw(bordered_releases(3)), draw(whole(2, most_rows))
    widest, protected = release.space, [draw(whole(2, release.space.w)) for _ in range(size)]
    rows = [Bordered(w + 1, w, widest.eta, widest.eta_bar, widest.b) for w in protected]
    changed = draw(whole(1, size))
    return release, Matrices(tuple(rows), changed), draw(matrix_pairs(rows, changed))


@given(matrix_cases(), shares(4), st.data())
@examples(150)
def test_no_single_changed_row_exceeds_the_printed_epsilon(
    case: Any, levels: Any, data: Any
) -> None:
    release, matrices, (first, second) = case
    k, row = release.k, matrices.rows[0]
    rows = tuple(
        (other.w, scaled(-20, -2, share))
        for other, share in zip(matrices.rows, levels, strict=False)
    )
    w, gamma = rows[0]
    step_is_worst = whole_step_is_worst(k, row.eta, row.eta_bar, row.b / 2, w, gamma)
    assume(step_is_worst is Trilean.TRUE)
    x = data.draw(outcomes(row.n, w, gamma))
    loss = partial(log_density_ratio, times(k, first[0]), times(k, second[0]), x)
    bound = partial(matrix.epsilon_bound, k, row.eta, row.eta_bar, row.b, rows)
    holds(loss, bound)


@given(matrix_cases(), shares(4))
@examples(80)
def test_no_row_misses_its_good_set_more_often_than_delta_bound(case: Any, levels: Any) -> None:
    release, matrices, (first, _) = case
    k, eta = min(release.k, Fraction(100)), release.space.eta
    rows = tuple(
        (row.w, scaled(-12, -2, share)) for row, share in zip(matrices.rows, levels, strict=False)
    )
    bound = partial(matrix.delta_bound, k, eta, rows)
    for place, ((w, gamma), p) in enumerate(zip(rows, first, strict=True)):
        loss = partial(general, times(k, p[:w]), k * (1 - sum(p[:w])), gamma)
        if set(p[:w]) != {eta}:
            holds(loss, bound, label=f"row {place}")
        else:  # the worst input, and perhaps of the worst row
            assert not number(loss()) > number(bound())


@given(matrix_cases(), shares(1))
@examples(100)
def test_no_pair_of_matrices_exceeds_the_exact_delta(case: Any, epsilon: Any) -> None:
    release, matrices, (first, second) = case
    assert matrices.are_adjacent(first, second)
    space = release.space
    k = release.k + 1 / (2 * space.eta)
    threshold = 8 * epsilon[0] * k * space.step
    moves = [
        Move.between(times(k, p), times(k, q)) for p, q in zip(first, second, strict=True) if p != q
    ]
    bound = partial(matrix.delta, k, space.eta, space.b, matrices.changed_rows, threshold)
    assume(number(bound()) < NEAR)
    whole_steps = [Move(k * space.eta, k * space.eta, k * space.step)] * matrices.changed_rows
    holds(
        partial(delta_of_moves, moves, threshold),
        bound,
        attained=moves == whole_steps,
        ladder=COARSE,
    )


@st.composite
def composed_cases(draw: st.DrawFn) -> Any:
    """Two or three releases of different floors and steps, and a pair of parameters for each."""
    floored, pairs = [], []
    for _ in range(draw(whole(2, 3))):
        alpha, step, excess = draw(shares(3))
        space = Floored(scaled(-1, 5, alpha), scaled(-3, 2, step))
        floored.append(space)
        pairs.append(draw(floored_pairs(space, excess * 4)))
    return floored, pairs


@given(composed_cases(), shares(1))
@examples(70)
def test_no_pairs_together_exceed_the_composition(case: Any, epsilon: Any) -> None:
    floored, pairs = case
    assert all(map(Floored.are_adjacent, floored, *zip(*pairs, strict=True)))
    moves = [Move.between(*pair) for pair in pairs if pair.first != pair.second]
    releases = tuple((space.alpha, space.step, 1) for space in floored)
    dominating = [Move(space.alpha, space.alpha, space.step) for space in floored]
    threshold = 2 * epsilon[0] * max(space.step for space in floored)
    bound = partial(composition.delta, releases, threshold)
    holds(
        partial(delta_of_moves, moves, threshold),
        bound,
        attained=moves == dominating,
        ladder=COARSE,
    )


# Histograms, ponnoprat2023.


@st.composite
def histogram_cases(draw: st.DrawFn) -> Any:
    """Cells, records, step r and alpha of a release, and an order; some of them infinite."""
    cells, records = draw(whole(2, 5)), draw(whole(1, 30))
    step, excess, power = draw(shares(3))
    r, order = scaled(-4, 4, step), 1 + 7 * power
    alpha = between(Fraction(1, 2), Fraction(3), excess) * (order - 1) * r + Fraction(1, 5)
    return cells, records, r, alpha, order


def released(r: Fraction, alpha: Fraction, counted: tuple[Any, ...]) -> Vector:
    return tuple(r * count + alpha for count in counted)


@given(histogram_cases(), st.data())
@examples(200)
def test_no_replaced_record_exceeds_the_renyi_divergence(case: Any, data: Any) -> None:
    cells, records, r, alpha, order = case
    first, second = data.draw(histogram_pairs(cells, records))
    assert is_record_replaced(first, second)
    highest = number(profile.renyi(alpha, r, order))
    changed = [max(pair) for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    loss = partial(divergence, released(r, alpha, first), released(r, alpha, second), order)
    if not highest.is_finite():  # at counts of 0 it is infinite itself, elsewhere it may be
        assert changed != [1, 1] or number(loss()) == highest
        return
    holds(loss, partial(profile.renyi, alpha, r, order), attained=changed == [1, 1])
    replaced = (Fraction(2), Fraction(1))
    assert highest < renyi.epsilon_bound_alpha(order, r, alpha, *replaced)
    if order > 1:
        assert highest < renyi.epsilon_sensitivity(order, r, alpha, *replaced)


@given(histogram_cases(), shares(1), st.data())
@examples(200)
def test_no_added_or_removed_record_exceeds_the_gamma_pair(
    case: Any, epsilon: Any, data: Any
) -> None:
    cells, records, r, alpha, order = case
    less, more = data.draw(added_pairs(cells, records))
    assert is_record_added(less, more)
    u, v, threshold = released(r, alpha, less), released(r, alpha, more), 4 * epsilon[0]
    pair, bound = Addition.between(u, v), partial(add_remove.delta, alpha, r, threshold)
    holds(partial(delta_of_removal, pair, threshold), bound)
    assert delta_of_addition(pair, threshold) < bound()
    highest = add_remove.renyi(alpha, r, order)
    if highest.is_finite():
        assert number(divergence(u, v, order)) < highest
        assert number(divergence(v, u, order)) < highest


@st.composite
def sensitive_cases(draw: st.DrawFn) -> Any:
    """Sensitivities, values, step, order and an alpha for which equation 18 is finite."""
    norm, most, step, excess, power, size = draw(shares(6))
    space = Sensitive(scaled(-2, 3, norm), scaled(-2, 2, most))
    r, order = scaled(-4, 2, step), 1 + 7 * power
    alpha = (order - 1) * r * space.delta_inf + scaled(-6, 6, excess)
    pair = draw(sensitive_pairs(space, draw(whole(2, 4)), scaled(-3, 10, size)))
    return space, pair, r, alpha, order


@given(sensitive_cases())
@examples(200)
def test_no_change_within_the_sensitivities_exceeds_their_bound(case: Any) -> None:
    space, (first, second), r, alpha, order = case
    assert space.are_adjacent(first, second)
    norms = (space.delta2_squared, space.delta_inf)
    u, v = released(r, alpha, first), released(r, alpha, second)
    bound = partial(renyi.epsilon_sensitivity, order, r, alpha, *norms)
    holds(partial(divergence, u, v, order), bound)
    assert number(divergence(u, v, order)) < renyi.epsilon_bound_alpha(order, r, alpha, *norms)
    # Algorithm 1 sets alpha itself.
    alpha = 1 + 4 * (order - 1) * r * space.delta_inf
    u, v = released(r, alpha, first), released(r, alpha, second)
    assert number(divergence(u, v, order)) < renyi.epsilon_bound(order, r, *norms)


@given(histogram_cases(), shares(1), st.data())
@examples(120)
def test_no_replaced_record_exceeds_delta_at_the_converted_epsilon(
    case: Any, aim: Any, data: Any
) -> None:
    cells, records, r, alpha, order = case
    delta, highest = scaled(-20, 0, aim[0]) / 2, number(profile.renyi(alpha, r, order))
    assume(order > 1)
    assume(highest.is_finite())
    above = enclosure_of(highest).upper
    assert isinstance(above, Fraction)
    epsilon = enclosure_of(to_approximate_dp(order, above, delta)).upper
    assert isinstance(epsilon, Fraction)
    first, second = data.draw(histogram_pairs(cells, records))
    u, v = released(r, alpha, first), released(r, alpha, second)
    holds(partial(delta_between, u, v, epsilon), lambda: delta)


# The search comes up to the bounds that are tight.

SPACE = Bordered(3, 2, Fraction(1, 20), Fraction(1, 10), Fraction(1, 4))
K, EPSILON, GAMMA = Fraction(20), Fraction(1, 2), Fraction(1, 100)
COUNTED = Counts(4, 12, Fraction(1, 8))


def comes_up_to(strategy: st.SearchStrategy[Any], compared: Any, cases: int = 150) -> None:
    """Assert that the search reaches 0.99 of a bound, and does not pass it."""
    worst = worst_of(strategy, compared, cases, "tight", rounds=24, enough=Fraction(99, 100))
    assert worst is not None
    assert worst.loss > NEAR * worst.bound, str(worst)
    assert not worst.exceeds, str(worst)


def test_search_comes_up_to_the_exact_delta_of_the_identity_query() -> None:
    floor_and_step = identity.floor_and_step(K, SPACE.eta, SPACE.eta_bar, SPACE.b, SPACE.w)
    bound = number(profile.delta(*floor_and_step, EPSILON))

    def compared(pair: Any) -> tuple[arb, arb]:
        return number(delta_between(times(K, pair.first), times(K, pair.second), EPSILON)), bound

    comes_up_to(bordered_pairs(SPACE), compared)


def test_search_comes_up_to_the_printed_epsilon_of_two_coordinates() -> None:
    bound = identity.epsilon_bound(K, SPACE.eta, SPACE.eta_bar, SPACE.b, SPACE.w, GAMMA)

    def compared(case: Any) -> tuple[arb, arb]:
        (p, q), x = case
        return log_density_ratio(times(K, p), times(K, q), x), bound

    comes_up_to(st.tuples(bordered_pairs(SPACE), outcomes(3, 2, GAMMA)), compared)


def test_search_comes_up_to_the_delta_of_the_good_set() -> None:
    bound = number(identity.delta_bound(K, SPACE.eta, SPACE.w, GAMMA))

    def compared(pair: Any) -> tuple[arb, arb]:
        protected = pair.first[: SPACE.w]
        return number(general(times(K, protected), K * (1 - sum(protected)), GAMMA)), bound

    comes_up_to(bordered_pairs(SPACE), compared)


def test_search_comes_up_to_the_exact_delta_of_averages() -> None:
    alpha, step = average.floor_and_step(K, SPACE.eta, SPACE.eta_bar, SPACE.b, 2, SPACE.w)
    bound = number(profile.delta(alpha, step, EPSILON))

    def compared(pair: Any) -> tuple[arb, arb]:
        u, v = (times(K, mean(side)) for side in pair)
        return number(delta_between(u, v, EPSILON)), bound

    comes_up_to(collection_pairs(SPACE, 2), compared)


def test_search_comes_up_to_the_exact_delta_of_counts() -> None:
    bound = number(profile.delta(*counts.floor_and_step(K, COUNTED.eta, COUNTED.N), EPSILON))

    def compared(pair: Any) -> tuple[arb, arb]:
        u, v = (times(K, COUNTED.shares(side)) for side in pair)
        return number(delta_between(u, v, EPSILON)), bound

    comes_up_to(count_pairs(COUNTED), compared)


def test_search_comes_up_to_the_exact_delta_of_matrices() -> None:
    epsilon = 8 * EPSILON
    bound = number(matrix.delta(K, SPACE.eta, SPACE.b, 3, epsilon))

    def compared(pair: Any) -> tuple[arb, arb] | None:
        found = [Move.between(times(K, p), times(K, q)) for p, q in zip(*pair, strict=True)]
        with working_precision(COARSE[0]):
            return number(delta_of_moves([move for move in found if move], epsilon)), bound

    comes_up_to(matrix_pairs([SPACE] * 3, 3), compared)


def test_search_comes_up_to_both_renyi_divergences_of_histograms() -> None:
    r, alpha, order = Fraction(1), Fraction(3), Fraction(2)
    replaced, added = profile.renyi(alpha, r, order), add_remove.renyi(alpha, r, order)

    def compared(bound: Any, pair: Any) -> tuple[arb, arb]:
        u, v = (released(r, alpha, side) for side in pair)
        return number(divergence(u, v, order)), number(bound)

    comes_up_to(histogram_pairs(4, 9), partial(compared, replaced))
    comes_up_to(added_pairs(3, 2000), partial(compared, added))


def test_search_comes_up_to_the_bound_by_sensitivities() -> None:
    space, alpha, order = Sensitive(Fraction(2), Fraction(1)), Fraction(3), Fraction(2)
    norms = space.delta2_squared, space.delta_inf
    bound = renyi.epsilon_sensitivity(order, Fraction(1), alpha, *norms)

    def compared(pair: Any) -> tuple[arb, arb]:
        u, v = (released(Fraction(1), alpha, side) for side in pair)
        return number(divergence(u, v, order)), bound

    comes_up_to(sensitive_pairs(space, 3, Fraction(4000)), compared)
