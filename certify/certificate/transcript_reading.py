"""Read a campaign's transcript, every case that was judged, and require that it adds up.

Each line is the canonical JSON of one case; the cases are the campaign's, in its order; so many are
of each check as the certificate says, the gravest of them is the check's verdict, and the worst
cases are among them. Memory is one batch's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ..points import Line
from ..verdict import Verdict, overall_of_cases
from .errors import TranscriptError
from .models import Check, Statement
from .transcript_line import case_in, is_witness
from .transcript_order import require_order
from .transcript_stream import lines_in

_TELL_EVERY: Final = 2_000

Progress = Callable[[int, int], None]
Key = tuple[str, str]


def require_transcript(
    path: str | Path, statement: Statement, on_progress: Progress | None = None
) -> None:
    """Require that the file is the transcript of the certificate's campaign, to the last line.

    Raises InputError where it cannot be read, TranscriptError where it is not.
    """
    checks = checks_by_key(statement)
    missing = {key for key, check in checks.items() if check.worst}
    found: dict[tuple[str, str, Verdict], int] = {}
    total = cases_of(statement)

    def cases() -> Iterator[tuple[int, Line]]:
        for number, line in enumerate(lines_of(path, statement), 1):
            case = case_in(line, number)
            check = check_of(case, checks, number)
            key = case.quantity, case.check, case.verdict
            found[key] = found.get(key, 0) + 1
            if case.verdict is check.verdict and is_witness(case, check.worst):
                missing.discard((case.quantity, case.check))
            if on_progress and number % _TELL_EVERY == 0:
                on_progress(number, total)
            yield number, case

    # First that it is this campaign's at all: what is wrong with a line is told of no other's.
    for _ in lines_of(path, statement):
        pass
    require_order(cases(), statement)
    for check in checks.values():
        _require_sum(check, found)
    if missing:
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
