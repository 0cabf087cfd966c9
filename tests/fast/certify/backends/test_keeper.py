"""A program ends with all that it started, whatever becomes of the checker, and has limits.

None of the limits stands in the way of a runtime that reserves more than it uses.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import is_gone
from simplexcert.certify.backends import pipes
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.pipes import CrashedError, Pipes
from simplexcert.certify.backends.program import cpu_seconds

SECONDS = 30.0
# Starts processes that leave their session, are forked twice or both, and says which.
LEAVING = """
import os, sys, time

def left(*deeds):
    read, write = os.pipe()
    if not os.fork():
        for deed in deeds:
            if deed():
                os._exit(0)
        os.write(write, b"%d\\n" % os.getpid())
        for number in range(3):
            os.close(number)
        time.sleep(1_000)
    return int(os.read(read, 20))

ours = [
    left(os.setsid), left(os.fork), left(os.setsid, os.fork), left(os.setsid, os.fork, os.setsid)
]
input()
print(*ours, flush=True)
"""


@pytest.fixture
def begun() -> Iterator[list[Pipes]]:
    """Return a list of programs that are ended with the test, however it ends."""
    made: list[Pipes] = []
    yield made
    for each in made:
        each.kill()


def started(begun: list[Pipes], folder: Path, source: str, cpu: int = 1_000) -> Pipes:
    begun.append(Pipes([sys.executable, "-c", source], str(folder), cpu))
    return begun[-1]


def numbers_of(program: Pipes) -> list[int]:
    return [int(word) for word in program.exchanged(b"go\n", SECONDS, 1_000).split()]


def lost(program: Pipes) -> str:
    with pytest.raises(CrashedError) as caught:
        program.exchanged(b"go\n", SECONDS, 1_000)
    return str(caught.value)


def test_what_left_the_session_or_was_forked_twice_is_killed_too(
    begun: list[Pipes], tmp_path: Path
) -> None:
    program = started(begun, tmp_path, LEAVING + "input()")
    numbers = numbers_of(program)
    assert len(numbers) == 4
    program.kill()
    assert all(map(is_gone, numbers))


def test_what_a_program_leaves_behind_when_it_ends_is_killed(
    begun: list[Pipes], tmp_path: Path
) -> None:
    program = started(begun, tmp_path, LEAVING)
    numbers = numbers_of(program)
    program.close()
    assert all(map(is_gone, numbers))


def test_a_program_cannot_stop_what_is_to_end_it(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "_KILL_SECONDS", 0.5)
    stopping = "import signal\nwhile True: os.kill(os.getppid(), signal.SIGSTOP)"
    program = started(begun, tmp_path, LEAVING + stopping)
    numbers = numbers_of(program)
    program.kill()
    assert all(map(is_gone, numbers))


def test_processes_that_go_on_starting_others_are_killed(
    begun: list[Pipes], tmp_path: Path
) -> None:
    source = """
import os, time
input()
print(os.getpid(), flush=True)
end = time.time() + 60
while time.time() < end:
    if not os.fork():
        os.setsid()
        while time.time() < end:
            time.sleep(0.02)
            if os.fork():
                os._exit(0)
    time.sleep(0.02)
"""
    program = started(begun, tmp_path, source)
    (number,) = numbers_of(program)
    time.sleep(0.3)
    program.kill()
    assert is_gone(number)
    assert str(tmp_path) not in map(here_of, Path("/proc").glob("[0-9]*"))


# Each process lives for as long as it takes to start the next.
FLEETING = """
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    time_t end = time(0) + 20;
    getchar();
    for (int each = 0; each < 4; each++)
        if (!fork()) {
            while (time(0) < end) {
                if (fork()) _exit(0);
                if (!each) setsid();
            }
            _exit(0);
        }
    puts("");
    fflush(stdout);
    sleep(1000);
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is here")
def test_what_is_another_process_at_every_look_is_killed(
    begun: list[Pipes], tmp_path: Path
) -> None:
    (tmp_path / "fleeting.c").write_text(FLEETING, encoding="ascii")
    build = ["cc", "-o", "fleeting", "fleeting.c"]
    subprocess.run(build, cwd=tmp_path, check=True)
    begun.append(Pipes(["./fleeting"], str(tmp_path), 1_000))
    begun[0].exchanged(b"go\n", SECONDS, 1_000)
    began = time.monotonic()
    begun[0].kill()
    assert time.monotonic() - began < SECONDS / 2
    assert str(tmp_path) not in map(here_of, Path("/proc").glob("[0-9]*"))


def here_of(process: Path) -> str:
    try:
        return str((process / "cwd").readlink())
    except OSError:
        return ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_checker_is_the_end_of_all(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "leaving.py").write_text(
        LEAVING.replace(
            "input()\nprint(*ours, flush=True)", "open('numbers', 'w').write(repr(ours))"
        )
        + "\ntime.sleep(1_000)",
        encoding="utf-8",
    )
    where = f"command:{shlex.join([sys.executable, 'leaving.py'])}"
    source = "from simplexcert.certify.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", source, "certify", where], cwd=tmp_path, stderr=subprocess.DEVNULL
    ) as checker:
        try:
            deadline = time.monotonic() + SECONDS
            told = tmp_path / "numbers"
            while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
                time.sleep(0.02)
            numbers = [int(word) for word in told.read_text().strip("[]").split(",")]
            checker.send_signal(number)
            checker.wait(SECONDS)
        finally:
            checker.kill()
    assert len(numbers) == 4
    assert all(map(is_gone, numbers))


