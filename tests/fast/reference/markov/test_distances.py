"""Furthest rows: as all pairs say, in rationals and in balls, with ties and near ties.

Coefficients of ergodicity: published numbers, and what is no stochastic matrix.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from ball_checks import as_ball, meets, seeded
from drawn_chains import some_chain
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov import distances
from simplexcert.reference.markov.distances import (
    Row,
    cut_to_units,
    digit_bits,
    distance,
    largest_distance,
    largest_distance_of_balls,
)
from simplexcert.reference.markov.ergodicity import dobrushin_coefficient, ergodicity_coefficient
from simplexcert.reference.structures import Matrix


def by_all_pairs(rows: Matrix) -> Fraction:
    return max(
        sum((abs(p - q) for p, q in zip(one, other, strict=True)), Fraction(0))
        for one, other in combinations(rows, 2)
    )


def some_rows(rng: Random, count: int, width: int) -> Matrix:
    """Return rows of numbers of either sign and of very different sizes and denominators."""
    return tuple(
        tuple(
            Fraction(
                rng.randint(-(10**9), 10**9), rng.choice([1, 7, 10**20, rng.randint(1, 10**9)])
            )
            for _ in range(width)
        )
        for _ in range(count)
    )


def in_balls(rows: Matrix) -> list[list[arb]]:
    return [[ball(entry) for entry in row] for row in rows]


@pytest.mark.parametrize("bits", [40, 128, 500])
def test_the_largest_distance_is_that_of_all_pairs(bits: int) -> None:
    rng = seeded(bits)
    for _ in range(instances(20, 60)):
        rows = some_rows(rng, rng.randint(2, 8), rng.randint(1, 6))
        expected = by_all_pairs(rows)
        assert largest_distance(rows) == expected
        with working_precision(bits):
            assert meets(largest_distance_of_balls(in_balls(rows)), expected, bits - 20)


def test_distances_that_agree_in_the_first_digits() -> None:
    """Rows whose distances differ by 1e-30, so that integers of 64 bits do not tell them apart."""
    least, third = Fraction(1, 10**30), Fraction(1, 3)
    rows = tuple((third + at % 3 * least, 2 * third - at % 3 * least, -third) for at in range(5))
    rows += tuple((-a, -b, -c) for a, b, c in rows)
    expected = by_all_pairs(rows)
    assert expected == Fraction(8, 3)
    uneven = tuple((a + at * least, b, c) for at, (a, b, c) in enumerate(rows))
    assert largest_distance(uneven) == by_all_pairs(uneven) != expected
    with working_precision(256):
        assert meets(largest_distance_of_balls(in_balls(uneven)), by_all_pairs(uneven), 200)


def nearly_tied_rows(rng: Random, width: int) -> Matrix:
    """Return rows whose distances differ by parts of the unit that entries are cut to."""
    unit = Fraction(1, 2 ** digit_bits(width))
    return tuple(
        tuple(
            sign * (Fraction(1, 2) + 5 * unit * Fraction(rng.randint(0, 10**6), 10**6 + 3))
            for _ in range(width)
        )
        for sign in (1, 1, 1, -1, -1, -1)
    )


def test_near_ties_within_the_cut() -> None:
    rng = seeded("near")
    for _ in range(instances(20, 60)):
        rows = nearly_tied_rows(rng, 7)
        expected = by_all_pairs(rows)
        assert largest_distance(rows) == expected
        with working_precision(256):
            assert meets(largest_distance_of_balls(in_balls(rows)), expected, 220)


def test_near_ties_of_columns_within_the_cut() -> None:
    rng = seeded("columns")
    for _ in range(instances(20, 60)):
        unit = Fraction(1, 2 ** digit_bits(7))
        columns = [
            [
                Fraction(at % 2, 8) + unit / 4 * Fraction(rng.randint(0, 10**6), 10**6 + 3)
                for at in range(7)
            ]
            for _ in range(6)
        ]
        rows = [(*row, 1 - sum(row)) for row in zip(*columns, strict=True)]
        spreads = [sum(g[-3:]) - sum(g[:3]) for g in map(sorted, zip(*rows, strict=True))]
        wide = [row[:6] for row in rows]
        assert max(spreads[:6]) == ergodicity_coefficient(tuple(wide))


def test_whole_units_are_short_enough_for_exact_sums() -> None:
    """Common denominators just beyond and just within what the digits hold, of entries up to 1."""
    for width in (2, 3, 9):
        most = 2 ** digit_bits(width)
        for common in (most - 1, most, most + 1, 2 * most - 1):
            rows = [[Fraction(common - 1, common)] + [Fraction(1)] * (width - 1)]
            units, whole = cut_to_units(rows)
            assert int(abs(units).max()) <= most
            assert whole == (common <= most)


def test_many_ties_are_summed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of 200 rows tie: with a common denominator one is looked at in full."""
    seen = []

    def counted(one: Row, other: Row) -> Fraction:
        seen.append(1)
        return distance(one, other)

    monkeypatch.setattr(distances, "distance", counted)
    share = Fraction(1, 600)
    rows = tuple(tuple(share + Fraction(2, 3) * (x == y) for y in range(200)) for x in range(200))
    assert largest_distance(rows) == Fraction(4, 3)
    assert len(seen) == 1
    with working_precision(128):
        assert meets(largest_distance_of_balls(in_balls(rows)), Fraction(4, 3), 100)


