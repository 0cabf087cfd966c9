"""Logarithms of ratios of transition probabilities, by lag, none of them below the truth.

The entries of a power are sums of products of non-negative numbers. So each operation costs one
rounding, a relative error of at most u = 2^-53, whatever the order of summation, and k(t - 1) of
them one of P^t; a ratio costs twice that and one. Products are those of the library, which adds
k products for each entry in some order. What underflows adds up to less than t k^2 2^-1022 in all,
nothing beside numbers above TINY; of smaller ones only that is known. A logarithm is within two
units in the last place. Each entry carries a share of the rounding of the sums of three that are
made of them later.
"""

from __future__ import annotations

import numpy as np

from ..doubled import UNIT, Flags, Reals
from .chain import Chain

TINY = 2.0**-850
# Numbers of float64 for all lags together, 288 MB: powers and a table for either direction.
_MOST_NUMBERS = 36_000_000
# A lag costs at least some 30 microseconds; quilts of longer ones are not looked at.
_MOST_LAGS = 2**14
_AT_ONCE = 2**19
# Relative: two units in the last place of a logarithm are 4u; two sums of three cost 2u each.
_SHARE = 8 * UNIT
# Beyond, (1 + u)^N - 1 is no longer below 1.01 N u, and nothing is claimed.
_MOST_ROUNDINGS = 2.0**43


def margin(roundings: float) -> float:
    """Return what so many roundings of a ratio add to its logarithm at most."""
    return 1.01 * UNIT * roundings if roundings < _MOST_ROUNDINGS else np.inf


def log_ratios(entries: Reals, possible: Flags, roundings: float) -> Reals:
    """Return for each (x, x') the log of the largest E(z, x)/E(z, x') over z, rounded up.

    0/0 is left out, x/0 infinite, and so is what is divided by an unknown number. One row of x
    after the other; 0 on the diagonal, -inf where no z leads to x.
    """
    if (entries > TINY).all():
        largest = _largest(entries, entries)
    else:
        tops = np.where(possible, np.maximum(entries, TINY), 0.0)
        largest = _largest(tops, np.where(entries > TINY, entries, 0.0))
    with np.errstate(divide="ignore"):
        logs = np.log(largest)
    sizes = np.abs(np.where(np.isfinite(logs), logs, 0.0))
    logs += margin(roundings) + _SHARE * sizes
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
