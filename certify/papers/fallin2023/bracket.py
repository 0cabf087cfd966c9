"""Section IV, (24) to (41): the mean of the largest column sum of |P - P~|."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet.utility import absolute_deviation, absolute_deviation_bound, variance
from ....reference.markov import printed
from ..benvenuti2025.deviation import BETA_FALLS, variances_are_exact, whole_beta, whole_deviation
from ..evidence import Formula, Instance, Proof
from ..statement import Statement
from ..values import Exactly, as_ball, at_precision, certainly_below, draws
from .inputs import ASSUMPTION_1, ASSUMPTIONS, whole_power
from .privacy import ranges_of_entries

# Formulas of the notes on the bracket, tried at exact points.

_TRIALS = 30
_ZERO = Fraction(0)


def largest_is_below() -> bool:
    """Whether (max d - mean)^2 <= ((n-1)/n) sum (d - mean)^2, exactly."""
    for random in draws(91, 2 * _TRIALS):
        values = [Fraction(random.randint(-99, 99)) for _ in range(random.randint(2, 6))]
        n, mean = len(values), sum(values) / len(values)
        squares = sum((value - mean) ** 2 for value in values)
        if n * (max(values) - mean) ** 2 > (n - 1) * squares:
            return False
    return True


def _law(random: Random, size: int) -> list[tuple[Fraction, list[Fraction]]]:
    """Return a finite law of several variables: outcomes with their probabilities."""
    weights = [random.randint(1, 9) for _ in range(5)]
    return [
        (Fraction(weight, sum(weights)), [Fraction(random.randint(-9, 9)) for _ in range(size)])
        for weight in weights
    ]


def aven_on_finite_laws() -> bool:
    """Whether E max X_j <= max E X_j + ((N-1)/N sum Var X_j)^(1/2) for dependent variables."""
    for random in draws(92, _TRIALS):
        size = random.randint(2, 5)
        law = _law(random, size)
        means = [sum((p * x[j] for p, x in law), _ZERO) for j in range(size)]
        spread = sum((p * (x[j] - means[j]) ** 2 for p, x in law for j in range(size)), _ZERO)
        largest = sum((p * max(x) for p, x in law), _ZERO)
        bound = ball(max(means)) + ball(spread * (size - 1) / size).sqrt()
        if bool(ball(largest) > bound):
            return False
    return True


def _variances_add() -> bool:
    """Whether Var(|x| + |y|) is Var|x| + Var|y| = E x^2 - (E|x|)^2 + ..., x and y independent."""
    for random in draws(93, _TRIALS):
        one, other = (_law(random, 1) for _ in range(2))
        both = [(p * q, abs(x[0]) + abs(y[0])) for (p, x), (q, y) in product(one, other)]
        alone = sum((_spread([(p, abs(x[0])) for p, x in law]) for law in (one, other)), _ZERO)
        if _spread(both) != alone:
            return False
    return True


def _spread(law: list[tuple[Fraction, Fraction]]) -> Fraction:
    mean = sum((p * x for p, x in law), _ZERO)
    return sum((p * x * x for p, x in law), _ZERO) - mean**2


def _thirds(square: Fraction, mean: Fraction) -> bool:
    """Whether these are mean square and mean deviation of an entry 1/3 at k = 3."""
    return variance(Fraction(1, 3), Fraction(3)) == square and whole_deviation(1, 2) == mean


def _entries(seed: int) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Return k, eta, eta_bar + (w-1) eta and an entry in its range."""
    found = []
    for random in draws(seed, _TRIALS):
        w = random.randint(2, 5)
        eta = Fraction(random.randint(1, 9), 10 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        rest = bar + (w - 1) * eta
        entry = eta + (1 - rest - eta) * Fraction(random.randint(0, 10), 10)
        found.append((Fraction(random.randint(1, 900), 10), eta, rest, entry))
    return found


def _log_power(base: Fraction, exponent: Fraction) -> arb:
    return ball(exponent) * ball(base).log()


def _numerators_are_above() -> bool:
    """Whether (34) holds at drawn entries, in logarithms."""
    for k, eta, rest, p in _entries(94):
        top = _log_power(p, 2 * k * p) + _log_power(1 - p, 2 * k * (1 - p))
        least = _log_power(eta, 2 * k * (1 - rest)) + _log_power(rest, 2 * k * (1 - eta))
        if bool(top < least):
            return False
    return True


def _denominators_are_below() -> bool:
    """Whether (37) holds at drawn entries, in logarithms."""
    return not any(
        bool(log_beta(k * p, k * (1 - p)) > log_beta(k * eta, k * rest))
        for k, eta, rest, p in _entries(95)
    )


def bracket_bounds_columns() -> bool:
    """Whether (41) is above Aven's bound with the exact means and variances of drawn rows."""
    for random in draws(96, 20):
        n = random.randint(3, 5)
        w = tuple(random.randint(1, n - 1) for _ in range(n))
        eta, bar, k = Fraction(1, 20), Fraction(1, 10), Fraction(random.randint(2, 400))
        chain = [_row(random, n, size, eta, bar) for size in w]
        moved = [[as_ball(absolute_deviation(p, k)) for p in row] for row in chain]
        spread = ball(sum((variance(p, k) for row in chain for p in row), _ZERO))
        spread -= sum((x * x for row in moved for x in row), arb(0))
        root = (spread * ball(Fraction(n - 1, n))).sqrt()
        mean = n * as_ball(absolute_deviation_bound(k))
        largest = max(sum(column, arb(0)) for column in zip(*moved, strict=True))
        bracket = printed.bracket(n, k, eta, bar, w)
        if not (certainly_below(largest, mean) and certainly_below(mean + root, bracket)):
            return False
    return True


def _row(random: Random, n: int, w: int, eta: Fraction, bar: Fraction) -> tuple[Fraction, ...]:
    shares = [Fraction(random.randint(0, 9)) for _ in range(w)] + [Fraction(1)]
    room = 1 - bar - w * eta
    protected = [eta + room * share / sum(shares, _ZERO) for share in shares[:w]]
    return (*protected, *[(1 - sum(protected, _ZERO)) / (n - w)] * (n - w))


_NOTE = "fallin2023/bracket.md"
_PLACE = f"{_NOTE}#"
_ENTRIES = (ASSUMPTION_1, "P_ij with j in W_i", "any k > 0")
_TENTH = Fraction(1, 10)
# Nine states of ten: all of the eight protected entries at eta, eta_bar = 1/10, k = 10.
_W, _REST = 8, Fraction(8, 10)

_MEAN_SQUARE, _MEAN = Fraction(1, 18), Fraction(16, 81)

_AVEN = Proof(
    "markov-coefficient.md#largest-column",
    "the largest of n deviations from their mean is at most ((n-1)/n of their squares)^(1/2)",
    (
        Formula("(1): drawn numbers, exactly", largest_is_below),
        Formula("(1): drawn finite laws", at_precision(aven_on_finite_laws)),
    ),
)
_VARIANCES = Proof(
    _PLACE + "variances-add",
    "rows are independent, and Var|x| = E x^2 - (E|x|)^2",
    (Formula("(2): independent finite laws, exactly", _variances_add),),
)
_LEAST = Proof(
    "markov-printed.md#lemma-8-is-true-and-far",
    "each factor is bounded by itself",
    (
        Formula("(4): drawn entries", at_precision(_numerators_are_above)),
        Formula("(5): drawn entries", at_precision(_denominators_are_below)),
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

STATEMENTS = (
    Statement(
        "fallin2023.equation-24",
        "equation",
        "IV (24), from its reference 32",
        "The mean of the largest of N variables is at most Aven's bound.",
        _NOTE,
        (_AVEN,),
        ("finite means and variances; they need not be independent",),
    ),
    Statement(
        "fallin2023.equation-27",
        "equation",
        "IV (25) to (28)",
        "The variances of the column sums add up to those of the entries, and (26).",
        _NOTE,
        (_AVEN, _VARIANCES),
        ("independent rows",),
    ),
    Statement(
        "fallin2023.equation-29",
        "equation",
        "IV (29), (30)",
        "The variances are at most n^2/(4(k+1)) less the mean squares, and less the squared means.",
        _NOTE,
        (
            Instance(
                "(3) n = 3, all entries 1/3, k = 3: the variances are at most what (29) has",
                Exactly(str(9 * (_MEAN_SQUARE - _MEAN**2)), "sum of the variances"),
                "<=",
                Exactly(str(9 * Fraction(1, 16) - 9 * _MEAN_SQUARE), "right side of (29)"),
                {
                    "the mean square is 1/18 and the mean 16/81": _thirds(_MEAN_SQUARE, _MEAN),
                    "eta = 1/3, eta_bar = 1/10 meet Assumptions 1 and 2": Fraction(1, 3)
                    + Fraction(1, 10)
                    < Fraction(1, 2),
                },
            ),
        ),
    ),
    Statement(
        "fallin2023.equation-29-repaired",
        "repair",
        "ours, for (29)",
        "(30), and (29) with the exponent outside of the mean, as (28) and (30) have it.",
        _NOTE,
        (
            _VARIANCES,
            Proof(
                "utility.md#coordinate-variance",
                "each mean square is at most 1/(4(k+1))",
                (Formula("(2): whole parameters", variances_are_exact),),
            ),
        ),
        repairs="fallin2023.equation-29",
    ),
    Statement(
        "fallin2023.equation-32",
        "equation",
        "Definition 1; IV (31) to (33)",
        "A protected entry lies between eta and 1 - eta_bar - (|W_i|-1) eta.",
        _NOTE,
        (
            Proof(
                _PLACE + "range-of-an-entry",
                "the others are at least eta, and all together at most 1 - eta_bar",
                (Formula("(7): vertices, |W| from 2 to 5", ranges_of_entries),),
            ),
        ),
        _ENTRIES,
    ),
    Statement(
        "fallin2023.equation-34",
        "equation",
        "IV (34), (37), (38)",
        "Each term of (31) is at least the one with eta and eta_bar + (|W_i|-1) eta.",
        _NOTE,
        (PRINTED_38,),
        _ENTRIES,
    ),
    Statement(
        "fallin2023.equation-34-repaired",
        "repair",
        "ours, for (38)",
        "They are with the exponent 2k P_ij in (38), as (30) and (31) have it.",
        _NOTE,
        (_LEAST,),
        _ENTRIES,
        repairs="fallin2023.equation-34",
    ),
    Statement(
        "fallin2023.equation-35",
        "equation",
        "IV (35), (36)",
        "B(a, b) falls in each of its arguments.",
        _NOTE,
        (BETA_FALLS,),
        ("a, b > 0",),
        garbled="The text announces a lower bound of the denominator; it is an upper one.",
    ),
    Statement(
        "fallin2023.equation-41",
        "equation",
        "IV (39) to (41)",
        "The mean of the largest column sum of |P - P~| is at most the bracket of Theorem 3.",
        _NOTE,
        (
            Proof(
                "markov-printed.md#bracket-bounds-the-columns",
                "Aven's inequality, with (15), (16) and the least term of one row",
                (Formula("(8): drawn rows", at_precision(bracket_bounds_columns)),),
            ),
        ),
        (*ASSUMPTIONS, "none but the ranges of the entries is needed"),
    ),
)
