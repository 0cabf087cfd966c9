"""What the note on the bracket states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet.utility import absolute_deviation, absolute_deviation_bound, variance
from ....reference.markov.printed import fallin2023
from ..benvenuti2025.deviation import variances_are_exact, whole_deviation
from ..forms import draws
from .executed_accuracy import as_ball

_TRIALS = 30
_ZERO = Fraction(0)


def largest_is_below() -> bool:
    """Whether (max d - mean)^2 <= ((n-1)/n) sum (d - mean)^2, exactly."""
    for random in draws(91, 2 * _TRIALS):
        values = [Fraction(random.randint(-99, 99)) for _ in range(random.randint(2, 6))]
        n, mean = len(values), sum(values) / len(values)
        squares = sum((value - mean) ** 2 for value in values)
        if n * (max(values) - mean) ** 2 > (n - 1) * squares:
            return False
    return True


def _law(random: Random, size: int) -> list[tuple[Fraction, list[Fraction]]]:
    """Return a finite law of several variables: outcomes with their probabilities."""
    weights = [random.randint(1, 9) for _ in range(5)]
    return [
        (Fraction(weight, sum(weights)), [Fraction(random.randint(-9, 9)) for _ in range(size)])
        for weight in weights
    ]


def aven_on_finite_laws() -> bool:
    """Whether E max X_j <= max E X_j + ((N-1)/N sum Var X_j)^(1/2) for dependent variables."""
    for random in draws(92, _TRIALS):
        size = random.randint(2, 5)
        law = _law(random, size)
        means = [sum((p * x[j] for p, x in law), _ZERO) for j in range(size)]
        spread = sum((p * (x[j] - means[j]) ** 2 for p, x in law for j in range(size)), _ZERO)
        largest = sum((p * max(x) for p, x in law), _ZERO)
        bound = ball(max(means)) + ball(spread * (size - 1) / size).sqrt()
        if bool(ball(largest) > bound):
            return False
    return True


def variances_add() -> bool:
    """Whether Var(|x| + |y|) is Var|x| + Var|y| = E x^2 - (E|x|)^2 + ..., x and y independent."""
    for random in draws(93, _TRIALS):
        one, other = (_law(random, 1) for _ in range(2))
        both = [(p * q, abs(x[0]) + abs(y[0])) for (p, x), (q, y) in product(one, other)]
        alone = sum((_spread([(p, abs(x[0])) for p, x in law]) for law in (one, other)), _ZERO)
        if _spread(both) != alone:
            return False
    return True


def _spread(law: list[tuple[Fraction, Fraction]]) -> Fraction:
    mean = sum((p * x for p, x in law), _ZERO)
    return sum((p * x * x for p, x in law), _ZERO) - mean**2


def squares_are_below() -> bool:
    """Whether the mean squares are exact and at most 1/(4(k+1)), whole parameters."""
    return variances_are_exact()


def thirds(square: Fraction, mean: Fraction) -> bool:
    """Whether these are mean square and mean deviation of an entry 1/3 at k = 3."""
    return variance(Fraction(1, 3), Fraction(3)) == square and whole_deviation(1, 2) == mean


def _entries(seed: int) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Return k, eta, eta_bar + (w-1) eta and an entry in its range."""
    found = []
    for random in draws(seed, _TRIALS):
        w = random.randint(2, 5)
        eta = Fraction(random.randint(1, 9), 10 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        rest = bar + (w - 1) * eta
        entry = eta + (1 - rest - eta) * Fraction(random.randint(0, 10), 10)
        found.append((Fraction(random.randint(1, 900), 10), eta, rest, entry))
    return found


def _log_power(base: Fraction, exponent: Fraction) -> arb:
    return ball(exponent) * ball(base).log()


def numerators_are_above() -> bool:
    """Whether (34) holds at drawn entries, in logarithms."""
    for k, eta, rest, p in _entries(94):
        top = _log_power(p, 2 * k * p) + _log_power(1 - p, 2 * k * (1 - p))
        least = _log_power(eta, 2 * k * (1 - rest)) + _log_power(rest, 2 * k * (1 - eta))
        if bool(top < least):
            return False
    return True


def denominators_are_below() -> bool:
    """Whether (37) holds at drawn entries, in logarithms."""
    return not any(
        bool(log_beta(k * p, k * (1 - p)) > log_beta(k * eta, k * rest))
        for k, eta, rest, p in _entries(95)
    )


def bracket_bounds_columns() -> bool:
    """Whether (41) is above Aven's bound with the exact means and variances of drawn rows."""
    for random in draws(96, 12):
        n = random.randint(3, 5)
        w = tuple(random.randint(2, n - 1) for _ in range(n))
        eta, bar, k = Fraction(1, 20), Fraction(1, 10), Fraction(random.randint(2, 400))
        chain = [_row(random, n, size, eta, bar) for size in w]
        moved = [[as_ball(absolute_deviation(p, k)) for p in row] for row in chain]
        spread = ball(sum((variance(p, k) for row in chain for p in row), _ZERO))
        spread -= sum((x * x for row in moved for x in row), arb(0))
        aven = n * as_ball(absolute_deviation_bound(k))
        aven += (spread * ball(Fraction(n - 1, n))).sqrt()
        columns = [sum(column, arb(0)) for column in zip(*moved, strict=True)]
        bracket = fallin2023.bracket(n, k, eta, bar, w)
        if not bool(aven < bracket) or not all(bool(column < aven) for column in columns):
            return False
    return True


def _row(random: Random, n: int, w: int, eta: Fraction, bar: Fraction) -> tuple[Fraction, ...]:
    shares = [Fraction(random.randint(0, 9)) for _ in range(w)] + [Fraction(1)]
    room = 1 - bar - w * eta
    protected = [eta + room * share / sum(shares, _ZERO) for share in shares[:w]]
    return (*protected, *[(1 - sum(protected, _ZERO)) / (n - w)] * (n - w))
