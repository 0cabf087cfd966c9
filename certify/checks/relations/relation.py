"""Relations between answers: witnesses, the tolerances of answers, and the truths they are held to.

A relation between answers has a slack of its own, 1/100, which is part of its statement: the
interface lets a backend be conservative by any amount where it promises no accuracy, and relations
do not let that amount change from one point to the next by more. Beyond it there is room for what
the backend declares, so that no answer is refuted for being where it was declared to be.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from ....reference.domain import Value
from ....reference.dyadic import MINUS_INFINITY, PLUS_INFINITY
from ....reference.enclosure import Enclosed, Enclosure, Enclosures, Place, met, overlap
from ....reference.errors import SoundnessError
from ....reference.evaluation import climb_quantity, climb_second
from ....reference.precision import Budget, ProcessorBudget
from ....reference.quantity import Quantity, quantity_named
from ...backends.answers import Real, placed, real_answers
from ...points import Answered, Given, exact_point, is_finite, real_in, written_real
from ...verdict import Verdict
from ..judgement import CASE_MAX_BITS, CASE_MAX_SECONDS

# Ask the backend: the name of a quantity, which it must answer, and a point of its domain.
Ask: TypeAlias = Callable[[str, Given], object]
# Enclose a quantity at exact parameters until a question about the enclosure is decided.
Truths: TypeAlias = Callable[[Quantity, Mapping[str, Value], Callable[[Enclosed], bool]], Enclosed]


class NoNumberError(Exception):
    """An answer that a relation needs is no number; the case is an error."""

    def __init__(self, parameters: Given, answer: object, reason: str) -> None:
        super().__init__(reason)
        self.parameters, self.answer, self.reason = parameters, answer, reason


@dataclass(frozen=True)
class Declared:
    """What a backend answers, and its slack and accuracy, by the names of quantities.

    ``answers`` are those on their usual side, each with the domain in which it is asked.
    """

    answers: Mapping[str, Quantity]
    slack: Mapping[str, Fraction]
    accuracy: Mapping[str, Fraction]

    def are_asked(self, name: str, point: Given) -> bool:
        """Whether the backend answers a quantity at a point, as far as it says."""
        return name in self.answers and self.answers[name].admits(exact_point(point))


@dataclass(frozen=True)
class First:
    """The point of a campaign that a relation starts from, and what was answered there.

    ``turn`` counts the points that relations are tried at; it chooses what is tried.
    """

    point: Given
    answer: object
    turn: int

    @property
    def number(self) -> Real:
        """The answer as one number. Raises NoNumberError where it is none."""
        return number_answered(self.point, self.answer)


class Found(NamedTuple):
    """A relation's case as it came up: the answer judged, where, and what it is compared with."""

    parameters: Given
    value: Real
    others: tuple[Answered, ...]
    place: Place = ()


@dataclass(frozen=True)
class Other:
    """One more answer, or a truth (no value), at exact parameters of its domain."""

    quantity: Quantity
    parameters: Mapping[str, Value]
    value: Real | None


@dataclass(frozen=True)
class Witness:
    """A relation's case as it can be judged: exact, and written down nowhere else."""

    quantity: Quantity
    parameters: Mapping[str, Value]
    value: Real
    others: tuple[Other, ...]
    place: Place = ()


class Ruling(NamedTuple):
    """What a relation finds of a witness, and what it holds the answer against.

    A refutation ``of_quality`` says that an answer is coarser than it need be, not that it is
    unsound: it refutes where an accuracy is declared, and is told as loose elsewhere. What passes
    and ``is_loose`` is told so, whatever is declared.
    """

    verdict: Verdict
    against: Enclosure
    of_quality: bool = False
    is_loose: bool = False


class Wording(NamedTuple):
    """Texts of a relation: a sentence, the ends that are compared with, and a case's sentences.

    ``loose`` is that of a case that passes and is loose, where it has another reason than that no
    accuracy is promised.
    """

    relation: str
    ends: str
    kept: str
    broken: str
    loose: str = ""


