"""Figures 2 and 3: the chain of taxi trips, its zones merged, and private forms of it.

Beside their stationary laws stands what section 6.2 prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference.markov.stationary import stationary_law
from simulation.draws import Array, log_rows, stationary_laws
from simulation.measures import distances

from ..curves import curves
from ..numbers import falls, upper
from ..outcome import Cell, Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .zones import GAMMA, Zones, taxi_zones

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The strongest epsilon of Figures 2 and 3: zones are merged until theirs is at most so much.
TARGET = Fraction("3.73")
DRAWS, QUICK_DRAWS = 1_000, 50
# Draws in one batch: 64 MB of logarithms for 40 zones.
BATCH = 250


@dataclass(frozen=True)
class Point:
    """The chain at one multiple of the least k: its privacy and the laws of its private forms."""

    factor: Fraction
    epsilon: float
    delta: float
    exact_delta: float
    distance: Mean
    mean: Array
    one: Array
    rate: float
    bound: float | None


def merged(setting: Setting) -> tuple[Zones, str]:
    """Return the zones merged to the target, and a sentence on them. Raises NoDataError."""
    zones, remark = taxi_zones(setting)
    found = zones.merged_to(TARGET)
    assert found is not None, "three zones have a smaller epsilon"
    joined = sum(len(names) > 1 for names in found.names)
    return found, (
        f"{remark}. Merged to {len(found.counts)} zones ({joined} of several), the most for which"
        f" `markov.model.merge_plan` finds an epsilon of at most {float(TARGET)}; gamma ="
        f" {float(GAMMA)}. {'Every' if found.meets_the_hypotheses else 'Not every'} row then meets"
        f" Assumptions 3 and 4; each eta is the row's own, from {float(min(found.floors)):.2g} to"
        f" {float(max(found.floors)):.2g}."
    )


def points(setting: Setting, zones: Zones, tenths: Sequence[int]) -> Iterator[Point]:
    """Yield the chain at each multiple, with the proved bound at the first and the last."""
    for tenth in tenths:
        yield point(setting, zones, Fraction(tenth, 10), bounded=tenth in (tenths[0], tenths[-1]))


def point(setting: Setting, zones: Zones, factor: Fraction, *, bounded: bool) -> Point:
    """Privatise the chain so many times at one multiple of the least k."""
    laws = private_laws(setting, zones, factor)
    law = np.array(stationary_law(zones.matrix), dtype=np.float64)
    epsilon = zones.epsilon(factor)
    given = {"P": zones.matrix, "k": zones.k(factor)}
    return Point(
        factor,
        epsilon,
        zones.delta(factor),
        zones.exact_delta(factor, epsilon),
        Mean.of(distances(laws, law)),
        laws.mean(axis=0),
        laws[0],
        # For large k the mean distance comes near to this.
        sqrt(2 / pi) * upper("markov.stationary_rate", **given),
        upper("markov.stationary_bound", **given) if bounded else None,
    )


def private_laws(setting: Setting, zones: Zones, factor: Fraction) -> Array:
    """Return the stationary laws of private chains."""
    random = setting.generator("taxis", str(factor))
    alphas = np.array(zones.k(factor), dtype=np.float64)[:, None] * np.array(
        zones.matrix, dtype=np.float64
    )
    draws = QUICK_DRAWS if setting.quick else DRAWS
    batches = [min(BATCH, draws - start) for start in range(0, draws, BATCH)]
    return np.concatenate([stationary_laws(log_rows(random, alphas, size)) for size in batches])


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
