"""What the note on the definitions states in formulas, tried at exact points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import prod
from random import Random

from ..forms import draws
from .polynomials import beta, good_mass

_TRIALS = 25
# e^epsilon of the example of merged outputs.
_TIMES = Fraction(2)


def gamma_moments() -> bool:
    """Whether shares of independent Gammas have mean a_1/a and the Dirichlet variance.

    E (g_1/T)^r = E g_1^r/E T^r, as the share is independent of T; E g^2 = a (a+1).
    """
    for random in draws(1, _TRIALS):
        first, k = (Fraction(random.randint(1, 90), 7) for _ in range(2))
        whole, p = first + k, first / (first + k)
        square = first * (first + 1) / (whole * (whole + 1))
        if square - p * p != p * (1 - p) / (whole + 1):
            return False
    return True


def exponential_variance() -> bool:
    """Whether n shares of i.i.d. exponential variables have the variance of k = n."""
    return all(
        Fraction(2, n * (n + 1)) - Fraction(1, n * n) == Fraction(n - 1, n * n * (n + 1))
        for n in range(2, 10)
    )


def steps_are_bounded() -> bool:
    """Whether drawn neighbours move by at most min(b/2, 1 - eta_bar - |W| eta)."""
    for random in draws(2, _TRIALS):
        w = random.randint(2, 4)
        eta = Fraction(random.randint(1, 9), 10 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        room = 1 - bar - w * eta
        shares = [Fraction(random.randint(0, 9)) for _ in range(w)]
        p = [eta + room * share / (sum(shares) + 1) for share in shares]
        moved = (p[0] - eta) * Fraction(random.randint(0, 10), 10)
        q = [p[0] - moved, p[1] + moved, *p[2:]]
        b = sum(abs(x - y) for x, y in zip(p, q, strict=True))
        if sum(q) > 1 - bar or moved > min(b / 2, room):
            return False
    return True


def finite_laws() -> bool:
    """Whether P(A) <= e^epsilon Q(A) + P(loss above epsilon) for all events of finite laws."""
    for random in draws(3, 6):
        rows = [[Fraction(random.randint(1, 9)) for _ in range(5)] for _ in range(2)]
        p, q = ([x / sum(row) for x in row] for row in rows)
        times = Fraction(random.randint(10, 30), 10)  # e^epsilon
        exceptional = sum(x for x, y in zip(p, q, strict=True) if x > times * y)
        points = range(len(p))
        for event in chain.from_iterable(combinations(points, size) for size in points):
            if sum(p[at] for at in event) > times * sum(q[at] for at in event) + exceptional:
                return False
    return True


def densities_are_normal() -> bool:
    """Whether the density of whole parameters (a, b, c) integrates to 1."""
    parameters = ((1, 1, 1), (2, 1, 3), (3, 2, 2), (1, 4, 2), (1, 2, 1, 2))
    return all(good_mass(each, Fraction(0), 0) == 1 for each in parameters)


def exceptional(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Return the probability under p of the outputs with a loss above epsilon, e^epsilon = 2.

    Any exceptional set of Definition 2 holds them, and they are enough.
    """
    return sum((x for x, y in zip(p, q, strict=True) if x > _TIMES * y), Fraction(0))


def channels_keep_privacy() -> bool:
    """Whether no channel makes the hockey-stick of two finite laws larger."""
    for random in draws(4, _TRIALS):
        p, q = (_drawn_law(random, 4) for _ in range(2))
        channel = [_drawn_law(random, 3) for _ in range(4)]
        made = [
            [sum(x * row[to] for x, row in zip(law, channel, strict=True)) for to in range(3)]
            for law in (p, q)
        ]
        times = Fraction(random.randint(10, 30), 10)
        after, before = (
            sum(max(Fraction(0), x - times * y) for x, y in zip(one, other, strict=True))
            for one, other in ((made[0], made[1]), (p, q))
        )
        if after > before:
            return False
    return True


def densities_are_exponential() -> bool:
    """Whether densities at a, b, a + c and b + c have exp(linear in parameters) between them.

    With f(a) B(a) = prod x_i^(a_i - 1): f(a + c) B(a + c)/(f(a) B(a)) does not depend on a.
    """
    for random in draws(5, _TRIALS):
        x = _drawn_law(random, 3)
        one, other, more = ([random.randint(1, 5) for _ in range(3)] for _ in range(3))
        quotients = []
        for a in (one, other):
            moved = [i + j for i, j in zip(a, more, strict=True)]
            ends = [_density(each, x) * beta(each) for each in (moved, a)]
            quotients.append(ends[0] / ends[1])
        if quotients[0] != quotients[1]:
            return False
    return True


def _drawn_law(random: Random, size: int) -> list[Fraction]:
    masses = [Fraction(random.randint(1, 9)) for _ in range(size)]
    return [mass / sum(masses) for mass in masses]


def _density(parameters: Sequence[int], x: Sequence[Fraction]) -> Fraction:
    kernel = prod((at ** (a - 1) for at, a in zip(x, parameters, strict=True)), start=Fraction(1))
    return kernel / beta(parameters)
