"""The certificate of the papers: issued from the register, and verified by issuing it again.

What it says of an entry is what the register says and what its evidence came to, just now. Nothing
that it states decides anything: what there is no time for is undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ...reference.errors import InputError, SoundnessError
from ...reference.precision import Budget, BudgetSpentError, all_within
from .. import papers as papers_package
from ..extras import require
from ..files import sha256_of_file
from ..papers.derive import (
    EXPECTED,
    NOT_DECIDED,
    Derived,
    Recorded,
    derive,
    differing,
    record_of,
    standing_of,
)
from ..papers.evidence import Finding, Strength, without_rounding
from ..papers.statement import PAPERS, Statement, statements, strength_of, verdict_of
from ..papers.values import SHOWN_DIGITS
from ..verdict import Verdict, is_decided_since, standing
from .agreement import FOUND_DIGITS, Known, agreement_of
from .backend import WHO_ISSUED, require_both_engines, require_told, these_engines, this_tool
from .errors import AlgebraError, ClaimError
from .issuing import in_order, subject
from .models_papers import (
    PAPERS_TYPE,
    PaperCounts,
    PaperEntry,
    PaperFinding,
    PapersPredicate,
    PapersStatement,
    VerdictCounts,
)
from .parts import STATEMENT_TYPE, Subject
from .reading import require_readable

PAPERS_NON_CLAIMS: Final = (
    "What a paper means beyond the words here: they are ours, in the sense that favours it most.",
    "Anything of a paper's other statements, or of its worth, from one that is refuted.",
    "That what is undecided or inapplicable (not decidable here) is true, or that it is false.",
    "That a proof in words is complete: executing its formulas shows what they mean, no more.",
    "That the text at hand is the printed page: an entry says where a character may be garbled.",
    WHO_ISSUED,
)
# Subjects are named relative to the package, as the wheel holds them.
REGISTER_FOLDER: Final = "certify/papers"
Progress = Callable[[int, int], None]
_FOLDER = Path(papers_package.__file__).parent
# For all entries together; those of the five papers take less than a minute.
PAPERS_SECONDS = 900.0
_EXPECTED = f"{REGISTER_FOLDER}/expected.json"
# Ends that are printed to 12 figures enclose as narrowly as this, rounded outward once more.
_NARROW_DIGITS = 10
# What takes longer than there is time for, or is enclosed too widely in it, is undecided by these.
_BY_TIME = (Strength.NONE, Strength.NUMBER)


def papers_statement_of(
    pattern: str, found: Mapping[str, Derived], issued: str | None = None
) -> PapersStatement:
    """Return the statement on the entries that a glob matches, each derived just now.

    Raises InputError where a verdict is not the recorded one, BudgetSpentError where there was not
    time for all, SoundnessError where some evidence is at fault.
    """
    chosen = statements(pattern)
    _require_whole(list(chosen), found)
    papers = [name for name in PAPERS if any(x.paper == name for x in chosen.values())]
    stated = [published_entry(claim, found[name]) for name, claim in chosen.items()]
    statement = PapersStatement(
        type=STATEMENT_TYPE,
        subject=register_subjects(papers),
        predicateType=PAPERS_TYPE,
        predicate=PapersPredicate(
            tool=this_tool(),
            engines=these_engines(),
            issued=issued,
            pattern=pattern,
            counts=counts_of(stated),
            papers=papers_of(stated),
            entries=stated,
            non_claims=list(PAPERS_NON_CLAIMS),
        ),
    )
    require_readable(statement)
    return statement


def _require_whole(names: Sequence[str], found: Mapping[str, Derived]) -> None:
    """Require a verdict on each entry, the recorded one, and none that the machine's speed set."""
    if names != list(found) or not names:
        raise InputError("no certificate: it takes every entry that the glob matches")
    for name, one in found.items():
        if Verdict.ERROR in verdicts_of(one):
            raise SoundnessError(f"no certificate: the evidence of {name} is at fault")
        if ran_out_of_time(one) and differing({name: one}):
            raise BudgetSpentError(f"no certificate: there was not time for {name}")
    if strange := differing(found):
        names_told = ", ".join(strange[:5]) + (", ..." if len(strange) > 5 else "")  # noqa: PLR2004
        raise InputError(f"no certificate: not what is recorded is derived of {names_told}")


