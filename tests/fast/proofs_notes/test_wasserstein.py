"""The laws of proofs_notes/wasserstein.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb, prod
from random import Random

import pytest
from ball_checks import seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.pufferfish.additive import (
    chain_loss,
    chain_wasserstein,
    laws_given_states,
    steps_of,
)
from simplexcert.reference.pufferfish.divergences import (
    Atoms,
    atoms_of,
    largest_move,
    largest_move_of_enclosed,
)
from simplexcert.reference.pufferfish.wasserstein import instantiation_loss, wasserstein_scale
from simplexcert.reference.structures import ChainLaw

ONE, HALF = Fraction(1), Fraction(1, 2)
COUNT = ((Fraction(0), ONE),)


def random_law(random: Random, size: int) -> list[Fraction]:
    weights = [random.choice((0, 1, 1, 3, 10)) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_atoms(random: Random) -> Atoms:
    size = random.randint(1, 6)
    points = [Fraction(random.randint(0, 30), random.choice((1, 2, 3))) for _ in range(size)]
    return atoms_of(zip(points, random_law(random, size), strict=True))


def mass_up_to(law: Atoms, x: Fraction) -> Fraction:
    found = sum(w for point, w in zip(law.points, law.weights, strict=True) if point <= x)
    return Fraction(found, law.total)


def test_strassen() -> None:
    """The condition at the points and just below them, where it could fail first."""

    def holds(first: Atoms, second: Atoms, d: Fraction) -> bool:
        places = [*first.points, *(y - d for y in second.points)]
        tiny = Fraction(1, 1000)
        tried = [x - e for x in places for e in (0, tiny)]
        return all(mass_up_to(first, x) <= mass_up_to(second, x + d) for x in tried)

    random = seeded(1)
    for _ in range(instances(20, 60)):
        mu, nu = random_atoms(random), random_atoms(random)
        exact = largest_move(mu, nu)
        for d in {abs(Fraction(x) - y) for x in mu.points for y in nu.points} | {Fraction(0)}:
            assert (holds(mu, nu, d) and holds(nu, mu, d)) == (exact <= d)


def test_monotone_coupling() -> None:
    """Of equal atoms some permutation is a best coupling, by Birkhoff's theorem."""
    random = seeded(2)
    for _ in range(instances(20, 60)):
        size = random.randint(1, 5)
        first, second = ([random.randint(0, 12) for _ in range(size)] for _ in range(2))
        laws = [
            atoms_of((Fraction(x), Fraction(1, size)) for x in points) for points in (first, second)
        ]
        least = min(
            max(abs(a - b) for a, b in zip(first, order, strict=True))
            for order in permutations(second)
        )
        assert largest_move(*laws) == least


def test_enclosed_masses() -> None:
    random = seeded(3)
    decided = 0
    for _ in range(60):
        laws = [random_atoms(random) for _ in range(2)]
        given = [
            [(Fraction(x), ball(Fraction(w)).sqrt() ** 2) for x, w in zip(*law, strict=True)]
            for law in laws
        ]
        found = largest_move_of_enclosed(*given)
        decided += found is not None
        assert found in (None, largest_move(*laws))
    assert decided > 20
    wide = [(Fraction(0), arb(1, 0.5)), (Fraction(1), arb(1))]
    assert largest_move_of_enclosed(wide, wide) is None
    unknown = [(Fraction(0), arb(0, 1)), (Fraction(1), arb(1))]
    with pytest.raises(ValueError, match="certainly positive"):
        largest_move_of_enclosed(unknown, wide)


def test_shared_mixing() -> None:
    random = seeded(4)
    strictly = 0
    for _ in range(60):
        size = random.randint(2, 5)
        weights = random_law(random, 3)
        laws = [[random_law(random, size) for _ in range(3)] for _ in range(2)]
        points = sorted(random.sample(range(20), size))

        def atoms(shares: Sequence[Fraction], points: Sequence[int] = points) -> Atoms:
            return atoms_of((Fraction(x), m) for x, m in zip(points, shares, strict=True))

        mixed = [
            atoms(
                [
                    sum((c * law[at] for c, law in zip(weights, group, strict=True)), Fraction(0))
                    for at in range(size)
                ]
            )
            for group in laws
        ]
        used = [k for k in range(3) if weights[k]]
        most = max(largest_move(atoms(laws[0][k]), atoms(laws[1][k])) for k in used)
        assert largest_move(*mixed) <= most
        strictly += largest_move(*mixed) < most
    assert strictly > 10


