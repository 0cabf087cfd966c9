"""Figure 1: epsilon as Theorem 1 has it and with its Betas replaced, at the best gamma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from ..curves import curves
from ..numbers import upper
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Eta, eta_bar and k of the three panels; |W| = 3 and b = 0.1 in all of them.
CASES = (("0.15", "0.15", "6.7"), ("0.2", "0.2", "5.1"), ("0.25", "0.25", "4.1"))
PROTECTED, STEP = 3, "0.1"
# Delta from 0.02 to 0.1, in thousandths.
DELTAS, QUICK_DELTAS = range(20, 101, 4), (20, 100)
# What doubles of both epsilons leave of their difference, which does not change with gamma.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Point:
    """One case at one delta: the largest gamma that it allows, and both epsilons there."""

    case: int
    delta: Fraction
    gamma: float
    epsilon: float
    simplified: float

    @property
    def offset(self) -> float:
        """Return by how much the simplified epsilon is larger."""
        return self.simplified - self.epsilon


def figure_1(setting: Setting) -> Running:
    """Work out both epsilons; nothing is drawn at random here."""
    deltas = QUICK_DELTAS if setting.quick else DELTAS
    points = []
    for case in range(len(CASES)):
        points += [point(case, Fraction(delta, 1000)) for delta in deltas]
        yield (case + 1) / len(CASES)
    return Outcome(
        tables=(table(points),),
        plots=(Plot("figure-1", "Original and approximated epsilon", drawn(points)),),
        findings=findings(points),
        notes=(note(),),
    )


def note() -> str:
    """Return how gamma is found."""
    return (
        "All of these numbers are certified, none is measured. gamma is dirichlet.identity.gamma,"
        " the largest with the delta: (16) as printed would take the smallest (claim"
        " gohari2020.equation-16). In the third case 3 eta + eta_bar = 1, which leaves a single"
        " input and no neighbours."
    )


def point(case: int, delta: Fraction) -> Point:
    """Return one case at one delta."""
    eta, bar, k = CASES[case]
    gamma = upper("dirichlet.identity.gamma", k=k, eta=eta, w=PROTECTED, delta=delta)
    given = {"k": k, "eta": eta, "eta_bar": bar, "b": STEP, "w": PROTECTED, "gamma": gamma}
    original, simplified = (
        upper(f"dirichlet.identity.epsilon_{which}", **given) for which in ("bound", "simplified")
    )
    return Point(case, delta, gamma, original, simplified)


def table(points: Sequence[Point]) -> Table:
    """Return all points."""
    rows = tuple(
        (
            f"eta = eta_bar = {CASES[p.case][0]}, k = {CASES[p.case][2]}",
            float(p.delta),
            p.gamma,
            p.epsilon,
            p.simplified,
            p.offset,
        )
        for p in points
    )
    columns = ("case", "delta", "gamma", "epsilon, original", "epsilon, approximated", "offset")
    return Table("figure-1", "Both epsilons at the best gamma", columns, rows)


def drawn(points: Sequence[Point]) -> Figure:
    """Return the plot: a panel for each case."""
    panels = {
        f"eta = eta_bar = {eta}, k = {k}": {
            "approximated": [(float(p.delta), p.simplified) for p in points if p.case == case],
            "no approximation": [(float(p.delta), p.epsilon) for p in points if p.case == case],
        }
        for case, (eta, _, k) in enumerate(CASES)
    }
    return curves(panels, xlabel="delta", ylabel="epsilon", ylim=(0, 6))


def findings(points: Sequence[Point]) -> tuple[Finding, ...]:
    """Return what the figure and the remark on it say, and what came out."""
    offsets = [[p.offset for p in points if p.case == case] for case in range(len(CASES))]
    down = all(max(after) < min(before) for before, after in pairwise(offsets))
    constant = all(max(of) - min(of) < _ROUNDING for of in offsets)
    listed = ", ".join(f"{min(of):.3f}" for of in offsets)
    return (
        Finding(
            "the approximated epsilon is larger by an offset, the smaller the smaller epsilon is"
            " (Figure 1, Remark after Lemma 5)",
            f"offsets {listed} in the three cases",
            Verdict.AS_PRINTED if down and min(offsets[-1]) > 0 else Verdict.NOT_AS_PRINTED,
            "so from case to case; along one curve it is"
            f" {'constant: it does not depend on gamma' if constant else 'not constant'}"
            " (claim gohari2020.figure-1)",
        ),
        Finding(
            "epsilon between 0 and 6 for delta from 0.02 to 0.1 (axes of Figure 1)",
            f"original from {min(p.epsilon for p in points):.3f} to"
            f" {max(p.epsilon for p in points):.3f}, approximated up to"
            f" {max(p.simplified for p in points):.3f}",
            Verdict.IN_SHAPE
            if all(0 < p.epsilon < p.simplified < 6 for p in points)
            else Verdict.NOT_AS_PRINTED,
            "the points of the curves are not printed",
        ),
    )
