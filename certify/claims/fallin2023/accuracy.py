"""Section III-D: how far an entry moves, and Figure 1."""

from __future__ import annotations

from ..benvenuti2025.deviation import deviations_are_exact, half_is_the_worst, variances_are_exact
from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..values import Exactly, Worked
from . import executed_accuracy as executed
from .forms import deviation

NOTE = "fallin2023/accuracy.md"
_PLACE = f"{NOTE}#"
_ENTRY = ("0 < P_ij < 1", "k > 0; none of Assumptions 1 to 3 is needed")

EXACT_MEAN = Proof(
    "utility.md#mean-absolute-deviation",
    "the mean deviation by parts",
    (
        Formula("(3): whole parameters, integrals", at_precision(deviations_are_exact)),
        Formula("(3): the identity of I_z", at_precision(executed.incomplete_betas_step)),
    ),
)
HALF = Proof(
    "utility.md#half-is-the-worst",
    "the logarithm of (20) is concave and symmetric in P_ij",
    (Formula("(1): it rises up to 1/2, where it is (15)", at_precision(half_is_the_worst)),),
)
SQUARE = Proof(
    "utility.md#coordinate-variance",
    "the second moment of a Beta variable",
    (Formula("(2): whole parameters", variances_are_exact),),
)
EPSILON_RISES = Proof(
    "good-set-epsilon.md#smallest-k-smallest-epsilon",
    "the printed epsilon rises with k where eta + b/2 <= 1 - eta_bar - eta",
    (Formula("(5): drawn numbers", at_precision(executed.epsilon_rises)),),
)
STEP = Instance(
    "(4) P_ij = 1/10, k = 10: the mean deviation is at most 2 (1/2)^k/(k B(k P_ij, k (1 - P_ij)))",
    deviation("1/10", "10"),
    "<=",
    Worked("2 (1/2)^10/(10 B(1, 9))", executed.step_in_rationals, executed.step_in_balls),
    {"eta = 1/10, eta_bar = 1/20 meet Assumptions 1 and 2": executed.step_is_admissible()},
)

CLAIMS = (
    Claim(
        "fallin2023.theorem-2",
        "theorem",
        "III-D Theorem 2, (15), (16)",
        "Bounds on the mean and the mean square of |P_ij - P~_ij|, free of P.",
        NOTE,
        (EXACT_MEAN, HALF, SQUARE),
        _ENTRY,
        of_proof=(STEP,),
    ),
    Claim(
        "fallin2023.equation-20",
        "equation",
        "III-D (17) to (20)",
        "The mean of |P_ij - P~_ij| in closed form.",
        NOTE,
        (EXACT_MEAN,),
        _ENTRY,
    ),
    Claim(
        "fallin2023.theorem-2-step",
        "equation",
        "III-D, the display after (20)",
        "The mean deviation is at most (20) with 1/2 for P_ij in the numerator alone.",
        NOTE,
        (STEP,),
        _ENTRY,
        garbled="Perhaps B(k/2, k/2) is meant, as the next line has it.",
    ),
    Claim(
        "fallin2023.theorem-2-step-repaired",
        "repair",
        "ours, for the display after (20)",
        "With 1/2 for P_ij in the Beta function as well.",
        NOTE,
        (EXACT_MEAN, HALF),
        _ENTRY,
        repairs="fallin2023.theorem-2-step",
    ),
    Claim(
        "fallin2023.equation-21",
        "equation",
        "III-D (21)",
        "The mean square of P_ij - P~_ij is k (P_ij - P_ij^2)/(k^2 + k).",
        NOTE,
        (SQUARE,),
        _ENTRY,
        of_proof=(
            Instance(
                "(2) k = 4, P_ij = 1/2: the display before (21), with Gamma(k+1) in its first "
                "denominator and without + P_ij^2, equals it",
                Exactly(str(executed.display_before_21(4)), "the display"),
                "=",
                Exactly("1/20", "the mean square"),
            ),
        ),
    ),
    Claim(
        "fallin2023.remark-tradeoff",
        "remark",
        "III-D, the paragraph before it; Figure 1",
        "As epsilon rises with k, the bounds (15), (16) and the mean errors fall.",
        NOTE,
        (
            EPSILON_RISES,
            Proof(
                "utility.md#spread-falls-with-k",
                "mean deviation and variance fall strictly with k, for 1/2 and every other entry",
                (Formula("(5): drawn entries", at_precision(executed.spread_falls)),),
            ),
        ),
        (*_ENTRY, "eta + b/2 <= 1 - eta_bar - eta, as in Figure 1"),
    ),
)
