"""The laws of proofs_notes/laplace-loss.md: a test named for each heading.

Where e^(1/scale) is a rational number r, densities at whole points are rational and compared as
such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import TypeAlias

from ball_checks import seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.markov.stationary import next_law, stationary_law
from simplexcert.reference.pufferfish.additive import chain_loss, laws_by_node
from simplexcert.reference.pufferfish.divergences import (
    _densities,
    atoms_of_law,
    laplace_loss,
    largest_density_ratio,
    largest_move,
)
from simplexcert.reference.structures import ChainLaw, LineLaw

Masses: TypeAlias = Mapping[int, Fraction]
RATES = (Fraction(3, 2), Fraction(7), Fraction(101, 100))


def random_masses(random: Random, reach: int = 12) -> Masses:
    points = sorted(random.sample(range(reach), random.randint(1, 5)))
    weights = [random.choice((1, 2, 7, 10**6)) for _ in points]
    return {x: Fraction(w, sum(weights)) for x, w in zip(points, weights, strict=True)}


def law_of(masses: Masses) -> LineLaw:
    return LineLaw(tuple(map(Fraction, masses)), tuple(masses.values()))


def density(law: Masses, w: int, r: Fraction) -> Fraction:
    return sum((m / r ** abs(w - x) for x, m in law.items()), Fraction(0))


def between(law: Masses, w: int, t: Fraction, r: Fraction) -> Fraction:
    """The density at scale times log t behind w, 1 <= t <= r."""
    return sum(
        (m / r ** (w - x) / t if x <= w else m / r ** (x - w) * t for x, m in law.items()),
        Fraction(0),
    )


def pairs(number: int, count: int = 40) -> Iterator[tuple[Masses, Masses, Fraction]]:
    random = seeded(number)
    for _ in range(count):
        yield random_masses(random), random_masses(random), random.choice(RATES)


def narrow(value: arb | Fraction, bits: int = 80) -> arb:
    known = ball(value) if isinstance(value, Fraction) else value
    assert known.is_finite()
    assert known.rel_accuracy_bits() > bits
    return known


def loss(first: Masses, second: Masses, scale: Fraction) -> arb:
    return narrow(laplace_loss(law_of(first), law_of(second), scale))


def test_moebius_between_points() -> None:
    for mu, nu, r in pairs(1):
        points = sorted({*mu, *nu})
        for w in range(points[0] - 2, points[-1] + 2):
            steps = [1 + (r - 1) * Fraction(k, 7) for k in range(8)]
            ratios = [between(mu, w, t, r) / between(nu, w, t, r) for t in steps]
            assert between(mu, w, r, r) == density(mu, w + 1, r)
            signs = {(b > a) - (b < a) for a, b in pairwise(ratios)}
            assert len(signs) == 1
            if w < points[0] or w >= points[-1]:
                assert signs == {0}


def test_loss_is_at_a_support_point() -> None:
    for mu, nu, r in pairs(2):
        points = sorted({*mu, *nu})
        largest = max(density(mu, z, r) / density(nu, z, r) for z in points)
        for w, k in product(range(points[0] - 2, points[-1] + 2), range(8)):
            t = 1 + (r - 1) * Fraction(k, 7)
            assert between(mu, w, t, r) / between(nu, w, t, r) <= largest
    random = seeded(20)
    for mu, nu, _ in pairs(3, 20):
        if mu == nu:
            continue
        scale = Fraction(random.randint(1, 40), 8)
        largest = loss(mu, nu, scale)
        for _ in range(instances(5, 20)):
            w = Fraction(random.randint(-40, 160), 10)
            terms = [
                sum((ball(m) * (-ball(abs(w - x) / scale)).exp() for x, m in law.items()), arb(0))
                for law in (mu, nu)
            ]
            assert not narrow(terms[0] / terms[1]).log() > largest


def test_own_points_suffice() -> None:
    smaller = 0
    for mu, nu, r in pairs(4, 200):
        ratios = {z: density(mu, z, r) / density(nu, z, r) for z in {*mu, *nu}}
        assert max(ratios[z] for z in mu) == max(ratios.values())
        # The other law's own points would not do.
        smaller += max(ratios[z] for z in nu) < max(ratios.values())
    assert smaller > 100


def test_several_releases() -> None:
    random = seeded(5)
    for _ in range(instances(8, 25)):
        laws = []
        for _ in range(2):
            at = {(random.randrange(6), random.randrange(6)) for _ in range(3)}
            weights = [random.choice((1, 5, 1000)) for _ in at]
            laws.append(
                {x: Fraction(w, sum(weights)) for x, w in zip(sorted(at), weights, strict=True)}
            )
        r, s = random.sample(RATES, 2)

        def joint(
            law: Mapping[tuple[int, int], Fraction], w: tuple[int, int], rates: tuple[Fraction, ...]
        ) -> Fraction:
            return sum(
                (
                    m / rates[0] ** abs(w[0] - x[0]) / rates[1] ** abs(w[1] - x[1])
                    for x, m in law.items()
                ),
                Fraction(0),
            )

        def ratio(w: tuple[int, int], rates: tuple[Fraction, ...] = (r, s)) -> Fraction:
            return joint(laws[0], w, rates) / joint(laws[1], w, rates)  # noqa: B023

        grid = [sorted({x[k] for law in laws for x in law}) for k in (0, 1)]
        largest = max(ratio((a, b)) for a, b in product(*grid))
        assert all(ratio((a, b)) <= largest for a, b in product(range(-2, 8), repeat=2))


def test_at_most_distance_over_scale() -> None:
    random = seeded(6)
    strictly = 0
    for mu, nu, _ in pairs(7, 60):
        if mu == nu:
            continue
        scale = Fraction(random.randint(1, 80), 16)
        bound = ball(largest_move(atoms_of_law(law_of(mu)), atoms_of_law(law_of(nu))) / scale)
        found = loss(mu, nu, scale)
        assert not found > bound
        strictly += found < bound
    assert strictly > 30
    assert loss({3: Fraction(1)}, {10: Fraction(1)}, Fraction(4)).overlaps(ball(Fraction(7, 4)))


def test_zero_only_between_equal_laws() -> None:
    random = seeded(8)
    for mu, nu, r in pairs(8):
        for z in range(-2, 15):
            curved = density(mu, z - 1, r) + density(mu, z + 1, r) - (r + 1 / r) * density(mu, z, r)
            assert curved == (1 / r - r) * mu.get(z, 0)
        zero = laplace_loss(law_of(mu), law_of(mu), Fraction(2))
        assert isinstance(zero, arb)
        assert zero.is_zero()
        if mu != nu:
            assert loss(mu, nu, Fraction(random.randint(1, 9))) > 0
    near = {0: Fraction(1, 2) + Fraction(1, 10**60), 1: Fraction(1, 2) - Fraction(1, 10**60)}
    assert (
        0
        < loss(near, {0: Fraction(1, 2), 1: Fraction(1, 2)}, Fraction(1))
        < ball(Fraction(1, 10**59))
    )


def test_loss_falls_with_scale() -> None:
    for mu, nu, _ in pairs(9, 30):
        if mu == nu:
            continue
        losses = [loss(mu, nu, Fraction(b, 8)) for b in (1, 2, 3, 8, 30, 1000)]
        # Between point masses at the same place there is nothing to lose, so the order is strict.
        assert all(after < before for before, after in pairwise(losses))


def test_two_sided_recursion() -> None:
    random = seeded(10)
    for mu, nu, _ in pairs(11, 20):
        scale = Fraction(random.choice(("1e-6", "0.3", "5", "1e6")))
        points = sorted({*mu, *nu})
        decays = [(-ball(Fraction(b - a) / scale)).exp() for a, b in pairwise(points)]
        found = _densities(atoms_of_law(law_of(mu)), points, decays)
        for z, value in zip(points, found, strict=True):
            terms = [ball(m) * (-ball(abs(z - x) / scale)).exp() for x, m in mu.items()]
            assert narrow(value, 120).overlaps(narrow(sum(terms, arb(0)), 120))


SPENT = {
    ("0.9", "0.9", None): (("60", "0.5533"), ("12", "0.5509"), ("1.524929", "0.6994")),
    ("0.9", "0.6", None): (("60", "0.2475"), ("11.7582", "0.2585"), ("0.705975", "0.8414")),
    ("0.7", "0.7", None): (("55.7043", "0.2086"), ("6.723597", "0.3443"), ("0.302535", "0.9879")),
    ("0.6", "0.6", None): (("29.7620", "0.2520"), ("3.571792", "0.4183"), ("0.238716", "0.9966")),
    ("0.2", "0.2", None): (("60", "0.0520"), ("11.8460", "0.0526"), ("0.448952", "0.2894")),
    ("0.9", "0.6", "1"): (("55", "0.2643"), ("11", "0.2704"), ("0.798608", "0.7730")),
    ("0.8", "0.7", "0.9"): (("60", "0.2440"), ("10.6402", "0.2774"), ("0.533727", "0.8333")),
}
COUNT = ((Fraction(0), Fraction(1)),)


def two_states(p: str, q: str, start: str | None) -> ChainLaw:
    stay, other = Fraction(p), Fraction(q)
    rows = ((stay, 1 - stay), (1 - other, other))
    return ChainLaw("stationary" if start is None else (Fraction(start), 1 - Fraction(start)), rows)


def test_recorded_losses() -> None:
    half = Fraction(1, 20000)
    for chain, row in SPENT.items():
        for epsilon, (scale, printed) in zip(("0.2", "1", "5"), row, strict=True):
            found = narrow(chain_loss((two_states(*chain),), 12, COUNT, Fraction(scale)))
            share = found / ball(Fraction(epsilon))
            assert ball(Fraction(printed) - half) < share < ball(Fraction(printed) + half)
    fair = narrow(chain_loss((two_states("0.5", "0.5", None),), 12, COUNT, Fraction(3)))
    assert fair.overlaps(ball(Fraction(1, 3)))


def spread(P: tuple[tuple[Fraction, ...], ...], state: int, steps: int) -> tuple[Fraction, ...]:
    law = tuple(Fraction(at == state) for at in range(len(P)))
    for _ in range(steps):
        law = next_law(law, P)
    return law


def test_printed_multiplicity_is_refuted() -> None:
    n, length, node, high, low = 10, 50, 25, 9, 4
    half = Fraction(1, 2)
    rows = [[Fraction(to == at + 1) for to in range(n)] for at in range(n - 1)]
    moves = tuple(map(tuple, [*rows, [half, *[Fraction(0)] * (n - 2), half]]))
    pi = stationary_law(moves)
    reverse = tuple(tuple(pi[y] * moves[y][x] / pi[x] for y in range(n)) for x in range(n))
    values = []
    for t in range(1, length + 1):
        way = moves if t >= node else reverse
        one, other = (spread(way, state - 1, abs(t - node)) for state in (high, low))
        values.append(tuple(Fraction(a > b) for a, b in zip(one, other, strict=True)))
    chain, scale = ChainLaw("stationary", moves), Fraction("36.6583697520678398")
    found = narrow(chain_loss((chain,), length, tuple(values), scale))
    first_digits = Fraction("1.2658012922884702")
    assert ball(first_digits) < found < ball(first_digits + Fraction(1, 10**16))
    (laws,) = (laws for _, at, laws in laws_by_node((chain,), length, tuple(values)) if at == node)
    pair = narrow(largest_density_ratio([laws[high], laws[low]], scale).log())
    assert pair.overlaps(found)


def test_entry_level_epsilon() -> None:
    scale, half, apart = Fraction(1, 5), Fraction(1, 2), {3: Fraction(1)}
    assert loss(apart, {4: Fraction(1)}, scale).overlaps(ball(5))
    stays, leaves = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    flip, copy = ChainLaw((half, half), (leaves, stays)), ChainLaw((half, half), (stays, leaves))
    assert chain_loss((flip,), 4, COUNT, scale) == 0
    assert narrow(chain_loss((copy,), 4, COUNT, scale)).overlaps(ball(20))
