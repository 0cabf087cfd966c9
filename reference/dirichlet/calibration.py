"""Tight calibration of the concentration k: the exact profile solved for k.

Floor and step both grow with k, alpha = k floor and step = k shift, and the pair at a larger k
dominates the one at a smaller k, so delta increases strictly in k (proofs_notes/monotone-roots.md).
As k falls to 0 the privacy loss tends to a two-sided exponential, and delta to

    e^(-c epsilon) / (1 + 2c),   c = floor/shift,

so no k at all reaches a delta at or below that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import arb

from ..arb.balls import ball, enclosure_of, working_precision
from ..arb.roots import positive_near, positive_root
from ..enclosure import Trilean
from ..relations import InverseOf
from .profile import log_delta, spread_of_loss

_MAX_DECIDING_BITS = 16_384


def largest_k(floor: Fraction, shift: Fraction, epsilon: Fraction, delta: Fraction) -> arb:
    """Enclose the k at which the exact delta, at floor k floor and step k shift, is ``delta``."""
    target = ball(delta).log()
    start, near = 1 / shift, None
    if epsilon > 0:  # the mean loss is about k shift log(1 + shift/floor) for a large k
        likely = positive_near(ball(epsilon / shift) / ball(shift / floor).log1p())
        near = spread_of_loss(likely * floor, likely * shift)
        start = start if near is None else likely
    return positive_root(
        lambda k: log_delta(k * floor, k * shift, epsilon) - target, start=start, near=near
    )


def largest_k_of(
    floor: Callable[[Mapping[str, Any]], Fraction], step: Callable[[Mapping[str, Any]], Fraction]
) -> InverseOf:
    """Return of what a largest k is the inverse: the exact delta at floor k floor, step k step."""
    return InverseOf("dirichlet.profile.delta", "delta", multiples={"alpha": floor, "step": step})


def some_k_reaches(ratio: Fraction, epsilon: Fraction, delta: Fraction) -> Trilean:
    """Whether delta > e^(-c epsilon)/(1 + 2c) for c = ``ratio``.

    The two are never equal at epsilon > 0 (e to a rational power is irrational), so precision
    decides; at epsilon = 0 both are rational.
    """
    share = delta * (1 + 2 * ratio)
    if epsilon == 0:
        return Trilean.of(share > 1)
    bits = 64
    while bits <= _MAX_DECIDING_BITS:
        with working_precision(bits):
            answer = enclosure_of((-ball(ratio * epsilon)).exp()).is_below(share)
        if answer is not Trilean.UNKNOWN:
            return answer
        bits *= 4
    return Trilean.UNKNOWN
