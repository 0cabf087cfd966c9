"""``simplexcert curve``: a table that fits a screen, files, JSON, the codes of the interface."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command_line import Cli, calling
from simplexcert.certify import curve
from simplexcert.certify.audits.claim import example_text

DELTA, GRADES = "dirichlet.profile.delta", "example:benvenuti2025-grades"
POINT = ["-p", "alpha=2", "-p", "step=1"]
PROFILE = [DELTA, *POINT, "-p", "epsilon=0:3:4"]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "curve")


def test_a_table_has_a_row_for_each_point(cli: Cli) -> None:
    found = cli(*PROFILE)
    assert (found.code, found.err) == (0, "")
    title, header, *rows = found.out.splitlines()
    assert title == f"{DELTA}(alpha=2, step=1, epsilon=...); delta at 4 points"
    assert header.split() == ["epsilon", "lower", "upper"]
    assert [row.split()[0] for row in rows] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "words",
    [
        [DELTA, *POINT, "-p", "epsilon=0:3:1000"],
        [DELTA, "-p", "alpha=1/3:1/7:40", "-p", "step=1e-300:1:40:log", "-p", "epsilon=1/3"],
        [GRADES, "-p", "delta=1e-300:1/3:60:log"],
    ],
)
def test_however_many_points_a_table_fits_a_screen(cli: Cli, words: list[str]) -> None:
    lines = cli(*words).out.splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) <= 120
    assert max(map(len, lines[1:])) <= 100


def test_quiet_is_line_1_alone_and_verbose_every_row(cli: Cli) -> None:
    words = [DELTA, *POINT, "-p", "epsilon=0:3:100"]
    title, *rows = cli(*words, "-v").out.splitlines()
    assert len(rows) == 101
    assert cli(*words, "-q").out.splitlines() == [title]


def test_a_claim_has_no_verdict_in_its_first_line(cli: Cli) -> None:
    """What is proved of each point of a curve is no word on the claim, which may be refuted."""
    found = cli("example:fallin2023-traffic", "-p", "epsilon=1:2:2")
    title, header, *_ = found.out.splitlines()
    assert title.startswith("'transition probabilities of a traffic model' (dirichlet.matrix)")
    assert header.split() == ["epsilon", "exact_lower", "exact_upper", "printed", "claimed"]


def test_files_are_written_and_named(cli: Cli, tmp_path: Path) -> None:
    out, plot = tmp_path / "curve.csv", tmp_path / "curve.svg"
    found = cli(*PROFILE, "--csv", out, "--plot", plot)
    assert found.code == 0
    assert found.out.splitlines()[1:] == [f"curve written to {out}", f"plot written to {plot}"]
    assert out.read_text() == curve(DELTA, alpha=2, step=1, epsilon="0:3:4").csv()
    assert plot.read_text().startswith("<?xml")


def test_a_dash_is_standard_output_and_people_are_told_beside_it(cli: Cli) -> None:
    found = cli(*PROFILE, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert [row["epsilon"] for row in rows] == ["0", "1", "2", "3"]
    assert found.err.startswith(DELTA)


def test_a_claim_comes_from_a_file_whatever_its_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "claim").write_text(example_text("benvenuti2025-grades"))
    words = ["-p", "epsilon=1:2:2"]
    assert cli(tmp_path / "claim", *words).out == cli(GRADES, *words).out


@pytest.mark.parametrize("what", [PROFILE, [GRADES, "-p", "epsilon=1:3:2"]])
def test_json_has_every_point_in_text(cli: Cli, what: list[str]) -> None:
    shape = json.loads(cli(*what, "--json").out)
    assert (shape["schema_version"], shape["verdict"], shape["varied"]) == (
        1, "certified", ["epsilon"]
    )  # fmt: skip
    for point in shape["points"]:
        assert all(value is None or isinstance(value, str) for value in point.values())
    assert (shape["quantity"] is None) is (what[0] == GRADES)
    assert (shape["claim"] is None) is (what[0] == DELTA)


@pytest.mark.parametrize("what", [PROFILE, [GRADES, "-p", "epsilon=1:3:2"]])
def test_a_point_that_is_undecided_is_exit_code_2(cli: Cli, what: list[str]) -> None:
    found = cli(*what, "--max-seconds", "1e-9")
    assert found.code == 2
    assert "undecided" in found.out


@pytest.mark.parametrize(
    "words",
    [
        ["dirichlet.profile.detla", "-p", "epsilon=0:3:4"],
        [DELTA, *POINT, "-p", "epsilon=0:3"],
        [DELTA, *POINT, "-p", "epsilon=1"],
        [DELTA, *POINT, "-p", "epsilon=-1:1:3"],
        [DELTA, *POINT, "-p", "epsilon"],
        [*PROFILE, "-p", "epsilon=1"],
        [*PROFILE, "--plot", "curve.gif"],
        [*PROFILE, "--csv", "there/curve.csv"],
        [*PROFILE, "--csv", "one", "--plot", "one"],
        [GRADES],
        ["nowhere.toml", "-p", "epsilon=0:1:2"],
    ],
    ids=" ".join,
)
def test_bad_input_is_a_sentence_and_exit_code_3(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = cli(*words)
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("simplexcert: ")
    assert found.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
