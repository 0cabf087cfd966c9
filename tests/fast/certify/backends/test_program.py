"""A backend that is a program: whatever it does is one case's error, and nothing is left over."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from processes import is_gone
from simplexcert.certify import certify_backend
from simplexcert.certify.backends import messages, pipes, program, subjects
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.messages import (
    BackendError,
    OutOfStepError,
    answer_in,
    question,
    said_line,
    unforeseen,
)
from simplexcert.certify.backends.pipes import CrashedError
from simplexcert.certify.backends.program import (
    MAX_LOSSES,
    MAX_LOSSES_IN_BATCH,
    GivenUpError,
    program_under,
    stop_programs,
)
from simplexcert.certify.backends.protocol import Backend, attribute_of
from simplexcert.certify.campaign.batches import crashes_in
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.certify.cli import run
from simplexcert.certify.points import double_in
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import MAX_EXPONENTS, MAX_MATRIX_VALUES

BOUND = "dirichlet.utility.variance_bound"
VARIANCE = "dirichlet.utility.variance"
PROGRAMS = Path(__file__).parents[3] / "backends_in"
PROTOCOL = Path(__file__).parents[4] / "certify" / "backends" / "PROTOCOL.md"
UNLUCKY = 13.0
# Far above what a sound answer takes, also where the machine is busy.
SECONDS = 3.0
SHORT = 0.3
HOURS = {3_600.0: "an hour"}


def command(*words: str | Path) -> str:
    return "command:" + shlex.join(map(str, words))


def rogue(mode: str, folder: Path) -> str:
    return command(sys.executable, PROGRAMS / "rogue.py", mode, folder)


def started_in(folder: Path) -> list[int]:
    return [int(file.stem) for file in folder.glob("*.pid")]


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """Require after each test that no process, descriptor, thread or zombie is left over."""
    resource_tracker.ensure_running()  # one for as long as the process lives, and no more
    files, threads = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    yield
    stop_programs()
    assert len(list(Path("/proc/self/fd").iterdir())) == files
    assert threading.active_count() == threads
    assert all(map(is_gone, started_in(tmp_path)))
    for number in started_in(tmp_path):
        with pytest.raises(ChildProcessError):
            os.waitpid(number, os.WNOHANG)


def loaded(mode: str, folder: Path, seconds: float = SECONDS) -> Backend:
    return load_backend(rogue(mode, folder), seconds).backend


def asked(backend: Backend, k: float) -> Fraction:
    return Fraction(backend.quantities[BOUND](k=k))


def truth(k: float) -> Fraction:
    return 1 / (4 * (Fraction(k) + 1))


def test_a_program_answers(tmp_path: Path) -> None:
    backend = loaded("good", tmp_path)
    assert (backend.name, backend.version, list(backend.quantities)) == ("good", "1", [BOUND])
    assert truth(2.0) <= asked(backend, 2.0) < truth(2.0) * (1 + Fraction(1, 2**40))


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("hang", "no answer within 0.3 s"),
        ("complain", "no answer within 0.3 s; on standard error it wrote: no! no! no!"),
        ("spawn", "no answer within 0.3 s"),
        ("spawn-and-die", "it ended with status 3"),
        ("die", "it ended with status 3"),
        ("crash", f"it ended by signal {signal.SIGSEGV.value}"),
        ("last-words", "it ended with status 1; on standard error it wrote: out of luck?"),
        ("close-output", "it closed its output"),
        ("flood", "a line of more than 32000000 bytes, which begins 'xxx"),
        ("flood-lines", "is not JSON"),
        ("rubbish", "it wrote 'hello', which is not JSON: Expecting value: an answer is {"),
        ("a-warning", r"it wrote 'Warning: \x1b[2J k = ID is \u202e large', which is not JSON"),
        (
            "python",
            """JSON: Expecting property name enclosed in double quotes before "'id': ID,""",
        ),
        (
            "half",
            """it wrote '{"id": ID, "value": ', which is not JSON: Expecting value at its end""",
        ),
        ("not-utf-8", r"it wrote '\\xff\\xfe', which is not UTF-8"),
        ("a-list", "it wrote '[1, 2]', which is no JSON object"),
        ("not-a-number", "'NaN' is not a number"),
        ("twice-a-key", "the key 'value' stands twice"),
        ("deep", "nested too deeply"),
        ("other-number", """it had not been asked: it wrote '{"id": 0, "value": "0x1p+0"}', and"""),
        ("number-as-text", """it had not been asked: it wrote '{"id": "ID", "value": "0x1p+0"}'"""),
        ("number-as-truth", "it answered what it had not been asked"),
        ("early", "it answered what it had not been asked"),
        ("large-numbers", "the exponents of its numbers are more than 20000000 together"),
        ("large-numbers-in-quotes", "the exponents of its numbers are more than 20000000 together"),
        ("too-many", "for more than 2000000 values"),
    ],
)
def test_a_program_out_of_step_is_lost_for_one_case(
    tmp_path: Path, mode: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "_GRACE_SECONDS", SHORT if mode == "close-output" else SECONDS)
    quick = "no answer" in says
    backend = loaded(mode, tmp_path, SHORT if quick else SECONDS)
    with pytest.raises(CrashedError, match=re.escape(says)):
        asked(backend, UNLUCKY)
    assert all(map(is_gone, started_in(tmp_path)))
    monkeypatch.setattr(program, "START_SECONDS", 30.0)
    assert quick or asked(backend, 1.0) >= truth(1.0)


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("json-float", "answered the JSON number 0.5; a float is written as C99 hex text"),
        ("json-float", """; it wrote '{"id": ID, "value": 0.5}'"""),
        ("json-exponent", "answered the JSON number 1000; a float is written as C99 hex text"),
        ("decimal-text", "answered '0.5', no C99 hex text"),
        ("long-double", "answered 0x8.000000000000001p-4, which is no double"),
        ("beyond-doubles", "which is no double"),
        ("below-doubles", "which is no double"),
        ("endless-power", "which is no double"),
        ("endless-text", "a text of 107 characters"),
        (
            "no-value",
            """not exactly one of value and error: it wrote '{"id": ID}'; an answer is {""",
        ),
        ("both", "not exactly one of value and error"),
        ("says-why", r"k = 13? \ud800 brings bad luck"),
        ("long-why", "no no no"),
    ],
)
def test_what_is_no_answer_costs_no_restart(tmp_path: Path, mode: str, says: str) -> None:
    backend = loaded(mode, tmp_path)
    with pytest.raises(BackendError, match=re.escape(says)) as caught:
        asked(backend, UNLUCKY)
    assert len(str(caught.value)) < 600
    assert asked(backend, 1.0) >= truth(1.0)
    assert len(started_in(tmp_path)) == 1


