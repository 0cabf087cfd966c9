"""The laws of proofs_notes/ergodicity.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from ball_checks import seeded
from drawn_chains import some_chain
from each import each_of
from instances import instances
from simplexcert.reference.markov.ergodicity import dobrushin_coefficient, ergodicity_coefficient
from simplexcert.reference.structures import Matrix

Vector = Sequence[Fraction]


def moved(z: Vector, matrix: Matrix) -> list[Fraction]:
    return [
        sum((x * p for x, p in zip(z, column, strict=True)), Fraction(0))
        for column in zip(*matrix, strict=True)
    ]


def some_balanced(rng: Random, states: int) -> list[Fraction]:
    """Return a vector whose entries sum to 0, and not all of them are 0."""
    entries = [Fraction(rng.randint(-20, 20)) for _ in range(states - 1)]
    return (
        [*entries, -sum(entries)]
        if any(entries)
        else [Fraction(1), *[Fraction(0)] * (states - 2), Fraction(-1)]
    )


def one_norm(z: Vector) -> Fraction:
    return sum(map(abs, z), Fraction(0))


def largest(z: Vector) -> Fraction:
    return max(map(abs, z))


def vertices(states: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield the vertices of the balanced vectors of maximum norm 1; one 0 if states are odd."""
    for signs in product((-1, 0, 1), repeat=states):
        if sum(signs) == 0 and signs.count(0) == states % 2:
            yield tuple(map(Fraction, signs))


@each_of("states", [2, 3, 4, 5])
def test_two_rows(states: int) -> None:
    rng = seeded(states)
    for _ in range(instances(15, 60)):
        matrix = some_chain(rng, states)
        found = dobrushin_coefficient(matrix)
        pairs = [
            [(Fraction(i == x) - Fraction(i == y)) / 2 for i in range(states)]
            for x, y in product(range(states), repeat=2)
        ]
        assert found == max(one_norm(moved(z, matrix)) for z in pairs)
        z = some_balanced(rng, states)
        assert one_norm(moved(z, matrix)) <= found * one_norm(z)


@each_of("states", [2, 3, 4, 5])
def test_sorted_columns(states: int) -> None:
    rng = seeded(states)
    for _ in range(instances(15, 60)):
        matrix = some_chain(rng, states)
        found = ergodicity_coefficient(matrix)
        assert found == max(largest(moved(z, matrix)) for z in vertices(states))
        z = some_balanced(rng, states)
        assert largest(moved(z, matrix)) <= found * largest(z)


@each_of("states", [2, 3, 6, 7])
def test_least_sum_of_distances(states: int) -> None:
    rng = seeded(states)
    for _ in range(instances(15, 60)):
        matrix = some_chain(rng, states)
        least = [
            min(sum((abs(g - c) for g in column), Fraction(0)) for c in column)
            for column in zip(*matrix, strict=True)
        ]
        assert ergodicity_coefficient(matrix) == max(least)


@pytest.mark.parametrize("coefficient", [dobrushin_coefficient, ergodicity_coefficient])
def test_products_contract(coefficient: Callable[[Matrix], Fraction]) -> None:
    rng = seeded("products")
    for _ in range(instances(20, 60)):
        matrix, other = some_chain(rng, 4), some_chain(rng, 4)
        both = tuple(tuple(moved(row, other)) for row in matrix)
        assert coefficient(both) <= coefficient(matrix) * coefficient(other)


def test_more_than_one_is_possible() -> None:
    rng = seeded("large")
    for states in (2, 3, 4, 7, 8):
        half = states // 2
        split = tuple(
            tuple(Fraction(y == (0 if x < half else 1)) for y in range(states))
            for x in range(states)
        )
        assert ergodicity_coefficient(split) == half
        matrix = some_chain(rng, states)
        assert ergodicity_coefficient(matrix) <= half
        assert dobrushin_coefficient(matrix) <= 1
