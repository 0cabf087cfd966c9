"""Made-up files of the public data's shape, for experiments that are tested without those."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

# One zone more, the last, is left by no trip; and the last but one by two trips alone.
ZONES = 7
INTERSECTIONS = 9


def write_all(folder: Path) -> None:
    """Write trips, turns and grades."""
    write_trips(folder)
    write_turns(folder, INTERSECTIONS)
    write_sections(folder)


def write_trips(folder: Path) -> None:
    """Write a table of trips between zones."""
    random, names = Random(7), [str(10 + zone) for zone in range(ZONES + 1)]  # noqa: S311
    rows = [
        [random.randint(1, 9) + (500 if at == to else 90 * to) for to in range(ZONES + 1)]
        for at in range(ZONES - 1)
    ]
    rows += [[2, *[0] * ZONES], [0] * (ZONES + 1)]
    lines = [[name, *row] for name, row in zip(names, rows, strict=True)]
    path = folder / "nyc_taxi/manhattan63_od_counts_2018_2020.csv"
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["PULocationID", *names], *lines])


def write_turns(folder: Path, many: int) -> None:
    """Write so many intersections that meet the hypotheses of fallin2023, and one that does not."""
    random = Random(8)  # noqa: S311
    heads = [f"{approach}-{turn}" for approach in range(4) for turn in range(3)]
    lines: list[Sequence[object]] = [
        ["set", f"street {at}", 8, 120, *(random.randint(30, 90) for _ in heads)]
        for at in range(many)
    ]
    lines.append(["set", "one way", 8, 120, *([0, 9_000, 0] * 4)])
    table: list[Sequence[object]] = [["set", "name", "intervals", "minutes", *heads], *lines]
    _write_gzip(folder / "traffic_turns/intersection_turning_counts.csv.gz", table)


def write_sections(folder: Path) -> None:
    """Write three sections: as benvenuti2025 has them, with a small share, and of other size."""
    table: list[Sequence[object]] = [
        ["term", "A", "B", "C", "D", "F"],
        ["made up", 30, 28, 20, 11, 9],
        ["small share", 40, 30, 20, 7, 1],
        ["other size", 30, 28, 20, 11, 10],
    ]
    _write_gzip(folder / "grades/uiuc_section_counts_ABCDF.csv.gz", table)


def _write_gzip(path: Path, table: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(table)
