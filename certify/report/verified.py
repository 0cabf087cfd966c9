"""The result of `verify` for people: the verdict first, then who signed, then the limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from ...reference.exact import exact_number, shown
from ..audits.decision import BELOW
from ..certificate.backend import WHO_ISSUED
from ..certificate.models import AnyStatement, ClaimStatement, Statement
from ..certificate.models_papers import PapersStatement, VerdictCounts
from ..certificate.papers import is_of_this_register
from ..certificate.verification import Authentic
from ..certificate.worst_case import counts_of, largest_slack, quantity_of
from ..checks.judgement import shows_nothing
from ..mechanisms.neighbours import Adjacency
from ..verdict import Verdict
from .because import because
from .campaign_wording import said_of
from .terminal import (
    console_here,
    print_folded,
    print_grounds,
    print_sentences,
    print_verdict,
)
from .wording import claim_said, quoted

# Of a parameter so many characters are shown; the JSON has all of them.
_LONGEST_SHOWN: Final = 60
# So many events of a mixture are.
_FEW_SHOWN: Final = 4
_WHO_SIGNED: Final = (
    "Who holds the key that signed it, and when it was signed: you trust that key, and a signature "
    "tells no more than that it was made with it."
)
_NUMBER: Final = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)


def print_authentic(
    found: Authentic, name: str, *, quiet: bool = False, verbose: bool = False
) -> None:
    """Print that a certificate checks, who signed it, its statement, and its non-claims.

    ``quiet`` is the verdict's line alone; ``verbose`` the whole audit of a claim, decided again.
    """
    console = console_here()
    # Without a key that was given, nobody is known to have issued it: its parts fit, no more.
    checks = "authentic" if found.checked_by else "consistent"
    about = f"{quoted(name)} is {checks}: {_about(found)}"
    print_verdict(
        console,
        found.verdict,
        about,
        slack=_slack_of(found.statement),
        assumptions=len(found.audit.assumptions) if found.audit else 0,
        quiet=quiet,
    )
    if quiet:
        return
    if found.audit and found.audit.verdict is found.verdict:
        print_folded(console, f"because: {because(found.audit)}")
    for line in _lines(found):
        print_folded(console, line)
    if verbose and found.audit:
        print_grounds(console, found.audit, verbose=True)
    print_sentences(console, "Not claimed:", _not_claimed(found))


def _not_claimed(found: Authentic) -> list[str]:
    """Return what is not claimed; of a signature that was checked, what it leaves open."""
    said = found.statement.predicate.non_claims
    return [_WHO_SIGNED if found.checked_by and one == WHO_ISSUED else one for one in said]


def _about(found: Authentic) -> str:
    if isinstance(found.statement, ClaimStatement):
        about = f"{_decided(found)}{quoted(found.statement.predicate.claim.name)}, decided again"
        remark = _remark(found)
        return f"{about}; {remark}" if remark else about
    if isinstance(found.statement, PapersStatement):
        number = len(found.statement.predicate.entries)
        what = "the verdict on 1 published statement"
        if number != 1:
            what = f"the verdicts on {number} published statements"
        return f"{what}, {found.witnesses} derived again"
    predicate = found.statement.predicate
    scope = predicate.scope
    run = [check for check in predicate.checks if check.cases]
    backend = quoted(f"{scope.backend} {scope.backend_version}")
    asked = len({check.quantity for check in run})
    what = f"{asked} {'quantity' if asked == 1 else 'quantities'}, {scope.cases} cases of each"
    return f"{what}: {backend}{said_of(predicate)}"


def _slack_of(statement: AnyStatement) -> Fraction:
    """Return the largest slack by which a backend's answers were judged; 0 of other kinds."""
    return largest_slack(statement.predicate.checks if isinstance(statement, Statement) else ())


def _decided(found: Authentic) -> str:
    """Return the claim that was decided; nothing where there was no time to decide it."""
    if found.audit is None:
        return ""
    claim = found.audit.claim
    return f"{claim.mechanism.name}, {claim_said(claim.epsilon, claim.delta, claim.order)}: "


def _remark(found: Authentic) -> str:
    """Return the remark on a verdict, or why a release is inapplicable though its claim is not."""
    if found.verdict is not Verdict.INAPPLICABLE:
        return found.audit.remark if found.audit is not None else ""
    if found.audit is not None and found.audit.why:
        return ""
    drawn = (
        found.statement.predicate.release if isinstance(found.statement, ClaimStatement) else None
    )
    if drawn is not None and not drawn.private:
        return "NOT PRIVATE: it was drawn from a seed"
    return f"it states that {BELOW}"


