"""Second opinions on Bayesian networks: from the definitions, over all data sets and all quilts.

Conditional laws are quotients of sums over the joint law, which lists every data set. Every set of
other nodes is tried as a quilt, none is pruned; of those that leave so many nodes near the
protected one the least ratio is chosen exactly, and only then logarithms are taken, by MPFR.

A set Q parts node i from R where every path between them runs through Q, in the graph of the
ancestors of all three, its arrows without direction and the parents of each node joined (Lauritzen
et al. 1990). For one node of R after the other; the first engine follows walks instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from math import prod
from typing import TypeAlias

from gmpy2 import mpq

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import Matrix, Network
from ..directed import OutOfReachError, Span, or_nothing
from ..opinion import second_opinion
from .divergences import Masses, largest_loss
from .quilt.exact import Rational, Score, epsilon_score, influence_of, scale_score

# A ratio, or None where it is infinite.
_Ratio: TypeAlias = "mpq | None"
# Data sets times quilts: more take minutes.
_MOST_WORK = 1 << 21


def _ratio(joint: _Joint, node: int, quilt: Sequence[int]) -> _Ratio:
    """Return the largest P(quilt = x | node = a)/P(quilt = x | node = b), 0/0 left out."""
    law = marginal(joint, [node])
    given: dict[int, dict[tuple[int, ...], Rational]] = {state: {} for (state,) in law}
    for (state, *rest), chance in marginal(joint, [node, *quilt]).items():
        given[state][tuple(rest)] = chance / law[state,]
    largest = mpq(1)
    for a, b in permutations(given, 2):
        for outcome, chance in given[a].items():
            if outcome not in given[b]:
                return None
            largest = max(largest, chance / given[b][outcome])
    return largest


def _least_ratios(network: Network, joint: _Joint, node: int) -> dict[int, Rational]:
    """Return by the number of near nodes the least ratio of a quilt; infinite ones are left out."""
    others = [at for at in range(1, len(network) + 1) if at != node]
    if len(joint) << len(others) > _MOST_WORK:
        raise OutOfReachError
    least: dict[int, Rational] = {}
    sizes = range(len(others) + 1)
    for quilt in chain.from_iterable(combinations(others, size) for size in sizes):
        check_budget()
        ratio = _ratio(joint, node, quilt)
        if ratio is not None:
            near = near_nodes(network, node, quilt)
            least[near] = min(ratio, least.get(near, ratio))
    return least


def worst_of_networks(
    bits: int, networks: Iterable[Network], width: int, score: Score
) -> Enclosure:
    """Enclose the largest score over networks and nodes, the least over quilts; rigorous."""
    found = []
    for network in networks:
        joint = joint_law(network)
        for node in range(1, len(network) + 1):
            if len(marginal(joint, [node])) > 1:
                least = _least_ratios(network, joint, node)
                within = {near: ratio for near, ratio in least.items() if near <= width}
                empty = near_nodes(network, node, ())
                found.append(_least_score({**within, empty: mpq(1)}, score))
    if not found:
        return Enclosure.of(Fraction(0), bits)
    return Span(max(one.low for one in found), max(one.high for one in found)).enclosure()


def _least_score(ratios: dict[int, Rational], score: Score) -> Span:
    found = [one for one in (score(near, ratio) for near, ratio in ratios.items()) if one]
    return Span(min(one.low for one in found), min(one.high for one in found))


@second_opinion("pufferfish.network_influence", engine="mpfr", rigorous=True)
@or_nothing
def network_influence(bits: int, network: Network, node: int, quilt: tuple[int, ...]) -> Enclosure:
    """Enclose the max-influence of a node on a set of others, from the laws given the node."""
    return influence_of(bits, _ratio(joint_law(network), node, quilt))


@second_opinion("pufferfish.network_scale", engine="mpfr", rigorous=True)
@or_nothing
def network_scale(
    bits: int, networks: tuple[Network, ...], epsilon: Fraction, width: int
) -> Enclosure:
    """Enclose Algorithm 2's scale over all quilts."""
    return worst_of_networks(bits, networks, width, scale_score(bits, epsilon))


@second_opinion("pufferfish.network_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def network_epsilon(
    bits: int, networks: tuple[Network, ...], scales: tuple[Fraction, ...], width: int
) -> Enclosure:
    """Enclose the epsilon that noise of these scales gives through quilts."""
    return worst_of_networks(bits, networks, width, epsilon_score(bits, scales))


@second_opinion("pufferfish.network_loss", engine="mpfr", rigorous=True)
@or_nothing
def network_loss(
    bits: int, networks: tuple[Network, ...], values: Matrix, scale: Fraction
) -> Enclosure:
    """Enclose the largest loss between the query's laws given two states of a node; rigorous."""
    return largest_loss(bits, laws_by_node(networks, values), scale)


def laws_by_node(networks: Iterable[Network], values: Matrix) -> Iterator[list[Masses]]:
    """Yield the query's laws given each state of a node, for all nodes and networks."""
    for network in networks:
        joint = joint_law(network)
        rows = values * len(network) if len(values) == 1 else values
        answers = {
            states: sum((row[state] for row, state in zip(rows, states, strict=True)), Fraction(0))
            for states in joint
        }
        for at in range(len(network)):
            yield [
                _law_given(joint, answers, at, state) for state in {states[at] for states in joint}
            ]


def _law_given(
    joint: _Joint, answers: dict[tuple[int, ...], Fraction], at: int, state: int
) -> Masses:
    check_budget()
    found: dict[Fraction, Rational] = {}
    for states, chance in joint.items():
        if states[at] == state:
            found[answers[states]] = found.get(answers[states], mpq(0)) + chance
    total = sum(found.values(), mpq(0))
    shares = {value: share / total for value, share in found.items()}
    return {v: Fraction(int(p.numerator), int(p.denominator)) for v, p in shares.items()}


# The positive probabilities of data sets, a state, from 0, for each node.
_Joint: TypeAlias = dict[tuple[int, ...], Rational]
# More data sets are not listed: this many take a second.
_MOST_DATA_SETS = 1 << 16


def joint_law(network: Network) -> _Joint:
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


def marginal(joint: _Joint, nodes: Sequence[int]) -> _Joint:
    """Return the joint law of some nodes, in this order."""
    found: _Joint = {}
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
