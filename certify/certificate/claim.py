"""The certificate of a claim: issued from its audit, and verified by issuing it again.

What is published is taken from what ``audit --json`` publishes, so that the two cannot disagree.
No value of private data is in it: counts are left out, and so are notes that were told from them.
Nothing that a certificate states decides anything: the claim is decided anew, and all of it has to
be as it is found; where less is found the verdict is undecided, which is no pass. Data that nobody
can look at make less of a claim that is certified for all inputs, never more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_json, exact_text
from ...reference.precision import Budget, BudgetSpentError, all_within, seconds_left
from ..audits.claim import claim_in
from ..audits.decision import Audit, decide
from ..mechanisms.hypotheses import ACCURACY, DATA, Finding, Told
from ..mechanisms.protocol import Claim
from ..mechanisms.questions import Question, Term, Truth, written
from ..verdict import Verdict, is_decided_since, standing
from .agreement import FOUND_DIGITS, Known, agreement_of
from .backend import WHO_ISSUED, require_both_engines, require_told, these_engines, this_tool
from .errors import AlgebraError, ClaimError, EvidenceError
from .issuing import in_order
from .models import (
    CLAIM_TYPE,
    ClaimPredicate,
    ClaimStatement,
    Evidence,
    ReleaseClaim,
    ReleaseHypothesis,
)
from .parts import STATEMENT_TYPE, Subject
from .reading import require_readable
from .release import (
    require_drawn,
    require_own_protected,
    verdict_on,
    with_those_of_the_draw,
)

# The second engine is asked about each term for at most so long; chains are asked for less.
EVIDENCE_SECONDS = 20.0
# What a claim file may hold of the data themselves.
DATA_KEYS = ("counts", "without")

# For everything that is worked out again of one claim, by both engines together.
CLAIM_SECONDS = 120.0
_PUBLISHED: Final = ("paper", "exact", "bound_off_lattice", "rows", "witness")
_UNDECIDED: Final = "undecided"
_SECOND: Final = "second"

_Of: TypeAlias = Literal["exact", "bound_off_lattice", "witness"]


@dataclass(frozen=True)
class _Asked:
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

    Raises InputError where it could not be read again, such as for a subject of an odd name, or for
    a delta whose fraction has more digits than are read, and
    BudgetSpentError where there was no time for all rows, or for the best gamma: then it would
    depend on the machine, and the hypotheses could not be found again.
    """
    if not audit.paper.in_time:
        raise BudgetSpentError("no certificate: the best gamma was not found in time")
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
            hypotheses=_published_hypotheses(audit),
            paper=shape["paper"],
            exact=shape["exact"],
            attained=audit.attained,
            bound_off_lattice=shape["bound_off_lattice"],
            rows=shape.get("rows", []),
            witness=shape["witness"],
            evidence=list(_evidence(audit)),
            non_claims=claim_non_claims(audit),
            release=None,
        ),
    )
    require_readable(statement)
    try:
        claim_of(statement.predicate.claim)
    except ClaimError as error:
        # A decimal may have fewer digits than its fraction, as which it is stated.
        raise InputError(f"no certificate can say this: {error}") from None
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


def _published_hypotheses(audit: Audit) -> list[ReleaseHypothesis]:
    """Return the hypotheses; a note on the data could tell of them, and is left out."""
    return _as_published(audit.hypotheses)


def _as_published(findings: Iterable[Finding]) -> list[ReleaseHypothesis]:
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


def is_told_of_data_in(claim: Claim, stated: list[ReleaseHypothesis]) -> bool:
    """Whether hypotheses are as the data decide them which a claim file holds itself."""
    found = claim.mechanism.findings(claim, claim.mechanism.printed(claim))
    return _resting_on_data(stated) == _resting_on_data(_as_published(found))


def claim_non_claims(audit: Audit) -> list[str]:
    """Return what a release's certificate does not say."""
    return [*audit.non_claims, WHO_ISSUED]


def _numbers(audit: Audit) -> Iterator[tuple[_Of, Truth]]:
    for truth in audit.truths:
        yield "exact", truth
    for truth in audit.truths_off_lattice:
        yield "bound_off_lattice", truth
    if audit.refuted_by:
        yield "witness", audit.refuted_by.truth


def _terms(of: _Of, truth: Truth) -> Iterator[_Asked]:
    for term, part in zip(truth.question.terms, truth.parts, strict=True):
        yield _Asked(of, truth.question, term, part)


def _evidence(audit: Audit, digits: int = DEFAULT_DIGITS) -> Iterator[Evidence]:
    """Yield each term with its enclosure and what the second engine says of it."""
    for of, truth in _numbers(audit):
        for asked, second in zip(_terms(of, truth), truth.seconds(EVIDENCE_SECONDS), strict=True):
            ends = written(asked.part, digits) or {}
            yield Evidence(**asked.as_published(), **ends, second=second)  # type: ignore[arg-type]


