"""Appendix E: the divergence of two Dirichlet laws, and the bound on it."""

from __future__ import annotations

from flint import arb

from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..values import Exactly
from . import executed_calibration as executed
from .forms import trigamma_span, worked

NOTE = "ponnoprat2023/calibration.md"
_EIGHTEEN = Proof(
    "renyi-calibration.md#equation-eighteen",
    "every argument of psi' is at least alpha - kappa r Dinf (1)",
    (Formula("(1)", executed.eighteen_holds),),
)
# One record of (1, 0) moves to the other cell: r = 1, alpha = 1, order 1.
_BEFORE, _AFTER = (2, 1), (1, 2)
_MIDDLE_DISPLAY = Instance(
    "u = (2, 1), u' = (1, 2): u_0 = u'_0 = 3, so the left is 0 with the inner sum or without",
    Exactly(str(0), "log Gamma(u_0) - log Gamma(u'_0) - sum over i of (u_0 - u'_0) psi(u_0)"),
    "<=",
    worked(
        "-(1/2) sum of (u_i - u'_i)^2 psi'(3)",
        lambda: -arb(2).zeta(arb(3)),
        lambda: -trigamma_span(3),
    ),
    {
        "u = r f + alpha for f = (1, 0), r = 1, alpha = 1": _BEFORE == (1 + 1, 0 + 1),
        "u' = r f' + alpha for f' = (0, 1)": _AFTER == (0 + 1, 1 + 1),
        "alpha = 1 + 4 (order - 1) r Dinf at order 1": 1 + 4 * (1 - 1) == 1,
        "sum of (u_i - u'_i)^2 is 2": sum(
            (a - b) ** 2 for a, b in zip(_BEFORE, _AFTER, strict=True)
        )
        == 2,  # noqa: PLR2004
    },
)


CLAIMS = (
    Claim(
        id="ponnoprat2023.equation-16",
        kind="equation",
        where="Appendix E, (16), (17) and the Kullback-Leibler divergence of case 2",
        says="The moment of order lambda-1 of the ratio of two Dirichlet densities is a quotient "
        "of Beta functions, its logarithm a sum of G + H; the divergence of order 1 is in "
        "digammas.",
        hypotheses=("all u_i + (lambda-1)(u_i - u'_i) > 0, which Algorithm 1 sees to",),
        note=NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#divergence-of-dirichlet-laws",
                "the moment integral is a Beta function (3), at order 1 a mean of logarithms (4)",
                (
                    Formula("(3)", executed.moments_are_quotients),
                    Formula("(4)", executed.kullback_leibler_is_in_digammas),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-18",
        kind="equation",
        where="Appendix E, (18)",
        says="The divergence is at most lambda D2^2 r^2 psi'(alpha - (lambda-1) r Dinf)/2.",
        hypotheses=("alpha > (lambda-1) r Dinf, less than the paper has in mind",),
        note=NOTE,
        evidence=(_EIGHTEEN,),
    ),
    Claim(
        id="ponnoprat2023.equation-18-case-2",
        kind="equation",
        where="Appendix E, case 2 (lambda = 1), the second displayed inequality",
        says="log Gamma(u_0) - log Gamma(u'_0) - sum_i (u_0 - u'_0) psi(u_0) is at most "
        "-(1/2) sum_i (u_i - u'_i)^2 psi'(max(u_0, u'_0)).",
        hypotheses=("lambda = 1",),
        garbled="both sums may be misprints for the one term of the totals, which is the repair",
        note=NOTE,
        evidence=(_MIDDLE_DISPLAY,),
    ),
    Claim(
        id="ponnoprat2023.equation-18-case-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-18-case-2",
        where="Appendix E, case 2",
        says="log Gamma(u_0) - log Gamma(u'_0) - (u_0 - u'_0) psi(u_0) is at most "
        "-(1/2) (u_0 - u'_0)^2 psi'(max(u_0, u'_0)), hence at most 0.",
        note=NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#gap-as-trigammas",
                "Taylor's formula for log Gamma at u_0, psi' falling (5)",
                (Formula("(5)", executed.totals_are_below_the_tangent),),
            ),
        ),
    ),
)

# For the entries that rest on it.
EIGHTEEN = _EIGHTEEN
