"""Enclosures of the entries of a vector or a matrix, in its shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from .dyadic import Dyadic
from .enclosure import Enclosure
from .errors import SoundnessError


@dataclass(frozen=True, slots=True)
class Enclosures:
    """The enclosures of the entries of a vector, or of the rows of a matrix, in their order.

    What is asked of it is asked of every entry, and holds where it holds for all of them.
    """

    entries: tuple[Enclosed, ...]

    @property
    def lower(self) -> tuple[Any, ...]:
        """The entries' lower ends, in the shape of the array."""
        return tuple(entry.lower for entry in self.entries)

    @property
    def upper(self) -> tuple[Any, ...]:
        """The entries' upper ends, in the shape of the array."""
        return tuple(entry.upper for entry in self.entries)

    @property
    def exact(self) -> tuple[Any, ...] | None:
        """The entries themselves, where all of them are known rationals."""
        found = tuple(entry.exact for entry in self.entries)
        return None if None in found else found

    def is_narrow(self, digits: int) -> bool:
        """Whether every entry is narrow, measured by its own size."""
        return all(entry.is_narrow(digits) for entry in self.entries)

    def decimals(self, digits: int) -> tuple[list[Any], list[Any]]:
        """Return the lower and the upper ends as decimals, in the shape of the array."""
        pairs = [entry.decimals(digits) for entry in self.entries]
        return [low for low, _ in pairs], [high for _, high in pairs]

    def overlaps(self, other: Enclosed) -> bool:
        """Whether the shapes are the same, and each entry overlaps its own counterpart."""
        return (
            isinstance(other, Enclosures)
            and len(self.entries) == len(other.entries)
            and all(map(overlap, self.entries, other.entries))
        )


# A number's enclosure, a vector's or a matrix's.
Enclosed: TypeAlias = "Enclosure | Enclosures"
Place: TypeAlias = tuple[int, ...]


def overlap(one: Enclosed, other: Enclosed) -> bool:
    """Whether two enclosures could be of the same number or array."""
    if Enclosure.nothing_known() in (one, other):
        return True
    if isinstance(one, Enclosure):
        return isinstance(other, Enclosure) and one.overlaps(other)
    return one.overlaps(other)


def met(found: Enclosed, known: Enclosed) -> Enclosed:
    """Return the intersection of two enclosures; one of a number holds for every entry of an array.

    Raises SoundnessError where they do not overlap, or have other shapes: then one is wrong.
    """
    if isinstance(found, Enclosure) and isinstance(known, Enclosure):
        return found.meet(known)
    if isinstance(found, Enclosure):
        return met(known, found)
    if known == Enclosure.nothing_known():
        return found  # for a million entries that is worth saying
    if isinstance(known, Enclosure):
        return Enclosures(tuple(met(entry, known) for entry in found.entries))
    if not found.overlaps(known):
        raise SoundnessError("two enclosures of one array do not overlap")
    return Enclosures(tuple(map(met, found.entries, known.entries)))


def mapped(change: Callable[[Any], Enclosure], found: Any) -> Enclosed:
    """Return the enclosure of a number, or those of a nested sequence of numbers in its shape."""
    if isinstance(found, tuple | list):
        return Enclosures(tuple(mapped(change, item) for item in found))
    return change(found)


def entries_of(found: Enclosed, place: Place = ()) -> Iterator[tuple[Place, Enclosure]]:
    """Yield every entry of an array with its place, counted from 1; a number's place is ()."""
    if isinstance(found, Enclosure):
        yield place, found
        return
    for at, entry in enumerate(found.entries, 1):
        yield from entries_of(entry, (*place, at))


def entry_at(found: Enclosed, place: Place) -> Enclosure:
    """Return the entry of an array at a place, counted from 1. Raises LookupError if none is."""
    for at in place:
        if isinstance(found, Enclosure) or not 1 <= at <= len(found.entries):
            raise LookupError(f"there is no entry {place}")
        found = found.entries[at - 1]
    if not isinstance(found, Enclosure):
        raise LookupError(f"there is more than one entry at {place}")  # noqa: TRY004
    return found


def number_in(found: Enclosed) -> Enclosure:
    """Return the enclosure of a number. Raises TypeError for those of an array."""
    if isinstance(found, Enclosures):
        raise TypeError("this is an array, not a number")
    return found


def largest_size(found: Enclosed) -> Enclosure:
    """Enclose the largest absolute value of the entries."""
    sizes = [_size(entry) for _, entry in entries_of(found)]
    return Enclosure(max(size.low for size in sizes), max(size.high for size in sizes))


def _size(entry: Enclosure) -> Enclosure:
    zero = Dyadic(0)
    if entry.low >= zero:
        return entry
    return Enclosure(max(zero, _negative(entry.high)), max(_negative(entry.low), entry.high))


def _negative(end: Dyadic) -> Dyadic:
    return Dyadic(-end.mantissa, end.exponent, -end.kind)
