"""What section 6.1 prints of the grades, beside what came out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from simulation.grades import FLOOR, GRADES, KINDS

from ..certified import upper
from ..judging import comes_out, falls
from ..outcome import Finding, Verdict

if TYPE_CHECKING:
    from .grades import Point

# (6) rounds to 3.31 for k between 31.06 and 31.26 alone; the note has the proof.
SECOND_K = Fraction("31.16")
_CLAIM = "claim benvenuti2025."


def findings(points: Sequence[Point], even: str, uneven: str) -> tuple[Finding, ...]:
    """Return all findings on Figure 1 and its text."""
    return (
        strongest(points[0]),
        second_pair(),
        divergence(points[0], even, uneven),
        tightness(points),
    )


def strongest(first: Point) -> Finding:
    """Return the finding on the pair at the least k."""
    return Finding(
        "epsilon = 2.255 and delta = 0.0026 at k = 20.6 (6.1)",
        f"(6) is {first.epsilon:.5g} and (7) is {first.delta:.5g}; exactly, delta ="
        f" {exact_delta(first.k, '2.255'):.2g} at 2.255",
        as_printed(("2.255", first.epsilon), ("0.0026", first.delta)),
        "neither formula gives its number at the printed inputs, in no rounding of them for"
        f" epsilon; the pair holds all the same ({_CLAIM}section-6-1-epsilon)",
    )


def second_pair() -> Finding:
    """Return the finding on the pair at a larger k."""
    given = {"k": SECOND_K, "eta": FLOOR, "n": KINDS, "gamma": Fraction(4, 10_000)}
    epsilon = upper("dirichlet.counts.epsilon_bound", **given, N=GRADES)
    delta = upper("dirichlet.counts.delta_bound", **given)
    return Finding(
        "delta = 1.3e-4 where epsilon = 3.31 (6.1)",
        f"(7) is {delta:.2g} at k = {float(SECOND_K)}, where (6) is {epsilon:.3f}",
        as_printed(("3.31", epsilon), ("0.00013", delta)),
        f"about half of what is printed, which therefore holds ({_CLAIM}section-6-1-second-pair)",
    )


def as_printed(*pairs: tuple[str, float]) -> Verdict:
    """Return whether each printed number comes out, in some rounding."""
    out = all(comes_out(printed, value) for printed, value in pairs)
    return Verdict.AS_PRINTED if out else Verdict.NOT_AS_PRINTED


def exact_delta(k: Fraction, epsilon: str) -> float:
    """Return the exact delta of all neighbours with shares of at least eta."""
    return upper("dirichlet.profile.delta", alpha=k * FLOOR, step=k / GRADES, epsilon=epsilon)


def divergence(first: Point, even: str, uneven: str) -> Finding:
    """Return the finding on the mean divergence at the least k."""
    others = "".join(
        f", {name} {mean.value:.4f}"
        for name, mean in first.simulated.items()
        if name not in {even, uneven}
    )
    return Finding(
        "mean divergence 0.103 at the smallest epsilon (6.1)",
        f"simulated: {even} {first.simulated[even].value:.4f}, {uneven}"
        f" {first.simulated[uneven].value:.4f}{others}; exactly {first.expected[even]:.4f} to"
        f" {first.expected[uneven]:.4f}",
        Verdict.IN_SHAPE,
        "0.103 is among the means of the counts that N and eta allow; the counts themselves are"
        f" not printed ({_CLAIM}section-6-1-kl)",
    )


def tightness(points: Sequence[Point]) -> Finding:
    """Return the finding on the bound's way to the mean."""
    name = list(points[0].expected)[-1]
    gaps = [one.corollary_1 - one.expected[name] for one in points]
    above = all(one.corollary_1 >= mean for one in points for mean in one.expected.values())
    first, last = points[0], points[-1]
    return Finding(
        "Corollary 1 bounds the mean and comes nearer to it as privacy weakens (Figure 1)",
        f"gap ({name}) from {gaps[0]:.3g} at epsilon = {first.epsilon:.2f} to {gaps[-1]:.3g} at"
        f" {last.epsilon:.2f}; bound over mean from {first.corollary_1 / first.expected[name]:.3f}"
        f" to {last.corollary_1 / last.expected[name]:.3f}",
        Verdict.AS_PRINTED if falls(gaps) and above else Verdict.NOT_AS_PRINTED,
        f"proved ({_CLAIM}corollary-1, {_CLAIM}corollary-1-tightness)",
    )
