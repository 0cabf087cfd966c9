"""Read the text, the exact numbers and the counts of a private file; no sentence shows any of them.

Where private data set off an error, its sentence is replaced by one of ours. An exception keeps the
one that it was raised in (``__context__``), even behind ``from None``; so ours is raised only after
the first exception was left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from ....reference.errors import InputError
from ....reference.exact import MAX_BITS, exact_number, read_file
from ....reference.labels import MAX_COUNT_DIGITS

T = TypeVar("T")


def told(read: Callable[[], T], sentence: str, *, of: type[Exception] = InputError) -> T:
    """Return what ``read`` returns; where it raises ``of``, raise the sentence and nothing else."""
    with suppress(of):
        return read()
    raise InputError(sentence)


def text_of(path: str | Path) -> str:
    """Return the text of a file. Raises InputError with its name and nothing out of it.

    What is no regular file is not opened: a pipe would be waited for.
    """
    file = Path(path)
    if _is_irregular(file):
        raise InputError(f"cannot read {file}: it is no regular file")
    content = read_file(file)
    text = told(
        lambda: content.decode("utf-8-sig"), f"{file} is not UTF-8 text", of=UnicodeDecodeError
    )
    if "\0" in text:
        raise InputError(f"{file} holds a NUL character; it is no text file")
    return text


def _is_irregular(file: Path) -> bool:
    """Whether there is something else than a file; read_file says what is wrong with a name."""
    with suppress(OSError, ValueError):
        return file.exists() and not file.is_file()
    return False


# A short text may stand for a long number, such as 1e-9999; a column of many such is not held. A
# few may be as long as any number that is read, many have at most some 75 digits on either side.
_MAX_BITS_A_FIELD = 512
# Of a file's columns so many may have a few; each of a hundred thousand may not.
_MAX_LONG_COLUMNS = 100

Number = TypeVar("Number", int, Fraction)
_Place = Callable[[int], str]


class Room:
    """Room for the numbers of a whole file, which takes what its columns are read to."""

    def __init__(self, fields: int) -> None:
        """Have room for so many fields."""
        self.bits = _MAX_LONG_COLUMNS * MAX_BITS + _MAX_BITS_A_FIELD * fields


def exact_fields(fields: Sequence[str], place: _Place, room: Room | None = None) -> list[Fraction]:
    """Return the numbers that fields hold; ``place`` says where one stands. Raises InputError.

    ``room`` is that of the file, where its columns are read one by one.
    """
    read: dict[str, Fraction | None] = {}
    bits = MAX_BITS + _MAX_BITS_A_FIELD * len(fields)
    room = room or Room(len(fields))
    for field in set(fields):
        number = read[field] = exact_or_none(field)
        size = number.numerator.bit_length() + number.denominator.bit_length() if number else 0
        bits -= size
        room.bits -= size
        if min(bits, room.bits) < 0:
            raise InputError(f"{place(0)} and below: numbers as long as these are not read")
    return _all(fields, read, place, "is not an exact number: an integer, a decimal or a fraction")


def whole_fields(fields: Sequence[str], place: _Place) -> list[int]:
    """Return the counts that fields hold, whole numbers from 0 on in digits. Raises InputError."""
    read = {field: _count(field) for field in set(fields)}
    what = f"is not a whole number from 0 on, written in at most {MAX_COUNT_DIGITS} digits"
    return _all(fields, read, place, what)


def exact_or_none(value: object) -> Fraction | None:
    """Return the number that a value exactly is, None where it is none."""
    with suppress(InputError):
        return exact_number(value)
    return None


def _count(field: str) -> int | None:
    digits = field.isascii() and field.isdigit() and len(field) <= MAX_COUNT_DIGITS
    return int(field) if digits else None


def _all(
    fields: Sequence[str], read: Mapping[str, Number | None], place: _Place, what: str
) -> list[Number]:
    found = []
    for at, field in enumerate(fields):
        number = read[field]
        if number is None:
            raise InputError(f"{place(at)} {what}")
        found.append(number)
    return found
