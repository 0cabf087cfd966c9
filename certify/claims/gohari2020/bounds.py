"""Section III-B from Lemma 5 on: Beta bounds and Figure 1."""

from __future__ import annotations

from ....reference.arb.balls import ball
from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision, by_balls, by_spans, span
from ..values import At, Exactly, Worked
from . import executed_bounds as executed
from .theorem_1 import RANGES

NOTE = "gohari2020/beta-bounds.md"

# Figure 1: eta, eta_bar, k; then two gammas whose delta is below 0.02, and above 0.1.
CASES = (
    ("0.15", "0.15", "6.7", "0.0012", "0.0063"),
    ("0.2", "0.2", "5.1", "0.0018", "0.0092"),
    ("0.25", "0.25", "4.1", "0.0024", "0.0123"),
)


def _epsilon(case: int, gamma: str, *, simplified: bool = False) -> At:
    eta, bar, k = CASES[case][:3]
    given = {"k": k, "eta": eta, "eta_bar": bar, "b": "0.1", "w": 3, "gamma": gamma}
    name = "epsilon_simplified" if simplified else "epsilon_bound"
    return At(f"dirichlet.identity.{name}", given)


def _delta(case: int, gamma: str) -> At:
    eta, _, k = CASES[case][:3]
    given = {"k": k, "eta": eta, "w": 3, "gamma": gamma}
    return At("dirichlet.identity.delta_bound", given)


def _brackets() -> tuple[Instance, ...]:
    """Return that the range 0.02 to 0.1 of delta lies between the gammas chosen."""
    return tuple(
        piece
        for case in range(3)
        for piece in (
            Instance(
                f"case {case + 1}: delta at the lower gamma is below 0.02",
                _delta(case, CASES[case][3]),
                "<",
                Exactly("0.02"),
                decides=True,
            ),
            Instance(
                f"case {case + 1}: delta at the upper gamma is above 0.1",
                _delta(case, CASES[case][4]),
                ">",
                Exactly("0.1"),
                decides=True,
            ),
        )
    )


def _orders() -> tuple[Instance, ...]:
    """Return that each case's least epsilon is above the next one's largest."""
    return tuple(
        Instance(
            f"case {case + 1} against {case + 2}: the least epsilon is above the largest",
            _epsilon(case, CASES[case][4]),
            ">",
            _epsilon(case + 1, CASES[case + 1][3]),
            decides=True,
        )
        for case in (0, 1)
    )


def _offsets() -> tuple[Instance, ...]:
    return tuple(
        Instance(
            f"case {case + 1} against {case + 2}: the offset is larger",
            executed.offset(case + 1, *CASES[case][:3]),
            ">",
            executed.offset(case + 2, *CASES[case + 1][:3]),
            decides=True,
        )
        for case in (0, 1)
    )


_EXPONENTIAL = Instance(
    "(4) a = c = 2: what appendix -C says that exp(integral of the logarithm) is, 2 - (a+c)",
    Worked(
        "exp(integral of log x + log(1-x) over [0, 1])",
        by_balls(lambda: ball(-2).exp()),
        by_spans(lambda: span(-2).exp()),
    ),
    "=",
    Exactly("-2", "2 - (a+c)"),
)
_BETA_BOUNDS = Proof(
    "good-set-epsilon.md#beta-bounds",
    "Jensen's inequality below, 2uv <= u^2 + v^2 above",
    (Formula("(1): both, at drawn a, c", at_precision(executed.beta_bounds_hold)),),
)

CLAIMS = (
    Claim(
        "gohari2020.lemma-5",
        "lemma",
        "III-B Lemma 5, (15); appendix -C",
        "exp(2-a-c) <= B(a, c) <= (a+c-1)/((2a-1)(2c-1)).",
        NOTE,
        (_BETA_BOUNDS,),
        ("a, c > 1 (a, c > 1/2 is enough)",),
        of_proof=(_EXPONENTIAL,),
    ),
    Claim(
        "gohari2020.lemma-5-jensen",
        "equation",
        "appendix -C, first display",
        "A convex function of an integral is at most the integral of the function.",
        NOTE,
        (
            Instance(
                "(2) phi(y) = y^2, f = 1, over [0, 2]",
                Exactly("4", "(integral of 1)^2"),
                "<=",
                Exactly("2", "integral of 1^2"),
            ),
        ),
        ("over [a, b], f integrable, phi convex",),
    ),
    Claim(
        "gohari2020.lemma-5-jensen-repaired",
        "repair",
        "ours, for appendix -C",
        "It is over [0, 1], where it is used.",
        NOTE,
        (
            Proof(
                f"{NOTE}#jensen",
                "over [0, 1], where it is used: a line below the function",
                (Formula("(2): squares of polynomials over [0, 1]", executed.jensen_on_unit),),
            ),
        ),
        ("f integrable, phi convex",),
        repairs="gohari2020.lemma-5-jensen",
        adds=("b - a = 1",),
    ),
    Claim(
        "gohari2020.remark-simplification",
        "remark",
        "III-B, after Lemma 5",
        "With both Betas replaced by their bounds epsilon still bounds the loss.",
        NOTE,
        (
            Proof(
                "good-set-epsilon.md#simplified-bound-always-holds",
                "it does so for all steps up to b/2, also where epsilon itself does not",
                (Formula("no loss passes it", at_precision(executed.simplified_bound_holds)),),
            ),
        ),
        (*RANGES, "k eta > 1/2 and k (1 - eta_bar - eta) > 1/2, for Lemma 5"),
    ),
    Claim(
        "gohari2020.figure-1",
        "figure",
        "Figure 1, and Remark after Lemma 5",
        "The simplified epsilon is above by an offset, the smaller the smaller epsilon is.",
        NOTE,
        (
            Proof(
                "good-set-epsilon.md#simplified-offset",
                "the offset is positive, and does not depend on gamma, so not on delta",
                (Formula("(3) does not change with gamma", at_precision(executed.offset_is_free)),),
            ),
            *_brackets(),
            *_orders(),
            *_offsets(),
        ),
        ("|W| = 3, b = 0.1, the three (eta, eta_bar, k) printed, delta from 0.02 to 0.1",),
        garbled="The axis marks are doubled in the text: delta 0.02 to 0.1, epsilon 0 to 6.",
    ),
)