def test_forward_backward() -> None:
    """All paths listed, with zeros, of a few states and nodes."""
    random = seeded(5)
    for _ in range(instances(10, 30)):
        states, length = random.randint(2, 3), random.randint(1, 5)
        moves = tuple(tuple(random_law(random, states)) for _ in range(states))
        initial = random_law(random, states)
        steps = [tuple(random.randint(0, 4) for _ in range(states)) for _ in range(length)]
        found = list(laws_given_states(initial, moves, steps))
        for node in range(length):
            listed: dict[int, list[tuple[Fraction, Fraction]]] = {}
            for path in product(range(states), repeat=length):
                chance = initial[path[0]] * prod(moves[a][b] for a, b in pairwise(path))
                value = sum(step[at] for step, at in zip(steps, path, strict=True))
                if chance:
                    listed.setdefault(path[node] + 1, []).append(
                        (Fraction(value), Fraction(chance))
                    )
            assert {*found[node]} == {*listed}
            assert all(found[node][at].is_same_law(atoms_of(listed[at])) for at in listed)


def test_whole_steps() -> None:
    random = seeded(6)
    for _ in range(instances(8, 20)):
        chain = random_chain(random)
        whole = [[Fraction(random.randint(0, 4)) for _ in range(2)] for _ in range(3)]
        unit, shift = Fraction(random.randint(1, 9), 7), [Fraction(k, 5) for k in (1, -3, 8)]
        values = tuple(
            tuple(unit * value + by for value in row) for row, by in zip(whole, shift, strict=True)
        )
        steps = steps_of(values, 3)
        assert all(
            steps.unit * (row[1] - row[0]) == given[1] - given[0]
            for row, given in zip(steps.steps, values, strict=True)
        )
        assert all(min(row) == 0 for row in steps.steps)
        plain = tuple(map(tuple, whole))
        assert chain_wasserstein((chain,), 3, values) == unit * chain_wasserstein(
            (chain,), 3, plain
        )
        one, other = (
            chain_loss((chain,), 3, values, unit * 2),
            chain_loss((chain,), 3, plain, 2 * ONE),
        )
        assert one.overlaps(other)
        assert min(one.rel_accuracy_bits(), other.rel_accuracy_bits()) > 100


def random_chain(random: Random) -> ChainLaw:
    rows = tuple(tuple(random_law(random, 2)) for _ in range(2))
    return ChainLaw(tuple(random_law(random, 2)), rows)


def bits_of(number: int, count: int) -> tuple[int, ...]:
    return tuple(number >> at & 1 for at in range(count))


def holding(records: Sequence[tuple[int, ...]], node: int, value: int) -> tuple[int, ...]:
    return tuple(at for at, record in enumerate(records, 1) if record[node] == value)


def test_independence_within_groups_is_joint() -> None:
    records = [(a, b, a ^ b) for a, b in product((0, 1), repeat=2)]
    law = (Fraction(1, 4),) * 4
    for i, j in ((0, 1), (0, 2), (1, 2)):
        pairs = [(record[i], record[j]) for record in records]
        assert {*pairs} == {*product((0, 1), repeat=2)}  # each once: independent fair bits
    values = tuple(Fraction(sum(record)) for record in records)
    secrets = tuple(holding(records, node, value) for node in range(3) for value in (0, 1))
    pairs_of_secrets = ((1, 2), (3, 4), (5, 6))
    given = values, (law,), secrets, pairs_of_secrets
    assert wasserstein_scale(*given, ONE) == 2
    found = instantiation_loss(*given, ONE)
    exact = ((1 + arb(2).exp()) / 2).log()
    assert found.rel_accuracy_bits() > 100
    assert found.overlaps(exact)
    digits = Fraction("1.43378083048302")
    assert ball(digits) < found < ball(digits + Fraction(2, 10**14))


