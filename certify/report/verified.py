"""What `verify` found, for people: the verdict first, then who signed, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..certificate.authentic import Authentic
from ..certificate.claims_verification import is_of_this_register
from ..certificate.models import (
    BackendStatement,
    ClaimsStatement,
    MadeStatement,
    OfARelease,
    Statement,
    decided_in,
)
from ..certificate.models_claims import VerdictCounts
from ..certificate.verification import samplers_told_of
from ..verdict import Verdict
from .terminal import console_here, headline, print_sentences


def print_authentic(found: Authentic, name: str) -> None:
    """Print that a certificate checks, who signed it, and what it says and does not say."""
    console = console_here()
    console.print(headline(found.verdict, f"{name} is authentic: {_about(found)}"))
    for line in _lines(found):
        console.print(line, markup=False, soft_wrap=True)
    print_sentences(console, "Not claimed:", found.statement.predicate.non_claims)


def _about(found: Authentic) -> str:
    if isinstance(found.statement, OfARelease):
        return f"{decided_in(found.statement).claim.name}, decided again"
    if isinstance(found.statement, ClaimsStatement):
        number = len(found.statement.predicate.entries)
        return f"the verdicts on {number} published statements, {found.witnesses} derived again"
    predicate = found.statement.predicate
    return f"{predicate.scope.backend} {predicate.scope.backend_version}"


def _lines(found: Authentic) -> Iterator[str]:
    for keyid in found.signed_by:
        checked = keyid in found.checked_by
        yield f"signed by {keyid}" + ("" if checked else " (not checked against a key)")
    if not found.signed_by:
        yield "unsigned: who issued it is not known"
    if isinstance(found.statement, ClaimsStatement):
        yield from _lines_on_claims(found.statement)
    elif isinstance(found.statement, MadeStatement):
        yield _line_on_the_making(found.statement)
    elif not isinstance(found.statement, OfARelease):
        checks = len(found.statement.predicate.checks)
        yield f"{checks} checks, {found.witnesses} worst cases worked out again"
        yield from _lines_on_what_was_not_tried(found.statement)
        if samplers := len(samplers_told_of(found.statement)):
            yield f"what follows from the counts of draws at {samplers} points was worked out again"
        yield "the backend was not asked again: that the answers are its own, its issuer says"
    elif found.witnesses:
        yield "the inputs that refute the claim were worked out again"
    if found.transcript:
        yield f"the transcript is its own; {found.rechecked} more of its cases were judged anew"


def _line_on_the_making(statement: MadeStatement) -> str:
    made = statement.predicate.made
    if not made.private:
        return f"NOT PRIVATE: the release {made.file.name} was drawn from a seed"
    return f"its issuer says that {made.file.name} was drawn from the operating system's bits"


def _lines_on_what_was_not_tried(statement: BackendStatement) -> Iterator[str]:
    """Yield where less was tried than is now: nobody sees in a certificate that it was older."""
    if not isinstance(statement, Statement):
        yield "it is of an older version: no law between answers was tried, and no sampler"
    checks = statement.predicate.checks
    if untried := sum(check.verdict is Verdict.INAPPLICABLE for check in checks):
        yield f"{untried} of the checks were not run: what they ask is not answered, it says"


def _lines_on_claims(statement: ClaimsStatement) -> Iterator[str]:
    for item in statement.predicate.papers:
        yield f"{item.paper}: {counts_said(item.counts)}"
    same = is_of_this_register(statement)
    of_which = "this register" if same else "a register with other files than the one here"
    yield f"it is about {of_which}; a refuted statement is a finding, no failure"


def counts_said(counts: VerdictCounts) -> str:
    """Return how many entries have each verdict, in words."""
    shape = msgspec.to_builtins(counts)
    return ", ".join(f"{number} {verdict}" for verdict, number in shape.items())
