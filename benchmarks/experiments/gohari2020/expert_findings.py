"""What section VI prints of the experts, beside what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..judging import comes_out
from ..outcome import Finding, Verdict

if TYPE_CHECKING:
    from .experts import Outputs, Spread

EPSILON = "1.18"
# A guess is high where it is right more often than this; the paper gives no number.
HIGH = 0.6


def findings(
    epsilon: float, found: Sequence[Outputs], spreads: Sequence[Spread]
) -> tuple[Finding, ...]:
    """Return all findings on section VI."""
    return privacy(epsilon), variances(found[0], spreads), guessing(found[0]), two_ks(found)


def privacy(epsilon: float) -> Finding:
    """Return the finding on the pair of epsilon and delta."""
    return Finding(
        f"({EPSILON}, 0.05) by Theorem 2 (VI)",
        f"(18) with N = 100 for n is {epsilon:.4f} at the best gamma",
        Verdict.AS_PRINTED if comes_out(EPSILON, epsilon) else Verdict.NOT_AS_PRINTED,
        "in no rounding; the pair holds all the same (claim gohari2020.section-6-epsilon)",
    )


def variances(one: Outputs, spreads: Sequence[Spread]) -> Finding:
    """Return the finding on the variances of Table I."""
    exact = [value for values in one.variances.values() for value in values]
    listed = "; ".join(
        f"{spread.least:.4f} to {spread.largest:.4f} for {spread.runs} runs, {spread.above:.0%} of"
        " the tables with one above 0.01"
        for spread in spreads
    )
    return Finding(
        "six variances from 0.0092 to 0.0102, the desired 0.01 being achieved (Table I)",
        f"exactly {min(exact):.4f} to {max(exact):.4f}; of the outputs {listed}",
        Verdict.IN_SHAPE,
        "0.01 bounds the mechanism's variance, and three of the six printed are above it: so much"
        " comes of few runs, whose number is not printed (claim gohari2020.table-1-outputs)",
    )


def guessing(one: Outputs) -> Finding:
    """Return the finding on telling the collections apart."""
    right = (1 + one.apart) / 2
    return Finding(
        "an output does not tell P from Q with high probability (Figure 3)",
        f"the best guess at k = {one.k} is right with probability {right:.4f}, in"
        f" {one.guessed.value:.4f} of the outputs",
        Verdict.AS_PRINTED if right < HIGH else Verdict.NOT_AS_PRINTED,
        "by the certified total variation distance; below 0.515 for the printed means (claim"
        " gohari2020.figure-3-indistinguishable)",
    )


def two_ks(found: Sequence[Outputs]) -> Finding:
    """Return the finding on the smaller k."""
    more, less = found
    wider = min(less.variances["P"]) > max(more.variances["P"])
    return Finding(
        "at k = 10 outputs are less concentrated and miss the good set more often (VI)",
        f"variances up to {max(less.variances['P']):.4f} against {max(more.variances['P']):.4f};"
        f" missed from the worst input {less.missed.value:.4f} against {more.missed.value:.4f},"
        f" certified {less.missing:.4f} against {more.missing:.4f}",
        Verdict.AS_PRINTED
        if wider and less.missing > more.missing and less.missed.value > more.missed.value
        else Verdict.NOT_AS_PRINTED,
        "at the gamma of k = 24 for both (claim gohari2020.figure-3-omega2)",
    )
