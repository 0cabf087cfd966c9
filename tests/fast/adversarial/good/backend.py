"""Backends: sound ones, and one that breaks laws.

The sound ones round the reference's answers to the safe side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from simplexcert.reference import evaluate

DELTA, EPSILON = "dirichlet.profile.delta", "dirichlet.profile.epsilon"
STEP, VARIATION = "dirichlet.profile.step_for_dp", "dirichlet.profile.total_variation"


def above(name: str) -> Callable[..., float]:
    """Return what answers the next double above the truth."""

    def answer(**given: Any) -> float:
        return math.nextafter(float(evaluate(name, given).upper), math.inf)

    return answer


def step(**given: float) -> float:
    """Return the next double below the truth."""
    return math.nextafter(float(evaluate(STEP, given).lower), 0.0)


def laplace(*, scale: float, count: int, seed: int) -> list[float]:
    """Return the difference of two exponential draws, each times the scale."""
    draws = np.random.default_rng(seed).standard_exponential((2, count))
    return list(scale * (draws[0] - draws[1]))


class Sound:
    """Answers on the safe side."""

    name = "rounded"
    version = "2"
    quantities: Mapping[str, Callable[..., float]] = {
        DELTA: above(DELTA),
        EPSILON: above(EPSILON),
        STEP: step,
    }


class Drawing:
    """Answers, and draws."""

    name = "drawing"
    version = "2"
    quantities: Mapping[str, Callable[..., float]] = {VARIATION: above(VARIATION)}
    samplers: Mapping[str, Callable[..., list[float]]] = {"laplace": laplace}


class Lawless:
    """Answers that are all on the safe side, and break the laws."""

    name = "lawless"
    version = "2"

    def __init__(self) -> None:
        self._asked = 0
        self.quantities = {DELTA: self.delta, EPSILON: self.epsilon, STEP: self.step}
        self.samplers = {"laplace": self.laplace}

    def delta(self, **given: Any) -> float:
        """Return more than the truth, and another answer each time."""
        self._asked += 1
        return above(DELTA)(**given) * (2 + 0.5 * (self._asked % 3))

    def epsilon(self, **given: Any) -> float:
        """Return three times the truth."""
        return 3 * above(EPSILON)(**given)

    def step(self, **given: Any) -> float:
        """Return a twentieth of the truth."""
        return step(**given) / 20

    def laplace(self, *, scale: float, count: int, seed: int) -> list[float]:
        """Return noise that is a little too large."""
        return laplace(scale=1.05 * scale, count=count, seed=seed)


sound, drawing, lawless = Sound(), Drawing(), Lawless()
