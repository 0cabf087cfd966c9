"""The max-influence of one node of a chain on a quilt (song2017 Definition 4.1, equation 5).

A chain is taken on the states that it reaches, with its supports, powers and laws. States that the
start never reaches have probability 0 at every node and are left out, so what is left may be
irreducible where the whole chain is not. Which entries of a power are positive is decided exactly;
their sizes are balls.

Nodes are numbered from 1. A quilt of node i is given by two lags: node i - left and node i + right
belong to it, a lag 0 says that this side is absent. With x, x' among the values of positive
probability at node i the influence is the logarithm of the largest

    max_y [P^left(y, x)/P^left(y, x')] P(X_i = x')/P(X_i = x) max_z [P^right(x, z)/P^right(x', z)],

y among the values of positive probability at node i - left, 0/0 left out, x/0 infinite; what
belongs to an absent side is left out (proofs_notes/quilt-influence.md). With any start the
supremum over all initial laws is meant: then P(X_i = x')/P(X_i = x) is to be replaced by
max_y P^(i-1)(y, x')/P^(i-1)(y, x), and "positive probability" means under some start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Annotated, TypeAlias

import numpy as np
from flint import arb, arb_mat, ctx

from ...arb.balls import INFINITY, ball, sharpened
from ...domain import AT_LEAST_ZERO, INITIAL, STOCHASTIC, Condition, count_from
from ...markov.stationary import is_stationary, rows_agree, stationary_law
from ...markov.structure import (
    Pattern,
    Supports,
    has_one_stationary_law,
    pattern_after,
    pattern_of,
    reachable,
)
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...relations import Trend
from ...structures import ANY, STATIONARY, ChainLaw, Matrix

_Possible: TypeAlias = list[list[bool]]
_Power: TypeAlias = tuple[arb_mat, list[list[arb]]]
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
        self._powers: dict[tuple[int, int], _Power] = {}
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


def _make_room(kept: dict[int, _Possible] | dict[tuple[int, int], _Power]) -> None:
    if len(kept) >= _POWERS_KEPT:
        kept.clear()


NOTE = "proofs_notes/quilt-influence.md"
_NODE = Annotated[int, count_from(1, 8, 100)]
_LAG = Annotated[int, count_from(0, 8, 100)]
_States: TypeAlias = tuple[int, int]
# Lag 0 says that a side of a quilt is absent.
_LEFT = Condition("left > 0", lambda left: left > 0, NOTE)
_RIGHT = Condition("right > 0", lambda right: right > 0, NOTE)


def _pairs_at(chain: Chain, node: int) -> list[_States]:
    """Return the ordered pairs of two different values that a node can have."""
    return list(permutations(chain.values_at(node), 2))


def influence_ratio(
    chain: Chain, node: int, left: int, right: int, pairs: Iterable[_States] | None = None
) -> arb:
    """Enclose e to the max-influence, over some pairs of the node's values or over all."""
    sides: list[Callable[[int, int], arb]] = []
    # An end of the quilt that can have one value only is independent of the node.
    if left and len(chain.values_at(node - left)) > 1:
        sides.append(_backward_ratios(chain, node, left))
    if right and len(chain.values_at(node + right)) > 1:
        sides.append(_forward_ratios(chain, right))
    largest = arb(1)
    for x, other in _pairs_at(chain, node) if sides and pairs is None else pairs or ():
        check_budget()
        largest = largest.max(_product(side(x, other) for side in sides))
        if largest == INFINITY:
            break
    return largest


def _product(ratios: Iterable[arb]) -> arb:
    """Return the product of positive ratios, infinite where one is; NaN stays NaN."""
    product = arb(1)
    for ratio in ratios:
        if ratio == INFINITY:
            return INFINITY
        product *= ratio
    return product


def _forward_ratios(chain: Chain, lag: int) -> Callable[[int, int], arb]:
    """Return what encloses the largest P^lag(x, z)/P^lag(x', z) over the z that x leads to."""
    power, possible = chain.power(lag), chain.possible(lag)

    def ratio(x: int, other: int) -> arb:
        return _largest(power[x], power[other], possible[x], possible[other])

    return ratio


