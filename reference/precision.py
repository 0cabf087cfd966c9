"""The ladder: raise the working precision until an enclosure is narrow enough, or say undecided.

Nothing is ever guessed. When the budget is spent, the answer is the last enclosure together with
the fact that it is wider than was asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .enclosure import Enclosed, Enclosure, met, number_in
from .errors import SimplexcertError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SECONDS = 60.0
MAX_BITS = 65_536
MAX_DIGITS_ASKED = 10_000
_FIRST_BITS = 128
# 20 digits are 66.5 bits; what is above is for the cancellation that formulas are known to have.
_GUARD_BITS = 60
_BITS_PER_DIGIT = 3.3219281  # above log2(10)


class BudgetSpentError(SimplexcertError):
    """A computation passed its deadline; whoever asked answers undecided."""


class NotEnoughSecondsError(BudgetSpentError):
    """Nothing more is known than which budget of seconds was spent."""


@dataclass(frozen=True)
class Budget:
    """How long to try, and up to which precision."""

    seconds: float = MAX_SECONDS
    bits: int = MAX_BITS
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds that are left, below 0 where more have passed."""
        return self.started + self.seconds - time.monotonic()

    def is_over(self) -> bool:
        """Whether the time has passed."""
        return self.left() < 0

    def allows(self, bits: int) -> bool:
        """Whether there is time, and such a precision is within the budget."""
        return bits <= self.bits and not self.is_over()


@dataclass(frozen=True)
class ProcessorBudget(Budget):
    """A budget of this process's own time: what else the machine does takes nothing of it."""

    started: float = field(default_factory=time.process_time)

    def left(self) -> float:
        """Return the seconds of the processor that are left, below 0 where more have passed."""
        return self.started + self.seconds - time.process_time()


@dataclass(frozen=True)
class Climbed:
    """The last enclosure of a climb, the precision that gave it, and whether it satisfied.

    ``route`` names the way that was taken at the last step, where there are several.
    """

    enclosure: Enclosed
    bits: int
    satisfied: bool
    route: str | None = None

    @property
    def number(self) -> Enclosure:
        """The enclosure, where it is a number's."""
        return number_in(self.enclosure)


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)
# What all climbs together may take, whatever each of them has.
_whole: ContextVar[Budget | None] = ContextVar("whole", default=None)


def check_budget() -> None:
    """Raise BudgetSpentError if the climb that is under way has no time left; for inner loops.

    So it does where the time for all climbs together has passed.
    """
    for budget in (_whole.get(), _current.get()):
        if budget is not None and budget.is_over():
            raise NotEnoughSecondsError(f"{budget.seconds:g} s were not enough")


class _LastWordError(BudgetSpentError):
    """More bits would only be longer; this is known all the same."""

    def __init__(self, why: str, known: Enclosure) -> None:
        super().__init__(why)
        self.known = known


def end_the_climb(why: str, known: Enclosure | None = None) -> None:
    """Raise BudgetSpentError if a climb is under way, for which more bits would only be longer.

    The climb ends with what it has; where that is nothing, with what is ``known``.
    """
    if _current.get() is not None:
        raise _LastWordError(why, known or Enclosure.nothing_known())


def seconds_left() -> float:
    """Return the seconds that the climb under way has left; outside of one, the usual ones."""
    budgets = [budget for budget in (_whole.get(), _current.get()) if budget is not None]
    return max(0.0, min((budget.left() for budget in budgets), default=MAX_SECONDS))


@contextmanager
def all_within(seconds: float | None) -> Iterator[None]:
    """Limit all climbs in the block to some seconds together; None is no limit.

    A climb that is under way then ends with what it has; with nothing, and where none has begun,
    it raises BudgetSpentError.
    """
    budget = None if seconds is None else Budget(seconds)
    outer = _whole.get()
    if budget is None or (outer is not None and _end(outer) <= _end(budget)):
        budget = outer
    token = _whole.set(budget)
    try:
        yield
    finally:
        _whole.reset(token)


@contextmanager
def unlimited() -> Iterator[None]:
    """Let climbs in the block have the time of their own budgets, whatever all of them have.

    For what has to be brought to its end once it is begun.
    """
    token = _whole.set(None)
    try:
        yield
    finally:
        _whole.reset(token)


@contextmanager
def a_little_longer(seconds: float) -> Iterator[None]:
    """Let the block have some seconds more of a climb whose time is spent, for a bound at its end.

    Not beyond the time for all climbs together.
    """
    with _under(Budget(seconds)):
        yield


def _whole_is_over() -> bool:
    budget = _whole.get()
    return budget is not None and budget.is_over()


def _require_time_for_all(known: Enclosed) -> None:
    """Raise BudgetSpentError where nothing is known and the time for all climbs has passed."""
    budget = _whole.get()
    if budget is not None and budget.is_over() and known == Enclosure.nothing_known():
        raise NotEnoughSecondsError(f"{budget.seconds:g} s were not enough for all")


def _end(budget: Budget) -> float:
    return budget.started + budget.seconds


def first_bits(digits: int) -> int:
    """Return the precision to start from for a number of digits."""
    return max(_FIRST_BITS, int(digits * _BITS_PER_DIGIT) + _GUARD_BITS)


def climb(
    enclose_at: Callable[[int], Enclosed],
    satisfied: Callable[[Any], bool],
    bits: int,
    budget: Budget,
    *,
    rigorous: bool = True,
) -> Climbed:
    """Evaluate at ``bits`` (or what the budget has), twice that, and so on, until ``satisfied``.

    Rigorous enclosures of one number are intersected on the way; should two of them not meet, an
    engine is wrong and SoundnessError is raised. BudgetSpentError where the time for all climbs
    together has passed and nothing is known.
    """
    known: Enclosed = Enclosure.nothing_known()
    bits = min(bits, budget.bits)
    with _under(budget):
        while True:
            try:
                _require_time_for_all(known)
                found = enclose_at(bits)
            except BudgetSpentError as error:
                if isinstance(error, _LastWordError) and known == Enclosure.nothing_known():
                    known = error.known
                _require_time_for_all(known)
                return Climbed(known, bits, satisfied=False)
            known = met(found, known) if rigorous else found
            enough = satisfied(known)
            if enough or not budget.allows(2 * bits) or _whole_is_over():
                return Climbed(known, bits, enough)
            bits *= 2


@contextmanager
def _under(budget: Budget) -> Iterator[None]:
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)
