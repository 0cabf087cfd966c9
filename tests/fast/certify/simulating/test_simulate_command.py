"""The command simulate: NOT PRIVATE in every output, one sentence for every bad input."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify.mechanisms import template_text
from simplexcert.certify.simulating import errors

GRADES = ("example:benvenuti2025-grades", "--input", "[8, 20, 20, 25, 25]")
MODEL = ("example:markov-model", "--input", "claim")
FEW = ("--draws", "200")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "simulate")


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    file = tmp_path / "claim.toml"
    text = template_text("dirichlet.counts").replace('column = "grade"', "")
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "counts.csv"
    file.write_text("category,count\nA,20\nB,25\nC,15\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("given", [GRADES, MODEL, ("example:song2017-chain",)])
def test_the_first_line_says_not_private(cli: Cli, given: tuple[str, ...]) -> None:
    found = cli(*given, *FEW)
    assert found.code == 0, found.err
    assert found.out.splitlines()[0].startswith("NOT PRIVATE: ")
    assert found.err == ""


def test_json_says_not_private_and_holds_no_float(cli: Cli) -> None:
    found = cli(*MODEL, *FEW, "--json")
    shape = json.loads(found.out, parse_float=lambda _: pytest.fail("a JSON float"))
    assert shape["private"] is False
    assert shape["warning"].startswith("NOT PRIVATE: ")
    assert list(shape)[:3] == ["schema_version", "warning", "private"]


def test_every_file_says_not_private(cli: Cli, tmp_path: Path) -> None:
    folder, plot = tmp_path / "made" / "here", tmp_path / "plot.svg"
    found = cli(*GRADES, *FEW, "--out", folder, "--plot", plot)
    assert found.code == 0, found.err
    assert (folder / "errors.csv").read_text("utf-8").startswith("# NOT PRIVATE: ")
    shape = json.loads((folder / "simulation.json").read_text("utf-8"))
    assert shape["private"] is False
    assert (folder / "errors.png").read_bytes().startswith(b"\x89PNG")
    assert "NOT PRIVATE" in "".join(titles(plot))
    assert "<dc:date>" not in plot.read_text("utf-8")
    assert all("NOT PRIVATE" in line for line in found.out.splitlines()[-2:])


def test_a_plot_takes_nothing_from_settings_that_lie_about(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matplotlib reads a file of them in the current folder, which may have it start LaTeX."""
    plots = tmp_path / "plain.svg", tmp_path / "set.svg"
    assert cli(*GRADES, *FEW, "--plot", plots[0]).code == 0
    monkeypatch.setitem(mpl.rcParams, "text.usetex", value=True)
    monkeypatch.setitem(mpl.rcParams, "lines.linewidth", 20.0)
    assert cli(*GRADES, *FEW, "--plot", plots[1]).code == 0
    assert plots[0].read_bytes() == plots[1].read_bytes()


def titles(plot: Path) -> list[str]:
    """Return what an SVG plot spells out; glyphs are named in comments."""
    lines = plot.read_text("utf-8").splitlines()
    return [line for line in lines if line.strip().startswith("<!--")]


