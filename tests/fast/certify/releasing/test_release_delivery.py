"""New files, all of them or none: a release first, its certificate after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from private_data import given
from simplexcert.certify import files
from simplexcert.certify.marks import Mark
from simplexcert.certify.releasing import draw_release
from simplexcert.certify.releasing.delivery import deliver
from simplexcert.reference.errors import InputError

_KILLED = """
import os, signal, sys
from pathlib import Path
from simplexcert.certify import files
from simplexcert.certify.marks import Mark
from simplexcert.certify.releasing.delivery import deliver
place, left = files._place, [int(sys.argv[2])]
def counted(made, target, over):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    place(made, target, over)
files._place = counted
folder = Path(sys.argv[1])
deliver({folder / name: name.encode() for name in ("release", "certificate", "report")})
"""


def there(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.startswith(".")}


def test_all_files_are_written(tmp_path: Path) -> None:
    deliver({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


def test_a_file_that_appears_meanwhile_is_kept_and_nothing_is_left(tmp_path: Path) -> None:
    for taken in "abc":
        (tmp_path / taken).write_bytes(b"mine")
        with pytest.raises(InputError):
            deliver({tmp_path / name: b"ours" for name in "abc"})
        assert [file.name for file in tmp_path.iterdir()] == [taken]
        assert (tmp_path / taken).read_bytes() == b"mine"
        (tmp_path / taken).unlink()


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [files._place]

    def full(made: Path, target: Path, over: Mark | None) -> None:
        if target.name == "b":
            raise OSError(28, "No space left on device")
        places[0](made, target, over)

    monkeypatch.setattr(files, "_place", full)
    with pytest.raises(InputError, match=r"nothing was written: cannot write .*: No space left"):
        deliver({tmp_path / name: b"ours" for name in "abc"})
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [files._place]

    def interrupted(made: Path, target: Path, over: Mark | None) -> None:
        places[0](made, target, over)
        if target.name == "a":
            raise KeyboardInterrupt

    monkeypatch.setattr(files, "_place", interrupted)
    with pytest.raises(KeyboardInterrupt):
        deliver({tmp_path / name: b"ours" for name in "abc"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("after", range(3))
def test_killed_there_is_no_certificate_without_its_release(after: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path), str(after)], check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    assert there(tmp_path) == set(["release", "certificate", "report"][:after])


def test_a_file_has_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        deliver({tmp_path / "a": b""})
    finally:
        os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_writing_never_touches_the_mask_of_modes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process has one mask: another thread's file would be for everybody to write."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail(f"the mask was set to {mask:o}"))
    deliver({tmp_path / "a": b""})


def test_a_report_that_fails_leaves_no_release(tmp_path: Path) -> None:
    from simplexcert.certify.releasing.published import Files
    from simplexcert.certify.releasing.running import make

    claim, data = given(tmp_path, "dirichlet.counts")

    def fail(_made: object) -> dict[Path, bytes]:
        raise InputError("no page")

    with pytest.raises(InputError, match="no page"):
        make(Files(claim, data, out=tmp_path / "r.json"), 1, fail)
    assert there(tmp_path) == {"claim.toml", "private.csv"}


def test_nothing_is_left_where_the_release_cannot_be_placed(tmp_path: Path) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    draw_release(claim, data, out=tmp_path / "r.json", seed=1)
    with pytest.raises(InputError):
        draw_release(claim, data, out=tmp_path / "r.json", certificate=tmp_path / "c.json", seed=1)
    assert there(tmp_path) == {"claim.toml", "private.csv", "r.json"}
