"""What the draws of samplers came to: a row a point, and a line for each that failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...reference.dyadic import rational_decimal
from ..samplers import SamplerResult, Tested
from ..samplers.statistics import as_written
from ..verdict import Verdict

COLUMNS = ("sampler", "at", "verdict", "draws", "tests", "oddest", "tail at most")
_FIGURES = 3


def sampler_row(result: SamplerResult) -> tuple[str, ...]:
    """Return what stands in a table of samplers, in the order of its columns."""
    worst = result.worst()
    return (
        result.sampler,
        parameters_said(result),
        result.verdict.value,
        str(result.draws),
        str(len(result.tests)),
        worst.event.name if worst else "",
        _tail(worst) if worst else "",
    )


def sampler_violations(results: Iterable[SamplerResult]) -> Iterator[str]:
    """Yield a line for each point that failed: the oddest count, or why there is none."""
    for result in results:
        where = f"sampler {result.sampler} at {parameters_said(result)}, seed {result.point.seed}"
        if result.verdict is Verdict.ERROR:
            yield f"error: {where}: {result.reason}"
        worst = result.worst()
        if worst and result.verdict is Verdict.REFUTED:
            refuting = sum(test.verdict is Verdict.REFUTED for test in result.tests)
            more = f" ({refuting - 1} more tests refute it there)" if refuting > 1 else ""
            yield f"refuted: {where}: {_counted(worst)}{more}"


def _counted(test: Tested) -> str:
    ends = test.event.probability().decimals()
    named = as_written(test.event.parameters())
    about = f" {named}" if named else ""
    return (
        f"{test.event.name}{about}: {test.count} of {test.event.trials}, with probability in "
        f"[{ends['lower']}, {ends['upper']}]; so odd a count comes with probability {_tail(test)} "
        "at most"
    )


def parameters_said(result: SamplerResult) -> str:
    """Return the parameters as people write them, each the shortest text for its double."""
    (name, value), *_ = result.point.given().items()
    return f"{name} = {value!r}"


def _tail(test: Tested) -> str:
    return rational_decimal(test.tail.upper, _FIGURES, up=True)
