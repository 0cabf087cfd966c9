"""``pytest --certify-backend``: one test a quantity and check, nothing where none is named."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from each import each_of
from instances import first
from simplexcert.certify.backends.loading import ChangedBackendError
from simplexcert.certify.ci.pytest_certifying import Certifying, CheckFailedError
from simplexcert.certify.samplers import results

VARIANCE = "dirichlet.utility.variance"
MODULE = "simplexcert.certify.ci.pytest_plugin"
# An environment that was installed before there was a plugin knows of it by its module alone.
KNOWN = any(entry.value == MODULE for entry in entry_points(group="pytest11"))
PLUGIN = [] if KNOWN else ["-p", MODULE]
BACKEND = """
import math

def variance(p, k):
    return p * (1 - p) / (k + {one})

class Backend:
    name, version = "mine", "1"
    quantities = {{"dirichlet.utility.variance": variance}}

backend = Backend()
"""
Pytest = Callable[..., tuple[int, str]]


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return a function that lays out a project with a backend, and returns usual options."""
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")

    def lay_out(one: str) -> list[str]:
        (tmp_path / "mine.py").write_text(BACKEND.format(one=one), encoding="utf-8")
        return ["-p", "no:cacheprovider", "--certify-cases", "12", "--strict-config"]

    return lay_out


@pytest.fixture
def start(tmp_path: Path, project: Callable[[str], list[str]]) -> Pytest:
    """Return a function that starts pytest in a project with a backend, sound but for ``one``."""

    def call(*options: str, one: str = "1") -> tuple[int, str]:
        command = [sys.executable, "-m", "pytest", *PLUGIN, *project(one), *options]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
        )
        return done.returncode, done.stdout + done.stderr

    return call


