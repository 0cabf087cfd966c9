"""What goes through the pipes of a program: one JSON value a line, read as hostile until checked.

PROTOCOL.md says the same to whoever writes a program.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.domain.matrices import MAX_STATES
from ...reference.errors import InputError
from ...reference.exact import MAX_MATRIX_VALUES, parse_json, shown
from ..points import double_in, real_in, written_point

_PROTOCOL_VERSION = 1
# A matrix as large as any that is looked at, each entry in quotes with a comma and a space.
MAX_ANSWER_BYTES = MAX_STATES**2 * 32
# All names there are, with a slack and an accuracy each, are a tenth of this.
MAX_DECLARATION_BYTES = 2**20
# So much of a program's own words stands in a sentence, out of so many that are looked at.
_MOST_SAID = 500
_MOST_HEARD = 10 * _MOST_SAID
# So much of a line that it wrote, and of what stands where that is no JSON.
_MOST_OF_A_LINE, _MOST_OF_A_PLACE = 200, 20
_DEEPEST = 2  # a matrix is a list of lists
# How the reason ends for which a text is no JSON.
_PLACE = re.compile(r": line 1 column ([0-9]+) \(char [0-9]+\)$")
_DIGITS = re.compile(r"[0-9]+")
_FIRST = '{"name": ..., "version": ..., "quantities": [...]}'
_ANSWER = '{"id": ..., "value": ...} or {"id": ..., "error": "why"}'
_ELSEWHERE = "standard output is for such lines alone, warnings go to standard error"

# A number in C's smallest long, so that any language reads it.
_NUMBERS = 2**31


class BackendError(Exception):
    """A backend says, or it is found, that it has no answer to one question."""

    def __init__(self, reason: str, seen: str | None = None) -> None:
        super().__init__(reason)
        self.seen = seen

    def __repr__(self) -> str:
        return super().__repr__() if self.seen is None else self.seen


class OutOfStepError(Exception):
    """What a program wrote is not the answer to what it was asked: it cannot be asked further."""


@dataclass(frozen=True)
class Declared:
    """What a program says of itself, as it said it; the attributes that a backend has."""

    name: Any
    version: Any
    quantities: tuple[str, ...]
    slack: Any
    accuracy: Any
    samplers: tuple[str, ...] = ()
    domain: Any = None
    direction: Any = None
    vectorized: Any = None


def opening() -> bytes:
    """Return the line that a program is sent first."""
    return _line({"protocol": _PROTOCOL_VERSION})


def unforeseen() -> int:
    """Return a number for a question that nobody can tell before it is asked.

    An answer must repeat it, so none can have been written before its question was read.
    """
    return 1 + secrets.randbelow(_NUMBERS - 1)


def question(
    number: int, quantity: str, parameters: Mapping[str, Any], arrays: Sequence[str] = ()
) -> bytes:
    """Return the line that asks for a quantity; keys in this order, text in ASCII, no line feed.

    ``arrays`` are the real parameters that have a value for each of several points.
    """
    written = written_point(parameters)
    message = {"id": number, "quantity": quantity, "parameters": written}
    return _line(message | {"arrays": list(arrays)} if arrays else message)


def request(
    number: int, sampler: str, parameters: Mapping[str, Any], count: int, seed: int
) -> bytes:
    """Return the line that asks for so many draws."""
    written = written_point(parameters)
    message = {"id": number, "sampler": sampler, "parameters": written}
    return _line({**message, "count": count, "seed": seed})


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, allow_nan=False).encode() + b"\n"


def written_line(message: Mapping[str, Any]) -> bytes:
    """Return an answer as a program in Python writes it, its floats in hex."""
    return _line(written_point(message))


def answer_in(
    line: bytes, number: int, check: Callable[[], None] = lambda: None, before: int | None = None
) -> Any:
    """Return what a line answers to the question of this number, floats and lists of them.

    ``check`` is called again and again, and may end the reading by what it raises; ``before`` is
    the number of the question before, if there was one. Raises BackendError where that is no
    answer, and OutOfStepError where the line is not to this question, so that no later line can be
    trusted either. Either shows the line, in which the two numbers, which differ from run to run,
    are ID and EARLIER.
    """
    names = {number: "ID", before: "EARLIER"}
    seen = said_line(line, names)
    try:
        message = _object_in(line, names, check)
    except OutOfStepError as error:
        raise OutOfStepError(f"{error}: an answer is {_ANSWER}; {_ELSEWHERE}") from None
    if type(message.get("id")) is not int or message["id"] != number:
        why = "its id is not ID, the question's, as a whole number"
        if before is not None and message.get("id") == before:
            why = "its id is that of the question before: there is a line too many, or one is late"
        raise OutOfStepError(
            f"it answered what it had not been asked: it wrote {seen}, and {why}; each question "
            "is answered by one line that repeats its id"
        )
    if ("value" in message) == ("error" in message):
        raise BackendError(
            f"the answer has not exactly one of value and error: it wrote {seen}; an answer is "
            f"{_ANSWER}"
        )
    if "error" in message:
        shown_there = message.get("answer")
        raise BackendError(
            said(message["error"]), said(shown_there) if isinstance(shown_there, str) else None
        )
    try:
        return _number_or_list(message["value"], _DEEPEST, check)
    except BackendError as error:
        raise BackendError(f"{error}; it wrote {seen}") from None


def _object_in(
    line: bytes, names: Mapping[int | None, str], check: Callable[[], None] | None = None
) -> dict[str, Any]:
    """Return a line's JSON object. Raises OutOfStepError, which shows the line."""
    seen = said_line(line, names)
    try:
        message = parse_json(line, "which", most=MAX_MATRIX_VALUES, check=check)
    except InputError as error:
        reason = _placed(said(str(error)), line, names)
        raise OutOfStepError(f"it wrote {seen}, {reason}") from None
    if not isinstance(message, dict):
        raise OutOfStepError(f"it wrote {seen}, which is no JSON object")
    return message