def test_a_fraction_of_more_digits_than_are_read_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="a number of more than 10000 digits is not read"):
        loaded("long-fraction", tmp_path).quantities[BOUND](k=UNLUCKY)


@pytest.mark.parametrize(
    "mode",
    ["nan", "minus-nan", "truth-value", "null", "list", "object"],
)
def test_a_value_that_is_no_real_number_is_judged_an_error(tmp_path: Path, mode: str) -> None:
    backend = loaded(mode, tmp_path)
    from simplexcert.certify.checks.judgement import judge, rules_for
    from simplexcert.reference.quantity import quantity_named

    answer = backend.quantities[BOUND](k=UNLUCKY)
    quantity = quantity_named(BOUND)
    (rule,) = rules_for(quantity, {}, {})
    assert judge(quantity, {"k": Fraction(13)}, answer, rule).verdict is Verdict.ERROR
    assert len(started_in(tmp_path)) == 1


@pytest.mark.parametrize("mode", ["twice", "close-input"])
def test_what_it_does_after_its_answer_is_charged_to_the_next_case(
    tmp_path: Path, mode: str
) -> None:
    backend = loaded(mode, tmp_path)
    assert asked(backend, UNLUCKY) >= truth(UNLUCKY)
    says = 'it wrote \'."id": EARLIER, .* that of the question before' if mode == "twice" else None
    with pytest.raises(CrashedError, match=says):
        asked(backend, 1.0)
    assert asked(backend, 2.0) >= truth(2.0)


