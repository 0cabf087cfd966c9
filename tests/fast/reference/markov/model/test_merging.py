"""Merged states and the greedy plan: against whole matrices, and against a plan by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from ball_checks import meets, seeded
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.dirichlet import counts
from simplexcert.reference.markov.model.merging import (
    _Chain,
    _Losses,
    key_of,
    merge_plan,
    merged,
    merged_epsilon,
)
from simplexcert.reference.precision import Budget

GAMMA = Fraction(1, 10**6)
# State 1 is rarely left for state 2: merging them hides that.
TABLE = ((50, 1, 40, 30), (60, 70, 80, 90), (20, 30, 40, 50), (90, 80, 70, 60))


def plan_of(table: tuple[tuple[int, ...], ...], epsilon: Fraction) -> list[int]:
    with working_precision(128):
        return [int(Fraction(group)) for group in merge_plan(table, GAMMA, epsilon)]


def test_merged_states_have_their_rows_and_columns_added() -> None:
    assert merged(TABLE, (1, 1, 2, 2)) == [[181, 240], [220, 220]]
    assert merged(TABLE, (2, 1, 1, 2)) == [[220, 220], [191, 230]]
    assert merged(TABLE, (1, 2, 3, 4)) == [list(row) for row in TABLE]


def test_the_merged_epsilon_is_that_of_the_largest_row() -> None:
    found = merged_epsilon(TABLE, (1, 1, 2, 3), GAMMA)
    rows = [
        counts.epsilon_minimum(Fraction(least, size), size, n, GAMMA)
        for least, size, n in map(key_of, merged(TABLE, (1, 1, 2, 3)))
    ]
    assert any(meets(found, row) for row in rows)
    assert all(meets(found, row) or row < found for row in rows)


def test_nothing_is_merged_where_the_target_is_reached() -> None:
    assert plan_of(TABLE, Fraction(100)) == [1, 2, 3, 4]


def test_the_rare_transition_is_merged_away() -> None:
    before = merged_epsilon(TABLE, (1, 2, 3, 4), GAMMA)
    target = Fraction(2)
    assert before > 2
    groups = plan_of(TABLE, target)
    assert max(groups) == 3
    assert merged_epsilon(TABLE, tuple(groups), GAMMA) < 2


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10**6)])
def test_a_target_out_of_reach_leaves_one_group(epsilon: Fraction) -> None:
    assert plan_of(TABLE, epsilon) == [1, 1, 1, 1]
    assert plan_of(((1, 2), (3, 4)), Fraction(100)) == [1, 1]


def test_of_equal_partners_and_of_equal_rows_the_first_is_taken() -> None:
    rare_at_home = tuple(tuple(1 if i == j == 1 else 20 for j in range(4)) for i in range(4))
    assert plan_of(rare_at_home, Fraction(3)) == [1, 1, 2, 3]
    rare_everywhere = tuple(tuple(1 if i == j else 20 for j in range(4)) for i in range(4))
    first = plan_of(rare_everywhere, Fraction(30))
    assert first == [1, 2, 3, 4]
    with working_precision(128):
        chain = _Chain.of(rare_everywhere, _Losses(GAMMA)).after_the_best_merge()
    assert chain.groups == [0, 0, 1, 2]


def test_a_step_of_the_plan_is_the_best_of_all_merges() -> None:
    random = seeded("best merge")
    for _ in range(instances(8, 20)):
        states = random.randint(4, 7)
        table = tuple(
            (
                *(random.choice((0, 1, 3, 7, 20, 50)) for _ in range(states - 1)),
                random.randint(1, 30),
            )
            for _ in range(states)
        )
        with working_precision(128):
            losses = _Losses(GAMMA)
            chain = _Chain.of(table, losses)
            worst = losses.descending([key_of(row) for row in table])[0]
            at = [key_of(row) for row in table].index(worst)
            found = chain.after_the_best_merge()
            after = losses.descending([key_of(row) for row in found.rows])
            for partner in set(range(states)) - {at}:
                groups = [at + 1 if g == partner else g + 1 for g in range(states)]
                other = losses.descending([key_of(row) for row in merged(table, groups)])
                assert losses.lexicographic(after, other) <= 0
        assert found.rows == merged(table, found.groups)


def test_a_plan_that_takes_too_long_is_undecided() -> None:
    random = seeded("large")
    table = tuple(tuple(random.randint(1, 60) for _ in range(30)) for _ in range(30))
    point = {"counts": table, "gamma": GAMMA, "epsilon": 0}
    assert not evaluate("markov.model.merge_plan", point, budget=Budget(0.0)).narrow
