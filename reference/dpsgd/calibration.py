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
from ..pairs import Composed, is_less, saddle_about
from ..quantity import Side, Truth, quantity
from ..relations import InverseOf
from .quantities import EPSILON, NOISE, NOTE, RATE, STEPS
from .route import Training, delta_of, of_order

# Where second opinions are quick, too.
_QUICK = (
    "sampling_probability >= 0.05, sampling_probability <= 0.2, steps >= 100, steps <= 1000, "
    "epsilon >= 0.5, epsilon <= 2, delta >= 1e-5"
)
_QUICK_STEPS = (
    "noise_multiplier >= 3, noise_multiplier <= 8, sampling_probability >= 0.05, "
    "sampling_probability <= 0.2, epsilon >= 0.5, epsilon <= 2, delta >= 1e-5"
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
# So many numbers of steps are tried, and now and then the middle.
_MOST_COUNTS, _HALVED = 80, 8
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
    return is_less(training.pairs(removed=False), epsilon, delta)


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


@quantity(
    "dpsgd.steps_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=f"zhu2022 Theorem 11 (the pair); {NOTE}",
    formula=r"\max \{ T \ge 0 : \delta(\sigma, q, T, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="noise_multiplier epsilon delta",
    falls="sampling_probability",
    quick=_QUICK_STEPS,
    slow=True,
)
def steps_for_dp(
    noise_multiplier: NOISE, sampling_probability: RATE, epsilon: EPSILON, delta: _DELTA
) -> arb | Fraction:
    """Largest number of steps with which DP-SGD is (epsilon, delta)-private, in both orders.

    delta rises strictly with the steps; that of the answer is at most what is asked, that of one
    step more is not. 0 where one step is too much.
    """
    one = Training(noise_multiplier, sampling_probability, 1)
    if sampling_probability < 1 and not one.can_be_planned(epsilon):
        return arb(0).union(INFINITY)
    kept, above = 0, 0  # 0 until one that is too much is known
    aim = _steps_about(noise_multiplier, sampling_probability, epsilon, delta)
    heights: dict[int, float] = {}
    for attempt in range(_MOST_COUNTS):
        aim = max(aim, kept + 1) if not above else min(max(aim, kept + 1), above - 1)
        found = delta_of(Training(noise_multiplier, sampling_probability, aim), epsilon)
        side = sign(found - ball(delta))
        if side is Trilean.UNKNOWN:
            return arb(kept).union(arb(above - 1) if above else INFINITY)
        heights[aim] = float((found / ball(delta)).log().mid()) if found > 0 else -math.inf
        kept, above = (kept, aim) if side is Trilean.TRUE else (aim, above)
        if above == kept + 1:
            return Fraction(kept)
        aim = _next_steps(kept, above, heights, attempt)
    return arb(kept).union(arb(above - 1) if above else INFINITY)


def _next_steps(kept: int, above: int, heights: dict[int, float], attempt: int) -> int:
    """Return which number of steps to try next: on the chord, or further out and ever wider."""
    wider: int = 4**attempt
    if not above:
        return kept + max(kept >> 12, 1) * wider
    if not kept:
        return above - max(above >> 12, 1) * wider
    low, high = heights[kept], heights[above]
    if not (math.isfinite(low) and math.isfinite(high) and attempt % _HALVED):
        return (kept + above) // 2
    return kept + int((above - kept) * Fraction(-low / (high - low)))


def _steps_about(s: Fraction, q: Fraction, epsilon: Fraction, delta: Fraction) -> int:
    """Return about the largest number of steps: a matter of speed alone."""
    one = 1 / float(of_one_release(epsilon, delta).mid())
    guess = (one / float(q)) ** 2 / math.expm1(min(float(1 / s**2), 700.0))
    if q == 1:
        return max(int((one * float(s)) ** 2), 1)
    wanted = float(ball(delta).log())
    pair = Training(s, q, 1).pairs(removed=True).events[0][0]

    def excess(log_steps: float) -> float:
        steps = math.exp(log_steps)
        return saddle_about(Composed(((pair, steps),)), float(epsilon)).log_delta - wanted  # type: ignore[arg-type]

    here = math.log(max(guess, 1.0))
    value = excess(here)
    for _ in range(_MOST_SECANTS):
        slope = (excess(here + _APART) - value) / _APART
        if not (math.isfinite(slope) and slope > 0):
            break
        moved = min(max(-value / slope, -1.0), 1.0)
        here += moved
        if abs(moved) < _CLOSE:
            break
        value = excess(here)
    return max(int(math.exp(here)), 1)
