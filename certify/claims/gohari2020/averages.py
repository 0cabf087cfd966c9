"""Section IV: adjacent collections, Theorem 2 and the remark on many vectors."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..forms import at_precision, fractions
from ..values import At, Exactly
from . import executed_averages as executed
from . import executed_epsilon
from .forms import Combined, Where, loss, probability_one
from .inputs import FIRST_VECTOR, INTERIOR, SECOND_VECTOR, TWO_VECTORS, Setting, swapped
from .theorem_1 import CONVENTIONAL, GOOD_SET, LARGEST_LOSS

NOTE = "gohari2020/averages.md"
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
_DIMENSION = 50
_WIDE = Setting("100", "1/10", "1/10", "1/4", "1/100")
_CORNER, _CORNER_OVER = ("1/10", "9/40"), ("9/40", "1/10")
_REST = tuple(str(Fraction(27, 40) / (_DIMENSION - 2)) for _ in range(_DIMENSION - 2))
DIMENSION = Instance(
    "(2) N = 1, n = 50, k = 100: the exact delta at 2, above (18) with n, is at most the printed "
    "delta",
    Where(
        "dirichlet.profile.delta(alpha = 10, step = 25/2, epsilon = 2), (18) being less",
        At("dirichlet.profile.delta", {"alpha": 10, "step": "12.5", "epsilon": 2}),
        ((_WIDE.epsilon_of_mean(_DIMENSION), Exactly("2")),),
    ),
    "<=",
    _WIDE.delta(),
    {
        **_WIDE.in_range(),
        **_WIDE.adjacent("q", _CORNER + _REST, _CORNER_OVER + _REST),
        "n = 50": len(_CORNER + _REST) == _DIMENSION,
        "floor k eta = 10 and step k b/2 = 12.5": (
            100 * Fraction("9/40") - 100 * Fraction("1/10") == Fraction("12.5")
        ),
    },
)
DIMENSION_EPSILON = Instance(
    "(18) with n = 50 is below 2", _WIDE.epsilon_of_mean(_DIMENSION), "<", Exactly("2")
)

# One vector of four coordinates, W = {1, 2}: mass 1/8 goes from coordinate 1 to coordinate 3.
_OUTSIDE = Setting("20", "1/20", "1/10", "1/4", "1/1000")
_TINY = Fraction(1, 10**30)
_LEVEL = "1/1000000"


def _below_level(third: Fraction) -> At:
    given = {"alpha": [str(20 * third)], "rest": str(20 - 20 * third), "gamma": _LEVEL}
    return At("dirichlet.tail.general", given)


OUTSIDE_W = Instance(
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


def _differ_in_w() -> Trilean:
    """Whether the two vectors of ``OUTSIDE_W`` differ in the first two coordinates alone."""
    p = (Fraction(1, 2), Fraction(1, 4), _TINY, Fraction(1, 4) - _TINY)
    q = (Fraction(3, 8), Fraction(1, 4), _TINY + Fraction(1, 8), Fraction(1, 4) - _TINY)
    return Trilean.of(
        {at for at, pair in enumerate(zip(p, q, strict=True)) if len({*pair}) > 1} <= {0, 1}
    )


EUCLIDEAN = Instance(
    "b = 1/5, N = 1, (p_m, p_l) and (p_m + 7b/10, p_l - 7b/10): the mean moves by at most b/(2N)",
    Exactly(str(_LONG / 5), "7b/10"),
    "<=",
    Exactly("1/10", "b/2"),
    {"the 2-norm is at most b": _euclidean_square(_LONG / 5) <= Fraction(1, 5) ** 2},
)

_MEANS = Proof(
    "dominating-pair.md#average-attains",
    "the mean moves by at most b/(2N) in two coordinates of W, and stays in the bordered simplex",
    (Formula("(4): drawn collections", executed.means_move_by_a_share),),
)

CLAIMS = (
    Claim(
        "gohari2020.definition-3",
        "definition",
        "IV Definition 3",
        "Adjacent collections differ in one vector, so their means by at most b/(2N) in W.",
        NOTE,
        (
            Identity(
                "W = {1, 2}, one vector, p = (1/2, 1/4, t, 1/4 - t) and q = (3/8, 1/4, t + 1/8, "
                "1/4 - t) are adjacent: they differ in W alone",
                _differ_in_w,
            ),
        ),
        ("the norm is the 1-norm, as in Definition 1",),
        readings=(
            Reading("with the Euclidean norm", (EUCLIDEAN,)),
            Reading("Theorem 2 protects such neighbours as well", (OUTSIDE_W,)),
        ),
        garbled="The norm has no index, and q_-(m,l) stands for q_(m,l).",
    ),
    Claim(
        "gohari2020.definition-3-repaired",
        "repair",
        "ours, for Definition 3",
        "Their means differ so where the vector changes in two coordinates of W.",
        NOTE,
        (_MEANS,),
        repairs="gohari2020.definition-3",
        adds=("m and l lie in W", "the norm is the 1-norm"),
    ),
    Claim(
        "gohari2020.theorem-2",
        "theorem",
        "IV Theorem 2, (18) to (21)",
        "The average query is (epsilon, delta)-private by Definition 2, with (18).",
        NOTE,
        (EVERY_OUTPUT, Instance("the loss is above (18)", _AT_EQUAL, ">", _OF_TWO)),
        (*_RANGES, "(18) is read with N, the number of vectors, for n", f"{_FITS}; not printed"),
        readings=(
            Reading("the same in the conventional sense", (_MEANS, CONVENTIONAL)),
            Reading(
                "(18) with n the dimension, as printed, in the conventional sense",
                (DIMENSION, DIMENSION_EPSILON),
            ),
        ),
    ),
    Claim(
        "gohari2020.theorem-2-repaired",
        "repair",
        "ours, for Theorem 2",
        "Theorem 2 with N for n, by Definition 2, where the whole step is the worst.",
        NOTE,
        (_MEANS, LARGEST_LOSS, GOOD_SET),
        (*_RANGES, _WHOLE),
        repairs="gohari2020.theorem-2",
        adds=("N for n", _WHOLE, "for example 2 eta + b/N + eta_bar <= 1"),
    ),
    Claim(
        "gohari2020.theorem-2-conventional",
        "repair",
        "ours, for Theorem 2",
        "Theorem 2 with N for n, in the conventional sense, wherever a step of b/(2N) fits.",
        NOTE,
        (_MEANS, CONVENTIONAL),
        (*_RANGES, _FITS),
        repairs="gohari2020.theorem-2",
        adds=("N for n", _FITS),
    ),
    Claim(
        "gohari2020.remark-theorem-2",
        "remark",
        "IV, Remark after Theorem 2",
        "Privacy gets stronger with the number of vectors, and epsilon tends to 0.",
        NOTE,
        (
            Proof(
                "monotone-roots.md#increases-in-step",
                "the exact delta, and so the exact epsilon, falls strictly as the step falls",
                (
                    Formula(
                        "exact deltas fall with N", at_precision(executed.deltas_fall_with_vectors)
                    ),
                ),
            ),
            Proof(
                f"{NOTE}#many-vectors",
                "(18) is concave in the step and 0 at 0, so it is at most a constant over N",
                (
                    Formula(
                        "(5): 1 to 10^6 vectors", at_precision(executed.epsilon_goes_like_a_share)
                    ),
                ),
            ),
        ),
        ("k, gamma and the domain fixed; N for n",),
        readings=(
            Reading(
                "(18), read with N, falls with N",
                (
                    Instance(
                        "(6) k = 1, eta = 0.01, eta_bar = 0.48, b = 1, gamma = 27/4000: (18) at "
                        "N = 2 is at most that at N = 1",
                        INTERIOR.epsilon_of_mean(2),
                        "<=",
                        INTERIOR.epsilon_of_mean(1),
                        INTERIOR.step_fits(),
                    ),
                ),
            ),
            Reading(
                "the same, where the condition of the repaired Theorem 2 holds at N = 1",
                (
                    Proof(
                        "good-set-epsilon.md#height-is-concave",
                        "a concave function that still rises at a step rises up to it",
                        (
                            Formula(
                                "no smaller step has more",
                                at_precision(executed_epsilon.printed_bound_holds),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
)
