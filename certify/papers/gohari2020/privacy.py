"""Section III-B up to Lemma 4, and Theorem 1: the log-ratio of two neighbours, and its bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod
from random import Random
from typing import NamedTuple

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta, log_beta_change, log_gamma
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, at_precision, draws
from .inputs import (
    ASIDE,
    HALF_WAY,
    INTERIOR,
    INTERIOR_OUTPUT,
    INTERIOR_P,
    INTERIOR_Q,
    LARGER,
    LEANING,
    LEANING_OVER,
    MIDDLE,
    OTHER_SIDE,
    TOO_LONG,
    Setting,
    Where,
    beta,
    is_good,
    loss,
    probability_one,
    vanishes,
)

# Formulas of the notes on epsilon, tried at drawn exact points.

_TRIALS = 30
_PAIR = 2
# Concentrations from far below 1 to far above.
_SIZES = (Fraction(1, 4), Fraction(1), Fraction(7, 2), Fraction(30))


class _Point(NamedTuple):
    """Numbers of Theorem 1, |W| = w, and a step t of b/2 that fits."""

    w: int
    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    t: Fraction
    gamma: Fraction

    @property
    def ratio(self) -> Fraction:
        """Return R = (1 - (w-1) gamma)/gamma."""
        return (1 - (self.w - 1) * self.gamma) / self.gamma

    def printed(self) -> arb:
        """Enclose the printed epsilon."""
        return good_set_epsilon(self.k, self.eta, self.eta_bar, self.t, self.w, self.gamma)


def _points(seed: int) -> Iterator[tuple[Random, _Point]]:
    """Yield points with room for w floors and a step that fits, from tiny k to large."""
    for random in draws(seed, _TRIALS):
        w = random.randint(2, 4)
        eta = Fraction(random.randint(1, 45), 50 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        t = min(Fraction(1, 2), 1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        gamma = Fraction(random.randint(1, 99), 100 * w)
        k = Fraction(random.randint(1, 400), random.choice((2, 20, 200)))
        yield random, _Point(w, k, eta, bar, t, gamma)


def _floors(at: _Point) -> arb:
    """Enclose the largest probability that the good set is missed."""
    floor = at.k * at.eta
    return probability(Miss.of([floor] * at.w, at.k - at.w * floor, at.gamma))


def _beta_below(first: Fraction, second: Fraction, point: arb) -> arb:
    return point.beta_lower(ball(first), ball(second), regularized=1)


def _epsilon_is_above_the_power() -> bool:
    """Whether the printed epsilon is above (k b/2) log R where a step fits with room to spare."""
    return all(
        bool(log_beta_change(at.k * at.eta, at.k * (1 - at.eta_bar - at.eta), at.k * at.t) > 0)
        and bool(at.printed() > ball(at.k * at.t) * ball(at.ratio).log())
        for _, at in _points(1)
    )


def _good_ratios_are_above() -> bool:
    """Whether x_1/(1 - x_3 - ... - x_w) >= 1/(1+R) for outputs of the good set, exactly."""
    for random, at in _points(2):
        shares = [Fraction(random.randint(0, 9)) for _ in range(at.w + 1)]
        free = (1 - at.w * at.gamma) / (sum(shares) + 1)
        x = [at.gamma + free * share for share in shares[: at.w]]
        if x[0] / (1 - sum(x[2:])) < 1 / (1 + at.ratio):
            return False
    return True


def _hockey_stick_is_below_delta() -> bool:
    """Whether the dominating pair's delta < P(r < 1/(1+R)) < delta of (8), at epsilon printed."""
    for _, at in _points(3):
        alpha, step = at.k * at.eta, at.k * min(at.t, 1 - at.eta_bar - at.w * at.eta)
        epsilon = at.printed()
        point = 1 / (1 + (epsilon / ball(step)).exp())
        stick = _beta_below(alpha, alpha + step, point)
        stick -= epsilon.exp() * _beta_below(alpha + step, alpha, point)
        between = _beta_below(alpha, alpha + step, ball(1 / (1 + at.ratio)))
        if not (bool(stick < between) and bool(between < _floors(at))):
            return False
    return True


