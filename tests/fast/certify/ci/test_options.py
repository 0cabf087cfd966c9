"""Files of the command for a CI: JUnit, SARIF, failures that are expected; and ``ci.again``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from command_line import Cli, calling
from simplexcert.certify.ci import again
from simplexcert.certify.ci.findings import expected_failures_in

VARIANCE = "dirichlet.utility.variance"
BOUND = "dirichlet.utility.variance_bound"
PIPE = 100
SOUND, FAULT = "answer = truth", "answer = truth * (1.5 if given['k'] > 2 else 1)"
AWAY = "answer = math.nextafter(truth, math.inf)"
Maker = Callable[..., str]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "certify")


def asked(where: str, quantity: str = VARIANCE) -> list[str]:
    return [where, "--quantities", quantity, "--cases", "12"]


def test_a_sound_backend_has_files_and_no_lines(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    junit, sarif = tmp_path / "j.xml", tmp_path / "s.json"
    found = cli(*asked(make_backend(BOUND, AWAY), BOUND), "--junit", junit, "--sarif", sarif)
    assert (found.code, found.err) == (0, "")
    suites = ET.parse(junit).getroot()  # noqa: S314
    assert suites.get("tests") != "0"
    assert suites.get("failures") == suites.get("errors") == "0"
    (log,) = json.loads(sarif.read_bytes())["runs"]
    assert log["results"] == []
    assert log["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]


def test_a_violation_is_told_on_standard_error_and_in_the_files(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    junit, sarif = tmp_path / "j.xml", tmp_path / "s.json"
    where = make_backend(VARIANCE, FAULT)
    found = cli(*asked(where), "--junit", junit, "--sarif", sarif, "--json")
    assert found.code == 1
    assert json.loads(found.out)["verdict"] == "refuted"
    line, reproduce, truth = found.err.splitlines()[:3]
    assert line.startswith(f"VIOLATION quantity={VARIANCE} check=accuracy verdict=refuted ")
    assert reproduce.startswith(f"REPRODUCE python -P -m simplexcert.certify.ci.again {where} ")
    assert truth.startswith(f"TRUTH simplexcert evaluate {VARIANCE} -p ")
    (log,) = json.loads(sarif.read_bytes())["runs"]
    results = {result["ruleId"]: result for result in log["results"]}
    result = results[f"{VARIANCE}/accuracy"]
    assert result["properties"]["lines"] == [line, reproduce, truth]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == where.split(":")[0] + ".py"
    failures = ET.parse(junit).getroot().iterfind(".//failure")  # noqa: S314
    assert next(failures).text == f"{line}\n{reproduce}\n{truth}"


def test_a_failure_is_told_on_one_stream_with_its_commands_below(
    cli: Cli, make_backend: Maker
) -> None:
    where = make_backend(VARIANCE, FAULT)
    found, beside = cli(*asked(where)), cli(*asked(where), "-q")
    commands = [line for line in beside.err.splitlines() if not line.startswith("VIOLATION")]
    told = found.out.splitlines()
    assert "VIOLATION" not in found.out + found.err
    assert [line[2:] for line in told if line.startswith(("  REPRODUCE", "  TRUTH"))] == commands
    first = told.index(f"  {commands[0]}")
    assert any(line.startswith(f"refuted: {VARIANCE} ") for line in told[1:first])
    # What people read is folded, what is copied is not.
    assert {len(line) > PIPE for line in told if line[2:] not in commands} == {False}
    assert any(len(command) > PIPE for command in commands)


def test_each_file_that_is_written_is_told(cli: Cli, make_backend: Maker, tmp_path: Path) -> None:
    names = {"--out": "certificate", "--report": "report", "--transcript": "transcript",
             "--junit": "JUnit XML", "--sarif": "SARIF",
             "--failures": "list of failures"}  # fmt: skip
    files = {option: tmp_path / f"file{at}" for at, option in enumerate(names)}
    files["--transcript"] = tmp_path / "cases.jsonl.gz"
    given = [str(word) for pair in files.items() for word in pair]
    found = cli(*asked(make_backend(VARIANCE, SOUND)), *given)
    told = [line for line in found.out.splitlines() if " written to " in line]
    assert told == [f"{what} written to {files[option]}" for option, what in names.items()]
    assert all(path.is_file() for path in files.values())


def test_what_was_not_answered_is_held_against_no_truth(cli: Cli, make_backend: Maker) -> None:
    found = cli(*asked(make_backend(VARIANCE, "raise KeyError('far')")))
    assert ": no answer: KeyError: 'far'\n" in found.out
    assert "[-inf, inf]" not in found.out


def test_the_reproducer_fails_as_long_as_the_fault_is_there(
    cli: Cli, make_backend: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    where = make_backend(VARIANCE, FAULT)
    line, reproduce = cli(*asked(where), "--json").err.splitlines()[:2]
    words = shlex.split(reproduce)[5:]
    assert again.main(words) == 1
    assert capsys.readouterr().out.splitlines()[0] == line
    assert again.main([make_backend(VARIANCE, SOUND), *words[1:]]) == 0
    assert capsys.readouterr().out.startswith("passes: ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give a backend, a quantity, a check and the parameters"),
        (["{}", VARIANCE, "accuracy"], "give a backend"),
        (["{}", VARIANCE, "accuracy", "[]"], "give a backend"),
        (["{}", VARIANCE, "accuracy", "{"], "the parameters is not JSON"),
        (["{}", VARIANCE, "accuracy", '{"p": "0x1p-1"}'], "needs k"),
        (["{}", VARIANCE, "accuracy", '{"p": "0x1p+1", "k": "0x1p+1"}'], "p = 2"),
        (["{}", VARIANCE, "accuracy", '{"p": "1/3", "k": "0x1p+1"}'], "is no double"),
        (["{}", VARIANCE, "accurate", '{"p": "0x1p-1", "k": "0x1p+1"}'], "no check called"),
        (["{}", BOUND, "direction", '{"k": "0x1p+1"}'], "does not answer"),
        (["{}", "nothing", "direction", "{}"], "unknown quantity"),
        (["no_such_module:x", VARIANCE, "accuracy", '{"p": "0x1p-1", "k": "0x1p+1"}'], "cannot be"),
    ],
)
def test_asking_again_for_what_is_not_there_is_a_sentence(
    make_backend: Maker, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    where = make_backend(VARIANCE, SOUND)
    given = [word if word != "{}" or at else where for at, word in enumerate(words)]
    assert again.main(given) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err
    assert printed.err.count("\n") == 1


def expecting(folder: Path, *lines: str) -> Path:
    file = folder / "expected.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_what_is_expected_changes_the_exit_code_and_no_certificate(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    where = make_backend(VARIANCE, FAULT)
    plain, other = tmp_path / "plain.json", tmp_path / "other.json"
    checks = [
        line.split("check=")[1].split(" ")[0]
        for line in cli(*asked(where), "--out", plain, "-q").err.splitlines()
        if line.startswith("VIOLATION")
    ]
    file = expecting(tmp_path, *(f"{VARIANCE} {check} # issue 12" for check in checks))
    found = cli(*asked(where), "--out", other, "--expected-failures", file)
    assert (found.code, plain.read_bytes()) == (0, other.read_bytes())
    assert found.out.startswith("REFUTED")
    assert "REPRODUCE" not in found.out
    assert 'because="issue 12"' in found.out
    assert "the verdict on the backend is refuted all the same" in found.out


def test_a_failure_that_is_not_expected_fails_the_run(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    file = expecting(tmp_path, f"{BOUND} direction # another quantity")
    found = cli(*asked(make_backend(VARIANCE, FAULT)), "--expected-failures", file)
    assert found.code == 1
    assert "expected.txt, line 1: nothing that was run is of that name" in found.out


def test_an_outdated_line_fails_the_run(cli: Cli, make_backend: Maker, tmp_path: Path) -> None:
    file = expecting(tmp_path, f"{VARIANCE} accuracy # fixed long ago")
    junit = tmp_path / "j.xml"
    found = cli(
        *asked(make_backend(VARIANCE, SOUND)), "--expected-failures", file, "--junit", junit
    )
    assert found.code == 1
    assert found.out.startswith("CERTIFIED")
    assert f"OUTDATED quantity={VARIANCE} check=accuracy verdict=certified" in found.out
    (failure,) = ET.parse(junit).getroot().iterfind(".//failure")  # noqa: S314
    assert failure.get("type") == "outdated"


def test_the_failures_that_are_written_are_those_that_are_expected_then(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    """A reason that stands in the file stays when the file is written again."""
    where, file = make_backend(VARIANCE, FAULT), tmp_path / "failures.txt"
    assert cli(*asked(where), "--failures", file, "-q").code == 1
    known = file.read_text(encoding="utf-8")
    assert f"\n{VARIANCE}  accuracy  # refuted, not looked into yet\n" in known
    assert cli(*asked(where), "--expected-failures", file, "-q").code == 0
    file.write_text(known.replace("refuted, not looked into yet", "issue 12"), encoding="utf-8")
    assert cli(*asked(where), "--failures", file, "-q").code == 1
    assert f"\n{VARIANCE}  accuracy  # issue 12\n" in file.read_text(encoding="utf-8")
    sound = make_backend(VARIANCE, SOUND)
    assert cli(*asked(sound), "--failures", file, "-q").code == 0
    assert expected_failures_in(file) == ()


def test_bad_files_are_told_before_anything_is_run(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    where = make_backend(VARIANCE, "raise SystemError('it was asked')")
    file = expecting(tmp_path, f"{VARIANCE} accuracy")
    for options, says in (
        (["--expected-failures", file], "the reason is missing"),
        (["--expected-failures", tmp_path / "none"], "No such file"),
        (["--junit", tmp_path / "no" / "j.xml"], "cannot write"),
        (["--sarif", tmp_path], "cannot write"),
        (["--junit", tmp_path / "a", "--sarif", tmp_path / "a"], "two results"),
        (["--junit", file, "--expected-failures", file], "written over"),
    ):
        found = cli(*asked(where), *options)
        assert (found.code, found.out) == (3, ""), options
        assert says in found.err
        assert found.err.count("\n") == 1


def test_a_program_that_hangs_is_not_asked_again_for_a_simpler_point(
    cli: Cli, tmp_path: Path
) -> None:
    program = tmp_path / "hangs.py"
    declared = json.dumps({"name": "hangs", "version": "1", "quantities": [VARIANCE]})
    source = f"import sys, time\ninput()\nprint('{declared}', flush=True)\ntime.sleep(1000)\n"
    program.write_text(source, encoding="utf-8")
    where = f"command:python {shlex.quote(str(program))}"
    asked_once = ["--quantities", VARIANCE, "--cases", "2", "--case-seconds", "0.2", "-q"]
    found = cli(where, *asked_once)
    assert found.code == 1
    told = found.err.splitlines()
    line = next(each for each in told if each.startswith("VIOLATION"))
    reproduce = told[told.index(line) + 1]
    assert 'reason="no answer within 0.2 s"' in line
    assert shlex.split(reproduce)[1:4] == ["simplexcert", "certify", where]
    assert "--case-seconds 0.2" in reproduce
