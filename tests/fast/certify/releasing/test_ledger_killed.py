"""A ledger whose processes are killed: never lost, doubled or torn, and never in anybody's way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).resolve().parents[3] / "support"
PROGRAM = SUPPORT / "ledger_killing.py"
AT_MOST_SECONDS = 600
# Fewer steps than a release takes: to lock, to write three files through their disks, to end.
FEWEST_STEPS = 30
PROCESSES, KEPT = 6, 3


def told_by(folder: Path, *wanted: str) -> Any:
    """Return what the program found; it ends by itself, and well."""
    ran = subprocess.run(
        [sys.executable, PROGRAM, folder, *wanted],
        env={**os.environ, "PYTHONPATH": str(SUPPORT)},
        capture_output=True,
        text=True,
        timeout=AT_MOST_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run all of them in one program: to import what it needs takes longer than most."""
    wanted = ("first", "second", "deliver", "at_once", "capped", "held")
    return told_by(tmp_path_factory.mktemp("killed"), *wanted)


def require_whole(one: dict[str, Any]) -> None:
    """Require an entry for each output at every moment, and an output for each entry at the end."""
    assert set(one["written"]) <= set(one["recorded"])
    assert one["recorded_after"] == one["recorded"]
    assert len(set(one["recorded"])) == len(one["recorded"])
    ledger = ["ledger.json"] if one["recorded"] else []
    assert one["left"] == sorted([*ledger, *one["recorded"]])
    assert set(one["delivered"]) >= set(one["recorded"]) - set(one["written"])


@pytest.mark.parametrize(("which", "earlier"), [("first", 0), ("second", 1)])
def test_killed_at_every_step_there_is_one_entry_or_none(
    told: Any, which: str, earlier: int
) -> None:
    found = told[which]
    assert len(found) >= FEWEST_STEPS
    recorded = [len(one["recorded"]) - earlier for one in found]
    assert recorded == sorted(recorded)
    assert set(recorded) == {0, 1}
    assert any(one["delivered"] for one in found)
    for one in found:
        require_whole(one)


def test_killed_while_it_delivers_the_next_one_delivers(told: Any) -> None:
    found = told["deliver"]
    assert [one["recorded"] for one in found] == [["r"]] * len(found)
    assert found[0]["delivered"] == ["r"]
    assert found[-1]["delivered"] == []
    for one in found:
        require_whole(one)


def test_processes_at_once_lose_no_entry(told: Any) -> None:
    found = told["at_once"]
    assert found["codes"] == [0] * PROCESSES
    assert sorted(found["recorded"]) == [f"r{at}" for at in range(PROCESSES)]
    require_whole(found)


def test_processes_at_once_keep_a_cap(told: Any) -> None:
    found = told["capped"]
    assert sorted(found["codes"]) == [0, 0, 0, 1, 1, 1]
    assert len(found["recorded"]) == KEPT
    require_whole(found)


def test_a_killed_holder_is_in_nobody_s_way(told: Any) -> None:
    found = told["held"]
    assert "another process is releasing into" in found["said"]
    assert found["recorded"] == ["r"]
