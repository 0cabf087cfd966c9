"""The files of a backend are found and digested without running anything of theirs."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from simplexcert.certify.backends import subjects
from simplexcert.certify.backends.subjects import (
    Subject,
    subjects_of_command,
    subjects_of_imported,
    subjects_of_module,
)
from simplexcert.reference.errors import InputError

# A module that tells that it was run.
TELLING = "open({!r}, 'a').close()\n"


def written(folder: Path, *names: str, text: str = "x = 1\n") -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def found(name: str, *path: Path) -> list[str]:
    return [item.name for item in subjects_of_module(name, [*map(str, path), *sys.path])]


def test_a_modules_file_is_digested(tmp_path: Path) -> None:
    written(tmp_path, "alone.py", "beside.py")
    digest = sha256((tmp_path / "alone.py").read_bytes()).hexdigest()
    assert subjects_of_module("alone", [str(tmp_path)]) == (Subject("alone.py", digest),)


def test_a_package_is_every_regular_file_of_its_top_level_but_caches(tmp_path: Path) -> None:
    written(
        tmp_path, "whole/__init__.py", "whole/inner/deep.py", "whole/inner/data.bin", "whole/.rc",
        "whole/__pycache__/deep.cpython-311.pyc", "whole/inner/__pycache__/cache.nbi",
        "whole/native.so",
    )  # fmt: skip
    assert found("whole.inner.deep", tmp_path) == [
        "whole/.rc", "whole/__init__.py", "whole/inner/data.bin", "whole/inner/deep.py",
        "whole/native.so",
    ]  # fmt: skip


def test_what_can_be_imported_from_a_cache_or_read_there_is_digested(tmp_path: Path) -> None:
    cache = "cached/__pycache__"
    others = [f"{cache}/data.bin", f"{cache}/deep.pyc", f"{cache}/native.so", f"{cache}/x.py",
              f"{cache}/x/__init__.py"]  # fmt: skip
    left_out = [f"{cache}/x.cpython-311.pyc", f"{cache}/x.cpython-311.opt-1.pyc",
                f"{cache}/x.cpython-311-pytest-9.2.0.pyc",
                f"{cache}/x.cpython-311.pyc.139", f"{cache}/x.f-3.py311.nbi"]  # fmt: skip
    written(tmp_path, "cached/__init__.py", *others, *left_out)
    assert found("cached", tmp_path) == sorted(["cached/__init__.py", *others])
    told = "import sys; sys.path[:0] = sys.argv[1:]; import cached.__pycache__.x as x; print(x)"
    done = [sys.executable, "-P", "-c", told, str(tmp_path)]
    assert (
        "x/__init__.py" in subprocess.run(done, capture_output=True, text=True, check=True).stdout
    )


def test_nothing_is_run_to_find_a_dotted_name(tmp_path: Path) -> None:
    telling = TELLING.format(str(tmp_path / "run"))
    written(tmp_path, "telling/__init__.py", "telling/sub/__init__.py", text=telling)
    before = set(sys.modules)
    assert found("telling.sub.thing", tmp_path) == [
        "telling/__init__.py",
        "telling/sub/__init__.py",
    ]
    assert not (tmp_path / "run").exists()
    assert set(sys.modules) == before


def test_of_a_namespace_the_package_that_is_asked_for_is_taken(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    written(one, "shared/mine/__init__.py", "shared/mine/part.py", "shared/yours.py")
    written(other, "shared/theirs/__init__.py")
    assert found("shared.mine.part", one, other) == [
        "shared/mine/__init__.py", "shared/mine/part.py",
    ]  # fmt: skip
    assert found("shared.theirs", one, other) == ["shared/theirs/__init__.py"]
    assert found("shared.yours", one, other) == ["shared/yours.py"]
    with pytest.raises(InputError, match="has no file"):
        found("shared", one, other)


def test_an_archive_is_one_file(tmp_path: Path) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("zipped/__init__.py", TELLING.format(str(tmp_path / "run")))
    (only,) = subjects_of_module("zipped", [str(archive)])
    assert only == Subject("packed.zip", sha256(archive.read_bytes()).hexdigest())
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("suffix", [".pyc", ".abi3.so"])
def test_a_module_without_source_is_its_file(tmp_path: Path, suffix: str) -> None:
    written(tmp_path, f"compiled{suffix}")
    assert found("compiled", tmp_path) == [f"compiled{suffix}"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("sys", "module sys has no file"),
        ("zipimport", "module zipimport has no file"),
        ("nowhere_at_all", "there is no module nowhere_at_all, neither here nor installed"),
        ("shared.nowhere", "there is no module shared.nowhere"),
    ],
)
def test_a_module_without_a_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    written(tmp_path, "shared/mine.py")
    with pytest.raises(InputError, match=says):
        found(name, tmp_path)


def test_links_are_followed_and_none_for_ever(tmp_path: Path) -> None:
    written(tmp_path, "outside/linked.py", "links/__init__.py")
    home = tmp_path / "links"
    (home / "away").symlink_to(tmp_path / "outside")
    (home / "again").symlink_to(home)
    (home / "file.py").symlink_to(tmp_path / "outside" / "linked.py")
    (home / "dangling.py").symlink_to(tmp_path / "nowhere")
    os.mkfifo(home / "pipe.py")
    assert found("links", tmp_path) == [
        "links/__init__.py",
        "links/away/linked.py",
        "links/file.py",
    ]


def test_folders_may_lie_deeper_than_the_interpreter_recurs(tmp_path: Path) -> None:
    deep = "d/" * 150
    written(tmp_path, "deep/__init__.py", f"deep/{deep}last.py")
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        assert found("deep", tmp_path) == ["deep/__init__.py", f"deep/{deep}last.py"]
    finally:
        sys.setrecursionlimit(before)


def test_a_pipe_in_a_modules_place_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "piped.py")
    with pytest.raises(InputError, match=r"there is no module piped|has no file"):
        found("piped", tmp_path)


def test_more_files_than_a_certificate_names_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subjects, "MAX_FILES", 3)
    written(tmp_path, "many/__init__.py", "many/a.py", "many/b.py")
    assert len(found("many", tmp_path)) == 3
    written(tmp_path, "many/c.py")
    with pytest.raises(InputError, match="many has more than 3 files"):
        found("many", tmp_path)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    written(tmp_path, "huge/__init__.py")
    with (tmp_path / "huge" / "data").open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(InputError, match="more than 2,147,483,648 bytes together"):
        found("huge", tmp_path)


def test_a_file_that_only_grows_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subjects, "MAX_BYTES", 100)
    written(tmp_path, "grows.py")
    real = os.fstat

    def empty(number: int) -> os.stat_result:
        told = list(real(number))
        told[6] = 0
        return os.stat_result(told)

    written(tmp_path, "grows.py", text="#" * 101)
    monkeypatch.setattr(subjects.os, "fstat", empty)
    with pytest.raises(InputError, match="more than 100 bytes together"):
        found("grows", tmp_path)


def test_a_name_that_no_certificate_can_have_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "odd/__init__.py", "odd/a\nb.py")
    with pytest.raises(InputError, match="which a certificate cannot name"):
        found("odd", tmp_path)


def installed(site: Path) -> None:
    written(
        site, "first/__init__.py", "second.py", "first/__pycache__/x.cpython-311.pyc", "other.py"
    )
    home = "dist-1.dist-info"
    for name in ("METADATA", "RECORD", "INSTALLER", "direct_url.json", "entry_points.txt"):
        written(site, f"{home}/{name}")
    listed = [
        "first/__init__.py,sha256=wrong,1", "first/__pycache__/x.cpython-311.pyc,,", "second.py,,",
        "gone.py,,",
        "../../../bin/script,,", "/etc/passwd,,", f"{home}/METADATA,,", f"{home}/RECORD,,",
        f"{home}/INSTALLER,,", f"{home}/direct_url.json,,", f"{home}/entry_points.txt,,", "",
    ]  # fmt: skip
    (site / home / "RECORD").write_text("\n".join(listed), encoding="utf-8")


LISTED = ["dist-1.dist-info/METADATA", "dist-1.dist-info/entry_points.txt", "first/__init__.py",
          "second.py"]  # fmt: skip


def test_an_installed_distribution_is_what_it_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert found("first") == LISTED
    assert found("second") == LISTED
    assert found("other") == ["other.py"]
    digests = {item.name: item.sha256 for item in subjects_of_module("first", sys.path)}
    content = (tmp_path / "first" / "__init__.py").read_bytes()
    assert digests["first/__init__.py"] == sha256(content).hexdigest()


def test_a_list_in_a_folder_that_nothing_is_installed_in_says_nothing(tmp_path: Path) -> None:
    installed(tmp_path)
    assert found("second", tmp_path) == ["second.py"]


def test_a_file_that_no_list_names_is_a_subject_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path)
    written(tmp_path, "first/dropped.py")
    monkeypatch.syspath_prepend(tmp_path)
    assert found("first") == sorted([*LISTED, "first/dropped.py"])


def test_an_imported_module_is_found_as_one_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "taken/__init__.py", "taken/part.py")
    monkeypatch.syspath_prepend(tmp_path)
    before = subjects_of_module("taken.part", sys.path)
    __import__("taken.part")
    try:
        assert subjects_of_imported("taken.part") == before
    finally:
        for name in ("taken", "taken.part"):
            sys.modules.pop(name)


def test_a_command_is_its_program_and_the_arguments_that_are_files_of_a_folder(
    tmp_path: Path,
) -> None:
    written(tmp_path, "in/prog", "data")
    names = [item.name for item in subjects_of_command(["./prog", "../data"], str(tmp_path / "in"))]
    assert names == ["data", "prog"]
