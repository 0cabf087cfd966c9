"""Formulas of the note on Algorithm 1, executed in balls and with SymPy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, log_gamma, trigamma
from ....reference.dirichlet import renyi
from ....reference.dirichlet.renyi_laws import divergence
from ..forms import at_precision, draws
from .forms import just_below, number, total

_ONE = Fraction(1)
Vector = tuple[Fraction, ...]


def _as_ball(value: arb | Fraction) -> arb:
    return value if isinstance(value, arb) else ball(value)


def _inputs(random: Random) -> tuple[Vector, Vector, Fraction, Fraction]:
    """Return f, f', the squared 2-norm and the maximum norm of their difference, not 0."""
    f = tuple(number(random, 0, 60) for _ in range(3))
    g = (f[0] + number(random), *(number(random, 0, 60) for _ in range(2)))
    moves = [abs(a - b) for a, b in zip(f, g, strict=True)]
    return f, g, sum((move**2 for move in moves), Fraction(0)), max(moves)


def _laws(f: Vector, g: Vector, step: Fraction, alpha: Fraction) -> Iterator[tuple[Vector, Vector]]:
    u, v = (tuple(step * x + alpha for x in each) for each in (f, g))
    yield u, v
    yield v, u


def _order(random: Random) -> Fraction:
    return random.choice((_ONE, 1 + number(random, 1, 80)))


@at_precision
def eighteen_holds() -> bool:
    """D < order r^2 D2^2 psi'(alpha - kappa r Dinf)/2, both ways, for alpha above the edge."""
    for random in draws(21):
        f, g, squared, largest = _inputs(random)
        order, step = _order(random), number(random)
        alpha = (order - 1) * step * largest + number(random)
        bound = renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)
        for u, v in _laws(f, g, step, alpha):
            if not _as_ball(divergence(u, v, order)) < bound:
                return False
    return True


@at_precision
def algorithm_keeps_its_promise() -> bool:
    """With r of line 1 and alpha of line 2 the divergence is below epsilon."""
    for random in draws(22, 8):
        f, g, squared, largest = _inputs(random)
        order, epsilon = _order(random), number(random)
        found = renyi.step(order, epsilon, squared, largest)
        step = just_below(found)
        alpha = 1 + 4 * (order - 1) * step * largest
        for u, v in _laws(f, g, step, alpha):
            if not _as_ball(divergence(u, v, order)) < ball(epsilon):
                return False
    return True


def _log_beta(u: Vector) -> arb:
    return total([log_gamma(x) for x in u]) - log_gamma(sum(u, Fraction(0)))


def _terms(a: Fraction, b: Fraction, kappa: Fraction) -> arb:
    """Enclose G + H of (17) for one coordinate, or for the totals."""
    g = ball(kappa) * (log_gamma(b) - log_gamma(a))
    return g + log_gamma(a + kappa * (a - b)) - log_gamma(a)


@at_precision
def moments_are_quotients() -> bool:
    """(16) and (17) against the divergence, and G + H of the totals is not negative."""
    for random in draws(23):
        f, g, _, largest = _inputs(random)
        kappa, step = number(random), number(random)
        alpha = kappa * step * largest + number(random)
        for u, v in _laws(f, g, step, alpha):
            w = tuple(a + kappa * (a - b) for a, b in zip(u, v, strict=True))
            known = ball(kappa) * _as_ball(divergence(u, v, 1 + kappa))
            by_betas = ball(kappa) * (_log_beta(v) - _log_beta(u)) + _log_beta(w) - _log_beta(u)
            coordinates = total([_terms(a, b, kappa) for a, b in zip(u, v, strict=True)])
            totals = _terms(sum(u, Fraction(0)), sum(v, Fraction(0)), kappa)
            if not (known.overlaps(by_betas) and known.overlaps(coordinates - totals)):
                return False
            if totals < 0:
                return False
    return True


@at_precision
def kullback_leibler_is_in_digammas() -> bool:
    """The formula of case 2 against the divergence."""
    for random in draws(24):
        f, g, _, _ = _inputs(random)
        for u, v in _laws(f, g, number(random), number(random)):
            whole = digamma(ball(sum(u, Fraction(0))))
            moves = [ball(a - b) * (digamma(ball(a)) - whole) for a, b in zip(u, v, strict=True)]
            if not _as_ball(divergence(u, v, _ONE)).overlaps(
                _log_beta(v) - _log_beta(u) + total(moves)
            ):
                return False
    return True


@at_precision
def totals_are_below_the_tangent() -> bool:
    """Log G(a) - log G(b) - (a-b) psi(a) <= -(a-b)^2 psi'(max)/2 <= 0."""
    for random in draws(25):
        a, b = number(random), number(random)
        left = log_gamma(a) - log_gamma(b) - ball(a - b) * digamma(ball(a))
        right = -(ball(a - b) ** 2) * trigamma(ball(max(a, b))) / 2
        if left > right or right > 0:
            return False
    return True


@at_precision
def known_bound_makes_room() -> bool:
    """With f >= b, line 1 at 1 + r b + 3 kappa r Dinf keeps the promise; its r is larger."""
    for random in draws(26):
        f, g, squared, largest = _inputs(random)
        order, step, least = _order(random), number(random), number(random)
        alpha = 1 + 4 * (order - 1) * step * largest
        inside = 1 + step * least + 3 * (order - 1) * step * largest
        bound = renyi.spread(order, step, squared, inside)
        if not bound < renyi.epsilon_bound(order, step, squared, largest):
            return False
        moved = [tuple(x + least for x in each) for each in (f, g)]
        for u, v in _laws(moved[0], moved[1], step, alpha):
            if not _as_ball(divergence(u, v, order)) < bound:
                return False
    return True


@at_precision
def other_functions_do_as_well() -> bool:
    """With alpha = 1 + g + kappa r Dinf, (18) is line 1 with g; 1/(1+x) < psi'(1+x) < 2/(1+x)."""
    for random in draws(27):
        order, step, g = _order(random), number(random), number(random, 0)
        squared, largest = number(random), number(random)
        alpha = 1 + g + (order - 1) * step * largest
        line = renyi.spread(order, step, squared, 1 + g)
        if not line.overlaps(renyi.epsilon_bound_alpha(order, step, alpha, squared, largest)):
            return False
        x = ball(1 + g)
        if not 1 / x < trigamma(x) < 2 / x:
            return False
    return True


@at_precision
def zero_has_a_closed_form() -> bool:
    """With g = 0, r = sqrt(2 epsilon/(order D2^2 psi'(1)))."""
    for random in draws(28):
        order, epsilon, squared = _order(random), number(random), number(random)
        step = (2 * ball(epsilon) / (ball(order * squared) * trigamma(arb(1)))).sqrt()
        if not (ball(order * squared) * step**2 * trigamma(arb(1)) / 2).overlaps(ball(epsilon)):
            return False
    return True


def square_stays_below_one() -> bool:
    """r^2 (1/(1+r^2) + 1/(1+r^2)^2) = 1 - 1/(1+r^2)^2, by SymPy."""
    import sympy

    r = sympy.Symbol("r", positive=True)
    room = 1 + r**2
    return bool(sympy.cancel(r**2 * (1 / room + 1 / room**2) - 1 + 1 / room**2) == 0)
