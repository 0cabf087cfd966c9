"""Section III-C, (8) to (14): the log-ratio of two rows, and what is said to bound it."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import Named, at_precision
from ..gohari2020 import executed_epsilon
from ..gohari2020.forms import loss
from ..gohari2020.theorem_1 import LARGEST_LOSS
from ..values import Exactly
from . import executed_log_ratio as executed
from .inputs import ANY_K, ASIDE, ASSUMPTIONS, MIDDLE, THREE, WHOLE
from .theorem_1 import LOSS_AT_EQUAL, WHOLE_STEP

NOTE = "fallin2023/log-ratio.md"
_PLACE = f"{NOTE}#"
_GOOD = ("9/20", "9/20", "1/10")

_POWER = Named(
    "(k b/2) log R at k = 5, b = 4/5, gamma = 9/20, the Betas being equal", WHOLE.epsilon()
)
PASSED = Instance(
    "(1) rows (2/5, 2/5, 1/5) and (1/5, 3/5, 1/5), good output (9/20, 9/20, 1/10), k = 5: the "
    "log-ratio is at most the printed epsilon",
    LOSS_AT_EQUAL,
    "<=",
    WHOLE.epsilon(),
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        **WHOLE.row().adjacent("q", MIDDLE, ASIDE),
        "the output is good": sum(map(Fraction, _GOOD)) == 1
        and min(map(Fraction, _GOOD[:2])) >= Fraction(WHOLE.gamma),
        "x_1 = x_2": _GOOD[0] == _GOOD[1],
    },
)
_CORNER = loss("(14) at k = 5, eta = eta_bar = 1/5, b = 4/5", "5", ("3/5", "1/5"), ("1/5", "3/5"))
CORNERS = Instance(
    "(3) P_l = 2/5, Q_l = 1/5, c = 4/5, k = 5: log G is at most (14)",
    LOSS_AT_EQUAL,
    "<=",
    _CORNER,
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        "feasible: P_l, Q_l in [eta, 1 - eta_bar - eta], c = 1 - eta_bar": (
            Fraction("1/5") <= min(map(Fraction, MIDDLE[:2] + ASIDE[:2]))
            and max(map(Fraction, MIDDLE[:2] + ASIDE[:2])) <= Fraction("3/5")
        ),
    },
)
SECOND_CORNER = Instance(
    "(4) k = 4, eta = 1/4, eta_bar = 1/5, b = 1/2: the second point of (13) as printed, where "
    "P = Q, has the objective of the first",
    Exactly("0", "log G where P = Q"),
    "=",
    loss("log G at (eta + b/2, eta)", "4", ("1/2", "3/10"), ("1/4", "11/20")),
    THREE.assumptions(),
)

CLAIMS = (
    Claim(
        "fallin2023.equation-8",
        "equation",
        "III-C (8)",
        "The log-ratio of two adjacent rows is that of four Gammas and of x_l/x_m to a power.",
        NOTE,
        (
            Proof(
                "dominating-pair.md#ratio-is-sufficient",
                "all other factors cancel",
                (
                    Formula(
                        "(2): the ratio of the whole densities",
                        at_precision(executed_epsilon.densities_ratio_is_the_formula),
                    ),
                ),
            ),
        ),
        ("rows that differ in l and m", "k > 0"),
    ),
    Claim(
        "fallin2023.equation-9",
        "equation",
        "III-C (9) and the line after (14)",
        "On the good set the log-ratio of two adjacent rows is at most the printed epsilon_i.",
        NOTE,
        (PASSED,),
        ASSUMPTIONS,
        of_proof=(CORNERS,),
    ),
    Claim(
        "fallin2023.equation-9-repaired",
        "repair",
        "ours, for (9)",
        "It is where the whole step is the worst.",
        NOTE,
        (LARGEST_LOSS,),
        (ANY_K,),
        repairs="fallin2023.equation-9",
        adds=(WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Claim(
        "fallin2023.equation-12",
        "equation",
        "III-C (10), (12)",
        "(x_l/x_m)^(k (P_l - Q_l)) is at most (k b/2) log R on the good set.",
        NOTE,
        (
            Instance(
                "(5) at x_l = x_m, k = 5: (10), (x_l/x_m)^(k (P_l - Q_l)) = 1, is at most (12)",
                Exactly("1", "1 to any power"),
                "<=",
                _POWER,
                {
                    **WHOLE.assumptions(),
                    "x_l = x_m is good": 2 * Fraction(WHOLE.gamma) <= 1,
                },
            ),
            Instance(
                "before (12), |W| = 2: the entry 9/20 of the good output (9/20, 9/20, 1/10) is at "
                "most (1 - (|W|-1)) gamma",
                Exactly("9/20", "x_l"),
                "<=",
                Exactly("0", "(1 - (2 - 1)) gamma"),
                {"the output is good": Fraction(WHOLE.gamma) <= Fraction(_GOOD[0])},
            ),
        ),
        (ANY_K,),
    ),
    Claim(
        "fallin2023.equation-12-repaired",
        "repair",
        "ours, for (10) and (12)",
        "It is with a logarithm in (10), and x_l <= 1 - (|W|-1) gamma.",
        NOTE,
        (
            Proof(
                _PLACE + "power-of-the-ratio",
                "|P_l - Q_l| <= b/2, and x_l/x_m lies between 1/R and R",
                (Formula("(5): good outputs, exactly", executed.ratios_are_below),),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.equation-12",
    ),
    Claim(
        "fallin2023.equation-14",
        "equation",
        "III-C (11), (13), (14)",
        "The largest log G is at a corner of (13), where it is (14).",
        NOTE,
        (CORNERS,),
        ASSUMPTIONS,
        readings=(
            Reading("the first two corners, as printed, have equal objectives", (SECOND_CORNER,)),
        ),
        garbled="The second corner lacks the -b/2 that gohari2020 (13) has; read with it.",
    ),
    Claim(
        "fallin2023.equation-14-repaired",
        "repair",
        "ours, for (11) to (14)",
        "(14) is the largest log G where 2 eta + b <= 1 - eta_bar.",
        NOTE,
        (
            Proof(
                "gohari2020/log-ratio.md#largest-gamma-part",
                "a symmetric convex function falls most from its end over a whole step",
                (
                    Formula(
                        "no feasible pair passes it",
                        at_precision(executed_epsilon.corner_is_largest),
                    ),
                ),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.equation-14",
        adds=("2 eta + b <= 1 - eta_bar",),
    ),
)
