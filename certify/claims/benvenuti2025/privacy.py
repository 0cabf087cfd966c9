"""Sections 2 and 3.1: the counting query's neighbours, Theorem 1 and what is deduced from it."""

from __future__ import annotations

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from .privacy_formulas import (
    beta_arguments_are_positive,
    convexity_orders,
    corners_are_opposite,
    losses_stay_below,
    printed_epsilon_rises_with_k,
    public_floor_holds,
    records_move_one_step,
    shares_add_up,
    vertex_is_worst,
)
from .privacy_witnesses import (
    CORNERS,
    FLOOR_OF_BOTH,
    READ_OFF,
    SHORTER_STEP,
    at_the_grades,
    below_the_floor,
)

_NOTE = "benvenuti2025/counts.md"
_PLACE = "benvenuti2025/counts.md#"
_DOMAIN = (
    "n >= 3, 0 < eta < 1/4, 0 < gamma <= 1/(n-1)",
    "eta is public, and the shares of both neighbours are at least eta",
)

THEOREM_1 = Proof(
    _PLACE + "every-loss-is-at-most-epsilon",
    "the loss on the good set is at most (6), for every k > 0",
    (
        Formula("(1), (2): every pair of neighbouring counts, 40 settings", losses_stay_below),
        Formula("a step of log Gamma rises with its place", at_precision(convexity_orders)),
        Formula("the arguments of the Betas are positive", beta_arguments_are_positive),
    ),
)
WORST_COUNTS = Proof(
    "tail-worst-input.md#vertex-is-the-worst-input",
    "the good set is missed with probability at most (7), by its definition",
    (Formula("the least probability is at the vertex", vertex_is_worst),),
)

CLAIMS = (
    Claim(
        "benvenuti2025.definition-3",
        "definition",
        "2.3 Definition 3; C.1 before (33)",
        "Neighbours' counts are equal, or differ by one record in two categories of one part.",
        _NOTE,
        (
            Proof(
                _PLACE + "one-record-moves-one-step",
                "a record that changes moves one share by +1/N, one by -1/N, or nothing",
                (Formula("all data sets of 4 records in 3 categories", records_move_one_step),),
            ),
        ),
        ("each record is of exactly one category",),
    ),
    Claim(
        "benvenuti2025.equation-4",
        "equation",
        "2.4 (4)",
        "The shares of a part's records, one row a part, make a stochastic matrix.",
        _NOTE,
        (
            Proof(
                _PLACE + "one-record-moves-one-step",
                "each record counts in one category, so a row sums to 1",
                (Formula("all data sets of 4 records in 3 categories", shares_add_up),),
            ),
        ),
        ("each record is of exactly one category", "every part has a record"),
    ),
    Claim(
        "benvenuti2025.remark-eta",
        "remark",
        "3.1, after Assumption 4",
        "Assumption 3 can be met by choosing eta, since the shares are at least eta.",
        _NOTE,
        (
            Proof(
                _PLACE + "a-public-floor",
                "a public eta that is at most 1/N and below 1/4 is below every positive share",
                (Formula("(5): all data sets of 4 records in 3 categories", public_floor_holds),),
            ),
        ),
        ("no count is 0, on either side",),
        readings=(
            Reading(
                "eta may be read off the data, and (7) still covers the neighbours' outputs",
                (FLOOR_OF_BOTH,),
            ),
            Reading("the same, where a neighbour may have a count of 0", (READ_OFF,)),
        ),
    ),
    Claim(
        "benvenuti2025.theorem-1",
        "theorem",
        "3.1 Theorem 1, (6), (7); (14)",
        "The release of counts is (epsilon, delta)-probabilistically private by (6) and (7).",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        (*_DOMAIN, "epsilon >= 0 is at least (6)", "(7) is over the shares of at least eta"),
        readings=(
            Reading(
                "the data's own shares are at least eta, and a neighbour's may be less",
                (FLOOR_OF_BOTH,),
            ),
        ),
        of_proof=(CORNERS, SHORTER_STEP),
    ),
    Claim(
        "benvenuti2025.theorem-1-proof",
        "equation",
        "C.1 (36) to (46)",
        "Two corners of (44) give (43) the same positive value, and (46) bounds the maximum (36).",
        _NOTE,
        (CORNERS, SHORTER_STEP),
        ("the numbers of section 6.1", "four records in three categories"),
        garbled="The pairs may be (C, C') or (C', C): in neither order are the two values equal.",
    ),
    Claim(
        "benvenuti2025.theorem-1-proof-repaired",
        "repair",
        "ours, for C.1 (36) to (46)",
        "The two corners have opposite values, the larger is (45), and (46) bounds steps of 1/N.",
        _NOTE,
        (
            Proof(
                _PLACE + "every-loss-is-at-most-epsilon",
                "exchanging C and C' changes the sign, and (45) is at least 0",
                (Formula("(3): the sum is 0", at_precision(corners_are_opposite)),),
            ),
            THEOREM_1,
        ),
        (*_DOMAIN, "a record moves from one category to another"),
        repairs="benvenuti2025.theorem-1-proof",
    ),
    Claim(
        "benvenuti2025.equation-epsilon-star",
        "equation",
        "3.1, after Theorem 1",
        "Under Assumption 4 the least epsilon is (6) at k = 3/(2 eta), and all above can be had.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#smallest-k-smallest-epsilon",
                "(6) is continuous and rises with k, by at least (log R)/N a unit: without bound",
                (
                    Formula(
                        "the rise is at least that", at_precision(printed_epsilon_rises_with_k)
                    ),
                    Formula("3 eta + 1/N <= 1", beta_arguments_are_positive),
                ),
            ),
        ),
        (*_DOMAIN[:1], "n gamma < 1", "a record can move inside of the bordered simplex"),
        readings=(
            Reading(
                "it is the least epsilon of Theorem 1 for any k > 0: no count vector can be made "
                "more private than that",
                (
                    Instance(
                        "at k = 1 (6) is at least epsilon*, grades",
                        at_the_grades("epsilon_bound", k="1"),
                        ">=",
                        at_the_grades("epsilon_minimum"),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "benvenuti2025.algorithm-1",
        "algorithm",
        "3.1 Algorithm 1",
        "What Algorithm 1 releases is private with the epsilon and delta that it reports.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        (*_DOMAIN, "k and gamma are public"),
        readings=(
            Reading(
                "for all data without a count of 0, whether or not a share is below eta: the "
                "algorithm does not check it",
                (below_the_floor(),),
            ),
        ),
    ),
)