def claim_verdict(statement: ClaimStatement) -> tuple[Verdict, Audit | None]:
    """Return the certificate's verdict if it is found again, else undecided, and the audit.

    There is no audit where the claim could not be decided in time. Of a release from a seed the
    verdict is inapplicable at best. Raises a CertificateError where what is found contradicts what
    is stated.
    """
    require_drawn(statement)
    verdict, audit = _verdict_on_the_claim(_on_the_claim(statement.predicate))
    return verdict_on(verdict, statement.predicate.release), audit


def _on_the_claim(predicate: ClaimPredicate) -> ClaimPredicate:
    """Return what is said of the claim alone, which is certified where a release was drawn."""
    return predicate if predicate.release is None else replace(predicate, verdict=Verdict.CERTIFIED)


def _verdict_on_the_claim(predicate: ClaimPredicate) -> tuple[Verdict, Audit | None]:
    _require_algebra(predicate)
    budget = Budget(CLAIM_SECONDS)
    try:
        with all_within(budget.seconds):
            claim = claim_of(predicate.claim)
            if predicate.release is not None:
                require_own_protected(predicate.release, claim)
            audit = decide(claim)
            # What is over may be the time of whoever called. Without it less is found of a paper's
            # bound, and so other hypotheses.
            if budget.is_over() or not seconds_left():
                return Verdict.UNDECIDED, None
            return _agreed(predicate, audit), audit
    except BudgetSpentError:
        return Verdict.UNDECIDED, None
    except InputError as error:
        raise ClaimError(f"the claim cannot be decided: {error}") from None


def _require_algebra(predicate: ClaimPredicate) -> None:
    require_both_engines(predicate.engines)
    if predicate.exact.get("attained") is not predicate.attained:
        raise AlgebraError("the certificate contradicts itself on what is attained")
    if (predicate.verdict is Verdict.REFUTED) != (predicate.witness is not None):
        raise AlgebraError("a witness and a refutation go together")
    if predicate.verdict is Verdict.ERROR:
        raise AlgebraError("a claim is never an error")
    needed = [item for item in predicate.hypotheses if item.bears_on != ACCURACY]
    applies = all(item.status in ("holds", "assumed") for item in needed)
    if predicate.paper.get("applies") is not applies:
        raise AlgebraError("whether the paper's bound applies does not follow from its hypotheses")


def _agreed(predicate: ClaimPredicate, audit: Audit) -> Verdict:
    """Return the verdict that both come to. Raises a CertificateError where they differ."""
    needed = with_those_of_the_draw(claim_non_claims(audit), predicate.release)
    require_told(needed, predicate.non_claims)
    left = _left_by_the_data(predicate.hypotheses, audit)
    verdict = _same_verdict(predicate.verdict, audit.verdict, left)
    # A refutation that is stated and found is none the less one where something beside it is open.
    at_most = verdict if verdict is Verdict.REFUTED else Verdict.UNDECIDED
    if verdict is Verdict.REFUTED and audit.worst.parts.in_time:
        found = audit.as_json(FOUND_DIGITS)["witness"]
        agreement_of(predicate.witness, found, "the witness", is_open=False)
    less = any(_since(predicate, audit)) or not _all_found_again(predicate.hypotheses, audit)
    # Without a verdict there is no witness to compare.
    if less or verdict is not predicate.verdict or not audit.worst.parts.in_time:
        _require_no_contradiction(predicate, audit)
        return at_most  # what only follows from a verdict cannot be compared
    is_open = verdict is Verdict.UNDECIDED
    stated = {key: getattr(predicate, key) for key in _PUBLISHED}
    stated, found = map(_comparable, (stated, audit.as_json(FOUND_DIGITS)))
    evidence = (predicate.evidence, list(_evidence(audit, FOUND_DIGITS)))
    terms = tuple(map(msgspec.to_builtins, evidence))
    known = (
        agreement_of(stated, found, is_open=is_open),
        agreement_of(terms[0], terms[1], "the evidence", EvidenceError, is_open=is_open),
    )
    return verdict if all(one is Known.AS_WELL for one in known) else at_most


