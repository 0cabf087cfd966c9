"""Theorem 1: what all rows together need, what one row needs, and which delta is printed."""

from __future__ import annotations

from ..benvenuti2025.composition import BLOCKS
from ..benvenuti2025.privacy_formulas import bad_sets_unite
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..gohari2020.forms import Where, loss
from ..gohari2020.theorem_1 import CONVENTIONAL, GOOD_SET, LARGEST_LOSS
from ..values import At, Exactly, Value
from . import executed_privacy as executed
from .forms import probability_one
from .inputs import (
    ANY_K,
    ASIDE,
    ASSUMPTIONS,
    LEANING,
    LEANING_OVER,
    MIDDLE,
    OTHER_SIDE,
    THREE,
    THREE_ABOVE,
    TOO_LONG,
    TRAFFIC,
    TRAFFIC_ABOVE,
    WHOLE,
    Rows,
    extreme_rows,
)

NOTE = "fallin2023/theorem-1.md"
_PLACE = f"{NOTE}#"
FITS = "b/2 <= 1 - eta_bar - 2 eta"
FITS_IN_ALL = "b/2 + |W_i| eta <= 1 for every row"
ONE_ROW = "adjacent matrices differ in one row"
WHOLE_STEP = "psi(k (1 - eta_bar - eta - b/2)) + log max R_i >= psi(k (eta + b/2))"


def _above(at: Rows, value: Value, epsilon: str, of: str) -> Where:
    """Return what is needed at an epsilon that is above the printed one."""
    of = f"{of} at {epsilon}, above the printed epsilon"
    return Where(of, value, ((at.epsilon(), Exactly(epsilon)),))


def _needs_more(says: str, at: Rows, changed: int, epsilon: str) -> Instance:
    """Return Theorem 1 where so many rows change, of which (p, q) or the extreme rows are one."""
    return Instance(
        says,
        _above(at, at.needed(changed, epsilon), epsilon, f"exact delta of {changed} changed rows"),
        "<=",
        at.delta(),
        {**at.assumptions(), **at.step_fits(), **extreme_rows(at)},
    )


THREE_ROWS = _needs_more(
    "(1) k = 4, eta = 1/4, eta_bar = 1/5, b = 1/2, gamma = 1/1000, n = 3, all three rows change",
    THREE,
    3,
    THREE_ABOVE,
)
TWO_OF_THREE = _needs_more("(1) two of these three rows change", THREE, 2, THREE_ABOVE)
ALL_32_ROWS = _needs_more(
    "(2) Section V with k = 10 and |W| = 2, all 32 rows change", TRAFFIC, 32, TRAFFIC_ABOVE
)
STEP_TOO_LONG = Instance(
    "(3) one row, (1/2, 1/4, 1/4) against (1/4, 1/2, 1/4), k = 4, eta_bar = 249/1000, b = 1, "
    "gamma = 1/50",
    _above(
        TOO_LONG,
        At("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": "1.6"}),
        "1.6",
        "exact delta of one row",
    ),
    "<=",
    TOO_LONG.delta(),
    {**TOO_LONG.assumptions(), **TOO_LONG.row().adjacent("q", LEANING, LEANING_OVER)},
)
LOSS_AT_EQUAL = loss(
    "loss from (2/5, 2/5, 1/5) to (1/5, 3/5, 1/5) at x_1 = x_2, k = 5",
    WHOLE.k,
    MIDDLE[:2],
    ASIDE[:2],
)
EVERY_OUTPUT = Instance(
    "(4) one row p = (2/5, 2/5, 1/5), k = 5, gamma = 9/20: its smallest exceptional set at the "
    "printed epsilon is at most as probable as the printed delta",
    probability_one(LOSS_AT_EQUAL, WHOLE.epsilon()),
    "<=",
    WHOLE.delta(),
    {
        **WHOLE.assumptions(),
        **WHOLE.step_fits(),
        **WHOLE.row().adjacent("q", MIDDLE, ASIDE),
        **WHOLE.row().adjacent("q'", MIDDLE, OTHER_SIDE),
        "the two neighbours are each other's exchange": ASIDE[:2] == OTHER_SIDE[1::-1],
        "p_1 = p_2": MIDDLE[0] == MIDDLE[1],
    },
)
ONE_ROW_HOLDS = Proof(
    _PLACE + "one-changed-row",
    "one changed row needs at most any row's delta_i at the largest epsilon_i",
    (
        Formula("(9): drawn numbers, |W| = 3", at_precision(executed.epsilon_is_as_displayed)),
        Formula(
            "(5): exact deltas against misses, two rows",
            at_precision(executed.printed_delta_covers_every_row),
        ),
    ),
)
DELTAS = tuple(
    At("dirichlet.matrix.delta_bound", {"k": "10", "eta": "0.1", "rows": rows})
    for rows in ([[2, "0.001"]], [[2, "0.001"], [5, "0.001"]])
)

