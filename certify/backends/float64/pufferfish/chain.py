"""A chain of doubles as the quilts need it: its laws, and logarithms of ratios by lag.

A chain of doubles as the quilts need it: its states, supports, stationary law and laws of nodes.

Which states can be reached is decided by booleans. The stationary law is that of Grassmann, Taksar
and Heyman, which subtracts nothing, in two doubles: by the Markov chain tree theorem each of its
entries is a quotient of sums of products of k - 1 entries of P, so N roundings of these change it
by a factor of at most (1 + 2^-100)^(2kN), and k^3 of them by less than 2^-60.

Logarithms of ratios of transition probabilities, by lag, none of them below the truth.

The entries of a power are sums of products of non-negative numbers. So each operation costs one
rounding, a relative error of at most u = 2^-53, whatever the order of summation, and k(t - 1) of
them one of P^t; a ratio costs twice that and one. Products are those of the library, which adds
k products for each entry in some order. What underflows adds up to less than t k^2 2^-1022 in all,
nothing beside numbers above TINY; of smaller ones only that is known. A logarithm is within two
units in the last place. Each entry carries a share of the rounding of the sums of three that are
made of them later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..doubled import UNIT, Doubled, Flags, Indices, Reals, over, plus, single, times

ChainLaw = Mapping[str, Any]
STATIONARY, _ANY = "stationary", "any"
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


_TINY = 2.0**-850
# Numbers of float64 for all lags together, 288 MB: powers and a table for either direction.
_MOST_NUMBERS = 36_000_000
# A lag costs at least some 30 microseconds; quilts of longer ones are not looked at.
_MOST_LAGS = 2**14
_AT_ONCE = 2**19
# Relative: two units in the last place of a logarithm are 4u; two sums of three cost 2u each.
_SHARE = 8 * UNIT
# Beyond, (1 + u)^N - 1 is no longer below 1.01 N u, and nothing is claimed.
_MOST_ROUNDINGS = 2.0**43


def _margin(roundings: float) -> float:
    """Return what so many roundings of a ratio add to its logarithm at most."""
    return 1.01 * UNIT * roundings if roundings < _MOST_ROUNDINGS else np.inf


def log_ratios(entries: Reals, possible: Flags, roundings: float) -> Reals:
    """Return for each (x, x') the log of the largest E(z, x)/E(z, x') over z, rounded up.

    0/0 is left out, x/0 infinite, and so is what is divided by an unknown number. One row of x
    after the other; 0 on the diagonal, -inf where no z leads to x.
    """
    if (entries > _TINY).all():
        largest = _largest(entries, entries)
    else:
        tops = np.where(possible, np.maximum(entries, _TINY), 0.0)
        largest = _largest(tops, np.where(entries > _TINY, entries, 0.0))
    with np.errstate(divide="ignore"):
        logs = np.log(largest)
    sizes = np.abs(np.where(np.isfinite(logs), logs, 0.0))
    logs += _margin(roundings) + _SHARE * sizes
    np.fill_diagonal(logs, 0.0)
    return np.asarray(logs.ravel())


def _largest(tops: Reals, bottoms: Reals) -> Reals:
    """Return the largest ratio over rows for each pair of columns, some rows at a time."""
    size = tops.shape[1]
    found = np.zeros((size, size))
    step = max(1, _AT_ONCE // size**2)
    for at in range(0, len(tops), step):
        above, below = tops[at : at + step, :, None], bottoms[at : at + step, None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = above / below
        np.maximum(found, np.fmax.reduce(ratios, axis=0, initial=0.0), out=found)
    return found


class Tables:
    """The tables of one chain by lag, made when they are asked for."""

    def __init__(self, chain: Chain, longest: int) -> None:
        self.size = chain.size
        self.most = max(1, min(longest, _MOST_LAGS, _MOST_NUMBERS // (3 * self.size**2)))
        shape = (self.most, self.size**2)
        # Memory is only taken once it is written.
        self._powers = np.empty((self.most, self.size, self.size))
        self._forward, self._backward = np.empty(shape), np.empty(shape)
        self._one = chain.P
        self._moves = chain.moves
        self._possible = [chain.moves]
        self._made = 0
        self._by_sources: dict[tuple[int, bytes], Reals] = {}
        self._squares: list[tuple[Reals, Flags]] = [(chain.P, chain.moves)]
        self._far: list[Reals] = []

    def _roundings(self, lag: int) -> float:
        return 2.0 * self.size * (lag - 1) + 1

    def forward(self, lags: int) -> Reals:
        """Return the largest P^t(x, z)/P^t(x', z) over z for t = 1, ..., as logs."""
        self._make(lags)
        return self._forward[:lags]

    def backward(self, lags: int) -> Reals:
        """Return the largest P^t(y, x)/P^t(y, x') over all y for t = 1, ..., as logs."""
        self._make(lags)
        return self._backward[:lags]

    def backward_from(self, lag: int, sources: Flags) -> Reals:
        """Return the same for one lag over y in sources."""
        self._make(lag)
        if sources.all():
            return np.asarray(self._backward[lag - 1])
        key = (lag, sources.tobytes())
        if key not in self._by_sources:
            if len(self._by_sources) * self.size**2 > _AT_ONCE:
                self._by_sources.clear()
            power, possible = self._powers[lag - 1], self._possible_at(lag)
            self._by_sources[key] = log_ratios(
                power[sources], possible[sources], self._roundings(lag)
            )
        return self._by_sources[key]

    def _make(self, lags: int) -> None:
        while self._made < lags:
            at = self._made
            self._powers[at] = self._powers[at - 1] @ self._one if at else self._one
            if at:
                self._grow(at)
            power, possible = self._powers[at], self._possible_at(at + 1)
            roundings = self._roundings(at + 1)
            self._forward[at] = log_ratios(power.T, possible.T, roundings)
            self._backward[at] = log_ratios(power, possible, roundings)
            self._made += 1

    def _possible_at(self, lag: int) -> Flags:
        return self._possible[min(lag, len(self._possible)) - 1]

    def _grow(self, at: int) -> None:
        """Note which moves are possible over one step more; all of them, once all are."""
        last = self._possible[-1]
        if len(self._possible) == at and not last.all():
            self._possible.append(_composed(last, self._moves))

    def _square(self, doublings: int) -> tuple[Reals, Flags]:
        while len(self._squares) <= doublings:
            entries, possible = self._squares[-1]
            self._squares.append((entries @ entries, _composed(possible, possible)))
        return self._squares[doublings]

    def distant(self, lag: int) -> tuple[Reals, Flags]:
        """Return a power that is not kept, and what is possible; no more roundings than others."""
        found: tuple[Reals, Flags] | None = None
        for bit in range(lag.bit_length()):
            if lag >> bit & 1:
                entries, possible = self._square(bit)
                if found is not None:
                    entries, possible = found[0] @ entries, _composed(found[1], possible)
                found = entries, possible
        if found is None:
            raise ValueError("a lag is at least 1")
        return found

    def far_forward(self, lag: int) -> Reals:
        """Return the forward table of a lag that may be beyond the kept ones."""
        power, possible = self.distant(lag)
        return log_ratios(power.T, possible.T, self._roundings(lag))

    def far_backward(self, lag: int, sources: Flags | None = None) -> Reals:
        """Return the backward table of a lag that may be beyond the kept ones."""
        power, possible = self.distant(lag)
        if sources is not None:
            power, possible = power[sources], possible[sources]
        return log_ratios(power, possible, self._roundings(lag))

    def supremum(self, lag: int) -> Reals:
        """Return bounds, over all laws so many steps before, on P(X = x')/P(X = x), as logs.

        They fall with the lag, so one of a smaller lag will do where rounding makes it the better.
        """
        best = self.far_backward(lag)
        for doublings in range(lag.bit_length() - 1):
            if len(self._far) <= doublings:
                power, possible = self._square(doublings)
                self._far.append(log_ratios(power, possible, self._roundings(2**doublings)))
            best = np.minimum(best, self._far[doublings])
        return np.asarray(best).reshape(self.size, self.size).T.ravel()


def _composed(first: Flags, second: Flags) -> Flags:
    return np.asarray(first.astype(np.float64) @ second > 0)
