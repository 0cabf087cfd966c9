"""Check a release's certificate: its claim is decided anew, and has to come out the same.

Nothing that the certificate states decides anything. What is found in the time that there is has
to agree with all of it; where less is found, or less is stated, the verdict is undecided, which is
no pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError, SoundnessError
from ...reference.evaluation import evaluate
from ...reference.precision import Budget, BudgetSpentError, all_within
from ...reference.second import opinions
from ..audits.decision import Audit, decide
from ..checks.judgement import CASE_MAX_BITS
from ..mechanisms.hypotheses import ACCURACY
from ..verdict import Verdict, is_decided_since, standing
from .agreement import Known, agreement_of, known_as_well
from .algebra import require_both_engines, require_told
from .enclosures import stated_enclosure
from .errors import AlgebraError, ClaimError, EvidenceError
from .models import ClaimPredicate, Evidence
from .release import (
    EVIDENCE_SECONDS,
    Asked,
    asked_in,
    claim_non_claims,
    claim_of,
)
from .told_of_data import all_found_again, hypotheses_since, left_by_the_data

# For everything that is worked out again of one release, by both engines together.
CLAIM_SECONDS = 120.0
_SECOND_DIGITS = 17
_PUBLISHED = ("paper", "exact", "bound_off_lattice", "rows", "witness")


def claim_verdict(predicate: ClaimPredicate) -> tuple[Verdict, Audit | None]:
    """Return the certificate's verdict if it is found again, else undecided, and the audit.

    There is no audit where the claim could not be decided in time. Raises a CertificateError where
    what is found contradicts what is stated.
    """
    _require_algebra(predicate)
    budget = Budget(CLAIM_SECONDS)
    try:
        with all_within(budget.seconds):
            audit = decide(claim_of(predicate.claim))
            if budget.is_over():
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
    require_told(claim_non_claims(audit), predicate.non_claims)
    left = left_by_the_data(predicate.hypotheses, audit)
    verdict = _same_verdict(predicate.verdict, audit.verdict, left)
    # A refutation that is stated and found is none the less one where something beside it is open.
    at_most = verdict if verdict is Verdict.REFUTED else Verdict.UNDECIDED
    if verdict is Verdict.REFUTED and audit.worst.parts.in_time:
        agreement_of(predicate.witness, audit.as_json()["witness"], "the witness")
    if decided_since(predicate, audit):
        _require_overlaps(predicate, audit)
        return at_most  # what only follows from a verdict cannot be compared
    if not all_found_again(predicate.hypotheses, audit):
        return at_most
    if verdict is not predicate.verdict:
        return verdict  # without a verdict there is no witness to compare
    if not audit.worst.parts.in_time:
        return at_most
    _require_same_second(predicate.exact.get("second"), audit)
    stated = {key: getattr(predicate, key) for key in _PUBLISHED}
    stated, found = map(_comparable, (stated, audit.as_json()))
    known = [agreement_of(stated, found), *_evidence_agrees(predicate.evidence, audit)]
    return verdict if all(one is Known.AS_WELL for one in known) else at_most


def _comparable(shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is published of an audit, but for what depends on the data or on the time."""
    paper, exact = {**shape["paper"]}, {**shape["exact"]}
    paper.pop("applies", None)
    exact.pop("second", None)
    known = {"rows": [], **shape}  # an audit tells of rows where there are some
    return {**{key: known[key] for key in _PUBLISHED}, "paper": paper, "exact": exact}


def decided_since(predicate: ClaimPredicate, audit: Audit | None) -> tuple[str, ...]:
    """Return, a sentence each, what is stated as undecided and is found now.

    It is not found now where data that nobody can look at may leave as much undecided.
    """
    if audit is None:
        return ()
    said = list(hypotheses_since(predicate.hypotheses, audit))
    found = left_by_the_data(predicate.hypotheses, audit)
    possible = found if audit.verdict is Verdict.CERTIFIED else (audit.verdict,)
    if all(is_decided_since(predicate.verdict, one) for one in possible):
        said.insert(0, f"the claim is stated as undecided, and is {audit.verdict} now")
    return tuple(f"{one}; to decide it, audit the claim again" for one in said)


def _require_overlaps(predicate: ClaimPredicate, audit: Audit) -> None:
    """Require that enclosures which are stated, however wide, are those of the truth."""
    shape: dict[str, Any] = audit.as_json()
    for part in ("exact", "bound_off_lattice"):
        stated, found = getattr(predicate, part), shape[part]
        for key in set(stated) & set(found):
            if isinstance(stated[key], dict) and isinstance(found[key], dict):
                agreement_of(stated[key], found[key], f"{part}, {key}")


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


def _require_same_second(stated: object, audit: Audit) -> None:
    """Require that the second engine is said to have been asked where it has an opinion."""
    allowed = ("inapplicable",) if audit.second == "inapplicable" else ("overlaps", "undecided")
    if stated not in allowed:
        raise EvidenceError(f"the second engine cannot have said {stated}")


def _evidence_agrees(stated: list[Evidence], audit: Audit) -> list[Known]:
    """Work every term out again by both engines. Raises EvidenceError where one is another."""
    asked = asked_in(audit)
    if len(stated) != len(asked):
        raise EvidenceError(f"there are {len(stated)} terms of evidence, {len(asked)} are needed")
    return [_term_agrees(one, term) for one, term in zip(stated, asked, strict=True)]


def _term_agrees(stated: Evidence, asked: Asked) -> Known:
    name = f"{stated.of} {stated.question}, {stated.quantity}"
    shape = asked.as_published()
    if {key: getattr(stated, key) for key in shape} != shape:
        raise EvidenceError(f"{name}: this is not a term that the verdict rests on")
    if (stated.second == "inapplicable") != (stated.quantity not in opinions()):
        raise EvidenceError(f"{name}: the second engine cannot have said {stated.second}")
    enclosure = stated_enclosure(stated.lower, stated.upper, name, EvidenceError)
    second = _by_the_second(asked)
    if not second.overlaps(asked.part):
        raise SoundnessError(f"the two engines contradict each other on {name}")
    if not (enclosure.overlaps(asked.part) and enclosure.overlaps(second)):
        raise EvidenceError(f"{name}: the stated enclosure is not that of the truth")
    return known_as_well(enclosure, asked.part)


def _by_the_second(asked: Asked) -> Enclosure:
    """Enclose a term by the second engine; with nothing where it has no opinion, or no time."""
    nothing = Enclosure.nothing_known()
    if asked.term.quantity not in opinions() or asked.part == nothing:
        return nothing
    budget = Budget(min(EVIDENCE_SECONDS, asked.question.second_seconds), CASE_MAX_BITS)
    try:
        answer = evaluate(
            asked.term.quantity,
            asked.term.point,
            digits=_SECOND_DIGITS,
            engine="second",
            budget=budget,
        )
    except BudgetSpentError:
        return nothing
    return answer.number
