"""Samplers of programs and of modules in a process of their own: the same draws, or an error."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.messages import answer_in, declaration_in, request
from simplexcert.certify.backends.program import stop_programs
from simplexcert.certify.cli import run
from simplexcert.certify.points import double_in
from simplexcert.certify.samplers import Point, results, results_at
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

VARIANCE = "dirichlet.utility.variance"
MODULE = """
import numpy as np

def laplace(scale, count, seed):
    print("drawing")
    return np.random.default_rng(seed).laplace(0, {factor} * scale, size=count)

def dirichlet(alpha, count, seed):
    draws = np.random.default_rng(seed).dirichlet(alpha, size=count)
    return draws.tolist() if seed else [["0.5"]]

class Backend:
    name = "made"
    version = "1"
    quantities = {{}}
    samplers = {{"laplace": laplace, "dirichlet": dirichlet}}

backend = Backend()
"""
# It answers draws of one distribution in the way that the first word says.
PROGRAM = """
import json, random, sys

mode = sys.argv[1]
sys.stdin.readline()
print(json.dumps({"name": "p", "version": "1", "quantities": [], "samplers": ["laplace"]}))
sys.stdout.flush()
for line in sys.stdin:
    asked = json.loads(line)
    own = random.Random(asked["seed"])
    scale = float.fromhex(asked["parameters"]["scale"])
    draws = [own.expovariate(1 / scale) * own.choice((-1, 1)) for _ in range(asked["count"])]
    if mode == "dies" and asked["id"] > 30:
        sys.exit(3)
    if mode == "short":
        del draws[-1]
    value = [draw.hex() for draw in draws]
    if mode == "decimals":
        value[4] = 0.5
    answer = {"id": asked["id"] + (mode == "ahead"), "value": value}
    print(json.dumps({"id": asked["id"], "error": "no"} if mode == "refuses" else answer))
    if mode == "floods":
        print("[" + "1," * 20_000_000)
    sys.stdout.flush()
"""
POINTS = results.points_of("laplace", 0)[:2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    stop_programs()


def module(tmp_path: Path, factor: float = 1.0) -> str:
    name = f"drawing_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(factor=factor), encoding="utf-8")
    return f"{name}:backend"


def program(tmp_path: Path, mode: str) -> str:
    file = tmp_path / "drawing.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return "command:" + shlex.join([sys.executable, str(file), mode])


def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test Laplace noise at two points, so that a test of what is around it is short."""
    first = {"laplace": POINTS, "dirichlet": ()}
    monkeypatch.setattr(results, "points_of", lambda sampler, _seed: first[sampler])


def test_a_request_is_one_line_with_its_keys_in_order() -> None:
    line = request(7, "dirichlet", {"alpha": [2.0, 0.5]}, 1000, 5)
    assert line == (
        b'{"id": 7, "sampler": "dirichlet", "parameters": {"alpha": ["0x1.0000000000000p+1", '
        b'"0x1.0000000000000p-1"]}, "count": 1000, "seed": 5}\n'
    )
    assert answer_in(b'{"id": 7, "value": [["0x1p-1", "0x0.8p+0"]]}', 7) == [[0.5, 0.5]]


def test_samplers_are_declared_by_name() -> None:
    told = {"name": "p", "version": "1", "quantities": []}
    assert declaration_in(json.dumps(told).encode(), "p").samplers == ()
    both = {**told, "samplers": ["laplace", "dirichlet"]}
    assert declaration_in(json.dumps(both).encode(), "p").samplers == ("laplace", "dirichlet")
    for wrong, sentence in ((["laplace"] * 2, "a sampler twice"), ("laplace", "not a list of")):
        with pytest.raises(InputError, match=sentence):
            declaration_in(json.dumps({**told, "samplers": wrong}).encode(), "p")


