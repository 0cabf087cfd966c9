"""Appendix D: how far a private share falls from its mean."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, log_beta
from ....reference.dirichlet.utility import (
    absolute_deviation,
    absolute_deviation_bound,
    variance,
    variance_bound,
)
from ....reference.markov import printed
from ..evidence import Formula, Instance, Proof
from ..statement import Statement
from ..values import At, Exactly, as_ball, at_precision, certainly_below, draws, meets

_NOTE = "benvenuti2025/deviation.md"
_PLACE = "benvenuti2025/deviation.md#"
_TRIALS = 30
# Correct bits at which two ways to one number are compared.
_BITS_OF_SHARES = 100
_WHOLE_K = 30


def whole_beta(a: int, b: int) -> Fraction:
    """Return B(a, b) for whole numbers."""
    return Fraction(factorial(a - 1) * factorial(b - 1), factorial(a + b - 1))


def _part(a: int, b: int, power: int, end: Fraction) -> Fraction:
    """Integrate x^(a-1+power) (1-x)^(b-1) over (0, end)."""
    terms = (
        Fraction((-1) ** j * comb(b - 1, j), a + power + j) * end ** (a + power + j)
        for j in range(b)
    )
    return sum(terms, Fraction(0))


def whole_deviation(a: int, b: int) -> Fraction:
    """Return E|x - p| for x of Beta(a, b), whole numbers, by integrals of polynomials."""
    p = Fraction(a, a + b)
    below = p * _part(a, b, 0, p) - _part(a, b, 1, p)
    return 2 * below / whole_beta(a, b)


def deviations_are_exact() -> bool:
    """Whether (95)'s formula is the integral, for whole parameters up to 12."""
    for a, b in product(range(1, 13), repeat=2):
        p, k = Fraction(a, a + b), Fraction(a + b)
        exact = whole_deviation(a, b)
        if exact * whole_beta(a, b) != 2 * p**a * (1 - p) ** b / k:
            return False
        if not meets(as_ball(absolute_deviation(p, k)), ball(exact), _BITS_OF_SHARES):
            return False
    return True


def half_is_the_worst() -> bool:
    """Whether the mean deviation rises log-concavely up to p = 1/2, where it is (95)'s bound."""
    for random in draws(51, 60):
        k = Fraction(f"{10 ** random.uniform(-4, 5):.6g}")
        low, high = sorted(random.sample(range(1, 500), 2))
        points = [Fraction(low, 1000), Fraction(low + high, 2000), Fraction(high, 1000)]
        near, middle, far = (as_ball(absolute_deviation(p, k)) for p in points)
        bound = as_ball(absolute_deviation_bound(k))
        if not near < middle < far < bound or not 2 * middle.log() > near.log() + far.log():
            return False
        mirrored, half = (absolute_deviation(p, k) for p in (1 - points[0], Fraction(1, 2)))
        if not meets(near, as_ball(mirrored), _BITS_OF_SHARES):
            return False
        if not meets(bound, as_ball(half), _BITS_OF_SHARES):
            return False
    return True


def variances_are_exact() -> bool:
    """Whether (96)'s formula is the second moment less p^2, in rationals, and at most its bound."""
    for a, b in product(range(1, 13), repeat=2):
        p, k = Fraction(a, a + b), Fraction(a + b)
        second = _part(a, b, 2, Fraction(1)) / whole_beta(a, b)
        if not second - p * p == variance(p, k) <= variance_bound(k):
            return False
        if not variance_bound(k) == variance(Fraction(1, 2), k) == 1 / (4 * (k + 1)):
            return False
    return True


def printed_floor_is_below() -> bool:
    """Whether (97) is below the deviation of every share that counts can have, 1/N the least."""
    for records, n, k in (
        (10, 3, Fraction(3)),
        (30, 4, Fraction(45)),
        (12, 5, Fraction(1, 10)),
        (98, 5, Fraction("20.6")),
        (60, 2, Fraction(1, 10)),
    ):
        first, *others, last = (
            as_ball(absolute_deviation(Fraction(count, records), k))
            for count in range(1, records - n + 2)
        )
        if not certainly_below(printed.lemma_8(k, records, n), first) or last < first:
            return False
        if not all(certainly_below(first, other) for other in others):
            return False
    return True


def _betas_fall() -> bool:
    """Whether B falls in its first argument, by between the slopes of (102) at both ends."""
    for random in draws(52, _TRIALS):
        a, b = (Fraction(random.randint(1, 200), 20) for _ in range(2))
        fall = log_beta(a, b) - log_beta(a + 1, b)
        slopes = [digamma(ball(at + b)) - digamma(ball(at)) for at in (a, a + 1)]
        if not bool(slopes[1] > 0) or not bool(slopes[1] < fall < slopes[0]):
            return False
    return True


