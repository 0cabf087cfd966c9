"""A backend that rounds the reference's answers to the safe side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from simplexcert.reference import evaluate


def delta(**given: float) -> float:
    """Return the next double above the truth."""
    return math.nextafter(float(evaluate("dirichlet.profile.delta", given).upper), math.inf)


def step_for_dp(**given: float) -> float:
    """Return the next double below the truth."""
    return math.nextafter(float(evaluate("dirichlet.profile.step_for_dp", given).lower), 0.0)


class Backend:
    """What `simplexcert certify` loads."""

    name = "rounded"
    version = "1"
    quantities: Mapping[str, Callable[..., float]] = {
        "dirichlet.profile.delta": delta,
        "dirichlet.profile.step_for_dp": step_for_dp,
    }


backend = Backend()
