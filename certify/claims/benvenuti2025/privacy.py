"""Sections 2 and 3.1: the counting query's neighbours, Theorem 1 and what is deduced from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ....reference.arb.gamma import log_beta_change
from ....reference.second.exchange import log_gamma_exchange
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..values import At, Exactly, Worked
from .forms import BITS, Named, at_precision, by_balls, by_spans, texts
from .privacy_formulas import (
    GRADES,
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

_NOTE = "benvenuti2025/counts.md"
_PLACE = "benvenuti2025/counts.md#"
_K, _ETA, _N = Fraction("20.6"), Fraction("0.073"), 98
_DOMAIN = (
    "n >= 3, 0 < eta < 1/4, 0 < gamma <= 1/(n-1)",
    "eta is public, and the shares of both neighbours are at least eta",
)


def _at(quantity: str, **changed: Any) -> At:
    """Return a quantity at the numbers of section 6.1, some of them changed."""
    given = {**GRADES, **changed}
    wanted = {"epsilon_bound": "k eta N n gamma", "delta_bound": "k eta n gamma"}
    names = wanted.get(quantity, "eta N n gamma").split()
    return At(f"dirichlet.counts.{quantity}", {name: given[name] for name in names})


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


def corner(there: bool) -> Worked:
    """Return the objective of (43) at (44)'s first corner, or at its third, for the grades."""
    first, second, step = _K * _ETA, _K * (1 - 2 * _ETA), _K / _N
    if there:
        return Worked(
            "log B(k eta, k (1-2 eta)) - log B(k (eta+1/N), k (1-2 eta-1/N)), grades",
            by_balls(lambda: log_beta_change(first, second, step)),
            by_spans(lambda: log_gamma_exchange(BITS, first, second, step)),
        )
    return Worked(
        "the same with both Betas exchanged",
        by_balls(lambda: log_beta_change(first + step, second - step, -step)),
        by_spans(lambda: -log_gamma_exchange(BITS, first, second, step)),
    )


CORNERS = Instance(
    "(3) after (44): both corners have the same positive value",
    corner(there=False),
    "=",
    corner(there=True),
    {"both corners are feasible": _ETA + Fraction(1, _N) <= 1 - 2 * _ETA},
)

# A point of (36) where the shares differ by less than 1/N, and by more than what is best for (43).
_FLOOR, _FOUR, _THIRDS = Fraction("0.24"), 4, Fraction("0.333")
_TOP, _EVEN = 1 - 2 * _FLOOR, Fraction("0.38")
_LOW, _HIGH, _SHORT = (Fraction("6.25") * x for x in (_FLOOR, _TOP, _EVEN - _FLOOR))
SHORTER_STEP = Instance(
    "(4) at eta = 0.24, k = 6.25, gamma = 0.333, N = 4, n = 3: the objective of (36) at "
    "C = (0.38, 0.38, 0.24), C' = (0.24, 0.52, 0.24), x_i = x_j is at most (46)",
    Worked(
        "log B(k 0.24, k 0.52) - log B(k 0.38, k 0.38)",
        by_balls(lambda: log_beta_change(_LOW, _HIGH, _SHORT)),
        by_spans(lambda: log_gamma_exchange(BITS, _LOW, _HIGH, _SHORT)),
    ),
    "<=",
    _at("epsilon_bound", k="6.25", eta="0.24", N=_FOUR, n=3, gamma="0.333"),
    {
        "eta < 1/4 and k >= 3/(2 eta)": (
            Fraction(1, 4) > _FLOOR and Fraction("6.25") >= 3 / (2 * _FLOOR)
        ),
        "gamma <= 1/(n-1)": Fraction(1, 2) >= _THIRDS,
        "the step is at most 1/N": 0 < _EVEN - _FLOOR <= Fraction(1, _FOUR),
        "both pairs of shares have one sum": 2 * _EVEN == _FLOOR + _TOP,
        "the shares are in [eta, 1 - 2 eta]": _FLOOR <= _EVEN <= _TOP == Fraction("0.52"),
        "x = (1/3, 1/3, 1/3) is in [gamma, 1 - 2 gamma]": (
            _THIRDS <= Fraction(1, 3) <= 1 - 2 * _THIRDS
        ),
    },
)


def _below_the_floor() -> Instance:
    """Return two data sets of the grades' size with a count of 1 that Algorithm 1 takes."""
    share = str(_K / _N)
    return Instance(
        "counts (1, 2, 2, 2, 91) against (2, 1, 2, 2, 91): the exact delta at 2.212, above (6), is "
        "at most the reported (7)",
        At("dirichlet.profile.delta", {"alpha": share, "step": share, "epsilon": "2.212"}),
        "<=",
        _at("delta_bound"),
        {
            "the counts add up to N": sum((1, 2, 2, 2, 91)) == _N,
            "no count is 0": True,
            "a share is below eta": Fraction(1, _N) < _ETA,
            "k >= 3/(2 eta)": 3 / (2 * _ETA) <= _K,
        },
    )


_READ_OFF = Instance(
    "eta = 1/98 read off counts with a 1, and a neighbour that has a 0 there: the 1 that the delta "
    "of an output 0 is, is at most (7)",
    Exactly("1", "the delta between data that have a category and data that do not"),
    "<=",
    _at("delta_bound", k="147", eta="1/98"),
    {"k = 3/(2 eta)": Fraction(147) == 3 / (2 * Fraction(1, 98))},
)
_FLOOR_OF_BOTH = Instance(
    "eta = 8/98 read off the counts (8, 8, 8, 8, 66): the neighbour (7, 8, 8, 8, 67) misses the "
    "good set with probability at most (7)",
    Named(
        "P(M misses the good set) for (7, 8, 8, 8, 67), k = 20.6, gamma = 0.0004",
        At(
            "dirichlet.tail.general",
            {
                "alpha": texts([_K * c / _N for c in (7, 8, 8, 8, 67)]),
                "rest": 0,
                "gamma": GRADES["gamma"],
            },
        ),
    ),
    "<=",
    _at("delta_bound", eta="8/98"),
    {
        "N = 98": sum((7, 8, 8, 8, 67)) == sum((8, 8, 8, 8, 66)) == _N,
        "k >= 3/(2 eta)": 3 / (2 * Fraction(8, 98)) <= _K,
    },
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
                (_FLOOR_OF_BOTH,),
            ),
            Reading("the same, where a neighbour may have a count of 0", (_READ_OFF,)),
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
                (_FLOOR_OF_BOTH,),
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
                        _at("epsilon_bound", k="1"),
                        ">=",
                        _at("epsilon_minimum"),
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
                (_below_the_floor(),),
            ),
        ),
    ),
)
