"""The least noise multiplier, and the largest number of steps, at which DP-SGD is private."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import INFINITY, ball, middle, sign
from ..arb.roots import positive_near, positive_root
from ..domain import AT_LEAST_ZERO, Interval
from ..enclosure import Trilean
from ..gaussian import noise_multiplier_for_dp as of_one_release
from ..pairs import saddle_about
from ..quantity import Side, Truth, quantity
from ..relations import InverseOf
from .quantities import EPSILON, NOTE, RATE, STEPS
from .route import COARSE_NATS, Training, delta_of, delta_on_line, of_order

# Where second opinions are quick, too.
_QUICK = (
    "sampling_probability >= 0.05, sampling_probability <= 0.2, steps >= 100, steps <= 1000, "
    "epsilon >= 0.5, epsilon <= 2, delta >= 1e-5"
)
_DELTA = Annotated[
    Fraction,
    Interval(
        above=Fraction(0), below=Fraction(1), search=("1e-6", "0.01"), beyond=("1e-15", "0.9")
    ),
]
# Steps of the secant in doubles, and how closely a multiplier is guessed.
_MOST_SECANTS, _CLOSE, _APART = 8, 1e-4, 1e-3
_NEAR = Fraction(1, 1 << 12)
# Of so few bits a power of a rational is worked out exactly.
_MOST_BITS = 100_000


@quantity(
    "dpsgd.noise_multiplier_for_dp",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"zhu2022 Theorem 11 (the pair); {NOTE}",
    formula=r"\inf \{ \sigma > 0 : \delta(\sigma, q, T, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="sampling_probability steps",
    falls="epsilon delta",
    vanishes="high delta",
    inverse=InverseOf("dpsgd.delta", "delta", "noise_multiplier"),
    quick=_QUICK,
)
def noise_multiplier_for_dp(
    sampling_probability: RATE, steps: STEPS, epsilon: EPSILON, delta: _DELTA
) -> arb | Fraction:
    """Smallest noise multiplier at which DP-SGD is (epsilon, delta)-private, in both orders.

    0 where no noise is needed, delta being at least the chance 1 - (1 - q)^T that a record takes
    part at all; else the root of a strictly falling function, both its signs proved.
    """
    taken = _takes_part(sampling_probability, steps, delta)
    if taken is Trilean.FALSE:
        return Fraction(0)
    if taken is Trilean.UNKNOWN:
        return arb(0).union(INFINITY)
    whole: arb = of_one_release(epsilon, delta) * ball(steps).sqrt()
    if sampling_probability == 1:
        return whole
    if not Training(Fraction(1), sampling_probability, steps).can_be_planned(epsilon):
        return arb(0).union(INFINITY)
    target = ball(delta).log()

    def of_both(point: Fraction) -> arb:
        found = delta_of(Training(point, sampling_probability, steps), epsilon)
        return target - found.log()

    def of_removed(point: Fraction) -> arb:
        training = Training(point, sampling_probability, steps)
        found = of_order(training, epsilon, removed=True)
        return arb("nan") if found is None else target - found.log()

    root = _about(sampling_probability, steps, epsilon, target, whole)
    if steps > 1:
        found = positive_root(of_removed, positive_near(root), near=_NEAR)
        beside = Training(middle(found.lower()), sampling_probability, steps) if found > 0 else None
        if beside is None or _is_less(beside, epsilon, delta):
            return found
        root = found
    return positive_root(of_both, positive_near(root), near=_NEAR)


def _is_less(training: Training, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether an added record has less than delta here, and so everywhere above, or never more."""
    if epsilon == 0 or training.adds_nothing(epsilon):  # at 0 both orders are the same
        return True
    found = delta_on_line(training.pairs(removed=False), epsilon, COARSE_NATS)
    return found is not None and bool(found < ball(delta))


def _takes_part(rate: Fraction, steps: int, delta: Fraction) -> Trilean:
    """Return whether the chance that a record takes part at all is above delta."""
    if rate.denominator.bit_length() * steps <= _MOST_BITS:
        return Trilean.of((1 - rate) ** steps < 1 - delta)
    return sign(-(steps * (-ball(rate)).log1p()).expm1() - ball(delta))


def _about(rate: Fraction, steps: int, epsilon: Fraction, target: arb, whole: arb) -> arb:
    """Return about the least multiplier: a matter of speed alone.

    First where many steps are one of Gaussian noise, then by the saddle's estimate of delta.
    """
    q, wanted, one = float(rate), float(target), math.sqrt(steps) / float(whole.mid())
    guess = 1 / math.sqrt(math.log1p((one / (q * math.sqrt(steps))) ** 2))

    def excess(multiplier: float) -> float:
        pairs = Training(Fraction(multiplier), rate, steps).pairs(removed=True)
        return saddle_about(pairs, float(epsilon)).log_delta - wanted

    here, there = guess, guess * (1 + _APART)
    value = excess(here)
    for _ in range(_MOST_SECANTS):
        other = excess(there)
        slope = (other - value) / math.log(there / here)
        if not (math.isfinite(slope) and slope < 0):
            break
        moved = min(max(-other / slope, -1.0), 1.0)
        here, value, there = there, other, there * math.exp(moved)
        if abs(moved) < _CLOSE:
            break
    return arb(there if math.isfinite(there) else guess)