def verdicts_of(found: Derived) -> set[Verdict]:
    """Return the verdicts of an entry, of its readings and of each piece of evidence."""
    findings = {finding.verdict for finding in _findings_of(found)}
    return {found.verdict, *findings, *(reading.verdict for reading in found.readings)}


def ran_out_of_time(found: Derived) -> bool:
    """Whether some evidence is undecided that more time might decide."""
    return any(
        finding.verdict is Verdict.UNDECIDED and finding.strength in _BY_TIME
        for finding in _findings_of(found)
    )


def _findings_of(found: Derived) -> list[Finding]:
    readings = [finding for reading in found.readings for finding in reading.findings]
    return [*found.findings, *found.of_proof, *readings]


def published_entry(claim: Statement, found: Derived, digits: int = SHOWN_DIGITS) -> PaperEntry:
    """Return an entry as it is published, numbers with so many digits and two more.

    Raises InputError where that has no readable form.
    """
    shape = {
        **claim.as_json(),
        "adds": list(claim.adds),
        "repairs": claim.repairs or None,
        "garbled": claim.garbled,
        "note": f"proofs_notes/{claim.note}",
        "verdict": found.verdict.value,
        "strength": found.strength.value,
        "proof_fails": found.proof_fails,
        "standing": standing_of(claim, record_of(found)),
        "evidence": _published(found.findings, digits),
        "readings": [
            {
                "says": reading.says,
                "verdict": reading.verdict.value,
                "evidence": _published(reading.findings, digits),
            }
            for reading in found.readings
        ],
        "of_proof": _published(found.of_proof, digits),
    }
    try:
        return msgspec.convert(shape, PaperEntry)
    except msgspec.ValidationError as error:
        raise InputError(f"no certificate can say this of {claim.id}: {error}") from None


def _published(findings: Iterable[Finding], digits: int) -> list[dict[str, object]]:
    return [finding.as_json(digits) for finding in findings]


def counts_of(entries: Iterable[PaperEntry]) -> VerdictCounts:
    """Return how many entries have each verdict."""
    found = Counter(entry.verdict for entry in entries)
    return VerdictCounts(**{name: found[name] for name in VerdictCounts.__struct_fields__})  # type: ignore[index]


def papers_of(entries: Sequence[PaperEntry]) -> list[PaperCounts]:
    """Return the papers that have entries, in the register's order, and the counts of each."""
    by_paper = {paper: [entry for entry in entries if entry.paper == paper] for paper in PAPERS}
    return [
        PaperCounts(paper, title, counts_of(by_paper[paper]))
        for paper, title in PAPERS.items()
        if by_paper[paper]
    ]


def register_subjects(papers: Iterable[str]) -> list[Subject]:
    """Return the files of the register that entries come from, the recorded verdicts among them.

    They are named as the package holds them, so that an installed one can be held against them.
    """
    folders = [_FOLDER, *(_FOLDER / paper for paper in papers)]
    files = [file for folder in folders for file in folder.glob("*.py")]
    files += [_FOLDER / EXPECTED.name]
    return in_order(
        subject(f"{REGISTER_FOLDER}/{file.relative_to(_FOLDER).as_posix()}", sha256_of_file(file))
        for file in files
    )


