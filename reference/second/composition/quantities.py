"""Second opinions on compositions.

Gaussian releases are one, in directed rounding. Laplace ones and a few choices by utility have a
circle, all others the contour of ``leaning``: the ends are two values, from two rules, widened;
these are not rigorous.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb

from ...enclosure import Enclosure
from ...likely import likely_answer
from ...structures import (
    ChoiceEvent,
    DirichletEvent,
    DiscreteEvent,
    Event,
    FlipEvent,
    NoiseEvent,
    ResponseEvent,
    TrainingEvent,
)
from .. import discrete_gaussian, discrete_laplace, exponential_mechanism, randomized_response
from ..directed import OutOfReachError, Span, hull, or_nothing
from ..dirichlet import add_remove
from ..dirichlet.composition import quantities as dirichlet
from ..dirichlet.series import log_of
from ..dpsgd.delta import delta as delta_of_training
from ..dpsgd.delta import epsilon as epsilon_of_training
from ..dpsgd.delta import full_batches
from ..leaning import (
    FIRST_BITS,
    LARGEST,
    MORE_THAN_ASKED,
    SPARED_BITS,
    Moments,
    epsilon_about,
    estimate,
    is_reached_at_zero,
    larger,
    root,
    saddle_of,
)
from ..nearest import widened, working
from ..opinion import second_opinion
from ..roots import bracketed
from .laplace import Kinds, two_deltas
from .lattices import chances_of, loses, two_deltas_on_lattices
from .moments import Losses

_Events = tuple[Event, ...]
# delta and epsilon of one release, by its mechanism.
_OF_ONE: Mapping[str, Callable[..., Enclosure]] = {
    "discrete_laplace": discrete_laplace.delta,
    "discrete_gaussian": discrete_gaussian.delta,
    "randomized_response": randomized_response.delta,
    "exponential_mechanism": exponential_mechanism.delta,
}
_EPSILON_OF_ONE: Mapping[str, Callable[..., Enclosure]] = {
    "discrete_laplace": discrete_laplace.epsilon,
    "discrete_gaussian": discrete_gaussian.epsilon,
    "randomized_response": randomized_response.epsilon,
    "exponential_mechanism": exponential_mechanism.epsilon,
}


_MOST_CHOICES = 12
# So many answers together are looked at one by one.
_MOST_ANSWERS = 20_000


@second_opinion("composition.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(bits: int, events: _Events, neighbours: str, epsilon: Fraction) -> Enclosure:
    """Enclose the larger delta of both orders; not rigorous."""
    events = _whole(events)
    found = _delta_of_one_family(bits, events, neighbours, epsilon)
    if found is not None:
        return found
    orders = _orders(events, neighbours)
    if len(orders) > 1 and (epsilon == 0 or _adds_nothing(bits, events, epsilon)):
        orders = orders[:1]
    return larger([estimate(bits, order, epsilon) for order in orders])


def _delta_of_one_family(
    bits: int, events: _Events, neighbours: str, epsilon: Fraction
) -> Enclosure | None:
    """Enclose delta where all events are of a family that is known by itself; else None."""
    alone = _single(events)
    found: Enclosure | None = None
    if not events:
        found = Enclosure.of(Fraction(0), bits)
    elif alone and isinstance(alone, TrainingEvent):
        steps = alone.steps * alone.count
        found = delta_of_training(
            bits, alone.noise_multiplier, alone.sampling_probability, steps, epsilon
        )
    elif _are_all(events, "gaussian"):
        found = full_batches(bits, *_as_steps(events), epsilon).exp_enclosure()
    elif alone and alone.count == 1 and alone.mechanism in _OF_ONE:
        found = _OF_ONE[alone.mechanism](bits, *alone[1:-1], epsilon)
    elif _have_densities(events):
        found = _of_densities(bits, events, epsilon)
    elif _are_on_lattices(events):
        found = _of_lattices(bits, events, epsilon)
    elif _are_all(events, "dirichlet") and neighbours == "replace":
        found = dirichlet.delta(bits, _rows(events), epsilon)
    elif alone and isinstance(alone, DirichletEvent) and alone.count == 1:
        found = add_remove.delta(bits, alone.alpha, alone.step, epsilon)
    return found


@second_opinion("composition.epsilon", engine="mpmath", rigorous=False)
@or_nothing
def epsilon(bits: int, events: _Events, neighbours: str, delta: Fraction) -> Enclosure:
    """Enclose the larger epsilon of both orders; not rigorous."""
    events = _whole(events)
    if delta == 0:
        most = _largest(bits, events)
        return Enclosure.infinite() if most is None else most.enclosure()
    if delta == 1 or not events:
        return Enclosure.of(Fraction(0), bits)
    known = _of_one_family(bits, events, neighbours, delta)
    if known is not None:
        return known
    orders = _orders(events, neighbours)
    if is_reached_at_zero(bits, orders[-1], delta):
        return Enclosure.of(Fraction(0), bits)
    return larger([root(bits, order, delta) for order in orders])


def _of_one_family(
    bits: int, events: _Events, neighbours: str, delta: Fraction
) -> Enclosure | None:
    """Enclose epsilon where all events are of a family that is known by itself; else None."""
    alone = _single(events)
    found: Enclosure | None = None
    if alone and isinstance(alone, TrainingEvent):
        steps = alone.steps * alone.count
        found = epsilon_of_training(
            bits, alone.noise_multiplier, alone.sampling_probability, steps, delta
        )
    elif _are_all(events, "gaussian"):
        steps_of_one = _as_steps(events)
        found = _root(bits, delta, lambda at, work: full_batches(work, *steps_of_one, at))
    elif alone and alone.count == 1 and alone.mechanism in _OF_ONE:
        found = _EPSILON_OF_ONE[alone.mechanism](bits, *alone[1:-1], delta)
    elif _have_densities(events):
        found = _root_of_densities(bits, events, delta)
    elif _is_distance_of_answers(events, delta):
        found = Enclosure.of(Fraction(0), bits)
    elif _are_on_lattices(events):
        found = _root_on_lattices(bits, events, delta)
    elif _are_all(events, "dirichlet") and neighbours == "replace":
        found = dirichlet.epsilon(bits, _rows(events), delta)
    return found


def _root(
    bits: int,
    delta: Fraction,
    log_delta: Callable[[Fraction, int], Span],
    start: Fraction = Fraction(1),
) -> Enclosure:
    """Enclose the root of a falling delta; 0 where it is below the target at 0."""
    if (log_delta(Fraction(0), bits) - log_of(delta, bits)).sign < 0:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_delta(point, precision)

    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


def _root_of_densities(bits: int, events: _Events, delta: Fraction) -> Enclosure:
    """Enclose epsilon, which is below the largest loss."""
    most = _largest_loss(events)

    def log_delta(point: Fraction, precision: int) -> Span:
        if point >= most:  # no delta is left, and any number below the target says so
            return log_of(delta, precision) - Span.of(1, precision)
        return _log_of(_of_densities(precision, events, point), precision)

    return _root(bits, delta, log_delta)


def _is_distance_of_answers(events: _Events, delta: Fraction) -> bool:
    """Whether random answers together have exactly this total variation distance, or less.

    Answer by answer: how often each kind's likelier and less likely one are given.
    """
    together: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))]
    for event in events:
        if not isinstance(event, ResponseEvent):
            return False
        high, low = chances_of(event)
        n, rest = event.count, 1 - high - low
        if len(together) * (n + 1) * (n + 2) > _MOST_ANSWERS:
            return False
        own = []
        for often in range(n + 1):
            for seldom in range(n + 1 - often):
                ways = comb(n, often) * comb(n - often, seldom) * rest ** (n - often - seldom)
                own.append((ways * high**often * low**seldom, ways * high**seldom * low**often))
        together = [(p * x, q * y) for p, q in together for x, y in own]
    distance = sum((max(p - q, Fraction(0)) for p, q in together), Fraction(0))
    return distance <= delta


def _root_on_lattices(bits: int, events: _Events, delta: Fraction) -> Enclosure:
    """Enclose epsilon, which is at most the largest loss."""
    most = _largest(bits, events)

    def log_delta(point: Fraction, precision: int) -> Span:
        if most is not None and (Span.of(point, bits) - most).sign >= 0:
            return log_of(delta, precision) - Span.of(1, precision)
        return _log_of(_of_lattices(precision, events, point), precision)

    (losses,) = _orders(events, "replace")
    try:
        start = Fraction(epsilon_about(losses, delta))
    except OutOfReachError:
        start = Fraction(1)
    return _root(bits, delta, log_delta, start)


def _log_of(found: Enclosure, bits: int) -> Span:
    """Enclose the logarithm of an enclosed number."""
    low, high = (Span.of(Fraction(end), bits) for end in (found.lower, found.upper))
    return hull(low, high).log()


def _whole(events: Iterable[Event]) -> _Events:
    """Return events that lose anything, as Gaussian or Laplace releases what is bounded by these.

    Full batches are Gaussian ones; permute-and-flip loses at most what Laplace noise does.
    """
    return tuple(_plain(event) for event in events if loses(event))


def _plain(event: Event) -> Event:
    match event:
        case TrainingEvent() if event.sampling_probability == 1:
            return NoiseEvent("gaussian", event.noise_multiplier, event.steps * event.count)
        case FlipEvent():
            return NoiseEvent("laplace", 1 / event.largest_loss, event.count)
    return event


def _single(events: _Events) -> Event | None:
    return events[0] if len(events) == 1 else None


def _are_all(events: _Events, mechanism: str) -> bool:
    return all(event.mechanism == mechanism for event in events)


def _rows(events: _Events) -> tuple[tuple[Fraction, Fraction, int], ...]:
    return tuple(
        (each.alpha, each.step, each.count) for each in events if isinstance(each, DirichletEvent)
    )


def _as_steps(events: _Events) -> tuple[Fraction, int]:
    """Return s and T with T/s^2 the sum of all s^-2."""
    rate = sum(
        (each.count / each.noise_multiplier**2 for each in events if isinstance(each, NoiseEvent)),
        Fraction(0),
    )
    return Fraction(rate.denominator), rate.numerator * rate.denominator


def _densities(events: _Events) -> tuple[Kinds, Kinds]:
    """Return Laplace releases and choices by utility, equal ones together."""
    laplaces: Counter[Fraction] = Counter()
    choices: Counter[Fraction] = Counter()
    for each in events:
        if isinstance(each, NoiseEvent):
            laplaces[1 / each.noise_multiplier] += each.count
        elif isinstance(each, ChoiceEvent):
            choices[each.loss_range] += each.count
    return sorted(laplaces.items()), sorted(choices.items())


def _largest(bits: int, events: _Events) -> Span | None:
    """Enclose the largest loss of all; None where there is none."""
    total = Span.of(_largest_loss(events), bits)
    for each in events:
        match each:
            case NoiseEvent("laplace") | ChoiceEvent():
                continue
            case DiscreteEvent("discrete_laplace"):
                total = total + Span.of(each.count * each.sensitivity / each.scale, bits)
            case ResponseEvent():
                high, low = chances_of(each)
                total = total + Span.of(each.count, bits) * log_of(high / low, bits)
            case _:
                return None
    return total


def _are_on_lattices(events: _Events) -> bool:
    """Whether all losses are on lattices, but perhaps for those that have densities."""
    kinds = {type(each) for each in events}
    others = [each for each in events if not isinstance(each, DiscreteEvent | ResponseEvent)]
    return bool(kinds & {DiscreteEvent, ResponseEvent}) and _have_densities(tuple(others))


def _have_densities(events: _Events) -> bool:
    """Whether all are Laplace releases, or a few of these and of choices by utility.

    Of many choices the moments fall fast up a contour, and the circle's terms cancel.
    """
    chosen = sum(each.count for each in events if isinstance(each, ChoiceEvent))
    known = all(each.mechanism == "laplace" or isinstance(each, ChoiceEvent) for each in events)
    return known and chosen <= _MOST_CHOICES


def _of_lattices(bits: int, events: _Events, epsilon: Fraction) -> Enclosure:
    """Return the hull of two precisions' deltas, widened."""
    most = _largest(bits, events)
    if most is not None and (Span.of(epsilon, bits) - most).low >= 0:
        return Enclosure.of(Fraction(0), bits)
    (losses,) = _orders(events, "replace")
    try:
        log_delta = saddle_of(losses.log_moment, float(epsilon))[2]
    except OutOfReachError:
        log_delta = 0.0
    counted: Counter[DiscreteEvent | ResponseEvent] = Counter()
    for each in events:
        if isinstance(each, DiscreteEvent | ResponseEvent):
            counted[each._replace(count=1)] += each.count
    discrete = [each._replace(count=count) for each, count in counted.items()]
    bits = max(bits - MORE_THAN_ASKED, FIRST_BITS)
    found = two_deltas_on_lattices(discrete, _densities(events), epsilon, log_delta, bits)
    with working(max(each.precision for each in found)):
        return widened(*found, bits - SPARED_BITS, Fraction(1))


