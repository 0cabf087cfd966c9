"""How long each mechanism's scale takes: by the float64 backend and by the reference."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError

from .mechanisms import APPROX, EXACT, GK16, float64

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
