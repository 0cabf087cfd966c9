"""Where a library is missing, a sentence says what brings it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import Cli, calling
from simplexcert.certify.adapters.dp_accounting import privacy_loss_distribution
from simplexcert.certify.adapters.opendp import make_histogram
from simplexcert.certify.report.page.drawing import drawn
from simplexcert.reference.errors import InputError


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def test_without_opendp_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[opendp\]'"):
        make_histogram(3, 1, 1)


def test_without_dp_accounting_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[dp-accounting\]'"):
        privacy_loss_distribution(1, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "example:dirichlet.identity", "--report", "page.html"],
        ["certify", "--cases", "1", "--report", "page.html"],
        ["claims", "--check", "--report", "page.html"],
        ["release", "claim.toml", "--report", "page.html"],
        ["report", "certificate.json", "--out", "page.html"],
        ["simulate", "example:dirichlet.identity", "--plot", "plot.svg"],
        ["curve", "dirichlet.utility.variance", "-p", "p=0:1:3", "--plot", "plot.svg"],
        ["simulate", "example:dirichlet.identity", "--out", "folder"],
    ],
    ids=" ".join,
)
def test_without_matplotlib_what_draws_says_so_before_any_work(
    arguments: list[str], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = cli(*arguments)
    asked = next((each for each in arguments if each in ("--report", "--plot")), None)
    asked = asked or ("report" if arguments[0] == "report" else "--out")
    assert found.code == 3
    assert found.err == (
        f"simplexcert: {asked} needs matplotlib, which draws its pictures and is not installed: "
        "pip install 'simplexcert[plots]'\n"
    )
    assert not Path(arguments[-1]).exists()


def test_without_matplotlib_a_drawing_asked_for_in_python_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[plots\]'"):
        drawn("drawing", lambda _: None, "title", "description")
