"""What Figure 4 says of the sampled delta, beside what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..judging import falls
from ..outcome import Finding, Verdict

if TYPE_CHECKING:
    from .sampled_delta import Point

MANY, ONE_PERCENT = 10**6, 0.01
_PRINTED = "below 1 % at a million samples"


def findings(found: Mapping[float, Sequence[Point]]) -> tuple[Finding, ...]:
    """Return a finding for each delta that was sampled enough, and one on how the error falls."""
    enough = {delta: points for delta, points in found.items() if points[-1].samples >= MANY}
    return (*(at_a_million(delta, points) for delta, points in enough.items()), falling(found))


def at_a_million(delta: float, points: Sequence[Point]) -> Finding:
    """Return the finding on the error at the most samples, by the exact mean."""
    last = points[-1]
    if last.exact < ONE_PERCENT and last.largest.value < ONE_PERCENT:
        verdict, why = Verdict.IN_SHAPE, "at a delta as large as this one"
    else:
        verdict, why = Verdict.NOT_AS_PRINTED, "it would take a delta above 0.0063"
    return Finding(
        f"{_PRINTED} (Figure 4)",
        f"delta = {delta:.5g}: {last.exact:.2%} of one fraction exactly, {last.one.value:.2%}"
        f" simulated, {last.largest.value:.2%} of the largest of four, at {last.samples:,} samples",
        verdict,
        f"{why}; the figure's own delta is not printed (claim benvenuti2025.figure-4)",
    )


def falling(found: Mapping[float, Sequence[Point]]) -> Finding:
    """Return the finding on the slope."""
    down = all(falls(point.one.value for point in points) for points in found.values())
    steps = "; ".join(
        f"from {points[0].one.value:.3g} to {points[-1].one.value:.3g}" for points in found.values()
    )
    return Finding(
        "the error falls with the number of samples (Figure 4)",
        f"one fraction: {steps}",
        Verdict.IN_SHAPE if down else Verdict.NOT_AS_PRINTED,
        "it falls like M^(-1/2), by a factor of 10 for 100 times the samples, once M delta is"
        " large; the axes printed fit a delta of a few percent",
    )
