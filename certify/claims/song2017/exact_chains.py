"""Laws of a short Markov chain in rationals: by its paths, and by formulas on powers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import TypeAlias

Law: TypeAlias = tuple[Fraction, ...]
Moves: TypeAlias = tuple[Law, ...]
# A largest quotient of probabilities; infinite where a possible outcome meets an impossible one.
Ratio: TypeAlias = Fraction | float


def after(law: Law, moves: Moves, steps: int = 1) -> Law:
    """Return the law of the state so many steps later."""
    for _ in range(steps):
        law = tuple(
            sum((q * row[to] for q, row in zip(law, moves, strict=True)), Fraction(0))
            for to in range(len(moves))
        )
    return law


def power(moves: Moves, steps: int) -> Moves:
    """Return the transitions over so many steps."""
    points = ([Fraction(at == to) for to in range(len(moves))] for at in range(len(moves)))
    return tuple(after(tuple(point), moves, steps) for point in points)


def multiplied(one: Moves, other: Moves) -> Moves:
    """Return the product of two matrices."""
    return tuple(after(row, other) for row in one)


def reversed_in_time(moves: Moves, pi: Law) -> Moves:
    """Return the time reversal of Definition 4.7."""
    states = range(len(pi))
    return tuple(tuple(moves[y][x] * pi[y] / pi[x] for y in states) for x in states)


def paths(start: Law, moves: Moves, length: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield every possible path with its probability."""
    for path in product(range(len(moves)), repeat=length):
        steps = (moves[x][y] for x, y in pairwise(path))
        chance = start[path[0]] * math.prod(steps, start=Fraction(1))
        if chance:
            yield path, chance


def influence_by_paths(
    start: Law, moves: Moves, length: int, node: int, quilt: Sequence[int]
) -> Ratio:
    """Return e to the max-influence of a node on a set of others, by Definition 4.1."""
    joint: dict[tuple[int, tuple[int, ...]], Fraction] = {}
    for path, chance in paths(start, moves, length):
        key = (path[node - 1], tuple(path[at - 1] for at in quilt))
        joint[key] = joint.get(key, Fraction(0)) + chance
    own = after(start, moves, node - 1)
    values = {x for x, _ in joint}
    found: Ratio = Fraction(1)
    for (x, seen), chance in joint.items():
        for other in values - {x}:
            below = joint.get((other, seen), Fraction(0))
            found = max(found, chance / own[x] * own[other] / below if below else math.inf)
    return found


def influence_by_formula(
    start: Law, moves: Moves, node: int, left: int, right: int, *, all_states: bool = False
) -> Ratio:
    """Return e to the influence on the nodes so far to the left and right, by equation (5).

    A lag of 0 leaves its side out. The backward maximum runs over the values that the left node
    can have; with ``all_states`` over every state, as (5) is printed.
    """
    own = after(start, moves, node - 1)
    before = after(start, moves, node - 1 - left)
    back, ahead = power(moves, left), power(moves, right)
    found: Ratio = Fraction(1)
    for x, other in permutations([x for x, chance in enumerate(own) if chance], 2):
        sides: list[Ratio] = [Fraction(1)]
        if left:
            rows = (row for row, can in zip(back, before, strict=True) if can or all_states)
            sides += [largest((row[x], row[other]) for row in rows), own[other] / own[x]]
        if right:
            sides.append(largest(zip(ahead[x], ahead[other], strict=True)))
        found = max(found, multiplied_ratios(sides))
    return found


def multiplied_ratios(ratios: Sequence[Ratio]) -> Ratio:
    """Return a product of positive ratios; infinite where one is."""
    if math.inf in ratios:
        return math.inf
    return math.prod((Fraction(ratio) for ratio in ratios), start=Fraction(1))


def largest(pairs: Iterable[tuple[Fraction, Fraction]]) -> Ratio:
    """Return the largest quotient, 0/0 left out."""
    found: Ratio = Fraction(0)
    for top, bottom in pairs:
        if top or bottom:
            found = max(found, top / bottom if bottom else math.inf)
    return found


def near(node: int, length: int, left: int, right: int) -> int:
    """Return how many nodes a quilt of these lags leaves with the node."""
    return (left or node) + (right or length - node + 1) - 1


def worst_ratio_to(pi: Law, moves: Moves) -> Fraction:
    """Return the largest |P(x, y)/pi(y) - 1|."""
    return max(abs(p / q - 1) for row in moves for p, q in zip(row, pi, strict=True))
