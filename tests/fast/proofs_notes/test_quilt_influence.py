"""The laws of proofs_notes/quilt-influence.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.certify.papers.song2017 import quilts
from simplexcert.certify.papers.song2017.chains import (
    influence_by_formula,
    largest,
    near,
    power,
)
from simplexcert.reference.arb.balls import INFINITY, ball, working_precision
from simplexcert.reference.markov.stationary import next_law, stationary_law
from simplexcert.reference.markov.structure import is_irreducible, period
from simplexcert.reference.pufferfish.quilt.exact import (
    quilt_epsilon,
    quilt_scale_exact,
    quilt_scale_pieces,
)
from simplexcert.reference.pufferfish.quilt.influence import Chain
from simplexcert.reference.pufferfish.quilt.score import Tables
from simplexcert.reference.structures import ANY, ChainLaw, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

Law = tuple[Fraction, ...]
Ratio = Fraction | float
TWO_STATES = ((Fraction(1, 10), Fraction(9, 10)), (Fraction(7, 10), Fraction(3, 10)))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def random_law(random: Random, size: int, zeros: float = 0.0) -> Law:
    while True:
        weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in range(size)]
        if sum(weights):
            return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_matrix(random: Random, size: int, zeros: float = 0.0) -> Matrix:
    return tuple(random_law(random, size, zeros) for _ in range(size))


def law_of(start: Law, P: Matrix, node: int) -> Law:
    return next_law(start, power(P, node - 1))


def by_formula(start: Law | None, P: Matrix, node: int, left: int, right: int) -> Ratio:
    """Return e to the max-influence by the formulas of the note; no start means any."""
    if start is None:
        return quilts.any_start(P, node, left, right)
    return influence_by_formula(start, P, node, left, right)


def quilts_of(node: int, length: int) -> Iterator[tuple[int, int]]:
    yield from product(range(node), range(length - node + 1))


def score(ratio: Ratio, card: int, epsilon: Fraction) -> arb:
    """Enclose the scale that a quilt asks for."""
    left = ball(epsilon) - ball(ratio).log() if isinstance(ratio, Fraction) else ball(-1)
    return card / left if left > 0 else INFINITY


def least(start: Law | None, P: Matrix, length: int, node: int, epsilon: Fraction) -> arb:
    found = INFINITY
    for quilt in quilts_of(node, length):
        ratio = by_formula(start, P, node, *quilt)
        found = found.min(score(ratio, near(node, length, *quilt), epsilon))
    assert found.rel_accuracy_bits() > 90
    return found


CASES = [(seed, zeros) for seed in range(8) for zeros in (0.0, 0.4)]


def test_influence_formula() -> None:
    """The formula with the support is the definition over all paths, exactly."""
    assert quilts.formula_is_the_definition()


def test_any_start_formula() -> None:
    """No law exceeds the formula, and laws near a point come as near to it as one likes."""
    assert quilts.any_start_is_a_supremum()


@each_of("seed, zeros", CASES)
def test_influence_falls_with_distance(seed: int, zeros: float) -> None:
    random = Random(seed)  # noqa: S311
    matrix, node, length = random_matrix(random, 3, zeros), 4, 7
    for start in (None, random_law(random, 3, 0.3)):
        found = {q: by_formula(start, matrix, node, *q) for q in quilts_of(node, length)}
        for (left, right), ratio in found.items():
            assert ratio >= found[(left + 1) % node, right] or not left
            assert ratio >= found[left, (right + 1) % (length - node + 1)] or not right
            if start is None:
                assert by_formula(None, matrix, node + 1, left, right) <= ratio


def test_four_kinds_of_quilts_suffice() -> None:
    """Of all sets of nodes, none scores less than the nearest of its nodes on either side."""
    assert quilts.nearest_ends_score_no_more()


def test_independence_is_decided_within_k_steps() -> None:
    """Rows of a power agree after k steps or more only if they do after k."""
    random = Random(1)  # noqa: S311
    agreeing = 0
    for _ in range(instances(50, 200)):
        matrix = random_matrix(random, 3, 0.5)
        late, early = power(matrix, 7), power(matrix, 3)
        for x, other in combinations(range(3), 2):
            assert (late[x] == late[other]) == (early[x] == early[other])
            agreeing += late[x] == late[other] and matrix[x] != matrix[other]
    assert agreeing


def test_period_from_path_lengths() -> None:
    """The period is the common divisor of the numbers of steps after which a state can return."""
    random = Random(2)  # noqa: S311
    found = set()
    while found < {1, 2, 3, 4}:
        size = random.choice((2, 3, 4))
        matrix = random_matrix(random, size, 0.6)
        if is_irreducible(matrix):
            assert period(matrix) == math.gcd(*returns_to_first(matrix))
            found.add(period(matrix))


def returns_to_first(matrix: Matrix) -> Iterator[int]:
    """Yield the numbers of steps, up to 24, after which the first state can be there again."""
    states = {0}
    for steps in range(1, 25):
        states = {y for x in states for y, share in enumerate(matrix[x]) if share}
        if 0 in states:
            yield steps


def stationary_cases() -> Iterator[tuple[Law, Matrix, int, Fraction]]:
    random = Random(3)  # noqa: S311
    for _ in range(12):
        matrix = random_matrix(random, 2)
        yield (
            stationary_law(matrix),
            matrix,
            random.randint(3, 9),
            Fraction(random.randint(1, 30), 5),
        )


def test_two_sided_quilts_bound_every_node() -> None:
    bounded = 0
    for start, matrix, length, epsilon in stationary_cases():
        scores = [least(start, matrix, length, node, epsilon) for node in range(1, length + 1)]
        for node in range(1, length + 1):
            for quilt in quilts_of(node, length):
                if all(quilt):
                    found = score(
                        by_formula(start, matrix, node, *quilt), near(node, length, *quilt), epsilon
                    )
                    assert not any(one > found for one in scores)
                    bounded += bool(found < ball(length / epsilon))
    assert bounded


def test_one_sided_quilts_bound_one_side() -> None:
    bounded = 0
    for start, matrix, length, epsilon in stationary_cases():
        scores = [least(start, matrix, length, node, epsilon) for node in range(1, length + 1)]
        for node in range(1, length + 1):
            for left, right in quilts_of(node, length):
                if bool(left) != bool(right):
                    ratio = by_formula(start, matrix, node, left, right)
                    found = score(ratio, near(node, length, left, right), epsilon)
                    side = scores[node - 1 :] if left else scores[:node]
                    assert not any(one > found for one in side)
                    bounded += bool(found < ball(length / epsilon))
    assert bounded


def test_any_start_bounds_later_nodes() -> None:
    """Exactly: influences and cards of cut quilts at later nodes, for any start and a given one."""
    random = Random(4)  # noqa: S311
    for _ in range(instances(5, 20)):
        matrix, length = random_matrix(random, 3, random.choice((0.0, 0.4))), 6
        start = random_law(random, 3, 0.4)
        first = random.randint(2, 4)
        for left, right in quilts_of(first, length):
            ratio, most = (
                by_formula(None, matrix, first, left, right),
                near(first, length, left, right),
            )
            for node in range(first, length + 1) if left else ():
                cut = (left, right if node + right <= length else 0)
                assert by_formula(None, matrix, node, *cut) <= ratio
                assert by_formula(start, matrix, node, *cut) <= ratio
                assert near(node, length, *cut) <= most


def test_longer_chains_need_more() -> None:
    """One chain after another, and pieces against the largest piece."""
    random = Random(5)  # noqa: S311
    grown = 0
    for _ in range(instances(3, 10)):
        chain = ChainLaw(random.choice((ANY, random_law(random, 2, 0.4))), random_matrix(random, 2))
        epsilon = Fraction(random.randint(1, 12))
        scales = [quilt_scale_exact((chain,), length, epsilon, 9) for length in range(1, 9)]
        for shorter, longer in pairwise(scales):
            assert not longer < shorter
            grown += bool(longer > shorter)
        pieces = quilt_scale_pieces((chain,), (3, 8, 5), epsilon, 9)
        assert pieces.overlaps(scales[7])
        assert pieces.rel_accuracy_bits() > 90
    assert grown


def loss_of_sums(start: Law, matrix: Matrix, length: int, node: int, scales: Law) -> arb:
    """Enclose the largest log-ratio of two noisy sums' densities on the grid where its sup lies."""
    sums: dict[int, dict[int, Fraction]] = {0: {}, 1: {}}
    law = law_of(start, matrix, node)
    for path in product((0, 1), repeat=length):
        steps = (matrix[x][y] for x, y in pairwise(path))
        weight = start[path[0]] * math.prod(steps, start=Fraction(1))
        given, total = sums[path[node - 1]], sum(path)
        given[total] = given.get(total, Fraction(0)) + weight / law[path[node - 1]]

    def density(x: int, seen: tuple[int, ...]) -> arb:
        found = ball(0)
        for total, share in sums[x].items():
            far = sum((abs(w - total) / b for w, b in zip(seen, scales, strict=True)), Fraction(0))
            found += ball(share) * ball(-far).exp()
        return found

    lost = ball(0)
    for seen in product(range(length + 1), repeat=len(scales)):
        lost = lost.max(abs((density(0, seen) / density(1, seen)).log()))
    return lost


