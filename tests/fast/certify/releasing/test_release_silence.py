"""No value of the private data stands in anything that is printed, raised or written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from private_data import DATA, DRAWN, Given, given
from simplexcert.certify.cli import run
from simplexcert.certify.releasing import claim_file, draw_release, running
from simplexcert.certify.releasing.refusals import OwnFailureError, quietly
from simplexcert.reference.errors import InputError, SimplexcertError

# Stands in no claim, no template, no code; and looks like what it is put in the place of.
MARK, NUMBER = "zqxjkvbp", "0.8675309"
# What would be read as a number, and is none; far off; too long; of another shape.
WRONG = (MARK, NUMBER, f"-{NUMBER}", f"{NUMBER}{MARK}", f"{NUMBER}e99999", f'"{MARK}', f"{MARK}\0")
FILES = {"--out": "r.json", "--certificate": "c.json", "--report": "p.html", "--ledger": "l"}
_PROGRAM = (
    "import json, sys; from simplexcert.certify.cli import run; "
    "sys.exit(max(run(command) for command in json.loads(sys.argv[1])))"
)


def everything(folder: Path, *texts: str) -> Iterator[tuple[str, str]]:
    """Yield all that there is to be read, by a name; the data themselves are not."""
    yield from ((f"text {at}", text) for at, text in enumerate(texts))
    for file in folder.rglob("*"):
        if file.is_file() and file.name != "private.csv":
            yield file.name, file.read_bytes().decode("utf-8", errors="replace")


def outside_of_draws(text: str) -> str:
    """Return the text without long numbers: drawn ones, digests, and a report's own coordinates."""
    return re.sub(r"[0-9a-f]{20,}|[A-Za-z0-9+/=]{100,}", "#", text)


def test_a_process_that_releases_by_every_mechanism_tells_nothing_of_the_data(
    tmp_path: Path,
) -> None:
    commands = []
    for mechanism in DRAWN:
        folder = tmp_path / mechanism
        (folder / "out").mkdir(parents=True)
        found = given(folder, mechanism)
        options = [p for key, name in FILES.items() for p in (key, str(folder / "out" / name))]
        commands.append(["release", str(found.claim), "--data", str(found.data), *options])
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps(commands)],
        capture_output=True, text=True, check=False, timeout=100, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    for mechanism in DRAWN:
        folder = tmp_path / mechanism
        assert {file.name for file in (folder / "out").iterdir()} == set(FILES.values())
        for name, text in everything(folder, done.stdout, done.stderr):
            for secret in DATA[mechanism].secrets:
                assert secret not in outside_of_draws(text), (mechanism, name)


