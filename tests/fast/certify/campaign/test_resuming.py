"""A campaign that was stopped at any moment goes on where it was, and comes to the same bytes."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.campaign import (
    Batch,
    Campaign,
    PartialTranscript,
    batches,
    partial_beside,
    run_batch,
    write_transcript,
)
from simplexcert.certify.campaign import transcript as transcripts
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.certify.cli.running import run as main
from simplexcert.certify.points import line_in
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError

SCOPE = "dirichlet.utility.variance"
CASES = 50
Maker = Callable[..., str]


class StoppedError(Exception):
    """Raised by the test in the middle of a campaign."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make three batches of the fifty cases, of 20, 20 and 10."""
    monkeypatch.setattr(batches, "BATCH", 20)


def run(transcript: Path, stop_after: int | None = None, **given: Any) -> Campaign:
    """Run the campaign to its end, or until so many batches are done."""

    def stop(done: int, _total: int, _name: str) -> None:
        if stop_after is not None and done == min(20 * stop_after, CASES):
            raise StoppedError

    asked = {"quantities": SCOPE, "cases": CASES, "seed": 3, **given}
    with partial_beside(transcript) as partial:
        found = certify_backend(**asked, partial=partial, on_progress=stop)
        write_transcript(transcript, partial.lines(), found.transcript_sha256)
        partial.forget()
    return found


def part(transcript: Path) -> Path:
    return Path(f"{transcript}.part")


def stopped(transcript: Path, after: int, **given: Any) -> bytes:
    """Return what the partial file holds after so many batches."""
    with suppress(StoppedError):
        run(transcript, after, **given)
    return part(transcript).read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The certificate, the transcript, and the partial file just before it is removed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "BATCH", 20)
        transcript = tmp_path_factory.mktemp("whole") / "cases.gz"
        content = stopped(transcript, 3)
        certificate = canonical_bytes(statement_of(run(transcript)))
        yield certificate, transcript.read_bytes(), content


def lines_before(content: bytes, number: int) -> int:
    """Return how many bytes there are before a line, counted from the end if it is negative."""
    return len(b"".join(content.splitlines(keepends=True)[:number]))


def closed_ends(content: bytes) -> list[int]:
    """Return where each closed batch ends."""
    found, end = [], 0
    for line in content.splitlines(keepends=True):
        end += len(line)
        if line.startswith(b'{"closed"'):
            found.append(end)
    return found


CUTS = ["nothing", "half the first line", "first line", "first batch", "half a line"]
CUTS += ["some lines", "before the end", "in the end", "all but a byte", "all"]


@pytest.mark.parametrize("where", CUTS)
def test_whatever_was_written_the_result_is_the_same(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes], where: str
) -> None:
    certificate, packed, content = whole
    first, second, third = closed_ends(content)
    cut = {
        "nothing": 0,
        "half the first line": 40,
        "first line": lines_before(content, 1),
        "first batch": first,
        "half a line": first + 50,
        "some lines": first + lines_before(content[first:], 7),
        "before the end": lines_before(content[:second], -1),
        "in the end": second - 9,
        "all but a byte": third - 1,
        "all": third,
    }[where]
    transcript = tmp_path / "cases.gz"
    part(transcript).write_bytes(content[:cut])
    assert canonical_bytes(statement_of(run(transcript))) == certificate
    assert transcript.read_bytes() == packed
    assert not part(transcript).exists()


def test_what_is_torn_off_is_not_left_behind_what_is_added(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes]
) -> None:
    first, second, _ = closed_ends(whole[2])
    transcript = tmp_path / "cases.gz"
    part(transcript).write_bytes(whole[2][:first] + b'{"check":' + b"1" * len(whole[2]))
    assert stopped(transcript, 2) == whole[2][:second]


