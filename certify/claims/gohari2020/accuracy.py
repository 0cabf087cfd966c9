"""Section V and the choice of k: mean, variance, and what k trades."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..forms import at_precision
from ..values import At, Exactly
from . import executed_averages as executed
from .executed_definitions import gamma_moments
from .polynomials import vanishes

NOTE = "gohari2020/accuracy.md"


def moments_are_as_printed() -> Trilean:
    """Whether the second moment less p^2 is p (1-p)/(k+1), an identity of polynomials in k and p.

    E x = k p/k = p and E x^2 = k p (k p + 1)/(k (k+1)); what is 0 is multiplied by k (k+1).
    """

    def gap(k: Fraction, p: Fraction) -> Fraction:
        return k * p * (k * p + 1) - p * p * k * (k + 1) - p * (1 - p) * k

    return Trilean.of(vanishes(gap, (2, 2)))


def half_is_worst() -> Trilean:
    """Whether 1/4 - p (1-p) is the square of 1/2 - p, an identity of polynomials in p."""
    half = Fraction(1, 2)
    return Trilean.of(vanishes(lambda p: half * half - p * (1 - p) - (half - p) ** 2, (2,)))


def _bound(k: str) -> At:
    return At("dirichlet.utility.variance_bound", {"k": k})


MOMENTS = Identity(
    "(1) E x_i = p_i and Var x_i = p_i (1 - p_i)/(k+1) by the moments of Dirichlet(k p)",
    moments_are_as_printed,
)
WORST = Identity("(2) 1/4 - p (1 - p) = (1/2 - p)^2, so p = 1/2 has the most", half_is_worst)

CLAIMS = (
    Claim(
        "gohari2020.proposition-1",
        "proposition",
        "V Proposition 1, (22); appendix -D; section I",
        "The output lies in the simplex, with mean p_i and variance p_i (1 - p_i)/(k+1).",
        NOTE,
        (
            MOMENTS,
            Proof(
                "gohari2020/definitions.md#gammas",
                "shares of positive variables are positive and sum to 1; their moments",
                (Formula("(1): shares of Gammas", gamma_moments),),
            ),
        ),
        ("p in the open simplex, k > 0",),
    ),
    Claim(
        "gohari2020.equation-23",
        "remark",
        "V, Remark, (23)",
        "Var x_i <= 1/(4 (k+1)), attained at p_i = 1/2.",
        NOTE,
        (MOMENTS, WORST),
        ("p in the open simplex, k > 0",),
    ),
    Claim(
        "gohari2020.remark-tradeoff-k",
        "remark",
        "abstract, II-C and V",
        "A larger k means less variance and weaker privacy.",
        NOTE,
        (
            Proof(
                "monotone-roots.md#increases-in-k",
                "the exact delta rises strictly with k, at every epsilon",
                (Formula("(3): exact deltas rise", at_precision(executed.deltas_rise_with_k)),),
            ),
            MOMENTS,
        ),
        ("domain, b and p fixed",),
    ),
    Claim(
        "gohari2020.section-6-k-24",
        "number",
        "VI, k = 24",
        "k = 24 keeps the variance to 0.01: it is the least whole k that does, by (23).",
        NOTE,
        (
            Instance(
                "(23) at 24 is at most 0.01", _bound("24"), "<=", Exactly("0.01"), decides=True
            ),
            Instance("(23) at 23 is above 0.01", _bound("23"), ">", Exactly("0.01"), decides=True),
        ),
        readings=(
            Reading(
                "below 0.01 for every input",
                (
                    Instance(
                        "p_1 = 1/2: the variance is below 0.01",
                        At("dirichlet.utility.variance", {"p": "1/2", "k": "24"}),
                        "<",
                        Exactly("0.01"),
                    ),
                ),
            ),
        ),
    ),
)
