"""One line of a transcript as it is read here: a stranger's, so in the limits of certificates."""

from __future__ import annotations

import msgspec

from ...reference.errors import InputError
from ..points import Line, line_in
from .errors import TranscriptError, plainly
from .models import Witness

# Decimals take longer than all else, and only a worst case's are compared.
_NO_ENDS = "0", "0"


def case_in(content: bytes, number: int) -> Line:
    """Return the case on a line, which has to be its canonical JSON. Raises TranscriptError."""
    try:
        line = line_in(content)
    except InputError as error:
        raise TranscriptError(f"line {number} of the transcript {plainly(error)}") from None
    try:
        _witness(line, _NO_ENDS)
    except msgspec.ValidationError as error:
        what = f"line {number} of the transcript is no case"
        raise TranscriptError(f"{what}: {plainly(error)}") from None
    return line


def witness_in(line: Line) -> Witness:
    """Return a line's case as a certificate states it. Raises ValidationError."""
    return _witness(line, line.decimals())


def is_witness(line: Line, witness: Witness | None) -> bool:
    """Whether a line's case is the one that a certificate states."""
    return (
        witness is not None
        and line.parameters == witness.parameters
        and witness_in(line) == witness
    )


def _witness(line: Line, ends: tuple[str, str]) -> Witness:
    shape = {
        "parameters": line.parameters,
        "value": line.value,
        "lower": ends[0],
        "upper": ends[1],
        "entry": line.entry,
        "others": [
            {"quantity": each.quantity, "parameters": each.parameters, "value": each.value}
            for each in line.others
        ],
    }
    return msgspec.convert(shape, Witness)
