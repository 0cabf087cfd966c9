"""The stationary law: exact, positive on the closed class, refused where it is not unique.

Whether rows of a power agree: as the powers themselves say, fast where they do not.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from each import each_of
from instances import instances
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov import stationary
from simplexcert.reference.markov.stationary import (
    is_stationary,
    next_law,
    rows_agree,
    stationary_law,
)
from simplexcert.reference.markov.structure import has_one_stationary_law
from simplexcert.reference.precision import BudgetSpentError
from simplexcert.reference.structures import Matrix

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


def test_song2017_running_example() -> None:
    theta = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
    assert stationary_law(theta) == (Fraction(4, 5), Fraction(1, 5))


@each_of("size", [2, 3, 5, 20])
def test_stationary_law_stays(size: int) -> None:
    random = Random(size)  # noqa: S311
    counts = [[random.randint(0, 3) for _ in range(size)] for _ in range(size)]
    matrix = [
        [
            Fraction(one + (x == 0), sum(row) + size * (x == 0))
            if sum(row) or x == 0
            else Fraction(1, size)
            for one in row
        ]
        for x, row in enumerate(counts)
    ]
    if has_one_stationary_law(matrix):
        law = stationary_law(matrix)
        assert sum(law) == 1
        assert next_law(law, matrix) == law


def test_periodic_chains_have_one() -> None:
    assert stationary_law(((ZERO, ONE), (ONE, ZERO))) == (HALF, HALF)


def test_states_that_are_left_for_good_have_none_of_it() -> None:
    assert stationary_law(((HALF, HALF, ZERO), (ZERO, ZERO, ONE), (ZERO, ONE, ZERO))) == (
        ZERO,
        HALF,
        HALF,
    )


def test_two_closed_classes_are_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"2 sets of states .*\{1\}, \{3\}.*initial law"):
        stationary_law(((ONE, ZERO, ZERO), (HALF, ZERO, HALF), (ZERO, ZERO, ONE)))


def test_a_law_next_to_the_stationary_one_is_not_stationary() -> None:
    """The difference is below what balls of any usual precision tell."""
    theta = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
    least = Fraction(1, 10**1000)
    assert is_stationary((Fraction(4, 5), Fraction(1, 5)), theta)
    assert not is_stationary((Fraction(4, 5) - least, Fraction(1, 5) + least), theta)
    assert not is_stationary((HALF, HALF), theta)


def test_a_solve_that_would_pass_the_deadline_is_not_begun() -> None:
    """A hundred rows of thousand-digit entries, whose law would take hours, are given up on."""
    random = Random(1)  # noqa: S311
    rows = []
    for _ in range(100):
        common = random.randrange(10**1000, 10**1001)
        share = Fraction(random.randrange(1, common), common * 99)
        rows.append((1 - 99 * share, *(share for _ in range(99))))
    with pytest.raises(BudgetSpentError, match="stationary law would take"):
        stationary_law(rows)


PRIME = 2**61 - 1


def power(P: Matrix, steps: int) -> list[tuple[Fraction, ...]]:
    rows = [tuple(Fraction(x == y) for y in range(len(P))) for x in range(len(P))]
    for _ in range(steps):
        rows = [next_law(row, P) for row in rows]
    return rows


def test_rows_agree_as_those_of_the_power_do() -> None:
    random = Random(1)  # noqa: S311
    seen = set()
    for _ in range(instances(100, 300)):
        matrix = tuple(
            random.choice(((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (Fraction(1, 3),) * 3))
            for _ in range(3)
        )
        steps, sources = random.randint(1, 6), random.sample(range(3), random.randint(1, 3))
        rows = power(matrix, steps)
        expected = all(rows[source] == rows[sources[0]] for source in sources)
        assert rows_agree(matrix, sources, steps) == expected
        seen.add((expected, len(sources), steps > 3))
    assert len(seen) == 10


def test_rows_that_agree_modulo_the_prime_only_do_not_agree() -> None:
    apart = Fraction(PRIME, 2 * PRIME + 5)
    matrix = ((apart, 1 - apart), (2 * apart, 1 - 2 * apart))
    assert not rows_agree(matrix, [0, 1], 1)


def test_denominators_that_the_prime_divides() -> None:
    share = Fraction(1, PRIME)
    assert not rows_agree(((share, 1 - share), (2 * share, 1 - 2 * share)), [0, 1], 2)
    assert rows_agree(((share, 1 - share), (share, 1 - share)), [0, 1], 2)


def test_rows_that_differ_modulo_the_prime_need_no_rationals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(stationary, "exact_matrix", refuse)
    assert not rows_agree(((Fraction(1, 3), Fraction(2, 3)), (ONE, ZERO)), [0, 1], 10**9)
