"""Second opinion on the moduli of eigenvalues: roots are counted in disks; rigorous, by MPFR.

mpmath's roots tell where to look, and prove nothing. What is proved is how many roots the
characteristic polynomial has in a disk a little smaller and in one a little larger: by Schur's and
Cohn's recursion T p = a_0 p - a_n p*, p* the reversed polynomial, whose sign at 0 tells whether
T p has as many roots in the unit disk as p or as p* (proofs_notes/chain-eigenvalues.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from ...enclosure import Enclosed, Enclosure, Enclosures
from ...precision import check_budget
from ..directed import OutOfReachError, Span, hull
from ..opinion import second_opinion
from ..pufferfish.gap import characteristic
from .fundamental import Matrix

# Faddeev's and LeVerrier's fractions grow with each step; more states are left to the first engine.
_MAX_STATES = 12
# How many times the answer's bits the recursion works with, before its signs are given up.
_PRECISIONS = (4, 16, 64)
# A radius at which a sign does not show is moved by some units; which ones is of no importance.
_NUDGES = (0, 3, -5)
# No root is beyond 1, and no halving of this will be a modulus that people think of.
_BEYOND_ALL = Fraction(1117, 1024)
_GUESS_STEPS = 200


@second_opinion("markov.eigenvalue_moduli", engine="mpfr", rigorous=True)
def eigenvalue_moduli(bits: int, P: Matrix) -> Enclosed:
    """Enclose the moduli between the radii of two disks with one root fewer or more."""
    if len(P) > _MAX_STATES:
        return Enclosures((Enclosure.nothing_known(),) * len(P))
    coefficients = characteristic([list(row) for row in P])[::-1]
    zeros = next(at for at, coefficient in enumerate(coefficients) if coefficient)
    disks = _Disks(tuple(coefficients[zeros:]), bits)
    rising = [Enclosure.of(Fraction(0))] * zeros + disks.moduli()
    return Enclosures(tuple(reversed(rising)))


@dataclass(frozen=True)
class _Disks:
    """A polynomial with roots of modulus at most 1, none of them 0, from the constant one up."""

    coefficients: tuple[Fraction, ...]
    bits: int

    @property
    def degree(self) -> int:
        """The number of roots."""
        return len(self.coefficients) - 1

    def moduli(self) -> list[Enclosure]:
        """Enclose the moduli of the roots, the least one first."""
        found: dict[int, Enclosure] = {}
        try:
            for low, high in self._close_to_guesses():
                self._note(found, low, high)
            for rank in range(self.degree):
                if rank not in found:
                    self._note(found, *self._halved(rank))
        except OutOfReachError:
            pass
        return [found.get(rank, Enclosure.nothing_known()) for rank in range(self.degree)]

    def _note(self, found: dict[int, Enclosure], low: Fraction, high: Fraction) -> None:
        """Note the roots that lie between two radii."""
        between = hull(Span.of(low, self.bits), Span.of(high, self.bits)).enclosure()
        ranks = range(self.inside(low) if low else 0, self.inside(high))
        found.update({rank: between for rank in ranks if rank not in found})

    def _close_to_guesses(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield radii close below and above the moduli that mpmath finds."""
        unit = Fraction(1, 2**self.bits)
        for guess in self._guesses():
            yield guess * (1 - unit), guess * (1 + unit)

    def _guesses(self) -> set[Fraction]:
        with mpmath.workprec(2 * self.bits):
            numbers = [mpmath.mpf(c.numerator) / c.denominator for c in self.coefficients[::-1]]
            try:
                roots = mpmath.polyroots(numbers, maxsteps=_GUESS_STEPS, extraprec=2 * self.bits)
            except mpmath.mp.NoConvergence:  # several roots in one place
                return set()
            scale = 2 ** (2 * self.bits)
            return {Fraction(int(abs(root) * scale), scale) for root in roots} - {Fraction(0)}

    def _halved(self, rank: int) -> tuple[Fraction, Fraction]:
        """Return radii of disks that a root is not in and in, found by halving."""
        low, high = Fraction(0), _BEYOND_ALL
        while (high - low) * 2**self.bits > high:
            for nudge in _NUDGES:
                radius = (low + high) / 2 + nudge * (high - low) / 64
                try:
                    within = self.inside(radius) > rank
                except OutOfReachError:
                    continue
                break
            else:
                raise OutOfReachError
            low, high = (low, radius) if within else (radius, high)
        return low, high

    def inside(self, radius: Fraction) -> int:
        """Return how many roots lie in a disk around 0; none may be known to lie on its rim."""
        for times in _PRECISIONS:
            check_budget()
            found = self._inside(radius, times * self.bits)
            if found is not None:
                return found
        raise OutOfReachError

    def _inside(self, radius: Fraction, bits: int) -> int | None:
        scaled = [Span.of(c * radius**at, bits) for at, c in enumerate(self.coefficients)]
        return roots_in_unit_disk(scaled)


def roots_in_unit_disk(coefficients: Sequence[Span]) -> int | None:
    """Return how many roots lie in the open unit disk, or None where a sign does not show.

    Where all signs show there are none on its rim.
    """
    count, turn, row = 0, 1, list(coefficients)
    while len(row) > 1:
        first, last = row[0], row[-1]
        reversed_row = row[::-1]
        row = [first * a - last * b for a, b in zip(row, reversed_row, strict=True)][:-1]
        if not row[0].sign:
            return None
        if row[0].sign < 0:  # as many as the reversed polynomial has: the degree less one's own
            count, turn = count + turn * len(row), -turn
    return count
