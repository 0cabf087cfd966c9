"""Limits of time: kept where nothing can be interrupted, and nothing half-made or running is left.

Most laws are tried on a command of our own that does what only some sizes do: it is stuck in a call
of C, which no signal ends, or slow in Python.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from private_data import given
from processes import is_gone
from simplexcert.certify.cli import run
from simplexcert.certify.cli.limited import USUAL_SECONDS
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.releasing import draw_release, running
from simplexcert.certify.releasing.ledger import opened, read_ledger
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES, ledger_bytes
from simplexcert.certify.releasing.published import Files
from simplexcert.reference import precision
from simplexcert.reference.precision import BudgetSpentError

EXAMPLE = "example:dirichlet.identity"

IDENTITY = Path(__file__).parents[3] / "certify" / "mechanisms" / "dirichlet.identity.toml"
# For ever within one call, at no cost: a mutex locked twice, which looks at no signal.
STUCK = (
    "(lambda lock, mutex: (lock(mutex), lock(mutex)))"
    "(ctypes.CDLL(None).pthread_mutex_lock, ctypes.create_string_buffer(64))"
)
COMMAND = """
import ctypes, os, signal, sys, time
from pathlib import Path
from simplexcert.certify.cli import main
from simplexcert.certify.cli.group import JSON
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.cli.limited import limited, work_is_done
from simplexcert.certify.files import whole_file
from simplexcert.reference.errors import InputError
from simplexcert.reference.precision import BudgetSpentError
@simplexcert.command()
@limited()
@JSON
def slow(as_json):
    Path("work").write_text(str(os.getpid()))
    {body}
main(["slow", *sys.argv[1:]])
"""
# Loads what is asked for, but for one function: that one is stuck.
PLANTED = f"""
import ctypes, importlib.util, sys
module, _, name = sys.argv[1].rpartition(".")
def stuck(*_, **__):
    {STUCK}
class Finder:
    def find_spec(self, fullname, path=None, target=None):
        if fullname != module:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        load = spec.loader.exec_module
        spec.loader.exec_module = lambda made: (load(made), setattr(made, name, stuck))
        return spec
sys.meta_path.insert(0, Finder())
from simplexcert.certify.cli import main
main(sys.argv[2:])
"""


def started(folder: Path, body: str, *arguments: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", COMMAND.format(body=body), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(program, cwd=folder, stdout=pipe, stderr=pipe, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def worker(folder: Path) -> int:
    """Return the number of the process that works, once it does."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (folder / "work").exists() and (text := (folder / "work").read_text()):
            return int(text)
        time.sleep(0.02)
    raise AssertionError("no work was begun")


# What is done within four seconds, or is not: all of it waits for its end together.
TOGETHER = {
    "stuck": STUCK,
    "slow": "with whole_file('made'):\n        time.sleep(600)",
    "in a destructor": """class Late:
        def __del__(self):
            time.sleep(600)
    Late()""",
    "found in time": "work_is_done(); time.sleep(6); print('found')",
    "has started another": f"""import subprocess
    one = subprocess.Popen([sys.executable, "-c", {f"import ctypes; {STUCK}"!r}])
    Path("work").write_text(str(one.pid))
    {STUCK}""",
}


