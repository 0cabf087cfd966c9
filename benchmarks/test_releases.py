"""What a release takes, from one command's work to its files, on public data used as if private.

The claim is certified, the parameter is the tight one, the data are read, the draw is exact, and
release and certificate are written; then the certificate is verified and the claim file audited,
once, outside the time. Set SIMPLEXCERT_DATA to a folder that holds

- grades/uiuc_course_totals_ABCDF.csv.gz: grades of courses (University of Illinois);
- nyc_taxi/manhattan63_od_counts_2018_2020.csv: trips between zones (NYC Taxi & Limousine
  Commission), of which the busiest zones are taken;
- activity/extrasensory_states.csv.gz: what people did, by the minute (ExtraSensory).

Without it those are skipped. The last two are made up: a million steps, and a matrix of 63 rows.
Nothing here asserts a time. What stands in these claim files as public (floors, laws) was read off
the data, as nobody may do who releases private ones.
"""

from __future__ import annotations

import csv
import gzip
import os
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from simplexcert import draw_release
from simplexcert.certify import Verdict, audit, verify
from test_relative_frequencies import activity

ZONES = 12
STATES = ("lying", "sitting", "standing", "walking", "running", "bicycling")
MILLION = 1_000_000
ROWS = 63


def _data() -> Path:
    folder = os.environ.get("SIMPLEXCERT_DATA")
    if not folder:
        pytest.skip("set SIMPLEXCERT_DATA to the folder with the data")
    return Path(folder)


def _write(path: Path, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def grades(folder: Path) -> str:
    """Write the counts of the course with the most grades of the rarest kind."""
    with gzip.open(_data() / "grades/uiuc_course_totals_ABCDF.csv.gz", "rt") as stream:
        courses = [[int(row[letter]) for letter in "ABCDF"] for row in csv.DictReader(stream)]
    counts = max(courses, key=min)
    _write(folder / "data.csv", [("category", "count"), *zip("ABCDF", counts, strict=True)])
    return f"""
[release]
name = "grades of one course"
mechanism = "dirichlet.counts"
k = "tight"
eta = "{min(counts) - 1}/{sum(counts)}"
N = {sum(counts)}
n = 5
[claim]
epsilon = 1
delta = "1e-6"
[data]
categories = ["A", "B", "C", "D", "F"]
public = ["eta", "N", "categories"]
"""


def taxi(folder: Path) -> str:
    """Write the trips between the busiest zones."""
    path = _data() / "nyc_taxi/manhattan63_od_counts_2018_2020.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        header, *lines = csv.reader(stream)
    table = {line[0]: dict(zip(header[1:], map(int, line[1:]), strict=True)) for line in lines}
    zones = sorted(table, key=lambda zone: -sum(table[zone].values()))[:ZONES]
    rows = [[table[one][other] for other in zones] for one in zones]
    _write(
        folder / "data.csv",
        [("", *zones), *([z, *row] for z, row in zip(zones, rows, strict=True))],
    )
    return f"""
[release]
name = "trips between the busiest zones"
mechanism = "markov.model"
k = "tight"
eta = {[f"{min(row) - 1}/{sum(row)}" for row in rows]}
N = {[sum(row) for row in rows]}
n = {[ZONES] * ZONES}
[claim]
epsilon = 2
delta = "1e-6"
[data]
states = {zones}
public = ["eta", "N", "n", "states", "feasible"]
"""


def steps(folder: Path) -> str:
    """Write the longest stretch of what one person did; the law is that of all of them."""
    runs = activity(_data())
    moves = [[1] * len(STATES) for _ in STATES]  # one more each: no move is impossible
    for run in runs:
        for one, other in zip(run[:-1].tolist(), run[1:].tolist(), strict=True):
            moves[one][other] += 1
    longest = max(runs, key=len).tolist()
    _write(folder / "data.csv", [["state"], *([STATES[state]] for state in longest)])
    return _chain(len(longest), moves, "tight")


def million_steps(folder: Path) -> str:
    """Write a million made-up steps among six states."""
    states = random.Random(1).choices(STATES, k=MILLION)  # noqa: S311 (made-up data)
    _write(folder / "data.csv", [["state"], *([state] for state in states)])
    moves = [[3 if one == other else 1 for other in range(6)] for one in range(6)]
    return _chain(MILLION, moves, "200")


def _chain(length: int, moves: list[list[int]], scale: str) -> str:
    return f"""
[release]
name = "how often each state occurs"
mechanism = "pufferfish.chain"
length = {length}
scale = "{scale}"
lipschitz = 2
[[release.chains]]
initial = "stationary"
transitions = {moves}
[claim]
epsilon = 1
[data]
column = "state"
states = {list(STATES)}
query = "histogram"
public = ["length", "states", "class"]
"""


def matrix(folder: Path) -> str:
    """Write a made-up stochastic matrix of 63 rows, of each of which two entries are protected."""
    names = [f"z{at}" for at in range(ROWS)]
    rest = f"1/{2 * (ROWS - 2)}"
    rows = [
        ["1/4" if at in (row, (row + 1) % ROWS) else rest for at in range(ROWS)]
        for row in range(ROWS)
    ]
    _write(
        folder / "data.csv",
        [("", *names), *([n, *row] for n, row in zip(names, rows, strict=True))],
    )
    protected = "\n".join(
        f'{name} = ["{name}", "{names[(at + 1) % ROWS]}"]' for at, name in enumerate(names)
    )
    return f"""
[release]
name = "a matrix of 63 rows"
mechanism = "dirichlet.matrix"
k = 130
eta = "0.1"
eta_bar = "0.1"
b = "0.01"
w = {[2] * ROWS}
changed_rows = 1
[claim]
epsilon = 2
delta = "1e-6"
[data]
states = {names}
public = ["eta", "eta_bar", "states"]
[data.protected]
{protected}
"""


@pytest.mark.parametrize("made", [grades, taxi, steps, million_steps, matrix])
def test_a_release_with_its_certificate(
    benchmark: Any, tmp_path: Path, made: Callable[[Path], str]
) -> None:
    claim = tmp_path / "claim.toml"
    claim.write_text(made(tmp_path), encoding="utf-8")
    numbers = count()

    def run() -> list[Path]:
        at = next(numbers)
        files = [tmp_path / f"{name}-{at}.json" for name in ("release", "certificate")]
        out, certificate = files
        assert draw_release(claim, tmp_path / "data.csv", out=out, certificate=certificate).private
        return files

    out, certificate = benchmark.pedantic(run, rounds=3)
    assert verify(certificate, subject=[out, claim]).verdict is Verdict.CERTIFIED
    assert audit(claim).verdict is Verdict.CERTIFIED
