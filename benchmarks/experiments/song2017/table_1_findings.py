"""What Table 1 and the text beside it say, held against what came out for other people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..outcome import Finding, Verdict
from .mechanisms import APPROX, DP, EXACT, GK16, GROUP

if TYPE_CHECKING:
    from .table_1 import Error

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
