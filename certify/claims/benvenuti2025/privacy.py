"""Sections 2 and 3.1: the counting query's neighbours, Theorem 1 and what is deduced from it."""

from __future__ import annotations

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof, Sampled
from ..forms import at_precision
from .privacy_formulas import (
    beta_arguments_are_positive,
    convexity_orders,
    corners_are_opposite,
    losses_stay_below,
    printed_epsilon_rises_with_k,
    public_floor_holds,
    rarer_than_a_miss_of_all_counts,
    records_move_one_step,
    shares_add_up,
    vertex_is_worst,
)
from .privacy_witnesses import (
    CORNERS,
    FALLS_WITH_K,
    FLOOR_OF_BOTH,
    NO_SHARE,
    OVER_THE_BORDER,
    READ_OFF,
    SHORTER_STEP,
    at_the_grades,
    below_the_floor,
)

_NOTE = "benvenuti2025/counts.md"
_PLACE = "benvenuti2025/counts.md#"
_BOTH = "the shares of both neighbours are at least eta"
_DOMAIN = ("n >= 3, 0 < eta < 1/4, 0 < gamma <= 1/(n-1)", "the data's shares are at least eta")

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
# 3.1 defines the set that (7) runs over; Appendix A, and with it 6.1, minimises over another.
OVER_ALL_COUNTS = "(7) is over the counts of N records, as 3.1 defines their set, that have a law"
OVER_THE_FLOOR = "(7) is over the shares of at least eta, as Appendix A takes it"
TRIED_ON_ALL_COUNTS = Sampled(
    "neighbours over the border, by whom conventional privacy would fail: a loss above (6) is at "
    "most as probable as that a share of 1/N comes out below gamma, which (7) is not below",
    rarer_than_a_miss_of_all_counts,
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
        (NO_SHARE,),
        readings=(
            Reading(
                "eta may be read off the data, and (7) still covers the neighbours' outputs",
                (FLOOR_OF_BOTH,),
            ),
            Reading("the same, where a neighbour may have a count of 0", (READ_OFF,)),
        ),
    ),
    Claim(
        "benvenuti2025.remark-eta-repaired",
        "repair",
        "ours, for Assumption 3",
        "It can be met by a public eta of at most 1/N.",
        _NOTE,
        (
            Proof(
                _PLACE + "a-public-floor",
                "a public eta that is at most 1/N and below 1/4 is below every positive share",
                (Formula("(5): all data sets of 4 records in 3 categories", public_floor_holds),),
            ),
        ),
        repairs="benvenuti2025.remark-eta",
        adds=("no count is 0, on either side",),
    ),
    Claim(
        "benvenuti2025.remark-strongest-privacy",
        "remark",
        "3.1, after Assumption 4",
        "Under Assumption 4 no counts can be made arbitrarily private: a least epsilon is left.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#smallest-k-smallest-epsilon",
                "(6) is continuous and rises with k, by at least (log R)/N a unit: without bound",
                (Formula("the rise is at least that", at_precision(printed_epsilon_rises_with_k)),),
            ),
        ),
        ("delta below 1, so n gamma < 1: else nothing is private",),
        readings=(
            Reading(
                "it is the least epsilon of Theorem 1, which has every k > 0",
                (
                    Instance(
                        "at k = 1 (6) is at least epsilon*, grades",
                        at_the_grades("epsilon_bound", k="1"),
                        ">=",
                        at_the_grades("epsilon_minimum"),
                    ),
                ),
            ),
            Reading(
                "it is often well within what is typically wanted, by section 6",
                (NotDecidable("neither often nor typically is quantified"),),
            ),
        ),
    ),
    Claim(
        "benvenuti2025.theorem-1",
        "theorem",
        "3.1 Theorem 1, (6), (7); (14)",
        "The release of counts is (epsilon, delta)-probabilistically private by (6) and (7).",
        _NOTE,
        (TRIED_ON_ALL_COUNTS,),
        (*_DOMAIN, "epsilon >= 0 is at least (6)", OVER_ALL_COUNTS),
        readings=(Reading(OVER_THE_FLOOR, (OVER_THE_BORDER, FLOOR_OF_BOTH)),),
        of_proof=(CORNERS, SHORTER_STEP),
    ),
    Claim(
        "benvenuti2025.theorem-1-repaired",
        "repair",
        "ours, for Theorem 1",
        "It is so where the neighbours' shares are at least eta as well.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        (*_DOMAIN[:1], "epsilon >= 0 is at least (6)"),
        repairs="benvenuti2025.theorem-1",
        adds=(_BOTH,),
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
        (*_DOMAIN[:1], _BOTH, "a record moves from one category to another"),
        repairs="benvenuti2025.theorem-1-proof",
    ),
    Claim(
        "benvenuti2025.equation-epsilon-star",
        "equation",
        "3.1, after Theorem 1",
        "Under Assumption 4 the least epsilon is (6) at k = 3/(2 eta), and all above can be had.",
        _NOTE,
        (FALLS_WITH_K,),
        _DOMAIN[:1],
    ),
    Claim(
        "benvenuti2025.equation-epsilon-star-repaired",
        "repair",
        "ours, for epsilon*",
        "It is where some output is good.",
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
        (*_DOMAIN[:1], "a record can move inside of the bordered simplex"),
        repairs="benvenuti2025.equation-epsilon-star",
        adds=("n gamma < 1",),
    ),
    Claim(
        "benvenuti2025.algorithm-1",
        "algorithm",
        "3.1 Algorithm 1",
        "What Algorithm 1 releases is private with the epsilon and delta that it reports.",
        _NOTE,
        (OVER_THE_BORDER, below_the_floor()),
        (*_DOMAIN[:1], "(7) as Appendix A tells to compute it: over the shares of at least eta"),
    ),
    Claim(
        "benvenuti2025.algorithm-1-repaired",
        "repair",
        "ours, for Algorithm 1",
        "It is so for data and neighbours whose shares are at least eta.",
        _NOTE,
        (THEOREM_1, WORST_COUNTS),
        _DOMAIN[:1],
        repairs="benvenuti2025.algorithm-1",
        adds=(_BOTH,),
    ),
)
