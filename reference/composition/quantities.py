"""The exact privacy of releases of several mechanisms together, as quantities."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from typing import Annotated

from flint import arb

from ..arb.balls import INFINITY, ball, middle
from ..dirichlet import composition as dirichlet
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    EVENTS,
    Condition,
    NonNegative,
    Probability,
    Word,
)
from ..dpsgd.quantities import epsilon as epsilon_of_training
from ..pairs import (
    Composed,
    epsilon_about,
    epsilon_above,
    epsilon_of_order,
    falling_root,
    is_less,
    wanted_nats,
)
from ..precision import BudgetSpentError
from ..quantity import Routed, Side, Truth, quantity
from ..relations import InverseOf, more
from ..structures import NOT_HIDDEN, Event, ResponseEvent, TrainingEvent
from . import discrete, laplace
from .route import ADD_REMOVE, REPLACE, Mixture, bound_of, delta_of, routed

NOTE = "proofs_notes/mixtures.md"
NEIGHBOURS = Annotated[str, Word((ADD_REMOVE, REPLACE))]
NO_PAIR = (
    "Poisson samples under replace have no pair of laws that one pair of data sets attains in "
    "every step"
)


def without_a_pair(events: tuple[Event, ...], neighbours: str) -> str:
    """Return why an event has no pair under the relation, and which; "" where all have one."""
    for at, event in enumerate(events, 1):
        if isinstance(event, ResponseEvent) and neighbours == ADD_REMOVE:
            return f"event {at} is {event.mechanism}: {NOT_HIDDEN}"
        if isinstance(event, TrainingEvent) and neighbours == REPLACE:
            return f"event {at} is {event.mechanism}: {NO_PAIR}"
    return ""


_HAVE_PAIRS = Condition(
    "each event has a pair under the relation",
    lambda events, neighbours: not without_a_pair(events, neighbours),
    NOTE,
    why=without_a_pair,
)


@quantity(
    "composition.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \Big\{ H_{e^{\varepsilon}} \Big( \bigotimes_j P_j^{c_j}, \bigotimes_j "
    r"Q_j^{c_j} \Big), H_{e^{\varepsilon}} \Big( \bigotimes_j Q_j^{c_j}, \bigotimes_j P_j^{c_j} "
    r"\Big) \Big\}",
    conditions=(_HAVE_PAIRS,),
    within=A_PROBABILITY,
    rises=more("events"),
    falls="epsilon",
    vanishes="high epsilon",
    slow=True,
)
def delta(events: EVENTS, neighbours: NEIGHBOURS, epsilon: NonNegative) -> Routed:
    """Exact delta of releases of several mechanisms together, each by its pair of laws.

    The larger of both orders, one for all events. Mechanisms, their numbers and counts are fixed
    beforehand; what is asked may depend on earlier answers. Of choices by utility the pair is a
    bound that nothing attains. Closed forms where all are of one family; on lattices alone atom by
    atom, or by a trapezoid rule on one period; else by one on a vertical line, whose cost does not
    grow with the counts. Where every line is too long, or takes more than the time that there is,
    the enclosure is 0 and Chernoff's bound; where sizes are beyond 10^70, the largest delta of one
    event, and all their total variation distances together.
    """
    mixture = Mixture.of(events, neighbours)
    try:
        return routed(mixture, epsilon)
    except BudgetSpentError:
        if not mixture.can_be_planned(epsilon):
            raise
        return Routed(arb(0).union(bound_of(mixture, epsilon)), "Chernoff's bound")


@quantity(
    "composition.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\mathrm{events}, \varepsilon) \le \delta \}",
    conditions=(_HAVE_PAIRS,),
    within=AT_LEAST_ZERO,
    rises=more("events"),
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("composition.delta", "delta", "epsilon"),
    slow=True,
)
def epsilon(events: EVENTS, neighbours: NEIGHBOURS, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which releases of several mechanisms together have at most ``delta``.

    0 from the total variation on; at delta = 0 the largest loss, infinite unless each event has one
    (Laplace noise, discrete or not, answers and choices); else the larger of both orders' roots,
    each between two proved signs.
    """
    mixture = Mixture.of(events, neighbours)
    if delta == 1:
        return Fraction(0)
    if delta == 0:
        most = mixture.largest_loss()
        return INFINITY if most is None else most
    try:
        found = _of_one_family(mixture, delta)
        return _on_lines(mixture, delta) if found is None else found
    except BudgetSpentError:
        if not mixture.can_be_planned():
            raise
        return arb(0).union(_largest(epsilon_above(pairs, delta) for pairs in _orders(mixture)))


