"""Adjacent pairs to draw: inputs that satisfy a paper's definition, corners and whole steps often.

Every pair of neighbours is what both have in common, two coordinates, and what is moved between
them, and is drawn as such: first the move, then the rest of the room is dealt out. Everything is
an exact rational that hangs on shares of [0, 1] without a jump, so a search can climb.

Shares are decoded from whole numbers far above any constant in anybody's source, for the reason
that `strategies` gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from hypothesis import strategies as st
from neighbouring_inputs import Bordered, Counts, Histogram
from simplexcert.certify.checks.relations.adjacency import (
    VALUES,
    VectorPair,
    floored_pair,
    sensitive_pair,
    share_of,
)
from simplexcert.reference.adjacency import Floored, Sensitive, Vector

Shares: TypeAlias = tuple[Fraction, ...]

_FAR_ABOVE_CONSTANTS = 1 << 400
# Every so often all protected coordinates are equal: without what moves, or with it.
_LAYOUTS, _LEVEL_BASE, _LEVEL_FIRST = 8, 0, 1
# What the unprotected coordinates keep for themselves, so that they are positive.
_CRUMB = Fraction(1, 1 << 30)

# A strategy is kept, for Hypothesis examines a new one before it draws from it, at length.


class HistogramPair(NamedTuple):
    """Two adjacent vectors of counts."""

    first: Histogram
    second: Histogram


class RowsPair(NamedTuple):
    """Two adjacent collections of vectors, or matrices."""

    first: tuple[Vector, ...]
    second: tuple[Vector, ...]


def between(low: Fraction, high: Fraction, share: Fraction) -> Fraction:
    """Return the number at a share of the way from one to another."""
    return low + (high - low) * share


def scaled(low: int, high: int, share: Fraction) -> Fraction:
    """Return a number from 2^low to 2^high, rising with the share, about evenly in log scale."""
    place = between(Fraction(low), Fraction(high), share)
    octave = min(place.__floor__(), high - 1)
    return Fraction(2) ** octave * (1 + place - octave)


@cache
def whole(low: int, high: int) -> st.SearchStrategy[int]:
    """Return a strategy for whole numbers from ``low`` to ``high``; fewer than 2^24 of them.

    Below 2^24 values Hypothesis draws evenly.
    """
    base = _FAR_ABOVE_CONSTANTS
    return st.integers(base, base + high - low).map(lambda drawn: drawn - base + low)


@cache
def shares(count: int) -> st.SearchStrategy[Shares]:
    """Return a strategy for so many exact shares of [0, 1], both ends drawn often."""
    return st.tuples(*[whole(0, VALUES).map(share_of)] * count)


def dealt(total: Fraction, places: int, parts: Sequence[Fraction]) -> list[Fraction]:
    """Return what each place gets: in turn a part of what is left; the rest stays in the hand."""
    left, got = total, []
    for part in parts[:places]:
        got.append(left * part)
        left -= got[-1]
    return got


@cache
def _two_of(count: int) -> st.SearchStrategy[tuple[int, int]]:
    """Return a strategy for two different places."""
    drawn = st.tuples(whole(0, count - 1), whole(1, count - 1))
    return drawn.map(lambda pair: (pair[0], (pair[0] + pair[1]) % count))


@st.composite
def bordered_pairs(draw: st.DrawFn, space: Bordered) -> VectorPair:
    """Draw two adjacent inputs of the identity query, at least two coordinates being protected.

    The dominating pair is the one that moves a whole step and leaves the rest outside.
    """
    if space.w < 2 or space.w >= space.n or space.room < 0:
        raise ValueError(f"no two inputs are adjacent, or some coordinate is empty: {space}")
    move, crowd, *parts = draw(shares(2 + space.w))
    layout, places = draw(whole(0, _LAYOUTS - 1)), draw(_two_of(space.w))
    moved = move * space.step
    if layout == _LEVEL_FIRST:
        moved = min(moved, space.room / space.w)
    first, second = _protected(space, layout, moved, places, parts)
    outside = _outside(1 - sum(first, Fraction(0)), space.n - space.w, crowd)
    return VectorPair((*first, *outside), (*second, *outside))


def _outside(total: Fraction, places: int, crowd: Fraction) -> list[Fraction]:
    """Return what unprotected coordinates have: all the same, or more and more of it in one.

    Nothing that is lost depends on it, so it is not worth more than one share.
    """
    weights = [1 + crowd / _CRUMB, *[Fraction(1)] * (places - 1)][:places]
    return [total * weight / sum(weights) for weight in weights]


def _protected(
    space: Bordered,
    layout: int,
    moved: Fraction,
    places: tuple[int, int],
    parts: Sequence[Fraction],
) -> tuple[Vector, Vector]:
    if layout == _LEVEL_FIRST:
        each = moved + parts[0] * (space.room / space.w - moved)
        first = [space.eta + each] * space.w
        common = [share - moved * (place == places[0]) for place, share in enumerate(first)]
    else:
        spare = space.room - moved
        gained = dealt(spare, space.w, parts)
        if layout == _LEVEL_BASE:
            gained = [parts[0] * spare / space.w] * space.w
        common = [space.eta + gain for gain in gained]
    first, second = (
        [share + moved * (place == target) for place, share in enumerate(common)]
        for target in places
    )
    return tuple(first), tuple(second)


@st.composite
def collection_pairs(draw: st.DrawFn, member: Bordered, count: int) -> RowsPair:
    """Draw two collections of so many vectors, one of which moves."""
    pairs = [draw(bordered_pairs(member)) for _ in range(count)]
    place = draw(whole(0, count - 1))
    first = tuple(pair.first for pair in pairs)
    return RowsPair(first, (*first[:place], pairs[place].second, *first[place + 1 :]))


@st.composite
def matrix_pairs(draw: st.DrawFn, rows: Sequence[Bordered], changed_rows: int) -> RowsPair:
    """Draw two matrices that differ in so many rows at most, the first ones, each by its move.

    Where all rows have one definition, they are mostly all alike.
    """
    if len(set(rows)) == 1 and draw(whole(0, 3)):
        pairs = [draw(bordered_pairs(rows[0]))] * len(rows)
    else:
        pairs = [draw(bordered_pairs(row)) for row in rows]
    second = [pair[place < changed_rows] for place, pair in enumerate(pairs)]
    return RowsPair(tuple(pair.first for pair in pairs), tuple(second))


@st.composite
def count_pairs(draw: st.DrawFn, space: Counts) -> HistogramPair:
    """Draw two adjacent vectors of counts; one record must be able to move."""
    spare = space.N - space.n * space.least - 1
    if space.n < 2 or spare < 0:
        raise ValueError(f"no record can move: {space}")
    places = draw(_two_of(space.n))
    gained = _whole_parts(spare, draw(shares(space.n - 1)))
    return _moved_record([space.least + gain for gain in gained], places)


@st.composite
def histogram_pairs(draw: st.DrawFn, cells: int, records: int) -> HistogramPair:
    """Draw two histograms of so many records and at least two cells, one record replaced."""
    places = draw(_two_of(cells))
    return _moved_record(_whole_parts(records - 1, draw(shares(cells - 1))), places)


@st.composite
def added_pairs(draw: st.DrawFn, cells: int, records: int) -> HistogramPair:
    """Draw a histogram of so many records, and the same with one more."""
    counts = _whole_parts(records, draw(shares(cells - 1)))
    place = draw(whole(0, cells - 1))
    return HistogramPair(tuple(counts), _with_one_more(counts, place))


def _whole_parts(total: int, marks: Shares) -> list[int]:
    """Return whole numbers of the given sum: the gaps between the marks, in increasing order."""
    ends = [0, *sorted(round(mark * total) for mark in marks), total]
    return [high - low for low, high in pairwise(ends)]


def _moved_record(common: Sequence[int], places: tuple[int, int]) -> HistogramPair:
    return HistogramPair(*(_with_one_more(common, place) for place in places))


def _with_one_more(counts: Sequence[int], place: int) -> Histogram:
    return tuple(count + (at == place) for at, count in enumerate(counts))


@st.composite
def sensitive_pairs(draw: st.DrawFn, space: Sensitive, length: int, size: Fraction) -> VectorPair:
    """Draw values up to about ``size`` and their change, in each direction."""
    return sensitive_pair(space, size, [draw(shares(length)) for _ in range(3)])


@st.composite
def floored_pairs(draw: st.DrawFn, space: Floored, excess: Fraction) -> VectorPair:
    """Draw two adjacent pairs of parameters, up to ``excess`` above the floor."""
    return floored_pair(space, excess, draw(shares(3)))


@st.composite
def outcomes(draw: st.DrawFn, n: int, w: int, gamma: Fraction) -> Vector:
    """Draw an outcome of the good set, w gamma < 1: the first w of n coordinates reach gamma.

    With n = w the corners themselves are drawn, else what comes as near to them as `_CRUMB`.
    """
    room = 1 - w * gamma
    if not (1 <= w <= n and gamma > 0 and room > 0):
        raise ValueError(f"the good set of {w} of {n} coordinates at {gamma} is empty")
    crowd, *parts = draw(shares(1 + w))
    turn = draw(whole(0, w - 1))
    gained = dealt(room * (1 - _CRUMB) if n > w else room, w, parts)
    if n == w:
        gained[-1] += room - sum(gained)
    protected = [gamma + gained[(place + turn) % w] for place in range(w)]
    return (*protected, *_outside(1 - sum(protected, Fraction(0)), n - w, crowd))
