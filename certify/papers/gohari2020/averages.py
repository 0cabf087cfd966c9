"""Sections IV and V: averages of many vectors, and the accuracy of a private one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision, draws, fractions
from .definitions import gamma_moments
from .inputs import (
    FIRST_VECTOR,
    INTERIOR,
    MEAN_P,
    MEAN_Q,
    SECOND_VECTOR,
    TWO_VECTORS,
    Combined,
    Setting,
    Where,
    loss,
    probability_one,
    swapped,
    vanishes,
)
from .privacy import CONVENTIONAL, GOOD_SET, LARGEST_LOSS, printed_bound_holds

# Formulas of the notes on averages and accuracy, tried at exact points.

_TRIALS = 25


def _means_move_by_a_share() -> bool:
    """Whether means of adjacent collections differ by at most b/(2N), in the same coordinates."""
    for random in draws(1, _TRIALS):
        vectors, eta, bar = random.randint(1, 5), Fraction(1, 10), Fraction(1, 5)
        rows = []
        for _ in range(vectors):
            shares = [Fraction(random.randint(0, 6), 10) for _ in range(2)]
            free = (1 - bar - 2 * eta) / 2
            row = [eta + free * share for share in shares]
            rows.append([*row, 1 - sum(row)])
        moved = (rows[0][0] - eta) * Fraction(random.randint(0, 10), 10)
        b = 2 * moved
        other = [[rows[0][0] - moved, rows[0][1] + moved, rows[0][2]], *rows[1:]]
        one, two = (
            [sum(column) / vectors for column in zip(*each, strict=True)] for each in (rows, other)
        )
        inside = two[0] >= eta and two[0] + two[1] <= 1 - bar
        if not (inside and one[0] - two[0] == b / (2 * vectors) and one[2] == two[2]):
            return False
    return True


def _delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    point = 1 / (1 + ball(epsilon / step).exp())
    first = point.beta_lower(ball(alpha), ball(alpha + step), regularized=1)
    return first - ball(epsilon).exp() * point.beta_lower(
        ball(alpha + step), ball(alpha), regularized=1
    )


def delta_rises(pairs: Sequence[tuple[Fraction, Fraction]], epsilon: Fraction) -> bool:
    """Whether the exact delta rises strictly along pairs of a floor and a step."""
    found = [_delta(alpha, step, epsilon) for alpha, step in pairs]
    return all(bool(one < other) for one, other in pairwise(found))


def _deltas_fall_with_vectors() -> bool:
    """Whether the exact delta falls along N = 1, 2, 4, 8."""
    for random in draws(2, _TRIALS):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        epsilon = Fraction(random.randint(0, 20), 10)
        if not delta_rises([(alpha, step / vectors) for vectors in (8, 4, 2, 1)], epsilon):
            return False
    return True


def _deltas_rise_with_k() -> bool:
    """Whether the exact delta rises along k, 2k, 4k."""
    for random in draws(3, _TRIALS):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        epsilon = Fraction(random.randint(0, 20), 10)
        if not delta_rises([(alpha * times, step * times) for times in (1, 2, 4)], epsilon):
            return False
    return True


def _epsilon_goes_like_a_share() -> bool:
    """Whether 0 < (18) <= slope at 0 times b/(2N), N from 1 to a million."""
    for random in draws(4, _TRIALS):
        eta, bar = Fraction(random.randint(1, 20), 100), Fraction(random.randint(1, 50), 100)
        k, gamma = Fraction(random.randint(1, 300), 10), Fraction(random.randint(1, 49), 100)
        far, b = 1 - bar - eta, Fraction(1, 5)
        slope = ball(k * far).digamma() - ball(k * eta).digamma() + ball((1 - gamma) / gamma).log()
        for vectors in (1, 10, 1000, 10**6):
            step = b / (2 * vectors)
            found = good_set_epsilon(k, eta, bar, step, 2, gamma)
            if eta + step < far and not bool(found < ball(k * step) * slope):
                return False
    return True


_NOTE = "gohari2020/averages.md"
_RANGES = (
    "eta, eta_bar in (0, 1), 0 < b <= 1, k > 0, |W| >= 2, |W| gamma < 1",
    "the vector that changes does so in two coordinates of W, by at most b in the 1-norm",
)
_FITS = "a step of b/(2N) fits: b/(2N) <= 1 - eta_bar - 2 eta"
_WHOLE = "psi(k (1 - eta_bar - eta - b/(2N))) + log R >= psi(k (eta + b/(2N)))"

# The mean of both vectors is (17/40, 17/40, 3/20); with one exchanged it is (3/10, 11/20, 3/20).
_MEAN, _MOVED = ("17/40", "17/40"), ("3/10", "11/20")
_AT_EQUAL = loss(
    "loss from the mean (17/40, 17/40, 3/20) to (3/10, 11/20, 3/20) at x_1 = x_2, k = 1/4",
    TWO_VECTORS.k,
    _MEAN,
    _MOVED,
)
_OF_TWO = TWO_VECTORS.epsilon_of_mean(2)


def _means_are_as_said() -> bool:
    """Whether the means of (p, q), (p exchanged, q), (p, q exchanged) are these."""
    one, two = fractions(*FIRST_VECTOR), fractions(*SECOND_VECTOR)
    first, second = fractions(*swapped(FIRST_VECTOR)), fractions(*swapped(SECOND_VECTOR))
    middles = [
        tuple((x + y) / 2 for x, y in zip(*pair, strict=True))[:2]
        for pair in ((one, two), (first, two), (one, second))
    ]
    return middles == [fractions(*_MEAN), fractions(*_MOVED), fractions(*_MOVED)[::-1]]


EVERY_OUTPUT = Instance(
    "(1) N = 2, (11/20, 3/10, 3/20) and (3/10, 11/20, 3/20), k = 1/4: the smallest exceptional set "
    "is at most as probable as delta",
    probability_one(
        _AT_EQUAL,
        _OF_TWO,
    ),
    "<=",
    TWO_VECTORS.delta(),
    {
        **TWO_VECTORS.in_range(),
        **TWO_VECTORS.adjacent("first vector exchanged", FIRST_VECTOR, swapped(FIRST_VECTOR)),
        **TWO_VECTORS.adjacent("second vector exchanged", SECOND_VECTOR, swapped(SECOND_VECTOR)),
        "the means are as said": _means_are_as_said(),
        "b/(2N) <= 1 - eta_bar - 2 eta": Fraction(1, 4) <= 1 - Fraction("3/20") - Fraction("6/10"),
    },
)
_FIFTY = 50
_WIDE = Setting("100", "1/10", "1/10", "1/4", "1/100")
_CORNER, _CORNER_OVER = ("1/10", "9/40"), ("9/40", "1/10")
_REST = tuple(str(Fraction(27, 40) / (_FIFTY - 2)) for _ in range(_FIFTY - 2))
_DIMENSION = Instance(
    "(2) N = 1, n = 50, k = 100: the exact delta at 2, above (18) with n, is at most the printed "
    "delta",
    Where(
        "dirichlet.profile.delta(alpha = 10, step = 25/2, epsilon = 2), (18) being less",
        At("dirichlet.profile.delta", {"alpha": 10, "step": "12.5", "epsilon": 2}),
        ((_WIDE.epsilon_of_mean(_FIFTY), Exactly("2")),),
    ),
    "<=",
    _WIDE.delta(),
    {
        **_WIDE.in_range(),
        **_WIDE.adjacent("q", _CORNER + _REST, _CORNER_OVER + _REST),
        "n = 50": len(_CORNER + _REST) == _FIFTY,
        "floor k eta = 10 and step k b/2 = 12.5": (
            100 * Fraction("9/40") - 100 * Fraction("1/10") == Fraction("12.5")
        ),
    },
)
_AT_EVERY_DIMENSION = Instance(
    "(2) N = 1, k = 100: the exact delta at 2, the same for every n, is at most the printed one, "
    "as it were if epsilon came below 2 at some n",
    At("dirichlet.profile.delta", {"alpha": 10, "step": "12.5", "epsilon": 2}),
    "<=",
    _WIDE.delta(),
    {
        "the two numbers have no n: k eta and k b/2": (
            _WIDE.in_range()["0 < b <= 1"] and Fraction(100) * Fraction("1/8") == Fraction("12.5")
        ),
        **_WIDE.adjacent("q", _CORNER + _REST, _CORNER_OVER + _REST),
    },
)
_DIMENSION_EPSILON = Instance(
    "(18) with n = 50 is below 2", _WIDE.epsilon_of_mean(_FIFTY), "<", Exactly("2")
)

# One vector of four coordinates, W = {1, 2}: mass 1/8 goes from coordinate 1 to coordinate 3.
_OUTSIDE = Setting("20", "1/20", "1/10", "1/4", "1/1000")
_TINY = Fraction(1, 10**30)
_LEVEL = "1/1000000"


def _below_level(third: Fraction) -> At:
    given = {"alpha": [str(20 * third)], "rest": str(20 - 20 * third), "gamma": _LEVEL}
    return At("dirichlet.tail.general", given)


_OUTSIDE_W = Instance(
    "(3) k = 20, W = {1, 2}, p = (1/2, 1/4, t, 1/4 - t), q = (3/8, 1/4, t + 1/8, 1/4 - t), "
    "t = 10^-30, A = {x_3 < 10^-6}: P(A) <= e^epsilon Q(A) + delta",
    _below_level(_TINY),
    "<=",
    Combined(
        "e^epsilon Q(A) + delta",
        (_OUTSIDE.epsilon(), _below_level(_TINY + Fraction(1, 8)), _OUTSIDE.delta()),
        lambda epsilon, there, delta: epsilon.exp() * there + delta,
    ),
    {
        **_OUTSIDE.step_fits(),
        "both vectors lie in the bordered simplex": (
            Fraction(1, 2) + Fraction(1, 4) <= 1 - Fraction("1/10") and _TINY > 0
        ),
        "they differ by b in the 1-norm": 2 * Fraction(1, 8) <= Fraction("1/4"),
    },
)
_LONG = Fraction(7, 10)


def _euclidean_square(move: Fraction) -> Fraction:
    """Return the square of the 2-norm of a change by +move and -move."""
    return 2 * move**2


_EUCLIDEAN = Instance(
    "b = 1/5, N = 1, (p_m, p_l) and (p_m + 7b/10, p_l - 7b/10): the mean moves by at most b/(2N)",
    Exactly(str(_LONG / 5), "7b/10"),
    "<=",
    Exactly("1/10", "b/2"),
    {"the 2-norm is at most b": _euclidean_square(_LONG / 5) <= Fraction(1, 5) ** 2},
)

_MEANS = Proof(
    "dominating-pair.md#average-attains",
    "the mean moves by at most b/(2N) in the two coordinates, and stays in the bordered simplex",
    (Formula("(4): drawn collections", _means_move_by_a_share),),
)

_SMALLER_MEAN = Instance(
    "(6) k = 1, eta = 0.01, eta_bar = 0.48, b = 1, gamma = 27/4000: (18) at N = 2 is at most that "
    "at N = 1",
    INTERIOR.epsilon_of_mean(2),
    "<=",
    INTERIOR.epsilon_of_mean(1),
    INTERIOR.step_fits(),
)

_AVERAGES_STATEMENTS = (
    Statement(
        "gohari2020.definition-3",
        "definition",
        "IV Definition 3",
        "Adjacent collections differ in two entries of one vector, so their means in the same two, "
        "by at most b/(2N) each.",
        _NOTE,
        (_MEANS,),
        ("the norm is the 1-norm, as in Definition 1",),
        readings=(Reading("with the Euclidean norm", (_EUCLIDEAN,)),),
        garbled="The norm has no index, and q_-(m,l) stands for q_(m,l).",
    ),
    Statement(
        "gohari2020.theorem-2",
        "theorem",
        "IV Theorem 2, (18) to (21)",
        "The average query is (epsilon, delta)-private by Definition 2, with (18).",
        _NOTE,
        (EVERY_OUTPUT, Instance("the loss is above (18)", _AT_EQUAL, ">", _OF_TWO)),
        (*_RANGES, "(18) is read with N, the number of vectors, for n", f"{_FITS}; not printed"),
        readings=(
            Reading("the same in the conventional sense", (_MEANS, CONVENTIONAL)),
            Reading(
                "(18) with n the dimension, as printed, in the conventional sense",
                (_DIMENSION, _DIMENSION_EPSILON),
            ),
            Reading(
                "for all neighbours of Definition 3, which does not say that m and l lie in W",
                (_OUTSIDE_W,),
            ),
        ),
    ),
    Statement(
        "gohari2020.theorem-2-repaired",
        "repair",
        "ours, for Theorem 2",
        "Theorem 2 with N for n, by Definition 2, where the whole step is the worst.",
        _NOTE,
        (_MEANS, LARGEST_LOSS, GOOD_SET),
        (*_RANGES, _WHOLE),
        repairs="gohari2020.theorem-2",
        adds=("N for n", "m and l lie in W", _WHOLE, "for example 2 eta + b/N + eta_bar <= 1"),
    ),
    Statement(
        "gohari2020.theorem-2-conventional",
        "repair",
        "ours, for Theorem 2",
        "Theorem 2 with N for n, in the conventional sense, wherever a step of b/(2N) fits.",
        _NOTE,
        (_MEANS, CONVENTIONAL),
        (*_RANGES, _FITS),
        repairs="gohari2020.theorem-2",
        adds=("N for n", "m and l lie in W", _FITS),
    ),
    Statement(
        "gohari2020.remark-theorem-2",
        "remark",
        "IV, Remark after Theorem 2",
        "Privacy gets stronger with the number of vectors, and epsilon tends to 0 as n grows.",
        _NOTE,
        (_AT_EVERY_DIMENSION,),
        ("k, gamma and the domain fixed", "n is the dimension, as in all of the paper and in (18)"),
        readings=(
            Reading(
                "n is the number of vectors: (18), read so, falls with it",
                (_SMALLER_MEAN,),
            ),
        ),
    ),
    Statement(
        "gohari2020.remark-theorem-2-repaired",
        "repair",
        "ours, for the Remark after Theorem 2",
        "With N for n the exact privacy gets stronger with the number N of vectors, (18) tends to "
        "0, and it falls where the condition of the repaired Theorem 2 holds at N = 1.",
        _NOTE,
        (
            Proof(
                "monotone-roots.md#increases-in-step",
                "the exact delta, and so the exact epsilon, falls strictly as the step falls",
                (Formula("exact deltas fall with N", at_precision(_deltas_fall_with_vectors)),),
            ),
            Proof(
                f"{_NOTE}#many-vectors",
                "(18) is concave in the step and 0 at 0, so it is at most a constant over N",
                (Formula("(5): 1 to 10^6 vectors", at_precision(_epsilon_goes_like_a_share)),),
            ),
            Proof(
                "good-set-epsilon.md#height-is-concave",
                "a concave function that still rises at a step rises up to it",
                (Formula("no smaller step has more", at_precision(printed_bound_holds)),),
            ),
        ),
        ("k, gamma and the domain fixed",),
        repairs="gohari2020.remark-theorem-2",
    ),
)


_ACCURACY_NOTE = "gohari2020/accuracy.md"


def _moments_are_as_printed() -> Trilean:
    """Whether the second moment less p^2 is p (1-p)/(k+1), an identity of polynomials in k and p.

    E x = k p/k = p and E x^2 = k p (k p + 1)/(k (k+1)); what is 0 is multiplied by k (k+1).
    """

    def gap(k: Fraction, p: Fraction) -> Fraction:
        return k * p * (k * p + 1) - p * p * k * (k + 1) - p * (1 - p) * k

    return Trilean.of(vanishes(gap, (2, 2)))


def _half_is_worst() -> Trilean:
    """Whether 1/4 - p (1-p) is the square of 1/2 - p, an identity of polynomials in p."""
    half = Fraction(1, 2)
    return Trilean.of(vanishes(lambda p: half * half - p * (1 - p) - (half - p) ** 2, (2,)))


def _bound(k: str) -> At:
    return At("dirichlet.utility.variance_bound", {"k": k})


_MOMENTS = Identity(
    "(1) E x_i = p_i and Var x_i = p_i (1 - p_i)/(k+1) by the moments of Dirichlet(k p)",
    _moments_are_as_printed,
)
_WORST = Identity("(2) 1/4 - p (1 - p) = (1/2 - p)^2, so p = 1/2 has the most", _half_is_worst)

_AT_HALF = Instance(
    "p_1 = 1/2: the variance is below 0.01",
    At("dirichlet.utility.variance", {"p": "1/2", "k": "24"}),
    "<",
    Exactly("0.01"),
)

_ACCURACY_STATEMENTS = (
    Statement(
        "gohari2020.proposition-1",
        "proposition",
        "V Proposition 1, (22); appendix -D; section I",
        "The output lies in the simplex, with mean p_i and variance p_i (1 - p_i)/(k+1).",
        _ACCURACY_NOTE,
        (
            _MOMENTS,
            Proof(
                "gohari2020/definitions.md#gammas",
                "shares of positive variables are positive and sum to 1; their moments",
                (Formula("(1): shares of Gammas", gamma_moments),),
            ),
        ),
        ("p in the open simplex, k > 0",),
    ),
    Statement(
        "gohari2020.equation-23",
        "remark",
        "V, Remark, (23)",
        "Var x_i <= 1/(4 (k+1)), attained at p_i = 1/2.",
        _ACCURACY_NOTE,
        (_MOMENTS, _WORST),
        ("p in the open simplex, k > 0",),
    ),
    Statement(
        "gohari2020.remark-tradeoff-k",
        "remark",
        "abstract, II-C and V",
        "A larger k means less variance and weaker privacy.",
        _ACCURACY_NOTE,
        (
            Proof(
                "monotone-roots.md#increases-in-k",
                "the exact delta rises strictly with k, at every epsilon",
                (Formula("(3): exact deltas rise", at_precision(_deltas_rise_with_k)),),
            ),
            _MOMENTS,
        ),
        ("domain, b and p fixed",),
    ),
    Statement(
        "gohari2020.section-6-k-24",
        "remark",
        "VI, k = 24",
        "k = 24 keeps the variance below 0.01, by (23).",
        _ACCURACY_NOTE,
        (Instance("(23) at 24 is below 0.01", _bound("24"), "<", Exactly("0.01")), _AT_HALF),
        readings=(
            Reading(
                "of the outputs of A(P) and A(Q), the inputs of section VI",
                tuple(
                    Instance(
                        f"the variance at p_i = {mean} is below 0.01",
                        At("dirichlet.utility.variance", {"p": mean, "k": "24"}),
                        "<",
                        Exactly("0.01"),
                        decides=True,
                    )
                    for mean in dict.fromkeys((*MEAN_P, *MEAN_Q))
                ),
            ),
        ),
    ),
    Statement(
        "gohari2020.section-6-k-24-repaired",
        "repair",
        "ours, for k = 24",
        "It keeps the variance to 0.01, which no smaller whole k does by (23), and below it at "
        "every p_i but 1/2.",
        _ACCURACY_NOTE,
        (
            Instance(
                "(23) at 24 is at most 0.01", _bound("24"), "<=", Exactly("0.01"), decides=True
            ),
            Instance("(23) at 23 is above 0.01", _bound("23"), ">", Exactly("0.01"), decides=True),
            _WORST,
        ),
        repairs="gohari2020.section-6-k-24",
    ),
)

STATEMENTS = (*_AVERAGES_STATEMENTS, *_ACCURACY_STATEMENTS)
