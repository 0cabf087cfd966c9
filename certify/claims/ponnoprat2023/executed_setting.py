"""Formulas of the note on Section 2, executed with SymPy, in rationals and in balls."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.kl import expected_kl_prior
from ..forms import at_precision, draws
from .forms import divergence, law, number, total


def _is_zero(*differences: object) -> bool:
    import sympy

    return all(sympy.simplify(each) == 0 for each in differences)


def densities_agree() -> bool:
    """-rN KL(f/N || y) + sum (alpha-1) log y - sum (r f + alpha - 1) log y has no y, by SymPy."""
    import sympy

    f = sympy.symbols("f1:4", positive=True)
    y = sympy.symbols("y1:4", positive=True)
    r, alpha = sympy.symbols("r alpha", positive=True)
    whole = sum(f)
    for cells in (f, (f[0], f[1], 0)):
        known = sum(cells)
        kl = sum(
            x / known * (sympy.log(x / known) - sympy.log(each))
            for x, each in zip(cells, y, strict=True)
            if x != 0
        )
        exponent = -r * known * kl + sum((alpha - 1) * sympy.log(each) for each in y)
        rest = exponent - sum(
            (r * x + alpha - 1) * sympy.log(each) for x, each in zip(cells, y, strict=True)
        )
        if not _is_zero(*(sympy.diff(rest, each) for each in y)):
            return False
    return bool(whole)


def bias_is_as_printed() -> bool:
    """(r f + alpha)/(r N + d alpha) - f/N = alpha (N - d f)/(N (r N + d alpha)), by SymPy."""
    import sympy

    f, n, r, d, alpha = sympy.symbols("f N r d alpha", positive=True)
    whole = r * n + d * alpha
    size = alpha / whole
    return _is_zero(
        (r * f + alpha) / whole - f / n - alpha * (n - d * f) / (n * whole),
        sympy.diff(size, r) + alpha * n / whole**2,
        sympy.diff(size, alpha) - r * n / whole**2,
    )


def variance_is_as_printed() -> bool:
    """With p = u_i/u_0, p (1-p)/(u_0 + 1) is the printed quotient, by SymPy."""
    import sympy

    f, n, r, d, alpha = sympy.symbols("f N r d alpha", positive=True)
    u, whole = r * f + alpha, r * n + d * alpha
    printed = u * (r * (n - f) + (d - 1) * alpha) / (whole**2 * (whole + 1))
    return _is_zero(u / whole * (1 - u / whole) / (whole + 1) - printed)


def variance_is_below() -> bool:
    """Variances are at most 1/(4 r N) and 1/(4 d alpha), in rationals."""
    for random in draws(53):
        n, r, alpha, d = (number(random) for _ in range(4))
        f, d = n * Fraction(random.randint(0, 10), 10), Fraction(random.randint(2, 9))
        whole = r * n + d * alpha
        p = (r * f + alpha) / whole
        if p * (1 - p) / (whole + 1) > min(1 / (4 * r * n), 1 / (4 * d * alpha)):
            return False
    return True


@at_precision
def likelihood_and_divergence_differ_by_constants() -> bool:
    """Sum f log y = -N KL(f/N || y) + sum f log(f/N)."""
    for random in draws(54):
        f, y = tuple(random.randint(1, 30) for _ in range(3)), law(random)
        shares = tuple(Fraction(x, sum(f)) for x in f)
        left = total([x * ball(each).log() for x, each in zip(f, y, strict=True)])
        constant = total([x * ball(share).log() for x, share in zip(f, shares, strict=True)])
        if not left.overlaps(constant - sum(f) * divergence(shares, y)):
            return False
    return True


def _sides_of_four(random: Random) -> tuple[arb, arb, arb, arb]:
    f, p, y = law(random), law(random), law(random)
    moved = [ball(a - b) * (ball(a) / ball(c)).log() for a, b, c in zip(p, f, y, strict=True)]
    ratios = [abs((ball(a) / ball(c)).log()) for a, c in zip(p, y, strict=True)]
    most = ratios[0].max(ratios[1]).max(ratios[2])
    distance = ball(sum((abs(a - b) for a, b in zip(f, p, strict=True)), Fraction(0)))
    exact = divergence(f, y) - divergence(f, p) + total(moved)
    bound = divergence(f, y) + divergence(f, p) + most * distance
    return divergence(p, y), exact, bound, divergence(f, p) * 2 - distance**2


@at_precision
def four_holds() -> bool:
    """(4), both lines, and Pinsker's inequality; p and y may be exchanged, being both drawn."""
    for random in draws(55):
        left, exact, bound, pinsker = _sides_of_four(random)
        if not left.overlaps(exact) or left > bound or pinsker < 0:
            return False
    return True


@at_precision
def mean_divergence_is_below() -> bool:
    """E KL(f/N || y) <= d (alpha + 1)/(r N), and < d alpha/(r N) for alpha >= 1/2."""
    for random in draws(56):
        p, beta, alpha = (*law(random), Fraction(0)), number(random), number(random)
        found = expected_kl_prior(p, tuple(beta * x + alpha for x in p))
        if not found < ball(len(p) * (alpha + 1) / beta):
            return False
        if alpha >= Fraction(1, 2) and not found < ball(len(p) * alpha / beta):
            return False
    return True


def mean_square_is_known() -> bool:
    """E sum (f_i/N - p_i)^2/p_i = (d-1)/N, from Var f_i = N p_i (1 - p_i), in rationals."""
    for random in draws(57):
        p, n = law(random), random.randint(1, 40)
        if sum(n * x * (1 - x) / n**2 / x for x in p) != Fraction(len(p) - 1, n):
            return False
    return True
