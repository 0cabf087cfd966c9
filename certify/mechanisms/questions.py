"""The numbers that decide a claim: questions, their truth by both engines, and printed bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat

from ...reference.domain import Parameters, Value
from ...reference.enclosure import Enclosure, Trilean, number_in
from ...reference.errors import UnknownNameError
from ...reference.evaluation import DEFAULT_DIGITS, answer_at, second_opinion
from ...reference.exact import Texts, exact_text
from ...reference.precision import MAX_SECONDS, Budget, BudgetSpentError, climb, first_bits
from ...reference.quantity import Quantity, quantity_named
from ...reference.second import opinion_on


@dataclass(frozen=True)
class Term:
    """A quantity at a point, taken so many times."""

    quantity: str
    point: Mapping[str, Value]
    times: Fraction = Fraction(1)


@dataclass(frozen=True)
class Question:
    """A number, the sum of its terms, that was claimed to be at most ``claimed``.

    The second engine is asked about each term for at most ``second_seconds``.
    """

    key: str
    claimed: Fraction
    terms: tuple[Term, ...]
    second_seconds: float = MAX_SECONDS

    @property
    def quantities(self) -> tuple[str, ...]:
        """The names of the quantities that it is made of, each once, in their order."""
        return tuple(dict.fromkeys(term.quantity for term in self.terms))

    @property
    def formula(self) -> str:
        """What it is in the registry's names: a quantity, or a sum of some."""
        if len(self.terms) == 1 and self.terms[0].times == 1:
            return self.terms[0].quantity
        return f"a sum of {' and '.join(self.quantities)}" if self.terms else ""


@dataclass(frozen=True)
class Printed:
    """The paper's bounds; None where a formula has no value, or lacks what it needs.

    ``point`` is where they were evaluated: the claim's release, with a gamma or an order that was
    chosen. ``chosen`` says that the claim left gamma open and that it is the best one. ``also``
    are further formulas by what they are published as, ``by`` says that of ``epsilon`` where it is
    one of several, ``facts`` what else is published. ``lacks`` says why a bound is None, ``notes``
    what they belong to, ``in_time`` that no gamma is lacking that more time might have found.
    """

    epsilon: Enclosure | None
    delta: Enclosure | None
    point: Parameters
    gamma: Fraction | None = None
    chosen: bool = False
    lacks: str = "the formula has no value here"
    notes: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, Enclosure | None]] = field(default_factory=dict)
    by: str = ""
    facts: Mapping[str, Texts | None] = field(default_factory=dict)
    in_time: bool = True

    def as_json(self, digits: int = DEFAULT_DIGITS) -> dict[str, object]:
        """Return the published shape."""
        return {
            "epsilon_bound": written(self.epsilon, digits),
            "delta_bound": written(self.delta, digits),
            "gamma": None if self.gamma is None else exact_text(self.gamma),
            "gamma_chosen": self.chosen,
            **{key: written(value, digits) for key, (_, value) in self.also.items()},
            **self.facts,
        }


def written(value: Enclosure | None, digits: int = DEFAULT_DIGITS) -> dict[str, str] | None:
    """Return an enclosure's ends as outward-rounded decimals."""
    if value is None:
        return None
    lower, upper = value.decimals(digits)
    return {"lower": lower, "upper": upper}


def value_of(name: str, given: Parameters, budget: Budget | None = None) -> Enclosure | None:
    """Return a quantity at those of the parameters that it takes, or None outside its domain."""
    quantity = quantity_named(name)
    if not set(quantity.parameters) <= set(given):
        return None
    taken = {key: given[key] for key in quantity.parameters}
    if not quantity.admits(taken):
        return None
    try:
        return answer_at(name, taken, budget=budget).number
    except BudgetSpentError:
        return Enclosure.nothing_known()


# What a claimed delta is decided by.
_DELTA = "delta_at_epsilon"
# A delta this near to 0 or 1 is as good as that, once the claim is decided: no time is spent on its
# digits.
_EXTREME = Fraction(1, 10**30)
# What the second engine may say, the weakest first.
_SAID = ("undecided", "inapplicable", "overlaps")


