"""Factors of the law of a Bayesian network: tables of whole numbers, multiplied and summed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from ..errors import DomainError
from ..precision import check_budget

# A positive whole number, or a polynomial of FLINT's with such coefficients.
Weight: TypeAlias = Any
States: TypeAlias = tuple[int, ...]
# Larger tables are not formed; this one takes some 100 MB.
MAX_TABLE = 1 << 18


class Factor(NamedTuple):
    """Weights of the joint states of some nodes, states from 0; impossible ones are missing."""

    scope: tuple[int, ...]
    weights: Mapping[States, Weight]


ONE = Factor((), {(): 1})


def times(first: Factor, second: Factor) -> Factor:
    """Return the product; entries meet where the nodes of both scopes have the same states."""
    shared = [node for node in second.scope if node in first.scope]
    added = [node for node in second.scope if node not in first.scope]
    pick_shared, pick_added = _picker(second.scope, shared), _picker(second.scope, added)
    matching: dict[States, list[tuple[States, Weight]]] = defaultdict(list)
    for states, weight in second.weights.items():
        matching[pick_shared(states)].append((pick_added(states), weight))
    found: dict[States, Weight] = {}
    pick = _picker(first.scope, shared)
    for states, weight in first.weights.items():
        check_budget()
        for rest, other in matching.get(pick(states), ()):
            found[states + rest] = weight * other
        if len(found) > MAX_TABLE:
            raise DomainError(
                f"this network is too densely connected: a table of more than {MAX_TABLE} entries "
                "would be needed to infer from it exactly; of a scale, a smaller width asks less"
            )
    return Factor((*first.scope, *added), found)


def _picker(scope: Sequence[int], nodes: Iterable[int]) -> Callable[[States], States]:
    places = [scope.index(node) for node in nodes]
    if len(places) > 1:
        return itemgetter(*places)
    return (lambda states: (states[places[0]],)) if places else lambda _: ()


def summed(factor: Factor, kept: Iterable[int]) -> Factor:
    """Return the sums over all nodes but those kept, which stand in the order given."""
    scope = tuple(kept)
    pick = _picker(factor.scope, scope)
    found: dict[States, Weight] = {}
    for states, weight in factor.weights.items():
        key = pick(states)
        found[key] = found[key] + weight if key in found else weight
    return Factor(scope, found)
