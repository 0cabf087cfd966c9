"""The lines of a partial transcript that are not the transcript's own, and how they are read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import msgspec
from msgspec import Meta

from ...reference.errors import InputError
from .binding import FORM, Bound, differing
from .results import Tally
from .worked import Worked
from .written_cases import WrittenCase, written_case

# How each kind of line begins. A case's keys are in canonical order, the check's name first.
CASE, REMEMBERED, CLOSED = b'{"check":', b'{"remembered":', b'{"closed":'
# A line of a transcript is of 2**20 bytes at most; the exact ends of a truth take more than its
# decimals do, and the first line names every file of a backend.
MAX_LINE_BYTES = 2**24
# Differences that are told; there may be one for each file of a backend.
_TOLD = 5

Model = TypeVar("Model")


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a batch: which one it is, its lines, and the digest of every byte before."""

    quantity: str
    number: Annotated[int, Meta(ge=0)]
    lines: Annotated[int, Meta(ge=0)]
    sha256: str


class Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line that closes a batch."""

    closed: Closed


class Remembered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of a case that a tally remembers."""

    remembered: WrittenCase


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    campaign: dict[str, Any]


def first_line(bound: Bound) -> bytes:
    """Return the line that binds a file to a campaign."""
    return _line(_First(dict(bound)))


def closing_line(found: Worked, sha256: str) -> bytes:
    """Return the line that closes a batch."""
    return _line(Closing(Closed(found.quantity, found.number, found.lines.count("\n"), sha256)))


def remembered_lines(found: Worked) -> Iterator[bytes]:
    """Yield a line for each case that a batch's tallies remember, each tally's in order."""
    places = {line: place for place, line in enumerate(found.lines.split("\n"))}
    for tally in found.found.values():
        for written in _remembered(tally, places):
            yield _line(Remembered(written))


def _remembered(tally: Tally, places: Mapping[str, int]) -> Iterator[WrittenCase]:
    for case in tally.sample:
        yield written_case(case, places[case.line().removesuffix("\n")], "sample")
    if tally.worst is not None:
        yield written_case(tally.worst, places[tally.worst.line().removesuffix("\n")], "worst")


def _line(what: msgspec.Struct) -> bytes:
    # A backend's sentence may hold half a surrogate pair, which JSON in ASCII can carry.
    return json.dumps(msgspec.to_builtins(what), separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes, model: type[Model]) -> Model:
    """Return what a line says. Raises InputError where it is no such line."""
    try:
        return msgspec.convert(json.loads(line), model)
    except (ValueError, RecursionError) as error:
        raise InputError(f"a line is not what it begins like: {error}") from None


def require_bound(stream: BinaryIO, bound: Bound, path: Path) -> None:
    """Require that a file is bound to a campaign; raise InputError that says what differs."""
    head = first_line(bound)
    stream.seek(0)
    first = stream.readline(MAX_LINE_BYTES)
    if first == head:
        return
    instead = f"delete {path} to begin anew, or give another transcript"
    try:
        theirs = read_line(first, _First).campaign
        found = differing(json.loads(head)["campaign"], theirs) if theirs["form"] == FORM else []
    except (InputError, KeyError):
        found = []
    if not found:
        raise InputError(f"{path} is no partial transcript of this form: {instead}")
    more = f" and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    told = ", ".join(found[:_TOLD]) + more
    raise InputError(f"{path} is of another campaign, with other {told}: {instead}")