def _height(at: _Point, t: Fraction) -> arb:
    """Enclose the supremum of the loss over the good set, for neighbours at distance t."""
    ceiling = 1 - at.eta_bar - (at.w - 2) * at.eta
    beta = log_beta_change(at.k * at.eta, at.k * (ceiling - at.eta), at.k * t)
    return beta + ball(at.k * t) * ball(at.ratio).log()


def _slope(at: _Point) -> arb:
    far = ball(at.k * (1 - at.eta_bar - at.eta - at.t)).digamma()
    return far + ball(at.ratio).log() - ball(at.k * (at.eta + at.t)).digamma()


def printed_bound_holds() -> bool:
    """Whether no step up to b/2 has a larger loss where the slope at b/2 is positive.

    For |W| = 2, steps that fit and a negative slope, one just below b/2 has.
    """
    for at in (*(at for _, at in _points(4)), *_long_points(44, 40)):
        reach = min(at.t, 1 - at.eta_bar - at.w * at.eta)
        heights = [_height(at, reach * Fraction(share, 8)) for share in range(1, 8)]
        printed = at.printed()
        if bool(_slope(at) > 0):
            if not all(bool(height < printed) for height in heights):
                return False
            continue
        near = _height(at, at.t * (1 - Fraction(1, 10**6)))
        if at.w == _PAIR and reach == at.t and not near > printed:
            return False
    return True


def _long_points(seed: int, count: int) -> Iterator[_Point]:
    """Yield points whose step need not fit."""
    for random in draws(seed, count):
        w = random.randint(2, 4)
        eta = Fraction(random.randint(1, 40), 50 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 6), 9)
        t = min(Fraction(random.randint(1, 20), 40), 1 - bar - eta)
        t = t if t < 1 - bar - eta else (1 - bar - eta) / 2
        gamma = Fraction(random.randint(1, 90), 100 * w)
        yield _Point(w, Fraction(random.choice((1, 3, 20, 100))), eta, bar, t, gamma)


def hand_condition_is_enough() -> bool:
    """Whether the slope at b/2 is positive where 2 eta + b + eta_bar <= 1."""
    return all(
        bool(_slope(at) > 0)
        for at in (*(at for _, at in _points(5)), *_long_points(45, 40))
        if 2 * (at.eta + at.t) <= 1 - at.eta_bar
    )


def floor_misses_most() -> bool:
    """Whether an input above the floor, and one nearer to it, miss the good set less often."""
    for random, at in _points(6):
        for k in (at.k, random.choice(_SIZES)):
            free = (1 - at.eta_bar - at.w * at.eta) / at.w
            more = [free * Fraction(random.randint(1, 10), 10) for _ in range(at.w)]
            far, near = (
                _missed(k, [at.eta + part for part in parts], at.gamma)
                for parts in (more, [more[0] / 2, *more[1:]])
            )
            if not far < near < _missed(k, [at.eta] * at.w, at.gamma):
                return False
    return True


def _missed(k: Fraction, p: Sequence[Fraction], gamma: Fraction) -> arb:
    """Enclose the probability that the good set is missed, p the protected coordinates."""
    return probability(Miss.of([k * share for share in p], k * (1 - sum(p)), gamma))


def _deltas_fall_with_epsilon() -> bool:
    """Whether the exact delta of a pair falls along 0, 1, 2, 3."""
    for random in draws(7, 10):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        found = []
        for epsilon in range(4):
            point = 1 / (1 + (ball(Fraction(epsilon)) / ball(step)).exp())
            stick = _beta_below(alpha, alpha + step, point)
            found.append(stick - arb(epsilon).exp() * _beta_below(alpha + step, alpha, point))
        if not all(bool(one > other) for one, other in pairwise(found)):
            return False
    return True


def _corner(k: Fraction, total: Fraction, p: Fraction, q: Fraction) -> arb:
    """Enclose log B(k q, k (total - q)) - log B(k p, k (total - p))."""
    return log_beta(k * q, k * (total - q)) - log_beta(k * p, k * (total - p))


def _larger_total_is_larger() -> bool:
    """Whether the ratio of Betas rises with the sum c where q_i < p_i."""
    for random, at in _points(8):
        low, high = sorted(Fraction(x, 100) for x in random.sample(range(1, 40), 2))
        small, large = high + Fraction(1, 50), high + Fraction(1, 50) + at.eta
        rises = _corner(at.k, large, high, low) - _corner(at.k, small, high, low)
        if not bool(rises > 0):
            return False
    return True


