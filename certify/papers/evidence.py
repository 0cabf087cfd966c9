"""The kinds of evidence. Each works out its finding when asked; no verdict is set by hand.

A refutation needs an instance: exact inputs that satisfy every hypothesis, and two enclosures that
do not overlap, by both of two engines.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal, Protocol, TypeAlias

from flint import arb

from ...reference.arb.balls import ball, working_precision
from ...reference.enclosure import Enclosure, Trilean
from ...reference.exact import exact_number
from ...reference.precision import check_budget
from ..verdict import Verdict
from .values import SHOWN_DIGITS, Number, Value


class Strength(enum.StrEnum):
    """The kind of evidence behind a verdict, strongest first."""

    IDENTITY = "exact identity"
    COUNTEREXAMPLE = "rigorous counterexample"
    PROOF = "proof, its formulas executed"
    BOX = "certified over a box"
    NUMBER = "enclosed number"
    SAMPLED = "sampled only"
    NONE = "not decidable here"


# A verdict that rests on several pieces is as strong as the weakest of them.
STRONGEST_FIRST = tuple(Strength)


@dataclass(frozen=True)
class Finding:
    """The verdict of one piece of evidence; it ``decides``, or only supports."""

    strength: Strength
    verdict: Verdict
    says: str
    numbers: tuple[Number, ...] = ()
    decides: bool = True

    def as_json(self, digits: int = SHOWN_DIGITS) -> dict[str, object]:
        """Return the published shape, numbers with so many digits and two more."""
        return {
            "strength": self.strength.value,
            "verdict": self.verdict.value,
            "says": self.says,
            "decides": self.decides,
            "numbers": [number.as_json(digits) for number in self.numbers],
        }


# Inequalities over boxes: a function shown positive on all of a box by cutting it into small ones.
#
# On each small box the function is evaluated in balls that hold every point of it. A ball that is
# certainly positive settles its box; else the box is halved where it is widest.

# The sides of a box as exact texts, by the parameter's name.
_Box: TypeAlias = Mapping[str, tuple[str, str]]
# A function of balls by the same names; what is shown is that it is above zero.
_Positive: TypeAlias = Callable[..., arb]
_Sides: TypeAlias = dict[str, tuple[Fraction, Fraction]]

_MAX_BOXES = 200_000
_BITS = 128


@dataclass(frozen=True)
class _Subdivision:
    """TRUE if every box was settled, FALSE with a point ``at`` which the function is negative."""

    holds: Trilean
    boxes: int
    at: str = ""


def subdivided(box: _Box, positive: _Positive, most: int = _MAX_BOXES) -> _Subdivision:
    """Return whether the function is positive on all of the box; UNKNOWN after so many boxes."""
    left: list[_Sides] = [{name: (_end(low), _end(high)) for name, (low, high) in box.items()}]
    whole = left[0]
    count = 0
    with working_precision(_BITS):
        while left:
            check_budget()
            sides = left.pop()
            count += 1
            if positive(**{name: _hull(*ends) for name, ends in sides.items()}) > 0:
                continue
            middle = {name: (low + high) / 2 for name, (low, high) in sides.items()}
            if positive(**{name: ball(value) for name, value in middle.items()}) <= 0:
                at = ", ".join(f"{name} = {value}" for name, value in middle.items())
                return _Subdivision(Trilean.FALSE, count, at)
            if count >= most:
                return _Subdivision(Trilean.UNKNOWN, count)
            left.extend(_halves(sides, whole))
    return _Subdivision(Trilean.TRUE, count)


def _end(text: str) -> Fraction:
    return exact_number(text, "the end of a box")


def _hull(low: Fraction, high: Fraction) -> arb:
    return ball(low).union(ball(high))


def _halves(sides: _Sides, whole: _Sides) -> tuple[_Sides, _Sides]:
    """Return both halves of a box, cut where it is widest in proportion to the whole."""

    def width(name: str) -> Fraction:
        (low, high), (first, last) = sides[name], whole[name]
        return (high - low) / (last - first) if last > first else Fraction(0)

    name = max(sides, key=width)
    low, high = sides[name]
    middle = (low + high) / 2
    return {**sides, name: (low, middle)}, {**sides, name: (middle, high)}


# How a printed decimal comes out of a number: to the nearest, cut off, or rounded up.

NEAREST, CUT_OFF, ROUNDED_UP = "rounded to the nearest", "cut off", "rounded up"


def how_it_rounds(printed: str, value: Enclosure) -> str | None:
    """Return how the printed digits come out of the number.

    The empty text where in no way: the enclosure excludes them. None where the enclosure is too
    wide to tell. Signs are as printed; the last printed digit is the unit.
    """
    said = Decimal(printed)
    unit = Fraction(10) ** int(said.as_tuple().exponent)
    at = Fraction(said)
    if _within(value, at - unit / 2, at + unit / 2):
        return NEAREST
    outward = unit if at >= 0 else -unit
    if _within(value, *sorted((at, at + outward))):
        return CUT_OFF
    if _within(value, *sorted((at - outward, at))):
        return ROUNDED_UP
    outside = value.high.compared_with(at - unit) < 0 or value.low.compared_with(at + unit) > 0
    return "" if outside else None


def _within(value: Enclosure, low: Fraction, high: Fraction) -> bool:
    if value.exact is not None:
        return low <= value.exact <= high
    return value.low.compared_with(low) >= 0 and value.high.compared_with(high) <= 0


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
    """A piece of evidence: when asked, it derives its finding on a statement."""

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
        """Return the verdict of exact arithmetic."""
        verdict = _VERDICTS[self.holds()]
        return Finding(Strength.IDENTITY, verdict, self.says, decides=self.decides)


@dataclass(frozen=True)
class Instance:
    """An inequality at one exact point: the statement says ``left relation right``.

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
        """Return the verdict on the inequality that both engines give."""
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

    def is_true(self) -> bool:
        """Whether the twin answers True: it takes nothing, so once a process is enough."""
        return _answer_of(self.holds) is True


@cache
def _answer_of(twin: Callable[[], bool]) -> bool:
    return twin()


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
        failed = [formula.says for formula in self.formulas if not formula.is_true()]
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
    box: _Box
    positive: _Positive
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
    """A number as it is printed, held against the enclosure of its true value.

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
        says += _rounded(way) if way else ""
        return Finding(Strength.NUMBER, verdict, says, (found.number(),), self.decides)


def _rounded(way: str) -> str:
    return f", {way}"


def without_rounding(says: str) -> str:
    """Return a finding's words without how a printed number comes out, which is said if decided."""
    for way in (NEAREST, CUT_OFF, ROUNDED_UP):
        says = says.removesuffix(_rounded(way))
    return says


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
