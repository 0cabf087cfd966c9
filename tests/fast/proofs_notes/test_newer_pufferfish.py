"""The laws of proofs_notes/newer-pufferfish.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

from ball_checks import seeded
from flint import arb
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, ball_of

Law = dict[int, Fraction]
# Mass by where it starts and where it ends.
Plan = dict[tuple[int, int], Fraction]


def a_law(random: Random) -> Law:
    points = random.sample(range(7), random.randint(1, 4))
    counts = [random.randint(1, 5) for _ in points]
    return {at: Fraction(n, sum(counts)) for at, n in sorted(zip(points, counts, strict=True))}


def monotone(first: Law, second: Law) -> Plan:
    """Return the coupling that keeps the order."""
    plan, ours, theirs = {}, dict(first), dict(second)
    while ours:
        x, y = min(ours), min(theirs)
        mass = min(ours[x], theirs[y])
        plan[x, y] = mass
        for law, at in ((ours, x), (theirs, y)):
            law[at] -= mass
            if not law[at]:
                del law[at]
    return plan


def pairs(number: int, count: int) -> Iterator[tuple[Law, Law, Random]]:
    random = seeded(number)
    for _ in range(count):
        yield a_law(random), a_law(random), random


def as_given(law: Law) -> dict[str, list[Any]]:
    return {"points": [*law], "mass": [*law.values()]}


def found(name: str, **given: object) -> arb:
    return ball_of(evaluate(name, given).enclosure)


def test_the_monotone_coupling_is_optimal() -> None:
    random, strictly = seeded(1), 0
    for _ in range(30):
        xs, ys = (sorted(random.choices(range(9), k=5)) for _ in "12")
        plans = [[abs(x - y) for x, y in zip(xs, order, strict=True)] for order in permutations(ys)]
        for cost in (lambda d: d, lambda d: d * d, lambda d: 3**d, lambda d: max(d - 2, 0)):
            costs = [sum(map(cost, plan)) for plan in plans]
            assert costs[0] == min(costs)
            strictly += costs[0] < max(costs)
        laws = [{at: Fraction(law.count(at), 5) for at in law} for law in (xs, ys)]
        distance = evaluate("pufferfish.wasserstein", mu=as_given(laws[0]), nu=as_given(laws[1]))
        assert max(plans[0]) == min(map(max, plans)) == distance.upper == distance.lower
    assert strictly > 50


def test_a_coupling_bounds_in_the_mean() -> None:
    # r = e^(1/b) is rational, so the densities at whole points are.
    below = 0
    for first, second, random in pairs(2, 60):
        r, plan = Fraction(random.randint(11, 40), 10), monotone(first, second)
        bound = max(
            sum(mass / second[at] * r ** abs(x - y) for (x, y), mass in plan.items() if y == at)
            for at in second
        )
        loss = max(
            sum(mass / r ** abs(z - x) for x, mass in first.items())
            / sum(mass / r ** abs(z - y) for y, mass in second.items())
            for z in range(7)
        )
        farthest = r ** max(abs(x - y) for x, y in plan)
        assert loss <= bound <= farthest
        below += loss < bound < farthest
    assert below > 20
    between = 0
    for first, second, random in pairs(3, 6):
        plan = {(x, y): mass for (x, y), mass in monotone(first, second).items() if x != y}
        scale, epsilon, order = Fraction(random.randint(8, 30), 10), Fraction(1, 2), 3
        known = {"mu": as_given(first), "nu": as_given(second), "scale": scale}
        mean, power = arb(0), ball(1 - sum(plan.values(), Fraction(0)))
        for (x, y), mass in plan.items():
            multiplier = scale / abs(x - y)
            each = found("gaussian.delta", noise_multiplier=multiplier, epsilon=epsilon)
            mean += ball(mass) * each
            power += ball(mass) * ball((order - 1) * order / (2 * multiplier**2)).exp()
        delta = found("pufferfish.gaussian_delta", **known, epsilon=epsilon)
        divergence = found("pufferfish.gaussian_renyi", **known, order=order)
        assert not delta > mean
        assert not divergence > power.log() / (order - 1)
        between += bool(delta < mean) and bool(divergence < power.log() / (order - 1))
    assert between > 3
