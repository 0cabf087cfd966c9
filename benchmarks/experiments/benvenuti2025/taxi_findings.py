"""What section 6.2 prints of the taxi chain, beside what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..judging import falls
from ..outcome import Finding, Verdict

if TYPE_CHECKING:
    from .taxi_chain import Point

_NO_COUNTS = "other trips than the paper's, whose counts are not printed"
STRONGEST, PRINTED_TV, TWO_PERCENT = 3.73, 0.017, 0.02
# Of one size, where the data differ: within this factor of what is printed.
OF_ONE_SIZE = 2


def figure_2_findings(law: Sequence[float], found: Sequence[Point]) -> tuple[Finding, ...]:
    """Return the finding on how near the laws are."""
    worst = [max(abs(float(x) - p) for x, p in zip(one.one, law, strict=True)) for one in found]
    nearer = found[-1].distance.value < found[0].distance.value
    return (
        Finding(
            "the private law stays near the true one at the strongest privacy, 3.73, and comes"
            " nearer as privacy weakens (Figure 2)",
            f"mean TV {found[0].distance.value:.4f} at epsilon = {found[0].epsilon:.3g} and"
            f" {found[-1].distance.value:.4f} at {found[-1].epsilon:.3g}; in one draw a zone's"
            f" share is off by at most {worst[0]:.4f} and {worst[-1]:.4f}",
            Verdict.IN_SHAPE if nearer else Verdict.NOT_AS_PRINTED,
            f"{_NO_COUNTS} (claim benvenuti2025.figure-2)",
        ),
    )


def figure_3_findings(found: Sequence[Point]) -> tuple[Finding, ...]:
    """Return the findings on the mean distance and on the pairs of epsilon and delta."""
    first, last = found[0], found[-1]
    down = falls(one.distance.value for one in found)
    return (
        distance_finding(found),
        percent_finding(found),
        Finding(
            "the distance falls as epsilon rises, to about 0.01 near 10 (Figure 3)",
            f"to {last.distance.value:.4f} at {last.epsilon:.2f}; it"
            f" {'falls' if down else 'does not fall'} at each point",
            Verdict.IN_SHAPE
            if last.distance.value < first.distance.value
            else Verdict.NOT_AS_PRINTED,
            "it falls like k^(-1/2), which is proved (claim benvenuti2025.rate-log-repaired)",
        ),
        Finding(
            "(3.73, 3e-6), in the list of contributions (3.73, 6e-6), and (5.19, 5e-9) (6.2)",
            f"({first.epsilon:.3f}, {first.delta:.2g}), and {near(found, 5.19)}; exactly delta is"
            f" {first.exact_delta:.2g} at the first epsilon",
            Verdict.IN_SHAPE,
            f"{_NO_COUNTS}; one epsilon has two values of delta in the paper (claims"
            " benvenuti2025.abstract-privacy, benvenuti2025.section-6-2-strongest)",
        ),
    )


def distance_finding(found: Sequence[Point]) -> Finding:
    """Return the finding on the mean distance at the printed epsilon."""
    one = nearest(found, STRONGEST)
    return Finding(
        "mean TV distance 0.017 at epsilon = 3.73 (6.2)",
        f"{one.distance.value:.4f} at epsilon = {one.epsilon:.3f}; proved: at most"
        f" {found[0].bound:.3f} at {found[0].epsilon:.3f}",
        as_near(one.distance.value),
        f"{_NO_COUNTS}, and a tenth as many (claim benvenuti2025.section-6-2-tv)",
    )


def percent_finding(found: Sequence[Point]) -> Finding:
    """Return the finding on the error that is promised in the abstract."""
    one = nearest(found, STRONGEST)
    first = next((point for point in found if point.distance.value < TWO_PERCENT), None)
    reached = f"; below 2 % from epsilon = {first.epsilon:.3f} on" if first else ""
    return Finding(
        "errors below 2 % at epsilon = 3.73 (abstract; list of contributions)",
        f"{one.distance.value:.2%} at epsilon = {one.epsilon:.3f}{reached}",
        Verdict.IN_SHAPE if one.distance.value < TWO_PERCENT else Verdict.NOT_AS_PRINTED,
        f"{_NO_COUNTS}, and a tenth as many (claim benvenuti2025.abstract-privacy)",
    )


def as_near(distance: float) -> Verdict:
    """Return whether a mean distance is of the printed one's size."""
    return Verdict.IN_SHAPE if distance < OF_ONE_SIZE * PRINTED_TV else Verdict.NOT_AS_PRINTED


def near(found: Sequence[Point], epsilon: float) -> str:
    """Return the pair whose epsilon is the nearest."""
    one = nearest(found, epsilon)
    return f"({one.epsilon:.3f}, {one.delta:.2g})"


def nearest(found: Sequence[Point], epsilon: float) -> Point:
    """Return the point whose epsilon is the nearest."""
    return min(found, key=lambda point: abs(point.epsilon - epsilon))
