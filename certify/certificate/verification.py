"""Check a certificate without trusting whoever made it, and without the backend or the data.

What is read is hostile until checked: the shape is closed, the bytes must be canonical, the
verdict must follow from its parts, and every worst case, or the claim itself, is decided again.
Nothing in a certificate can name a file to be read or code to be run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...reference.errors import InputError
from ...reference.exact import MAX_FILE_BYTES, parse_toml, read_file
from ...reference.precision import BudgetSpentError, all_within
from ..audits.claim import claim_without_files
from ..audits.decision import Audit
from ..checks.judgement import overall_of_checks
from ..files import sha256_of_file
from ..verdict import Verdict, is_decided_since, overall, standing
from .algebra import require_algebra, require_subjects
from .claim import claim_verdict, decided_since, published_claim
from .errors import SubjectError
from .models import (
    AnyStatement,
    Check,
    ClaimStatement,
    PapersStatement,
    Sampler,
    Statement,
)
from .own_forward import require_own_forwards
from .papers import Progress, is_of_this_register, papers_verdict
from .release import require_no_false_release, require_released
from .samplers import counts_verdict
from .worst_case import witness_verdict

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

    def as_json(self) -> dict[str, object]:
        """Return what was found, for programs."""
        predicate = self.statement.predicate
        about: dict[str, object]
        if isinstance(self.statement, ClaimStatement):
            about = _about_a_claim(self.statement)
        elif isinstance(self.statement, PapersStatement):
            about = _about_papers(self.statement)
        else:
            checks = self.statement.predicate.checks
            about = {
                "kind": "backend",
                "backend": self.statement.predicate.scope.backend,
                "checks": len(checks),
                "samplers": len(self.statement.predicate.samplers),
            }
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


def _about_a_claim(statement: ClaimStatement) -> dict[str, object]:
    drawn = statement.predicate.release
    return {
        "kind": "claim",
        "claim": msgspec.to_builtins(statement.predicate.claim),
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
    """Return how an item stands; what contradicts it was refused before."""
    return standing(item.verdict, found) or found


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


def require_subject(statement: AnyStatement, file: str | Path) -> None:
    """Raise SubjectError unless the file is one that the certificate is about.

    Where it is a claim file, it must make the claim that a release's certificate states. A file of
    data that it names is not opened; what was read off it is taken to be as the certificate states.
    Where it is the release that was made, it must be one of that claim, of that making; and where
    a claim's certificate names a release, one of that claim, and not drawn from a seed.
    """
    digest = sha256_of_file(file)
    known = {item.digest.sha256 for item in statement.subject}
    if digest not in known:
        raise SubjectError(f"{file} (sha256 {digest}) is not a subject of the certificate")
    # A larger file `audit` does not read either, so it is no claim; nor is it a release.
    if not isinstance(statement, ClaimStatement) or Path(file).stat().st_size > MAX_FILE_BYTES:
        return
    content, drawn = read_file(file), statement.predicate.release
    if drawn is not None and digest == drawn.file.digest.sha256:
        require_released(statement.predicate, content, str(file))
        return
    if drawn is None:
        require_no_false_release(statement.predicate.claim, content, str(file))
    _require_same_claim(statement, content, str(file))


def _require_same_claim(statement: ClaimStatement, content: bytes, name: str) -> None:
    try:
        table = parse_toml(content, name)
    except InputError:
        return  # a release of data, say
    if not {"release", "claim"} <= set(table):
        return
    try:
        stated = statement.predicate.claim
        claim = claim_without_files(table, name, stated.release)
    except InputError as error:
        raise SubjectError(f"the claim file cannot be read: {error}") from None
    if published_claim(claim) != stated:
        raise SubjectError(f"{name} makes another claim than the certificate states")
