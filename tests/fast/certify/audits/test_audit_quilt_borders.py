"""Random claims of unknown queries near the border of what quilts guarantee: no verdict is wrong.

Every quilt of every node is listed, with its influence from all data sets, or from the formula of
the class's note. A claim beyond that guarantee is not certified, one within it is not refuted; what
is certified no member and query that are drawn lose more than, and what is refuted some lose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import mpmath
import networkx as nx
import pytest
from brute_losses import (
    Joint,
    Law,
    data_sets,
    largest_delta,
    largest_renyi,
    pairs_of_states,
    paths,
)
from instances import instances
from simplexcert.certify import Verdict, audit

# By such parts of epsilon or delta a claim is off the border.
NEAR = tuple(Fraction(1, 10**digits) for digits in (6, 9, 12))
KINDS = ("pure", "delta", "order")
_DIGITS = 40


class Quilt(NamedTuple):
    """How many nodes it leaves near, and the influence, or infinity."""

    near: int
    influence: Any


class Drawn(NamedTuple):
    """A class as a claim has it, the quilts of each node, and data sets of some members."""

    release: dict[str, Any]
    nodes: list[list[Quilt]]
    members: list[Joint]


def shares(random: Random, size: int) -> list[Fraction]:
    counts = [random.choice((1, 1, 2, 3, 5)) for _ in range(size)]
    return [Fraction(count, sum(counts)) for count in counts]


def listed(joint: Joint, near: Callable[[int, tuple[int, ...]], int]) -> list[list[Quilt]]:
    """List the quilts of each node that can have two values; nodes are numbered from 0."""
    size = len(next(iter(joint)))
    found = []
    for node in range(size):
        if len({states[node] for states, share in joint.items() if share}) < 2:
            continue
        others = [other for other in range(size) if other != node]
        sets = (one for count in range(size) for one in combinations(others, count))
        found.append([Quilt(near(node, one), influence(joint, node, one)) for one in sets])
    return found


def influence(joint: Joint, node: int, quilt: Sequence[int]) -> Any:
    totals: dict[int, Fraction] = {}
    laws: dict[int, dict[tuple[int, ...], Fraction]] = {}
    for states, share in joint.items():
        if share:
            key = tuple(states[one] for one in quilt)
            law = laws.setdefault(states[node], {})
            law[key] = law.get(key, Fraction(0)) + share
            totals[states[node]] = totals.get(states[node], Fraction(0)) + share
    worst = Fraction(1)
    for one, other in product(laws, repeat=2):
        for key, share in laws[one].items():
            if key not in laws[other]:
                return mpmath.inf
            worst = max(worst, share / totals[one] / (laws[other][key] / totals[other]))
    return logarithm(worst)


def logarithm(value: Fraction) -> Any:
    return mpmath.log(mpmath.mpf(value.numerator) / value.denominator)


def stretch(length: int) -> Callable[[int, tuple[int, ...]], int]:
    """Return how many nodes of a chain no node of a quilt parts from a node."""

    def near(node: int, quilt: tuple[int, ...]) -> int:
        first = max((one for one in quilt if one < node), default=-1)
        return min((one for one in quilt if one > node), default=length) - first - 1

    return near


def a_chain(random: Random) -> Drawn:
    states, length = random.choice(((2, 3), (2, 4), (2, 5), (3, 3)))
    chains = [
        {"initial": shares(random, states), "P": [shares(random, states) for _ in range(states)]}
        for _ in range(random.choice((1, 2)))
    ]
    members = [paths(one["initial"], one["P"], length) for one in chains]  # type: ignore[arg-type]
    nodes = [node for joint in members for node in listed(joint, stretch(length))]
    return Drawn({"chains": chains, "length": length}, nodes, members)


def a_network(random: Random) -> Drawn:
    shape = random.choice(([[], [1], [2], [3]], [[], [], [1, 2]], [[], [1], [1], [2, 3]]))
    network = [
        {"parents": own, "table": [shares(random, 2) for _ in range(2 ** len(own))]}
        for own in shape
    ]
    graph = nx.DiGraph((parent - 1, at) for at, own in enumerate(shape) for parent in own)

    def near(node: int, quilt: tuple[int, ...]) -> int:
        others = set(graph) - {node, *quilt}
        return 1 + sum(not nx.is_d_separator(graph, {node}, {other}, {*quilt}) for other in others)

    joint = data_sets(network)
    return Drawn({"networks": [network]}, listed(joint, near), [joint])


def sided(length: int, before: Callable[[int], Any], after: Callable[[int], Any]) -> Any:
    """List the quilts of a chain's nodes whose influence is a sum of one for each side."""
    return [
        [
            Quilt(
                (a or node) + (b or length - node + 1) - 1,
                (before(a) if a else 0) + (after(b) if b else 0),
            )
            for a in range(node)
            for b in range(length - node + 1)
        ]
        for node in range(1, length + 1)
    ]


