"""What Linux alone has: without it the rest works, and what cannot be had is said."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import calling
from simplexcert.certify.backends import program
from simplexcert.certify.certificate import recheck
from simplexcert.certify.cli import limited

PAGE = Path(__file__).parents[3] / "proofs_notes" / "site" / "pages" / "limitations.md"


@pytest.mark.parametrize("without", ["Linux", "/proc"])
@pytest.mark.parametrize("where", ["command:./prog", "backend_of_another:backend"])
def test_a_program_whose_limits_could_not_be_kept_is_not_started(
    without: str,
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prog").write_text("#!/bin/sh\ntouch started\n", encoding="utf-8")
    Path("prog").chmod(0o755)
    Path("backend_of_another.py").write_text("open('started', 'w')\n", encoding="utf-8")
    if without == "Linux":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.setattr(program, "_PROCESSES", tmp_path / "none")
    found = calling(capsys)("certify", where, "--cases", "1")
    assert (found.code, found.out) == (3, "")
    assert f"{where} is not started: limits on a program" in found.err
    assert "run it in a container" in found.err
    assert not Path("started").exists()


def test_where_the_kernel_does_not_end_work_with_its_keeper_the_work_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    limited._end_with(os.getppid())


def test_where_no_list_of_processes_is_kept_none_is_found_below() -> None:
    assert not list(limited._descendants(1 << 40))


def test_where_affinity_is_unknown_every_processor_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert recheck._processes() == 1


def test_what_differs_between_systems_stands_on_one_page() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Sizes and platforms")[2]
    for word in ("Linux", "macOS", "Windows", "`flock`", "`prctl`", "`/proc`"):
        assert word in text
