"""The numbers that evidence compares: of the registry, exact, or worked out in two ways.

Every one is enclosed twice, by two engines or by two formulas; the two have to overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from random import Random
from typing import Any, Protocol, TypeVar

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.enclosure import Enclosure, Place, entry_at
from ...reference.errors import SoundnessError
from ...reference.evaluation import answer_at
from ...reference.exact import exact_number, exact_text
from ...reference.second.directed import Span

# Figures of the numbers that are shown; verdicts rest on the enclosures themselves.
SHOWN_DIGITS = 12
_DIGITS = 20


@dataclass(frozen=True)
class Number:
    """A number that evidence rests on, enclosed; ``of`` names it, with exact inputs."""

    of: str
    enclosure: Enclosure

    @property
    def lower(self) -> str:
        """The lower end as it is shown, rounded down."""
        return self.enclosure.decimals(SHOWN_DIGITS)[0]

    @property
    def upper(self) -> str:
        """The upper end as it is shown, rounded up."""
        return self.enclosure.decimals(SHOWN_DIGITS)[1]

    def as_json(self, digits: int = SHOWN_DIGITS) -> dict[str, str]:
        """Return the published shape; real numbers are text, of so many digits and two more."""
        lower, upper = self.enclosure.decimals(digits)
        return {"of": self.of, "lower": lower, "upper": upper, "second": "overlaps"}


@dataclass(frozen=True)
class Enclosed:
    """A number enclosed by the first way and by the second; ``of`` names it."""

    of: str
    first: Enclosure
    second: Enclosure

    def number(self) -> Number:
        """Return it as it is published."""
        return Number(self.of, self.first)


class Value(Protocol):
    """A number that can be enclosed in two ways."""

    def enclosed(self) -> Enclosed:
        """Return it enclosed twice. Raises SoundnessError where the two contradict each other."""


@dataclass(frozen=True)
class At:
    """A quantity of the registry at exact parameters, or an entry of it; times an exact number."""

    quantity: str
    parameters: Mapping[str, Any]
    place: Place = ()
    times: str = "1"

    def enclosed(self) -> Enclosed:
        """Return the answers of both engines."""
        engines = [
            answer_at(self.quantity, self.parameters, digits=_DIGITS, engine=engine)
            for engine in ("arb", "second")
        ]
        share = exact_number(self.times, "times")
        first, second = (
            _multiplied(entry_at(answer.enclosure, self.place), share) for answer in engines
        )
        given = ", ".join(f"{key} = {exact_text(v)}" for key, v in engines[0].parameters.items())
        entry = f" [{', '.join(map(str, self.place))}]" if self.place else ""
        factor = "" if share == 1 else f"{self.times} x "
        return agreed(f"{factor}{self.quantity}({given}){entry}", first, second)


@dataclass(frozen=True)
class Exactly:
    """An exact number, given as text: 1/3, 0.05."""

    text: str
    of: str = ""

    def enclosed(self) -> Enclosed:
        """Return the number itself, twice."""
        known = Enclosure.of(exact_number(self.text, self.of or self.text))
        return Enclosed(self.of or f"exactly {self.text}", known, known)


@dataclass(frozen=True)
class Worked:
    """A number that no quantity answers, worked out in two ways that share no formula."""

    of: str
    first: Callable[[], Enclosure]
    second: Callable[[], Enclosure]

    def enclosed(self) -> Enclosed:
        """Return the enclosures of both ways."""
        return agreed(self.of, self.first(), self.second())


def agreed(of: str, first: Enclosure, second: Enclosure) -> Enclosed:
    """Return two enclosures of one number. Raises SoundnessError where they contradict."""
    if not first.overlaps(second):
        raise SoundnessError(f"the two ways to {of} contradict each other")
    return Enclosed(of, first, second)


def _multiplied(value: Enclosure, share: Fraction) -> Enclosure:
    """Return an enclosure of a number times an exact positive one."""
    if share == 1 or not (value.low.is_finite and value.high.is_finite):
        return value
    if share < 0:
        raise ValueError(f"{share} is negative")
    if value.exact is not None:
        return Enclosure.of(value.exact * share)
    low, high = (Enclosure.of(Fraction(end) * share) for end in (value.lower, value.upper))
    return Enclosure(low.low, high.high)


# Ways to enclose and draws to try on, for the statements of several papers.

# The bits of what is worked out here: more than twice those of the digits that are shown.
BITS = 192
_TRIALS = 20
# Two balls of fewer correct bits overlap too easily to say anything.
_NARROW_BITS = 40

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Named:
    """A value under a name of its own, where its parameters would fill a page."""

    of: str
    value: Value

    def enclosed(self) -> Enclosed:
        """Return the enclosed number under the new name."""
        found = self.value.enclosed()
        return Enclosed(self.of, found.first, found.second)


def at_precision(found: Callable[[], _Found]) -> Callable[[], _Found]:
    """Return the function executed at this module's precision."""

    def executed() -> _Found:
        with working_precision(BITS):
            return found()

    return executed


def by_balls(formula: Callable[[], arb]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in FLINT's balls."""
    return at_precision(lambda: enclosure_of(formula()))


def by_spans(formula: Callable[[], Span]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in MPFR's spans."""
    return lambda: formula().enclosure()


def in_rationals(formula: Callable[[], Fraction]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in rationals."""
    return lambda: Enclosure.of(formula(), BITS)


def span(value: Fraction | int | str) -> Span:
    """Return the span of an exact number."""
    return Span.of(Fraction(value), BITS)


def spans_total(terms: Sequence[Span]) -> Span:
    """Return the sum of spans."""
    return reduce(Span.__add__, terms, span(0))


def draws(seed: int, count: int = _TRIALS) -> Iterator[Random]:
    """Yield the same generator so many times: for formulas that are tried at drawn points."""
    random = Random(seed)  # noqa: S311
    for _ in range(count):
        yield random


def as_ball(value: arb | Fraction) -> arb:
    """Return an exact number, or one that is enclosed, as a ball."""
    return ball(value) if isinstance(value, Fraction) else value


def meets(first: arb, second: arb, bits: int = _NARROW_BITS) -> bool:
    """Whether two balls of one number overlap, both being narrow: wide ones overlap anything."""
    narrow = all(x.is_finite() and x.rel_accuracy_bits() >= bits for x in (first, second))
    return narrow and bool(first.overlaps(second))


def certainly_below(low: arb, high: arb) -> bool:
    """Whether one ball is below another, both being narrow."""
    return min(x.rel_accuracy_bits() for x in (low, high)) >= _NARROW_BITS and bool(low < high)


def fractions(*given: str | int) -> tuple[Fraction, ...]:
    """Return exact numbers."""
    return tuple(map(Fraction, given))


def texts(numbers: Sequence[Fraction]) -> list[str]:
    """Return exact numbers as the quantities take them."""
    return [str(each) for each in numbers]
