"""The part of the notes that is made from the register: verdicts, evidence and the index.

``python -m simplexcert.certify.claims.notes [GLOB]`` derives the entries and writes it. The rest of
a note is written by hand; a number in it has to be one that the evidence encloses.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from ..files import write_whole
from .deriving import Derived, derived, standing
from .entries import Claim
from .findings import Finding
from .recorded import Recorded, recorded
from .register import PAPERS, entries

NOTES = Path(__file__).resolve().parents[2] / "proofs_notes"
INDEX = NOTES / "claims.md"
# What stands between these lines is written by the command.
BEGIN, END = "<!-- evidence: begin -->", "<!-- evidence: end -->"
_INDEX_HEAD = """# Claims

**Statement.** What the five papers state, entry by entry, and the verdict on each. Made from the
register by `python -m simplexcert.certify.claims.notes`; `simplexcert claims --check` derives all
of it again.
"""
_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?(?![\w.]*\d)")


def claims_of(note: str) -> list[Claim]:
    """Return the entries that a note is about."""
    return [claim for claim in entries().values() if claim.note == note]


def evidence_part(found: Iterable[Derived]) -> str:
    """Return what a note says of the evidence for its entries, markers included."""
    lines = [BEGIN, "", "## Evidence, derived", ""]
    for one in found:
        lines.extend(_entry_lines(entries()[one.id], one))
    return "\n".join([*lines, END, ""])


def _entry_lines(claim: Claim, one: Derived) -> Iterator[str]:
    how = standing(claim, one.verdict, proof_fails=one.proof_fails)
    yield f"**{claim.id}** ({claim.where}): **{one.verdict}**, {one.strength}; {how}."
    yield ""
    yield from _finding_lines(one.findings)
    for reading in one.readings:
        yield f"Read as: {reading.says}: **{reading.verdict}**."
        yield ""
        yield from _finding_lines(reading.findings)
    if one.of_proof:
        yield "Of the printed proof:"
        yield ""
        yield from _finding_lines(one.of_proof)


def _finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"- {finding.verdict} ({finding.strength}): {finding.says}"
        for number in finding.numbers:
            yield f"  - {number.of} in [{number.lower}, {number.upper}]"
    yield ""


def with_evidence(text: str, part: str) -> str:
    """Return a note with its derived part in the place of the one that it had, or at its end."""
    written, marker, rest = text.partition(BEGIN)
    after = rest.partition(END)[2].lstrip("\n") if marker else ""
    return f"{written.rstrip()}\n\n{part}{after}"


def by_hand(text: str) -> str:
    """Return what of a note is written by hand."""
    written, _, rest = text.partition(BEGIN)
    return written + rest.partition(END)[2]


def numbers_by_hand(text: str) -> list[str]:
    """Return the decimals that the part written by hand has."""
    return [match for match in _NUMBER.findall(by_hand(text)) if Decimal(match).is_finite()]


def index_text(lines: Mapping[str, Recorded] | None = None) -> str:
    """Return the index of the register: each entry, its verdict, and its note."""
    known = recorded() if lines is None else lines
    parts = [_INDEX_HEAD]
    for paper, title in PAPERS.items():
        parts.append(f"\n## {paper}: {title}\n")
        parts.append("| claim | where | verdict | rests on | how it stands | note |")
        parts.append("|---|---|---|---|---|---|")
        parts.extend(_row(claim, known) for claim in entries().values() if claim.paper == paper)
    return "\n".join(parts) + "\n"


def _row(claim: Claim, known: Mapping[str, Recorded]) -> str:
    line = known.get(claim.id)
    said = (
        (
            str(line.verdict),
            str(line.strength),
            standing(claim, line.verdict, proof_fails=line.proof_fails),
        )
        if line
        else ("not recorded",) * 3
    )
    return f"| `{claim.id}` | {claim.where} | {' | '.join(said)} | [{claim.note}]({claim.note}) |"


def main(pattern: str = "*") -> None:
    """Write the derived parts of the notes of matching entries, and the index."""
    notes = {claim.note for claim in entries(pattern).values()}
    names = [claim.id for note in sorted(notes) for claim in claims_of(note)]
    found = derived(names, jobs=2)
    for note in sorted(notes):
        part = evidence_part(found[claim.id] for claim in claims_of(note))
        write_whole(NOTES / note, with_evidence((NOTES / note).read_text("utf-8"), part).encode())
    write_whole(INDEX, index_text().encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
