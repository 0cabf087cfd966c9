"""What the note on the definitions states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

from .forms import draws
from .polynomials import good_mass

_TRIALS = 25


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
