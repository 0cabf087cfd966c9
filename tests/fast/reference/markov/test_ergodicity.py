"""Coefficients of ergodicity: published numbers, and what is no stochastic matrix."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError


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