def test_the_search_ends_where_two_rows_have_nothing_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []

    def counted(one: Row, other: Row) -> Fraction:
        seen.append(1)
        return distance(one, other)

    monkeypatch.setattr(distances, "distance", counted)
    rng = seeded("apart")
    rows = []
    for at in range(40):
        share = Fraction(rng.randint(1, 10**12), 10**12 + at)
        rows.append(
            tuple(share if y == at else 1 - share if y == at + 40 else 0 for y in range(80))
        )
    assert dobrushin_coefficient(tuple(tuple(map(Fraction, row)) for row in (*rows, *rows))) == 1
    assert len(seen) == 1


def test_very_many_ties_without_a_common_denominator_are_answered_in_balls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each pair in full would take minutes for 1000 rows; here a smaller number counts as many."""
    monkeypatch.setattr(distances, "_MOST_TIED_ENTRIES", 40 * 39 // 2 * 40 - 1)
    share = Fraction(1, 10**30)
    rows = tuple(tuple(share / 40 + (1 - share) * (x == y) for y in range(40)) for x in range(40))
    assert largest_distance(rows) is None
    with working_precision(128):
        assert meets(as_ball(dobrushin_coefficient(rows)), 1 - share, 100)
    monkeypatch.setattr(distances, "_MOST_TIED_ENTRIES", 40 * 39 // 2 * 40)
    assert dobrushin_coefficient(rows) == 1 - share


def test_equal_rows_are_at_no_distance() -> None:
    rows = ((Fraction(1, 3), Fraction(2, 3)),) * 4
    assert largest_distance(rows) == 0
    assert as_ball(largest_distance_of_balls(in_balls(rows))).contains(0)


def test_a_ball_that_is_not_finite_says_nothing() -> None:
    assert largest_distance_of_balls([[arb(1)], [arb("nan")]]).is_nan()
    assert largest_distance_of_balls([[arb("inf")], [arb(1)]]).is_nan()


def test_wide_balls_widen_the_answer() -> None:
    """Entries known to 0.01 only: whatever they are, the answer has to hold it."""
    rng = seeded("wide")
    for _ in range(instances(20, 60)):
        rows = some_rows(rng, 4, 3)
        rows = tuple(tuple(entry % 4 for entry in row) for row in rows)
        off = [[ball(entry + Fraction(rng.randint(-9, 9), 1000)) for entry in row] for row in rows]
        wide = [[entry + arb(0, 0.01) for entry in row] for row in off]
        found = largest_distance_of_balls(wide)
        assert found.contains(ball(by_all_pairs(rows)))
        assert found.rad() < 0.2


def test_the_coefficients_are_those_of_all_pairs_and_columns() -> None:
    rng = seeded("coefficients")
    for _ in range(instances(26, 80)):
        chain = some_chain(rng, rng.randint(2, 7))
        assert dobrushin_coefficient(chain) == by_all_pairs(chain) / 2
        half = len(chain) // 2
        spreads = [sum(g[-half:]) - sum(g[:half]) for g in map(sorted, zip(*chain, strict=True))]
        assert ergodicity_coefficient(chain) == max(spreads)


def exactly(name: str, matrix: object) -> Fraction | None:
    return evaluate(f"markov.{name}", {"P": matrix}).exact


def test_a_chain_that_forgets_at_once_contracts_to_nothing() -> None:
    matrix = [["1/5", "3/10", "1/2"]] * 3
    assert (
        exactly("ergodicity_coefficient", matrix) == exactly("dobrushin_coefficient", matrix) == 0
    )


def test_two_states_have_one_coefficient() -> None:
    matrix = [["9/10", "1/10"], ["4/10", "6/10"]]
    assert (
        exactly("ergodicity_coefficient", matrix)
        == exactly("dobrushin_coefficient", matrix)
        == Fraction(1, 2)
    )


def test_the_coefficient_of_a_rare_noisy_row() -> None:
    # Counts (499999, 1, 500000), (2, 1, 2), (500000, 1, 499999): the middle column decides.
    matrix = [
        ["499999/1000000", "1/1000000", "1/2"],
        ["2/5", "1/5", "2/5"],
        ["1/2", "1/1000000", "499999/1000000"],
    ]
    assert exactly("ergodicity_coefficient", matrix) == Fraction(199999, 10**6)


@pytest.mark.parametrize("name", ["ergodicity_coefficient", "dobrushin_coefficient"])
def test_rows_that_do_not_sum_to_one_are_refused(name: str) -> None:
    with pytest.raises(DomainError, match="sum"):
        exactly(name, [["1/2", "1/2"], ["1/2", "1/3"]])
