"""Adjacent pairs: what is drawn satisfies the definitions, and they refuse what does not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from drawn_mechanisms import bordered_releases, counts_releases
from drawn_neighbours import (
    added_pairs,
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
)
from each import each_of
from flint import arb
from hypothesis import strategies as st
from neighbouring_inputs import (
    Bordered,
    Collections,
    Counts,
    Matrices,
    is_record_added,
    is_record_replaced,
    mean,
)
from simplexcert.reference.adjacency import Floored, Sensitive
from worst_drawn import Worst, closeness, worst_of


def vector(*entries: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, entries))


SPACE = Bordered(4, 3, Fraction(1, 10), Fraction(1, 5), Fraction(1, 2))
COUNTED = Counts(4, 20, Fraction(1, 8))
MIDDLE = vector("0.2", "0.3", "0.1", "0.4")


def drawn(strategy: st.SearchStrategy[Any], cases: int = 120, seed: str = "s") -> list[Any]:
    found: list[Any] = []
    worst_of(strategy, found.append, cases, seed)
    return found


@each_of(
    "stray",
    [
        vector("0.2", "0.3", "0.1"),
        vector("0.2", "0.3", "0.1", "0.3"),
        vector("0.2", "0.5", "0.3", "0"),
        vector("0.2", "0.41", "0.09", "0.3"),
        vector("0.3", "0.41", "0.1", "0.19"),
    ],
)
def test_the_bordered_simplex_refuses_what_lies_outside(stray: Any) -> None:
    assert SPACE.admits(MIDDLE)
    assert not SPACE.admits(stray)
    assert not SPACE.are_adjacent(stray, MIDDLE)
    assert not SPACE.are_adjacent(MIDDLE, stray)


@each_of(
    "other, adjacent",
    [
        (MIDDLE, True),
        (vector("0.1", "0.4", "0.1", "0.4"), True),
        (vector("0.1", "0.35", "0.15", "0.4"), False),
        (vector("0.1", "0.3", "0.1", "0.5"), False),
    ],
)
def test_bordered_neighbours_move_between_two_protected_coordinates(
    other: Any, *, adjacent: bool
) -> None:
    assert SPACE.are_adjacent(MIDDLE, other) is SPACE.are_adjacent(other, MIDDLE) is adjacent


def test_bordered_neighbours_lie_within_b() -> None:
    far, near = vector("0.45", "0.1", "0.1", "0.35"), vector("0.2", "0.35", "0.1", "0.35")
    assert SPACE.are_adjacent(far, near)
    assert not Bordered(4, 3, SPACE.eta, SPACE.eta_bar, Fraction(49, 100)).are_adjacent(far, near)


def test_the_good_set_asks_for_gamma_in_protected_coordinates_alone() -> None:
    assert SPACE.good(vector("0.1", "0.1", "0.1", "0.7"), Fraction(1, 10))
    assert SPACE.good(vector("0.3", "0.3", "0.3", "0.1"), Fraction(3, 10))
    assert not SPACE.good(vector("0.3", "0.3", "0.2", "0.2"), Fraction(1, 4))
    assert not SPACE.good(vector("0.3", "0.3", "0.4", "0"), Fraction(1, 4))
    assert not SPACE.good(vector("0.3", "0.3", "0.3", "0.2"), Fraction(1, 4))
    assert not COUNTED.good(vector("0.3", "0.3", "0.3", "0.1"), Fraction(1, 5))


def test_collections_differ_in_one_vector_and_matrices_in_as_many_rows_as_agreed() -> None:
    moved, third = vector("0.1", "0.4", "0.1", "0.4"), vector("0.1", "0.1", "0.1", "0.7")
    collections = Collections(SPACE, 2)
    assert collections.are_adjacent((MIDDLE, third), (moved, third))
    assert not collections.are_adjacent((MIDDLE, MIDDLE), (moved, moved))
    assert not collections.are_adjacent((MIDDLE, third), (third, third))
    assert not collections.are_adjacent((MIDDLE,), (moved,))
    assert mean((MIDDLE, third)) == vector("0.15", "0.2", "0.1", "0.55")
    assert Matrices((SPACE,) * 2, 2).are_adjacent((MIDDLE, MIDDLE), (moved, moved))
    assert not Matrices((SPACE,) * 2, 1).are_adjacent((MIDDLE, MIDDLE), (moved, moved))
    assert not Matrices((SPACE,) * 2, 2).are_adjacent((MIDDLE, MIDDLE), (moved, third))


def test_counts_and_histograms_move_one_record() -> None:
    first = (3, 4, 6, 7)
    assert COUNTED.least == 3
    assert COUNTED.are_adjacent(first, (4, 4, 6, 6))
    assert not COUNTED.are_adjacent(first, (2, 5, 6, 7))
    assert not COUNTED.are_adjacent(first, (3, 4, 6, 8))
    assert not COUNTED.are_adjacent(first, (5, 4, 6, 5))
    assert is_record_replaced((0, 1), (1, 0))
    assert not is_record_replaced((0, 1), (0, 1))
    assert not is_record_replaced((-1, 2), (0, 1))
    assert is_record_added((0, 1), (0, 2))
    assert not is_record_added((0, 2), (0, 1))
    with pytest.raises(ValueError, match="different length"):
        is_record_added((0, 1), (0, 1, 1))


def test_sensitivities_and_floors_bound_what_may_change() -> None:
    space = Sensitive(Fraction(2), Fraction(1))
    assert space.are_adjacent(vector("0", "1"), vector("1", "0"))
    assert not space.are_adjacent(vector("0", "1"), vector("1.1", "1"))
    assert not space.are_adjacent(vector("0", "1", "1"), vector("1", "0", "0.9"))
    assert not space.are_adjacent(vector("-0.1", "1"), vector("0", "1"))
    floor = Floored(Fraction(1), Fraction(2))
    assert floor.are_adjacent(vector("1", "3"), vector("3", "1"))
    assert not floor.are_adjacent(vector("1", "4"), vector("4", "1"))
    assert not floor.are_adjacent(vector("0.5", "2"), vector("1", "1.5"))
    assert not floor.are_adjacent(vector("1", "3"), vector("3", "1.5"))


@each_of(
    "strategy, adjacent",
    [
        (bordered_pairs(SPACE), SPACE.are_adjacent),
        (collection_pairs(SPACE, 3), Collections(SPACE, 3).are_adjacent),
        (matrix_pairs([SPACE] * 3, 2), Matrices((SPACE,) * 3, 2).are_adjacent),
        (count_pairs(COUNTED), COUNTED.are_adjacent),
        (histogram_pairs(3, 7), is_record_replaced),
        (added_pairs(3, 7), is_record_added),
        (
            sensitive_pairs(Sensitive(Fraction(5, 3), Fraction(4, 5)), 4, Fraction(9)),
            Sensitive(Fraction(5, 3), Fraction(4, 5)).are_adjacent,
        ),
        (
            floored_pairs(Floored(Fraction(1), Fraction(2)), Fraction(3)),
            Floored(Fraction(1), Fraction(2)).are_adjacent,
        ),
    ],
)
def test_every_pair_that_is_drawn_is_adjacent(strategy: Any, adjacent: Callable[..., bool]) -> None:
    pairs = drawn(strategy)
    assert len({repr(pair) for pair in pairs}) > 20
    assert all(adjacent(pair.first, pair.second) for pair in pairs)


@pytest.mark.parametrize(("n", "w"), [(4, 3), (3, 3)])
def test_every_outcome_that_is_drawn_is_good(n: int, w: int) -> None:
    gamma = Fraction(1, 5)
    space = Bordered(n, w, gamma, gamma, gamma)
    found = drawn(outcomes(n, w, gamma))
    assert all(space.good(x, gamma) for x in found)
    largest = 1 - (w - 1) * gamma
    assert max(max(x) for x in found) > largest - Fraction(1, 1 << 29)
    assert (n == w) is any(max(x) == largest for x in found)


def test_corners_of_the_bordered_simplex_are_reached() -> None:
    pairs = drawn(bordered_pairs(SPACE), 400)
    protected = [pair.first[:3] for pair in pairs]
    whole_step = [pair for pair in pairs if max(map(abs_change, *pair)) == SPACE.step]
    assert whole_step
    assert any(min(p[:3]) == max(p[:3]) == SPACE.eta for p, _ in pairs)
    assert any(len(set(entries)) == 1 and entries[0] > SPACE.eta for entries in protected)
    assert any(sum(entries) == 1 - SPACE.eta_bar for entries in protected)
    assert any(max(entries) == SPACE.eta + SPACE.room for entries in protected)
    assert any(sum(p[:3]) == 3 * SPACE.eta + SPACE.step for p, _ in whole_step)
    assert any(p == q for p, q in pairs)


def abs_change(first: Fraction, second: Fraction) -> Fraction:
    return abs(first - second)


def test_releases_that_are_drawn_have_neighbours_and_a_good_set() -> None:
    for release in drawn(bordered_releases()):
        space = release.space
        assert 0 < space.step == space.b / 2 <= space.room
        assert 0 < space.w * release.gamma < 1
        assert space.b <= 1
    for release in drawn(counts_releases()):
        assert release.space.N > release.space.n * release.space.least > 0


@each_of(
    "impossible",
    [
        bordered_pairs(Bordered(4, 1, Fraction(1, 10), Fraction(1, 5), Fraction(1, 2))),
        bordered_pairs(Bordered(3, 3, Fraction(1, 10), Fraction(1, 5), Fraction(1, 2))),
        bordered_pairs(Bordered(4, 3, Fraction(3, 10), Fraction(1, 5), Fraction(1, 2))),
        count_pairs(Counts(4, 12, Fraction(1, 4))),
        outcomes(4, 3, Fraction(1, 3)),
        outcomes(4, 3, Fraction(0)),
    ],
)
def test_definitions_without_neighbours_are_refused(impossible: Any) -> None:
    with pytest.raises(ValueError, match=r"adjacent|can move|empty"):
        drawn(impossible, 1)


def test_shares_reach_both_ends_and_scales_rise_without_a_jump() -> None:
    found = [share for (share,) in drawn(shares(1))]
    assert {Fraction(0), Fraction(1)} < set(found)
    assert len(set(found)) > 50
    places = [Fraction(place, 64) for place in range(65)]
    numbers = [scaled(-2, 6, place) for place in places]
    assert numbers == sorted(set(numbers))
    assert (numbers[0], numbers[-1]) == (Fraction(1, 4), 64)


def test_the_same_seed_draws_the_same_pairs_and_another_seed_others() -> None:
    strategy = bordered_pairs(SPACE)
    assert drawn(strategy, 40) == drawn(strategy, 40)
    assert drawn(strategy, 40) != drawn(strategy, 40, "t")


def test_the_search_climbs_and_starts_again_until_enough_is_found() -> None:
    seen = []

    def compared(pair: Any) -> tuple[arb, arb]:
        seen.append(pair)
        return arb(float(max(pair.first))), arb(1)

    worst = worst_of(bordered_pairs(SPACE), compared, 60, "s", rounds=3)
    assert worst is not None
    assert (
        float(max(worst.drawn.first))
        == float(worst.loss)
        == max(float(max(pair.first)) for pair in seen)
    )
    assert len(seen) > 120
    enough = len(seen)
    worst_of(bordered_pairs(SPACE), compared, 60, "s", rounds=3, enough=Fraction(1, 10))
    assert 0 < len(seen) - enough < 90


def test_what_is_undecided_never_exceeds_a_bound() -> None:
    wide, nan = arb(1, 1), arb("nan")
    assert Worst(None, arb(2), arb(1)).exceeds
    assert not any(Worst(None, loss, arb(1)).exceeds for loss in (arb(1), wide, nan))
    assert not any(Worst(None, arb(1), bound).exceeds for bound in (arb(1), wide, nan))
    ranks = [closeness(loss, arb(1)) for loss in (nan, arb(-3), arb(-2), arb(1) / 2, arb(2))]
    assert ranks == sorted(set(ranks))


def test_nothing_compared_is_no_result_and_witnesses_are_shown_exactly() -> None:
    assert worst_of(bordered_pairs(SPACE), lambda _: None, 5, "s") is None
    shown = str(Worst((Fraction(-3, 7), Fraction(2)), arb(2), arb(1)))
    assert shown.startswith("(-3/7, 2)\nloses 2.0")


def test_a_loss_above_its_bound_ends_the_search() -> None:
    seen = []

    def compared(pair: Any) -> tuple[arb, arb]:
        seen.append(pair)
        return arb(len(seen)), arb(7)

    worst = worst_of(bordered_pairs(SPACE), compared, 60, "s", rounds=3)
    assert worst is not None
    assert worst.exceeds
    assert worst.drawn == seen[7]
