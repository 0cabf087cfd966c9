"""Table 3 in shape: a household's power in 51 bins of 200 W."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Outcome, Running, Table
from ..registry import Setting
from .mechanisms import HISTOGRAM, MECHANISMS, histogram_error, scales
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
from .table_3_findings import findings

EPSILONS, TRIALS = (0.2, 1.0, 5.0), 20
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
