"""The joint law of a Bayesian network by listing every data set, and its graph made moral.

A set Q parts node i from R where every path between them runs through Q, in the graph of the
ancestors of all three, its arrows without direction and the parents of each node joined (Lauritzen
et al. 1990). For one node of R after the other; the first engine follows walks instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from math import prod
from typing import TypeAlias

from gmpy2 import mpq

from ...precision import check_budget
from ...structures import Network
from ..directed import OutOfReachError

# gmpy2 ships no types: a rational number.
Rational: TypeAlias = "mpq"
# The positive probabilities of data sets, a state, from 0, for each node.
Joint: TypeAlias = dict[tuple[int, ...], Rational]
# More data sets are not listed: this many take a second.
_MOST_DATA_SETS = 1 << 16


def joint_law(network: Network) -> Joint:
    """Return the probability of every data set that is possible."""
    if prod(len(node.table[0]) for node in network) > _MOST_DATA_SETS:
        raise OutOfReachError
    partial: dict[tuple[tuple[int, int], ...], Rational] = {(): mpq(1)}
    for at in _parents_first(network):
        check_budget()
        partial = {
            (*known, (at, state)): chance * mpq(share)
            for known, chance in partial.items()
            for state, share in enumerate(_row(network, at, dict(known)))
            if share
        }
    return {tuple(state for _, state in sorted(known)): p for known, p in partial.items()}


def _parents_first(network: Network) -> list[int]:
    order: list[int] = []
    waiting = list(range(1, len(network) + 1))
    while waiting:
        check_budget()
        known = {*order}
        order += [at for at in waiting if known.issuperset(network[at - 1].parents)]
        waiting = [at for at in waiting if not known.issuperset(network[at - 1].parents)]
    return order


def _row(network: Network, at: int, states: dict[int, int]) -> Sequence[object]:
    """Return a node's law given its parents' states, the last parent's running fastest."""
    number = 0
    for parent in network[at - 1].parents:
        number = number * len(network[parent - 1].table[0]) + states[parent]
    return network[at - 1].table[number]


def marginal(joint: Joint, nodes: Sequence[int]) -> Joint:
    """Return the joint law of some nodes, in this order."""
    found: Joint = {}
    for states, chance in joint.items():
        key = tuple(states[node - 1] for node in nodes)
        found[key] = found.get(key, mpq(0)) + chance
    return found


def near_nodes(network: Network, node: int, quilt: Collection[int]) -> int:
    """Return how many nodes, this one among them, a set does not part from it."""
    others = {*range(1, len(network) + 1)} - {node, *quilt}
    return 1 + sum(_is_linked(network, node, other, quilt) for other in others)


def _is_linked(network: Network, node: int, other: int, quilt: Collection[int]) -> bool:
    kept = {node, other, *quilt}
    while added := {one for at in kept for one in network[at - 1].parents} - kept:
        kept |= added
    families = [{at, *network[at - 1].parents} for at in kept]
    linked = {pair for family in families for pair in combinations(sorted(family), 2)}
    found, before = {node}, set[int]()
    while found != before:
        before = found
        found = found | {
            there
            for one, two in linked
            for here, there in ((one, two), (two, one))
            if here in found and there not in quilt
        }
    return other in found
