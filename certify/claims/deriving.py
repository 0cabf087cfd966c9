"""Work the evidence out: one entry after the other or in processes, the same either way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass

from ...reference.precision import BudgetSpentError, all_within
from ..backends.workers import require_jobs, working
from ..verdict import Verdict
from .entries import Claim, strength_of, verdict_of
from .evidence import Evidence
from .findings import Finding, Strength
from .register import entries, repairs_of

# What one piece of evidence may take; what takes longer is undecided.
EVIDENCE_SECONDS = 120.0


@dataclass(frozen=True)
class DerivedReading:
    """Another reading of a statement, and the verdict on it."""

    says: str
    verdict: Verdict
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Derived:
    """An entry with what its evidence came to, just now.

    ``proof_fails`` says that a step of the printed proof is refuted.
    """

    id: str
    verdict: Verdict
    strength: Strength
    findings: tuple[Finding, ...]
    readings: tuple[DerivedReading, ...]
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
    """Return the entries of these ids with what their evidence comes to, in the ids' order."""
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
    """Return one entry with what its evidence comes to."""
    claim = entries()[identifier]
    findings = _found(claim.evidence)
    verdict = verdict_of(findings)
    readings = tuple(
        DerivedReading(reading.says, verdict_of(each), each)
        for reading in claim.readings
        if (each := _found(reading.evidence))
    )
    return Derived(
        identifier,
        verdict,
        strength_of(findings, verdict),
        findings,
        readings,
        _found(claim.of_proof),
    )


def _found(evidence: Iterable[Evidence]) -> tuple[Finding, ...]:
    return tuple(map(_within_time, evidence))


def _within_time(evidence: Evidence) -> Finding:
    try:
        with all_within(EVIDENCE_SECONDS):
            return evidence.find()
    except BudgetSpentError as spent:
        return Finding(Strength.NONE, Verdict.UNDECIDED, f"not decided: {spent}")


def standing(
    claim: Claim, verdict: Verdict, *, proof_fails: bool, readings: Sequence[Verdict]
) -> str:
    """Return in words how a statement stands: its verdict, its readings', and what repairs it.

    A reading that is refuted shows in the headline, unless it says more than the page does.
    """
    if claim.repairs:
        return f"{verdict}; stands in the place of {claim.repairs}"
    failing = any(
        found is Verdict.REFUTED and not reading.beyond
        for reading, found in zip(claim.readings, readings, strict=True)
    )
    if verdict is Verdict.CERTIFIED:
        return _standing_certified(claim, proof_fails=proof_fails, failing=failing)
    if verdict is Verdict.REFUTED:
        return _standing_refuted(claim)
    return f"{verdict}; in another reading false" if failing else str(verdict)


def _standing_certified(claim: Claim, *, proof_fails: bool, failing: bool) -> str:
    proof = "; the printed proof fails" if proof_fails else ""
    if not failing:
        return f"true{proof or ' as stated'}"
    repairs = ", ".join(repair.id for repair in repairs_of(claim.id))
    return f"true as read here, in another reading false{proof}{repairs and f': {repairs}'}"


def _standing_refuted(claim: Claim) -> str:
    if claim.kind == "number":
        return "not reproduced"
    repairs = repairs_of(claim.id)
    if not repairs:
        return "false as printed"
    extra = any(repair.adds for repair in repairs)
    how = "true under an extra hypothesis" if extra else "false as printed; repaired"
    return f"{how}: {', '.join(repair.id for repair in repairs)}"
