"""Section 5, appendix B and C.7: the moves of stationary laws and of ergodicity coefficients."""

from __future__ import annotations

from fractions import Fraction

from ..evidence import Formula, Instance, NotDecidable, Proof, Sampled
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision
from .chains import (
    ALIKE,
    ALIKE_MOVED,
    APERIODIC_CHAINS_CONVERGE,
    CLAIMED_RARE,
    COEFFICIENT_LAWS,
    COEFFICIENT_NOTE,
    COLUMNS,
    CYCLE,
    EQUAL,
    EQUAL_CLAIM,
    EQUAL_FLOOR,
    FIRST_ORDER,
    IRREDUCIBLE,
    LAW_LAWS,
    LAW_NOTE,
    LONG_RUN,
    ONE_STEP,
    POSITIVE_HALVES,
    RARE,
    RARE_COLUMN,
    RARE_FLOOR,
    RARE_ROW,
    RATE,
    ROWS,
    STICKY,
    STICKY_MOVED,
    WEIGHTED,
    admissible,
    coefficient_moves_by_columns,
    deviations_are_below_their_bound,
    errors_are_bounded,
    law_moves_by_the_largest_row,
    lemma_5,
    pathwise,
    pinsker_by_rows,
    powers_contract,
    rows_bound_the_coefficient,
    theorem_4_on_dense_chains,
    trap_refutes,
)

_LEMMA_6 = (
    Instance(
        "(2) row sums: the second row's mean sum of |E| is at most the claim",
        RARE_ROW,
        "<=",
        CLAIMED_RARE,
        admissible(RARE),
    ),
    Instance(
        "column sums: the first column's mean sum of |E| is at most the claim",
        RARE_COLUMN,
        "<=",
        CLAIMED_RARE,
        admissible(RARE),
    ),
)

_OF_POSITIVE_CHAINS = Proof(
    LAW_LAWS + "positive-chains-converge",
    "each step brings two laws nearer by the factor 1 - n eta",
    (Formula("(8): powers of drawn chains", powers_contract),),
)
_LEADS_ON = all(CYCLE[i][(i + 1) % 3] > 0 for i in range(3))

