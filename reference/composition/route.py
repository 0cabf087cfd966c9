"""Which way to delta of a mixture: a closed form, or a vertical line; the larger of both orders.

Every way encloses the same number, so a wrong guess of the cost wastes time and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce

from flint import arb

from .. import dpsgd, gaussian
from ..arb.balls import ball
from ..dirichlet import add_remove
from ..dirichlet import composition as dirichlet
from ..dpsgd.route import Training
from ..dpsgd.subsampled import Subsampled
from ..pairs import COARSE_NATS, Composed, Pair, bounded_above, delta_on_line, wanted_nats
from ..quantity import Routed
from ..randomized_response import likelier
from ..structures import (
    ChoiceEvent,
    DirichletEvent,
    DiscreteEvent,
    Event,
    FlipEvent,
    NoiseEvent,
    ResponseEvent,
    TrainingEvent,
)
from . import discrete, laplace
from .lattices import DiscreteGaussian, DiscreteLaplace, Lattice, Response
from .pairs import Beta, Choice, Gamma, Gaussian, Laplace

REPLACE, ADD_REMOVE = "replace", "add_remove"
# Plans are in doubles, which hold the fourth powers of such sizes.
_LARGEST = 10**70
_NOTHING = Fraction(0)
_CLOSED, _RULE, _BOUND = "closed form", "trapezoid rule", "Chernoff's bound"
_BY_ITSELF = "bounds from each event by itself"


@dataclass(frozen=True)
class Mixture:
    """Events under one neighbour relation, equal ones together, with all Gaussian ones as one.

    ``rate`` is the sum of s^-2 over Gaussian releases of multipliers s, full batches included;
    ``laplaces`` are (1/multiplier, count), ``choices`` (loss range, count),
    ``trainings`` (multiplier, sampling probability below 1, steps), ``dirichlets`` (alpha, step,
    count), ``lattices`` the pairs of losses on a lattice.
    """

    rate: Fraction
    laplaces: laplace.Kinds
    trainings: tuple[tuple[Fraction, Fraction, int], ...]
    dirichlets: tuple[tuple[Fraction, Fraction, int], ...]
    neighbours: str
    lattices: discrete.Kinds = ()
    choices: laplace.Kinds = ()

    @classmethod
    def of(cls, events: Iterable[Event], neighbours: str) -> Mixture:
        """Return the mixture of events, each of which has a pair under the relation."""
        rate = _NOTHING
        laplaces: Counter[Fraction] = Counter()
        choices: Counter[Fraction] = Counter()
        trainings: Counter[tuple[Fraction, Fraction]] = Counter()
        dirichlets: Counter[tuple[Fraction, Fraction]] = Counter()
        lattices: Counter[Lattice] = Counter()
        for event in events:
            match event:
                case NoiseEvent("gaussian"):
                    rate += event.count / event.noise_multiplier**2
                case NoiseEvent():
                    laplaces[1 / event.noise_multiplier] += event.count
                case TrainingEvent() if event.sampling_probability == 1:
                    rate += event.count * event.steps / event.noise_multiplier**2
                case TrainingEvent():
                    kind = event.noise_multiplier, event.sampling_probability
                    trainings[kind] += event.count * event.steps
                case FlipEvent():
                    laplaces[event.largest_loss] += event.count
                case ChoiceEvent():
                    choices[event.loss_range] += event.count
                case DirichletEvent():
                    dirichlets[event.alpha, event.step] += event.count
                case DiscreteEvent() | ResponseEvent():
                    lattices[_lattice_of(event)] += event.count
        return cls(
            rate,
            tuple(sorted(laplaces.items())),
            tuple((*kind, count) for kind, count in sorted(trainings.items())),
            tuple((*kind, count) for kind, count in sorted(dirichlets.items())),
            neighbours,
            tuple((kind, lattices[kind]) for kind in sorted(lattices, key=repr) if kind.loses),
            tuple(sorted(choices.items())),
        )

    @property
    def families(self) -> tuple[str, ...]:
        """The mechanisms that events are of; choices by utility count as Laplace releases."""
        laplaces = self.laplaces or self.choices
        parts = self.rate, laplaces, self.trainings, self.dirichlets, self.lattices
        names = "gaussian", "laplace", "dpsgd", "dirichlet", "discrete"
        return tuple(name for name, part in zip(names, parts, strict=True) if part)

    @property
    def is_symmetric(self) -> bool:
        """Whether both orders of all pairs are alike."""
        gammas = self.dirichlets and self.neighbours == ADD_REMOVE
        return not (self.trainings or gammas)

    @cached_property
    def discrete(self) -> discrete.Discrete:
        """The events with losses on lattices, or with densities in an interval."""
        return discrete.Discrete(self.lattices, self.laplaces, self.choices)

    def largest_loss(self) -> arb | Fraction | None:
        """Enclose the largest loss of all together where it is finite in both orders, else None."""
        if self.rate or self.trainings or self.dirichlets:
            return None
        return self.discrete.largest()

    def adds_nothing(self, epsilon: Fraction) -> bool:
        """Whether no loss of an added record exceeds epsilon: -log(1 - q) is a step's largest."""
        most = self.discrete.largest()
        if self.rate or self.dirichlets or most is None:
            return False
        whole = ball(most) if isinstance(most, Fraction) else most
        for _, rate, steps in self.trainings:
            whole -= steps * (-ball(rate)).log1p()
        return bool(whole <= ball(epsilon))

    def pairs(self, *, removed: bool) -> Composed:
        """Return all pairs, where a record is removed, or added."""
        found: list[tuple[Pair, int]] = []
        if self.rate:
            found.append((Gaussian(self.rate), 1))
        found += [(Laplace(shift), count) for shift, count in self.laplaces]
        found += [(Choice(size), count) for size, count in self.choices]
        found += self.lattices
        found += [(Subsampled(s, q, removed), steps) for s, q, steps in self.trainings]
        for alpha, step, count in self.dirichlets:
            replaced = self.neighbours == REPLACE
            found.append((Beta(alpha, step) if replaced else Gamma(alpha, step, removed), count))
        return Composed(tuple(found))

    def can_be_planned(self, epsilon: Fraction = _NOTHING) -> bool:
        """Whether every size that a plan is made of is one that doubles hold."""
        trainings = (Training(*each) for each in self.trainings)
        if not all(each.can_be_planned(epsilon) for each in trainings):
            return False
        sizes = [self.rate] if self.rate else []
        sizes += [
            Fraction(part)
            for kind in (*self.laplaces, *self.choices, *self.dirichlets)
            for part in kind
        ]
        sizes += [part for kind, _ in self.lattices for part in kind.sizes]
        sizes += [alpha / step for alpha, step, _ in self.dirichlets]
        return epsilon < _LARGEST and all(1 < size * _LARGEST < _LARGEST**2 for size in sizes)

    def by_itself(self) -> Iterator[tuple[Mixture, int]]:
        """Yield one event of each kind, with how many there are; Gaussian ones count as one."""
        none = Mixture(_NOTHING, (), (), (), self.neighbours)
        if self.rate:
            yield replace(none, rate=self.rate), 1
        for shift, count in self.laplaces:
            yield replace(none, laplaces=((shift, 1),)), count
        for size, count in self.choices:
            yield replace(none, choices=((size, 1),)), count
        for s, q, steps in self.trainings:
            yield replace(none, trainings=((s, q, 1),)), steps
        for alpha, step, count in self.dirichlets:
            yield replace(none, dirichlets=((alpha, step, 1),)), count
        for kind, count in self.lattices:
            yield replace(none, lattices=((kind, 1),)), count


