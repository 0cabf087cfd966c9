"""Sections 2.2 to 2.4 and Appendices D and F: bounds on digamma and trigamma."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, trigamma
from ....reference.second.directed import Span, hull
from ..evidence import Formula, Instance, Proof
from ..statement import Reading, Statement
from ..values import Exactly, Worked, at_precision, draws, span
from .inputs import number, total, trigamma_span, worked

# Formulas of the note on digamma and trigamma, executed with SymPy, in rationals and in balls.

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


def _hull_of(low: Fraction, high: Fraction) -> Span:
    """Return the span from one exact number to another."""
    return hull(span(low), span(high))


def _vanishes(*differences: str) -> bool:
    """Whether rational expressions in x vanish identically, by SymPy."""
    import sympy

    return all(sympy.cancel(sympy.sympify(each)) == 0 for each in differences)


def _both_ends_telescope() -> bool:
    """A = 1/x + 1/(2x^2), b = 1/x + 1/x^2: their fall from x to x + 1, less 1/x^2."""
    a, b = "(1/({0}) + 1/(2*({0})**2))", "(1/({0}) + 1/({0})**2)"
    return _vanishes(
        f"1/x**2 - ({a.format('x')} - {a.format('x+1')}) - 1/(2*x**2*(x+1)**2)",
        f"({b.format('x')} - {b.format('x+1')}) - 1/x**2 - 1/(x*(x+1)**2)",
    )


@at_precision
def _trigamma_is_between() -> bool:
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
def _rest_of_the_series_is_between() -> bool:
    """The rest after n terms is psi'(x + n), between 1/(x+n) and 1/(x+n) + 1/(x+n)^2."""
    for random in draws(12):
        x = number(random)
        head = total([1 / ball(x + n) ** 2 for n in range(_TERMS)])
        rest, end = trigamma(ball(x)) - head, ball(x + _TERMS)
        if not (rest.overlaps(trigamma(end)) and 1 / end < rest < 1 / end + 1 / end**2):
            return False
    return True


@at_precision
def _shapes_are_as_said() -> bool:
    """On a grid psi rises and its rises fall; psi' is positive, falls, and its falls fall."""
    grid = [ball(Fraction(at, 10)) for at in range(1, 120)]
    rises = [digamma(y) - digamma(x) for x, y in pairwise(grid)]
    falls = [trigamma(x) - trigamma(y) for x, y in pairwise(grid)]
    kept = all(value > 0 for value in (*rises, *falls, *map(trigamma, grid)))
    return kept and all(x > y for each in (rises, falls) for x, y in pairwise(each))


def _square_and_slope_telescope() -> bool:
    """With t = psi'(x): t^2 - (t - 1/x^2)^2 - 2/x^3 = (2/x^2)(t - 1/x - 1/(2x^2))."""
    return _vanishes("t**2 - (t - 1/x**2)**2 - 2/x**3 - (2/x**2)*(t - 1/x - 1/(2*x**2))")


@at_precision
def _square_and_slope_are_positive() -> bool:
    """psi'^2 + psi'' > 0, and (psi'(1+x))^2 < 2 psi'(1+x)/x."""
    for random in draws(13):
        x = ball(number(random))
        after = trigamma(1 + x)
        if not (trigamma(x) ** 2 - 2 * arb(3).zeta(x) > 0 and after**2 < 2 * after / x):
            return False
    return True


@at_precision
def _square_times_trigamma_rises() -> bool:
    """x^2 psi'(1+x) rises, from below 2 x^2, and is above x - 1."""
    for random in draws(14):
        x, more = number(random), number(random)
        one, other = (ball(y) ** 2 * trigamma(ball(1 + y)) for y in (x, x + more))
        if not (one < other and one < 2 * ball(x) ** 2 and one > ball(x) - 1):
            return False
    return True


@at_precision
def _digamma_is_between() -> bool:
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


_NOTE = "ponnoprat2023/polygamma.md"
_MANY, _FEW = 999_999, 707
# Terms of sum 1/n^3 that are added up before the rest is put between two integrals.
_CUBES = 4000


def _trigamma_at(x: int) -> Worked:
    return worked(
        f"psi'({x}), what {x - 1} terms at x = 1 leave",
        lambda: arb(2).zeta(arb(x)),
        lambda: trigamma_span(x),
    )


