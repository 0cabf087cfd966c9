"""A picture of what was spent of a ledger's cap: its numbers, its title, its files."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, calling
from ledger_entries import GRADES, entry, grades, output
from simplexcert.certify.releasing.ledger import (
    Cap,
    Entry,
    Ledger,
    cap_of,
    composed,
    composition,
    open_ledger,
    read_ledger,
    spent_after,
)
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES, ledger_bytes
from simplexcert.certify.report.budget import budget_said, picture_of_budget
from simplexcert.reference.errors import InputError

COUNTS = {"k": 10, "eta": "0.1", "N": 98, "n": 5}


def claimed(epsilon: str, delta: str = "0.001") -> Entry:
    return entry("dirichlet.counts", COUNTS, {"epsilon": epsilon, "delta": delta}, GRADES)


def histogram(epsilon: str, order: int) -> Entry:
    table = {"step": "0.1", "alpha": 20}
    return entry("dirichlet.renyi", table, {"epsilon": epsilon, "order": order}, {})


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    file = tmp_path / "ledger.json"
    for number in range(2):
        with open_ledger(file, cap_of(5, "0.1")) as it:
            it.commit(grades(), {tmp_path / f"r{number}": output(grades())})
    return file


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "ledger")


def test_what_is_drawn_is_what_counts_against_the_cap_after_each_release(
    ledger: Path, cli: Cli
) -> None:
    plot = ledger.with_name("budget.svg")
    shape = json.loads(cli(ledger, "--plot", plot, "--json").out)
    assert shape["plot"] == str(plot)
    steps = [(each["releases"], each["epsilon"], each["delta"]) for each in shape["after"]]
    assert steps == [(1, "2.255", "0.0026"), (2, "4.51", "0.0052")]
    assert shape["composition"]["left"] == {"epsilon": "0.49", "delta": "0.0948"}


def test_without_a_plot_no_steps_are_worked_out(ledger: Path, cli: Cli) -> None:
    shape = json.loads(cli(ledger, "--json").out)
    assert (shape["plot"], shape["after"]) == (None, None)


def test_people_are_told_what_is_spent_and_left(ledger: Path, cli: Cli) -> None:
    out = cli(ledger).out
    assert "spent: epsilon = 4.51, delta = 0.0052 (rounded up)\n" in out
    assert "left: epsilon = 0.49, delta = 0.0948 (rounded down); more is refused\n" in out


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_the_same_ledger_gives_the_same_picture_which_is_written_again(
    ledger: Path, cli: Cli, suffix: str
) -> None:
    plot = ledger.with_name(f"budget{suffix}")
    found = cli(ledger, "--plot", plot)
    assert (found.code, found.err) == (0, "")
    assert f"plot written to {plot}" in found.out
    content = plot.read_bytes()
    assert cli(ledger, "--plot", plot).code == 0
    assert plot.read_bytes() == content


def test_the_title_begins_with_the_verdict() -> None:
    cases: list[tuple[list[Entry], Cap | None, str]] = [
        (
            [grades(), grades()],
            cap_of(5, "0.1"),
            "KEPT: 2 releases spent epsilon 4.51 of 5, delta 0.0052 of 0.1",
        ),
        (
            [grades(), grades()],
            cap_of(3, "0.1"),
            "NOT KEPT: 2 releases spent epsilon 4.51 of 3, delta 0.0052 of 0.1",
        ),
        (
            [histogram("1", 7)],
            cap_of(2, order=5),
            "KEPT: 1 release spent epsilon 1 of 2 at order 7",
        ),
        ([grades()], None, "NO CAP: 1 release spent epsilon 2.255, delta 0.0026"),
    ]
    for entries, cap, title in cases:
        assert budget_said(composed(entries, cap)) == title


def test_the_picture_shows_its_title_its_lines_and_its_axes(ledger: Path) -> None:
    found = read_ledger(ledger)
    total = composed(found.entries, found.cap)
    svg = picture_of_budget(total, spent_after(found.entries, total), "b.svg").decode()
    # A glyph's text stands in a comment.
    comments = re.findall("<!-- (.*?) -->", svg)
    assert any(each.startswith("KEPT: 2 releases spent") for each in comments)
    assert "cap: nothing may pass it" in comments
    assert "spent: what counts against the cap" in comments
    assert {"epsilon", "delta"} <= set(comments)


def test_at_an_order_there_is_no_panel_of_delta() -> None:
    entries = [histogram("1", 7), histogram("1/2", 5)]
    total = composed(entries, cap_of(2, order=5))
    svg = picture_of_budget(total, spent_after(entries, total), "b.svg").decode()
    comments = re.findall("<!-- (.*?) -->", svg)
    assert "epsilon at order 5" in comments
    assert "delta" not in comments


def test_a_cap_of_another_kind_is_drawn_as_not_kept() -> None:
    for entries, cap in (([histogram("1", 7)], cap_of(2, "0.1")), ([grades()], cap_of(5, order=2))):
        total = composed(entries, cap)
        assert budget_said(total).startswith("NOT KEPT: 1 release spent epsilon ")
        assert picture_of_budget(total, spent_after(entries, total), "b.svg")


def test_the_title_s_numbers_are_rounded_to_the_safe_side() -> None:
    total = composed([claimed("1/3", "1/3000")], cap_of("2/3", "0.1"))
    title = "KEPT: 1 release spent epsilon 0.333334 of 0.666666, delta 0.000333334 of 0.1"
    assert budget_said(total) == title


def test_of_many_releases_the_picture_shows_some_steps_and_the_last() -> None:
    entries = [claimed("0.001", "1e-6")] * 1_001
    after = spent_after(entries, composed(entries))
    assert len(after) == composition.MOST_STEPS
    assert after[-1][0] == len(entries)
    assert [total.epsilon for _, total in after] == [Fraction(n, 1_000) for n, _ in after]


def test_no_time_leaves_the_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [grades()] * 5
    found = composed(entries)
    monkeypatch.setattr(composition, "SECONDS", -1.0)
    assert [number for number, _ in spent_after(entries, found)] == [5]


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([], "there are no releases"),
        ([grades(), histogram("1", 5)], "there is nothing to draw"),
        ([grades(private=False)], "drawn from a seed"),
    ],
)
def test_without_a_total_nothing_is_drawn(entries: list[Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        spent_after(entries, composed(entries))


def test_numbers_that_no_axis_shows_are_refused() -> None:
    entries = [claimed("1e400")]
    found = composed(entries)
    with pytest.raises(InputError, match="no plot is drawn"):
        picture_of_budget(found, spent_after(entries, found), "b.svg")


def test_a_picture_is_written_over_no_other_file(ledger: Path, cli: Cli) -> None:
    precious = ledger.with_name("thesis.svg")
    precious.write_text("precious")
    for plot, why in (
        (precious, "no plot of ours"),
        (ledger.with_name("plot.gif"), "a plot's name ends in"),
        (ledger, "a plot's name ends in"),
        ("-", "takes no standard stream"),
    ):
        found = cli(ledger, "--plot", plot)
        assert found.code == 3
        assert why in found.err
    assert precious.read_text() == "precious"


def test_without_matplotlib_the_extra_is_named_and_nothing_is_written(
    ledger: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = cli(ledger, "--plot", ledger.with_name("b.svg"))
    assert found.code == 3
    assert "--plot needs matplotlib" in found.err
    assert not ledger.with_name("b.svg").exists()


def test_a_ledger_without_releases_has_no_picture(tmp_path: Path, cli: Cli) -> None:
    empty: Ledger = NO_RELEASES
    (tmp_path / "l").write_bytes(ledger_bytes(empty, "l"))
    found = cli(tmp_path / "l", "--plot", tmp_path / "b.svg")
    assert (found.code, found.out) == (3, "")
    assert not (tmp_path / "b.svg").exists()
