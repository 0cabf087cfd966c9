"""Section V with Figures 2 and 3: the traffic of Gainesville, and other mechanisms beside it."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from ....reference.enclosure import Trilean
from ....reference.markov.stationary import stationary_law
from ..benvenuti2025.chains import (
    deviation_is_of_order_a_root,
    law_moves_at_least_so_much,
    pairs_of_chains,
    size,
)
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, Reproduced, exactly
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision, draws
from .inputs import ASSUMPTION_1
from .privacy import rows_never_pass_floor_and_step

# Formulas of the notes on the traffic example, tried at exact points.

_TRIALS = 30


def _zeros_stay() -> bool:
    """Whether a row on its support, put back among its zeros, is stochastic with the same zeros."""
    for random in draws(101, _TRIALS):
        row = [random.randint(0, 4) for _ in range(6)] + [1]
        support = [at for at, count in enumerate(row) if count]
        drawn = [random.randint(1, 9) for _ in support]
        released = [Fraction(0)] * len(row)
        for at, part in zip(support, drawn, strict=True):
            released[at] = Fraction(part, sum(drawn))
        if sum(released) != 1 or [x > 0 for x in released] != [count > 0 for count in row]:
            return False
    return True


def _distances_are_below_two() -> bool:
    """Whether |pi - pi~| = 2 - 2 sum min(pi, pi~) < 2, and 2 - 4/m for two near-vertices."""
    for chain, other in pairs_of_chains(102):
        pi, new = stationary_law(chain), stationary_law(other)
        smaller = sum(map(min, pi, new))
        if not size([x - y for x, y in zip(pi, new, strict=True)]) == 2 - 2 * smaller < 2:  # noqa: PLR2004
            return False
    near = [(Fraction(1) - Fraction(1, m), Fraction(1, m)) for m in (10, 1000)]
    return all(2 * (p - q) == 2 - 4 * q for p, q in near)


def _is_symmetric() -> bool:
    """Whether permuting the states of a chain permutes its law, so that means are uniform."""
    for chain, _ in pairs_of_chains(103):
        law = stationary_law(chain)
        for order in permutations(range(len(chain))):
            moved = tuple(tuple(chain[i][j] for j in order) for i in order)
            if stationary_law(moved) != tuple(law[i] for i in order):
                return False
    return True


def _norm_of_mean_is_below() -> bool:
    """Whether |pi - E pi~| <= E |pi - pi~| for drawn finite laws of pi~."""
    for chain, other in pairs_of_chains(104):
        pi, new = stationary_law(chain), stationary_law(other)
        half = [(x + y) / 2 for x, y in zip(pi, new, strict=True)]
        vertex = [Fraction(at == 0) for at in range(len(pi))]
        laws = (new, half, vertex)
        mean = [sum(column, Fraction(0)) / len(laws) for column in zip(*laws, strict=True)]
        norms = [size([x - y for x, y in zip(pi, law, strict=True)]) for law in laws]
        if size([x - y for x, y in zip(pi, mean, strict=True)]) > sum(norms) / len(norms):
            return False
    return True


def _entries_are_below_half() -> bool:
    """Whether each entry of drawn differences of laws is at most half of the sum of sizes."""
    for random in draws(61, _TRIALS):
        weights = [[random.randint(1, 60) for _ in range(32)] for _ in range(2)]
        laws = [[Fraction(each, sum(row)) for each in row] for row in weights]
        moves = [abs(p - q) for p, q in zip(*laws, strict=True)]
        if 2 * max(moves) > sum(moves):
            return False
    return True


def _two_states_have_it_all() -> Trilean:
    """Whether of two laws at a distance of 0.485 no entry differs by more than 0.485/32."""
    low, high = Fraction("0.0075"), Fraction("0.25")
    alike = [(1 - low - high) / 30] * 30
    moves = [abs(p - q) for p, q in zip([high, low, *alike], [low, high, *alike], strict=True)]
    if sum(moves) != Fraction("0.485"):
        raise ValueError("the laws are not at that distance")
    return Trilean.of(32 * max(moves) <= Fraction("0.485"))


_NOTE = "fallin2023/traffic.md"
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


def _needed(k: str, changed: int, at: str) -> At:
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
    "a step of b/2 fits with |W| = 9": Fraction("0.0125")
    <= 1 - Fraction("0.051") - Fraction("0.9"),
}

_SEVEN_ROWS = Instance(
    "(4) seven rows change, and fewer need less: the exact delta at 1.16 is at most 0.011",
    _needed(_LOW, 7, "1.16"),
    "<=",
    Exactly("0.011"),
    _FITS,
    decides=True,
)

_TRAFFIC_STATEMENTS = (
    Statement(
        "fallin2023.section-5-assumption-2",
        "remark",
        "V, k = 9.87 and eta = 0.10",
        "The two values of k meet Assumption 2.",
        _NOTE,
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
    Statement(
        "fallin2023.section-5-low-k-epsilon",
        "number",
        "V, k = 9.87",
        "epsilon = 1.16 at k = 9.87.",
        _NOTE,
        _each("2", "epsilon", "1.16", _LOW),
        _SECTION_V,
    ),
    Statement(
        "fallin2023.section-5-low-k-delta",
        "number",
        "V, k = 9.87",
        "delta = 0.011 at k = 9.87.",
        _NOTE,
        _each("3", "delta", "0.011", _LOW),
        _SECTION_V,
        readings=(
            Reading(
                "with one protected entry in a row",
                (Reproduced("(3) delta with |W| = 1", "0.011", delta(_LOW, 1)),),
            ),
        ),
    ),
    Statement(
        "fallin2023.section-5-low-k-privacy",
        "remark",
        "V, k = 9.87",
        "The first private matrix is (1.16, 0.011)-private.",
        _NOTE,
        (
            Instance(
                "(4) all 32 rows change: the exact delta at 1.17 is at most 0.0115",
                _needed(_LOW, 32, "1.17"),
                "<=",
                Exactly("0.0115"),
                _FITS,
            ),
        ),
        (*_SECTION_V, ASSUMPTION_1, "adjacent matrices may differ in every row, by Definition 4"),
        readings=(
            Reading("of matrices that differ in at most seven rows", (_SEVEN_ROWS,)),
            Reading(
                "of matrices that differ in eight rows",
                (
                    Instance(
                        "(4) eight rows change: the exact delta at 1.17 is at most 0.0115",
                        _needed(_LOW, 8, "1.17"),
                        "<=",
                        Exactly("0.0115"),
                        _FITS,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "fallin2023.section-5-low-k-privacy-repaired",
        "repair",
        "ours, for the first private matrix",
        "It is, of matrices that differ in at most seven rows.",
        _NOTE,
        (_SEVEN_ROWS,),
        _SECTION_V,
        repairs="fallin2023.section-5-low-k-privacy",
        adds=("adjacent matrices differ in at most seven rows",),
    ),
    Statement(
        "fallin2023.section-5-high-k-epsilon",
        "number",
        "V, k = 98.7",
        "epsilon = 11.12 at k = 98.7.",
        _NOTE,
        (
            NotDecidable(
                "|W_i| is not printed: with nine protected entries in every row the number comes "
                "out, with fewer in some row it is larger"
            ),
        ),
        _SECTION_V,
        readings=(
            Reading("with |W| = 9 in every row", _each("2", "epsilon", "11.12", _HIGH)[-1:]),
            Reading("with less in some row", _each("2", "epsilon", "11.12", _HIGH)[:-1]),
        ),
    ),
    Statement(
        "fallin2023.section-5-high-k-delta",
        "number",
        "V, k = 98.7",
        "delta = 0.019 at k = 98.7.",
        _NOTE,
        _each("3", "delta", "0.019", _HIGH),
        _SECTION_V,
        readings=(
            Reading(
                "of the other private matrix, k = 9.87, with |W| = 2",
                (Reproduced("(3) delta at k = 9.87, |W| = 2", "0.019", delta(_LOW, 2)),),
            ),
        ),
    ),
    Statement(
        "fallin2023.section-5-high-k-privacy",
        "remark",
        "V, k = 98.7",
        "The second private matrix is (11.12, 0.019)-private.",
        _NOTE,
        (
            Instance(
                "(5) all 32 rows change: the exact delta at 11.12 is at most 0.019",
                _needed(_HIGH, 32, "11.12"),
                "<=",
                Exactly("0.019"),
                _FITS,
                decides=True,
            ),
        ),
        (*_SECTION_V, "adjacent matrices may differ in every row, by Definition 4"),
    ),
    Statement(
        "fallin2023.section-5-zeros",
        "remark",
        "V, third paragraph",
        "With public zeros each row can be released on its non-zero entries.",
        _NOTE,
        (
            Proof(
                "matrix.md#zero-entries",
                "a row is an input on the simplex of its own non-zero entries",
                (
                    Formula("(6): zeros stay and count for nothing", _zeros_stay),
                    Formula(
                        "floors and steps of drawn rows",
                        rows_never_pass_floor_and_step,
                    ),
                ),
            ),
        ),
        ("neighbours have the same zeros", "W_i a part of the non-zero entries, not all of them"),
    ),
    Statement(
        "fallin2023.section-5-protected",
        "remark",
        "V, fourth paragraph, on W_i and gamma_i",
        "W_i holds the n - 1 largest non-zero entries of row i, none below eta.",
        _NOTE,
        (NotDecidable("how many non-zero entries the rows have, and their sizes, are not given"),),
        (
            *_SECTION_V[:1],
            "n is the number of the row's non-zero entries, on which the mechanism is defined",
        ),
        readings=(
            Reading(
                "n is the number of states",
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
    ),
)


_PLACE = f"{_NOTE}#"

_LIKE_A_ROOT = Proof(
    "markov-printed.md#error-falls-like-a-root",
    "it lies between two constants times k^(-1/2)",
    (
        Formula("(11): drawn shares and k", at_precision(deviation_is_of_order_a_root)),
        Formula("pairs of chains", law_moves_at_least_so_much),
    ),
)
_FIGURE_3_STATEMENTS = (
    Statement(
        "fallin2023.figure-3-range",
        "number",
        "V, Figure 3 and the text on it",
        "k from 10 to 200 gives epsilons from 0.5 to 9, and delta at most 0.011.",
        _NOTE,
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
    Statement(
        "fallin2023.figure-3-percent",
        "number",
        "abstract; I; V, last paragraph",
        "0.101 and 0.485 are 5.05 % and 24.25 % of the largest possible error, 2.",
        _NOTE,
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
                (Formula("(8): pairs of chains", _distances_are_below_two),),
            ),
        ),
        ("2 is the least upper bound; irreducible chains do not attain it",),
    ),
    Statement(
        "fallin2023.figure-3-error",
        "figure",
        "V, Figure 3 and the last paragraph",
        "The mean error is 0.485 at epsilon = 0.5 and 0.101 at epsilon = 8.",
        _NOTE,
        (NotDecidable("the transition probabilities are not given"),),
    ),
    Statement(
        "fallin2023.figure-3-single-state",
        "remark",
        "V, last sentence",
        "The error is spread over the 32 states, so that of a single state is quite small.",
        _NOTE,
        (NotDecidable("the chain is not given, and quite small is not quantified"),),
        readings=(
            Reading(
                "that of a single state is at most half of the norm",
                (
                    Proof(
                        _PLACE + "single-state",
                        "an entry of a difference of laws is minus the sum of all others",
                        (Formula("drawn laws", _entries_are_below_half),),
                    ),
                ),
            ),
            Reading(
                "a norm of 0.485 over 32 states leaves each of them at most 1/32 of it",
                (
                    Identity(
                        "two laws with 0.25 and 0.0075 at two states, exchanged, and one share at "
                        "all others",
                        _two_states_have_it_all,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-3-statistic",
        "remark",
        "V, how Figure 3 was made",
        "The norm of pi less the average of the private laws is the mean norm of the error.",
        _NOTE,
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
                    "permuting states keeps the law of the rows": _is_symmetric(),
                },
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-3-statistic-repaired",
        "repair",
        "ours, for the statistic of Figure 3",
        "It is at most the mean norm of the error.",
        _NOTE,
        (
            Proof(
                _PLACE + "mean-of-norms",
                "a norm is convex: Jensen's inequality",
                (Formula("(10): drawn finite laws", _norm_of_mean_is_below),),
            ),
        ),
        repairs="fallin2023.figure-3-statistic",
    ),
    Statement(
        "fallin2023.figure-3-trend",
        "figure",
        "V, caption of Figure 3",
        "The error of the stationary law falls as epsilon rises.",
        _NOTE,
        (NotDecidable("the chain is not given; that its error falls at every k is not proved"),),
        readings=(
            Reading(
                "for large k: the mean error falls like k^(-1/2)",
                (_LIKE_A_ROOT,),
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-3-trend-of-privacy",
        "figure",
        "V, last paragraph",
        "The error of the stationary law falls as privacy increases.",
        _NOTE,
        (
            Instance(
                "the two errors that the paragraph prints: that of more privacy is at most the "
                "other",
                Exactly("0.485", "the mean error at epsilon = 0.5"),
                "<=",
                Exactly("0.101", "the mean error at epsilon = 8"),
                {"the smaller epsilon is more privacy": Fraction(1, 2) < 8},  # noqa: PLR2004
            ),
            Instance(
                "(12) three states, all entries 1/3: a lower bound of the mean distance at "
                "k = 10 is at most an upper bound of that at k = 1000, of less privacy",
                At("dirichlet.utility.absolute_deviation", {"p": "1/3", "k": "10"}, times="1/4"),
                "<=",
                At("markov.stationary_bound", {"P": [["1/3"] * 3] * 3, "k": ["1000"] * 3}),
                {"k = 10 meets Assumption 2 with eta = 1/3": Fraction(10) >= 3},  # noqa: PLR2004
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-3-trend-of-privacy-repaired",
        "repair",
        "ours, for the last paragraph of V",
        "The mean error lies between two constants times k^(-1/2), where less privacy is larger k.",
        _NOTE,
        (_LIKE_A_ROOT,),
        repairs="fallin2023.figure-3-trend-of-privacy",
    ),
    Statement(
        "fallin2023.figure-2",
        "figure",
        "V, Figure 2",
        "Random walks resemble the true one more as epsilon rises.",
        _NOTE,
        (NotDecidable("one walk each, of a chain that is not given"),),
    ),
    Statement(
        "fallin2023.remark-projection",
        "remark",
        "I, on other mechanisms",
        "Projecting additive noise on the simplex destroys accuracy.",
        _NOTE,
        (
            NotDecidable(
                "an experiment in reference 23: no statement about quantities that the paper "
                "defines"
            ),
        ),
    ),
)

STATEMENTS = (*_TRAFFIC_STATEMENTS, *_FIGURE_3_STATEMENTS)