def _lines(found: Authentic) -> Iterator[str]:
    yield from found.decided_since
    for keyid in found.signed_by:
        checked = keyid in found.checked_by
        yield f"signed by {keyid}" + ("" if checked else " (not checked against a key)")
    if not found.signed_by:
        yield "unsigned: who issued it is not known"
    if isinstance(found.statement, PapersStatement):
        yield from _lines_on_claims(found.statement)
    elif isinstance(found.statement, Statement):
        checks = len(found.statement.predicate.checks)
        yield f"{checks} checks, {found.witnesses} worst cases worked out again"
        yield from _lines_on_what_was_not_tried(found.statement)
        if samplers := len(found.statement.predicate.samplers):
            yield f"what follows from the counts of draws at {samplers} points was worked out again"
        screened = found.statement.predicate.scope.screen
        which = "that the answers are its own" + (
            ", and how many were looked at" if screened else ""
        )
        yield f"the backend was not asked again: {which}, its issuer says"
    else:
        yield from _lines_on_what_was_decided(found)
        yield from _lines_on_a_claim(found.statement, found.witnesses)
        for file in found.digest_alone:
            read_as = "is read as neither the claim's file nor a release: its digest fits"
            yield f"{quoted(file)} {read_as}"
    if found.transcript:
        yield f"the transcript is its own; {found.rechecked} more of its cases were judged anew"


def _lines_on_what_was_decided(found: Authentic) -> Iterator[str]:
    """Yield the parameters of a claim that was decided again, and whose difference it hides."""
    if found.audit is None or not isinstance(found.statement, ClaimStatement):
        return
    numbers = found.statement.predicate.claim.release
    said = [f"{key} = {_parameter_said(value)}" for key, value in sorted(numbers.items())]
    yield f"parameters: {', '.join(said)}"
    claim = found.audit.claim
    between = claim.mechanism.adjacency(claim, {})
    if isinstance(between, Adjacency):
        yield f"{between.noun}: {between.words}"


def _parameter_said(value: object) -> str:
    """Return a parameter in full where that is short, else how long it is; events one by one."""
    if isinstance(value, list) and len(value) <= _FEW_SHOWN and all(map(_is_event, value)):
        return f"[{', '.join(map(_event_said, value))}]"
    text = _in_full(value)
    if text is not None and len(text) <= _LONGEST_SHOWN:
        return text
    if isinstance(value, list | dict):
        return "1 entry" if len(value) == 1 else f"{len(value)} entries"
    return f"a text of {len(str(value))} characters"


def _is_event(value: object) -> bool:
    return isinstance(value, dict) and "mechanism" in value


def _event_said(event: dict[str, object]) -> str:
    said = (f"{key} = {_parameter_said(each)}" for key, each in sorted(event.items()))
    return f"({', '.join(said)})"


def _in_full(value: object) -> str | None:
    """Return a number, a text in quotes, or a list of such; None where it could not be short."""
    if isinstance(value, str):
        if len(value) > _LONGEST_SHOWN:
            return None
        return shown(exact_number(value)) if _NUMBER.fullmatch(value) else quoted(value)
    if isinstance(value, list):
        parts = [_in_full(each) for each in value] if len(value) <= _LONGEST_SHOWN else [None]
        known = [part for part in parts if part is not None]
        return f"[{', '.join(known)}]" if len(known) == len(parts) else None
    return None if isinstance(value, dict) else str(value)


def _lines_on_a_claim(statement: ClaimStatement, witnesses: int) -> Iterator[str]:
    if witnesses:
        yield "the inputs that refute the claim were worked out again"
    drawn = statement.predicate.release
    if drawn is None:
        return
    name = quoted(drawn.file.name)
    if not drawn.private:
        yield f"NOT PRIVATE: the release {name} was drawn from a seed"
    else:
        yield f"its issuer says that {name} was drawn from the operating system's bits"
    if drawn.ledger is not None:
        yield f"it was added to a ledger whose head was {drawn.ledger}"


def _lines_on_what_was_not_tried(statement: Statement) -> Iterator[str]:
    """Yield how many of the checks were not run."""
    checks = statement.predicate.checks
    if untried := sum(check.cases == 0 for check in checks):
        yield f"{untried} of the checks were not run: what they ask is not answered, it says"
    for check in checks:
        if check.cases and check.verdict is Verdict.INAPPLICABLE:
            yield f"{check.check}: {shows_nothing(quantity_of(check), counts_of(check))}"


def _lines_on_claims(statement: PapersStatement) -> Iterator[str]:
    for item in statement.predicate.papers:
        yield f"{item.paper}: {_counts_said(item.counts)}"
    same = is_of_this_register(statement)
    of_which = "this register" if same else "a register with other files than the one here"
    yield f"it is about {of_which}; a refuted statement is a finding, no failure"


def _counts_said(counts: VerdictCounts) -> str:
    """Return how many entries have each verdict, in words."""
    shape = msgspec.to_builtins(counts)
    return ", ".join(f"{number} {verdict}" for verdict, number in shape.items())
