"""What the note on accuracy states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.utility import (
    absolute_deviation,
    absolute_deviation_bound,
    variance,
    variance_bound,
)
from ....reference.enclosure import Enclosure
from ..benvenuti2025.deviation import whole_beta
from ..forms import BITS, draws

_TRIALS = 30
_K, _TENTH = 10, Fraction(1, 10)


def as_ball(value: arb | Fraction) -> arb:
    """Return an exact number, or one that is enclosed, as a ball."""
    return ball(value) if isinstance(value, Fraction) else value


def incomplete_betas_step() -> bool:
    """Whether I_z(a, b) = I_z(a+1, b) + z^a (1-z)^b/(a B(a, b)), at drawn points."""
    for random in draws(31, _TRIALS):
        a, b = (Fraction(random.randint(1, 90), 10) for _ in range(2))
        z = ball(Fraction(random.randint(1, 99), 100))
        lower, upper = (z.beta_lower(ball(each), ball(b), regularized=1) for each in (a, a + 1))
        peak = (ball(a) * z.log() + ball(b) * (1 - z).log() - log_beta(a, b)).exp() / ball(a)
        if not lower.overlaps(upper + peak):
            return False
    return True


def step_in_rationals() -> Enclosure:
    """Return 2 (1/2)^10/(10 B(1, 9)) exactly."""
    return Enclosure.of(Fraction(2, 2**_K) / (_K * whole_beta(1, 9)))


def step_in_balls() -> Enclosure:
    """Return the same by logarithms of Gammas."""
    with working_precision(BITS):
        return enclosure_of((-log_beta(Fraction(1), Fraction(9))).exp() / (5 * 2**_K))


def step_is_admissible() -> bool:
    """Whether k = 10 and an entry 1/10 meet Assumptions 1 and 2 with eta = 1/10, eta_bar = 1/20."""
    eta, bar = _TENTH, Fraction(1, 20)
    return eta + bar < Fraction(1, 2) and max(1 / eta, 1 / (1 - eta - bar)) <= _K


def display_before_21(k: int) -> Fraction:
    """Return what is printed before (21) at P_ij = 1/2, k whole and even."""
    a = k // 2
    first = Fraction((a + 1) * a * factorial(k - 1), (k + 1) * k * factorial(k))
    return first - Fraction(1, 2)


def epsilon_rises() -> bool:
    """Whether the printed epsilon rises with k where eta + b/2 <= 1 - eta_bar - eta."""
    for random in draws(32, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k, gamma = Fraction(random.randint(1, 900), 10), Fraction(random.randint(1, 49), 100)
        less, more = (good_set_epsilon(each, eta, bar, t, 2, gamma) for each in (k, k + 1))
        if not bool(less < more):
            return False
    return True


def spread_falls() -> bool:
    """Whether deviation, variance and their bounds fall from k to k + 1."""
    for random in draws(33, _TRIALS):
        p, k = Fraction(random.randint(1, 99), 100), Fraction(random.randint(1, 900), 10)
        for spread in (absolute_deviation, variance):
            if not bool(as_ball(spread(p, k + 1)) < as_ball(spread(p, k))):
                return False
        for bound in (absolute_deviation_bound, variance_bound):
            if not bool(as_ball(bound(k + 1)) < as_ball(bound(k))):
                return False
    return True
