"""One self-contained HTML file for people to read, made from a certificate of any kind."""

from __future__ import annotations

from collections.abc import Callable

from ...audits.decision import Audit
from ...certificate.models import AnyStatement, ClaimStatement
from ...certificate.models_papers import PapersStatement
from ...certificate.reading import read_statement
from ...certificate.signing import opened
from ...certificate.verification import checked
from ...verdict import Verdict
from .backend import backend_report
from .claims import claims_report
from .parts import Origin
from .release import release_report

__all__ = ["report_of", "report_on"]


def report_on(content: bytes, name: str, repaired: Callable[[Audit], Audit] | None = None) -> bytes:
    """Verify the bytes of a certificate, signed or not, and return its report.

    Raises InputError if they are no JSON at all, CertificateError if they do not check: then there
    is no report. Signatures are named, not checked: that takes a key. A certificate does not hold
    what would do instead of a claim: ``repaired`` looks for it.
    """
    found = opened(content, name)
    verified = checked(read_statement(found.payload, name))
    origin = Origin(content, name, tuple(found.keyids), verified.verdict, again=True)
    audit = verified.audit
    return page_of(verified.statement, origin, repaired(audit) if repaired and audit else audit)


def report_of(content: bytes, name: str, audit: Audit | None = None) -> bytes:
    """Return the report of an unsigned certificate that was just made.

    ``audit`` is a release's, with what would do, where that was looked for.
    """
    statement = read_statement(content, name)
    if isinstance(statement, PapersStatement):
        verdict = Verdict.CERTIFIED  # each was derived just now; there is none on the whole
    else:
        verdict = statement.predicate.verdict
    return page_of(statement, Origin(content, name, (), verdict, again=False), audit)


def page_of(statement: AnyStatement, origin: Origin, audit: Audit | None) -> bytes:
    """Return the page for a statement; ``audit`` is a release's claim, decided, if it could be."""
    if isinstance(statement, ClaimStatement):
        return release_report(statement, origin, audit)
    if isinstance(statement, PapersStatement):
        return claims_report(statement, origin)
    return backend_report(statement, origin)
