"""What the note on the setting states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

from ....reference.enclosure import Trilean
from ..forms import draws
from ..gohari2020.executed_good_set import fails_in_the_middle

_PAIRS = 120
_TRIALS = 25


def ratio_is_bounded() -> Trilean:
    """Whether the densities' ratio of Dirichlet(3, 2, 5) to Dirichlet(2, 3, 5) stays bounded."""
    import sympy

    x = sympy.Symbol("x", positive=True)
    point = (1 - 2 * x, x, x)
    ratio = sympy.Integer(1)
    for counts, sign in (((3, 2, 5), 1), ((2, 3, 5), -1)):
        scale = sympy.Rational(factorial(9), prod(factorial(count - 1) for count in counts))
        ratio *= (
            scale * sympy.prod([each ** (c - 1) for each, c in zip(point, counts, strict=True)])
        ) ** sign
    return Trilean.FALSE if sympy.limit(ratio, x, 0, "+") == sympy.oo else Trilean.UNKNOWN


def shares_have_means() -> bool:
    """Whether the mean of x_1^a x_2^b of Dirichlet(c) is a ratio of rising factorials.

    It is that of shares of gammas: E g_1^a g_2^b = E x_1^a x_2^b E T^(a+b), exactly.
    """
    for random in draws(11, _TRIALS):
        counts = [random.randint(1, 6) for _ in range(3)]
        a, b = random.randint(0, 3), random.randint(0, 3)
        gammas = _rising(counts[0], a) * _rising(counts[1], b)
        share = Fraction(gammas, _rising(sum(counts), a + b))
        if share != _mean_by_integral(counts, a, b):
            return False
    return True


def _rising(start: int, steps: int) -> int:
    return prod(range(start, start + steps))


def _mean_by_integral(counts: list[int], a: int, b: int) -> Fraction:
    """Return the same from two Dirichlet integrals."""

    def integral(*powers: int) -> Fraction:
        return Fraction(prod(factorial(p - 1) for p in powers), factorial(sum(powers) - 1))

    first, second, third = counts
    return integral(first + a, second + b, third) / integral(first, second, third)


def middles_tried() -> tuple[int, int]:
    """Return how many pairs of rows were tried, and how many have P(middle)^2 < P P'."""
    failed = 0
    for random in draws(12, _PAIRS):
        w = random.randint(2, 3)
        k = Fraction(random.randint(40, 400), 10)
        rows = [[random.randint(1, 12) for _ in range(w + 1)] for _ in range(2)]
        # k eta >= 1: each protected parameter is 1 or more
        floors = [max(k - w, Fraction(1)) / sum(row) for row in rows]
        first, second = (
            [1 + scale * x for x in row[:w]] + [scale * row[w]]
            for row, scale in zip(rows, floors, strict=True)
        )
        failed += fails_in_the_middle(first, second, Fraction(random.randint(1, 99), 100 * w))
    return _PAIRS, failed
