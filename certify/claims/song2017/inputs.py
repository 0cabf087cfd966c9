"""Exact inputs that the entries share, in the shape that the registry's quantities read."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

Texts: TypeAlias = list[str]
Rows: TypeAlias = list[Texts]

# The running example of Section 4.4 (p. 7): T = 100, epsilon = 1, states 0 and 1.
LENGTH = 100
START_1, P_1 = ["1", "0"], [["0.9", "0.1"], ["0.4", "0.6"]]
START_2, P_2 = ["0.9", "0.1"], [["0.8", "0.2"], ["0.3", "0.7"]]
# The example of Section 4.3 has three steps and the transitions of the first chain.
START_OF_THREE = ["0.8", "0.2"]
# The chains of the example of Section 2.2, with three activities.
ACTIVITIES = (
    (["1", "0", "0"], [["0.1", "0.5", "0.4"], ["0.4", "0.3", "0.3"], ["0.3", "0.3", "0.4"]]),
    (["0", "1", "0"], [["0.9", "0.1", "0.0"], ["0.0", "0.9", "0.1"], ["0.1", "0.0", "0.9"]]),
)
# The law of the number of infected people in a clique of four, Section 3.1.
INFECTED = ["0.1", "0.15", "0.5", "0.15", "0.1"]
# Three and more bits as data sets, in the order of counting.
FIVE_BITS = tuple(product((0, 1), repeat=5))


def one_chain(start: Texts | str, rows: Rows) -> list[dict[str, Any]]:
    """Return a class of one chain."""
    return [{"initial": start, "P": rows}]


def symmetric(stay: str) -> Rows:
    """Return the transitions of two states that stay with this probability."""
    leave = str(1 - Fraction(stay))
    return [[stay, leave], [leave, stay]]


def slow_line(states: int) -> Rows:
    """Return 1 -> 2 -> ... -> n, from n back to 1 or nowhere with probability 1/2 each."""
    ahead = [[str(int(to == at + 1)) for to in range(states)] for at in range(states - 1)]
    return [*ahead, ["1/2", *["0"] * (states - 2), "1/2"]]


def numbers(texts: Sequence[str]) -> tuple[Fraction, ...]:
    """Return a list of texts as exact numbers."""
    return tuple(map(Fraction, texts))


def matrix(rows: Rows) -> tuple[tuple[Fraction, ...], ...]:
    """Return rows of texts as exact numbers."""
    return tuple(map(numbers, rows))


def secrets_of_bits(data_sets: Sequence[tuple[int, ...]]) -> tuple[list[list[int]], list[Texts]]:
    """Return "bit i is 0" and "bit i is 1" for every bit, as lists of data sets, and the pairs."""
    bits = range(len(data_sets[0]))
    secrets = [
        [at for at, x in enumerate(data_sets, 1) if x[bit] == value]
        for bit in bits
        for value in (0, 1)
    ]
    return secrets, [[str(2 * bit + 1), str(2 * bit + 2)] for bit in bits]
