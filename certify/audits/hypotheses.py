"""Each hypothesis of a paper's theorem, with its own status; and what the data themselves say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Condition, Parameters
from ...reference.enclosure import Trilean
from ...reference.exact import exact_text

STATUS = {Trilean.TRUE: "holds", Trilean.FALSE: "fails", Trilean.UNKNOWN: "undecided"}
PARAMETERS, DATA = "parameters", "data"
_BORDERED = "the bordered simplex of the paper's definition"
_DATA_INSIDE = "every count is at least eta N"
_NEIGHBOURS_INSIDE = "every neighbour of the data has counts of at least eta N"
# What is told where the data are known: statements and sources, in order.
SEEN_DATA = ((_DATA_INSIDE, _BORDERED), (_NEIGHBOURS_INSIDE, _BORDERED))


@dataclass(frozen=True)
class Finding:
    """A hypothesis and how it stands: holds, fails, undecided or assumed.

    ``rests_on`` says what that was told from, and is assumed of: the parameters, or the data.
    Some are asked for by what a paper says of accuracy alone: those do not bear on privacy.
    """

    statement: str
    status: str
    source: str
    note: str = ""
    rests_on: str = PARAMETERS
    bears_on_privacy: bool = True

    @property
    def may_hold(self) -> bool:
        """Whether it holds, or is taken to."""
        return self.status in ("holds", "assumed")

    def as_json(self) -> dict[str, str]:
        """Return the published shape; a note only where there is one."""
        shape = {
            "statement": self.statement,
            "status": self.status,
            "source": self.source,
            "rests_on": self.rests_on,
        }
        return {**shape, "note": self.note} if self.note else shape


def decided(conditions: Iterable[Condition], point: Parameters) -> list[Finding]:
    """Decide the conditions whose parameters are all known."""
    return [
        Finding(item.statement, STATUS[item.holds(point)], item.source)
        for item in conditions
        if set(item.names) <= set(point)
    ]


def of_unseen_data() -> list[Finding]:
    """Return what has to be assumed of data that were not given."""
    return [
        Finding(
            "the private input and each neighbour of it lie in the bordered simplex",
            "assumed",
            _BORDERED,
            rests_on=DATA,
        ),
        _fixed_eta(),
    ]


def of_counts(counts: tuple[int, ...], eta: Fraction) -> list[Finding]:
    """Decide from the counts themselves whether data and neighbours stay above eta."""
    total, least = Fraction(sum(counts)), min(counts)
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
        Finding(_DATA_INSIDE, _word(inside), _BORDERED, rests_on=DATA),
        Finding(_NEIGHBOURS_INSIDE, _word(neighbours), _BORDERED, note, DATA),
        _fixed_eta(),
    ]


def _fixed_eta() -> Finding:
    return Finding("eta was fixed without looking at the private data", "assumed", _BORDERED)


def _word(value: bool) -> str:
    return STATUS[Trilean.of(value)]
