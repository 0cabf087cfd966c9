"""Read a claim about a model: one number a row, or one for all, and the data where they are given.

Counts stand in the claim itself, or in a CSV file beside it. N, n and eta may be left out where
counts are given; they are then read off these, and the audit says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ....reference.domain import ONE, ZERO, Interval, Value
from ....reference.domain.matrices import MAX_STATES
from ....reference.errors import DomainError, InputError, UnknownNameError
from ....reference.exact import exact_integer, shown
from ....reference.labels import MAX_COUNT_DIGITS
from ....reference.markov.model.data import DataModel, counts_from
from .rows import LABELS, OF_DATA, SAID, ModelParameters, labelled, labels_in, said_in, said_of

_EXAMPLE = "example:"
# No file system that is in use takes a longer name of a file.
_LONGEST_NAME = 255


def _data_of(table: Mapping[str, Any], where: str) -> DataModel | None:
    """Return the data of a claim, None where it gives none. Raises InputError with a sentence."""
    without = table.get("without", [])
    if not isinstance(without, list) or not all(isinstance(label, str) for label in without):
        raise InputError(f"{where}: without is {shown(without)}; it lists labels of states")
    counts = table.get("counts")
    if counts is None:
        if without:
            raise InputError(f"{where}: without names states of counts, but there are no counts")
        return None
    if isinstance(counts, str):
        return counts_from(_beside(counts, where), without)
    given = _table(counts, where)
    try:
        return DataModel.of(given, without)
    except UnknownNameError:
        raise
    except InputError as error:
        raise InputError(f"{where}: counts: {error}") from None


def _table(value: object, where: str) -> list[list[int]]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError(
            f"{where}: counts is {shown(value)}; it is a table [[..], ..] or the name of a CSV file"
        )
    return [
        [exact_integer(item, f"{where}: counts, row {at}") for item in row]
        for at, row in enumerate(value[: MAX_STATES + 1], 1)
    ]


def _beside(name: str, where: str) -> Path:
    """Return a file in the claim's own directory. Raises InputError for any other place."""
    if where.startswith(_EXAMPLE):
        raise InputError(f"{where}: an example has its counts in itself, not in a file")
    folder = Path(where).parent
    if not (_is_plain(name) and _is_inside(folder / name, folder)):
        raise InputError(
            f"{where}: counts = {shown(name)} is not the name of a file beside the claim"
        )
    if (folder / name).exists() and not (folder / name).is_file():
        raise InputError(f"{where}: counts = {shown(name)} is no regular file")
    return folder / name


def _is_plain(name: str) -> bool:
    short = 0 < len(name.encode()) <= _LONGEST_NAME
    return short and name.isprintable() and "/" not in name and "\\" not in name


def _is_inside(file: Path, folder: Path) -> bool:
    """Whether a file lies in the folder itself, wherever links lead; those in a circle do not."""
    try:
        return file.resolve().parent == folder.resolve()
    except (OSError, RuntimeError):
        return False


# As many as a row of the largest counts that are read can hold.
_MOST_RECORDS = Fraction(MAX_STATES * (10**MAX_COUNT_DIGITS - 1))
_DOMAINS: Mapping[str, Interval] = {
    "k": Interval(above=ZERO),
    "eta": Interval(above=ZERO, at_most=ONE),
    "N": Interval("integer", at_least=ONE, at_most=_MOST_RECORDS),
    "n": Interval("integer", at_least=ONE, at_most=Fraction(MAX_STATES)),
    "gamma": Interval(above=ZERO, below=ONE),
}
KEYS = (*_DOMAINS, "counts", "without", *SAID)


def read_model(table: Mapping[str, Any], where: str) -> tuple[ModelParameters, DataModel | None]:
    """Return vectors with one entry a row, and the data. Raises InputError with a sentence."""
    data = _data_of(table, where)
    given = {key: _numbers(table[key], key, where) for key in _DOMAINS if key in table}
    missing = [key for key in ("k", *OF_DATA) if key not in given]
    if "k" in missing or (missing and data is None):
        raise InputError(
            f"{where}: [release] lacks {', '.join(missing)}{' or counts' * (not data)}"
        )
    rows = _row_count({**given, LABELS: labels_in(table, where) or ZERO}, data, where)
    exact: dict[str, Value] = {
        key: value if isinstance(value, tuple) else (value,) * rows for key, value in given.items()
    }
    if data is None:
        return ModelParameters.read({**exact, **said_in(table, where)}), None
    data = labelled(table, data, where)
    exact |= {key: _off_data(key, data) for key in missing}
    _require_agreement(exact, data, where)
    said = said_of(table, data.labels, missing, where)
    return ModelParameters.read({**exact, **said}), data


def _numbers(value: object, key: str, where: str) -> Value:
    """Return one exact number, or a tuple of them; each inside its domain."""
    if not isinstance(value, list):
        return _number(value, key, key, where)
    if not value or len(value) > MAX_STATES:
        raise InputError(f"{where}: {key} lists {len(value)} numbers; a model has 2 to "
                         f"{MAX_STATES} rows, one number each")  # fmt: skip
    return tuple(_number(item, key, f"{key}, row {at}", where) for at, item in enumerate(value, 1))


def _number(value: object, key: str, place: str, where: str) -> Fraction | int:
    domain = _DOMAINS[key]
    exact = domain.read(f"{where}: {place}", value)
    if not domain.admits(exact):
        raise DomainError(
            f"{where}: {place} = {shown(exact)} is no parameter of markov.model: it needs "
            f"{domain.describe(key)}"
        )
    return exact


def _row_count(given: Mapping[str, Value], data: DataModel | None, where: str) -> int:
    lengths = {key: len(value) for key, value in given.items() if isinstance(value, tuple)}
    if data is not None:
        lengths["counts"] = len(data.rows)
    if not lengths:
        raise InputError(
            f"{where}: nothing says how many rows there are; give a list of one number a row, or "
            "counts"
        )
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{key} has {length}" for key, length in lengths.items())
        raise InputError(f"{where}: each list has one entry a row, but {said}")
    return next(iter(lengths.values()))


def _off_data(key: str, data: DataModel) -> tuple[Fraction | int, ...]:
    found = {"eta": "eta", "N": "records", "n": "feasible"}
    return tuple(getattr(row, found[key]) for row in data.rows)


def _require_agreement(exact: Mapping[str, Any], data: DataModel, where: str) -> None:
    for row, records, feasible in zip(data.rows, exact["N"], exact["n"], strict=True):
        if row.records != records:
            raise InputError(
                f"{where}: the counts of row {shown(row.label)} sum to "
                f"{shown(row.records)}, but its N is {shown(records)}"
            )
        if row.feasible > feasible:
            raise InputError(
                f"{where}: row {shown(row.label)} has "
                f"{shown(row.feasible)} transitions, but its n is {shown(feasible)}"
            )
