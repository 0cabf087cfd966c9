"""Appendix A: the probability of the good set, where it is least, and how it is sampled."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb

from flint import arb

from ....reference.arb.balls import ball, middle
from ....reference.dirichlet.tail import Miss, probability
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, NotDecidable, Proof, Sampled
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked, at_precision, by_balls, by_spans, draws, span
from .privacy import vertex_is_worst

_NOTE = "benvenuti2025/good-set.md"
_PLACE = "benvenuti2025/good-set.md#"
_K, _ETA, _GAMMA, _CELLS = Fraction("20.6"), Fraction("0.073"), Fraction("0.0004"), 5
# Draws of appendix A, and pairs of inputs at whose middle log-concavity is tried.
DRAWS, _PAIRS = 10**6, 120


def _tail(*alpha: str, rest: str) -> At:
    """Return the probability that one of these parameters' coordinates is below 1/10."""
    return At("dirichlet.tail.general", {"alpha": list(alpha), "rest": rest, "gamma": "1/10"})


LAST_LEFT_FREE = Instance(
    "(1) C = (1/3, 1/3, 1/3), k = 3, gamma = 1/10: the good set is missed as often as (13) says",
    _tail("1", "1", "1", rest="0"),
    "=",
    _tail("1", "1", rest="1"),
    {
        "C is a vector of counts": Fraction(1, 3) * 3 == 1,
        "gamma <= 1/(n-1)": Fraction(1, 10) <= Fraction(1, 2),
        "eta <= 1/3, eta in (0, 1)": Fraction(1, 5) <= Fraction(1, 3),
    },
)


def _whole_integral(a: int, b: int, gamma: Fraction) -> Fraction:
    """Integrate x^(a-1) y^(b-1) over x, y >= gamma, x + y <= 1 - gamma, times 1/B(a, b, 1).

    With a = 1 the integral over x is of a constant, and over y of a polynomial.
    """
    top = 1 - 2 * gamma
    inner = [((1 - 2 * gamma), b), (Fraction(-1), b + 1)]  # (1 - 2 gamma - y) y^(b-1)
    total = sum(
        (factor * (top**power - gamma**power) / power for factor, power in inner), Fraction(0)
    )
    return total * b * (b + 1) if a == 1 else Fraction(-1)


def _good_region_is_the_integral() -> bool:
    """Whether (13) over the region with x_3 >= gamma as well is P(good set), a = c = 1."""
    for b in range(1, 6):
        gamma = Fraction(b, 40)
        missed = probability(Miss.of([Fraction(1), Fraction(b), Fraction(1)], Fraction(0), gamma))
        if not (1 - missed).overlaps(ball(_whole_integral(1, b, gamma))):
            return False
    return True


def extreme_points(n: int, eta: Fraction) -> set[tuple[Fraction, ...]]:
    """Return the points of the bordered simplex where n - 1 of the bounds p_i >= eta are met."""
    found = set()
    for tight in combinations(range(n), n - 1):
        rest = 1 - (n - 1) * eta
        found.add(tuple(eta if at in tight else rest for at in range(n)))
    return found


def _extreme_points_are_permutations() -> bool:
    """Whether there are n, the permutations of (eta, ..., eta, 1 - (n-1) eta)."""
    for n in range(3, 7):
        eta = Fraction(1, 2 * n)
        one = (*[eta] * (n - 1), 1 - (n - 1) * eta)
        if extreme_points(n, eta) != set(permutations(one)) or len(set(permutations(one))) != n:
            return False
    return True


def _good(parameters: list[Fraction], gamma: Fraction) -> arb:
    return 1 - probability(Miss.of(parameters, Fraction(0), gamma))


def _middles_tried() -> tuple[int, int]:
    """Return how many pairs of inputs were tried, and how many have P(middle)^2 < P P'."""
    failed = 0
    for random in draws(21, _PAIRS):
        n, k = random.randint(3, 4), Fraction(random.randint(1, 400), random.choice((4, 40)))
        rows = [[random.randint(1, 12) for _ in range(n)] for _ in range(2)]
        first, second = ([k * x / sum(row) for x in row] for row in rows)
        between = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
        gamma = Fraction(random.randint(1, 99), 100 * n)
        failed += bool(_good(between, gamma) ** 2 < _good(first, gamma) * _good(second, gamma))
    return _PAIRS, failed


def _grades_delta() -> arb:
    vertex = [*[_K * _ETA] * (_CELLS - 1), _K * (1 - (_CELLS - 1) * _ETA)]
    return probability(Miss.of(vertex, Fraction(0), _GAMMA))


def _mean_error_by_balls() -> arb:
    """Enclose E|X/M - delta|/delta for X of M draws, by De Moivre's formula."""
    delta = _grades_delta()
    least = int(middle(delta) * DRAWS) + 1
    chosen = arb(DRAWS + 1).lgamma() - arb(least + 1).lgamma() - arb(DRAWS - least + 1).lgamma()
    log = chosen + least * delta.log() + (DRAWS - least + 1) * (1 - delta).log()
    return 2 * arb(least) / DRAWS * log.exp() / delta


def _mean_error_by_spans() -> Span:
    """Enclose the same as a product of rising factors: C(M, v) of fractions, not of Gammas."""
    found = At(
        "dirichlet.counts.delta_bound", {"k": "20.6", "eta": "0.073", "n": 5, "gamma": "0.0004"}
    )
    second = found.enclosed().second
    low, high = span(Fraction(second.lower)), span(Fraction(second.upper))
    delta = Span(low.low, high.high)
    least = int(Fraction(second.lower) * DRAWS) + 1
    log = span(0)
    for at in range(least):
        log = log + (span(Fraction(DRAWS - at, at + 1)) * delta).log()
    log = log + span(DRAWS - least + 1) * (span(1) - delta).log()
    return span(Fraction(2 * least, DRAWS)) * log.exp() / delta


