"""The notes of the register: each entry has one, its derived part is up to date, and so the index.

Numbers written by hand have to come out of what the evidence encloses.
"""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from each import each, each_of
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.papers.evidence import how_it_rounds
from simplexcert.certify.papers.notes import (
    BEGIN,
    END,
    INDEX,
    NOTES,
    evidence_part,
    index_text,
    statements_of,
    with_evidence,
)
from simplexcert.certify.papers.statement import PAPERS, statements
from simplexcert.reference.enclosure import Enclosure

IDS = Path(__file__).with_name("ids.toml")
ALL = sorted({claim.note for claim in statements().values()})
_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?(?![\w.]*\d)")
_LABEL = re.compile(r"^ {4}.*\((\d+)\)$", re.MULTILINE)
_ENDS = re.compile(r" in \[([^,\]]+), ([^,\]]+)\]$", re.MULTILINE)


def by_hand(text: str) -> str:
    """Return the part of a note that is written by hand."""
    written, _, rest = text.partition(BEGIN)
    return written + rest.partition(END)[2]


def numbers_by_hand(text: str) -> list[str]:
    """Return the decimals that the part written by hand has."""
    return [match for match in _NUMBER.findall(by_hand(text)) if Decimal(match).is_finite()]


def stated(paper: str) -> list[str]:
    """Return the ids of a paper's statements, as they were compiled from its text."""
    return [f"{paper}.{name}" for name in tomllib.loads(IDS.read_text("utf-8"))[paper]]


def text_of(note: str) -> str:
    return (NOTES / note).read_text("utf-8")


def derived_part(note: str) -> str:
    return text_of(note).partition(BEGIN)[2].partition(END)[0]


@each_of("paper", PAPERS)
def test_every_statement_of_a_paper_is_an_entry(paper: str) -> None:
    listed = stated(paper)
    assert len(listed) == len(set(listed))
    there = {claim.id for claim in statements(f"{paper}.*").values() if not claim.repairs}
    told = [f"add {name} to tests/fast/certify/papers/ids.toml" for name in there - {*listed}]
    told += [f"write the Statement {name} in certify/papers/{paper}/" for name in {*listed} - there]
    assert not told, "\n".join(told)


def test_every_entry_is_recorded_and_nothing_else() -> None:
    told = [
        f"run `simplexcert claims {name} --check --record`"
        for name in set(statements()) - set(recorded())
    ]
    told += [f"take {name} out of expected.json" for name in set(recorded()) - set(statements())]
    assert not told, "\n".join(told)


def test_the_index_is_made_from_the_register() -> None:
    told = "run `python -m simplexcert.certify.papers.notes`"
    assert INDEX.read_text("utf-8") == index_text(), told


def test_every_note_of_a_paper_belongs_to_an_entry() -> None:
    there = {
        path.relative_to(NOTES).as_posix()
        for paper in PAPERS
        for path in (NOTES / paper).glob("*.md")
    }
    assert there == set(ALL)


@each(ALL)
def test_a_note_says_the_recorded_verdicts(note: str) -> None:
    known, part = recorded(), derived_part(note)
    for claim in statements_of(note):
        line = known[claim.id]
        assert f"**{claim.id}** ({claim.where}): **{line.verdict}**, {line.strength};" in part


@each(ALL)
def test_numbers_written_by_hand_come_out_of_the_evidence(note: str) -> None:
    part = derived_part(note)
    ends = [(Fraction(Decimal(low)), Fraction(Decimal(high))) for low, high in _finite(part)]
    for number in numbers_by_hand(text_of(note)):
        assert number in part or any(map(_rounds_to(number), ends)), number


def _finite(part: str) -> list[tuple[str, str]]:
    return [ends for ends in _ENDS.findall(part) if all(Decimal(end).is_finite() for end in ends)]


def _rounds_to(number: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    def holds(ends: tuple[Fraction, Fraction]) -> bool:
        low, high = map(Enclosure.of, ends)
        return bool(how_it_rounds(number, Enclosure(low.low, high.high)))

    return holds


@each(ALL)
def test_every_displayed_formula_has_an_executable_twin(note: str) -> None:
    part = derived_part(note)
    for label in set(_LABEL.findall(by_hand(text_of(note)))):
        assert f"({label})" in part, label


def test_an_old_derived_part_is_replaced() -> None:
    old = f"# T\n\nwords\n\n{BEGIN}\nold\n{END}\nafter\n"
    new = with_evidence(old, f"{BEGIN}\nnew\n{END}\n")
    assert new == f"# T\n\nwords\n\n{BEGIN}\nnew\n{END}\nafter\n"
    assert with_evidence(new, f"{BEGIN}\nnew\n{END}\n") == new


def test_nothing_found_is_nothing_said() -> None:
    assert evidence_part([]) == f"{BEGIN}\n\n## Evidence, derived\n\n{END}\n"