@dataclass(frozen=True)
class Truth:
    """The number that was asked for, and each of its terms, enclosed."""

    question: Question
    value: Enclosure
    parts: tuple[Enclosure, ...]

    @property
    def above(self) -> Trilean:
        """Whether it is strictly above what was claimed."""
        return self.value.is_above(self.question.claimed)

    @property
    def is_extreme(self) -> bool:
        """Whether it, or what was claimed, is a delta so near to 0 or 1 that its width is idle."""
        question = self.question
        if question.key != _DELTA:
            return False
        claimed = min(question.claimed, 1 - question.claimed) < _EXTREME
        return claimed or _is_next_to_an_end(self.value)

    def is_made_of(self, other: Truth) -> bool:
        """Whether each of its terms is a multiple of one of another truth."""
        known = [(term.quantity, term.point) for term in other.question.terms]
        return all((term.quantity, term.point) in known for term in self.question.terms)

    def second(self) -> str:
        """Ask the second engine about each term; raises SoundnessError.

        The answer is the weakest one; ``inapplicable`` where it has no opinion.
        """
        return min(self.seconds(), key=_SAID.index, default="inapplicable")

    def seconds(self, most: float = MAX_SECONDS) -> list[str]:
        """Ask the second engine about each term, for ``most`` seconds each; raises SoundnessError.

        For fewer where the question says so.
        """
        asked = zip(self.question.terms, self.parts, strict=True)
        seconds = min(most, self.question.second_seconds)
        return [_second(term, part, seconds) for term, part in asked]


def truth_of(question: Question, budget: Budget | None = None, *, settled: bool = False) -> Truth:
    """Enclose so narrowly that the claim is decided, if that can be done. No terms are 0.

    Where the claim is settled already, the number need not be told apart from what was claimed,
    to which it may be equal.
    """
    quantities = [quantity_named(term.quantity) for term in question.terms]
    points = [q.read(t.point) for q, t in zip(quantities, question.terms, strict=True)]
    parts = (Enclosure.nothing_known(),) * len(points)

    def enclose_at(bits: int) -> Enclosure:
        nonlocal parts
        parts = tuple(map(number_in, map(Quantity.enclose, quantities, repeat(bits), points)))
        return _total(question.terms, parts, bits)

    def satisfied(found: Enclosure) -> bool:
        told = settled or found.is_above(question.claimed) is not Trilean.UNKNOWN
        idle = question.key == _DELTA and _is_next_to_an_end(found)
        return told and (idle or found.is_narrow(DEFAULT_DIGITS))

    try:
        climbed = climb(enclose_at, satisfied, first_bits(DEFAULT_DIGITS), budget or Budget())
    except BudgetSpentError:
        return Truth(question, Enclosure.nothing_known(), parts)
    return Truth(question, climbed.number, parts)


def _is_next_to_an_end(delta: Enclosure) -> bool:
    """Whether all of an enclosure of a delta is next to 0, or all of it next to 1."""
    low, high = delta.is_above(1 - _EXTREME), delta.is_below(_EXTREME)
    return low is Trilean.TRUE or high is Trilean.TRUE


def _total(terms: Sequence[Term], parts: Sequence[Enclosure], bits: int) -> Enclosure:
    """Enclose the sum of the terms; exactly where all are known exactly."""
    if len(terms) == 1 and terms[0].times == 1:
        return parts[0]
    pairs = [(term.times, part) for term, part in zip(terms, parts, strict=True)]
    known = [times * part.exact for times, part in pairs if part.exact is not None]
    if len(known) == len(pairs):
        return Enclosure.of(sum(known, Fraction(0)), bits)
    lower = sum(times * (part.lower if times > 0 else part.upper) for times, part in pairs)
    upper = sum(times * (part.upper if times > 0 else part.lower) for times, part in pairs)
    if not isinstance(upper, Fraction) or not isinstance(lower, Fraction):
        return Enclosure.infinite() if lower == float("inf") else Enclosure.nothing_known()
    return Enclosure(Enclosure.of(lower, bits).low, Enclosure.of(upper, bits).high)


def _second(term: Term, part: Enclosure, seconds: float) -> str:
    try:
        opinion_on(term.quantity)
    except UnknownNameError:
        return "inapplicable"
    if part == Enclosure.nothing_known():  # all overlaps with that
        return "undecided"
    try:
        return second_opinion(term.quantity, term.point, part, seconds)
    except BudgetSpentError:
        return "undecided"
