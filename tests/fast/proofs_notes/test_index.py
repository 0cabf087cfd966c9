"""The index of proofs_notes: it lists the notes there are, and each law in them has its test."""

from __future__ import annotations

import re
from pathlib import Path

from each import each
from simplexcert.reference import quantities

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "proofs_notes"
INDEX = NOTES / "README.md"
_INDEX = "proofs_notes/README.md"

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
    return sorted(note for note in notes() if (ROOT / file_for(note)).is_file())


def file_for(note: str) -> str:
    """Return where the laws of a note are tested."""
    return f"tests/fast/proofs_notes/test_{Path(note).stem.replace('-', '_')}.py"


def cells_of(note: str) -> list[str]:
    found = rows()
    assert note in found, f"add a row for {note} to the table of {_INDEX}"
    return found[note]


def test_index_lists_exactly_the_notes() -> None:
    listed = set(rows())
    told = [f"add a row for {note} to the table of {_INDEX}" for note in notes() - listed]
    told += [f"take the row of {note} out of the table of {_INDEX}" for note in listed - notes()]
    assert not told, "\n".join(told)


def test_every_cited_note_exists() -> None:
    cited = {
        name: path for name, item in quantities().items() for path in _PATH.findall(item.source)
    }
    assert cited
    told = [
        f"write {path}, which the source of {name} names"
        for name, path in cited.items()
        if not (ROOT / path).is_file()
    ]
    assert not told, "\n".join(told)


def test_every_note_named_in_the_code_exists() -> None:
    code = [*(ROOT / "reference").rglob("*.py"), *(ROOT / "certify").rglob("*.py")]
    named = [(file, path) for file in code for path in _PATH.findall(file.read_text("utf-8"))]
    assert named
    told = [
        f"write {path}, which {file.relative_to(ROOT)} names"
        for file, path in named
        if not (ROOT / path).is_file()
    ]
    assert not told, "\n".join(told)


@each(sorted(notes()))
def test_index_names_the_citing_quantities(note: str) -> None:
    """The second column is what the registry says, in order of name."""
    citing = [name for name, item in quantities().items() if f"proofs_notes/{note}" in item.source]
    cell = ", ".join(f"`{name}`" for name in citing) or "none"
    told = f"write in {_INDEX}, row {note}, column 'cited by': {cell}"
    assert re.findall(r"`([\w.]+)`", cells_of(note)[1]) == citing, told


@each(sorted(notes()))
def test_index_names_tests_that_exist(note: str) -> None:
    for path in re.findall(r"`(tests/[\w/.-]+)`", cells_of(note)[3]):
        assert (ROOT / path).exists(), f"write {path}, or take it out of {_INDEX}, row {note}"


@each(sorted(notes()))
def test_every_note_with_a_law_has_tests(note: str) -> None:
    laws = _LAW.findall((NOTES / note).read_text("utf-8"))
    assert not laws or note in with_tests(), (
        f"write {file_for(note)}, with a test for each of {laws}"
    )


@each(with_tests())
def test_every_law_has_its_test(note: str) -> None:
    """A heading in small letters is a law; a test of that name evaluates it, and the reverse."""
    laws = {law.replace("-", "_") for law in _LAW.findall((NOTES / note).read_text("utf-8"))}
    source = (ROOT / file_for(note)).read_text("utf-8")
    tested = set(re.findall(r"^def test_(\w+)\(", source, re.MULTILINE))
    told = [f"add test_{law} to {file_for(note)}: {note} states it" for law in laws - tested]
    told += [
        f"add `## {law.replace('_', '-')}` to {note}: {file_for(note)} tests it"
        for law in tested - laws
    ]
    assert not told, "\n".join(told)


@each(sorted([*all_notes(), "README.md"]))
def test_links_lead_somewhere(note: str) -> None:
    file = NOTES / note
    for target, anchor in _LINK.findall(file.read_text("utf-8")):
        linked = (file.parent / target).resolve()
        assert linked.is_file(), f"{note} links to {target}, which is not there"
        if anchor:
            laws = _LAW.findall(linked.read_text("utf-8"))
            assert anchor[1:] in laws, f"{note} links to {target}{anchor}, where no such law is"


@each(sorted(all_notes()))
def test_each_note_begins_with_its_statement(note: str) -> None:
    lines = [line for line in (NOTES / note).read_text("utf-8").splitlines() if line]
    assert lines[0].startswith("# "), f"begin {note} with its title, `# ...`"
    assert lines[1].startswith("**Statement.**"), "write `**Statement.** ...` under its title"
