"""Sections II-A, III-A and III-B: inputs, adjacency, the mechanism, and the good set of a row."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof, Sampled, exactly
from ..gohari2020.good_set import (
    fails_in_the_middle,
    pooled_integrals_agree,
    tail_is_the_pooled_integral,
)
from ..gohari2020.privacy import GOOD_SET, printed_bound_holds
from ..statement import Reading, Statement
from ..values import Exactly, at_precision, draws
from .inputs import ASSUMPTION_1, ASSUMPTION_3, ASSUMPTIONS
from .privacy import good_set_needs_gamma, rows_never_pass_floor_and_step, second_term_is_smaller

# Formulas of the notes on the setting, tried at exact points.

_PAIRS = 120
_TRIALS = 25


def _ratio_is_bounded() -> Trilean:
    """Whether the densities' ratio of Dirichlet(3, 2, 5) to Dirichlet(2, 3, 5) stays bounded."""
    import sympy

    x = sympy.Symbol("x", positive=True)
    point = (1 - 2 * x, x, x)
    ratio = sympy.Integer(1)
    for counts, sign in (((3, 2, 5), 1), ((2, 3, 5), -1)):
        scale = sympy.Rational(factorial(9), prod(factorial(count - 1) for count in counts))
        ratio *= (
            scale * sympy.prod([each ** (c - 1) for each, c in zip(point, counts, strict=True)])
        ) ** sign
    return Trilean.FALSE if sympy.limit(ratio, x, 0, "+") == sympy.oo else Trilean.UNKNOWN


def _shares_have_means() -> bool:
    """Whether the mean of x_1^a x_2^b of Dirichlet(c) is a ratio of rising factorials.

    It is that of shares of gammas: E g_1^a g_2^b = E x_1^a x_2^b E T^(a+b), exactly.
    """
    for random in draws(11, _TRIALS):
        counts = [random.randint(1, 6) for _ in range(3)]
        a, b = random.randint(0, 3), random.randint(0, 3)
        gammas = _rising(counts[0], a) * _rising(counts[1], b)
        share = Fraction(gammas, _rising(sum(counts), a + b))
        if share != _mean_by_integral(counts, a, b):
            return False
    return True


def _rising(start: int, steps: int) -> int:
    return prod(range(start, start + steps))


def _mean_by_integral(counts: list[int], a: int, b: int) -> Fraction:
    """Return the same from two Dirichlet integrals."""

    def integral(*powers: int) -> Fraction:
        return Fraction(prod(factorial(p - 1) for p in powers), factorial(sum(powers) - 1))

    first, second, third = counts
    return integral(first + a, second + b, third) / integral(first, second, third)


def _middles_tried() -> tuple[int, int]:
    """Return how many pairs of rows were tried, and how many have P(middle)^2 < P P'."""
    failed = 0
    for random in draws(12, _PAIRS):
        w = random.randint(2, 3)
        k = Fraction(random.randint(40, 400), 10)
        rows = [[random.randint(1, 12) for _ in range(w + 1)] for _ in range(2)]
        # k eta >= 1: each protected parameter is 1 or more
        floors = [max(k - w, Fraction(1)) / sum(row) for row in rows]
        first, second = (
            [1 + scale * x for x in row[:w]] + [scale * row[w]]
            for row, scale in zip(rows, floors, strict=True)
        )
        failed += fails_in_the_middle(first, second, Fraction(random.randint(1, 99), 100 * w))
    return _PAIRS, failed


_NOTE = "fallin2023/setting.md"
_PLACE = f"{_NOTE}#"
_NO_FIT = {"eta": Fraction(3, 10), "eta_bar": Fraction(1, 10)}
# k, and at both ends and in the middle: k p_1 and x_1.
_K = 8
_POINTS = ((1, "1/1000"), (2, "101/2000"), (3, "1/10"))


def _density(first: int, x: str) -> Fraction:
    """Return the density of Dirichlet(first, 1, 7 - first) at (x, 1/4, 3/4 - x), whole numbers."""
    at, last = Fraction(x), 7 - first
    scale = Fraction(factorial(7), factorial(first - 1) * factorial(last - 1))
    return scale * at ** (first - 1) * (Fraction(3, 4) - at) ** (last - 1)


_ENDS = _density(*_POINTS[0]) * _density(*_POINTS[2])
NOT_JOINTLY = Instance(
    "(1) W = {1, 2}, k = 8, eta = 1/8, eta_bar = 1/4: the density of a row is log-concave in the "
    "entry x_1 and its input p_1 together, at (1/1000, 1/8), (1/10, 3/8) and their middle",
    Exactly(str(_density(*_POINTS[1]) ** 2), "squared density at (101/2000, 1/4)"),
    ">=",
    Exactly(str(_ENDS), "product of the densities at both ends"),
    {
        "x_1 is in the middle": 2 * Fraction("101/2000") == Fraction("1/1000") + Fraction("1/10"),
        "eta + eta_bar < 1/2, and k = 1/eta >= 1/(1 - eta - eta_bar)": Fraction(3, 8)
        < Fraction(1, 2)
        and 1 / Fraction(5, 8) <= _K,
        "p = (p_1, 1/8, 7/8 - p_1) is in the domain": all(
            Fraction(a, 8) >= Fraction(1, 8) and Fraction(a + 1, 8) <= Fraction(3, 4)
            for a, _ in _POINTS
        ),
        "all parameters are at least 1": all(min(a, 7 - a) >= 1 for a, _ in _POINTS),
    },
)

