"""Make the certificate of a release from its audit: the same audit gives the same bytes.

What is published is taken from what ``audit --json`` publishes, so that the two cannot disagree.
No value of private data is in it: counts are left out, and so are notes that were told from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.exact import exact_json, exact_text
from ...reference.precision import BudgetSpentError
from ..audits.claim import claim_in
from ..audits.decision import Audit
from ..mechanisms.hypotheses import DATA, Finding
from ..mechanisms.protocol import Claim
from ..mechanisms.questions import Question, Term, Truth, written
from .errors import CertificateError, ClaimError
from .models import (
    CLAIM_TYPE,
    STATEMENT_TYPE,
    ClaimPredicate,
    ClaimStatement,
    Evidence,
    ReleaseClaim,
    ReleaseHypothesis,
    Subject,
)
from .reading import canonical_bytes, read_statement
from .statement import WHO_ISSUED, these_engines, this_tool
from .subjects import in_order

# The second engine is asked about each term for at most so long; chains are asked for less.
EVIDENCE_SECONDS = 20.0
# What a claim file may hold of the data themselves.
DATA_KEYS = ("counts", "without")

_Of: TypeAlias = Literal["exact", "bound_off_lattice", "witness"]


@dataclass(frozen=True)
class Asked:
    """A term of a number that a verdict rests on, enclosed."""

    of: _Of
    question: Question
    term: Term
    part: Enclosure

    def as_published(self) -> dict[str, Any]:
        """Return which number and which term this is."""
        return {
            "of": self.of,
            "question": self.question.key,
            "claimed": exact_text(self.question.claimed),
            "quantity": self.term.quantity,
            "parameters": {key: exact_json(value) for key, value in self.term.point.items()},
            "times": exact_text(self.term.times),
        }


def claim_statement_of(
    audit: Audit, subjects: Iterable[Subject], issued: str | None = None
) -> ClaimStatement:
    """Return the statement that an audit supports, with the time of issue if it is to be told.

    Raises InputError where it could not be read again, such as for a subject of an odd name, and
    BudgetSpentError where there was no time for all rows: then it would depend on the machine.
    """
    if not audit.worst.parts.in_time:
        raise BudgetSpentError(f"no certificate: {len(audit.worst.parts.rows)} rows took too long")
    shape: dict[str, Any] = audit.as_json()
    statement = ClaimStatement(
        type=STATEMENT_TYPE,
        subject=in_order(subjects),
        predicateType=CLAIM_TYPE,
        predicate=ClaimPredicate(
            verdict=audit.verdict,
            tool=this_tool(),
            engines=these_engines(),
            issued=issued,
            claim=published_claim(audit.claim),
            hypotheses=published_hypotheses(audit),
            paper=shape["paper"],
            exact=shape["exact"],
            attained=audit.attained,
            bound_off_lattice=shape["bound_off_lattice"],
            rows=shape.get("rows", []),
            witness=shape["witness"],
            evidence=list(_evidence(audit)),
            non_claims=claim_non_claims(audit),
        ),
    )
    _require_readable(statement)
    return statement


def published_claim(claim: Claim) -> ReleaseClaim:
    """Return a claim as it is published, without the data."""
    shape: dict[str, Any] = claim.as_json()
    said = shape.pop("claim")
    return ReleaseClaim(
        **shape, epsilon=said["epsilon"], delta=said.get("delta"), order=said.get("order")
    )


def claim_of(stated: ReleaseClaim) -> Claim:
    """Return the claim that a certificate states. Raises ClaimError where it is none.

    It has to be written as it is always published: numbers reduced, what was left open filled in.
    """
    kept = {"name": stated.name, "mechanism": stated.mechanism}
    for key in (*kept, *DATA_KEYS):
        if key in stated.release:
            raise ClaimError(f"the certificate's release has the key {key}")
    said = {"epsilon": stated.epsilon, "delta": stated.delta, "order": stated.order}
    given = {key: value for key, value in said.items() if value is not None}
    try:
        claim = claim_in(
            {"release": {**stated.release, **kept}, "claim": given}, "the claim", choosing=False
        )
    except InputError as error:
        raise ClaimError(str(error)) from None
    if published_claim(claim) != stated:
        raise ClaimError("the certificate's claim is not written as it is always published")
    return claim


def published_hypotheses(audit: Audit) -> list[ReleaseHypothesis]:
    """Return the hypotheses; a note on the data could tell of them, and is left out."""
    return as_published(audit.hypotheses)


def as_published(findings: Iterable[Finding]) -> list[ReleaseHypothesis]:
    """Return findings as hypotheses of a certificate."""
    return [
        ReleaseHypothesis(
            item.statement,
            item.status,  # type: ignore[arg-type]
            item.source,
            "" if item.rests_on == DATA else item.note,
            item.rests_on,  # type: ignore[arg-type]
            item.bears_on,  # type: ignore[arg-type]
        )
        for item in findings
    ]


def claim_non_claims(audit: Audit) -> list[str]:
    """Return what a release's certificate does not say."""
    return [*audit.non_claims, WHO_ISSUED]


def asked_in(audit: Audit) -> list[Asked]:
    """Return each term of each number that the audit asked for."""
    return [one for of, truth in _numbers(audit) for one in _terms(of, truth)]


def _numbers(audit: Audit) -> Iterator[tuple[_Of, Truth]]:
    for truth in audit.truths:
        yield "exact", truth
    for truth in audit.truths_off_lattice:
        yield "bound_off_lattice", truth
    if audit.refuted_by:
        yield "witness", audit.refuted_by.truth


def _terms(of: _Of, truth: Truth) -> Iterator[Asked]:
    for term, part in zip(truth.question.terms, truth.parts, strict=True):
        yield Asked(of, truth.question, term, part)


def _evidence(audit: Audit) -> Iterator[Evidence]:
    """Yield each term with its enclosure and what the second engine says of it."""
    for of, truth in _numbers(audit):
        for asked, second in zip(_terms(of, truth), truth.seconds(EVIDENCE_SECONDS), strict=True):
            ends = written(asked.part) or {}
            yield Evidence(**asked.as_published(), **ends, second=second)  # type: ignore[arg-type]


def _require_readable(statement: ClaimStatement) -> None:
    try:
        read_statement(canonical_bytes(statement), "the certificate")
    except CertificateError as error:
        raise InputError(f"no certificate can say this: {error}") from None
