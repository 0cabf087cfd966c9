"""What Figure 4 and the text beside it say, held against what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ..outcome import Finding, Verdict
from .figure_4_points import LENGTH, Point
from .mechanisms import APPROX, EXACT, GK16, GROUP

# song2017 Section 5.2: GroupDP's errors at epsilon = 0.2, 1 and 5, "around".
GROUP_ERRORS = {Fraction(1, 5): 5.0, Fraction(1): 1.0, Fraction(5): 0.2}
# A mean of trials may be so many standard errors off.
STANDARD_ERRORS = 4
Errors = dict[tuple[Fraction, Fraction], float]


def findings(points: Sequence[Point]) -> tuple[Finding, ...]:
    """Return a finding for each statement."""
    return (
        line_of_gk16(points),
        fall_with_alpha(points),
        exact_below_approx(points),
        *(against_gk16(points, mechanism) for mechanism in (APPROX, EXACT)),
        group_errors(points),
    )


def verdict(*, holds: bool) -> Verdict:
    """Return the verdict on a statement in words."""
    return Verdict.AS_PRINTED if holds else Verdict.NOT_AS_PRINTED


def expected(points: Sequence[Point], mechanism: str) -> Errors:
    """Return a mechanism's expected errors by epsilon and alpha, where it applies."""
    return {
        (one.epsilon, one.alpha): one.expected
        for one in points
        if one.mechanism == mechanism and one.expected is not None
    }


def line_of_gk16(points: Sequence[Point]) -> Finding:
    """Return whether GK16 applies from one alpha on, whatever epsilon is."""
    applies = expected(points, GK16)
    alphas = sorted({one.alpha for one in points})
    by_epsilon = {e: {a for a in alphas if (e, a) in applies} for e, _a in expected(points, EXACT)}
    first = min((min(found) for found in by_epsilon.values() if found), default=None)
    right = {a for a in alphas if first is not None and a >= first}
    holds = first is not None and all(found == right for found in by_epsilon.values())
    before = max((a for a in alphas if first is not None and a < first), default=None)
    return Finding(
        "GK16 applies right of one line in alpha only, the same for every epsilon (Section 5.2)",
        f"it applies from alpha = {told(first)} on, and not at {told(before)}, for every epsilon"
        if holds
        else "there is no such line",
        verdict(holds=holds),
        "the condition, a spectral norm below 1, has no epsilon; where the line is is only drawn",
    )


def told(alpha: Fraction | None) -> str:
    """Return an alpha for a sentence."""
    return "none" if alpha is None else f"{float(alpha):g}"


def fall_with_alpha(points: Sequence[Point]) -> Finding:
    """Return whether each mechanism's expected error falls as alpha grows."""
    rising = [
        f"{mechanism} at epsilon = {float(e):g} from alpha = {told(a)} to {told(b)}"
        for mechanism in (GK16, APPROX, EXACT)
        for errors in [expected(points, mechanism)]
        for (e, a), (other, b) in pairwise(sorted(errors))
        if e == other and errors[e, a] <= errors[e, b]
    ]
    return Finding(
        "errors of GK16, MQMApprox and MQMExact fall as alpha grows (Section 5.2)",
        "expected errors do, everywhere" if not rising else f"not {'; '.join(rising)}",
        verdict(holds=not rising),
        "expected errors are compared, the scale over T; means of trials scatter about them",
    )


def exact_below_approx(points: Sequence[Point]) -> Finding:
    """Return whether MQMExact's expected errors are below MQMApprox's."""
    exact, approx = expected(points, EXACT), expected(points, APPROX)
    ratios = [approx[place] / exact[place] for place in exact]
    return Finding(
        "MQMExact is more accurate than MQMApprox (Section 5.2)",
        f"MQMApprox's error is {min(ratios):.3g} to {max(ratios):.3g} times MQMExact's",
        verdict(holds=min(ratios) > 1),
        "expected errors are compared; our MQMExact has no limit on how wide a quilt may be",
    )


def against_gk16(points: Sequence[Point], mechanism: str) -> Finding:
    """Return whether a quilt mechanism is better than GK16 for some parameters, worse for others.

    The paper's words for how much, "significantly" and "somewhat", are not numbers: in shape.
    """
    other, quilts = expected(points, GK16), expected(points, mechanism)
    ratios = [quilts[place] / other[place] for place in other]
    both = bool(ratios) and min(ratios) < 1 < max(ratios)
    better = sum(ratio < 1 for ratio in ratios)
    found = f"better at {better} of {len(ratios)} points where GK16 applies"
    reach = f"; its error is {min(ratios):.3g} to {max(ratios):.3g} times GK16's" if ratios else ""
    return Finding(
        f"where all apply, {mechanism} is significantly better than GK16 for a range of parameters"
        " and somewhat worse for the rest (Sections 5.2 and 5.4)",
        found + reach,
        Verdict.IN_SHAPE if both else Verdict.NOT_AS_PRINTED,
        "near the line GK16's scale grows without bound, so it loses there; the words for how much"
        " are not numbers",
    )


def group_errors(points: Sequence[Point]) -> Finding:
    """Return whether GroupDP's mean errors are about those of the text, at every alpha together."""
    means, near = [], True
    for epsilon, printed in GROUP_ERRORS.items():
        found = list(group_means(points, epsilon))
        mean = sum(value for value, _error in found) / len(found)
        error = sum(error**2 for _value, error in found) ** 0.5 / len(found)
        near &= abs(mean - printed) <= STANDARD_ERRORS * error
        means.append(f"{mean:.3g} ± {error:.1g}")
    return Finding(
        "GroupDP's error is about 5, 1 and 0.2 at epsilon = 0.2, 1 and 5 (Section 5.2)",
        f"{', '.join(means)} over all alphas",
        verdict(holds=near),
        f"noise of scale T/epsilon on a sum that is divided by T = {LENGTH}; the figure's caption"
        " has the epsilons as 0.5, 1 and 5, with which the first would be 2",
    )


def group_means(points: Sequence[Point], epsilon: Fraction) -> Iterator[tuple[float, float]]:
    """Yield GroupDP's mean errors and their standard errors."""
    for one in points:
        if one.mechanism == GROUP and one.epsilon == epsilon and one.error is not None:
            yield one.error.value, one.error.error
