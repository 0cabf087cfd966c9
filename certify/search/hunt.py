"""The hunt: points drawn reproducibly, then looked for near the worst of them.

Neither finds what the other does. Draws spread over the domain and its edges; steps of all sizes
around the worst point close in on spikes far narrower than any draw would hit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil

from hypothesis import HealthCheck, Phase, given, seed, settings

from ...reference.quantity import Quantity
from ..points import Drawn, Point
from .local import Steps, at_ends, near
from .strategies import points

# The share of cases that are drawn; the others are steps. What is replayed comes off both.
DRAWN_SHARE = Fraction(1, 2)
# Steps taken from the worst point; the others start from any point, for there may be other hills.
_FROM_WORST = 0.75
# Steps in a row that led nowhere, after which the rest is drawn: the domain may be a few points.
_MOST_MISSES = 1000
# Hypothesis keeps what it has drawn in a round; this bounds what that can come to.
_MOST_IN_A_ROUND = 100
# Answers are rounded, and of how far off they are the last digits are noise.
_PROGRESS = Fraction(1, 2**20)


class _Tried:
    """The points that were examined, at most so many, and the worst of them."""

    def __init__(self, examine: Callable[[Point], Fraction], cases: int) -> None:
        self.points: list[Point] = []
        self.worst: Point = {}
        self._examine, self._cases = examine, cases
        self._keys: set[tuple[Drawn, ...]] = set()
        self.violation: Fraction | None = None

    def add(self, point: Point) -> bool:
        """Examine a point if it is new and there is room; return whether it was."""
        key = tuple(point.values())
        if key in self._keys or len(self.points) >= self._cases:
            return False
        self._keys.add(key)
        self.points.append(point)
        violation = self._examine(point)
        # An equally bad one replaces it: that is how to get off a plateau.
        if self.violation is None or violation >= self.violation:
            self.worst, self.violation = point, violation
        return True


def hunted(
    quantity: Quantity,
    examine: Callable[[Point], Fraction],
    cases: int,
    seed_text: str,
    *,
    climbing: bool = True,
    first: Iterable[Point] = (),
) -> None:
    """Call ``examine`` on ``cases`` different points of the domain, those of ``first`` first.

    ``examine`` returns how bad an answer was. With ``climbing`` half of the points are steps around
    the worst. The points depend on ``first``, on the seed's text and on what ``examine`` returns,
    on nothing else.
    """
    tried = _Tried(examine, cases)
    for point in first:
        tried.add(point)
    left = cases - len(tried.points)
    _draw(
        quantity,
        tried,
        len(tried.points) + ceil(left * (DRAWN_SHARE if climbing else 1)),
        seed_text,
    )
    if climbing:
        _climb(quantity, tried, cases, seed_text)
        _draw(quantity, tried, cases, f"{seed_text}/rest")


def _draw(quantity: Quantity, tried: _Tried, until: int, seed_text: str) -> None:
    """Examine points that Hypothesis draws until there are so many."""

    def run(point: Point) -> None:
        if len(tried.points) < until:
            tried.add(point)

    round_number = 0
    while len(tried.points) < until:
        decorated = settings(
            max_examples=min(until, _MOST_IN_A_ROUND),
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )(given(points(quantity))(run))
        seed(f"{seed_text}/{round_number}")(decorated)()
        round_number += 1


def _climb(quantity: Quantity, tried: _Tried, cases: int, seed_text: str) -> None:
    """Examine the worst so far moved to its ends, then points one step from the worst.

    Now and then a step begins at any other point.
    """
    for found in at_ends(quantity, tried.worst):
        tried.add(found)
    rng = Steps(seed_text)
    misses = 0
    while len(tried.points) < cases and misses < _MOST_MISSES:
        anywhere = tried.points[int(rng.random() * len(tried.points))]
        start = tried.worst if rng.random() < _FROM_WORST else anywhere
        before = tried.violation
        step = near(quantity, start, rng)
        misses = 0 if step is not None and tried.add(step) else misses + 1
        if _is_progress(before, tried.violation):
            rng.worked()


def _is_progress(before: Fraction | None, after: Fraction | None) -> bool:
    """Whether the worst is worse by more than what rounding does to it."""
    return before is None or (after is not None and after - before > abs(before) * _PROGRESS)
