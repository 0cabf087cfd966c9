"""Check a certificate of the register of claims: every verdict is derived again, from evidence.

Nothing that the certificate states decides anything. What it says of an entry has to be what the
register here says and what its evidence comes to; what there is no time for is undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ...reference.errors import InputError
from ...reference.precision import Budget, all_within
from ..papers.derive import Derived, derive
from ..papers.evidence import Finding
from ..papers.statement import statements as register_entries
from ..papers.statement import strength_of, verdict_of
from ..verdict import Verdict, is_decided_since
from .agreement import agreement_of
from .algebra import require_both_engines, require_told
from .claims import (
    PAPERS_NON_CLAIMS,
    REGISTER_FOLDER,
    counts_of,
    papers_of,
    published_entry,
    ran_out_of_time,
    register_subjects,
)
from .enclosures import stated_enclosure
from .errors import AlgebraError, ClaimError
from .models_claims import PaperEntry, PaperFinding, PaperNumber, PapersPredicate, PapersStatement

# For all entries together; those of the five papers take less than a minute.
PAPERS_SECONDS = 900.0
_EXPECTED = f"{REGISTER_FOLDER}/expected.json"
# Ends that are printed to 12 figures enclose as narrowly as this, rounded outward once more.
_NARROW_DIGITS = 10
Progress = Callable[[int, int], None]


def papers_verdict(
    statement: PapersStatement, most: int | None = None, on_progress: Progress | None = None
) -> tuple[Verdict, int, tuple[str, ...]]:
    """Return certified if every verdict is derived again, else undecided; and how many were.

    Beside them, a sentence each, what is stated as undecided and is decided now. ``most`` entries
    are derived, spread over all, if it is given. Raises a CertificateError where what is derived is
    not what is stated.
    """
    entries = statement.predicate.entries
    _require_algebra(statement)
    chosen, budget = _spread(entries, most), Budget(PAPERS_SECONDS)
    found, since = 0, list[str]()
    with all_within(budget.seconds):
        for done, entry in enumerate(chosen, start=1):
            if budget.is_over():
                break
            derived = derive(entry.id)
            if said := _decided_since(entry, derived):
                since.append(said)
            else:
                found += _agrees(entry, derived)
            if on_progress:
                on_progress(done, len(chosen))
    verdict = Verdict.CERTIFIED if found == len(entries) else Verdict.UNDECIDED
    return verdict, found, tuple(since)


def is_of_this_register(statement: PapersStatement) -> bool:
    """Whether the files that it is about are, each of them, those of the register here."""
    return statement.subject == register_subjects(x.paper for x in statement.predicate.papers)


def _spread(entries: Sequence[PaperEntry], most: int | None) -> list[PaperEntry]:
    """Return so many entries, evenly spread over all of them."""
    if most is None or most >= len(entries):
        return list(entries)
    return [entries[place * len(entries) // most] for place in range(most)]


def _require_algebra(statement: PapersStatement) -> None:
    predicate = statement.predicate
    require_both_engines(predicate.engines)
    require_told(list(PAPERS_NON_CLAIMS), predicate.non_claims)
    names = [item.name for item in statement.subject]
    if _EXPECTED not in names or any(not x.startswith(f"{REGISTER_FOLDER}/") for x in names):
        raise AlgebraError("the subjects are not files of the register, what is recorded included")
    _require_entries(predicate)
    for entry in predicate.entries:
        _require_consistent(entry)
    if predicate.counts != counts_of(predicate.entries):
        raise AlgebraError("the counts do not follow from the entries")
    if predicate.papers != papers_of(predicate.entries):
        raise AlgebraError("the papers and their counts do not follow from the entries")


def _require_entries(predicate: PapersPredicate) -> None:
    """Require exactly the entries that the glob matches, each once, in the register's order."""
    stated = [entry.id for entry in predicate.entries]
    known = list(register_entries(predicate.pattern))
    if len(set(stated)) != len(stated):
        raise AlgebraError("an entry stands twice")
    if missing := [name for name in known if name not in set(stated)]:
        raise AlgebraError(f"the entry {missing[0]} is missing, which the glob matches")
    if strange := [name for name in stated if name not in set(known)]:
        raise AlgebraError(f"{strange[0]} is no entry of the register that the glob matches")
    if stated != known:
        raise AlgebraError("the entries are not in the register's order")


