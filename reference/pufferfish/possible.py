"""Which secrets are possible at all: whether some node has two states that can both happen.

A secret is a state of one node. A law under which every node has one possible state gives two
secrets nothing to hide between, whatever is released (proofs_notes/vacuous-claims.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from graphlib import TopologicalSorter

import numpy as np

from ..markov.structure import Pattern, closed_classes
from ..structures import ANY, STATIONARY, ChainLaw, Network

_Row = Sequence[Fraction]


def first_states(chain: ChainLaw) -> Pattern:
    """Return the states that can come first; a stationary law lies on the one closed class."""
    states = range(len(chain.P))
    if chain.initial == ANY:
        return np.ones(len(states), dtype=np.bool_)
    if chain.initial == STATIONARY:
        (closed,) = closed_classes(chain.P)
        return np.isin(states, closed)
    if isinstance(chain.initial, str):
        raise TypeError("a chain that starts with a word has no shares")
    return np.array([share > 0 for share in chain.initial], dtype=np.bool_)


def chain_has_secrets(chain: ChainLaw, length: int) -> bool:
    """Whether some node of so many has two possible states; a stationary law has to be unique.

    As long as there is one possible state, the next node's are those that its row allows. A state
    that came before brings nothing new, so as many moves as there are states are looked at.
    """
    first = np.flatnonzero(first_states(chain))
    if len(first) > 1:
        return True
    state = int(first[0])
    for _ in range(min(length - 1, len(chain.P))):
        only = _only_state(chain.P[state])
        if only is None:
            return True
        state = only
    return False


def network_has_secrets(network: Network) -> bool:
    """Whether some node has two possible states.

    As long as the nodes above have one possible state each, a node's are those that the row of its
    table for these allows.
    """
    above = {at: node.parents for at, node in enumerate(network, 1)}
    known: dict[int, int] = {}
    for at in TopologicalSorter(above).static_order():
        row = 0
        for parent in network[at - 1].parents:
            row = row * len(network[parent - 1].table[0]) + known[parent]
        only = _only_state(network[at - 1].table[row])
        if only is None:
            return True
        known[at] = only
    return False


def _only_state(row: _Row) -> int | None:
    """Return the one state that a law allows, from 0; None where it allows several."""
    allowed = [at for at, share in enumerate(row) if share > 0]
    return allowed[0] if len(allowed) == 1 else None
