"""The laws of proofs_notes/eigengap.md: a test named for each heading."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from ball_checks import as_ball, seeded
from flint import arb, arb_mat, fmpq, fmpq_mat
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.markov.structure import is_irreducible, period
from simplexcert.reference.pufferfish.gap import (
    eigengap,
    eigengap_reversible,
    is_reversible,
    largest_eigenvalue,
)
from simplexcert.reference.pufferfish.quilt.approx import (
    Kind,
    Mixing,
    QuiltSide,
    least_score,
    quilt_scale_approx,
)

Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]
Score: TypeAlias = float


WEIGHTS = ([0, 0, 1], [0, 1, 2, 5], [1, 2, 9])


def some_matrix(rng: random.Random, kinds: Sequence[list[int]] = WEIGHTS) -> Matrix:
    """Return an irreducible matrix with few or many zeros."""
    while True:
        size, weights = rng.randint(2, 5), rng.choice(kinds)
        rows = [[rng.choice(weights) for _ in range(size)] for _ in range(size)]
        if all(map(sum, rows)):
            found = tuple(tuple(Fraction(entry, sum(row)) for entry in row) for row in rows)
            if is_irreducible(found):
                return found


def some_reversible(rng: random.Random) -> Matrix:
    while True:
        size = rng.randint(2, 5)
        weights = {(x, y): rng.choice([0, 1, 3]) for x in range(size) for y in range(x + 1)}
        rows = [[weights[max(x, y), min(x, y)] for y in range(size)] for x in range(size)]
        if all(map(sum, rows)):
            found = tuple(tuple(Fraction(entry, sum(row)) for entry in row) for row in rows)
            if is_irreducible(found):
                return found


def product(first: Matrix, second: Matrix) -> Matrix:
    return tuple(
        tuple(
            sum(a * b for a, b in zip(row, column, strict=True))
            for column in zip(*second, strict=True)
        )
        for row in first
    )


def power(chain: Matrix, steps: int) -> Matrix:
    found = chain
    for _ in range(steps - 1):
        found = product(found, chain)
    return found


def reversal(chain: Matrix) -> Matrix:
    law, size = stationary_law(chain), range(len(chain))
    return tuple(tuple(law[y] * chain[y][x] / law[x] for y in size) for x in size)


def polynomial(chain: Matrix) -> list[Fraction]:
    """Return the characteristic polynomial, its leading coefficient last."""
    size = len(chain)
    entries = [fmpq(e.numerator, e.denominator) for row in chain for e in row]
    return [Fraction(int(c.p), int(c.q)) for c in fmpq_mat(size, size, entries).charpoly().coeffs()]


def expanded(roots: Counter[Fraction]) -> list[Fraction]:
    found = [Fraction(1)]
    for root in roots.elements():
        found = [
            a - root * b for a, b in zip([Fraction(0), *found], [*found, Fraction(0)], strict=True)
        ]
    return found


def narrow(value: arb) -> bool:
    return bool(value.is_finite() and value.rel_accuracy_bits() > 60)


def line(size: int) -> Matrix:
    """Return the chain 1 -> 2 -> ... -> n, from which it stays or begins again."""
    half = Fraction(1, 2)
    rows = [[Fraction(y == x + 1) for y in range(size)] for x in range(size)]
    rows[-1][0] = rows[-1][-1] = half
    return tuple(map(tuple, rows))


def worst_ratio(chain: Matrix, steps: int) -> Fraction:
    law = stationary_law(chain)
    return max(
        abs(p / share - 1) for row in power(chain, steps) for p, share in zip(row, law, strict=True)
    )


def bound(chain: Matrix, gap: arb, steps: int) -> arb:
    return (-gap * steps / 2).exp() / ball(min(stationary_law(chain)))


def test_norm_off_the_mean() -> None:
    """(P - 1 pi)(P - 1 pi)* has P P*'s polynomial with one root 1 replaced by 0."""
    rng = seeded("norm")
    for _ in range(instances(10, 30)):
        chain = some_matrix(rng)
        law, back = stationary_law(chain), reversal(chain)
        both = product(chain, back)
        off = tuple(tuple(e - p for e, p in zip(row, law, strict=True)) for row in chain)
        off_back = tuple(tuple(e - p for e, p in zip(row, law, strict=True)) for row in back)
        less = tuple(tuple(e - p for e, p in zip(row, law, strict=True)) for row in both)
        assert product(off, off_back) == less
        assert product(off, off) == tuple(
            tuple(e - p for e, p in zip(row, law, strict=True)) for row in product(chain, chain)
        )
        whole, rest = polynomial(both), polynomial(less)
        # (x - 1) rest = x whole, coefficient by coefficient.
        assert [a - b for a, b in zip([0, *rest], [*rest, 0], strict=True)] == [0, *whole]


