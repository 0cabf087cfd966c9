"""Chains drawn for tests: sparse ones of every structure, and exact products of their matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import TypeAlias

from simplexcert.reference.markov.structure import closed_classes, is_irreducible
from simplexcert.reference.structures import Matrix

Vector: TypeAlias = Sequence[Fraction]


def some_chain(rng: Random, states: int) -> Matrix:
    """Return a chain of any structure: entries of 0, alike, and of very different sizes."""
    rows = [
        [rng.choice([0, 0, 1, 2, 9, rng.randint(1, 10**6)]) for _ in range(states)]
        for _ in range(states)
    ]
    return tuple(
        tuple(Fraction(weight, sum(row)) for weight in row)
        if any(row)
        else tuple(Fraction(int(y == 0)) for y in range(states))
        for row in rows
    )


def some_settling_chain(rng: Random, states: int) -> Matrix:
    """Return one with a single closed class; some of its states may be left for good."""
    return next(P for _ in iter(int, 1) if len(closed_classes(P := some_chain(rng, states))) == 1)


def some_irreducible_chain(rng: Random, states: int) -> Matrix:
    """Return one that leads from every state to every other one."""
    return next(P for _ in iter(int, 1) if is_irreducible(P := some_chain(rng, states)))


def some_sparse_chain(rng: Random, states: int) -> Matrix:
    """Return one that leads from most states to one state alone: of several classes and periods."""
    rows = []
    for _ in range(states):
        counts = [0] * states
        for _ in range(rng.choice([1, 1, 1, 2])):
            counts[rng.randrange(states)] += rng.randint(1, 3)
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def times(one: Sequence[Vector], other: Sequence[Vector]) -> Matrix:
    """Return the product of two matrices."""
    columns = tuple(zip(*other, strict=True))
    return tuple(tuple(inner(row, column) for column in columns) for row in one)


def inner(one: Vector, other: Vector) -> Fraction:
    """Return the inner product of two vectors."""
    return sum((p * q for p, q in zip(one, other, strict=True)), Fraction(0))


def identity_less(matrix: Matrix, times_law: int = 0, law: Vector = ()) -> Matrix:
    """Return I less the matrix, and so many times the matrix with every row the law added."""
    return tuple(
        tuple(
            (x == y) - entry + (times_law * law[y] if times_law else 0)
            for y, entry in enumerate(row)
        )
        for x, row in enumerate(matrix)
    )


def half_size(vector: Vector) -> Fraction:
    """Return half the sum of absolute values."""
    return sum(map(abs, vector), Fraction(0)) / 2
