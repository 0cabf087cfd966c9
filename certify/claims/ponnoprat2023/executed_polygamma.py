"""Formulas of the note on digamma and trigamma, executed with SymPy, in rationals and in balls."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, trigamma
from ....reference.second.directed import Span, hull
from ..forms import at_precision, draws, span
from .forms import number, total

_TERMS = 200


def cubes_between(first: int, terms: int) -> tuple[Fraction, Fraction]:
    """Return bounds on the sum of 1/n^3 from ``first`` on: a part, and two integrals of the rest.

    1/n^3 lies between the integrals of 1/x^3 over (n, n+1) and (n-1, n).
    """
    unit = 10**40
    part = sum(unit // n**3 for n in range(first, first + terms))
    low, high = Fraction(part, unit), Fraction(part + terms, unit)
    after = first + terms
    return low + Fraction(1, 2 * after**2), high + Fraction(1, 2 * (after - 1) ** 2)


def hull_of(low: Fraction, high: Fraction) -> Span:
    """Return the span from one exact number to another."""
    return hull(span(low), span(high))


def _vanishes(*differences: str) -> bool:
    """Whether rational expressions in x vanish identically, by SymPy."""
    import sympy

    return all(sympy.cancel(sympy.sympify(each)) == 0 for each in differences)


def both_ends_telescope() -> bool:
    """A = 1/x + 1/(2x^2), b = 1/x + 1/x^2: what they fall by from x to x + 1, less 1/x^2."""
    a, b = "(1/({0}) + 1/(2*({0})**2))", "(1/({0}) + 1/({0})**2)"
    return _vanishes(
        f"1/x**2 - ({a.format('x')} - {a.format('x+1')}) - 1/(2*x**2*(x+1)**2)",
        f"({b.format('x')} - {b.format('x+1')}) - 1/x**2 - 1/(x*(x+1)**2)",
    )


@at_precision
def trigamma_is_between() -> bool:
    """(6), and x^2 psi' and x psi' between 1/2 + x and 1 + x, 1 and 1 + 1/x."""
    for random in draws(11):
        x = ball(number(random))
        found = trigamma(x)
        if not (1 / x + 1 / (2 * x**2) < found < 1 / x + 1 / x**2):
            return False
        if not (x + arb("1/2") < x**2 * found < x + 1 and 1 < x * found < 1 + 1 / x):
            return False
    return True


@at_precision
def rest_of_the_series_is_between() -> bool:
    """What n terms leave is psi'(x + n), between 1/(x+n) and 1/(x+n) + 1/(x+n)^2."""
    for random in draws(12):
        x = number(random)
        head = total([1 / ball(x + n) ** 2 for n in range(_TERMS)])
        rest, end = trigamma(ball(x)) - head, ball(x + _TERMS)
        if not (rest.overlaps(trigamma(end)) and 1 / end < rest < 1 / end + 1 / end**2):
            return False
    return True


@at_precision
def shapes_are_as_said() -> bool:
    """On a grid psi rises and its rises fall; psi' is positive, falls, and its falls fall."""
    grid = [ball(Fraction(at, 10)) for at in range(1, 120)]
    rises = [digamma(y) - digamma(x) for x, y in pairwise(grid)]
    falls = [trigamma(x) - trigamma(y) for x, y in pairwise(grid)]
    kept = all(value > 0 for value in (*rises, *falls, *map(trigamma, grid)))
    return kept and all(x > y for each in (rises, falls) for x, y in pairwise(each))


def square_and_slope_telescope() -> bool:
    """With t = psi'(x): t^2 - (t - 1/x^2)^2 - 2/x^3 = (2/x^2)(t - 1/x - 1/(2x^2))."""
    return _vanishes("t**2 - (t - 1/x**2)**2 - 2/x**3 - (2/x**2)*(t - 1/x - 1/(2*x**2))")


@at_precision
def square_and_slope_are_positive() -> bool:
    """psi'^2 + psi'' > 0, and (psi'(1+x))^2 < 2 psi'(1+x)/x."""
    for random in draws(13):
        x = ball(number(random))
        after = trigamma(1 + x)
        if not (trigamma(x) ** 2 - 2 * arb(3).zeta(x) > 0 and after**2 < 2 * after / x):
            return False
    return True


@at_precision
def square_times_trigamma_rises() -> bool:
    """x^2 psi'(1+x) rises, from below 2 x^2, and is above x - 1."""
    for random in draws(14):
        x, more = number(random), number(random)
        one, other = (ball(y) ** 2 * trigamma(ball(1 + y)) for y in (x, x + more))
        if not (one < other and one < 2 * ball(x) ** 2 and one > ball(x) - 1):
            return False
    return True


@at_precision
def digamma_is_between() -> bool:
    """(19), with the two inequalities of its proof and log x - 1/x < psi(x)."""
    for random in draws(15):
        x = ball(number(random)) + arb("1/2")
        half = arb("1/2")
        steps = ((x + half) / (x - half)).log() > 1 / x > (1 + 1 / x).log()
        if not (steps and (x - half).log() < digamma(x) < x.log()):
            return False
        if not x.log() - 1 / x < digamma(x):
            return False
    return True