@pytest.fixture
def run(
    tmp_path: Path,
    project: Callable[[str], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Pytest:
    """Return a function that does the same in this process, with no other plugin."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.chdir(tmp_path)

    def call(*options: str, one: str = "1") -> tuple[int, str]:
        within = ["-p", "no:faulthandler", "--import-mode=importlib"]
        sys.modules.pop("test_own", None)
        _forget_what_others_left()
        capfd.readouterr()
        code = pytest.main([*within, *project(one), *options], [import_module(MODULE)])
        return int(code), "".join(capfd.readouterr())

    return call


def _forget_what_others_left() -> None:
    """Collect what tests before this left open: a session in this process would take it for its."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


ASKED = ["--certify-backend", "mine:backend", "--certify-quantities", "dirichlet.utility.variance*"]
WRONG = "(1 if k < 2 else 1.5)"


def test_the_plugin_imports_nothing_of_ours_until_a_backend_is_named() -> None:
    source = (
        f"import sys, pytest\nbefore = set(sys.modules)\nimport {MODULE}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    ours = {name for name in done.stdout.split() if not name.startswith("_")}
    # Packages that hold it, each with nothing but a docstring and lazy names, and no library.
    assert {name for name in ours if name.startswith("simplexcert")} == {
        "simplexcert",
        "simplexcert.certify",
        "simplexcert.certify.ci",
        MODULE,
        "simplexcert.reference",
        "simplexcert.reference.lazy",
    }
    assert {name.split(".")[0] for name in ours} <= {"simplexcert", *sys.stdlib_module_names}


def test_a_sound_backend_passes_beside_the_projects_own_tests(run: Pytest) -> None:
    code, out = run(*ASKED, "-v", "-rs")
    assert code == 0, out
    assert "test_own.py::test_own PASSED" in out
    assert f"certify::{VARIANCE}::accuracy PASSED" in out
    # What the backend lacks is skipped, with the reason.
    assert re.search(rf"certify::{VARIANCE}_bound::direction SKIPPED", out)
    assert "inapplicable: the backend does not answer what direction needs" in out


def test_a_failing_check_prints_the_line_and_the_commands_and_no_traceback(
    run: Pytest, tmp_path: Path
) -> None:
    code, out = run(*ASKED, "--junitxml=found.xml", one=WRONG)
    assert code == 1
    line = re.search(rf"^VIOLATION quantity={VARIANCE} check=accuracy .*$", out, re.MULTILINE)
    assert line
    assert re.search(rf"^REPRODUCE python -P -m .* mine:backend {VARIANCE} acc", out, re.MULTILINE)
    assert f"FAILED certify::{VARIANCE}::accuracy" in out
    assert "Traceback" not in out
    assert "pytest_certifying.py" not in out.split("FAILURES")[1].split("short test summary")[0]
    cases = ET.parse(tmp_path / "found.xml").getroot().iter("testcase")  # noqa: S314
    names = {(case.get("classname"), case.get("name")) for case in cases}
    assert (f"certify.{VARIANCE}", "accuracy") in names


def test_tests_are_selected_as_any_others(run: Pytest) -> None:
    code, out = run(*ASKED, "-v", "-k", "accuracy and not own")
    assert code == 0, out
    assert " 1 passed" in out
    code, out = run(*ASKED, "--deselect", f"certify::{VARIANCE}", "-q", one=WRONG)
    assert code == 0, out
    code, out = run(*ASKED, "--collect-only", "-q")
    assert code == 0
    assert f"certify::{VARIANCE}::accuracy\n" in out


def test_workers_share_the_checks(start: Pytest) -> None:
    code, out = start(*ASKED, "-n", "2", "--dist", "loadscope", one=WRONG)
    assert code == 1
    assert out.count("\nVIOLATION ") >= 1
    assert f"FAILED certify::{VARIANCE}::accuracy" in out


def test_what_is_expected_fails_in_silence_and_only_that(run: Pytest, tmp_path: Path) -> None:
    file = tmp_path / "expected.txt"
    file.write_text(f"{VARIANCE} accuracy # issue 12\n", encoding="utf-8")
    options = [*ASKED, "-k", "accuracy", "--certify-expected-failures", "expected.txt", "-rx"]
    code, out = run(*options, one=WRONG)
    assert code == 0, out
    assert f"XFAIL certify::{VARIANCE}::accuracy - issue 12 (expected.txt, line 1)" in out
    code, out = run(*options)
    assert code == 1
    assert "[XPASS(strict)] issue 12" in out


def test_an_error_of_ours_is_no_expected_failure(start: Pytest, tmp_path: Path) -> None:
    (tmp_path / "expected.txt").write_text(f"{VARIANCE} * # issue 12\n", encoding="utf-8")
    broken = "from simplexcert.certify.ci import pytest_certifying as it\n"
    broken += (
        "def worn(*_, **__):\n    raise it.InputError('worn out')\nit.certify_backend = worn\n"
    )
    (tmp_path / "conftest.py").write_text(broken, encoding="utf-8")
    code, out = start(*ASKED, "-k", "accuracy", "--certify-expected-failures", "expected.txt")
    assert code == 1
    assert "worn out" in out


class Options:
    """A configuration of pytest that has these options and no others."""

    def __init__(self, **given: object) -> None:
        self.given = {f"--certify-{name.replace('_', '-')}": x for name, x in given.items()}

    def getoption(self, name: str) -> object:
        return self.given.get(name)


@each_of(
    "options, says",
    [
        ({"backend": "mine:nothing"}, "mine has no attribute 'nothing'"),
        ({"backend": "no_module:x"}, "cannot be imported"),
        ({"backend": "command:./nothing"}, "there is no program './nothing'"),
        ({"backend": "nothing"}, "unknown backend 'nothing'"),
        ({"backend": ""}, "names no backend"),
        ({"quantities": "markov.*"}, "has no quantity that there is that matches markov"),
        ({"quantities": "nothing"}, "has no quantity at all that matches nothing"),
        ({"expected_failures": "none.txt"}, "cannot read none.txt"),
        ({"expected_failures": ""}, "an empty file name is given"),
        ({"case_seconds": -1.0}, "case_seconds = -1 is not in"),
        ({"seed": 2**60}, "seed = 1152921504606846976"),
        ({"cases": 0}, "cases = 0"),
    ],
)
def test_what_cannot_be_certified_is_a_usage_error_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BACKEND.format(one="1"), encoding="utf-8")
    given: Any = Options(**{"backend": "mine:backend", **options})
    with pytest.raises(pytest.UsageError) as error:
        Certifying(given)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--certify-backend", "mine:nothing", "-n", "2"], "ERROR: simplexcert: backend 'mine:no"),
        ([], "ERROR: --certify-cases is of no use without --certify-backend"),
    ],
)
def test_a_usage_error_is_pytests_exit_code_4(start: Pytest, options: list[str], says: str) -> None:
    code, out = start(*options)
    assert code == 4, out
    assert says in out
    assert "Traceback" not in out
    assert "passed" not in out


