"""Releases of several mechanisms together, never below the truth: delta and epsilon by Chernoff.

With M the product of the moment functions of all events (proofs_notes/mixtures.md)

    log delta <= log M(c) - c epsilon + c log c - (1 + c) log(1 + c)

at any c > 0, the best that is seen; in both orders where there is DP-SGD. log M(c) is c times the
divergence at order 1 + c, which rises with the order: it is rounded up. Discrete Gaussian noise has
at most the continuous one's, and an added record's gamma laws have more than a removed one's.
Events of one family that has a sharper answer of its own have that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from . import add_remove, composition, dpsgd, gaussian, laplace, renyi
from .doubled import UNIT, Reals
from .moment_line import log_chernoff, rounded_up

_Event: TypeAlias = Mapping[str, Any]
_ADD_REMOVE = "add_remove"
# Of a closed form: some twenty operations, arguments of exp within 8 units.
_UNITS = 64.0
# Whole numbers beyond are infinite, and chances below are not told.
_HUGE, _SMALLEST_CHANCE, _LEAST = 10**300, 1e-290, 5e-324


def delta(events: Sequence[_Event], neighbours: str, epsilon: float) -> float:
    """Return an upper bound on delta, at most 1."""
    with np.errstate(all="ignore"):
        mixture = Mixture.of(events, neighbours)
        if epsilon >= mixture.largest_loss:
            return 0.0
        alone = mixture.known_delta(epsilon)
        if alone is not None:
            return alone
        found = max(mixture.log_delta(epsilon, removed) for removed in mixture.orders)
        return min(float(np.nextafter(np.exp(found) * dpsgd.ROOM, np.inf)), 1.0)


def epsilon(events: Sequence[_Event], neighbours: str, delta: float) -> float:
    """Return an upper bound on the smallest epsilon, at most the largest loss."""
    if delta >= 1.0:
        return 0.0
    with np.errstate(all="ignore"):
        mixture = Mixture.of(events, neighbours)
        if delta <= 0.0:
            return mixture.largest_loss
        alone = mixture.known_epsilon(delta)
        if alone is not None:
            return alone
        found = max(mixture.epsilon(delta, removed) for removed in mixture.orders)
        return min(max(found, 0.0) * dpsgd.ROOM, mixture.largest_loss)


@dataclass(frozen=True)
class Mixture:
    """The rate of all normal noise, and every other event with the number of its releases."""

    rate: float
    others: tuple[tuple[str, _Event, float], ...]
    neighbours: str
    largest_loss: float

    @classmethod
    def of(cls, events: Sequence[_Event], neighbours: str) -> Mixture:
        """Return the mixture; its rate and its largest loss are rounded up."""
        rate, most, others = 0.0, 0.0, []
        for event in events:
            mechanism, times = event["mechanism"], int(event["count"])
            if mechanism == "permute_and_flip":  # at most what Laplace noise of less loses
                mechanism, spread = "laplace", float(np.nextafter(1 / event["largest_loss"], 0.0))
                event = {"mechanism": mechanism, "noise_multiplier": spread}  # noqa: PLW2901
            if mechanism == "dpsgd":
                times *= int(event["steps"])
            count = _above(times)
            if mechanism == "gaussian" or event.get("sampling_probability") == 1:
                rate += count / event["noise_multiplier"] / event["noise_multiplier"] + _LEAST
                most = math.inf
                continue
            others.append((mechanism, event, count))
            most += count * _largest_loss(mechanism, event)
        rounding = 1 + (len(events) + 4) * 4 * UNIT
        return cls(rate * rounding, tuple(others), neighbours, most * rounding)

    @property
    def orders(self) -> tuple[bool, ...]:
        """Whether a record is removed: both ways where these differ, else one."""
        differ = any(mechanism == "dpsgd" for mechanism, _, _ in self.others)
        return (True, False) if differ else (True,)

    def known_delta(self, epsilon: float) -> float | None:
        """Return an upper bound on delta where all events are of one family with its own."""
        if not self.others:
            return float(gaussian.delta(_one(self._multiplier), _one(epsilon))[0])
        alone = self._alone
        if alone is not None:
            mechanism, event, count = alone
            if mechanism == "dpsgd":
                return dpsgd.delta(*_of_training(event), count, epsilon)
            if mechanism == "laplace":
                return float(laplace.delta(_one(event["noise_multiplier"]), _one(epsilon))[0])
            if mechanism == "dirichlet":
                sizes = _one(event["alpha"]), _one(event["step"])
                return float(add_remove.delta(*sizes, _one(epsilon))[0])
        rows = self._dirichlet_rows
        return composition.delta(rows, epsilon) if rows else None

    def known_epsilon(self, delta: float) -> float | None:
        """Return an upper bound on epsilon where all events are of one family with its own."""
        if not self.others:
            return float(gaussian.epsilon(_one(self._multiplier), _one(delta))[0])
        alone = self._alone
        if alone is not None:
            mechanism, event, count = alone
            if mechanism == "dpsgd":
                return dpsgd.epsilon(*_of_training(event), count, delta)
            if mechanism == "laplace":
                return float(laplace.epsilon(_one(event["noise_multiplier"]), _one(delta))[0])
            if mechanism == "dirichlet":
                sizes = _one(event["alpha"]), _one(event["step"])
                return float(add_remove.epsilon(*sizes, _one(delta))[0])
        rows = self._dirichlet_rows
        return composition.epsilon(rows, delta) if rows else None

    @property
    def _multiplier(self) -> float:
        """A lower bound on the noise multiplier of all normal noise as one release."""
        return 1 / math.sqrt(self.rate) * (1 - 8 * UNIT)

    @property
    def _alone(self) -> tuple[str, _Event, float] | None:
        """One release alone, or the steps of one training."""
        if self.rate or len(self.others) > 1:
            return None
        mechanism, event, count = self.others[0]
        one = count == 1 and not (mechanism == "dirichlet" and self.neighbours != _ADD_REMOVE)
        return (mechanism, event, count) if mechanism == "dpsgd" or one else None

    @property
    def _dirichlet_rows(self) -> list[tuple[float, float, int]]:
        """Draws that are all there is, where a record is another one."""
        kinds = {mechanism for mechanism, _, _ in self.others}
        if self.rate or self.neighbours == _ADD_REMOVE or kinds != {"dirichlet"}:
            return []
        return [(each["alpha"], each["step"], each["count"]) for _, each, _ in self.others]

    def log_delta(self, epsilon: float, removed: bool) -> float:
        """Return an upper bound on log delta of one order, at most 0."""

        def bound(points: Reals) -> Reals:
            whole, moved = self.log_moments(points, removed), points * epsilon
            return whole - moved + log_chernoff(points) + 8 * UNIT * (whole + moved)

        return min(dpsgd.least(bound), 0.0)

    def epsilon(self, delta: float, removed: bool) -> float:
        """Return an upper bound on the least epsilon of one order; it may be below 0."""
        target = math.log(delta)
        target -= 4 * UNIT * abs(target)

        def bound(points: Reals) -> Reals:
            moments = self.log_moments(points, removed)
            whole = moments + log_chernoff(points) - target
            whole = whole + 16 * UNIT * (moments + np.abs(whole) + abs(target))
            found: Reals = whole / points * (1 + 4 * UNIT * np.sign(whole))
            return found

        return dpsgd.least(bound)

    def log_moments(self, points: Reals, removed: bool) -> Reals:
        """Return an upper bound on log M of all events in one order; infinite where none is."""
        whole = points * (1 + points) * (self.rate / 2)
        for mechanism, event, count in self.others:
            if mechanism == "dpsgd":
                own = dpsgd.log_moments(*_of_training(event), count, points, removed)
            elif mechanism == "dirichlet" and self.neighbours == _ADD_REMOVE:
                own = count * _from_renyi(add_remove.renyi, points, event["alpha"], event["step"])
            else:
                own = count * _LOG_MOMENTS[mechanism](event, points)
            whole = whole + np.maximum(own, 0.0)
        found: Reals = whole * (1 + (len(self.others) + 8) * 4 * UNIT)
        return np.where(np.isnan(found), np.inf, found)


def _above(count: int) -> float:
    """Return a double that is not below a whole number."""
    return rounded_up(count) if count < _HUGE else math.inf


def _one(value: float) -> Reals:
    return np.array([value], dtype=np.float64)


def _of_training(event: _Event) -> tuple[float, float]:
    return event["noise_multiplier"], event["sampling_probability"]


def _largest_loss(mechanism: str, event: _Event) -> float:
    """Return an upper bound on the largest loss; infinite where there is none in some order."""
    if mechanism == "laplace":
        return float(np.nextafter(1 / event["noise_multiplier"], np.inf))
    if mechanism == "exponential_mechanism":
        return float(event["loss_range"])
    if mechanism == "discrete_laplace":
        return float(np.nextafter(_above(event["sensitivity"]) / event["scale"], np.inf))
    if mechanism == "randomized_response":
        high, low, _ = _answers(event)
        return math.inf if low < _SMALLEST_CHANCE else math.log(high / low) * (1 + 8 * UNIT) + 1e-15
    return math.inf


def _answers(event: _Event) -> tuple[float, float, float]:
    """Return the chances of the likelier answer, the less likely one and the others together."""
    truth, others = event["truth_probability"], _above(event["categories"] - 1)
    other = (1 - truth) / others
    return max(truth, other), min(truth, other), (others - 1) * other


def _from_renyi(divergence: Callable[..., Reals], points: Reals, *numbers: float) -> Reals:
    """Return an upper bound on log M by the divergence, which rises with its order."""
    order = np.nextafter(1 + points, np.inf)
    given = (np.full_like(points, number) for number in numbers)
    return points * divergence(*given, order)


def _of_laplace(event: _Event, points: Reals) -> Reals:
    return _from_renyi(laplace.renyi, points, event["noise_multiplier"])


def _of_dirichlet(event: _Event, points: Reals) -> Reals:
    return _from_renyi(renyi.renyi, points, event["alpha"], event["step"])


def _of_discrete_gaussian(event: _Event, points: Reals) -> Reals:
    shift = _above(event["sensitivity"]) / event["scale"]
    found: Reals = points * (1 + points) * (shift * shift / 2) * (1 + 16 * UNIT)
    return found


def _of_discrete_laplace(event: _Event, points: Reals) -> Reals:
    """Return zD/t + log of 1 + b^D + (1 - a)(b - b^D)/(1 - b), over 1 + a; b = a^(2z + 1)."""
    over, shift = 1 / event["scale"], _above(event["sensitivity"])
    rate = (2 * points + 1) * over
    between = np.exp(-rate) * np.expm1(-(shift - 1) * rate) / np.expm1(-rate)
    mean = 1 + np.exp(-shift * rate) - np.expm1(-over) * between
    far, near = points * shift * over, np.log(mean / (1 + np.exp(-over)))
    found: Reals = far + near + _UNITS * UNIT * (far + np.abs(near) + 2)
    return found


def _of_choice(event: _Event, points: Reals) -> Reals:
    """Return zr + log((1 - e^(-(2z + 1)r))/((2z + 1)(1 - e^-r)))."""
    r, twice = event["loss_range"], 2 * points + 1
    far, near = points * r, np.log(np.expm1(-twice * r) / (twice * np.expm1(-r)))
    found: Reals = far + near + _UNITS * UNIT * (far + np.abs(near) + 2)
    return found


def _of_answers(event: _Event, points: Reals) -> Reals:
    """Return the logarithm of a sum of three positive numbers."""
    high, low, rest = _answers(event)
    if low < _SMALLEST_CHANCE:
        return np.full_like(points, np.inf)
    span = math.log(high / low)
    moved = points * span
    logs = [math.log(high) + moved, math.log(low) - moved]
    found = np.logaddexp(*logs)
    if rest:
        found = np.logaddexp(found, math.log(rest))
    sizes = moved + points + np.abs(math.log(low)) + np.abs(found) + 2
    answer: Reals = found + _UNITS * UNIT * sizes
    return answer


_LOG_MOMENTS: Mapping[str, Callable[[_Event, Reals], Reals]] = {
    "laplace": _of_laplace,
    "dirichlet": _of_dirichlet,
    "discrete_gaussian": _of_discrete_gaussian,
    "discrete_laplace": _of_discrete_laplace,
    "randomized_response": _of_answers,
    "exponential_mechanism": _of_choice,
}
