"""The hunt: points near the worst of those drawn, and the worst inputs kept of earlier campaigns.

Neither draws nor steps find what the other does. Draws spread over the domain and its edges; steps
of all sizes around the worst point close in on spikes far narrower than any draw would hit.

``python -m simplexcert.certify.certificate.worst_inputs CERT.json ...`` adds to the kept file the
worst cases of certificates. It is text that anybody may have edited: what of it is no point of the
domain is left out (a test asks that nothing be), what is no table at all is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from ...reference.errors import InputError
from ...reference.exact import parse_json, read_file, shown
from ...reference.quantity import Quantity
from ..files import write_whole
from ..marks import PACKAGED
from ..points import Drawn, Point, point_from
from .local import FROM_WORST, Steps, at_ends, is_progress, near
from .strategies import MOST_TRIES, points_from

# For each quantity the points as a certificate writes them, the latest first.
_Table: TypeAlias = dict[str, list[dict[str, Any]]]

WORST_INPUTS = Path(__file__).with_name("worst_inputs.json")


def kept_points(quantity: Quantity, file: Path = WORST_INPUTS) -> tuple[Point, ...]:
    """Return the kept points of a quantity that lie in its domain, the latest first."""
    found = []
    for written in kept_table(file).get(quantity.name, []):
        try:
            found.append(point_from(quantity, written))
        except InputError:  # a domain may have changed since
            continue
    return tuple(found)


def kept_table(file: Path = WORST_INPUTS) -> _Table:
    """Return the file's points, each as it is written. Raises InputError if it is no such table."""
    table = parse_json(read_file(file), file.name)
    if not isinstance(table, dict):
        raise InputError(f"{file.name} is no object with a list of points for each quantity")
    for name, points in table.items():
        if not isinstance(points, list) or not all(isinstance(item, dict) for item in points):
            raise InputError(f"{file.name}: {shown(name)} has no list of points")
    return table


def grown(table: _Table, cases: Iterable[tuple[str, dict[str, Any]]]) -> _Table:
    """Return a table with the points of more cases before those of the same quantity."""
    found = {name: list(points) for name, points in table.items()}
    for name, written in cases:
        points = found.setdefault(name, [])
        if written not in points:
            points.insert(0, written)
    return dict(sorted(found.items()))


def write_table(table: _Table, file: Path = WORST_INPUTS) -> None:
    """Write the file whole, one point a line."""
    lines = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(each) for each in points) + "\n]"
        for name, points in table.items()
    )
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode(), PACKAGED)


# Steps in a row that led nowhere, after which the rest is drawn: the domain may be a few points.
_MOST_MISSES = 1000


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
        if tuple(point.values()) in self._keys or len(self.points) >= self._cases:
            return False
        self.examine(point)
        return True

    def examine(self, point: Point) -> None:
        """Examine a point, new or not."""
        self._keys.add(tuple(point.values()))
        self.points.append(point)
        violation = self._examine(point)
        # An equally bad one replaces it: that is how to get off a plateau.
        if self.violation is None or violation >= self.violation:
            self.worst, self.violation = point, violation


def hunted(
    quantity: Quantity,
    examine: Callable[[Point], Fraction],
    cases: int,
    seed_text: str,
    *,
    drawn: Iterable[Point] = (),
    found: Iterable[Point] = (),
) -> None:
    """Call ``examine`` on ``cases`` points: all that are drawn, then those found, then steps.

    ``examine`` returns how bad an answer was. The drawn points are examined as they come, each of
    the others is new. They depend on what is given, on the seed's text and on what ``examine``
    returns, on nothing else. Raises InputError where no so many points are found, as of a declared
    domain that has no more.
    """
    tried = _Tried(examine, cases)
    for point in drawn:
        tried.examine(point)
    for point in found:
        tried.add(point)
    rest = points_from(quantity, f"{seed_text}/rest")
    if not tried.points and cases:
        tried.add(next(rest))
    _climb(quantity, tried, cases, seed_text)
    misses = 0
    while len(tried.points) < cases:
        misses = 0 if tried.add(next(rest)) else misses + 1
        if misses == MOST_TRIES:
            raise InputError(
                f"{quantity.name}: no {cases} different points were found in the domain that it is "
                "to be asked in; declare a larger one, or ask for fewer cases"
            )


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
        start = tried.worst if rng.random() < FROM_WORST else anywhere
        before = tried.violation
        step = near(quantity, start, rng)
        misses = 0 if step is not None and tried.add(step) else misses + 1
        if is_progress(before, tried.violation):
            rng.worked()