def _lattice_of(event: DiscreteEvent | ResponseEvent) -> Lattice:
    match event:
        case DiscreteEvent("discrete_laplace"):
            return DiscreteLaplace(event.scale, event.sensitivity)
        case DiscreteEvent():
            return DiscreteGaussian(event.scale, event.sensitivity)
    return Response(*likelier(event.categories, event.truth_probability))


def routed(mixture: Mixture, epsilon: Fraction) -> Routed:
    """Enclose delta, the larger of both orders, and say by which way."""
    found = _of_one_family(mixture, epsilon) or _on_lines(mixture, epsilon)
    value = found.value
    if isinstance(value, Fraction) or value > 0 or not mixture.can_be_planned(epsilon):
        return found
    # A line that does not tell delta from 0 says less than a bound as a rule.
    most = bound_of(mixture, epsilon)
    if value.is_finite():
        most = most.min(value.upper())
    return Routed(arb(0).union(most), found.route)


def delta_of(mixture: Mixture, epsilon: Fraction) -> arb:
    """Enclose delta as a ball."""
    return _as_ball(routed(mixture, epsilon).value)


def _as_ball(value: arb | Fraction) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def _of_one_family(mixture: Mixture, epsilon: Fraction) -> Routed | None:
    """Enclose delta where all events are of a family that knows it by itself; else None."""
    found: Routed | None = None
    match mixture.families:
        case ():
            found = Routed(_NOTHING, "nothing is lost")
        case ("gaussian",):
            multiplier = 1 / ball(mixture.rate).sqrt()
            found = Routed(gaussian.profile(multiplier, epsilon), _CLOSED)
        case ("laplace",) if laplace.in_closed_form(mixture.laplaces, mixture.choices):
            found = Routed(laplace.delta(mixture.laplaces, epsilon, mixture.choices), _CLOSED)
        case ("dpsgd",) if len(mixture.trainings) == 1:
            found = dpsgd.route.routed(Training(*mixture.trainings[0]), epsilon)
        case ("dirichlet",) if mixture.neighbours == REPLACE:
            found = dirichlet.routed(dirichlet.Releases(mixture.dirichlets), epsilon)
        case ("dirichlet",) if len(mixture.dirichlets) == mixture.dirichlets[0][-1] == 1:
            found = Routed(add_remove.delta(*mixture.dirichlets[0][:2], epsilon), _CLOSED)
        case ("discrete",) | ("laplace", "discrete") if mixture.can_be_planned(epsilon):
            found = _of_lattices(mixture, epsilon)
    return found


