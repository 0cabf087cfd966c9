"""Section II: special functions, chains, and remarks on privacy and composition."""

from __future__ import annotations

from fractions import Fraction

from ..benvenuti2025.chains import APERIODIC_CHAINS_CONVERGE, powers_contract
from ..benvenuti2025.composition import BLOCKS
from ..benvenuti2025.definitions import (
    SMALLER_IS_STRONGER,
    conventional_needs_no_more,
    mean_is_the_input,
)
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..gohari2020.definitions import channels_keep_privacy, densities_are_normal
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision
from .privacy import (
    TWO_OF_THREE,
    beta_is_a_ratio_of_gammas,
    gamma_recurs,
    ranges_of_entries,
    strictly_below,
    two_need_more_than_one,
)

_NOTE = "fallin2023/background.md"
_PLACE = f"{_NOTE}#"
_TENTH = Fraction(1, 10)
_FLIP = [[0, 1], [1, 0]]

# A record 0 or 1 is shown with probability 1/10, else a blank: the laws of 0 and of 1.
_SHOWN = {"0": _TENTH, "1": Fraction(0), "-": 1 - _TENTH}
_OTHER = {"0": Fraction(0), "1": _TENTH, "-": 1 - _TENTH}

_CONVERGES = Proof(
    "benvenuti2025/stationary-law.md#positive-chains-converge",
    "each step brings two laws nearer by the factor 1 - n min P",
    (Formula("(3): powers of drawn chains", powers_contract),),
)
_NO_LIMIT = Instance(
    "(2) two states that change places: the period is 1, as convergence from one state needs",
    At("markov.period", {"P": _FLIP}),
    "=",
    Exactly("1"),
    {
        "stochastic": all(sum(row) == 1 for row in _FLIP),
        "irreducible: each state leads to the other": _FLIP[0][1] > 0 < _FLIP[1][0],
    },
)
STRICT = Instance(
    "(4) a record is shown with probability 1/10: the conventional delta is below 1/10, at every "
    "epsilon, as P(record) - e^epsilon 0",
    Exactly(str(_SHOWN["0"]), "P(shows 0 | 0) - e^epsilon P(shows 0 | 1)"),
    "<",
    Exactly("1/10", "the probabilistic delta"),
    {
        "without what is shown both laws agree": _SHOWN["-"] == _OTHER["-"],
        "what is shown has probability 1/10": _SHOWN["0"] == _OTHER["1"] == _TENTH,
        "the other record never shows it": _OTHER["0"] == 0 == _SHOWN["1"],
    },
)

# A vector of the bordered simplex whose third entry, outside of W = {1, 2}, is next to 0.
_SMALL = Fraction(1, 10**9)
_BORDERED = (Fraction(1, 2), Fraction(1, 4), _SMALL, Fraction(1, 4) - _SMALL)

