"""Events under one neighbour relation, and the moment function of all their losses, in MPC.

What is used of a pair is in proofs_notes/mixtures.md. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import gmpy2
from gmpy2 import mpc, mpfr

from ...structures import (
    ChoiceEvent,
    DirichletEvent,
    DiscreteEvent,
    Event,
    NoiseEvent,
    ResponseEvent,
    TrainingEvent,
)
from ..dpsgd.delta import Order
from ..nearest import Stirling, log_gamma, number, working
from .lattices import chances_of, moment_on_lattice

# Of log M in doubles, whatever cancels in log Gammas.
_PLAN_BITS = 192
_SIZE_BITS = 32

_Function = Callable[[mpc], mpc]


@dataclass(frozen=True)
class Losses:
    """The losses of all events in one order, equal ones together."""

    events: tuple[tuple[Event, int], ...]
    neighbours: str
    removed: bool

    @classmethod
    def of(cls, events: Iterable[Event], neighbours: str, *, removed: bool) -> Losses:
        """Return the losses; steps and counts are multiplied."""
        counted: Counter[Event] = Counter()
        for event in events:
            times = event.count * (event.steps if isinstance(event, TrainingEvent) else 1)
            one = event._replace(count=1)
            counted[one._replace(steps=1) if isinstance(one, TrainingEvent) else one] += times
        return cls(tuple(counted.items()), neighbours, removed)

    @cached_property
    def count(self) -> int:
        """How many losses are added."""
        return sum(count for _, count in self.events)

    def leans(self, epsilon: float) -> bool:
        """Whether losses that each have a largest value, as Laplace's, stay below epsilon together.

        M grows to the right like e^(zm) for each of them, where others fall off the axis.
        """
        if any(event.mechanism == "discrete_gaussian" for event, _ in self.events):
            return False
        return sum(count * _largest(event) for event, count in self.events) <= epsilon

    def log_moment(self, crossing: float) -> float:
        """Return about log M at a real point; infinite off the strip."""
        return sum(count * self._log_moment(event, crossing) for event, count in self.events)

    def _log_moment(self, event: Event, c: float) -> float:
        match event:
            case TrainingEvent() if event.sampling_probability < 1:
                return self._order(event).log_moment(c)
            case DirichletEvent():
                return self._log_gammas(event, c)
            case DiscreteEvent() | ResponseEvent():
                with working(_PLAN_BITS):
                    moment, _ = moment_on_lattice(event, _PLAN_BITS)
                    return float(gmpy2.log(moment(mpc(c)).real))
            case ChoiceEvent():
                r, twice = float(event.loss_range), 2 * c + 1
                return c * r + math.log(math.expm1(-twice * r) / (twice * math.expm1(-r)))
            case NoiseEvent("laplace"):
                m, twice = float(1 / event.noise_multiplier), 2 * c + 1
                low = math.exp(-twice * m) * (1 - 1 / twice)
                return c * m + math.log((1 + 1 / twice + low) / 2)
        assert isinstance(
            event, NoiseEvent | TrainingEvent
        )  # permute-and-flip is Laplace noise here
        return c * (c + 1) / (2 * float(event.noise_multiplier) ** 2)

    def _order(self, event: TrainingEvent) -> Order:
        return Order(event.noise_multiplier, event.sampling_probability, 1, self.removed)

    def _log_gammas(self, event: DirichletEvent, c: float) -> float:
        alpha, step = float(event.alpha), float(event.step)
        added = self.neighbours == "replace" or not self.removed
        if added and not c < alpha / step:
            return math.inf
        with working(_PLAN_BITS):
            a, s, z = number(event.alpha), number(event.step), mpfr(c)
            small, large = gmpy2.lngamma(a), gmpy2.lngamma(a + s)
            if self.neighbours == "replace":
                found = gmpy2.lngamma(a - z * s) + gmpy2.lngamma(a + s + z * s) - small - large
            elif self.removed:
                found = gmpy2.lngamma(a + s + z * s) - large - z * (large - small)
            else:
                found = gmpy2.lngamma(a - z * s) - small + z * (large - small)
            return float(found)

    def moment(self, crossing: float, bits: int, which: int) -> tuple[_Function, int]:
        """Return the product of all M, each as often as it happens, and what it costs."""
        parts, products = [], 0
        for event, count in self.events:
            found, cost = self._moment(event, (crossing, bits, which))
            parts.append((found, count))
            products += cost

        def whole(z: mpc) -> mpc:
            product = mpc(1)
            for part, count in parts:
                product *= part(z) ** count
            return product

        return whole, products

    def envelope(self, crossing: float, bits: int, which: int) -> Callable[[mpc], mpc] | None:
        """Return the product with losses on lattices at Re z: their M returns period by period."""
        lattices = [
            (moment_on_lattice(event, bits)[0], count)
            for event, count in self.events
            if isinstance(event, DiscreteEvent | ResponseEvent)
        ]
        if not lattices:
            return None
        others = tuple(
            (event, count)
            for event, count in self.events
            if not isinstance(event, DiscreteEvent | ResponseEvent)
        )
        rest, _ = replace(self, events=others).moment(crossing, bits, which)

        def envelope(z: mpc) -> mpc:
            product = rest(z)
            for moment, count in lattices:
                product *= moment(mpc(z.real)) ** count
            return product

        return envelope

    def _moment(self, event: Event, at: tuple[float, int, int]) -> tuple[_Function, int]:
        match event:
            case TrainingEvent() if event.sampling_probability < 1:
                return self._order(event).moment(*at)
            case DirichletEvent():
                return _of_gammas(event, self.neighbours, at[1], removed=self.removed), 10
            case DiscreteEvent() | ResponseEvent():
                return moment_on_lattice(event, at[1])
            case ChoiceEvent():
                return _of_choice(number(event.loss_range)), 2
            case NoiseEvent("laplace"):
                return _of_laplace(1 / number(event.noise_multiplier)), 2
        assert isinstance(event, NoiseEvent | TrainingEvent)
        half_rate = 1 / (2 * number(event.noise_multiplier) ** 2)
        return (lambda z: gmpy2.exp(z * (z + 1) * half_rate)), 1


def _largest(event: Event) -> float:
    """Return the largest loss of Laplace noise, discrete or not, an answer or a choice, or 0."""
    match event:
        case NoiseEvent("laplace"):
            return float(1 / event.noise_multiplier)
        case ChoiceEvent():
            return float(event.loss_range)
        case DiscreteEvent("discrete_laplace"):
            return float(event.sensitivity / event.scale)
        case ResponseEvent():
            high, low = chances_of(event)
            return math.log(high / low)
    return 0.0


def _of_laplace(m: mpfr) -> _Function:
    """Return both atoms and the part between them, e^(-m/2) sinh((z + 1/2) m)/(2 z + 1)."""
    low, half = gmpy2.exp(-m), gmpy2.exp(-m / 2)

    def moment(z: mpc) -> mpc:
        up = gmpy2.exp(z * m)
        return (up + low / up) / 2 + half * gmpy2.sinh((z + mpfr(0.5)) * m) / (2 * z + 1)

    return moment


def _of_choice(r: mpfr) -> _Function:
    """Return sinh((z + 1/2) r)/((2 z + 1) sinh(r/2))."""
    whole = gmpy2.sinh(r / 2)
    return lambda z: gmpy2.sinh((z + mpfr(0.5)) * r) / ((2 * z + 1) * whole)


def _of_gammas(event: DirichletEvent, neighbours: str, bits: int, *, removed: bool) -> _Function:
    a, s = number(event.alpha), number(event.step)
    more = bits + _SIZE_BITS
    stirling = Stirling(more)
    small, large = log_gamma(event.alpha, more), log_gamma(event.alpha + event.step, more)

    def moment(z: mpc) -> mpc:
        with working(more):
            if neighbours == "replace":
                (near, over), (far, under) = (
                    stirling.parts(a - z * s),
                    stirling.parts(a + s + z * s),
                )
                return gmpy2.exp(near + far - small - large) / (over * under)
            rise = z * (large - small)
            if removed:
                far, under = stirling.parts(a + s + z * s)
                return gmpy2.exp(far - large - rise) / under
            near, over = stirling.parts(a - z * s)
            return gmpy2.exp(near - small + rise) / over

    return moment
