"""Standard streams and what the system refuses: one sentence, and never a code that means more."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path

import click
import pytest
from command_line import Cli, calling
from each import each_of
from private_data import given
from simplexcert.certify.cli.group import FOLDER, OR_STANDARD
from simplexcert.certify.cli.running import COMPLETION, simplexcert
from simplexcert.certify.files import sha256_of_file, write_whole
from simplexcert.certify.marks import REPORT
from simplexcert.certify.workers import MAX_JOBS
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import read_file

EXAMPLE = "example:dirichlet.identity"

PROGRAM = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()"]
IDENTITY = Path(__file__).parents[3] / "certify" / "mechanisms" / "dirichlet.identity.toml"
VARIANCE = "dirichlet.utility.variance"
QUICK = ["evaluate", VARIANCE, "-p", "p=1/2", "-p", "k=1"]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def named() -> list[tuple[str, click.Parameter]]:
    """Return every argument and option of every command that takes text."""
    return [
        (name, each)
        for name, command in simplexcert.commands.items()
        for each in command.params
        if isinstance(each.type, click.types.StringParamType)
    ]


def with_value(name: str, parameter: click.Parameter, value: str) -> list[str]:
    """Return a command line with one value, and whatever else its command requires."""
    command, words = simplexcert.commands[name], [name]
    for each in command.params:
        given = value if each is parameter else "x"
        if isinstance(each, click.Argument):
            words += [given] if each.required or each is parameter else []
        elif each is parameter or each.required:
            words += [each.opts[0], given]
    return words


def test_an_empty_text_is_refused_wherever_text_is_taken(cli: Cli) -> None:
    for name, parameter in named():
        found = cli(*with_value(name, parameter, ""))
        assert (found.code, found.out) == (3, ""), (name, parameter.name)
        assert "is empty" in found.err


def test_a_dash_is_a_standard_stream_where_that_is_said_and_refused_elsewhere(cli: Cli) -> None:
    streams = set()
    for name, parameter in named():
        if parameter.type is OR_STANDARD:
            streams.add((name, parameter.opts[0]))
            continue
        found = cli(*with_value(name, parameter, "-"))
        assert (found.code, found.out) == (3, ""), (name, parameter.name)
        assert "takes no standard stream" in found.err
    assert streams == {
        ("audit", "claim"), ("audit", "--out"), ("certify", "--out"), ("claims", "--out"),
        ("curve", "what"), ("curve", "--csv"), ("evaluate", "--params"), ("report", "certificate"),
        ("report", "--out"), ("sign", "certificate"), ("sign", "--out"), ("simulate", "claim"),
        ("verify", "certificate"),
    }  # fmt: skip


# A title of a window, a colour, and a mark that turns the direction of what follows.
HOSTILE = "\x1b]0;x\x07\x9b31m\u202e"


def test_no_name_moves_a_terminals_cursor_whichever_option_it_is_for(cli: Cli) -> None:
    for name, parameter in named():
        found = cli(*with_value(name, parameter, f"no-such-folder/{HOSTILE}"))
        told = found.out + found.err
        assert told.replace("\n", "").isprintable(), (name, parameter.name, told)


def test_the_names_of_what_was_written_move_no_cursor(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    key, page = f"{HOSTILE}.private.pem", f"{HOSTILE}.csv"
    audit = ["audit", EXAMPLE, "-q", "--out", HOSTILE]
    curve = ["curve", VARIANCE, "-p", "p=1/2", "-p", "k=1:2:2", "--csv", page]
    assert cli(*audit).code == 0
    for words in (["keygen", "--out", HOSTILE], ["sign", HOSTILE, "--key", key], curve):
        found = cli(*words)
        assert found.out.replace("\n", "").isprintable()
        assert "\\x1b]0;x" in found.out
    found = cli("keygen", "--out", "k" * 255)
    assert found.code == 3


def piped(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *words], input=given, capture_output=True, check=False)


def test_a_claim_comes_from_standard_input_and_its_certificate_goes_to_standard_output(
    tmp_path: Path,
) -> None:
    made = piped("audit", "-", "--out", "-", given=IDENTITY.read_bytes())
    assert made.returncode == 0
    assert json.loads(made.stdout)["predicateType"].startswith("https://simplexcert")
    assert made.stderr.startswith(b"CERTIFIED")
    checked = piped("verify", "-", "--subject", str(IDENTITY), given=made.stdout)
    assert checked.returncode == 0
    assert checked.stdout.startswith(b"CERTIFIED under 2 assumptions  'standard input'")
    page = piped("report", "-", "--out", "-", given=made.stdout)
    assert page.stdout.startswith(b"<!DOCTYPE html>")
    assert not list(tmp_path.iterdir())


def test_parameters_come_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b'{"p": "1/2", "k": 1}'))
    monkeypatch.setattr(sys, "stdin", given)
    found = cli("evaluate", VARIANCE, "--params", "-")
    assert found.code == 0


def test_a_certificate_and_json_do_not_share_standard_output(cli: Cli) -> None:
    curve = ["curve", VARIANCE, "-p", "p=0:1:3", "-p", "k=1", "--csv"]
    for words in (["audit", EXAMPLE, "--out"], ["certify", "--out"], ["claims", "--out"], curve):
        found = cli(*words, "-", "--json")
        assert (found.code, found.out) == (3, "")


def test_standard_input_is_read_up_to_a_bound(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simplexcert.reference.exact.MAX_FILE_BYTES", 10)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes(11))))
    found = cli("audit", "-")
    assert found.code == 3
    assert "larger than 10 bytes" in found.err


def test_a_pipe_is_refused_where_a_file_is_meant_and_not_waited_for(
    cli: Cli, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for read in (read_file, sha256_of_file):
        with pytest.raises(InputError, match="no regular file"):
            read(pipe)
    for words in (
        ["verify", pipe],
        ["audit", pipe],
        ["audit", EXAMPLE, "--out", tmp_path / "c", "--subject", pipe],
        ["report", pipe, "--out", tmp_path / "r"],
        ["sign", pipe, "--key", pipe],
        ["ledger", pipe],
        ["simulate", pipe],
        ["evaluate", VARIANCE, "--params", pipe],
        ["certify", "--expected-failures", pipe],
    ):
        found = cli(*words)
        assert (found.code, found.out) == (3, ""), words
        assert "no regular file" in found.err


@pytest.mark.parametrize(
    "words",
    [
        ["audit", EXAMPLE, "--out", "loop"],
        ["audit", EXAMPLE, "--out", "loop/c.json"],
        ["audit", EXAMPLE, "--out", "c.json", "--subject", "loop"],
        ["report", "loop", "--out", "r.html"],
        ["release", "loop", "--data", "data.csv", "--out", "r.json"],
        ["release", "claim.toml", "--data", "loop", "--out", "r.json"],
        ["release", "claim.toml", "--data", "data.csv", "--out", "loop"],
        ["release", "claim.toml", "--data", "data.csv", "--out", "r", "--ledger", "loop"],
        ["simulate", "loop"],
    ],
    ids=" ".join,
)
def test_links_that_lead_in_a_circle_are_no_fault_of_ours(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    given(tmp_path, "dirichlet.renyi").data.rename("data.csv")
    found = cli(*words)
    assert (found.code, found.out) == (3, "")
    assert "loop" in found.err
    assert "fault of simplexcert" not in found.err


def test_a_name_that_ends_with_a_slash_is_no_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read without it, a folder that is not there yet would become a file of that name."""
    monkeypatch.chdir(tmp_path)
    folders = set()
    for name, parameter in named():
        if parameter.type is FOLDER:
            folders.add((name, parameter.opts[0]))
            continue
        found = cli(*with_value(name, parameter, "results/"))
        assert (found.code, found.out) == (3, ""), (name, parameter.name)
        assert "names a folder" in found.err
    assert folders == {("simulate", "--out"), ("vectors", "--out")}
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_not_there_is_told_once(cli: Cli) -> None:
    said = "simplexcert: cannot read missing: No such file or directory"
    assert cli("certify", "--subject", "missing").err == f"{said}\n"
    # Of a claim it may be the name of one that is shipped.
    assert cli("audit", "missing").err == f"{said}; a claim that is shipped is example:NAME\n"
    assert cli("audit", "missing.toml").err == f"{said.replace('missing', 'missing.toml')}\n"


