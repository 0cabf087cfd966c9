"""Table 1 in shape: histograms of what people do, of each and of all, and Figure 4's lower row.

What the paper prints is of other people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .mechanisms import (
    APPROX,
    DP,
    EXACT,
    GK16,
    GROUP,
    HISTOGRAM,
    MECHANISMS,
    Scales,
    float64,
    histogram_error,
    laplace,
    scales,
)
from .series import EXTRASENSORY, KASTEREN, Series, Source, extrasensory, kasteren, series_at_hand

# song2017 Table 1, by group and task: MQMApprox's error and MQMExact's.
PRINTED = (
    (0.0107, 0.0074), (0.6319, 0.4077), (0.0156, 0.0098),
    (0.2790, 0.1742), (0.0048, 0.0033), (0.1967, 0.1316),
)  # fmt: skip
Expected = dict[tuple[str, str], dict[str, float | None]]


def findings(errors: Sequence[Error]) -> tuple[Finding, ...]:
    """Return a finding for each statement."""
    found: Expected = {}
    for one in errors:
        found.setdefault((one.group, one.task), {})[one.mechanism] = one.expected
    return below_group(found), below_dp(found), exact_below_approx(found), gk16(found)


def statement(failing: Sequence[str], everywhere: str) -> tuple[str, Verdict]:
    """Return what came out; the data are other people's, so a statement can hold in shape only."""
    if failing:
        return f"not so for {'; '.join(failing)}", Verdict.NOT_AS_PRINTED
    return everywhere, Verdict.IN_SHAPE


def named(place: tuple[str, str]) -> str:
    """Return a group and task for a sentence."""
    return ", ".join(place)


def ratios(found: Expected, above: str, below: str) -> dict[str, float]:
    """Return how many times one mechanism's expected error is another's, where both have one."""
    return {
        named(place): over / under
        for place, row in found.items()
        for over, under in [(row.get(above), row.get(below))]
        if over is not None and under is not None
    }


def spread(numbers: Sequence[float]) -> str:
    """Return the least and the largest."""
    return f"{min(numbers):.3g} to {max(numbers):.3g}"


def below_group(found: Expected) -> Finding:
    """Return whether both quilt mechanisms beat GroupDP everywhere."""
    approx, exact = ratios(found, GROUP, APPROX), ratios(found, GROUP, EXACT)
    failing = [place for place in approx if approx[place] <= 1 or exact[place] <= 1]
    text, verdict = statement(
        failing,
        f"GroupDP's error is {spread([*approx.values()])} times MQMApprox's and"
        f" {spread([*exact.values()])} times MQMExact's",
    )
    return Finding(
        "in every column of Table 1 both quilt mechanisms are significantly better than GroupDP",
        text,
        verdict,
        "how much is had from the longest piece against the time that the chain takes to forget",
    )


def below_dp(found: Expected) -> Finding:
    """Return whether both quilt mechanisms beat differential privacy on the aggregate."""
    approx, exact = ratios(found, DP, APPROX), ratios(found, DP, EXACT)
    failing = [place for place in approx if approx[place] <= 1 or exact[place] <= 1]
    text, verdict = statement(
        failing,
        f"DP's error is {spread([*approx.values()])} times MQMApprox's and"
        f" {spread([*exact.values()])} times MQMExact's",
    )
    return Finding(
        "on aggregate data both are significantly better than DP, which hides a person as a whole"
        " (Table 1, Section 5.3.1)",
        text,
        verdict,
        "the two hide different things: a record in its chain, and a person",
    )


def exact_below_approx(found: Expected) -> Finding:
    """Return whether MQMExact beats MQMApprox, and by how much."""
    by_place = ratios(found, APPROX, EXACT)
    failing = [place for place, ratio in by_place.items() if ratio < 1]
    printed = [approx / exact for approx, exact in PRINTED]
    text, verdict = statement(failing, f"{spread([*by_place.values()])} times")
    return Finding(
        f"MQMApprox's error is {spread(printed)} times MQMExact's (ratios of Table 1's numbers)",
        text,
        verdict,
        "the chains are other ones; short pieces leave both with the trivial quilt, ratio 1",
    )


def gk16(found: Expected) -> Finding:
    """Return whether GK16 applies nowhere."""
    applies = [named(place) for place, row in found.items() if row.get(GK16) is not None]
    text, verdict = statement(applies, "it applies to none of ours")
    return Finding(
        "GK16 applies to none of the tasks: the spectral norm is above 1 (Section 5.3.1)",
        text,
        verdict,
        "its influences are of one step, and people seldom change what they do within a minute; an"
        " impossible transition makes them infinite",
    )


Bars = dict[str, NDArray[np.float64]]


