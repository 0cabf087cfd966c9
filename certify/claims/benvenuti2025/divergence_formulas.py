"""The formulas behind the entries on divergences, tried at exact points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, trigamma
from ....reference.dirichlet.kl import divergence_from, vertex
from ....reference.markov.printed import benvenuti2025
from ....reference.markov.stationary import stationary_law
from ..forms import draws
from .forms import shares

_TRIALS = 25
Counts = tuple[tuple[int, ...], ...]


def total(values: Sequence[arb]) -> arb:
    """Return the sum of balls."""
    return sum(values, arb(0))


def mean_divergence(law: Sequence[Fraction], k: Fraction) -> arb:
    """Enclose E KL(p || x), x of Dirichlet(k p), a law that is no vertex."""
    found = divergence_from(Counter(law), k)
    return found if isinstance(found, arb) else ball(found)


def _drawn_counts(random: Random, size: int = 3, most: int = 12) -> tuple[int, ...]:
    return tuple(random.randint(1, most) for _ in range(size))


def _log_mean(a: int, whole: int) -> Fraction:
    """Return E log x for x of Beta(a, whole - a), whole numbers: minus a piece of a harmonic sum.

    Integration by parts lowers the first parameter from one whole number to the next.
    """
    return -sum((Fraction(1, j) for j in range(a, whole)), Fraction(0))


def log_means_are_digammas() -> bool:
    """Whether E log x = psi(a) - psi(a + b) for whole a, b."""
    return all(
        ball(_log_mean(a, a + b)).overlaps(digamma(arb(a)) - digamma(arb(a + b)))
        for a in range(1, 9)
        for b in range(1, 9)
    )


def divergences_are_sums() -> bool:
    """Whether (8) is sum p (log p - E log x) for whole parameters, E log x in rationals."""
    for random in draws(31, _TRIALS):
        counts = _drawn_counts(random)
        whole, law = sum(counts), shares(counts)
        pairs = list(zip(law, counts, strict=True))
        by_parts = total([ball(p) * (ball(p).log() - ball(_log_mean(c, whole))) for p, c in pairs])
        if not by_parts.overlaps(mean_divergence(law, Fraction(whole))):
            return False
    return True


def trigamma_is_its_series() -> bool:
    """Whether psi'(x) lies between 300 terms of (15) and the same with the rest's integral."""
    for random in draws(32, _TRIALS):
        x = Fraction(random.randint(1, 400), 20)
        head = total([1 / ball(x + n) ** 2 for n in range(300)])
        low, high = head + 1 / ball(x + 300), head + 1 / ball(x + 299)
        if not bool(low < trigamma(ball(x)) < high):
            return False
    return True


def excess(x: Fraction) -> arb:
    """Enclose F(x) = x (log x - psi(x))."""
    return ball(x) * (ball(x).log() - digamma(ball(x)))


def excess_is_convex_and_falls() -> bool:
    """Whether F falls from 1 to 1/2, convexly, on a grid of equal steps."""
    grid = [excess(Fraction(at, 10)) for at in range(1, 200)]
    falls = [x - y for x, y in pairwise(grid)]
    between = all(bool(value < 1) and bool(value > ball(Fraction(1, 2))) for value in grid)
    return (
        between
        and all(bool(fall > 0) for fall in falls)
        and all(bool(x > y) for x, y in pairwise(falls))
    )


def vertex_has_the_largest() -> bool:
    """Whether no counts without a 0 have a larger mean divergence than Corollary 1 says."""
    for random in draws(33, _TRIALS):
        counts = _drawn_counts(random, random.randint(3, 5))
        records, k = sum(counts), Fraction(random.randint(1, 900), random.choice((3, 60)))
        bound = mean_divergence(
            [
                *[Fraction(1, records)] * (len(counts) - 1),
                Fraction(records - len(counts) + 1, records),
            ],
            k,
        )
        found = mean_divergence(shares(counts), k)
        at_vertex = sorted(counts)[-2] == 1
        if bool(found > bound) or (not at_vertex and not bool(found < bound)):
            return False
    return True


def squares_are_convex() -> bool:
    """Whether h(x) = x^2 psi'(x) is convex, on a grid of equal steps."""
    grid = [ball(x) ** 2 * trigamma(ball(x)) for x in (Fraction(at, 10) for at in range(1, 200))]
    rises = [y - x for x, y in pairwise(grid)]
    return all(bool(x < y) for x, y in pairwise(rises))


def slope_is_the_variance() -> bool:
    """Whether the mean divergence falls between k and k + 1 by between the ends of its slope."""

    def slope(law: Sequence[Fraction], k: Fraction) -> arb:
        return total([ball(p) ** 2 * trigamma(ball(k * p)) for p in law]) - trigamma(ball(k))

    for random in draws(34, _TRIALS):
        law, k = shares(_drawn_counts(random)), Fraction(random.randint(5, 400), 10)
        fall = mean_divergence(law, k) - mean_divergence(law, k + 1)
        if not bool(slope(law, k + 1) < fall < slope(law, k)):
            return False
    return True


def gap_falls() -> bool:
    """Whether Corollary 1 less the mean divergence falls with k, for drawn counts."""
    for random in draws(35, _TRIALS):
        counts = (*_drawn_counts(random, 3), 2)
        records, law = sum(counts), shares(counts)
        k = Fraction(random.randint(1, 900), 30)
        gaps = [
            mean_divergence(list(vertex(Fraction(1, records), 4).elements()), each)
            - mean_divergence(law, each)
            for each in (k, k + 1, 10 * k + 10)
        ]
        if not all(bool(x > y > 0) for x, y in pairwise(gaps)):
            return False
    return True


def chain_divergence(counts: Counts, k: Sequence[Fraction]) -> arb:
    """Enclose (18)."""
    chain = tuple(map(shares, counts))
    rows = zip(stationary_law(chain), chain, k, strict=True)
    return total([ball(share) * mean_divergence(row, each) for share, row, each in rows])


def _some_chain(random: Random, least: int = 1) -> Counts:
    return tuple(tuple(random.randint(least, 9) for _ in range(3)) for _ in range(3))


def printed_l_is_above() -> bool:
    """Whether (18) is at most (19), transitions without a count among them."""
    for random in draws(36, _TRIALS):
        full = _some_chain(random)
        counts = full if random.randint(0, 1) else ((0, *full[0][1:]), *full[1:])
        k = tuple(Fraction(random.randint(1, 500), random.choice((1, 100))) for _ in counts)
        if not bool(chain_divergence(counts, k) <= benvenuti2025.lemma_4(counts, k)):
            return False
    return True


def tried(formula: Callable[[Counts, tuple[Fraction, ...]], bool], seed: int) -> bool:
    """Return whether a formula holds for drawn counts of three states and k."""
    for random in draws(seed, _TRIALS):
        k = tuple(Fraction(random.randint(1, 99)) for _ in range(3))
        if not formula(_some_chain(random), k):
            return False
    return True
