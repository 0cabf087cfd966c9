"""Small chains in exact rationals: drawn at random, with their laws, inverses and norms."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import TypeAlias

from simplexcert.reference.markov.stationary import exact_matrix, stationary_law

Row: TypeAlias = tuple[Fraction, ...]
Rows: TypeAlias = tuple[Row, ...]


def random_counts(random: Random, states: int, most: int = 9) -> tuple[tuple[int, ...], ...]:
    """Return counts of which none is 0."""
    return tuple(tuple(random.randint(1, most) for _ in range(states)) for _ in range(states))


def chain_of(counts: tuple[tuple[int, ...], ...]) -> Rows:
    """Return the shares of counts, row by row."""
    return tuple(tuple(Fraction(seen, sum(row)) for seen in row) for row in counts)


def fundamental(P: Rows, sign: str) -> Rows:
    """Return the inverse of I - P + 1 pi, or of I - P - 1 pi."""
    law, turn = stationary_law(P), 1 if sign == "plus" else -1
    return inverse(
        [
            [(i == j) - entry + turn * law[j] for j, entry in enumerate(row)]
            for i, row in enumerate(P)
        ]
    )


def inverse(rows: list[list[Fraction]]) -> Rows:
    """Return the inverse of a matrix."""
    found = exact_matrix(rows).inv().tolist()
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in found)


def product_of(law: Row, rows: Rows) -> Row:
    """Return the row vector times the matrix."""
    columns = zip(*rows, strict=True)
    return tuple(sum(map(Fraction.__mul__, law, column), Fraction(0)) for column in columns)


def difference(P: Rows, Q: Rows) -> Rows:
    """Return Q less P."""
    pairs = zip(P, Q, strict=True)
    return tuple(tuple(q - p for p, q in zip(*rows, strict=True)) for rows in pairs)


def size_of(row: Row) -> Fraction:
    """Return the sum of absolute values."""
    return sum(map(abs, row), Fraction(0))


def norm_of(rows: Rows, norm: str) -> Fraction:
    """Return the largest row sum or column sum of absolute values."""
    return max(map(size_of, rows if norm == "row" else zip(*rows, strict=True)))


def spread_of_rows(rows: Rows) -> Fraction:
    """Return half the largest 1-norm of a difference of two rows."""
    return max(size_of(difference((one,), (other,))[0]) for one, other in combinations(rows, 2)) / 2
