"""Laws on the line and the infinity-Wasserstein distance between them, in exact rationals.

W_infinity (song2017 Definition 3.1) is the largest move of the monotone coupling, which pairs the
two laws quantile by quantile; no other coupling moves less far (proofs_notes/wasserstein.md). Only
comparisons of cumulated masses decide which quantiles meet, so masses that are merely enclosed
give the distance exactly as soon as the enclosures tell these apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from flint import arb
from gmpy2 import gcd, mpq, mpz

from ..domain import AT_LEAST_ZERO, LINE_LAW
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import LineLaw

NOTE = "proofs_notes/wasserstein.md"


class Atoms(NamedTuple):
    """A law on the line: increasing points, and positive whole weights in proportion to its masses.

    Weights need not have the total of another law's: whoever compares two laws cross-multiplies.
    """

    points: tuple[Fraction | int, ...]
    weights: tuple[int, ...]

    @property
    def total(self) -> int:
        """The weight of the whole law."""
        return sum(self.weights)

    def is_same_law(self, other: Atoms) -> bool:
        """Whether both are one law, decided exactly."""
        mine, others = self.total, other.total
        return self.points == other.points and all(
            a * others == b * mine for a, b in zip(self.weights, other.weights, strict=True)
        )


def atoms_of(masses: Iterable[tuple[Fraction, Fraction]]) -> Atoms:
    """Return the law with these (point, mass), points that stand twice added up, zeros left out."""
    # Fractions are slow to compare, hash and add.
    ordered = sorted((mpq(point), mpq(mass), point) for point, mass in masses if mass)
    grouped = [[*group] for _, group in groupby(ordered, key=itemgetter(0))]
    shares = [sum((mass for _, mass, _ in group), mpq(0)) for group in grouped]
    common = lcm(*(share.denominator for share in shares))
    weights = (int(share.numerator * (common // share.denominator)) for share in shares)
    return Atoms(tuple(group[0][2] for group in grouped), tuple(weights))


def atoms_of_law(law: LineLaw) -> Atoms:
    """Return a law given by its points and their masses."""
    return atoms_of(zip(law.points, law.mass, strict=True))


def _monotone_pairs(
    firsts: int, seconds: int, order: Callable[[int, int], int]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of atoms that the monotone coupling joins, of laws with so many atoms.

    ``order(i, j)`` is the sign of the first law's mass up to its atom i less the second's up to j.
    It is not asked about a law's last atom, which no other mass of the same total can exceed.
    """
    i = j = 0
    while True:
        yield i, j
        if i == firsts - 1 and j == seconds - 1:
            return
        if i == firsts - 1 or j == seconds - 1:
            sign = 1 if i == firsts - 1 else -1
        else:
            sign = order(i, j)
        i, j = i + (sign <= 0), j + (sign >= 0)


def largest_move(first: Atoms, second: Atoms) -> Fraction:
    """Return the infinity-Wasserstein distance of two laws, exactly."""
    # Weights may have as many digits as there are atoms, where Python's own products are slow.
    ours, theirs = ([*accumulate(map(mpz, law.weights))] for law in (first, second))
    shared = gcd(ours[-1], theirs[-1])
    total, their_total = ours[-1] // shared, theirs[-1] // shared

    def order(i: int, j: int) -> int:
        check_budget()
        here, there = ours[i] * their_total, theirs[j] * total
        return int(here > there) - int(here < there)

    here, there = ([mpq(point) for point in law.points] for law in (first, second))
    pairs = _monotone_pairs(len(ours), len(theirs), order)
    move = max(abs(here[i] - there[j]) for i, j in pairs)
    return Fraction(int(move.numerator), int(move.denominator))


class _UndecidedError(ArithmeticError):
    """Two enclosed masses that overlap: which of them is larger is not known."""


def largest_move_of_enclosed(
    first: Sequence[tuple[Fraction, arb]], second: Sequence[tuple[Fraction, arb]]
) -> Fraction | None:
    """Return the infinity-Wasserstein distance of two laws whose masses are only enclosed.

    Points increase; masses are positive, up to one factor for each law. None where the enclosures
    do not tell apart two cumulated masses that the distance depends on: take more bits.
    """
    ours, theirs = _cumulated(first), _cumulated(second)

    def order(i: int, j: int) -> int:
        difference = ours[i] * theirs[-1] - theirs[j] * ours[-1]
        if difference > 0:
            return 1
        if difference < 0:
            return -1
        raise _UndecidedError

    pairs = _monotone_pairs(len(ours), len(theirs), order)
    try:
        return max(abs(first[i][0] - second[j][0]) for i, j in pairs)
    except _UndecidedError:
        return None


def _cumulated(masses: Sequence[tuple[Fraction, arb]]) -> list[arb]:
    if not all(mass > 0 for _, mass in masses):
        raise ValueError("an atom's mass must be certainly positive")
    return list(accumulate(mass for _, mass in masses))


@quantity(
    "pufferfish.wasserstein",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def wasserstein(mu: LINE_LAW, nu: LINE_LAW) -> Fraction:
    """Infinity-Wasserstein distance of two laws on the line, song2017 Definition 3.1, exactly."""
    return largest_move(atoms_of_law(mu), atoms_of_law(nu))
