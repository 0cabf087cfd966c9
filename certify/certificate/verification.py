"""Check a certificate without trusting whoever made it, and without the backend or the data.

Signatures are checked first, then what they are on. What is read is hostile until checked: the
shape is closed, the bytes must be canonical, the verdict must follow from its parts, and every
worst case, or the claim itself, is decided again. Only files that the caller names are read, which
keys are trusted is the caller's to say, and nothing in a certificate can name code to be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from ...reference.display import said_value, table_in_html
from ...reference.errors import InputError, SimplexcertError
from ...reference.exact import exact_number, exact_text, shown
from ...reference.precision import BudgetSpentError, all_within
from ..audits.decision import Audit
from ..checks.judgement import overall_of_checks
from ..files import content_at, name_of
from ..verdict import Verdict, is_decided_since, overall, overall_of_cases, standing, verdict_word
from .backend import require_algebra, require_subjects
from .claim import (
    CLAIM_SECONDS,
    claim_verdict,
    decided_since,
)
from .errors import CertificateError, PolicyError, SignatureError, SubjectError
from .models import (
    AnyStatement,
    Check,
    ClaimStatement,
    Predicate,
    Released,
    Sampler,
    Statement,
)
from .models_papers import PapersStatement
from .papers import is_of_this_register, papers_verdict
from .policy import Policy, require_policy
from .reading import read_statement
from .recheck import rechecked
from .samplers import counts_verdict
from .signing import opened, require_signed_by, trusted_keys
from .subjects import ClaimFile, held_in, require_about
from .transcript import Progress, require_transcript
from .worst_case import largest_slack, require_own_forwards, witness_verdict

# For all worst cases of a backend together; those of all quantities take some ten seconds.
BACKEND_SECONDS = 900.0
_BY_CERTIFY = "to decide it, certify the backend again"


@dataclass(frozen=True)
class Verified:
    """A certificate that checks, and what it says.

    ``verdict`` is the certificate's own, or undecided where it could not be decided again; of the
    register of claims it is certified where every verdict was derived again, whichever they are.
    ``witnesses`` counts the worst cases, the inputs that refute a claim, or the register's entries
    that were worked out again; ``audit`` is what was found of a release. ``decided_since`` says,
    a sentence each, what is stated as undecided and was found now: it stays undecided.
    """

    statement: AnyStatement
    witnesses: int
    verdict: Verdict
    audit: Audit | None = None
    decided_since: tuple[str, ...] = ()

    def __repr__(self) -> str:
        checks = self.statement.predicate.checks if isinstance(self.statement, Statement) else ()
        assumptions = 0 if self.audit is None else len(self.audit.assumptions)
        word = verdict_word(self.verdict, largest_slack(checks), assumptions)
        return f"{word}  {self._standing()}: {_said(self.statement)}"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("subject", one.name) for one in self.statement.subject]
        rows += [("decided since", sentence) for sentence in self.decided_since]
        rows += [("not claimed", sentence) for sentence in self.statement.predicate.non_claims]
        return table_in_html(repr(self), rows)

    def _standing(self) -> str:
        return "consistent"

    def as_json(self) -> dict[str, object]:
        """Return what was found, for programs."""
        predicate = self.statement.predicate
        about: dict[str, object]
        if isinstance(self.statement, ClaimStatement):
            about = _about_a_claim(self.statement, self.audit)
        elif isinstance(self.statement, PapersStatement):
            about = _about_papers(self.statement)
        else:
            about = _about_a_backend(self.statement)
        return {
            "schema_version": 1,
            "authentic": False,
            "signed": False,
            "verdict": self.verdict.value,
            **about,
            "witnesses": self.witnesses,
            "decided_since": list(self.decided_since),
            "non_claims": predicate.non_claims,
        }


def _said(statement: AnyStatement) -> str:
    """Return in a line what a certificate is about; names that its issuer chose in quotes."""
    predicate = statement.predicate
    if isinstance(statement, ClaimStatement):
        claim = statement.predicate.claim
        said = (("epsilon", claim.epsilon), ("delta", claim.delta), ("order", claim.order))
        numbers = ", ".join(
            f"{key} = {said_value(exact_number(value))}" for key, value in said if value is not None
        )
        return f"{claim.mechanism}, {numbers}: {claim.name!r}"
    if isinstance(predicate, Predicate):
        scope = predicate.scope
        names = len({check.quantity for check in predicate.checks if check.cases})
        backend = f"{scope.backend} {scope.backend_version}"
        return f"{names} quantities, {scope.cases} cases of each: {backend!r}"
    return "the verdicts on published statements"


def _about_a_backend(statement: Statement) -> dict[str, object]:
    predicate = statement.predicate
    return {
        "kind": "backend",
        "backend": predicate.scope.backend,
        "version": predicate.scope.backend_version,
        "quantities": sorted({check.quantity for check in predicate.checks if check.cases}),
        "cases": predicate.scope.cases,
        "slack": exact_text(largest_slack(predicate.checks)),
        "checks": len(predicate.checks),
        "samplers": len(predicate.samplers),
    }


def _about_a_claim(statement: ClaimStatement, audit: Audit | None) -> dict[str, object]:
    drawn = statement.predicate.release
    return {
        "kind": "claim",
        "claim": msgspec.to_builtins(statement.predicate.claim),
        "assumptions": audit.assumptions if audit else None,
        "neighbours": audit.neighbours if audit else None,
        "release": None if drawn is None else msgspec.to_builtins(drawn),
    }


def _about_papers(statement: PapersStatement) -> dict[str, object]:
    return {
        "kind": "papers",
        "pattern": statement.predicate.pattern,
        "entries": len(statement.predicate.entries),
        "counts": msgspec.to_builtins(statement.predicate.counts),
        "this_register": is_of_this_register(statement),
    }


def checked(
    statement: AnyStatement, most: int | None = None, on_progress: Progress | None = None
) -> Verified:
    """Check a statement of any kind: its algebra, and everything worked out again.

    ``most`` is how many entries of the register of claims are derived again; None is all of them.
    """
    require_subjects(statement.subject)
    if isinstance(statement, PapersStatement):
        verdict, derived, since = papers_verdict(statement, most, on_progress)
        return Verified(statement, derived, verdict, decided_since=since)
    if isinstance(statement, ClaimStatement):
        verdict, audit = claim_verdict(statement)
        witnesses = int(statement.predicate.witness is not None and audit is not None)
        return Verified(statement, witnesses, verdict, audit, decided_since(statement, audit))
    return _checked_backend(statement)


def _checked_backend(statement: Statement) -> Verified:
    require_algebra(statement)
    with all_within(BACKEND_SECONDS):
        checks = [(one, _in_time(one)) for one in statement.predicate.checks]
        drawn = [(one, counts_verdict(one)) for one in statement.predicate.samplers]
    require_own_forwards(statement.predicate.checks)
    witnesses = sum(check.worst is not None for check in statement.predicate.checks)
    standing_checks = [replace(one, verdict=_stands(one, found)) for one, found in checks]
    verdicts = [_stands(one, found) for one, found in drawn]
    whole = overall([statement.predicate.verdict, overall_of_checks(standing_checks), *verdicts])
    since = (*_checks_since(checks), *_samplers_since(drawn))
    return Verified(statement, witnesses, whole, decided_since=since)


def _stands(item: Check | Sampler, found: Verdict) -> Verdict:
    """Return how an item stands; what contradicts it was refused before, and passes nothing."""
    return standing(item.verdict, found) or overall_of_cases([item.verdict, found])


def _checks_since(checks: Sequence[tuple[Check, Verdict]]) -> Iterator[str]:
    for check, found in checks:
        if is_decided_since(check.verdict, found):
            name = f"{check.quantity}, {check.check}"
            yield f"{name}: stated as undecided, its worst case is {found} now; {_BY_CERTIFY}"


def _samplers_since(drawn: Sequence[tuple[Sampler, Verdict]]) -> Iterator[str]:
    for sampler, found in drawn:
        if is_decided_since(sampler.verdict, found):
            name = f"sampler {sampler.sampler}"
            yield f"{name}: stated as undecided, by its counts it is {found} now; {_BY_CERTIFY}"


def _in_time(check: Check) -> Verdict:
    try:
        return witness_verdict(check)
    except BudgetSpentError:
        return Verdict.UNDECIDED


ALL: Final = "all"
Number = int | Literal["all"]


@dataclass(frozen=True, kw_only=True)
class Authentic(Verified):
    """A certificate that checks, who signed it, and which of its cases were judged anew.

    It is authentic, and signed, by a key that was given and whose signature was checked: one that
    merely stands in the file is anybody's word. ``signed_by`` are the fingerprints of all keys that
    are said to have signed, ``checked_by`` of those whose signatures were checked: the ones that
    were given. ``transcript`` says whether one was read, ``rechecked`` how many of its cases were
    judged anew, besides the worst. Of the files ``digest_alone`` the digest was compared and no
    more: they are neither the claim's file nor a release.
    """

    signed_by: tuple[str, ...]
    checked_by: tuple[str, ...]
    transcript: bool
    rechecked: int
    digest_alone: tuple[str, ...]

    # That of a dataclass would show all of it.
    __repr__ = Verified.__repr__

    def _standing(self) -> str:
        return "authentic" if self.checked_by else "consistent"

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
            "digest_alone": list(self.digest_alone),
        }


def verify(
    path: str | Path,
    *,
    subject: str | Path | Sequence[str | Path] = (),
    keys: Sequence[str | Path] = (),
    fingerprints: Sequence[str] = (),
    transcript: str | Path | None = None,
    recheck: Number | None = None,
    policy: Policy | None = None,
    on_progress: Progress | None = None,
) -> Authentic:
    """Check the certificate in a file, signed or not, without trusting whoever made it.

    The text ``-`` is standard input. Each of ``keys``, PEM files, must have signed it; they must be
    those of ``fingerprints``, if any are given. Each ``subject`` must be a file that it is about,
    ``transcript`` its campaign's, of which so many cases are judged anew, or all. Of the register
    of claims every entry is derived again, or only ``recheck`` of them, which leaves the whole
    undecided. A ``policy`` is what it has to certify, beyond that it checks.

    Raises InputError where a file cannot be read, CertificateError, one subclass per
    failure, where the certificate does not check, and BudgetSpentError where there was no time to
    tell what a claim file claims.
    """
    trusted = trusted_keys(keys, fingerprints)
    files = [subject] if isinstance(subject, str | Path) else list(subject)
    if policy and policy.require_signed and not trusted:
        raise InputError("--require-signed: nobody is known to have signed; give a key, by --key")
    if isinstance(recheck, int) and recheck < 1:
        raise InputError(f"--recheck {shown(recheck)}: ask for one case at least, or for {ALL}")
    name = name_of(path)
    found = opened(content_at(path), name)
    try:
        checked_by = require_signed_by(found, trusted)
    except SignatureError as error:
        raise _told_with(
            error, lambda: _require_asked(read_statement(found.payload, name), files, policy)
        ) from None
    statement = read_statement(found.payload, name)
    _require_usable(statement, recheck, transcript)
    campaign = _campaign_of(statement, transcript)
    number = None if recheck == ALL else recheck
    # A claim file may leave a number to be chosen, which is work as well.
    with all_within(CLAIM_SECONDS if isinstance(statement, ClaimStatement) else None):
        try:
            held = _held(statement, files)
        except SubjectError as error:
            raise _told_with(error, lambda: _require_bounds(statement, policy)) from None
        if campaign and transcript is not None:
            require_algebra(campaign)
            require_transcript(transcript, campaign, on_progress)
        result, cases, verdict = checked(statement, number, on_progress), 0, []
        if policy:
            require_policy(policy, statement, result.audit.claim if result.audit else None)
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
        digest_alone=tuple(each for each, one in held if one is None),
    )


def _told_with(error: CertificateError, others: Callable[[], None]) -> CertificateError:
    """Return an error that tells, too, which files and bounds were asked for and are not met."""
    try:
        others()
    except (SubjectError, PolicyError) as other:
        return type(error)(*error.reasons, *other.reasons)
    except SimplexcertError:  # it cannot be read, or there was no time: one reason is enough
        pass
    return error


def _held(
    statement: AnyStatement, files: Sequence[str | Path]
) -> list[tuple[str, ClaimFile | Released | None]]:
    """Return what each file is. Raises SubjectError for one that a certificate is not about."""
    held = [(str(file), held_in(statement, file)) for file in files]
    require_about(statement, held)
    return held


def _require_asked(
    statement: AnyStatement, files: Sequence[str | Path], policy: Policy | None
) -> None:
    """Raise CertificateError where a certificate is not about the files, or does not keep bounds.

    It was refused already; nothing that it states is worked out again.
    """
    with all_within(CLAIM_SECONDS):
        try:
            _held(statement, files)
        except SubjectError as error:
            raise _told_with(error, lambda: _require_bounds(statement, policy)) from None
        _require_bounds(statement, policy)


def _require_bounds(statement: AnyStatement, policy: Policy | None) -> None:
    if policy:
        require_policy(policy, statement, None)


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
