"""Exact inference on a Bayesian network: variable elimination on tables of whole numbers.

A table's entries are multiplied by their common denominator, which changes all probabilities by one
factor, so nothing is ever rounded. What is impossible has no entry: supports are exact. Entries may
also be polynomials with whole coefficients, whose powers count something on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import count, product
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from gmpy2 import mpq

from ...errors import DomainError
from ...precision import check_budget
from ...structures import Network

# A positive whole number, or a polynomial of FLINT's with such coefficients.
_Weight: TypeAlias = Any
States: TypeAlias = tuple[int, ...]
# Larger tables are not formed; this one takes some 100 MB.
_MAX_TABLE = 1 << 18


class Factor(NamedTuple):
    """Weights of the joint states of some nodes, states from 0; impossible ones are missing."""

    scope: tuple[int, ...]
    weights: Mapping[States, _Weight]


_ONE = Factor((), {(): 1})


def _times(first: Factor, second: Factor) -> Factor:
    """Return the product; entries meet where the nodes of both scopes have the same states."""
    shared = [node for node in second.scope if node in first.scope]
    added = [node for node in second.scope if node not in first.scope]
    pick_shared, pick_added = _picker(second.scope, shared), _picker(second.scope, added)
    matching: dict[States, list[tuple[States, _Weight]]] = defaultdict(list)
    for states, weight in second.weights.items():
        matching[pick_shared(states)].append((pick_added(states), weight))
    found: dict[States, _Weight] = {}
    pick = _picker(first.scope, shared)
    for states, weight in first.weights.items():
        check_budget()
        for rest, other in matching.get(pick(states), ()):
            found[states + rest] = weight * other
        if len(found) > _MAX_TABLE:
            raise DomainError(
                f"this network is too densely connected: a table of more than {_MAX_TABLE} entries "
                "would be needed to infer from it exactly; of a scale, a smaller width asks less"
            )
    return Factor((*first.scope, *added), found)


def _picker(scope: Sequence[int], nodes: Iterable[int]) -> Callable[[States], States]:
    places = [scope.index(node) for node in nodes]
    if len(places) > 1:
        return itemgetter(*places)
    return (lambda states: (states[places[0]],)) if places else lambda _: ()


def _summed(factor: Factor, kept: Iterable[int]) -> Factor:
    """Return the sums over all nodes but those kept, which stand in the order given."""
    scope = tuple(kept)
    pick = _picker(factor.scope, scope)
    found: dict[States, _Weight] = {}
    for states, weight in factor.weights.items():
        key = pick(states)
        found[key] = found[key] + weight if key in found else weight
    return Factor(scope, found)


def factors_of(
    network: Network, weight: Callable[[int, int], _Weight] = lambda *_: 1
) -> list[Factor]:
    """Return the tables of all nodes in whole numbers, each times ``weight(node, state)``."""
    return [_factor(network, node, weight) for node in range(1, len(network) + 1)]


def _factor(network: Network, node: int, weight: Callable[[int, int], _Weight]) -> Factor:
    parents, table = network[node - 1]
    common = lcm(*(share.denominator for row in table for share in row))
    causes = product(*(range(len(network[parent - 1].table[0])) for parent in parents))
    return Factor(
        (*parents, node),
        {
            (*cause, state): int(share * common) * weight(node, state)
            for cause, row in zip(causes, table, strict=True)
            for state, share in enumerate(row)
            if share
        },
    )


def joint_weights(factors: Sequence[Factor], targets: tuple[int, ...]) -> Mapping[States, _Weight]:
    """Return the weights of the targets' joint states, all other nodes summed out.

    Any order gives the same sums; the smallest table first is a matter of speed alone.
    Raises DomainError: a table on the way is too large.
    """
    left = _Product(factors)
    others = left.linked.keys() - {*targets}
    waiting = [(len(left.linked[node]), node) for node in others]
    heapify(waiting)
    while waiting:
        check_budget()
        size, node = heappop(waiting)
        # One that has got other neighbours since waits a second time, with their number.
        if node in others and size == len(left.linked[node]):
            others.remove(node)
            for one in left.without(node) & others:
                heappush(waiting, (len(left.linked[one]), one))
    return _summed(reduce(_times, left.factors.values(), _ONE), targets).weights


class _Product:
    """A product of factors by number, with the numbers of a node's factors and its neighbours.

    A node is one of its own neighbours.
    """

    def __init__(self, factors: Iterable[Factor]) -> None:
        self.factors: dict[int, Factor] = {}
        self.linked: dict[int, set[int]] = defaultdict(set)
        self._numbers: dict[int, list[int]] = defaultdict(list)
        self._next = count()
        for factor in factors:
            self._add(factor)

    def _add(self, factor: Factor) -> None:
        number = next(self._next)
        self.factors[number] = factor
        for node in factor.scope:
            self.linked[node].update(factor.scope)
            self._numbers[node].append(number)

    def without(self, node: int) -> set[int]:
        """Sum over a node's states; return its neighbours."""
        numbers = self._numbers.pop(node)
        neighbours = self.linked.pop(node) - {node}
        for one in neighbours:
            self.linked[one].remove(node)
            self._numbers[one] = [each for each in self._numbers[one] if each not in numbers]
        together = reduce(_times, [self.factors.pop(each) for each in numbers])
        self._add(_summed(together, sorted(neighbours)))
        return neighbours


def largest_ratio_given(weights: Mapping[States, int]) -> Fraction | None:
    """Return the largest P(others | first = a)/P(others | first = b), None where it is infinite.

    ``weights`` are those of joint states of which the first is the node's that is conditioned on;
    a and b run over its possible states, the others over what is possible given a.
    """
    totals: dict[int, int] = defaultdict(int)
    by_rest: dict[States, list[tuple[int, int]]] = defaultdict(list)
    for (state, *rest), weight in weights.items():
        totals[state] += weight
        by_rest[tuple(rest)].append((state, weight))
    largest = mpq(1)
    for found in by_rest.values():
        if len(found) < len(totals):
            return None
        # Fractions are slow to divide and compare.
        shares = [mpq(weight, totals[state]) for state, weight in found]
        largest = max(largest, max(shares) / min(shares))
    return Fraction(int(largest.numerator), int(largest.denominator))
