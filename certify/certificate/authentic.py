"""Check everything about a certificate's file: signatures first, then what they are on, then more.

Only files that the caller names are read; which keys are trusted is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ...reference.errors import InputError
from ...reference.exact import shown
from ...reference.precision import all_within
from ..files import content_at, name_of
from ..verdict import Verdict, overall
from .algebra import require_algebra
from .claim import CLAIM_SECONDS
from .envelope import opened, require_signed_by
from .keys import trusted_keys
from .models import AnyStatement, ClaimStatement, PapersStatement, Statement
from .reading import read_statement
from .recheck import rechecked
from .transcript_reading import Progress, require_transcript
from .verification import Verified, checked, require_subject

ALL: Final = "all"
Number = int | Literal["all"]


@dataclass(frozen=True, kw_only=True)
class Authentic(Verified):
    """A certificate that checks, who signed it, and which of its cases were judged anew.

    It is authentic, and signed, by a key that was given and whose signature was checked: one that
    merely stands in the file is anybody's word. ``signed_by`` are the fingerprints of all keys that
    are said to have signed, ``checked_by`` of those whose signatures were checked: the ones that
    were given. ``transcript`` says whether one was read, ``rechecked`` how many of its cases were
    judged anew, besides the worst.
    """

    signed_by: tuple[str, ...]
    checked_by: tuple[str, ...]
    transcript: bool
    rechecked: int

    def as_json(self) -> dict[str, object]:
        """Return what was found, for programs."""
        return {
            **super().as_json(),
            "authentic": bool(self.checked_by),
            "signed": bool(self.checked_by),
            "signed_by": list(self.signed_by),
            "checked_by": list(self.checked_by),
            "transcript": self.transcript,
            "rechecked": self.rechecked,
        }


def verify(
    path: str | Path,
    *,
    subject: str | Path | Sequence[str | Path] = (),
    keys: Sequence[str | Path] = (),
    fingerprints: Sequence[str] = (),
    transcript: str | Path | None = None,
    recheck: Number | None = None,
    on_progress: Progress | None = None,
) -> Authentic:
    """Check the certificate in a file, signed or not, without trusting whoever made it.

    The text ``-`` is standard input. Each of ``keys``, PEM files, must have signed it; they must be
    those of ``fingerprints``, if any are given. Each ``subject`` must be a file that it is about,
    ``transcript`` its campaign's, of which so many cases are judged anew, or all. Of the register
    of claims every entry is derived again, or only ``recheck`` of them, which leaves the whole
    undecided. Raises InputError where a file cannot be read, CertificateError, one subclass per
    failure, where the certificate does not check, and BudgetSpentError where there was no time to
    tell what a claim file claims.
    """
    trusted = trusted_keys(keys, fingerprints)
    if isinstance(recheck, int) and recheck < 1:
        raise InputError(f"--recheck {shown(recheck)}: ask for one case at least, or for {ALL}")
    name = name_of(path)
    found = opened(content_at(path), name)
    checked_by = require_signed_by(found, trusted)
    statement = read_statement(found.payload, name)
    _require_usable(statement, recheck, transcript)
    campaign = _campaign_of(statement, transcript)
    number = None if recheck == ALL else recheck
    # A claim file may leave a number to be chosen, which is work as well.
    with all_within(CLAIM_SECONDS if isinstance(statement, ClaimStatement) else None):
        for file in [subject] if isinstance(subject, str | Path) else subject:
            require_subject(statement, file)
        if campaign and transcript is not None:
            require_algebra(campaign)
            require_transcript(transcript, campaign, on_progress)
        result, cases, verdict = checked(statement, number, on_progress), 0, []
    if campaign and transcript is not None and recheck is not None:
        cases, anew = rechecked(transcript, campaign, number, on_progress)
        # Cases that pass add nothing to a whole that is no pass.
        verdict = [] if anew is Verdict.CERTIFIED else [anew]
    return Authentic(
        statement,
        result.witnesses,
        overall([result.verdict, *verdict]),
        result.audit,
        result.decided_since,
        signed_by=tuple(found.keyids),
        checked_by=tuple(checked_by),
        transcript=transcript is not None,
        rechecked=cases,
    )


def _require_usable(
    statement: AnyStatement, recheck: Number | None, transcript: str | Path | None
) -> None:
    if isinstance(statement, PapersStatement):
        return  # its entries need no transcript
    if recheck is not None and transcript is None:
        raise InputError("--recheck judges cases of a transcript: give it, by --transcript")


def _campaign_of(statement: AnyStatement, transcript: str | Path | None) -> Statement | None:
    if not isinstance(statement, ClaimStatement | PapersStatement):
        return statement
    if transcript is not None:
        kind = "a release" if isinstance(statement, ClaimStatement) else "the register of claims"
        raise InputError(f"--transcript: the certificate of {kind} has none; nothing is in one")
    return None
