"""The kinds of evidence. Each works out what it says when it is asked, and nothing is set by hand.

A refutation needs an instance: exact inputs that satisfy every hypothesis, and two enclosures that
do not overlap, by both of two engines.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

from ...reference.enclosure import Enclosure, Trilean
from ..verdict import Verdict
from .boxes import Box, Positive, subdivided
from .findings import Finding, Strength
from .printed_digits import CUT_OFF, NEAREST, ROUNDED_UP, how_it_rounds
from .values import Value

Relation = Literal["<", "<=", "=", ">", ">="]
_EXACTLY: Mapping[Relation, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
}
_VERDICTS = {
    Trilean.TRUE: Verdict.CERTIFIED,
    Trilean.FALSE: Verdict.REFUTED,
    Trilean.UNKNOWN: Verdict.UNDECIDED,
}


class Evidence(Protocol):
    """Something that can be worked out, and what it then says about a statement."""

    def find(self) -> Finding:
        """Work it out now."""


@dataclass(frozen=True)
class Identity:
    """An exact identity or fact: rational arithmetic or SymPy says whether it holds.

    ``holds`` answers TRUE only for a proof and FALSE only for a disproof.
    """

    says: str
    holds: Callable[[], Trilean]
    decides: bool = True

    def find(self) -> Finding:
        """Return what exact arithmetic says."""
        verdict = _VERDICTS[self.holds()]
        return Finding(Strength.IDENTITY, verdict, self.says, decides=self.decides)


@dataclass(frozen=True)
class Instance:
    """An inequality at one exact point: ``left relation right`` is what the statement says there.

    Where it fails, that refutes the statement, provided that the ``hypotheses`` hold, each of
    which is decided exactly. Where it holds, that only supports it, unless ``decides``: a
    statement about this very point.
    """

    says: str
    left: Value
    relation: Relation
    right: Value
    hypotheses: Mapping[str, bool] = field(default_factory=dict)
    decides: bool = False

    def find(self) -> Finding:
        """Return what two engines say of the inequality."""
        if not all(self.hypotheses.values()):
            failed = ", ".join(name for name, holds in self.hypotheses.items() if not holds)
            return Finding(Strength.NONE, Verdict.ERROR, f"{self.says}: fails here: {failed}")
        left, right = self.left.enclosed(), self.right.enclosed()
        ways = {
            _holds(left.first, self.relation, right.first),
            _holds(left.second, self.relation, right.second),
        }
        verdict = _VERDICTS[ways.pop()] if len(ways) == 1 else Verdict.UNDECIDED
        refuted = verdict is Verdict.REFUTED
        strength = Strength.COUNTEREXAMPLE if refuted else Strength.NUMBER
        numbers = (left.number(), right.number())
        return Finding(strength, verdict, self.says, numbers, self.decides or refuted)


def _holds(left: Enclosure, relation: Relation, right: Enclosure) -> Trilean:
    """Whether a relation certainly holds, or certainly does not, between two enclosed numbers."""
    if left.exact is not None and right.exact is not None:
        return Trilean.of(_EXACTLY[relation](left.exact, right.exact))
    match relation:
        case ">":
            return _holds(right, "<", left)
        case ">=":
            return _holds(right, "<=", left)
        case "<":
            return _decided(left.high < right.low, left.low >= right.high)
        case "<=":
            return _decided(left.high <= right.low, left.low > right.high)
        case "=":
            return _decided(certainly=False, certainly_not=not left.overlaps(right))


def _decided(certainly: bool, certainly_not: bool) -> Trilean:
    if certainly:
        return Trilean.TRUE
    return Trilean.FALSE if certainly_not else Trilean.UNKNOWN


@dataclass(frozen=True)
class Formula:
    """A displayed formula of a note and its executable twin, which has to answer True."""

    says: str
    holds: Callable[[], bool]


@dataclass(frozen=True)
class Proof:
    """A proof in the notes: ``note`` or ``note#law``. Each of its formulas is executed.

    What is executed cannot prove; it shows that the formulas say what was meant.
    """

    note: str
    says: str
    formulas: tuple[Formula, ...]
    decides: bool = True

    def find(self) -> Finding:
        """Execute the formulas; one that does not hold is an error of ours."""
        if not self.formulas:
            raise ValueError(f"the proof {self.note} has no formula that is executed")
        failed = [formula.says for formula in self.formulas if formula.holds() is not True]
        if failed:
            return Finding(Strength.PROOF, Verdict.ERROR, f"does not hold: {'; '.join(failed)}")
        executed = "; ".join(formula.says for formula in self.formulas)
        says = f"{self.says} (proofs_notes/{self.note}; executed: {executed})"
        return Finding(Strength.PROOF, Verdict.CERTIFIED, says, decides=self.decides)


@dataclass(frozen=True)
class OverBox:
    """An inequality certified over a whole box of parameters by interval subdivision.

    ``beyond`` is the proof for what lies outside of the box; without one, the box is all there is
    to the statement, or else ``decides`` has to be False.
    """

    says: str
    box: Box
    positive: Positive
    beyond: Proof | None = None
    decides: bool = True

    def find(self) -> Finding:
        """Return whether the function is positive on all of the box."""
        found = subdivided(self.box, self.positive)
        verdict = _VERDICTS[found.holds]
        sides = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.box.items())
        says = f"{self.says}: {sides}, {found.boxes} boxes"
        if found.holds is Trilean.FALSE:
            return Finding(Strength.COUNTEREXAMPLE, verdict, f"{says}; fails at {found.at}")
        if self.beyond is not None:
            rest = self.beyond.find()
            verdict = verdict if rest.verdict is Verdict.CERTIFIED else rest.verdict
            says = f"{says}; beyond it: {rest.says}"
        return Finding(Strength.BOX, verdict, says, decides=self.decides)


# How a printed number may come out of what it bounds, besides to the nearest.
_SAFELY = {"upper": ROUNDED_UP, "lower": CUT_OFF, None: NEAREST}


@dataclass(frozen=True)
class Reproduced:
    """A number as it is printed, held against the enclosure of what it should be.

    It has to come out to the nearest. What is printed as an upper ``bound`` may be rounded up, as a
    lower one cut off; the other way round, or where no side is safe, it is another number.
    """

    says: str
    printed: str
    value: Value
    decides: bool = True
    bound: Literal["upper", "lower"] | None = None

    def find(self) -> Finding:
        """Return whether the enclosure rounds to the printed digits, or excludes them."""
        found = self.value.enclosed()
        ways = {how_it_rounds(self.printed, end) for end in (found.first, found.second)}
        way = ways.pop() if len(ways) == 1 else None
        if way is None:
            verdict = Verdict.UNDECIDED
        else:
            comes_out = way in {NEAREST, _SAFELY[self.bound]}
            verdict = Verdict.CERTIFIED if comes_out else Verdict.REFUTED
        says = f"{self.says}: printed {self.printed}"
        says += f", {way}" if way else ""
        return Finding(Strength.NUMBER, verdict, says, (found.number(),), self.decides)


@dataclass(frozen=True)
class Sampled:
    """A statement that was only tried: how many times, and how often it failed."""

    says: str
    tried: Callable[[], tuple[int, int]]

    def find(self) -> Finding:
        """Return the counts; they decide nothing."""
        tried, failed = self.tried()
        says = f"{self.says}: tried {tried} times, failed {failed} times"
        return Finding(Strength.SAMPLED, Verdict.UNDECIDED, says)


@dataclass(frozen=True)
class NotDecidable:
    """A statement that cannot be decided here, and why."""

    reason: str

    def find(self) -> Finding:
        """Return the reason."""
        return Finding(Strength.NONE, Verdict.INAPPLICABLE, self.reason)


def exactly(holds: bool) -> Callable[[], Trilean]:
    """Return an answer for ``Identity`` that exact arithmetic has given already."""
    return lambda: Trilean.of(holds)