STATEMENTS = (
    Statement(
        "fallin2023.assumption-1",
        "remark",
        "III-A, Assumption 1 and the sentence before it",
        "With Assumption 1 the ratios of densities of adjacent inputs stay bounded.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#largest-log-ratio",
                "on the good set, for each k, eta, eta_bar, b, gamma: h(t) is continuous, t <= b/2",
                (Formula("steps up to b/2", at_precision(printed_bound_holds)),),
            ),
        ),
        (ASSUMPTION_1, "outputs of the good set, |W| gamma < 1, k > 0"),
        readings=(
            Reading(
                "over all outputs",
                (
                    Identity(
                        "(2) Dirichlet(3, 2, 5) against Dirichlet(2, 3, 5), inputs (0.3, 0.2, 0.5) "
                        "and (0.2, 0.3, 0.5): bounded along the outputs (1 - 2x, x, x)",
                        _ratio_is_bounded,
                    ),
                ),
            ),
            Reading(
                "it leaves room for a step of b/2",
                (
                    Instance(
                        "(3) eta = 3/10, eta_bar = 1/10, b = 1, |W| = 2",
                        Exactly("1/2", "b/2"),
                        "<=",
                        Exactly("3/10", "1 - eta_bar - 2 eta"),
                        {"eta + eta_bar < 1/2": sum(_NO_FIT.values()) < Fraction(1, 2)},
                    ),
                ),
                beyond=True,
            ),
            Reading(
                "there are such matrices",
                (
                    Instance(
                        "(3) eta = 3/10, eta_bar = 1/10, |W| = 4: the floors fit into 1 - eta_bar",
                        Exactly("6/5", "|W| eta"),
                        "<=",
                        Exactly("9/10", "1 - eta_bar"),
                        {"eta + eta_bar < 1/2": sum(_NO_FIT.values()) < Fraction(1, 2)},
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Statement(
        "fallin2023.definition-4",
        "definition",
        "Definition 4 and the paragraph after it",
        "Adjacent rows differ in two entries of W or in none; one alone cannot change.",
        _NOTE,
        (
            Proof(
                _PLACE + "one-entry-cannot-change",
                "rows sum to 1, so what one entry gains another one loses",
                (Formula("(4): drawn adjacent rows", rows_never_pass_floor_and_step),),
            ),
        ),
        (ASSUMPTION_1,),
    ),
    Statement(
        "fallin2023.definition-6",
        "algorithm",
        "Definition 6 and the paragraph after it",
        "The output is a stochastic matrix with independent rows Dirichlet(k P_i).",
        _NOTE,
        (
            Proof(
                _PLACE + "rows-are-shares",
                "each row is a vector of shares of positive Gamma variables",
                (Formula("(5): means of whole parameters", _shares_have_means),),
            ),
        ),
        ("P in the domain", "k > 0"),
        garbled="The display is a column of the rows' densities; read as the law of the rows.",
    ),
    Statement(
        "fallin2023.assumption-2",
        "definition",
        "III-A Assumption 2",
        "The second of its two bounds on k is never the larger one.",
        _NOTE,
        (
            Proof(
                _PLACE + "the-second-bound",
                "eta < 1/2 and eta + eta_bar < 1/2",
                (Formula("(6): a grid of eta and eta_bar", second_term_is_smaller),),
            ),
        ),
        (ASSUMPTION_1,),
    ),
    Statement(
        "fallin2023.assumption-3",
        "definition",
        "III-B Assumption 3",
        "gamma_i <= 1/|W_i| leaves the good set outputs, and more than probability 0 if strict.",
        _NOTE,
        (
            Proof(
                "tail-worst-input.md#delta-rises-with-gamma",
                "delta rises strictly to 1, which it first reaches at 1/|W|",
                (Formula("drawn parameters", at_precision(good_set_needs_gamma)),),
            ),
            Identity(
                "(7) |W| = 2: at gamma = 1/2 the good set has x_1 = x_2 = 1/2 alone",
                exactly(2 * Fraction(1, 2) == 1),
                decides=False,
            ),
        ),
        (ASSUMPTION_1,),
    ),
    Statement(
        "fallin2023.lemma-2",
        "lemma",
        "III-B Lemma 2",
        "P(good set of a row) is an integral over |W_i| coordinates.",
        _NOTE,
        (
            Proof(
                "gohari2020/good-set.md#pooling",
                "coordinates outside W add up to one of a Dirichlet law",
                (
                    Formula(
                        "(8): both integrals, whole parameters",
                        pooled_integrals_agree,
                    ),
                    Formula(
                        "(8): the tail of three coordinates",
                        at_precision(tail_is_the_pooled_integral),
                    ),
                ),
            ),
        ),
        (ASSUMPTION_1, ASSUMPTION_3),
    ),
    Statement(
        "fallin2023.lemma-3",
        "lemma",
        "III-B Lemma 3",
        "P(good set of a row) is a log-concave function of the row.",
        _NOTE,
        (
            Sampled(
                "P(middle)^2 >= P P' for two rows and their middle, k eta >= 1, |W| = 2 and 3",
                at_precision(_middles_tried),
            ),
        ),
        ASSUMPTIONS,
        of_proof=(NOT_JOINTLY,),
    ),
    Statement(
        "fallin2023.equation-7",
        "equation",
        "III-B (6), (7) and the paragraph after it",
        "delta_i = 1 - min P(good set of row i) bounds how often each input misses it.",
        _NOTE,
        (GOOD_SET,),
        (ASSUMPTION_1, ASSUMPTION_3, "any k > 0"),
    ),
)
