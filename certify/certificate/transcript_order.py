"""Require of a transcript the campaign's own cases: every point, in its order, and no other.

The drawn points are drawn again, from the seed that the certificate's subjects, version, quantities
and number give; each has to stand in its place. Of the found points, which depend on answers, none
may stand twice in a batch. So nobody can make lines up, repeat some or leave some out, but only run
the campaign again with another number and take what comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from typing import Any

import rfc8785

from ...reference.quantity import Quantity, quantity_named
from ..campaign import LAWS_EVERY, Batch, batches_of, campaign_seed, drawn_of
from ..checks.judgement import AGAINST_THE_TRUTH
from ..points import Line, PointKind, written_point
from ..search.strategies import point_at
from .errors import TranscriptError
from .models import Check, Predicate, Statement

Numbered = tuple[int, Line]
# The checks that judge the answer at the campaign's point; other laws may judge another.
_AT_THE_POINT = (*AGAINST_THE_TRUTH, "determinism")


def seed_of(statement: Statement) -> str:
    """Return the seed that the points of a certificate's campaign were drawn by."""
    predicate = statement.predicate
    subjects = [(item.name, item.digest.sha256) for item in statement.subject]
    return campaign_seed(subjects, predicate.tool.version, predicate.scope.names, predicate.seed)


def require_order(cases: Iterator[Numbered], statement: Statement) -> None:
    """Require that the cases, with their lines' numbers, are the campaign's in its order.

    Raises TranscriptError.
    """
    seed, predicate = seed_of(statement), statement.predicate
    for checks in _by_quantity(predicate.checks):
        quantity = quantity_named(checks[0].quantity)
        for batch in batches_of([quantity.name], Batch(None, "", 0, predicate.scope.cases, seed)):
            _require_batch(cases, _InBatch(quantity, batch, checks, predicate))
    # Whatever is left over is one line too many, which whoever counts the lines will say.
    for _ in cases:
        pass


def _by_quantity(checks: list[Check]) -> Iterator[list[Check]]:
    """Yield the checks that were run, those of each quantity together, in the order they stand."""
    run: dict[str, list[Check]] = {}
    for check in checks:
        if check.cases:
            run.setdefault(check.quantity, []).append(check)
    for found in run.values():
        if any(check.check in AGAINST_THE_TRUTH for check in found):
            yield found


@dataclass(frozen=True)
class _InBatch:
    """A batch of one quantity, and the checks that have a case at each point, or at some."""

    quantity: Quantity
    batch: Batch
    checks: list[Check]
    predicate: Predicate

    def names_at(self, number: int) -> list[str]:
        """Return the checks that have a case at a point of the batch, in order."""
        every: list[str] = [one.check for one in self.checks if one.check in AGAINST_THE_TRUTH]
        laws: list[str] = [one.check for one in self.checks if one.check not in AGAINST_THE_TRUTH]
        return every if number % LAWS_EVERY else [*every, *laws]

    def drawn_at(self, number: int) -> dict[str, Any] | None:
        """Return the point that the seed draws there, as it is written; None where one is found."""
        if number >= drawn_of(self.batch.cases):
            return None
        return written_point(point_at(self.quantity, self.batch.seed, self.batch.drawn + number))


def _require_batch(cases: Iterator[Numbered], where: _InBatch) -> None:
    met: set[bytes] = set()
    for number in range(where.batch.cases):
        names, drawn = where.names_at(number), where.drawn_at(number)
        kind: PointKind = "found" if drawn is None else "drawn"
        lines = list(islice(cases, len(names)))
        for (line, case), name in zip(lines, names, strict=False):
            _require_place(line, case, (where.quantity.name, name, kind))
        if len(lines) < len(names):
            return  # whoever counts the lines will say so
        at_point = [(line, case) for line, case in lines if case.check in _AT_THE_POINT]
        first_line, first = at_point[0]
        if drawn is not None and first.parameters != drawn:
            raise TranscriptError(_not_drawn(first_line, where, number))
        for line, case in at_point[1:]:
            if case.parameters != first.parameters:
                raise TranscriptError(
                    f"line {line} of the transcript is of another point than line {first_line}"
                )
        key = rfc8785.dumps(first.parameters)
        if drawn is None and key in met:
            raise TranscriptError(
                f"line {first_line} of the transcript repeats a point of its batch as found"
            )
        met.add(key)


def _require_place(line: int, case: Line, expected: tuple[str, str, PointKind]) -> None:
    if (case.quantity, case.check, case.kind) != expected:
        name, check, kind = expected
        raise TranscriptError(
            f"line {line} of the transcript is of {case.quantity}, {case.check}, at a {case.kind} "
            f"point, where {name}, {check}, at a {kind} point has to stand: a line was left out, "
            "repeated or moved"
        )


def _not_drawn(line: int, where: _InBatch, number: int) -> str:
    said = (
        f"line {line} of the transcript is not of the point that the campaign's seed draws there, "
        f"{where.quantity.name} at index {where.batch.drawn + number}: it was made up, repeated or "
        "moved, or one was left out"
    )
    theirs, ours = where.predicate.tool.version, version("simplexcert")
    if theirs == ours:
        return said
    return f"{said}; or version {theirs} draws other points than this one, {ours}"
