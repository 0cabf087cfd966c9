"""What the notes on averages and accuracy state in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.good_set import good_set_epsilon
from ..forms import draws

_TRIALS = 25


def means_move_by_a_share() -> bool:
    """Whether means of adjacent collections differ by at most b/(2N), in the same coordinates."""
    for random in draws(1, _TRIALS):
        vectors, eta, bar = random.randint(1, 5), Fraction(1, 10), Fraction(1, 5)
        rows = []
        for _ in range(vectors):
            shares = [Fraction(random.randint(0, 6), 10) for _ in range(2)]
            free = (1 - bar - 2 * eta) / 2
            row = [eta + free * share for share in shares]
            rows.append([*row, 1 - sum(row)])
        moved = (rows[0][0] - eta) * Fraction(random.randint(0, 10), 10)
        b = 2 * moved
        other = [[rows[0][0] - moved, rows[0][1] + moved, rows[0][2]], *rows[1:]]
        one, two = (
            [sum(column) / vectors for column in zip(*each, strict=True)] for each in (rows, other)
        )
        inside = two[0] >= eta and two[0] + two[1] <= 1 - bar
        if not (inside and one[0] - two[0] == b / (2 * vectors) and one[2] == two[2]):
            return False
    return True


def _delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    point = 1 / (1 + ball(epsilon / step).exp())
    first = point.beta_lower(ball(alpha), ball(alpha + step), regularized=1)
    return first - ball(epsilon).exp() * point.beta_lower(
        ball(alpha + step), ball(alpha), regularized=1
    )


def deltas_fall_with_vectors() -> bool:
    """Whether the exact delta falls along N = 1, 2, 4, 8."""
    for random in draws(2, _TRIALS):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        epsilon = Fraction(random.randint(0, 20), 10)
        found = [_delta(alpha, step / vectors, epsilon) for vectors in (1, 2, 4, 8)]
        if not all(bool(one > other) for one, other in pairwise(found)):
            return False
    return True


def deltas_rise_with_k() -> bool:
    """Whether the exact delta rises along k, 2k, 4k."""
    for random in draws(3, _TRIALS):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        epsilon = Fraction(random.randint(0, 20), 10)
        found = [_delta(alpha * times, step * times, epsilon) for times in (1, 2, 4)]
        if not all(bool(one < other) for one, other in pairwise(found)):
            return False
    return True


def epsilon_goes_like_a_share() -> bool:
    """Whether 0 < (18) <= slope at 0 times b/(2N), N from 1 to a million."""
    for random in draws(4, _TRIALS):
        eta, bar = Fraction(random.randint(1, 20), 100), Fraction(random.randint(1, 50), 100)
        k, gamma = Fraction(random.randint(1, 300), 10), Fraction(random.randint(1, 49), 100)
        far, b = 1 - bar - eta, Fraction(1, 5)
        slope = ball(k * far).digamma() - ball(k * eta).digamma() + ball((1 - gamma) / gamma).log()
        for vectors in (1, 10, 1000, 10**6):
            step = b / (2 * vectors)
            found = good_set_epsilon(k, eta, bar, step, 2, gamma)
            if eta + step < far and not bool(found < ball(k * step) * slope):
                return False
    return True
