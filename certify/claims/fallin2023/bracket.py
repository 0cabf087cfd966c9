"""Section IV, (24) to (41): the mean of the largest column sum of |P - P~|."""

from __future__ import annotations

from fractions import Fraction

from ..benvenuti2025.deviation import BETA_FALLS, whole_beta
from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..values import Exactly
from . import executed_bracket as executed
from . import executed_privacy
from .forms import whole_power
from .inputs import ASSUMPTION_1, ASSUMPTIONS

NOTE = "fallin2023/bracket.md"
_PLACE = f"{NOTE}#"
_ENTRIES = (ASSUMPTION_1, "P_ij with j in W_i", "any k > 0")
_TENTH = Fraction(1, 10)
# Nine states of ten: all of the eight protected entries at eta, eta_bar = 1/10, k = 10.
_W, _REST = 8, Fraction(8, 10)

_MEAN_SQUARE, _MEAN = Fraction(1, 18), Fraction(16, 81)

AVEN = Proof(
    "markov-coefficient.md#largest-column",
    "the largest of n deviations from their mean is at most ((n-1)/n of their squares)^(1/2)",
    (
        Formula("(1): drawn numbers, exactly", executed.largest_is_below),
        Formula("(1): drawn finite laws", at_precision(executed.aven_on_finite_laws)),
    ),
)
VARIANCES = Proof(
    _PLACE + "variances-add",
    "rows are independent, and Var|x| = E x^2 - (E|x|)^2",
    (Formula("(2): independent finite laws, exactly", executed.variances_add),),
)
LEAST = Proof(
    "markov-printed.md#lemma-8-is-true-and-far",
    "each factor is bounded by itself",
    (
        Formula("(4): drawn entries", at_precision(executed.numerators_are_above)),
        Formula("(5): drawn entries", at_precision(executed.denominators_are_below)),
    ),
)


def _term(power: Fraction, first: Fraction, second: Fraction, betas: Fraction) -> Fraction:
    """Return 4 first^(2k power) second^(2k 9/10)/(k^2 B^2) at k = 10."""
    top = whole_power(first, 20 * power) * whole_power(second, Fraction(18))
    return _W * 4 * top / (100 * betas**2)


PRINTED_38 = Instance(
    "(6) eta = eta_bar = 1/10, |W| = 8, k = 10, all protected entries at 1/10: the left side of "
    "(38) as printed, with the exponent 2k, is at least the right side",
    Exactly(str(_term(Fraction(1), _TENTH, 1 - _TENTH, whole_beta(1, 9))), "left side of (38)"),
    ">=",
    Exactly(str(_term(1 - _REST, _TENTH, _REST, whole_beta(1, 8))), "right side of (38)"),
    {
        "eta + eta_bar < 1/2": Fraction(1, 2) > 2 * _TENTH,
        "k = 10 >= 1/eta": Fraction(10) >= 1 / _TENTH,
        "eta_bar + (|W|-1) eta = 8/10": _TENTH + (_W - 1) * _TENTH == _REST,
        "the row has room: |W| eta <= 1 - eta_bar": _W * _TENTH <= 1 - _TENTH,
    },
)

CLAIMS = (
    Claim(
        "fallin2023.equation-24",
        "equation",
        "IV (24), from its reference 32",
        "The mean of the largest of N variables is at most Aven's bound.",
        NOTE,
        (AVEN,),
        ("finite means and variances; they need not be independent",),
    ),
    Claim(
        "fallin2023.equation-27",
        "equation",
        "IV (25) to (28)",
        "The variances of the column sums add up to those of the entries, and (26).",
        NOTE,
        (AVEN, VARIANCES),
        ("independent rows",),
    ),
    Claim(
        "fallin2023.equation-29",
        "equation",
        "IV (29), (30)",
        "The variances are at most n^2/(4(k+1)) less the mean squares, and less the squared means.",
        NOTE,
        (
            Instance(
                "(3) n = 3, all entries 1/3, k = 3: the variances are at most what (29) has",
                Exactly(str(9 * (_MEAN_SQUARE - _MEAN**2)), "sum of the variances"),
                "<=",
                Exactly(str(9 * Fraction(1, 16) - 9 * _MEAN_SQUARE), "right side of (29)"),
                {
                    "the mean square is 1/18 and the mean 16/81": executed.thirds(
                        _MEAN_SQUARE, _MEAN
                    ),
                    "eta = 1/3, eta_bar = 1/10 meet Assumptions 1 and 2": Fraction(1, 3)
                    + Fraction(1, 10)
                    < Fraction(1, 2),
                },
            ),
        ),
    ),
    Claim(
        "fallin2023.equation-29-repaired",
        "repair",
        "ours, for (29)",
        "(30), and (29) with the exponent outside of the mean, as (28) and (30) have it.",
        NOTE,
        (
            VARIANCES,
            Proof(
                "utility.md#coordinate-variance",
                "each mean square is at most 1/(4(k+1))",
                (Formula("(2): whole parameters", executed.squares_are_below),),
            ),
        ),
        repairs="fallin2023.equation-29",
    ),
    Claim(
        "fallin2023.equation-32",
        "equation",
        "Definition 1; IV (31) to (33)",
        "A protected entry lies between eta and 1 - eta_bar - (|W_i|-1) eta.",
        NOTE,
        (
            Proof(
                _PLACE + "range-of-an-entry",
                "the others are at least eta, and all together at most 1 - eta_bar",
                (Formula("(7): vertices, |W| from 2 to 5", executed_privacy.ranges_of_entries),),
            ),
        ),
        _ENTRIES,
    ),
    Claim(
        "fallin2023.equation-34",
        "equation",
        "IV (34), (37), (38)",
        "Each term of (31) is at least the one with eta and eta_bar + (|W_i|-1) eta.",
        NOTE,
        (PRINTED_38,),
        _ENTRIES,
    ),
    Claim(
        "fallin2023.equation-34-repaired",
        "repair",
        "ours, for (38)",
        "They are with the exponent 2k P_ij in (38), as (30) and (31) have it.",
        NOTE,
        (LEAST,),
        _ENTRIES,
        repairs="fallin2023.equation-34",
    ),
    Claim(
        "fallin2023.equation-35",
        "equation",
        "IV (35), (36)",
        "B(a, b) falls in each of its arguments.",
        NOTE,
        (BETA_FALLS,),
        ("a, b > 0",),
        garbled="The text announces a lower bound of the denominator; it is an upper one.",
    ),
    Claim(
        "fallin2023.equation-41",
        "equation",
        "IV (39) to (41)",
        "The mean of the largest column sum of |P - P~| is at most the bracket of Theorem 3.",
        NOTE,
        (
            Proof(
                "markov-printed.md#bracket-bounds-the-columns",
                "Aven's inequality, with (15), (16) and the least term of one row",
                (Formula("(8): drawn rows", at_precision(executed.bracket_bounds_columns)),),
            ),
        ),
        (*ASSUMPTIONS, "none but the ranges of the entries is needed"),
    ),
)
