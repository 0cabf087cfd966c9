"""Each hypothesis of a paper's theorem, with its own status; and what the data themselves say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Condition, Exact
from ...reference.enclosure import Trilean
from ...reference.exact import exact_text
from ...reference.quantity import quantity_named
from .claim import Claim

_STATUS = {Trilean.TRUE: "holds", Trilean.FALSE: "fails", Trilean.UNKNOWN: "undecided"}
_BORDERED = "the bordered simplex of the paper's definition"


@dataclass(frozen=True)
class Finding:
    """A hypothesis and how it stands: holds, fails, undecided or assumed."""

    statement: str
    status: str
    source: str
    note: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the published shape; a note only where there is one."""
        shape = {"statement": self.statement, "status": self.status, "source": self.source}
        return {**shape, "note": self.note} if self.note else shape


def findings(claim: Claim, release: Mapping[str, Exact]) -> list[Finding]:
    """Return every hypothesis of the paper's theorem, decided as far as can be.

    ``release`` is the claim's, with the gamma that was chosen where it names none.
    """
    conditions = (*quantity_named(claim.mechanism.bound).conditions, *claim.mechanism.hypotheses)
    decided = [_decided(item, release) for item in conditions if set(item.names) <= set(release)]
    return [*decided, *(_of_counts(claim) if claim.counts else _of_unseen_data())]


def _decided(condition: Condition, release: Mapping[str, Exact]) -> Finding:
    status = _STATUS[condition.holds(release)]
    return Finding(condition.statement, status, condition.source)


def _of_unseen_data() -> list[Finding]:
    return [
        Finding(
            "the private input and each neighbour of it lie in the bordered simplex",
            "assumed",
            _BORDERED,
        ),
        Finding("eta was fixed without looking at the private data", "assumed", _BORDERED),
    ]


def _of_counts(claim: Claim) -> list[Finding]:
    """Decide from the counts themselves whether data and neighbours stay above eta."""
    counts = claim.counts or ()
    eta, total = Fraction(claim.release["eta"]), Fraction(sum(counts))
    least = min(counts)
    inside, neighbours = least >= eta * total, least - 1 >= eta * total
    largest = Fraction(max(least - 1, 0)) / total
    note = (
        ""
        if neighbours
        else f"moving one record out of the smallest category ({least}) leaves the bordered "
        f"simplex, so an eta read off these data does not hold for their neighbours; the largest "
        f"eta that holds for both is (smallest count - 1)/N = {exact_text(largest)}"
    )
    return [
        Finding("every count is at least eta N", _word(inside), _BORDERED),
        Finding(
            "every neighbour of the data has counts of at least eta N",
            _word(neighbours),
            _BORDERED,
            note,
        ),
        Finding("eta was fixed without looking at the private data", "assumed", _BORDERED),
    ]


def _word(value: bool) -> str:
    return _STATUS[Trilean.of(value)]