def test_an_answer_cannot_be_written_before_its_question(tmp_path: Path) -> None:
    backend = loaded("foresees", tmp_path)
    assert asked(backend, UNLUCKY) >= truth(UNLUCKY)
    # The next number, the same one and every small one are there, with a value that is too low.
    with pytest.raises(CrashedError, match="it answered what it had not been asked"):
        asked(backend, 1.0)
    assert asked(backend, 2.0) >= truth(2.0)


def test_numbers_of_questions_are_unforeseen_and_fit_any_language() -> None:
    numbers = [unforeseen() for _ in range(1_000)]
    assert len(set(numbers)) > 990
    assert all(0 < number < 2**31 for number in numbers)
    assert not any(later == one + 1 for one, later in pairwise(numbers))


def test_noise_on_standard_error_does_no_harm(tmp_path: Path) -> None:
    backend = loaded("noisy", tmp_path)
    assert all(asked(backend, k) >= truth(k) for k in (1.0, 2.0, 3.0))
    assert len(started_in(tmp_path)) == 1


def test_a_question_of_more_than_a_pipe_holds_is_put_whole(tmp_path: Path) -> None:
    backend = loaded("good", tmp_path)
    value = backend.quantities[BOUND](k=1.0, filler=[0.1] * 100_000)
    assert Fraction(value) >= truth(1.0)


def test_a_program_that_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    backend = loaded("hang-after-one", tmp_path, SHORT)
    asked(backend, 1.0)
    with pytest.raises(CrashedError, match="no answer within"):
        backend.quantities[BOUND](k=1.0, filler=[0.1] * 100_000)


def test_the_time_of_a_case_covers_reading_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, at_once = loaded("good", tmp_path, SHORT), messages.parse_json
    slowly = lambda *given, **named: (time.sleep(SHORT), at_once(*given, **named))[1]  # noqa: E731
    monkeypatch.setattr(messages, "parse_json", slowly)
    with pytest.raises(CrashedError, match=r"no answer within 0\.3 s"):
        asked(backend, UNLUCKY)
    assert all(map(is_gone, started_in(tmp_path)))


def test_the_time_is_looked_at_for_each_number_of_an_answer() -> None:
    looked = []
    line = b'{"id": 1, "value": [["0x1p+0", 3], ["0x1p+0", "nan"]]}'
    answer_in(line, 1, lambda: looked.append(line))
    assert len(looked) > 2 * 4


LINES = st.one_of(st.binary(max_size=900), st.text(max_size=400).map(str.encode))


@given(LINES, st.integers(1, 2**31 - 1))
def test_a_line_that_is_shown_is_short_and_can_do_no_harm(line: bytes, number: int) -> None:
    shown = said_line(line, {number: "ID"})
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= 200 * len(r"\U0010ffff") + len("''...")


@given(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1), st.binary(max_size=300))
def test_what_is_said_of_a_line_is_the_same_whatever_the_number(
    one: int, other: int, rest: bytes
) -> None:
    """A transcript has it, and its bytes are the same in every run."""
    said = []
    for number in (one, other):
        with pytest.raises((OutOfStepError, BackendError)) as caught:
            answer_in(b'{"id": %d, ' % number + rest.replace(b"v", b"w"), number)
        said.append(str(caught.value))
    assert said[0] == said[1] or re.search(rb"[0-9]", rest)


