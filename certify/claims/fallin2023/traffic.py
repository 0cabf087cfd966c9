"""Section V: the traffic of Gainesville, the two private matrices and their privacy."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof, Reproduced
from ..values import At, Exactly
from . import executed_privacy, executed_traffic
from .inputs import ASSUMPTION_1

NOTE = "fallin2023/traffic.md"
_LOW, _HIGH = "9.87", "98.7"
# |W_i| is not printed; eta = 0.1 and eta_bar = 0.051 leave room for so many.
_WIDTHS = range(2, 10)
SECTION_V = (
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
    "a step of b/2 fits with |W| = 9": Fraction("0.0125")
    <= 1 - Fraction("0.051") - Fraction("0.9"),
}

SEVEN_ROWS = Instance(
    "(4) seven rows change, and fewer need less: the exact delta at 1.16 is at most 0.011",
    needed(_LOW, 7, "1.16"),
    "<=",
    Exactly("0.011"),
    _FITS,
    decides=True,
)

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
        SECTION_V,
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
        SECTION_V,
    ),
    Claim(
        "fallin2023.section-5-low-k-delta",
        "number",
        "V, k = 9.87",
        "delta = 0.011 at k = 9.87.",
        NOTE,
        _each("3", "delta", "0.011", _LOW),
        SECTION_V,
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
        (*SECTION_V, ASSUMPTION_1, "adjacent matrices may differ in every row, by Definition 4"),
        readings=(
            Reading("of matrices that differ in at most seven rows", (SEVEN_ROWS,)),
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
        "fallin2023.section-5-low-k-privacy-repaired",
        "repair",
        "ours, for the first private matrix",
        "It is, of matrices that differ in at most seven rows.",
        NOTE,
        (SEVEN_ROWS,),
        SECTION_V,
        repairs="fallin2023.section-5-low-k-privacy",
        adds=("adjacent matrices differ in at most seven rows",),
    ),
    Claim(
        "fallin2023.section-5-high-k-epsilon",
        "number",
        "V, k = 98.7",
        "epsilon = 11.12 at k = 98.7.",
        NOTE,
        (
            NotDecidable(
                "|W_i| is not printed: with nine protected entries in every row the number comes "
                "out, with fewer in some row it is larger"
            ),
        ),
        SECTION_V,
        readings=(
            Reading("with |W| = 9 in every row", _each("2", "epsilon", "11.12", _HIGH)[-1:]),
            Reading("with less in some row", _each("2", "epsilon", "11.12", _HIGH)[:-1]),
        ),
    ),
    Claim(
        "fallin2023.section-5-high-k-delta",
        "number",
        "V, k = 98.7",
        "delta = 0.019 at k = 98.7.",
        NOTE,
        _each("3", "delta", "0.019", _HIGH),
        SECTION_V,
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
        (*SECTION_V, "adjacent matrices may differ in every row, by Definition 4"),
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
    ),
    Claim(
        "fallin2023.section-5-protected",
        "remark",
        "V, fourth paragraph, on W_i and gamma_i",
        "W_i holds the n - 1 largest non-zero entries of row i, none below eta.",
        NOTE,
        (
            Instance(
                "(6) 31 entries of at least 0.1 fit into 1 - eta_bar",
                Exactly("3.1", "|W| eta"),
                "<=",
                Exactly("0.949", "1 - eta_bar"),
                {"eta = 0.1, n = 32": 31 * Fraction("0.1") == Fraction("3.1")},
            ),
        ),
        SECTION_V[:1],
        readings=(
            Reading(
                "for n one takes the number of the row's non-zero entries",
                (NotDecidable("how many of them there are, and their sizes, are not given"),),
            ),
        ),
    ),
)
