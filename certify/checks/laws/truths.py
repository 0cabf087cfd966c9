"""The truths that laws are decided by: of the first engine, or of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ....reference.domain import Value
from ....reference.enclosure import Enclosure
from ....reference.enclosures import Enclosed, Enclosures, met, overlap
from ....reference.errors import SoundnessError
from ....reference.evaluation import climb_quantity, climb_second
from ....reference.precision import Budget
from ....reference.quantity import Quantity
from ..judgement import CASE_MAX_BITS, CASE_MAX_SECONDS
from .law import Truths


def by_the_first_engine(
    quantity: Quantity, exact: Mapping[str, Value], decided: Callable[[Enclosed], bool]
) -> Enclosed:
    """Enclose a quantity until it is decided, as long as a case may take."""
    budget = Budget(CASE_MAX_SECONDS, CASE_MAX_BITS)
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
