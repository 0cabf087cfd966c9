"""The frame of the papers' experiments: ids, results, the page that is made from them, exits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import experiments
import msgspec
import pytest
from each import each_of
from experiments import song2017
from experiments.__main__ import main
from experiments.outcome import Finding, Outcome, Plot, Running, Table, Verdict
from experiments.page import MOST_ROWS, PAGE, page
from experiments.registry import Experiment, Setting
from experiments.results import RESULT, Result, read_results
from matplotlib.figure import Figure
from simulation.chains import DATA, NoDataError

MADE_UP, ABSENT, BROKEN = "song2017.made-up", "song2017.absent", "song2017.broken"


def made_up(setting: Setting) -> Running:
    yield 0.5
    number = float(setting.generator("number").uniform())
    return Outcome(
        tables=(Table("numbers", "Numbers", ("what", "value"), (("a|b", number), ("none", None))),),
        plots=(Plot("nothing", "Nothing", Figure()),),
        findings=(Finding("one", "another", Verdict.IN_SHAPE, "made up"),),
        skipped=("a part: too long",),
        notes=("A note.",),
    )


def absent(setting: Setting) -> Running:
    yield 0.1
    setting.data("nowhere/to_be_found.csv")
    return Outcome()


def broken(_setting: Setting) -> Running:
    yield 0.1
    raise ZeroDivisionError("by nothing")


@pytest.fixture(autouse=True)
def _of_the_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    made = ((MADE_UP, made_up), (ABSENT, absent), (BROKEN, broken))
    extra = tuple(Experiment(name, "Nowhere", f"Title of {name}", run) for name, run in made)
    monkeypatch.setattr(song2017, "EXPERIMENTS", (*song2017.EXPERIMENTS, *extra))
    monkeypatch.delenv(DATA, raising=False)
    return


def run(out: Path, *ids: str, seed: int = 1) -> int:
    return main([*ids, "--jobs", "1", "--out", str(out), "--seed", str(seed)])


def page_of(out: Path) -> str:
    return (out / PAGE).read_text(encoding="utf-8")


def change(out: Path, name: str, **fields: object) -> None:
    path = out / name / RESULT
    kept: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({**kept, **fields}))


def test_ids_are_unique_and_begin_with_their_paper() -> None:
    found = experiments.registry.experiments()
    assert all(name == one.id for name, one in found.items())
    assert {"song2017.figure-4", "song2017.table-1", "song2017.table-2", "song2017.table-3"} < set(
        found
    )


@pytest.mark.parametrize("name", ["song2017.figure-4", "gohari2020.figure-1", "song2017"])
def test_an_id_twice_or_of_another_paper_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = (*song2017.EXPERIMENTS, Experiment(name, "", "", made_up))
    monkeypatch.setattr(song2017, "EXPERIMENTS", planted)
    with pytest.raises(ValueError, match="is there twice, or is another paper's"):
        experiments.registry.experiments()


def test_a_run_writes_json_tables_plots_and_the_page(tmp_path: Path) -> None:
    assert run(tmp_path, MADE_UP) == 0
    names = {path.name for path in (tmp_path / MADE_UP).iterdir()}
    assert names == {RESULT, "numbers.csv", "nothing.svg"}
    (result,) = read_results(tmp_path)
    (table,) = result.tables
    (_name, number), _none = table.rows
    csv_text = (tmp_path / MADE_UP / "numbers.csv").read_text(encoding="utf-8")
    assert csv_text.splitlines()[1] == f"a|b,{number!r}"
    text = page_of(tmp_path)
    for shown in (f"| a\\|b | {number:.4g} |", "**in shape**", "A note.", "a part: too long"):
        assert shown in text
    assert f"![Nothing]({MADE_UP}/nothing.svg)" in text


def test_a_changed_result_changes_the_page(tmp_path: Path) -> None:
    run(tmp_path, MADE_UP)
    before = page_of(tmp_path)
    change(tmp_path, MADE_UP, notes=["Something else."], seconds=12345.0)
    assert main(["--page", "--out", str(tmp_path)]) == 0
    after = page_of(tmp_path)
    assert before != after
    assert "Something else." in after
    assert "| 1.234e+04 |" in after
    assert "A note." not in after


def test_the_page_is_of_all_that_have_been_run(tmp_path: Path) -> None:
    run(tmp_path, MADE_UP)
    assert run(tmp_path, ABSENT) == 5
    text = page_of(tmp_path)
    assert f"Title of {MADE_UP}" in text
    assert f"- `{ABSENT}`: set {DATA} to the folder with the data" in text
    assert f"Title of {ABSENT}" not in text


def test_what_is_skipped_in_part_is_no_reason_for_another_exit(tmp_path: Path) -> None:
    assert run(tmp_path, MADE_UP, ABSENT) == 0


def test_a_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(DATA, str(tmp_path))
    with pytest.raises(NoDataError, match=f"{DATA} has no file a/b.csv"):
        Setting(MADE_UP, quick=True, seed=1).data("a/b.csv")


def test_a_failure_is_told_leaves_no_result_and_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, MADE_UP)
    (tmp_path / MADE_UP).rename(tmp_path / BROKEN)
    assert run(tmp_path, BROKEN, MADE_UP) == 4
    assert f"{BROKEN} failed: ZeroDivisionError: by nothing" in capsys.readouterr().err
    assert [result.id for result in read_results(tmp_path)] == [MADE_UP]


def test_nothing_but_the_result_is_said_where_there_is_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, MADE_UP)
    said = capsys.readouterr()
    assert (said.out, said.err) == (f"{tmp_path / PAGE}\n", "")


@each_of(
    "arguments, said",
    [
        (["song2018.*"], "there is no experiment 'song2018.*'; there are: "),
        (["--jobs", "0"], "a whole number from 1 to 256, not '0'"),
        (["--jobs", "1e3"], "a whole number from 1 to 256, not '1e3'"),
        (["--seed", "-1"], "a whole number from 0 on, not '-1'"),
        (["--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_bad_usage_is_told(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main([*arguments, "--out", str(tmp_path)])
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 3
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "fields",
    [{"format": 0}, {"tables": 5}, {"findings": [{"printed": "", "found": "", "verdict": "fine"}]}],
)
def test_a_bad_result_is_told(
    fields: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, MADE_UP)
    change(tmp_path, MADE_UP, **fields)
    assert main(["--page", "--out", str(tmp_path)]) == 3
    assert str(tmp_path / MADE_UP / RESULT) in capsys.readouterr().err


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_no_cell(number: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        Table("t", "T", ("a",), ((number,),))


def test_a_row_has_as_many_cells_as_there_are_columns() -> None:
    with pytest.raises(ValueError, match="cells"):
        Table("t", "T", ("a", "b"), ((1,),))


def test_no_table_writes_over_another() -> None:
    table = Table("t", "T", ("a",), ((1,),))
    with pytest.raises(ValueError, match="one name"):
        Outcome(tables=(table, table))


def test_a_long_table_is_cut_on_the_page_and_says_so() -> None:
    table = Table("long", "Long", ("n",), tuple((f"row {n}",) for n in range(MOST_ROWS + 1)))
    text = page([Result(1, MADE_UP, "", "", quick=True, seed=1, seconds=0.0, tables=(table,))])
    assert f"row {MOST_ROWS - 1} |" in text
    assert f"row {MOST_ROWS} |" not in text
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 1} rows" in text


def test_seed_experiment_and_part_fix_the_draws() -> None:
    def drawn(name: str, seed: int, part: str) -> float:
        return float(Setting(name, quick=True, seed=seed).generator(part).uniform())

    once = drawn(MADE_UP, 1, "a")
    assert once == drawn(MADE_UP, 1, "a")
    assert len({once, drawn(ABSENT, 1, "a"), drawn(MADE_UP, 2, "a"), drawn(MADE_UP, 1, "b")}) == 4
