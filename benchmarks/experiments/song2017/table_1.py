"""Table 1 in shape: histograms of what people do, of each and of all, and Figure 4's lower row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Outcome, Plot, Running, Table
from ..registry import Setting
from .mechanisms import DP, HISTOGRAM, MECHANISMS, Scales, float64, histogram_error, laplace, scales
from .series import EXTRASENSORY, KASTEREN, Series, Source, extrasensory, kasteren, series_at_hand
from .table_1_findings import findings
from .table_1_plot import histograms

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
