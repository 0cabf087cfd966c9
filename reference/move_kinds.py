"""The parameters of one of two laws that differ in a move: a vector, and how a search draws it."""

from __future__ import annotations

from dataclasses import dataclass

from .kinds import Entries


@dataclass(frozen=True)
class Moved(Entries):
    """Vectors of which the second is drawn as the first with something moved, or changed.

    A vector drawn by itself hardly ever agrees with another one in all coordinates but two and in
    the sum of these. ``as_long_as`` names the first; where it names nothing, this is the first.
    That two vectors differ in no more than that is a condition of the quantity.
    """

    fewest: int = 2
    longest_searched: int = 4