STATEMENTS = (
    Statement(
        "fallin2023.section-1-post-processing",
        "remark",
        "I, (i)",
        "What is made of a private output alone is as private.",
        _NOTE,
        (
            Proof(
                "gohari2020/definitions.md#post-processing",
                "an event of what is made is an event of the output, or a mixture of such",
                (Formula("finite laws and channels", channels_keep_privacy),),
            ),
        ),
        ("what is made depends on the output alone",),
    ),
    Statement(
        "fallin2023.section-1-side-information",
        "remark",
        "I, (ii)",
        "Side information weakens privacy by little, and accuracy can be kept.",
        _NOTE,
        (
            NotDecidable(
                "results of references 15 and 16 that are not stated; little is not quantified"
            ),
        ),
    ),
    Statement(
        "fallin2023.definition-1",
        "definition",
        "II-A, the sentence before Definition 1",
        "Components of a vector of the bordered simplex are a sufficient distance from 0 and 1.",
        _NOTE,
        (
            Instance(
                "W = {1, 2}, eta = eta_bar = 1/10, (1/2, 1/4, 1e-9, 1/4 - 1e-9): the third "
                "component is at least eta",
                Exactly(str(_SMALL), "the third component"),
                ">=",
                Exactly("1/10", "eta"),
                {
                    "the vector lies in the open simplex": (
                        sum(_BORDERED) == 1 and min(_BORDERED) > 0
                    ),
                    "it is bordered": min(_BORDERED[:2]) >= _TENTH
                    and sum(_BORDERED[:2]) <= 1 - _TENTH,
                },
            ),
        ),
        ("sufficient: at least eta; no distance above 0 is kept by all, whatever would suffice",),
    ),
    Statement(
        "fallin2023.definition-1-repaired",
        "repair",
        "ours, for Definition 1",
        "Those of W are: they lie from eta to 1 - eta_bar - (|W|-1) eta.",
        _NOTE,
        (
            Proof(
                "fallin2023/bracket.md#range-of-an-entry",
                "the others are at least eta, and all together at most 1 - eta_bar",
                (Formula("vertices, |W| from 2 to 5", ranges_of_entries),),
            ),
        ),
        repairs="fallin2023.definition-1",
        adds=("the component is of W",),
    ),
    Statement(
        "fallin2023.equation-3",
        "equation",
        "II-A, (3) and the sentence before it",
        "(3) is a density on the simplex, and its mean is p.",
        _NOTE,
        (
            Proof(
                "gohari2020/definitions.md#gammas",
                "Dirichlet's integral; the parameters sum to k",
                (Formula("whole parameters integrate to 1", densities_are_normal),),
            ),
            Proof(
                "benvenuti2025/divergence.md#means-of-releases",
                "a Dirichlet vector's mean is its parameter over the total",
                (Formula("40 laws", mean_is_the_input),),
            ),
        ),
        ("p in the open simplex, k > 0",),
    ),
    Statement(
        "fallin2023.equation-1",
        "equation",
        "II-A (1) and the line after (2)",
        "B(a, b) = Gamma(a) Gamma(b)/Gamma(a+b), and Gamma(k+1) = k Gamma(k).",
        _NOTE,
        (
            Proof(
                _PLACE + "special-functions",
                "by parts, and shares of gammas",
                (
                    Formula("(1): whole parameters", beta_is_a_ratio_of_gammas),
                    Formula("the recurrence", at_precision(gamma_recurs)),
                ),
            ),
        ),
        ("a, b, k > 0",),
    ),
    Statement(
        "fallin2023.markov-limit",
        "remark",
        "II-B, last paragraph",
        "The law of a finite, irreducible, homogeneous chain converges to the stationary law.",
        _NOTE,
        (_NO_LIMIT,),
        readings=(
            Reading("of chains with no entry 0, as the rows of Section III are", (_CONVERGES,)),
        ),
    ),
    Statement(
        "fallin2023.markov-limit-repaired",
        "repair",
        "ours, for section II-B",
        "It converges if the chain is aperiodic as well.",
        _NOTE,
        (APERIODIC_CHAINS_CONVERGE,),
        repairs="fallin2023.markov-limit",
        adds=("the chain is aperiodic",),
    ),
    Statement(
        "fallin2023.typical-ranges",
        "number",
        "II-C, after Definition 2, from its references 26 and 27",
        "In the literature epsilon is from 0.01 to 10 and delta from 0 to 0.05.",
        _NOTE,
        (NotDecidable("a survey of other papers, which do not follow from this one"),),
    ),
    Statement(
        "fallin2023.definition-2-order",
        "remark",
        "II-C, after Definition 2",
        "Smaller epsilon and delta imply stronger privacy.",
        _NOTE,
        (SMALLER_IS_STRONGER,),
        ("neither parameter is larger",),
    ),
    Statement(
        "fallin2023.probabilistic-implies-conventional",
        "remark",
        "II-C, after Definition 2",
        "Probabilistic (epsilon, delta)-privacy implies the conventional one.",
        _NOTE,
        (
            Proof(
                "benvenuti2025/definitions.md#probabilistic-implies-conventional",
                "P(S) <= P(S, good) + delta <= e^epsilon Q(S) + delta",
                (Formula("all sets of 40 pairs of laws", conventional_needs_no_more),),
            ),
        ),
    ),
    Statement(
        "fallin2023.strictly-smaller-delta",
        "remark",
        "II-C, after Definition 2, from its reference 28",
        "It even implies (epsilon, delta')-privacy with some delta' < delta.",
        _NOTE,
        (STRICT,),
        ("any mechanism, 0 < delta",),
        readings=(
            Reading(
                "there are mechanisms that need less: of one row of the Dirichlet mechanism",
                (
                    Proof(
                        _PLACE + "strictly-less",
                        "densities are positive, and the worst two inputs are attained",
                        (Formula("(5): finite laws without a 0", strictly_below),),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "fallin2023.strictly-smaller-delta-repaired",
        "repair",
        "ours, for section II-C",
        "For one row of the Dirichlet mechanism some delta' < delta is enough.",
        _NOTE,
        (
            Proof(
                _PLACE + "strictly-less",
                "densities are positive, and the worst two inputs are attained",
                (Formula("(5): finite laws without a 0", strictly_below),),
            ),
        ),
        ("epsilon >= 0, 0 < delta",),
        repairs="fallin2023.strictly-smaller-delta",
        adds=("the mechanism is one row of the Dirichlet mechanism",),
    ),
    Statement(
        "fallin2023.lemma-1",
        "lemma",
        "II-C Lemma 1, from its reference 29",
        "Private parts on disjoint blocks are together (max epsilon_i, max delta_i)-private.",
        _NOTE,
        (BLOCKS,),
        ("independent parts", "neighbours differ in one part"),
        readings=(
            Reading(
                "neighbours may differ in several parts, as in Definition 4",
                (TWO_OF_THREE,),
            ),
        ),
    ),
    Statement(
        "fallin2023.remark-composition",
        "remark",
        "II-C, before Lemma 1",
        "Several queries of the same data weaken privacy; queries of disjoint parts do not.",
        _NOTE,
        (
            Proof(
                "composition.md#more-releases-show-more",
                "of Dirichlet releases: the exact delta rises strictly with each further one",
                (
                    Formula(
                        "(6): two rows of Theorem 1 need more than one",
                        at_precision(two_need_more_than_one),
                    ),
                ),
            ),
            BLOCKS,
        ),
        ("independent releases", "neighbours differ in one part"),
    ),
)
