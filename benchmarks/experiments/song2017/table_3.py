"""Table 3 in shape: a household's power in 51 bins of 200 W.

What the paper prints is of other households.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Finding, Outcome, Running, Table, Verdict
from ..registry import Setting
from .mechanisms import APPROX, EXACT, GK16, GROUP, HISTOGRAM, MECHANISMS, histogram_error, scales
from .series import (
    AMPDS,
    POWER_BINS,
    UCI,
    EmpiricalChain,
    Series,
    Source,
    ampds_power,
    series_at_hand,
    uci_power,
)

# song2017 Table 3, at epsilon = 0.2, 1 and 5; each is a mean of 20 trials.
EPSILONS, TRIALS = (0.2, 1.0, 5.0), 20
PRINTED = {
    GROUP: (516.1555, 102.8868, 19.8712),
    APPROX: (0.3369, 0.0614, 0.0113),
    EXACT: (0.1298, 0.0188, 0.0022),
}
# A mean of trials may be so many standard errors off.
STANDARD_ERRORS = 4


def findings(errors: Sequence[Error]) -> tuple[Finding, ...]:
    """Return a finding for each row of the table and each statement."""
    return (
        group_row(),
        group_as_described(),
        *(quilt_row(errors, mechanism) for mechanism in (APPROX, EXACT)),
        order(errors),
        gk16(errors),
    )


def agree(expected: Sequence[float]) -> bool:
    """Return whether GroupDP's printed means are ordinary for such expected errors.

    A bin's error has a standard deviation of its mean: that of the sum of bins, over the trials,
    is the expected error over the root of their number.
    """
    room = STANDARD_ERRORS / (POWER_BINS * TRIALS) ** 0.5
    return all(abs(p / e - 1) <= room for p, e in zip(PRINTED[GROUP], expected, strict=True))


def listed(numbers: Sequence[float]) -> str:
    """Return numbers for a sentence."""
    return ", ".join(f"{number:.4g}" for number in numbers)


def group_row() -> Finding:
    """Return whether noise of scale 2/epsilon on each bin gives GroupDP's row."""
    expected = [HISTOGRAM * POWER_BINS / epsilon for epsilon in EPSILONS]
    return Finding(
        f"GroupDP's errors are {listed(PRINTED[GROUP])} (Table 3)",
        f"noise of scale 2/epsilon on each bin has expected errors of {listed(expected)}",
        Verdict.AS_PRINTED if agree(expected) else Verdict.NOT_AS_PRINTED,
        f"the row is a number of bins and epsilon alone, whatever the series; within"
        f" {STANDARD_ERRORS} standard errors of {TRIALS} trials",
    )


def group_as_described() -> Finding:
    """Return whether the noise that Section 5.1 describes gives GroupDP's row."""
    expected = [POWER_BINS / epsilon for epsilon in EPSILONS]
    return Finding(
        "GroupDP adds noise of scale 1/epsilon to each bin (Section 5.1)",
        f"that has expected errors of {listed(expected)}, which Table 3 does not show",
        Verdict.AS_PRINTED if agree(expected) else Verdict.NOT_AS_PRINTED,
        "the table's noise is the right one: an entry moves two bins, and with 1/epsilon the loss"
        " is 2 epsilon (proofs_notes/song2017/group-baseline.md)",
    )


def quilt_row(errors: Sequence[Error], mechanism: str) -> Finding:
    """Return how a quilt mechanism's row compares with other households' errors."""
    rows = by_series(errors, mechanism)
    texts = [f"{listed(found)} ({name})" for name, found in rows.items()]
    falls = all(list(found) == sorted(found, reverse=True) for found in rows.values())
    return Finding(
        f"{mechanism}'s errors are {listed(PRINTED[mechanism])} at epsilon = 0.2, 1 and 5",
        f"expected errors: {'; '.join(texts)}",
        Verdict.IN_SHAPE if falls else Verdict.NOT_AS_PRINTED,
        "other households, and shorter series: the error is the scale over the length, and the"
        " scale hardly depends on the length; they fall with epsilon as printed",
    )


def by_series(errors: Sequence[Error], mechanism: str) -> dict[str, list[float]]:
    """Return a mechanism's expected errors by series, in the order of epsilon."""
    found: dict[str, list[float]] = {}
    for one in errors:
        if one.mechanism == mechanism and one.expected is not None:
            found.setdefault(one.series, []).append(one.expected)
    return found


