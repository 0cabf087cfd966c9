"""The laws of proofs_notes/markov-deviations.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations
from math import comb, factorial, lcm, prod

from ball_checks import as_ball, meets, seeded
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet.utility import absolute_deviation, expected_kl
from simplexcert.reference.markov.bounds.deviations import (
    Row,
    cumulant_bound,
    expected_deviations,
    exponents,
    largest_deviation_bound,
    largest_deviation_square_bound,
    log_moment_of,
    log_sum,
    mean_by_exponents,
    private_rows,
    square_by_exponents,
)

ONE, HALF = Fraction(1), Fraction(1, 2)
Rng = type(seeded(0))
# Terms of a moment generating function: for |s| <= 12 the rest is below 12^80/80!, 2^-100.
TERMS, LARGEST = 80, 12


def some_share(rng: Rng) -> Fraction:
    return Fraction(rng.randint(1, 99), 100)


def some_k(rng: Rng) -> Fraction:
    return Fraction(f"{10 ** rng.uniform(-2, 3):.4g}")


def some_law(rng: Rng, n: int) -> tuple[Fraction, ...]:
    counts = [rng.randint(1, 40) for _ in range(n)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


def beta_generating(p: Fraction, k: Fraction, s: Fraction) -> arb:
    """Enclose E e^(s (X - p)), X ~ Beta(k p, k (1-p)), by the confluent function."""
    return ball(s).hypgeom_1f1(ball(k * p), ball(k)) * ball(-s * p).exp()


def form_moments(w: tuple[Fraction, ...], p: tuple[Fraction, ...], k: Fraction) -> list[Fraction]:
    """Return the moments of w X, X ~ Dirichlet(k p): E (w X)^m (k)_m / m! is the coefficient.

    Of t^m in the product of (1 - w_j t)^(-k p_j), whose logarithmic derivative gives a recurrence.
    """
    powers = [sum(k * q * x**m for x, q in zip(w, p, strict=True)) for m in range(1, TERMS + 1)]
    found = [ONE]
    for m in range(1, TERMS):
        found.append(sum(powers[i] * found[m - 1 - i] for i in range(m)) / m)
    rising = ONE
    moments = []
    for m, coefficient in enumerate(found):
        moments.append(coefficient * factorial(m) / rising)
        rising *= k + m
    return moments


def form_generating(
    w: tuple[Fraction, ...], p: tuple[Fraction, ...], k: Fraction, s: Fraction
) -> arb:
    """Enclose E e^(s (w X - w p)) for w in [0, 1]; the moments are at most 1."""
    assert abs(s) <= LARGEST
    terms = (s**m * moment / factorial(m) for m, moment in enumerate(form_moments(w, p, k)))
    rest = ball(2 * abs(s) ** TERMS / factorial(TERMS))
    mean = sum(x * q for x, q in zip(w, p, strict=True))
    return (ball(sum(terms)) + rest * arb(0, 1)) * ball(-s * mean).exp()


def subsets(n: int) -> list[tuple[int, ...]]:
    """Return the sets of cells that are neither empty nor everything."""
    return list(chain(*(combinations(range(n), size) for size in range(1, n))))


def test_beta_is_sub_gaussian() -> None:
    rng = seeded("gauss")
    for _ in range(instances(26, 80)):
        p, k, s = some_share(rng), some_k(rng), Fraction(rng.randint(-400, 400), 20)
        if s:
            with working_precision(400):
                assert beta_generating(p, k, s).log() < ball(s**2 / (8 * (k + 1)))


def test_beta_is_sub_gamma() -> None:
    rng = seeded("gamma")
    for _ in range(instances(13, 40)):
        p, k = some_share(rng), some_k(rng)
        c = max(Fraction(0), 1 - 2 * p)
        s = Fraction(rng.randint(1, 99), 100) * ((k + 1) / c if c else 10 * (k + 1))
        with working_precision(400):
            bound = ball(s**2 * p * (1 - p) / (2 * (k + 1 - c * s)))
            assert beta_generating(p, k, s).log() < bound
            small = Fraction(1, 10**6)
            ratio = beta_generating(p, k, small).log() * ball(
                (k + 1) * 2 / (small**2 * p * (1 - p))
            )
            assert abs(ratio - 1) < ball(small)  # the variance is v/(k+1)


def test_widest_set() -> None:
    rng = seeded("widest")
    for _ in range(instances(20, 60)):
        row = Row(ONE, some_law(rng, rng.randint(2, 6)))
        masses = [sum(row.shares[j] for j in cells) for cells in subsets(len(row.shares))]
        widest = max(mass * (1 - mass) for mass in masses)
        assert widest <= row.widest
        if max(row.shares) >= HALF:
            assert widest == row.widest
        theta = Fraction(rng.randint(1, 60), 10)
        for mass in masses:
            assert beta_generating(mass, row.k, 2 * theta).log() <= ball(cumulant_bound(row, theta))


def test_linear_form_is_a_beta() -> None:
    rng = seeded("split")
    for _ in range(instances(12, 40)):
        n, k = rng.randint(2, 4), some_k(rng)
        p = some_law(rng, n)
        w = tuple(Fraction(rng.randint(0, 20), 20) for _ in range(n))
        mean = sum(x * q for x, q in zip(w, p, strict=True))
        s = Fraction(rng.choice((-1, 1)) * rng.randint(10, 10 * LARGEST), 10)
        if len(set(w)) > 1:
            form = form_generating(w, p, k, s)
            assert form.rel_accuracy_bits() > 60
            if set(w) == {0, 1}:
                assert form.overlaps(beta_generating(mean, k, s))
            else:
                assert form < beta_generating(mean, k, s)
            spread = max(w) - min(w)
            assert form.log() < ball(s**2 * spread**2 / (8 * (k + 1)))


def test_linear_form_is_sub_gamma() -> None:
    rng = seeded("form")
    for _ in range(instances(12, 40)):
        n = rng.randint(2, 4)
        p, k = some_law(rng, n), some_k(rng)
        w = tuple(Fraction(rng.randint(0, 20), 20) for _ in range(n))
        mean = sum(x * q for x, q in zip(w, p, strict=True))
        variance = sum(q * (x - mean) ** 2 for x, q in zip(w, p, strict=True))
        b = max(w) - mean
        if b:
            s = min(Fraction(LARGEST), k / b) * Fraction(rng.randint(1, 95), 100)
            bound = ball(s**2 * variance / (2 * k * (1 - s * b / k)))
            assert form_generating(w, p, k, s).log() < bound


def two_cell_distribution(p: Fraction, k: int) -> Callable[[Fraction], Fraction]:
    """Return t -> P(2 |x - p| <= t), x ~ Beta(k p, k (1-p)) with whole parameters, exactly."""
    a, b = int(k * p), int(k * (1 - p))
    assert a == k * p

    def below(x: Fraction) -> Fraction:
        x = min(max(x, Fraction(0)), ONE)
        return sum(
            (comb(k - 1, j) * x**j * (1 - x) ** (k - 1 - j) for j in range(a, k)), Fraction(0)
        )

    assert b > 0
    return lambda t: below(p + t / 2) - below(p - t / 2)


def mean_of_largest(rows: list[tuple[Fraction, int]], power: int) -> arb:
    """Enclose E max R_i^power for rows of two cells: a monotone integrand over a grid."""
    laws = [two_cell_distribution(p, k) for p, k in rows]
    grid = [Fraction(2 * i, 160) for i in range(161)]
    missed = [1 - prod(law(t) for law in laws) for t in grid]
    steps = [
        (ball(late**power - early**power), ball(high), ball(low))
        for early, late, high, low in zip(grid, grid[1:], missed, missed[1:], strict=False)
    ]
    upper = sum((width * high for width, high, _ in steps), arb(0))
    lower = sum((width * low for width, _, low in steps), arb(0))
    return lower.union(upper)


ROWS = [
    [(Fraction(1, 2), 4), (Fraction(1, 3), 6)],
    [(Fraction(1, 4), 8)] * 3,
    [(Fraction(1, 20), 20), (Fraction(1, 20), 40)],
    [(Fraction(1, 2), 2)] * 6,
]


def as_rows(rows: list[tuple[Fraction, int]]) -> list[Row]:
    return [Row(Fraction(k), (p, 1 - p)) for p, k in rows]


@each_of("cells", ROWS)
def test_deviation_by_exponents(cells: list[tuple[Fraction, int]]) -> None:
    rows = as_rows(cells)
    true = mean_of_largest(cells, 1)
    for theta in exponents(rows, len(rows)):
        assert mean_by_exponents(theta, log_sum(rows, theta)) > true


@each_of("cells", ROWS)
def test_square_by_exponents(cells: list[tuple[Fraction, int]]) -> None:
    rows = as_rows(cells)
    true = mean_of_largest(cells, 2)
    for theta in exponents(rows, len(rows)):
        assert square_by_exponents(theta, log_sum(rows, theta)) > true


def test_divergence_moments() -> None:
    """For whole k p and l p the mean is a quotient of factorials, entry by entry."""
    rng = seeded("moments")
    for _ in range(instances(10, 30)):
        n = rng.randint(2, 4)
        p = some_law(rng, n)
        common = lcm(*(q.denominator for q in p))
        k, l = Fraction(3 * common), Fraction(common)  # noqa: E741
        mean = ONE
        for q in p:  # E of the product of X_j^(-l p_j) for Dirichlet with whole parameters
            mean *= q ** int(l * q) * Fraction(
                factorial(int((k - l) * q) - 1), factorial(int(k * q) - 1)
            )
        mean *= Fraction(factorial(int(k) - 1), factorial(int(k - l) - 1))
        with working_precision(400):
            found = log_moment_of(Row(k, p))(l)
            assert meets(found.exp(), mean, bits=100)
            assert found / ball(l) > as_ball(expected_kl(p, k))  # Jensen
            assert as_ball(expected_deviations((p,), (k,))[0]) ** 2 < 2 * found / ball(l)  # Pinsker


def test_largest_of_several() -> None:
    rng = seeded("aven")
    for _ in range(instances(33, 100)):
        values = [Fraction(rng.randint(-50, 50)) for _ in range(rng.randint(2, 8))]
        m, mean = len(values), sum(values) / len(values)
        squares = sum((value - mean) ** 2 for value in values)
        assert (max(values) - mean) ** 2 <= squares * (m - 1) / m
    peak = [Fraction(5), *[Fraction(-1)] * 5]
    assert sum(value**2 for value in peak) * 5 / 6 == 25


def test_size_of_a_row() -> None:
    rng = seeded("size")
    for _ in range(instances(13, 40)):
        k, p = some_k(rng), some_share(rng)
        two = Row(k, (p, 1 - p))
        assert meets(two.size_bound**2, 4 * p * (1 - p) / (k + 1))
        row = Row(k, some_law(rng, rng.randint(3, 5)))
        least = sum(q * (1 - q) for q in row.shares) / (k + 1)
        assert row.size_bound**2 > ball(least)
        assert row.size_bound > row.mean_deviation


@each_of("cells", ROWS)
def test_bounds_hold(cells: list[tuple[Fraction, int]]) -> None:
    size = max(len(cells), 2)
    matrix = tuple((p, 1 - p, *[Fraction(0)] * (size - 2)) for p, _ in cells)
    k = tuple(Fraction(k) for _, k in cells)
    first, second = largest_deviation_bound(matrix, k), largest_deviation_square_bound(matrix, k)
    assert as_ball(first) > mean_of_largest(cells, 1)
    assert as_ball(second) > mean_of_largest(cells, 2)
    p = cells[0][0]
    alone = ((p, 1 - p), (ONE, Fraction(0)))
    assert meets(largest_deviation_bound(alone, k[:2]), 2 * as_ball(absolute_deviation(p, k[0])))
    assert private_rows(((ONE, Fraction(0)), (Fraction(0), ONE)), (ONE, ONE)) == []
