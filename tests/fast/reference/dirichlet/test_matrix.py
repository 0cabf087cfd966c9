"""The matrix mechanism's quantities: recorded numbers, domains, hypotheses, degenerate rows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from simplexcert.reference import Answer, DomainError, evaluate
from simplexcert.reference.dirichlet import matrix
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.enclosure import Trilean

SECTION_V = {"k": "9.87", "eta": "0.1", "eta_bar": "0.051", "b": "0.025"}
ROWS = [[2, "0.001"], [9, "0.001"], [5, "0.002"]]


def answer(name: str, **given: object) -> Answer:
    found = evaluate(f"dirichlet.matrix.{name}", given)
    assert found.narrow
    return found


def changed(rows: int, epsilon: object = "1.16") -> Answer:
    given = {key: SECTION_V[key] for key in ("k", "eta", "b")}
    return answer("delta", **given, changed_rows=rows, epsilon=epsilon)


@pytest.mark.parametrize(
    ("rows", "first_digits"), [(1, "0.00001149647"), (10, "0.0225404"), (32, "0.178790900")]
)
def test_recorded_deltas(rows: int, first_digits: str) -> None:
    found, unit = changed(rows), Fraction(10) ** (2 - len(first_digits))
    assert Fraction(first_digits) <= found.lower <= found.upper < Fraction(first_digits) + unit


def test_delta_is_the_composition() -> None:
    for rows in (1, 3):
        same = evaluate(
            "dirichlet.composition.delta",
            {"releases": [["0.987", "0.123375", rows]], "epsilon": "1.16"},
        )
        assert changed(rows).enclosure == same.enclosure


def test_ten_thousand_rows() -> None:
    found = changed(10_000, 300)
    assert Fraction("0.00105197") < found.lower <= found.upper < Fraction("0.00105198")


def test_a_miss_that_is_certain_is_known_exactly() -> None:
    found = answer("delta_bound", k=20, eta="0.1", rows=[[2, "0.01"], [4, "0.25"], [3, "0.3"]])
    assert found.exact == 1


def test_a_gamma_of_zero_is_never_missed() -> None:
    assert answer("delta_bound", k=20, eta="0.1", rows=[[2, 0], [4, 0]]).exact == 0
    one = answer("delta_bound", k=20, eta="0.1", rows=[[4, 0], [2, "0.01"]])
    alone = answer("delta_bound", k=20, eta="0.1", rows=[[2, "0.01"]])
    assert one.enclosure.overlaps(alone.enclosure)
    assert one.lower > 0


def test_several_candidates_give_the_largest() -> None:
    single = [answer("delta_bound", k="9.87", eta="0.1", rows=[row]) for row in ROWS]
    together = answer("delta_bound", k="9.87", eta="0.1", rows=ROWS)
    largest = max(single, key=lambda found: found.lower)
    assert together.enclosure.overlaps(largest.enclosure)
    assert all(other is largest or other.upper < together.lower for other in single)


def test_order_of_rows_does_not_matter() -> None:
    forward = answer("delta_bound", k="9.87", eta="0.1", rows=ROWS)
    backward = answer("delta_bound", k="9.87", eta="0.1", rows=ROWS[::-1] + ROWS)
    assert forward.enclosure == backward.enclosure
    forward = answer("epsilon_bound", **SECTION_V, rows=ROWS)
    backward = answer("epsilon_bound", **SECTION_V, rows=ROWS[::-1])
    assert forward.enclosure == backward.enclosure


@each_of("rows", [[[1, "0.1"]], [[2, "0.5"]], [[2, 0]], [[2, "0.1"], [5, "0.2"]]])
def test_the_domain_of_the_printed_epsilon(rows: list[list[object]]) -> None:
    with pytest.raises(DomainError, match="every row"):
        answer("epsilon_bound", **SECTION_V, rows=rows)


def test_other_domains() -> None:
    with pytest.raises(DomainError, match="w eta <= 1"):
        answer("delta_bound", k=20, eta="0.1", rows=[[2, "0.01"], [11, "0.01"]])
    with pytest.raises(DomainError, match="b/2 < 1"):
        answer("epsilon_bound", **{**SECTION_V, "b": "1.7"}, rows=ROWS)
    with pytest.raises(DomainError, match="changed_rows"):
        changed(0)


def statuses(**given: object) -> dict[str, Trilean]:
    exact = {
        **{key: Fraction(value) for key, value in SECTION_V.items()},
        "rows": ((2, Fraction(1, 1000)), (9, Fraction(1, 1000))),
        "changed_rows": 1,
        **given,
    }
    return {item.statement: item.holds(exact) for item in matrix.HYPOTHESES}  # type: ignore[arg-type]


def test_hypotheses_of_section_v() -> None:
    """All hold but Assumption 2: k = 9.87 is below 1/eta."""
    failing = [name for name, status in statuses().items() if status is not Trilean.TRUE]
    assert failing == ["k >= 1/eta and k >= 1/(1 - eta - eta_bar)"]
    assert all(status is Trilean.TRUE for status in statuses(k=Fraction(10)).values())


@each_of(
    "given, word",
    [
        ({"b": Fraction(3, 2)}, "b <= 1"),
        ({"eta_bar": Fraction(2, 5)}, "eta_bar < 1/2"),
        ({"rows": ((1, Fraction(1, 9)),)}, "w >= 2"),
        ({"rows": ((2, Fraction(2, 3)),)}, "gamma <= 1/w"),
        ({"rows": ((10, Fraction(1, 99)),)}, "there is a matrix"),
        ({"b": Fraction(1, 4)}, "whole step fits"),
        ({"k": Fraction(1), "eta": Fraction(1, 100), "eta_bar": Fraction(48, 100),
          "b": Fraction(1), "rows": ((2, Fraction(27, 4000)),)}, "psi"),
        ({"rows": ((2, Fraction(0)),)}, "psi"),
        ({"changed_rows": 2}, "one row"),
    ],
)  # fmt: skip
def test_each_hypothesis_can_fail(given: dict[str, object], word: str) -> None:
    found = statuses(**given)
    assert any(word in name and found[name] is Trilean.FALSE for name in found)


def test_rows_that_cannot_change_add_nothing() -> None:
    exact = {key: Fraction(value) for key, value in SECTION_V.items()}
    level = Fraction(1, 1000)
    both = matrix.worst_rows(**exact, rows=((2, level), (1, level)), changed_rows=2)
    alone = matrix.worst_rows(**exact, rows=((2, level),), changed_rows=1)
    assert both.releases == alone.releases
    assert both.neighbours is Neighbours.ATTAINED
    none = matrix.worst_rows(**exact, rows=((1, level),), changed_rows=1)
    assert (none.releases, none.neighbours) == ((), Neighbours.NONE)
