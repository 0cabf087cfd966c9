"""An audit as its asker has it: decided, shown in a line, written as certificate and report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Self, TypeAlias

from ..reference.display import table_in_html
from ..reference.exact import parse_toml
from ..reference.precision import all_within
from .audits.claim import claim_in, source_of
from .audits.decision import Audit, decide
from .audits.table import toml_of
from .files import require_writable, write_whole
from .marks import CERTIFICATE, COQ, REPORT
from .verdict import verdict_word

# What a claim is called that was given in no file.
_UNNAMED = "claim.toml"


@dataclass(frozen=True, kw_only=True, repr=False)
class Audited(Audit):
    """An audit, and the text of the claim file that it is of.

    ``verdict`` is what was decided, ``exact`` has the numbers that decide as enclosures, by name,
    ``because`` a sentence on why, ``repaired()`` looks for what would do in its place,
    ``paper`` what the paper prints, ``hypotheses`` what it asks, ``witness`` the inputs that refute
    the claim, ``non_claims`` what the verdict does not say, and ``as_json()`` all of it.
    ``source`` are the bytes of the claim file, or of the one that was made of a table; ``where`` is
    its name.
    """

    source: bytes
    where: str

    def __repr__(self) -> str:
        from .report.wording import audit_said

        word = verdict_word(self.verdict, assumptions=len(self.assumptions))
        return f"{word}  {audit_said(self)}"

    def _repr_html_(self) -> str:
        from .report.wording import facts_of

        return table_in_html(repr(self), (("because", self.because), *facts_of(self)))

    @property
    def because(self) -> str:
        """Why the claim has its verdict, in one sentence with the numbers that decide."""
        from .report.because import because

        return because(self)

    def repaired(self) -> Self:
        """Return the same audit with ``would_do``: which parameters, each alone, would do instead.

        Each is a ``parameter``, its ``value``, and what is ``said`` of it. They are looked for in
        some seconds, by the same enclosures; the verdict does not rest on them.
        """
        from .audits.repair import repairs_of

        return replace(self, would_do=repairs_of(self))

    def certificate(self, *, issued: bool = False) -> bytes:
        """Return the certificate, with the time of issue if it is to be told.

        Its subject is the claim file. Raises InputError where it could not be read again, and
        BudgetSpentError where there was no time for all rows.
        """
        from .certificate import canonical_bytes, claim_statement_of
        from .certificate.issuing import claim_subject, time_of_issue

        subjects = [claim_subject(self.source, self.where)]
        return canonical_bytes(claim_statement_of(self, subjects, time_of_issue(asked=issued)))

    def write_certificate(self, path: str | Path, *, issued: bool = False) -> None:
        """Write the certificate to a file, whole or not at all, as ``audit --out`` does.

        It is written over an empty file, or over a certificate; InputError is raised for any other.
        """
        require_writable(Path(path), CERTIFICATE)
        write_whole(Path(path), self.certificate(issued=issued), CERTIFICATE)

    def write_report(self, path: str | Path, *, issued: bool = False) -> None:
        """Write the report for people to a file, one page of HTML, as ``audit --report`` does.

        What would do in place of a claim that is not certified is looked for, unless that is known.
        It is written over an empty file, or over a report; InputError is raised for any other, and
        where matplotlib is missing.
        """
        from .extras import require_plots

        require_plots("a report")
        require_writable(Path(path), REPORT)
        from .report import report_of

        known = self if self.would_do else self.repaired()
        content = self.certificate(issued=issued)
        write_whole(Path(path), report_of(content, "certificate.json", known), REPORT)

    def write_proof(self, path: str | Path) -> None:
        """Write a certified claim as a theorem that Coq checks, as ``audit --coq`` does.

        It is written over an empty file, or over such a proof; InputError is raised for any other,
        and for a claim of which no proof can be written: at an order, of several pairs of Beta
        laws at once, or one that is not certified.
        """
        from .audits.coq import proof_of

        require_writable(Path(path), COQ)
        write_whole(Path(path), proof_of(self).encode(), COQ)


# A claim file, ``example:NAME``, the text of a claim file, or a table of its shape.
Claimed: TypeAlias = "str | Path | Mapping[str, object]"


def claim_source(claim: Claimed) -> tuple[bytes, str]:
    """Return the bytes of a claim file, and what it is called. Raises InputError."""
    if isinstance(claim, Mapping):
        return toml_of(claim).encode(), _UNNAMED
    if isinstance(claim, str) and "\n" in claim:
        return claim.encode(), _UNNAMED
    return source_of(claim)


def audit(claim: Claimed, *, seconds: float | None = None) -> Audited:
    """Decide a claim, in so many seconds: a claim file, ``example:NAME``, a text, or a table.

    A text with more than one line is that of a claim file, any other is a file's name. A table has
    the shape of a claim file, ``{"release": {...}, "claim": {...}}``; a float in it is the dyadic
    number that it is, and "0.1" is 1/10. The verdict is certified, refuted, undecided or
    inapplicable; a claim is refuted only by inputs that lose more than it says.
    Raises InputError (or a subclass) if it cannot be read as a claim, BudgetSpentError if not even
    its question could be worked out in time.
    """
    source, where = claim_source(claim)
    read = claim_in(parse_toml(source, where), where)
    with all_within(seconds):
        found = decide(read)
    known = {each.name: getattr(found, each.name) for each in fields(found)}
    return Audited(**known, source=source, where=where)
