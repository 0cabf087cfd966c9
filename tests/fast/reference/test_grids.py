"""Grids: arrays in, one answer with arrays out, each entry the answer at its own point."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from inspect import signature

import numpy as np
import pytest
from each import each_of
from simplexcert.reference import Answer, Answers, Budget, DomainError, InputError, evaluate
from simplexcert.reference import quantities as registry
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.grids import MAX_POINTS

DELTA, VARIANCE = "dirichlet.profile.delta", "dirichlet.utility.variance"
BOUND = "dirichlet.utility.expected_kl_bound"


def test_keywords_and_a_mapping_are_the_same_parameters() -> None:
    one = evaluate(DELTA, alpha="1.68", step="103/490", epsilon=0.5)
    other = evaluate(DELTA, {"alpha": Decimal("1.68"), "step": "103/490"}, epsilon=Fraction(1, 2))
    assert one == other


def test_a_parameter_that_is_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="the parameter k is given twice"):
        evaluate(VARIANCE, {"k": 1}, p="1/2", k=2)


def test_no_quantity_has_a_parameter_that_evaluate_has_itself() -> None:
    own = set(signature(evaluate).parameters)
    for quantity in registry().values():
        assert not own & set(quantity.parameters), quantity.name


def test_each_entry_is_the_answer_at_its_point() -> None:
    steps, epsilons = np.array([[0.5], [1.0]]), np.linspace(0, 3, 4)
    found = evaluate(DELTA, alpha=2, step=steps, epsilon=epsilons)
    assert isinstance(found, Answers)
    assert found.shape == found.lower.shape == found.upper_float.shape == (2, 4)
    for i, j in np.ndindex(2, 4):
        alone = evaluate(DELTA, alpha=2, step=steps[i, 0], epsilon=epsilons[j])
        assert (found.lower[i, j], found.upper[i, j]) == (alone.lower, alone.upper)
        assert found.lower_float[i, j] == alone.lower_float <= alone.lower
        assert found.upper_float[i, j] == alone.upper_float >= alone.upper
    assert found.narrow.all()
    assert len(found) == len(list(found)) == 8


def test_the_numbers_of_a_list_are_read_one_by_one_as_they_are() -> None:
    found = evaluate(VARIANCE, p=["1/3", 0.1, Decimal("0.1"), 1], k=2)
    tenth = Fraction(3602879701896397, 36028797018963968)
    assert list(found.parameters["p"]) == [Fraction(1, 3), tenth, Fraction(1, 10), 1]


def test_whole_numbers_vary_as_well() -> None:
    found = evaluate(BOUND, k=20, N=np.array([5, 10]), n=range(3, 5))
    assert found.columns()["N"].tolist() == [5, 10]
    assert found.columns()["n"].dtype.kind == "i"


def test_a_vector_is_one_parameter_and_no_grid() -> None:
    found = evaluate("dirichlet.utility.expected_kl", p=np.array([0.5, 0.5]), k=3)
    assert isinstance(found, Answer)


def test_an_array_without_an_axis_is_a_number() -> None:
    found = evaluate(VARIANCE, p=np.array(0.25), k=np.int64(2))
    assert found == evaluate(VARIANCE, p="1/4", k=2)


def test_columns_have_a_row_for_each_point_and_directed_ends() -> None:
    found = evaluate(DELTA, alpha=2, step=[["1/2"], [1]], epsilon=[0, 1])
    columns = found.columns()
    assert list(columns) == ["alpha", "step", "epsilon", "lower", "upper", "verdict"]
    assert columns["step"].tolist() == [0.5, 0.5, 1.0, 1.0]
    assert columns["lower"].dtype == columns["upper"].dtype == np.float64
    assert columns["upper"].tolist() == found.upper_float.ravel().tolist()
    assert set(columns["verdict"]) == {"certified"}


def test_json_has_every_point_and_no_float() -> None:
    found = evaluate(VARIANCE, p=["1/3", "1/2"], k=2)
    shape = found.as_json()
    assert (shape["shape"], shape["varied"], shape["verdict"]) == ([2], ["p"], "certified")
    assert shape["points"] == [point.as_json() for point in found.points]


def test_a_spent_budget_leaves_points_undecided_within_what_is_known() -> None:
    found = evaluate(DELTA, alpha=2, step=1, epsilon=[0, 1], budget=Budget(seconds=-1.0))
    assert not found.narrow.any()
    assert found.lower_float.tolist() == [0.0, 0.0]
    assert found.upper_float.tolist() == [1.0, 1.0]
    assert found.verdict == "undecided"


@each_of(
    "given, said",
    [
        ({"p": [0.1, 0.2], "k": [1, 2, 3]}, "these shapes do not go together"),
        ({"p": [], "k": 1}, "0 points"),
        ({"p": np.zeros(MAX_POINTS + 1), "k": 1}, f"ask for 1 to {MAX_POINTS}"),
        ({"p": np.ma.array([0.1, 0.2], mask=[False, True]), "k": 1}, "masked"),
        ({"p": [0.1, [0.2]], "k": 1}, "is not a number"),
        ({"p": np.array([0.1, np.nan]), "k": 1}, "not a finite number"),
        ({"p": np.array([True, False]), "k": 1}, "not a number"),
        ({"p": b"12", "k": 1}, "not a number"),
        ({"p": {0.1, 0.2}, "k": 1}, "not a number"),
    ],
)
def test_what_is_no_grid_of_numbers_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(VARIANCE, given)


def test_one_point_outside_of_the_domain_refuses_the_grid() -> None:
    with pytest.raises(DomainError, match=r"p = 1\.5"):
        evaluate(VARIANCE, p=["1/2", "3/2"], k=1)


def test_vectors_are_not_answered_over_a_grid() -> None:
    with pytest.raises(InputError, match="ask point by point"):
        evaluate("markov.model.k_for_dp", eta=["0.1"], N=[10], epsilon=[1, 2], delta="0.01")


def test_an_answer_is_one_short_line() -> None:
    found = evaluate(DELTA, alpha="1.68", step="103/490", epsilon="0.6")
    line = f"{DELTA}(alpha=1.68, step=103/490, epsilon=0.6) in [0.002089258128, 0.002089258129]"
    assert repr(found) == str(found) == line
    assert repr(evaluate(VARIANCE, p="1/3", k=20.5)) == f"{VARIANCE}(p=1/3, k=20.5) = 4/387"
    assert "p=float(0.1)" in repr(evaluate(VARIANCE, p=0.1, k=2))


def test_a_line_says_what_is_undecided_and_what_is_estimated() -> None:
    late = evaluate(DELTA, alpha=2, step=1, epsilon=1, digits=2000, budget=Budget(bits=128))
    assert repr(late).endswith(" (undecided)")
    estimated = evaluate("dirichlet.tail.uniform", alpha=1, count=2, rest=1, gamma="0.1",
                         engine="second")  # fmt: skip
    assert repr(estimated).endswith("" if estimated.rigorous else " (estimated)")


def test_enclosures_grids_and_quantities_are_one_short_line() -> None:
    law = evaluate("markov.stationary", P=[["1/2", "1/2"], ["1/3", "2/3"]])
    assert str(law.enclosure) == "[2/5, 3/5]"
    assert repr(Enclosure.nothing_known()) == "Enclosure([-inf, inf])"
    assert law.enclosure._repr_html_() == "<code>[2/5, 3/5]</code>"
    assert repr(Enclosure.of(Fraction(1, 10**9_999))) == "Enclosure(1e-9999)"
    assert repr(Enclosure.of(Fraction(1, 3**99))).startswith("Enclosure([5.820975652e-48, ")
    grid = evaluate(DELTA, alpha=2, step=1, epsilon=np.linspace(0, 3, 31))
    shown = (grid, *registry().values())
    assert all("\n" not in repr(each) and len(repr(each)) < 250 for each in shown)
    assert repr(grid).startswith(f"{DELTA}(alpha=2, step=1, epsilon=...), 31 points: first 3/8")


def test_a_notebook_gets_a_table_in_which_nothing_is_markup() -> None:
    found = evaluate(DELTA, alpha=2, step=1, epsilon=["1/2", 1])
    for shown in (found, found.points[0], found.quantity):
        text = shown._repr_html_()
        assert text.startswith("<table><caption")
        assert DELTA in text
