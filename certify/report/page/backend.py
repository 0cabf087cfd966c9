"""The report of a backend's certificate: what was checked, how far off it was, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...certificate.law_checks import is_of_a_law
from ...certificate.models import Check, Statement, Witness
from ...verdict import Verdict
from ..facts import said_beside
from ..laws_said import LAWS, case_said
from ..visible import quoted
from .error_plot import error_picture
from .origin import Origin
from .rendering import rendered
from .samplers import sampler_rows
from .shared import page_context
from .values import as_double, both, named_values
from .words import backend_sentence, colour_of

_MOST_DIGITS = 7
# The checks that an answer can only fail on the unsafe side.
_OF_SAFETY = {"direction", "adjacency"}
_OF_A_MATRIX = ("row", "column")


@dataclass(frozen=True)
class Compared:
    """One more answer of the backend, or a truth, where ``value`` is nothing."""

    quantity: str
    parameters: list[tuple[str, str, str]]
    value: str
    hex: str


@dataclass(frozen=True)
class Worst:
    """A worst case as a person reads it; parameters by name, in decimals and exactly.

    ``entry`` says which entry of the answer it is, where that is a vector or a matrix. ``ends`` is
    what lies between the two ends, ``others`` are the answers and truths that a law compares with.
    """

    parameters: list[tuple[str, str, str]]
    entry: str
    value: str
    hex: str
    lower: str
    upper: str
    ends: str
    others: list[Compared]


@dataclass(frozen=True)
class Row:
    """A check, its worst case and what a law says of it, and whether that is shown at once."""

    check: Check
    colour: str
    ulps: str
    worst: Worst | None
    grave: bool
    promised: str
    said: str


def backend_report(statement: Statement, origin: Origin) -> bytes:
    """Return the page for a backend."""
    predicate = statement.predicate
    picture = error_picture(predicate.sample)
    samplers = sampler_rows(predicate)
    rows = list(_rows(statement))
    run = [row for row in rows if row.check.cases]
    scope = predicate.scope
    beside = said_beside(scope.cases, [row.check for row in run], predicate.seed)
    specific: dict[str, Any] = {
        "kind": "Certificate of a numerical backend",
        "title": f"{quoted(f'{scope.backend} {scope.backend_version}')}{beside}",
        "sentence": backend_sentence(
            origin.verdict, sum(_asked(rows).values()), len(run), unsafe=_is_unsafe(rows)
        ),
        "exactly": _exactly(rows, len(run)),
        "checks": rows,
        "laws": _laws_of(rows),
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


def _asked(rows: list[Row]) -> dict[str, int]:
    """Return how often each quantity was asked for: each of its checks judges the same answers.

    Laws judge some of them, and ask for more, which are not counted.
    """
    run = [row.check for row in rows if row.check.cases and not is_of_a_law(row.check)]
    return {check.quantity: check.cases for check in run}


def _is_unsafe(rows: list[Row]) -> bool:
    """Whether an answer is on the unsafe side, or does not hold for a pair of adjacent inputs."""
    refuted = {row.check.check for row in rows if row.check.verdict is Verdict.REFUTED}
    return bool(refuted & _OF_SAFETY)


def _laws_of(rows: list[Row]) -> list[tuple[str, str]]:
    """Return the laws among the checks, by name, with what they ask for."""
    names = {row.check.check for row in rows}
    return [(name, wording.law) for name, wording in LAWS.items() if name in names]


def _short(ulps: str | None) -> str:
    """Return a distance as it is stated, or with an exponent where it has many digits."""
    if ulps is None or len(ulps) <= _MOST_DIGITS or not ulps.isdigit():
        return ulps or ""
    # It has three figures, which a double keeps.
    return f"{float(ulps):g}"


def _exactly(rows: list[Row], run: int) -> str:
    """Count the verdicts of the checks that were run, the gravest first."""
    counts = [
        f"{number} {verdict.value}"
        for verdict in Verdict
        if (number := sum(row.check.verdict is verdict for row in rows))
    ]
    return f"{run} of {len(rows)} checks were run: {', '.join(counts)}."


def _rows(statement: Statement) -> Iterator[Row]:
    for check in statement.predicate.checks:
        grave = check.verdict in (Verdict.REFUTED, Verdict.ERROR)
        worst = None if check.worst is None else _worst(check.check, check.worst)
        promised = as_double(check.accuracy) if check.accuracy else ""
        own = any(other.value for other in worst.others) if worst else False
        said = case_said(check.check, check.verdict, own_answer=own)
        ulps = "" if is_of_a_law(check) and check.side == "none" else _short(check.ulps)
        yield Row(check, colour_of(check.verdict), ulps, worst, grave, promised, said)


def _worst(check: str, witness: Witness) -> Worst:
    wording = LAWS.get(check)
    return Worst(
        named_values(witness.parameters),
        _entry_named(witness.entry),
        *both(witness.value),
        witness.lower,
        witness.upper,
        wording.ends if wording else "the truth",
        list(_compared(witness)),
    )


def _compared(witness: Witness) -> Iterator[Compared]:
    for other in witness.others:
        value = ("", "") if other.value is None else both(other.value)
        yield Compared(other.quantity, named_values(other.parameters), *value)


def _entry_named(place: list[int]) -> str:
    """Return which entry is meant, in words; nothing where the answer is a number."""
    if len(place) == len(_OF_A_MATRIX):
        return ", ".join(f"{what} {at}" for what, at in zip(_OF_A_MATRIX, place, strict=True))
    return f"number {place[0]}" if place else ""
