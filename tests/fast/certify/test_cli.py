"""The command line: published shapes and exit codes, one sentence for every bad input."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import click
import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify.audits.claim import example_text
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.mechanisms import MECHANISMS
from simplexcert.reference.enclosure import Enclosure

DELTA = "dirichlet.profile.delta"
GENERAL = "dirichlet.tail.general"
POINT = ["-p", "alpha=1.68", "-p", "step=103/490", "-p", "epsilon=0.6"]
Maker = Callable[..., str]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def test_without_a_command_it_says_in_one_sentence_where_they_are_listed(cli: Cli) -> None:
    found = cli()
    assert (found.code, found.out) == (3, "")
    assert found.err == "simplexcert: give a command; `simplexcert --help` lists them\n"


def test_evaluate_answers_in_the_published_shape(cli: Cli) -> None:
    found = cli("evaluate", DELTA, *POINT, "--json")
    shape = json.loads(found.out, parse_float=lambda _: pytest.fail("a JSON float"))
    assert found.code == 0
    assert shape["parameters"]["alpha"] == "42/25"
    assert Fraction(shape["lower"]) < Fraction(shape["upper"])
    assert (shape["engine"], shape["rigorous"], shape["verdict"]) == ("arb", True, "certified")


def test_the_second_engine_answers_the_same(cli: Cli) -> None:
    first, second = (
        json.loads(cli("evaluate", DELTA, *POINT, "--json", "--engine", engine).out)
        for engine in ("arb", "second")
    )
    assert second["engine"] in ("mpfr", "mpmath")
    assert Fraction(first["lower"]) <= Fraction(second["upper"])
    assert Fraction(second["lower"]) <= Fraction(first["upper"])


def test_parameters_come_from_a_file_with_decimals_by_their_text(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "params.json"
    file.write_text('{"alpha": 1.68, "step": "103/490"}', encoding="utf-8")
    found = cli("evaluate", DELTA, "--params", file, "-p", "epsilon=0.6", "--json")
    assert found.out == cli("evaluate", DELTA, *POINT, "--json").out


def test_a_vector_is_a_json_list_on_the_command_line_and_in_a_file(
    cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "params.json"
    file.write_text('{"alpha": ["1/2", 0.1], "rest": 2, "gamma": 1e-3}', encoding="utf-8")
    scalars = ["-p", "rest=2", "-p", "gamma=0.001", "--json"]
    given = cli("evaluate", GENERAL, "-p", 'alpha=[0.5, "1/10"]', *scalars)
    assert given.code == 0
    shape = json.loads(given.out)
    assert shape["parameters"] == {"alpha": ["1/2", "1/10"], "rest": "2", "gamma": "1/1000"}
    assert given.out == cli("evaluate", GENERAL, "--params", str(file), "--json").out


def test_evaluate_says_which_route_was_taken(cli: Cli) -> None:
    given = ["-p", "alpha=[0.5, 2, 1]", "-p", "rest=0", "-p"]
    taken = json.loads(cli("evaluate", GENERAL, *given, "gamma=0.01", "--json").out)["route"]
    assert taken in ("series", "contour", "cubature")
    assert f"route: {taken};" in cli("evaluate", GENERAL, *given, "gamma=0.01").out
    assert "route: known exactly" in cli("evaluate", GENERAL, *given, "gamma=0.4").out


def test_a_spent_budget_exits_2_with_the_last_enclosure(cli: Cli) -> None:
    found = cli("evaluate", DELTA, *POINT, "--digits", "10000", "--max-seconds", "1e-9", "--json")
    assert found.code == 2
    shape = json.loads(found.out)
    assert shape["verdict"] == "undecided"
    assert {"lower", "upper"} <= set(shape)


def test_people_read_both_ends_and_how_they_were_found(cli: Cli) -> None:
    found = cli("evaluate", DELTA, *POINT)
    assert found.code == 0
    assert "lower  0.0020892581283230032630" in found.out
    assert "proved at 128 bits by arb" in found.out


def test_quantities_lists_the_registry(cli: Cli) -> None:
    shape = json.loads(cli("quantities", "--json").out)
    assert shape["schema_version"] == 1
    by_name = {item["name"]: item for item in shape["quantities"]}
    assert len(by_name) >= 12
    delta = by_name[DELTA]
    keys = {"name", "parameters", "conditions", "safe", "truth", "least", "source", "summary"}
    assert set(delta) == keys | {"explanation", "formula", "example"}
    assert delta["example"] == f"simplexcert evaluate {DELTA} -p alpha=5 -p step=0.2 -p epsilon=1"
    assert (delta["truth"], delta["least"]) == ("least", None)
    printed = by_name["dirichlet.renyi.to_approximate_dp"]
    assert printed["truth"] == "printed"
    assert printed["least"] == {"quantity": "renyi.epsilon_for_dp", "where": "the same parameters"}
    assert delta["parameters"][0] == {
        "name": "alpha",
        "symbol": r"\alpha",
        "meaning": "floor: the least protected Dirichlet parameter",
        "kind": "real",
        "domain": "0 < alpha",
        "search": ["0.001", "1000"],
    }
    assert by_name["dirichlet.counts.epsilon_bound"]["parameters"][2]["kind"] == "integer"
    assert "n gamma < 1" in by_name["dirichlet.counts.epsilon_bound"]["conditions"]
    assert cli("quantities", "dirichlet.*.k_for_dp", "-q").out == "3 quantities\n"


def test_audit_exits_by_its_verdict(cli: Cli, tmp_path: Path) -> None:
    assert cli("audit", "example:benvenuti2025-grades").code == 0
    text = example_text("benvenuti2025-grades")
    claim = tmp_path / "claim.toml"
    claim.write_text(text.replace('"2.255"', '"0.1"'), encoding="utf-8")
    refuted = cli("audit", claim, "--json")
    assert refuted.code == 1
    assert json.loads(refuted.out)["witness"]["first"] == ["4/49", "9/98"]
    claim.write_text(text.replace('"0.073"', '"0.24"'), encoding="utf-8")
    assert cli("audit", claim).code == 5


def test_audit_tells_people_what_was_given_away(cli: Cli) -> None:
    out = cli("audit", "example:benvenuti2025-grades").out
    for words in (
        "CERTIFIED",
        "2.2119076",
        "0.57069737",
        "at least 74 % of epsilon: 0.5707 would do",
        "k >= 3/(2 eta)",
        "assumed",
    ):
        assert words in out


@each_of("mechanism", MECHANISMS)
def test_a_mechanisms_template_is_its_example(cli: Cli, mechanism: str) -> None:
    for command in ("audit", "release"):
        found = cli(command, "--template", mechanism)
        assert (found.code, found.out, found.err) == (0, example_text(mechanism), "")


def test_a_template_is_a_claim(cli: Cli, tmp_path: Path) -> None:
    claim = tmp_path / "claim.toml"
    claim.write_text(cli("audit", "--template", "gaussian").out, encoding="utf-8")
    found = cli("audit", claim)
    assert (found.code, found.err) == (0, "")
    assert "(gaussian): epsilon = " in found.out.split("\n", maxsplit=1)[0]


def test_a_template_of_an_unknown_mechanism_is_refused_with_what_lists_all(cli: Cli) -> None:
    assert "(`simplexcert audit --template` lists all)" in cli("audit", "--template", "none").err
    listed = cli("audit", "--template").out
    assert all(f"{name} " in listed for name in MECHANISMS)


def test_a_claim_that_needs_nothing_has_nothing_to_give_away(cli: Cli, tmp_path: Path) -> None:
    text = cli("audit", "--template", "dirichlet.renyi").out
    claim = tmp_path / "claim.toml"
    claim.write_text(
        text.replace('epsilon = "0.1"', "epsilon = 0").replace("order = 5", "delta = 1"),
        encoding="utf-8",
    )
    found = cli("audit", claim)
    assert found.code == 0
    assert "given away" not in found.out


def test_certify_writes_what_verify_accepts(cli: Cli, make_backend: Maker, tmp_path: Path) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    out, cases = tmp_path / "c.json", tmp_path / "cases.jsonl.gz"
    found = cli("certify", where, "--quantities", DELTA, "--cases", "20", "--out", out,
                "--transcript", cases, "--json")  # fmt: skip
    assert found.code == 0
    shape = json.loads(found.out)
    assert (shape["schema_version"], shape["verdict"]) == (1, "certified")
    assert cases.stat().st_size > 0
    checked = cli("verify", out)
    assert checked.code == 0
    assert "is consistent: " in " ".join(checked.out.split())
    assert json.loads(cli("verify", out, "--json").out)["verdict"] == "certified"


@pytest.mark.parametrize(
    ("body", "code"),
    [("answer = truth * 0.9", 1), ("answer = math.nan", 1), ("answer = None", 1)],
)
def test_certify_and_verify_exit_1_for_what_fails(
    cli: Cli, make_backend: Maker, tmp_path: Path, body: str, code: int
) -> None:
    out = tmp_path / "c.json"
    where = make_backend(DELTA, body)
    found = cli("certify", where, "--quantities", DELTA, "--cases", "5", "--out", out)
    assert found.code == code
    assert cli("verify", out).code == 1


def test_the_first_failure_is_told_at_once_and_quietly_not(cli: Cli, make_backend: Maker) -> None:
    where = make_backend(DELTA, "answer = truth * 0.9")
    asked = ("certify", where, "--quantities", DELTA, "--screen", "0", "--cases")
    begins = f"first failure, refuted: {DELTA} (direction) at alpha = "
    assert cli(*asked, "101").err.startswith(begins)
    assert begins not in cli(*asked, "101", "--quiet").err
    # There the answer follows at once.
    assert begins not in cli(*asked, "100").err


def test_a_run_that_fails_fast_ends_with_the_batch_of_its_first_failure(
    cli: Cli, make_backend: Maker, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    where = make_backend(DELTA, f"open({str(asked)!r}, 'a').write('.')\nanswer = truth * 0.9")
    found = cli("certify", where, "--quantities", DELTA, "--cases", "300", "--screen", "0",
                "--fail-fast")  # fmt: skip
    assert found.code == 1
    verdict, first = " ".join(found.out.split()).split(" first failure, ")
    assert verdict.startswith("REFUTED ")
    assert verdict.endswith(f"{DELTA} fails; stopped there, nothing else is told")
    assert first.startswith(f"refuted: {DELTA} ")
    assert 100 <= len(asked.read_text()) < 300


def test_a_run_that_fails_fast_is_told_in_json(cli: Cli, make_backend: Maker) -> None:
    where = make_backend(DELTA, "answer = truth * 0.9")
    found = cli("certify", where, "--quantities", DELTA, "--cases", "5", "--fail-fast", "--json")
    shape = json.loads(found.out)
    assert (found.code, shape["verdict"]) == (1, "refuted")
    assert shape["first_failure"]["quantity"] == DELTA
    sound = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    assert cli("certify", sound, "--quantities", DELTA, "--cases", "5", "--fail-fast").code == 0


@each_of(
    "option",
    [
        "--out",
        "--transcript",
        "--report",
        "--junit",
        "--sarif",
        "--expected-failures",
        "--failures",
    ],
)
def test_a_run_that_fails_fast_writes_no_file(cli: Cli, tmp_path: Path, option: str) -> None:
    found = cli("certify", "--fail-fast", option, tmp_path / "x")
    assert found.code == 3
    assert "--fail-fast is for a quick look: it goes with no file" in found.err


def test_a_backend_that_lacks_all_exits_5(cli: Cli, make_backend: Maker, tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    where = make_backend(DELTA, "answer = truth")
    lacking = cli("certify", where, "--quantities", "*.k_for_dp", "--cases", "5", "--out", out)
    assert lacking.code == 5
    assert cli("verify", out).code == 5


def test_a_violation_is_told_in_one_sentence_with_its_inputs(cli: Cli, make_backend: Maker) -> None:
    where = make_backend(DELTA, "answer = truth * 0.9")
    out = cli("certify", where, "--quantities", DELTA, "--cases", "5").out
    # What people read is folded.
    sentences = re.sub(r"\n  (?=[^ ])", " ", out).split("\n")
    (told,) = (
        said
        for said in sentences
        if said.startswith(f"refuted: {DELTA} is on the unsafe side of the truth")
    )
    assert " at alpha = 0." in told
    assert "truth in [" in told


def test_a_tampered_certificate_exits_1(cli: Cli, make_backend: Maker, tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    where = make_backend(DELTA, "answer = truth * 0.9")
    cli("certify", where, "--quantities", DELTA, "--cases", "5", "--out", out)
    out.write_bytes(out.read_bytes().replace(b'"refuted"', b'"certified"'))
    found = cli("verify", out)
    assert found.code == 1
    assert found.err.startswith("simplexcert: ")


def test_evaluate_prints_its_two_ends_alone_where_that_is_asked(cli: Cli) -> None:
    (line,) = cli("evaluate", DELTA, *POINT, "-q").out.splitlines()
    lower, upper = line.removeprefix("[").removesuffix("]").split(", ")
    assert Fraction(lower) < Fraction(upper)
    full = cli("evaluate", DELTA, *POINT).out
    assert f"lower  {lower}\n" in full
    assert f"upper  {upper}\n" in full


def test_evaluate_cuts_a_long_array_and_says_so_unless_all_or_the_ends_alone_are_asked(
    cli: Cli,
) -> None:
    asked = ("evaluate", "markov.fundamental", "-p", f"P={json.dumps([['1/11'] * 11] * 11)}")
    assert len(cli(*asked, "-q").out.splitlines()) == 121
    whole, cut = cli(*asked, "-v").out, cli(*asked).out
    assert (whole.count("lower"), cut.count("lower")) == (121, 100)
    assert "more entries than these 100; -v or --json has all of them" in cut
    assert "more entries" not in whole


def test_a_list_of_commands_cuts_no_sentence(cli: Cli) -> None:
    told = " ".join(cli("--help").out.partition("Commands:")[2].split())
    assert "..." not in told
    for name, command in simplexcert.commands.items():
        first = " ".join(str(command.help).split("\n\n")[0].split())
        assert f"{name} {first.partition('. ')[0]}".rstrip(".") in told


@each_of("name", simplexcert.commands)
def test_the_help_of_a_command_ends_in_an_example_that_is_understood(cli: Cli, name: str) -> None:
    told = cli(name, "--help").out
    assert all(len(line) <= 80 for line in told.splitlines())
    title, *lines = told[told.rindex("  Example") :].splitlines()
    assert title.strip(" s:") == "Example"
    for line in lines:
        words = shlex.split(line.partition(" > ")[0])
        assert words[:2] == ["simplexcert", name]
        # Reads the words, and runs nothing; what is not understood is raised.
        simplexcert.commands[name].make_context(name, words[2:])


def test_a_template_of_nothing_lists_every_mechanism_and_says_how_one_is_begun(cli: Cli) -> None:
    for command in ("audit", "release"):
        found = cli(command, "--template")
        assert (found.code, found.err) == (0, "")
        *listed, blank, how = found.out.splitlines()
        assert [line.split()[0] for line in listed if line[0] != " "] == sorted(MECHANISMS)
        assert blank == ""
        assert how.startswith("simplexcert audit --template NAME > claim.toml ")


def test_each_option_stands_in_one_section_of_the_help(cli: Cli) -> None:
    told = cli("certify", "--help").out
    for option in simplexcert.commands["certify"].params:
        if option.opts[-1].startswith("--"):
            assert len(re.findall(rf"^  (?:-\w, )?{option.opts[-1]}\s", told, re.MULTILINE)) == 1
    assert re.findall(r"^(\w[\w ]+):$", told, re.MULTILINE) == [
        "What is asked",
        "How it is run",
        "What is written",
        "For a CI",
        "More",
    ]


def test_an_error_of_usage_names_the_help_that_has_an_example(cli: Cli) -> None:
    found = cli("keygen", "me")
    said = "Missing option '--out'; `simplexcert keygen --help` has an example"
    assert (found.code, found.err) == (3, f"simplexcert: {said}\n")


def test_an_option_of_one_value_is_refused_where_it_stands_twice(cli: Cli) -> None:
    for name, command in simplexcert.commands.items():
        for option in command.params:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag):
                found = cli(name, *[option.opts[0], "1"] * 2)
                said = f"{option.opts[0]} stands twice, and takes one value; give it once"
                assert (found.code, found.err) == (3, f"simplexcert: {said}\n")


BAD = {
    "no-such-command": ["evalute", DELTA],
    "no-such-option": ["evaluate", DELTA, "--precise"],
    "no-such-quantity": ["evaluate", "dirichlet.profile.detla"],
    "no-such-parameter": ["evaluate", DELTA, "-p", "alhpa=1"],
    "no-such-engine": ["evaluate", DELTA, *POINT, "--engine", "iv"],
    "no-quantity-matches": ["quantities", "nothing.*"],
    "parameter-missing": ["evaluate", DELTA, "-p", "alpha=1"],
    "parameter-twice": ["evaluate", DELTA, *POINT, "-p", "alpha=2"],
    "parameter-without-value": ["evaluate", DELTA, "-p", "alpha"],
    "parameter-nan": ["evaluate", DELTA, "-p", "alpha=nan", *POINT[2:]],
    "parameter-huge": ["evaluate", DELTA, "-p", "alpha=1e400000000", *POINT[2:]],
    "parameter-hex": ["evaluate", DELTA, "-p", "alpha=0x", *POINT[2:]],
    "parameter-empty-list": ["evaluate", DELTA, "-p", "alpha=[]", *POINT[2:]],
    "parameter-outside": ["evaluate", DELTA, "-p", "alpha=-1", *POINT[2:]],
    "digits-none": ["evaluate", DELTA, *POINT, "--digits", "0"],
    "digits-text": ["evaluate", DELTA, *POINT, "--digits", "many"],
    "seconds-negative": ["evaluate", DELTA, *POINT, "--max-seconds", "-1"],
    "seconds-nan": ["evaluate", DELTA, *POINT, "--max-seconds", "nan"],
    "params-missing": ["evaluate", DELTA, "--params", "absent.json"],
    "params-no-object": ["evaluate", DELTA, "--params", "list.json"],
    "params-cut-short": ["evaluate", DELTA, "--params", "cut.json"],
    "audit-nothing": ["audit"],
    "audit-missing": ["audit", "absent.toml"],
    "audit-directory": ["audit", "."],
    "audit-template": ["audit", "--template", "dirichlet.count"],
    "audit-template-and-claim": ["audit", "claim.toml", "--template", "dirichlet.counts"],
    "audit-no-such-example": ["audit", "example:"],
    "verify-missing": ["verify", "absent.json"],
    "verify-cut-short": ["verify", "cut.json"],
    "verify-not-json": ["verify", "text.txt"],
    "certify-nowhere": ["certify", "nowhere:backend"],
    "certify-no-form": ["certify", ":backend"],
    "certify-no-such-name": ["certify", "float46"],
    "certify-no-cases": ["certify", "--cases", "0"],
    "certify-no-directory": ["certify", "--out", "absent/c.json"],
    "certify-onto-directory": ["certify", "--out", "."],
    "certify-transcript-nowhere": ["certify", "--transcript", "absent/c.gz"],
    "certify-unknown-quantity": ["certify", "--quantities", "dirichlet.profil.delta"],
}


@each_of("name", BAD)
def test_bad_input_exits_3_with_one_sentence_and_leaves_nothing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "cut.json").write_text('{"alpha": 1', encoding="utf-8")
    (tmp_path / "text.txt").write_text("not json", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    found = cli(*BAD[name])
    assert found.code == 3
    assert found.out == ""
    assert found.err.startswith("simplexcert: ")
    assert found.err.count("\n") == 1
    assert "Traceback" not in found.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_directory_that_cannot_be_written_exits_3_before_any_work(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("simplexcert.certify.files.tempfile.TemporaryFile", refused)
    monkeypatch.setattr("simplexcert.certify.campaign.batches.run_batch", None)
    found = cli("certify", "--cases", "1", "--out", tmp_path / "c.json")
    assert found.code == 3
    assert "Permission denied" in found.err


def test_a_run_that_is_told_to_stop_leaves_nothing_half_written(
    make_backend: Maker, tmp_path: Path
) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    script = "from simplexcert.certify.cli import main; main()"
    arguments = ["certify", where, "--quantities", DELTA, "--cases", "100000"]
    outputs = ["--out", "c.json", "--transcript", "cases.gz"]
    before = {path.name for path in tmp_path.iterdir()}
    process = subprocess.Popen([sys.executable, "-c", script, *arguments, *outputs], cwd=tmp_path)
    # Where a transcript is asked for, what is done is kept beside it, and nothing else.
    partial = tmp_path / "cases.gz.part"
    while process.poll() is None and not partial.exists():
        time.sleep(0.01)
    process.terminate()
    assert process.wait(timeout=60) == 143
    left = {path.name for path in tmp_path.iterdir()} - before - {"__pycache__"}
    assert left <= {partial.name}


@pytest.mark.parametrize("kind", ["symlink", "fifo"])
def test_what_is_no_regular_file_is_never_replaced(cli: Cli, tmp_path: Path, kind: str) -> None:
    target = tmp_path / "c.json"
    if kind == "symlink":
        target.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(target)
    before = target.lstat()
    found = cli("certify", "--cases", "1", "--out", target)
    assert found.code == 3
    assert "no regular file" in found.err
    assert target.lstat().st_ino == before.st_ino


def test_one_file_cannot_hold_certificate_and_transcript(cli: Cli) -> None:
    assert cli("certify", "--cases", "1", "--out", "x", "--transcript", "x").code == 3


def test_nothing_is_left_in_the_current_directory(make_backend: Maker, tmp_path: Path) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    before = set(tmp_path.iterdir())
    script = "from simplexcert.certify.cli import main; main()"
    command = [sys.executable, "-c", script, "certify", where, "--quantities", DELTA]
    subprocess.run([*command, "--cases", "3"], cwd=tmp_path, check=True, capture_output=True)
    assert {path.name for path in set(tmp_path.iterdir()) - before} <= {"__pycache__"}


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_reader_that_leaves_does_not_change_the_exit_code(json_too: list[str]) -> None:
    script = "from simplexcert.certify.cli import main; main()"
    command = [sys.executable, "-c", script, "audit", "example:gohari2020-experts", *json_too]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_fault_of_our_own_exits_4_without_a_traceback(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("simplexcert.reference.evaluation.climb_quantity", broken)
    found = cli("evaluate", DELTA, *POINT)
    assert found.code == 4
    assert "ZeroDivisionError: inside" in found.err
    assert "Traceback" not in found.err


def test_contradicting_engines_exit_4(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, make_backend: Maker
) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    far = Enclosure.of(Fraction(7))
    monkeypatch.setattr("simplexcert.reference.evaluation.entry_at", lambda *_: far)
    found = cli("certify", where, "--quantities", DELTA, "--cases", "3")
    assert found.code == 4


def test_strict_turns_undecided_into_1(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, make_backend: Maker
) -> None:
    # One bit of precision decides nothing, so every case stays open.
    monkeypatch.setattr("simplexcert.certify.checks.judgement.CASE_MAX_BITS", 2)
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    arguments = ("certify", where, "--quantities", DELTA, "--cases", "3")
    assert cli(*arguments).code == 2
    assert cli(*arguments, "--strict").code == 1


def test_the_version_is_printed(cli: Cli) -> None:
    found = cli("--version")
    assert found.code == 0
    assert found.out.startswith("simplexcert 0.")


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from simplexcert.certify.cli import run; run(['--help']); "
        "heavy = {'numpy', 'scipy', 'flint', 'mpmath', 'hypothesis', 'gmpy2', 'rich', 'msgspec', "
        "'matplotlib', 'jinja2', 'cryptography', 'securesystemslib'}; "
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Usage: simplexcert" in done.stdout


def test_a_closed_pipe_ends_quietly() -> None:
    program = f"{sys.executable} -c 'from simplexcert.certify.cli import main; main()'"
    command = f"{program} quantities --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)  # noqa: S607
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


TABLE = [["1/2", "1/8", 3], [2, "0.5", 1]]


@pytest.mark.usefixtures("made_up")
def test_a_table_is_given_as_json_and_comes_back_exactly(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "params.json"
    file.write_text(json.dumps({"releases": TABLE, "scale": 2}))
    one = cli("evaluate", "made.steps", "-p", f"releases={json.dumps(TABLE)}", "-p", "scale=2")
    assert one.code == 0
    assert one.out.startswith("made.steps(releases = [[0.5, 0.125, 3], [2, 0.5, 1]], scale = 2)\n")
    assert cli("evaluate", "made.steps", "--params", file).out == one.out
    shape = json.loads(cli("evaluate", "made.steps", "--params", file, "--json").out)
    assert shape["parameters"]["releases"] == [["1/2", "1/8", "3"], ["2", "1/2", "1"]]


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("releases=[[1, 1]]", "releases, row 1: [1, 1] lacks count"),
        ("releases=[[1, 1, 1.5]]", "releases, row 1, count: 1.5 is not a whole number"),
        ("releases=[[1, 1, 1], [1, -1, 1]]", "releases, row 2, step = -1 is outside the domain"),
        ("releases=3", "releases: '3' is not a list of rows [alpha, step, count]"),
    ],
)
def test_a_bad_table_exits_3_with_row_and_column(cli: Cli, given: str, says: str) -> None:
    found = cli("evaluate", "made.steps", "-p", "scale=1", "-p", given)
    assert (found.code, found.out) == (3, "")
    assert says in found.err


@pytest.mark.usefixtures("made_up")
def test_quantities_tell_the_kind_of_a_table_column_by_column(cli: Cli) -> None:
    (line,) = json.loads(cli("quantities", "made.rows", "--json").out)["quantities"]
    (rows,) = line["parameters"]
    assert rows["kind"] == "rows"
    assert rows["domain"] == "in each row [w, gamma] of rows 1 <= w, 0 <= gamma <= 1"
    assert rows["search"] == [["1", "50"], ["1e-12", "1"]]


@pytest.mark.usefixtures("made_up")
def test_a_refuted_table_is_printed_as_it_was_given(cli: Cli, make_backend: Maker) -> None:
    where = make_backend("made.steps", "answer = 0.0")
    found = cli("certify", where, "--quantities", "made.steps", "--cases", "5")
    assert found.code == 1
    assert re.search(r"at releases = \[\[[0-9.e-]+, ", found.out)
