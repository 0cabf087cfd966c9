"""Section II: special functions, chains, and what is said of privacy and of composition."""

from __future__ import annotations

from fractions import Fraction

from ..benvenuti2025 import chain_formulas
from ..benvenuti2025.composition import BLOCKS
from ..benvenuti2025.definitions import conventional_needs_no_more
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..values import At, Exactly
from . import executed_privacy as executed
from .theorem_1 import TWO_OF_THREE

NOTE = "fallin2023/background.md"
_PLACE = f"{NOTE}#"
_TENTH = Fraction(1, 10)
_FLIP = [[0, 1], [1, 0]]

# A record 0 or 1 is shown with probability 1/10, else a blank: the laws of 0 and of 1.
_SHOWN = {"0": _TENTH, "1": Fraction(0), "-": 1 - _TENTH}
_OTHER = {"0": Fraction(0), "1": _TENTH, "-": 1 - _TENTH}

CONVERGES = Proof(
    "benvenuti2025/stationary-law.md#positive-chains-converge",
    "each step brings two laws nearer by the factor 1 - n min P",
    (Formula("(3): powers of drawn chains", chain_formulas.powers_contract),),
)
NO_LIMIT = Instance(
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

CLAIMS = (
    Claim(
        "fallin2023.equation-1",
        "equation",
        "II-A (1) and the line after (2)",
        "B(a, b) = Gamma(a) Gamma(b)/Gamma(a+b), and Gamma(k+1) = k Gamma(k).",
        NOTE,
        (
            Proof(
                _PLACE + "special-functions",
                "by parts, and shares of gammas",
                (
                    Formula("(1): whole parameters", executed.beta_is_a_ratio_of_gammas),
                    Formula("the recurrence", at_precision(executed.gamma_recurs)),
                ),
            ),
        ),
        ("a, b, k > 0",),
    ),
    Claim(
        "fallin2023.markov-limit",
        "remark",
        "II-B, last paragraph",
        "The law of a finite, irreducible, homogeneous chain converges to the stationary law.",
        NOTE,
        (NO_LIMIT,),
        readings=(
            Reading("of chains with no entry 0, as the rows of Section III are", (CONVERGES,)),
        ),
    ),
    Claim(
        "fallin2023.markov-limit-repaired",
        "repair",
        "ours, for section II-B",
        "It converges if every transition has a positive probability.",
        NOTE,
        (CONVERGES,),
        repairs="fallin2023.markov-limit",
        adds=("no entry is 0",),
    ),
    Claim(
        "fallin2023.probabilistic-implies-conventional",
        "remark",
        "II-C, after Definition 2",
        "Probabilistic (epsilon, delta)-privacy implies the conventional one.",
        NOTE,
        (
            Proof(
                "benvenuti2025/definitions.md#probabilistic-implies-conventional",
                "P(S) <= P(S, good) + delta <= e^epsilon Q(S) + delta",
                (Formula("all sets of 40 pairs of laws", conventional_needs_no_more),),
            ),
        ),
    ),
    Claim(
        "fallin2023.strictly-smaller-delta",
        "remark",
        "II-C, after Definition 2, from its reference 28",
        "It even implies (epsilon, delta')-privacy with some delta' < delta.",
        NOTE,
        (STRICT,),
        ("any mechanism, 0 < delta",),
        readings=(
            Reading(
                "there are mechanisms that need less: of one row of the Dirichlet mechanism",
                (
                    Proof(
                        _PLACE + "strictly-less",
                        "densities are positive, and the worst two inputs are attained",
                        (Formula("(5): finite laws without a 0", executed.strictly_below),),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "fallin2023.strictly-smaller-delta-repaired",
        "repair",
        "ours, for section II-C",
        "For one row of the Dirichlet mechanism some delta' < delta is enough.",
        NOTE,
        (
            Proof(
                _PLACE + "strictly-less",
                "densities are positive, and the worst two inputs are attained",
                (Formula("(5): finite laws without a 0", executed.strictly_below),),
            ),
        ),
        ("epsilon >= 0, 0 < delta",),
        repairs="fallin2023.strictly-smaller-delta",
        adds=("the mechanism is one row of the Dirichlet mechanism",),
    ),
    Claim(
        "fallin2023.lemma-1",
        "lemma",
        "II-C Lemma 1, from its reference 29",
        "Private parts on disjoint blocks are together (max epsilon_i, max delta_i)-private.",
        NOTE,
        (BLOCKS,),
        ("independent parts", "neighbours differ in one part"),
        readings=(
            Reading(
                "neighbours may differ in several parts, as in Definition 4",
                (TWO_OF_THREE,),
            ),
        ),
    ),
    Claim(
        "fallin2023.remark-composition",
        "remark",
        "II-C, before Lemma 1",
        "Several queries of the same data weaken privacy; queries of disjoint parts do not.",
        NOTE,
        (
            Proof(
                "composition.md#more-releases-show-more",
                "of Dirichlet releases: the exact delta rises strictly with each further one",
                (
                    Formula(
                        "(6): two rows of Theorem 1 need more than one",
                        at_precision(executed.two_need_more_than_one),
                    ),
                ),
            ),
            BLOCKS,
        ),
        ("independent releases", "neighbours differ in one part"),
    ),
)