def histograms(setting: Setting, group: Series, found: Scales, epsilon: float) -> Figure:
    """Return the exact histogram of the group beside one private one of each mechanism."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    panel: Any = figure.subplots()
    heights = bars(setting, group, found)
    places, width = np.arange(len(group.bins)), 1 / (len(heights) + 1)
    for number, (label, shares) in enumerate(heights.items()):
        panel.bar(places + number * width, shares, width, label=label)
    panel.set_xticks(places + width * (len(heights) - 1) / 2, group.bins)
    panel.set(ylabel="share of records", title=f"{group.title}, epsilon = {epsilon:g}")
    panel.legend()
    return figure


def bars(setting: Setting, group: Series, found: Scales) -> Bars:
    """Return the heights: exact, and of one release of each mechanism that applies."""
    shares, records = group.shares(), sum(group.lengths)
    heights = {"exact": shares}
    for mechanism, scale in found.items():
        if scale is not None:
            random = setting.generator(group.title, "histogram", mechanism)
            noise = laplace(random, scale * HISTOGRAM / records, 1, len(group.bins))
            heights[mechanism] = shares + noise[0]
    return heights


EPSILON, TRIALS, QUICK_PEOPLE = 1.0, 20, 3
GROUPS: tuple[Source, ...] = (
    (EXTRASENSORY, extrasensory),
    (KASTEREN, kasteren),
)
AGGREGATE, INDIVIDUAL = "aggregate", "individual"


@dataclass(frozen=True)
class Error:
    """A mechanism's error on a task of a group: expected, and of the trials; None: no such."""

    group: str
    task: str
    mechanism: str
    expected: float | None
    error: Mean | None


def table_1(setting: Setting) -> Running:
    """Release the histograms of each group with each mechanism."""
    errors: list[Error] = []
    skipped: list[str] = []
    plots, notes = [], []
    for number, group in series_at_hand(setting, GROUPS, skipped):
        found = scales(group.chain, group.lengths, EPSILON)
        errors += errors_of(setting, group, found)
        figure = histograms(setting, group, found, EPSILON)
        title = f"Exact and private shares, {group.title}"
        plots.append(Plot(f"histogram-{number}", title, figure))
        notes.append(about(group))
        yield number / len(GROUPS)
    return Outcome((table(errors),), tuple(plots), findings(errors), tuple(skipped), tuple(notes))


def about(group: Series) -> str:
    """Return what the group is: not the paper's cyclists, older and overweight women."""
    chain = group.chain
    return (
        f"{group.title}, not one of the paper's three groups: {sum(group.lengths)} records,"
        f" pieces without a gap of more than ten minutes: {len(group.lengths)}, the longest of"
        f" {max(group.lengths)}; states {', '.join(group.bins)}; about a record a minute, where the"
        f" paper has one in 12 seconds. pi_min = {chain.stationary_minimum:.3g}, gap of P P* ="
        f" {chain.gap:.3g}, from the reference; scales from the float64 backend."
    )


def errors_of(setting: Setting, group: Series, found: Scales) -> list[Error]:
    """Return the errors of both tasks; the scales are those of all pieces."""
    total, errors = sum(group.lengths), []
    for mechanism, scale in {DP: person_scale(group), **found}.items():
        random = setting.generator(group.title, AGGREGATE, mechanism)
        errors.append(error_of(random, group, mechanism, scale, total))
    return errors + individual_errors(setting, group)


def person_scale(group: Series) -> float:
    """Return the scale that hides all records of one person, as differential privacy does."""
    most = max(sum(map(len, pieces)) for pieces in group.people)
    return float64("group_scale", lipschitz=1.0, size=most, epsilon=EPSILON)


def error_of(
    random: np.random.Generator, group: Series, mechanism: str, scale: float | None, records: int
) -> Error:
    """Return the error of the histogram over so many records."""
    if scale is None:
        return Error(group.title, AGGREGATE, mechanism, None, None)
    noise, bins = scale * HISTOGRAM / records, len(group.bins)
    mean = histogram_error(random, noise, TRIALS, bins)
    return Error(group.title, AGGREGATE, mechanism, noise * bins, mean)


def individual_errors(setting: Setting, group: Series) -> list[Error]:
    """Return the errors of people's own histograms, averaged over the people."""
    people = group.people[: QUICK_PEOPLE if setting.quick else None]
    lengths = [[len(piece) for piece in pieces] for pieces in people]
    found = [scales(group.chain, one, EPSILON) for one in lengths]
    return [Error(group.title, INDIVIDUAL, DP, None, None)] + [
        individual_error(
            setting.generator(group.title, INDIVIDUAL, mechanism),
            group,
            mechanism,
            [one[mechanism] for one in found],
            [sum(one) for one in lengths],
        )
        for mechanism in MECHANISMS
    ]


def individual_error(
    random: np.random.Generator,
    group: Series,
    mechanism: str,
    found: Sequence[float | None],
    records: Sequence[int],
) -> Error:
    """Return the average over people; each trial releases everyone's histogram once."""
    known = [
        scale * HISTOGRAM / many
        for scale, many in zip(found, records, strict=True)
        if scale is not None
    ]
    if len(known) < len(found):
        return Error(group.title, INDIVIDUAL, mechanism, None, None)
    bins = len(group.bins)
    noise = [np.abs(laplace(random, scale, TRIALS, bins)).sum(axis=1) for scale in known]
    mean = Mean.of(np.mean(noise, axis=0))
    return Error(group.title, INDIVIDUAL, mechanism, bins * sum(known) / len(known), mean)


def table(errors: Sequence[Error]) -> Table:
    """Return all errors, a row for each mechanism, task and group."""
    return Table(
        "errors",
        f"L1 errors at epsilon = {EPSILON:g}, {TRIALS} trials",
        ("group", "task", "mechanism", "expected", "trials", "standard error"),
        tuple(
            (one.group, one.task, one.mechanism, one.expected)
            + ((one.error.value, one.error.error) if one.error else (None, None))
            for one in errors
        ),
        note="Empty: the mechanism does not apply (DP: one person's records are all of the data).",
    )
