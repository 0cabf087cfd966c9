"""What each inverse is the inverse of: the forward quantity, its point, and the target to keep."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

# Where the parameters of the forward quantity are formed from others, they are rounded to doubles
# on the side that the argument names: +1 the one that makes it smaller, -1 larger.
Point = Callable[[Mapping[str, Any], float, int], dict[str, Any]]


@dataclass(frozen=True)
class Forward:
    """The forward quantity, at what was answered, is at most the parameter called ``target``.

    The inverse is the answer at which it is just that, so no less (of a step: no more) would do.
    """

    quantity: str
    target: str
    at: Point


def _given(*names: str, answer: str) -> Point:
    """Return the point with some parameters as they are, and the answer as one more."""

    def at(point: Mapping[str, Any], value: float, _easier: int) -> dict[str, Any]:
        return {**{name: point[name] for name in names}, answer: value}

    return at


def _profile(floor: Callable[[Any], Fraction], step: Callable[[Any], Fraction]) -> Point:
    """Return floor and step as multiples of the k that was answered; delta falls with the floor."""

    def at(point: Mapping[str, Any], value: float, easier: int) -> dict[str, Any]:
        k = Fraction(value)
        return {
            "alpha": rounded(k * floor(point), easier),
            "step": rounded(k * step(point), -easier),
            "epsilon": point["epsilon"],
        }

    return at


def _one_scale(*names: str) -> Point:
    def at(point: Mapping[str, Any], value: float, _easier: int) -> dict[str, Any]:
        return {**{name: point[name] for name in names}, "scales": (value,)}

    return at


def rounded(value: Fraction, sign: int) -> float:
    """Return the nearest double at or above a number (sign 1), or at or below it (sign -1)."""
    try:
        found = float(value)
    except OverflowError:
        return math.inf
    if math.isinf(found) or sign * (Fraction(found) - value) >= 0:
        return found
    return math.nextafter(found, sign * math.inf)


def _share(name: str) -> Callable[[Any], Fraction]:
    return lambda point: Fraction(point[name])


def _count(point: Mapping[str, Any]) -> Fraction:
    """Return the least share that a count can be: ceil(eta N)/N."""
    records = point["N"]
    return Fraction(math.ceil(Fraction(point["eta"]) * records), records)


FORWARDS: Mapping[str, Forward] = {
    "dirichlet.profile.epsilon": Forward(
        "dirichlet.profile.delta", "delta", _given("alpha", "step", answer="epsilon")
    ),
    "dirichlet.profile.step_for_dp": Forward(
        "dirichlet.profile.delta", "delta", _given("alpha", "epsilon", answer="step")
    ),
    "dirichlet.profile.step_for_renyi": Forward(
        "dirichlet.profile.renyi", "epsilon", _given("alpha", "order", answer="step")
    ),
    "dirichlet.add_remove.epsilon": Forward(
        "dirichlet.add_remove.delta", "delta", _given("alpha", "step", answer="epsilon")
    ),
    "dirichlet.add_remove.step_for_dp": Forward(
        "dirichlet.add_remove.delta", "delta", _given("alpha", "epsilon", answer="step")
    ),
    "dirichlet.add_remove.step_for_renyi": Forward(
        "dirichlet.add_remove.renyi", "epsilon", _given("alpha", "order", answer="step")
    ),
    "dirichlet.composition.epsilon": Forward(
        "dirichlet.composition.delta", "delta", _given("releases", answer="epsilon")
    ),
    "dirichlet.identity.gamma": Forward(
        "dirichlet.identity.delta_bound", "delta", _given("k", "eta", "w", answer="gamma")
    ),
    "dirichlet.counts.gamma": Forward(
        "dirichlet.counts.delta_bound", "delta", _given("k", "eta", "n", answer="gamma")
    ),
    "dirichlet.identity.k_for_dp": Forward(
        "dirichlet.profile.delta",
        "delta",
        _profile(_share("eta"), lambda point: Fraction(point["b"]) / 2),
    ),
    "dirichlet.average.k_for_dp": Forward(
        "dirichlet.profile.delta",
        "delta",
        _profile(_share("eta"), lambda point: Fraction(point["b"]) / (2 * point["N"])),
    ),
    "dirichlet.counts.k_for_dp": Forward(
        "dirichlet.profile.delta",
        "delta",
        _profile(_count, lambda point: Fraction(1, point["N"])),
    ),
    "dirichlet.renyi.step": Forward(
        "dirichlet.renyi.epsilon_bound",
        "epsilon",
        _given("order", "delta2_squared", "delta_inf", answer="step"),
    ),
    "markov.model.epsilon": Forward(
        "markov.model.delta", "delta", _given("k", "eta", "N", answer="epsilon")
    ),
    "pufferfish.quilt_scale_exact": Forward(
        "pufferfish.quilt_epsilon", "epsilon", _one_scale("chains", "length", "width")
    ),
    "pufferfish.network_scale": Forward(
        "pufferfish.network_epsilon", "epsilon", _one_scale("networks", "width")
    ),
}
