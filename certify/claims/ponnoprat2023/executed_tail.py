"""Formulas of the note on the tail of the divergence, executed in balls and with SymPy."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, log_gamma
from ....reference.dirichlet.kl_moments import Divergence
from ....reference.dirichlet.kl_tail import kl_tail, kl_tail_bound
from ..forms import at_precision, draws
from .forms import just_above, law, number

_HALF = Fraction(1, 2)


def _threshold(random: Random, cells: int, alpha: Fraction, eta: Fraction) -> Fraction:
    """Return a beta at or a little above d alpha/(e^(eta/2) - 1)."""
    least = ball(cells * alpha) / (ball(eta / 2).exp() - 1)
    return just_above(least) + number(random, 0, 60)


@at_precision
def chernoff_bounds_hold() -> bool:
    """(20) in Gammas at 0 <= t < beta + alpha/max p, against M(t) and the chance."""
    for random in draws(41, 6):
        p, beta, alpha, eta = law(random), number(random), number(random), number(random, 1, 20)
        item = Divergence.of(p, beta, alpha)
        t = item.limit * Fraction(random.randint(0, 19), 20)
        whole = beta + len(p) * alpha
        found = log_gamma(whole) - log_gamma(whole - t) - ball(t * eta)
        for x in p:
            b = beta * x + alpha
            found += ball(t * x) * ball(x).log() + log_gamma(b - t * x) - log_gamma(b)
        if not found.overlaps(item.log_moment_at(t) - ball(t * eta)):
            return False
        chance = kl_tail(p, beta, alpha, eta)
        if not (chance if isinstance(chance, arb) else ball(chance)) <= found.exp():
            return False
    return True


@at_precision
def tangents_are_below() -> bool:
    """Both first-order bounds after (20), with alpha for d alpha in the second."""
    for random in draws(42):
        p, beta, alpha = law(random), number(random), number(random)
        t, whole = beta * Fraction(random.randint(1, 19), 20), beta + 3 * alpha
        one = log_gamma(whole) - log_gamma(whole - t) - ball(t) * digamma(ball(whole))
        if one > 0:
            return False
        for x in (*p, Fraction(0)):
            b, moved = beta * x + alpha, ball(t * x)
            rest = digamma(ball(b - t * x))
            if log_gamma(b - t * x) - log_gamma(b) + moved * rest > 0:
                return False
    return True


@at_precision
def bound_holds_from_one_half() -> bool:
    """P(KL > eta) <= exp(-beta eta^2/(4(4+eta))), below the printed bound, for alpha >= 1/2."""
    for random in draws(43, 6):
        p, alpha, eta = law(random), _HALF + number(random, 0, 40), number(random, 1, 20)
        beta = _threshold(random, len(p), alpha, eta)
        sharper = (-ball(beta * eta**2 / (4 * (4 + eta)))).exp()
        chance = kl_tail(p, beta, alpha, eta)
        if not (chance if isinstance(chance, arb) else ball(chance)) < sharper:
            return False
        if not sharper < kl_tail_bound(beta, eta):
            return False
    return True


@at_precision
def exponent_is_least_where_said() -> bool:
    """f(t) is least at t* = beta (1 - 1/w), w e^w = beta e^(1+eta)/A, and f(t*) is as said."""
    for random in draws(44):
        w, beta, eta = 1 + number(random, 1, 60), number(random), number(random)
        # Choose A so that w solves the equation: A = beta e^(1+eta) e^(-w)/w.
        whole = ball(beta) * (ball(1 + eta - w)).exp() / ball(w)
        t = beta * (1 - 1 / w)
        least = -ball(t * eta) + ball(t) * (whole / ball(beta - t)).log()
        if not least.overlaps(-ball(beta * (1 - 1 / w) * (w - 1))):
            return False
        for other in (t * Fraction(9, 10), t + (beta - t) / 10):
            if not -ball(other * eta) + ball(other) * (whole / ball(beta - other)).log() > least:
                return False
    return True


@at_precision
def lambert_is_above() -> bool:
    """w0 = l - log l + log l/(2l) has w0 + log w0 <= l, l >= 1; and 1 + h is below w0."""
    for random in draws(45):
        eta = ball(number(random))
        length = 1 + eta / 2
        log = length.log()
        w0 = length - log + log / (2 * length)
        h = eta / (2 * (2 + eta))
        if not (w0 + w0.log() < length and 1 + h < w0):
            return False
    return True


def exponents_agree() -> bool:
    """h^2/(1+h) = eta^2/(2 (2+eta) (4+3 eta)), and the coefficient (1+eta)/(2+eta), by SymPy."""
    import sympy

    eta = sympy.Symbol("eta", positive=True)
    h = eta / (2 * (2 + eta))
    differences = (
        h**2 / (1 + h) - eta**2 / (2 * (2 + eta) * (4 + 3 * eta)),
        1 - 1 / (2 * (1 + eta / 2)) - (1 + eta) / (2 + eta),
        eta / 2 - eta / 2 * (1 + eta) / (2 + eta) - h,
    )
    return all(sympy.cancel(each) == 0 for each in differences)
