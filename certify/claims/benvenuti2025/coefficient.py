"""Section 5 and C.7: the coefficient of ergodicity."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..forms import at_precision
from ..values import At, Exactly
from . import chain_formulas as tried_on
from .chains import (
    CLAIMED_RARE,
    COEFFICIENT_LAWS,
    COEFFICIENT_NOTE,
    COLUMNS,
    EQUAL,
    EQUAL_CLAIM,
    EQUAL_FLOOR,
    IRREDUCIBLE,
    POSITIVE_HALVES,
    RARE,
    RARE_FLOOR,
    admissible,
)

CLAIMS = (
    Claim(
        "benvenuti2025.definition-7-eigenvalue",
        "remark",
        "5, after Definition 7",
        "The coefficient of ergodicity bounds the second largest modulus of an eigenvalue.",
        COEFFICIENT_NOTE,
        (
            Proof(
                COEFFICIENT_LAWS + "bounds-the-second-eigenvalue",
                "a spectral radius is at most any norm of the map, here on vectors of sum 0",
                (
                    Formula(
                        "(2): tau is attained, pairs of chains",
                        tried_on.coefficient_moves_by_columns,
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
    Claim(
        "benvenuti2025.definition-7-rate",
        "remark",
        "5, after Definition 7",
        "The second largest modulus of an eigenvalue governs the rate of convergence.",
        COEFFICIENT_NOTE,
        (NotDecidable("what governs means is not said"),),
    ),
    Claim(
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
    Claim(
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
                    Formula("pairs of chains", tried_on.rows_bound_the_coefficient),
                    Formula(
                        "rows of counts and k",
                        at_precision(tried_on.deviations_are_below_their_bound),
                    ),
                ),
            ),
        ),
        ("L_i with the row's own number of feasible transitions",),
        repairs="benvenuti2025.theorem-5",
    ),
    Claim(
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
    ),
)