def test_ratio_to_stationary() -> None:
    rng, strict = seeded("ratio"), 0
    for _ in range(40):
        chain = some_matrix(rng)
        gap, law = as_ball(eigengap(chain)), stationary_law(chain)
        sigma = (1 - gap).max(arb(0)).sqrt()
        for steps in range(1, 6):
            exact = power(chain, steps)
            for x, row in enumerate(exact):
                for y, entry in enumerate(row):
                    inner = (ball((1 / law[x] - 1) * (1 / law[y] - 1))).sqrt() * sigma**steps
                    assert not abs(ball(entry / law[y] - 1)) > inner
            assert not sigma**steps / ball(min(law)) > bound(chain, gap, steps)
            strict += bool(ball(worst_ratio(chain, steps)) < bound(chain, gap, steps))
    assert strict > 100


def test_gap_zero_by_pattern() -> None:
    rng, zeros = seeded("zero"), 0
    for _ in range(instances(50, 150)):
        chain = some_matrix(rng, WEIGHTS[:1])
        both = polynomial(product(chain, reversal(chain)))
        derivative = sum(at * c for at, c in enumerate(both))
        assert sum(both) == 0
        assert (eigengap(chain) == 0) == (derivative == 0)
        zeros += derivative == 0
        if period(chain) > 1:
            assert eigengap(chain) == 0
    assert 10 < zeros < 140


def test_dropped_multiplicity() -> None:
    for size in range(3, 9):
        chain, one = line(size), Fraction(1)
        assert stationary_law(chain) == (
            *[Fraction(1, size + 1)] * (size - 1),
            Fraction(2, size + 1),
        )
        found = polynomial(product(chain, reversal(chain)))
        assert found == expanded(Counter({one: size - 1, Fraction(1, 4): 1}))
        assert period(chain) == 1
        assert eigengap(chain) == 0
    printed = ball(Fraction(3, 4))
    assert worst_ratio(line(3), 4) == 1
    assert 4 * printed > 2 * arb(4).log()  # past the printed threshold
    assert bound(line(3), printed, 4) < ball(Fraction(8926, 10_000))
    assert min(map(min, power(line(4), 5))) == 0
    assert bound(line(4), printed, 5) < 1


def counted(steps: list[Matrix], start: int, marks: list[list[int]]) -> dict[int, Fraction]:
    """Return the law of the sum of marks over steps from a state, step by step."""
    states: dict[tuple[int, int], Fraction] = {(start, 0): Fraction(1)}
    for matrix, mark in zip(steps, marks, strict=True):
        following: dict[tuple[int, int], Fraction] = {}
        for (state, total), share in states.items():
            for target, chance in enumerate(matrix[state]):
                if chance:
                    key = (target, total + mark[target])
                    following[key] = following.get(key, Fraction(0)) + share * chance
        states = following
    law: dict[int, Fraction] = {}
    for (_, total), share in states.items():
        law[total] = law.get(total, Fraction(0)) + share
    return law


def density(law: dict[int, Fraction], scale: Fraction, at: int) -> arb:
    return sum((ball(p) * (-ball(abs(at - k) / scale)).exp() for k, p in law.items()), arb(0))


