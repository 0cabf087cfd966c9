"""A simulation on a terminal: first that it is not private, then means beside what is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...reference.exact import exact_text, shown
from ..mechanisms.protocol import Claim
from ..report import print_sentences, quoted
from ..samplers.constants import FALSE_ALARM
from .comparing import Compared, Finding
from .expected import Expected
from .running import Point, Simulation
from .written import NON_CLAIMS, sentences, warning

_COLOURS: Final[Mapping[Finding, str]] = {
    Finding.AGREES: "green",
    Finding.ODD: "yellow",
    Finding.CONTRADICTED: "red",
    Finding.NOTHING: "yellow",
}
# What the draws depend on.
_SHOWN: Final = ("k", "step", "alpha", "scale", "scales")


def print_simulation(console: Console, simulation: Simulation) -> None:
    """Print a simulation; its first line is the warning."""
    console.print(warning(simulation), style="bold red", markup=False, soft_wrap=True)
    console.print(_title(simulation), style=_COLOURS[simulation.finding], markup=False,
                  soft_wrap=True)  # fmt: skip
    for point in simulation.points:
        _print_point(console, point)
    for sentence in sentences(simulation):
        console.print(sentence, markup=False, soft_wrap=True)
    print_sentences(console, "Not claimed:", NON_CLAIMS)


def _title(simulation: Simulation) -> str:
    claim = simulation.claim
    name = quoted(claim.name)
    return (
        f"{simulation.finding.value.upper()}  {name} ({claim.mechanism.name}): "
        f"{simulation.draws} draws, seed {simulation.seed}; a proved contradiction is a false "
        f"alarm with chance {float(FALSE_ALARM):.0e} at most"
    )


def _print_point(console: Console, point: Point) -> None:
    claim = point.claim
    console.print(f"\nepsilon = {exact_text(claim.epsilon)}: {_numbers(claim)}", markup=False,
                  soft_wrap=True)  # fmt: skip
    table = Table("error", "mean", "+-", "is", "", "by", "finding", box=None, pad_edge=False)
    for one in point.compared:
        table.add_row(*map(Text, _cells(one)), Text(one.finding.value, _COLOURS[one.finding]))
    console.print(table)
    if point.chain_left_out:
        console.print("errors of the chain itself are left out: too many states for so many draws",
                      markup=False, soft_wrap=True)  # fmt: skip


def _numbers(claim: Claim) -> str:
    """Return what the draws depend on besides the input."""
    known = claim.parameters.given
    given = ((key, known[key]) for key in _SHOWN if key in known)
    return ", ".join(f"{key} = {_short(value)}" for key, value in given)


def _short(value: object) -> str:
    """Return a number in a few figures; JSON has all of them."""
    return f"{float(value):.12g}" if isinstance(value, Fraction | int) else shown(value)


def _cells(one: Compared) -> Iterator[str]:
    yield one.expected.error
    yield f"{one.mean.value:.6g}"
    yield f"{one.mean.error:.2g}"
    yield {"exact": "=", "upper bound": "<=", "lower bound": ">="}[one.expected.kind.value]
    yield _known(one.expected)
    yield one.expected.what


def _known(expected: Expected) -> str:
    end = expected.high if expected.low is None else expected.low
    return f"? {expected.why_not}" if end is None else f"{float(end):.6g}"