class Run(NamedTuple):
    """A program that works in a folder, within a limit of four seconds."""

    folder: Path
    process: subprocess.Popen[str]
    begun: float


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Start each once the first of them, whose time is taken, has begun its work."""
    runs = {}
    for name, body in TOGETHER.items():
        folder = tmp_path_factory.mktemp("work")
        begun = time.monotonic()
        runs[name] = Run(folder, started(folder, body, "--max-seconds", "4"), begun)
        if len(runs) == 1:
            worker(folder)
    return runs


def test_a_call_that_cannot_be_interrupted_ends_within_a_fifth_and_a_second(
    together: dict[str, Run],
) -> None:
    run = together["stuck"]
    code, out, err = ended(run.process)
    taken = time.monotonic() - run.begun
    assert code == 2
    assert 4 < taken < 4 * 1.2 + 1
    assert out == "UNDECIDED  nothing was found within 4 s\n"
    assert err == (
        "simplexcert: 4 s were not enough: give more by --max-seconds, or ask for less\n"
    )
    assert is_gone(worker(run.folder))


def test_a_program_is_told_as_json_that_the_time_was_over(tmp_path: Path) -> None:
    code, out, _ = ended(started(tmp_path, STUCK, "--max-seconds", "0.2", "--json"))
    assert code == 2
    assert json.loads(out)["verdict"] == "undecided"


def test_what_was_spent_is_told_alike_by_the_work_itself(tmp_path: Path) -> None:
    code, out, err = ended(started(tmp_path, 'raise BudgetSpentError("inside")'))
    assert code == 2
    assert out.startswith("UNDECIDED  ")
    assert err.count("\n") == 1


def test_slow_python_unwinds_and_leaves_nothing_half_written(together: dict[str, Run]) -> None:
    run = together["slow"]
    code, _, err = ended(run.process)
    assert code == 2
    assert err.count("\n") == 1
    assert [path.name for path in run.folder.iterdir()] == ["work"]


def test_an_end_that_comes_within_a_destructor_is_told_in_one_line(
    together: dict[str, Run],
) -> None:
    code, _, err = ended(together["in a destructor"].process)
    assert code == 2
    assert err.count("\n") == 1


def test_what_was_found_in_time_is_told_however_long_that_takes(together: dict[str, Run]) -> None:
    assert ended(together["found in time"].process) == (0, "found\n", "")


def test_what_the_work_has_started_ends_with_it(together: dict[str, Run]) -> None:
    run = together["has started another"]
    assert ended(run.process)[0] == 2
    assert is_gone(worker(run.folder))


def test_a_signal_reaches_the_work(tmp_path: Path) -> None:
    """Those that are stuck are given two seconds each, all at once."""
    codes = {signal.SIGTERM: 143, signal.SIGINT: 130}
    told, works = {}, {}
    for number, code in codes.items():
        for body in (STUCK, "time.sleep(600)"):
            folder = tmp_path / f"{len(told)}"
            folder.mkdir()
            told[code, body] = started(folder, body)
            works[code, body] = worker(folder)
            told[code, body].send_signal(number)
    said = "simplexcert: interrupted; nothing half-written was left behind\n"
    assert {one: ended(process) for one, process in told.items()} == {
        one: (one[0], "", said) for one in told
    }
    assert not [one for one, work in works.items() if not is_gone(work)]


def test_a_time_that_is_over_as_the_work_begins_is_told_once(tmp_path: Path) -> None:
    begun = (
        "\nimport simplexcert.certify.cli.limited as limits; begin = limits._end_with\n"
        "def late(parent):\n"
        "    begin(parent)\n"
        "    while signal.SIGXCPU not in signal.sigpending(): time.sleep(0.01)\n"
        "limits._end_with = late"
    )
    program = COMMAND.format(body="time.sleep(60)").replace("\nmain(", f"{begun}\nmain(")
    words = [sys.executable, "-c", program, "--max-seconds", "1e-9"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == "UNDECIDED  nothing was tried within 1e-09 s\n"
    assert done.stderr.count("\n") == 1
    assert "not enough" in done.stderr


def test_a_start_that_took_the_time_is_told_and_how_much_to_give(tmp_path: Path) -> None:
    """What is asked is not said to be hard: it was not tried, or for less than a second."""
    slow = "import simplexcert.certify.cli.limited as limits; begin = limits._end_with\n"
    slow += "limits._end_with = lambda parent: (begin(parent), time.sleep(1.2))\n"
    program = COMMAND.format(body="time.sleep(60)").replace("\nmain(", f"\n{slow}main(")
    words = [sys.executable, "-c", program, "--max-seconds", "2"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        "were not enough, as starting took" in done.stderr or "not enough to start" in done.stderr
    )
    assert "or more by --max-seconds" in done.stderr or "tried within" in done.stdout


@pytest.mark.parametrize(
    ("name", "work"), [("audit", "audits.decision.decide"), ("report", "report.page.report_on")]
)
def test_no_verdict_stands_where_a_file_was_to_be_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, work: str
) -> None:
    """Whoever sends standard output to a file would take it for the certificate or the page."""

    def spent(*_: object) -> None:
        raise BudgetSpentError("inside")

    monkeypatch.setattr(f"simplexcert.certify.{work}", spent)
    read = IDENTITY if name == "report" else EXAMPLE
    assert run([name, str(read), "--out", "-"]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("UNDECIDED  ")


def test_no_work_outlives_whoever_keeps_its_time(tmp_path: Path) -> None:
    process = started(tmp_path, STUCK)
    work = worker(tmp_path)
    process.kill()
    ended(process)
    assert is_gone(work)


ENDS = {
    'raise InputError("a sentence")': (3, "simplexcert: a sentence\n"),
    "1 / 0": (4, "ZeroDivisionError"),
    "os.kill(os.getpid(), signal.SIGSEGV)": (4, "SIGSEGV"),
    "os.kill(os.getpid(), signal.SIGABRT)": (4, "SIGABRT"),
    "os.kill(os.getpid(), signal.SIGKILL)": (3, "nothing was decided"),
    "work_is_done(); os.kill(os.getpid(), signal.SIGKILL)": (3, "look at what is there"),
    "return 5": (5, ""),
}


def test_the_work_keeps_its_sentence_and_exit_code(tmp_path: Path) -> None:
    found = {body: ended(started(tmp_path, body)) for body in ENDS}
    assert {body: (code, out) for body, (code, out, _) in found.items()} == {
        body: (code, "") for body, (code, _) in ENDS.items()
    }
    assert not [
        err
        for body, (_, says) in ENDS.items()
        if says not in (err := found[body][2]) or err.count("\n") != bool(says)
    ]


def test_the_commands_that_decide_have_a_limit_by_default() -> None:
    limits = {
        name: option.default
        for name, command in simplexcert.commands.items()
        for option in command.params
        if option.name == "max_seconds"
    }
    named = ["audit", "curve", "evaluate", "ledger", "release", "report", "simulate", "verify"]
    assert limits == dict.fromkeys(named, USUAL_SECONDS)


def planted(where: str, *arguments: str | Path, seconds: float) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", PLANTED, f"simplexcert.certify.{where}"]
    given_here = [*map(str, arguments), "--max-seconds", str(seconds)]
    pipe = subprocess.PIPE
    return subprocess.Popen([*program, *given_here], stdout=pipe, stderr=pipe, text=True)


def test_each_command_that_is_stuck_is_undecided_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate = tmp_path / "c.json"
    assert run(["audit", EXAMPLE, "--out", str(certificate)]) == 0
    capsys.readouterr()
    book = tmp_path / "ledger.json"
    book.write_bytes(ledger_bytes(NO_RELEASES, "it"))
    out = tmp_path / "out"
    all_of_them = [
        planted("audits.decision.decide", "audit", EXAMPLE, "--out", out, seconds=2),
        planted("certificate.verification.checked", "verify", certificate, seconds=2),
        planted("report.page.report_on", "report", certificate, "--out", out, seconds=2),
        planted("simulating.running.simulate", "simulate", EXAMPLE, "--out", out,
                seconds=2),
        planted("releasing.ledger.composition.composed", "ledger", book, "--deliver", seconds=2),
    ]  # fmt: skip
    for process in all_of_them:
        code, told, err = ended(process)
        assert code == 2, err
        assert told.startswith(tuple(f"UNDECIDED  {it}: " for it in (EXAMPLE, certificate, book)))
        assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "ledger.json"]


def test_a_release_that_is_stuck_draws_nothing_and_leaves_the_ledger_free(tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.renyi")
    before = sorted(tmp_path.iterdir())
    ledger = tmp_path / "ledger.json"
    files = ["--data", found.data, "--out", tmp_path / "r.json", "--ledger", ledger]
    process = planted("releasing.running.decide", "release", found.claim, *files, seconds=3)
    code, out, err = ended(process)
    assert (code, out) == (3, ""), err
    assert "nothing was drawn" in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert run(["release", *map(str, [found.claim, *files])]) == 0
    assert len(read_ledger(ledger).entries) == 1


def test_a_release_without_time_does_not_deny_what_it_delivered_for_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def cut_short(*_: object) -> None:
        raise BudgetSpentError

    found, one, ledger = (
        given(tmp_path, "dirichlet.renyi"), tmp_path / "one.json", tmp_path / "ledger.json"
    )  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(opened, "deliver", cut_short)
        with pytest.raises(BudgetSpentError):
            draw_release(*found, out=one, ledger=ledger)
    monkeypatch.setattr(running, "decide", cut_short)
    two = ["--data", found.data, "--out", tmp_path / "two.json", "--ledger", ledger]
    assert run(["release", *map(str, [found.claim, *two])]) == 3
    assert one.is_file()
    said = capsys.readouterr().err
    assert said.startswith("simplexcert: nothing was drawn or recorded: 60 s were not enough")


def test_a_release_whose_time_is_over_before_the_draw_says_once_that_nothing_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "dirichlet.renyi")
    monkeypatch.setattr(running, "seconds_left", lambda: 0.0)
    words = ["--data", str(found.data), "--out", str(tmp_path / "r.json")]
    assert run(["release", str(found.claim), *words]) == 3
    said = capsys.readouterr().err
    assert said.startswith("simplexcert: nothing was drawn or recorded: 60 s were not enough")
    assert said.count("nothing was drawn") == 1
    assert "time is over" not in said


def test_a_release_has_no_limit_from_its_draw_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is made must not depend on how long the draw takes."""
    found, order = given(tmp_path, "dirichlet.renyi"), []
    draw = running.drawn
    monkeypatch.setattr(running, "drawn", lambda *of: (order.append("drawn"), draw(*of))[1])
    running.make(Files(found.claim, found.data), before_drawing=lambda: order.append("granted"))
    assert order == ["granted", "drawn"]


