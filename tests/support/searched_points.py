"""Points that a search draws for a quantity, half of them or all."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import ceil

from simplexcert.certify.points import Point
from simplexcert.certify.search.hunt import hunted
from simplexcert.certify.search.strategies import points_from
from simplexcert.reference import Quantity


def drawn(item: Quantity, cases: int, seed: str = "s", *, climbing: bool = True) -> list[Point]:
    """Return points half of which are drawn, or all."""
    if not climbing:
        return list(islice(points_from(item, seed), cases))
    found: list[Point] = []

    def keep(point: Point) -> Fraction:
        found.append(point)
        return Fraction(0)

    half = islice(points_from(item, seed), ceil(cases / 2))
    hunted(item, keep, cases, seed, drawn=half)
    return found
