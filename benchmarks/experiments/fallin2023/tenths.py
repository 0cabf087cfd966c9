"""Figure 1: the mean absolute difference of the entries of a matrix of tenths, against (15).

Beside it stands what section III-D prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simulation.draws import log_rows

from ..curves import curves
from ..numbers import comes_out, falls, upper
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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


SIZE, TENTH = 10, Fraction(1, 10)
DRAWS, QUICK_DRAWS = 10_000, 200
FULL_KS, QUICK_KS = range(10, 101, 5), (10, 100)
# eta_bar is not printed; with this one k = 100 has the epsilon 22.5 of the plot's right end, as
# claim fallin2023.figure-1-epsilon has it.
PROTECTED, ETA_BAR, STEP, GAMMA = 4, "1/40", "0.05", "0.001"
# Matrices drawn at once: 8 MB.
_BATCH = 10_000


@dataclass(frozen=True)
class Point:
    """One k: its epsilon and delta, the bound (15), the exact mean and the simulated one."""

    k: int
    epsilon: float
    delta: float
    bound: float
    exact: float
    simulated: Mean


def figure_1(setting: Setting) -> Running:
    """Privatise the matrix of tenths at each k."""
    ks = QUICK_KS if setting.quick else FULL_KS
    points = []
    for k in ks:
        points.append(point(setting, k))
        yield len(points) / len(ks)
    return Outcome(
        tables=(table(points),),
        plots=(Plot("figure-1", "Mean absolute difference of the entries", drawn(points)),),
        findings=findings(points, privacy),
        notes=(note(),),
    )


def note() -> str:
    """Return the numbers of the example."""
    return (
        f"n = {SIZE}, all entries 0.1, b = {STEP}, gamma = {GAMMA}, |W| = {PROTECTED}, eta = 0.1,"
        f" and eta_bar = {ETA_BAR}, which is not printed (claim fallin2023.figure-1-epsilon)."
    )


def point(setting: Setting, k: int) -> Point:
    """Return what one k has."""
    draws = QUICK_DRAWS if setting.quick else DRAWS
    return Point(
        k,
        *privacy(str(k)),
        upper("dirichlet.utility.absolute_deviation_bound", k=k),
        upper("dirichlet.utility.absolute_deviation", p=TENTH, k=k),
        mean_difference(setting.generator(k), k, draws),
    )


def privacy(k: str) -> tuple[float, float]:
    """Return epsilon and delta by fallin2023 Theorem 1."""
    given = {"k": k, "eta": TENTH, "rows": [[PROTECTED, GAMMA]]}
    epsilon = upper("dirichlet.matrix.epsilon_bound", **given, eta_bar=ETA_BAR, b=STEP)
    return epsilon, upper("dirichlet.matrix.delta_bound", **given)


def mean_difference(random: np.random.Generator, k: int, draws: int) -> Mean:
    """Return the mean over draws of the mean difference over the entries of each."""
    alphas = np.full((SIZE, SIZE), k * float(TENTH))
    found = [
        np.abs(np.exp(log_rows(random, alphas, min(_BATCH, draws - start))) - float(TENTH))
        for start in range(0, draws, _BATCH)
    ]
    return Mean.of(np.concatenate(found).mean(axis=(1, 2)))


def table(points: Sequence[Point]) -> Table:
    """Return all points."""
    rows = tuple(
        (p.k, p.epsilon, p.delta, p.bound, p.exact, p.simulated.value, p.simulated.error)
        for p in points
    )
    columns = ("k", "epsilon", "delta", "(15)", "exact mean", "simulated", "its error")
    return Table("figure-1", "Mean absolute difference of an entry", columns, rows)


def drawn(points: Sequence[Point]) -> Figure:
    """Return the plot."""
    lines = {
        "bound (15)": [(p.epsilon, p.bound) for p in points],
        "exact mean": [(p.epsilon, p.exact) for p in points],
        "simulated": [(p.epsilon, p.simulated.value) for p in points],
    }
    axes = {"xlabel": "epsilon by Theorem 1", "ylabel": "mean absolute difference"}
    return curves({"fallin2023 Figure 1": lines}, **axes)
