"""Formulas of the notes on earlier guarantees and on approximate privacy, executed in balls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet import profile, renyi
from ....reference.dirichlet.identity import delta_bound, epsilon_bound
from ....reference.dirichlet.renyi_conversion import to_approximate_dp
from ..forms import at_precision, draws
from .forms import just_above, law, number, total
from .inputs import DELTA, FIGURE_8_ORDERS


@at_precision
def bounded_likelihoods_are_private() -> bool:
    """Posteriors of likelihoods between e^-B and e^B differ by a factor of e^(4B) at most."""
    for random in draws(61):
        prior, bound = law(random, 4), number(random, 1, 40)
        one, other = (
            [ball(bound * Fraction(random.randint(-9, 9), 9)).exp() for _ in prior] for _ in (0, 1)
        )
        norms = [total([w * ball(p) for w, p in zip(x, prior, strict=True)]) for x in (one, other)]
        most = ball(4 * bound).exp()
        for a, b in zip(one, other, strict=True):
            if (a / norms[0]) / (b / norms[1]) > most:
                return False
    return True


def likelihood_has_no_floor() -> bool:
    """y_1^(r f_1) falls below e^-B for every B: at y_1 = e^(-(B+1)/(r f_1)), in exponents."""
    for random in draws(62):
        power, bound = number(random), number(random)
        exponent = -(bound + 1) / power
        if not power * exponent < -bound:
            return False
    return True


@at_precision
def any_prior_is_approximately_private() -> bool:
    """For alpha > 0 some order lambda > 1 has alpha > kappa r Dinf, so (18) is finite."""
    for random in draws(63):
        alpha, step, squared, largest = (number(random) for _ in range(4))
        order = 1 + alpha / (2 * step * largest)
        epsilon = renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)
        if not epsilon.is_finite():
            return False
        above = just_above(epsilon)
        delta = number(random, 1, 19)
        found = to_approximate_dp(order, above, delta)
        if not (found if isinstance(found, arb) else ball(found)).is_finite():
            return False
    return True


@at_precision
def replaced_records_have_a_profile() -> bool:
    """A replaced record's delta at epsilon is below 1."""
    for random in draws(64):
        found = profile.delta(number(random), number(random), number(random))
        if not (found if isinstance(found, arb) else ball(found)) < 1:
            return False
    return True


@at_precision
def ratio_is_a_power() -> bool:
    """Two coordinates: the ratio of densities is B(u')/B(u) y_1^(-r f) (1-y_1)^(-r g)."""
    for random in draws(65):
        u = number(random), number(random)
        v = u[0] + number(random), number(random)
        constant = log_beta(*v) - log_beta(*u)
        near = [Fraction(1, 10**power) for power in (20, 40, 80)]
        found = [
            constant + ball(u[0] - v[0]) * ball(y).log() + ball(u[1] - v[1]) * ball(1 - y).log()
            for y in near
        ]
        if not found[0] < found[1] < found[2]:
            return False
    return True


@at_precision
def misses_rise() -> bool:
    """The chance to miss gamma at the floor rises with W and with gamma."""
    k, eta = Fraction(30), Fraction(1, 20)
    for w in (2, 3, 5):
        found = [
            delta_bound(k, eta, size, gamma).value
            for size, gamma in (
                (w, Fraction(1, 1000)),
                (w + 1, Fraction(1, 1000)),
                (w + 1, Fraction(1, 100)),
            )
        ]
        if not 0 < found[0] < found[1] < found[2]:
            return False
    return True


