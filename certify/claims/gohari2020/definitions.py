"""Sections I and II: neighbours, the two senses of privacy, the density, and what is said of it."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..values import At, Exactly
from . import executed_definitions as executed
from .forms import Where, loss

NOTE = "gohari2020/definitions.md"

_EXPERTS = {"alpha": "1.2", "step": "0.12"}
_LOSS = loss(
    "loss of (1.2, 1.32) to (1.32, 1.2) at r = 0.39", "1", ("1.2", "1.32"), ("1.32", "1.2"), "39/61"
)
CONVERSE = Instance(
    "(2) k = 24, eta = 0.05, b = 1, N = 100, (0.051, 0.05)-private in the conventional sense: the "
    "probability of a loss above 0.051, for the worst neighbours, is at most 0.05",
    Where(
        "P(r < 0.39), where every loss is above 0.051; and conventional delta is below 0.05",
        At("dirichlet.tail.general", {"alpha": ["1.2"], "rest": "1.32", "gamma": "0.39"}),
        (
            (Exactly("0.051"), _LOSS),
            (At("dirichlet.profile.delta", {**_EXPERTS, "epsilon": "0.051"}), Exactly("0.05")),
        ),
    ),
    "<=",
    Exactly("0.05"),
    {
        "b/(2N) <= 1 - eta_bar - 2 eta, so that neighbours attain the pair": (
            Fraction(1, 200) <= 1 - 3 * Fraction("0.05")
        )
    },
)

# Outputs a, b, c of two neighbours, private with e^epsilon = 2 and delta = 1/10 in both senses.
_LAW, _OTHER = (Fraction(1, 10), Fraction(1, 2), Fraction(2, 5)), tuple(map(Fraction, (0, 1, 3)))
_NEXT = tuple(mass / 4 for mass in _OTHER)
POST_PROCESSED = Instance(
    "(6) P = (1/10, 1/2, 2/5), Q = (0, 1/4, 3/4), e^epsilon = 2, delta = 1/10: where the first two "
    "outputs are told apart no more, the loss of P is above epsilon with probability at most delta",
    Exactly(
        str(executed.exceptional((_LAW[0] + _LAW[1], _LAW[2]), (_NEXT[0] + _NEXT[1], _NEXT[2]))),
        "P(loss above epsilon), the first two outputs merged",
    ),
    "<=",
    Exactly("1/10", "delta"),
    {
        "P and Q are laws": sum(_LAW) == sum(_NEXT) == 1,
        "before, the loss of P is above epsilon with probability at most delta": (
            executed.exceptional(_LAW, _NEXT) <= Fraction(1, 10)
        ),
        "and so is that of Q": executed.exceptional(_NEXT, _LAW) <= Fraction(1, 10),
    },
)

CLAIMS = (
    Claim(
        "gohari2020.section-1-post-processing",
        "remark",
        "I, property (i)",
        "What is made of a private output alone is as private.",
        NOTE,
        (
            Proof(
                f"{NOTE}#post-processing",
                "an event of what is made is an event of the output, or a mixture of such",
                (Formula("(7): finite laws and channels", executed.channels_keep_privacy),),
            ),
        ),
        ("conventional differential privacy", "what is made depends on the output alone"),
        readings=(Reading("in the sense of Definition 2", (POST_PROCESSED,)),),
    ),
    Claim(
        "gohari2020.section-1-additive-noise",
        "remark",
        "I, on additive noise",
        "Additive noise leaves the simplex; normalising it has no known privacy.",
        NOTE,
        (
            NotDecidable(
                "what was known to be private is no statement about numbers; that noise leaves the "
                "simplex is clear for continuous noise: its entries sum to 0 with probability 0"
            ),
        ),
    ),
    Claim(
        "gohari2020.remark-exponentials",
        "remark",
        "I, on exponential families",
        "A Dirichlet output is a normalised vector of independent exponential variables, one law.",
        NOTE,
        (
            Instance(
                "(1) n = 3, p = (1/2, 1/4, 1/4): the mean of the first coordinate of a normalised "
                "i.i.d. vector is that of the output",
                Exactly("1/3", "mean of a normalised i.i.d. vector's coordinate"),
                "=",
                Exactly("1/2", "mean of the output's first coordinate"),
                {"p sums to 1": Fraction(1, 2) + 2 * Fraction(1, 4) == 1},
            ),
        ),
        ("p in the open simplex, k > 0",),
        readings=(
            Reading(
                "for p = (1/n, ..., 1/n) and k = n",
                (
                    Proof(
                        f"{NOTE}#gammas",
                        "Gamma(1) is the exponential law",
                        (Formula("variances agree", executed.exponential_variance),),
                    ),
                ),
            ),
            Reading(
                "the conclusion drawn from it: the output's laws are an exponential family",
                (
                    Proof(
                        f"{NOTE}#exponential-family",
                        "the logarithm of the density is linear in k p",
                        (Formula("(8): whole parameters", executed.densities_are_exponential),),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "gohari2020.remark-exponentials-repaired",
        "repair",
        "ours, for section I",
        "A Dirichlet output is a normalised vector of independent Gamma(k p_i) variables.",
        NOTE,
        (
            Proof(
                f"{NOTE}#gammas",
                "change of variables to the sum and the shares",
                (Formula("means and variances agree", executed.gamma_moments),),
            ),
        ),
        ("p in the open simplex, k > 0",),
        repairs="gohari2020.remark-exponentials",
    ),
    Claim(
        "gohari2020.definition-1",
        "definition",
        "II-B Definition 1",
        "Neighbours differ in two coordinates of W, by at most b/2 in each.",
        NOTE,
        (
            Proof(
                "dominating-pair.md#identity-never-passes-floor-and-step",
                "coordinates sum to 1 on both sides, so one alone cannot change; the step is at "
                "most min(b/2, 1 - eta_bar - |W| eta)",
                (Formula("(3): drawn neighbours", executed.steps_are_bounded),),
            ),
        ),
        ("where |W| >= 2 and |W| eta + eta_bar < 1: else there are no neighbours",),
    ),
    Claim(
        "gohari2020.definition-2-implies-conventional",
        "remark",
        "II-B, after Definition 2",
        "Probabilistic privacy implies conventional privacy.",
        NOTE,
        (
            Proof(
                f"{NOTE}#probabilistic-is-more",
                "the exceptional set costs delta, and elsewhere the densities are e^epsilon apart",
                (Formula("(4): finite laws, every event", executed.finite_laws),),
            ),
        ),
        ("the exceptional set may depend on the input",),
        readings=(
            Reading("conventional privacy implies probabilistic privacy", (CONVERSE,), beyond=True),
        ),
        garbled="The domain's superscript stands with and without parentheses.",
    ),
    Claim(
        "gohari2020.equation-2-density",
        "equation",
        "II-C, the density and (2)",
        "The release has the density prod x_i^(k p_i - 1)/B(k p).",
        NOTE,
        (
            Proof(
                f"{NOTE}#gammas",
                "Dirichlet's integral; the parameters sum to k",
                (Formula("(5): whole parameters integrate to 1", executed.densities_are_normal),),
            ),
        ),
        ("p in the open simplex, k > 0",),
    ),
)
