"""Section IV: the fundamental matrix, Lemma 4 and Theorem 3, by column and by row sums."""

from __future__ import annotations

from ..benvenuti2025.chains import ALIKE, ALIKE_MOVED, ROWS, STICKY, STICKY_MOVED, lemma_5
from ..entries import Claim, Reading
from ..evidence import Formula, Proof, Sampled
from ..forms import at_precision
from . import executed_stationary as executed
from .inputs import ASSUMPTION_1

NOTE = "fallin2023/stationary-law.md"
_PLACE = f"{NOTE}#"
_CHAIN = ("a finite, homogeneous, irreducible chain with one stationary law",)
_COLUMNS = "|.|_1 of a matrix is its largest column sum, as the proof of Theorem 3 says"
_ROWS = "|.|_1 of a matrix is its largest row sum"

BY_COLUMNS = (
    lemma_5(STICKY, STICKY_MOVED, "column", "minus", holds=False),
    lemma_5(ALIKE, ALIKE_MOVED, "column", "plus", holds=False),
)
FOUR_OR_MORE = Proof(
    "markov-printed.md#theorem-3-holds-with-row-sums",
    "four states or more: the largest of n (2^n - 2) sub-Gaussian variables is below the bracket",
    (
        Formula("(3): n from 4 to 79", at_precision(executed.roots_are_below_the_bracket)),
        Formula("(4): the bracket's least value", at_precision(executed.bracket_is_above)),
    ),
)
THREE_STATES = Proof(
    _PLACE + "three-states",
    "three states: the mean square of the largest row sum is at most 16/3 of 1/(k+1)",
    (
        Formula("(5): three entries of sum 0, exactly", executed.square_of_three),
        Formula("(6): 16/3 is below the bracket's square", at_precision(executed.three_is_below)),
    ),
)
THREE_BY_COLUMNS = Proof(
    _PLACE + "three-states-by-columns",
    "three states: the mean square of |pi - pi~| is at most 16/3 of the column sum's over k+1",
    (
        Formula("(7): rows of Z of drawn chains, exactly", executed.columns_bound_three),
        Formula("(5): three entries of sum 0, exactly", executed.square_of_three),
        Formula("(6): 16/3 is below the bracket's square", at_precision(executed.three_is_below)),
        Formula("(4): the bracket's least value", at_precision(executed.bracket_is_above)),
    ),
)

CLAIMS = (
    Claim(
        "fallin2023.fundamental-matrix",
        "remark",
        "IV, definition of Z",
        "The inverse Z of I - P - 1 pi exists for every finite irreducible chain.",
        NOTE,
        (
            Proof(
                "fundamental-matrix.md#shifted-inverses",
                "it is the group inverse of I - P less 1 pi",
                (
                    Formula(
                        "(1): both inverses of drawn chains", executed.inverses_differ_by_the_law
                    ),
                ),
            ),
        ),
        _CHAIN,
        garbled="The usual fundamental matrix has the plus sign; benvenuti2025 prints a minus too.",
    ),
    Claim(
        "fallin2023.lemma-4",
        "lemma",
        "IV Lemma 4, (22), from its reference 31",
        "|pi - pi~|_1 is at most |Z|_1 |P - P~|_1.",
        NOTE,
        BY_COLUMNS,
        (*_CHAIN, _COLUMNS),
        readings=(Reading(_ROWS, (ROWS,)),),
    ),
    Claim(
        "fallin2023.lemma-4-repaired",
        "repair",
        "ours, for Lemma 4",
        "With row sums, for Z with either sign, and with kappa for the norm of Z.",
        NOTE,
        (ROWS,),
        _CHAIN,
        repairs="fallin2023.lemma-4",
    ),
    Claim(
        "fallin2023.theorem-3",
        "theorem",
        "IV Theorem 3, (23)",
        "The mean of |pi - pi~|_1 is at most |Z|_1 times the bracket (41).",
        NOTE,
        (
            Sampled(
                "chains of 3 to 6 states, column sums: the mean of 60 draws is at most the claim",
                at_precision(executed.theorem_3_tried),
            ),
        ),
        (ASSUMPTION_1, "irreducible, any k > 0", _COLUMNS),
        readings=(
            Reading(_ROWS, (ROWS, FOUR_OR_MORE, THREE_STATES)),
            Reading("column sums, three states", (THREE_BY_COLUMNS,)),
        ),
        of_proof=BY_COLUMNS,
    ),
    Claim(
        "fallin2023.theorem-3-repaired",
        "repair",
        "ours, for Theorem 3",
        "With row sums of Z, of either sign, in the place of column sums.",
        NOTE,
        (ROWS, FOUR_OR_MORE, THREE_STATES),
        (ASSUMPTION_1, "one closed class of states, any k > 0"),
        repairs="fallin2023.theorem-3",
    ),
)