def test_a_programs_own_words_are_cut_before_they_are_looked_at() -> None:
    words = "\U0001f600" * 1_000_000
    line = json.dumps({"id": 7, "error": words, "answer": words}, ensure_ascii=False).encode()
    tracemalloc.start()
    try:
        with pytest.raises(BackendError) as caught:
            answer_in(line, 7)
        # The words of either key as they are parsed, and nothing that is ten times as long.
        assert tracemalloc.get_traced_memory()[1] < 6 * len(line)
    finally:
        tracemalloc.stop()
    assert str(caught.value).endswith("...")
    assert repr(caught.value).endswith("...")


def test_a_program_lost_too_often_is_asked_again_only_in_the_next_batch(tmp_path: Path) -> None:
    found = load_backend(rogue("die", tmp_path), SECONDS)
    for _ in range(MAX_LOSSES_IN_BATCH):
        with pytest.raises(CrashedError):
            asked(found.backend, UNLUCKY)
    with pytest.raises(GivenUpError):
        asked(found.backend, 1.0)
    assert found.terms is not None
    assert asked(program_under(found.terms).backend(), 1.0) >= truth(1.0)


def test_started_again_it_must_declare_the_same(tmp_path: Path) -> None:
    backend = loaded("changes", tmp_path)
    program._programs[0]._lost(CrashedError("for the test"))
    with pytest.raises(CrashedError, match="declared something else"):
        asked(backend, 1.0)


def test_a_program_that_ignores_the_end_of_its_input_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "END_SECONDS", SHORT)
    loaded("ignore-end", tmp_path)
    stop_programs()
    assert all(map(is_gone, started_in(tmp_path)))


def losses_in(lines: list[str]) -> int:
    cases = map(json.loads, lines)
    return crashes_in((case["check"], case["value"]) for case in cases)


@pytest.mark.parametrize("mode", ["always-die", "always-hang"])
def test_a_hopeless_program_is_an_error_soon(
    tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "MAX_LOSSES_IN_BATCH", 1)
    monkeypatch.setattr("simplexcert.certify.campaign.pool.MAX_LOSSES", 2)
    lines: list[str] = []
    where = rogue(mode, tmp_path)
    seconds = SHORT if mode == "always-hang" else SECONDS
    campaign = certify_backend(
        where, quantities=BOUND, cases=300, case_seconds=seconds, on_case=lines.append
    )
    assert campaign.verdict is Verdict.ERROR
    assert sum('{"check":"direction",' in line for line in lines) == 300
    assert losses_in(lines) == 2


def test_a_run_goes_on_after_a_loss_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    where = rogue("always-die", tmp_path)
    kept: list[list[str]] = [[], []]
    runs = [
        certify_backend(
            where, quantities=BOUND, cases=600, jobs=jobs, on_case=kept[jobs - 1].append
        )
        for jobs in (1, 2)
    ]
    assert kept[0] == kept[1]
    assert len({canonical_bytes(statement_of(run)) for run in runs}) == 1
    values = [json.loads(line)["value"] for line in kept[0]]
    assert losses_in(kept[0]) == MAX_LOSSES
    assert any(value.startswith("0x") for value in values)
    assert all(value.startswith("GivenUpError") for value in values[-100:])


@each_of(
    "words, says",
    [
        ("", "names no program"),
        ("''", "names no program"),
        ("'a", "cannot be split"),
        ("no-such-program-anywhere", "there is no program"),
        ("./folder", "a directory"),
        ("./plain", "no program that can be executed"),
        ("plain", r"write \./plain"),
        ("./fake", "cannot be started|did not declare itself"),
        ("a\x00b", "printable"),
        ("\ud800", "printable"),
        ("x " * 1_001, "more than 1000 words"),
        ("x" * 5_000, "there is no program"),
    ],
)
def test_what_is_no_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").touch()
    (tmp_path / "fake").write_bytes(b"\x7fELF")
    (tmp_path / "fake").chmod(0o755)
    with pytest.raises(InputError, match=says):
        load_backend(f"command:{words}")


