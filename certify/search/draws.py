"""Draws: numbers and laws from SHA-256 in counter mode, the same everywhere and for ever.

A draw depends on its label alone: not on a library, its version, or the platform. So a number is
made with correctly rounded operations and whole numbers only; powers and logarithms are not among
them, and a logarithmic scale is one that is straight between powers of two.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from ...reference.domain import Domain, Interval, Stochastic

# A double's digits: a share with so many binary digits is a double, below 1.
_SHARE_BITS = 53
# Multiples of 2^-53 up to 1 are doubles, and so is the sum of any of them that is at most 1.
GRID_BITS = 53
# Values at which special cases of gamma functions, betas and logarithms live.
_SPECIAL = (1e-3, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0)
# How near to an end of the domain numbers are drawn; nearer are the end and its neighbour alone.
_SMALLEST_GAP = "1e-15"
# A number near another one differs from it by a share that is one of these powers of two.
_NEAR = (4, 40)
# A digest is cut into words; beyond its share a word has bits that choose a way.
_WORD_BYTES, _WORD_BITS = 8, 64
_WAY_BITS = _WORD_BITS - _SHARE_BITS
# Digits of a double's significand after the point.
_FRACTION_BITS = _SHARE_BITS - 1
# In so many points of a hundred, so many of a hundred choices are made as one before was: equal
# numbers, rows and sizes are where formulas for different ones fail.
_PERCENT = 100
_ALIKE_POINTS, _ALIKE_CHOICES = 40, 25


class Choice(NamedTuple):
    """A way to turn a share of [0, 1) into a value, by its place among all, and the share.

    ``beyond`` daily use the value is anywhere in an interval's reach, not in its search range.
    """

    way: int
    share: float
    beyond: bool = False

    @property
    def bits(self) -> int:
        """The binary digits of the share, as a whole number; the last hardly count in it."""
        return int(math.ldexp(self.share, _SHARE_BITS))

    def is_way(self, way: _Way) -> bool:
        """Whether the way that was drawn is this one."""
        return WAYS[self.way] is way

    def place(self, among: int) -> int:
        """Return the place, from 0, that the share stands for among so many."""
        return self.bits * among >> _SHARE_BITS

    def between(self, fewest: int, most: int) -> int:
        """Return the whole number between both, ends included, that the share stands for."""
        return fewest + self.place(most - fewest + 1)


class Draws:
    """The choices of one label, one after the other, without end; they may be beyond daily use."""

    def __init__(self, label: str, *, beyond: bool = False) -> None:
        self.beyond = beyond
        self._words = _words_of(label)
        self._made: list[Choice] = []
        self._alike = self._percent() < _ALIKE_POINTS

    def choice(self) -> Choice:
        """Return the next choice; now and then it is one that was made before."""
        if self._alike and self._made and self._percent() < _ALIKE_CHOICES:
            return self._made[next(self._words) % len(self._made)]
        word = next(self._words)
        way = (word & (1 << _WAY_BITS) - 1) * len(WAYS) >> _WAY_BITS
        share = math.ldexp(word >> _WAY_BITS, -_SHARE_BITS)
        self._made.append(Choice(way, share, self.beyond))
        return self._made[-1]

    def choices(self, count: int) -> list[Choice]:
        """Return the next so many."""
        return [self.choice() for _ in range(count)]

    def _percent(self) -> int:
        return next(self._words) * _PERCENT >> _WORD_BITS


class Spread(Draws):
    """The choices of one place in a sequence of low discrepancy, all on a logarithmic scale.

    The share of a dimension is the fractional part of the place times the square root of a prime
    of its own, moved by what the label says (Richtmyer 1951). What has more parts than there are
    primes here has the others drawn.
    """

    def __init__(self, label: str, place: int, *, beyond: bool = False) -> None:
        super().__init__(f"{label}/{place}", beyond=beyond)
        self._place, self._roots = place, iter(_ROOTS)
        self._moved = _words_of(label)

    def choice(self) -> Choice:
        """Return the next choice, of the first way; none is made twice."""
        root = next(self._roots, None)
        if root is None:
            return Choice(0, super().choice().share, self.beyond)
        units = (next(self._moved) + self._place * root) & (1 << _WORD_BITS) - 1
        return Choice(0, math.ldexp(units >> _WAY_BITS, -_SHARE_BITS), self.beyond)


# The fractional parts of the square roots of primes, in units of 2^-64.
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83)
_ROOTS = tuple(math.isqrt(prime << 2 * _WORD_BITS) & (1 << _WORD_BITS) - 1 for prime in _PRIMES)


def _words_of(label: str) -> Iterator[int]:
    counter = 0
    while True:
        digest = hashlib.sha256(f"{label}/{counter}".encode()).digest()
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        counter += 1


def number(interval: Interval, choice: Choice, others: Sequence[float]) -> float | int:
    """Return the value of an interval that a choice stands for; others' values may be copied."""
    interval = _reach(interval) if choice.beyond else interval
    if interval.kind == "integer":
        return _whole(interval, choice)
    return WAYS[choice.way](interval, choice.share, others)


