"""Section III-D and Figure 1: the mean move of an entry."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.utility import (
    absolute_deviation,
    absolute_deviation_bound,
    expected_kl,
    variance,
    variance_bound,
)
from ....reference.enclosure import Enclosure
from ..benvenuti2025.deviation import (
    deviations_are_exact,
    half_is_the_worst,
    variances_are_exact,
    whole_beta,
)
from ..evidence import Formula, Instance, NotDecidable, OverBox, Proof, Reproduced
from ..gohari2020.inputs import Combined
from ..statement import Reading, Statement
from ..values import BITS, At, Exactly, Worked, as_ball, at_precision, draws
from .inputs import deviation

# Formulas of the notes on accuracy, tried at exact points.

_TRIALS = 30
_K, _TENTH = 10, Fraction(1, 10)


def _incomplete_betas_step() -> bool:
    """Whether I_z(a, b) = I_z(a+1, b) + z^a (1-z)^b/(a B(a, b)), at drawn points."""
    for random in draws(31, _TRIALS):
        a, b = (Fraction(random.randint(1, 90), 10) for _ in range(2))
        z = ball(Fraction(random.randint(1, 99), 100))
        lower, upper = (z.beta_lower(ball(each), ball(b), regularized=1) for each in (a, a + 1))
        peak = (ball(a) * z.log() + ball(b) * (1 - z).log() - log_beta(a, b)).exp() / ball(a)
        if not lower.overlaps(upper + peak):
            return False
    return True


def _step_in_rationals() -> Enclosure:
    """Return 2 (1/2)^10/(10 B(1, 9)) exactly."""
    return Enclosure.of(Fraction(2, 2**_K) / (_K * whole_beta(1, 9)))


def _step_in_balls() -> Enclosure:
    """Return the same by logarithms of Gammas."""
    with working_precision(BITS):
        return enclosure_of((-log_beta(Fraction(1), Fraction(9))).exp() / (5 * 2**_K))


def _step_is_admissible() -> bool:
    """Whether k = 10 and an entry 1/10 meet Assumptions 1 and 2 with eta = 1/10, eta_bar = 1/20."""
    eta, bar = _TENTH, Fraction(1, 20)
    return eta + bar < Fraction(1, 2) and max(1 / eta, 1 / (1 - eta - bar)) <= _K


def _display_before_21(k: int) -> Fraction:
    """Return the display before (21) at P_ij = 1/2, k whole and even."""
    a = k // 2
    first = Fraction((a + 1) * a * factorial(k - 1), (k + 1) * k * factorial(k))
    return first - Fraction(1, 2)


def _epsilon_rises() -> bool:
    """Whether the printed epsilon rises with k where eta + b/2 <= 1 - eta_bar - eta."""
    for random in draws(32, _TRIALS):
        eta, bar = Fraction(random.randint(1, 9), 40), Fraction(random.randint(1, 9), 40)
        t = (1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        k, gamma = Fraction(random.randint(1, 900), 10), Fraction(random.randint(1, 49), 100)
        less, more = (good_set_epsilon(each, eta, bar, t, 2, gamma) for each in (k, k + 1))
        if not bool(less < more):
            return False
    return True


def spread_falls() -> bool:
    """Whether deviation, variance, their bounds and the mean divergence fall as k rises."""
    for random in draws(33, 60):
        p, k = (
            Fraction(random.randint(1, 999), 1000),
            Fraction(f"{10 ** random.uniform(-4, 5):.6g}"),
        )
        more = k * Fraction(random.randint(101, 300), 100)
        counts = [random.randint(1, 40) for _ in range(random.randint(2, 6))]
        law = tuple(Fraction(count, sum(counts)) for count in counts)
        pairs = [(spread(p, k), spread(p, more)) for spread in (absolute_deviation, variance)]
        pairs += [(bound(k), bound(more)) for bound in (absolute_deviation_bound, variance_bound)]
        pairs.append((expected_kl(law, k), expected_kl(law, more)))
        if not all(bool(as_ball(falls) < as_ball(one)) for one, falls in pairs):
            return False
    return True


_NOTE = "fallin2023/accuracy.md"
_PLACE = f"{_NOTE}#"
_ENTRY = ("0 < P_ij < 1", "k > 0; none of Assumptions 1 to 3 is needed")

_EXACT_MEAN = Proof(
    "utility.md#mean-absolute-deviation",
    "the mean deviation by parts",
    (
        Formula("(3): whole parameters, integrals", at_precision(deviations_are_exact)),
        Formula("(3): the identity of I_z", at_precision(_incomplete_betas_step)),
    ),
)
_HALF = Proof(
    "utility.md#half-is-the-worst",
    "the logarithm of (20) is concave and symmetric in P_ij",
    (Formula("(1): it rises up to 1/2, where it is (15)", at_precision(half_is_the_worst)),),
)
_SQUARE = Proof(
    "utility.md#coordinate-variance",
    "the second moment of a Beta variable",
    (Formula("(2): whole parameters", variances_are_exact),),
)
_EPSILON_RISES = Proof(
    "good-set-epsilon.md#smallest-k-smallest-epsilon",
    "the printed epsilon rises with k where eta + b/2 <= 1 - eta_bar - eta",
    (Formula("(5): drawn numbers", at_precision(_epsilon_rises)),),
)
_STEP = Instance(
    "(4) P_ij = 1/10, k = 10: the mean deviation is at most 2 (1/2)^k/(k B(k P_ij, k (1 - P_ij)))",
    deviation("1/10", "10"),
    "<=",
    Worked("2 (1/2)^10/(10 B(1, 9))", _step_in_rationals, _step_in_balls),
    {"eta = 1/10, eta_bar = 1/20 meet Assumptions 1 and 2": _step_is_admissible()},
)

_ACCURACY_STATEMENTS = (
    Statement(
        "fallin2023.theorem-2",
        "theorem",
        "III-D Theorem 2, (15), (16)",
        "Bounds on the mean and the mean square of |P_ij - P~_ij|, free of P.",
        _NOTE,
        (_EXACT_MEAN, _HALF, _SQUARE),
        _ENTRY,
        of_proof=(_STEP,),
    ),
    Statement(
        "fallin2023.equation-20",
        "equation",
        "III-D (17) to (20)",
        "The mean of |P_ij - P~_ij| in closed form.",
        _NOTE,
        (_EXACT_MEAN,),
        _ENTRY,
    ),
    Statement(
        "fallin2023.theorem-2-step",
        "equation",
        "III-D, the display after (20)",
        "The mean deviation is at most (20) with 1/2 for P_ij in the numerator alone.",
        _NOTE,
        (_STEP,),
        _ENTRY,
        garbled="Perhaps B(k/2, k/2) is meant, as the next line has it.",
    ),
    Statement(
        "fallin2023.theorem-2-step-repaired",
        "repair",
        "ours, for the display after (20)",
        "With 1/2 for P_ij in the Beta function as well.",
        _NOTE,
        (_EXACT_MEAN, _HALF),
        _ENTRY,
        repairs="fallin2023.theorem-2-step",
    ),
    Statement(
        "fallin2023.equation-21",
        "equation",
        "III-D (21)",
        "The mean square of P_ij - P~_ij is k (P_ij - P_ij^2)/(k^2 + k).",
        _NOTE,
        (_SQUARE,),
        _ENTRY,
        of_proof=(
            Instance(
                "(2) k = 4, P_ij = 1/2: the display before (21), with Gamma(k+1) in its first "
                "denominator and without + P_ij^2, equals it",
                Exactly(str(_display_before_21(4)), "the display"),
                "=",
                Exactly("1/20", "the mean square"),
            ),
        ),
    ),
    Statement(
        "fallin2023.remark-tradeoff",
        "remark",
        "III-D, the paragraph before it; Figure 1",
        "As epsilon rises with k, the bounds (15), (16) and the mean errors fall.",
        _NOTE,
        (
            _EPSILON_RISES,
            Proof(
                "utility.md#spread-falls-with-k",
                "mean deviation and variance fall strictly with k, for 1/2 and every other entry",
                (Formula("(5): drawn entries", at_precision(spread_falls)),),
            ),
        ),
        (*_ENTRY, "eta + b/2 <= 1 - eta_bar - eta, as in Figure 1"),
    ),
)


_FIGURE_1_NOTE = "fallin2023/figure-1.md"
_PROTECTED = 4
_ALL_TENTHS = (
    "n = 10, all entries 0.1, b = 0.05, gamma = 0.001, |W| = 4, k in [10, 100]",
    "eta = 0.1, as k = 10 has to be at least 1/eta and eta at most the entries",
)
_ANY_BAR = "eta_bar, which is not printed, is anything that Assumption 1 admits: below 0.4"


def _epsilon(k: str, eta_bar: str) -> At:
    given = {"k": k, "eta": "0.1", "eta_bar": eta_bar, "b": "0.05"}
    return At("dirichlet.matrix.epsilon_bound", {**given, "rows": [[_PROTECTED, "0.001"]]})


def _delta(k: str, w: int = _PROTECTED) -> At:
    return At("dirichlet.matrix.delta_bound", {"k": k, "eta": "0.1", "rows": [[w, "0.001"]]})


def room_below(k: arb) -> arb:
    """Return log 0.027 less that of a bound on the four chances that an entry is below gamma.

    The integral of x^(a-1) (1-x)^(9a-1) up to gamma is at most gamma^a/a, for a = k/10 >= 1/9.
    """
    a = k / 10
    log_beta = a.lgamma() + (9 * a).lgamma() - k.lgamma()
    one = a * ball(Fraction("0.001")).log() - a.log() - log_beta
    return (ball(Fraction("0.027")) / _PROTECTED).log() - one


def _room_below_the_least(bar: arb) -> arb:
    """Return 2.45 less the printed epsilon at k = 10, k b/2 = 1/4."""
    step, rest = ball(Fraction(1, 4)), 9 - 10 * bar
    betas = rest.lgamma() - (1 + step).lgamma() - (rest - step).lgamma()
    return ball(Fraction("2.45")) - betas - step * ball(Fraction("0.997") / Fraction("0.001")).log()


_STARTS_LATER = Instance(
    "(2) eta_bar = 1/10: epsilon at k = 10.79 is below 2.5, so all k of the plot are above",
    _epsilon("10.79", "1/10"),
    "<",
    Exactly("2.5"),
    decides=True,
)
_BELOW_0_027 = OverBox(
    "(2) delta is at most the sum of four chances, which stays below 0.027",
    {"k": ("10.79", "100")},
    room_below,
)

_FIGURE_1_STATEMENTS = (
    Statement(
        "fallin2023.figure-1-epsilon",
        "number",
        "III-D, text on Figure 1",
        "k from 10 to 100 gives the epsilons from 2.5 to 22.5.",
        _FIGURE_1_NOTE,
        (
            Reproduced("(1) epsilon at k = 10, eta_bar = 1e-30", "2.5", _epsilon("10", "1e-30")),
            OverBox(
                "(1) epsilon at k = 10 is below 2.45 for every eta_bar",
                {"bar": ("0", "0.4")},
                _room_below_the_least,
            ),
        ),
        (*_ALL_TENTHS, _ANY_BAR),
        readings=(
            Reading(
                "k = 100 gives 22.5, with eta_bar = 1/40, and some k from 10 on gives 2.5",
                (
                    Reproduced("(1) epsilon at k = 100", "22.5", _epsilon("100", "1/40")),
                    Instance(
                        "(1) epsilon at k = 10, which rises with k, is below 2.5",
                        _epsilon("10", "1/40"),
                        "<",
                        Exactly("2.5"),
                        decides=True,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-1-delta",
        "number",
        "caption of Figure 1",
        "For all epsilons of the plot, 0 < delta <= 0.027.",
        _FIGURE_1_NOTE,
        (
            Instance(
                "(3) delta at k = 10, 1 - (1 - 4 gamma)^9",
                _delta("10"),
                "<=",
                Exactly("0.027"),
            ),
        ),
        (*_ALL_TENTHS, "the plot has all k from 10 to 100, as the text says"),
        readings=(
            Reading(
                "for all epsilons from 2.5 to 22.5, which leaves the k next to 10 out",
                (_STARTS_LATER, _EPSILON_RISES, _BELOW_0_027),
            ),
            Reading(
                "with three protected entries in the place of four, at k = 10",
                (Reproduced("(3) 1 - (1 - 3 gamma)^9", "0.027", _delta("10", 3)),),
            ),
            Reading(
                "at the left end of the plot, eta_bar = 1/40",
                (
                    Reproduced("(2) epsilon at k = 10.68", "2.5", _epsilon("10.68", "1/40")),
                    Reproduced("(2) delta at k = 10.68", "0.027", _delta("10.68")),
                ),
            ),
        ),
    ),
    Statement(
        "fallin2023.figure-1-accuracy",
        "figure",
        "III-D, last sentence on Figure 1",
        "The bound (15) on the error of the entries is accurate.",
        _FIGURE_1_NOTE,
        (NotDecidable("what counts as accurate is not said; the two numbers are compared below"),),
        _ALL_TENTHS,
        readings=(
            Reading("it is a bound on the error that is simulated", (_EXACT_MEAN, _HALF)),
            Reading(
                "it is within 70 % of the error, at k = 10",
                (
                    Instance(
                        "(4) (15) at k = 10 over the exact mean deviation of an entry 0.1",
                        Combined(
                            "(15) at k = 10 over the mean deviation of 0.1",
                            (deviation("1/2", "10"), deviation("1/10", "10")),
                            lambda bound, exact: bound / exact,
                        ),
                        "<=",
                        Exactly("1.7"),
                    ),
                ),
            ),
        ),
    ),
)

STATEMENTS = (*_ACCURACY_STATEMENTS, *_FIGURE_1_STATEMENTS)