def test_privacy_of_several_releases() -> None:
    """The exact joint loss of one or two noisy sums is at most what the quilts promise."""
    random = Random(6)  # noqa: S311
    close = 0
    for _ in range(12):
        matrix, start = random_matrix(random, 2), random_law(random, 2)
        length = random.randint(1, 6)
        scales = tuple(Fraction(random.randint(1, 40), 8) for _ in range(random.choice((1, 2))))
        promised = quilt_epsilon((ChainLaw(start, matrix),), length, scales, length)
        assert promised.rel_accuracy_bits() > 90
        for node in range(1, length + 1):
            lost = loss_of_sums(start, matrix, length, node, scales)
            assert not lost > promised
            close += bool(lost > promised * 0.9)
    assert close


def test_epsilons_add_up() -> None:
    random = Random(7)  # noqa: S311
    for _ in range(15):
        chains = (ChainLaw(random.choice((ANY, random_law(random, 2))), random_matrix(random, 2)),)
        length, wanted = random.randint(1, 9), [Fraction(random.randint(1, 20), 4) for _ in "ab"]
        scales = [quilt_scale_exact(chains, length, one, length) for one in wanted]
        above = tuple(rational_above(scale) for scale in scales)
        together = quilt_epsilon(chains, length, above, length)
        assert together.upper() <= ball(sum(wanted))


