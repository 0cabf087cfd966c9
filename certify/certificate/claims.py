"""Make the certificate of the register of claims: the same register gives the same bytes.

What it says of an entry is what the register says and what its evidence came to, just now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ...reference.errors import InputError, SoundnessError
from ...reference.precision import BudgetSpentError
from .. import papers as papers_package
from ..files import sha256_of_file
from ..papers.derive import EXPECTED, Derived, differing, record_of, standing_of
from ..papers.evidence import Finding, Strength
from ..papers.statement import PAPERS, Statement, statements
from ..verdict import Verdict
from .errors import CertificateError
from .models import STATEMENT_TYPE, Subject
from .models_claims import (
    PAPERS_TYPE,
    PaperCounts,
    PaperEntry,
    PapersPredicate,
    PapersStatement,
    VerdictCounts,
)
from .reading import canonical_bytes, read_statement
from .statement import WHO_ISSUED, these_engines, this_tool
from .subjects import in_order, subject

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
_FOLDER = Path(papers_package.__file__).parent
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
    _require_readable(statement)
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


def published_entry(claim: Statement, found: Derived) -> PaperEntry:
    """Return an entry as it is published. Raises InputError where that has no readable form."""
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
        "evidence": _published(found.findings),
        "readings": [
            {
                "says": reading.says,
                "verdict": reading.verdict.value,
                "evidence": _published(reading.findings),
            }
            for reading in found.readings
        ],
        "of_proof": _published(found.of_proof),
    }
    try:
        return msgspec.convert(shape, PaperEntry)
    except msgspec.ValidationError as error:
        raise InputError(f"no certificate can say this of {claim.id}: {error}") from None


def _published(findings: Iterable[Finding]) -> list[dict[str, object]]:
    return [finding.as_json() for finding in findings]


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


def _require_readable(statement: PapersStatement) -> None:
    try:
        read_statement(canonical_bytes(statement), "the certificate")
    except CertificateError as error:
        raise InputError(f"no certificate can say this: {error}") from None