class Relation(Protocol):
    """A statement about the answers of a backend that follows from what the quantity is."""

    @property
    def check(self) -> str:
        """The name of the check."""

    @property
    def wording(self) -> Wording:
        """How reports tell of it."""

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether the relation says anything about the quantity; by the registry alone."""

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Ask what has to be asked, and return the case that comes of it.

        Raises NoNumberError where an answer is none. What is chosen depends on ``first`` alone.
        """

    def verdict_on(
        self, witness: Witness, slack: Fraction, accuracy: Fraction | None, truths: Truths
    ) -> Ruling:
        """Judge a witness by nothing but what stands in it.

        Raises InputError where the witness is not of the relation's form.
        """


def number_answered(parameters: Given, answer: object) -> Real:
    """Return an answer as one number. Raises NoNumberError where it is none, or several."""
    ((place, number), *_) = _numbers_answered(parameters, answer)
    if place:
        raise NoNumberError(parameters, answer, "answered a list where a number is asked for")
    return number


def _numbers_answered(parameters: Given, answer: object) -> Sequence[tuple[Place, Real]]:
    """Return the numbers of an answer with their places. Raises NoNumberError where one is none."""
    values, reason = real_answers(answer)
    if values is None:
        raise NoNumberError(parameters, answer, reason)
    return list(placed(values))


def entries_answered(
    quantity: Quantity, parameters: Given, answer: object
) -> Sequence[tuple[Place, Real]]:
    """Return the numbers of an answer with their places, which are such as the quantity has.

    Raises NoNumberError.
    """
    numbers = _numbers_answered(parameters, answer)
    if not all(is_a_place(quantity, place) for place, _ in numbers):
        raise NoNumberError(parameters, answer, "answered another shape than the quantity has")
    return numbers


def is_a_place(quantity: Quantity, place: Place) -> bool:
    """Whether a quantity has such places: a number has none but ()."""
    return len(place) == quantity.shape


def answered_as(quantity: str, parameters: Given, value: Real | None) -> Answered:
    """Return an answer, or a truth (no value), as it is written down."""
    return Answered(quantity, parameters, None if value is None else written_real(value))


def as_witness(quantity: Quantity, found: Found) -> Witness:
    """Return the exact witness that a case is."""
    others = tuple(
        Other(
            quantity_named(other.quantity),
            exact_point(other.parameters),
            None if other.value is None else real_in(other.value),
        )
        for other in found.others
    )
    exact = exact_point(found.parameters)
    return Witness(quantity, exact, found.value, others, found.place)


def rounded(value: Fraction, sign: int) -> float:
    """Return the nearest double at or above a number (sign 1), or at or below it (sign -1)."""
    try:
        found = float(value)
    except OverflowError:
        return math.inf
    if math.isinf(found) or sign * (Fraction(found) - value) >= 0:
        return found
    return math.nextafter(found, sign * math.inf)