def _column_ratios(chain: Chain, lag: int, sources: list[int]) -> Callable[[int, int], arb]:
    """Return what encloses the largest P^lag(y, x)/P^lag(y, x') over the sources y."""
    power, possible = chain.power(lag), chain.possible(lag)
    entries = [[power[y][x] for y in sources] for x in range(len(power))]
    can = [[possible[y][x] for y in sources] for x in range(len(power))]

    def ratio(x: int, other: int) -> arb:
        return _largest(entries[x], entries[other], can[x], can[other])

    return ratio


def _backward_ratios(chain: Chain, node: int, lag: int) -> Callable[[int, int], arb]:
    """Return what encloses the largest P(X_(node-lag) = y | x)/P(X_(node-lag) = y | x')."""
    ratios = _column_ratios(chain, lag, chain.values_at(node - lag))
    prior = _prior_ratios(chain, node)

    def ratio(x: int, other: int) -> arb:
        return _product((ratios(x, other), prior(x, other)))

    return ratio


def _prior_ratios(chain: Chain, node: int) -> Callable[[int, int], arb]:
    """Return what encloses P(X_node = x')/P(X_node = x), or its supremum over all starts."""
    if chain.start is None:
        ratios = _column_ratios(chain, node - 1, list(range(len(chain.P))))
        return lambda x, other: ratios(other, x)
    law = chain.law(node)
    return lambda x, other: law[other] / law[x]


def _largest(
    tops: Iterable[arb], bottoms: Iterable[arb], above: Iterable[bool], below: Iterable[bool]
) -> arb:
    """Enclose the largest quotient; 0/0 is left out, x/0 infinite, as the booleans say."""
    largest = arb(0)
    for top, bottom, is_above, is_below in zip(tops, bottoms, above, below, strict=True):
        if is_above:
            if not is_below:
                return INFINITY
            largest = largest.max(top / bottom)
    return largest


def _is_independent(chain: Chain, node: int, left: int, right: int) -> bool:
    """Whether the influence is exactly 0, decided in rationals.

    Both ends of the quilt have to be independent of the node: rows of the power that start in
    possible values have to be equal.
    """
    return (not left or rows_agree(chain.P, chain.values_at(node - left), left)) and (
        not right or rows_agree(chain.P, chain.values_at(node), right)
    )


def _influence(chain: Chain, node: int, left: int, right: int) -> arb | Fraction:
    """Enclose the max-influence of a node on a quilt; exactly 0 where they are independent."""
    if not (left or right) or len(chain.values_at(node)) == 1:
        return Fraction(0)
    if _is_independent(chain, node, left, right):
        return Fraction(0)
    return sharpened(lambda: influence_ratio(chain, node, left, right).log())


@quantity(
    "pufferfish.max_influence",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{a, a'} \; \max_{x_Q} \log \frac{P(X_Q = x_Q \mid X_t = a)}{P(X_Q = x_Q \mid "
    r"X_t = a')}, \quad Q = \{ t - l, t + r \}",
    within=AT_LEAST_ZERO,
    conditions=(
        Condition("left < node", lambda node, left: left < node, "nodes are numbered from 1"),
        Condition(
            "a law in initial has as many entries as P has rows",
            lambda initial, P: isinstance(initial, str) or len(initial) == len(P),
            "its definition",
        ),
        Condition(
            "one set of states of P that is never left where initial is stationary",
            lambda initial, P: initial != STATIONARY or has_one_stationary_law(P),
            "else its stationary law is not unique",
        ),
    ),
    falls=(Trend("left", where=_LEFT), Trend("right", where=_RIGHT)),
    log_ratio=True,
)
def max_influence(
    initial: INITIAL, P: STOCHASTIC, node: _NODE, left: _LAG, right: _LAG
) -> arb | Fraction:
    """Max-influence of a chain's node on the nodes so far to its left and right; lag 0: none there.

    song2017 equation 5 with its values restricted to possible ones. Infinite where the quilt can
    rule a value of the node out.
    """
    matrix: Matrix = P
    return _influence(Chain.of(ChainLaw(initial, matrix)), node, left, right)
