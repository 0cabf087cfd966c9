"""What a backend answered, read as the doubles that it is: a number, or nested lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ...reference.enclosures import Enclosed, Enclosures, Place
from ...reference.exact import shown
from ...reference.matrix_kinds import MAX_STATES

# A double, exactly, or an infinity; and an array of such.
Real: TypeAlias = Fraction | float
Reals: TypeAlias = "Real | tuple[Reals, ...]"
# A vector is one deep, a matrix two.
_DEEPEST = 2


def real_answers(answer: object) -> tuple[Reals | None, str]:
    """Return what was answered, a double or nested lists of them, or None and why it is none.

    An answer is an object of the backend's: looking at it may raise anything at all.
    """
    try:
        return _read_answers(answer, _DEEPEST)
    except Exception as error:  # noqa: BLE001
        return None, f"answered a {type(answer).__name__} that raises {type(error).__name__}"


def _read_answers(answer: Any, depth: int) -> tuple[Reals | None, str]:
    if getattr(answer, "shape", ()) and hasattr(answer, "tolist"):
        answer = answer.tolist()  # a NumPy array
    if not isinstance(answer, list | tuple) or not depth:
        return real_answer(answer)
    if not 1 <= len(answer) <= MAX_STATES:
        return None, f"answered a list of {len(answer)} entries"
    values: list[Any] = []
    for item in answer:
        value, reason = _read_answers(item, depth - 1)
        if value is None:
            return None, reason
        values.append(value)
    return tuple(values), ""


def real_answer(answer: object) -> tuple[Fraction | float | None, str]:
    """Return the double that was answered, exactly (or an infinity), or None and why it is none.

    An answer is an object of the backend's: looking at it may raise anything at all.
    """
    try:
        return _read_answer(answer)
    except Exception as error:  # noqa: BLE001
        return None, f"answered a {type(answer).__name__} that raises {type(error).__name__}"


def _read_answer(answer: object) -> tuple[Fraction | float | None, str]:
    if isinstance(answer, BaseException):
        return None, f"{type(answer).__name__}: {answer}"
    if getattr(answer, "shape", None) == () and hasattr(answer, "item"):
        answer = answer.item()  # a NumPy scalar, or an array of no dimension
    if isinstance(answer, bool) or not isinstance(answer, float | int):
        return None, f"answered {shown(answer)}, which is not a real number"
    try:
        number = float(answer)
    except OverflowError:
        return None, f"answered {shown(answer)}, which is beyond double range"
    if math.isnan(number):
        return None, "answered NaN"
    if isinstance(answer, int) and int(number) != answer:
        return None, f"answered {shown(answer)}, a whole number that is no double"
    return (number if math.isinf(number) else Fraction(number)), ""


def placed(values: Reals, place: Place = ()) -> Iterator[tuple[Place, Real]]:
    """Yield every number with its place, counted from 1; that of a number alone is ()."""
    if not isinstance(values, tuple):
        yield place, values
        return
    for at, item in enumerate(values, 1):
        yield from placed(item, (*place, at))


def of_one_shape(truth: Enclosed, values: Reals) -> bool:
    """Whether an answer has the shape of what it answers."""
    if not isinstance(truth, Enclosures) or not isinstance(values, tuple):
        return not isinstance(truth, Enclosures) and not isinstance(values, tuple)
    return len(values) == len(truth.entries) and all(map(of_one_shape, truth.entries, values))


def shape_of(found: Enclosed | Reals) -> str:
    """Return what kind of array it is, in words."""
    parts: Sequence[Any] = found.entries if isinstance(found, Enclosures) else found  # type: ignore[assignment]
    if not isinstance(parts, tuple):
        return "a number"
    nested = isinstance(parts[0], tuple | Enclosures)
    return f"a list of {len(parts)} {'rows' if nested else 'numbers'}"
