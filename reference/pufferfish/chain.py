"""A chain as the quilts need it: on the states that it reaches, with supports, powers and laws.

States that the start never reaches have probability 0 at every node and are left out, so what is
left may be irreducible where the whole chain is not. Which entries of a power are positive is
decided exactly; their sizes are balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from flint import arb, arb_mat, ctx

from ..arb.balls import ball
from ..markov.stationary import is_stationary, stationary_law
from ..markov.structure import Pattern, Supports, pattern_after, pattern_of, reachable
from ..precision import check_budget
from ..structures import ANY, STATIONARY, ChainLaw, Matrix

_Possible: TypeAlias = list[list[bool]]
Power: TypeAlias = tuple[arb_mat, list[list[arb]]]
# Powers that are kept at once: at 51 states and 256 bits one takes some 200 kB.
_POWERS_KEPT = 64
# So many single steps are taken from a known law or power before a power of the matrix is cheaper.
_FEW_STEPS = 8


class Chain:
    """A chain with one start, restricted to the states that the start reaches.

    ``start`` is the law of the first state, or None where every law is meant at once; ``steady``
    says that it is stationary, ``states`` how the kept states are numbered, from 1, outside.
    """

    def __init__(
        self, P: Matrix, start: Sequence[Fraction] | None, *, steady: bool = False
    ) -> None:
        """Keep what is reached. A start that is known to be stationary need not be tried."""
        moves = pattern_of(P)
        begin = np.array([start is None or start[state] > 0 for state in range(len(P))])
        kept = [int(state) for state in np.flatnonzero(reachable(moves)[begin].any(axis=0))]
        self.states = tuple(state + 1 for state in kept)
        self.P: Matrix = tuple(tuple(P[x][y] for y in kept) for x in kept)
        self.start = None if start is None else tuple(start[state] for state in kept)
        self.steady = steady or (self.start is not None and is_stationary(self.start, self.P))
        self._moves = moves[np.ix_(kept, kept)]
        self._supports = Supports(begin[kept], self._moves)
        self._powers: dict[tuple[int, int], Power] = {}
        self._possible: dict[int, _Possible] = {}
        self._law: tuple[int, int, arb_mat, list[arb]] | None = None
        self._balls: tuple[int, arb_mat] | None = None

    @classmethod
    def of(cls, law: ChainLaw) -> Chain:
        """Return the chain that a parameter means. Raises DomainError: no unique stationary law."""
        if law.initial == ANY:
            return cls(law.P, None)
        if law.initial == STATIONARY:
            return cls(law.P, stationary_law(law.P), steady=True)
        return cls(law.P, [Fraction(share) for share in law.initial])

    @property
    def moves(self) -> Pattern:
        """Which moves are possible."""
        return self._moves

    def with_any_start(self) -> Chain:
        """Return the same chain with every initial law on its states at once."""
        return Chain(self.P, None)

    def support(self, node: int) -> Pattern:
        """Return the values that a node, numbered from 1, can have; under some start if any."""
        return self._supports.at(node)

    def values_at(self, node: int) -> list[int]:
        """Return the numbers, from 0, of the values that a node can have."""
        return [int(state) for state in np.flatnonzero(self.support(node))]

    def possible(self, steps: int) -> _Possible:
        """Return which state can be reached from which one in exactly so many steps."""
        if steps not in self._possible:
            _make_room(self._possible)
            self._possible[steps] = pattern_after(self._moves, steps).tolist()
        return self._possible[steps]

    def power(self, steps: int) -> list[list[arb]]:
        """Enclose the transition probabilities over so many steps, at the working precision.

        Where ``possible`` says no, the entry is to be taken as 0 whatever stands here.
        """
        key = (ctx.prec, steps)
        if key not in self._powers:
            found = self._power(steps)
            _make_room(self._powers)
            self._powers[key] = (found, found.tolist())
        return self._powers[key][1]

    def _power(self, steps: int) -> arb_mat:
        """Return a power of the matrix, from one that is known for a few steps less if any is."""
        for fewer in range(1, min(steps, _FEW_STEPS)):
            known = self._powers.get((ctx.prec, steps - fewer))
            if known is not None:
                return known[0] * self._matrix() ** fewer
        return _raised(self._matrix(), steps)

    def law(self, node: int) -> list[arb]:
        """Enclose the law of a node, from the last one asked for where that is shortly before."""
        if self.start is None:
            raise ValueError("with any start a node has no single law")
        if self.steady:
            node = 1
        known = self._law
        if known is None or known[0] != ctx.prec or known[1] > node:
            first = arb_mat(1, len(self.P), [ball(share) for share in self.start])
            known = (ctx.prec, 1, first, list(first.entries()))
        if known[1] < node:
            row = self._moved(known[2], node - known[1])
            known = (ctx.prec, node, row, list(row.entries()))
        self._law = known
        return known[3]

    def _moved(self, row: arb_mat, steps: int) -> arb_mat:
        matrix = self._matrix()
        if steps > _FEW_STEPS:
            return row * _raised(matrix, steps)
        for _ in range(steps):
            row = row * matrix
        return row

    def _matrix(self) -> arb_mat:
        if self._balls is None or self._balls[0] != ctx.prec:
            entries = [ball(entry) for row in self.P for entry in row]
            self._balls = (ctx.prec, arb_mat(len(self.P), len(self.P), entries))
        return self._balls[1]


def _raised(matrix: arb_mat, steps: int) -> arb_mat:
    """Return a power of 1 or more by repeated squaring, which can be given up between products."""
    found = matrix
    for digit in bin(steps)[3:]:
        check_budget()
        found = found * found
        if digit == "1":
            found = found * matrix
    return found


def _make_room(kept: dict[int, _Possible] | dict[tuple[int, int], Power]) -> None:
    if len(kept) >= _POWERS_KEPT:
        kept.clear()