DECLARED = '{"name": "n", "version": "1", "quantities": ["dirichlet.utility.variance"]'


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("sleep 1000", "no answer within 0.3 s"),
        ("exit 7", "it ended with status 7"),
        ("echo no library found >&2; exit 1", "it wrote: no library found"),
        ("exec 1>&-; sleep 1000", "it closed its output"),
        ("echo hello", "in line 1 it wrote 'hello', which is not JSON: .* warnings go to stand"),
        ("echo 1", "in line 1 it wrote '1', which is no JSON object: it must be"),
        ("yes | tr -d '\\n'", "a line of more than"),
        ("yes no >&2", "no answer within 0.3 s"),
        ("""echo '{"error": "no licence"}'""", "^no licence$"),
        ("""echo '{"name": "n", "version": "1", "quantities": "x"}'""",
         r"""not a list of names; line 1 that it wrote is '.*"x"}'"""),
        ("""echo '{"name": "n", "version": "1", "quantities": [1]}'""", "not a list of names"),
        ("""echo '{"name": "n", "version": 1, "quantities": []}'""", "'version' is 1, not text"),
        ("""echo '{"version": "1", "quantities": []}'""", "'name' is None"),
        ("""echo '{"name": "n", "version": "1", "quantities": ["dirichlet.utility.varience"]}'""",
         "did you mean 'dirichlet.utility.variance'"),
        ("""echo '{"name": "n", "version": "1", "quantities": ["a", "a"]}'""", "twice"),
        ("echo '" + DECLARED + """, "slack": {"dirichlet.utility.variance": 2}}'""", "not in"),
        ("echo '" + DECLARED + """, "slack": {"dirichlet.utility.variance": "0xp"}}'""", "no C99"),
        ("echo '" + DECLARED + """, "slack": [1]}'""", "not a mapping"),
    ],
    ids=range(18),
)  # fmt: skip
def test_who_does_not_declare_itself_is_refused(
    monkeypatch: pytest.MonkeyPatch, script: str, says: str
) -> None:
    quick = "within" in says
    monkeypatch.setattr(program, "START_SECONDS", SHORT if quick else 30.0)
    monkeypatch.setattr(pipes, "_GRACE_SECONDS", SHORT if "closed" in says else 30.0)
    with pytest.raises(InputError, match=says):
        load_backend(command("sh", "-c", script))


def test_shares_are_declared_as_decimals_or_in_hex(tmp_path: Path) -> None:
    shares = """, "slack": {"dirichlet.utility.variance": 1e-9},
    "accuracy": {"dirichlet.utility.variance": "0x1p-40"}}"""
    line = (DECLARED + shares).replace("\n", " ")
    backend = load_backend(command("sh", "-c", f"echo '{line}'; cat >{tmp_path}/got")).backend
    assert backend.slack == {VARIANCE: Fraction(1, 10**9)}
    assert backend.accuracy == {VARIANCE: Fraction(1, 2**40)}


def test_a_bad_program_is_exit_code_3_and_a_bad_answer_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--quantities", BOUND, "--cases", "3"]
    assert run(["certify", "command:no-such-program-anywhere", *options]) == 3
    assert run(["certify", rogue("good", tmp_path), *options, "--case-seconds", "0"]) == 3
    assert run(["certify", rogue("always-die", tmp_path), *options]) == 1
    assert run(["certify", rogue("good", tmp_path), *options]) == 0
    assert run(["certify", rogue("good", tmp_path), "--quantities", VARIANCE]) == 5
    assert "fault of simplexcert" not in capsys.readouterr().err


