"""Figures 2 and 3: the stationary law of private chains of taxi trips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simplexcert.reference.markov.stationary import stationary_law

from ..curves import curves
from ..outcome import Cell, Outcome, Plot, Running, Table
from ..registry import Setting
from .taxi_chain import Point, merged, points
from .taxi_findings import figure_2_findings, figure_3_findings
from .zones import Zones

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# k_i from its least value to three times it, by tenths, as the section has it.
TENTHS = range(10, 31)
# The strongest and the weakest of them.
ENDS = (10, 30)


def figure_2(setting: Setting) -> Running:
    """Put the stationary law beside the private ones at the strongest and the weakest privacy."""
    zones, remark = merged(setting)
    yield 0.2
    found = []
    for one in points(setting, zones, ENDS):
        found.append(one)
        yield 0.2 + 0.4 * len(found)
    law = list(map(float, stationary_law(zones.matrix)))
    return Outcome(
        tables=(law_table(zones, law, found),),
        plots=(Plot("figure-2", "Stationary laws", drawn_laws(law, found)),),
        findings=figure_2_findings(law, found),
        notes=(remark,),
    )


def law_table(zones: Zones, law: Sequence[float], found: Sequence[Point]) -> Table:
    """Return each zone's share of time, and what private chains say of it."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        ("+".join(names), share, *(float(x[at]) for one in found for x in (one.mean, one.one)))
        for at, (names, share) in enumerate(zip(zones.names, law, strict=True))
    )
    each = (
        label
        for one in found
        for label in (f"private mean, epsilon {one.epsilon:.3g}", f"one, {one.epsilon:.3g}")
    )
    return Table("figure-2", "Stationary law by zone", ("zones", "true law", *each), rows)


def drawn_laws(law: Sequence[float], found: Sequence[Point]) -> Figure:
    """Return the plot, zones by their shares."""
    order = sorted(range(len(law)), key=lambda zone: -law[zone])
    lines = {"true law": list(enumerate(law[zone] for zone in order))}
    for one in found:
        label = f"simulated, one draw at epsilon {one.epsilon:.3g}"
        lines[label] = [(at, float(one.one[zone])) for at, zone in enumerate(order)]
    axes = {"xlabel": "zones, most visited first", "ylabel": "share of time"}
    return curves({"benvenuti2025 Figure 2": lines}, **axes)


def figure_3(setting: Setting) -> Running:
    """Average the distance of the stationary laws over the strength of privacy."""
    zones, remark = merged(setting)
    tenths = ENDS if setting.quick else tuple(TENTHS)
    found = []
    for one in points(setting, zones, tenths):
        found.append(one)
        yield len(found) / len(tenths)
    return Outcome(
        tables=(distance_table(found),),
        plots=(Plot("figure-3", "Change of the stationary law", drawn_distances(found)),),
        findings=figure_3_findings(found),
        notes=(remark,),
    )


def distance_table(found: Sequence[Point]) -> Table:
    """Return all points of Figure 3."""
    rows = tuple(
        (
            float(one.factor),
            one.epsilon,
            one.delta,
            one.exact_delta,
            one.distance.value,
            one.distance.error,
            one.rate,
            one.bound,
        )
        for one in found
    )
    columns = (
        "k over least k",
        "epsilon (6)",
        "delta (7)",
        "exact delta there",
        "simulated mean TV",
        "its error",
        "for large k",
        "proved bound",
    )
    note = (
        "For large k the mean comes near to sqrt(2/pi) times markov.stationary_rate. The proved"
        " bound is worked out at the first and the last point alone."
    )
    return Table("figure-3", "Mean total variation distance of the laws", columns, rows, note)


def drawn_distances(found: Sequence[Point]) -> Figure:
    """Return the plot."""
    lines = {
        "simulated": [(one.epsilon, one.distance.value) for one in found],
        "for large k": [(one.epsilon, one.rate) for one in found],
    }
    axes = {"xlabel": "epsilon by (6)", "ylabel": "mean TV distance"}
    return curves({"benvenuti2025 Figure 3": lines}, **axes)
