"""Sections 2.2 to 2.4 and Appendices D and F: bounds on digamma and trigamma."""

from __future__ import annotations

from flint import arb

from ....reference.second.directed import Span
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..values import Exactly, Worked
from . import executed_polygamma as executed
from .forms import trigamma_span, worked

NOTE = "ponnoprat2023/polygamma.md"
_MANY = 999_999
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
        low, high = executed.cubes_between(x, _CUBES)
        head = trigamma_span(x)
        return head * head - executed.hull_of(2 * low, 2 * high)

    return worked(f"psi'({x})^2 + psi''({x})", balls, spans)


_BETWEEN = Proof(
    f"{NOTE}#trigamma-between",
    "what both ends fall by from x to x + 1 is below and above 1/x^2 (1), (2)",
    (
        Formula("(1)", executed.both_ends_telescope),
        Formula("(2)", executed.trigamma_is_between),
    ),
)
_RISES = Proof(
    "renyi-calibration.md#square-times-trigamma-rises",
    "x^2 psi'(1+x) rises strictly from 0 without bound (6)",
    (Formula("(6)", executed.square_times_trigamma_rises),),
)
_POSITIVE = Proof(
    f"{NOTE}#square-and-slope",
    "psi'^2 + psi'' is the sum of its own falls, each positive by (1) (4), (5)",
    (
        Formula("(4)", executed.square_and_slope_telescope),
        Formula("(5)", executed.square_and_slope_are_positive),
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

CLAIMS = (
    Claim(
        id="ponnoprat2023.equation-5",
        kind="equation",
        where="Section 2.3, (5); Section 2.4, end",
        says="psi'(x) is the sum over k >= 0 of 1/(x+k)^2, which allows approximations at any "
        "precision; psi rises and is concave, psi' is positive, convex and falls.",
        hypotheses=("x > 0", "precision is any where what is left out has known bounds"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#series",
                "the series and its rest between known ends (3), and the shapes",
                (
                    Formula("(3)", executed.rest_of_the_series_is_between),
                    Formula("shapes", executed.shapes_are_as_said),
                ),
            ),
        ),
        readings=(
            Reading(
                "fast: the first n terms leave at most 1/(n+1) at x = 1",
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
    Claim(
        id="ponnoprat2023.equation-6",
        kind="equation",
        where="Section 2.3, (6)",
        says="1/x + 1/(2x^2) < psi'(x) < 1/x + 1/x^2, so psi' is of the order 1/x^2 near 0 and "
        "1/x far out.",
        hypotheses=("x > 0",),
        note=NOTE,
        evidence=(_BETWEEN,),
    ),
    Claim(
        id="ponnoprat2023.equation-15",
        kind="equation",
        where="Appendix D: the chain for psi'(1+x)^2, (15), and the display after it",
        says="psi'^2 + psi'' > 0 and psi'(1+x)^2 < 2 psi'(1+x)/x for x > 0, and x^2 psi'(1+x) "
        "rises from 0 to infinity.",
        garbled="the arguments x and 1+x in the rate at infinity",
        note=NOTE,
        evidence=(MISPRINT,),
    ),
    Claim(
        id="ponnoprat2023.equation-15-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-15",
        where="Appendix D, its last display",
        says="All of it holds with psi'(1+x)^2 + psi''(1+x) for psi'(x)^2 + psi''(x) there.",
        hypotheses=("x > 0",),
        note=NOTE,
        evidence=(_POSITIVE, _RISES),
    ),
    Claim(
        id="ponnoprat2023.equation-19",
        kind="equation",
        where="Appendix F, (19)",
        says="log(x - 1/2) < psi(x) < log x for x > 1/2.",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#digamma-between",
                "both differences are sums of positive terms (7)",
                (Formula("(7)", executed.digamma_is_between),),
            ),
        ),
    ),
)

# For the entries that rest on them.
BETWEEN, RISES, POSITIVE = _BETWEEN, _RISES, _POSITIVE