_Way: TypeAlias = Callable[[Interval, float, Sequence[float]], float]


@cache
def _reach(interval: Interval) -> Interval:
    """Return an interval that is searched as far as it reaches."""
    return replace(interval, search=interval.reach)


@cache
def search_range(interval: Interval) -> tuple[float, float]:
    """Return both ends of where an interval is searched, as doubles."""
    low, high = (float(Fraction(end)) for end in interval.search)
    return low, high


def _log_uniform(interval: Interval, place: float, _others: Sequence[float]) -> float:
    """A number of about the same chance at every scale: uniform between two powers of two."""
    low, high = search_range(interval)
    start, end = _scale(low), _scale(high)
    units = (start << _SHARE_BITS) + (end - start) * int(math.ldexp(place, _SHARE_BITS))
    digits = _FRACTION_BITS + _SHARE_BITS
    power, fraction = divmod(units, 1 << digits)
    # A whole number becomes the double that is nearest, whatever the platform.
    return min(max(math.ldexp(float((1 << digits) + fraction), power - digits), low), high)


@cache
def _scale(value: float) -> int:
    """Return e + f for the double 2^e (1 + f), in units of 2^-52: its logarithm, straightened."""
    half, power = math.frexp(value)
    return ((power - 1) << _FRACTION_BITS) + int(math.ldexp(2 * half - 1, _FRACTION_BITS))


def _uniform(interval: Interval, place: float, _others: Sequence[float]) -> float:
    low, high = search_range(interval)
    return low + (high - low) * place


def _short(interval: Interval, place: float, others: Sequence[float]) -> float:
    """A number of two significant decimals, such as people write."""
    return float(f"{_log_uniform(interval, place, others):.1e}")


def _whole_or_power(interval: Interval, place: float, others: Sequence[float]) -> float:
    """A whole number from 1 on, a power of two below: where formulas have steps."""
    low, high = search_range(interval)
    value = _log_uniform(interval, place, others)
    near = float(round(value)) if value >= 1 else math.ldexp(1, math.frexp(value)[1])
    return min(max(near, low), high)


def _near_end(interval: Interval, place: float, others: Sequence[float]) -> float:
    """A number near an end of the domain that is not 0, at about the same chance at every scale."""
    low, high = search_range(interval)
    ends = [
        (interval.above, 1),
        (interval.at_least, 1),
        (interval.below, -1),
        (interval.at_most, -1),
    ]
    beside = [(float(end), way) for end, way in ends if end]
    if not beside:
        return _log_uniform(interval, place, others)
    place *= len(beside)
    end, way = beside[int(place)]
    reach = high - end if way > 0 else end - low
    if reach <= float(_SMALLEST_GAP):
        return end
    gaps = Interval(search=(_SMALLEST_GAP, str(reach)))
    return end + way * _log_uniform(gaps, place - int(place), others)