def rational_above(scale: arb) -> Fraction:
    return Fraction(math.nextafter(float(scale.upper()), math.inf))


def test_ratios_in_floating_point() -> None:
    """Products of tables, and laws, lie within the proved factor of the exact ratios."""
    random = Random(8)  # noqa: S311
    for size in (2, 3, 5):
        matrix, start = random_matrix(random, size), random_law(random, size)
        chain = Chain(matrix, start)
        tables, node = Tables(chain), 9
        law = law_of(start, matrix, node)
        for left, right in product((1, 4, 8), (1, 5, 30)):
            back, ahead = power(matrix, left), power(matrix, right)
            slack = 1 + Fraction(tables.roundings(left + right + node), 2**52)
            floats = (
                tables.backward(left, chain.support(node - left)).ratios
                * tables.forward(right).ratios
                * np.array([[float(b / a) for b in law] for a in law])
            )
            for x, other in permutations(range(size), 2):
                exact = Fraction(largest((row[x], row[other]) for row in back))
                exact *= Fraction(largest(zip(ahead[x], ahead[other], strict=True)))
                exact *= law[other] / law[x]
                assert exact / slack <= Fraction(float(floats[x, other])) <= exact * slack


def test_any_start_is_conservative() -> None:
    """The example of the note: 3/2 for any start, less than 1.35 for each of many laws."""
    epsilon = Fraction(4)
    at_once = quilt_scale_exact((ChainLaw(ANY, TWO_STATES),), 6, epsilon, 6)
    assert at_once.overlaps(ball(Fraction(3, 2)))
    assert at_once.rel_accuracy_bits() > 90
    for j in range(65):
        start = (Fraction(j, 64), 1 - Fraction(j, 64))
        assert quilt_scale_exact((ChainLaw(start, TWO_STATES),), 6, epsilon, 6) < 1.35