def test_samplers_are_tests_where_everything_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    points_of = results.points_of
    monkeypatch.setattr(results, "points_of", lambda *of: points_of(*of)[:1])
    sampler = 'samplers = {"laplace": lambda scale, count, seed: [0.0] * count}'
    source = BACKEND.format(one="1").replace("    quantities =", f"    {sampler}\n    quantities =")
    (tmp_path / "draws.py").write_text(source, encoding="utf-8")
    everything: Any = Options(backend="draws:backend")
    certifying = Certifying(everything)
    assert certifying.checks[-1] == ("sampler.laplace", "draws")
    with pytest.raises(CheckFailedError) as error:
        certifying.require_certified("sampler.laplace", "draws")
    line, reproduce = str(error.value).split("\n")
    assert line.startswith("VIOLATION quantity=sampler.laplace check=draws verdict=refuted ")
    assert " --samplers --quantities " in reproduce
    certifying.pytest_unconfigure()
    some: Any = Options(backend="draws:backend", quantities="dirichlet.*")
    certifying = Certifying(some)
    assert "sampler.laplace" not in [quantity for quantity, _ in certifying.checks]
    certifying.pytest_unconfigure()


@pytest.mark.parametrize("check", first(1, [(VARIANCE, "accuracy"), ("sampler.laplace", "draws")]))
def test_a_backend_whose_files_change_passes_no_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: tuple[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sampler = 'samplers = {"laplace": lambda scale, count, seed: [0.0] * count}'
    source = BACKEND.format(one="1").replace("    quantities =", f"    {sampler}\n    quantities =")
    (tmp_path / "changing.py").write_text(source, encoding="utf-8")
    everything: Any = Options(backend="changing:backend")
    certifying = Certifying(everything)
    assert check in certifying.checks
    (tmp_path / "changing.py").write_text(f"{source}# changed\n", encoding="utf-8")
    with pytest.raises(ChangedBackendError, match=r"changing\.py is not what it was"):
        certifying.require_certified(*check)
    certifying.pytest_unconfigure()


def test_a_program_goes_on_from_one_quantity_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    also = '"dirichlet.utility.variance_bound": lambda k: 1.0'
    source = BACKEND.format(one="1").replace(": variance}", f": variance, {also}}}")
    started = 'with open("started", "a") as file:\n    file.write("x")\n'
    (tmp_path / "counted.py").write_text(started + source, encoding="utf-8")
    given: Any = Options(backend="counted:backend", quantities=f"{VARIANCE}*", cases=4)
    certifying = Certifying(given)
    certifying.require_certified(VARIANCE, "accuracy")
    certifying.require_certified(f"{VARIANCE}_bound", "direction")
    certifying.pytest_unconfigure()
    assert (tmp_path / "started").read_text(encoding="utf-8") == "x"


def test_laws_pass_nothing_of_what_is_not_shown_to_be_sound(run: Pytest, tmp_path: Path) -> None:
    zero = BACKEND.format(one="1").replace(VARIANCE, "markov.benvenuti2025.theorem_4")
    zero = zero.replace("variance(p, k)", "variance(**_)").replace("p * (1 - p) / (k + 1)", "0.0")
    (tmp_path / "zero.py").write_text(zero, encoding="utf-8")
    asked = ["--certify-quantities", "markov.benvenuti2025.theorem_4"]
    code, out = run("--certify-backend", "zero:backend", *asked, "-v")
    assert code == 5
    assert "theorem_4::direction SKIPPED" in out
    assert "theorem_4::determinism SKIPPED" in out
    assert re.search(r"theorem_4::\w+ PASSED", out) is None


@pytest.mark.parametrize("options", first(1, [("bound or own",), ("bound", "-n", "2"), ("bound",)]))
def test_where_every_check_is_inapplicable_the_session_is_no_pass(
    run: Pytest, start: Pytest, options: tuple[str, ...]
) -> None:
    """The bound alone is asked for, which the backend does not answer."""
    code, out = (start if "-n" in options else run)(*ASKED, "-v", "-k", *options)
    assert code == 5, out
    assert re.search(rf"{VARIANCE}_bound::.* SKIPPED|SKIPPED certify::{VARIANCE}_bound", out)
    assert "nothing was certified: every check of the backend was inapplicable" in out


def test_a_failure_beside_counts_before_the_absence_of_a_result(
    run: Pytest, tmp_path: Path
) -> None:
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert False\n", encoding="utf-8")
    code, out = run(*ASKED, "-k", "bound or own")
    assert code == 1, out
    assert "nothing was certified" not in out


def test_where_no_check_is_selected_nothing_is_said_of_the_backend(run: Pytest) -> None:
    code, out = run(*ASKED, "-k", "own")
    assert code == 0, out
    assert "nothing was certified" not in out
