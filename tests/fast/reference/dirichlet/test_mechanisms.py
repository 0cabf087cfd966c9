"""Mechanisms: the printed bounds, the worst pairs they have, and tight calibration of k."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from each import each_of
from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.reference import evaluate
from simplexcert.reference.dirichlet import average, counts, identity
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError

GRADES = {"k": "20.6", "eta": "0.073", "N": 98, "n": 5, "gamma": "0.0004"}
EXPERTS = {
    "k": 24, "eta": "0.05", "eta_bar": "0.05", "b": 1, "N": 100, "w": 2, "gamma": "0.00226073",
}  # fmt: skip
shares = st.fractions(min_value=Fraction(1, 100), max_value=Fraction(1, 10), max_denominator=1000)


@each_of(
    "name, given, stated",
    [
        ("dirichlet.counts.epsilon_bound", GRADES, "2.2119075"),
        ("dirichlet.average.epsilon_bound", EXPERTS, "1.122318"),
        # The counterexample to Lemma 4 of gohari2020, at a rational gamma next to e^-5.
        ("dirichlet.identity.epsilon_bound",
         {"k": 1, "eta": "0.01", "eta_bar": "0.48", "b": 1, "w": 2, "gamma": "0.0067379469990854"},
         "2.4966"),
        ("dirichlet.identity.epsilon_simplified",
         {"k": "6.7", "eta": "0.15", "eta_bar": "0.15", "b": "0.1", "w": 3, "gamma": "0.01"},
         "4.64166"),
        ("dirichlet.counts.epsilon_minimum",
         {name: GRADES[name] for name in ("eta", "N", "n", "gamma")}, "2.2065002"),
    ],
)  # fmt: skip
def test_the_printed_bounds_have_the_stated_values(
    name: str, given: dict[str, object], stated: str
) -> None:
    answer = evaluate(name, given)
    places = len(stated.split(".")[1])
    for end in (answer.lower, answer.upper):
        assert abs(Fraction(end) - Fraction(stated)) * 2 * 10**places <= 1


def test_one_vector_is_the_average_of_one() -> None:
    given = {"k": 9, "eta": "0.1", "eta_bar": "0.2", "b": "0.3", "w": 3, "gamma": "0.01"}
    one = evaluate("dirichlet.identity.epsilon_bound", given)
    mean = evaluate("dirichlet.average.epsilon_bound", {**given, "N": 1})
    assert one.enclosure == mean.enclosure


@each_of(
    "name, change, statement",
    [
        ("identity.epsilon_simplified", {"gamma": "0.5"}, "w gamma < 1"),
        ("identity.epsilon_simplified", {"b": "1.4"}, "eta + eta_bar + b/2 < 1"),
        ("identity.epsilon_simplified", {"k": 5}, "k eta > 1/2"),
        ("identity.epsilon_simplified", {"k": 10, "eta": "0.75"}, "k (1 - eta_bar - eta) > 1/2"),
        ("counts.epsilon_minimum", {"n": 14}, "n eta <= 1"),
        ("counts.epsilon_minimum", {"gamma": "0.2"}, "n gamma < 1"),
        ("counts.epsilon_minimum", {"N": 1}, "2 eta + 1/N < 1"),
    ],
)
def test_the_printed_bounds_are_refused_where_they_mean_nothing(
    name: str, change: dict[str, object], statement: str
) -> None:
    good: dict[str, object] = {
        "identity.epsilon_simplified": {
            "k": "5.0001", "eta": "0.1", "eta_bar": "0.2", "b": "0.01", "w": 2, "gamma": "0.4999",
        },
        "counts.epsilon_minimum": {"eta": "0.073", "N": 98, "n": 5, "gamma": "0.1999"},
    }[name]  # fmt: skip
    assert evaluate(f"dirichlet.{name}", good).narrow
    with pytest.raises(DomainError, match=re.escape(statement)):
        evaluate(f"dirichlet.{name}", {**good, **change})


@given(shares, shares, shares, st.integers(2, 6), st.integers(1, 99))
@settings(max_examples=20)
def test_the_simplified_epsilon_is_above_the_printed_one(
    eta: Fraction, eta_bar: Fraction, b: Fraction, w: int, share: int
) -> None:
    point = {"k": 51, "eta": eta, "eta_bar": eta_bar, "b": b, "w": w, "gamma": share / 100 / w}
    simplified = evaluate("dirichlet.identity.epsilon_simplified", point)
    assert simplified.lower > evaluate("dirichlet.identity.epsilon_bound", point).upper


@given(shares, shares, shares, st.integers(2, 6))
def test_an_identity_pair_satisfies_the_definition(
    eta: Fraction, eta_bar: Fraction, b: Fraction, w: int
) -> None:
    k = Fraction(7)
    pair = identity.worst_pair(k, eta, eta_bar, b, w)
    assert pair.neighbours is Neighbours.ATTAINED
    changes = [abs(x - y) for x, y in zip(pair.first, pair.second, strict=True)]
    assert sum(changes) <= b
    assert sum(pair.first) == sum(pair.second)
    assert min(*pair.first, *pair.second) == eta
    assert sum(pair.first) + (w - 2) * eta <= 1 - eta_bar
    assert (pair.alpha, pair.step) == (k * eta, k * changes[0])


def test_an_identity_pair_is_capped_by_the_room_there_is() -> None:
    pair = identity.worst_pair(Fraction(1), Fraction(3, 10), Fraction(3, 10), Fraction(1), 2)
    assert pair.step == Fraction(1, 10)


def test_a_bordered_simplex_of_one_point_has_no_neighbours() -> None:
    tight = (Fraction(1), Fraction(1, 4), Fraction(1, 2), Fraction(1), 2)
    assert identity.worst_pair(*tight).neighbours is Neighbours.NONE
    assert average.worst_pair(*tight[:4], 5, 2).neighbours is Neighbours.NONE


def test_an_empty_bordered_simplex_has_no_input() -> None:
    empty = (Fraction(1), Fraction(1, 3), Fraction(1, 2), Fraction(1), 2)
    assert identity.worst_pair(*empty).neighbours is Neighbours.NO_INPUT


@given(st.integers(1, 60), st.integers(2, 6), st.integers(1, 12))
def test_counts_have_the_neighbours_that_enumeration_finds(total: int, n: int, least: int) -> None:
    pair = counts.worst_pair(Fraction(total), Fraction(least, total), total, n)
    spare = total - n * least
    if spare < 0:
        assert pair.neighbours is Neighbours.NO_INPUT
    elif spare == 0:
        assert pair.neighbours is Neighbours.NONE
    else:
        # The two that differ hold least and least + 1; the others share what is left.
        left = total - 2 * least - 1
        exists = left >= (n - 2) * least and (n > 2 or left == 0)
        assert (pair.neighbours is Neighbours.ATTAINED) == exists
        # Of two counts the second is all that is left.
        second = least + 1 if n > 2 else total - least
        assert pair.first == (Fraction(least, total), Fraction(second, total))
        assert (pair.alpha, pair.step) == (least, 1)


def test_the_floor_of_counts_is_on_the_lattice() -> None:
    alpha, step = counts.floor_and_step(Fraction(103, 5), Fraction(73, 1000), 98)
    assert alpha == Fraction(103, 5) * Fraction(8, 98)
    assert step == Fraction(103, 5) / 98
    assert counts.smallest_count(Fraction(8, 98), 98) == 8


@pytest.mark.parametrize(
    ("name", "given", "floor", "shift"),
    [
        ("identity", {"eta": "0.1", "b": "0.025"}, "0.1", "0.0125"),
        ("average", {"eta": "0.05", "b": 1, "N": 100}, "0.05", "0.005"),
        ("counts", {"eta": "0.073", "N": 98}, "8/98", "1/98"),
    ],
)
@given(
    epsilon=st.fractions(min_value=Fraction(1, 100), max_value=2, max_denominator=1000),
    delta=st.fractions(min_value=Fraction(1, 10), max_value=Fraction(9, 10)),
)
@settings(max_examples=20)
def test_the_calibrated_k_is_the_largest(
    name: str,
    given: dict[str, object],
    floor: str,
    shift: str,
    epsilon: Fraction,
    delta: Fraction,
) -> None:
    k = evaluate(f"dirichlet.{name}.k_for_dp", {**given, "epsilon": epsilon, "delta": delta})
    for end, forbidden in ((k.lower, Trilean.TRUE), (k.upper, Trilean.FALSE)):
        pair = {"alpha": end * Fraction(floor), "step": end * Fraction(shift), "epsilon": epsilon}
        at_end = evaluate("dirichlet.profile.delta", pair, digits=30)
        assert at_end.enclosure.is_above(delta) is not forbidden
