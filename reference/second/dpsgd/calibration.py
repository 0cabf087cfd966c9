"""Second opinions on what DP-SGD needs: the secant method on two rules; not rigorous.

In one step, and with full batches, between two signs that are proved by directed rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from ...enclosure import Enclosure, Trilean
from ...likely import likely_answer
from ..directed import OutOfReachError, Span, or_nothing
from ..dirichlet.series import log_of
from ..leaning import (
    FIRST_BITS,
    LARGEST,
    MORE_THAN_ASKED,
    SPARED_BITS,
    estimate,
    larger,
    saddle_of,
    two_rules,
)
from ..nearest import as_fraction, binary_exponent, number, widened, working
from ..opinion import second_opinion
from ..roots import bracketed
from .delta import Order, adds_nothing, full_batches, one_step, orders
from .delta import (
    delta as delta_of,
)

_APART, _CLOSE, _MOST_SECANTS, _FARTHEST = 1e-3, 1e-4, 16, 60.0
# Of so few bits a power of a rational is worked out exactly.
_MOST_BITS = 100_000
# To so many bits a slope in doubles is known; so near, all bits are used; and how much less an
# error is than the product of the last two steps must be, as log delta bends.
_ROUGH, _NEARER, _SLACK = 1, 12, 16


@second_opinion("dpsgd.noise_multiplier_for_dp", engine="mpmath", rigorous=False)
@or_nothing
def noise_multiplier_for_dp(
    bits: int, sampling_probability: Fraction, steps: int, epsilon: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose the larger multiplier of both orders; in one step rigorous, else an estimate."""
    if not _takes_part(bits, sampling_probability, steps, delta):
        return Enclosure.of(Fraction(0), bits)
    if sampling_probability == 1 or steps == 1:

        def excess(point: Fraction, precision: int) -> Span:
            found = (
                full_batches(precision, point, steps, epsilon)
                if sampling_probability == 1
                else one_step(precision, point, sampling_probability, epsilon)
            )
            return log_of(delta, precision) - found

        start = Fraction(math.isqrt(steps)) / (epsilon + delta)
        return bracketed(excess, start, bits, likely=likely_answer()).enclosure()

    def order(multiplier: Fraction, *, removed: bool) -> Order:
        first, second = orders(multiplier, sampling_probability, steps)
        return first if removed else second

    found = _multiplier(bits, lambda s: order(s, removed=True), epsilon, delta)
    if adds_nothing(bits, sampling_probability, steps, epsilon):
        return found
    low = found.lower
    if isinstance(low, Fraction) and low > 0:
        added = estimate(FIRST_BITS, order(low, removed=False), epsilon)
        if added.is_above(delta) is Trilean.FALSE:
            return found
    return larger([found, _multiplier(bits, lambda s: order(s, removed=False), epsilon, delta)])


def _takes_part(bits: int, q: Fraction, steps: int, delta: Fraction) -> bool:
    """Whether the chance that a record takes part at all is above delta."""
    if q == 1:
        return True
    if q.denominator.bit_length() * steps <= _MOST_BITS:
        return (1 - q) ** steps < 1 - delta
    none = Span.of(steps, bits) * Span.of(1 - q, bits).log()
    room = (Span.of(1 - delta, bits).log() - none).sign
    if room == 0:
        raise OutOfReachError
    return room > 0


def _multiplier(
    bits: int, order_at: Callable[[Fraction], Order], epsilon: Fraction, delta: Fraction
) -> Enclosure:
    """Return the hull of two rules' multipliers of one order, widened, by the secant method.

    An error after a step is about the product of the last two.
    """
    bits = max(bits - MORE_THAN_ASKED, FIRST_BITS)
    here, about = _about(order_at, epsilon, delta)
    here = likely_answer() or here
    with working(bits):
        slope = mpfr(about)
    before: tuple[Fraction, mpfr, int] | None = None
    at, last = FIRST_BITS if likely_answer() is None else bits, -_ROUGH
    for _ in range(_MOST_SECANTS):
        excesses = _excesses(at, order_at(here), epsilon, delta)
        with working(bits + MORE_THAN_ASKED):
            if before is not None and last > -before[2] // 2:  # nearer points show noise
                slope = (excesses[0] - before[1]) / number(here - before[0])
            if not slope < 0:
                raise OutOfReachError
            roots = [number(here) - each / slope for each in excesses]
            moved = roots[0] - number(here)
            step = binary_exponent(moved) - binary_exponent(number(here))
        if at == bits and step + last < -bits - _SLACK:
            break
        before, last, here = (here, excesses[0], at), max(step, -bits), as_fraction(roots[0])
        if step < -_NEARER:
            at = bits
    else:
        raise OutOfReachError
    return widened(roots[0], roots[1], bits - SPARED_BITS, 4 * max(map(as_fraction, roots)))