_STATIONARY_LAW_STATEMENTS = (
    Statement(
        "benvenuti2025.markov-limit",
        "remark",
        "5, second paragraph",
        "The law of a finite, irreducible, homogeneous chain converges to the stationary law.",
        LAW_NOTE,
        (
            Instance(
                "the cycle of three states has period 1, as convergence from a single state needs",
                At("markov.period", {"P": CYCLE}),
                "=",
                Exactly("1"),
                {
                    "irreducible: each state leads to the next": _LEADS_ON,
                    "stochastic": all(sum(row) == 1 for row in CYCLE),
                },
            ),
        ),
        readings=(
            Reading(
                "of chains all of whose shares are at least eta, as in Theorem 1",
                (_OF_POSITIVE_CHAINS,),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.markov-limit-repaired",
        "repair",
        "ours, for section 5",
        "It converges if the chain is aperiodic as well.",
        LAW_NOTE,
        (APERIODIC_CHAINS_CONVERGE,),
        repairs="benvenuti2025.markov-limit",
        adds=("the chain is aperiodic",),
    ),
    Statement(
        "benvenuti2025.assumptions-5-and-6",
        "remark",
        "5, Assumptions 5 and 6 and the text on them; B Lemma 4; Theorem 4, first claim",
        "Assumptions 5 and 6 make the chain of counts irreducible and aperiodic: it converges.",
        LAW_NOTE,
        (
            Instance(
                "three states that lead to the next one alone, every feasible transition having "
                "occurred: the period is 1",
                At("markov.period", {"P": CYCLE}),
                "=",
                Exactly("1"),
                {"each state is reached from each other one": _LEADS_ON},
            ),
        ),
        readings=(
            Reading(
                "of chains all of whose shares are at least eta, as in Theorem 1: with Assumptions "
                "1 to 4, as in Lemma 4 and Theorem 4",
                (_OF_POSITIVE_CHAINS,),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.assumptions-5-and-6-repaired",
        "repair",
        "ours, for Assumptions 5 and 6",
        "They do if the feasible transitions are aperiodic as well.",
        LAW_NOTE,
        (APERIODIC_CHAINS_CONVERGE,),
        repairs="benvenuti2025.assumptions-5-and-6",
        adds=("the chain is aperiodic",),
    ),
    Statement(
        "benvenuti2025.theorem-4",
        "theorem",
        "5 Theorem 4; C.6",
        "The mean distance of the stationary laws is at most |Z| (2L)^(1/2)/2 (false where some "
        "transitions are not feasible).",
        LAW_NOTE,
        (
            Sampled(
                "chains with no entry 0, k_i = 3/(2 eta_i), row sums: the mean of 60 draws is at "
                "most the claim",
                theorem_4_on_dense_chains,
            ),
            FIRST_ORDER,
        ),
        (
            *IRREDUCIBLE,
            "no entry is 0: beside Assumption 3 shares are said to be at least eta by construction",
            "Assumption 6 speaks of feasible transitions alone, as if others were 0",
        ),
        readings=(
            Reading(
                "some transitions are not feasible, as Assumption 6 allows",
                tuple(
                    trap_refutes(kind, sign, cells)
                    for kind in ("row", "column")
                    for sign in ("plus", "minus")
                    for cells in (251, 3)
                ),
            ),
        ),
        of_proof=_LEMMA_6,
    ),
    Statement(
        "benvenuti2025.theorem-4-repaired",
        "repair",
        "ours, for Theorem 4",
        "The mean distance is at most (kappa/2) (2 sum L_i)^(1/2).",
        LAW_NOTE,
        (
            Proof(
                "markov-bounds.md#repaired-theorem-four",
                "|pi~ - pi| <= kappa max |E_i|, and E max |E_i|^2 <= 2 sum L_i",
                (
                    Formula("pairs of chains", law_moves_by_the_largest_row),
                    Formula(
                        "rows of counts and k",
                        at_precision(deviations_are_below_their_bound),
                    ),
                ),
            ),
        ),
        ("one closed class of states", "L_i with the row's own number of feasible transitions"),
        repairs="benvenuti2025.theorem-4",
    ),
    Statement(
        "benvenuti2025.rate-log",
        "remark",
        "5, after Theorems 4 and 5",
        "The errors in the stationary law and in the coefficient are O(log(1/k_i)).",
        LAW_NOTE,
        (
            Proof(
                LAW_LAWS + "a-logarithm-bounds-nothing",
                "the size of log(1/k) passes any bound as k grows, and each error is bounded",
                (Formula("(10): drawn pairs of chains", errors_are_bounded),),
            ),
        ),
        ("O is of sizes, as k grows: an upper bound, which says nothing of how an error falls",),
    ),
    Statement(
        "benvenuti2025.rate-changes",
        "remark",
        "5, after Theorem 4",
        "So small changes in privacy improve accuracy much.",
        LAW_NOTE,
        (
            NotDecidable(
                "small changes and much are not quantified; half of the mean distance takes four "
                "times the k"
            ),
        ),
    ),
    Statement(
        "benvenuti2025.rate-log-repaired",
        "repair",
        "ours, for the rate in section 5",
        "L falls like 1/k, both bounds like k^(-1/2), and so the mean distance of the laws.",
        LAW_NOTE,
        RATE,
        ("k_i = k c_i for all rows", "some recurrent state has two feasible transitions"),
        repairs="benvenuti2025.rate-log",
    ),
    Statement(
        "benvenuti2025.lemma-5",
        "lemma",
        "B Lemma 5, (27)",
        "|pi - pi~|_1 is at most |Z|_1 |P - P~|_1.",
        LAW_NOTE,
        (ROWS,),
        ("one stationary law each", "|.|_1 of a matrix is the largest row sum, Z with either sign"),
        readings=(
            Reading(
                "|.|_1 is the largest column sum, as Theorem 5 needs it",
                (
                    lemma_5(STICKY, STICKY_MOVED, "column", "minus", holds=False),
                    lemma_5(ALIKE, ALIKE_MOVED, "column", "plus", holds=False),
                ),
            ),
        ),
        garbled="The norm of a matrix is not named.",
    ),
    Statement(
        "benvenuti2025.lemma-6",
        "lemma",
        "B Lemma 6, (28)",
        "The mean of |P - P~|_1 is at most (2L)^(1/2).",
        LAW_NOTE,
        _LEMMA_6,
        IRREDUCIBLE,
    ),
    Statement(
        "benvenuti2025.lemma-6-repaired",
        "repair",
        "ours, for Lemma 6",
        "The mean of sum pi_i |P_i - P~_i|_1 is at most (2L)^(1/2).",
        LAW_NOTE,
        (WEIGHTED,),
        ("irreducible", "N_i >= n"),
        repairs="benvenuti2025.lemma-6",
    ),
    Statement(
        "benvenuti2025.equation-29",
        "equation",
        "B (29)",
        "|P - P~|_1 is at most (2 KL)^(1/2), the divergence being weighted with pi.",
        LAW_NOTE,
        (pathwise("row"), pathwise("column")),
    ),
    Statement(
        "benvenuti2025.equation-29-repaired",
        "repair",
        "ours, for (29)",
        "The same of sum pi_i |P_i - P~_i|_1 in the place of the norm.",
        LAW_NOTE,
        (
            Proof(
                LAW_LAWS + "pinsker-row-by-row",
                "Pinsker's inequality for each row, and the mean square",
                (Formula("(3): pairs of chains", at_precision(pinsker_by_rows)),),
            ),
        ),
        repairs="benvenuti2025.equation-29",
    ),
)


_COEFFICIENT_STATEMENTS = (
    Statement(
        "benvenuti2025.definition-7-eigenvalue",
        "remark",
        "5, after Definition 7; 1, on the coefficient",
        "The coefficient of ergodicity stands for the rate of convergence: it bounds the second "
        "largest modulus of an eigenvalue.",
        COEFFICIENT_NOTE,
        (
            Proof(
                COEFFICIENT_LAWS + "bounds-the-second-eigenvalue",
                "a spectral radius is at most any norm of the map, here on vectors of sum 0",
                (
                    Formula(
                        "(2): tau is attained, pairs of chains",
                        coefficient_moves_by_columns,
                    ),
                ),
            ),
            Instance(
                "a chain whose bound is above 1",
                At("markov.eigenvalue_moduli", {"P": POSITIVE_HALVES}, (2,)),
                "<=",
                At("markov.ergodicity_coefficient", {"P": POSITIVE_HALVES}),
            ),
        ),
        ("multiplicities are counted",),
    ),
    Statement(
        "benvenuti2025.definition-7-rate",
        "remark",
        "5, after Definition 7",
        "The second largest modulus of an eigenvalue governs the rate of convergence.",
        COEFFICIENT_NOTE,
        (LONG_RUN,),
        ("in the long run: what governs means is not said", "ergodic"),
        readings=(
            Reading("the distance after t steps is at most |lambda_2|^t, for every t", (ONE_STEP,)),
        ),
    ),
    Statement(
        "benvenuti2025.theorem-5",
        "theorem",
        "5 Theorem 5; C.7",
        "The mean change of the coefficient of ergodicity is at most (2L)^(1/2).",
        COEFFICIENT_NOTE,
        (
            Instance(
                "(3) counts (499999, 1, 500000), (2, 1, 2), (500000, 1, 499999): a lower bound of "
                "the mean is at most the claim",
                RARE_FLOOR,
                "<=",
                CLAIMED_RARE,
                admissible(RARE),
            ),
            Instance(
                "40 rows of the counts (481, 481, 1, ..., 1): the same",
                EQUAL_FLOOR,
                "<=",
                EQUAL_CLAIM,
                admissible(EQUAL),
            ),
        ),
        IRREDUCIBLE,
    ),
    Statement(
        "benvenuti2025.theorem-5-repaired",
        "repair",
        "ours, for Theorem 5",
        "The mean change is at most the sum of (L_i/2)^(1/2).",
        COEFFICIENT_NOTE,
        (
            COLUMNS,
            Proof(
                "markov-coefficient.md#change-by-columns",
                "half the sum of |E_i|, in the mean at most (2 L_i)^(1/2) each",
                (
                    Formula("pairs of chains", rows_bound_the_coefficient),
                    Formula(
                        "rows of counts and k",
                        at_precision(deviations_are_below_their_bound),
                    ),
                ),
            ),
        ),
        ("L_i with the row's own number of feasible transitions",),
        repairs="benvenuti2025.theorem-5",
    ),
    Statement(
        "benvenuti2025.theorem-5-properties",
        "equation",
        "C.7, the two properties and (92)",
        "tau(S) <= |S|_1 and |tau(S) - tau(S')| <= tau(S - S') <= |S - S'|_1.",
        COEFFICIENT_NOTE,
        (COLUMNS,),
        ("|.|_1 is the largest column sum",),
        readings=(
            Reading(
                "|.|_1 is the largest row sum, as Lemma 5 needs it",
                (
                    Instance(
                        "four states, half lead mostly to one place: tau is at most the row sum 1",
                        At("markov.ergodicity_coefficient", {"P": POSITIVE_HALVES}),
                        "<=",
                        Exactly("1", "the largest row sum"),
                        {
                            "stochastic": all(
                                sum(map(Fraction, row)) == 1 for row in POSITIVE_HALVES
                            ),
                            "ergodic: all entries are positive": all(
                                Fraction(entry) > 0 for row in POSITIVE_HALVES for entry in row
                            ),
                        },
                    ),
                ),
            ),
        ),
        garbled="The norm of a matrix is not named.",
    ),
)

STATEMENTS = (*_STATIONARY_LAW_STATEMENTS, *_COEFFICIENT_STATEMENTS)