def an_interval(random: Random) -> Drawn:
    """Three states: by the ratios of entries within bounds."""
    states, length = 3, random.choice((2, 3, 4))
    rows = [shares(random, states) for _ in range(states)]
    off = Fraction(1, random.choice((50, 100, 400)))
    low = [[max(entry - off, Fraction(1, 1000)) for entry in row] for row in rows]
    high = [[min(entry + off, Fraction(1)) for entry in row] for row in rows]
    least = [
        [max(few[z], 1 - sum(most) + most[z]) for z in range(states)]
        for few, most in zip(low, high, strict=True)
    ]
    most = [
        [min(up[z], 1 - sum(few) + few[z]) for z in range(states)]
        for few, up in zip(low, high, strict=True)
    ]
    ratio = cross = Fraction(1)
    for x, y in product(range(states), repeat=2):
        for z, w in product(range(states), repeat=2):
            if x != y:
                ratio = max(ratio, most[x][z] / least[y][z])
            if x != y and z != w:
                cross = max(cross, most[x][z] * most[y][w] / (least[x][w] * least[y][z]))
    root = mpmath.sqrt(mpmath.mpf(cross.numerator) / cross.denominator)
    tau = (root - 1) / (root + 1)
    nodes = sided(
        length,
        lambda a: tau ** (a - 1) * logarithm(cross),
        lambda b: tau ** (b - 1) * logarithm(ratio),
    )
    moved = [[row[0] + off / 2, row[1] - off / 2, row[2]] for row in rows]
    starts = (shares(random, states), [Fraction(1), Fraction(0), Fraction(0)])
    members = [paths(start, P, length) for start in starts for P in (rows, moved)]
    members = [joint for joint in members if min(joint.values()) >= 0]
    return Drawn({"low": low, "high": high, "length": length}, nodes, members)


def two_states(random: Random) -> Drawn:
    """Both stay with a probability in one interval: every start, and the two symmetric corners."""
    length, low = random.choice((2, 3, 5)), Fraction(random.randint(20, 60), 100)
    high = low + Fraction(random.randint(1, 20), 100)

    def ratio(stay: Fraction, lag: int) -> Any:
        left = abs(2 * stay - 1) ** lag
        return logarithm((1 + left) / (1 - left))

    nodes = [
        [
            Quilt(
                (a or node) + (b or length - node + 1) - 1,
                (ratio(stay, a) + ratio(stay, node - 1) if a else 0) + (ratio(stay, b) if b else 0),
            )
            for a in range(node)
            for b in range(length - node + 1)
        ]
        for stay in (low, high)
        for node in range(1, length + 1)
    ]
    stays = [low + (high - low) * Fraction(random.randint(0, 4), 4) for _ in range(2)]
    rows = [[stays[0], 1 - stays[0]], [1 - stays[1], stays[1]]]
    members = [paths(start, rows, length) for start in (shares(random, 2), [1, 0])]
    bounds = {"low": [[low, 1 - high], [1 - high, low]], "high": [[high, 1 - low], [1 - low, high]]}
    return Drawn({**bounds, "length": length}, nodes, members)


def a_mixing_class(random: Random) -> Drawn:
    states, length = random.choice(((2, 3), (2, 5), (3, 4)))
    gap = Fraction(random.randint(10, 20), 10)
    law = shares(random, states)
    least = min(law) * Fraction(random.randint(5, 10), 10)

    def forgotten(lag: int) -> Any:
        left = mpmath.exp(-mpmath.mpf(gap.numerator) / gap.denominator * lag / 2)
        low = mpmath.mpf(least.numerator) / least.denominator
        return mpmath.log((low + left) / (low - left)) if left < low else mpmath.inf

    nodes = sided(length, lambda a: 2 * forgotten(a), forgotten)
    # With probability 1 - c the state stays, else it is drawn anew: reversible, and 1 - c is its
    # second eigenvalue.
    c = gap / 2 + (1 - gap / 2) * Fraction(random.randint(0, 4), 4)
    rows = [
        [c * share + (1 - c) * (at == x) for at, share in enumerate(law)] for x in range(states)
    ]
    starts = (law, shares(random, states), [Fraction(at == 0) for at in range(states)])
    members = [paths(start, rows, length) for start in starts]
    release = {"pi_min": least, "gap": gap, "state_count": states, "length": length}
    return Drawn(release, nodes, members)


FAMILIES = {
    "pufferfish.chain": a_chain,
    "pufferfish.network": a_network,
    "pufferfish.interval_chain": an_interval,
    "pufferfish.interval_chain of two states": two_states,
    "pufferfish.mixing_chain": a_mixing_class,
}
# Those that allow normal noise.
NORMAL = ("pufferfish.chain", "pufferfish.network", "pufferfish.interval_chain of two states")
CASES = [
    (mechanism, kind)
    for mechanism in FAMILIES
    for kind in KINDS
    if kind == "pure" or mechanism in NORMAL
]


