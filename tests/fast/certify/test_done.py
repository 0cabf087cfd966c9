"""What is done is told however a run ends, and what is undivided no signal divides."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from made_signers import private_pem
from simplexcert.certify.cli import run
from simplexcert.certify.done import (
    account,
    begin_account,
    has_done,
    has_removed,
    has_written,
    undivided,
)

VARIANCE = "dirichlet.utility.variance"


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_signal_waits_for_the_end_of_what_is_undivided() -> None:
    steps = []

    def work() -> None:
        with undivided():
            interrupt()
            steps.append("after it")
            with undivided():
                interrupt()
            steps.append("after an inner end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["after it", "after an inner end"]
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_an_error_ends_what_is_undivided_before_a_signal_does() -> None:
    def work() -> None:
        with undivided():
            interrupt()
            raise ValueError("says more")

    with pytest.raises(ValueError, match="says more"):
        work()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with undivided():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_may_do_what_is_undivided() -> None:
    ended = []

    def work() -> None:
        with undivided():
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [True]


def test_the_account_tells_each_once_and_few_names() -> None:
    begin_account()
    assert account() == ""
    for name in [*"abcdefg", "a"]:
        has_written(Path(name))
    has_removed(Path("b"))
    has_done("a sentence")
    has_done("a sentence")
    assert account() == "a sentence; written: a, c, d, e, f and 1 more"
    begin_account()
    assert account() == ""


@pytest.fixture
def onto_a_full_disk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a command whose standard output takes nothing."""

    def call(folder: Path, *arguments: str) -> tuple[int, str]:
        monkeypatch.chdir(folder)
        with Path("/dev/full").open("w") as full, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", full)
            code = run(arguments)
        return code, capsys.readouterr().err

    return call


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay out a certificate and a key."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "key.pem").write_bytes(private_pem(1))
    assert run(["audit", "example:dirichlet.identity", "--out", str(folder / "given.json")]) == 0
    return folder


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("audit example:dirichlet.identity --out a.json --report a.html", ["a.json", "a.html"]),
        ("audit example:dirichlet.identity --out aj.json --json", ["aj.json"]),
        ("sign given.json --key key.pem --out s.json", ["s.json"]),
        ("report given.json --out r.html", ["r.html"]),
        (
            f"certify --quantities {VARIANCE} --cases 5 --out c.json --transcript t --junit c.xml",
            ["t", "c.json", "c.xml"],
        ),
        (
            "simulate example:ponnoprat2023-histogram --input [1,2] --draws 100 --out o",
            ["o/simulation.json", "o/errors.csv", "o/errors.png"],
        ),
        (
            f"vectors --quantities {VARIANCE} --cases 12 --out v",
            [f"v/{VARIANCE}.json", "v/VECTORS.md"],
        ),
    ],
)
def test_what_was_written_is_told_where_the_result_cannot_be(
    desk: Path,
    words: str,
    written: list[str],
    onto_a_full_disk: Callable[..., tuple[int, str]],
) -> None:
    code, err = onto_a_full_disk(desk, *words.split())
    assert code == 3
    said = "simplexcert: cannot write standard output: No space left on device; written: "
    assert err.startswith(said)
    assert err.count("\n") == 1
    for name in written:
        assert (desk / name).stat().st_size
        assert name in err


def test_a_file_of_ours_never_gets_the_number_of_a_closed_standard_stream(tmp_path: Path) -> None:
    """What is printed past Python, by a library that gives up, would stand in it."""
    script = (
        "import os, sys; from simplexcert.certify import cli\n"
        "def run(*_, **__):\n"
        "    os.open('made', os.O_RDWR | os.O_CREAT); os.write(2, b'x'); os.write(1, b'y')\n"
        "import simplexcert.certify.cli.running as running; running.run = run; cli.main([])"
    )
    words = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", script]
    subprocess.run(words, cwd=tmp_path, check=True)
    assert (tmp_path / "made").read_bytes() == b""