def spoilt(mechanism: str) -> Iterator[str]:
    """Yield the data with one field wrong, each way, at the start, in the middle, at the end."""
    header, *lines = DATA[mechanism].text.strip().split("\n")
    for at in sorted({0, len(lines) // 2, len(lines) - 1}):
        width = lines[at].count(",") + 1
        for column in {width - 1, width // 2}:
            for wrong in WRONG:
                cells = lines[at].split(",")
                cells[column] = wrong
                yield "\n".join([header, *lines[:at], ",".join(cells), *lines[at + 1 :]]) + "\n"
    yield f"{header}\n{MARK}\n"
    yield f"{MARK},{header}\n" + "\n".join(lines)
    yield f"{header},{MARK}\n" + "\n".join(lines)
    yield "\n".join([*lines, MARK])
    yield MARK
    yield f'{{"{MARK}": {NUMBER}'


@each_of("mechanism", DRAWN)
def test_a_refusal_tells_nothing_of_the_data(
    mechanism: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    found = given(tmp_path, mechanism)
    _decide_once(monkeypatch, found)
    refused = 0
    for text in spoilt(mechanism):
        found.data.write_text(text, encoding="utf-8")
        said = _told(found, capsys)
        refused += said is not None
        for secret in (MARK, NUMBER, NUMBER.lstrip("0."), *DATA[mechanism].secrets):
            assert secret not in (said or ""), (secret, said)
    assert refused > len(WRONG)


def _decide_once(monkeypatch: pytest.MonkeyPatch, found: Given) -> None:
    """Decide the claim once, which no data change."""
    from simplexcert.certify.releasing import running

    read = claim_file.asked_in(found.claim)
    statement = running._certified(read)
    monkeypatch.setattr(running, "asked_in", lambda _file: read)
    monkeypatch.setattr(running, "_certified", lambda _asked: statement)


def _told(found: Given, capsys: pytest.CaptureFixture[str]) -> str | None:
    """Return all that is to be seen of a refusal, with what an error carries; None without one."""
    try:
        draw_release(*found, seed=1)
    except InputError as error:
        chain: list[BaseException] = [error]
        while (inner := chain[-1].__cause__ or chain[-1].__context__) is not None:
            chain.append(inner)
        said = "".join(f"{one!r} {one}" for one in chain)
        printed = capsys.readouterr()
        return said + "".join(traceback.format_exception(error)) + printed.out + printed.err
    return None


@pytest.mark.parametrize("step", ["drawn", "require_size", "require_drawable", "released_of"])
def test_a_fault_of_ours_is_told_without_its_words(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "dirichlet.counts")

    def fail(*_: object) -> None:
        raise KeyError(MARK)

    monkeypatch.setattr(f"simplexcert.certify.releasing.running.{step}", fail)
    options = ["--data", str(found.data), "--out", str(tmp_path / "r.json")]
    assert run(["release", str(found.claim), *options]) == 4
    said = capsys.readouterr()
    assert MARK not in said.out + said.err
    assert "KeyError" in said.err
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize("step", ["released_of", "report_of"])
def test_a_fault_after_the_draw_does_not_tell_what_was_drawn(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a message it would be out, and in no ledger."""
    from simplexcert.certify.report import page

    found = given(tmp_path, "dirichlet.counts")
    made = running.released_of
    calls: list[None] = []

    def fail(*of: Any) -> Any:
        calls.append(None)
        if step == "released_of" and len(calls) == 1:
            return made(*of)  # with values of no meaning, before any bit is drawn
        raise KeyError(MARK)

    monkeypatch.setattr(page if step == "report_of" else running, step, fail)
    files = [part for key, name in FILES.items() for part in (key, str(tmp_path / name))]
    assert run(["release", str(found.claim), "--data", str(found.data), *files]) == 4
    said = capsys.readouterr()
    assert MARK not in said.out + said.err
    assert "KeyError" in said.err
    assert not any((tmp_path / name).exists() for name in FILES.values())


def test_an_error_that_is_raised_in_place_of_another_does_not_carry_it() -> None:
    def fail() -> None:
        raise RuntimeError(MARK)

    with pytest.raises(OwnFailureError) as caught:
        quietly(fail, "reading")
    assert caught.value.__context__ is None
    assert MARK not in "".join(traceback.format_exception(caught.value))


def test_memory_that_runs_out_is_no_fault_of_ours() -> None:
    def fail() -> None:
        raise MemoryError(MARK)

    with pytest.raises(InputError, match="memory ran out while reading") as caught:
        quietly(fail, "reading")
    assert caught.value.__context__ is None
    assert MARK not in "".join(traceback.format_exception(caught.value))


def test_an_error_on_purpose_passes() -> None:
    def fail() -> None:
        raise SimplexcertError("a sentence")

    with pytest.raises(SimplexcertError, match="a sentence"):
        quietly(fail, "reading")


def test_what_is_planned_shows_nothing_of_itself(tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.identity")
    read = claim_file.asked_in(found.claim)
    plan = read.claim.mechanism.plan(read.claim, read.said, found.data)
    assert not any(secret in repr(plan) for secret in DATA["dirichlet.identity"].secrets)


@pytest.mark.parametrize(("mechanism", "size"), [("dirichlet.counts", "50021"),
                                                 ("dirichlet.renyi", "")])  # fmt: skip
def test_counts_that_are_given_stand_nowhere(
    mechanism: str, size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, mechanism, **({"N": size} if size else {}))
    names = claim_file.asked_in(found.claim).said.data["categories"]
    text = found.claim.read_text(encoding="utf-8").replace("column = ", "# column = ")
    found.claim.write_text(text, encoding="utf-8")
    counts = (13577, 24691, 11753)
    lines = [f"{name},{count}" for name, count in zip(names, counts, strict=True)]
    found.data.write_text("\n".join(["category,count", *lines, ""]), encoding="utf-8")
    options = [part for key, name in FILES.items() for part in (key, str(tmp_path / name))]
    assert run(["release", str(found.claim), "--data", str(found.data), *options]) == 0
    for name, said in everything(tmp_path, *capsys.readouterr()):
        for count in counts:
            assert str(count) not in outside_of_draws(said), name
