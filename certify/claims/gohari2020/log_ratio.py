"""Section III-B up to Lemma 4: the log-ratio of two neighbours' densities, and what bounds it."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..forms import at_precision
from ..values import Exactly
from . import executed_epsilon as executed
from .forms import loss
from .inputs import (
    ASIDE,
    HALF_WAY,
    INTERIOR,
    INTERIOR_OUTPUT,
    INTERIOR_P,
    INTERIOR_Q,
    MIDDLE,
    TOO_LONG,
    Setting,
    is_good,
)
from .polynomials import beta, vanishes
from .theorem_1 import FITS, LARGEST_LOSS, LOSS_AT_EQUAL, RANGES, WHOLE_STEP

NOTE = "gohari2020/log-ratio.md"
_RATIO = str(Fraction(INTERIOR_OUTPUT[0]) / Fraction(INTERIOR_OUTPUT[1]))
_THREE = Setting("10", "1/10", "1/20", "1/10", "1/5")
_P, _Q = ("3/10", "1/5", "1/2"), ("7/20", "3/20", "1/2")

LEMMA_3 = Instance(
    "(1) k = 10, p = (3/10, 1/5, 1/2), q = (7/20, 3/20, 1/2), eta_bar = 1/20, logarithms",
    loss("log B(7/2, 3/2) - log B(3, 2)", _THREE.k, _P[:2], _Q[:2]),
    "<=",
    loss("log B(7/2, 6) - log B(3, 13/2)", _THREE.k, ("3/10", "13/20"), ("7/20", "3/5")),
    {
        **_THREE.adjacent("q", _P, _Q),
        "the right side has 1 - eta_bar - p_i, 1 - eta_bar - q_i": (
            (Fraction("19/20") - Fraction(_P[0]), Fraction("19/20") - Fraction(_Q[0]))
            == (Fraction("13/20"), Fraction("3/5"))
        ),
    },
)
LEMMA_4 = Instance(
    "(2) p = (2/5, 2/5, 1/5), q = (1/5, 3/5, 1/5), output (2/5, 2/5, 1/5), k = 1/2, gamma = 1/5",
    LOSS_AT_EQUAL,
    "<=",
    HALF_WAY.epsilon(),
    {
        **HALF_WAY.step_fits(),
        **HALF_WAY.adjacent("q", MIDDLE, ASIDE),
        "the output is good": is_good(MIDDLE, HALF_WAY.gamma),
        "x_1 = x_2": MIDDLE[0] == MIDDLE[1],
    },
)
LEMMA_4_FAR = Instance(
    "p = (0.383, 0.137, 0.48), q = (0.01, 0.51, 0.48), output (0.99225, 0.00675, 0.001), k = 1",
    loss("loss at that output", INTERIOR.k, INTERIOR_P[:2], INTERIOR_Q[:2], _RATIO),
    "<=",
    INTERIOR.epsilon(),
    {
        **INTERIOR.step_fits(),
        **INTERIOR.adjacent("q", INTERIOR_P, INTERIOR_Q),
        "the output is good": is_good(INTERIOR_OUTPUT, INTERIOR.gamma),
    },
)
_CORNER = loss(
    "(14) at k = 1/2, eta = eta_bar = 1/5, b/2 = 2/5", "1/2", ("3/5", "1/5"), ("1/5", "3/5")
)
CORNERS = Instance(
    "(3) p_i = 2/5, q_i = 1/5, c = 4/5, k = 1/2: the Gamma part is at most (14)",
    LOSS_AT_EQUAL,
    "<=",
    _CORNER,
    {
        **HALF_WAY.step_fits(),
        "p_i, q_i in [eta, 1 - eta_bar - eta]": all(
            Fraction("1/5") <= x <= Fraction("3/5") for x in map(Fraction, ("2/5", "1/5"))
        ),
        "|p_i - q_i| <= b/2": Fraction("2/5") - Fraction("1/5") <= Fraction("2/5"),
    },
)
NEGATIVE_CORNER = Instance(
    "k = 4, eta = 1/4, eta_bar = 249/1000, b = 1: the first corner (3/4, 1/4) is positive",
    Exactly("0"),
    "<",
    loss("log B(1, 2.004) - log B(3, 0.004)", "4", ("3/4", "1/1000"), ("1/4", "501/1000")),
    TOO_LONG.in_range(),
)


def unbounded() -> Trilean:
    """Whether the ratio of Dir(3, 2, 5) to Dir(2, 3, 5), along (1 - 2x, x, x), stays bounded.

    Both have one B. The ratio is (1 - 2x)/x, by an identity of polynomials of degree 8 in x, and
    at x = 1/(M + 3) that is M + 1, by an identity of polynomials in M: above each M.
    """

    def ratio(x: Fraction) -> Fraction:
        one, other = ((1 - 2 * x) ** (a - 1) * x ** (b - 1) * x**4 for a, b in ((3, 2), (2, 3)))
        return one * x - other * (1 - 2 * x)

    def excess(bound: Fraction) -> Fraction:
        return (bound + 3) - 2 - (bound + 1)  # (1 - 2x)/x = 1/x - 2

    known = beta((3, 2, 5)) == beta((2, 3, 5)) and vanishes(ratio, (8,)) and vanishes(excess, (1,))
    return Trilean.FALSE if known else Trilean.UNKNOWN


CLAIMS = (
    Claim(
        "gohari2020.equation-9-unbounded",
        "equation",
        "III-B (9)",
        "The log-ratio depends on x_i/x_j alone, by (9), and is unbounded over all outputs.",
        NOTE,
        (
            Proof(
                "dominating-pair.md#ratio-is-sufficient",
                "all other factors cancel, and p_i - q_i = q_j - p_j",
                (
                    Formula(
                        "(9) is the ratio of the whole densities",
                        at_precision(executed.densities_ratio_is_the_formula),
                    ),
                ),
            ),
            Proof(
                "dominating-pair.md#no-pure-privacy",
                "its last part is k (p_i - q_i) log(x_i/x_j), which has no bound where p differs "
                "from q",
                (
                    Formula(
                        "Dir(3, 2, 5) against Dir(2, 3, 5) along (1 - 2x, x, x)",
                        lambda: unbounded() is Trilean.FALSE,
                    ),
                ),
            ),
        ),
        ("p, q neighbours, k > 0",),
    ),
    Claim(
        "gohari2020.remark-bounded-ratios",
        "remark",
        "III-B, after (9)",
        "As inputs are at least eta on W, where they differ, the ratios of densities stay bounded.",
        NOTE,
        (
            Identity(
                "k = 10, p = (0.3, 0.2, 0.5), q = (0.2, 0.3, 0.5): the ratio of densities "
                "is bounded along the outputs (1 - 2x, x, x)",
                unbounded,
            ),
        ),
        ("p, q neighbours in the bordered simplex, k > 0",),
    ),
    Claim(
        "gohari2020.lemma-3",
        "lemma",
        "III-B Lemma 3; appendix -B",
        "With 1 - eta_bar for the sum c = p_i + p_j the ratio of Betas does not fall.",
        NOTE,
        (LEMMA_3,),
        ("p, q neighbours that differ in i and j", "k > 0"),
        garbled="Appendix -B prints the ratio upside down, and q_j for q_i in its last line.",
    ),
    Claim(
        "gohari2020.lemma-3-repaired",
        "repair",
        "ours, for Lemma 3",
        "Lemma 3 where q_i <= p_i: of i and j one always is such.",
        NOTE,
        (
            Proof(
                f"{NOTE}#larger-sum",
                "Gamma(k (c-q))/Gamma(k (c-p)) rises with c where q < p, as psi rises",
                (Formula("ratios of Betas rise", at_precision(executed.larger_total_is_larger)),),
            ),
        ),
        ("p, q neighbours that differ in i and j", "k > 0"),
        repairs="gohari2020.lemma-3",
        adds=("q_i <= p_i",),
    ),
    Claim(
        "gohari2020.lemma-4",
        "lemma",
        "III-B Lemma 4, (10), (11)",
        "On the good set the log-ratio of neighbours is at most the epsilon of Theorem 1.",
        NOTE,
        (LEMMA_4, LEMMA_4_FAR),
        (*RANGES, f"{FITS}; not printed, and not enough"),
        of_proof=(CORNERS,),
        garbled="The statement has an unmatched bracket; read 1 - (|W|-1) gamma, as in the proof.",
    ),
    Claim(
        "gohari2020.lemma-4-repaired",
        "repair",
        "ours, for Lemma 4",
        "Lemma 4 where the whole step is the worst.",
        NOTE,
        (LARGEST_LOSS,),
        (*RANGES, WHOLE_STEP),
        repairs="gohari2020.lemma-4",
        adds=(WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Claim(
        "gohari2020.lemma-4-proof-corners",
        "equation",
        "III-B (12) to (14)",
        "The Gamma part of the log-ratio is largest at a corner of (13), where it is (14).",
        NOTE,
        (CORNERS,),
        (*RANGES, f"{FITS}; not printed, and not enough"),
        readings=(
            Reading(
                "the objective is positive at the first two corners, for every b",
                (NEGATIVE_CORNER,),
            ),
        ),
        garbled="In the second corner fallin2023 (13) lacks the -b/2 that stands here.",
    ),
    Claim(
        "gohari2020.lemma-4-proof-corners-repaired",
        "repair",
        "ours, for (12) to (14)",
        "(14) is the largest Gamma part where 2 eta + b <= 1 - eta_bar.",
        NOTE,
        (
            Proof(
                f"{NOTE}#largest-gamma-part",
                "a symmetric convex function falls most from its end over a whole step",
                (Formula("no feasible pair passes it", at_precision(executed.corner_is_largest)),),
            ),
        ),
        RANGES,
        repairs="gohari2020.lemma-4-proof-corners",
        adds=("2 eta + b <= 1 - eta_bar",),
    ),
)
