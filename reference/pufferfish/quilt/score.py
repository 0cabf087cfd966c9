"""The scores that quilts of a chain are compared by, and the ratios and values that bound them.

A quilt of node i leaves ``card`` nodes near i and has an influence e on the rest. Laplace noise of
scale s per unit of the query's Lipschitz constant gives epsilon once e + card/s <= epsilon
(song2017 Theorem 4.3). Either score, the scale that a quilt asks for and the epsilon that it gives,
rises with card and with e, which is all that the search uses.

Quilts are chosen by ratios of transition probabilities in float64 with a proved error. Every entry
is a sum of products of nonnegative numbers, so each operation costs one rounding, a relative error
of at most u = 2^-53, in whatever order the sums are taken; N of them cost at most a factor 1 + 2Nu
either way while Nu <= 1/2. Products that underflow cost at most TINY/8 in all: such entries, and
all below TINY, are known to be that small and no more. Which entries are zero is decided by
booleans. No table decides anything but which quilts balls need not look at
(proofs_notes/quilt-influence.md#ratios-in-floating-point).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ...arb.balls import INFINITY, ball, working_precision
from ...markov.structure import Pattern, composed
from ...precision import check_budget
from .influence import Chain

Floats: TypeAlias = NDArray[np.float64]
# Far above what underflow can add up to, 2^-1074 for each of fewer than 2^100 products, and far
# enough above 2^-1022 that a ratio of two larger numbers, and their rounding, is ordinary.
_TINY = 2.0**-450
# Numbers of float64 that are kept, 320 MB: a table for either direction, the power that both come
# from, and a copy of either table for a search.
_MOST_NUMBERS = 40_000_000
# Beside its numbers, a lag costs some ten Python objects, as much memory as this many numbers.
_OVERHEAD = 120
# Ratios that are worked out at once; with what is derived from them some 100 MB.
_RATIOS_AT_ONCE = 2**22
# Roundings beyond which the bound on their error does not hold: Nu <= 1/2.
MOST_ROUNDINGS = 2**50


class _Table(NamedTuple):
    """The largest ratio for each ordered pair of values; ``sure`` is whether that bounds it above.

    As a lower bound it always holds, up to rounding. An infinity is one.
    """

    ratios: Floats
    sure: bool


class _Powers(NamedTuple):
    """A power of the matrix: entries up to rounding, and which of them are positive."""

    entries: Floats
    possible: Pattern


class Tables:
    """The tables of one chain by lag, made when they are asked for."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.size = len(chain.P)
        one = np.array([[float(entry) for entry in row] for row in chain.P])
        self._powers = [_Powers(one, chain.moves)]
        self._forward: list[_Table] = []
        self._backward: dict[tuple[int, bytes], _Table] = {}

    @property
    def most_lags(self) -> int:
        """The largest lag that there is memory for."""
        return max(1, _MOST_NUMBERS // (5 * self.size**2 + _OVERHEAD))

    def roundings(self, steps: int) -> int:
        """Return what a product of ratios over so many steps in all costs at most, with its law.

        A power over t steps costs (size + 2) t, counting that of each entry of P; a ratio twice
        that and a division; and there are at most three divisions and two products.
        """
        return (2 * self.size + 6) * (steps + 2)

    def power(self, lag: int) -> _Powers:
        """Return the entries of the matrix's power, one step after the other."""
        while len(self._powers) < lag:
            check_budget()
            self._powers.append(_product(self._powers[-1], self._powers[0]))
        return self._powers[lag - 1]

    def forward(self, lag: int) -> _Table:
        """Return the largest P^lag(x, z)/P^lag(x', z) over z for each (x, x')."""
        while len(self._forward) < lag:
            self._forward.append(forward_table(self.power(len(self._forward) + 1)))
        return self._forward[lag - 1]

    def backward(self, lag: int, sources: Pattern) -> _Table:
        """Return the largest P^lag(y, x)/P^lag(y, x') over y in sources for each (x, x')."""
        key = (lag, sources.tobytes())
        if key not in self._backward:
            if len(self._backward) * (5 * self.size**2 + _OVERHEAD) > _MOST_NUMBERS:
                self._backward.clear()
            self._backward[key] = backward_table(self.power(lag), sources)
        return self._backward[key]

    def distant(self, lag: int) -> _Powers:
        """Return a power that is not kept, by repeated squaring; it costs no more roundings."""
        if lag <= len(self._powers):
            return self.power(lag)
        half = self.distant(lag // 2)
        square = _product(half, half)
        return _product(square, self._powers[0]) if lag % 2 else square


def _product(first: _Powers, second: _Powers) -> _Powers:
    # Not the operator @, whose order of operations is the library's affair.
    entries = np.einsum("ij,jk->ik", first.entries, second.entries)
    full = first.possible.all() and second.possible.all()
    possible = first.possible if full else composed(first.possible, second.possible)
    return _Powers(entries, possible)


def forward_table(power: _Powers) -> _Table:
    """Return the largest ratio of two rows of a power, column by column."""
    return _table(power.entries, power.possible)


def backward_table(power: _Powers, sources: Pattern) -> _Table:
    """Return the largest ratio of two columns of a power, over some of its rows."""
    return _table(power.entries[sources].T, power.possible[sources].T)


def _table(entries: Floats, possible: Pattern) -> _Table:
    """Return the largest ratio of the entries of each two rows, some rows at a time."""
    dense = bool(possible.all()) and bool((entries > _TINY).all())
    at_once = max(1, _RATIOS_AT_ONCE // entries.size)
    parts = []
    for at in range(0, len(entries), at_once):
        check_budget()
        # Numbers too small to be known are divided, too, and what comes of it is not used.
        with np.errstate(all="ignore"):
            ratios = entries[at : at + at_once, None, :] / entries[None, :, :]
        if dense:
            parts.append(_Table(ratios.max(axis=2), sure=True))
        else:
            parts.append(_sparse(entries > _TINY, possible, slice(at, at + at_once), ratios))
    return _Table(np.concatenate([one.ratios for one in parts]), all(one.sure for one in parts))


def _sparse(large: Pattern, possible: Pattern, part: slice, ratios: Floats) -> _Table:
    """Return the same for some rows where entries are zero or too small to be known."""
    above, below = possible[part, None, :], possible[None, :, :]
    known = large[part, None, :] & large[None, :, :]
    found = np.where(known, ratios, np.where(above & ~below, np.inf, 0.0))
    sure = bool((known | ~above | ~below).all())
    return _Table(found.max(axis=2), sure)


class Values(NamedTuple):
    """The ordered pairs of different values of a node; P(X = x')/P(X = x) for each, and if known.

    ``rows`` and ``columns`` are the x and x'.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    prior: Floats
    sure: bool


class NodeValues:
    """The values of a chain's nodes; a law is moved on from the one asked for before."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._chain = tables.chain
        self._law: tuple[int, Floats] | None = None

    def at(self, node: int) -> Values:
        """Return the pairs of values of one node, and what their laws are worth."""
        states = np.flatnonzero(self._chain.support(node))
        rows, columns = (part.ravel() for part in np.meshgrid(states, states, indexing="ij"))
        different = rows != columns
        rows, columns = rows[different], columns[different]
        prior, sure = self._prior(node)
        return Values(rows, columns, prior[rows, columns], sure)

    def _prior(self, node: int) -> tuple[Floats, bool]:
        """Return P(X = x')/P(X = x), up to rounding, for (x, x'); with any start its supremum."""
        if self._chain.start is None:
            if node == 1:  # no quilt has a left side
                return np.ones((self._tables.size, self._tables.size)), True
            power = self._tables.distant(node - 1)
            table = backward_table(power, np.ones(self._tables.size, dtype=np.bool_))
            return table.ratios.T, table.sure
        law = self._float_law(node)
        support = self._chain.support(node)
        with np.errstate(all="ignore"):
            ratios = law[None, :] / law[:, None]
        known = law > _TINY
        return np.where(np.outer(known, known), ratios, 0.0), bool(known[support].all())

    def _float_law(self, node: int) -> Floats:
        start = np.array([float(share) for share in self._chain.start or ()])
        if self._chain.steady or node == 1:
            return start
        if self._law is not None and self._law[0] + 1 == node:
            before, steps = self._law[1], self._tables.power(1).entries
        else:
            before, steps = start, self._tables.distant(node - 1).entries
        law: Floats = np.einsum("i,ij->j", before, steps)
        self._law = (node, law)
        return law


# Bits for bounds on ratios: float64 holds fewer.
_BOUND_BITS = 80
# Ratios beyond this are not told from infinite ones, and numbers of nodes from unlimited ones.
_LARGEST = 2.0**900
_MOST_NODES = 2**62


class Score(Protocol):
    """A number for each quilt, which rises with its card and its influence."""

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the score of a quilt."""

    def of_whole_chain(self, length: int) -> Fraction | arb:
        """Return the score of the empty quilt, so many nodes and no influence.

        Exactly, if it is a Fraction.
        """

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose the influence at which a quilt of that card reaches the score."""

    def card_left(self, score: arb) -> arb:
        """Enclose the card, a real number, at which a quilt of no influence reaches the score."""

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the scores, for choosing where to look."""


@dataclass(frozen=True)
class ScaleFor:
    """The noise that a quilt asks for: card/(epsilon - influence), infinite where that is not."""

    epsilon: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the scale; infinite once the influence is certainly epsilon or more."""
        left = ball(self.epsilon) - influence
        return INFINITY if left <= 0 else ball(card) / left

    def of_whole_chain(self, length: int) -> Fraction:
        """Return length/epsilon."""
        return length / self.epsilon

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose epsilon - card/score."""
        return ball(self.epsilon) - ball(card) / score

    def card_left(self, score: arb) -> arb:
        """Enclose epsilon * score."""
        return ball(self.epsilon) * score

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the scales."""
        left = _about(self.epsilon) - influences
        with np.errstate(all="ignore"):
            return np.where(left > 0, cards / left, np.inf)


@dataclass(frozen=True)
class EpsilonOf:
    """The epsilon that noise gives through a quilt: influence + card * rate.

    ``rate`` is the sum of 1/scale over the releases, per unit of each query's Lipschitz constant.
    """

    rate: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the epsilon."""
        return influence + ball(card * self.rate)

    def of_whole_chain(self, length: int) -> Fraction:
        """Return length * rate."""
        return length * self.rate

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose score - card * rate."""
        return score - ball(card * self.rate)

    def card_left(self, score: arb) -> arb:
        """Enclose score/rate."""
        return score / ball(self.rate)

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the epsilons."""
        return influences + cards * _about(self.rate)


def _about(value: Fraction) -> float:
    return float(min(value, Fraction(_LARGEST)))


def most_nodes(score: Score, value: arb) -> int:
    """Return a card beyond which no quilt has a score of ``value`` or less: influences are >= 0."""
    found = score.card_left(value).upper()
    if not found.is_finite() or found > _MOST_NODES:
        return _MOST_NODES
    return max(0, int(found.floor().unique_fmpz() or 0))


class RatioBounds:
    """Bounds, by card, on the ratio at which a quilt reaches a score.

    With an upper bound, a quilt of a larger ratio scores more than ``value``; with a lower one, a
    quilt of no larger ratio scores ``value`` or less. 0 where no ratio does, infinite where float64
    ends.
    """

    def __init__(self, score: Score, value: arb, *, above: bool) -> None:
        self._score, self._value = score, value
        self.most = most_nodes(score, value)
        self._above = above
        self._known: dict[int, float] = {}

    def at(self, card: int) -> float:
        """Return the bound for a card."""
        if card > self.most:
            return 0.0
        if card not in self._known:
            with working_precision(_BOUND_BITS):
                left = self._score.influence_left(card, self._value)
                self._known[card] = _bound(left, above=self._above)
        return self._known[card]


def _bound(log_ratio: arb, *, above: bool) -> float:
    end = log_ratio.exp()
    found = float(end.upper() if above else end.lower())
    # float() rounds to nearest, so the next double on the right side is a bound.
    if not found < _LARGEST:
        return inf if above else _LARGEST if end > _LARGEST else 0.0
    shifted = found * (1 + 2.0**-50) if above else found * (1 - 2.0**-50)
    return 0.0 if log_ratio < 0 and above else shifted
