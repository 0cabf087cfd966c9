"""Table 1: the strongest epsilon over the number of zones, on the real counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..curves import curves
from ..numbers import falls
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .zones import Zones, stairs, taxi_zones

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Zones, and the least epsilon, as printed.
PRINTED = (
    (63, 45.39),
    (60, 45.39),
    (55, 19.82),
    (50, 4.690),
    (45, 4.690),
    (40, 3.730),
    (35, 3.078),
    (30, 3.078),
)
# No value of the table is for fewer; a quick run stops sooner.
LEAST, QUICK_LEAST = 30, 17


def table_1(setting: Setting) -> Running:
    """Merge zones one pair after another and say what epsilon is left."""
    zones, remark = taxi_zones(setting)
    least = QUICK_LEAST if setting.quick else LEAST
    steps: list[Zones] = []
    for step in stairs(zones, least):
        steps.append(step)
        yield 1 - (len(step.counts) - least) / len(zones.counts)
    epsilons = [step.epsilon() for step in steps]
    return Outcome(
        tables=(all_steps(steps, epsilons), beside(steps, epsilons)),
        plots=(Plot("table-1", "Zones and the strongest privacy", drawn(steps, epsilons)),),
        findings=findings(steps, epsilons),
        notes=(note(remark),),
    )


def note(remark: str) -> str:
    """Return which data these are, and how zones are merged."""
    return (
        f"{remark}. The paper has 2,933,898 trips of one month, and merges zones that lie next to"
        " each other; here the zone with the largest epsilon is merged with the one that leaves the"
        " least (`markov.model.merge_plan`)."
    )


def all_steps(steps: Sequence[Zones], epsilons: Sequence[float]) -> Table:
    """Return what each number of zones has."""
    rows = tuple(
        (
            len(one.counts),
            epsilon,
            one.delta(),
            one.exact_delta(Fraction(1), epsilon),
            min(one.records),
        )
        for one, epsilon in zip(steps, epsilons, strict=True)
    )
    columns = ("zones", "epsilon (6)", "delta (7)", "exact delta at that epsilon", "least N_i")
    return Table("steps", "Every merge that lowers epsilon, k_i = 3/(2 eta_i)", columns, rows)


def beside(steps: Sequence[Zones], epsilons: Sequence[float]) -> Table:
    """Return the printed table beside ours."""
    rows = tuple((zones, printed, reached(steps, epsilons, zones)) for zones, printed in PRINTED)
    note = "No value: with so many zones some row has no epsilon, or so few were not asked for."
    columns = ("zones", "epsilon, printed", "epsilon, here")
    return Table(
        "table-1", "Strongest privacy for the numbers of zones printed", columns, rows, note
    )


def reached(steps: Sequence[Zones], epsilons: Sequence[float], zones: int) -> float | None:
    """Return the least epsilon that leaves at least so many zones; None if that is not known."""
    fits = [
        epsilon for one, epsilon in zip(steps, epsilons, strict=True) if len(one.counts) >= zones
    ]
    return min(fits) if fits and len(steps[-1].counts) <= zones else None


def findings(steps: Sequence[Zones], epsilons: Sequence[float]) -> tuple[Finding, ...]:
    """Return what the table says, and what came out."""
    down = falls(epsilons)
    below = [
        len(one.counts) for one, epsilon in zip(steps, epsilons, strict=True) if epsilon <= 3.73
    ]
    return (
        Finding(
            "epsilon falls from 45.39 for 63 zones to 3.078 for 30, most of it at once (Table 1)",
            f"from {epsilons[0]:.4g} for {len(steps[0].counts)} zones to {epsilons[-1]:.4g} for"
            f" {len(steps[-1].counts)}; {'each' if down else 'not each'} step lowers it",
            Verdict.IN_SHAPE if down else Verdict.NOT_AS_PRINTED,
            "other trips, and another way to merge; the paper's counts are not printed"
            " (claims benvenuti2025.table-1, benvenuti2025.table-1-merging)",
        ),
        Finding(
            "3.730 is reached with 40 zones (Table 1)",
            f"at most 3.73 with {below[0]} zones" if below else "3.73 is not reached",
            Verdict.IN_SHAPE if below else Verdict.NOT_AS_PRINTED,
            "a row's epsilon at k = 3/(2 eta) depends on its least count, and hardly on how many"
            " trips it has (claim benvenuti2025.zones-records)",
        ),
    )


def drawn(steps: Sequence[Zones], epsilons: Sequence[float]) -> Figure:
    """Return the plot."""
    here = [(len(one.counts), epsilon) for one, epsilon in zip(steps, epsilons, strict=True)]
    lines = {"here": here, "printed": list(PRINTED)}
    axes = {"xlabel": "zones", "ylabel": "least epsilon", "yscale": "log"}
    return curves({"benvenuti2025 Table 1": lines}, **axes)
