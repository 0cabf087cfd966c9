"""Baselines of song2017 Section 5: one entry, or one connected group of them, protected alone.

Both are exact. Differential privacy for one entry is what Pufferfish asks where all entries are
independent. For a group it is a bound for *every* law: whatever is learned of one entry from the
rest of its group is learned from at most ``size`` changed entries.

``lipschitz`` is the largest change of the query, in the 1-norm, when one entry changes. It is 2 for
a histogram of counts, since an entry leaves one bin and enters another; 2/length for relative
frequencies; 1 for one bin. (song2017 adds 1/epsilon to each bin, for which only 2 epsilon holds.)

The scale of Ghosh and Kleinberg 2016 on Markov chains, as song2017 Section 5 compares with it.

Their theorem, taken as cited and not proved here: if the spectral norm of the matrix of influences,
Gamma, is below 1, then a release that is e-differentially private in each entry leaves a node a
loss of at most 2 e times its sum in the inverse of 1 - Gamma. Sums over rows and over columns are
both taken, so that it does not matter which of the two a reader of the theorem means.

What is proved here (proofs_notes/baselines.md): the influence on an inner node bounds that on the
last node, and that on the first of a chain with a stationary start, so the same numbers stand in
every row, as in song2017's experiments; for any other start the first node has its own.

The matrix of influences between neighbours in a chain, of Ghosh and Kleinberg 2016.

An influence is half the logarithm of the largest ratio between two conditional probabilities of one
state of a node, all other nodes known, when one of these changes. In a chain only neighbours have
any, and the same three numbers fill the matrix, Gamma (proofs_notes/baselines.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations
from operator import truediv
from typing import Annotated, NamedTuple

from flint import arb, arb_mat

from ..arb.balls import ball, sign, working_precision
from ..domain import AT_LEAST_ZERO, CHAINS, Condition, Positive, count_from
from ..enclosure import Trilean
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN, NoisePromise, OfChains
from ..structures import STATIONARY, ChainLaw
from ..vocabulary import Meaning
from .quilt.approx import larger

_NOTE = "proofs_notes/baselines.md"
_MIXING = Annotated[
    CHAINS, Meaning(example='[{"initial":"stationary","P":[["0.6","0.4"],["0.4","0.6"]]}]')
]
_SIZE = Annotated[int, count_from(1, 1_000, 1_000_000)]


@quantity(
    "pufferfish.entry_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{_NOTE}#one-entry",
    formula=r"\sigma = \frac{L}{\varepsilon}",
    within=AT_LEAST_ZERO,
    rises="lipschitz",
    falls="epsilon",
)
def entry_scale(lipschitz: Positive, epsilon: Positive) -> Fraction:
    """Scale of Laplace noise on each coordinate that protects one entry, all others known.

    Differential privacy for neighbours in one entry, and Pufferfish for independent entries.
    """
    return lipschitz / epsilon


@quantity(
    "pufferfish.group_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{_NOTE}#one-group",
    formula=r"\sigma = \frac{m L}{\varepsilon}",
    within=AT_LEAST_ZERO,
    rises="lipschitz size",
    falls="epsilon",
)
def group_scale(lipschitz: Positive, size: _SIZE, epsilon: Positive) -> Fraction:
    """Scale of Laplace noise on each coordinate that protects a group of entries at once.

    Pufferfish for every law under which each group, of at most ``size`` entries, is independent of
    all other groups together. A chain without gaps is one group.
    """
    return lipschitz * size / epsilon


_GHOSH_KLEINBERG = "Ghosh and Kleinberg 2016, as applied in song2017 Section 5"
# Precisions at which the norm is compared with 1: they decide it unless it is within 2^-900 of 1.
_DECIDING_BITS = (128, 1_024)


def _all_positive(chains: tuple[ChainLaw, ...]) -> bool:
    return all(entry > 0 for chain in chains for row in chain.P for entry in row)


def _norms_below_one(chains: tuple[ChainLaw, ...], length: int) -> Trilean:
    """Whether the spectral norm is below 1 for all chains, at a few precisions."""
    if not _all_positive(chains):
        return Trilean.FALSE
    for chain in chains:
        for bits in _DECIDING_BITS:
            with working_precision(bits):
                answer = Gamma(influences(chain), length).norm_below_one()
            if answer is not Trilean.UNKNOWN:
                break
        if answer is not Trilean.TRUE:
            return answer
    return Trilean.TRUE


_POSITIVE = Condition(
    "every entry of every P positive (with an impossible transition some influence is infinite)",
    _all_positive,
    _GHOSH_KLEINBERG,
)
_SMALL_NORM = Condition(
    "the spectral norm of each chain's influence matrix below 1 (else the next state depends too "
    "strongly on this one for the theorem; take pufferfish.quilt_scale_exact)",
    _norms_below_one,
    _GHOSH_KLEINBERG,
)


@quantity(
    "pufferfish.gk16_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_GHOSH_KLEINBERG,
    formula=r"\sigma = \frac{2}{\varepsilon} \max \left\{ \|(I - \Gamma)^{-1}\|_1, \|(I - "
    r"\Gamma)^{-1}\|_{\infty} \right\}",
    within=AT_LEAST_ZERO,
    conditions=(_POSITIVE, _SMALL_NORM),
    rises=UNKNOWN,
    noise=NoisePromise("scale", lambda p: OfChains(p["chains"], p["length"], p["scale"])),
    slow=True,
)
def gk16_scale(
    chains: _MIXING, length: Annotated[int, count_from(1, 100)], epsilon: Positive
) -> arb:
    """Upper bound of Ghosh and Kleinberg 2016's scale for a class of chains: enough, not the least.

    2/epsilon times the largest sum over a row or column of the inverse of 1 - Gamma, for a
    1-Lipschitz query. Every row of Gamma has the influences of an inner node, which bound those of
    the ends: on chains of a few steps the scale by their own influences can be far below it.
    """
    sums = [
        Gamma(own, length, transposed).largest_sum()
        for own in map(influences, chains)
        for transposed in (False, True)
    ]
    return ball(2 / epsilon) * reduce(larger, sums)


# Rows from the first one on that are looked at one by one; later ones are bounded together.
_MOST_ROWS = 4_096
_NAN = arb("nan")


class Influences(NamedTuple):
    """Influences on a node: of the one before it, of the one after it, and on node 1 of node 2."""

    before: arb
    after: arb
    first: arb


def influences(chain: ChainLaw) -> Influences:
    """Enclose the influences in a chain all of whose transitions are possible.

    In balls throughout: sums, products and quotients of positive numbers lose few bits.
    """
    moves = arb_mat([[ball(share) for share in row] for row in chain.P])
    twice, transposed = moves * moves, moves.transpose()
    from_before = _largest_quotient(moves, twice.transpose())
    from_after = _largest_quotient(transposed, twice)
    if chain.initial == STATIONARY:
        on_first = from_after
    else:
        on_first = _largest_quotient(*_first_node(chain, moves))
    return Influences(*(ratio.log() / 2 for ratio in (from_before, from_after, on_first)))


def _first_node(chain: ChainLaw, moves: arb_mat) -> tuple[arb_mat, arb_mat]:
    """Return P by columns, cut to the first states that are possible, and the second's laws.

    The law of X_1 given X_2 = r is in proportion to q(x) P(x, r). Over all q the sum over x that
    normalises it can have the quotient of any one of its terms, or as near as one likes.
    """
    if isinstance(chain.initial, str):
        return moves.transpose(), moves
    possible = [at for at, share in enumerate(chain.initial) if share]
    kept = arb_mat([moves.tolist()[at] for at in possible]).transpose()
    start = arb_mat([[ball(share) for share in chain.initial]])
    return kept, start * moves


def _largest_quotient(rows: arb_mat, others: arb_mat) -> arb:
    """Enclose the largest rows[a][x]/rows[b][x] * others[l][b]/others[l][a] over a, b, x and l.

    It is 1 where a is b. The quotients of balls are of positive numbers.
    """
    best, table, columns = arb(1), rows.tolist(), others.transpose().tolist()
    for a, b in permutations(range(len(table)), 2):
        check_budget()
        best = best.max(_largest_share(table[a], table[b]) * _largest_share(columns[b], columns[a]))
    return best


def _largest_share(tops: Sequence[arb], bottoms: Sequence[arb]) -> arb:
    largest: arb = reduce(arb.max, map(truediv, tops, bottoms))
    return largest


class Gamma(NamedTuple):
    """The matrix of influences of a chain, or its transpose: the entries beside the diagonal."""

    own: Influences
    length: int
    transposed: bool = False

    def left(self, row: int) -> arb:
        """Return the entry to the left of the diagonal, 0 in row 1."""
        if row == 1:
            return arb(0)
        if not self.transposed:
            return self.own.before
        return self.own.first if row == 2 else self.own.after  # noqa: PLR2004

    def right(self, row: int) -> arb:
        """Return the entry to the right of the diagonal, 0 in the last row."""
        if row == self.length:
            return arb(0)
        if self.transposed:
            return self.own.before
        return self.own.first if row == 1 else self.own.after

    def norm_below_one(self) -> Trilean:
        """Whether the spectral norm is below 1: whether 1 - Gamma^T Gamma is positive definite.

        That is two tridiagonal matrices, of the odd and of the even rows. All their elements beside
        the diagonal are equal, so that the pivots obey d -> a - b^2/d in inner rows; one above the
        lower fixed point is followed by pivots above it.
        """
        beside = self.own.before * self.own.after
        last: dict[int, arb] = {}
        for row in range(1, min(self.length, _MOST_ROWS) + 1):
            square = arb(1) - (self.own.before**2 if row < self.length else 0)
            if row > 1:
                square -= (self.own.first if row == 2 else self.own.after) ** 2  # noqa: PLR2004
            pivot = square - beside**2 / last[row % 2] if row % 2 in last else square
            if sign(pivot) is not Trilean.TRUE:
                return sign(pivot)
            last[row % 2] = pivot
        return Trilean.TRUE if self.length <= _MOST_ROWS else self._stays_above(last.values())

    def _stays_above(self, pivots: Iterable[arb]) -> Trilean:
        before, after = self.own.before, self.own.after
        inner, beside = 1 - before**2 - after**2, before * after
        if not before + after < 1:
            return Trilean.UNKNOWN
        fixed = (inner - (inner**2 - 4 * beside**2).sqrt()) / 2
        return Trilean.TRUE if all(pivot >= fixed for pivot in pivots) else Trilean.UNKNOWN

    def largest_sum(self) -> arb:
        """Enclose the largest sum over a row of the inverse of 1 - Gamma; NaN if that is undecided.

        The sums solve s_i = 1 + left s_(i-1) + right s_(i+1), so s_i = u_i + v_i s_(i+1), with
        nothing subtracted but from 1. Of a chain longer than the rows that are looked at, the first
        half of these is worked out and the others are bounded together.
        """
        u, v = self._eliminated()
        rows = len(u) - 1
        beyond = self._rest(u[-1], v[-1]) if rows < self.length else arb(0)
        exact = rows if rows == self.length else rows // 2
        total, largest = arb(0).union(beyond), arb(0)
        for row in range(rows, 0, -1):
            total = u[row] + v[row] * total
            largest = larger(largest, total) if row <= exact else largest
        if rows == self.length:
            return largest
        return largest.lower().union(larger(largest, self._rest(u[exact], v[exact])).upper())

    def _eliminated(self) -> tuple[list[arb], list[arb]]:
        """Return u and v for the rows that are looked at, after a row 0 of zeros."""
        u, v = [arb(0)], [arb(0)]
        for row in range(1, min(self.length, _MOST_ROWS) + 1):
            room = 1 - self.left(row) * v[-1]
            room = room if room > 0 else _NAN
            u.append((1 + self.left(row) * u[-1]) / room)
            v.append(self.right(row) / room)
        return u, v

    def _rest(self, u: arb, v: arb) -> arb:
        """Return a bound on the sums of all later rows (proofs_notes/baselines.md#later-rows)."""
        room = 1 - self.own.before - self.own.after
        if not (room > 0 and v < 1):
            return _NAN
        return larger(1 / room, u / (1 - v)).upper()