def test_what_is_run_is_the_file_that_is_named_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    shutil.copy("/bin/true", second / "prog")
    # A system's own search goes on behind what it cannot execute.
    (first / "prog").write_bytes(b"no program")
    for folder in (first, second):
        (folder / "prog").chmod(0o755)
    monkeypatch.setenv("PATH", f"{first}:{second}:{os.environ['PATH']}")
    with pytest.raises(InputError, match="cannot be started: Exec format error"):
        load_backend("command:prog")


def test_the_subjects_are_the_program_and_the_arguments_that_are_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    script = tmp_path / "run"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    (tmp_path / "data" / "run").write_bytes(b"1")
    words = ["./run", PROGRAMS / "rogue.py", "good", tmp_path, "./data/../data/run"]
    words += [tmp_path / "data" / "run"]
    found = {item.name: item.sha256 for item in load_backend(command(*words)).subjects}
    digests = {
        "run": script.read_bytes(),
        "rogue.py": (PROGRAMS / "rogue.py").read_bytes(),
        "data/run": b"1",
        "5/run": b"1",
    }
    assert found == {name: sha256(content).hexdigest() for name, content in digests.items()}


@pytest.mark.parametrize(
    ("jobs", "number", "whom", "code"),
    [
        (1, signal.SIGINT, "all", 130),
        (2, signal.SIGINT, "all", 130),
        (2, signal.SIGTERM, "ours", 143),
    ],
)
def test_an_interruption_kills_the_program(
    tmp_path: Path, jobs: int, number: signal.Signals, whom: str, code: int
) -> None:
    where = rogue("always-hang", tmp_path)
    arguments = ["certify", where, "--quantities", BOUND, "--cases", "300", "--jobs", str(jobs)]
    source = "from simplexcert.certify.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", source, *arguments], stderr=subprocess.PIPE, start_new_session=True
    ) as ours:
        try:
            deadline = time.monotonic() + 30
            while len(list(tmp_path.glob("*.asked"))) < jobs and time.monotonic() < deadline:
                time.sleep(0.05)
            os.killpg(ours.pid, number) if whom == "all" else ours.send_signal(number)
            said = ours.communicate(timeout=15)[1]
        finally:
            ours.kill()
    assert (ours.returncode, b"Traceback" in said) == (code, False), said


@given(st.floats())
def test_a_double_is_read_as_it_is_written(number: float) -> None:
    text = number.hex()
    found = double_in(text)
    assert found.hex() == text


@given(st.integers(1, 2**80), st.integers(-1_200, 1_100))
def test_hex_text_is_read_exactly_or_refused(mantissa: int, power: int) -> None:
    exact = mantissa * Fraction(2) ** power
    try:
        found: float | None = double_in(f"{mantissa:#x}p{power:+d}")
    except InputError:
        found = None
    if found is not None:
        assert Fraction(found) == exact
    else:
        assert exact > Fraction(sys.float_info.max) or Fraction(float(exact)) != exact


@each_of(
    "text",
    [
        "",
        "0x",
        "0xp0",
        "0x.p1",
        "1",
        "0.5",
        "10",
        "0x1",
        "0x1p",
        "0x1p1 ",
        "\uff11",
        "nan1",
        "0x1p\uff11",
    ],
)
def test_what_is_no_hex_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        double_in(text)


def test_a_question_is_one_line_in_ascii_with_keys_in_order() -> None:
    given_values = {"P": [[0.5, 0.5]], "n": 3, "word": "any", "law": {"points": [1.0], "ä": -0.0}}
    line = question(7, "a.b", given_values)
    assert line.decode("ascii").startswith(
        '{"id": 7, "quantity": "a.b", "parameters": {"P": [["0x1.'
    )
    assert line.count(b"\n") == 1
    assert json.loads(line)["parameters"]["law"] == {
        "points": ["0x1.0000000000000p+0"],
        "ä": "-0x0.0p+0",
    }


def test_a_matrix_is_read_row_by_row() -> None:
    line = b'{"value": [["0x1p+0", "inf"], [2, "-nan"]], "id": 3, "note": 0.5}\r\n'
    found = answer_in(line, 3)
    assert found[0] == [1.0, float("inf")]
    assert found[1][0] == 2
    assert found[1][1] != found[1][1]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is here")
