"""The hunt: points drawn reproducibly, drawn closer to where an answer looks worst."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from hypothesis import HealthCheck, Phase, given, seed, settings, target

from ...reference.quantity import Quantity
from ..checks.case import Drawn
from .strategies import Point, points

# What is worse than this is no worse to a search; a double can still hold it.
_MOST_VIOLATION = Fraction(10) ** 300


def hunted(
    quantity: Quantity,
    examine: Callable[[Point], Fraction],
    cases: int,
    seed_text: str,
    *,
    climbing: bool = True,
) -> None:
    """Call ``examine`` on ``cases`` different points of the domain.

    ``examine`` returns how far on the wrong side the answer was. With ``climbing`` about half of
    the points are spent on looking for worse ones near the worst. The points depend on the seed's
    text and on what ``examine`` returns, on nothing else.
    """
    scores: dict[tuple[Drawn, ...], float] = {}

    def run(point: Point) -> None:
        key = tuple(point.values())
        if key not in scores and len(scores) < cases:
            scores[key] = _score(examine(point))
        if key in scores:
            target(scores[key])

    round_number = 0
    while len(scores) < cases:
        decorated = given(points(quantity))(run)
        decorated = settings(
            max_examples=cases,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.target) if climbing else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )(decorated)
        seed(f"{seed_text}/{round_number}")(decorated)()
        round_number += 1


def _score(violation: Fraction) -> float:
    """A monotone score of moderate size; Hypothesis takes any finite float."""
    size = math.log2(1 + float(min(abs(violation), _MOST_VIOLATION)))
    return size if violation > 0 else -size
