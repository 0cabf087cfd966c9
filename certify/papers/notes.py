"""Write the part of the notes that is made from the register: verdicts, evidence and the index.

``python -m simplexcert.certify.papers.notes [GLOB]`` derives the statements and writes it. The rest
of a note is written by hand; a number in it has to be one that the evidence encloses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..files import write_whole
from ..marks import PACKAGED
from .derive import Derived, Recorded, derived, record_of, recorded, standing_of
from .evidence import Finding
from .statement import PAPERS, Statement, statements

NOTES = Path(__file__).resolve().parents[2] / "proofs_notes"
INDEX = NOTES / "claims.md"
# The text between these lines is written by the command.
BEGIN, END = "<!-- evidence: begin -->", "<!-- evidence: end -->"
_INDEX_HEAD = """# Claims

**Statement.** What the five papers state, entry by entry, and the verdict on each. Made from the
register by `python -m simplexcert.certify.papers.notes`; `simplexcert claims --check` derives all
of it again.

## The rules of the register

They are the same for all five papers.

1. *What is printed is decided*: with the hypotheses that stand in the statement, in the
   definitions and assumptions that it names, and in the setting of its section. What its proof
   assumes, or its authors may have had in mind, is not printed.
2. *A hypothesis that is not printed* and without which the statement fails makes it refuted, by
   an instance that meets all printed ones, however natural the hypothesis is. An entry of ours
   stands in its place and names it: the headline is *true under an extra hypothesis*. No
   hypothesis is what a statement needs to speak of anything: that an expression has a value, that
   there is such an input. Two conventions of the field go without saying: different mechanisms'
   randomness is independent, and a mechanism's parameters do not depend on the private data;
   where a page says how it takes them from the data, that is what is printed.
3. *Where the page leaves a sense open* (which norm, which of two notions of privacy) the entry
   takes the most favourable one. The others are readings; if one is refuted, the headline is
   *true as read here, in another reading false*. What only goes further than the page is no
   reading of it. Each entry takes its own: of a norm that its paper does not name, what one entry
   is read by may be another's other reading, and no one norm need serve both.
4. *A misprint is printed.* A formula, a word or a line of a derivation that is wrong as it stands
   is *false as printed; repaired*, however plain the slip. Only what an extraction of plain text
   loses (the sign of an exponent, an index, a bracket, a digit that stands twice) is not held
   against the page; the entry says so. A false step of a proof leaves its statement *true; the
   printed proof fails*.
5. *A number comes out to the nearest*, at the digits that are printed. An upper bound may be
   rounded up, a lower one cut off; an epsilon or a delta that is cut off is not reproduced.
6. *A parameter that is not printed* is not ours to choose: the number is reproduced, or not, if
   all admissible values agree. Where they differ the entry is inapplicable, and readings tell
   which do.
7. *Almost, close, small, typical* decide nothing, unless the side that such a word names is wrong
   or every sense of it agrees: the entry is inapplicable, and readings give the numbers.
8. *What rests on data, draws or papers that are not at hand* is inapplicable; what was only tried
   is undecided.

Every theorem, lemma, proposition, corollary and algorithm has an entry, every assumption and
definition that claims something, every numbered display that is used as a statement, every
reported number, table and figure, and every claim about the mechanism in the running text.
Problem statements, notation, motivation, plans and claims to be new or the first have none.
"""


def statements_of(note: str) -> list[Statement]:
    """Return the statements that a note is about."""
    return [statement for statement in statements().values() if statement.note == note]


def evidence_part(found: Iterable[Derived]) -> str:
    """Return the evidence for the statements of a note, markers included."""
    lines = [BEGIN, "", "## Evidence, derived", ""]
    for one in found:
        lines.extend(_entry_lines(statements()[one.id], one))
    return "\n".join([*lines, END, ""])


def _entry_lines(statement: Statement, one: Derived) -> Iterator[str]:
    how = standing_of(statement, record_of(one))
    yield f"**{statement.id}** ({statement.where}): **{one.verdict}**, {one.strength}; {how}."
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


def index_text(lines: Mapping[str, Recorded] | None = None) -> str:
    """Return the index of the register: each statement, its verdict, and its note."""
    known = recorded() if lines is None else lines
    parts = [_INDEX_HEAD]
    for paper, title in PAPERS.items():
        parts.append(f"\n## {paper}: {title}\n")
        parts.append("| claim | where | verdict | rests on | how it stands | note |")
        parts.append("|---|---|---|---|---|---|")
        parts.extend(
            _row(statement, known)
            for statement in statements().values()
            if statement.paper == paper
        )
    return "\n".join(parts) + "\n"


def _row(statement: Statement, known: Mapping[str, Recorded]) -> str:
    line = known.get(statement.id)
    said = (
        (
            str(line.verdict),
            str(line.strength),
            standing_of(statement, line),
        )
        if line
        else ("not recorded",) * 3
    )
    note = f"[{statement.note}]({statement.note})"
    return f"| `{statement.id}` | {statement.where} | {' | '.join(said)} | {note} |"


def main(pattern: str = "*") -> None:
    """Write the derived parts of the notes of matching statements, and the index."""
    notes = {statement.note for statement in statements(pattern).values()}
    names = [statement.id for note in sorted(notes) for statement in statements_of(note)]
    found = derived(names, jobs=2)
    for note in sorted(notes):
        part = evidence_part(found[statement.id] for statement in statements_of(note))
        text = with_evidence((NOTES / note).read_text("utf-8"), part)
        write_whole(NOTES / note, text.encode(), PACKAGED)
    write_whole(INDEX, index_text().encode(), PACKAGED)


if __name__ == "__main__":
    main(*sys.argv[1:])
