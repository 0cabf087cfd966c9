"""The laws of proofs_notes/markov-coefficient.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import comb
from random import Random

from ball_checks import as_ball, meets, seeded
from flint import arb
from simplexcert.certify.papers.benvenuti2025 import chains as tried_chains
from simplexcert.certify.papers.fallin2023 import bracket
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.dirichlet.utility import absolute_deviation
from simplexcert.reference.markov.bounds.ergodicity import (
    ergodicity_bound,
    ergodicity_bound_a,
    ergodicity_bound_b,
    ergodicity_bound_repair,
    ergodicity_floor,
    mean_deviations,
    mean_difference,
)
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.printed import theorem_5

ZERO, ONE = Fraction(0), Fraction(1)
Rows = tuple[tuple[Fraction, ...], ...]
RARE = ((499999, 1, 500000), (2, 1, 2), (500000, 1, 499999))
EQUAL = ((481, 481, *[1] * 38),) * 40


def some_matrix(rng: Random, n: int) -> Rows:
    rows = []
    for _ in range(n):
        counts = [rng.randint(0, 9) for _ in range(n)]
        counts[rng.randrange(n)] += 1
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def chain_of(counts: Sequence[Sequence[int]]) -> Rows:
    return tuple(tuple(Fraction(x, sum(row)) for x in row) for row in counts)


def beta_below(a: int, b: int, x: Fraction) -> Fraction:
    """Return P(X <= x), X ~ Beta(a, b) with whole parameters, exactly."""
    k = a + b - 1
    return sum((comb(k, j) * x**j * (1 - x) ** (k - j) for j in range(a, k + 1)), ZERO)


def test_change_by_columns() -> None:
    assert tried_chains.coefficient_moves_by_columns()
    counts, k = ((12, 5, 1), (3, 4, 3), (0, 2, 9)), (Fraction(20), Fraction(8), Fraction(30))
    assert as_ball(ergodicity_bound_repair(counts, k)) > as_ball(
        ergodicity_bound_a(chain_of(counts), k)
    )


def test_largest_column() -> None:
    """For two outcomes of equal chance, by hand; and T5-B is the least of what it says."""
    assert bracket.largest_is_below()
    assert bracket.aven_on_finite_laws()
    rng = seeded("largest")
    for n in (2, 3, 4) * 4:
        matrix, k = some_matrix(rng, n), tuple(Fraction(rng.randint(1, 99)) for _ in range(n))
        sums = [sum(column, arb(0)) for column in zip(*mean_deviations(matrix, k), strict=True)]
        bound = as_ball(ergodicity_bound_b(matrix, k))
        assert all(bound >= found * (1 - arb(2) ** -60) for found in sums)


def attaining(column: Sequence[Fraction]) -> set[int]:
    """Return the entries that have a sign in some z that attains the spread, by trying them all."""
    n = len(column)
    signs = [z for z in product((-1, 0, 1), repeat=n) if sum(z) == 0 and z.count(0) == n % 2]
    values = {z: sum((s * x for s, x in zip(z, column, strict=True)), ZERO) for z in signs}
    best = max(values.values())
    return {at for z, value in values.items() if value == best for at in range(n) if z[at]}


def test_moving_column() -> None:
    rng = seeded("moving")
    for n in (2, 3, 4, 5) * 8:
        matrix, k = some_matrix(rng, n), tuple(Fraction(rng.randint(1, 99)) for _ in range(n))
        floor = as_ball(ergodicity_floor(matrix, k))
        most = ergodicity_coefficient(matrix)
        for column in zip(*matrix, strict=True):
            members = attaining(column)
            if sum(abs(x - sorted(column)[n // 2]) for x in column) == most:
                for at in members:
                    found = as_ball(absolute_deviation(column[at], k[at])) / 2
                    assert floor >= found * (1 - arb(2) ** -60)
    # The lonely median of three has no sign, and it alone is random: the floor is 0.
    still = ((ONE, ZERO, ZERO), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (ZERO, ONE, ZERO))
    assert attaining([row[0] for row in still]) == {0, 2}
    assert ergodicity_coefficient(still) == ONE
    assert ergodicity_floor(still, (ONE,) * 3) == 0


def test_pairs_of_entries() -> None:
    rng = seeded("pairs")
    for n in (2, 3, 4, 5) * 5:
        matrix = some_matrix(rng, n)
        coefficient = ergodicity_coefficient(matrix)
        for column in zip(*matrix, strict=True):
            for order in list(permutations(column))[:40]:
                apart = (abs(order[2 * i] - order[2 * i + 1]) for i in range(n // 2))
                assert coefficient >= sum(apart, ZERO)
            ordered = sorted(column)
            found = sum(
                (high - low for low, high in zip(ordered[: n // 2], ordered[::-1], strict=False)),
                ZERO,
            )
            median = ordered[n // 2]
            assert found == sum(abs(x - median) for x in column)
    for a, b, c, d in ((3, 9, 2, 10), (5, 5, 6, 4), (1, 3, 1, 7)):
        true = gini(a, b, c, d)
        p, q = Fraction(a, a + b), Fraction(c, c + d)
        assert true > ball(abs(p - q))
        for share, k in ((p, a + b), (q, c + d)):
            assert true > as_ball(absolute_deviation(share, Fraction(k))) - ball(abs(p - q))


def gini(a: int, b: int, c: int, d: int) -> arb:
    """Return E |X - X'| for Beta(a, b), Beta(c, d): the integral of F(1-G) + G(1-F), exactly."""
    f, g = cdf(a, b), cdf(c, d)
    both = times(f, g)
    size = len(both)
    mixed = [
        (f[i] if i < len(f) else ZERO) + (g[i] if i < len(g) else ZERO) - 2 * both[i]
        for i in range(size)
    ]
    return ball(sum((x / (i + 1) for i, x in enumerate(mixed)), ZERO))


