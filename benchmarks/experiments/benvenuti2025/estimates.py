"""Figure 4: how far the sampled delta is from the true one, over the number of samples.

Appendix A samples from each of n - 1 extreme points and takes the largest fraction that misses the
good set. All extreme points are permutations of one (claim benvenuti2025.delta-extreme-points), so
that each fraction has the same law; the largest of several is too large in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from simulation.grades import FLOOR, KINDS, K

from ..curves import curves
from ..numbers import falls
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .sampled_delta import POINTS, Point, gammas_by_delta, point

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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


SAMPLES, QUICK_SAMPLES = (10**2, 10**3, 10**4, 10**5, 10**6), (10**2, 10**3)


def figure_4(setting: Setting) -> Running:
    """Sample delta again and again, for the delta of the grades and for a larger one."""
    found: dict[float, list[Point]] = {}
    gammas = gammas_by_delta()
    samples = QUICK_SAMPLES if setting.quick else SAMPLES
    for delta, gamma in gammas.items():
        found[delta] = []
        for size in samples:
            found[delta].append(point(setting, delta, gamma, size))
            yield sum(map(len, found.values())) / (len(gammas) * len(samples))
    return Outcome(
        tables=tuple(table(delta, points) for delta, points in found.items()),
        plots=(Plot("figure-4", "Mean relative error of a sampled delta", drawn(found)),),
        findings=findings(found),
        notes=(note(gammas),),
    )


def note(gammas: dict[float, float]) -> str:
    """Return what is sampled, and at which numbers."""
    return (
        f"n = {KINDS}, k = {float(K)}, eta = {float(FLOOR)}; delta is dirichlet.counts.delta_bound,"
        f" certified: {', '.join(f'{delta:.5g}' for delta in gammas)} at gamma ="
        f" {', '.join(f'{gamma:.5g}' for gamma in gammas.values())}. The paper prints none of the"
        " figure's k, eta, gamma and n."
    )


def table(delta: float, points: Sequence[Point]) -> Table:
    """Return the errors for one delta."""
    rows = tuple(
        (
            p.samples,
            p.estimates,
            p.one.value,
            p.one.error,
            p.exact,
            p.largest.value,
            p.largest.error,
        )
        for p in points
    )
    columns = (
        "samples M",
        "estimates",
        "one fraction",
        "its error",
        "one fraction, exactly",
        f"largest of {POINTS}",
        "its error, largest",
    )
    name = f"delta-{delta:.4f}".replace(".", "-")
    return Table(name, f"Mean relative error of the sampled delta, {delta:.5g}", columns, rows)


def drawn(found: dict[float, list[Point]]) -> Figure:
    """Return the plot: a panel for each delta."""
    panels = {
        f"benvenuti2025 Figure 4, delta = {delta:.4g}": {
            "simulated, largest of four": [(p.samples, p.largest.value) for p in points],
            "simulated, one fraction": [(p.samples, p.one.value) for p in points],
            "one fraction, exactly": [(p.samples, p.exact) for p in points],
        }
        for delta, points in found.items()
    }
    axes = {"xlabel": "samples", "ylabel": "mean relative error", "xscale": "log"}
    return curves(panels, **axes, yscale="log")
