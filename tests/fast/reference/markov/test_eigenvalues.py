"""Eigenvalues: hand-worked moduli, multiplicities, against an opinion of another kind; limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

import pytest
from ball_checks import meets, seeded
from drawn_chains import some_chain, some_sparse_chain
from flint import arb, fmpq
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.enclosure import entries_of, overlap
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov.eigenvalues import eigenvalue_moduli, in_order
from simplexcert.reference.markov.stationary import exact_matrix
from simplexcert.reference.second import opinion_on
from simplexcert.reference.structures import Matrix

HALF = Fraction(1, 2)


def moduli(chain: object) -> Any:
    return evaluate("markov.eigenvalue_moduli", {"P": chain}).exact


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def shares(rows: list[list[int]]) -> Matrix:
    return tuple(tuple(Fraction(count, sum(row)) for count in row) for row in rows)


def test_two_states_have_the_trace_less_one() -> None:
    assert moduli([["9/10", "1/10"], ["4/10", "6/10"]]) == (1, HALF)
    assert moduli([["1/10", "9/10"], ["4/5", "1/5"]]) == (1, Fraction(7, 10))


def test_a_cycle_has_all_of_modulus_one() -> None:
    assert moduli([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) == (1, 1, 1)


def test_each_closed_class_has_its_period() -> None:
    """Two states that take turns, one that stays, one that is left for good."""
    chain = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], ["1/4", "1/4", "1/4", "1/4"]]
    assert moduli(chain) == (1, 1, 1, Fraction(1, 4))


def test_multiplicities_count() -> None:
    """Three states that mix alike: 1 once, and what is left of the diagonal twice."""
    assert moduli([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]) == (
        1,
        Fraction(1, 4),
        Fraction(1, 4),
    )
    assert moduli([["1/3"] * 3] * 3) == (1, 0, 0)


def test_double_eigenvalues_that_are_not_rational() -> None:
    """The walk on a cycle of five: cos(2 pi j/5), of which (1 + root of 5)/4 and its conjugate."""
    chain = [[Fraction(int((x - y) % 5 in (1, 4)), 2) for y in range(5)] for x in range(5)]
    answer = evaluate("markov.eigenvalue_moduli", {"P": chain})
    assert answer.narrow
    found = [entry for _, entry in entries_of(answer.enclosure)]
    assert len(found) == 5
    assert found[1] == found[2]
    assert found[3] == found[4]
    low, high = found[1].lower - HALF / 2, found[1].upper - HALF / 2
    assert low**2 < Fraction(5, 16) < high**2


def test_conjugate_eigenvalues_have_one_modulus() -> None:
    """The circulant of (0, 3/4, 1/4): |3/4 w + 1/4 w^2|^2 = 7/16 for both complex roots w of 1."""
    chain = [[0, "3/4", "1/4"], ["1/4", 0, "3/4"], ["3/4", "1/4", 0]]
    answer = evaluate("markov.eigenvalue_moduli", {"P": chain})
    assert answer.narrow
    _, one, other = (entry for _, entry in entries_of(answer.enclosure))
    assert one == other
    assert one.lower**2 < Fraction(7, 16) < one.upper**2


def test_eigenvalues_that_lie_close_together() -> None:
    """Sixty states that mostly stay, all eigenvalues within 1e-4 of another; in order."""
    rng = seeded("close")
    chain = shares([[10**6 if x == y else rng.randint(0, 3) for y in range(60)] for x in range(60)])
    with working_precision(128):
        found = eigenvalue_moduli(chain)
    balls = [value for value in found if isinstance(value, arb)]
    assert found[0] == 1
    assert len(balls) == 59
    assert all(value.rel_accuracy_bits() > 100 for value in balls)
    assert all(one.upper() >= other.lower() for one, other in pairwise(balls))
    determinant = exact_matrix(chain).det()
    with working_precision(128):
        assert meets(prod(balls, start=ball(1)), fraction(determinant), 90)


def test_balls_that_say_nothing_leave_nothing_known() -> None:
    assert all(
        isinstance(value, arb) and value.is_nan() for value in in_order([arb(1), arb("nan")])
    )


@pytest.mark.parametrize("draw", [some_chain, some_sparse_chain])
def test_the_second_opinion_agrees(draw: Any) -> None:
    rng = seeded("second")
    opinion = opinion_on("markov.eigenvalue_moduli")
    for _ in range(instances(10, 40)):
        chain = draw(rng, rng.randint(2, 5))
        answer = evaluate("markov.eigenvalue_moduli", {"P": chain})
        second = opinion.enclose(128, P=chain)
        assert answer.narrow
        assert second.is_narrow(20)
        assert overlap(answer.enclosure, second)


def test_the_second_opinion_halves_where_roots_coincide() -> None:
    """A triangle with 1/2 three times, at bits where mpmath's roots do not converge."""
    rows = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
    found = opinion_on("markov.eigenvalue_moduli").enclose(700, P=shares(rows))
    enclosed = [entry for _, entry in entries_of(found)]
    assert all(entry.is_narrow(100) for entry in enclosed)
    pairs = zip(enclosed, (1, HALF, HALF, HALF), strict=True)
    assert all(entry.lower <= expected <= entry.upper for entry, expected in pairs)


def test_the_second_opinion_says_nothing_of_many_states() -> None:
    chain = [["1/13"] * 13] * 13
    found = opinion_on("markov.eigenvalue_moduli").enclose(128, P=chain)
    assert len(found.entries) == 13
    assert not found.is_narrow(1)


def test_more_than_a_hundred_states_are_refused() -> None:
    with pytest.raises(DomainError, match=r"at most 100 states.*P has 101"):
        moduli([[int(y == (x + 1) % 101) for y in range(101)] for x in range(101)])
