"""What commands print: 100 columns in a pipe, one line when quiet, colours on a terminal alone."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from each import each_of
from simplexcert.certify.cli.limited import _apart
from simplexcert.certify.cli.running import run, simplexcert

VARIANCE = "dirichlet.utility.variance"
IDENTITY, COUNTS = "example:dirichlet.identity", "example:dirichlet.counts"
# One of each verdict and kind of line: rows, lists, long names, a sentence for each paper.
WIDE = {
    "rows": ["audit", "example:benvenuti2025-taxi", "-v"],
    "long hypotheses": ["audit", "example:fallin2023-all-rows"],
    "scales": ["audit", "example:pufferfish.chain", "-v"],
    "all quantities": ["quantities"],
    "all of a quantity": ["quantities", "dirichlet.matrix.*", "-v"],
    "statements": ["claims"],
    "a simulation": ["simulate", COUNTS, "--input", "[30, 20, 10]", "--draws", "100", "-v"],
    "a backend": ["certify", "--quantities", VARIANCE, "--cases", "2", "--screen", "0", "-v"],
}
QUIET = {
    "audit": ["audit", "example:benvenuti2025-taxi"],
    "certify": ["certify", "--quantities", VARIANCE, "--cases", "2", "--screen", "0"],
    "claims": ["claims"],
    "quantities": ["quantities"],
    "simulate": ["simulate", COUNTS, "--input", "[30, 20, 10]", "--draws", "100"],
}


@each_of("name", WIDE)
def test_what_is_printed_fits_100_columns_in_a_pipe(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    run(WIDE[name])
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert [line for line in lines if len(line) > 100 or line != line.rstrip()] == []


@each_of("name", QUIET)
def test_quiet_is_line_1_alone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run([*QUIET[name], "-q"])
    assert capsys.readouterr().out.count("\n") == 1


def test_a_certificate_is_told_of_in_a_line_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "c.json")
    assert run(["audit", IDENTITY, "--out", out, "-q"]) == 0
    assert capsys.readouterr().out.startswith("CERTIFIED under 2 assumptions  ")
    assert run(["verify", out, "-q"]) == 0
    quiet = capsys.readouterr().out
    assert quiet.startswith("CERTIFIED under 2 assumptions  ")
    assert quiet.count("\n") == 1
    assert run(["verify", out, "-v"]) == 0
    assert "\nHypotheses:\n" in capsys.readouterr().out
    assert run(["verify", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["assumptions"]) == 2
    assert "protected coordinates" in told["neighbours"]


def test_every_command_has_json_and_says_more_or_less() -> None:
    for name, command in simplexcert.commands.items():
        options = {option for each in command.params for option in each.opts}
        assert {"--json", "-q", "-v"} <= options, name


@pytest.mark.parametrize(
    ("set_to", "is_coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_verdicts_and_statuses_are_coloured_on_a_terminal_alone(
    set_to: dict[str, str],
    is_coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for variable in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for variable, value in set_to.items():
        monkeypatch.setenv(variable, value)
    run(["audit", IDENTITY])
    out = capsys.readouterr().out
    green = "\x1b[1;32mCERTIFIED"
    assert (green in out) is is_coloured
    assert ("\x1b[33m  assumed" in out) is is_coloured


def test_what_only_helps_is_not_waited_for() -> None:
    started = time.monotonic()
    assert _apart(lambda _: time.sleep(60), "not found", 0.05) == "not found"
    assert time.monotonic() - started < 30
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_what_only_helps_is_told_where_it_is_found_and_may_fail() -> None:
    assert _apart(lambda seconds: ["found", seconds < 20], ["late"], 20) == ["found", True]
    assert _apart(lambda _: [1 // 0], ["failed"], 20) == ["failed"]
