"""The data of a claim about a model: counts in the claim itself, or in a CSV file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....reference.errors import InputError, UnknownNameError
from ....reference.exact import exact_integer, shown
from ....reference.markov.model.data import DataModel, counts_from
from ....reference.matrix_kinds import MAX_STATES

_EXAMPLE = "example:"
# No file system that is in use takes a longer name of a file.
_LONGEST_NAME = 255


def data_of(table: Mapping[str, Any], where: str) -> DataModel | None:
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
