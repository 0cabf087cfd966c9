"""Formulas of the notes on Bayesian networks and composition, executed in rationals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import TypeAlias

from ....reference.structures import Network, NetworkNode
from .executed_setting import random_law

Joint: TypeAlias = Mapping[tuple[int, ...], Fraction]
# The graph of Figure 2: X_1 -> X_2, X_1 -> X_3, (X_2, X_3) -> X_4; parents by number from 1.
FIGURE_2 = ((), (1,), (1,), (2, 3))
# e^(1/s) for the scale s of Laplace noise, as rationals.
RATES = (Fraction(3), Fraction(5, 4))


def random_network(random: Random, parents: tuple[tuple[int, ...], ...]) -> Network:
    """Return bits with these parents and positive tables."""
    return tuple(
        NetworkNode(each, tuple(random_law(random, 2) for _ in range(2 ** len(each))))
        for each in parents
    )


def joint_of(network: Network) -> Joint:
    """Return the product of the tables of bits whose parents come first."""
    joint = {}
    for x in product((0, 1), repeat=len(network)):
        rows = (
            node.table[int("".join(str(x[at - 1]) for at in node.parents) or "0", 2)]
            for node in network
        )
        joint[x] = prod((row[value] for row, value in zip(rows, x, strict=True)), start=Fraction(1))
    return joint


def chance(joint: Joint, known: Mapping[int, int]) -> Fraction:
    """Return the probability that nodes, from 1, have these values."""
    return sum(
        (p for x, p in joint.items() if all(x[at - 1] == v for at, v in known.items())), Fraction(0)
    )


def examples(count: int) -> Iterator[Joint]:
    """Yield laws on the graph of Figure 2."""
    random = Random(11)  # noqa: S311
    for _ in range(count):
        yield joint_of(random_network(random, FIGURE_2))


def product_of_tables_is_the_law() -> bool:
    """The product sums to 1 and its conditional laws are the tables."""
    random = Random(12)  # noqa: S311
    for _ in range(5):
        network = random_network(random, FIGURE_2)
        joint = joint_of(network)
        if sum(joint.values()) != 1:
            return False
        for x in joint:
            for at, node in enumerate(network, 1):
                known = {one: x[one - 1] for one in node.parents}
                row = node.table[int("".join(str(v) for v in known.values()) or "0", 2)]
                if chance(joint, {**known, at: x[at - 1]}) / chance(joint, known) != row[x[at - 1]]:
                    return False
    return True


def influence(joint: Joint, node: int, quilt: tuple[int, ...]) -> Fraction:
    """Return e to the max-influence of a node on others, every value being possible."""
    found = Fraction(1)
    for seen in product((0, 1), repeat=len(quilt)):
        known = dict(zip(quilt, seen, strict=True))
        given = [chance(joint, {**known, node: v}) / chance(joint, {node: v}) for v in (0, 1)]
        found = max(found, *(a / b for a, b in permutations(given, 2)))
    return found


def no_influence_is_independence() -> bool:
    """E = 0 exactly where the others are independent of the node; X_1 -> X_3 <- X_2 has both."""
    random, seen = Random(13), set()  # noqa: S311
    for _ in range(5):
        joint = joint_of(random_network(random, ((), (), (1, 2))))
        for quilt in ((2,), (3,), (2, 3)):
            free = all(
                chance(joint, {1: x[0], **{at: x[at - 1] for at in quilt}})
                == chance(joint, {1: x[0]}) * chance(joint, {at: x[at - 1] for at in quilt})
                for x in joint
            )
            if (influence(joint, 1, quilt) == 1) != free:
                return False
            seen.add(free)
    return seen == {True, False}


def parted(joint: Joint, node: int, quilt: tuple[int, ...], far: tuple[int, ...]) -> bool:
    """Whether far nodes are independent of the node given the quilt, exactly."""
    for x in joint:
        at = {one: x[one - 1] for one in (*quilt, *far)}
        given = {one: x[one - 1] for one in quilt}
        own = {node: x[node - 1]}
        both = chance(joint, {**at, **own}) * chance(joint, given)
        if both != chance(joint, at) * chance(joint, {**given, **own}):
            return False
    return True


def blankets_and_quilts_part() -> bool:
    """X_1's blanket parts it from X_4; {X_1} parts X_2 from X_3, which deleting it does not."""
    return all(
        parted(joint, 1, (2, 3), (4,)) and parted(joint, 2, (1,), (3,)) for joint in examples(5)
    )


