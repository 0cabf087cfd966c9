"""The moves, classes and period of a chain, exactly, and the conditions that quantities set.

Only which entries are positive matters here, so a matrix is an array of booleans and nothing is
ever rounded. Products count ways in float64: at most MAX_STATES of them, which it holds exactly.
Each condition bears the sentence that says why a chain is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..domain import AT_LEAST_ZERO, STOCHASTIC, Condition
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN

Matrix: TypeAlias = Sequence[Sequence[Fraction]]
Pattern: TypeAlias = NDArray[np.bool_]


def pattern_of(P: Matrix) -> Pattern:
    """Return which entries are positive."""
    return np.array([[entry > 0 for entry in row] for row in P], dtype=np.bool_)


def composed(first: Pattern, second: Pattern) -> Pattern:
    """Return which states a move of the first kind and then one of the second can reach."""
    ways = first.astype(np.float64) @ second.astype(np.float64)
    return np.asarray(ways > 0, dtype=np.bool_)


def pattern_after(moves: Pattern, steps: int) -> Pattern:
    """Return which entries of the matrix's power are positive, by repeated squaring."""
    found, square = np.eye(len(moves), dtype=np.bool_), moves
    while steps:
        if steps % 2:
            found = composed(found, square)
        steps //= 2
        if steps:
            square = composed(square, square)
    return found


def reachable(moves: Pattern) -> Pattern:
    """Return which state can be reached from which one, in any number of steps, none included."""
    paths = moves | np.eye(len(moves), dtype=np.bool_)
    while True:
        longer = composed(paths, paths)
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def closed_classes(P: Matrix) -> tuple[tuple[int, ...], ...]:
    """Return the sets of states, numbered from 0, that are never left and reach all of themselves.

    In order of their first state. A finite chain has at least one.
    """
    paths = reachable(pattern_of(P))
    mutual = paths & paths.T
    found = [
        tuple(int(other) for other in np.flatnonzero(mutual[state]))
        for state in range(len(paths))
        if np.array_equal(paths[state], mutual[state])  # whatever is reached leads back
    ]
    return tuple(sorted(set(found)))


def is_irreducible(P: Matrix) -> bool:
    """Whether every state can be reached from every one."""
    return bool(reachable(pattern_of(P)).all())


def may_be_irreducible(moves: Sequence[Sequence[bool]], ways: Sequence[int]) -> bool:
    """Whether some irreducible chain has these moves and more, so many out of each state in all.

    Else a set of states has no move left that could leave it, or there are fewer moves left than
    sets that none of these moves enters.
    """
    shown = np.array(moves, dtype=np.bool_)
    paths = reachable(shown)
    if paths.all():
        return True
    left = np.array(ways) - shown.sum(axis=1)
    mutual = paths & paths.T
    sets = {row.tobytes(): row for row in mutual}.values()
    closed = [own for own in sets if not (paths[own] & ~own).any()]
    entered_by_none = sum(not (paths[~own] & own).any() for own in sets)
    return all(left[own].any() for own in closed) and bool(left.sum() >= entered_by_none)


def period(P: Matrix) -> int:
    """Return the greatest common divisor of the lengths of all cycles of an irreducible chain.

    With d(x) the length of some path from state 0 to x, it is that of d(x) + 1 - d(y) over the
    moves from x to y (proofs_notes/quilt-influence.md#period-from-path-lengths).
    """
    if not is_irreducible(P):
        raise ValueError("only an irreducible chain has one period")
    moves = pattern_of(P)
    distance = {0: 0}
    waiting = [0]
    found = 0
    for state in waiting:  # grows while it is read, so that each state comes once
        for target in map(int, np.flatnonzero(moves[state])):
            if target not in distance:
                distance[target] = distance[state] + 1
                waiting.append(target)
            found = gcd(found, distance[state] + 1 - distance[target])
    return found


# Supports that are kept from the start on, while they are looked through for one that returns. The
# time until one does can be the product of many periods; then powers of the moves are used.
_KEPT = 4096


