"""A simulation as JSON, as CSV, and on a terminal; each begins with the warning: not private."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...reference.enclosure import Enclosure
from ...reference.exact import exact_decimals, exact_text, shown
from ..mechanisms.protocol import Claim
from ..report import print_folded, print_sentences, print_table, quoted
from ..samplers import FALSE_ALARM
from .comparing import (
    BERNSTEIN,
    CHERNOFF,
    EXACTLY,
    STANDARD_ERRORS,
    Compared,
    Finding,
    Mean,
)
from .errors import ERRORS
from .expected import DIGITS, Expected
from .running import Point, Simulation

_NOT_PRIVATE: Final = (
    "NOT PRIVATE: a simulation in fast floats, for studies of utility; nothing in it is a release"
)
# Where the input was read from data.
_FROM_DATA: Final = (
    "NOT PRIVATE: what follows was worked out from the data themselves, and tells of them; where "
    "they are private, it may not leave your hands"
)
_NON_CLAIMS: Final = (
    "That anything here is private, or was drawn as a release is.",
    (
        "That a release is as near: it is rounded to its grid, and these draws are not. On a "
        "coarse grid, or where shares are tiny, that can be most of its error."
    ),
    "That the claim holds: simulate decides no claim, audit does.",
    "That the input is one that the claim's hypotheses admit.",
    (
        f"That what agrees is right: it is within {STANDARD_ERRORS} standard errors of what is "
        "proved, or on its safe side."
    ),
    (
        "That what is odd is wrong: standard errors are held against the normal law, which a mean "
        "only comes near to; more draws decide."
    ),
    (
        "What a contradiction comes from: the draws, doubles, or what is stated. Where the draws "
        "follow their law and what is stated is true, a run contradicts any of it with chance "
        f"{exact_decimals(FALSE_ALARM)} at most, as far as doubles are as good as is assumed: an "
        "error is right to a millionth of itself."
    ),
)
# How each test decides; what has none is told by standard errors alone.
_TESTS: Final = {
    CHERNOFF: "Chernoff's bound with the exact moment generating function: proved",
    BERNSTEIN: "empirical Bernstein inequality for bounded errors: proved",
    EXACTLY: "compared with the mean that the law's moments have: proved, without any draw",
}
_COLUMNS: Final = (
    "epsilon", "error", "mean", "standard_error", "known", "what", "low", "high", "finding",
    "standard_errors_off", "test",
)  # fmt: skip


def _warning(simulation: Simulation) -> str:
    """Return the first line of everything that is written."""
    return _NOT_PRIVATE if simulation.data is None else _FROM_DATA


def as_json(simulation: Simulation) -> dict[str, object]:
    """Return a simulation in its published shape: no real number is a JSON float."""
    return {
        "schema_version": 1,
        "warning": _warning(simulation),
        "private": False,
        "finding": simulation.finding.value,
        "claim": simulation.where,
        "name": simulation.claim.name,
        "mechanism": simulation.claim.mechanism.name,
        "data": simulation.data,
        "draws": simulation.draws,
        "seed": str(simulation.seed),
        "false_alarm": exact_text(FALSE_ALARM),
        "standard_errors": STANDARD_ERRORS,
        "errors": {name: ERRORS[name] for name in simulation.points[0].means},
        "tests": _TESTS,
        "points": [_point(point) for point in simulation.points],
        "non_claims": _NON_CLAIMS,
    }


def _point(point: Point) -> Mapping[str, object]:
    claim = point.claim.as_json()
    return {
        "claim": claim["claim"],
        "release": claim["release"],
        "chain_left_out": point.chain_left_out,
        "means": {error: _mean(mean) for error, mean in point.means.items()},
        "compared": [_compared(one) for one in point.compared],
    }


def _mean(mean: Mean) -> Mapping[str, str]:
    return {"mean": _number(mean.value), "standard_error": _number(mean.error)}


def _number(value: float) -> str:
    """Return a double as the shortest text that is read as itself."""
    return repr(float(value))


def _rounded(value: Fraction, *, up: bool) -> str:
    """Return an exact number in a few digits, rounded outward."""
    return Enclosure.of(value).decimals(DIGITS)[1 if up else 0]


def _compared(one: Compared) -> Mapping[str, object]:
    expected = one.expected
    chance = one.log_chance
    return {
        "error": expected.error,
        "known": expected.kind.value,
        "what": expected.what,
        "source": expected.source,
        "low": None if expected.low is None else _rounded(expected.low, up=False),
        "high": None if expected.high is None else _rounded(expected.high, up=True),
        "why_not": expected.why_not or None,
        "finding": one.finding.value,
        "standard_errors_off": _number(one.off),
        "test": one.test,
        "log10_chance_at_most": None if chance is None else _number(chance / math.log(10)),
    }


def table_of(simulation: Simulation) -> str:
    """Return all comparisons as CSV; its first line is the warning."""
    stream = io.StringIO()
    stream.write(f"# {_warning(simulation)}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for point in simulation.points:
        writer.writerows(_lines(point))
    return stream.getvalue()


def _lines(point: Point) -> Iterator[list[str]]:
    for one in point.compared:
        expected, mean = one.expected, one.mean
        ends = (("low", expected.low), ("high", expected.high))
        yield [
            exact_text(point.claim.epsilon),
            expected.error,
            _number(mean.value),
            _number(mean.error),
            expected.kind.value,
            expected.what,
            *("" if end is None else _rounded(end, up=key == "high") for key, end in ends),
            one.finding.value,
            _number(one.off),
            one.test or "",
        ]


def _sentences(simulation: Simulation) -> list[str]:
    """Return one sentence for each comparison that is odd or contradicted."""
    grave = (Finding.CONTRADICTED, Finding.ODD)
    return [
        _sentence(point, one)
        for finding in grave
        for point in simulation.points
        for one in point.compared
        if one.finding is finding
    ]


def _sentence(point: Point, one: Compared) -> str:
    expected, word = one.expected, one.finding.value.upper()
    said = expected.high if expected.low is None else expected.low
    bound = "" if said is None else f" = {float(said):.6g}"
    how = f"{one.off:.3g} standard errors beyond it"
    if one.finding is Finding.CONTRADICTED and one.log_chance is not None:
        how = "the law itself has another mean"
        if math.isfinite(one.log_chance):
            chance = one.log_chance / math.log(10)
            how = f"chance at most 10^{math.ceil(chance)} if it were right ({one.test})"
    return (
        f"{word}  {expected.error} at epsilon = {exact_decimals(point.claim.epsilon)}: simulated "
        f"{one.mean.value:.6g} +- {one.mean.error:.2g}, {expected.kind.value} "
        f"{expected.what}{bound}; {how}"
    )


_COLOURS: Final[Mapping[Finding, str]] = {
    Finding.AGREES: "green",
    Finding.ODD: "yellow",
    Finding.CONTRADICTED: "red",
    Finding.NOTHING: "yellow",
}
_FALSE_ALARM: Final = (
    f"a contradiction is a false alarm with chance {float(FALSE_ALARM):.0e} at most"
)
# Of a double, 17 figures are all.
_FIGURES, _ALL_FIGURES = 6, 17
# What the draws depend on.
_SHOWN: Final = ("k", "step", "alpha", "scale", "scales")


def print_simulation(
    console: Console, simulation: Simulation, *, quiet: bool = False, verbose: bool = False
) -> None:
    """Print a simulation; its first line is the warning.

    ``quiet`` is the finding's line alone, which warns as well; ``verbose`` tells all figures.
    """
    title, colour = _title(simulation), _COLOURS[simulation.finding]
    if quiet:
        console.print(Text(f"{title}; NOT PRIVATE", colour), soft_wrap=True)
        return
    print_folded(console, _warning(simulation), style="bold red")
    print_folded(console, title, style=colour)
    print_folded(console, _FALSE_ALARM)
    for point in simulation.points:
        _print_point(console, point, _ALL_FIGURES if verbose else _FIGURES)
    for sentence in _sentences(simulation):
        print_folded(console, sentence)
    print_sentences(console, "Not claimed:", _NON_CLAIMS)


def _title(simulation: Simulation) -> str:
    claim = simulation.claim
    name = quoted(claim.name)
    return (
        f"{simulation.finding.value.upper()}  {name} ({claim.mechanism.name}): "
        f"{simulation.draws} draws, seed {simulation.seed}"
    )


def _print_point(console: Console, point: Point, figures: int) -> None:
    claim = point.claim
    console.print()
    print_folded(console, f"epsilon = {exact_decimals(claim.epsilon)}: {_numbers(claim)}")
    table = Table("error", "mean", "+-", "is", "", "by", "finding", box=None, pad_edge=False)
    for one in point.compared:
        cells = map(Text, _cells(one, figures))
        table.add_row(*cells, Text(one.finding.value, _COLOURS[one.finding]))
    print_table(console, table)
    if point.chain_left_out:
        print_folded(
            console, "errors of the chain itself are left out: too many states for so many draws"
        )


def _numbers(claim: Claim) -> str:
    """Return the parameters that the draws depend on besides the input."""
    known = claim.parameters.given
    given = ((key, known[key]) for key in _SHOWN if key in known)
    return ", ".join(f"{key} = {_short(value)}" for key, value in given)


def _short(value: object) -> str:
    """Return a number in a few figures; JSON has all of them."""
    return f"{float(value):.12g}" if isinstance(value, Fraction | int) else shown(value)


def _cells(one: Compared, figures: int) -> Iterator[str]:
    yield one.expected.error
    yield f"{one.mean.value:.{figures}g}"
    yield f"{one.mean.error:.2g}"
    yield {"exact": "=", "upper bound": "<=", "lower bound": ">="}[one.expected.kind.value]
    yield _known(one.expected, figures)
    yield one.expected.what


def _known(expected: Expected, figures: int) -> str:
    end = expected.high if expected.low is None else expected.low
    return f"? {expected.why_not}" if end is None else f"{float(end):.{figures}g}"