def _orders(mixture: Mixture) -> list[Composed]:
    """Return all pairs in one order, or both where these differ."""
    both = (True,) if mixture.is_symmetric else (True, False)
    return [mixture.pairs(removed=removed) for removed in both]


def _largest(values: Iterable[arb]) -> arb:
    return reduce(arb.max, values)


def _of_one_family(mixture: Mixture, delta: Fraction) -> arb | Fraction | None:
    """Enclose epsilon where delta needs no line of ours; else None."""
    found: arb | Fraction | None = None
    match mixture.families:
        case ():
            found = Fraction(0)
        case ("gaussian",):
            found = _root(mixture, delta, 1.0)
        case ("laplace",) if laplace.in_closed_form(mixture.laplaces, mixture.choices):
            most = laplace.largest_loss(mixture.laplaces, mixture.choices)
            found = _root(mixture, delta, float(most) / 2)
        case ("dpsgd",) if len(mixture.trainings) == 1:
            found = epsilon_of_training(*mixture.trainings[0], delta)
        case ("dirichlet",) if mixture.neighbours == REPLACE:
            found = dirichlet.smallest_epsilon(dirichlet.Releases(mixture.dirichlets), delta)
        case ("discrete",) if _is_reached_at_zero(mixture, delta):
            found = Fraction(0)
        case ("discrete",) | ("laplace", "discrete") if mixture.can_be_planned():
            about = epsilon_about(mixture.discrete.pairs, float(ball(delta).log()))
            about = about if about > 0 else 1.0
            found = discrete.epsilon_by_period(mixture.discrete, delta, about)
            found = _root(mixture, delta, about) if found is None else found
    return found


def _is_reached_at_zero(mixture: Mixture, delta: Fraction) -> bool:
    """Whether delta at 0, known exactly, is at most the target: also where it is the target."""
    distance = discrete.distance_of_answers(mixture.lattices)
    return distance is not None and distance <= delta


def _root(mixture: Mixture, delta: Fraction, about: float) -> arb:
    """Enclose the root; where delta is known by bounds alone, what is below Chernoff's."""
    found = falling_root(lambda point: delta_of(mixture, point), delta, about)
    if found.is_finite() or not mixture.can_be_planned():
        return found
    return arb(0).union(epsilon_above(mixture.pairs(removed=True), delta))


def _on_lines(mixture: Mixture, delta: Fraction) -> arb:
    """Enclose the larger of both orders' roots."""
    if not mixture.can_be_planned():
        return arb(0).union(INFINITY)
    nats = wanted_nats()
    removed = epsilon_of_order(mixture.pairs(removed=True), delta, nats)
    if mixture.is_symmetric or removed.is_zero():
        return removed
    low = removed.lower() if removed.is_finite() else arb(0)
    added = mixture.pairs(removed=False)
    if _is_less_at(mixture, added, low, delta):
        return removed
    return removed.max(epsilon_of_order(added, delta, nats, float(low)))


def _is_less_at(mixture: Mixture, added: Composed, low: arb, delta: Fraction) -> bool:
    """Whether the delta of an added record is certainly below the target from a point on."""
    if not low > 0:
        return False
    point = middle(low)
    return mixture.adds_nothing(point) or is_less(added, point, delta)
