"""One line of a transcript: a case in canonical JSON, its check and its kind of point."""

from __future__ import annotations

import msgspec
import rfc8785

from ..points import PointKind
from ..verdict import Verdict
from .errors import TranscriptError, plainly
from .models import CheckName, Witness
from .texts import Text


class Line(Witness, frozen=True):
    """One case: of which check of which quantity, at a point of which kind, and its verdict."""

    quantity: Text
    check: CheckName
    kind: PointKind
    verdict: Verdict

    def is_witness(self, witness: Witness | None) -> bool:
        """Whether this is the case that a certificate states."""
        return witness is not None and all(
            getattr(self, name) == getattr(witness, name) for name in witness.__struct_fields__
        )


_DECODER = msgspec.json.Decoder(Line)


def case_in(line: bytes, number: int) -> Line:
    """Return the case on a line, which has to be its canonical JSON. Raises TranscriptError."""
    try:
        case = _DECODER.decode(line)
    # For bytes that are no UTF-8 msgspec has an error of its own, or not, by where they stand.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what = f"line {number} of the transcript is no case"
        raise TranscriptError(f"{what}: {plainly(error)}") from None
    if not _is_canonical(line, case):
        raise TranscriptError(f"line {number} of the transcript is not in canonical form")
    return case


def _is_canonical(line: bytes, case: Line) -> bool:
    # For ASCII without control characters, and without floats, as here, this fast encoder writes
    # what RFC 8785 asks for; where the two might differ the slow one decides.
    if line.isascii() and msgspec.json.encode(case, order="sorted") == line:
        return True
    try:
        return rfc8785.dumps(msgspec.to_builtins(case)) == line
    except rfc8785.CanonicalizationError:
        return False