MEAN_ERROR = Worked(
    "E|delta_hat - delta|/delta of one fraction of 10^6 draws, grades",
    by_balls(_mean_error_by_balls),
    by_spans(_mean_error_by_spans),
)
_ONE_ESTIMATE = Instance(
    "one fraction of 10^6 draws, delta of the grades: the mean relative error is below 1 %",
    MEAN_ERROR,
    "<",
    Exactly("1/100"),
)


def _errors_fall() -> bool:
    """Whether E|X/M - p| never rises with M, X binomial, and falls where M p is whole."""
    for p in (Fraction(1, 2), Fraction(1, 7), Fraction(2, 500)):
        errors = [
            sum(
                (
                    comb(M, x) * p**x * (1 - p) ** (M - x) * abs(Fraction(x, M) - p)
                    for x in range(M + 1)
                ),
                Fraction(0),
            )
            for M in range(1, 25)
        ]
        if any(later > earlier for earlier, later in pairwise(errors)):
            return False
    return True


_VERTEX = Proof(
    "tail-worst-input.md#vertex-is-the-worst-input",
    "the least probability of the good set is at the vertices alone, for every k",
    (Formula("(2): all counts of 9 records in 3 categories", vertex_is_worst),),
)

STATEMENTS = (
    Statement(
        "benvenuti2025.lemma-2",
        "lemma",
        "A Lemma 2, (12), (13)",
        "P(good set) is the integral of the density over x_1, ..., x_(n-1) >= gamma.",
        _NOTE,
        (LAST_LEFT_FREE,),
        ("the good set is (10), of all n coordinates", "gamma <= 1/(n-1), k > 0"),
    ),
    Statement(
        "benvenuti2025.lemma-2-repaired",
        "repair",
        "ours, for Lemma 2",
        "The integral is P(good set) if (12) asks x_n >= gamma as well.",
        _NOTE,
        (
            Proof(
                _PLACE + "last-coordinate-too",
                "the good set is that region, and (5) is the density",
                (Formula("integrals in rationals", at_precision(_good_region_is_the_integral)),),
            ),
        ),
        ("n gamma <= 1", "k > 0"),
        repairs="benvenuti2025.lemma-2",
    ),
    Statement(
        "benvenuti2025.lemma-3",
        "lemma",
        "A Lemma 3",
        "P(good set) is a log-concave function of the shares.",
        _NOTE,
        (Sampled("P(middle)^2 >= P P' for two inputs and their middle", _middles_tried),),
        ("gamma <= 1/(n-1), k > 0",),
    ),
    Statement(
        "benvenuti2025.delta-extreme-points",
        "remark",
        "A, after Lemma 3",
        "The minimum over the bordered simplex is at one of its n - 1 extreme points.",
        _NOTE,
        (
            _VERTEX,
            Instance(
                "n = 3, eta = 1/5: the bordered simplex has n - 1 extreme points",
                Exactly(str(len(extreme_points(3, Fraction(1, 5)))), "extreme points, enumerated"),
                "=",
                Exactly("2", "n - 1"),
                {"eta < 1/4": Fraction(1, 5) < Fraction(1, 4)},
            ),
        ),
    ),
    Statement(
        "benvenuti2025.delta-time",
        "remark",
        "A, after Lemma 3",
        "The time to compute delta is of order (n-1)^2.",
        _NOTE,
        (
            NotDecidable(
                "no operation is named that is counted: an evaluation is an integral over n - 1 "
                "coordinates, whose cost is not said"
            ),
        ),
    ),
    Statement(
        "benvenuti2025.delta-extreme-points-repaired",
        "repair",
        "ours, for appendix A",
        "The n extreme points are permutations of one and all attain the minimum.",
        _NOTE,
        (
            _VERTEX,
            Proof(
                _PLACE + "extreme-points",
                "n - 1 bounds are met at an extreme point, and permuting shares changes nothing",
                (Formula("(2): n from 3 to 6, enumerated", _extreme_points_are_permutations),),
            ),
        ),
        ("n gamma < 1, k > 0",),
        repairs="benvenuti2025.delta-extreme-points",
    ),
    Statement(
        "benvenuti2025.nested-integrals",
        "number",
        "A, after Lemma 3",
        "Numerical libraries have few nested integrals; MATLAB has three, and six with additions.",
        _NOTE,
        (NotDecidable("about programs at one time, of which the paper says nothing more"),),
    ),
    Statement(
        "benvenuti2025.figure-4",
        "figure",
        "A, Figure 4",
        "The mean relative error of the sampled delta falls with the number of draws, and is below "
        "1 % for 10^6.",
        _NOTE,
        (NotDecidable("the delta of the figure, its k, eta, gamma and n are not printed"),),
        readings=(
            Reading("for the delta of the grades, one fraction of draws", (_ONE_ESTIMATE,)),
            Reading(
                "the error of one fraction of draws, not of the least of several, never rises with "
                "their number",
                (
                    Proof(
                        _PLACE + "more-draws",
                        "a mean of M draws is, in the mean, that of M + 1 less one of them",
                        (Formula("(3): up to 24 draws, in rationals", _errors_fall),),
                    ),
                ),
            ),
        ),
        garbled="The axis marks 10^-2 and 10^-1 can be read.",
    ),
)