def order(errors: Sequence[Error]) -> Finding:
    """Return whether MQMExact is best, then MQMApprox, then GroupDP."""
    group, approx, exact = (by_series(errors, one) for one in (GROUP, APPROX, EXACT))
    triples = [
        triple
        for name in group
        for triple in zip(group[name], approx[name], exact[name], strict=True)
    ]
    holds = all(one > two > three for one, two, three in triples)
    ratios = [two / three for _one, two, three in triples]
    printed = [two / three for two, three in zip(PRINTED[APPROX], PRINTED[EXACT], strict=True)]
    return Finding(
        "GroupDP's error is by far the largest, then MQMApprox's, which is"
        f" {min(printed):.3g} to {max(printed):.3g} times MQMExact's (Table 3)",
        f"{'the same order' if holds else 'another order'}; MQMApprox's is {min(ratios):.3g} to"
        f" {max(ratios):.3g} times MQMExact's",
        Verdict.IN_SHAPE if holds else Verdict.NOT_AS_PRINTED,
        "the ratio is of the chain: how much faster it forgets than its gap tells",
    )


def gk16(errors: Sequence[Error]) -> Finding:
    """Return whether GK16 applies nowhere."""
    applies = sorted(by_series(errors, GK16))
    return Finding(
        "GK16 does not apply (Table 3)",
        f"it applies to {', '.join(applies)}" if applies else "it applies to no series",
        Verdict.NOT_AS_PRINTED if applies else Verdict.AS_PRINTED,
        "a counted chain with transitions that never occurred has infinite influences",
    )


# The paper's series: one piece of about a million minutes.
PRINTED_LENGTH = 1_000_000
HOUSEHOLDS: tuple[Source, ...] = (
    (UCI, uci_power),
    (AMPDS, ampds_power),
)


@dataclass(frozen=True)
class Error:
    """A mechanism's error at one epsilon; None where it does not apply."""

    series: str
    length: int
    epsilon: float
    mechanism: str
    expected: float | None
    error: Mean | None


def table_3(setting: Setting) -> Running:
    """Release each household's histogram, and that of a series as long as the paper's."""
    errors: list[Error] = []
    skipped: list[str] = []
    notes = []
    for number, household in series_at_hand(setting, HOUSEHOLDS, skipped):
        errors += released(setting, household.title, household.chain, household.lengths)
        if len(household.lengths) == 1:
            long = f"{household.title}, as long as the paper's"
            errors += released(setting, long, household.chain, [PRINTED_LENGTH])
        notes.append(about(household))
        yield number / len(HOUSEHOLDS)
    return Outcome((table(errors),), (), findings(errors), tuple(skipped), tuple(notes))


def about(household: Series) -> str:
    """Return what the household's series is: not the paper's two years of another's."""
    chain = household.chain
    return (
        f"{household.title}, not the paper's two years: {sum(household.lengths)} minutes,"
        f" pieces: {len(household.lengths)}; {len(chain.counts)} of {POWER_BINS} states occur;"
        f" pi_min = {chain.stationary_minimum:.3g}, gap of P P* = {chain.gap:.3g}, from the"
        " reference; scales from the float64 backend, MQMExact's with quilts of any width."
    )


def released(
    setting: Setting, title: str, chain: EmpiricalChain, lengths: Sequence[int]
) -> list[Error]:
    """Return the errors of a series of such pieces, at every epsilon."""
    errors, total = [], sum(lengths)
    for epsilon in EPSILONS:
        for mechanism, scale in scales(chain, lengths, epsilon).items():
            if scale is None:
                errors.append(Error(title, total, epsilon, mechanism, None, None))
                continue
            noise = scale * HISTOGRAM / total
            random = setting.generator(title, str(epsilon), mechanism)
            mean = histogram_error(random, noise, TRIALS, POWER_BINS)
            errors.append(Error(title, total, epsilon, mechanism, noise * POWER_BINS, mean))
    return errors


def table(errors: Sequence[Error]) -> Table:
    """Return a row for each series, epsilon and mechanism."""
    order = sorted(errors, key=lambda one: (one.series, MECHANISMS.index(one.mechanism)))
    return Table(
        "errors",
        f"L1 errors of histograms of {POWER_BINS} bins, {TRIALS} trials",
        ("series", "minutes", "mechanism", "epsilon", "expected", "trials", "standard error"),
        tuple(
            (one.series, one.length, one.mechanism, one.epsilon, one.expected)
            + ((one.error.value, one.error.error) if one.error else (None, None))
            for one in order
        ),
        note="Empty: the mechanism does not apply. A series as long as the paper's has the counted"
        " chain and the printed length; no minute of it was drawn, the noise is all of the error.",
    )
