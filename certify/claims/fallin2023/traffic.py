"""Section V: the traffic of Gainesville, what its parameters give, and what cannot be decided."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Identity, Instance, NotDecidable, Proof, Reproduced, exactly
from ..evidence import Formula
from ..values import At, Exactly
from . import executed_privacy, executed_traffic
from .inputs import ASSUMPTION_1

NOTE = "fallin2023/traffic.md"
_PLACE = f"{NOTE}#"
_LOW, _HIGH = "9.87", "98.7"
# |W_i| is not printed; eta = 0.1 and eta_bar = 0.051 leave room for so many.
_WIDTHS = range(2, 10)
_SECTION_V = (
    "32 states, b = 0.025, eta = 0.1, eta_bar = 0.051, gamma = 0.001",
    "|W_i|, which is not printed, is from 2 to 9, as eta and eta_bar leave room for no more",
)


def epsilon(k: str, w: int) -> At:
    """Return the printed epsilon with the numbers of Section V, of rows with |W| = w."""
    given = {"k": k, "eta": "0.1", "eta_bar": "0.051", "b": "0.025"}
    return At("dirichlet.matrix.epsilon_bound", {**given, "rows": [[w, "0.001"]]})


def delta(k: str, w: int) -> At:
    """Return delta_i with the numbers of Section V, of rows with |W| = w."""
    return At("dirichlet.matrix.delta_bound", {"k": k, "eta": "0.1", "rows": [[w, "0.001"]]})


def needed(k: str, changed: int, at: str) -> At:
    """Return the exact delta of so many changed rows at an epsilon."""
    given = {"k": k, "eta": "0.1", "b": "0.025", "changed_rows": changed, "epsilon": at}
    return At("dirichlet.matrix.delta", given)


def _each(label: str, what: str, printed: str, k: str) -> tuple[Reproduced, ...]:
    quantity = epsilon if what == "epsilon" else delta
    return tuple(
        Reproduced(f"({label}) {what} with |W| = {w}", printed, quantity(k, w)) for w in _WIDTHS
    )


_FITS = {
    "all 32 rows have |W| >= 2, by Assumption 1": min(_WIDTHS) == 2,  # noqa: PLR2004
    "a step of b/2 fits with |W| = 9": Fraction("0.0125") <= 1 - Fraction("0.051") - Fraction("0.9"),
}

CLAIMS = (
    Claim(
        "fallin2023.section-5-assumption-2",
        "remark",
        "V, k = 9.87 and eta = 0.10",
        "The two values of k meet Assumption 2.",
        NOTE,
        (
            Instance(
                "(1) k = 9.87 is at least 1/eta",
                Exactly(_LOW, "k"),
                ">=",
                Exactly("10", "1/eta"),
                {"eta = 0.1": Fraction(10) * Fraction("0.1") == 1},
            ),
        ),
        _SECTION_V,
        readings=(
            Reading(
                "of k = 98.7",
                (
                    Instance(
                        "k = 98.7 is at least 1/eta",
                        Exactly(_HIGH, "k"),
                        ">=",
                        Exactly("10", "1/eta"),
                        decides=True,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "fallin2023.section-5-low-k-epsilon",
        "number",
        "V, k = 9.87",
        "epsilon = 1.16 at k = 9.87.",
        NOTE,
        _each("2", "epsilon", "1.16", _LOW),
        _SECTION_V,
    ),
    Claim(
        "fallin2023.section-5-low-k-delta",
        "number",
        "V, k = 9.87",
        "delta = 0.011 at k = 9.87.",
        NOTE,
        _each("3", "delta", "0.011", _LOW),
        _SECTION_V,
        readings=(
            Reading(
                "with one protected entry in a row",
                (Reproduced("(3) delta with |W| = 1", "0.011", delta(_LOW, 1)),),
            ),
        ),
    ),
    Claim(
        "fallin2023.section-5-low-k-privacy",
        "remark",
        "V, k = 9.87",
        "The first private matrix is (1.16, 0.011)-private.",
        NOTE,
        (
            Instance(
                "(4) all 32 rows change: the exact delta at 1.17 is at most 0.0115",
                needed(_LOW, 32, "1.17"),
                "<=",
                Exactly("0.0115"),
                _FITS,
            ),
        ),
        (*_SECTION_V, ASSUMPTION_1, "adjacent matrices may differ in every row, by Definition 4"),
        readings=(
            Reading(
                "of matrices that differ in at most seven rows",
                (
                    Instance(
                        "(4) seven rows change: the exact delta at 1.16 is at most 0.011",
                        needed(_LOW, 7, "1.16"),
                        "<=",
                        Exactly("0.011"),
                        decides=True,
                    ),
                ),
            ),
            Reading(
                "of matrices that differ in eight rows",
                (
                    Instance(
                        "(4) eight rows change: the exact delta at 1.17 is at most 0.0115",
                        needed(_LOW, 8, "1.17"),
                        "<=",
                        Exactly("0.0115"),
                        _FITS,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "fallin2023.section-5-high-k-epsilon",
        "number",
        "V, k = 98.7",
        "epsilon = 11.12 at k = 98.7.",
        NOTE,
        _each("2", "epsilon", "11.12", _HIGH),
        _SECTION_V,
    ),
    Claim(
        "fallin2023.section-5-high-k-delta",
        "number",
        "V, k = 98.7",
        "delta = 0.019 at k = 98.7.",
        NOTE,
        _each("3", "delta", "0.019", _HIGH),
        _SECTION_V,
        readings=(
            Reading(
                "of the other private matrix, k = 9.87, with |W| = 2",
                (Reproduced("(3) delta at k = 9.87, |W| = 2", "0.019", delta(_LOW, 2)),),
            ),
        ),
    ),
    Claim(
        "fallin2023.section-5-high-k-privacy",
        "remark",
        "V, k = 98.7",
        "The second private matrix is (11.12, 0.019)-private.",
        NOTE,
        (
            Instance(
                "(5) all 32 rows change: the exact delta at 11.12 is at most 0.019",
                needed(_HIGH, 32, "11.12"),
                "<=",
                Exactly("0.019"),
                _FITS,
                decides=True,
            ),
        ),
        (*_SECTION_V, "adjacent matrices may differ in every row, by Definition 4"),
    ),
    Claim(
        "fallin2023.section-5-zeros",
        "remark",
        "V, third paragraph",
        "With public zeros each row can be released on its non-zero entries.",
        NOTE,
        (
            Proof(
                "matrix.md#zero-entries",
                "a row is an input on the simplex of its own non-zero entries",
                (
                    Formula("(6): zeros stay and count for nothing", executed_traffic.zeros_stay),
                    Formula(
                        "floors and steps of drawn rows",
                        executed_privacy.rows_never_pass_floor_and_step,
                    ),
                ),
            ),
        ),
        ("neighbours have the same zeros", "W_i a part of the non-zero entries, not all of them"),
        readings=(
            Reading(
                "W_i holds n - 1 = 31 entries of at least eta = 0.1",
                (
                    Instance(
                        "(6) 31 entries of at least 0.1 fit into 1 - eta_bar",
                        Exactly("3.1", "|W| eta"),
                        "<=",
                        Exactly("0.949", "1 - eta_bar"),
                        {"eta = 0.1, n = 32": 31 * Fraction("0.1") == Fraction("3.1")},
                    ),
                ),
            ),
        ),
        garbled="For n - 1 read one less than the number of the row's non-zero entries.",
    ),
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
        _SECTION_V,
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
        "fallin2023.figure-3-statistic",
        "remark",
        "V, how Figure 3 was made",
        "The norm of pi less the average of the private laws is the mean norm of the error.",
        NOTE,
        (
            Instance(
                "(9) three states, all entries 1/3, k = 3: a lower bound of the mean norm is at "
                "most the norm of the mean difference, which is 0 by symmetry",
                At(
                    "dirichlet.utility.absolute_deviation", {"p": "1/3", "k": "3"}, times="1/2"
                ),
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
        "Projecting additive noise on the simplex destroys accuracy; this mechanism is the first.",
        NOTE,
        (
            NotDecidable(
                "an experiment in reference 23, and a priority: neither is a statement about "
                "quantities that the paper defines"
            ),
        ),
    ),
)
