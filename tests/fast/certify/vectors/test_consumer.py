"""A consumer in C, which has the files and nothing else of ours: it passes, and finds faults."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "consumer" / "consumer.c"
COMPILER = shutil.which("gcc") or shutil.which("cc")
COUNTS = "dirichlet.counts.epsilon_bound"
TOTAL = "dirichlet.profile.total_variation"
ORDER = "dirichlet.profile.largest_order"
FAULTS = [
    (COUNTS, "n for N"),
    (COUNTS, "n for n - 1"),
    (COUNTS, "log to base 10"),
    (COUNTS, "to nearest"),
    (COUNTS, "no domain"),
    (TOTAL, "1 - P"),
    (TOTAL, "one term less"),
    (TOTAL, "to nearest"),
    (ORDER, "swapped"),
    (ORDER, "to nearest"),
    (ORDER, "no domain"),
]


@pytest.fixture(scope="module")
def consumer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("there is no C compiler here")
    program = tmp_path_factory.mktemp("consumer") / "consumer"
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-D_DEFAULT_SOURCE"]
    subprocess.run([COMPILER, *flags, "-o", program, SOURCE, "-lm"], check=True)
    return program


def check(consumer: Path, folder: Path, quantity: str, *fault: str) -> tuple[int, str]:
    done = subprocess.run(
        [consumer, folder / quantity / f"{quantity}.json", *fault],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("quantity", [COUNTS, TOTAL, ORDER])
def test_a_sound_implementation_passes(consumer: Path, folder: Path, quantity: str) -> None:
    code, out = check(consumer, folder, quantity)
    assert code == 0
    assert "36 cases" in out
    assert ", 0 wrong" in out


@pytest.mark.parametrize(("quantity", "fault"), FAULTS)
def test_a_planted_fault_is_found(consumer: Path, folder: Path, quantity: str, fault: str) -> None:
    code, out = check(consumer, folder, quantity, fault)
    assert code == 1
    assert out.startswith("wrong: ")
