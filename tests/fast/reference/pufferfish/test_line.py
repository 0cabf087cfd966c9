"""The distance of two laws on the line: forms of input, many atoms, both engines, refusals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from flint import arb
from simplexcert.reference import DomainError, evaluate
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish import divergences
from simplexcert.reference.pufferfish.divergences import (
    Atoms,
    atoms_of,
    largest_move_of_enclosed,
    wasserstein,
)
from simplexcert.reference.second.pufferfish import divergences as second
from simplexcert.reference.structures import LineLaw


def distance(mu: object, nu: object) -> Fraction:
    given = {"mu": mu, "nu": nu}
    found = [evaluate("pufferfish.wasserstein", given, engine=e).exact for e in ("arb", "second")]
    assert found[0] is not None
    assert found[0] == found[1]
    return found[0]


def random_law(random: Random, size: int) -> LineLaw:
    weights = [random.randint(1, 9) for _ in range(size)]
    points = random.sample(range(-10 * size, 10 * size), size)
    mass = tuple(Fraction(weight, sum(weights)) for weight in weights)
    return LineLaw(tuple(Fraction(point, 7) for point in points), mass)


def test_the_figure_of_the_paper() -> None:
    """song2017 Figure 1's situation: mass moves by one place at most."""
    mu = {"points": [1, 2, 3], "mass": ["1/2", "1/4", "1/4"]}
    nu = {"points": [1, 2, 3, 4], "mass": ["1/4", "1/2", 0, "1/4"]}
    assert distance(mu, nu) == 1


def test_the_order_of_points_and_empty_atoms_do_not_matter() -> None:
    mu = {"points": [5, 0, 2], "mass": ["1/4", "1/2", "1/4"]}
    same = {"points": [2, -100, 0, 5], "mass": ["1/4", 0, "1/2", "1/4"]}
    nu = {"points": [1], "mass": [1]}
    assert distance(mu, nu) == distance(same, nu) == distance(nu, mu) == 4
    assert distance(mu, same) == 0


def test_a_tie_of_cumulated_masses_steps_both_laws() -> None:
    mu = {"points": [0, 10], "mass": ["1/2", "1/2"]}
    nu = {"points": [1, 11], "mass": ["1/2", "1/2"]}
    assert distance(mu, nu) == 1
    nearly = {"points": [1, 11], "mass": ["500000001/1000000000", "499999999/1000000000"]}
    assert distance(mu, nearly) == 9


def test_both_formulas_agree_on_many_atoms() -> None:
    random = Random(1)  # noqa: S311
    for size in (1, 2, 7, 400):
        mu, nu = random_law(random, size), random_law(random, 3 * size)
        one, other = second.masses_of_law(mu), second.masses_of_law(nu)
        assert wasserstein(mu, nu) == second.distance(one, other)


def test_points_that_stand_twice_are_added_up() -> None:
    given = ((Fraction(1), Fraction(1, 4)), (Fraction(0), Fraction(1, 2)))
    assert atoms_of([*given, given[0]]) == Atoms((0, 1), (1, 1))


def test_equal_laws_are_told_whatever_their_weights() -> None:
    one = Atoms((0, 1), (1, 3))
    assert one.is_same_law(Atoms((0, 1), (2, 6)))
    assert not one.is_same_law(Atoms((0, 1), (2, 5)))
    assert not one.is_same_law(Atoms((0, 2), (1, 3)))


def test_the_last_atoms_need_no_comparison() -> None:
    """Wide masses at the ends: both laws reach their totals there, whatever these are."""
    wide = arb(1, 0.25)
    one = [(Fraction(0), arb(1)), (Fraction(5), wide)]
    other = [(Fraction(2), arb(9)), (Fraction(6), arb(1))]
    assert largest_move_of_enclosed(one, other) == 3


def test_a_spent_budget_is_no_error() -> None:
    mu, nu = (random_law(Random(seed), 5000) for seed in (1, 2))  # noqa: S311
    found = evaluate("pufferfish.wasserstein", {"mu": mu, "nu": nu}, budget=Budget(seconds=-1.0))
    assert not found.narrow


def test_the_clock_is_looked_at_in_every_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cumulated masses can have as many digits as there are atoms."""
    looks: list[None] = []
    monkeypatch.setattr(divergences, "check_budget", lambda: looks.append(None))
    mu, nu = (random_law(Random(seed), 50) for seed in (1, 2))  # noqa: S311
    wasserstein(mu, nu)
    assert 50 <= len(looks) <= 100


def test_laws_of_many_digits_are_compared_exactly() -> None:
    """Masses 1/(k(k+1)), what is left at the end; the other law begins and ends one third later."""

    def law(size: int, first: Fraction) -> dict[str, list[Fraction]]:
        mass = [Fraction(1, k * (k + 1)) for k in range(1, size)]
        return {"points": [first + k for k in range(size)], "mass": [*mass, Fraction(1, size)]}

    assert distance(law(900, Fraction(0)), law(899, Fraction(1, 3))) == Fraction(2, 3)


@pytest.mark.parametrize(
    ("mu", "sentence"),
    [
        ({"points": [0, 1], "mass": ["1/2", "1/4"]}, "sum"),
        ({"points": [0, 0], "mass": ["1/2", "1/2"]}, "twice"),
        ({"points": [0, 1], "mass": [1]}, "of length 1"),
        ({"points": [0, 1], "mass": ["3/2", "-1/2"]}, "mass"),
    ],
)
def test_what_is_no_law_is_refused(mu: object, sentence: str) -> None:
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.wasserstein", {"mu": mu, "nu": {"points": [0], "mass": [1]}})
