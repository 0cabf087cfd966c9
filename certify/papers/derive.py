"""Derive the verdicts from the evidence, in one process or several, and compare with the recorded.

Recorded are the verdicts of the last review, written by the command alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...reference.errors import InputError
from ...reference.exact import parse_json, read_file
from ...reference.precision import BudgetSpentError, all_within
from ..extras import require
from ..files import write_whole
from ..marks import PACKAGED
from ..verdict import Verdict
from ..workers import require_jobs, working
from .evidence import Evidence, Finding, Strength
from .statement import Statement, repairs_of, statements, strength_of, verdict_of

# The time of one piece of evidence; whatever takes longer is undecided.
EVIDENCE_SECONDS = 120.0
# How the words of evidence begin that there was no time for.
NOT_DECIDED = "not decided: "


@dataclass(frozen=True)
class _DerivedReading:
    """Another reading of a statement, and the verdict on it."""

    says: str
    verdict: Verdict
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Derived:
    """A statement with its verdict and findings, derived just now.

    ``proof_fails`` says that a step of the printed proof is refuted.
    """

    id: str
    verdict: Verdict
    strength: Strength
    findings: tuple[Finding, ...]
    readings: tuple[_DerivedReading, ...]
    of_proof: tuple[Finding, ...]

    @property
    def proof_fails(self) -> bool:
        """Whether a step of the printed proof is refuted."""
        return any(finding.verdict is Verdict.REFUTED for finding in self.of_proof)


def derived(
    identifiers: Iterable[str],
    *,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Derived]:
    """Derive the verdicts of the statements of these ids, in the ids' order."""
    require("papers", "deriving what papers state")
    names = list(identifiers)
    require_jobs(jobs)
    found: dict[str, Derived] = {}
    for done, one in enumerate(_each(names, jobs), start=1):
        found[one.id] = one
        if on_progress:
            on_progress(done, len(names))
    return {name: found[name] for name in names}


def _each(names: list[str], jobs: int) -> Iterator[Derived]:
    if jobs == 1:
        yield from map(derive, names)
        return
    with working(jobs, derive) as pool:
        for future in as_completed([pool.submit(derive, name) for name in names]):
            yield future.result()


def derive(identifier: str) -> Derived:
    """Derive the verdict of one statement from its evidence."""
    statement = statements()[identifier]
    findings = _found(statement.evidence)
    verdict = verdict_of(findings)
    readings = tuple(
        _DerivedReading(reading.says, verdict_of(each), each)
        for reading in statement.readings
        if (each := _found(reading.evidence))
    )
    return Derived(
        identifier,
        verdict,
        strength_of(findings, verdict),
        findings,
        readings,
        _found(statement.of_proof),
    )


def _found(evidence: Iterable[Evidence]) -> tuple[Finding, ...]:
    return tuple(map(_within_time, evidence))


def _within_time(evidence: Evidence) -> Finding:
    try:
        with all_within(EVIDENCE_SECONDS):
            return evidence.find()
    except BudgetSpentError as spent:
        return Finding(Strength.NONE, Verdict.UNDECIDED, f"{NOT_DECIDED}{spent}")


EXPECTED = Path(__file__).with_name("expected.json")


class Recorded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict on a statement and on its other readings, and the strength of its evidence."""

    verdict: Verdict
    strength: Strength
    proof_fails: bool
    readings: list[Verdict]


def recorded(file: Path | None = None) -> dict[str, Recorded]:
    """Return the recorded verdicts by id. Raises InputError if the file is no such table."""
    file = file or EXPECTED
    table: Any = parse_json(read_file(file), file.name)
    try:
        return msgspec.convert(table, dict[str, Recorded])
    except msgspec.ValidationError as error:
        raise InputError(f"{file.name} is no table of recorded verdicts: {error}") from None


def record(found: Mapping[str, Derived], file: Path | None = None) -> None:
    """Write the verdicts that were just derived over those of the same ids."""
    file = file or EXPECTED
    kept = recorded(file) if file.is_file() else {}
    kept.update({name: record_of(one) for name, one in found.items()})

    table = {name: msgspec.to_builtins(kept[name]) for name in statements() if name in kept}
    lines = (f"{json.dumps(name)}: {json.dumps(line)}" for name, line in table.items())
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode(), PACKAGED)


def record_of(found: Derived) -> Recorded:
    """Return the verdicts of a derived statement in the shape that is recorded."""
    return Recorded(
        found.verdict,
        found.strength,
        found.proof_fails,
        [reading.verdict for reading in found.readings],
    )


def standing_of(statement: Statement, line: Recorded) -> str:
    """Return in words how a statement stands: its verdict, its readings', and its repairs.

    A reading that is refuted shows in the headline, unless it says more than the page does.
    """
    if statement.repairs:
        return f"{line.verdict}; stands in the place of {statement.repairs}"
    failing = any(
        found is Verdict.REFUTED and not reading.beyond
        for reading, found in zip(statement.readings, line.readings, strict=True)
    )
    if line.verdict is Verdict.CERTIFIED:
        return _standing_certified(statement, proof_fails=line.proof_fails, failing=failing)
    if line.verdict is Verdict.REFUTED:
        return _standing_refuted(statement)
    return f"{line.verdict}; in another reading false" if failing else str(line.verdict)


def _standing_certified(statement: Statement, *, proof_fails: bool, failing: bool) -> str:
    proof = "; the printed proof fails" if proof_fails else ""
    if not failing:
        return f"true{proof or ' as stated'}"
    repairs = ", ".join(repair.id for repair in repairs_of(statement.id))
    return f"true as read here, in another reading false{proof}{repairs and f': {repairs}'}"


def _standing_refuted(statement: Statement) -> str:
    if statement.kind == "number":
        return "not reproduced"
    repairs = repairs_of(statement.id)
    if not repairs:
        return "false as printed"
    extra = any(repair.adds for repair in repairs)
    how = "true under an extra hypothesis" if extra else "false as printed; repaired"
    return f"{how}: {', '.join(repair.id for repair in repairs)}"


def differing(found: Mapping[str, Derived], file: Path | None = None) -> list[str]:
    """Return the ids whose verdict is not the recorded one, or is not recorded at all."""
    known = recorded(file)
    return [name for name, one in found.items() if known.get(name) != record_of(one)]
