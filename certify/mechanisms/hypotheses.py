"""Each hypothesis of a paper's theorem, with its own status; and what the data themselves say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Condition, Parameters
from ...reference.enclosure import Trilean
from ...reference.exact import shown
from ..verdict import Verdict

STATUS = {Trilean.TRUE: "holds", Trilean.FALSE: "fails", Trilean.UNKNOWN: "undecided"}
_PARAMETERS, DATA = "parameters", "data"
_PRIVACY, ACCURACY = "privacy", "accuracy"
_BORDERED = "the bordered simplex of the paper's definition"


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
    rests_on: str = _PARAMETERS
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
            "bears_on": self.bears_on,
        }
        return {**shape, "note": self.note} if self.note else shape

    @property
    def bears_on(self) -> str:
        """What it is asked for, as it is published."""
        return _PRIVACY if self.bears_on_privacy else ACCURACY


@dataclass(frozen=True)
class Told:
    """A hypothesis that is told from the data where they are known, and how it may then stand.

    ``leaves`` is what a claim that is certified for all inputs may come to where it fails.
    """

    statement: str
    source: str
    may_be: tuple[str, ...] = ("holds", "fails")
    leaves: tuple[Verdict, ...] = (Verdict.CERTIFIED,)
    bears_on_privacy: bool = True

    def stands(self, status: str, note: str = "") -> Finding:
        """Return it with its status."""
        return Finding(self.statement, status, self.source, note, DATA, self.bears_on_privacy)


# What is told of counts, where these are known: below the floor they are no input.
OF_COUNTS = Told("every count is at least eta N", _BORDERED, leaves=(Verdict.INAPPLICABLE,))
# A remark on where eta may come from, of which no verdict takes note: it is said to be public.
LEAVES = (
    "leaves the bordered simplex, so an eta that was read off these data does not hold for their "
    "neighbours"
)


def decided(conditions: Iterable[Condition], point: Parameters) -> list[Finding]:
    """Decide the conditions whose parameters are all known."""
    return [
        Finding(item.statement, STATUS[item.holds(point)], item.source)
        for item in conditions
        if set(item.names) <= set(point)
    ]


def of_unseen_data(source: str = _BORDERED) -> list[Finding]:
    """Return what has to be assumed of data that were not given."""
    return [
        Finding(
            "the private input and each neighbour of it lie in the bordered simplex",
            "assumed",
            source,
            rests_on=DATA,
        ),
        fixed_eta(source),
    ]


def of_counts(counts: tuple[int, ...], eta: Fraction) -> list[Finding]:
    """Decide from the counts themselves whether they stay above eta, as a release of them does.

    Where a neighbour of theirs does not, a note says so.
    """
    total, least = Fraction(sum(counts)), min(counts)
    inside, neighbours = least >= eta * total, least - 1 >= eta * total
    largest = Fraction(max(least - 1, 0)) / total
    note = (
        f"moving one record out of the smallest category ({shown(least)}) {LEAVES}; the largest "
        f"eta that holds for both is (smallest count - 1)/N = {shown(largest)}"
    )
    return [OF_COUNTS.stands(_word(inside), "" if neighbours else note), fixed_eta()]


def fixed_eta(source: str = _BORDERED, *, read_off: bool = False) -> Finding:
    """Return that eta does not depend on the data: assumed, unless it was read off them."""
    status = "fails" if read_off else "assumed"
    return Finding("eta was fixed without looking at the private data", status, source)


def _word(value: bool) -> str:
    return STATUS[Trilean.of(value)]
