"""The laws of proofs_notes/baselines.md: a test named for each heading."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from ball_checks import seeded
from flint import arb, arb_mat
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.markov.stationary import next_law, stationary_law
from simplexcert.reference.pufferfish.baselines import (
    Gamma,
    Influences,
    entry_scale,
    gk16_scale,
    group_scale,
    influences,
)
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix


def law(rng: random.Random, size: int, least: int = 1) -> tuple[Fraction, ...]:
    weights = [rng.randint(least, 9) for _ in range(size)]
    weights[0] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def some_matrix(rng: random.Random, least: int = 1) -> Matrix:
    size = rng.randint(2, 3)
    return tuple(law(rng, size, least) for _ in range(size))


def density(points: dict[Fraction, Fraction], scale: Fraction, at: Fraction) -> arb:
    """Enclose twice the scale times the density of a sum with Laplace noise."""
    terms = (ball(p) * (-ball(abs(at - x) / scale)).exp() for x, p in points.items())
    return sum(terms, arb(0))


def losses(
    first: dict[Fraction, Fraction], second: dict[Fraction, Fraction], scale: Fraction
) -> Iterator[arb]:
    """Yield the log-ratios of densities at all points of both, where they are most extreme."""
    for at in {*first, *second}:
        yield (density(first, scale, at) / density(second, scale, at)).log()


def given(
    joint: dict[tuple[int, ...], Fraction], node: int, value: int, query: tuple[Fraction, ...]
) -> dict[Fraction, Fraction]:
    """Return the law of the weighted sum of the entries, given one of them."""
    total = sum(p for x, p in joint.items() if x[node] == value)
    found: dict[Fraction, Fraction] = {}
    for x, p in joint.items():
        if x[node] == value and p:
            point = sum((w * v for w, v in zip(query, x, strict=True)), Fraction(0))
            found[point] = found.get(point, Fraction(0)) + p / total
    return found


def test_one_entry() -> None:
    """Independent fair and unfair bits: the loss of a weighted sum stays within epsilon."""
    rng, epsilon = seeded("entry"), Fraction(3, 2)
    for _ in range(instances(8, 20)):
        query = tuple(Fraction(rng.randint(-4, 4), 3) for _ in range(3))
        chances = [law(rng, 2) for _ in range(3)]
        joint = {
            x: chances[0][x[0]] * chances[1][x[1]] * chances[2][x[2]]
            for x in product((0, 1), repeat=3)
        }
        lipschitz = max(map(abs, query)) or Fraction(1)
        scale = entry_scale(lipschitz, epsilon)
        for node in range(3):
            pair = [given(joint, node, value, query) for value in (0, 1)]
            assert not any(loss > ball(epsilon) for loss in losses(pair[0], pair[1], scale))


def test_one_group() -> None:
    """Entries 1 and 2 in any dependence, entry 3 apart; pairwise independence is not enough."""
    rng, epsilon, ones = seeded("group"), Fraction(1), (Fraction(1),) * 3
    scale, worst = group_scale(Fraction(1), 2, epsilon), arb(0)
    for _ in range(instances(13, 40)):
        group, rest = dict(zip(product((0, 1), repeat=2), law(rng, 4, 0), strict=True)), law(rng, 2)
        joint = {(*x, y): p * rest[y] for x, p in group.items() for y in (0, 1)}
        for node in range(2):
            if all(sum(p for x, p in group.items() if x[node] == v) for v in (0, 1)):
                pair = [given(joint, node, value, ones) for value in (0, 1)]
                for loss in losses(pair[0], pair[1], scale):
                    assert not loss > ball(epsilon)
                    worst = worst.max(loss)
    assert worst > ball(epsilon / 2)
    joint = {x: Fraction(x[2] == x[0] ^ x[1], 4) for x in product((0, 1), repeat=3)}
    pair = [given(joint, 2, value, ones) for value in (0, 1)]
    alone = group_scale(Fraction(1), 1, epsilon)
    assert any(abs(loss) > ball(Fraction(143, 100)) for loss in losses(pair[0], pair[1], alone))


def test_histogram_constant() -> None:
    """At a count pair itself both bins pull the same way: the loss is 2 epsilon, and never more."""
    epsilon, before, after = Fraction(3, 10), (4, 6), (5, 5)
    scale = entry_scale(Fraction(1), epsilon)

    def loss(output: tuple[int, int]) -> Fraction:
        far, near = (
            sum(abs(o - c) for o, c in zip(output, counts, strict=True))
            for counts in (after, before)
        )
        return (far - near) / scale

    assert loss(before) == 2 * epsilon
    assert max(loss(output) for output in product(range(12), repeat=2)) == 2 * epsilon
    assert entry_scale(Fraction(2), epsilon) == 2 * scale


def between(matrix: Matrix, left: int, right: int) -> tuple[Fraction, ...]:
    parts = [p * row[right] for p, row in zip(matrix[left], matrix, strict=True)]
    return tuple(part / sum(parts) for part in parts)


def largest(laws: list[tuple[Fraction, ...]]) -> Fraction:
    return max(
        a / b for one, other in product(laws, repeat=2) for a, b in zip(one, other, strict=True)
    )


def inner_ratios(matrix: Matrix) -> tuple[Fraction, Fraction]:
    states = range(len(matrix))
    before = max(largest([between(matrix, left, right) for left in states]) for right in states)
    after = max(largest([between(matrix, left, right) for right in states]) for left in states)
    return before, after


def half_log(ratio: Fraction) -> arb:
    return ball(ratio).log() / 2


def agree(first: arb, second: arb) -> bool:
    # A logarithm of 1 is exactly 0.
    return bool(first.overlaps(second) and (first - second).rad() < arb(2) ** -100)


def test_influences_separate() -> None:
    rng = seeded("separate")
    for _ in range(instances(13, 40)):
        matrix = some_matrix(rng)
        before, after = inner_ratios(matrix)
        own = influences(ChainLaw(STATIONARY, matrix))
        assert agree(own.before, half_log(before))
        assert agree(own.after, half_log(after))


def test_last_node() -> None:
    rng = seeded("last")
    for _ in range(instances(20, 60)):
        matrix = some_matrix(rng)
        assert largest(list(matrix)) <= inner_ratios(matrix)[0]


def first_ratio(start: tuple[Fraction, ...], matrix: Matrix) -> Fraction:
    laws = []
    for right in range(len(matrix)):
        parts = [q * row[right] for q, row in zip(start, matrix, strict=True) if q]
        laws.append(tuple(part / sum(parts) for part in parts))
    return largest(laws)


def test_first_node_of_a_stationary_chain() -> None:
    rng = seeded("stationary")
    for _ in range(instances(20, 60)):
        matrix = some_matrix(rng)
        inner = inner_ratios(matrix)[1]
        assert first_ratio(stationary_law(matrix), matrix) <= inner
        assert first_ratio(next_law(law(rng, len(matrix), 0), matrix), matrix) <= inner


def test_first_node_of_any_chain() -> None:
    rng, more = seeded("any"), 0
    for _ in range(instances(13, 40)):
        matrix = some_matrix(rng)
        states = range(len(matrix))
        supremum = max(
            matrix[x][r] * matrix[z][s] / (matrix[x][s] * matrix[z][r])
            for x, z, r, s in product(states, repeat=4)
        )
        assert agree(influences(ChainLaw(ANY, matrix)).first, half_log(supremum))
        start = law(rng, len(matrix), 0)
        ratio = first_ratio(start, matrix)
        assert ratio <= supremum
        assert agree(influences(ChainLaw(start, matrix)).first, half_log(ratio))
        tiny = Fraction(1, 10**9)
        near = [
            tuple(1 - tiny if at == z else tiny if at == x else Fraction(0) for at in states)
            for x, z in product(states, repeat=2)
            if x != z
        ]
        assert max(first_ratio(q, matrix) for q in near) > supremum * (1 - 1000 * tiny)
        more += supremum > inner_ratios(matrix)[1]
    assert more > 0


def some_influences(rng: random.Random, most: int) -> Influences:
    return Influences(*(ball(Fraction(rng.randint(0, most), 100)) for _ in range(3)))


def dense(gamma: Gamma) -> arb_mat:
    rows = range(1, gamma.length + 1)
    beside = {-1: gamma.left, 1: gamma.right}
    entries = [beside[y - x](x) if abs(x - y) == 1 else arb(0) for x in rows for y in rows]
    return arb_mat(gamma.length, gamma.length, entries)


def identity(size: int) -> arb_mat:
    return arb_mat(size, size, [arb(x == y) for x in range(size) for y in range(size)])


def test_sums_grow_with_the_chain() -> None:
    rng = seeded("sums")
    for _ in range(15):
        own = some_influences(rng, 48)
        for transposed in (False, True):
            before = arb(0)
            for length in range(1, 9):
                gamma = Gamma(own, length, transposed)
                inverse = (identity(length) - dense(gamma)).inv()
                totals = [sum(row, arb(0)) for row in inverse.tolist()]
                found = gamma.largest_sum()
                assert found.rel_accuracy_bits() > 60
                assert not any(total > found for total in totals)
                assert any(total.overlaps(found) for total in totals)
                assert not found < before
                before = found


def test_later_rows() -> None:
    """The bound after any row of a long chain, the first influence being as large as it may."""
    rng = seeded("later")
    for _ in range(15):
        own = some_influences(rng, 45)
        for transposed in (False, True):
            gamma = Gamma(own, 60, transposed)
            u, v = gamma._eliminated()
            total, sums = arb(0), [arb(0)] * 61
            for row in range(60, 0, -1):
                total = u[row] + v[row] * total
                sums[row] = total
            for row in range(2, 40):
                if v[row] < 1:
                    limit = gamma._rest(u[row], v[row])
                    assert not any(one > limit for one in sums[row + 1 :])


def test_pivots_decide_the_norm() -> None:
    """Powers of Gamma^T Gamma stay bounded exactly where all pivots are positive."""
    rng, answers = seeded("pivots"), set()
    for _ in range(60):
        gamma = Gamma(some_influences(rng, 70), rng.randint(1, 9))
        square = dense(gamma).transpose() * dense(gamma)
        for _ in range(12):
            square = square * square
        trace = square.trace()  # of the 4096th power: above 1 or below 1 like the norm, or nearly
        answer = gamma.norm_below_one()
        answers.add(answer)
        assert answer is not Trilean.UNKNOWN
        if answer is Trilean.TRUE:
            assert trace < gamma.length
        else:
            assert trace > 1
    assert len(answers) == 2
    # The same answer, and the same sums, whether later rows are looked at or bounded.
    start = ChainLaw(ANY, ((Fraction(2, 5), Fraction(3, 5)), (Fraction(11, 20), Fraction(9, 20))))
    long, longer = (Gamma(influences(start), length) for length in (4096, 10**9))
    assert long.norm_below_one() is longer.norm_below_one() is Trilean.TRUE
    assert agree(*(gk16_scale((start,), length, Fraction(1)) for length in (4096, 10**9)))