def cdf(a: int, b: int) -> list[Fraction]:
    """Return the coefficients of P(X <= x) as a polynomial."""
    k = a + b - 1
    found = [ZERO] * (k + 1)
    for j in range(a, k + 1):
        for i in range(k - j + 1):
            found[j + i] += comb(k, j) * comb(k - j, i) * (-1) ** i
    return found


def times(f: list[Fraction], g: list[Fraction]) -> list[Fraction]:
    found = [ZERO] * (len(f) + len(g) - 1)
    for i, x in enumerate(f):
        for j, y in enumerate(g):
            found[i + j] += x * y
    return found


def test_mean_difference() -> None:
    for a, b in ((1, 1), (1, 5), (2, 3), (4, 4), (6, 18), (12, 2)):
        k = a + b
        assert sum(cdf(a, b)) == 1
        assert beta_below(a, b, Fraction(1, 3)) == sum(
            x * Fraction(1, 3) ** i for i, x in enumerate(cdf(a, b))
        )
        assert meets(mean_difference(Fraction(a, k), Fraction(k)), gini(a, b, a, b), bits=80)
        assert gini(a, b, 2 * a, 2 * b) > mean_difference(Fraction(a, k), Fraction(2 * k))
        assert mean_difference(Fraction(a, k), Fraction(k)) > as_ball(
            absolute_deviation(Fraction(a, k), Fraction(k))
        )


def test_bounds_hold() -> None:
    for p, k in ((Fraction(1, 3), Fraction(6)), (Fraction(99, 100), Fraction(5, 2))):
        matrix, both = ((p, 1 - p), (ZERO, ONE)), (k, ONE)
        change = as_ball(absolute_deviation(p, k))
        assert meets(ergodicity_bound_a(matrix, both), change, bits=80)
        assert as_ball(ergodicity_bound_b(matrix, both)) >= change
        assert meets(as_ball(ergodicity_floor(matrix, both)) * 2, change, bits=80)
        equal = ((p, 1 - p), (p, 1 - p))
        exact = mean_difference(p, k)
        assert meets(ergodicity_floor(equal, (k, k)), exact, bits=80)
        assert as_ball(ergodicity_bound(equal, (k, k))) > exact


def test_counterexamples() -> None:
    k = (Fraction(1500000), Fraction(15, 2), Fraction(1500000))
    floor, printed = as_ball(ergodicity_floor(chain_of(RARE), k)), as_ball(theorem_5(RARE, k))
    assert floor > ball(Fraction("0.05500"))
    assert printed < ball(Fraction("0.00137"))
    many = (Fraction(1500),) * 40
    floor, printed = (
        as_ball(ergodicity_floor(chain_of(EQUAL), many)),
        as_ball(theorem_5(EQUAL, many)),
    )
    assert floor > ball(Fraction("0.29106"))
    assert printed < ball(Fraction("0.16965"))
