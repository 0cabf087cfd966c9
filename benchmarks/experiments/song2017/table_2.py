"""Table 2 in shape: the time that a scale takes, by the float64 backend and by the reference."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError
from simulation.chains import NoDataError

from ..outcome import Finding, Outcome, Running, Table, Verdict
from ..registry import Setting
from .mechanisms import APPROX, EXACT, GK16, float64
from .series import EXTRASENSORY, UCI, Series, extrasensory, uci_power

ENGINES = ("float64", "reference")
# Digits of the reference's enclosures: more than a double has.
DIGITS = 17
Ask: TypeAlias = Callable[..., Any]


@dataclass(frozen=True)
class Problem:
    """A chain whose scale is asked for."""

    matrix: list[list[Fraction]]
    initial: str
    lengths: tuple[int, ...]
    gap: str = "eigengap"


@dataclass(frozen=True)
class Timing:
    """The mean seconds of one scale."""

    problem: str
    engine: str
    mechanism: str
    seconds: float


def timed(engine: str, name: str, problems: Sequence[Problem], runs: int) -> Iterator[Timing]:
    """Yield each mechanism's mean seconds, where it applies to one of the problems."""
    ask, number = (float64, float) if engine == "float64" else (reference, Fraction)
    for mechanism, scale in SCALES.items():
        seconds: list[float] = []
        for problem in problems:
            rows = [[number(entry) for entry in row] for row in problem.matrix]
            seconds += durations(partial(scale, ask, problem, rows), runs)
        if seconds:
            yield Timing(name, engine, mechanism, sum(seconds) / len(seconds))


def durations(answered: Callable[[], object], runs: int) -> list[float]:
    """Return the seconds of each run; none where there is no answer."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        try:
            if answered() == float("inf"):
                return []
        except DomainError:
            return []
        found.append(time.perf_counter() - start)
    return found


def reference(name: str, **given: object) -> Any:
    """Answer by the reference: the safe end of an enclosure."""
    answer = evaluate(f"pufferfish.{name}", given, digits=DIGITS)
    return answer.lower if answer.quantity.safe.value == "lower" else answer.upper


def gk16(ask: Ask, problem: Problem, rows: object) -> object:
    """Return GK16's scale."""
    chains = [{"initial": problem.initial, "P": rows}]
    return ask("gk16_scale", chains=chains, length=problem.lengths[-1], epsilon=1)


def approx(ask: Ask, problem: Problem, rows: object) -> object:
    """Return MQMApprox's scale, from the transitions on."""
    least, gap = ask("stationary_minimum", P=rows), ask(problem.gap, P=rows)
    return max(
        ask("quilt_scale_approx", pi_min=least, gap=gap, length=length, epsilon=1)
        for length in problem.lengths
    )


def exact(ask: Ask, problem: Problem, rows: object) -> object:
    """Return MQMExact's scale."""
    chains = [{"initial": problem.initial, "P": rows}]
    lengths = list(problem.lengths)
    return ask("quilt_scale_pieces", chains=chains, lengths=lengths, epsilon=1, width=max(lengths))


SCALES: dict[str, Callable[[Ask, Problem, object], object]] = {
    GK16: gk16,
    APPROX: approx,
    EXACT: exact,
}


# song2017 Table 2: seconds of MQMApprox and MQMExact; three groups are "activity".
_OF_ACTIVITY = ((0.0064, 1.5186), (0.0060, 1.2786), (0.0028, 0.6299))
PRINTED = {
    "synthetic": ((1.8458e-4, 7.6794e-4),),
    "activity": _OF_ACTIVITY,
    "activity, its longest piece": _OF_ACTIVITY,
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


LENGTH, RUNS, QUICK_RUNS = 100, 5, 1
# song2017 Section 5.2: p0 and p1 from 0.1 to 0.9 in steps of 0.01; coarser for the reference.
STEPS = {"float64": Fraction(1, 100), "reference": Fraction(1, 10)}
QUICK_STEP, QUICK_LENGTHS = Fraction(4, 10), 10
FIRST, LAST = Fraction(1, 10), Fraction(9, 10)
SYNTHETIC, ACTIVITY, POWER = "synthetic", "activity", "electricity"
LONGEST = "activity, its longest piece"


def table_2(setting: Setting) -> Running:
    """Time every mechanism's scale on the three problems."""
    runs = QUICK_RUNS if setting.quick else RUNS
    timings: list[Timing] = []
    skipped = []
    for done, engine in enumerate(ENGINES):
        timings += timed(engine, SYNTHETIC, grid(step_of(engine, quick=setting.quick)), 1)
        yield (done + 1) / (len(ENGINES) + 2)
    for done, (name, path, read) in enumerate(
        ((ACTIVITY, EXTRASENSORY, extrasensory), (POWER, UCI, uci_power))
    ):
        try:
            problem = of_series(read(setting.data(path)), quick=setting.quick)
        except NoDataError as error:
            skipped.append(f"{name}: {error}")
            continue
        for engine in ENGINES:
            timings += timed(engine, name, [problem], runs)
            if name == ACTIVITY:
                longest = replace(problem, lengths=problem.lengths[-1:])
                timings += timed(engine, LONGEST, [longest], runs)
        yield (done + 3) / (len(ENGINES) + 2)
    return Outcome(
        (table(timings),), (), findings(timings), tuple(skipped), (about(quick=setting.quick),)
    )


def about(*, quick: bool) -> str:
    """Return what was timed."""
    steps = " and ".join(f"{float(step_of(one, quick=quick)):g} ({one})" for one in ENGINES)
    return (
        "epsilon = 1. MQMApprox's time has that of the least stationary share and of the gap in it;"
        f" the reference encloses, with exact fractions and balls, to {DIGITS} digits. Synthetic:"
        f" the mean over all pairs (p0, p1) from 0.1 to 0.9 in steps of {steps}, any initial law,"
        f" T = {LENGTH}; activity (ExtraSensory) and electricity (UCI): the series of tables 1 and"
        " 3, from the stationary law, activity with the lengths of its pieces and with the longest"
        " alone. Times are this machine's, with other experiments beside them."
    )


def step_of(engine: str, *, quick: bool) -> Fraction:
    """Return the step of the synthetic grid."""
    return QUICK_STEP if quick else STEPS[engine]


def grid(step: Fraction) -> list[Problem]:
    """Return the synthetic chains."""
    stays = [FIRST + at * step for at in range(int((LAST - FIRST) / step) + 1)]
    return [
        Problem([[p, 1 - p], [1 - q, q]], "any", (LENGTH,), "eigengap_reversible")
        for p, q in product(stays, stays)
    ]


def of_series(series: Series, *, quick: bool) -> Problem:
    """Return the problem of a counted chain, with the lengths of its longest pieces where quick."""
    lengths = sorted(set(series.lengths))[-QUICK_LENGTHS if quick else None :]
    return Problem(series.chain.matrix, "stationary", tuple(lengths))


def table(timings: Sequence[Timing]) -> Table:
    """Return a row for each problem and engine."""
    found = {(one.problem, one.engine, one.mechanism): one.seconds for one in timings}
    places = dict.fromkeys((one.problem, one.engine) for one in timings)
    return Table(
        "seconds",
        "Mean seconds of one scale",
        ("problem", "engine", *SCALES, "MQMExact / MQMApprox"),
        tuple(
            (
                *place,
                *(found.get((*place, mechanism)) for mechanism in SCALES),
                found[*place, EXACT] / found[*place, APPROX],
            )
            for place in places
        ),
        note="Empty: the mechanism does not apply.",
    )