@each_of(
    "text",
    [
        "0x1.8000000000000p-1",
        "-0x0.0000000000001p-1022",
        "0x0.0p+0",
        "-0x0.0p+0",
        "0x1.fffffffffffffp+1023",
        "0x1.8p1",
        "0x1.0000000000001p-1023",
        "0x1.8p+1024",
        "0x1.8p-1074",
        "0x0.8p-1074",
    ],
)
def test_frequent_texts_are_read_as_all_others(text: str) -> None:
    """The short way is taken only where nothing is rounded: an upper-case X takes the long one."""

    def read(form: str) -> str:
        try:
            return double_in(form).hex()
        except Exception as error:  # noqa: BLE001
            return type(error).__name__

    assert read(text) == read(text.replace("x", "X"))


def test_a_module_draws_through_a_pipe_what_it_draws(tmp_path: Path) -> None:
    backend = load_backend(module(tmp_path)).backend
    (result,) = results_at(POINTS[:1], backend)
    assert result.verdict is Verdict.CERTIFIED
    draws = backend.samplers["dirichlet"](alpha=[1.0, 3.0], count=4, seed=9)
    assert [len(row) for row in draws] == [2] * 4
    assert draws == backend.samplers["dirichlet"](alpha=[1.0, 3.0], count=4, seed=9)


def test_what_is_no_draws_in_a_module_is_told(tmp_path: Path) -> None:
    backend = load_backend(module(tmp_path)).backend
    (result,) = results_at((Point("dirichlet", POINTS[0].values * 2, 0),), backend)
    assert result.reason == "answered 1 draws, not 5000"


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("dies", "it ended with status 3"),
        ("short", "answered 4999 draws, not 5000"),
        ("decimals", "answered the JSON number 0.5"),
        ("ahead", "it answered what it had not been asked"),
        ("refuses", "no"),
        ("floods", "a line of more than 32000000 bytes"),
    ],
)
def test_a_program_that_draws_badly_is_an_error(tmp_path: Path, mode: str, reason: str) -> None:
    backend = load_backend(program(tmp_path, mode)).backend
    (result,) = results_at(POINTS[:1], backend)
    assert result.verdict is Verdict.ERROR
    assert reason in result.reason


def test_a_program_that_hangs_is_an_error_in_time(tmp_path: Path) -> None:
    file = tmp_path / "hanging.py"
    file.write_text(
        PROGRAM.replace("asked = json", "import time; time.sleep(60)\n    asked = json")
    )
    where = "command:" + shlex.join([sys.executable, str(file), "hangs"])
    backend = load_backend(where, 0.3).backend
    (result,) = results_at(POINTS[:1], backend)
    assert "no answer within 0.3 s" in result.reason


def test_a_sound_program_is_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few_points(monkeypatch)
    campaign = certify_backend(program(tmp_path, "sound"), quantities=VARIANCE, samplers=True)
    assert campaign.verdict is Verdict.CERTIFIED
    assert [result.point for result in campaign.samplers] == list(POINTS)


def test_samplers_are_tested_where_all_quantities_are_or_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_points(monkeypatch)
    where = program(tmp_path, "sound")
    progress: list[tuple[int, int, str]] = []
    everything = certify_backend(where, on_progress=lambda *at: progress.append(at))
    assert len(everything.samplers) == 2
    names = [f"sampler.{result.sampler}" for result in everything.samplers]
    assert progress == [(0, 2, names[0]), (1, 2, names[1]), (2, 2, "")]
    assert certify_backend(where, quantities=VARIANCE).samplers == ()


def test_the_command_tells_of_samplers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few_points(monkeypatch)
    arguments = ["certify", module(tmp_path, 1.05), "--quantities", VARIANCE, "--samplers"]
    assert run(arguments) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("REFUTED  backend 'made 1'")
    assert "laplace  scale = 1e-06  refuted  200000  18" in " ".join(shown.split("\n"))
    assert "refuted: sampler laplace at scale = 1e-06, seed" in shown
    assert "of 200000, with probability in [" in shown


def test_the_command_tells_of_errors_of_samplers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few_points(monkeypatch)
    arguments = ["certify", program(tmp_path, "short"), "--quantities", VARIANCE, "--samplers"]
    assert run(arguments) == 1
    shown = capsys.readouterr().out
    assert "error: sampler laplace at scale = 1e-06" in shown
    assert "answered 4999 draws, not 5000" in shown