def test_what_is_kept_for_the_picture_is_spread_over_all_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = 7
    monkeypatch.setattr("simplexcert.certify.campaign.run.SAMPLED", kept)
    monkeypatch.setattr("simplexcert.certify.campaign.run.campaign_seed", lambda *_: "s")
    names = batches.batches_of([SCOPE], Batch(None, "", 0, CASES, "s"))
    cases = [case for batch in names for case in run_batch(batch) if case.check == "accuracy"]
    asked = [case for at, case in enumerate(cases) if (at + 1) * kept // 50 > at * kept // 50]
    stopped(tmp_path / "cases.gz", 2)
    check = run(tmp_path / "cases.gz").checks[0]
    assert check.check == "accuracy"
    assert check.sample == tuple(asked)


def test_what_was_done_is_not_done_again(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []

    def counted(batch: Batch) -> Any:
        done.append(batch.number)
        return run_batch(batch)

    monkeypatch.setattr(batches, "run_batch", counted)
    transcript = tmp_path / "cases.gz"
    part(transcript).write_bytes(whole[2][: closed_ends(whole[2])[1]])
    told: list[tuple[int, int, str]] = []
    with partial_beside(transcript) as partial:
        certify_backend(
            quantities=SCOPE, cases=CASES, seed=3, partial=partial,
            on_progress=lambda *at: told.append(at),
        )  # fmt: skip
        assert partial.batches == 4
    # The last one asks in other forms.
    assert done == [2, 3]
    assert told == [(40, CASES + 8, SCOPE), (CASES, CASES + 8, SCOPE), (CASES + 8, CASES + 8, "")]


def test_a_run_may_be_stopped_again_and_again_with_other_workers(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes]
) -> None:
    transcript = tmp_path / "cases.gz"
    first = stopped(transcript, 1)
    assert stopped(transcript, 2, jobs=2).startswith(first)
    assert canonical_bytes(statement_of(run(transcript, jobs=2))) == whole[0]
    assert transcript.read_bytes() == whole[1]


def test_a_program_that_was_lost_too_often_is_not_asked_again(
    tmp_path: Path, make_backend: Maker
) -> None:
    # By its name it counts as a loss, as a program's does.
    body = "class CrashedError(Exception): pass\nraise CrashedError('gone')"
    where = make_backend(SCOPE, body)
    for name, stops in (("one", []), ("two", [1, 2])):
        for stop in stops:
            stopped(tmp_path / name, stop, backend=where)
        run(tmp_path / name, backend=where)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


OTHERS: dict[str, dict[str, Any]] = {
    "seed": {"seed": 4},
    "cases": {"cases": 51},
    "quantities": {"quantities": "dirichlet.utility.v*nce", "cases": 52},
    "case seconds": {"case_seconds": 7},
    "backend": {"backend": "elsewhere"},
    "versions (hypothesis)": {"library": "hypothesis"},
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_partial_transcript_of_another_campaign_is_refused_and_kept(
    tmp_path: Path, make_backend: Maker, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    given = dict(OTHERS[what])
    transcript = tmp_path / "cases.gz"
    content = stopped(transcript, 1)
    if "backend" in given:
        given["backend"] = make_backend(SCOPE, "answer = truth")
    if library := given.pop("library", None):
        ours = batches.versions()
        monkeypatch.setattr(transcripts, "versions", lambda: {**ours, library: "0"})
    what = "cases" if what == "quantities" else what
    with pytest.raises(InputError, match="is of another campaign") as refused:
        run(transcript, **given)
    assert what in str(refused.value)
    assert f"delete {part(transcript)} to begin anew" in str(refused.value)
    assert part(transcript).read_bytes() == content


@each_of("content", [b"my own notes\n", b"notes", b"{}\n", b'{"campaign":{}}\n',
    b'{"campaign":[]}\n', b"[" * 100_000, b"\xff\n", b'{"campaign":{"form":1}}\n'])  # fmt: skip
def test_what_is_no_partial_transcript_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    transcript = tmp_path / "cases.gz"
    part(transcript).write_bytes(content)
    with pytest.raises(InputError, match="is no partial transcript"):
        run(transcript)
    assert part(transcript).read_bytes() == content


RUNS = {"module": "stranger:backend", "program": f"command:{sys.executable} stranger.py"}


@pytest.mark.parametrize("kind", RUNS)
def test_no_stranger_runs_where_what_was_asked_cannot_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    transcript, stranger = tmp_path / "cases.gz", tmp_path / "stranger.py"
    content = stopped(transcript, 1)
    stranger.write_text("open('ran', 'x')\n")
    with pytest.raises(InputError, match="is of another campaign, with other backend, "):
        run(transcript, backend=RUNS[kind])
    assert not (tmp_path / "ran").exists()
    assert part(transcript).read_bytes() == content


def test_a_first_line_that_was_torn_anywhere_is_begun_anew(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes]
) -> None:
    transcript = tmp_path / "cases.gz"
    first = stopped(transcript, 1).splitlines(keepends=True)[0]
    for kept in (0, 1, len(first) // 2, len(first) - 3, len(first) - 1):
        part(transcript).write_bytes(first[:kept])
        assert canonical_bytes(statement_of(run(transcript))) == whole[0]


def refitted(content: bytes) -> bytes:
    """Make the digests fit again, as whoever changes a file on purpose can."""
    lines = content.splitlines(keepends=True)
    digest = hashlib.sha256()
    for place, line in enumerate(lines):
        if line.startswith(b'{"closed"'):
            closed = json.loads(line)
            closed["closed"]["sha256"] = digest.hexdigest()
            lines[place] = json.dumps(closed, separators=(",", ":")).encode() + b"\n"
        digest.update(lines[place])
    return b"".join(lines)


def changed_line(content: bytes, begins: bytes, change: Callable[[Any], None]) -> bytes:
    """Change the last line that begins so, and make the digests fit again."""
    lines = content.splitlines(keepends=True)
    at = max(place for place, line in enumerate(lines) if line.startswith(begins))
    value = json.loads(lines[at])
    change(value)
    lines[at] = json.dumps(value, separators=(",", ":")).encode() + b"\n"
    return refitted(b"".join(lines))


def without_first(content: bytes, begins: bytes) -> bytes:
    """Leave the first line out that begins so, and make the digests fit again."""
    lines = content.splitlines(keepends=True)
    del lines[next(place for place, line in enumerate(lines) if line.startswith(begins))]
    return refitted(b"".join(lines))


def _set(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for name in path[:-1]:
            value = value[name]
        value[path[-1]] = to

    return change


LAW = b'{"check":"determinism"'
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a digit": lambda c: c[: c.rindex(LAW)] + c[c.rindex(LAW) :].replace(b'r":"', b'r":"1', 1),
    "a batch less": lambda c: refitted(c[: lines_before(c, 1)] + c[closed_ends(c)[0] :]),
    "a batch twice": lambda c: refitted(c[: closed_ends(c)[0]] + c[lines_before(c, 1) :]),
    "a batch more": lambda c: refitted(c + c[closed_ends(c)[1] :]),
    "a law's line less": lambda c: without_first(c, LAW),
    "a line of another kind": lambda c: c.replace(b'\n{"check"', b'\n{"chekc"', 1),
    "not json": lambda c: c.replace(b'{"closed":', b'{"closed":!', 1),
    "an unknown key": lambda c: changed_line(c, LAW, _set("new", to=1)),
    "a key less": lambda c: changed_line(c, LAW, lambda line: line.pop("reason")),
    "a place": lambda c: changed_line(c, LAW, _set("entry", to=[1, 2, 3])),
    "a lower end": lambda c: changed_line(c, LAW, _set("lower", to="0.5")),
    "ends that are exchanged": lambda c: changed_line(c, LAW, _set("lower", to="0x1p+1000")),
    "no number": lambda c: changed_line(c, LAW, _set("violation", to="0x1/0x0")),
    "another form": lambda c: refitted(c.replace(b'"certified"', b'"certifi\\u0065d"', 1)),
    "a verdict": lambda c: c.replace(b'"certified"', b'"undecided"', 1),
    "a check": lambda c: changed_line(c, LAW, _set("check", to="adjacency")),
    "a quantity": lambda c: changed_line(c, LAW, _set("quantity", to="dirichlet.profile.delta")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_partial_transcript_is_refused_and_kept(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes], damage: str
) -> None:
    transcript = tmp_path / "cases.gz"
    content = DAMAGES[damage](whole[2])
    assert content != whole[2]
    part(transcript).write_bytes(content)
    with pytest.raises(InputError, match=r"is damaged: .*delete it to begin anew"):
        run(transcript)
    assert part(transcript).read_bytes() == content


def test_a_batch_is_held_in_memory_to_a_limit(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that are mostly holes take a hundred gigabytes, and forty megabytes of a disk."""
    monkeypatch.setattr(transcripts, "_MAX_BATCH_BYTES", len(whole[2]) // 10)
    transcript = tmp_path / "cases.gz"
    part(transcript).write_bytes(whole[2])
    with pytest.raises(InputError, match=r"is damaged: a batch of more than .* bytes; delete it"):
        run(transcript)


ALTERED = {
    "one-verdict": lambda content: content.replace(b'"certified"', b'"undecided"', 1),
    "no-text": lambda content: content.replace(b'{"check":"a', b'{"check":"\xff', 1),
    "nothing-left": lambda _: b"",
}


@pytest.mark.parametrize("how", ALTERED)
def test_what_was_kept_and_is_altered_before_it_is_read_makes_no_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    taken = PartialTranscript.lines

    def altered_then_taken(partial: PartialTranscript) -> Iterator[bytes]:
        partial.path.write_bytes(ALTERED[how](partial.path.read_bytes()))
        yield from taken(partial)

    monkeypatch.setattr(PartialTranscript, "lines", altered_then_taken)
    transcript = tmp_path / "cases.gz"
    asked = ["--quantities", SCOPE, "--cases", "50", "--transcript", str(transcript)]
    assert main(["certify", *asked]) == 3
    assert "was to be made of changed meanwhile" in capsys.readouterr().err
    assert not transcript.exists()


def test_what_others_put_behind_what_was_kept_is_not_read(tmp_path: Path) -> None:
    with partial_beside(tmp_path / "cases.gz") as partial:
        found = certify_backend(quantities=SCOPE, cases=CASES, partial=partial)
        with partial.path.open("ab") as stream:
            stream.write(b'{"check":"more"}\n')
        digest = hashlib.sha256(b"".join(partial.lines())).hexdigest()
        assert digest == found.transcript_sha256
        partial.forget()


def test_two_runs_do_not_write_one_transcript(tmp_path: Path) -> None:
    held = partial_beside(tmp_path / "cases.gz")
    with held, pytest.raises(InputError, match="another run is writing"):
        run(tmp_path / "cases.gz")
    run(tmp_path / "cases.gz")


def test_a_file_that_another_run_removes_meanwhile_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed: list[int] = []
    lock = fcntl.flock

    def after_the_other_ended(handle: int, how: int) -> None:
        if not removed:
            part(tmp_path / "cases.gz").unlink()
        removed.append(handle)
        lock(handle, how)

    monkeypatch.setattr("simplexcert.certify.files.fcntl.flock", after_the_other_ended)
    with partial_beside(tmp_path / "cases.gz") as partial:
        assert partial.path.exists()
    assert len(removed) == 2


@pytest.mark.parametrize("kind", ["symlink", "fifo", "directory"])
def test_a_partial_file_that_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    file = part(tmp_path / "cases.gz")
    if kind == "symlink":
        file.symlink_to(tmp_path / "elsewhere")
    elif kind == "fifo":
        os.mkfifo(file)
    else:
        file.mkdir()
    says = "no regular file" if kind == "fifo" else "cannot write"
    with pytest.raises(InputError, match=says):
        run(tmp_path / "cases.gz")
    assert not (tmp_path / "elsewhere").exists()


def test_a_disk_that_is_full_is_told_and_costs_one_batch(
    tmp_path: Path, whole: tuple[bytes, bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = tmp_path / "cases.gz"
    stopped(transcript, 1)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("simplexcert.certify.campaign.transcript.os.fsync", full)
        with pytest.raises(InputError, match="No space left"):
            run(transcript)
    assert canonical_bytes(statement_of(run(transcript))) == whole[0]


def test_a_run_that_did_nothing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError), partial_beside(tmp_path / "cases.gz") as partial:
        certify_backend("nowhere:backend", partial=partial)
    with partial_beside(tmp_path / "cases.gz") as partial:
        partial.begun({"form": "any"})
    assert list(tmp_path.iterdir()) == []


@each_of("name", ["dirichlet.profile.delta", "dirichlet.tail.general",
    "dirichlet.composition.epsilon", "dirichlet.matrix.delta_bound", "markov.stationary",
    "markov.fundamental", "pufferfish.wasserstein", "pufferfish.quilt_scale_exact",
    "pufferfish.max_influence", "dirichlet.utility.expected_kl_prior"])  # fmt: skip
def test_every_case_comes_back_as_it_was(name: str) -> None:
    for case in run_batch(Batch(None, name, 0, 3, "s")):
        line = line_in(case.line().removesuffix("\n").encode())
        assert line.case() == case
        assert line.decimals() == case.truth.decimals(25)


BEYOND = Dyadic(3, 2**70)
ENDS = [
    Enclosure.nothing_known(),
    Enclosure.infinite(),
    Enclosure.of(Fraction(1, 3)),
    Enclosure.of(Fraction(0)),
    Enclosure(Dyadic(-3, -(2**70)), BEYOND),
    Enclosure(Dyadic(-1), Dyadic(-(2**9), -9)),
]


@pytest.mark.parametrize("truth", ENDS, ids=str)
@pytest.mark.parametrize("off", [None, Fraction(0), Fraction(-7, 2**90), Fraction(10**40)])
def test_ends_and_distances_of_any_size_come_back(truth: Enclosure, off: Fraction | None) -> None:
    size, signed = (None, Fraction(0)) if off is None else (abs(off), off)
    made = replace(
        next(iter(run_batch(Batch(None, SCOPE, 0, 1, "s")))),
        truth=truth, ulps=size, violation=signed, reason='\t"\u00e9\\u0041',
    )  # fmt: skip
    assert line_in(made.line().removesuffix("\n").encode()).case() == made


def test_whatever_a_backend_raises_has_a_line(tmp_path: Path, make_backend: Maker) -> None:
    where = make_backend(SCOPE, "raise ValueError(chr(0xd800) + '\\n' + 10**6 * 'long')")
    found = run(tmp_path / "cases.gz", backend=where)
    worst = found.checks[0].worst
    assert worst is not None
    assert len(worst.reason) < 1_000
    assert line_in(worst.line().removesuffix("\n").encode()).case() == worst


COMMAND = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()", "certify"]


def command(folder: Path) -> dict[str, Any]:
    """Return what a campaign of three batches of a hundred is started by, in a new folder."""
    folder.mkdir()
    given = ["--quantities", SCOPE, "--cases", "300", "--screen", "30"]
    files = ["--out", "c.json", "--transcript", "cases.gz"]
    return {"args": [*COMMAND, *given, *files], "cwd": folder}


def results_in(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("c.json", "cases.gz")]


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("command") / "once"
    subprocess.run(**command(folder), check=True, capture_output=True)
    return results_in(folder)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_same_command_goes_on_after_a_signal(
    tmp_path: Path, at_once: list[bytes], number: signal.Signals
) -> None:
    asked = command(tmp_path / "twice")
    first = subprocess.Popen(**asked, stderr=subprocess.PIPE)
    file = tmp_path / "twice" / "cases.gz.part"
    while not (file.exists() and b'{"closed"' in file.read_bytes()):
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(number)
    told = first.communicate(timeout=60)[1].decode()
    assert first.returncode == (-9 if number is signal.SIGKILL else 143)
    again = shlex.join(["simplexcert", *asked["args"][len(COMMAND) - 1 :]])
    said = f"kept in cases.gz.part; this goes on from there: {again}\n" in told
    assert said == (number is signal.SIGTERM)
    assert list(file.parent.iterdir()) == [file]
    subprocess.run(**asked, check=True, capture_output=True)
    assert results_in(file.parent) == at_once
    assert not file.exists()


NOTHING_KEPT = "simplexcert: nothing of this run is kept; one that can be stopped and goes on"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_without_a_transcript_says_how_one_is_begun_that_goes_on(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    wait = tmp_path / "slow.py"
    wait.write_text(
        "import time\nclass backend:\n name, version = 'a b', '1'\n"
        f" quantities = {{{SCOPE!r}: lambda **_: (open('asked', 'w'), time.sleep(9))}}\n",
        encoding="utf-8",
    )
    arguments = [*COMMAND, "slow:backend", "--quantities", SCOPE]
    first = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE)
    while not (tmp_path / "asked").exists():
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(number)
    told = first.communicate(timeout=60)[1].decode()
    assert first.returncode == code
    again = shlex.join(["simplexcert", *arguments[len(COMMAND) - 1 :]])
    assert told.splitlines() == [
        f"{NOTHING_KEPT}: {again} --transcript cases.jsonl.gz",
        "simplexcert: interrupted; nothing half-written was left behind",
    ]


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    arguments = [*COMMAND, "--quantities", SCOPE, "--cases", "20000", "--jobs", "2"]
    first = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.DEVNULL)
    workers: list[Path] = []
    while len(workers) < 3:  # two, and what looks after their semaphores
        time.sleep(0.05)
        listed = Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text(encoding="ascii")
        workers = [Path("/proc", number) for number in listed.split()]
    time.sleep(1)
    first.kill()
    first.wait()
    deadline = time.monotonic() + 30
    while any(map(_runs, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_runs, workers))


def _runs(process: Path) -> bool:
    with suppress(OSError):
        return ") Z " not in (process / "stat").read_text(encoding="utf-8")
    return False