def test_the_same_seed_gives_the_same_bytes(cli: Cli, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert cli(*GRADES, *FEW, "--out", tmp_path / name).code == 0
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_data_are_read_as_a_release_reads_them_and_said_not_to_be_private(
    cli: Cli, claim: Path, data: Path
) -> None:
    found = cli(claim, "--data", data, *FEW, "--json")
    shape = json.loads(found.out)
    assert found.code == 0, found.err
    assert shape["private"] is False
    assert "tells of them" in shape["warning"]
    again = cli(claim, "--input", "[20, 25, 15]", *FEW, "--json")
    assert json.loads(again.out)["points"] == shape["points"]
    assert "tells of them" not in json.loads(again.out)["warning"]


def test_counts_in_the_claim_file_are_data(cli: Cli) -> None:
    assert "tells of them" in cli(*MODEL, *FEW).out.splitlines()[0]


def test_data_off_the_claim_are_refused_without_a_value(cli: Cli, claim: Path, data: Path) -> None:
    data.write_text("category,count\nA,2\nB,43\nC,15\n", encoding="utf-8")
    found = cli(claim, "--data", data)
    assert found.code == 3
    assert "43" not in found.err
    assert found.out == ""


def test_a_sweep_is_plotted_against_epsilon(cli: Cli, tmp_path: Path) -> None:
    plot = tmp_path / "sweep.png"
    found = cli(*GRADES, *FEW, "--epsilon", "0.5, 1,2", "--plot", plot)
    assert found.code == 0, found.err
    assert found.out.count("\nepsilon = ") == 3
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_a_contradiction_is_exit_1_and_what_is_odd_exit_2(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = errors.noise
    monkeypatch.setattr(errors, "noise", lambda *given: 2 * right(*given))
    found = cli("example:song2017-chain", "--draws", "2000")
    assert found.code == 1
    assert "CONTRADICTED  l1 at epsilon = 1: simulated" in found.out
    monkeypatch.setattr(errors, "noise", lambda *given: 1.052 * right(*given))
    found = cli("example:song2017-chain", "--input", "[0, 0]", "--draws", "6000")
    assert found.code == 2, found.out
    assert "ODD  " in found.out


BAD = [
    (("example:nowhere",), "unknown example"),
    (("nowhere.toml",), "cannot read"),
    (("example:benvenuti2025-grades",), "give an input"),
    (("example:benvenuti2025-grades", "--input", "[1, 2]"), "says n = 5"),
    (("example:benvenuti2025-grades", "--input", "[-1, 2]"), "at least 0"),
    (("example:benvenuti2025-grades", "--input", "[0.5, 2]"), "not a whole number"),
    (("example:benvenuti2025-grades", "--input", "claim"), "[release] has none"),
    (("example:benvenuti2025-grades", "--input", "[8"), "is not JSON"),
    (("example:benvenuti2025-grades", "--input", "{}"), "needs a list"),
    (("example:benvenuti2025-grades", "--input", "[[]]"), "is not a number"),
    (("example:benvenuti2025-grades", "--input", "[NaN]"), "is not a number"),
    (("example:benvenuti2025-grades", "--input", "[]"), "it needs counts"),
    (("example:dirichlet.identity", "--input", "[0.5, 0.6]"), "no point of the simplex"),
    (("example:dirichlet.identity", "--input", '["-1/2", "3/2"]'), "no point of the simplex"),
    (("example:dirichlet.matrix", "--input", "[0.5, 0.5]"), "the input has 2 rows"),
    (("example:dirichlet.matrix", "--input", "[1, 1, 1]"), "it needs shares"),
    (("example:dirichlet.matrix", "--input", "[[1], [1], [0.5, 0.5]]"), "one length"),
    (("example:markov-model", "--input", "[[1], [2], [3], [4]]"), "row 1 has 1 records"),
    (("example:ponnoprat2023-histogram", "--input", "[0, 0]"), "one at least is positive"),
    (("example:song2017-chain", "--input", "[true]"), "not a number"),
    ((*GRADES, "--draws", "99"), "from 100 to"),
    ((*GRADES, "--draws", "10000000"), "from 100 to"),
    ((*GRADES, "--draws", "many"), "not a valid integer"),
    ((*GRADES, "--seed", "-1"), "2^64 - 1"),
    ((*GRADES, "--epsilon", ""), "is empty"),
    ((*GRADES, "--epsilon", "1,x"), "not a number"),
    ((*GRADES, "--epsilon", ",".join("1" * 101)), "101 epsilons"),
    ((*GRADES, "--epsilon", "1," * 6000), "10000 characters"),
    ((*GRADES, "--plot", "plot.gif"), "ends in .svg, .pdf or .png"),
    ((*GRADES, "--plot", "/nowhere/plot.png"), "cannot write"),
    ((*GRADES, "--out", "/dev/null/here"), "cannot make the folder"),
    ((*GRADES, "--data", "counts.csv"), "data or an input, not both"),
    (("example:benvenuti2025-grades", "--data", "counts.csv"), "no table [data]"),
]


@each_of("given, sentence", BAD)
def test_bad_input_is_one_sentence_and_exit_3(
    cli: Cli, given: tuple[str, ...], sentence: str
) -> None:
    found = cli(*given)
    assert found.code == 3
    assert sentence in found.err
    assert found.err.count("\n") == 1
    assert found.out == ""


def test_too_many_numbers_are_refused_before_any_draw(cli: Cli) -> None:
    inputs = json.dumps([0] * 3000)
    found = cli("example:song2017-chain", "--input", inputs, "--draws", "1000000")
    assert found.code == 3
    assert "ask for fewer draws" in found.err


def test_a_plot_is_not_written_over_what_is_read(cli: Cli, claim: Path) -> None:
    file = claim.rename(claim.with_suffix(".svg"))
    found = cli(file, "--input", "[20, 25, 15]", "--plot", file)
    assert found.code == 3
    assert "to be read and to be written over" in found.err