def corner_is_largest() -> bool:
    """Whether no feasible (p_i, q_i) passes (14) where 2 eta + b <= 1 - eta_bar."""
    for random, at in _points(9):
        total = 1 - at.eta_bar
        t = min(at.t, total / 2 - at.eta)
        best = _corner(at.k, total, at.eta + t, at.eta)
        q = at.eta + (total - 2 * at.eta) * Fraction(random.randint(1, 9), 10)
        p = q + t * Fraction(random.randint(-9, 9), 10)
        if at.eta <= p <= total - at.eta and not bool(_corner(at.k, total, p, q) < best):
            return False
    return True


def densities_ratio_is_the_formula() -> bool:
    """Whether (9) is the log-ratio of two whole densities, at drawn inputs and outputs.

    And whether, for whole parameters, the ratio is exactly that of two Betas at x_i/(x_i + x_j).
    """
    for random, at in _points(10):
        counts = [random.randint(1, 9) for _ in range(4)]
        p = [at.k * Fraction(count, sum(counts)) for count in counts]
        moved = min(p[0], p[1]) * Fraction(random.randint(-9, 9), 10)
        q = [p[0] - moved, p[1] + moved, *p[2:]]
        x = [random.randint(1, 9) for _ in range(4)]
        whole = arb(0)
        for here, there, part in zip(p, q, x, strict=True):
            power = ball(here - there) * ball(Fraction(part, sum(x))).log()
            whole += log_gamma(there) - log_gamma(here) + power
        short = log_beta_change(q[0], q[1], moved) + ball(moved) * ball(Fraction(x[0], x[1])).log()
        if not whole.overlaps(short):
            return False
        move = random.randint(1, 4)
        one, other = [counts[0] + move, *counts[1:]], [counts[0], counts[1] + move, *counts[2:]]
        point, r = [Fraction(part, sum(x)) for part in x], Fraction(x[0], x[0] + x[1])
        if _density(one, point) / _density(other, point) != (
            _density(one[:2], [r, 1 - r]) / _density(other[:2], [r, 1 - r])
        ):
            return False
    return True


def _density(parameters: Sequence[int], point: Sequence[Fraction]) -> Fraction:
    """Return the density of a Dirichlet law with whole parameters."""
    scale = Fraction(factorial(sum(parameters) - 1), prod(factorial(a - 1) for a in parameters))
    return scale * prod(z ** (a - 1) for z, a in zip(point, parameters, strict=True))


_NOTE = "gohari2020/theorem-1.md"
RANGES = (
    "eta, eta_bar in (0, 1), 0 < b <= 1, k > 0, W a part of 1..n-1",
    "|W| >= 2 and |W| gamma < 1 (else there are no neighbours, or delta = 1)",
)
_FITS = "a step of b/2 fits: b/2 <= 1 - eta_bar - 2 eta"
_WHOLE_STEP = "psi(k (1 - eta_bar - eta - b/2)) + log R >= psi(k (eta + b/2))"