def at_edge(interval: Interval, place: float, others: Sequence[float]) -> float:
    """An end of the domain or of the search range, its neighbour, or a special value."""
    edges = _edges(interval)
    return edges[int(place * len(edges))] if edges else _log_uniform(interval, place, others)


def at_end(interval: Interval, place: float, _others: Sequence[float]) -> float:
    """An end of the search range, or an end of the domain that belongs to it."""
    closed = [float(end) for end in (interval.at_least, interval.at_most) if end is not None]
    ends = [*closed, *(end for end in search_range(interval) if interval.admits(Fraction(end)))]
    return ends[int(place * len(ends))]


def a_copy(interval: Interval, place: float, others: Sequence[float]) -> float:
    """The value of a number drawn before, if the search range has it."""
    low, high = search_range(interval)
    fitting = [value for value in others if low <= value <= high]
    return fitting[int(place * len(fitting))] if fitting else at_edge(interval, place, others)


def beside(interval: Interval, value: float, choice: Choice) -> float | int:
    """Return a number near another one in the search range, at about the same chance at each scale.

    A whole number is the next one.
    """
    low, high = search_range(interval)
    sign = 1 if choice.place(2) else -1
    if interval.kind == "integer":
        return int(min(max(value + sign, low), high))
    return min(max(value + sign * math.ldexp(value, -choice.between(*_NEAR)), low), high)


WAYS: tuple[_Way, ...] = (
    *[_log_uniform] * 8,
    *[_uniform] * 2,
    *[_short] * 2,
    *[_near_end] * 2,
    *[at_edge] * 2,
    *[at_end] * 2,
    _whole_or_power,
    a_copy,
)


def _whole(interval: Interval, choice: Choice) -> int:
    low, high = (int(end) for end in search_range(interval))
    if choice.is_way(at_edge):
        return (low, low + 1, high)[choice.place(3)]
    if low < 1:
        return choice.between(low, high)
    return min(max(round(_log_uniform(interval, choice.share, ())), low), high)


@cache
def _edges(interval: Interval) -> tuple[float, ...]:
    """The ends of the domain and of the search range, their neighbours, and special values."""
    low, high = search_range(interval)
    ends = [interval.above, interval.at_least, interval.below, interval.at_most]
    exact_ends = [float(end) for end in ends if end is not None]
    beside = [
        neighbour
        for value in (low, high, *exact_ends, *_SPECIAL)
        for neighbour in (value, math.nextafter(value, 0), math.nextafter(value, math.inf))
    ]
    fitting = {
        value
        for value in beside
        if interval.admits(Fraction(value)) and (low <= value <= high or value in exact_ends)
    }
    return tuple(sorted(fitting))


def bits_of(domain: Domain, known: Callable[[str], Any]) -> int:
    """Return the bits of the grid that a parameter's laws are put on; another one may say which."""
    named = domain.on_grid_of if isinstance(domain, Stochastic) else None
    return GRID_BITS if named is None else min(GRID_BITS, known(named))


def law(choice: Choice, weights: Sequence[float], grid_bits: int = GRID_BITS) -> tuple[float, ...]:
    """Return shares in proportion to the weights; now and then all alike, or all in one."""
    if choice.is_way(a_copy) or not any(weights):
        return on_grid([1] * len(weights), grid_bits)
    if choice.is_way(at_end):
        return on_grid([weight == max(weights) for weight in weights], grid_bits)
    return on_grid(weights, grid_bits)


def on_grid(weights: Sequence[float], grid_bits: int = GRID_BITS) -> tuple[float, ...]:
    """Return shares as the weights, rounded down to multiples of 2^-grid_bits, with sum exactly 1.

    What rounding leaves goes to the largest. Summed as doubles, in any order, they give 1 as well.
    """
    exact = [Fraction(weight) for weight in weights]
    scale = (1 << grid_bits) / sum(exact)
    units = [int(weight * scale) for weight in exact]
    units[units.index(max(units))] += (1 << grid_bits) - sum(units)
    return tuple(math.ldexp(unit, -grid_bits) for unit in units)
