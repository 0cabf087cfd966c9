"""What Table 2 says of times, held against the times of this run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..outcome import Finding, Verdict
from .mechanisms import APPROX, EXACT

if TYPE_CHECKING:
    from .table_2_timing import Timing

# song2017 Table 2: seconds of MQMApprox and MQMExact; three groups are "activity".
ACTIVITY = ((0.0064, 1.5186), (0.0060, 1.2786), (0.0028, 0.6299))
PRINTED = {
    "synthetic": ((1.8458e-4, 7.6794e-4),),
    "activity": ACTIVITY,
    "activity, its longest piece": ACTIVITY,
    "electricity": ((0.0567, 282.2273),),
}
# Section 5.3.2: under five minutes.
FIVE_MINUTES = 300


def findings(timings: Sequence[Timing]) -> tuple[Finding, ...]:
    """Return a finding for each problem's ratio, and one for the longest time."""
    ratios = [ratio(timings, name) for name in PRINTED if any(t.problem == name for t in timings)]
    return *ratios, longest(timings)


def ratio(timings: Sequence[Timing], name: str) -> Finding:
    """Return whether MQMExact takes longer than MQMApprox, and how much."""
    printed = sorted({f"{exact / approx:.3g}" for approx, exact in PRINTED[name]})
    found = {
        exact.engine: exact.seconds / approx.seconds
        for exact in timings
        for approx in timings
        if (exact.problem, exact.mechanism, approx.mechanism) == (name, EXACT, APPROX)
        and (approx.problem, approx.engine) == (name, exact.engine)
    }
    longer = all(value > 1 for value in found.values())
    return Finding(
        f"{name}: MQMExact takes {', '.join(printed)} times as long as MQMApprox (Table 2)",
        "; ".join(f"{value:.3g} times ({engine})" for engine, value in found.items()),
        Verdict.IN_SHAPE if longer else Verdict.NOT_AS_PRINTED,
        "other algorithms for the same scales: MQMExact looks only at nodes and quilts that can"
        " decide, and at all pieces together; MQMApprox finds eigenvalues first and is asked for"
        " each length of a piece",
    )


def longest(timings: Sequence[Timing]) -> Finding:
    """Return whether every scale takes less than five minutes."""
    most = max(timings, key=lambda one: one.seconds)
    return Finding(
        "MQMExact takes 282 s at most, which is under five minutes (Table 2, Section 5.3.2)",
        f"{most.seconds:.3g} s at most ({most.mechanism}, {most.problem}, {most.engine})",
        Verdict.IN_SHAPE if most.seconds < FIVE_MINUTES else Verdict.NOT_AS_PRINTED,
        "another machine, and a shorter series of electricity",
    )
