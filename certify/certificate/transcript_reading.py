"""Read a campaign's transcript, every case that was judged, and require that it adds up.

Each line is the canonical JSON of one case; so many are of each check as the certificate says, the
gravest of them is the check's verdict, and the worst cases are among them. Memory is one line's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
import rfc8785

from ..verdict import Verdict, overall_of_cases
from .errors import TranscriptError, plainly
from .models import Check, CheckName, Statement, Witness
from .texts import Text
from .transcript_stream import lines_in

_TELL_EVERY: Final = 2_000

Progress = Callable[[int, int], None]
Key = tuple[str, str]


class Line(Witness, frozen=True):
    """One case: which check of which quantity, what was found, and on what."""

    quantity: Text
    check: CheckName
    verdict: Verdict


_DECODER = msgspec.json.Decoder(Line)


def require_transcript(
    path: str | Path, statement: Statement, on_progress: Progress | None = None
) -> None:
    """Require that the file is the transcript of the certificate's campaign, to the last line.

    Raises InputError where it cannot be read, TranscriptError where it is not.
    """
    checks = checks_by_key(statement)
    worst = {_worst_line(check) for check in checks.values() if check.worst}
    found: dict[tuple[str, str, Verdict], int] = {}
    total = cases_of(statement)
    for number, line in enumerate(lines_of(path, statement), 1):
        case = case_in(line, number)
        check_of(case, checks, number)
        key = case.quantity, case.check, case.verdict
        found[key] = found.get(key, 0) + 1
        worst.discard(line)
        if on_progress and number % _TELL_EVERY == 0:
            on_progress(number, total)
    for check in checks.values():
        _require_sum(check, found)
    if worst:
        raise TranscriptError("the transcript does not hold a worst case that the certificate has")


def cases_of(statement: Statement) -> int:
    """Return how many cases a certificate is about in all."""
    return sum(check.cases for check in statement.predicate.checks)


def checks_by_key(statement: Statement) -> dict[Key, Check]:
    """Return the checks by quantity and kind, as the lines of a transcript name them."""
    return {(check.quantity, check.check): check for check in statement.predicate.checks}


def check_of(case: Line, checks: Mapping[Key, Check], number: int) -> Check:
    """Return the check that a line's case belongs to. Raises TranscriptError."""
    check = checks.get((case.quantity, case.check))
    if check is None:
        raise TranscriptError(f"line {number} of the transcript is of no check that was made")
    return check


def lines_of(path: str | Path, statement: Statement) -> Iterator[bytes]:
    """Yield the lines without their ends; require their number and their digest after the last."""
    return lines_in(path, cases_of(statement), statement.predicate.transcript.sha256)


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


def _worst_line(check: Check) -> bytes:
    """Return the line that the worst case of a check has in the transcript."""
    names = {"quantity": check.quantity, "check": check.check, "verdict": check.verdict.value}
    return rfc8785.dumps({**names, **msgspec.to_builtins(check.worst)})


def _require_sum(check: Check, found: Mapping[tuple[str, str, Verdict], int]) -> None:
    name = f"{check.quantity}, {check.check}"
    counted = {
        verdict: number
        for verdict in Verdict
        if (number := found.get((check.quantity, check.check, verdict), 0))
    }
    cases = sum(counted.values())
    if cases != check.cases:
        raise TranscriptError(
            f"{name}: the transcript has {cases} cases, {check.cases} were judged"
        )
    gravest = overall_of_cases(counted)
    if gravest is not check.verdict:
        raise TranscriptError(
            f"{name}: the gravest case of the transcript is {gravest}, not {check.verdict}"
        )