def _placed(reason: str, line: bytes, names: Mapping[int | None, str]) -> str:
    """Return why a line is no JSON, with what stands where it is none and not the column.

    The numbers of questions, of any length, stand before it.
    """
    place = _PLACE.search(reason)
    if place is None:
        return reason
    why, rest = reason[: place.start()], line.decode()[int(place[1]) - 1 :].encode()
    if len(rest) == len(line):
        return why
    there = said_line(rest, names, _MOST_OF_A_PLACE)
    return f"{why} before {there}" if rest else f"{why} at its end"


def said_line(line: bytes, names: Mapping[int | None, str], most: int = _MOST_OF_A_LINE) -> str:
    """Return the beginning of a line that a program wrote, in quotes and in ASCII.

    Numbers that have a name stand in it by that.
    """
    named = {str(number): name for number, name in names.items() if number is not None}
    text = line[: 2 * most].decode("utf-8", "backslashreplace")
    text = _DIGITS.sub(lambda found: named.get(found[0], found[0]), text)
    quoted = ascii(text[:most])
    return quoted if len(text) <= most and len(line) <= 2 * most else f"{quoted}..."


def _number_or_list(value: Any, depth: int, check: Callable[[], None]) -> Any:
    """Return a value with its hex text read; what else is no number, the check of answers says."""
    check()
    if isinstance(value, list) and depth:
        return [_number_or_list(item, depth - 1, check) for item in value]
    if isinstance(value, str):
        return _answered_real(value)
    if isinstance(value, Fraction):
        raise BackendError(
            f"answered the JSON number {shown(value)}; a float is written as C99 hex text such as "
            '"0x1.8p-1"'
        )
    return value


def _answered_real(text: str) -> Fraction | float:
    try:
        return real_in(text) if "/" in text else double_in(text)
    except InputError as error:
        raise BackendError(f"answered {error}") from None


def declaration_in(line: bytes, where: str) -> Declared:
    """Return what a program declares. Raises InputError, which shows the line, where it is none."""
    seen = said_line(line, {})
    try:
        message = _object_in(line, {})
    except OutOfStepError as error:
        raise InputError(
            f"{where} did not declare itself: in line 1 {error}: it must be {_FIRST}; {_ELSEWHERE}"
        ) from None
    if "error" in message:
        raise InputError(said(message["error"]))
    try:
        return Declared(
            message.get("name"),
            message.get("version"),
            _names(message.get("quantities"), "quantities", where),
            _shares(message.get("slack")),
            _shares(message.get("accuracy")),
            _names(message.get("samplers", []), "samplers", where),
            _domains(message.get("domain")),
            message.get("direction"),
            message.get("vectorized"),
        )
    except InputError as error:
        raise InputError(f"{error}; line 1 that it wrote is {seen}") from None


def _names(value: Any, attribute: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{where} declares {attribute} = {shown(value)}, not a list of names")
    if len(set(value)) < len(value):
        one = "quantity" if attribute == "quantities" else "sampler"
        raise InputError(f"{where} declares a {one} twice")
    return tuple(value)


def _shares(value: Any) -> Any:
    """Return the shares that are declared, with those read that are doubles in hex."""
    if not isinstance(value, dict):
        return value
    return {name: _share(share) for name, share in value.items()}


def _domains(value: Any) -> Any:
    """Return the ranges that are declared, with those ends read that are doubles in hex."""
    if isinstance(value, dict):
        return {name: _domains(item) for name, item in value.items()}
    return [_share(item) for item in value] if isinstance(value, list) else value


def _share(value: Any) -> Any:
    try:
        return double_in(value) if isinstance(value, str) and "x" in value.lower() else value
    except InputError as error:
        raise InputError(f"a number that was declared: {error}") from None


def said(words: Any) -> str:
    """Return a program's own words in a length and in characters that a sentence can have."""
    if not isinstance(words, str):
        return shown(words)
    is_whole = len(words) <= _MOST_HEARD
    words = " ".join(words[:_MOST_HEARD].split())
    plain = words.encode("ascii", "backslashreplace").decode()
    plain = "".join(letter if letter.isprintable() else "?" for letter in plain)
    return plain if is_whole and len(plain) <= _MOST_SAID else f"{plain[:_MOST_SAID]}..."
