"""What is counted among draws, with the exact chance of each event: proofs_notes/sampler-tests.md.

Every count is binomial under the exact law, or a sum of independent trials whose chances all lie
between two ends, which a binomial at either end bounds. Each of at most TESTS_IN_ALL tests has the
same part of the false alarms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from places import NOTHING, Law, Places, number_at, threshold
from simplexcert.certify.samplers.distributions import IMPOSSIBLE, Ends, at_most, within_one
from simplexcert.certify.samplers.results import doubled_tail, tail_verdict
from simplexcert.certify.verdict import Verdict

# Tests of one campaign: all laws, at one seed. What a test may refute a sound sampler with is 10^-9
# over this, whether or not there are as many.
TESTS_IN_ALL = 500

MASSES = tuple(map(Fraction, ("0.001", "0.07", "0.2", "0.5", "0.8", "0.93", "0.999")))
_LOW, MEDIAN, _HIGH = 1, 3, 5
_HALF = Ends(Fraction(1, 2), Fraction(1, 2))
# Digits are held against each other so far apart: what is used again comes back within a byte or a
# word of 32 bits.
_FARTHEST = 32


@dataclass(frozen=True)
class Counted:
    """How often an event held among so many trials, and its chance under the exact law."""

    name: str
    count: int
    trials: int
    chance: Ends

    def refutes(self) -> bool:
        tail = doubled_tail(self.count, self.trials, self.chance)
        return tail_verdict(tail, TESTS_IN_ALL) is Verdict.REFUTED


def refuting(counted: Iterable[Counted]) -> list[str]:
    """Return the names of the tests that refute."""
    return [one.name for one in counted if one.refutes()]


def event(name: str, held: NDArray[Any], chance: Ends) -> Counted:
    return Counted(name, int(np.count_nonzero(held)), held.size, chance)


def of_law(name: str, places: Places, law: Law) -> Iterator[Counted]:
    """Yield the tests of numbers that are to be independent and of one law."""
    points = [threshold(law, mass) for mass in MASSES]
    chances = [below(law, point) for point in points]
    yield event(f"{name} nothing", places == NOTHING, IMPOSSIBLE)
    for mass, point, chance in zip(MASSES, points, chances, strict=True):
        yield event(f"{name} below {float(mass)}", places < point, chance)
    inside = (places >= points[_LOW]) & (places < points[_HIGH])
    yield event(f"{name} within", inside, chances[_HIGH].minus(chances[_LOW]))
    small = places < points[MEDIAN]
    for first, which in ((0, "odd"), (1, "even")):
        pairs = small[first : first + (len(small) - first) // 2 * 2].reshape(-1, 2)
        equal = pairs[:, 0] == pairs[:, 1]
        yield event(f"{name} alike twice, {which}", equal, both_or_neither(chances[MEDIAN]))


def below(law: Law, point: int) -> Ends:
    return law.below(number_at(point))


def both_or_neither(*chances: Ends) -> Ends:
    """Enclose the chance that of two independent events both or neither hold."""
    one, other = chances[0], chances[-1]
    neither = _not(one).times(_not(other))
    both = one.times(other)
    return within_one(both.lower + neither.lower, both.upper + neither.upper)


def _not(chance: Ends) -> Ends:
    return Ends(1 - chance.upper, 1 - chance.lower)


def of_digits(name: str, digits: NDArray[np.uint8]) -> Iterator[Counted]:
    """Yield the tests of uniform numbers by their binary digits, which are independent and fair.

    So are, for one distance, the sums modulo 2 of all digits so far apart, and those of each digit
    and the first one of the next number: among these sums none is a sum of others.
    """
    yield event(f"{name} digits", digits, _HALF)
    for apart in range(1, _FARTHEST + 1):
        equal = digits[:, :-apart] == digits[:, apart:]
        yield event(f"{name} digits {apart} apart", equal, _HALF)
    yield event(f"{name} and the next", digits[:-1] == digits[1:, :1], _HALF)


def of_sign(digits: NDArray[np.uint8]) -> Counted:
    """Return the test of signs, which are fair."""
    return event("sign", digits, _HALF)


def of_few_digits(name: str, digits: NDArray[np.uint8], bound: Fraction) -> Counted:
    """Return the test of digits that are all 0 with a probability of at most a bound."""
    return event(f"{name} few digits", ~digits.any(axis=1), at_most(bound))


def of_cells(
    name: str, found: NDArray[np.int64], cells: Iterable[tuple[Any, Ends | Fraction]]
) -> Iterator[Counted]:
    """Yield the tests of published values, a row each: how often each cell was, and any other."""
    values, counts = np.unique(found, axis=0, return_counts=True)
    seen = dict(zip(map(tuple, values.tolist()), counts.tolist(), strict=True))
    trials, told = len(found), 0
    for cell, chance in cells:
        key = cell if isinstance(cell, tuple) else (cell,)
        told += seen.get(key, 0)
        ends = chance if isinstance(chance, Ends) else Ends(chance, chance)
        yield Counted(f"{name} at {cell}", seen.get(key, 0), trials, ends)
    yield Counted(f"{name} elsewhere", trials - told, trials, IMPOSSIBLE)
