"""What section III-D and Figure 1 print of the matrix of tenths, beside what came out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..judging import comes_out, falls
from ..outcome import Finding, Verdict

if TYPE_CHECKING:
    from .tenths import Point

EPSILONS, DELTA = ("2.5", "22.5"), "0.027"
# The plot's left end, the same for claim fallin2023.figure-1-delta.
LEFT_END = "10.68"


def findings(
    points: Sequence[Point], privacy: Callable[[str], tuple[float, float]]
) -> tuple[Finding, ...]:
    """Return what the text and the caption say, and what came out."""
    first, last = points[0], points[-1]
    return (
        Finding(
            "epsilon from 2.5 to 22.5 for k from 10 to 100 (III-D)",
            f"{first.epsilon:.4g} at k = {first.k} to {last.epsilon:.4g} at k = {last.k}",
            Verdict.AS_PRINTED
            if comes_out(EPSILONS[0], first.epsilon) and comes_out(EPSILONS[1], last.epsilon)
            else Verdict.NOT_AS_PRINTED,
            "the right end comes out; at k = 10 itself epsilon is below 2.36 whatever"
            " eta_bar is (claim fallin2023.figure-1-epsilon)",
        ),
        delta_finding(points[0], *privacy(LEFT_END)),
        decreasing(points),
        Finding(
            "(15) is an accurate bound on the error of the entries (III-D)",
            f"(15) is {first.bound / first.exact:.3f} times the exact mean at k = {first.k} and"
            f" {last.bound / last.exact:.3f} times at k = {last.k}",
            Verdict.IN_SHAPE,
            "it is the mean of an entry 1/2, and tends to 5/3 of that of a tenth; what is accurate"
            " is not said (claim fallin2023.figure-1-accuracy)",
        ),
    )


def delta_finding(first: Point, epsilon: float, delta: float) -> Finding:
    """Return the finding on the caption's bound on delta."""
    return Finding(
        "0 < delta <= 0.027 for all epsilon of the plot (caption of Figure 1)",
        f"delta = {delta:.5f} at the plot's left end, k = {LEFT_END} with epsilon = {epsilon:.4f};"
        f" but {first.delta:.4f} at k = {first.k}",
        Verdict.AS_PRINTED
        if first.delta <= float(DELTA) and comes_out(DELTA, delta)
        else Verdict.NOT_AS_PRINTED,
        "true of the epsilons plotted, not of all k from 10 on (claim fallin2023.figure-1-delta)",
    )


def decreasing(points: Sequence[Point]) -> Finding:
    """Return the finding on the trend, and on whether the bound holds."""
    down = falls(p.simulated.value for p in points) and falls(p.bound for p in points)
    holds = all(p.simulated.value < p.bound for p in points)
    first, last = points[0], points[-1]
    return Finding(
        "the simulated error and its bound both fall as epsilon rises (Figure 1)",
        f"simulated from {first.simulated.value:.4f} to {last.simulated.value:.4f}, (15) from"
        f" {first.bound:.4f} to {last.bound:.4f}; the bound {'holds' if holds else 'fails'}",
        Verdict.AS_PRINTED if down and holds else Verdict.NOT_AS_PRINTED,
        "proved (claims fallin2023.remark-tradeoff, fallin2023.theorem-2)",
    )