def test_printed_gap_leaks() -> None:
    """A released query whose loss between two states is above the epsilon that was promised."""
    size, length, node = 10, 50, 25
    chain, back = line(size), reversal(line(size))
    exact = Fraction(366583697520678398, 10**16)
    scale = as_ball(quilt_scale_approx(Fraction(1, 11), Fraction(3, 4), length, Fraction(1)))
    assert abs(scale - ball(exact)) < ball(Fraction(1, 10**15))
    powers = {}
    for matrix, way in ((chain, 1), (back, -1)):
        now = matrix
        for lag in range(1, max(length - node, node - 1) + 1):
            powers[way * lag] = now
            now = product(now, matrix)
    first, second = 8, 3  # states 9 and 4
    marks = {
        lag: [int(a > b) for a, b in zip(square[first], square[second], strict=True)]
        for lag, square in powers.items()
    }
    laws = []
    for state in (first, second):
        ahead = counted(
            [chain] * (length - node), state, [marks[t] for t in range(1, length - node + 1)]
        )
        behind = counted([back] * (node - 1), state, [marks[-t] for t in range(1, node)])
        own, law = int(state == first), {}
        for a, p in ahead.items():
            for b, q in behind.items():
                law[a + b + own] = law.get(a + b + own, Fraction(0)) + p * q
        assert sum(law.values()) == 1
        laws.append(law)
    losses = [
        (density(laws[0], exact, at) / density(laws[1], exact, at)).log()
        for at in range(length + 1)
    ]
    assert any(loss > ball(Fraction(12658, 10_000)) for loss in losses)
    assert all(loss < ball(Fraction(12659, 10_000)) for loss in losses)


def test_forward_ratio() -> None:
    rng, seen = seeded("forward"), 0
    for _ in range(40):
        chain = some_matrix(rng)
        gap = as_ball(eigengap(chain))
        for steps in range(1, 8):
            size = bound(chain, gap, steps)
            if size < 1:
                exact = power(chain, steps)
                most = max(max(column) / min(column) for column in zip(*exact, strict=True))
                assert ball(most) < (1 + size) / (1 - size)
                seen += 1
    assert seen > 40


def test_backward_factor() -> None:
    """Any law of X_(i-a) costs at most the square; the stationary law the first power."""
    rng, seen = seeded("backward"), 0
    for _ in range(instances(20, 60)):
        chain = some_matrix(rng)
        gap, pi = as_ball(eigengap(chain)), stationary_law(chain)
        before = [Fraction(rng.randint(0, 3)) for _ in chain]
        if not sum(before):
            continue
        before = [share / sum(before) for share in before]
        for steps in range(2, 8):
            size = bound(chain, gap, steps)
            if not size < 1:
                continue
            ratio, exact = (1 + size) / (1 - size), power(chain, steps)
            for law, limit in ((before, ratio**2), (pi, ratio)):
                now = [
                    sum(q * row[x] for q, row in zip(law, exact, strict=True))
                    for x in range(len(chain))
                ]
                posterior = [
                    [q * row[x] / now[x] for x in range(len(chain))]
                    for q, row in zip(law, exact, strict=True)
                    if q
                ]
                worst = max(max(row) / min(row) for row in posterior)
                assert ball(worst) < limit
                seen += 1
    assert seen > 100


def test_reversible_gap() -> None:
    rng, seen = seeded("reversible"), 0
    for _ in range(instances(13, 40)):
        chain = some_reversible(rng)
        assert is_reversible(chain)
        assert polynomial(product(chain, reversal(chain))) == polynomial(product(chain, chain))
        general, own = as_ball(eigengap(chain)), as_ball(eigengap_reversible(chain))
        assert not own < general
        assert not own > 2 * general
        largest = 1 - own / 2
        assert (general - (1 - largest**2)).contains(0)
        for steps in range(1, 5):
            assert not ball(worst_ratio(chain, steps)) > bound(chain, own, steps)
            seen += bool(bound(chain, own, steps) < bound(chain, general, steps))
    assert seen > 40


def test_several_steps_at_once() -> None:
    for size in (3, 4, 5):
        chain = line(size)
        for several in range(2, 2 * size):
            gap = as_ball(eigengap(power(chain, several)))
            if gap.contains(0):
                assert several < 2 * size - 2
                continue
            slower = gap / several
            floor = ball(min(stationary_law(chain))) * (-gap * (several - 1) / (2 * several)).exp()
            for steps in range(1, 16):
                limit = (-slower * steps / 2).exp() / floor
                assert not ball(worst_ratio(chain, steps)) > limit
    assert eigengap(line(4)) == 0 < as_ball(eigengap(power(line(4), 6)))


