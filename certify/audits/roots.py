"""The largest and the least decimal at which a claim holds, where a loss rises with its parameter.

Positive decimals of ``FIGURES`` significant figures are numbered by consecutive integers, so that
neighbours differ by one unit of the last figure. Where the search begins is a matter of speed; it
ends at two neighbours of which one keeps the claim and the other does not, whatever the function
between them does. That a loss rises (proofs_notes/tight-calibration.md) makes the decimal that is
found the largest of all; that it keeps the claim is asked, not concluded.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias

from flint import arb, ctx

from ...reference.arb.balls import ball, ball_of, enclosure_of, working_precision
from ...reference.arb.roots import positive_root
from ...reference.dirichlet.profile import largest_k
from ...reference.domain import Value
from ...reference.enclosure import Enclosure, Trilean, number_in
from ...reference.errors import DomainError
from ...reference.evaluation import DEFAULT_DIGITS, answer_at
from ...reference.precision import Budget, BudgetSpentError, climb, first_bits, seconds_left
from ...reference.quantity import quantities, quantity_named
from ..mechanisms.questions import Question, Truth, truth_of

# So many figures a person still copies, and the last one gives away less than 1e-11 of the rest.
FIGURES = 12
# No release is drawn from a concentration, a step or a scale beyond these; searches end there.
LEAST, MOST = Fraction(1, 10**15), Fraction(10**15)
_FIRST: int = 10 ** (FIGURES - 1)
_PER_DECADE: int = 9 * _FIRST
# A number that this precision does not tell from the target is taken for equal to it: 600 figures.
_MOST_BITS = 2048

_Keeps: TypeAlias = Callable[[Fraction], bool]


def decimal_at(place: int) -> Fraction:
    """Return the decimal of this number; number 0 is 1."""
    decade, above = divmod(place, _PER_DECADE)
    return (_FIRST + above) * _ten_to(decade - FIGURES + 1)


def _ten_to(power: int) -> Fraction:
    return Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)


def place_below(value: Fraction) -> int:
    """Return the number of the largest decimal that is at most a positive ``value``."""
    decade = len(str(value.numerator)) - len(str(value.denominator))
    decade -= _ten_to(decade) > value
    above = floor(value * _ten_to(FIGURES - 1 - decade)) - _FIRST
    return decade * _PER_DECADE + above


def is_kept(question: Question) -> bool:
    """Whether a number is at most what was claimed, and proved to be.

    The same on every machine that has the time: raises BudgetSpentError where this one has not.
    """
    budget = Budget(bits=_MOST_BITS)
    found = truth_of(question, budget)
    if found.above is Trilean.UNKNOWN and not _is_tie(found, budget):
        raise BudgetSpentError(f"{question.key} was not decided in time")
    return found.above is Trilean.FALSE


def _is_tie(found: Truth, budget: Budget) -> bool:
    """Whether all precision was tried, and did not tell the number from what was claimed."""
    in_time = not budget.is_over() and seconds_left() > 0
    return in_time and found.value.is_narrow(DEFAULT_DIGITS)


def last_kept(keeps: _Keeps, near: Fraction) -> Fraction | None:
    """Return a decimal that is kept while the next one is not, by steps from ``near`` on.

    ``LEAST`` is kept. None where ``MOST`` and what was tried on the way to it are kept, too.
    """
    least, most = place_below(LEAST), place_below(MOST)
    here, stride = min(max(place_below(near), least), most), 1
    if keeps(decimal_at(here)):
        low, high = here, min(here + stride, most)
        while keeps(decimal_at(high)):
            if high == most:
                return None
            stride *= 2
            low, high = high, min(high + stride, most)
    else:
        high, low = here, max(here - stride, least)
        while low > least and not keeps(decimal_at(low)):
            stride *= 2
            high, low = low, max(low - stride, least)
    return _between(keeps, low, high)


def _between(keeps: _Keeps, low: int, high: int) -> Fraction:
    """Return the kept one of two neighbours, from a place that is kept and one that is not."""
    while high - low > 1:
        middle = (low + high) // 2
        if keeps(decimal_at(middle)):
            low = middle
        else:
            high = middle
    return decimal_at(low)


def first_kept(keeps: _Keeps, near: Fraction) -> Fraction:
    """Return the first decimal from ``near`` on that is kept; precondition: it is close by."""
    place = place_below(near)
    while not keeps(decimal_at(place)):
        place += 1
    return decimal_at(place)


# What a claim asks of a release with this parameter.
_Asked: TypeAlias = Callable[[Fraction], Question]
# The root is looked for a little beyond the figures that are kept.
_DIGITS = FIGURES + 2
# In a sentence the least that can be reached has this many figures more than two.
_SHOWN = 6


def largest(key: str, asked: _Asked, target: str, where: str) -> Fraction:
    """Return the largest decimal of ``FIGURES`` figures that keeps the claim.

    Raises DomainError where none does, or all do.
    """
    at_least = asked(LEAST)
    _require_reachable(key, at_least, target, where)
    found = last_kept(lambda value: is_kept(asked(value)), _near(key, asked))
    if found is None:
        raise _every(f"{key} up to 1e15", target, where)
    return found


def require_some_loss(key: str, delta: Fraction | None, target: str, where: str) -> None:
    """Raise DomainError for a delta that every release keeps."""
    if delta == 1:
        raise _every(key, target, where)


def _every(kept: str, target: str, where: str) -> DomainError:
    return DomainError(f"{where}: there is no largest {kept}: every one keeps {target}; give one")


def _require_reachable(key: str, at_least: Question, target: str, where: str) -> None:
    """Raise DomainError, with what is reached at least, unless ``LEAST`` keeps the claim."""
    what = at_least.key.split("_")[0]
    if is_kept(at_least):
        return
    reached = truth_of(at_least, settled=True).value
    raise DomainError(
        f"{where}: no {key} keeps {target}: {what} rises with {key}, and at {key} = 1e-15, the "
        f"least that is tried, it is {_at_least(reached)}"
    )


def _at_least(reached: Enclosure) -> str:
    if not reached.low.is_finite:
        return "infinite"
    text = reached.decimals(_SHOWN)[0]
    return f"{text} or more" if reached.low.mantissa > 0 and text != "0" else "above 0"


def _near(key: str, asked: _Asked) -> Fraction:
    """Return about the parameter at which the claim ceases to hold: a matter of speed alone."""
    question = asked(Fraction(1))
    if key == "k":
        found = _k(question) if _is_of_floor_and_step(question) else _root(asked)
    else:
        inverse = _inverse_of(key, question)
        found = _root(asked) if inverse is None else answer_at(*inverse, digits=_DIGITS).number
    return found.lower if isinstance(found.lower, Fraction) and found.lower > 0 else LEAST


def _inverse_of(key: str, question: Question) -> tuple[str, dict[str, Value]] | None:
    """Return the quantity that is the parameter itself, where there is one, and its point.

    ``question`` is what is asked at the parameter 1.
    """
    (term, *more), claimed = question.terms, question.claimed
    if more:
        return None
    for name, item in quantities().items():
        inverse = item.inverse
        if inverse is not None and (inverse.quantity, inverse.solves) == (term.quantity, key):
            kept = [each for each in item.parameters if each != inverse.target]
            return name, {**{each: term.point[each] for each in kept}, inverse.target: claimed}
    return None


# What is claimed of these is a floor and a step, both of them as many times k.
_OF_FLOOR_AND_STEP = ("dirichlet.profile.delta", "dirichlet.add_remove.delta")


def _is_of_floor_and_step(question: Question) -> bool:
    (term, *more), claimed = question.terms, question.claimed
    return not more and term.quantity in _OF_FLOOR_AND_STEP and 0 < claimed < 1


def _k(question: Question) -> Enclosure:
    """Enclose the k of a release with floor k alpha and step k step, at any size of either."""
    term, delta = question.terms[0], question.claimed
    alpha, step, epsilon = (_number(term.point[key]) for key in ("alpha", "step", "epsilon"))
    return _enclosed(lambda: largest_k(alpha, step, epsilon, delta))


def _number(value: Value) -> Fraction:
    if isinstance(value, str | tuple):
        raise TypeError("a floor, a step and an epsilon are numbers")
    return Fraction(value)


def _root(asked: _Asked) -> Enclosure:
    """Enclose where a number that rises passes what was claimed, from its own formula."""
    return _enclosed(lambda: positive_root(lambda value: _excess(asked(value)), Fraction(1)))


def _enclosed(ball_at_precision: Callable[[], arb]) -> Enclosure:
    def enclose_at(bits: int) -> Enclosure:
        with working_precision(bits):
            return enclosure_of(ball_at_precision())

    return climb(enclose_at, _is_near, first_bits(_DIGITS), Budget()).number


def _is_near(found: Any) -> bool:
    return bool(found.is_narrow(_DIGITS))


def _excess(question: Question) -> arb:
    """Enclose how far a number is above what was claimed, in logarithms where it is positive."""
    total, claimed = arb(0), ball(question.claimed)
    for term in question.terms:
        quantity = quantity_named(term.quantity)
        found = quantity.enclose(ctx.prec, quantity.read(term.point))
        total += ball(term.times) * ball_of(number_in(found))
    return total.log() - claimed.log() if total > 0 else total - claimed
