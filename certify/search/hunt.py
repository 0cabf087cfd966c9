"""The hunt: points drawn reproducibly, drawn closer to where an answer looks worst."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from hypothesis import HealthCheck, Phase, given, seed, settings, target

from ...reference.quantity import Quantity
from .strategies import Point, points


def hunted(
    quantity: Quantity, examine: Callable[[Point], Fraction], cases: int, seed_text: str
) -> None:
    """Call ``examine`` on ``cases`` points of the domain.

    ``examine`` returns how far on the wrong side the answer was; Hypothesis then looks near the
    worst points for worse ones. The points depend on the seed's text alone.
    """
    seen = 0

    def run(point: Point) -> None:
        nonlocal seen
        if seen < cases:
            seen += 1
            target(_score(examine(point)))

    round_number = 0
    while seen < cases:
        decorated = given(points(quantity))(run)
        decorated = settings(
            max_examples=cases,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.target),
            suppress_health_check=list(HealthCheck),
        )(decorated)
        seed(f"{seed_text}/{round_number}")(decorated)()
        round_number += 1


def _score(violation: Fraction) -> float:
    """A monotone score of moderate size; Hypothesis takes any finite float."""
    size = math.log2(1 + min(float(abs(violation)), 1e300))
    return size if violation > 0 else -size
