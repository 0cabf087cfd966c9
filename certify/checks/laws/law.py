"""What a law is, and what a law's witness consists of."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

from ....reference.domain import Value
from ....reference.enclosure import Enclosure
from ....reference.enclosures import Enclosed, Place
from ....reference.quantity import Quantity, quantity_named
from ...backends.answers import Real, placed, real_answers
from ...points import Answered, Given, exact_point
from ...verdict import Verdict

# Ask the backend: the name of a quantity, which it must answer, and a point of its domain.
Ask: TypeAlias = Callable[[str, Given], object]
# Enclose a quantity at exact parameters until a question about the enclosure is decided.
Truths: TypeAlias = Callable[[Quantity, Mapping[str, Value], Callable[[Enclosed], bool]], Enclosed]


class NoNumberError(Exception):
    """An answer that a law needs is no number; the case is an error."""

    def __init__(self, parameters: Given, answer: object, reason: str) -> None:
        super().__init__(reason)
        self.parameters, self.answer, self.reason = parameters, answer, reason


@dataclass(frozen=True)
class Declared:
    """What a backend answers, and its slack and accuracy, by the names of quantities."""

    answers: Collection[str]
    slack: Mapping[str, Fraction]
    accuracy: Mapping[str, Fraction]


@dataclass(frozen=True)
class First:
    """The point of a campaign that a law starts from, and what was answered there.

    ``turn`` counts the points that laws are tried at; it chooses what is tried.
    """

    point: Given
    answer: object
    turn: int

    @property
    def number(self) -> Real:
        """The answer as one number. Raises NoNumberError where it is none."""
        return number_answered(self.point, self.answer)


class Found(NamedTuple):
    """A law's case as it came up: the answer judged, where, and what it is compared with."""

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
    """A law's case as it can be judged: exact, and written down nowhere else."""

    quantity: Quantity
    parameters: Mapping[str, Value]
    value: Real
    others: tuple[Other, ...]
    place: Place = ()


class Law(Protocol):
    """A statement about the answers of a backend that follows from what the quantity is."""

    @property
    def check(self) -> str:
        """The name of the check."""

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether the law says anything about the quantity; by the registry alone."""

    def needs(self, quantity: Quantity) -> tuple[str, ...]:
        """Return further quantities without which the law cannot be tried on a backend."""

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Ask what has to be asked, and return the case that comes of it.

        Raises NoNumberError where an answer is none. What is chosen depends on ``first`` alone.
        """

    def verdict_on(
        self, witness: Witness, slack: Fraction, accuracy: Fraction | None, truths: Truths
    ) -> tuple[Verdict, Enclosure]:
        """Judge a witness by nothing but what stands in it; return what it is held against, too.

        Raises InputError where the witness is not of the law's form.
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
    return Answered(quantity, parameters, None if value is None else float(value).hex())


def as_witness(quantity: Quantity, found: Found) -> Witness:
    """Return the exact witness that a case is."""
    others = tuple(
        Other(
            quantity_named(other.quantity),
            exact_point(other.parameters),
            None if other.value is None else exactly(float.fromhex(other.value)),
        )
        for other in found.others
    )
    exact = exact_point(found.parameters)
    return Witness(quantity, exact, found.value, others, found.place)


def exactly(number: float) -> Real:
    """Return the number that a double is, or the infinity."""
    return number if number in (float("inf"), float("-inf")) else Fraction(number)


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
