"""Section V, Figures 2 and 3, and what the introduction says of other mechanisms."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, exactly
from ..values import At, Exactly
from . import executed_traffic
from .traffic import NOTE, SECTION_V, delta, epsilon

_PLACE = f"{NOTE}#"

CLAIMS = (
    Claim(
        "fallin2023.figure-3-range",
        "number",
        "V, Figure 3 and the text on it",
        "k from 10 to 200 gives epsilons from 0.5 to 9, and delta at most 0.011.",
        NOTE,
        (
            Instance(
                "(7) the least epsilon, k = 10 and |W| = 9, is at most 0.55",
                epsilon("10", 9),
                "<=",
                Exactly("0.55"),
            ),
            Instance(
                "(7) the least epsilon at k = 200, |W| = 9, is at most 9.5",
                epsilon("200", 9),
                "<=",
                Exactly("9.5"),
            ),
            Instance(
                "(7) the least delta at k = 10, |W| = 2, is at most 0.0115",
                delta("10", 2),
                "<=",
                Exactly("0.0115"),
            ),
        ),
        SECTION_V,
    ),
    Claim(
        "fallin2023.figure-3-percent",
        "number",
        "abstract; I; V, last paragraph",
        "0.101 and 0.485 are 5.05 % and 24.25 % of the largest possible error, 2.",
        NOTE,
        (
            Identity(
                "0.101/2 = 5.05/100 and 0.485/2 = 24.25/100",
                exactly(
                    Fraction("0.101") / 2 == Fraction("0.0505")
                    and Fraction("0.485") / 2 == Fraction("0.2425")
                ),
            ),
            Proof(
                _PLACE + "largest-error",
                "|pi - pi~| is 2 less twice the sum of the smaller entries, and comes near 2",
                (Formula("(8): pairs of chains", executed_traffic.distances_are_below_two),),
            ),
        ),
        ("2 is the least upper bound; irreducible chains do not attain it",),
    ),
    Claim(
        "fallin2023.figure-3-error",
        "figure",
        "V, Figure 3 and the last paragraph",
        "The mean error is 0.485 at epsilon = 0.5 and 0.101 at epsilon = 8.",
        NOTE,
        (NotDecidable("the transition probabilities are not given"),),
    ),
    Claim(
        "fallin2023.figure-3-single-state",
        "remark",
        "V, last sentence",
        "The error is spread over the 32 states, so that of a single state is quite small.",
        NOTE,
        (NotDecidable("the chain is not given, and quite small is not quantified"),),
        readings=(
            Reading(
                "that of a single state is at most half of the norm",
                (
                    Proof(
                        _PLACE + "single-state",
                        "an entry of a difference of laws is minus the sum of all others",
                        (Formula("drawn laws", executed_traffic.entries_are_below_half),),
                    ),
                ),
            ),
            Reading(
                "a norm of 0.485 over 32 states leaves each of them at most 1/32 of it",
                (
                    Identity(
                        "two laws with 0.25 and 0.0075 at two states, exchanged, and one share at "
                        "all others",
                        executed_traffic.two_states_have_it_all,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "fallin2023.figure-3-statistic",
        "remark",
        "V, how Figure 3 was made",
        "The norm of pi less the average of the private laws is the mean norm of the error.",
        NOTE,
        (
            Instance(
                "(9) three states, all entries 1/3, k = 3: a lower bound of the mean norm is at "
                "most the norm of the mean difference, which is 0 by symmetry",
                At("dirichlet.utility.absolute_deviation", {"p": "1/3", "k": "3"}, times="1/2"),
                "<=",
                Exactly("0", "norm of pi less the mean of pi~"),
                {
                    "eta = 1/3, eta_bar = 1/10 meet Assumptions 1 and 2": Fraction(1, 3)
                    + Fraction(1, 10)
                    < Fraction(1, 2),
                    "two floors leave room: 2/3 + 1/10 <= 1": Fraction(2, 3) + Fraction(1, 10) <= 1,
                    "permuting states keeps the law of the rows": executed_traffic.is_symmetric(),
                },
            ),
        ),
    ),
    Claim(
        "fallin2023.figure-3-statistic-repaired",
        "repair",
        "ours, for the statistic of Figure 3",
        "It is at most the mean norm of the error.",
        NOTE,
        (
            Proof(
                _PLACE + "mean-of-norms",
                "a norm is convex: Jensen's inequality",
                (Formula("(10): drawn finite laws", executed_traffic.norm_of_mean_is_below),),
            ),
        ),
        repairs="fallin2023.figure-3-statistic",
    ),
    Claim(
        "fallin2023.figure-3-trend",
        "figure",
        "V, caption of Figure 3",
        "The error of the stationary law falls as epsilon rises.",
        NOTE,
        (NotDecidable("the chain is not given; that its error falls at every k is not proved"),),
        readings=(
            Reading(
                "for large k: the mean error falls like k^(-1/2)",
                (
                    Proof(
                        "markov-printed.md#error-falls-like-a-root",
                        "it lies between two constants times k^(-1/2)",
                        (
                            Formula("(11): drawn shares and k", executed_traffic.roots_hold),
                            Formula("pairs of chains", executed_traffic.laws_move),
                        ),
                    ),
                ),
            ),
            Reading(
                "as the text has it: the error falls as privacy increases",
                (
                    Instance(
                        "(12) three states, all entries 1/3: a lower bound of the mean distance at "
                        "k = 10 is at most an upper bound of that at k = 1000, of less privacy",
                        At(
                            "dirichlet.utility.absolute_deviation",
                            {"p": "1/3", "k": "10"},
                            times="1/4",
                        ),
                        "<=",
                        At("markov.stationary_bound", {"P": [["1/3"] * 3] * 3, "k": ["1000"] * 3}),
                        {"k = 10 meets Assumption 2 with eta = 1/3": Fraction(10) >= 3},  # noqa: PLR2004
                    ),
                ),
            ),
        ),
        garbled="The text has privacy where the caption has epsilon.",
    ),
    Claim(
        "fallin2023.figure-2",
        "figure",
        "V, Figure 2",
        "Random walks resemble the true one more as epsilon rises.",
        NOTE,
        (NotDecidable("one walk each, of a chain that is not given"),),
    ),
    Claim(
        "fallin2023.remark-projection",
        "remark",
        "I, on other mechanisms",
        "Projecting additive noise on the simplex destroys accuracy.",
        NOTE,
        (
            NotDecidable(
                "an experiment in reference 23: no statement about quantities that the paper "
                "defines"
            ),
        ),
    ),
)