@at_precision
def printed_epsilon_is_of_that_order() -> bool:
    """g/(k log(1/gamma)) is within |c|/(k log(1/gamma)) of b/2, c free of gamma."""
    eta, eta_bar, b, w = Fraction(1, 20), Fraction(1, 10), Fraction(1, 5), 2
    k = Fraction(30)
    changes = log_beta(k * eta, k * (1 - eta_bar - eta)) - log_beta(
        k * (eta + b / 2), k * (1 - eta_bar - eta - b / 2)
    )
    for power in (2, 5, 20, 100):
        gamma = Fraction(1, 10**power)
        size = ball(k) * (1 / ball(gamma)).log()
        ratio = epsilon_bound(k, eta, eta_bar, b, w, gamma) / size
        room = (abs(changes) + ball(k * b / 2) * ball(w).log()) / size
        if abs(ratio - ball(b / 2)) > room:
            return False
    return True


@at_precision
def conversion_is_solved() -> bool:
    """Delta of (13) at the epsilon-hat of (14) is delta again."""
    for random in draws(66):
        order, epsilon = 1 + number(random), number(random)
        delta, kappa = number(random, 1, 19), ball(order - 1)
        rest = ball(delta).log() + ball(order) * ball(order).log()
        hat = ball(epsilon) + kappa.log() - rest / kappa
        found = (kappa * (ball(epsilon) - hat)).exp() / kappa * (kappa / ball(order)) ** ball(order)
        if not found.overlaps(ball(delta)):
            return False
        known = to_approximate_dp(order, epsilon, delta)
        if hat > 0 and not (known if isinstance(known, arb) else ball(known)).overlaps(hat):
            return False
    return True


def floor_of(order: int, delta: Fraction = DELTA) -> arb:
    """Enclose epsilon-hat less epsilon: log(1 - 1/lambda) - log(delta lambda)/(lambda - 1)."""
    return (1 - 1 / arb(order)).log() - ball(delta * order).log() / (order - 1)


@at_precision
def another_order_serves() -> bool:
    """(18) at lambda' = 1 + 1/(2r) plus what the conversion adds is below its bound, and small."""
    squared, largest = Fraction(2), Fraction(1)
    for denominator in (2, 10, 1000, 10**5):
        r = Fraction(1, denominator)
        order = 1 + 1 / (2 * r)
        bound = ball(r**2 + r / 2) * arb.pi() ** 2 / 2
        floor = (1 - 1 / ball(order)).log() - ball(DELTA * order).log() / ball(order - 1)
        if not floor < 2 * ball(r) * ball(1 / DELTA).log():
            return False
        for named in (2, 20, 200):
            alpha = 1 + 4 * (named - 1) * r
            if renyi.epsilon_bound_alpha(order, r, alpha, squared, largest) > bound:
                return False
    return bool(bound + 2 * ball(r) * ball(1 / DELTA).log() < ball(Fraction(1, 1000)))


def falls_between(order: int, other: int) -> Callable[..., arb]:
    """Return by how much (14) falls from one order to another, as a function of balls of r."""

    def gap(r: arb) -> arb:
        terms = (lam * r**2 * arb(2).zeta(1 + 3 * (lam - 1) * r) for lam in (order, other))
        first, second = terms
        return first - second + floor_of(order) - floor_of(other)

    return gap


@at_precision
def gaps_are_positive_near_zero() -> bool:
    """For r <= 1/100: lambda r^2 psi'(1) < c(lambda') - c(lambda), at each next order lambda."""
    most = arb(2).zeta(arb(1)) / 10**4
    pairs = pairwise(FIGURE_8_ORDERS)
    return all(other * most < floor_of(one) - floor_of(other) for one, other in pairs)


def gaps_are_positive_far_out() -> bool:
    """With (6), r = 1 + s: lower bound less upper bound has positive coefficients in s."""
    import sympy

    s = sympy.Symbol("s")
    r = 1 + s
    for one, other in pairwise(FIGURE_8_ORDERS):
        x, y = (1 + 3 * (order - 1) * r for order in (one, other))
        low = one * r**2 * (1 / x + 1 / (2 * x**2))
        high = other * r**2 * (1 / y + 1 / y**2)
        parts = sympy.fraction(sympy.together(low - high))
        for part in parts:
            if not all(each > 0 for each in sympy.Poly(sympy.expand(part), s).all_coeffs()):
                return False
    return True
