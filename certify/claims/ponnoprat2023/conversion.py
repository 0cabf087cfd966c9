"""Appendix B and Figure 3 (bottom): from Renyi to approximate privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.second.directed import Span
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, OverBox, Proof
from ..forms import span
from ..values import Exactly, Worked
from . import executed_privacy as executed
from .calibration import PRIVATE
from .forms import trigamma_span, worked
from .guarantee import EIGHTEEN
from .inputs import DELTA, FIGURE_8_ORDERS, ORDERS
from .polygamma import RISES

NOTE = "ponnoprat2023/conversion.md"
# Decimals just below the infima, for the orders of Figure 3.
_BELOW = ("10.1266", "0.39697", "0.026216")
# Where (14) is negative and rises with lambda: r so small that epsilon does not matter.
_TINY = "1/1000000000"


def floor(order: int) -> Worked:
    """Enclose the infimum of (14) over r > 0: log(1 - 1/lambda) - log(delta lambda)/kappa."""
    return worked(
        f"infimum of (14) over r, lambda = {order}, delta = 1e-5",
        lambda: executed.floor_of(order),
        lambda: (
            (span(order - 1).log() - span(order).log())
            - (span(DELTA).log() + span(order).log()) / span(order - 1)
        ),
    )


def _fourteen(order: int) -> Worked:
    """Enclose (14) at r = 1e-9, D2^2 = 2 and Dinf = 1."""
    r = Fraction(_TINY)
    x = 1 + 3 * (order - 1) * r

    def balls() -> arb:
        return order * ball(r) ** 2 * arb(2).zeta(ball(x)) + executed.floor_of(order)

    def spans() -> Span:
        kappa = span(order - 1)
        rest = (span(DELTA).log() + span(order) * span(order).log()) / kappa
        return span(order * r**2) * trigamma_span(x) + kappa.log() - rest

    return worked(f"(14) at r = 1e-9, lambda = {order}, delta = 1e-5", balls, spans)


_CONVERTED = Proof(
    "renyi-calibration.md#conversion-to-approximate-privacy",
    "(1 - 1/z) z^(1-lambda) is at most its value at z = lambda/(lambda-1); solved for epsilon-hat "
    "(1)",
    (Formula("(1)", executed.conversion_is_solved),),
)
_OTHER = Proof(
    f"{NOTE}#another-order",
    "at lambda' = 1 + 1/(2r) both epsilon and what the conversion adds are of the order r (5)",
    (Formula("(5)", executed.another_order_serves),),
)
_ENDS = Proof(
    f"{NOTE}#figure-8",
    "for r <= 1/100 by psi' <= psi'(1) (3), for r >= 1 by the bounds on psi' (4)",
    (
        Formula("(3)", executed.gaps_are_positive_near_zero),
        Formula("(4)", executed.gaps_are_positive_far_out),
    ),
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.figure-3-bottom",
        kind="figure",
        where="Section 3.2, Figure 3 (bottom), for lambda = 2, 20, 200",
        says="For every epsilon-hat from 0.001 to 100 some r > 0 makes a draw "
        "(epsilon-hat, 1e-5)-private by Theorem 1 and the conversion of Appendix B.",
        hypotheses=("the conversion at the lambda that is named", "alpha = 1 + 4 (lambda-1) r"),
        note=NOTE,
        evidence=tuple(
            Instance(
                f"lambda = {order}: (14) at any r > 0 is above this, and should be 0.001 at some r",
                floor(order),
                "<=",
                Exactly("0.001"),
                {"lambda > 1": order > 1},
            )
            for order in ORDERS
        ),
        readings=(
            Reading("by (18) and the conversion at any order", (EIGHTEEN, _CONVERTED, _OTHER)),
        ),
    ),
    Claim(
        id="ponnoprat2023.figure-3-bottom-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-3-bottom",
        where="Section 3.2, Figure 3 (bottom); Appendix B",
        says="For every epsilon-hat above log(1 - 1/lambda) - log(delta lambda)/(lambda-1), and "
        "for no other, there is such an r, and it is one.",
        hypotheses=("where that number is not negative",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#least",
                "(14) is that number plus line 1, which rises strictly from 0 without bound (2)",
                (Formula("(2)", RISES.formulas[0].holds),),
            ),
            PRIVATE,
            _CONVERTED,
            *(
                Instance(f"lambda = {order}", floor(order), ">", Exactly(below), decides=True)
                for order, below in zip(ORDERS, _BELOW, strict=True)
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.figure-3-comparison",
        kind="figure",
        where="Section 3.2, Figure 3 (bottom), against gohari2020",
        says="The guarantee of Theorem 1 generally gives smaller divergences than gohari2020's.",
        note=NOTE,
        evidence=(
            NotDecidable(
                "gohari2020's gamma, eta, eta' and W are not stated, and draws are random; the "
                "missing points are of the numerical integral of (7)"
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.lemma-3",
        kind="lemma",
        where="Appendix B, Lemma 3 and (13)",
        says="(lambda, epsilon)-Renyi privacy gives (epsilon-hat, delta)-privacy with delta = "
        "e^((lambda-1)(epsilon - epsilon-hat)) (1 - 1/lambda)^lambda/(lambda-1).",
        hypotheses=("lambda > 1: at lambda = 1, which Algorithm 1 admits, it divides by 0",),
        note=NOTE,
        evidence=(_CONVERTED,),
    ),
    Claim(
        id="ponnoprat2023.equation-14",
        kind="equation",
        where="Appendix B, the logarithm of (13), its solution, and (14)",
        says="epsilon-hat is epsilon + log(lambda-1) - (log delta + lambda log lambda)/(lambda-1), "
        "and with line 1 a function of r, lambda and delta.",
        hypotheses=("lambda > 1", "where it is negative, epsilon-hat = 0 is reached"),
        note=NOTE,
        evidence=(_CONVERTED, PRIVATE),
    ),
    Claim(
        id="ponnoprat2023.figure-8",
        kind="figure",
        where="Appendix B, Figure 8 and the last sentence",
        says="At delta = 1e-5, epsilon-hat of (14) rises with r, and falls as lambda goes from 2 "
        "to 10, 50 and 200.",
        hypotheses=("all r > 0", "Dinf = 1 and D2^2 at most 2"),
        note=NOTE,
        evidence=(
            RISES,
            *(
                OverBox(
                    f"(14) at lambda = {one} less (14) at lambda = {other}, D2^2 = 2",
                    {"r": ("1/100", "1")},
                    executed.falls_between(one, other),
                    _ENDS,
                )
                for one, other in pairwise(FIGURE_8_ORDERS)
            ),
        ),
        readings=(
            Reading(
                "for all lambda > 1, without a clamp at 0",
                (
                    Instance(
                        "from lambda = 100000 to lambda = 1000000 at r = 1e-9",
                        _fourteen(10**6),
                        "<=",
                        _fourteen(10**5),
                        {"r > 0": Fraction(_TINY) > 0, "lambda > 1": 10**5 > 1},
                    ),
                ),
            ),
        ),
    ),
)
