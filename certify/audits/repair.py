"""What would do in place of a claim that is not true: the least epsilon, the largest k or step.

Nothing rests on it, and the verdict is there before it is looked for. Each number was decided anew:
with it in place of the claim's own the claim is kept. What is not found in time is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor
from typing import Final, TypeAlias

from ...reference.dyadic import rational_decimal
from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError
from ...reference.exact import exact_number, shown
from ...reference.precision import BudgetSpentError, all_within
from ..mechanisms.protocol import Claim
from ..mechanisms.questions import Question, truth_of
from ..verdict import Verdict
from .decision import HIDES_NOTHING, Audit, Repair, is_beyond_practice
from .roots import FIGURES, is_kept
from .tight import LEAST, TIGHT, has_least, tight_numbers

# Somebody waits for the verdict; of the examples none takes two seconds.
MOST_SECONDS: Final = 10.0
NOT_IN_TIME: Final = "not found in time; --max-seconds gives more"
# An epsilon is told with as many figures as the numbers of an audit.
_FIGURES_OF_EPSILON: Final = 8

_Found: TypeAlias = tuple[str | list[str] | None, str] | tuple[str | list[str], str, str]


def repairs_of(audit: Audit, seconds: float = MOST_SECONDS) -> tuple[Repair, ...]:
    """Return what would do, found within so many seconds; nothing where the claim needs none.

    A claim that is certified needs none; of one that speaks of no two inputs, or of data that are
    no input, nothing would do.
    """
    with all_within(seconds):
        return tuple(Repair(key, *_in_time(look)) for key, look in _looks(audit).items())


def unfound(audit: Audit) -> tuple[Repair, ...]:
    """Return what would be looked for, with nothing found in time."""
    return tuple(Repair(key, None, NOT_IN_TIME) for key in _looks(audit))


def _looks(audit: Audit) -> dict[str, Callable[[], _Found]]:
    """Return how each parameter is looked for; nothing where the claim needs no other."""
    if audit.verdict not in (Verdict.REFUTED, Verdict.UNDECIDED) or audit.is_kept:
        return {}
    found: dict[str, Callable[[], _Found]] = {}
    if audit.epsilon_needed is not None:
        found["epsilon"] = partial(_epsilon, audit)
    for key in audit.claim.mechanism.tight.keys[:1]:
        if key in audit.claim.parameters.given:
            found[key] = partial(_number, audit.claim, key)
    most = audit.claim.mechanism.most(audit.claim)
    if most is not None:
        key, question = most
        found[key] = partial(_count, audit.claim, key, question)
    return found


def _in_time(look: Callable[[], _Found]) -> _Found:
    try:
        return look()
    except BudgetSpentError:
        return None, NOT_IN_TIME
    except DomainError as error:
        return None, str(error)


def _epsilon(audit: Audit) -> _Found:
    """Return the epsilon that the audit found, rounded up, once it is decided to be enough."""
    claim, needed = audit.claim, audit.epsilon_needed
    if needed is None or needed == Enclosure.nothing_known():
        raise BudgetSpentError
    place = "at this delta" if claim.delta else "at this order" if claim.order else "with these"
    if needed.low == needed.high and not needed.high.is_finite:
        none = "none is enough" if audit.attained else "none is proved to be enough"
        return None, f"{none} {'at delta = 0' if claim.delta == 0 else place}"
    upper = needed.upper
    if not isinstance(upper, Fraction):
        raise BudgetSpentError
    text = rational_decimal(upper, _FIGURES_OF_EPSILON, up=True)
    enough = replace(claim, epsilon=exact_number(text))
    if not is_kept(enough.mechanism.worst(enough).asked[0]):
        raise BudgetSpentError
    least = audit.attained and needed.is_narrow(_FIGURES_OF_EPSILON)
    said = "the least, rounded up" if least else "proved to be enough, rounded up"
    beyond = is_beyond_practice(enough.epsilon, claim.delta)
    return text, f"{said}; but then {HIDES_NOTHING}" if beyond else said


def _number(claim: Claim, key: str) -> _Found:
    """Return the number that "tight" stands for in place of the claim's own, else "least"."""
    try:
        found, word = tight_numbers(claim, key, TIGHT), TIGHT
    except DomainError:
        if not has_least(claim):
            raise
        found, word = tight_numbers(claim, key, LEAST), LEAST
    value = found.parameters[key]
    if isinstance(value, tuple):
        return [_decimal(one) for one in value], found.criterion, word
    return _decimal(value), found.criterion, word


def _count(claim: Claim, key: str, question: Question) -> _Found:
    """Return the largest whole number that keeps the claim, once that is decided anew."""
    low = truth_of(question, settled=True).value.lower
    if not isinstance(low, Fraction) or low >= question.claimed:
        raise BudgetSpentError
    found = floor(low)
    if found < 1:
        return None, "none is few enough: one is too many"
    fewer = claim.at(**{key: found})
    if not is_kept(fewer.mechanism.worst(fewer).asked[0]):
        raise BudgetSpentError
    return str(found), f"the most that keep the claim, which has {shown(question.claimed)}"


def _decimal(value: object) -> str:
    """Return a decimal of ``FIGURES`` figures, or a whole number, as text."""
    if not isinstance(value, Fraction | int):
        raise TypeError("what is chosen is a number")
    return rational_decimal(Fraction(value), 2 * FIGURES, up=False)