def test_the_program_in_c_of_the_protocol_is_certified(tmp_path: Path) -> None:
    source = re.search(r"```c\n(.*?)```", PROTOCOL.read_text(encoding="utf-8"), re.DOTALL)
    assert source
    (tmp_path / "in_c.c").write_text(source[1], encoding="utf-8")
    build = ["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "in_c", "in_c.c", "-lm"]
    subprocess.run(build, cwd=tmp_path, check=True)
    campaign = certify_backend(command(tmp_path / "in_c"), quantities=f"{VARIANCE}*", cases=60)
    assert {check.verdict for check in campaign.checks} == {Verdict.CERTIFIED}


@pytest.mark.parametrize(
    ("interpreter", "file", "quantity"),
    [
        ("node", "max_divergence.js", "pufferfish.max_divergence"),
        ("perl", "variance.pl", VARIANCE),
    ],
)
def test_a_program_in_another_language_is_certified(
    interpreter: str, file: str, quantity: str
) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not here")
    campaign = certify_backend(command(interpreter, PROGRAMS / file), quantities=quantity, cases=60)
    assert campaign.verdict is Verdict.CERTIFIED


def test_a_fault_put_into_a_program_is_refuted(tmp_path: Path) -> None:
    if shutil.which("perl") is None:
        pytest.skip("perl is not here")
    source = (PROGRAMS / "variance.pl").read_text(encoding="utf-8")
    (tmp_path / "bad.pl").write_text(source.replace("$k + 1", "$k"), encoding="utf-8")
    campaign = certify_backend(command("perl", tmp_path / "bad.pl"), quantities=VARIANCE, cases=20)
    assert campaign.verdict is Verdict.REFUTED


def test_the_limits_that_the_protocol_states_are_those_in_force() -> None:
    text = PROTOCOL.read_text(encoding="utf-8")
    for limit in (
        f"declared itself | {program.START_SECONDS:g} s",
        f"`--case-seconds` | {program.CASE_SECONDS:g} s",
        f"input has ended | {pipes.END_SECONDS:g} s",
        f"| an answer | {program.MAX_ANSWER_BYTES:,} bytes",
        f"numbers together | {MAX_MATRIX_VALUES:,}; {MAX_EXPONENTS:,} |",
        f"a declaration | {program.MAX_DECLARATION_BYTES // 2**20} MiB",
        f"100 cases | {MAX_LOSSES_IN_BATCH} |",
        f"losses in a run | {MAX_LOSSES},",
        f"memory in use, of it and all that it started | {pipes.MAX_MEMORY_BYTES // 2**30} GiB",
        f"all that it started | {pipes.MAX_PROCESSES:,} |",
        f"a file that it writes | {pipes.MAX_FILE_BYTES // 2**30} GiB",
        f"for {HOURS[program.LIFE_SECONDS]} and {program.QUESTIONS_IN_A_BATCH:,} cases",
        f"| {subjects.MAX_FILES:,} and {subjects.MAX_BYTES // 2**30} GiB |",
    ):
        assert limit in text, limit


MODULE = f"""
import ctypes, math, os, sys, time
print("imported", flush=True)

def bound(k):
    print("noise", flush=True)
    if k == {UNLUCKY}:
        {{deed}}
    return math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)

class backend:
    name, version = "hosted", "1"
    quantities = {{{{{BOUND!r}: bound}}}}
    slack = {{{{{BOUND!r}: 2.0**-40}}}}
"""


def hosted(folder: Path, deed: str, monkeypatch: pytest.MonkeyPatch) -> Backend:
    monkeypatch.chdir(folder)
    (folder / "hosted_module.py").write_text(MODULE.format(deed=deed), encoding="utf-8")
    return load_backend("hosted_module:backend", 1.0).backend


@pytest.mark.parametrize(
    ("deed", "says"),
    [
        ("time.sleep(1_000)", "no answer within 1 s"),
        ("ctypes.CDLL(None)._exit(0)", "it ended with status 0"),
        ("ctypes.string_at(0)", "it ended by signal"),
    ],
)
def test_a_module_that_ends_its_process_or_hangs_costs_one_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, says: str
) -> None:
    backend = hosted(tmp_path, deed, monkeypatch)
    with pytest.raises(CrashedError, match=says):
        asked(backend, UNLUCKY)
    assert asked(backend, 1.0) >= truth(1.0)
    assert "hosted_module" not in sys.modules