def test_mixtures_are_not_covered() -> None:
    """One bit, and how many of the others are ones: enough of a data set for the sum."""
    for n, printed in ((5, "2.86315"), (10, "3.18903"), (20, "3.19722")):
        records = [(first, rest) for first in (0, 1) for rest in range(n)]

        def law(
            p: Fraction, records: list[tuple[int, int]] = records, n: int = n
        ) -> list[Fraction]:
            return [
                comb(n - 1, rest) * p ** (first + rest) * (1 - p) ** (n - first - rest)
                for first, rest in records
            ]

        low, high = law(Fraction(1, 10)), law(Fraction(9, 10))
        mixed = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
        values = tuple(Fraction(first + rest) for first, rest in records)
        secrets = (holding(records, 0, 0), holding(records, 0, 1))
        members = (tuple(low), tuple(high))
        assert wasserstein_scale(values, members, secrets, ((1, 2),), ONE) == 1
        found = instantiation_loss(values, (tuple(mixed),), secrets, ((1, 2),), ONE)
        half = Fraction(5, 10**6)
        assert ball(Fraction(printed) - half) < found < ball(Fraction(printed) + half)


def test_flu_example() -> None:
    infected = [Fraction(x) for x in ("0.1", "0.15", "0.5", "0.15", "0.1")]
    records = [bits_of(number, 4) for number in range(16)]
    law = tuple(infected[sum(record)] / comb(4, sum(record)) for record in records)
    values = tuple(Fraction(sum(record)) for record in records)
    for node in range(4):
        secrets = (holding(records, node, 0), holding(records, node, 1))
        for secret, expected in zip(
            secrets, (("1/5", "9/40", "1/2", "3/40"), ("3/40", "1/2", "9/40", "1/5")), strict=True
        ):
            atoms = atoms_of((values[at - 1], law[at - 1]) for at in secret)
            assert [Fraction(w, atoms.total) for w in atoms.weights] == [*map(Fraction, expected)]
        assert wasserstein_scale(values, (law,), secrets, ((1, 2),), HALF) == 2 / HALF
    assert max(values) - min(values) == 4


def test_cliques() -> None:
    sizes = {1: (1,), 2: (2, 4), 3: (5, 10), 4: (15, 30), 5: (50, 100), 6: (200, 400)}
    for distance, members in sizes.items():
        for n in members:
            masses = [(Fraction(j), arb(2 * j).exp()) for j in range(n + 1)]
            well = [(j, mass * int(n - j)) for j, mass in masses if j < n]
            ill = [(j, mass * int(j)) for j, mass in masses if j > 0]
            assert largest_move_of_enclosed(well, ill) == distance


def test_recorded_distances() -> None:
    short = {
        ("0.9", "0.9"): 8,
        ("0.9", "0.6"): 4,
        ("0.7", "0.7"): 3,
        ("0.6", "0.6"): 2,
        ("0.5", "0.5"): 1,
        ("0.2", "0.2"): 1,
    }
    long = {("0.9", "0.9"): 10, ("0.9", "0.6"): 4, ("0.2", "0.2"): 1}
    for length, recorded in ((12, short), (100, long)):
        for (p, q), distance in recorded.items():
            chain = ChainLaw("stationary", rows_of(p, q))
            assert chain_wasserstein((chain,), length, COUNT) == distance
    for start, p, q in (("1", "0.9", "0.6"), ("0.9", "0.8", "0.7")):
        chain = ChainLaw((Fraction(start), 1 - Fraction(start)), rows_of(p, q))
        assert chain_wasserstein((chain,), 12, COUNT) == 4


def rows_of(p: str, q: str) -> tuple[tuple[Fraction, ...], ...]:
    stay, other = Fraction(p), Fraction(q)
    return ((stay, 1 - stay), (1 - other, other))
