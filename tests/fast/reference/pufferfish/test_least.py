"""The least noise against all paths of small chains and all data sets of networks, on both sides.

A little below the answer some pair of states is not hidden so well, a little above all are: by the
delta of two laws that are listed here, path by path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import pytest
from each import each
from instances import instances
from simplexcert.reference import DomainError, evaluate

MARGIN = Fraction(1, 10**12)
TARGETS = [("laplace", "1", "0"), ("laplace", "1/2", "1e-3"), ("gaussian", "1", "1e-5")]


def some_law(random: Random, size: int) -> list[Fraction]:
    weights = [random.choice((1, 2, 5, 30)) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def law_given(joint: Mapping[tuple[int, ...], Fraction], at: int, state: int) -> dict[str, Any]:
    """Return the law of the sum of the states, given one of them."""
    found: dict[int, Fraction] = {}
    for states, chance in joint.items():
        if states[at] == state:
            found[sum(states)] = found.get(sum(states), Fraction(0)) + chance
    total = sum(found.values())
    return {"points": [*found], "mass": [mass / total for mass in found.values()]}


def deltas(
    joint: Mapping[tuple[int, ...], Fraction], noise: str, scale: Fraction, epsilon: str
) -> Iterator[Any]:
    nodes = len(next(iter(joint)))
    for at in range(nodes):
        one, other = (law_given(joint, at, state) for state in (0, 1))
        given = {"mu": one, "nu": other, "scale": scale, "epsilon": epsilon}
        yield evaluate(f"pufferfish.{noise}_delta", given)


def require_least(joint: Mapping[tuple[int, ...], Fraction], found: Any, target: Any) -> None:
    noise, epsilon, delta = target
    assert found.narrow
    above, below = found.upper + MARGIN, found.lower - MARGIN
    assert max(each.upper for each in deltas(joint, noise, above, epsilon)) <= Fraction(delta)
    assert max(each.lower for each in deltas(joint, noise, below, epsilon)) > Fraction(delta)


def require_root(family: str, given: Mapping[str, Any], found: Any, target: Any) -> None:
    """Require that the least delta and epsilon cross the target at the least scale."""
    noise, epsilon, delta = target
    for scale, beyond in ((found.upper + MARGIN, False), (found.lower - MARGIN, True)):
        at = {**given, "noise": noise, "scale": scale}
        lost = evaluate(f"pufferfish.{family}least_epsilon", at, delta=delta)
        assert (lost.lower > Fraction(epsilon)) == beyond
        assert (lost.upper <= Fraction(epsilon)) != beyond
        left = evaluate(f"pufferfish.{family}least_delta", at, epsilon=epsilon)
        assert (left.lower > Fraction(delta)) == beyond
        assert beyond or Fraction(delta) == 0 or left.upper <= Fraction(delta)


@each(TARGETS)
def test_of_a_chain_it_is_that_of_all_its_paths(target: tuple[str, str, str]) -> None:
    random = Random(f"chain {target}")  # noqa: S311
    noise, epsilon, delta = target
    for _ in range(instances(2, 20)):
        start, moves = some_law(random, 2), [some_law(random, 2) for _ in range(2)]
        length = random.randint(2, 5)
        joint = {}
        for path in product(range(2), repeat=length):
            chance = start[path[0]]
            for here, there in pairwise(path):
                chance *= moves[here][there]
            joint[path] = chance
        given = {"chains": [{"initial": start, "P": moves}], "length": length, "values": [[0, 1]]}
        target_named = {"noise": noise, "epsilon": epsilon, "delta": delta}
        found = evaluate("pufferfish.chain_least_scale", given, **target_named)
        require_least(joint, found, target)
        require_root("chain_", given, found, target)
        tripled = evaluate(
            "pufferfish.chain_least_scale", given | {"values": [[5, 8]]}, **target_named
        )
        assert tripled.lower <= 3 * found.upper
        assert 3 * found.lower <= tripled.upper


@each(TARGETS)
def test_of_a_network_it_is_that_of_all_its_data_sets(target: tuple[str, str, str]) -> None:
    random = Random(f"network {target}")  # noqa: S311
    noise, epsilon, delta = target
    for _ in range(instances(2, 20)):
        tables = [[some_law(random, 2) for _ in range(rows)] for rows in (1, 2, 4)]
        nodes = [
            {"parents": parents, "table": table}
            for parents, table in zip(([], [1], [1, 2]), tables, strict=True)
        ]
        joint = {
            (a, b, c): tables[0][0][a] * tables[1][a][b] * tables[2][2 * a + b][c]
            for a, b, c in product(range(2), repeat=3)
        }
        given = {"networks": [nodes], "values": [[0, 1]]}
        target_named = {"noise": noise, "epsilon": epsilon, "delta": delta}
        found = evaluate("pufferfish.network_least_scale", given, **target_named)
        require_least(joint, found, target)
        require_root("network_", given, found, target)


@each(TARGETS)
def test_of_an_instantiation_it_is_the_largest_of_its_pairs(target: tuple[str, str, str]) -> None:
    random = Random(f"instantiation {target}")  # noqa: S311
    noise, epsilon, delta = target
    named = {"noise": noise, "epsilon": epsilon, "delta": delta}
    for _ in range(instances(2, 20)):
        given: dict[str, Any] = {
            "values": random.choices(range(5), k=6),
            "laws": [some_law(random, 6) for _ in range(2)],
            "secrets": [[1, 2], [3, 4], [5, 6]],
        }
        every = [list(pair) for pair in permutations((1, 2, 3), 2)]
        found = evaluate("pufferfish.least_scale", given, pairs=every, **named)
        alone = [evaluate("pufferfish.least_scale", given, pairs=[pair], **named) for pair in every]
        assert found.lower <= max(each.upper for each in alone)
        require_root("", given | {"pairs": every}, found, target)
        assert max(each.lower for each in alone) <= found.upper


def test_normal_noise_is_not_asked_for_pure_privacy() -> None:
    given = {"values": [0, 1], "laws": [["1/2", "1/2"]], "secrets": [[1], [2]], "pairs": [[1, 2]]}
    with pytest.raises(DomainError, match="delta > 0 with gaussian noise"):
        evaluate("pufferfish.least_scale", given, noise="gaussian", epsilon=1, delta=0)
