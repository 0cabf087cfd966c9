"""Made-up files of the shape of ponnoprat2023's eight tables, for tests without those."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from random import Random

from experiments.ponnoprat2023.uci import SOURCES, Source

RECORDS = 70
# Every numeric column has these few values, so that quantiles coincide; codes are fewer still.
_NUMBERS, _CODES = ("0", "0.5", "1", "2.5", "7"), ("A1", "A2", "A3")


def write_tables(folder: Path) -> None:
    """Write all eight tables."""
    for source in SOURCES:
        write_table(folder, source)


def write_table(folder: Path, source: Source) -> None:
    """Write the files of one table, whose first numeric column is the class where it is one."""
    random = Random(source.name)  # noqa: S311
    columns = source.headless or (*source.features, *source.dropped, source.label)
    for file in source.files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="ascii", newline="") as stream:
            lines = csv.writer(stream, delimiter=source.separator)
            if not source.headless:
                lines.writerow(columns)
            lines.writerows(_records(random, source, columns))


def _records(random: Random, source: Source, columns: tuple[str, ...]) -> list[list[str]]:
    labels = [source.positive or "0", *(f"c{at}" for at in range(1, source.printed.classes))]
    found = []
    for at in range(RECORDS):
        label = labels[at % len(labels)]
        row = dict.fromkeys(columns, "dropped") | {source.label: label}
        row |= {name: random.choice(_CODES) for name in source.categorical}
        row |= {name: random.choice(_NUMBERS) for name in source.numeric}
        row[source.numeric[0]] = str(labels.index(label))
        found.append([row[name] for name in columns])
    return found