def _excesses(bits: int, order: Order, epsilon: Fraction, delta: Fraction) -> list[mpfr]:
    """Return how far log delta is above the target, by two rules."""
    found = []
    for rule in two_rules(bits, order, float(epsilon)):
        with working(rule.bits):
            value, _ = rule.at(number(epsilon))
            if not value > 0:
                raise OutOfReachError
            found.append(gmpy2.log(value) - gmpy2.log(number(delta)))
    return found


def _about(
    order_at: Callable[[Fraction], Order], epsilon: Fraction, delta: Fraction
) -> tuple[Fraction, float]:
    """Return about the multiplier, and the slope of log delta there, by the saddle in doubles."""
    wanted, over = _in_doubles(epsilon, delta)
    here, moved = 0.0, 1.0

    def excess(log_multiplier: float) -> float:
        order = order_at(Fraction(math.exp(log_multiplier)))
        return saddle_of(order.log_moment, over)[2] - wanted

    for _ in range(_MOST_SECANTS):
        value = excess(here)
        slope = (excess(here + _APART) - value) / _APART
        if not (math.isfinite(slope) and slope < 0):
            raise OutOfReachError
        moved = min(max(-value / slope, -1.0), 1.0)
        here += moved
        if abs(moved) < _CLOSE:
            break
    multiplier = math.exp(here)
    return Fraction(multiplier), slope / multiplier


@second_opinion("dpsgd.steps_for_dp", engine="mpmath", rigorous=False)
@or_nothing
def steps_for_dp(
    bits: int,
    noise_multiplier: Fraction,
    sampling_probability: Fraction,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Return the largest number of steps whose estimated delta is below; its successor's is not."""

    def is_kept(steps: int) -> bool:
        if steps == 0:
            return True
        found = delta_of(FIRST_BITS, noise_multiplier, sampling_probability, steps, epsilon)
        above = found.is_above(delta)
        if above is Trilean.UNKNOWN:
            found = delta_of(bits, noise_multiplier, sampling_probability, steps, epsilon)
            above = found.is_above(delta)
        if above is Trilean.UNKNOWN:
            raise OutOfReachError
        return above is Trilean.FALSE

    likely = likely_answer()
    here = (
        int(likely)
        if likely is not None
        else _steps_about(noise_multiplier, sampling_probability, epsilon, delta)
    )
    wider = 1
    if is_kept(here):
        kept, above = here, here + 1
        while is_kept(above):
            kept, above, wider = above, above + wider, 2 * wider
    else:
        kept, above = here - 1, here
        while not is_kept(kept):
            kept, above, wider = max(kept - wider, 0), kept, 2 * wider
    while above - kept > 1:
        middle = (kept + above) // 2
        kept, above = (middle, above) if is_kept(middle) else (kept, middle)
    return Enclosure.of(Fraction(kept), bits)


def _in_doubles(epsilon: Fraction, delta: Fraction) -> tuple[float, float]:
    """Return log delta and epsilon. Raises OutOfReachError where that one is too large."""
    if epsilon > LARGEST:
        raise OutOfReachError
    with working(FIRST_BITS):
        return float(gmpy2.log(number(delta))), float(epsilon)


def _steps_about(s: Fraction, q: Fraction, epsilon: Fraction, delta: Fraction) -> int:
    """Return about the number of steps, by the saddle in doubles; the first guess is crude."""
    wanted, over = _in_doubles(epsilon, delta)

    def excess(log_steps: float) -> float:
        first, _ = orders(s, q, max(round(math.exp(log_steps)), 1))
        return saddle_of(first.log_moment, over)[2] - wanted

    low, high = 0.0, 1.0
    if q == 1 or excess(low) > 0:
        return 1
    while excess(high) < 0:
        low, high = high, high + 2
        if high > _FARTHEST:
            raise OutOfReachError
    while high - low > _CLOSE:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return max(int(math.exp(low)), 1)
