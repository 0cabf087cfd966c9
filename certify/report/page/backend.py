"""The page of a backend's certificate: its checks, samplers, errors, and worst cases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ....reference.errors import UnknownNameError
from ....reference.quantity import Side, quantity_named
from ...certificate.models import Check, Predicate, Sample, Sampler, SamplerTest, Statement, Witness
from ...certificate.worst_case import is_of_a_relation
from ...verdict import FAILED, Verdict
from ..campaign_wording import RELATIONS, case_said, said_of
from ..distance import off_said_of
from ..wording import quoted
from .drawing import LIGHT, Picture, drawn, legend_below
from .parts import (
    Origin,
    as_double,
    backend_sentence,
    both,
    colour_of,
    named_values,
    page_context,
    rendered,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class _TestRow:
    """A test's count, the exact probability of its event, and how odd the count is."""

    test: str
    parameters: list[tuple[str, str, str]]
    verdict: str
    colour: str
    draws: int
    count: int
    probability: str
    tail: str


@dataclass(frozen=True)
class _SamplerRow:
    """One sampler at one point."""

    sampler: Sampler
    parameters: list[tuple[str, str, str]]
    colour: str
    tests: list[_TestRow]


def _sampler_rows(predicate: Predicate) -> list[_SamplerRow]:
    """Return the samplers that were tested, as they stand in the certificate."""
    return [
        _SamplerRow(
            sampler,
            named_values(sampler.parameters),
            colour_of(sampler.verdict),
            [_test_row(test) for test in sampler.tests],
        )
        for sampler in predicate.samplers
    ]


def _test_row(test: SamplerTest) -> _TestRow:
    return _TestRow(
        test.test,
        named_values(test.parameters),
        test.verdict.value,
        colour_of(test.verdict),
        test.draws,
        test.count,
        _between(test.probability.lower, test.probability.upper),
        _between(test.tail.lower, test.tail.upper),
    )


def _between(lower: str, upper: str) -> str:
    return lower if lower == upper else f"{lower} to {upper}"


_PLOT = "errors"
# Truths nearer to 0 than this stand at the plot's edge: a few of them would squeeze all others.
_SMALLEST = 1e-40
# Labels on an axis, so that none runs into the next.
_TICKS = 7
# Further off than this an answer has nothing to do with the truth; a double cannot say how far.
_LARGEST = 1e200
_SIZE = "size of the truth"
_PLOT_TITLE = "Error of the answers over the domain"
_PLOT_COLUMNS = ("quantity", "check", "size of the truth", "error, ulps", "side")
_GROUPS: Final = (
    ("on the safe side", "curve", "o"),
    ("on the unsafe side", "refuted", "X"),
    ("of a quantity without a safe side", "printed", "s"),
)


def error_picture(sample: Sequence[Sample]) -> Picture | None:
    """Return the plot of a certificate's sample; None where there is nothing in it to draw."""
    points = [(group_of(item), *place) for item in sample if (place := _place(item)) is not None]
    if not points:
        return None
    description = _described(points, len(sample))
    svg = drawn(_PLOT, lambda axes: _draw(axes, points), _PLOT_TITLE, description)
    rows = tuple(
        (item.quantity, item.check, f"{float.fromhex(item.size):.3g}", item.ulps, item.side)
        for item in sample
    )
    return Picture(
        _PLOT_TITLE, description, svg, _PLOT_COLUMNS, rows, _notes(len(sample), len(points))
    )


def _notes(sampled: int, shown: int) -> tuple[str, ...]:
    kept = (
        f"{sampled} of the cases, spread over the transcript; the worst of each check stands in "
        "the table of checks. Nothing rests on this plot."
    )
    missing = f"{sampled - shown} of them have no finite place; the table of numbers has them."
    return (kept, missing) if shown < sampled else (kept,)