@pytest.mark.parametrize(
    ("deed", "says", "seen"),
    [
        ("os._exit(0)", r"SystemExit: os\._exit\(0\)", "SystemExit"),
        ("raise KeyboardInterrupt", "^KeyboardInterrupt:$", "KeyboardInterrupt"),
        ("1 / 0", "^ZeroDivisionError: division by zero$", "ZeroDivisionError"),
        ("return 'text'", "^answered 'text', which is not a real number$", "'text'"),
        ("return sys.stdin.read()", "answered '', which is not", "''"),
        ("return math.nan", "answered NaN", "nan"),
        ("return [[1.0, None]]", r"answered None, which is not a real number", r"\[\[1.0, None"),
    ],
)
def test_what_a_module_raises_or_answers_is_told_as_it_would_be_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, says: str, seen: str
) -> None:
    backend = hosted(tmp_path, deed, monkeypatch)
    with pytest.raises(BackendError, match=says) as caught:
        asked(backend, UNLUCKY)
    assert re.match(seen, repr(caught.value))
    assert asked(backend, 1.0) >= truth(1.0)


def test_a_module_is_declared_with_its_slack_and_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    backend = hosted(tmp_path, "pass", monkeypatch)
    assert backend.slack == {BOUND: Fraction(1, 2**40)}
    (subject,) = load_backend("hosted_module:backend", SECONDS).subjects
    content = (tmp_path / "hosted_module.py").read_bytes()
    assert (subject.name, subject.sha256) == ("hosted_module.py", sha256(content).hexdigest())
    assert "import" not in capfd.readouterr().out


def test_a_module_is_judged_alike_here_and_in_its_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted(tmp_path, "pass", monkeypatch)
    monkeypatch.syspath_prepend(tmp_path)
    runs = [certify_backend("hosted_module:backend", quantities=BOUND, cases=120)]
    importlib.import_module("hosted_module")
    runs.append(certify_backend("hosted_module:backend", quantities=BOUND, cases=120))
    monkeypatch.delitem(sys.modules, "hosted_module")
    assert {run.verdict for run in runs} == {Verdict.CERTIFIED}
    # But for the last check, which asks in a process of its own where there is one already.
    there, here = ([check for check in run.checks if check.check != "form"] for run in runs)
    assert there == here


def test_a_vector_and_a_law_cross_the_pipe_of_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = """
def stationary(P):
    assert isinstance(P[0][0], float)
    return [P[0][1], float("inf"), 1]
class backend:
    name, version = "hosted", "1"
    quantities = {"markov.stationary": stationary}
"""
    (tmp_path / "hosted_vectors.py").write_text(source, encoding="utf-8")
    backend = load_backend("hosted_vectors:backend", SECONDS).backend
    found = backend.quantities["markov.stationary"](P=[[0.25, 0.75], [0.5, 0.5]])
    assert found == [0.75, float("inf"), 1.0]


def test_an_attribute_that_exits_when_looked_at_is_a_sentence_and_no_exit() -> None:
    class Exiting:
        @property
        def name(self) -> str:
            raise SystemExit(0)

    with pytest.raises(InputError, match="its 'name' raises SystemExit"):
        attribute_of(Exiting(), "name", "made:backend")