def papers_verdict(
    statement: PapersStatement, most: int | None = None, on_progress: Progress | None = None
) -> tuple[Verdict, int, tuple[str, ...]]:
    """Return certified if every verdict is derived again, else undecided; and how many were.

    Beside them, a sentence each, what is stated as undecided and is decided now. ``most`` entries
    are derived, spread over all, if it is given. Raises a CertificateError where what is derived is
    not what is stated.
    """
    require("papers", "deriving what papers state")
    entries = statement.predicate.entries
    _require_algebra(statement)
    chosen, budget = _spread(entries, most), Budget(PAPERS_SECONDS)
    found, since = 0, list[str]()
    with all_within(budget.seconds):
        for done, entry in enumerate(chosen, start=1):
            if budget.is_over():
                break
            derived = derive(entry.id)
            found += _agrees(entry, derived)
            if said := _decided_since(entry, derived):
                since.append(said)
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
    known = list(statements(predicate.pattern))
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
    claim = statements()[entry.id]
    readings = [Verdict(reading.verdict) for reading in entry.readings]
    line = Recorded(Verdict(entry.verdict), entry.strength, entry.proof_fails, readings)
    # With other readings it is another entry, which what is derived says.
    if len(readings) == len(claim.readings) and entry.standing != standing_of(claim, line):
        raise AlgebraError(f"{entry.id}: how it stands does not follow from its verdicts")


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

    It is issued again, and compared leaf by leaf: but for the evidence that either side had not the
    time to decide, and what follows from that. Raises ClaimError where it differs, or contradicts
    what is found.
    """
    try:
        published = published_entry(statements()[entry.id], found, FOUND_DIGITS)
    except InputError as error:
        raise ClaimError(str(error)) from None
    stated, derived = msgspec.to_builtins(entry), msgspec.to_builtins(published)
    is_open = _leave_open_out(stated, derived)
    _require_no_contradiction(entry, published, is_open=is_open)
    known = agreement_of(stated, derived, entry.id, is_open=False, digits=_NARROW_DIGITS)
    return known is Known.AS_WELL and not is_open


def _leave_open_out(stated: dict[str, Any], derived: dict[str, Any]) -> bool:
    """Leave out of both what one of them had not the time to decide; return whether there is any.

    The verdicts that follow from it are left out as well: of what is stated they do follow.
    """
    both = [_groups_in(stated), _groups_in(derived)]
    if list(map(len, both[0])) != list(map(len, both[1])):
        return False  # that is no matter of time
    is_open = False
    for one, other in zip(*both, strict=True):
        for place, (said, found) in enumerate(zip(one, other, strict=False)):
            if _is_open(said, found):
                _require_alike(said, found, stated["id"])
                one[place] = other[place] = None
                is_open = True
    if is_open:
        for entry in (stated, derived):
            for key in ("verdict", "strength", "proof_fails", "standing"):
                del entry[key]
            for reading in entry["readings"]:
                del reading["verdict"]
    return is_open


def _is_open(stated: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether more time might have decided a piece of evidence, as stated or as found."""
    out_of_time = found["verdict"] == Verdict.UNDECIDED and found["strength"] in _BY_TIME
    return out_of_time or is_decided_since(Verdict(stated["verdict"]), Verdict(found["verdict"]))


def _require_alike(stated: dict[str, Any], found: dict[str, Any], name: str) -> None:
    """Require that evidence which one side had not the time to decide is the same in all else.

    Where the time was over before there was anything, that alone is said. Else the words are the
    same but for how a printed number rounds, and numbers, of any width, are enclosures of the same.
    """
    where = f"{name}: evidence that is undecided"
    is_undecided = stated["verdict"] == Verdict.UNDECIDED
    if is_undecided and stated["strength"] == Strength.NONE:
        if not stated["says"].startswith(NOT_DECIDED) or stated["numbers"]:
            raise ClaimError(f"{where} says more than that")
        return
    if found["strength"] == Strength.NONE:
        return
    if without_rounding(stated["says"]) != without_rounding(found["says"]):
        raise ClaimError(f"{where} has other words than are found")
    if is_undecided and stated["strength"] not in {*_BY_TIME, found["strength"]}:
        raise ClaimError(f"{where} is of another kind than is found")
    agreement_of(stated["numbers"], found["numbers"], where, is_open=True)


def _groups_in(entry: dict[str, Any]) -> list[list[Any]]:
    """Return all evidence of an entry: on it, on its proof, and on each of its readings."""
    return [entry["evidence"], entry["of_proof"], *(x["evidence"] for x in entry["readings"])]


def _require_no_contradiction(entry: PaperEntry, found: PaperEntry, *, is_open: bool) -> None:
    """Require the verdicts that are found, or where time was short none that contradicts them."""
    said = [(entry.id, entry.verdict, found.verdict)]
    pairs = zip(entry.readings, found.readings, strict=False)
    said += [
        (f"{entry.id}, reading {place},", one.verdict, other.verdict)
        for place, (one, other) in enumerate(pairs, start=1)
    ]
    for name, stated, derived in said:
        if stated != derived and not (is_open and standing(Verdict(stated), Verdict(derived))):
            raise ClaimError(f"{name} is stated as {stated}, derived as {derived}")


def _groups(entry: PaperEntry) -> list[list[PaperFinding]]:
    """Return all evidence of an entry: on it, on its proof, and on each of its readings."""
    return [entry.evidence, entry.of_proof, *(reading.evidence for reading in entry.readings)]
