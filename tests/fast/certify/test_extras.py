"""Where a library is missing, a sentence says what brings it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
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
@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_without_a_library_what_draws_says_so_before_any_work(
    missing: str, arguments: list[str], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    found = cli(*arguments)
    asked = next((each for each in arguments if each in ("--report", "--plot")), None)
    asked = asked or ("report" if arguments[0] == "report" else "--out")
    assert found.code == 3
    assert found.err == (
        f"simplexcert: {asked} needs {missing}, not installed here: "
        "pip install 'simplexcert[plots]'\n"
    )
    assert not Path(arguments[-1]).exists()


@pytest.mark.parametrize(
    ("arguments", "what", "name", "extra"),
    [
        (["certify", "--cases", "1"], "the built-in backend", "scipy", "float64"),
        (["certify", "float64", "--cases", "1"], "the built-in backend", "scipy", "float64"),
        (["claims", "--check"], "deriving what papers state", "sympy", "papers"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_what_an_extra_brings_is_asked_for_in_a_sentence(
    arguments: list[str],
    what: str,
    name: str,
    extra: str,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    found = cli(*arguments)
    assert (found.code, found.out) == (3, "")
    assert found.err == (
        f"simplexcert: {what} needs {name}, not installed here: "
        f"pip install 'simplexcert[{extra}]'\n"
    )


def test_without_scipy_the_models_name_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    monkeypatch.delitem(sys.modules, "simplexcert.certify.models.calibration", raising=False)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[models\]'"):
        import_module("simplexcert.certify.models.calibration")


def test_without_matplotlib_a_drawing_asked_for_in_python_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'simplexcert\[plots\]'"):
        drawn("drawing", lambda _: None, "title", "description")


DRAWS = "from simplexcert.certify.extras import drawing_library; drawing_library()"


@pytest.mark.parametrize(("where", "fails"), [("the folder", False), ("the user", True)])
def test_settings_that_lie_in_the_current_folder_are_not_read(
    where: str, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "matplotlibrc"
    settings.write_bytes(b"\xff")
    folder = tmp_path if where == "the folder" else None
    if folder is None:
        monkeypatch.setenv("MATPLOTLIBRC", str(settings))
    found = subprocess.run(
        [sys.executable, "-c", DRAWS], cwd=folder, capture_output=True, text=True, check=False
    )
    assert bool(found.returncode) is fails
    assert ("InputError: matplotlib does not start with its matplotlibrc" in found.stderr) is fails
