"""Theorem 1: in the sense of Definition 2, in the conventional sense, and what is true instead."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import at_precision
from ..values import At, Exactly
from . import executed_epsilon as executed
from .forms import Where, loss, probability_one
from .inputs import (
    ASIDE,
    HALF_WAY,
    LARGER,
    LEANING,
    LEANING_OVER,
    MIDDLE,
    OTHER_SIDE,
    TOO_LONG,
)

NOTE = "gohari2020/theorem-1.md"
RANGES = (
    "eta, eta_bar in (0, 1), 0 < b <= 1, k > 0, W a part of 1..n-1",
    "|W| >= 2 and |W| gamma < 1 (else there are no neighbours, or delta = 1)",
)
FITS = "a step of b/2 fits: b/2 <= 1 - eta_bar - 2 eta"
WHOLE_STEP = "psi(k (1 - eta_bar - eta - b/2)) + log R >= psi(k (eta + b/2))"

LOSS_AT_EQUAL = loss(
    "loss from p = (2/5, 2/5, 1/5) to q = (1/5, 3/5, 1/5) at x_1 = x_2, k = 1/2",
    HALF_WAY.k,
    MIDDLE[:2],
    ASIDE[:2],
)
ABOVE = Instance(
    "(1): the loss at x_1 = x_2, k = 1/2, is above the printed epsilon",
    LOSS_AT_EQUAL,
    ">",
    HALF_WAY.epsilon(),
)
EVERY_OUTPUT = Instance(
    "(2): the smallest exceptional set of p = (2/5, 2/5, 1/5), k = 1/2, is at most as probable as "
    "the printed delta",
    probability_one(
        LOSS_AT_EQUAL,
        HALF_WAY.epsilon(),
    ),
    "<=",
    HALF_WAY.delta(),
    {
        **HALF_WAY.step_fits(),
        **HALF_WAY.adjacent("q", MIDDLE, ASIDE),
        **HALF_WAY.adjacent("q'", MIDDLE, OTHER_SIDE),
        "q' is q with both coordinates exchanged": ASIDE[:2] == OTHER_SIDE[1::-1],
        "p_1 = p_2": MIDDLE[0] == MIDDLE[1],
    },
)
LARGER_K = Instance(
    "(2) the same inputs with k = 5, so that k eta = 1, and gamma = 9/20",
    probability_one(
        loss("loss to q at x_1 = x_2, k = 5", LARGER.k, MIDDLE[:2], ASIDE[:2]),
        LARGER.epsilon(),
    ),
    "<=",
    LARGER.delta(),
    {
        **LARGER.step_fits(),
        **LARGER.adjacent("q", MIDDLE, ASIDE),
        **LARGER.adjacent("q'", MIDDLE, OTHER_SIDE),
        "k eta >= 1": Fraction(LARGER.k) * Fraction(LARGER.eta) >= 1,
    },
)
STEP_TOO_LONG = Instance(
    "(3): p = (1/2, 1/4, 1/4), q = (1/4, 1/2, 1/4), k = 4: the exact delta at 1.6, above the "
    "printed epsilon, is at most the printed delta",
    Where(
        "dirichlet.profile.delta(alpha = 1, step = 1, epsilon = 1.6), above the printed epsilon",
        At("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": "1.6"}),
        ((TOO_LONG.epsilon(), Exactly("1.6")),),
    ),
    "<=",
    TOO_LONG.delta(),
    {
        **TOO_LONG.in_range(),
        **TOO_LONG.adjacent("q", LEANING, LEANING_OVER),
        "a step of b/2 does not fit": not all(TOO_LONG.step_fits().values()),
    },
)
PRINTED_BELOW = Instance(
    "the printed epsilon of these numbers is below 1.6", TOO_LONG.epsilon(), "<", Exactly("1.6")
)
CONVENTIONAL = Proof(
    f"{NOTE}#where-a-step-fits",
    "where a step of b/2 fits, the exact delta at the printed epsilon is at most the printed delta",
    (
        Formula("(4): epsilon >= (k b/2) log R", at_precision(executed.epsilon_is_above_the_power)),
        Formula("(5): ratios of good outputs", executed.good_ratios_are_above),
        Formula(
            "(6): hockey-stick < P(r < 1/(1+R)) < delta",
            at_precision(executed.hockey_stick_is_below_delta),
        ),
    ),
)
LARGEST_LOSS = Proof(
    "good-set-epsilon.md#when-the-printed-bound-holds",
    "the printed epsilon bounds every loss on the good set",
    (
        Formula("no step up to b/2 has more", at_precision(executed.printed_bound_holds)),
        Formula(
            "the condition that a hand can check is enough",
            at_precision(executed.hand_condition_is_enough),
        ),
    ),
)
GOOD_SET = Proof(
    "tail-worst-input.md#floor-is-the-worst-input",
    "the good set is missed with probability at most delta, attained at the floor",
    (Formula("inputs above the floor miss it less", at_precision(executed.floor_misses_most)),),
)

CLAIMS = (
    Claim(
        "gohari2020.theorem-1",
        "theorem",
        "III-B Theorem 1",
        "The identity query is (epsilon, delta)-private by Definition 2, with (14) and (8).",
        NOTE,
        (EVERY_OUTPUT, ABOVE, LARGER_K),
        (*RANGES, f"{FITS}; not printed, and not enough"),
        readings=(
            Reading(
                "in the conventional sense, where a step of b/2 fits: |W| gamma < 1, any k > 0",
                (CONVENTIONAL,),
            ),
            Reading(
                "as printed, for every b in (0, 1], even in the conventional sense",
                (STEP_TOO_LONG, PRINTED_BELOW),
            ),
        ),
        garbled="A bracket of Lemma 4's epsilon is missing; Theorem 1 has it.",
    ),
    Claim(
        "gohari2020.theorem-1-repaired",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1, by Definition 2, where the whole step is the worst.",
        NOTE,
        (LARGEST_LOSS, GOOD_SET),
        (*RANGES, WHOLE_STEP),
        repairs="gohari2020.theorem-1",
        adds=(WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Claim(
        "gohari2020.theorem-1-conventional",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1 in the conventional sense, wherever a step of b/2 fits.",
        NOTE,
        (CONVENTIONAL,),
        (*RANGES, FITS),
        repairs="gohari2020.theorem-1",
        adds=(FITS,),
    ),
    Claim(
        "gohari2020.remark-monotone-epsilon",
        "remark",
        "III-B, Remark after Lemma 5",
        "A private mechanism is private with every larger epsilon, in both senses.",
        NOTE,
        (
            Proof(
                f"{NOTE}#larger-epsilon",
                "the same exceptional set serves, and hockey-sticks fall as epsilon grows",
                (Formula("exact deltas fall", at_precision(executed.deltas_fall_with_epsilon)),),
            ),
        ),
        ("the same delta",),
    ),
)
