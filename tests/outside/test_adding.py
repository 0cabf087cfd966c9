"""CONTRIBUTING's table tried in copies: each row with a toy, its files counted, its tests run.

A row says how many files are written by hand; what a command of the row writes is not counted. The
numbers, the files and the tests are read from the table, which so cannot say anything else.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import added_toys
import pytest
from added_toys import (
    CHECK,
    CLAIM,
    ENTRY,
    EXPERIMENT,
    FAMILY,
    FIELD,
    MECHANISM,
    PAGE,
    QUANTITY,
    TWIN,
    Part,
    Toy,
)
from private_data import DATA

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("certify", "reference", "tests", "proofs_notes", "benchmarks")
SECONDS = 600
_ROW = re.compile(r"^\| (?:an?|the) ([^|]+) \| (\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
_TEXT = re.compile(r"`([^`]+)`")


class Row(NamedTuple):
    """A row of the table: how many files, all that is named by it, and its tests."""

    files: int
    told: tuple[str, ...]
    tests: tuple[str, ...]

    def names(self, file: str) -> bool:
        """Whether the row names a file, or a folder that it is in; PAPER and NAME are anything."""
        return any(re.fullmatch(_pattern(told), file) for told in self.told)


def _pattern(told: str) -> str:
    anything = re.sub("PAPER|NAME", "[^/]+", re.escape(told))
    return f"{anything}.*" if told.endswith("/") else anything


def table() -> dict[str, Row]:
    """Return CONTRIBUTING's table of what is added, by what that is."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## To add, do this")[2]
    rows: dict[str, Row] = {}
    for name, files, how, said in _ROW.findall(text.partition("\n## ")[0]):
        above = [*rows.values()][-1] if said.startswith("those above") else Row(0, (), ())
        told, tests = _TEXT.findall(how), _TEXT.findall(said)
        rows[name] = Row(int(files), (*above.told, *told), (*above.tests, *tests))
    return rows


class Copy(NamedTuple):
    """A copy of the project in which things are added to."""

    root: Path

    def add(self, part: Part) -> None:
        """Put a text at the end of a file, which may be new, or before the only such text in it."""
        file = self.root / part.file
        old = file.read_text("utf-8") if file.exists() else ""
        assert not part.before or old.count(part.before) == 1, part
        new = old.replace(part.before, part.text + part.before) if part.before else old + part.text
        file.write_text(new, "utf-8")

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.root,
            env={
                "PYTHONPATH": f"{self.root / 'packages'}:{self.root / 'tests/support'}",
                "PATH": "/usr/bin:/bin",
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )

    def command(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return self.run("-c", "from simplexcert.certify.cli import main; main()", *arguments)

    def told(self, command: str) -> None:
        """Run a command as the table writes it."""
        program, *arguments = shlex.split(command)
        done = self.command(*arguments) if program == "simplexcert" else self.run(*arguments)
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    def tests(self, tests: Iterable[str], only: Iterable[str]) -> tuple[int, str]:
        """Run tests, and return how that ended and what was told."""
        names = [word for name in only for word in ("--only", name)]
        options = ["-q", "-n0", "-p", "no:cacheprovider", *names]
        done = self.run("-m", "pytest", *options, *tests)
        return done.returncode, done.stdout + done.stderr

    def files(self) -> Mapping[str, bytes]:
        """Return a digest of each file by its path."""
        return {
            path.relative_to(self.root).as_posix(): hashlib.sha256(path.read_bytes()).digest()
            for folder in COPIED
            for path in (self.root / folder).rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    root = tmp_path / "copy"
    for name in COPIED:  # with what is compiled of it
        shutil.copytree(ROOT / name, root / name)
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, root)
    package = root / "packages" / "simplexcert"
    package.mkdir(parents=True)
    public = root / "certify" / "public" / "__init__.py"
    for part in (root / "certify", root / "reference", public):
        (package / part.name).symlink_to(part)
    return Copy(root)


def require_rows(copy: Copy, *toys: Toy) -> None:
    """Add toys as their rows say, and require the rows' numbers of files, and their tests to pass.

    Before the last parts of one are there, its tests ask for them by the names of their files.
    """
    rows, own, there = table(), set[str](), copy.files().keys()
    for toy in toys:
        require_files(copy, toy, rows[toy.row])
        own |= {part.file for part in toy.parts if Path(part.file).name.startswith("test_")} - there
    tests = dict.fromkeys([*(test for toy in toys for test in rows[toy.row].tests), *sorted(own)])
    code, told = copy.tests(tests, [name for toy in toys for name in toy.only])
    assert code == 0, told


def require_files(copy: Copy, toy: Toy, row: Row) -> None:
    """Add a toy, and require that its row names its files and says how many there are."""
    before, by_hand = copy.files(), {part.file for part in toy.parts}
    for part in toy.parts:
        if part is toy.asked_from:
            require_asked(copy, toy)
        copy.add(part)
    for command in toy.commands:
        assert command.replace(toy.name, "ID") in row.told, command
        copy.told(command)
    after = copy.files()
    changed = {file for file in after.keys() | before.keys() if after.get(file) != before.get(file)}
    assert by_hand <= changed
    assert bool(changed - by_hand) == bool(toy.commands), changed - by_hand
    assert len(by_hand) == row.files, f"a {toy.row}: {sorted(by_hand)}"
    unnamed = {file for file in by_hand if not row.names(file)}
    assert not unnamed, f"the row of a {toy.row} does not name {unnamed}"


def require_asked(copy: Copy, toy: Toy) -> None:
    """Require that the tests that ask for a toy's parts fail, and name each that is to come."""
    code, told = copy.tests(toy.asking, toy.only)
    assert code == 1, told
    assert toy.asked_from is not None
    to_come = toy.parts[toy.parts.index(toy.asked_from) :]
    silent = [part.asked_as for part in to_come if part.asked_as not in told]
    assert not silent, f"nothing asks for {silent}:\n{told}"


def test_each_row_is_tried() -> None:
    assert set(table()) == {toy.row for toy in vars(added_toys).values() if isinstance(toy, Toy)}


def test_quantities(copy: Copy) -> None:
    require_rows(copy, QUANTITY, TWIN, FAMILY)
    told = copy.command("evaluate", QUANTITY.name, "-p", "p=1/2", "-p", "k=1")
    assert "0.375" in told.stdout, told.stderr


def test_a_mechanism(copy: Copy, tmp_path: Path) -> None:
    require_rows(copy, MECHANISM)
    claim, data = tmp_path / "claim.toml", tmp_path / "private.csv"
    told = copy.command("release", "--template", MECHANISM.name)
    claim.write_text(told.stdout, "utf-8")
    data.write_text(DATA["dirichlet.identity"].text, "utf-8")
    told = copy.command("audit", f"example:{MECHANISM.name}")
    assert told.returncode == 0, told.stderr
    assert "This is a toy." in told.stdout
    out, certificate, ledger = (tmp_path / f"{name}.json" for name in ("out", "cert", "ledger"))
    files = ["--data", data, "--out", out, "--certificate", certificate, "--ledger", ledger]
    told = copy.command("release", claim, *files)
    assert told.returncode == 0, told.stderr
    for asked in (["verify", certificate, "--subject", out], ["ledger", ledger]):
        told = copy.command(*asked)
        assert told.returncode == 0, told.stderr


def test_notes_and_pages(copy: Copy) -> None:
    require_rows(copy, CLAIM, ENTRY, EXPERIMENT, PAGE)


def test_checks_and_certificates(copy: Copy) -> None:
    require_rows(copy, CHECK, FIELD)