def bound_of(mixture: Mixture, epsilon: Fraction) -> arb:
    """Bound delta, the larger of both orders, without a line.

    Full batches show no less than samples, and have moments at every crossing.
    """
    both = (True,) if mixture.is_symmetric else (True, False)
    bounds = (bounded_above(mixture.pairs(removed=removed), epsilon) for removed in both)
    own: arb = reduce(arb.max, bounds)
    if not mixture.trainings:
        return own
    rate = sum((steps / s**2 for s, _, steps in mixture.trainings), mixture.rate)
    return own.min(bound_of(replace(mixture, rate=rate, trainings=()), epsilon))


def _of_lattices(mixture: Mixture, epsilon: Fraction) -> Routed:
    """Enclose delta where no moment function falls: a line would never end."""
    known = discrete.delta(mixture.discrete, epsilon)
    if known is not None:
        return Routed(*known)
    bound = bounded_above(mixture.pairs(removed=True), epsilon)
    return Routed(arb(0).union(bound), _BOUND)


def _on_lines(mixture: Mixture, epsilon: Fraction) -> Routed:
    """Enclose delta on a line for each order; where one is too long, by bounds."""
    if not mixture.can_be_planned(epsilon):
        return Routed(_from_each(mixture, epsilon), _BY_ITSELF)
    nats = wanted_nats()
    first = mixture.pairs(removed=True)
    removed = delta_on_line(first, epsilon, nats)
    # At 0 both orders have one delta, the total variation distance.
    if mixture.is_symmetric or epsilon == 0 or mixture.adds_nothing(epsilon):
        if removed is None:
            return Routed(arb(0).union(bound_of(mixture, epsilon)), _BOUND)
        return Routed(removed, _RULE)
    second = mixture.pairs(removed=False)
    if removed is None:
        return Routed(arb(0).union(bound_of(mixture, epsilon)), _BOUND)
    for asked in (COARSE_NATS, nats):
        other = delta_on_line(second, epsilon, asked)
        if other is not None and other < removed:
            return Routed(removed, _RULE)
    if other is None:
        other = arb(0).union(bounded_above(second, epsilon))
    return Routed(removed.max(other), _RULE)


def _from_each(mixture: Mixture, epsilon: Fraction) -> arb:
    """Enclose delta between the largest of one event's and all total variation distances together.

    All events lose at least as much as one of them, in the order in which that one loses most
    (proofs_notes/mixtures.md#bounds-from-each-event).
    """
    least, most = arb(0), arb(0)
    for one, count in mixture.by_itself():
        least = least.max(_of_one(one, epsilon))
        most += count * _of_one(one, _NOTHING)
    return least.union(most.min(arb(1)))


def _of_one(mixture: Mixture, epsilon: Fraction) -> arb:
    """Enclose the delta of one event, of which each family knows a closed form."""
    if mixture.lattices:
        value: arb | Fraction = mixture.lattices[0][0].delta(epsilon)
    else:
        found = _of_one_family(mixture, epsilon)
        value = arb("nan") if found is None else found.value
    known = _as_ball(value)
    return known if known.is_finite() else arb(0).union(arb(1))


def removed_shows(mixture: Mixture, epsilon: Fraction, delta: Fraction) -> bool | None:
    """Whether the order of a removed record has more than a delta, or else that of an added one.

    None where neither is shown. Where both are alike it is said to be the first. At delta = 0 it
    is the removed one's, where some loss has no bound.
    """
    if delta == 0 and mixture.largest_loss() is None:
        return True
    if mixture.is_symmetric or epsilon == 0:
        return True if delta_of(mixture, epsilon) > ball(delta) else None
    if mixture.families == ("dpsgd",) and len(mixture.trainings) == 1:
        return dpsgd.route.removed_shows(Training(*mixture.trainings[0]), epsilon, delta)
    if not mixture.can_be_planned(epsilon):
        return _one_shows(mixture, epsilon, delta)
    for removed in (True, False):
        found = delta_on_line(mixture.pairs(removed=removed), epsilon, wanted_nats())
        if found is not None and found > ball(delta):
            return removed
    return None


def _one_shows(mixture: Mixture, epsilon: Fraction, delta: Fraction) -> bool | None:
    """Whether one event by itself shows it; None where none does whose order is told soon."""
    for one, _ in mixture.by_itself():
        if one.is_symmetric:
            shown = True if _of_one(one, epsilon) > ball(delta) else None
        elif one.trainings or one.can_be_planned(epsilon):
            shown = removed_shows(one, epsilon, delta)
        else:
            continue
        if shown is not None:
            return shown
    return None
