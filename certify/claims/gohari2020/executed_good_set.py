"""What the notes on the good set state in formulas, tried at exact points."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

from flint import arb, fmpq, fmpq_mat

from ....reference.arb.balls import ball
from ....reference.dirichlet.tail import Miss, probability
from ..forms import draws
from .polynomials import good_mass

_TRIALS = 25
_PAIRS = 120


def squares_of_half() -> bool:
    """Whether (x (1-x))^(-1/2), squared or multiplied out, gives 4 and 16/3."""
    middle, (one, other) = Fraction(1, 2), (Fraction(1, 4), Fraction(3, 4))
    product = 1 / (one * (1 - one) * other * (1 - other))  # its root is 16/3
    return (1 / (middle * (1 - middle)), product) == (Fraction(4), Fraction(16, 3) ** 2)


def pooled_integrals_agree() -> bool:
    """Whether the integral over three coordinates is Lemma 1's over two, W = {1, 2}, n = 4."""
    low = Fraction(1, 10)
    return all(
        good_mass((a, b, c, d), low, 2) == good_mass((a, b, c + d), low, 2)
        for a, b, c, d in ((1, 2, 1, 2), (2, 1, 3, 1), (2, 3, 1, 1), (3, 3, 2, 4))
    )


def tail_is_the_pooled_integral() -> bool:
    """Whether the reference's tail is what Lemma 1's integral leaves, whole parameters."""
    for random in draws(1, _TRIALS):
        a, b, c = (random.randint(1, 6) for _ in range(3))
        gamma = Fraction(random.randint(1, 49), 100)
        missed = probability(Miss.of([Fraction(a), Fraction(b)], Fraction(c), gamma))
        if not (1 - missed).overlaps(ball(good_mass((a, b, c), gamma, 2))):
            return False
    return True


def middles_tried() -> tuple[int, int]:
    """Return how many pairs of inputs were tried, and how many have P(middle)^2 < P P'."""
    failed = 0
    for random in draws(2, _PAIRS):
        w, k = random.randint(2, 3), Fraction(random.randint(1, 400), random.choice((4, 40)))
        rows = [[random.randint(1, 12) for _ in range(w + 1)] for _ in range(2)]
        first, second = ([k * x / sum(row) for x in row] for row in rows)
        failed += fails_in_the_middle(first, second, Fraction(random.randint(1, 99), 100 * w))
    return _PAIRS, failed


def fails_in_the_middle(first: list[Fraction], second: list[Fraction], gamma: Fraction) -> bool:
    """Whether P(good set)^2 at the middle of two inputs is certainly below the product at both."""
    between = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
    return bool(_good(between, gamma) ** 2 < _good(first, gamma) * _good(second, gamma))


def _good(parameters: list[Fraction], gamma: Fraction) -> arb:
    return 1 - probability(Miss.of(parameters[:-1], parameters[-1], gamma))


def single_middles_are_larger() -> bool:
    """Whether P(x >= gamma) at the middle of two inputs is above the mean of their logarithms."""
    for random in draws(3, _TRIALS):
        k = Fraction(random.randint(1, 400), random.choice((2, 200)))
        shares = sorted(Fraction(x, 100) for x in random.sample(range(1, 100), 2))
        gamma = Fraction(random.randint(1, 99), 100)
        ends = [_good([k * share, k - k * share], gamma) for share in shares]
        share = sum(shares, Fraction(0)) / 2
        if not bool(_good([k * share, k - k * share], gamma) ** 2 > ends[0] * ends[1]):
            return False
    return True


def residual_lives_fall() -> bool:
    """Whether m(c) of the logistic law, k = 2 and p = 1/2, falls along c = -3, ..., 3."""
    lives = [(1 + arb(c).exp()) * (1 + arb(-c).exp()).log() for c in range(-3, 4)]
    return all(bool(one > other) for one, other in pairwise(lives))


def vertices_of_w() -> bool:
    """Whether there are |W| + 1 vertices in p_W, at most |W|(|W|+1)/2."""
    return all(count_of_vertices(w, w) == w + 1 <= w * (w + 1) // 2 for w in range(2, 6))


def count_of_vertices(w: int, n: int) -> int:
    """Return how many vertices the closed bordered simplex has, by enumeration.

    n = w stands for the coordinates of W alone, n > w for all n, which sum to 1. The bounds are
    eta = 1/(2w+2) below on W, 0 below elsewhere, and 1 - eta_bar = 1 - eta above on W's sum.
    """
    eta = Fraction(1, 2 * w + 2)
    found = set()
    for tight in combinations(range(n + 1), n if n == w else n - 1):
        point = _where(tight, w, n, eta)
        if point is not None and _is_inside(point, w, eta):
            found.add(point)
    return len(found)


def _where(tight: tuple[int, ...], w: int, n: int, eta: Fraction) -> tuple[Fraction, ...] | None:
    """Return the point where these bounds are met, if there is one alone."""
    rows = [_row(bound, w, n, eta) for bound in tight]
    if n > w:
        rows.append(([1] * n, Fraction(1)))
    left = fmpq_mat(n, n, [fmpq(x) for row, _ in rows for x in row])
    if left.det() == 0:
        return None
    right = fmpq_mat(n, 1, [fmpq(v.numerator, v.denominator) for _, v in rows])
    return tuple(Fraction(int(x.p), int(x.q)) for x in left.solve(right).entries())


def _row(bound: int, w: int, n: int, eta: Fraction) -> tuple[list[int], Fraction]:
    if bound == n:
        return [int(at < w) for at in range(n)], 1 - eta
    return [int(at == bound) for at in range(n)], eta if bound < w else Fraction(0)


def _is_inside(point: tuple[Fraction, ...], w: int, eta: Fraction) -> bool:
    return min(point[:w]) >= eta and min(point) >= 0 and sum(point[:w]) <= 1 - eta


def points_of_tail(seed: int) -> Iterator[tuple[int, Fraction, Fraction, list[Fraction]]]:
    """Yield |W|, floor, rest and an increasing list of gammas below 1/|W|."""
    for random in draws(seed, _TRIALS):
        w = random.randint(1, 4)
        floor, rest = (Fraction(random.randint(1, 60), 10) for _ in range(2))
        gammas = sorted(Fraction(x, 100 * w) for x in random.sample(range(1, 100), 3))
        yield w, floor, rest, gammas


def tail_rises_with_gamma() -> bool:
    """Whether delta rises strictly with gamma."""
    for w, floor, rest, gammas in points_of_tail(4):
        found = [probability(Miss.of([floor] * w, rest, gamma)) for gamma in gammas]
        if not all(bool(one < other) for one, other in pairwise(found)):
            return False
    return True
