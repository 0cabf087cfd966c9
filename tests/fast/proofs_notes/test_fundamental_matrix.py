"""The laws of proofs_notes/fundamental-matrix.md: a test named for each heading, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import gcd
from random import Random

import numpy as np
import pytest
from ball_checks import seeded
from drawn_chains import (
    half_size,
    identity_less,
    inner,
    some_irreducible_chain,
    some_settling_chain,
    times,
)
from instances import instances
from simplexcert.reference.markov.distances import digit_bits
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.fundamental import (
    condition_number,
    exact_rows,
    group_inverse_of,
    shifted_inverse,
)
from simplexcert.reference.markov.stationary import exact_matrix, stationary_law
from simplexcert.reference.markov.structure import pattern_of, period, reachable
from simplexcert.reference.structures import Matrix

ONE, ZERO = Fraction(1), Fraction(0)


def chains(name: str, count: int = 40) -> Iterator[tuple[Random, Matrix]]:
    rng = seeded(name)
    for _ in range(count):
        yield rng, some_settling_chain(rng, rng.randint(2, 5))


def inverse_of(matrix: Matrix) -> Matrix:
    return tuple(exact_rows(exact_matrix(matrix).inv()))


def identity(size: int) -> Matrix:
    return tuple(tuple(Fraction(x == y) for y in range(size)) for x in range(size))


def group_inverse_exactly(chain: Matrix, shift: int = 0) -> Matrix:
    found = group_inverse_of(chain, shift)
    return tuple(tuple(Fraction(x) for x in row if isinstance(x, Fraction)) for row in found)


def some_law(rng: Random, size: int) -> tuple[Fraction, ...]:
    """Return a row whose entries sum to 1; some of them may be negative."""
    row = [Fraction(rng.randint(-3, 9), 7) for _ in range(size - 1)]
    return (*row, 1 - sum(row))


def spread(matrix: Matrix) -> Fraction:
    return max(
        half_size([p - q for p, q in zip(one, other, strict=True)])
        for one, other in combinations(matrix, 2)
    )


def test_one_inverse() -> None:
    for rng, chain in chains("one inverse"):
        u = some_law(rng, len(chain))
        inverted = inverse_of(identity_less(chain, 1, u))
        assert times([u], inverted)[0] == stationary_law(chain)
        assert {sum(row) for row in inverted} == {1}
        shifted, state = shifted_inverse(chain)
        assert (
            exact_matrix(inverse_of(identity_less(chain, 1, identity(len(chain))[state])))
            == shifted
        )


def test_group_inverse() -> None:
    for rng, chain in chains("group inverse"):
        law, moves = stationary_law(chain), identity_less(chain)
        inverted = inverse_of(identity_less(chain, 1, some_law(rng, len(chain))))
        mean = times([law], inverted)[0]
        deviation = tuple(tuple(x - m for x, m in zip(row, mean, strict=True)) for row in inverted)
        assert group_inverse_exactly(chain) == deviation
        assert (
            times(moves, deviation) == times(deviation, moves) == identity_less((law,) * len(chain))
        )
        assert set(times([law], deviation)[0]) == {0}
        assert {sum(row) for row in deviation} == {0}
        assert times(times(deviation, moves), deviation) == deviation
        assert times(times(moves, deviation), moves) == moves


@pytest.mark.parametrize("factor", [1, -1, 3])
def test_shifted_inverses(factor: int) -> None:
    for _, chain in chains("shifted"):
        law = stationary_law(chain)
        shifted = tuple(
            tuple(x + share / factor for x, share in zip(row, law, strict=True))
            for row in group_inverse_exactly(chain)
        )
        assert inverse_of(identity_less(chain, factor, law)) == shifted
        if abs(factor) == 1:
            assert group_inverse_exactly(chain, factor) == shifted


def test_states_left_for_good() -> None:
    seen = 0
    for _, chain in chains("left for good", 80):
        deviation, paths = group_inverse_exactly(chain), reachable(pattern_of(chain))
        law = stationary_law(chain)
        left = [state for state, share in enumerate(law) if not share]
        assert left == [state for state in range(len(chain)) if not paths[:, state].all()]
        if left:
            inside = tuple(tuple(chain[x][y] for y in left) for x in left)
            visits = inverse_of(identity_less(inside))
            assert tuple(tuple(deviation[x][y] for y in left) for x in left) == visits
        for y in left:
            assert [bool(row[y]) for row in deviation] == paths[:, y].tolist()
            seen += not paths[:, y].all()
    assert seen > 20


def test_equal_rows() -> None:
    for row in ((Fraction(1, 3), Fraction(2, 3)), (ZERO, ONE, ZERO), (Fraction(1, 4),) * 4):
        chain = (row,) * len(row)
        assert stationary_law(chain) == row
        assert group_inverse_exactly(chain) == identity_less(chain)
        assert (
            inverse_of(identity_less(chain, 1, row))
            == group_inverse_exactly(chain, 1)
            == identity(len(chain))
        )
        assert spread(identity_less(chain)) == condition_number(chain) == 1


def test_same_differences() -> None:
    for rng, chain in chains("differences"):
        kappa = condition_number(chain)
        inverted = inverse_of(identity_less(chain, 1, some_law(rng, len(chain))))
        matrices = [inverted, *(group_inverse_exactly(chain, shift) for shift in (0, 1, -1))]
        assert {spread(matrix) for matrix in matrices} == {kappa}
        assert isinstance(kappa, Fraction)
        assert all(kappa <= max(2 * half_size(row) for row in matrix) for matrix in matrices)
        assert max(abs(x) for row in matrices[1] for x in row) <= 2 * kappa


def test_law_moves_at_most() -> None:
    for rng, chain in chains("moves"):
        target = some_settling_chain(rng, len(chain))
        kappa = condition_number(chain)
        change = tuple(
            tuple(q - p for p, q in zip(*rows, strict=True))
            for rows in zip(chain, target, strict=True)
        )
        law, other = stationary_law(chain), stationary_law(target)
        moved = tuple(q - p for p, q in zip(law, other, strict=True))
        for shift in (0, 1, -1):
            deviation = group_inverse_exactly(chain, shift)
            assert times(times([other], change), deviation)[0] == moved
        assert isinstance(kappa, Fraction)
        assert half_size(moved) <= kappa * half_size(times([other], change)[0])
        assert half_size(moved) <= kappa * max(map(half_size, change))


def passage_times(chain: Matrix, target: int) -> list[Fraction]:
    """Return h_ij by an inverse; the target has to be reached from everywhere."""
    others = [x for x in range(len(chain)) if x != target]
    inside = inverse_of(identity_less(tuple(tuple(chain[x][y] for y in others) for x in others)))
    found = dict(zip(others, (sum(row, ZERO) for row in inside), strict=True))
    return [found.get(x, ZERO) for x in range(len(chain))]


def test_passage_times() -> None:
    for _, chain in chains("passage"):
        law, deviation = stationary_law(chain), group_inverse_exactly(chain)
        for target, share in enumerate(law):
            if share:
                h = passage_times(chain, target)
                assert share * (1 + inner(chain[target], h)) == 1
                mean = inner(law, h)
                assert [row[target] for row in deviation] == [share * (mean - time) for time in h]


def test_positive_parts() -> None:
    for rng, chain in chains("parts"):
        one, other = rng.sample(chain, 2)
        difference = [p - q for p, q in zip(one, other, strict=True)]
        common = sum(map(min, one, other), ZERO)
        assert half_size(difference) == 1 - common
        assert half_size(difference) == sum((max(x, ZERO) for x in difference), ZERO)


def size_of(row: list[Fraction]) -> Fraction:
    return 2 * half_size(row)


@pytest.mark.parametrize("radius", [Fraction(0), Fraction(3, 2)])
def test_distances_in_integers(radius: Fraction) -> None:
    rng = seeded("integers")
    for _ in range(instances(33, 100)):
        width, unit = rng.randint(1, 9), Fraction(rng.randint(1, 9), rng.randint(1, 9))
        whole = [[rng.randint(-20, 20) for _ in range(width)] for _ in range(5)]
        matrix = [
            [
                unit * (n - radius + (1 + 2 * radius) * Fraction(rng.randint(0, 99), 100))
                for n in row
            ]
            for row in whole
        ]
        sums, true = {}, {}
        for i, j in combinations(range(5), 2):
            sums[i, j] = sum(abs(a - b) for a, b in zip(whole[i], whole[j], strict=True))
            true[i, j] = size_of([a - b for a, b in zip(matrix[i], matrix[j], strict=True)]) / unit
        slack = width * (1 + 2 * radius)
        assert all(abs(sums[pair] - true[pair]) < slack for pair in sums)
        furthest = max(true, key=lambda pair: true[pair])
        assert sums[furthest] >= max(sums.values()) - 2 * slack
        if not radius:
            chain, columns = tuple(zip(*matrix, strict=True)), tuple(zip(*whole, strict=True))
            cut = tuple(tuple(map(Fraction, row)) for row in columns)
            assert abs(ergodicity_coefficient(chain) / unit - ergodicity_coefficient(cut)) < 5
    for width in (1, 2, 3, 500, 1000, 1023, 1024, 10_000):
        assert width * 2 ** (digit_bits(width) + 1) < 2**62


def test_digits_of_differences() -> None:
    rng = seeded("digits")
    for _ in range(instances(100, 300)):
        base, count = rng.choice([2, 3, 10]), rng.randint(1, 5)
        one, other = (
            [rng.randint(-2, 2), *(rng.randrange(base) for _ in range(count - 1))] for _ in range(2)
        )
        places = [base ** (count - 1 - at) for at in range(count)]
        gaps = [a - b for a, b in zip(one, other, strict=True)]
        sign = next((1 if gap > 0 else -1 for gap in gaps if gap), 0)
        total = sum(gap * place for gap, place in zip(gaps, places, strict=True))
        assert abs(total) == sum(
            sign * gap * place for gap, place in zip(gaps, places, strict=True)
        )


def test_returns_within_n_steps() -> None:
    rng = seeded("returns")
    seen = set()
    for _ in range(instances(20, 60)):
        chain = some_irreducible_chain(rng, rng.randint(2, 4))
        moves = pattern_of(chain).astype(np.int64)
        steps = [
            t for t in range(1, len(chain) + 1) if np.trace(np.linalg.matrix_power(moves, t)) > 0
        ]
        assert gcd(*steps) == period(chain)
        seen.add(period(chain))
    assert len(seen) > 1
