"""The laws of proofs_notes/markov-bounds.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import comb, factorial
from random import Random

import pytest
from ball_checks import as_ball, meets, seeded
from each import each_of
from flint import acb, arb, fmpq_mat
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dirichlet.utility import absolute_deviation, expected_kl
from simplexcert.reference.markov.bounds import stationary
from simplexcert.reference.markov.bounds.chain import closed_part, tail_of
from simplexcert.reference.markov.bounds.deviations import largest_deviation_bound
from simplexcert.reference.markov.stationary import exact_matrix, stationary_law

ZERO, ONE = Fraction(0), Fraction(1)
Vector = Sequence[Fraction]
Rows = tuple[tuple[Fraction, ...], ...]


def some_chain(rng: Random, n: int, zeros: bool = True) -> Rows:
    """Return a chain in which every state is followed by the next one, sometimes at least."""
    rows = []
    for state in range(n):
        counts = [rng.randint(0 if zeros else 1, 9) * rng.choice((1, 1, 20)) for _ in range(n)]
        counts[(state + 1) % n] += 1
        rows.append(tuple(Fraction(count, sum(counts)) for count in counts))
    return tuple(rows)


def some_private(rng: Random, P: Rows) -> Rows:
    """Return a matrix with the zeros of another one, as a private one has."""
    rows = []
    for row in P:
        weights = [share * rng.randint(1, 9) for share in row]
        rows.append(tuple(weight / sum(weights) for weight in weights))
    return tuple(rows)


def as_rows(matrix: fmpq_mat) -> Rows:
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in matrix.tolist())


def group_inverse(P: Rows) -> Rows:
    """Return (I - P + 1 pi)^-1 - 1 pi."""
    n, law = len(P), stationary_law(P)
    whole = exact_matrix([[(i == j) - P[i][j] + law[j] for j in range(n)] for i in range(n)])
    inverse = as_rows(whole.inv())
    return tuple(tuple(x - share for x, share in zip(row, law, strict=True)) for row in inverse)


def times(v: Vector, M: Rows) -> list[Fraction]:
    return [
        sum((x * y for x, y in zip(v, column, strict=True)), ZERO)
        for column in zip(*M, strict=True)
    ]


def product(M: Rows, N: Rows) -> Rows:
    return tuple(tuple(times(row, N)) for row in M)


def minus(M: Rows, N: Rows) -> Rows:
    return tuple(tuple(x - y for x, y in zip(a, b, strict=True)) for a, b in zip(M, N, strict=True))


def norm(v: Vector) -> Fraction:
    return sum(map(abs, v), ZERO)


def tau(M: Rows) -> Fraction:
    return max(norm([x - y for x, y in zip(a, b, strict=True)]) for a, b in combinations(M, 2)) / 2


def subsets(n: int) -> list[tuple[int, ...]]:
    return list(chain(*(combinations(range(n), size) for size in range(1, n))))


def one_row(p: Fraction) -> Rows:
    """Return two states: the first is left with probability p, the second for sure."""
    return ((1 - p, p), (ONE, ZERO))


def mean_distance(p: Fraction, a: int, b: int) -> arb:
    """Enclose E TV of pi = (1, x)/(1 + x) against (1, p)/(1 + p), x ~ Beta(a, b), a and b whole.

    |x - p|/((1 + x)(1 + p)): two integrals of analytic functions.
    """
    constant = Fraction(factorial(a + b - 1), factorial(a - 1) * factorial(b - 1)) / (1 + p)

    def part(x: acb, _: Cuts) -> acb:
        return ball(constant) * (x - ball(p)) / (1 + x) * x ** (a - 1) * (1 - x) ** (b - 1)

    with working_precision(600):
        below = integrate(part, arb(0), ball(p), 120)
        return integrate(part, ball(p), arb(1), 120) - below


def beta_below(a: int, b: int, x: Fraction) -> Fraction:
    """Return P(X <= x), X ~ Beta(a, b) with whole parameters, exactly."""
    x, k = min(max(x, ZERO), ONE), a + b - 1
    return sum((comb(k, j) * x**j * (1 - x) ** (k - j) for j in range(a, k + 1)), ZERO)


def test_transient_states_drop_out() -> None:
    rng = seeded("transient")
    for _ in range(instances(8, 20)):
        core = some_chain(rng, 3)
        loose = tuple(Fraction(x, 10) for x in (1, 2, 3, 4))
        P = (*((*row, ZERO) for row in core), loose)  # noqa: N806
        assert stationary_law(P) == (*stationary_law(core), ZERO)
        k = (Fraction(7), Fraction(9), Fraction(50), Fraction(1, 10))
        for bound in (stationary.stationary_bound_a, stationary.stationary_bound_c):
            assert meets(bound(P, k), bound(core, k[:3]))
    still = ((ONE, ZERO), (Fraction(1, 2), Fraction(1, 2)))
    assert stationary.stationary_bound(still, (ONE, ONE)) == 0


def test_perturbation_identity() -> None:
    rng = seeded("identity")
    for n in (2, 3, 4, 5) * 6:
        P = some_chain(rng, n)  # noqa: N806
        Q = some_private(rng, P)  # noqa: N806
        E = minus(Q, P)  # noqa: N806
        pi, private = stationary_law(P), stationary_law(Q)
        moved = [y - x for x, y in zip(pi, private, strict=True)]
        assert times(times(private, E), group_inverse(P)) == moved
        assert times(times(pi, E), group_inverse(Q)) == moved


def test_balanced_vectors_contract() -> None:
    rng = seeded("contract")
    for n in (2, 3, 4, 5) * 6:
        P = some_chain(rng, n)  # noqa: N806
        Q = some_private(rng, P)  # noqa: N806
        A, E = group_inverse(P), minus(Q, P)  # noqa: N806
        assert all(sum(row) == 0 for row in (*A, *E))
        largest = max(map(norm, E))
        moved = [y - x for x, y in zip(stationary_law(P), stationary_law(Q), strict=True)]
        weighted = sum(share * norm(row) for share, row in zip(stationary_law(Q), E, strict=True))
        assert norm(moved) <= tau(A) * weighted <= tau(A) * largest
        assert tau(product(E, A)) <= tau(A) * largest
        assert meets(closed_part(P, (ONE,) * n).condition, tau(A))


def test_first_order_part() -> None:
    """The variances by the covariances of Dirichlet rows, entry by entry."""
    rng = seeded("rate")
    for n in (2, 3, 4) * 5:
        P, k = some_chain(rng, n), [Fraction(rng.randint(1, 500), 10) for _ in range(n)]  # noqa: N806
        A, pi = group_inverse(P), stationary_law(P)  # noqa: N806
        found = closed_part(P, k)
        for column, deviation in enumerate(found.deviations):
            square = sum(
                pi[i] ** 2
                * P[i][a]
                * ((a == b) - P[i][b])
                * A[a][column]
                * A[b][column]
                / (k[i] + 1)
                for i in range(n)
                for a in range(n)
                for b in range(n)
            )
            assert meets(deviation**2, square) if square else deviation.is_zero()
        for state in found.random_states:
            largest = max(column.variance for column in found.columns[state])
            assert found.size_bound(state) ** 2 >= largest / ball(k[state] + 1) * (
                1 - arb(2) ** -60
            )


def test_expansion() -> None:
    rng = seeded("expansion")
    seen = 0
    for n in (2, 3, 4) * 20:
        P = some_chain(rng, n, zeros=False)  # noqa: N806
        mixed = Fraction(1, rng.choice((1, 3, 10)))
        far = some_private(rng, P)
        Q = tuple(  # noqa: N806
            tuple(mixed * y + (1 - mixed) * x for x, y in zip(a, b, strict=True))
            for a, b in zip(P, far, strict=True)
        )
        A, E = group_inverse(P), minus(Q, P)  # noqa: N806
        stretch, EA = tau(product(E, A)), product(E, A)  # noqa: N806
        pi, private = stationary_law(P), stationary_law(Q)
        v = [y - x for x, y in zip(pi, private, strict=True)]
        u = times(pi, EA)
        assert v == [x + y for x, y in zip(u, times(v, EA), strict=True)]
        assert norm(times(u, EA)) <= stretch * norm(u)
        assert norm(v) <= norm(u) + stretch * norm(v)
        assert norm(v) <= norm(u) + (tau(A) * max(map(norm, E))) ** 2
        if stretch < 1:
            seen += 1
            assert norm(v) <= norm(u) + norm(times(u, EA)) / (1 - stretch)
    assert seen > 20


def test_variance_of_a_sum_of_columns() -> None:
    rng = seeded("sums")
    for n in (2, 3, 4, 5) * 4:
        P = some_chain(rng, n)  # noqa: N806
        A, found = group_inverse(P), closed_part(P, (ONE,) * n)  # noqa: N806
        for state in found.random_states:
            reach = found.supports[state]
            for cells in subsets(n):
                values = {a: sum(A[a][j] for j in cells) for a in reach}
                mean = sum(P[state][a] * values[a] for a in reach)
                variance = sum(P[state][a] * (values[a] - mean) ** 2 for a in reach)
                rounding = 1 - arb(2) ** -60  # equality occurs
                assert found.variance_bounds[state] >= ball(variance) * rounding
                assert (
                    found.local_condition(state)
                    >= ball(max(values.values()) - min(values.values())) * rounding
                )


def test_pairs_of_rows() -> None:
    """For two states rho = kappa |x - p - (y - q)|; y = q for sure where one row is random."""
    a, b, p = 10, 30, Fraction(1, 4)
    alone, kappa = closed_part(one_row(p), (Fraction(40), ONE)), 1 / (1 + p)
    both = closed_part(((1 - p, p), (p, 1 - p)), (Fraction(40),) * 2)
    assert meets(alone.condition, kappa)
    assert meets(both.condition, 1 / (2 * p))
    for r in (Fraction(j, 32) for j in range(1, 8)):
        gap = r / kappa
        one = beta_below(a, b, p - gap) + 1 - beta_below(a, b, p + gap)
        assert ball(one) < tail_of(alone)(r)
        gap, cells = 2 * p * r, [Fraction(j, 40) for j in range(41)]
        two = sum(  # E_1 - E_2 = (-(x - p) - (y - p)) in the first entry: |x + y - 2 p| > gap
            (beta_below(a, b, high) - beta_below(a, b, low))
            * (beta_below(a, b, 2 * p - gap - high) + 1 - beta_below(a, b, 2 * p + gap - low))
            for low, high in pairwise(cells)
        )
        assert ball(two) < tail_of(both)(r)
    assert ball(two) > arb(2) ** -40
    _check_exponents()


def _check_exponents() -> None:
    """The values of s that the proof takes give the exponents that it states."""
    rng = seeded("exponents")
    for _ in range(instances(10, 30)):
        r, v, c, t = (Fraction(rng.randint(1, 99), rng.randint(1, 99)) for _ in range(4))
        s = r / (v + c * r)
        assert s * c < 1
        assert s**2 * v / (2 * (1 - c * s)) - s * r == -(r**2) / (2 * (v + c * r))
        s = 2 * r / (t**2 + 2 * r * c * t)
        exponent = s**2 * t**2 / (2 * (1 - s * c * t)) - 2 * r * s
        assert exponent == -(r**2) / (2 * (t**2 / 4 + c * t * r / 2))


def some_forms() -> list[tuple[Rows, tuple[Fraction, ...]]]:
    rare = Fraction(1, 1000)
    blocks = (
        (Fraction(1, 2) - rare, Fraction(1, 2), rare, ZERO),
        (Fraction(1, 2), Fraction(1, 2), ZERO, ZERO),
        (ZERO, ZERO, Fraction(1, 2), Fraction(1, 2)),
        (ZERO, rare, Fraction(1, 2), Fraction(1, 2) - rare),
    )
    rng = seeded("forms")
    return [(blocks, (Fraction(150000),) * 4), (some_chain(rng, 5), (Fraction(300),) * 5)]


@pytest.mark.parametrize(("P", "k"), some_forms())
def test_private_condition(P: Rows, k: tuple[Fraction, ...]) -> None:
    """The pathwise inequality, and the bound as Jensen's inequality leaves it."""
    rng = seeded("private")
    pi = stationary_law(P)
    for _ in range(10):
        Q = some_private(rng, P)  # noqa: N806
        E = minus(Q, P)  # noqa: N806
        moved = norm([y - x for x, y in zip(pi, stationary_law(Q), strict=True)])
        sizes = sum(share * norm(row) for share, row in zip(pi, E, strict=True))
        assert moved <= tau(group_inverse(Q)) * sizes
    separate = sum(
        (
            ball(share) * (2 * as_ball(expected_kl(row, one))).sqrt()
            for share, row, one in zip(pi, P, k, strict=True)
        ),
        arb(0),
    )
    assert separate / 2 <= as_ball(stationary.stationary_bound_private(P, k)) * (1 + arb(2) ** -60)


