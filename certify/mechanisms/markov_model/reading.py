"""Read a claim about a model: one number a row, or one for all, and the data where they are given.

N, n and eta may be left out where counts are given; they are then read off these, and the audit
says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ....reference.domain import ONE, ZERO, Interval, Value
from ....reference.errors import DomainError, InputError
from ....reference.exact import shown
from ....reference.markov.model.data import DataModel
from ....reference.markov.model.table import MAX_COUNT_DIGITS
from ....reference.matrix_kinds import MAX_STATES
from .counted import data_of
from .rows import ModelParameters
from .said import LABELS, OF_DATA, SAID, labelled, labels_in, said_in, said_of

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
    data = data_of(table, where)
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