def w(mixing: Mixing, lag: int) -> float:
    share = math.exp(-float(mixing.gap) * lag / 2) / float(mixing.pi_min)
    return math.log((1 + share) / (1 - share)) if share < 1 else math.inf


def ratio(numerator: int, room: float) -> float:
    return numerator / room if room > 0 else math.inf


def test_influence_bound_is_convex() -> None:
    rng = seeded("convex")
    for _ in range(instances(10, 30)):
        mixing = Mixing(Fraction(rng.randint(1, 50), 100), Fraction(rng.randint(1, 200), 100))
        values = [mixing.influence(lag) for lag in range(1, 40)]
        finite = [value for value in values if value.is_finite()]
        assert values[len(values) - len(finite) :] == finite  # infinite ones come first
        falls = [before - after for before, after in pairwise(finite)]
        assert all(fall > 0 for fall in falls)
        assert all(earlier > later for earlier, later in pairwise(falls))


def some_class(rng: random.Random) -> tuple[Mixing, int, Fraction]:
    mixing = Mixing(Fraction(rng.randint(5, 50), 100), Fraction(rng.randint(5, 200), 100))
    return mixing, rng.randint(2, rng.choice([10, 40])), Fraction(rng.randint(1, 80), 10)


def least_scores(mixing: Mixing, length: int, epsilon: Fraction) -> list[tuple[Score, ...]]:
    """Return for each node the least scores by definition: two-sided, left, right, trivial."""
    table, most = [0.0, *(w(mixing, lag) for lag in range(1, length + 1))], float(epsilon)
    found = []
    for node in range(1, length + 1):
        before, after = range(1, node), range(1, length - node + 1)
        both = [ratio(a + b - 1, most - 2 * table[a] - table[b]) for a in before for b in after]
        left = [ratio(length - node + a, most - 2 * table[a]) for a in before]
        right = [ratio(node + b - 1, most - table[b]) for b in after]
        least = (min(part, default=math.inf) for part in (both, left, right))
        found.append((*least, length / most))
    return found


def endless(mixing: Mixing, epsilon: Fraction) -> float:
    """Return the least two-sided score of a chain without ends, by a plain search."""
    table = [0.0, *(w(mixing, lag) for lag in range(1, 400))]
    lags = range(1, 400)
    best = math.inf
    for a in lags:
        if 2 * table[a] < epsilon:
            best = min(
                best, *(ratio(a + b - 1, float(epsilon) - 2 * table[a] - table[b]) for b in lags)
            )
            if a > best * epsilon:
                break
    return best


# Scores in doubles have a relative error far below this; ties are what it is for.
CLOSE = 1e-9


def test_best_quilt_of_a_node() -> None:
    rng = seeded("best")
    for _ in range(instances(10, 40)):
        mixing, length, epsilon = some_class(rng)
        s = endless(mixing, epsilon)
        for both, left, right, trivial in least_scores(mixing, length, epsilon):
            by_quilts, by_law = min(both, left, right, trivial), min(s, left, right, trivial)
            assert math.isclose(by_quilts, by_law, rel_tol=CLOSE)


def test_worst_node() -> None:
    """The largest over the nodes by definition lies in the ball, whatever decides it."""
    rng, deciding = seeded("worst"), Counter[str]()
    for _ in range(150):
        mixing, length, epsilon = some_class(rng)
        scores = least_scores(mixing, length, epsilon)
        lefts, rights = [one[1] for one in scores], [one[2] for one in scores]
        assert all(a >= b for a, b in pairwise(lefts))
        assert all(a <= b for a, b in pairwise(rights))
        crossing = max(map(min, lefts, rights))
        for j in range(length - 1):
            assert crossing <= max(rights[j], lefts[j + 1])
        largest, s = max(min(one) for one in scores), endless(mixing, epsilon)
        assert math.isclose(largest, min(s, crossing, length / epsilon), rel_tol=CLOSE)
        found = as_ball(quilt_scale_approx(mixing.pi_min, mixing.gap, length, epsilon))
        assert narrow(found)
        assert math.isclose(largest, float(found.mid()), rel_tol=CLOSE)
        names = {s: "both", crossing: "one side", length / epsilon: "trivial"}
        deciding[names[min(names)]] += 1
    assert min(deciding[name] for name in ("both", "one side", "trivial")) > 3


