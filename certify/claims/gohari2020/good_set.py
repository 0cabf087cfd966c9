"""Section III-A: the probability of the good set, and for which input it is least."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof, Sampled
from ..forms import at_precision
from ..values import Exactly
from . import executed_good_set as executed
from .theorem_1 import GOOD_SET

NOTE = "gohari2020/good-set.md"
_DOMAIN = ("p in the bordered simplex, k > 0", "W a part of 1..n-1, |W| gamma < 1")

# Vertices with |W| = 1 in p_W, and with |W| = 2 in all four coordinates.
_OF_ONE, _OF_FOUR = 2, 6


def _density(a: int, total: int, x: str) -> Fraction:
    """Return the density of Beta(a, total - a) at x, whole parameters."""
    at = Fraction(x)
    scale = a * comb(total - 1, a)
    return scale * at ** (a - 1) * (1 - at) ** (total - a - 1)


def _product(a: int, other: int, x: str, y: str) -> Fraction:
    return _density(a, 6, x) * _density(other, 6, y)


NOT_JOINTLY = Instance(
    "(1) W = {1}, k = 6: f(x, p)^2 >= f(u, p_u) f(v, p_v) at p_u = 1/6, p_v = 1/2, u = 1/1000, "
    "v = 21/1000, and x = 11/1000, p = 1/3 in their middle",
    Exactly(str(_product(2, 2, "11/1000", "11/1000")), "f(11/1000, 1/3)^2"),
    ">=",
    Exactly(str(_product(1, 3, "1/1000", "21/1000")), "f(1/1000, 1/6) f(21/1000, 1/2)"),
    {
        "x is in the middle": Fraction(11, 1000) == (Fraction(1, 1000) + Fraction(21, 1000)) / 2,
        "p is in the middle": Fraction(1, 3) == (Fraction(1, 6) + Fraction(1, 2)) / 2,
        "k p_i >= 1 and k (1 - p_i) >= 1 for all three": all(
            6 * p >= 1 and 6 * (1 - p) >= 1
            for p in (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))
        ),
        "all three lie in the domain of eta = 1/6, eta_bar = 1/2": Fraction(1, 2)
        <= 1 - Fraction(1, 2),
    },
)
NOT_IN_X = Instance(
    "(2) W = {1}, k = 1, p_1 = 1/2: f(1/2, p)^2 >= f(1/4, p) f(3/4, p), times pi^2",
    Exactly("4", "pi^2 f(1/2, 1/2)^2"),
    ">=",
    Exactly("16/3", "pi^2 f(1/4, 1/2) f(3/4, 1/2)"),
    {
        "pi f(x, 1/2) is (x (1-x))^(-1/2)": executed.squares_of_half(),
        "1/2 is in the middle": Fraction(1, 4) + Fraction(3, 4) == 1,
    },
)

CLAIMS = (
    Claim(
        "gohari2020.lemma-1",
        "lemma",
        "III-A Lemma 1, (5), (6)",
        "P(good set) is an integral over W's coordinates alone, all others pooled into one.",
        NOTE,
        (
            Proof(
                f"{NOTE}#pooling",
                "coordinates outside W add up to one of a Dirichlet law",
                (
                    Formula(
                        "(3): both integrals, whole parameters", executed.pooled_integrals_agree
                    ),
                    Formula(
                        "(3): the tail does not see how the rest is divided",
                        at_precision(executed.tail_is_the_pooled_integral),
                    ),
                ),
            ),
        ),
        _DOMAIN,
        garbled="The inner regions are printed A_(n-2), A_(n-3) for A_(n-1), A_(n-2); k in R+.",
    ),
    Claim(
        "gohari2020.lemma-2",
        "lemma",
        "III-A Lemma 2; appendix -A",
        "P(good set) is a log-concave function of the input (and so said in section I).",
        NOTE,
        (
            Sampled(
                "P(middle)^2 >= P P' for two inputs and their middle, |W| = 2 and 3",
                at_precision(executed.middles_tried),
            ),
        ),
        _DOMAIN,
        readings=(
            Reading(
                "for |W| = 1",
                (
                    Proof(
                        f"{NOTE}#one-protected-coordinate",
                        "cutting a log-concave law off at one side makes its variance smaller",
                        (
                            Formula(
                                "(4): P(middle)^2 > P P', one coordinate",
                                at_precision(executed.single_middles_are_larger),
                            ),
                            Formula(
                                "(5): mean residual lives fall",
                                at_precision(executed.residual_lives_fall),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        of_proof=(NOT_JOINTLY, NOT_IN_X),
        garbled="The appendix's Hessian has digamma for trigamma and x for p; p_W lacks its rest.",
    ),
    Claim(
        "gohari2020.lemma-2-proof-step",
        "equation",
        "appendix -A, (24) and the use of Theorem 3",
        "The density is log-concave in x by (24), and, as Theorem 3 needs it, in (x, p).",
        NOTE,
        (NOT_JOINTLY,),
        ("k p_i >= 1 on W and k (1 - sum over W of p) >= 1: the appendix says so, wrongly",),
        readings=(Reading("(24) for every k > 0, as Lemma 2 has it", (NOT_IN_X,)),),
        garbled="The numbers of (26) to (28) are lost where they are referred to.",
    ),
    Claim(
        "gohari2020.equation-8-delta",
        "equation",
        "III-A (8)",
        "delta, 1 less the least P(good set), bounds how often each input misses the good set.",
        NOTE,
        (GOOD_SET,),
        _DOMAIN,
    ),
    Claim(
        "gohari2020.delta-at-vertices",
        "remark",
        "III-A, after (8)",
        "The least P(good set) is at a vertex, of which there are at most |W|(|W|+1)/2.",
        NOTE,
        (
            GOOD_SET,
            Proof(
                f"{NOTE}#vertices",
                "the bordered simplex is a simplex in p_W, with |W| + 1 vertices",
                (Formula("(6): |W| from 2 to 5, enumerated", executed.vertices_of_w),),
            ),
        ),
        (*_DOMAIN, "|W| >= 2, as for neighbours; vertices of the closure, in the coordinates of W"),
        readings=(
            Reading(
                "with |W| = 1",
                (
                    Instance(
                        "(6) |W| = 1: at most |W|(|W|+1)/2 vertices",
                        Exactly(str(_OF_ONE), "vertices eta and 1 - eta_bar"),
                        "<=",
                        Exactly("1", "|W|(|W|+1)/2"),
                        {"both are vertices": executed.count_of_vertices(1, 1) == _OF_ONE},
                    ),
                ),
            ),
            Reading(
                "with the vertices counted in all n coordinates",
                (
                    Instance(
                        "(7) n = 4, |W| = 2: at most |W|(|W|+1)/2 vertices",
                        Exactly(str(_OF_FOUR), "vertices, enumerated"),
                        "<=",
                        Exactly("3", "|W|(|W|+1)/2"),
                        {"so many are enumerated": executed.count_of_vertices(2, 4) == _OF_FOUR},
                    ),
                ),
            ),
            Reading(
                "the minimum is found in time O(|W|^2)",
                (
                    NotDecidable(
                        "a running time: each of the vertices asks for an integral over |W| "
                        "coordinates, whose cost is not said; one evaluation is enough"
                    ),
                ),
            ),
        ),
    ),
)
