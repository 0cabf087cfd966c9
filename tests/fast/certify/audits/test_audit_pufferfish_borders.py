"""Random Pufferfish claims near the border: no verdict is against what brute force finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from brute_losses import (
    Law,
    data_sets,
    largest_delta,
    largest_renyi,
    law_of,
    pairs_of_states,
    paths,
)
from each import each_of
from instances import instances
from simplexcert.certify import Verdict, audit

# By so much a claimed delta is off the border at least; brute force is nearer to it.
NEAR = Fraction(1, 10**12)
NOISE = ("laplace", "gaussian")
ORDERS = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(7))
Pairs = Iterable[tuple[Law, Law]]


def some_law(random: Random, size: int, *, zeros: bool = True) -> list[Fraction]:
    """Return shares of which some may be 0."""
    counts = [random.choice((0, 1, 1, 2, 5, 9) if zeros else (1, 2, 5)) for _ in range(size)]
    counts[random.randrange(size)] += 1
    return [Fraction(count, sum(counts)) for count in counts]


def some_values(random: Random, nodes: int, states: int) -> list[list[int]]:
    """Return a query that is no constant: a row for all nodes, or one for each."""
    found = [
        [random.randint(-2, 3) for _ in range(states)] for _ in range(random.choice((1, nodes)))
    ]
    found[0][0] = found[0][1] + 1
    return found


def a_chain(random: Random) -> tuple[dict[str, Any], Pairs]:
    states, length = random.choice(((2, 2), (2, 3), (2, 4), (3, 3)))
    initial, values = some_law(random, states, zeros=False), some_values(random, length, states)
    rows = [some_law(random, states) for _ in range(states)]
    chain = {"initial": initial, "P": rows}
    release = {"chains": [chain], "length": length, "values": values}
    return release, pairs_of_states(paths(initial, rows, length), values)


def a_network(random: Random) -> tuple[dict[str, Any], Pairs]:
    parents = random.choice(([[], [1], [2]], [[], [], [1, 2]], [[], [1], [1]]))
    network = [
        {
            "parents": own,
            "table": [some_law(random, 2, zeros=bool(own)) for _ in range(2 ** len(own))],
        }
        for own in parents
    ]
    values = some_values(random, 3, 2)
    return {"networks": [network], "values": values}, pairs_of_states(data_sets(network), values)


def an_instantiation(random: Random) -> tuple[dict[str, Any], Pairs]:
    size, values = 5, [random.randint(0, 4) for _ in range(5)]
    laws = [some_law(random, size, zeros=False), some_law(random, size)]
    secrets, pairs = [[1, 2], [3, 4, 5], [2, 4]], [[1, 2], [2, 3]]
    given = [
        tuple(law_of(values, law, secrets[at - 1]) for at in pair) for law in laws for pair in pairs
    ]
    release = {"values": values, "laws": laws, "secrets": secrets, "pairs": pairs}
    return release, [(one, other) for one, other in given if one and other]


FAMILIES = {
    "pufferfish.chain": a_chain,
    "pufferfish.network": a_network,
    "pufferfish.wasserstein": an_instantiation,
}


def verdicts(mechanism: str, noise: str, number: int, seed: int) -> Counter[tuple[bool, Verdict]]:
    """Count verdicts of random claims, by whether brute force says that the claim holds."""
    random = Random(f"{mechanism} {noise} {seed}")  # noqa: S311
    found: Counter[tuple[bool, Verdict]] = Counter()
    while found.total() < number:
        release, pairs = FAMILIES[mechanism](random)
        scale = Fraction(random.randint(1, 60), 10)
        epsilon = Fraction(random.choice((0, 1, 2, 4, 8)), 4)
        exact = largest_delta(pairs, noise, scale, epsilon)
        apart = NEAR * 10 ** random.choice((0, 0, 0, 3, 8))
        holds = random.random() < 0.5
        delta = exact + apart if holds else exact - apart
        if not 0 < delta <= 1:
            continue
        whole = {**release, "mechanism": mechanism, "scale": scale, "noise": noise}
        answer = audit({"release": whole, "claim": {"epsilon": epsilon, "delta": delta}})
        wrong = Verdict.REFUTED if holds else Verdict.CERTIFIED
        assert answer.verdict is not wrong, (whole, epsilon, delta)
        found[holds, answer.verdict] += 1
    return found


def verdicts_at_orders(
    mechanism: str, noise: str, number: int, seed: int
) -> Counter[tuple[bool, Verdict]]:
    """Count the same of claims at an order of Renyi, 10^-12 to 10^-9 of epsilon off the border."""
    random = Random(f"{mechanism} {noise} order {seed}")  # noqa: S311
    found: Counter[tuple[bool, Verdict]] = Counter()
    while found.total() < number:
        release, pairs = FAMILIES[mechanism](random)
        scale, order = Fraction(random.randint(12, 60), 10), random.choice(ORDERS)
        exact = largest_renyi(pairs, noise, scale, order)
        holds = random.random() < 0.5
        apart = NEAR * 10 ** random.choice((0, 0, 1, 3)) * (1 if holds else -1)
        epsilon = exact * (1 + apart)
        if epsilon <= 0:
            continue
        whole = {**release, "mechanism": mechanism, "scale": scale, "noise": noise}
        answer = audit({"release": whole, "claim": {"epsilon": epsilon, "order": order}})
        wrong = Verdict.REFUTED if holds else Verdict.CERTIFIED
        assert answer.verdict is not wrong, (whole, epsilon, order)
        found[holds, answer.verdict] += 1
    return found


@pytest.mark.parametrize("mechanism", FAMILIES)
@pytest.mark.parametrize("noise", NOISE)
def test_no_verdict_at_an_order_is_against_brute_force(mechanism: str, noise: str) -> None:
    found = verdicts_at_orders(mechanism, noise, instances(1, 20), 0)
    assert set(found) <= {(True, Verdict.CERTIFIED), (False, Verdict.REFUTED)}, "all are decided"


@each_of("mechanism", FAMILIES)
@each_of("noise", NOISE)
def test_no_verdict_is_against_brute_force(mechanism: str, noise: str) -> None:
    found = verdicts(mechanism, noise, instances(2, 20), 0)
    assert set(found) <= {(True, Verdict.CERTIFIED), (False, Verdict.REFUTED)}, "all are decided"