def test_two_sided_optimum_decides() -> None:
    rng, seen = seeded("lemma"), 0
    for _ in range(instances(26, 80)):
        scores = least_scores(*some_class(rng))
        largest = max(min(one) for one in scores)
        for both, *others in scores:
            if both < min(others):
                assert math.isclose(both, largest, rel_tol=CLOSE)
                seen += 1
    assert seen > 50


def test_bound_from_any_multiplier() -> None:
    rng = seeded("multiplier")
    for _ in range(instances(10, 40)):
        mixing, _, epsilon = some_class(rng)
        kind = Kind(mixing, epsilon, -1, (QuiltSide(2), QuiltSide(1)))
        least = least_score(kind)
        assert narrow(least)
        for factor in (Fraction(1, 3), Fraction(99, 100), Fraction(101, 100), Fraction(3)):
            multiplier = least * ball(factor)
            sums = [
                min(
                    float((lag + multiplier * f * mixing.influence(lag)).mid())
                    for lag in range(1, 300)
                )
                for f in (2, 1)
            ]
            excess = -1 - float((multiplier * ball(epsilon)).mid()) + sum(sums)
            below = float(multiplier.mid()) * (1 + min(excess, 0))
            assert below <= float(least.mid()) * (1 + CLOSE)
            assert (excess >= -CLOSE) == (factor < 1)


def test_sign_of_the_difference() -> None:
    rng = seeded("difference")
    for _ in range(instances(8, 20)):
        mixing, _, wide = some_class(rng)
        lags = [lag for lag in range(1, 200) if w(mixing, lag) < math.inf][:60]
        first, last = lags[0], lags[-1]
        sums = [
            min(2 * w(mixing, a) + w(mixing, t + 1 - a) for a in range(first, t + 2 - first))
            for t in range(2 * first - 1, last)
        ]
        epsilon = float(wide)
        for offset, start, e in (
            (7, first, [w(mixing, lag) for lag in lags]),
            (0, 2 * first - 1, sums),
        ):
            signs = [
                epsilon - here - (offset + start + at) * (here - there)
                for at, (here, there) in enumerate(pairwise(e))
            ]
            assert all(a <= b + CLOSE for a, b in pairwise(signs))
            for at, value in enumerate(signs):
                n, here, there = offset + start + at, e[at], e[at + 1]
                if here < epsilon and there < epsilon and abs(value) > CLOSE:
                    rises = (n + 1) / (epsilon - there) > n / (epsilon - here)
                    assert rises == (value > 0)


def test_the_constant_depends_on_epsilon() -> None:
    """The running example of song2017: epsilon times the scale, T = 10^9."""
    pi, gap, before = Fraction(1, 5), Fraction(3, 4), arb(0)
    for text, known in (("1", "31.71"), ("1e-2", "59.65"), ("1e-6", "112.09"), ("1e-12", "188.54")):
        epsilon = Fraction(text)
        product = as_ball(quilt_scale_approx(pi, gap, 10**9, epsilon)) * ball(epsilon)
        floor = -(4 / ball(gap)) * (ball(pi) * ball(epsilon / 2).tanh()).log() - 1
        assert product > floor
        assert product > before
        assert abs(product - ball(Fraction(known))) < ball(Fraction(1, 100))
        before = product


def test_largest_eigenvalue_by_traces() -> None:
    rng = seeded("traces")
    for _ in range(instances(8, 20)):
        size = rng.randint(1, 6)
        values = [rng.choice([0, 1, 1, 2, 5]) for _ in range(size)]
        values[0] = max(1, values[0])
        square = arb_mat(
            size, size, [arb(v if x == y else 0) for x, v in enumerate(values) for y in range(size)]
        )
        largest, now = max(values), square
        for times in (1, 2, 3):
            assert not (square ** (2 * times)).trace() / (square**times).trace() > largest**times
            assert not (square**times).trace() < largest**times
        found = largest_eigenvalue(now)
        assert narrow(found)
        assert found.contains(largest)
