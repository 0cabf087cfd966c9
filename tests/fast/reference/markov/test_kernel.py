"""Whether rows of a power agree: as the powers themselves say, fast where they do not."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from simplexcert.reference.markov import stationary
from simplexcert.reference.markov.stationary import next_law, rows_agree
from simplexcert.reference.structures import Matrix

ONE, ZERO = Fraction(1), Fraction(0)
PRIME = 2**61 - 1


def power(P: Matrix, steps: int) -> list[tuple[Fraction, ...]]:
    rows = [tuple(Fraction(x == y) for y in range(len(P))) for x in range(len(P))]
    for _ in range(steps):
        rows = [next_law(row, P) for row in rows]
    return rows


def test_rows_agree_as_those_of_the_power_do() -> None:
    random = Random(1)  # noqa: S311
    seen = set()
    for _ in range(300):
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
