"""Additive queries of a chain, sum over t of values[t][X_t]: distances and losses, rounded up.

Where that is little work the laws of the query are exact, else they are rounded. Then the monotone
coupling is taken to join all atoms that rounding leaves in doubt, which can only enlarge the
distance, and nothing is claimed of a node that has one of its states with less than 2^-100.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .chain import ChainLaw
from .line import largest_move
from .loss import MOST_DECAY, gaps_of, loss_between, loss_of_group
from .rounded_sums import Law, NodeLaws, laws_at_nodes
from .sums import Rows, exact_laws, is_little_work, steps_of, sums_of

# What underflowed in a law that is not rare adds up to less.
_UNDERFLOWED = 2.0**-800


def chain_wasserstein(chains: Sequence[ChainLaw], length: int, values: Rows) -> float:
    """Return an upper bound on W, exact where the laws are: the largest over nodes and chains."""
    unit, steps = steps_of(values, length)
    worst = Fraction(0)
    for law in chains:
        if is_little_work(len(law["P"]), steps):
            groups = exact_laws(law, steps)
            moves = (largest_move(*two) for laws in groups for two in combinations(laws, 2))
            worst = max(worst, *moves, Fraction(0))
        else:
            worst = max(worst, *_moves_at_most(law, steps), Fraction(0))
    return rounded_towards(worst * unit, np.inf)


def chain_loss(chains: Sequence[ChainLaw], length: int, values: Rows, scale: float) -> float:
    """Return an upper bound on the exact loss of the query under Laplace noise of this scale."""
    unit, steps = steps_of(values, length)
    relative = Fraction(scale) / unit
    worst = 0.0
    for law in chains:
        if is_little_work(len(law["P"]), steps):
            losses = (loss_of_group(laws, relative) for laws in exact_laws(law, steps) if laws)
        else:
            gaps = gaps_of(sums_of(steps)[-1], relative)
            losses = (_loss_at(node, gaps) for node in laws_at_nodes(law, steps))
        worst = max(worst, *losses, 0.0)
    return worst


def _loss_at(node: NodeLaws, gaps: Reals) -> float:
    if len(node.laws) <= 1:
        return 0.0
    masses = np.array([law.masses for law in node.laws])
    possible = np.array([law.possible for law in node.laws])
    # An atom too small to be known can be all that there is where noise is small.
    known = not (possible & (masses < _UNDERFLOWED)).any()
    if not node.are_known or not (known or gaps.sum() <= MOST_DECAY):
        return math.inf
    return loss_between(gaps, masses, node.roundings)


def _moves_at_most(law: ChainLaw, steps: Sequence[tuple[int, ...]]) -> Iterator[Fraction]:
    every = sums_of(steps)[-1]
    for node in laws_at_nodes(law, steps):
        if not node.are_known:
            yield Fraction(every[-1] - every[0])
            continue
        doubt = 2.02 * UNIT * node.roundings
        for one, other in combinations(node.laws, 2):
            yield Fraction(
                max(_move_at_most(every, *two, doubt) for two in ((one, other), (other, one)))
            )


def _move_at_most(points: Sequence[int], one: Law, other: Law, doubt: float) -> int:
    """Return how far up an atom of one law may be joined to one of the other at most.

    It is joined to one above it only if less lies before that than up to the first, and more from
    that on than beyond the first.
    """
    mine, theirs = np.flatnonzero(one.possible), np.flatnonzero(other.possible)
    up_to, theirs_up_to = np.cumsum(one.masses[mine]), np.cumsum(other.masses[theirs])
    beyond = np.append(np.cumsum(one.masses[mine][::-1])[::-1][1:], 0.0)
    from_there = np.cumsum(other.masses[theirs][::-1])[::-1]
    up = up_to * (1.0 + doubt) + _UNDERFLOWED
    last = np.searchsorted(theirs_up_to * (1.0 - doubt), up, "right")
    least = beyond * (1.0 - doubt) - _UNDERFLOWED
    # How many of the other law's atoms have more from there on.
    more = len(theirs) - np.searchsorted(from_there[::-1] * (1.0 + doubt), least, "right")
    farthest = np.minimum(np.minimum(last, more - 1), len(theirs) - 1)
    joined = zip(mine.tolist(), theirs[farthest].tolist(), strict=True)
    moves = [points[there] - points[here] for here, there in joined]
    return int(max(moves))