def group_of(item: Sample) -> str:
    """Return which of the three groups an answer belongs to, by its quantity's safe side."""
    try:
        safe = quantity_named(item.quantity).safe
    except UnknownNameError:
        return _GROUPS[2][0]
    wrong = {Side.UPPER: "below", Side.LOWER: "above"}.get(safe)
    if wrong is None:
        return _GROUPS[2][0]
    return _GROUPS[1][0] if item.side == wrong else _GROUPS[0][0]


def _place(item: Sample) -> tuple[float, float] | None:
    """Return an answer's place: the truth's size, and how far off; None where neither is finite.

    Floats, as a place on a screen is all that is asked for.
    """
    size = abs(float.fromhex(item.size))
    if item.ulps == "unbounded" or not math.isfinite(size):
        return None
    return max(size, _SMALLEST), min(float(item.ulps), _LARGEST)


def _draw(axes: Axes, points: list[tuple[str, float, float]]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, SymmetricalLogLocator

    for name, colour, shape in _GROUPS:
        mine = [(size, ulps) for group, size, ulps in points if group == name]
        if mine:
            axes.scatter(
                [size for size, _ in mine],
                [ulps for _, ulps in mine],
                s=22,
                marker=shape,
                color=LIGHT[colour],
                linewidths=0,
                clip_on=False,
                label=f"{name} ({len(mine)})",
            )
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    axes.set_xscale("log")
    # From 0 to one unit in the last place the axis is straight: exact answers have a place on it.
    axes.set_yscale("symlog", linthresh=1.0)
    axes.xaxis.set_major_formatter(plain)
    axes.yaxis.set_major_formatter(plain)
    axes.xaxis.set_major_locator(LogLocator(numticks=_TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    of_errors = SymmetricalLogLocator(base=10, linthresh=1)
    of_errors.set_params(numticks=_TICKS)
    axes.yaxis.set_major_locator(of_errors)
    axes.set_ylim(bottom=-0.1)
    at_the_edge = min(size for _, size, _ in points) <= _SMALLEST
    axes.set_xlabel(f"{_SIZE} (at the left edge: {_SMALLEST:g} or less)" if at_the_edge else _SIZE)
    axes.set_ylabel("error, units in the last place")
    legend_below(axes)


def _described(points: list[tuple[str, float, float]], count: int) -> str:
    largest = max(ulps for _, _, ulps in points)
    groups = [
        f"{number} {name}"
        for name, _, _ in _GROUPS
        if (number := sum(group == name for group, _, _ in points))
    ]
    return (
        f"{len(points)} of {count} answers as points: how large the truth is, against how far off "
        f"the answer, at most {largest:.3g} units in the last place. {', '.join(groups)}."
    )


# The checks that an answer can only fail on the unsafe side.
_OF_SAFETY = {"direction", "adjacency"}
_OF_A_MATRIX = ("row", "column")


@dataclass(frozen=True)
class _Compared:
    """One more answer of the backend, or a truth, where ``value`` is nothing."""

    quantity: str
    parameters: list[tuple[str, str, str]]
    value: str
    hex: str


@dataclass(frozen=True)
class _Worst:
    """A worst case as a person reads it; parameters by name, in decimals and exactly.

    ``entry`` says which entry of the answer it is, where that is a vector or a matrix. ``ends`` is
    what lies between the two ends, ``others`` are the answers and truths that are compared with.
    """

    parameters: list[tuple[str, str, str]]
    entry: str
    value: str
    hex: str
    lower: str
    upper: str
    ends: str
    others: list[_Compared]


@dataclass(frozen=True)
class _Row:
    """A check, its worst case, the relation's sentence on it, and whether it is shown at once."""

    check: Check
    colour: str
    off: str
    worst: _Worst | None
    grave: bool
    promised: str
    said: str


def backend_report(statement: Statement, origin: Origin) -> bytes:
    """Return the page for a backend."""
    predicate = statement.predicate
    picture = error_picture(predicate.sample)
    samplers = _sampler_rows(predicate)
    rows = list(_rows(statement))
    run = [row for row in rows if row.check.cases]
    scope = predicate.scope
    specific: dict[str, Any] = {
        "kind": "Certificate of a numerical backend",
        "title": f"{quoted(f'{scope.backend} {scope.backend_version}')}{said_of(predicate)}",
        "sentence": backend_sentence(
            origin.verdict, sum(_asked(rows).values()), len(run), unsafe=_is_unsafe(rows)
        ),
        "exactly": _exactly(rows, len(run)),
        "checks": rows,
        "relations": _relations_of(rows),
        "samplers": samplers,
        "picture": picture,
        "scope": scope,
        "seed": predicate.seed,
        "transcript_cases": predicate.transcript.cases,
        "transcript_sha256": predicate.transcript.sha256,
        "hypotheses": predicate.hypotheses,
    }
    contents = [("checks", "Checks")] + ([("plot", "Plot")] if picture else [])
    contents += [("worst", "Worst cases")] + ([("samplers", "Samplers")] if samplers else [])
    contents += [("scope", "Scope"), ("hypotheses", "Assumed")]
    return rendered("backend.html", page_context(statement, origin, contents) | specific)


def _asked(rows: list[_Row]) -> dict[str, int]:
    """Return how often each quantity was asked for: each of its checks judges the same answers.

    Relations judge some of them, and ask for more, which are not counted.
    """
    run = [row.check for row in rows if row.check.cases and not is_of_a_relation(row.check)]
    return {check.quantity: check.cases for check in run}


def _is_unsafe(rows: list[_Row]) -> bool:
    """Whether an answer is on the unsafe side, or does not hold for a pair of adjacent inputs."""
    refuted = {row.check.check for row in rows if row.check.verdict is Verdict.REFUTED}
    return bool(refuted & _OF_SAFETY)


def _relations_of(rows: list[_Row]) -> list[tuple[str, str]]:
    """Return the relations among the checks, by name, with their sentences."""
    names = {row.check.check for row in rows}
    return [(name, wording.relation) for name, wording in RELATIONS.items() if name in names]


def _exactly(rows: list[_Row], run: int) -> str:
    """Count the verdicts of the checks that were run, the gravest first."""
    counts = [
        f"{number} {verdict.value}"
        for verdict in Verdict
        if (number := sum(row.check.verdict is verdict for row in rows))
    ]
    return f"{run} of {len(rows)} checks were run: {', '.join(counts)}."


def _rows(statement: Statement) -> Iterator[_Row]:
    for check in statement.predicate.checks:
        grave = check.verdict in FAILED
        worst = None if check.worst is None else _worst(check.check, check.worst)
        promised = as_double(check.accuracy) if check.accuracy else ""
        own = any(other.value for other in worst.others) if worst else False
        loose = check.verdict is Verdict.CERTIFIED and check.loose > 0
        said = case_said(check.check, check.verdict, own_answer=own, loose=loose)
        off = "" if check.worst is None or check.side == "none" else off_said_of(check.worst)
        yield _Row(check, colour_of(check.verdict), off, worst, grave, promised, said)


def _worst(check: str, witness: Witness) -> _Worst:
    wording = RELATIONS.get(check)
    return _Worst(
        named_values(witness.parameters),
        _entry_named(witness.entry),
        *both(witness.value),
        witness.lower,
        witness.upper,
        wording.ends if wording else "the truth",
        list(_compared(witness)),
    )


def _compared(witness: Witness) -> Iterator[_Compared]:
    for other in witness.others:
        value = ("", "") if other.value is None else both(other.value)
        yield _Compared(other.quantity, named_values(other.parameters), *value)


def _entry_named(place: list[int]) -> str:
    """Return which entry is meant, in words; nothing where the answer is a number."""
    if len(place) == len(_OF_A_MATRIX):
        return ", ".join(f"{what} {at}" for what, at in zip(_OF_A_MATRIX, place, strict=True))
    return f"number {place[0]}" if place else ""
