"""The command that writes vectors: the same bytes, whole files, and a sentence for what is bad."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import rfc8785
from command_line import Cli, calling
from simplexcert.certify.vectors import cases as cases_module
from simplexcert.certify.vectors import writing
from simplexcert.certify.vectors.schema import FOLDER, SCHEMAS
from simplexcert.certify.vectors.writing import write_vectors

QUICK = "dirichlet.utility.variance*"
ONE = "pufferfish.entry_scale"
COPIED = {"VECTORS.md", *SCHEMAS}


@pytest.fixture
def vectors(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "vectors")


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_holds_its_files_and_an_index_of_them(vectors: Cli, tmp_path: Path) -> None:
    found = vectors("--out", tmp_path / "v", "--quantities", QUICK, "--cases", "12")
    assert found.code == 0
    assert found.out.startswith("24 cases of 2 quantities written to ")
    assert found.err == ""
    files = written(tmp_path / "v")
    index = json.loads(files.pop("index.json"))
    assert {entry["file"] for entry in index["files"]} | COPIED == set(files)
    for entry in index["files"]:
        content = files[entry["file"]]
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        file = json.loads(content)
        assert entry["quantity"] == file["quantity"]
        for result in ("valid", "acceptable", "invalid"):
            assert entry[result] == sum(case["result"] == result for case in file["cases"])
    for name in COPIED:
        assert files[name] == (FOLDER / name).read_bytes()


def test_files_are_canonical(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v", pattern=ONE, cases=12)
    for path in (tmp_path / "v").glob("*.json"):
        if path.name not in SCHEMAS:
            assert rfc8785.dumps(json.loads(path.read_bytes())) == path.read_bytes()


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        subprocess.run(
            [
                sys.executable, "-c", "from simplexcert.certify.cli import main; main()", "vectors",
                "--out", tmp_path / name, "--quantities", "laplace.*", "--cases", "12",
            ],
            env={**os.environ, "PYTHONHASHSEED": "1" if name == "one" else "2"},
            check=True,
            capture_output=True,
        )  # fmt: skip
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_another_seed_writes_other_cases(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_vectors(tmp_path / str(seed), pattern=ONE, cases=12, seed=seed)
    name = f"{ONE}.json"
    assert written(tmp_path / "0")[name] != written(tmp_path / "1")[name]


def test_a_folder_of_the_same_files_is_written_again(vectors: Cli, tmp_path: Path) -> None:
    arguments = ("--out", tmp_path / "v", "--quantities", ONE, "--cases", "12")
    assert vectors(*arguments).code == 0
    first = written(tmp_path / "v")
    assert vectors(*arguments).code == 0
    assert written(tmp_path / "v") == first


def test_progress_is_told_after_each_quantity(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_vectors(
        tmp_path / "v", pattern=QUICK, cases=12, on_progress=lambda *both: told.append(both)
    )
    assert told == [(1, 2), (2, 2)]


def test_interrupted_there_are_whole_files_and_no_index(
    vectors: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("--out", tmp_path / "v", "--quantities", QUICK, "--cases", "12")
    assert vectors(*arguments).code == 0
    before = written(tmp_path / "v")
    first, *_ = sorted(name for name in before if name.startswith("dirichlet"))
    whole, made = writing.vector_file, []

    def interrupted(*given: object) -> object:
        if made:
            raise KeyboardInterrupt
        made.append(given)
        return whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "vector_file", interrupted)
    assert vectors(*arguments).code == 130
    after = written(tmp_path / "v")
    assert "index.json" not in after
    assert after == {name: content for name, content in before.items() if name != "index.json"}
    assert first in after


def test_a_file_is_there_only_once_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "canonical", cut)
    with pytest.raises(OSError, match="No space"):
        write_vectors(tmp_path / "v", pattern=ONE, cases=12)
    assert not (tmp_path / "v").exists()


def test_a_folder_that_was_there_stays_when_nothing_is_written(
    vectors: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases_module, "MAX_SECONDS", -1.0)
    monkeypatch.setattr(cases_module, "CASE_MAX_BITS", 2)
    found = vectors("--out", tmp_path, "--quantities", "*.total_variation", "--cases", "12")
    assert found.code == 4
    assert "took more than" in found.err
    assert list(tmp_path.iterdir()) == []


BAD = [
    (("--out", "file"), "is a file, not a folder"),
    (("--out", "full"), "holds other files, such as mine.txt"),
    (("--out", "no/parent"), "No such file or directory"),
    (("--out", "new", "--cases", "11"), "ask for 12 to 10000"),
    (("--out", "new", "--cases", "10001"), "ask for 12 to 10000"),
    (("--out", "new", "--cases", "-1"), "ask for 12 to 10000"),
    (("--out", "new", "--cases", "many"), "not a valid integer"),
    (("--out", "new", "--seed", str(2**53)), "it must lie within"),
    (("--out", "new", "--quantities", "gaussian.delta,gaussian.epsilon"), "a list is not taken"),
    (("--out", "new", "--quantities", "dirichlet.profil"), "unknown quantity 'dirichlet.profil'"),
    ((), "Missing option '--out'"),
    (("--out", "linked"), "is no regular file"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_bad_input_is_one_sentence_and_changes_nothing(
    arguments: tuple[str, ...],
    sentence: str,
    vectors: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine", encoding="utf-8")
    for folder in ("full", "linked"):
        Path(folder).mkdir()
    Path("full/mine.txt").write_text("mine", encoding="utf-8")
    Path("linked/index.json").symlink_to(tmp_path / "file")
    before = sorted(tmp_path.rglob("*"))
    chosen = () if "--quantities" in arguments else ("--quantities", ONE)
    found = vectors(*chosen, *arguments)
    assert found.code == 3
    assert sentence in found.err
    assert found.err.count("\n") == 1
    assert found.out == ""
    assert sorted(tmp_path.rglob("*")) == before
    assert Path("file").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_may_not_be_written_to_is_one_sentence(
    vectors: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Permissions do not stop a superuser, who may be running this.
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(writing.Path, "mkdir", denied)
    found = vectors("--out", tmp_path / "closed", "--quantities", ONE)
    assert found.code == 3
    assert "Permission denied" in found.err
