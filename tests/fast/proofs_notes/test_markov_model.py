"""The laws of proofs_notes/markov-model.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest
from ball_checks import as_ball, meets, printed, seeded
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet import counts as one_row
from simplexcert.reference.dirichlet import profile
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov.model.merging import (
    epsilon_of,
    has_epsilon,
    key_of,
    merge_plan,
    merged,
)
from simplexcert.reference.markov.model.privacy import delta, k_for_dp, worst_pairs

Law = Sequence[Fraction]
SMALL_GAMMA = Fraction(1, 10**8)


def random_law(random: Random, size: int) -> list[Fraction]:
    weights = [Fraction(random.randint(1, 9)) for _ in range(size)]
    return [weight / sum(weights) for weight in weights]


def hockey_stick(p: Law, q: Law, t: Fraction) -> Fraction:
    return sum((max(a - t * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def joint(*laws: Law) -> list[Fraction]:
    return [prod(each, start=Fraction(1)) for each in product(*laws)]


def test_common_factors_drop_out() -> None:
    random = seeded("common factors")
    for _ in range(instances(16, 50)):
        p, q, r = (random_law(random, size) for size in (4, 4, 3))
        t = Fraction(random.randint(1, 40), 10)
        assert hockey_stick(joint(p, r), joint(q, r), t) == hockey_stick(p, q, t)


def test_largest_row_decides() -> None:
    """Two parts with three inputs each, any two of them neighbours."""
    random = seeded("largest row")
    for _ in range(instances(8, 20)):
        parts = [[random_law(random, 3) for _ in range(3)] for _ in range(2)]
        t = Fraction(random.randint(10, 30), 10)
        own = [max(hockey_stick(p, q, t) for p, q in product(inputs, repeat=2)) for inputs in parts]
        whole = max(
            hockey_stick(joint(*(parts[i][a] for i, a in enumerate(one))),
                         joint(*(parts[i][b] for i, b in enumerate(other))), t)
            for one in product(range(3), repeat=2)
            for other in product(range(3), repeat=2)
            if sum(a != b for a, b in zip(one, other, strict=True)) == 1
        )  # fmt: skip
        assert whole == max(own)


def shows_a_bit(bit: int) -> dict[str, Fraction]:
    return {str(bit): Fraction(1, 10), "0 or nothing": Fraction(9, 10)}


def test_probabilistic_parts_do_not_compose() -> None:
    def both(one: int, other: int) -> dict[tuple[str, str], Fraction]:
        pairs = product(shows_a_bit(one).items(), shows_a_bit(other).items())
        return {(x, y): p * q for (x, p), (y, q) in pairs}

    here, neighbours = both(1, 1), (both(2, 1), both(1, 2))
    safe = [out for out in here if all(out in other for other in neighbours)]
    assert sum(here[out] for out in here if out not in safe) == Fraction(19, 100)
    # Conventionally the pair of them keeps the delta of one.
    left = sum(max(p - neighbours[0].get(out, Fraction(0)), Fraction(0)) for out, p in here.items())
    assert left == Fraction(1, 10)


def count_vectors(records: int, categories: int, least: int) -> Iterator[tuple[int, ...]]:
    if categories == 1:
        if records >= least:
            yield (records,)
        return
    for first in range(least, records + 1):
        for rest in count_vectors(records - first, categories - 1, least):
            yield (first, *rest)


def loss_of(k: Fraction, one: Sequence[int], other: Sequence[int], epsilon: Fraction) -> arb:
    """The hockey-stick of two count vectors that differ by one record, from its two Betas."""
    size = sum(one)
    (a, b) = ([k * c / size for c, d in zip(x, y, strict=True) if c != d]
              for x, y in ((one, other), (other, one)))  # fmt: skip
    # The ratio is Beta(a) against Beta(b); a_1 > b_1, so large r tell: r/(1-r) > threshold.
    up = 0 if a[0] > b[0] else 1
    p, q = (a[up], a[1 - up]), (b[up], b[1 - up])
    tau = p[0] - q[0]
    rise = log_beta_ball(p) - log_beta_ball(q) + ball(epsilon)
    odds = (rise / ball(tau)).exp()
    r = odds / (1 + odds)
    return upper_tail(p, r) - ball(epsilon).exp() * upper_tail(q, r)


def log_beta_ball(pair: tuple[Fraction, Fraction]) -> arb:
    a, b = map(ball, pair)
    return a.lgamma() + b.lgamma() - (a + b).lgamma()


def upper_tail(pair: tuple[Fraction, Fraction], r: arb) -> arb:
    a, b = map(ball, pair)
    found: arb = (1 - r).beta_lower(b, a, regularized=True)
    return found


def neighbours_of(vector: tuple[int, ...], least: int) -> Iterator[tuple[int, ...]]:
    for source, target in product(range(len(vector)), repeat=2):
        if source != target and vector[source] > least:
            moved = list(vector)
            moved[source] -= 1
            moved[target] += 1
            yield tuple(moved)


def test_rows_attain() -> None:
    """Over all data sets of few records; a row of two categories stays strictly below its pair."""
    epsilon = Fraction(1, 2)
    for sizes, categories, ks in (((5, 6), (3, 4), (9, 7)), ((7, 5), (3, 2), (9, 3))):
        etas = tuple(Fraction(1, size) for size in sizes)
        pairs = []
        for k, eta, size, n in zip(map(Fraction, ks), etas, sizes, categories, strict=True):
            every = [
                loss_of(k, one, other, epsilon)
                for one in count_vectors(size, n, 1)
                for other in neighbours_of(one, 1)
            ]
            pair = one_row.worst_pair(k, eta, size, n)
            pairs.append(as_ball(profile.delta(pair.alpha, pair.step, epsilon)))
            reached = any(meets(pairs[-1], loss) for loss in every)
            assert reached == (pair.neighbours is Neighbours.ATTAINED)
            assert all(meets(pairs[-1], loss) or loss < pairs[-1] for loss in every)
        assert pairs[1] < pairs[0]
        assert meets(pairs[0], delta(tuple(map(Fraction, ks)), etas, sizes, epsilon))


def test_rows_that_are_dominated() -> None:
    random = seeded("dominated rows")
    for _ in range(instances(5, 20)):
        rows = [(random.randint(1, 5), Fraction(random.randint(1, 60), 10)) for _ in range(6)]
        size = 100
        k = tuple(step * size for _, step in rows)
        eta = tuple(Fraction(least, size) for least, _ in rows)
        kept = worst_pairs(k, eta, (size,) * len(rows))
        for epsilon in (Fraction(0), Fraction(1), Fraction(4)):
            all_rows = [as_ball(profile.delta(c * step, step, epsilon)) for c, step in rows]
            top = all_rows[0]
            for other in all_rows:
                top = top.max(other)
            few = [as_ball(profile.delta(*pair, epsilon)) for pair in kept]
            assert any(meets(top, one) for one in few)
            dropped = [(c * step, step) for c, step in rows if (c * step, step) not in kept]
            assert all(as_ball(profile.delta(*pair, epsilon)) < top for pair in set(dropped))


def test_largest_k_row_by_row() -> None:
    eta, sizes = (Fraction(2, 50), Fraction(2, 80), Fraction(5, 100)), (50, 80, 100)
    epsilon, target = Fraction(1), Fraction(1, 20)
    with working_precision(160):
        found = k_for_dp(eta, sizes, epsilon, target)
    assert meets(found[0] / 50, found[1] / 80)
    for each, share, size in zip(found, eta, sizes, strict=True):
        ends = enclosure_of(each)
        for end, side in ((ends.lower, 1), (ends.upper, -1)):
            k = Fraction(end) * (1 - side * Fraction(1, 10**20))
            found_delta = as_ball(delta((k,), (share,), (size,), epsilon))
            assert found_delta < ball(target) if side > 0 else found_delta > ball(target)
    k = tuple(Fraction(enclosure_of(each).lower) * (1 - Fraction(1, 10**20)) for each in found)
    assert as_ball(delta(k, eta, sizes, epsilon)) < ball(target)


def test_one_transition_shows_nothing() -> None:
    with pytest.raises(DomainError, match="row 2 has n = 1"):
        evaluate("markov.model.k_minimum", {"counts": [[1, 2], [0, 3]]})
    assert list(count_vectors(7, 1, 1)) == [(7,)]
    assert not list(neighbours_of((7,), 1))


def test_support_gives_away() -> None:
    near_one = [
        as_ball(profile.delta(Fraction(1, 10**power), Fraction(1), Fraction(5)))
        for power in (3, 6, 12)
    ]
    assert near_one[0] < near_one[1] < near_one[2]
    assert near_one[2] > ball(1 - Fraction(1, 10**9))


def test_origin_is_not_protected() -> None:
    k, sizes = (Fraction(1, 100), Fraction(1000)), (4, 3)
    pairs = [one_row.worst_pair(k[i], Fraction(1, sizes[i]), sizes[i], 3) for i in range(2)]
    assert [pair.neighbours for pair in pairs] == [Neighbours.ATTAINED, Neighbours.NONE]
    assert as_ball(profile.delta(pairs[0].alpha, pairs[0].step, Fraction(0))) < ball(
        Fraction(34, 100)
    )
    at = Fraction(5, 12)
    before = regularised_incomplete_beta(Fraction(1000, 3), Fraction(2000, 3), at)
    after = regularised_incomplete_beta(Fraction(500), Fraction(500), at)
    assert before - after > ball(Fraction(99, 100))


def test_data_at_the_floor() -> None:
    at_two, at_one = (as_ball(profile.delta(Fraction(c), Fraction(1), Fraction(1))) for c in (2, 1))
    assert printed("0.125207").contains(at_two)
    assert printed("0.268941").contains(at_one)


def test_smallest_epsilon_of_a_row() -> None:
    random = seeded("smallest epsilon")
    for _ in range(instances(10, 30)):
        n, least = random.randint(3, 12), random.randint(1, 20)
        records = n * least + random.randint(1, 500)
        key = least, records, n
        if not has_epsilon(key, SMALL_GAMMA):
            continue
        k, eta = Fraction(3 * records, 2 * least), Fraction(least, records)
        assert (k * eta, k / records) == (Fraction(3, 2), Fraction(3, 2 * least))
        with working_precision(160):
            assert meets(
                epsilon_of(key, SMALL_GAMMA),
                one_row.epsilon_bound(k, eta, records, n, SMALL_GAMMA),
            )
    for key, gamma in (((1, 9, 2), SMALL_GAMMA), ((1, 3, 3), SMALL_GAMMA)):
        assert not has_epsilon(key, gamma)
    assert not has_epsilon((1, 90, 4), Fraction(1, 4))
    assert has_epsilon((1, 90, 4), Fraction(1, 5))
    assert not has_epsilon((2, 5, 3), SMALL_GAMMA)


TABLE_1 = [
    ((1, 158973, 63), "45.390", "13.4994"),
    ((8, 4406, 50), "4.6900", "1.40070"),
    ((10, 4684, 40), "3.7300", "1.09747"),
    ((12, 4368, 35), "3.0780", "0.898925"),
]


def test_recorded_table_1() -> None:
    for key, epsilon, exact in TABLE_1:
        assert printed(epsilon).contains(epsilon_of(key, SMALL_GAMMA))
        step = Fraction(3, 2 * key[0])
        found = profile.epsilon(Fraction(3, 2), step, Fraction(3, 10**6))
        assert printed(exact).contains(as_ball(found))


def random_counts(random: Random, states: int) -> list[tuple[int, ...]]:
    return [
        (*(random.choice((0, 1, 2, 9, 40)) for _ in range(states - 1)), random.randint(1, 9))
        for _ in range(states)
    ]


def test_merging_adds_counts() -> None:
    random = seeded("merging")
    for _ in range(instances(16, 50)):
        table = random_counts(random, 6)
        i, j = sorted(random.sample(range(6), 2))
        groups = [i + 1 if at == j else at + 1 for at in range(6)]
        found = merged(table, groups)
        kept = [at for at in range(6) if at != j]
        for at, row in zip(kept, found, strict=True):
            if at == i:
                assert sum(row) == sum(table[i]) + sum(table[j])
                continue
            before, after = key_of(table[at]), key_of(row)
            assert after[1] == before[1]
            assert after[0] >= before[0]
            assert after[2] <= before[2]


def test_a_merge_can_raise_epsilon() -> None:
    more, fewer = (epsilon_of((1, 1000, n), SMALL_GAMMA) for n in (61, 62))
    assert fewer < more
    assert printed("1.5e-8").contains(more - fewer)


def test_plan_ends() -> None:
    random = seeded("plan")
    failed = 0
    for _ in range(instances(10, 40)):
        states = random.randint(2, 8)
        table = tuple(random_counts(random, states))
        target = Fraction(random.randint(1, 60))
        with working_precision(128):
            groups = [int(Fraction(group)) for group in merge_plan(table, SMALL_GAMMA, target)]
        if set(groups) == {1}:
            failed += 1
            continue
        assert len(set(groups)) >= 3
        assert list(dict.fromkeys(groups)) == sorted(set(groups))
        for row in merged(table, groups):
            assert has_epsilon(key_of(row), SMALL_GAMMA)
            assert epsilon_of(key_of(row), SMALL_GAMMA) <= ball(target)
    assert 0 < failed < 40


def test_comparisons_are_proved() -> None:
    random = seeded("comparisons")
    answers, silent = 0, 0
    for _ in range(instances(3, 10)):
        table = tuple(random_counts(random, 6))
        with working_precision(192):
            sure = merge_plan(table, SMALL_GAMMA, Fraction(20))
        for bits in (8, 12, 16, 64):
            with working_precision(bits):
                found = merge_plan(table, SMALL_GAMMA, Fraction(20))
            if isinstance(found[0], Fraction):
                answers += 1
                assert found == sure
            else:
                silent += 1
                assert all(isinstance(one, arb) and not one.is_finite() for one in found)
    assert answers
    assert silent
