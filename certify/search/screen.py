"""Screening: thousands of points, each answered once and enclosed once, to find the worst few.

A single enclosure of few bits is as quick as a backend is, and it is proved: what it shows to be
wrong is wrong. What it leaves open, and what is nearest to wrong, is looked at again like any other
point that is found.

Three looks in four are at points spread over the domain. The others climb, from the worst of these
by steps: half of them towards answers that are farther off, half towards truths that the few bits
enclose less narrowly, where a formula in doubles loses its digits.

Faults live beside the borders that formulas have: of the domain's conditions, and of where the
truth is an end of its range. Both are found by halving, to the last double on either side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import nlargest
from typing import NamedTuple

from ...reference.domain import Interval
from ...reference.errors import InputError
from ...reference.quantity import Quantity
from ..points import Point, exact_point
from .draws import Draws, Spread
from .local import FROM_WORST, Steps, is_progress, near
from .strategies import MOST_TRIES, drawn_point

# Of four points in a row two are spread over the search ranges, one over all that the parameters
# reach, and one is drawn by every way of drawing, ties and edges among them; so is one of the two
# where a parameter has parts, whose faults are rarely a matter of size.
_TURNS, _OF_PARTS, _REACHING, _BY_ALL_WAYS = 4, 1, 2, 3
# Tries of a point that is spread, before it is drawn like any other.
_SPREAD_TRIES = 64
# So many of the worst are kept of what failed, of what was left open, and of what passed.
_FAILED, _OPEN, _PASSED = 3, 2, 3
# Borders are sought from one point in so many, whose numbers are cut to one binary digit and to
# three in turn: with such numbers the border often is a double itself.
_FROM_ONE_IN = 800
_DIGITS = (1, 3)
# Halvings between two doubles until they are neighbours, and some more for what cannot be halved.
_HALVINGS = 80
# From so many powers of two apart on, the middle is taken of the powers.
_NEAR_POWERS = 2
# One look in so many is a step of a climb, from one of so many hills.
_CLIMBING, _HILLS = 4, 4


class Glance(NamedTuple):
    """What one look at an answer showed: whether it failed, or was left open, and how far off.

    ``width`` is how wide the truth's enclosure is, in proportion to it; ``at_end`` says that the
    truth is known to be an end of its range.
    """

    failed: bool
    open: bool
    badness: Fraction
    width: Fraction
    at_end: bool


Look = Callable[[Point], Glance]
_Aim = Callable[[Glance], Fraction]
_AIMS: tuple[_Aim, ...] = (lambda glance: glance.badness, lambda glance: glance.width)


def screen_point(quantity: Quantity, seed: str, index: int) -> Point:
    """Return the point of the domain that a screening has at an index, always the same."""
    turn = index % _TURNS
    kinds = quantity.parameters.values()
    if turn == _OF_PARTS and not all(isinstance(kind, Interval) for kind in kinds):
        turn = _BY_ALL_WAYS
    label = f"{seed}/screen"
    for attempt in range(MOST_TRIES):
        if turn == _BY_ALL_WAYS or attempt >= _SPREAD_TRIES:
            beyond = turn == _REACHING or index % (2 * _TURNS) > _TURNS
            draws = Draws(f"{label}/{quantity.name}/{index}/{attempt}", beyond=beyond)
        else:
            place = index * _SPREAD_TRIES + attempt
            draws = Spread(f"{label}/{quantity.name}", place, beyond=turn == _REACHING)
        point = drawn_point(quantity, draws)
        if quantity.admits(exact_point(point)):
            return point
    raise InputError(f"{quantity.name}: {MOST_TRIES} draws met no point of the domain")


def screened(quantity: Quantity, look: Look, seed: str, indices: range) -> Iterator[Point]:
    """Look at the points of a screening, and yield the worst of them, those that failed first."""
    looked: list[tuple[Glance, Point]] = []

    def look_at(point: Point) -> Glance:
        looked.append((look(point), point))
        return looked[-1][0]

    steps = len(indices) // _CLIMBING
    for at in indices[: len(indices) - steps]:
        point = screen_point(quantity, seed, at)
        look_at(point)
        turn, rest = divmod(at, _FROM_ONE_IN)
        if rest == 0:
            _look_at_borders(quantity, _cut(quantity, point, _DIGITS[turn % 2]), look_at)
    for number, aim in enumerate(_AIMS):
        hills = nlargest(_HILLS, looked, key=lambda one: aim(one[0]))
        rng = Steps(f"{seed}/climb/{quantity.name}/{indices.start}/{number}")
        _climb(quantity, hills, look_at, aim, (steps + number) // len(_AIMS), rng)

    def worst(count: int, *, failed: bool, left_open: bool) -> Iterator[Point]:
        among = (one for one in looked if one[0][:2] == (failed, left_open))
        yield from (point for _, point in nlargest(count, among, key=lambda one: one[0].badness))

    yield from worst(_FAILED, failed=True, left_open=False)
    yield from worst(_OPEN, failed=False, left_open=True)
    yield from worst(_PASSED, failed=False, left_open=False)


def _climb(
    quantity: Quantity,
    hills: list[tuple[Glance, Point]],
    look: Look,
    aim: _Aim,
    steps: int,
    rng: Steps,
) -> None:
    """Look at points one step from the highest so far, or now and then from another high one."""
    for _ in range(steps):
        at = int(rng.random() * len(hills)) if rng.random() > FROM_WORST else _highest(hills, aim)
        glance, start = hills[at]
        step = near(quantity, start, rng)
        if step is None:
            continue
        found = look(step)
        if is_progress(aim(glance), aim(found)):
            rng.worked()
        if aim(found) >= aim(glance):
            hills[at] = found, step


def _highest(hills: list[tuple[Glance, Point]], aim: _Aim) -> int:
    return max(range(len(hills)), key=lambda at: aim(hills[at][0]))


def _cut(quantity: Quantity, point: Point, digits: int) -> Point:
    """Return a point whose real numbers have so many binary digits, where that is in the domain."""
    cut = {
        name: _rounded(float(value), digits) if _is_real(quantity, name) else value  # type: ignore[arg-type]
        for name, value in point.items()
    }
    return cut if quantity.admits(exact_point(cut)) else point


def _rounded(value: float, digits: int) -> float:
    half, power = math.frexp(value)
    return math.ldexp(round(math.ldexp(half, digits)), power - digits)


def _is_real(quantity: Quantity, name: str) -> bool:
    domain = quantity.parameters[name]
    return isinstance(domain, Interval) and domain.kind == "real"


def _look_at_borders(quantity: Quantity, start: Point, look: Look) -> None:
    """Look at the doubles on both sides of each border between a point and a parameter's ends."""
    at_start = look(start).at_end
    for name, domain in quantity.parameters.items():
        if not _is_real(quantity, name):
            continue
        assert isinstance(domain, Interval)
        for end in domain.reach:
            beyond = float(Fraction(end))
            if quantity.admits(exact_point({**start, name: beyond})):
                _halve(start, name, beyond, lambda point: look(point).at_end is not at_start)
            else:
                inside = _halve(
                    start, name, beyond, lambda point: not quantity.admits(exact_point(point))
                )
                look(inside)


def _halve(start: Point, name: str, beyond: float, is_across: Callable[[Point], bool]) -> Point:
    """Return the last point on this side of a border, or the start where there is none."""
    here = float(start[name])  # type: ignore[arg-type]
    if not is_across({**start, name: beyond}):
        return start
    for _ in range(_HALVINGS):
        middle = _between(here, beyond)
        if middle in {here, beyond}:
            break
        if is_across({**start, name: middle}):
            beyond = middle
        else:
            here = middle
    return {**start, name: here}


def _between(one: float, other: float) -> float:
    """Return a number between two of one sign: half the way in their powers, then in value."""
    low, high = sorted((one, other))
    first, last = math.frexp(low)[1], math.frexp(high)[1]
    if low > 0 and last - first > _NEAR_POWERS:
        return math.ldexp(1.0, (first + last) // 2 - 1)
    return low + (high - low) / 2
