"""A model read off data: what each row has, and what the chain does."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simplexcert.reference import DataModel, InputError, evaluate
from simplexcert.reference.markov.model.rows import listed

MODEL = DataModel(("a", "b", "c"), ((0, 3, 1), (2, 4, 2), (8, 0, 0)))


def test_each_row_has_its_records_transitions_and_least_share() -> None:
    first, _, third = MODEL.rows
    assert (first.records, first.feasible, first.least) == (4, 2, 1)
    assert (first.eta, first.k_minimum) == (Fraction(1, 4), 6)
    assert (third.feasible, third.eta) == (1, 1)
    assert MODEL.rows_with_fewer(3) == ("a", "c")
    assert MODEL.rows_with_fewer(2) == ("c",)


def test_the_smallest_k_of_the_rows_is_the_quantity() -> None:
    model = DataModel.of([[1, 2, 3], [4, 0, 5], [6, 7, 8]])
    found = evaluate("markov.model.k_minimum", {"counts": model.counts})
    assert found.exact == tuple(row.k_minimum for row in model.rows)


def test_shares_are_rows_of_a_stochastic_matrix() -> None:
    assert [sum(row) for row in MODEL.shares] == [1, 1, 1]
    assert MODEL.shares[1] == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


def test_states_that_cannot_be_reached_are_named() -> None:
    trap = DataModel(("a", "b", "c"), ((1, 1, 0), (0, 1, 1), (0, 1, 1)))
    assert trap.unreachable() == (("b", ("a",)), ("c", ("a",)))
    assert not trap.irreducible
    assert trap.period is None
    assert not MODEL.unreachable()
    assert MODEL.irreducible


@pytest.mark.parametrize(("counts", "period"), [(((0, 2), (3, 0)), 2), (((0, 2), (3, 1)), 1)])
def test_the_period_is_that_of_the_transitions_seen(
    counts: tuple[tuple[int, ...], ...], period: int
) -> None:
    assert DataModel.of(counts).period == period


def test_all_transitions_are_seen_where_no_count_is_zero() -> None:
    assert DataModel.of(((1, 2), (3, 4))).all_seen
    assert not MODEL.all_seen


def test_leaving_out_a_state_takes_its_row_and_its_column() -> None:
    found = MODEL.without(["b"])
    assert (found.labels, found.counts) == (("a", "c"), ((0, 1), (8, 0)))
    assert MODEL.without([]) == MODEL


def test_states_without_data_may_be_left_out_of_a_table_without_labels() -> None:
    found = DataModel.of([[1, 2, 0], [3, 4, 0], [0, 0, 0]], ["3"])
    assert (found.labels, found.counts) == (("1", "2"), ((1, 2), (3, 4)))
    with pytest.raises(InputError, match="row 2 has 1 counts"):
        DataModel.of([[1, 2], [3]], ["2"])


def test_no_fractions_are_made_to_see_what_a_chain_can_do() -> None:
    model = DataModel.of([[0, 2], [3, 0]])
    assert (model.irreducible, model.period, model.unreachable()) == (True, 2, ())
    assert "shares" not in vars(model)


def test_a_few_names_stand_in_a_sentence() -> None:
    assert listed([4]) == "row 4"
    assert listed([4, 7], "state") == "states 4, 7"
    assert listed(range(5)) == "rows 0, 1, 2 and 2 more"
