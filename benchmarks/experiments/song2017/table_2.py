"""Table 2 in shape: the time that a scale takes, by the float64 backend and by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from simulation.chains import NoDataError

from ..outcome import Outcome, Running, Table
from ..registry import Setting
from .mechanisms import APPROX, EXACT
from .series import EXTRASENSORY, UCI, Series, extrasensory, uci_power
from .table_2_findings import findings
from .table_2_timing import DIGITS, ENGINES, SCALES, Problem, Timing, timed

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