def _require_consistent(entry: PaperEntry) -> None:
    """Require that the verdicts on an entry follow from the evidence that stands there."""
    findings = _findings(entry.evidence)
    if not findings or verdict_of(findings) != entry.verdict:
        raise AlgebraError(f"{entry.id}: the verdict does not follow from its evidence")
    if strength_of(findings, Verdict(entry.verdict)) is not entry.strength:
        raise AlgebraError(f"{entry.id}: it does not rest on what its evidence is")
    for reading in entry.readings:
        if verdict_of(_findings(reading.evidence)) != reading.verdict:
            raise AlgebraError(f"{entry.id}: a reading's verdict does not follow from its evidence")
    if entry.proof_fails != any(item.verdict is Verdict.REFUTED for item in entry.of_proof):
        raise AlgebraError(f"{entry.id}: whether its proof fails does not follow from its evidence")


def _findings(stated: Sequence[PaperFinding]) -> tuple[Finding, ...]:
    return tuple(Finding(x.strength, x.verdict, x.says, decides=x.decides) for x in stated)


def _decided_since(entry: PaperEntry, derived: Derived) -> str:
    """Return that evidence which is stated as undecided decides now; nothing where none does."""
    stated = [Verdict(one.verdict) for group in _groups(entry) for one in group]
    groups = (derived.findings, derived.of_proof, *(x.findings for x in derived.readings))
    found = [one.verdict for group in groups for one in group]
    # Of other evidence than there is nothing is said here; that is refused.
    if len(stated) != len(found) or not any(map(is_decided_since, stated, found)):
        return ""
    said = f"stated as {entry.verdict}, derived as {derived.verdict}"
    return f"{entry.id}: {said}, evidence that was undecided decides now; certify the claims again"


def _agrees(entry: PaperEntry, found: Derived) -> bool:
    """Return whether an entry is found as stated, False where time may have been short.

    Raises ClaimError where it differs.
    """
    try:
        _require_as_found(entry, found)
    except ClaimError:
        if ran_out_of_time(found):
            return False
        raise
    return True


def _require_as_found(entry: PaperEntry, found: Derived) -> None:
    try:
        published = published_entry(register_entries()[entry.id], found)
    except InputError as error:
        raise ClaimError(str(error)) from None
    stated, derived = _comparable(entry), _comparable(published)
    if stated["verdict"] != derived["verdict"]:
        said = f"stated as {entry.verdict}, derived as {published.verdict}"
        raise ClaimError(f"{entry.id} is {said}")
    agreement_of(stated, derived, entry.id)  # raises where they differ
    pairs = zip(_numbers(entry), _numbers(published), strict=True)
    for one, other in pairs:
        _require_same_number(one, other, entry.id)


def _comparable(entry: PaperEntry) -> dict[str, Any]:
    """Return what is said of an entry but for its numbers' ends, which need not be the same."""
    table: dict[str, Any] = msgspec.to_builtins(entry)
    groups = [table["evidence"], table["of_proof"], *(x["evidence"] for x in table["readings"])]
    for finding in (one for group in groups for one in group):
        for number in finding["numbers"]:
            del number["lower"], number["upper"]
    return table


def _numbers(entry: PaperEntry) -> list[PaperNumber]:
    return [number for group in _groups(entry) for finding in group for number in finding.numbers]


def _groups(entry: PaperEntry) -> list[list[PaperFinding]]:
    """Return all evidence of an entry: on it, on its proof, and on each of its readings."""
    return [entry.evidence, entry.of_proof, *(reading.evidence for reading in entry.readings)]


def _require_same_number(stated: PaperNumber, derived: PaperNumber, name: str) -> None:
    """Require ends as derived, or else two narrow enclosures that overlap."""
    if (stated.lower, stated.upper) == (derived.lower, derived.upper):
        return
    one, other = (
        stated_enclosure(number.lower, number.upper, name, ClaimError)
        for number in (stated, derived)
    )
    narrow = one.is_narrow(_NARROW_DIGITS) and other.is_narrow(_NARROW_DIGITS)
    if not (narrow and one.overlaps(other)):
        raise ClaimError(f"{name}: a stated enclosure is not the one that is derived")