def _comparable(shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is published of an audit, but for what depends on the data."""
    paper = {key: value for key, value in shape["paper"].items() if key != "applies"}
    known = {"rows": [], **shape}  # an audit tells of rows where there are some
    return {**{key: known[key] for key in _PUBLISHED}, "paper": paper}


def decided_since(statement: ClaimStatement, audit: Audit | None) -> tuple[str, ...]:
    """Return, a sentence each, what is stated as undecided and is found now.

    It is not found now where data that nobody can look at may leave as much undecided.
    """
    if audit is None:
        return ()
    said = _since(_on_the_claim(statement.predicate), audit)
    return tuple(f"{one}; to decide it, audit the claim again" for one in said)


def _since(predicate: ClaimPredicate, audit: Audit) -> Iterator[str]:
    found = _left_by_the_data(predicate.hypotheses, audit)
    possible = found if audit.verdict is Verdict.CERTIFIED else (audit.verdict,)
    if all(is_decided_since(predicate.verdict, one) for one in possible):
        yield f"the claim is stated as undecided, and is {audit.verdict} now"
    yield from _hypotheses_since(predicate.hypotheses, audit)


def _require_no_contradiction(predicate: ClaimPredicate, audit: Audit) -> None:
    """Require of what is stated that it is what is found, wherever both say something.

    Enclosures may be of any width. Evidence is compared term by term, of what both sides had the
    time to ask.
    """
    shape: dict[str, Any] = audit.as_json(FOUND_DIGITS)
    if None not in (said := [exact.get(_SECOND) for exact in (predicate.exact, shape["exact"])]):
        tables = [{_SECOND: opinion} for opinion in said]
        agreement_of(tables[0], tables[1], "exact", is_open=True)
    for part in ("exact", "bound_off_lattice"):
        stated, found = getattr(predicate, part), shape[part]
        for key in set(stated) & set(found):
            if isinstance(stated[key], dict) and isinstance(found[key], dict):
                agreement_of(stated[key], found[key], f"{part}, {key}", is_open=True)
    stated_terms, found_terms = map(
        _by_question, (predicate.evidence, _evidence(audit, FOUND_DIGITS))
    )
    for asked in stated_terms.keys() & found_terms.keys():
        one, other = stated_terms[asked], found_terms[asked]
        if len(one) == len(other):
            agreement_of(one, other, "the evidence", EvidenceError, is_open=True)


def _by_question(evidence: Iterable[Evidence]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the terms of each number that was asked for."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for term in evidence:
        found.setdefault((term.of, term.question), []).append(msgspec.to_builtins(term))
    return found


def _same_verdict(stated: Verdict, found: Verdict, left: Sequence[Verdict]) -> Verdict:
    """Return the verdict that is stated, undecided where that is all that is found or stated.

    Of what is certified for all inputs, ``left`` is what the data leave: less at times, never more.
    Raises ClaimError for another one.
    """
    if stated is Verdict.CERTIFIED and stated not in left:
        raise ClaimError("the data are said to be such that nothing is certified of them")
    if standing(stated, found) is Verdict.UNDECIDED:
        return Verdict.UNDECIDED
    if stated not in (left if found is Verdict.CERTIFIED else (found,)):
        raise ClaimError(f"the claim is {found}, not {stated}")
    return stated


def _left_by_the_data(stated: list[ReleaseHypothesis], audit: Audit) -> Sequence[Verdict]:
    """Return what the data that a certificate tells of leave of a certified claim.

    Nobody can look at them here. Raises ClaimError unless all that rests on parameters alone is as
    it is found, and what rests on data is what is always told of them, or is assumed.
    """
    found = _published_hypotheses(audit)
    ours, theirs = _resting_on_parameters(found), _resting_on_parameters(stated)
    if len(ours) != len(theirs) or not all(map(_may_stand_so, theirs, ours)):
        raise ClaimError("the hypotheses are not those that are found")
    data = _resting_on_data(stated)
    if data == _resting_on_data(found):
        return (Verdict.CERTIFIED,)
    always = audit.claim.mechanism.told_of_data(audit.claim)
    if not always or len(data) != len(always):
        raise ClaimError("what is said of the data is not what is always said of them")
    for item, told in zip(data, always, strict=True):
        _require_told_so(item, told)
    pairs = zip(data, always, strict=True)
    return next((told.leaves for item, told in pairs if item.status == "fails"),
                (Verdict.CERTIFIED,))  # fmt: skip


def _may_stand_so(stated: ReleaseHypothesis, found: ReleaseHypothesis) -> bool:
    """Whether a hypothesis is the one that is found, its status as well if both are decided."""
    if _UNDECIDED not in (stated.status, found.status):
        return stated == found
    may_note = stated.note in ("", found.note)
    return may_note and replace(stated, status=found.status, note=found.note) == found


def _all_found_again(stated: list[ReleaseHypothesis], audit: Audit) -> bool:
    """Whether all that rests on parameters alone is decided here as it is stated."""
    found = _published_hypotheses(audit)
    return _resting_on_parameters(stated) == _resting_on_parameters(found)


def _hypotheses_since(stated: list[ReleaseHypothesis], audit: Audit) -> Iterator[str]:
    """Yield, a sentence each, which hypotheses are stated as undecided and are decided now."""
    found = _published_hypotheses(audit)
    pairs = zip(*map(_resting_on_parameters, (stated, found)), strict=True)
    for one, other in pairs:
        if one.status == _UNDECIDED != other.status:
            yield f"{other.statement}: stated as undecided, now it {other.status}"


def _require_told_so(stated: ReleaseHypothesis, told: Told) -> None:
    """Raise ClaimError unless a hypothesis is the one that is told, and may stand as it does."""
    if stated.status not in told.may_be:
        raise ClaimError(f"what is said of the data cannot stand as {stated.status}")
    (found,) = _as_published([told.stands(stated.status)])
    if stated != found:
        raise ClaimError("what is said of the data is not what is always said of them")


def _resting_on_data(hypotheses: list[ReleaseHypothesis]) -> list[ReleaseHypothesis]:
    return [item for item in hypotheses if item.rests_on == DATA]


def _resting_on_parameters(hypotheses: list[ReleaseHypothesis]) -> list[ReleaseHypothesis]:
    return [item for item in hypotheses if item.rests_on != DATA]