def test_repaired_theorem_four() -> None:
    counts = ((12, 5, 1), (3, 4, 3), (0, 2, 9))
    k = (Fraction(20), Fraction(8), Fraction(30))
    P = tuple(tuple(Fraction(x, sum(row)) for x in row) for row in counts)  # noqa: N806
    kappa = tau(group_inverse(P))
    found = as_ball(stationary.stationary_bound_repair(counts, k))
    sizes = sum((2 * as_ball(expected_kl(row, one)) for row, one in zip(P, k, strict=True)), arb(0))
    assert found > ball(kappa / 2) * sizes.sqrt()
    squares = [row.size_bound**2 for row in closed_part(P, k).rows]
    means = [row.mean_deviation**2 for row in closed_part(P, k).rows]
    assert sizes > sum(means, arb(0))
    assert all(mean < square for mean, square in zip(means, squares, strict=True))


def test_one_concentration() -> None:
    rng = seeded("uniform")
    for n in (2, 3, 5, 8):
        for k in (Fraction(1, 2), Fraction(30), Fraction(10**5)):
            P = some_chain(rng, n, zeros=False)  # noqa: N806
            free = 2 * ball(n * (2**n - 2)).log() / ball(k + 1)
            bound = as_ball(largest_deviation_bound(P, (k,) * n))
            assert bound < free.sqrt() * (1 + arb(1) / 100)  # theta is on a grid
            kappa = ball(tau(group_inverse(P)))
            assert meets(stationary.stationary_bound_uniform(P, k), kappa / 2 * free.sqrt())


BOUNDS: list[Callable[[Rows, tuple[Fraction, ...]], arb | Fraction]] = [
    stationary.stationary_bound_a,
    stationary.stationary_bound_b,
    stationary.stationary_bound_c,
    stationary.stationary_bound,
]


@each_of("bound", BOUNDS)
def test_bounds_hold(bound: Callable[[Rows, tuple[Fraction, ...]], arb | Fraction]) -> None:
    for a, b in ((1, 1), (1, 9), (3, 2), (20, 20), (5, 95), (400, 400)):
        p, k = Fraction(a, a + b), Fraction(a + b)
        true = mean_distance(p, a, b)
        assert true.rel_accuracy_bits() > 40
        assert true < as_ball(bound(one_row(p), (k, ONE)))
        # D = |x - p| times kappa pi~_1 2, and kappa = 1/(1 + p)
        assert true <= as_ball(absolute_deviation(p, k)) / ball(1 + p)