@each_of(
    "words, code", [(["--help"], 0), (["--version"], 0), (["audit", "--help"], 0), (QUICK, 0),
                        (["quantities"], 0), (["audit", "--template", "dirichlet.counts"], 0)]
)  # fmt: skip
def test_a_pipe_that_nobody_reads_is_no_failure(words: list[str], code: int) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(
        [*PROGRAM, *words], stdout=writes, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writes)
    assert (done.returncode, done.stderr) == (code, "")


@each_of("words", [["--help"], ["quantities"], QUICK, ["audit", EXAMPLE],
                                   ["audit", EXAMPLE, "--out", "-"]])  # fmt: skip
def test_a_full_standard_output_is_told_in_one_sentence(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    told = "simplexcert: cannot write standard output: No space left on device\n"
    assert done.stderr.endswith(told)
    assert "Traceback" not in done.stderr


@each_of("unbuffered", ["", "1"])
def test_what_a_disk_takes_in_part_is_never_called_written(unbuffered: str, tmp_path: Path) -> None:
    """Without a buffer a write takes what there is room for, and is no error."""

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

    with (tmp_path / "cert.json").open("wb") as out:
        done = subprocess.run(
            [*PROGRAM, "audit", EXAMPLE, "--out", "-"], stdout=out, stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, preexec_fn=little_room, check=False,
        )  # fmt: skip
    assert b"cannot write standard output" in done.stderr
    assert done.returncode == 3


def test_a_reader_that_does_not_wait_is_waited_for() -> None:
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    with subprocess.Popen(
        [*PROGRAM, "audit", "-"], stdin=reads, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        os.close(reads)
        time.sleep(1)
        os.write(writes, Path(IDENTITY).read_bytes())
        os.close(writes)
        told, error = program.communicate()
    assert (program.returncode, error) == (0, b"")
    assert told.startswith(b"CERTIFIED")


@each_of("unbuffered", ["", "1"])
def test_a_pipe_that_takes_a_part_and_does_not_wait_gets_all(unbuffered: str) -> None:
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    with subprocess.Popen(
        [*PROGRAM, "quantities", "--json"], stdout=writes, stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    ) as program:  # fmt: skip
        os.close(writes)
        time.sleep(1)
        with os.fdopen(reads, "rb") as told:
            json.loads(told.read())
        _, error = program.communicate()
    assert (program.returncode, error) == (0, b"")


def test_what_cannot_be_told_on_standard_error_keeps_its_code() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "audit", "missing.toml"], stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert (done.returncode, done.stdout) == (3, b"")


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    """A limit on a file's size stands for a disk: both refuse the bytes, not the file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(InputError, match="made: File too large"):
            write_whole(tmp_path / "made", bytes(2000), REPORT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


def test_a_working_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    words = " ".join(f"'{word}'" for word in [*PROGRAM, "audit", EXAMPLE, "--out", "c"])
    command = f"cd {tmp_path}/gone && rmdir ../gone && {words}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)  # noqa: S607
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert "fault of simplexcert" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_while_it_is_loaded_gets_its_sentence(number: int, code: int) -> None:
    """It comes while the first module of a command is imported, which waits for it."""
    script = (
        "import sys, time; from simplexcert.certify.cli import main\n"
        "class Waiting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': print(name, flush=True); time.sleep(60)\n"
        "sys.meta_path.insert(0, Waiting()); main(['--help'])"
    )
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", script], stdout=pipe, stderr=pipe, text=True)
    assert process.stdout
    assert process.stdout.readline() == "click\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert err == "simplexcert: interrupted; nothing half-written was left behind\n"


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    """So does nohup keep a run from ending with its terminal."""
    script = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from simplexcert.certify.cli import main\n"
        "os.kill(os.getpid(), signal.SIGHUP); import simplexcert.certify.cli.running as running\n"
        "real = running.run\n"
        "def run(*a, **k): os.kill(os.getpid(), signal.SIGHUP); return real(*a, **k)\n"
        "running.run = run; main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@each_of("jobs", ["0", "-1", str(MAX_JOBS + 1), "1" + 30 * "0"])
@each_of("words", [["certify"], ["claims", "gohari2020.theorem-1", "--check"]])
def test_no_more_workers_are_started_than_a_machine_bears(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: list[str], jobs: str
) -> None:
    monkeypatch.setattr("simplexcert.certify.workers.pool_of", None)
    found = cli(*words, "--jobs", jobs)
    assert (found.code, found.out) == (3, "")
    assert "jobs = " in found.err


def test_an_interrupt_does_not_end_a_worker_that_is_starting() -> None:
    """A terminal sends it to the workers, too, and they leave it to whoever started them."""
    from simplexcert.certify.workers import pool_of

    with ThreadPoolExecutor(1) as threads:
        making = threads.submit(pool_of, 1, os.getpid)
        while not making.done():
            for worker in active_children():
                assert worker.pid
                os.kill(worker.pid, signal.SIGINT)
            time.sleep(0.01)
        with making.result() as pool:
            assert pool.submit(os.getpid).result() in pool._processes


def test_a_number_of_many_digits_is_told_in_few(cli: Cli) -> None:
    found = cli("evaluate", "dirichlet.utility.variance", "-p", "p=1/2", "-p", "k=1e9000",
                "--max-seconds", "1")  # fmt: skip
    assert "9001 characters" in found.out.splitlines()[0]
    assert len(found.out.splitlines()[0]) < 200


def test_fewer_cases_than_usual_are_told_in_the_first_line(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    found = cli("certify", "--quantities", VARIANCE, "--cases", "5", "--out", out, "-q")
    assert "5 cases a quantity: fewer than the usual 200" in found.out
    assert "fewer than the usual 200" in cli("verify", out, "-q").out
    assert "fewer" not in cli("certify", "--quantities", VARIANCE, "-q").out


@pytest.mark.parametrize(
    "asked", ["", "x", "csh_source", "bash_nothing", "bash_source", "zsh_complete"]
)
def test_a_variable_for_completion_answers_no_command(
    asked: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COMPLETION, asked)
    found = cli("audit", "example:poll", "-q")
    if asked:
        assert (found.code, found.out) == (3, "")
        assert found.err.startswith(f"simplexcert: {COMPLETION} = {asked!r} asks for no completion")
    else:
        assert (found.code, found.out[:7]) == (1, "REFUTED")


def test_an_interpreter_that_is_asked_to_stay_changes_no_code(tmp_path: Path) -> None:
    """By PYTHONINSPECT it ends with 1, or with 0 after it was asked for more on a terminal."""
    done = subprocess.run(
        [sys.executable, "-c", "from simplexcert.certify.cli import main; main(['--no-such'])"],
        env={**os.environ, "PYTHONINSPECT": "1"}, cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"simplexcert: ")


def test_a_shell_gets_its_completion(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPLETION, "zsh_source")
    found = cli()
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("#compdef simplexcert")
    monkeypatch.setenv(COMPLETION, "csh_source")
    assert cli().code == 3


def test_an_empty_name_is_no_backend() -> None:
    from simplexcert.certify import certify_backend

    with pytest.raises(InputError, match="empty name"):
        certify_backend("", quantities=VARIANCE, cases=1)
