"""The report of a backend's certificate: what was checked, how far off it was, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...certificate import models
from ...certificate.models import BackendStatement
from ...certificate.models_v0 import Check, Witness
from ...verdict import Verdict
from .error_plot import error_picture
from .origin import Origin
from .rendering import rendered
from .shared import page_context
from .words import backend_sentence, colour_of

# Beyond this a parameter's lists are cut; the certificate has all of them.
_MOST_OF_PARAMETER = 2_000
_MOST_DIGITS = 7
_OF_A_MATRIX = ("row", "column")


@dataclass(frozen=True)
class Worst:
    """A worst case as a person reads it; parameters by name, in decimals and exactly.

    ``entry`` says which entry of the answer it is, where that is a vector or a matrix.
    """

    parameters: list[tuple[str, str, str]]
    entry: str
    value: str
    hex: str
    lower: str
    upper: str


@dataclass(frozen=True)
class Row:
    """A check, its worst case, and whether that is shown at once."""

    check: Check
    colour: str
    ulps: str
    worst: Worst | None
    grave: bool
    promised: str


def backend_report(statement: BackendStatement, origin: Origin) -> bytes:
    """Return the page for a backend."""
    predicate = statement.predicate
    current = predicate if isinstance(predicate, models.Predicate) else None
    picture = error_picture(current.sample) if current else None
    rows = list(_rows(statement))
    run = [row for row in rows if row.check.cases]
    scope = predicate.scope
    specific: dict[str, Any] = {
        "kind": "Certificate of a numerical backend",
        "title": f"{scope.backend} {scope.backend_version}",
        "sentence": backend_sentence(origin.verdict, sum(_asked(rows).values()), len(run)),
        "exactly": _exactly(rows, len(run)),
        "checks": rows,
        "picture": picture,
        "scope": scope,
        "seed": predicate.seed,
        "transcript_cases": current.transcript.cases if current else None,
        "transcript_sha256": predicate.transcript.sha256,
        "hypotheses": predicate.hypotheses,
    }
    contents = [("checks", "Checks")] + ([("plot", "Plot")] if picture else [])
    contents += [("worst", "Worst cases"), ("scope", "Scope"), ("hypotheses", "Assumed")]
    return rendered("backend.html", page_context(statement, origin, contents) | specific)


def _asked(rows: list[Row]) -> dict[str, int]:
    """Return how often each quantity was asked for: each of its checks judges the same answers."""
    return {row.check.quantity: row.check.cases for row in rows if row.check.cases}


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


def _rows(statement: BackendStatement) -> Iterator[Row]:
    for check in statement.predicate.checks:
        grave = check.verdict in (Verdict.REFUTED, Verdict.ERROR)
        worst = None if check.worst is None else _worst(check.worst)
        promised = _as_double(check.accuracy) if check.accuracy else ""
        yield Row(check, colour_of(check.verdict), _short(check.ulps), worst, grave, promised)


def _worst(witness: Witness) -> Worst:
    entry = witness.entry if isinstance(witness, models.Witness) else []
    return Worst(
        [(name, *_both(value)) for name, value in witness.parameters.items()],
        _entry_named(entry),
        *_both(witness.value),
        witness.lower,
        witness.upper,
    )


def _entry_named(place: list[int]) -> str:
    """Return which entry is meant, in words; nothing where the answer is a number."""
    if len(place) == len(_OF_A_MATRIX):
        return ", ".join(f"{what} {at}" for what, at in zip(_OF_A_MATRIX, place, strict=True))
    return f"number {place[0]}" if place else ""


def _as_double(share: str) -> str:
    """Return a share as the shortest decimal that gives the same double, where it is a double."""
    try:
        exact = Fraction(share)
        double = float(exact)  # only writes the number, where it is the same
    except (ZeroDivisionError, OverflowError):
        return share
    return repr(double) if Fraction(double) == exact else share


def _both(value: object) -> tuple[str, str]:
    """Return a parameter in decimals and as it is written; the same twice where they agree."""
    return _cut(_said(_readable(value))), _cut(_said(value))


def _said(value: object) -> str:
    """Return a parameter as text: lists in brackets, the parts of an object by their names."""
    if isinstance(value, list):
        return f"[{', '.join(map(_said, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_said(item)}' for key, item in value.items())}}}"
    return str(value)


def _cut(text: str) -> str:
    most = _MOST_OF_PARAMETER
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _readable(value: object) -> Any:
    """Return doubles in hex as the shortest decimals that give the same doubles."""
    if isinstance(value, str):
        try:
            return repr(float.fromhex(value)) if "0x" in value else value
        except (ValueError, OverflowError):
            return value
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return str(value) if isinstance(value, int) else value