CLAIMS = (
    Claim(
        "fallin2023.theorem-1",
        "theorem",
        "III-C Theorem 1",
        "The matrix is conventionally (epsilon, delta)-private, with one row's numbers.",
        NOTE,
        (THREE_ROWS, ALL_32_ROWS),
        (*ASSUMPTIONS, "adjacent matrices may differ in every row, by Definition 4"),
        readings=(
            Reading(f"{ONE_ROW}, {FITS}, and {FITS_IN_ALL}", (BLOCKS, ONE_ROW_HOLDS)),
            Reading(
                "one row alone, delta its own, and any b of Assumptions 1 to 3", (STEP_TOO_LONG,)
            ),
        ),
        of_proof=(EVERY_OUTPUT, TWO_OF_THREE),
        garbled="delta is printed with a maximum where the proof has a minimum; both are decided.",
    ),
    Claim(
        "fallin2023.theorem-1-one-row",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1 as printed, of matrices that differ in one row, where a step of b/2 fits.",
        NOTE,
        (BLOCKS, ONE_ROW_HOLDS),
        (ANY_K,),
        repairs="fallin2023.theorem-1",
        adds=(ONE_ROW, FITS, FITS_IN_ALL),
    ),
    Claim(
        "fallin2023.theorem-1-all-rows",
        "repair",
        "ours, for Theorem 1",
        "Of all rows the exact delta is that of n releases together, and it is attained.",
        NOTE,
        (
            Proof(
                "matrix.md#never-passes-floor-and-step",
                "no row has a lower floor than k eta or a longer step",
                (Formula("drawn adjacent rows", executed.rows_never_pass_floor_and_step),),
            ),
            Proof(
                "matrix.md#rows-attain",
                "two matrices have that floor and that step in every row",
                (
                    Formula("extreme rows", executed.extreme_rows_attain),
                    Formula(
                        "(6): one and two of three rows in closed form",
                        at_precision(executed.composition_is_the_closed_form),
                    ),
                ),
            ),
        ),
        (ANY_K,),
        repairs="fallin2023.theorem-1",
    ),
    Claim(
        "fallin2023.theorem-1-probabilistic",
        "repair",
        "ours, for Theorem 1",
        "All rows together are probabilistically (n epsilon, 1 - prod (1-delta_i))-private.",
        NOTE,
        (
            LARGEST_LOSS,
            Proof(
                "matrix.md#largest-row-decides",
                "the largest epsilon_i bounds the loss in every row",
                (Formula("(7): drawn pairs of rows", at_precision(executed.largest_row_decides)),),
            ),
            GOOD_SET,
            Proof(
                "benvenuti2025/composition.md#bad-sets-unite",
                "losses of independent rows add, and the bad sets unite",
                (Formula("(7): outcomes of up to four blocks, listed", bad_sets_unite),),
            ),
        ),
        (ANY_K, WHOLE_STEP),
        repairs="fallin2023.theorem-1",
        adds=("n epsilon and 1 - prod (1-delta_i) for epsilon and delta", WHOLE_STEP),
    ),
    Claim(
        "fallin2023.theorem-1-delta",
        "equation",
        "III-C, Theorem 1's delta and the last line of its proof",
        "1 - max_i min P(good set of row i) is the largest delta_i of (7).",
        NOTE,
        (
            Instance(
                "(8) rows with |W| = 2 and 5, k = 10, eta = 0.1, gamma = 0.001: the smallest "
                "delta_i is the largest",
                DELTAS[0],
                "=",
                DELTAS[1],
            ),
        ),
        ASSUMPTIONS,
        garbled="A maximum for a minimum in the statement; where all rows are alike they agree.",
    ),
    Claim(
        "fallin2023.theorem-1-delta-repaired",
        "repair",
        "ours, for Theorem 1's delta",
        "The largest delta_i is 1 - min_i min P(good set of row i).",
        NOTE,
        (
            GOOD_SET,
            Proof(
                "matrix.md#miss-rises-with-w-and-gamma",
                "1 - min of survivals is the largest miss, which rises with |W| and gamma",
                (Formula("drawn |W| and gamma", at_precision(executed.misses_rise)),),
            ),
        ),
        ASSUMPTIONS,
        repairs="fallin2023.theorem-1-delta",
    ),
    Claim(
        "fallin2023.theorem-1-row",
        "equation",
        "III-C, last paragraph of the proof",
        "One row is (epsilon_i, delta_i)-private in the probabilistic and the conventional sense.",
        NOTE,
        (STEP_TOO_LONG, EVERY_OUTPUT),
        ASSUMPTIONS,
    ),
    Claim(
        "fallin2023.theorem-1-row-conventional",
        "repair",
        "ours, for the privacy of one row",
        "One row is (epsilon_i, delta_i)-private in the conventional sense where b/2 fits.",
        NOTE,
        (CONVENTIONAL,),
        (ANY_K,),
        repairs="fallin2023.theorem-1-row",
        adds=(FITS, "the conventional sense"),
    ),
    Claim(
        "fallin2023.theorem-1-row-probabilistic",
        "repair",
        "ours, for the privacy of one row",
        "One row is probabilistically so where the whole step is the worst.",
        NOTE,
        (LARGEST_LOSS, GOOD_SET),
        (ANY_K,),
        repairs="fallin2023.theorem-1-row",
        adds=(WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
)
