"""Section 5: the models that are released, and what is said of them without data."""

from __future__ import annotations

from ..entries import Claim, Reading
from ..evidence import Formula, Identity, NotDecidable, Proof
from . import executed_models as executed

NOTE = "ponnoprat2023/models.md"
_MOVED = Proof(
    f"{NOTE}#a-row-in-a-table",
    "(18) adds up over the changed coordinates, two at most in each table (2)",
    (Formula("(2)", executed.a_moved_row_costs_no_more),),
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.equation-10",
        kind="equation",
        where="Section 5.1, (10) and the display after it; Section 5.2, (11) and (12)",
        says="Relative frequencies are the likeliest probabilities of classes, features and nodes; "
        "the probability of a class is proportional to the product of theirs.",
        hypotheses=("the counts that are divided by are positive", "features independent given it"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#frequencies",
                "Gibbs' inequality for each vector of counts (1), and Bayes' rule",
                (
                    Formula("(1)", executed.frequencies_are_likeliest),
                    Formula("Bayes", executed.posterior_is_the_product),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.naive-bayes-axis",
        kind="algorithm",
        where="Section 5.1, the paragraph that modifies the model",
        says="For each feature k and value c, a draw over the classes j by the counts of (j, c) "
        "gives entries that stand for P(x_k = c | y = j).",
        garbled="the indices j and c may be exchanged; Section 5.2 draws over the values",
        note=NOTE,
        evidence=(
            Identity(
                "entries of a draw sum to 1; with counts 9 and 1, all in the value c, both "
                "conditionals are 1, and sum to 1 (3)",
                executed.conditionals_of_one_value_sum_to_one,
            ),
            Proof(
                f"{NOTE}#over-which-index",
                "the means of such a draw come near 9/10 and 1/10 (4)",
                (Formula("(4)", executed.means_come_near_the_classes),),
                decides=False,
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.naive-bayes-axis-repaired",
        kind="repair",
        repairs="ponnoprat2023.naive-bayes-axis",
        where="Section 5.1",
        says="For each feature k and class j, a draw over the values c gives conditional laws that "
        "come near N_jc/N_j, with the same promise of privacy.",
        hypotheses=("N_j > 0",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#over-which-index",
                "they sum to 1, with means (r N_jc + alpha)/(r N_j + n alpha) (5)",
                (Formula("(5)", executed.means_come_near_the_conditionals),),
            ),
            _MOVED,
        ),
    ),
    Claim(
        id="ponnoprat2023.naive-bayes-privacy",
        kind="corollary",
        where="Section 5.1, end of the same paragraph; D2^2 = 2 and Dinf = 1",
        says="With every one of the K+1 tables at (lambda, epsilon/(K+1)) the released model is "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=("one row is replaced", "all vectors of a table have the same r and alpha"),
        garbled="epsilon/K + 1 in one place, for epsilon/(K+1)",
        note=NOTE,
        evidence=(_MOVED,),
    ),
    Claim(
        id="ponnoprat2023.bayesian-network-privacy",
        kind="corollary",
        where="Section 5.2, the paragraph after (12)",
        says="With every node's table at (lambda, epsilon/K) the released Bayesian network is "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=(
            "one row is replaced",
            "vectors of all values of the parents are released, observed or not, as is written",
        ),
        note=NOTE,
        evidence=(_MOVED,),
    ),
    Claim(
        id="ponnoprat2023.gaussian-baseline",
        kind="equation",
        where="Sections 5.1 and 5.2: noise N(0, lambda (K+1)/epsilon) and N(0, lambda K/epsilon)",
        says="All counts of K+1, or K, tables with Gaussian noise of that variance are "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=("one row is replaced: two counts of a table change by 1 at most",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#noise",
                "a shift by h costs lambda |h|^2/(2 sigma^2), |h|^2 <= 2 in each table (6)",
                (Formula("(6)", executed.gaussian_budget_is_epsilon),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.laplace-baseline",
        kind="equation",
        where="Sections 5.1 and 5.2: Laplace noise calibrated to (lambda, epsilon/K)",
        says="All counts with that Laplace noise are (lambda, epsilon)-Renyi private.",
        garbled="epsilon/K in Section 5.1, where there are K+1 tables, may be epsilon/(K+1)",
        note=NOTE,
        evidence=(
            NotDecidable(
                "the sensitivity that goes into the cited formula, 1 for a count or 2 for a table, "
                "is not stated"
            ),
        ),
        readings=(
            Reading(
                "each count of Section 5.1's K+1 tables costs exactly epsilon/K when it changes",
                (
                    Identity(
                        "two counts change in each table: the total 2 (K+1)/K epsilon is at most "
                        "epsilon (7)",
                        executed.laplace_budget_is_epsilon,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.random-guess",
        kind="remark",
        where="Section 5.1, the baseline",
        says="Guessing at random is (lambda, 0)-Renyi private.",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#noise",
                "an output with the same law for all data has the divergence 0 (8)",
                (Formula("(8)", executed.equal_laws_do_not_differ),),
            ),
        ),
    ),
)