def guarantee(nodes: list[list[Quilt]], kind: str, noise: Any, at: Any) -> Any:
    """Return the least epsilon, or at an epsilon the least delta, that quilts give.

    ``noise`` is the scale over the Lipschitz constant, ``at`` the order, or epsilon.
    """

    def score(quilt: Quilt) -> Any:
        if kind == "pure":
            return quilt.influence + quilt.near / noise
        if kind == "order":
            return quilt.influence + at * (quilt.near / noise) ** 2 / 2
        if quilt.influence > at:
            return mpmath.inf
        left, shift = at - quilt.influence, quilt.near / noise
        tail = mpmath.ncdf(-shift / 2 - left / shift)
        return mpmath.ncdf(shift / 2 - left / shift) - mpmath.exp(left) * tail

    return max(min(map(score, quilts)) for quilts in nodes)


def queries(
    random: Random, size: int, states: int, lipschitz: int, count: int
) -> Iterator[list[list[int]]]:
    """Yield queries of nodes' states that count or do not."""
    for _ in range(count):
        yield [[lipschitz * random.randint(0, 1) for _ in range(states)] for _ in range(size)]


def largest_loss(pairs: Iterable[tuple[Law, Law]], scale: Fraction) -> Fraction:
    """Return about the largest log-ratio of densities under Laplace noise, in both orders."""

    def density(law: Law, at: Fraction) -> Any:
        return mpmath.fsum(
            mpmath.mpf(share.numerator)
            / share.denominator
            * mpmath.exp(-mpmath.mpf((abs(at - point) / scale).numerator)
                         / (abs(at - point) / scale).denominator)
            for point, share in law.items()
        )  # fmt: skip

    worst = mpmath.mpf(0)
    with mpmath.workdps(_DIGITS):
        for first, second in pairs:
            for at in {*first, *second}:
                worst = max(worst, abs(mpmath.log(density(first, at) / density(second, at))))
        return exact(worst)


def exact(value: Any) -> Fraction:
    return Fraction(int(mpmath.floor(value * 10**_DIGITS)), 10**_DIGITS)


def verdicts(mechanism: str, kind: str, number: int, seed: int) -> Counter[tuple[bool, Verdict]]:
    """Count verdicts of random claims, by whether quilts give what is claimed."""
    random = Random(f"{mechanism} {kind} {seed}")  # noqa: S311
    found: Counter[tuple[bool, Verdict]] = Counter()
    while found.total() < number:
        with mpmath.workdps(_DIGITS + 20):
            drawn = FAMILIES[mechanism](random)
            lipschitz, scale = random.choice((1, 2)), Fraction(random.randint(5, 60), 10)
            epsilon, order = Fraction(random.randint(1, 16), 4), random.choice((2, 3, 8))
            at = order if kind == "order" else mpmath.mpf(epsilon.numerator) / epsilon.denominator
            noise = mpmath.mpf(scale.numerator) / scale.denominator / lipschitz
            border = exact(guarantee(drawn.nodes, kind, noise, at))
        holds = random.random() < 0.5
        claimed = border * (1 + random.choice(NEAR) * (1 if holds else -1))
        if not (Fraction(1, 10**20) < claimed < (1 if kind == "delta" else 100)):
            continue
        claim = {
            "pure": {"epsilon": claimed},
            "delta": {"epsilon": epsilon, "delta": claimed},
            "order": {"epsilon": claimed, "order": order},
        }[kind]
        law = "laplace" if kind == "pure" else "gaussian"
        release = {
            **drawn.release,
            "mechanism": mechanism.split(maxsplit=1)[0],
            "scale": scale,
            "lipschitz": lipschitz,
        }
        release |= {} if kind == "pure" else {"noise": law}
        verdict = audit({"release": release, "claim": claim}).verdict
        assert verdict is not (Verdict.REFUTED if holds else Verdict.CERTIFIED), (release, claim)

        def exceeds(joint: Joint, values: list[list[int]]) -> bool:
            pairs = list(pairs_of_states(joint, values))
            if kind == "pure":
                return largest_loss(pairs, scale) > claimed  # noqa: B023
            if kind == "delta":
                return largest_delta(pairs, law, scale, epsilon) > claimed  # noqa: B023
            return largest_renyi(pairs, law, scale, Fraction(order)) > claimed  # noqa: B023

        # Losses at a delta or an order take long.
        for joint in drawn.members if kind == "pure" else random.sample(drawn.members, 1):
            states = next(iter(joint))
            kinds = 1 + max(state for one in joint for state in one)
            for values in queries(
                random, len(states), kinds, lipschitz, 2 if kind == "pure" else 1
            ):
                if verdict is Verdict.CERTIFIED:
                    assert not exceeds(joint, values), (release, claim, values)
        if verdict is Verdict.REFUTED:
            assert any(
                exceeds(joint, [list(row) for row in rows])
                for joint in drawn.members
                for rows in product(((0, lipschitz), (lipschitz, 0), (0, 0)),
                                    repeat=len(next(iter(joint))))
            ), (release, claim)  # fmt: skip
        found[holds, verdict] += 1
    return found


@pytest.mark.parametrize(("mechanism", "kind"), CASES)
def test_no_verdict_of_an_unknown_query_is_against_all_quilts(mechanism: str, kind: str) -> None:
    found = verdicts(mechanism, kind, instances(1, 20), 0)
    assert (True, Verdict.UNDECIDED) not in found, "what quilts give is certified"