def only_changed(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of the parameters in which two points differ."""
    return [name for name in one if one[name] != other[name]]


# By so much, relatively, answers may be out of order or out of the range.
SLACK_OF_RELATIONS = Fraction(1, 100)
# A truth may exceed a target that was met, or a promise that was made, by so little: exact answers
# meet them just so, and no precision tells that from more. What is smaller is left to direction.
TIE = Fraction(1, 2**40)
# The logarithm of a ratio near 1 is about the ratio less 1, which doubles know to 2^-53 at best and
# after a sum of many products to less: so much of it may be rounding.
NEAR_ONE = Fraction(1, 2**40)
# Below the smallest normal double an accuracy allows that much absolutely, at each of two answers.
_FLOOR_OF_RELATIONS = 2 * Fraction(sys.float_info.min)


def are_in_order(
    first: Real,
    second: Real,
    slack: Fraction,
    accuracy: Fraction | None,
    floor: Fraction = Fraction(0),
) -> bool:
    """Whether two answers can stand for truths of which the first is at most the second.

    The first may exceed the second by the slack of relations times the larger size, by ``floor``,
    and by what the declarations allow. An answer v that is off by no more than they say has
    |v - t| <= max(d |t|, m), d the larger of slack and accuracy, m the smallest normal double.
    Where d |t| is the larger, |t| <= |v|/(1 - d); so |v - t| <= max(d |v|/(1 - d), m), and t <= t'
    gives v - v' <= d/(1 - d) (|v| + |v'|) + 2 m. Declared deviations are never refuted.
    """
    if not (is_finite(first) and is_finite(second)):
        return first <= second
    low, high = Fraction(first), Fraction(second)
    declared = max(slack, accuracy or Fraction(0))
    allowed = SLACK_OF_RELATIONS * max(abs(low), abs(high)) + floor + _FLOOR_OF_RELATIONS
    return low - high <= allowed + declared / (1 - declared) * (abs(low) + abs(high))


def is_in_range(
    value: Real,
    within: Enclosure,
    slack: Fraction,
    accuracy: Fraction | None,
    *,
    of_an_entry: bool = False,
) -> bool:
    """Whether an answer lies where the quantity can lie, up to the slack of relations.

    A declared accuracy or slack d moves an answer by d times the size of a finite end at most
    where the truth is beyond 0; across a lower end of 0 not at all. Of an array it moves an entry
    by d times the largest one's size, which a range without a finite end does not bound: such an
    entry is in range wherever it is.
    """
    low, high = within.lower, within.upper
    finite = [Fraction(end) for end in (low, high) if not math.isinf(end)]
    if of_an_entry and len(finite) < len((low, high)):
        return True
    largest = max([Fraction(1), *map(abs, finite)])
    moved = (SLACK_OF_RELATIONS + max(slack, accuracy or Fraction(0))) * largest
    above = low == -math.inf or value >= low - moved
    return above and value != -math.inf and (high == math.inf or value <= high + moved)


def point_at(value: Real) -> Enclosure:
    """Return the enclosure of one answer: a point."""
    if isinstance(value, Fraction):
        return Enclosure.of(value)
    end = PLUS_INFINITY if value > 0 else MINUS_INFINITY
    return Enclosure(end, end)


def by_the_first_engine(
    quantity: Quantity, exact: Mapping[str, Value], decided: Callable[[Enclosed], bool]
) -> Enclosed:
    """Enclose a quantity until it is decided, as long as a case may take."""
    budget = ProcessorBudget(CASE_MAX_SECONDS, CASE_MAX_BITS)
    return climb_quantity(quantity, exact, decided, budget).enclosure


def by_both_engines(seconds: float) -> Truths:
    """Return how both engines enclose a quantity, in so many seconds each.

    The second alone decides where it is rigorous and gets that far; otherwise the first does, and
    what the second knows has to agree. Raises SoundnessError where they contradict each other.
    """
    return partial(_by_both, seconds)


def _by_both(
    seconds: float,
    quantity: Quantity,
    exact: Mapping[str, Value],
    decided: Callable[[Enclosed], bool],
) -> Enclosed:
    from ....reference.second import opinion_on

    rigorous = opinion_on(quantity.name).rigorous
    second = climb_second(quantity, exact, decided, Budget(seconds, CASE_MAX_BITS))
    if second.satisfied and rigorous:
        return second.enclosure
    first = climb_quantity(quantity, exact, decided, Budget(seconds, CASE_MAX_BITS)).enclosure
    if isinstance(second.enclosure, Enclosures) and first == quantity.within:
        first = Enclosure.nothing_known()  # a bound for every entry of an array, but not an array
    if not overlap(first, second.enclosure):
        raise SoundnessError(f"the two engines contradict each other on {quantity.name}")
    return met(first, second.enclosure) if rigorous else first
