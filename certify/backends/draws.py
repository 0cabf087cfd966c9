"""What a sampler answered, read as an array of doubles, one draw a row.

Classes of somebody's own are no such answer, as in ``answers``.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...reference.exact import shown
from .answers import is_any, is_of_numpy
from .messages import BackendError, said
from .pipes import CrashedError

Draws: TypeAlias = NDArray[np.float64]  # one draw a row
_DOUBLE_BYTES = 8


class BadDrawsError(Exception):
    """An answer that is not the draws that were asked for; says why."""


def draws_in(answer: object, count: int, width: int | None) -> Draws:
    """Return so many draws of so many coordinates; width None: a number each.

    Raises BadDrawsError. An answer is an object of the backend's: looking at it may raise anything,
    SystemExit included, which is no answer either; an interruption by the user passes.
    """
    try:
        found = _read(answer, count, width)
    except (BadDrawsError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001
        kind = type(answer).__name__
        raise BadDrawsError(f"answered a {kind} that raises {type(error).__name__}") from None
    bad = np.argwhere(~np.isfinite(found))
    if len(bad):
        row, column = bad[0]
        place = f"{row + 1}" if width is None else f"{row + 1},{column + 1}"
        raise BadDrawsError(f"answered {float(found[row, column])} at [{place}]")
    return found


def _read(answer: Any, count: int, width: int | None) -> Draws:
    if isinstance(answer, BaseException):
        is_one = isinstance(answer, BackendError | CrashedError)
        words = said(str(answer))
        raise BadDrawsError(words if is_one else f"{type(answer).__name__}: {words}")
    if type(answer) is np.ndarray:
        return _array(answer, count, width)
    if _is_plain(answer, count, width):
        return np.array(answer, dtype=np.float64).reshape(count, width or 1)
    rows = _items(answer, count, "draws", "")
    if width is None:
        table = [[_number(item, f"{at}")] for at, item in enumerate(rows, 1)]
    else:
        table = [
            [_number(item, f"{at},{n}") for n, item in enumerate(_row(row, width, at), 1)]
            for at, row in enumerate(rows, 1)
        ]
    return np.array(table, dtype=np.float64)


def _is_plain(answer: Any, count: int, width: int | None) -> bool:
    """Whether this is what is meant, lists of floats and nothing in disguise; for speed alone."""
    if type(answer) is not list or len(answer) != count:
        return False
    rows = [answer] if width is None else answer
    length = count if width is None else width
    return all(
        type(row) is list and len(row) == length and set(map(type, row)) == {float} for row in rows
    )


def _array(answer: np.ndarray[Any, Any], count: int, width: int | None) -> Draws:
    wanted = (count,) if width is None else (count, width)
    if answer.shape != wanted:
        raise BadDrawsError(f"answered an array of shape {answer.shape}, not {wanted}")
    if answer.dtype.kind != "f" or answer.dtype.itemsize > _DOUBLE_BYTES:
        raise BadDrawsError(f"answered an array of {answer.dtype}, which are no doubles")
    return np.array(answer, dtype=np.float64).reshape(count, width or 1)


def _items(answer: Any, count: int, what: str, place: str) -> list[Any]:
    if not is_any(type(answer), (list, tuple)):
        raise BadDrawsError(f"answered {shown(answer)}{place}, which is no list of {what}")
    items = list(islice(answer, count + 1))
    if len(items) != count:
        number = f"more than {count}" if len(items) > count else f"{len(items)}"
        raise BadDrawsError(f"answered {number} {what}{place}, not {count}")
    return items


def _row(row: Any, width: int, at: int) -> list[Any]:
    if type(row) is np.ndarray and row.ndim == 1:
        row = row.tolist()
    return _items(row, width, "coordinates", f" at [{at}]")


def _number(item: Any, place: str) -> float:
    kind = type(item)
    if kind is float:
        return float(item)
    if is_of_numpy(kind) and isinstance(item, np.floating) and item.itemsize <= _DOUBLE_BYTES:
        return float(item)
    if kind is int:
        number = float(item)
        if int(number) == item:
            return number
    raise BadDrawsError(f"answered {shown(item)} at [{place}], which is no double")
