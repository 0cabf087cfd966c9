"""What a release's certificate tells of data that nobody can look at, and what they leave.

Data can make less of a claim that is certified for all inputs, never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from ..audits.decision import Audit
from ..mechanisms.hypotheses import DATA, Told
from ..verdict import Verdict
from .errors import ClaimError
from .models import ReleaseHypothesis
from .release import as_published, published_hypotheses

_UNDECIDED: Final = "undecided"


def left_by_the_data(stated: list[ReleaseHypothesis], audit: Audit) -> Sequence[Verdict]:
    """Return what the data that a certificate tells of leave of a certified claim.

    Nobody can look at them here. Raises ClaimError unless all that rests on parameters alone is as
    it is found, and what rests on data is what is always told of them, or is assumed.
    """
    found = published_hypotheses(audit)
    ours, theirs = _resting_on_parameters(found), _resting_on_parameters(stated)
    if len(ours) != len(theirs) or not all(map(_may_stand_so, theirs, ours)):
        raise ClaimError("the hypotheses are not those that are found")
    data = [item for item in stated if item.rests_on == DATA]
    if data == [item for item in found if item.rests_on == DATA]:
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


def all_found_again(stated: list[ReleaseHypothesis], audit: Audit) -> bool:
    """Whether all that rests on parameters alone is decided here as it is stated."""
    found = published_hypotheses(audit)
    return _resting_on_parameters(stated) == _resting_on_parameters(found)


def hypotheses_since(stated: list[ReleaseHypothesis], audit: Audit) -> Iterator[str]:
    """Yield, a sentence each, which hypotheses are stated as undecided and are decided now."""
    found = published_hypotheses(audit)
    pairs = zip(*map(_resting_on_parameters, (stated, found)), strict=True)
    for one, other in pairs:
        if one.status == _UNDECIDED != other.status:
            yield f"{other.statement}: stated as undecided, now it {other.status}"


def _require_told_so(stated: ReleaseHypothesis, told: Told) -> None:
    """Raise ClaimError unless a hypothesis is the one that is told, and may stand as it does."""
    if stated.status not in told.may_be:
        raise ClaimError(f"what is said of the data cannot stand as {stated.status}")
    (found,) = as_published([told.stands(stated.status)])
    if stated != found:
        raise ClaimError("what is said of the data is not what is always said of them")


def _resting_on_parameters(hypotheses: list[ReleaseHypothesis]) -> list[ReleaseHypothesis]:
    return [item for item in hypotheses if item.rests_on != DATA]
