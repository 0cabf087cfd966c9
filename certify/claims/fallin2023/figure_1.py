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
_NOT_PRINTED = "eta_bar is not printed: we are free to choose it"


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
            Instance(
                "(1) eta_bar = 1/40: epsilon at k = 10 is below 2.5",
                _epsilon("10", "1/40"),
                "<",
                Exactly("2.5"),
                decides=True,
            ),
            Reproduced("(1) eta_bar = 1/40: epsilon at k = 100", "22.5", _epsilon("100", "1/40")),
        ),
        (*_ALL_TENTHS, _NOT_PRINTED),
        readings=(
            Reading(
                "k = 10 itself gives 2.5, with the least eta_bar that is thinkable",
                (Reproduced("(1) epsilon at k = 10", "2.5", _epsilon("10", "1e-30")),),
            ),
        ),
    ),
    Claim(
        "fallin2023.figure-1-delta",
        "number",
        "caption of Figure 1",
        "For all epsilons of the plot, 0 < delta <= 0.027.",
        NOTE,
        (STARTS_LATER, EPSILON_RISES, BELOW_0_027),
        (*_ALL_TENTHS, _NOT_PRINTED, "the plot has the epsilons from 2.5 to 22.5"),
        readings=(
            Reading(
                "for all k from 10 to 100",
                (
                    Instance(
                        "(3) delta at k = 10, 1 - (1 - 4 gamma)^9",
                        _delta("10"),
                        "<=",
                        Exactly("0.027"),
                    ),
                ),
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