def test_what_is_made_of_a_draw_ends_in_no_limit_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report draws a curve, which is worked out after a draw that took all the time."""
    found, draw = given(tmp_path, "dirichlet.renyi"), running.drawn
    late = SimpleNamespace(
        monotonic=lambda: time.monotonic() + 1e6, process_time=lambda: time.process_time() + 1e6
    )

    def slowly(*of: Any) -> Any:
        monkeypatch.setattr(precision, "time", late)
        return draw(*of)

    monkeypatch.setattr(running, "drawn", slowly)
    made = [tmp_path / name for name in ("r.json", "page.html", "ledger.json")]
    options = zip(("--out", "--report", "--ledger"), map(str, made), strict=True)
    files = [text for option in options for text in option]
    assert run(["release", str(found.claim), "--data", str(found.data), *files]) == 0
    assert capsys.readouterr().err == ""
    assert all(file.is_file() for file in made)


def test_a_ledger_in_no_place_is_no_fault_of_ours_when_the_time_is_over(tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.renyi")
    files = ["--data", found.data, "--out", tmp_path / "r.json", "--ledger", "."]
    code, _, err = ended(
        planted("releasing.published.Files", "release", found.claim, *files, seconds=1)
    )
    assert code == 3
    assert "were not enough" in err


def test_a_limit_of_the_system_s_on_processor_time_gets_its_sentence(tmp_path: Path) -> None:
    body = """import resource
    resource.setrlimit(resource.RLIMIT_CPU, (1, 60))
    with whole_file("made"):
        while True: pass"""
    code, out, err = ended(started(tmp_path, body))
    assert (code, out) == (128 + signal.SIGXCPU, "")
    assert err == "simplexcert: interrupted; nothing half-written was left behind\n"
    assert [path.name for path in tmp_path.iterdir()] == ["work"]


def test_an_abort_where_memory_is_limited_is_no_fault_of_ours(tmp_path: Path) -> None:
    limited = "resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))"
    program = f"import resource; {limited}\n{COMMAND.format(body='os.abort()')}"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert found.returncode == 3
    assert "memory may have run out, which is limited here; nothing was decided" in found.stderr