LOSS_AT_EQUAL = loss(
    "loss from p = (2/5, 2/5, 1/5) to q = (1/5, 3/5, 1/5) at x_1 = x_2, k = 1/2",
    HALF_WAY.k,
    MIDDLE[:2],
    ASIDE[:2],
)
_ABOVE = Instance(
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
_LARGER_K = Instance(
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
_PRINTED_BELOW = Instance(
    "the printed epsilon of these numbers is below 1.6", TOO_LONG.epsilon(), "<", Exactly("1.6")
)
CONVENTIONAL = Proof(
    f"{_NOTE}#where-a-step-fits",
    "where a step of b/2 fits, the exact delta at the printed epsilon is at most the printed delta",
    (
        Formula("(4): epsilon >= (k b/2) log R", at_precision(_epsilon_is_above_the_power)),
        Formula("(5): ratios of good outputs", _good_ratios_are_above),
        Formula(
            "(6): hockey-stick < P(r < 1/(1+R)) < delta",
            at_precision(_hockey_stick_is_below_delta),
        ),
    ),
)
LARGEST_LOSS = Proof(
    "good-set-epsilon.md#when-the-printed-bound-holds",
    "the printed epsilon bounds every loss on the good set",
    (
        Formula("no step up to b/2 has more", at_precision(printed_bound_holds)),
        Formula(
            "the condition that a hand can check is enough",
            at_precision(hand_condition_is_enough),
        ),
    ),
)
GOOD_SET = Proof(
    "tail-worst-input.md#floor-is-the-worst-input",
    "the good set is missed with probability at most delta, attained at the floor",
    (Formula("inputs above the floor miss it less", at_precision(floor_misses_most)),),
)

_THEOREM_1_STATEMENTS = (
    Statement(
        "gohari2020.theorem-1",
        "theorem",
        "III-B Theorem 1",
        "The identity query is (epsilon, delta)-private by Definition 2, with (14) and (8).",
        _NOTE,
        (EVERY_OUTPUT, _ABOVE, _LARGER_K),
        (*RANGES, f"{_FITS}; not printed, and not enough"),
        readings=(
            Reading(
                "in the conventional sense, where a step of b/2 fits: |W| gamma < 1, any k > 0",
                (CONVENTIONAL,),
            ),
            Reading(
                "as printed, for every b in (0, 1], even in the conventional sense",
                (STEP_TOO_LONG, _PRINTED_BELOW),
            ),
        ),
        garbled="A bracket of Lemma 4's epsilon is missing; Theorem 1 has it.",
    ),
    Statement(
        "gohari2020.theorem-1-repaired",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1, by Definition 2, where the whole step is the worst.",
        _NOTE,
        (LARGEST_LOSS, GOOD_SET),
        (*RANGES, _WHOLE_STEP),
        repairs="gohari2020.theorem-1",
        adds=(_WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Statement(
        "gohari2020.theorem-1-conventional",
        "repair",
        "ours, for Theorem 1",
        "Theorem 1 in the conventional sense, wherever a step of b/2 fits.",
        _NOTE,
        (CONVENTIONAL,),
        (*RANGES, _FITS),
        repairs="gohari2020.theorem-1",
        adds=(_FITS,),
    ),
    Statement(
        "gohari2020.remark-monotone-epsilon",
        "remark",
        "III-B, Remark after Lemma 5",
        "A private mechanism is private with every larger epsilon, in both senses.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#larger-epsilon",
                "the same exceptional set serves, and hockey-sticks fall as epsilon grows",
                (Formula("exact deltas fall", at_precision(_deltas_fall_with_epsilon)),),
            ),
        ),
        ("the same delta",),
    ),
)


_LOG_RATIO_NOTE = "gohari2020/log-ratio.md"
_RATIO = str(Fraction(INTERIOR_OUTPUT[0]) / Fraction(INTERIOR_OUTPUT[1]))
_THREE = Setting("10", "1/10", "1/20", "1/10", "1/5")
_P, _Q = ("3/10", "1/5", "1/2"), ("7/20", "3/20", "1/2")

LEMMA_3 = Instance(
    "(1) k = 10, p = (3/10, 1/5, 1/2), q = (7/20, 3/20, 1/2), eta_bar = 1/20, logarithms",
    loss("log B(7/2, 3/2) - log B(3, 2)", _THREE.k, _P[:2], _Q[:2]),
    "<=",
    loss("log B(7/2, 6) - log B(3, 13/2)", _THREE.k, ("3/10", "13/20"), ("7/20", "3/5")),
    {
        **_THREE.adjacent("q", _P, _Q),
        "the right side has 1 - eta_bar - p_i, 1 - eta_bar - q_i": (
            (Fraction("19/20") - Fraction(_P[0]), Fraction("19/20") - Fraction(_Q[0]))
            == (Fraction("13/20"), Fraction("3/5"))
        ),
    },
)
_LEMMA_4 = Instance(
    "(2) p = (2/5, 2/5, 1/5), q = (1/5, 3/5, 1/5), output (2/5, 2/5, 1/5), k = 1/2, gamma = 1/5",
    LOSS_AT_EQUAL,
    "<=",
    HALF_WAY.epsilon(),
    {
        **HALF_WAY.step_fits(),
        **HALF_WAY.adjacent("q", MIDDLE, ASIDE),
        "the output is good": is_good(MIDDLE, HALF_WAY.gamma),
        "x_1 = x_2": MIDDLE[0] == MIDDLE[1],
    },
)
LEMMA_4_FAR = Instance(
    "p = (0.383, 0.137, 0.48), q = (0.01, 0.51, 0.48), output (0.99225, 0.00675, 0.001), k = 1",
    loss("loss at that output", INTERIOR.k, INTERIOR_P[:2], INTERIOR_Q[:2], _RATIO),
    "<=",
    INTERIOR.epsilon(),
    {
        **INTERIOR.step_fits(),
        **INTERIOR.adjacent("q", INTERIOR_P, INTERIOR_Q),
        "the output is good": is_good(INTERIOR_OUTPUT, INTERIOR.gamma),
    },
)
_CORNER = loss(
    "(14) at k = 1/2, eta = eta_bar = 1/5, b/2 = 2/5", "1/2", ("3/5", "1/5"), ("1/5", "3/5")
)
_CORNERS = Instance(
    "(3) p_i = 2/5, q_i = 1/5, c = 4/5, k = 1/2: the Gamma part is at most (14)",
    LOSS_AT_EQUAL,
    "<=",
    _CORNER,
    {
        **HALF_WAY.step_fits(),
        "p_i, q_i in [eta, 1 - eta_bar - eta]": all(
            Fraction("1/5") <= x <= Fraction("3/5") for x in map(Fraction, ("2/5", "1/5"))
        ),
        "|p_i - q_i| <= b/2": Fraction("2/5") - Fraction("1/5") <= Fraction("2/5"),
    },
)
_NEGATIVE_CORNER = Instance(
    "k = 4, eta = 1/4, eta_bar = 249/1000, b = 1: the first corner (3/4, 1/4) is positive",
    Exactly("0"),
    "<",
    loss("log B(1, 2.004) - log B(3, 0.004)", "4", ("3/4", "1/1000"), ("1/4", "501/1000")),
    TOO_LONG.in_range(),
)


def _unbounded() -> Trilean:
    """Whether the ratio of Dir(3, 2, 5) to Dir(2, 3, 5), along (1 - 2x, x, x), stays bounded.

    Both have one B. The ratio is (1 - 2x)/x, by an identity of polynomials of degree 8 in x, and
    at x = 1/(M + 3) that is M + 1, by an identity of polynomials in M: above each M.
    """

    def ratio(x: Fraction) -> Fraction:
        one, other = ((1 - 2 * x) ** (a - 1) * x ** (b - 1) * x**4 for a, b in ((3, 2), (2, 3)))
        return one * x - other * (1 - 2 * x)

    def excess(bound: Fraction) -> Fraction:
        return (bound + 3) - 2 - (bound + 1)  # (1 - 2x)/x = 1/x - 2

    known = beta((3, 2, 5)) == beta((2, 3, 5)) and vanishes(ratio, (8,)) and vanishes(excess, (1,))
    return Trilean.FALSE if known else Trilean.UNKNOWN


_LOG_RATIO_STATEMENTS = (
    Statement(
        "gohari2020.equation-9-unbounded",
        "equation",
        "III-B (9)",
        "The log-ratio depends on x_i/x_j alone, by (9), and is unbounded over all outputs.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                "dominating-pair.md#ratio-is-sufficient",
                "all other factors cancel, and p_i - q_i = q_j - p_j",
                (
                    Formula(
                        "(9) is the ratio of the whole densities",
                        at_precision(densities_ratio_is_the_formula),
                    ),
                ),
            ),
            Proof(
                "dominating-pair.md#no-pure-privacy",
                "its last part is k (p_i - q_i) log(x_i/x_j), which has no bound where p differs "
                "from q",
                (
                    Formula(
                        "Dir(3, 2, 5) against Dir(2, 3, 5) along (1 - 2x, x, x)",
                        lambda: _unbounded() is Trilean.FALSE,
                    ),
                ),
            ),
        ),
        ("p, q neighbours, k > 0",),
    ),
    Statement(
        "gohari2020.remark-bounded-ratios",
        "remark",
        "III-B, after (9)",
        "As inputs are at least eta on W, where they differ, the ratios of densities stay bounded.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                "good-set-epsilon.md#largest-log-ratio",
                "on the good set, for each k, eta, eta_bar, b, gamma: h(t) is continuous, t <= b/2",
                (Formula("steps up to b/2", at_precision(printed_bound_holds)),),
            ),
        ),
        (
            "p, q neighbours in the bordered simplex, k > 0",
            "outputs of the good set, of which Definition 2 asks it; |W| gamma < 1",
        ),
        readings=(
            Reading(
                "over all outputs",
                (
                    Identity(
                        "k = 10, p = (0.3, 0.2, 0.5), q = (0.2, 0.3, 0.5): the ratio of densities "
                        "is bounded along the outputs (1 - 2x, x, x)",
                        _unbounded,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "gohari2020.lemma-3",
        "lemma",
        "III-B Lemma 3; appendix -B",
        "With 1 - eta_bar for the sum c = p_i + p_j the ratio of Betas does not fall.",
        _LOG_RATIO_NOTE,
        (LEMMA_3,),
        ("p, q neighbours that differ in i and j", "k > 0"),
        garbled="Appendix -B prints the ratio upside down, and q_j for q_i in its last line.",
    ),
    Statement(
        "gohari2020.lemma-3-repaired",
        "repair",
        "ours, for Lemma 3",
        "Lemma 3 where q_i <= p_i: of i and j one always is such.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                f"{_LOG_RATIO_NOTE}#larger-sum",
                "Gamma(k (c-q))/Gamma(k (c-p)) rises with c where q < p, as psi rises",
                (Formula("ratios of Betas rise", at_precision(_larger_total_is_larger)),),
            ),
        ),
        ("p, q neighbours that differ in i and j", "k > 0"),
        repairs="gohari2020.lemma-3",
        adds=("q_i <= p_i",),
    ),
    Statement(
        "gohari2020.lemma-4",
        "lemma",
        "III-B Lemma 4, (10), (11)",
        "On the good set the log-ratio of neighbours is at most the epsilon of Theorem 1.",
        _LOG_RATIO_NOTE,
        (_LEMMA_4, LEMMA_4_FAR),
        (*RANGES, f"{_FITS}; not printed, and not enough"),
        of_proof=(_CORNERS,),
        garbled="The statement has an unmatched bracket; read 1 - (|W|-1) gamma, as in the proof.",
    ),
    Statement(
        "gohari2020.lemma-4-repaired",
        "repair",
        "ours, for Lemma 4",
        "Lemma 4 where the whole step is the worst.",
        _LOG_RATIO_NOTE,
        (LARGEST_LOSS,),
        (*RANGES, _WHOLE_STEP),
        repairs="gohari2020.lemma-4",
        adds=(_WHOLE_STEP, "for example 2 eta + b + eta_bar <= 1"),
    ),
    Statement(
        "gohari2020.lemma-4-proof-corners",
        "equation",
        "III-B (12) to (14)",
        "The Gamma part of the log-ratio is largest at a corner of (13), where it is (14).",
        _LOG_RATIO_NOTE,
        (_CORNERS,),
        (*RANGES, f"{_FITS}; not printed, and not enough"),
        readings=(
            Reading(
                "the objective is positive at the first two corners, for every b",
                (_NEGATIVE_CORNER,),
            ),
        ),
        garbled="In the second corner fallin2023 (13) lacks the -b/2 that stands here.",
    ),
    Statement(
        "gohari2020.lemma-4-proof-corners-repaired",
        "repair",
        "ours, for (12) to (14)",
        "(14) is the largest Gamma part where 2 eta + b <= 1 - eta_bar.",
        _LOG_RATIO_NOTE,
        (
            Proof(
                f"{_LOG_RATIO_NOTE}#largest-gamma-part",
                "a symmetric convex function falls most from its end over a whole step",
                (Formula("no feasible pair passes it", at_precision(corner_is_largest)),),
            ),
        ),
        RANGES,
        repairs="gohari2020.lemma-4-proof-corners",
        adds=("2 eta + b <= 1 - eta_bar",),
    ),
)

STATEMENTS = (*_LOG_RATIO_STATEMENTS, *_THEOREM_1_STATEMENTS)
