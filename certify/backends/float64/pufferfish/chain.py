"""A chain of doubles as the quilts need it: its states, supports, stationary law and laws of nodes.

Which states can be reached is decided by booleans. The stationary law is that of Grassmann, Taksar
and Heyman, which subtracts nothing, in two doubles: by the Markov chain tree theorem each of its
entries is a quotient of sums of products of k - 1 entries of P, so N roundings of these change it
by a factor of at most (1 + 2^-100)^(2kN), and k^3 of them by less than 2^-60.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..doubled import Doubled, Flags, Indices, Reals, over, plus, single, times

ChainLaw = Mapping[str, Any]
STATIONARY, ANY = "stationary", "any"
# Two doubles hold products and quotients of numbers of these sizes.
_SMALL, _LARGE = 1e-130, 1e130
# Roundings of a stationary law that is given as doubles: its own, and the last bits of two.
_STATIONARY_ROUNDINGS = 2


class Chain:
    """A chain on the states that its start reaches, with one start or every one at once.

    ``start`` is the law of the first state up to ``roundings`` of them, None where every law is
    meant; ``steady`` says that it is stationary.
    """

    def __init__(self, P: Reals, start: Reals | None, *, steady: bool = False) -> None:
        moves = np.asarray(P) > 0
        begin = np.ones(len(P), dtype=bool) if start is None else np.asarray(start) > 0
        kept = np.flatnonzero(reachable(moves)[begin].any(axis=0))
        self.P: Reals = np.ascontiguousarray(P[np.ix_(kept, kept)])
        self.size = len(kept)
        self.start = None if start is None else start[kept]
        self.steady = steady
        self.roundings = _STATIONARY_ROUNDINGS if steady else 0
        self.moves: Flags = moves[np.ix_(kept, kept)]
        self._supports = [begin[kept]]
        self._cycle: int | None = None
        self._laws: list[Reals] = []

    @classmethod
    def of(cls, law: ChainLaw) -> Chain:
        """Return the chain that a parameter means."""
        return cls.started(law["initial"], law["P"])

    @classmethod
    def started(cls, initial: str | Sequence[float], P: Sequence[Sequence[float]]) -> Chain:
        """Return the chain with a law or a word for its start."""
        matrix = np.array(P, dtype=np.float64)
        if not isinstance(initial, str):
            return cls(matrix, np.array(initial, dtype=np.float64))
        if initial == STATIONARY:
            closed = closed_class(matrix)
            inner = matrix[np.ix_(closed, closed)]
            law = stationary_law(inner)
            # What is true of every law is true of the stationary one.
            return cls(inner, law, steady=law is not None)
        return cls(matrix, None)

    def with_any_start(self) -> Chain:
        """Return the same chain with every initial law on its states at once."""
        return Chain(self.P, None)

    def support(self, node: int) -> Flags:
        """Return the values that a node, numbered from 1, can have; under some start if any."""
        known = self._supports
        while self._cycle is None and len(known) < node:
            following = known[-1].astype(np.float64) @ self.moves > 0
            seen = (at for at, one in enumerate(known) if np.array_equal(one, following))
            self._cycle = next(seen, None)
            if self._cycle is None:
                known.append(following)
        if node <= len(known) or self._cycle is None:
            return known[node - 1]
        return known[self._cycle + (node - 1 - self._cycle) % (len(known) - self._cycle)]

    def law(self, node: int) -> Reals:
        """Return the law of a node with k (node - 1) more roundings than the start has."""
        if self.start is None:
            raise ValueError("with any start a node has no single law")
        if self.steady:
            return self.start
        if not self._laws:
            self._laws.append(self.start)
        while len(self._laws) < node:
            self._laws.append(self._laws[-1] @ self.P)
        return self._laws[node - 1]

    @property
    def forgets_at_once(self) -> bool:
        """Whether all rows are one law, so that nodes are independent."""
        return bool((self.P[0] == self.P).all())


def reachable(moves: Flags) -> Flags:
    """Return which state can be reached from which one, in any number of steps, none included."""
    paths = moves | np.eye(len(moves), dtype=bool)
    while True:
        longer = paths.astype(np.float64) @ paths > 0
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def closed_class(P: Reals) -> Indices:
    """Return the numbers of the states of the first class that is never left."""
    paths = reachable(P > 0)
    mutual = paths & paths.T
    first = int(np.flatnonzero((paths == mutual).all(axis=1))[0])
    return np.flatnonzero(mutual[first])


def stationary_law(P: Reals) -> Reals | None:
    """Return the stationary law of an irreducible chain, each entry within two roundings.

    None where numbers arise on the way that two doubles do not hold.
    """
    parts = single(P.copy())
    last = len(P) - 1
    for state in range(last, 0, -1):
        leaving = _total((parts[0][state, :state], parts[1][state, :state]))
        into = over(
            (parts[0][:state, state], parts[1][:state, state]),
            (np.full(state, leaving[0]), np.full(state, leaving[1])),
        )
        for half, quotient in zip(parts, into, strict=True):
            half[:state, state] = quotient
        if not (_fits(into[0]) and _fits(parts[0][state, :state])):
            return None
        _eliminate(parts, into, state)
    return _substituted(parts)


def _eliminate(parts: Doubled, into: Doubled, state: int) -> None:
    """Add to each move the way through a state that is left out from now on."""
    shape = (state, state)
    through = times(
        (np.broadcast_to(into[0][:, None], shape), np.broadcast_to(into[1][:, None], shape)),
        (
            np.broadcast_to(parts[0][state, :state], shape),
            np.broadcast_to(parts[1][state, :state], shape),
        ),
    )
    summed = plus((parts[0][:state, :state], parts[1][:state, :state]), through)
    parts[0][:state, :state], parts[1][:state, :state] = summed


def _substituted(parts: Doubled) -> Reals | None:
    shares = single(np.ones(1))
    for state in range(1, len(parts[0])):
        share = _total(times(shares, (parts[0][:state, state], parts[1][:state, state])))
        shares = tuple(np.append(half, one) for half, one in zip(shares, share, strict=True))  # type: ignore[assignment]
    if not (_fits(shares[0]) and (shares[0] > 0).all()):
        return None
    total = _total(shares)
    whole = (np.full(len(shares[0]), total[0]), np.full(len(shares[0]), total[1]))
    return over(shares, whole)[0]


def _total(parts: Doubled) -> Doubled:
    """Return the sum of all entries."""
    high, low = parts
    while len(high) > 1:
        if len(high) % 2:
            high, low = np.append(high, 0.0), np.append(low, 0.0)
        high, low = plus((high[::2], low[::2]), (high[1::2], low[1::2]))
    return high[0], low[0]


def _fits(values: Reals) -> bool:
    positive = np.asarray(values)[np.asarray(values) > 0]
    return bool(((positive > _SMALL) & (positive < _LARGE)).all())
