"""Which node of a network needs most: the searches of all nodes side by side.

The best quilt that a node's search has at hand bounds its least score from above. The search whose
bound is largest goes on, so that the bound on all nodes falls as fast as it can; whoever runs out
of time still has it (proofs_notes/quilt-network.md#an-unfinished-search-still-bounds).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from flint import arb

from ..precision import BudgetSpentError
from ..structures import Network
from .network_graph import NetworkQuilt
from .network_search import NO_QUILT, Inference, Search
from .quilt_score import Score


class WorstOfNetwork(NamedTuple):
    """What sets the score of a network: the node, from 1, and a quilt that is best there.

    Node 0: none needs more than what was enough anyway, or the time was too short to tell.
    """

    score: arb
    node: int
    quilt: NetworkQuilt


def worst_of(
    network: Network, score: Score, width: int, enough: arb, ends: float = inf
) -> WorstOfNetwork:
    """Enclose the larger of ``enough`` and the largest over nodes of the least score of a quilt.

    Where the time is too short, from the nodes that were finished to the best quilts at hand. It
    is up when the budget is spent or the monotonic clock shows ``ends``.
    """
    inference = Inference(network)
    left = [Search(inference, node, score, width) for node in inference.graph.nodes]
    found = WorstOfNetwork(enough, 0, NO_QUILT)
    try:
        while (left := _still_open(left, found.score)) and not found.score.is_nan():
            ahead = _of_largest_bound(left)
            _find_another(ahead, ends)
            if ahead.is_over:
                found = _larger(found, ahead)
    except BudgetSpentError:
        return _as_far_as(found, _of_largest_bound(left))
    return found


def _as_far_as(found: WorstOfNetwork, ahead: Search) -> WorstOfNetwork:
    """Return what is known once the time is spent: from what was found to the largest bound."""
    if ahead.best.score.upper() <= found.score.upper():
        return found
    return WorstOfNetwork(_between(found.score, ahead.best.score), 0, NO_QUILT)


def _still_open(searches: Iterable[Search], enough: arb) -> list[Search]:
    """Return the searches that are not over, of nodes not known to need ``enough`` at most."""
    return [one for one in searches if not (one.is_over or one.best.score <= enough)]


def _of_largest_bound(searches: Iterable[Search]) -> Search:
    return max(searches, key=lambda search: search.best.score.upper())


def _find_another(search: Search, ends: float) -> None:
    """Search until another quilt is the best, or none is left to find."""
    before = search.best
    while search.best is before and not search.is_over:
        if time.monotonic() > ends:
            raise BudgetSpentError
        search.step()


def _larger(found: WorstOfNetwork, search: Search) -> WorstOfNetwork:
    """Return the larger of what was found and the best of a search that is over."""
    if search.best.score <= found.score:
        return found
    return WorstOfNetwork(search.best.score.max(found.score), search.node, search.best.quilt)


def _between(low: arb, high: arb) -> arb:
    """Return a ball from the lower end of one to the upper end of the other, which stays as it is.

    A radius is rounded up, to 30 bits: taken from the upper end, which has more, that moves only
    the lower end, down.
    """
    end = high.upper()
    around_zero = arb(0, ((end - low.lower()) / 2).upper())
    return around_zero + (end - around_zero.rad())