def _denominator_falls() -> bool:
    """Whether k B(k C, k (1-C)) falls as C rises up to 1/2, and rises from there."""
    for random in draws(53, _TRIALS):
        k = Fraction(random.randint(1, 900), random.choice((3, 60)))
        low, high = sorted(random.sample(range(1, 501), 2))
        first, second = (
            log_beta(k * C, k - k * C) for C in (Fraction(x, 1000) for x in (low, high))
        )
        back = log_beta(k * Fraction(1000 - low, 1000), k * Fraction(low, 1000))
        if not bool(first > second) or not bool(back > second):
            return False
    return True


_DENOMINATOR = Instance(
    "k = 30, shares 1/2 and 9/10: the denominator of (98) falls as the share rises",
    Exactly(str(_WHOLE_K * whole_beta(27, 3)), "k B(27, 3)"),
    "<",
    Exactly(str(_WHOLE_K * whole_beta(15, 15)), "k B(15, 15)"),
    {
        "k >= 3/(2 eta) with eta = 1/20": Fraction(3, 2) / Fraction(1, 20) <= _WHOLE_K,
        "shares (9/10, 1/20, 1/20) and (1/2, 1/4, 1/4) are at least eta": (
            min(Fraction(1, 20), Fraction(1, 4)) >= Fraction(1, 20)
        ),
    },
)
BETA_FALLS = Proof(
    _PLACE + "beta-falls",
    "(102) and (103): the slopes of log B are psi(a) - psi(a+b) and psi(b) - psi(a+b)",
    (Formula("(1): drawn arguments", at_precision(_betas_fall)),),
)

STATEMENTS = (
    Statement(
        "benvenuti2025.lemma-7",
        "lemma",
        "D Lemma 7, (95), (96)",
        "The mean deviation and the second moment of a share, exactly and at most.",
        _NOTE,
        (
            Proof(
                "utility.md#mean-absolute-deviation",
                "the mean deviation by parts",
                (Formula("(2): whole parameters, integrals", at_precision(deviations_are_exact)),),
            ),
            Proof(
                "utility.md#half-is-the-worst",
                "its logarithm is concave and symmetric in the share",
                (Formula("(3): it rises up to 1/2", at_precision(half_is_the_worst)),),
            ),
            Proof(
                "utility.md#coordinate-variance",
                "the second moment of a Beta variable",
                (Formula("(4): whole parameters", variances_are_exact),),
            ),
        ),
        ("0 < share < 1", "k > 0"),
    ),
    Statement(
        "benvenuti2025.lemma-8",
        "lemma",
        "D Lemma 8, (97)",
        "The mean deviation of a share is at least (97).",
        _NOTE,
        (
            Proof(
                "markov-printed.md#lemma-8-is-true-and-far",
                "(101) and (104) bound numerator and denominator, each for itself",
                (
                    Formula(
                        "(5): all shares of three settings", at_precision(printed_floor_is_below)
                    ),
                ),
            ),
            Instance(
                "the grades: (97) is below the least mean deviation, that of 1/98",
                At("markov.benvenuti2025.lemma_8", {"k": "20.6", "N": 98, "n": 5}),
                "<",
                At("dirichlet.utility.absolute_deviation", {"p": "1/98", "k": "20.6"}),
            ),
        ),
        ("all counts positive", "k > 0"),
    ),
    Statement(
        "benvenuti2025.appendix-lemma-8-denominator",
        "remark",
        "D, the sentence before (102)",
        "The denominator of (98) falls as the share rises.",
        _NOTE,
        (_DENOMINATOR,),
        ("k >= 3/(2 eta)",),
    ),
    Statement(
        "benvenuti2025.appendix-lemma-8-denominator-repaired",
        "repair",
        "ours, for appendix D",
        "It falls as the share rises up to 1/2.",
        _NOTE,
        (
            Proof(
                _PLACE + "the-denominator-falls-up-to-a-half",
                "the slope of its logarithm is k (psi(k C) - psi(k (1-C)))",
                (Formula("(6): drawn shares", at_precision(_denominator_falls)),),
            ),
        ),
        ("0 < share < 1", "k > 0"),
        repairs="benvenuti2025.appendix-lemma-8-denominator",
        adds=("the share is at most 1/2",),
    ),
    Statement(
        "benvenuti2025.appendix-lemma-8-beta-monotone",
        "equation",
        "D (102), (103)",
        "B(a, b) falls in each of its arguments.",
        _NOTE,
        (BETA_FALLS,),
        ("a, b > 0",),
    ),
)
