"""What a backend answered, read as the numbers that it exactly is: one, or nested lists of them.

Not a class of somebody's own, NumPy's included: its conversion may say other numbers than it holds.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, TypeAlias, cast

from ...reference.domain.matrices import MAX_STATES
from ...reference.enclosure import Enclosed, Enclosures, Place
from ...reference.errors import InputError
from ...reference.exact import MAX_DIGITS, exact_number, shown
from .messages import BackendError, said
from .pipes import CrashedError

# A number, exactly, or an infinity; and an array of such.
Real: TypeAlias = Fraction | float
Reals: TypeAlias = "Real | tuple[Reals, ...]"
# Neither part of a fraction is as large, so that both can be written down in so many digits.
_MOST = 10**MAX_DIGITS
# A vector is one deep, a matrix two.
_DEEPEST = 2


class ChangedArgumentsError(Exception):
    """A function changed what it was given: its caller would go on with other numbers."""


def called(function: Callable[..., object], given: Callable[[], dict[str, Any]]) -> object:
    """Return what a function answers. Raises what it raises, or ChangedArgumentsError."""
    arguments = given()
    answer = function(**arguments)
    if not all(map(_are_same, arguments.values(), given().values())):
        raise ChangedArgumentsError("it changed its arguments")
    return answer


def _are_same(one: Any, other: Any) -> bool:
    """Whether two arguments are equal, arrays entry by entry."""
    one, other = (each.tolist() if hasattr(each, "tolist") else each for each in (one, other))
    return bool(one == other)


def real_answers(answer: object) -> tuple[Reals | None, str]:
    """Return what was answered, a number or nested lists of them, or None and why it is none.

    An answer is an object of the backend's: looking at it may raise anything at all, SystemExit
    included. That must not end the run, which would look like a pass; only an interruption by the
    user does.
    """
    try:
        return _read_answers(answer, _DEEPEST, ())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001
        return None, f"answered a {type(answer).__name__} that raises {type(error).__name__}"


def _read_answers(answer: Any, depth: int, place: Place) -> tuple[Reals | None, str]:
    if is_of_numpy(type(answer)) and answer.shape:
        if len(answer.shape) > depth or max(answer.shape) > MAX_STATES:
            return None, f"answered an array of shape {shown(answer.shape)}"
        answer = answer.tolist()
    if not is_any(type(answer), _LISTS) or not depth:
        number, reason = _read_answer(answer)
        return number, f"{reason}{_at(place) if reason else ''}"
    items = list(islice(answer, MAX_STATES + 1))
    if not 1 <= len(items) <= MAX_STATES:
        count = f"more than {MAX_STATES}" if items else "0"
        return None, f"answered a list of {count} entries{_at(place)}"
    values: list[Any] = []
    for at, item in enumerate(items, 1):
        value, reason = _read_answers(item, depth - 1, (*place, at))
        if value is None:
            return None, reason
        values.append(value)
    return tuple(values), ""


def _at(place: Place) -> str:
    return f", at [{','.join(map(str, place))}]" if place else ""


def _read_answer(answer: object) -> tuple[Real | None, str]:
    if isinstance(answer, BaseException):
        return None, _sentence(answer)
    if is_of_numpy(type(answer)):
        answer = cast("Any", answer).item()  # a scalar, or an array of no dimension
    if not is_any(type(answer), _NUMBERS):
        return None, f"answered {shown(answer)}, which is not a real number{_own(type(answer))}"
    # A Decimal that is beyond all doubles is no infinity.
    if isinstance(answer, float | Decimal) and not Decimal(answer).is_finite():
        return (None, "answered NaN") if math.isnan(answer) else (float(answer), "")
    try:
        number: Fraction | None = exact_number(answer, "the answer")
    except InputError:
        number = None
    if number is None or max(abs(number.numerator), number.denominator) >= _MOST:
        return None, f"answered {shown(answer)}, a number of more than {MAX_DIGITS} digits"
    return number, ""


def is_of_numpy(kind: type) -> bool:
    """Whether a class is NumPy's own, of arrays or of scalars, and no class that is made of one."""
    if is_any(kind, _KNOWN):
        return False  # most answers are doubles, and NumPy has many classes
    numpy = sys.modules.get("numpy")  # where nobody has loaded it, nothing is of it
    return numpy is not None and is_any(kind, (numpy.ndarray, *numpy.sctypeDict.values()))


def is_any(kind: type, kinds: Iterable[type]) -> bool:
    """Whether a class is one of these, and not one that says that it is equal to one."""
    return any(kind is each for each in kinds)


def _own(kind: type) -> str:
    """Return what is to be said of a class that is made of numbers or arrays, else nothing."""
    made_of = (each for each in kind.__mro__[1:] if is_any(each, _KNOWN) or is_of_numpy(each))
    of = next(made_of, None)
    return "" if of is None or kind is bool else f" but a class of its own, made of {of.__name__}"


_NUMBERS = (float, int, Fraction, Decimal)
_LISTS = (list, tuple)
_KNOWN = (*_NUMBERS, *_LISTS)


def _sentence(error: BaseException) -> str:
    """Return what was raised in words that a line of a transcript and a terminal can have.

    Those of a program are such already.
    """
    is_one = isinstance(error, BackendError | CrashedError)
    return str(error) if is_one else said(f"{type(error).__name__}: {error}")


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
    parts = _parts(found)
    if parts is None:
        return "a number"
    widths = {None if row is None else len(row) for row in map(_parts, parts)}
    if widths == {None}:
        return f"a list of {len(parts)} numbers"
    if None in widths:
        return f"a list of {len(parts)} entries, some of them lists,"
    if len(widths) > 1:
        return f"a list of {len(parts)} rows of different lengths"
    (width,) = widths
    return f"a list of {len(parts)} rows of {width} numbers"


def _parts(found: Any) -> tuple[Any, ...] | None:
    """Return what an array consists of, or None for a number."""
    parts = found.entries if isinstance(found, Enclosures) else found
    return parts if isinstance(parts, tuple) else None