class Supports:
    """The supports of a chain's nodes, numbered from 1, given the first one's."""

    def __init__(self, first: Pattern, moves: Pattern) -> None:
        self._moves = moves
        self._known = [first]
        self._places = {first.tobytes(): 0}
        self._cycle: int | None = None
        self._last: tuple[int, Pattern] = 1, first

    def at(self, node: int) -> Pattern:
        """Return which states a node can be in."""
        self._extend(node)
        known = self._known
        if node <= len(known):
            return known[node - 1]
        if self._cycle is not None:
            return known[self._cycle + (node - 1 - self._cycle) % (len(known) - self._cycle)]
        if self._last[0] != node:
            self._last = node, self._far(node)
        return self._last[1]

    def _extend(self, node: int) -> None:
        """Go on step by step until the node, a support that was there before, or enough of them."""
        while self._cycle is None and len(self._known) < min(node, _KEPT):
            following = self._after(self._known[-1])
            self._cycle = self._places.setdefault(following.tobytes(), len(self._known))
            if self._cycle == len(self._known):
                self._cycle = None
                self._known.append(following)

    def _far(self, node: int) -> Pattern:
        before, support = self._last
        if before == node - 1:
            return self._after(support)
        check_budget()
        power = pattern_after(self._moves, node - 1)
        return np.asarray(composed(self._known[0][None, :], power)[0])

    def _after(self, support: Pattern) -> Pattern:
        return np.asarray(composed(support[None, :], self._moves)[0])


# So many closed classes are listed in the sentence that refuses.
_LISTED = 3
# Of a set of many states so many are listed.
_LISTED_STATES = 8


def has_one_stationary_law(P: Matrix) -> bool:
    """Whether the stationary law is unique: there is one closed class of states."""
    return len(closed_classes(P)) == 1


def not_unique(classes: Sequence[Sequence[int]]) -> str:
    """Return why there is more than one stationary law, as a sentence that names the classes."""
    listed = ", ".join(map(_set_named, classes[:_LISTED]))
    more = ", ..." if len(classes) > _LISTED else ""
    return (
        f"the stationary law is not unique: there are {len(classes)} sets of states that are never "
        f"left ({listed}{more})"
    )


def _set_named(states: Sequence[int]) -> str:
    numbers = ", ".join(str(state + 1) for state in states[:_LISTED_STATES])
    return f"{{{numbers}{', ...' if len(states) > _LISTED_STATES else ''}}}"


SOURCE = "its definition"


def _classes(P: Matrix) -> str:
    return not_unique(closed_classes(P))


def _unreached(P: Matrix) -> str:
    paths = reachable(pattern_of(P))
    source, target = next(zip(*(~paths).nonzero(), strict=True))
    return f"state {target + 1} cannot be reached from state {source + 1}"


ONE_CLOSED_CLASS = Condition(
    "P with one closed class of states", has_one_stationary_law, SOURCE, _classes
)
_IRREDUCIBLE = Condition("P irreducible", is_irreducible, SOURCE, _unreached)
CONCENTRATION_OF_EACH_STATE = Condition(
    "as many entries of k as P has rows",
    lambda P, k: len(P) == len(k),
    SOURCE,
    lambda P, k: f"P has {len(P)} rows, k has {len(k)} entries",
)


def chain_of(counts: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the relative frequencies of counts, row by row, exactly."""
    totals = map(sum, counts)  # once a row: there are up to a thousand of a thousand entries
    return tuple(
        tuple(Fraction(count, total) for count in row)
        for row, total in zip(counts, totals, strict=True)
    )


def counted_in_one_class(counts: Sequence[Sequence[int]]) -> bool:
    """Whether the chain that was counted has one closed class of states."""
    return has_one_stationary_law(chain_of(counts))


def classes_counted(counts: Sequence[Sequence[int]]) -> str:
    """Return which closed classes the chain that was counted has, as a sentence."""
    return _classes(chain_of(counts))


_NOTE = "proofs_notes/fundamental-matrix.md"


@quantity(
    "markov.period",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\gcd \{ t \ge 1 : (P^t)_{i i} > 0 \}",
    within=AT_LEAST_ZERO,
    conditions=(_IRREDUCIBLE,),
    rises=UNKNOWN,
)
def period_of_chain(P: STOCHASTIC) -> Fraction:
    """Period of an irreducible chain: the greatest common divisor of the lengths of its cycles."""
    return Fraction(period(P))


@quantity(
    "markov.communicating_classes",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\left| \{ \text{states} \} / \leftrightarrow \right|, \quad i \leftrightarrow j "
    r"\text{ where each is reached from the other}",
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def communicating_classes(P: STOCHASTIC) -> Fraction:
    """Number of classes of states that can be reached from each other; 1: P is irreducible."""
    paths = reachable(pattern_of(P))
    mutual = paths & paths.T
    return Fraction(len({line.tobytes() for line in mutual}))