def test_a_program_that_uses_too_much_memory_is_lost_with_a_reason(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_MEMORY_BYTES", 2**27)
    source = (
        "input()\nheld = bytearray(2**28)\nfor i in range(0, 2**28, 4096): held[i] = 1\ninput()"
    )
    assert lost(started(begun, tmp_path, source)) == "it used more than 134,217,728 bytes of memory"


def test_memory_is_counted_over_all_that_a_program_started(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_MEMORY_BYTES", 2**27)
    source = """
import os, time
input()
for _ in range(4):
    if not os.fork():
        os.setsid()
        held = bytearray(os.urandom(1) * 2**26)
        time.sleep(1_000)
time.sleep(1_000)
"""
    assert "bytes of memory" in lost(started(begun, tmp_path, source))


def test_memory_that_several_share_is_counted_once(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_MEMORY_BYTES", 2**28)
    source = """
import os, time
held = bytes(range(256)) * 2**19
children = [os.fork() for _ in range(1)] + [0]
if children[0]:
    for _ in range(6):
        if not os.fork():
            time.sleep(1_000)
    input()
    time.sleep(1)
    print("here", flush=True)
    input()
time.sleep(1_000)
"""
    assert started(begun, tmp_path, source).exchanged(b"go\n", SECONDS, 100) == b"here"


def test_address_space_is_no_memory(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As a JVM's heap, an allocator's arenas or a sanitizer's shadow are reserved.
    monkeypatch.setattr(pipes, "MAX_MEMORY_BYTES", 2**28)
    source = """
import mmap, time
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
reserved = mmap.mmap(-1, 2**40, flags=flags)
reserved[0] = 1
input()
time.sleep(1)
print("here", flush=True)
input()
"""
    assert started(begun, tmp_path, source).exchanged(b"go\n", SECONDS, 100) == b"here"


def test_a_program_of_too_many_processes_is_lost_with_a_reason(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_PROCESSES", 10)
    source = "import os, time\ninput()\n" + "os.fork()\n" * 4 + "time.sleep(1_000)"
    assert lost(started(begun, tmp_path, source)) == "it had more than 10 processes"


def test_threads_are_no_processes(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_PROCESSES", 10)
    source = """
import threading, time
for _ in range(50):
    threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
input()
time.sleep(1)
print("here", flush=True)
input()
"""
    assert started(begun, tmp_path, source).exchanged(b"go\n", SECONDS, 100) == b"here"


def test_a_file_that_grows_too_large_is_not_written_further(
    begun: list[Pipes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MAX_FILE_BYTES", 1_000)
    writing = "input()\nstream = open('f', 'wb', 0)\nwhile True: stream.write(b'x' * 600)"
    program = started(begun, tmp_path, writing)
    assert "File too large" in lost(program)
    assert (tmp_path / "f").stat().st_size == 1_000


def test_a_process_that_computes_too_long_is_ended(begun: list[Pipes], tmp_path: Path) -> None:
    program = started(begun, tmp_path, "input()\nwhile True: pass", cpu=1)
    assert lost(program).startswith("it ended by signal")


def test_no_honest_program_can_use_its_time_up() -> None:
    # Its processors, all of them, for as long as it lives and the longest batch after that.
    assert cpu_seconds(20.0) >= (os.cpu_count() or 1) * (3_600 + 500 * 8 * 20)


def test_a_program_that_has_lived_long_is_started_again_between_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simplexcert.certify.backends import program

    declared = '{"name": "n", "version": "1", "quantities": []}'
    (tmp_path / "prog.sh").write_text(
        f"echo x >> starts\nread line\necho '{declared}'\nread line\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    with program.ending_programs():
        terms = load_backend("command:sh prog.sh").terms
        assert terms is not None
        kept = program.program_under(terms)
        assert kept._pipes is not None
        monkeypatch.setattr(program, "LIFE_SECONDS", -1.0)
        assert program.program_under(terms) is kept
        assert kept._pipes is None


@pytest.mark.parametrize("words", [["no-such-program-at-all"], ["/etc/passwd"]])
def test_what_cannot_be_started_is_told_by_the_systems_reason(
    tmp_path: Path, words: list[str]
) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError, match=r"No such file|Permission denied"):
        Pipes(words, str(tmp_path), 10)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_signals_are_as_a_program_expects_them(begun: list[Pipes], tmp_path: Path) -> None:
    shell = "read x; trap; sh -c 'kill -PIPE $$; echo alive' ; echo done"
    begun.append(Pipes(["sh", "-c", shell], str(tmp_path), 10))
    assert begun[0].exchanged(b"go\n", SECONDS, 100) == b"done"