def middle_of_a_chain_is_parted() -> bool:
    """On a chain of 7 nodes {X_2, X_6} parts X_4 from X_1 and X_7."""
    random = Random(14)  # noqa: S311
    chain = random_network(random, ((), *((at,) for at in range(1, 7))))
    return parted(joint_of(chain), 4, (2, 6), (1, 7))


def colliders_are_not_parted() -> bool:
    """In X_1 -> X_3 <- X_2 the set {X_3} does not part X_1 from X_2."""
    random = Random(15)  # noqa: S311
    return not parted(joint_of(random_network(random, ((), (), (1, 2)))), 1, (3,), (2,))


def density(
    joint: Joint, node: int, value: int, queries: list[list[int]], seen: tuple[int, ...]
) -> Fraction:
    """Return the density of all answers given a value of the node, up to a common factor."""
    total = Fraction(0)
    for x, p in joint.items():
        if x[node - 1] == value:
            factor = prod(
                (
                    1 / rate ** abs(at - sum(a * b for a, b in zip(query, x, strict=True)))
                    for query, rate, at in zip(queries, RATES, seen, strict=False)
                ),
                start=Fraction(1),
            )
            total += p * factor
    return total / chance(joint, {node: value})


def quilts_bound(releases: int) -> bool:
    """Ratios of densities are at most e^(e(Q)) times the product of rates^card(N), every quilt."""
    random = Random(16)  # noqa: S311
    near = {(): 4, (1,): 2, (3,): 3, (1, 3): 2, (1, 4): 2, (1, 3, 4): 1}
    for joint in examples(3):
        queries = [[random.choice((0, 1)) for _ in range(4)] for _ in range(releases)]
        outcomes = list(product(range(-1, 6), repeat=releases))
        laws = [{w: density(joint, 2, v, queries, w) for w in outcomes} for v in (0, 1)]
        worst = max(a[w] / b[w] for a, b in permutations(laws, 2) for w in outcomes)
        for quilt, card in near.items():
            if worst > influence(joint, 2, quilt) * prod(RATES[:releases]) ** card:
                return False
    return True


def one_release_is_bounded() -> bool:
    """The bound for one release."""
    return quilts_bound(1)


def two_releases_are_bounded() -> bool:
    """The bound for two releases together."""
    return quilts_bound(2)


def sums_bound_every_combination() -> bool:
    """e_1 + c_1 (1/s_1 + 1/s_2) <= epsilon_1 + epsilon_2 where c_1 <= c_2, c/s <= epsilon - e."""
    random = Random(17)  # noqa: S311
    for _ in range(100):
        cards = sorted(random.randint(1, 9) for _ in "ab")
        influences = [Fraction(random.randint(0, 9), 4) for _ in "ab"]
        wanted = [e + Fraction(random.randint(1, 9), 3) for e in influences]
        inverse = [(eps - e) / c for eps, e, c in zip(wanted, influences, cards, strict=True)]
        if influences[0] + cards[0] * sum(inverse) > sum(wanted):
            return False
        if sum(wanted) > len(wanted) * max(wanted):
            return False
    return True


def sets_of_others(length: int) -> int:
    """Count the sets of other nodes of a chain's node."""
    return sum(1 for size in range(length) for _ in combinations(range(length - 1), size))
