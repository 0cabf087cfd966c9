"""Section III-B (16): what gamma trades, and which is the best."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..values import Exactly
from . import executed_bounds as executed
from . import executed_good_set
from .inputs import Setting
from .theorem_1 import RANGES

NOTE = "gohari2020/choice-of-gamma.md"

_SMALL = Setting("20", "1/20", "1/10", "1/10", "1/2000")
_LARGER = Setting("20", "1/20", "1/10", "1/10", "1/1000")
_ADMISSIBLE = Fraction("0.05")


def _missed(setting: Setting) -> Fraction:
    """Return delta where k eta = 1 and k = 20: 1 - (1 - 2 gamma)^19, exactly."""
    return 1 - (1 - 2 * Fraction(setting.gamma)) ** 19


RISES = Proof(
    "tail-worst-input.md#delta-rises-with-gamma",
    "delta rises strictly from 0 to 1 on [0, 1/|W|], and epsilon falls, as R does",
    (
        Formula("delta rises", at_precision(executed_good_set.tail_rises_with_gamma)),
        Formula("R falls with gamma", executed.ratios_fall),
    ),
)

CLAIMS = (
    Claim(
        "gohari2020.equation-16",
        "equation",
        "III-B (16)",
        "The best gamma for an admissible delta is the smallest that is feasible.",
        NOTE,
        (
            Instance(
                "(1) k = 20, eta = 1/20: epsilon at gamma = 1/2000 is at most that at 1/1000",
                _SMALL.epsilon(),
                "<=",
                _LARGER.epsilon(),
                {
                    **_SMALL.step_fits(),
                    **_LARGER.step_fits(),
                    "delta <= 0.05 at 1/2000": _missed(_SMALL) <= _ADMISSIBLE,
                    "delta <= 0.05 at 1/1000": _missed(_LARGER) <= _ADMISSIBLE,
                },
            ),
        ),
        RANGES,
        garbled='"min gamma" may be a slip for max: the text says that epsilon is minimised.',
    ),
    Claim(
        "gohari2020.equation-16-repaired",
        "repair",
        "ours, for (16)",
        "The best gamma is the largest feasible one: the root of delta(gamma) = delta-hat.",
        NOTE,
        (RISES,),
        (*RANGES, "0 < delta-hat < 1"),
        repairs="gohari2020.equation-16",
    ),
    Claim(
        "gohari2020.remark-gamma-tradeoff",
        "remark",
        "III-B, before and after (16)",
        "A larger gamma lowers epsilon and raises delta; P(good set) falls strictly with it.",
        NOTE,
        (
            Instance(
                "(2) |W| = 2: P(good set) is smaller at gamma = 0.7 than at 0.6",
                Exactly("0", "P(x_1, x_2 >= 0.7)"),
                "<",
                Exactly("0", "P(x_1, x_2 >= 0.6)"),
                {"two such coordinates sum to more than 1": 2 * Fraction("0.6") > 1},
            ),
        ),
        ("gamma in (0, 1), as in (3)",),
    ),
    Claim(
        "gohari2020.remark-gamma-tradeoff-repaired",
        "repair",
        "ours, for (16) and the text on it",
        "It does so where the good set has outputs.",
        NOTE,
        (RISES,),
        repairs="gohari2020.remark-gamma-tradeoff",
        adds=("gamma < 1/|W|",),
    ),
)