def _square_and_slope(x: int) -> Worked:
    """Enclose psi'(x)^2 + psi''(x) at a whole x."""

    def balls() -> arb:
        return arb(2).zeta(arb(x)) ** 2 - 2 * arb(3).zeta(arb(x))

    def spans() -> Span:
        low, high = cubes_between(x, _CUBES)
        head = trigamma_span(x)
        return head * head - _hull_of(2 * low, 2 * high)

    return worked(f"psi'({x})^2 + psi''({x})", balls, spans)


_BETWEEN = Proof(
    f"{_NOTE}#trigamma-between",
    "what both ends fall by from x to x + 1 is below and above 1/x^2 (1), (2)",
    (
        Formula("(1)", _both_ends_telescope),
        Formula("(2)", _trigamma_is_between),
    ),
)
_RISES = Proof(
    "renyi-calibration.md#square-times-trigamma-rises",
    "x^2 psi'(1+x) rises strictly from 0 without bound (6)",
    (Formula("(6)", _square_times_trigamma_rises),),
)
_POSITIVE = Proof(
    f"{_NOTE}#square-and-slope",
    "psi'^2 + psi'' is the sum of its own falls, each positive by (1) (4), (5)",
    (
        Formula("(4)", _square_and_slope_telescope),
        Formula("(5)", _square_and_slope_are_positive),
    ),
)
# The last display of Appendix D takes one for the other.
MISPRINT = Instance(
    "the last equality of Appendix D as printed, at x = 1: psi'(2)^2 + psi''(2) for "
    "psi'(1)^2 + psi''(1)",
    _square_and_slope(2),
    "=",
    _square_and_slope(1),
)

STATEMENTS = (
    Statement(
        id="ponnoprat2023.equation-5",
        kind="equation",
        where="Section 2.3, (5); Section 2.4, end",
        says="psi'(x) is the sum over k >= 0 of 1/(x+k)^2, which allows fast approximations "
        "at any precision; psi rises and is concave, psi' is positive, convex and falls.",
        hypotheses=(
            "x > 0",
            "what is left out has known bounds, which is any precision, and makes few terms enough",
        ),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#series",
                "the series and its rest between known ends (3), and the shapes",
                (
                    Formula("(3)", _rest_of_the_series_is_between),
                    Formula("shapes", _shapes_are_as_said),
                ),
            ),
            Instance(
                f"{_FEW} terms at x = 1 and the bounds (6) on the rest leave at most a millionth "
                "open",
                Exactly(
                    str(Fraction(1, 2 * (_FEW + 1) ** 2)),
                    f"the bounds' distance 1/(2x^2) at x = {_FEW + 1}",
                ),
                "<=",
                Exactly("1/1000000"),
                decides=True,
            ),
        ),
        readings=(
            Reading(
                "fast of the terms alone: the first n leave at most 1/(n+1) at x = 1",
                (
                    Instance(
                        "999999 terms leave at most a millionth",
                        _trigamma_at(_MANY + 1),
                        "<=",
                        Exactly("1/1000000"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.equation-6",
        kind="equation",
        where="Section 2.3, (6)",
        says="1/x + 1/(2x^2) < psi'(x) < 1/x + 1/x^2, so psi' is of the order 1/x^2 near 0 and "
        "1/x far out.",
        hypotheses=("x > 0",),
        note=_NOTE,
        evidence=(_BETWEEN,),
    ),
    Statement(
        id="ponnoprat2023.equation-15",
        kind="equation",
        where="Appendix D: the chain for psi'(1+x)^2, (15), and the display after it",
        says="psi'^2 + psi'' > 0 and psi'(1+x)^2 < 2 psi'(1+x)/x for x > 0, and x^2 psi'(1+x) "
        "rises from 0 to infinity.",
        garbled="the arguments x and 1+x in the rate at infinity",
        note=_NOTE,
        evidence=(MISPRINT,),
    ),
    Statement(
        id="ponnoprat2023.equation-15-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-15",
        where="Appendix D, its last display",
        says="All of it holds with psi'(1+x)^2 + psi''(1+x) for psi'(x)^2 + psi''(x) there.",
        hypotheses=("x > 0",),
        note=_NOTE,
        evidence=(_POSITIVE, _RISES),
    ),
    Statement(
        id="ponnoprat2023.equation-19",
        kind="equation",
        where="Appendix F, (19)",
        says="log(x - 1/2) < psi(x) < log x for x > 1/2.",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#digamma-between",
                "both differences are sums of positive terms (7)",
                (Formula("(7)", _digamma_is_between),),
            ),
        ),
    ),
)

# For the entries that rest on them.
BETWEEN, RISES, POSITIVE = _BETWEEN, _RISES, _POSITIVE
