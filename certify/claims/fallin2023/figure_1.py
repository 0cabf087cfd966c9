"""Figure 1 and the text on it: a matrix of tenths, |W| = 4, b = 0.05, gamma = 0.001."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ..entries import Claim, Reading
from ..evidence import Instance, NotDecidable, OverBox, Reproduced
from ..gohari2020.forms import Combined
from ..values import At, Exactly
from .accuracy import EPSILON_RISES, EXACT_MEAN, HALF
from .forms import deviation

NOTE = "fallin2023/figure-1.md"
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


def room_below_the_least(bar: arb) -> arb:
    """Return 2.45 less the printed epsilon at k = 10, k b/2 = 1/4: what rounds to 2.4 at most."""
    step, rest = ball(Fraction(1, 4)), 9 - 10 * bar
    betas = rest.lgamma() - (1 + step).lgamma() - (rest - step).lgamma()
    return ball(Fraction("2.45")) - betas - step * ball(Fraction("0.997") / Fraction("0.001")).log()


STARTS_LATER = Instance(
    "(2) eta_bar = 1/10: epsilon at k = 10.79 is below 2.5, so all k of the plot are above",
    _epsilon("10.79", "1/10"),
    "<",
    Exactly("2.5"),
    decides=True,
)
BELOW_0_027 = OverBox(
    "(2) delta is at most the sum of four chances, which stays below 0.027",
    {"k": ("10.79", "100")},
    room_below,
)

CLAIMS = (
    Claim(
        "fallin2023.figure-1-epsilon",
        "number",
        "III-D, text on Figure 1",
        "k from 10 to 100 gives the epsilons from 2.5 to 22.5.",
        NOTE,
        (
            Reproduced("(1) epsilon at k = 10, eta_bar = 1e-30", "2.5", _epsilon("10", "1e-30")),
            OverBox(
                "(1) epsilon at k = 10 is below 2.45 for every eta_bar",
                {"bar": ("0", "0.4")},
                room_below_the_least,
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
    Claim(
        "fallin2023.figure-1-delta",
        "number",
        "caption of Figure 1",
        "For all epsilons of the plot, 0 < delta <= 0.027.",
        NOTE,
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
                (STARTS_LATER, EPSILON_RISES, BELOW_0_027),
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
    Claim(
        "fallin2023.figure-1-accuracy",
        "figure",
        "III-D, last sentence on Figure 1",
        "The bound (15) on the error of the entries is accurate.",
        NOTE,
        (NotDecidable("what counts as accurate is not said; the two numbers are compared below"),),
        _ALL_TENTHS,
        readings=(
            Reading("it is a bound on the error that is simulated", (EXACT_MEAN, HALF)),
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
