"""The exact privacy of DP-SGD, as quantities."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import INFINITY, ball, middle
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Interval,
    Probability,
)
from ..pairs import Composed, epsilon_of_order, falling_root, is_less, wanted_nats
from ..quantity import Routed, Side, Truth, quantity
from ..relations import InverseOf
from .route import Training, delta_of, routed

NOTE = "proofs_notes/dpsgd.md"
_ZERO, _ONE = Fraction(0), Fraction(1)
NOISE = Annotated[Fraction, Interval(above=_ZERO, search=("0.8", "8"), beyond=("0.4", "30"))]
RATE = Annotated[
    Fraction,
    Interval(above=_ZERO, at_most=_ONE, search=("0.003", "0.5"), beyond=("0.0005", "1")),
]
# Where second opinions are quick, too: epsilons of some deviations of the loss.
_QUICK = (
    "noise_multiplier >= 0.9, noise_multiplier <= 3, sampling_probability >= 0.02, "
    "sampling_probability <= 0.2, steps >= 100, steps <= 1000"
)
STEPS = Annotated[
    int, Interval("integer", at_least=_ONE, search=("30", "10000"), beyond=("1", "1000000"))
]
EPSILON = Annotated[
    Fraction, Interval(at_least=_ZERO, search=("0.01", "8"), beyond=("0.001", "100"))
]


@quantity(
    "dpsgd.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"zhu2022 Theorem 11 (the pair); {NOTE}",
    formula=r"\max \{ H_{e^{\varepsilon}}(P^T, Q^T), H_{e^{\varepsilon}}(Q^T, P^T) \}, \quad P = "
    r"(1 - q) N(0, \sigma^2) + q N(1, \sigma^2), \; Q = N(0, \sigma^2)",
    within=A_PROBABILITY,
    rises="sampling_probability steps",
    falls="noise_multiplier epsilon",
    vanishes="high epsilon, high noise_multiplier",
    quick=f"{_QUICK}, epsilon <= 0.5",
    slow=True,
)
def delta(
    noise_multiplier: NOISE, sampling_probability: RATE, steps: STEPS, epsilon: EPSILON
) -> Routed:
    """Exact delta of Gaussian noise on sums over Poisson samples, under adding or removing.

    The larger of both orders. All noisy sums together, for every sequence of clipped gradients
    that may be chosen on the way; the pair is attained there. One step, and a sampling probability
    of 1, in closed form; else by a trapezoid rule on a vertical line, whose cost does not grow with
    the steps. Where every line is too long, the enclosure is 0 and Chernoff's bound.
    """
    return routed(Training(noise_multiplier, sampling_probability, steps), epsilon)


@quantity(
    "dpsgd.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"zhu2022 Theorem 11 (the pair); {NOTE}",
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\sigma, q, T, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="sampling_probability steps",
    falls="noise_multiplier delta",
    vanishes="high delta",
    inverse=InverseOf("dpsgd.delta", "delta", "epsilon"),
    quick=_QUICK,
)
def epsilon(
    noise_multiplier: NOISE, sampling_probability: RATE, steps: STEPS, delta: Probability
) -> arb | Fraction:
    """Smallest epsilon at which the delta of DP-SGD, in both orders, is at most ``delta``.

    0 from the total variation on, infinite at delta = 0, else the larger of both orders' roots,
    each between two proved signs.
    """
    if delta == 0:
        return INFINITY
    training = Training(noise_multiplier, sampling_probability, steps)
    if delta == 1 or training.most_distance() < ball(delta):
        return Fraction(0)
    if sampling_probability == 1 or steps == 1:
        return falling_root(lambda point: delta_of(training, point), delta, 1.0)
    if not training.can_be_planned():
        return arb(0).union(INFINITY)
    nats = wanted_nats()
    removed = epsilon_of_order(training.pairs(removed=True), delta, nats)
    low = removed.lower() if removed.is_finite() else arb(0)
    added = training.pairs(removed=False)
    # At 0 both orders have one delta, the total variation distance.
    if removed.is_zero() or _is_less_at(training, added, low, delta):
        return removed
    # Next to 0, where an estimate has no root, both are near each other.
    return removed.max(epsilon_of_order(added, delta, nats, float(low)))


def _is_less_at(training: Training, added: Composed, low: arb, delta: Fraction) -> bool:
    """Whether the delta of an added record is certainly below the target from a point on."""
    if not low > 0:
        return False
    point = middle(low)
    return training.adds_nothing(point) or is_less(added, point, delta)