def _largest_loss(events: _Events) -> Fraction:
    return sum((size * count for kinds in _densities(events) for size, count in kinds), Fraction(0))


def _of_densities(bits: int, events: _Events, epsilon: Fraction) -> Enclosure:
    """Return the hull of two circles' deltas, widened."""
    if epsilon >= _largest_loss(events):
        return Enclosure.of(Fraction(0), bits)
    bits = max(bits - MORE_THAN_ASKED, FIRST_BITS)
    (losses,) = _orders(events, "replace")
    try:
        crossing = saddle_of(losses.log_moment, float(epsilon))[0]
    except OutOfReachError:  # epsilon is next to the largest loss, where any is as good
        crossing = 1.0
    first, second = two_deltas(*_densities(events), epsilon, crossing, bits)
    with working(second.precision):
        return widened(first, second, bits - SPARED_BITS, Fraction(1))


def _orders(events: _Events, neighbours: str) -> list[Moments]:
    """Return both orders, that of a removed record first; one where they are alike."""
    numbers = [part for event in events for part in event[1:]]
    if not all(1 < part * LARGEST < LARGEST**2 for part in numbers):
        raise OutOfReachError
    ordered = TrainingEvent, DirichletEvent
    alike = neighbours == "replace" or not any(isinstance(each, ordered) for each in events)
    return [
        Losses.of(events, neighbours, removed=removed)
        for removed in ((True,) if alike else (True, False))
    ]


def _adds_nothing(bits: int, events: _Events, epsilon: Fraction) -> bool:
    """Whether no loss of an added record exceeds epsilon."""
    most = Span.of(0, bits)
    for event in events:
        if isinstance(event, TrainingEvent):
            rest = Span.of(1 - event.sampling_probability, bits)
            most = most - Span.of(event.steps * event.count, bits) * rest.log()
            continue
        own = _largest(bits, (event,))
        if own is None:
            return False
        most = most + own
    return (Span.of(epsilon, bits) - most).sign > 0
