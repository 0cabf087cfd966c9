"""The index of proofs_notes: it lists the notes there are, and each law in them has its test."""

from __future__ import annotations

import re
from pathlib import Path

from each import each
from simplexcert.reference import quantities

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "proofs_notes"
INDEX = NOTES / "README.md"
HERE = Path(__file__).parent

_PATH = re.compile(r"proofs_notes/[\w./-]+\.md")
_LINK = re.compile(r"\]\(([^)#]+\.md)(#[^)]*)?\)")
# A law's heading is an identifier in small letters; other headings are sentences.
_LAW = re.compile(r"^##+ ([a-z0-9]+(?:-[a-z0-9]+)*)$", re.MULTILINE)


def notes() -> set[str]:
    """Return the notes of the index; those of a paper's statements have one of their own."""
    return {path.name for path in NOTES.glob("*.md")} - {"README.md"}


def all_notes() -> set[str]:
    """Return every note; the documentation site's own pages are none."""
    found = {path.relative_to(NOTES).as_posix() for path in NOTES.rglob("*.md")}
    return {name for name in found if not name.startswith("site/")} - {"README.md"}


def rows() -> dict[str, list[str]]:
    """Return the index's table: for each note its row of cells."""
    table = {}
    for line in INDEX.read_text("utf-8").splitlines():
        link = _LINK.search(line)
        if line.startswith("| [") and link:
            table[link[1]] = [cell.strip() for cell in line.strip("|").split("|")]
    return table


def with_tests() -> list[str]:
    return sorted(
        note
        for note in notes()
        if (HERE / f"test_{Path(note).stem.replace('-', '_')}.py").is_file()
    )


def test_index_lists_exactly_the_notes() -> None:
    assert set(rows()) == notes()


def test_every_cited_note_exists() -> None:
    cited = {path for item in quantities().values() for path in _PATH.findall(item.source)}
    assert cited
    assert {path for path in cited if not (ROOT / path).is_file()} == set()


def test_every_note_named_in_the_code_exists() -> None:
    code = [*(ROOT / "reference").rglob("*.py"), *(ROOT / "certify").rglob("*.py")]
    named = {path for file in code for path in _PATH.findall(file.read_text("utf-8"))}
    assert named
    assert {path for path in named if not (ROOT / path).is_file()} == set()


@each(sorted(notes()))
def test_index_names_the_citing_quantities(note: str) -> None:
    """The second column is what the registry says, in order of name."""
    citing = [name for name, item in quantities().items() if f"proofs_notes/{note}" in item.source]
    assert re.findall(r"`([\w.]+)`", rows()[note][1]) == citing


@each(sorted(notes()))
def test_index_names_tests_that_exist(note: str) -> None:
    for path in re.findall(r"`(tests/[\w/.-]+)`", rows()[note][3]):
        assert (ROOT / path).exists(), path


@each(with_tests())
def test_every_law_has_its_test(note: str) -> None:
    """A heading in small letters is a law; a test of that name evaluates it, and the reverse."""
    laws = {law.replace("-", "_") for law in _LAW.findall((NOTES / note).read_text("utf-8"))}
    source = (HERE / f"test_{Path(note).stem.replace('-', '_')}.py").read_text("utf-8")
    tested = set(re.findall(r"^def test_(\w+)\(", source, re.MULTILINE))
    assert laws == tested


@each(sorted([*all_notes(), "README.md"]))
def test_links_lead_somewhere(note: str) -> None:
    file = NOTES / note
    for target, anchor in _LINK.findall(file.read_text("utf-8")):
        linked = (file.parent / target).resolve()
        assert linked.is_file(), target
        if anchor:
            assert anchor[1:] in _LAW.findall(linked.read_text("utf-8")), anchor


@each(sorted(all_notes()))
def test_each_note_begins_with_its_statement(note: str) -> None:
    lines = [line for line in (NOTES / note).read_text("utf-8").splitlines() if line]
    assert lines[0].startswith("# ")
    assert lines[1].startswith("**Statement.**")
