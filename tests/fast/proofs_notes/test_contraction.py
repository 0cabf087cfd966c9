"""The laws of proofs_notes/contraction.md: a test named for each heading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

from ball_checks import as_ball, seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.pufferfish.quilt.contraction import (
    Contraction,
    quilt_scale_contraction,
    within_bounds,
)
from simplexcert.reference.pufferfish.quilt.influence import max_influence
from simplexcert.reference.structures import ANY, Matrix

Row = Sequence[Fraction]


def positive(rng: Random, size: int) -> Matrix:
    rows = [[Fraction(rng.randint(1, 9)) for _ in range(size)] for _ in range(size)]
    return tuple(tuple(entry / sum(row) for entry in row) for row in rows)


def product(first: Matrix, second: Matrix) -> Matrix:
    return tuple(
        tuple(
            sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0))
            for column in zip(*second, strict=True)
        )
        for row in first
    )


def largest_ratio(matrix: Matrix) -> Fraction:
    return max(x / y for column in zip(*matrix, strict=True) for x in column for y in column)


def largest_cross(matrix: Matrix) -> Fraction:
    return max(
        one[z] * other[w] / (one[w] * other[z])
        for one in matrix
        for other in matrix
        for z in range(len(matrix))
        for w in range(len(matrix))
    )


def hilbert(u: Row, v: Row) -> Fraction:
    """Return e to Hilbert's distance of two vectors."""
    ratios = [a / b for a, b in zip(u, v, strict=True)]
    return max(ratios) / min(ratios)


def tau(cross: Fraction, steps: int) -> arb:
    return Contraction(cross).influence(steps + 1)


def test_one_step_contracts() -> None:
    rng = seeded("step")
    for _ in range(instances(40, 400)):
        size = rng.randint(2, 4)
        matrix = positive(rng, size)
        u, v = ([Fraction(rng.randint(1, 50)) for _ in range(size)] for _ in range(2))
        cross, before = largest_cross(matrix), ball(hilbert(u, v)).log()
        columns = [product(matrix, tuple((one,) for one in w)) for w in (u, v)]
        after = [
            hilbert(*[[row[0] for row in one] for one in columns]),
            hilbert(*(product((tuple(w),), matrix)[0] for w in (u, v))),
        ]
        for found in after:
            assert found <= cross
            assert not ball(found).log() > tau(cross, 1) * before


def test_forward_influence() -> None:
    """Each step has a matrix of its own."""
    rng = seeded("forward")
    for _ in range(instances(20, 200)):
        size, steps = rng.randint(2, 4), rng.randint(1, 4)
        matrices = [positive(rng, size) for _ in range(steps)]
        ratio, cross = max(map(largest_ratio, matrices)), max(map(largest_cross, matrices))
        whole = matrices[0]
        for one in matrices[1:]:
            whole = product(whole, one)
        bound = tau(cross, steps - 1) * ball(ratio).log()
        assert not ball(largest_ratio(whole)).log() > bound


def test_backward_influence() -> None:
    """Any law of the earlier node, and the influence on both sides of one matrix."""
    rng = seeded("backward")
    for _ in range(instances(20, 200)):
        size, steps = rng.randint(2, 4), rng.randint(1, 4)
        matrices = [positive(rng, size) for _ in range(steps)]
        cross = max(map(largest_cross, matrices))
        whole = matrices[0]
        for one in matrices[1:]:
            whole = product(whole, one)
        weights = [Fraction(rng.randint(0, 5)) for _ in range(size)]
        weights[0] += 1
        law = product((tuple(weights),), whole)[0]
        bound = tau(cross, steps - 1) * ball(cross).log()
        for row in whole:
            for x, other in permutations(range(size), 2):
                lost = row[x] * law[other] / (row[other] * law[x])
                assert not ball(lost).log() > bound
        matrix, (before, after) = matrices[0], (rng.randint(1, 3), rng.randint(1, 3))
        found = as_ball(max_influence(ANY, matrix, before + rng.randint(1, 3), before, after))
        sides = tau(largest_cross(matrix), before - 1) * ball(largest_cross(matrix)).log()
        sides += tau(largest_cross(matrix), after - 1) * ball(largest_ratio(matrix)).log()
        assert not found > sides


def drawn_within(rng: Random, low: Matrix, high: Matrix) -> Matrix:
    """Return a matrix within bounds: what the lower bounds leave goes entry by entry."""
    rows = []
    for least, most in zip(low, high, strict=True):
        row = list(least)
        for at in rng.sample(range(len(row)), len(row)):
            row[at] += min(most[at] - least[at], 1 - sum(row))
        rows.append(tuple(row))
    return tuple(rows)


def test_ratio_and_cross() -> None:
    rng = seeded("bounds")
    reached = 0
    for _ in range(instances(60, 600)):
        size = rng.randint(2, 4)
        matrix = positive(rng, size)
        low = tuple(
            tuple(entry * Fraction(rng.randint(5, 9), 10) for entry in row) for row in matrix
        )
        high = tuple(
            tuple(entry * Fraction(rng.randint(11, 30), 10) for entry in row) for row in matrix
        )
        found = within_bounds(low, high)
        assert found is not None
        ratio, cross = found
        assert 1 <= ratio <= cross
        for member in (matrix, drawn_within(rng, low, high)):
            assert [sum(row) for row in member] == [1] * size
            assert largest_ratio(member) <= ratio
            assert largest_cross(member) <= cross
            reached += largest_cross(member) == cross
    assert reached > 0


def test_node_and_quilt() -> None:
    """Every quilt of every node, in doubles."""
    rng = seeded("nodes")
    for _ in range(instances(15, 150)):
        cross = Fraction(rng.randint(11, 300), 10)
        ratio = min(cross, Fraction(rng.randint(10, 100), 10))
        length, epsilon = rng.randint(1, 20), Fraction(rng.randint(1, 60), 10)
        found = as_ball(quilt_scale_contraction(ratio, cross, length, epsilon))
        worst = by_definition(float(ratio), float(cross), length, float(epsilon))
        assert abs(found - worst) < arb("1e-9") * worst


def by_definition(ratio: float, cross: float, length: int, epsilon: float) -> float:
    root = math.sqrt(cross)
    factor = (root - 1) / (root + 1)
    worst = 0.0
    for node in range(1, length + 1):
        best = length / epsilon
        for a in range(node):
            for b in range(length - node + 1):
                lost = factor ** (a - 1) * math.log(cross) if a else 0.0
                lost += factor ** (b - 1) * math.log(ratio) if b else 0.0
                if (a or b) and lost < epsilon:
                    near = (a or node) + (b or length - node + 1) - 1
                    best = min(best, near / (epsilon - lost))
        worst = max(worst, best)
    return worst


def test_tight_for_symmetric_chains() -> None:
    for stay in (Fraction(3, 5), Fraction(9, 10)):
        matrix = ((stay, 1 - stay), (1 - stay, stay))
        ratio, cross = largest_ratio(matrix), largest_cross(matrix)
        assert cross == ratio**2
        assert tau(cross, 1).overlaps(ball(2 * stay - 1))
