"""Renyi losses of known laws against the definition, over all paths and data sets; both engines.

Nothing is shared with the engines: laws are listed path by path, and integrals are mpmath's.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from brute_losses import data_sets, largest_renyi, law_of, pairs_of_states, paths
from each import each
from flint import arb
from instances import instances
from simplexcert.reference import DomainError, evaluate, laplace
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.pufferfish.divergences import atoms_of
from simplexcert.reference.pufferfish.gaussian_renyi import _Law, gaussian_renyi
from simplexcert.reference.pufferfish.laplace_renyi import _densities, laplace_renyi
from simplexcert.reference.pufferfish.least_renyi import largest_scale
from simplexcert.reference.structures import LineLaw

NOISE = ("laplace", "gaussian")
# The listed numbers are good to more digits than this.
NEAR = Fraction(1, 10**13)


def some_law(random: Random, size: int) -> list[Fraction]:
    weights = [random.choice((1, 2, 5, 30)) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def require(name: str, given: dict[str, Any], exact: Fraction) -> None:
    """Require that both engines enclose a number, and agree."""
    found = evaluate(name, given)
    other = evaluate(name, given, engine="second", digits=10)
    assert found.narrow
    assert other.narrow
    assert found.lower <= other.upper
    assert other.lower <= found.upper
    assert abs(found.lower - exact) <= NEAR * max(1, exact)


@each(NOISE)
def test_chains_lose_what_all_paths_lose(noise: str) -> None:
    random = Random(f"paths {noise}")  # noqa: S311
    for _ in range(instances(1, 20)):
        initial, rows = some_law(random, 2), [some_law(random, 2) for _ in range(2)]
        length, values = random.randint(2, 3), [[0, 1]]
        scale, order = Fraction(random.randint(6, 24), 8), Fraction(random.choice((3, 4, 7)), 2)
        pairs = [*pairs_of_states(paths(initial, rows, length), values)]
        given = {"chains": [{"initial": initial, "P": rows}], "length": length, "values": values}
        exact = largest_renyi(pairs, noise, scale, order)
        given |= {"noise": noise, "scale": scale, "order": order}
        require("pufferfish.chain_least_renyi", given, exact)


@each(NOISE)
def test_networks_lose_what_all_data_sets_lose(noise: str) -> None:
    random = Random(f"data sets {noise}")  # noqa: S311
    for _ in range(instances(1, 20)):
        network = [
            {"parents": [], "table": [some_law(random, 2)]},
            {"parents": [1], "table": [some_law(random, 2) for _ in range(2)]},
            {"parents": [1], "table": [some_law(random, 2) for _ in range(2)]},
        ]
        values = [[0, 1], [1, 0], [0, 2]]
        scale, order = Fraction(random.randint(6, 24), 8), Fraction(random.choice((3, 4, 7)), 2)
        pairs = [*pairs_of_states(data_sets(network), values)]
        exact = largest_renyi(pairs, noise, scale, order)
        given = {"networks": [network], "values": values, "noise": noise, "scale": scale}
        require("pufferfish.network_least_renyi", {**given, "order": order}, exact)


@each(NOISE)
def test_instantiations_lose_what_their_laws_lose(noise: str) -> None:
    random = Random(f"laws {noise}")  # noqa: S311
    values, secrets, pairs = [0, 1, 3, 4], [[1, 2], [3, 4], [1, 3]], [[1, 2], [2, 3]]
    for _ in range(instances(1, 20)):
        laws = [some_law(random, 4) for _ in range(2)]
        scale, order = Fraction(random.randint(6, 24), 8), Fraction(random.choice((3, 4, 7)), 2)
        listed = [
            (one, other)
            for law in laws
            for pair in pairs
            for one, other in [[law_of(values, law, secrets[at - 1]) for at in pair]]
            if one and other
        ]
        exact = largest_renyi(listed, noise, scale, order)
        given = {"values": values, "laws": laws, "secrets": secrets, "pairs": pairs}
        given |= {"noise": noise, "scale": scale, "order": order}
        require("pufferfish.least_renyi", given, exact)


@each(NOISE)
def test_the_least_scale_is_where_the_loss_is_met(noise: str) -> None:
    random = Random(f"scale {noise}")  # noqa: S311
    margin = Fraction(1, 10**12)
    for _ in range(instances(2, 20)):
        chain = {"initial": some_law(random, 2), "P": [some_law(random, 2) for _ in range(2)]}
        given = {"chains": [chain], "length": 4, "values": [[0, 1]], "noise": noise}
        epsilon, order = Fraction(random.randint(1, 12), 16), random.choice((Fraction(3, 2), 6))
        found = evaluate("pufferfish.chain_least_scale_renyi", given, order=order, epsilon=epsilon)
        assert found.narrow
        name = "pufferfish.chain_least_renyi"
        enough = evaluate(name, given, scale=found.upper + margin, order=order)
        assert enough.upper <= epsilon
        if found.lower > margin:
            short = evaluate(name, given, scale=found.lower - margin, order=order)
            assert short.lower > epsilon


@each(NOISE)
def test_equal_laws_lose_nothing(noise: str) -> None:
    law = {"points": [0, 3], "mass": ["1/3", "2/3"]}
    for engine in ("arb", "second"):
        found = evaluate(
            f"pufferfish.{noise}_renyi", mu=law, nu=law, scale=1, order=2, engine=engine
        )
        assert found.lower == found.upper == 0


@each(NOISE)
def test_order_one_is_refused(noise: str) -> None:
    law = {"points": [0], "mass": [1]}
    with pytest.raises(DomainError, match="1 < order"):
        evaluate(f"pufferfish.{noise}_renyi", mu=law, nu=law, scale=1, order=1)


def test_the_variance_of_many_near_points_is_far_below_the_range() -> None:
    dense = atoms_of((Fraction(at), Fraction(1, 200)) for at in range(200))
    law = _Law(dense, Fraction(10))
    assert law.variance < 2
    assert law.points[-1] > 19


def test_two_point_masses_attain_it() -> None:
    mu, nu = (LineLaw((Fraction(at),), (Fraction(1),)) for at in (1, 4))
    for order in (Fraction(11, 10), Fraction(2), Fraction(20)):
        scale = Fraction(5, 2)
        assert gaussian_renyi(mu, nu, scale, order).overlaps(ball(order * Fraction(18, 25)))
        assert laplace_renyi(mu, nu, scale, order).overlaps(laplace.renyi(scale / 3, order))


@each(NOISE)
def test_no_noise_is_needed_where_the_laws_are_near(noise: str) -> None:
    one, other = (
        atoms_of([(Fraction(0), share), (Fraction(3), 1 - share)])
        for share in (Fraction(1, 2), Fraction(11, 20))
    )
    assert largest_scale([(one, other)], noise, Fraction(2), Fraction(1, 50)) == 0
    assert largest_scale([(one, other)], noise, Fraction(2), Fraction(1, 200)) > 0
    assert not largest_scale([(one, other)], noise, Fraction(2), Fraction(0)).is_finite()
    assert largest_scale([(one, one)], noise, Fraction(2), Fraction(0)) == 0


def test_densities_are_those_of_the_definition() -> None:
    random = Random("densities")  # noqa: S311
    for _ in range(3):
        first = atoms_of(zip(random.sample(range(9), 4), some_law(random, 4), strict=True))
        second = atoms_of(zip(random.sample(range(9), 3), some_law(random, 3), strict=True))
        points = sorted({*first.points, *second.points})
        scale = Fraction(random.randint(2, 30), 8)
        lengths = [ball(Fraction(b - a) / scale) for a, b in pairwise(points)]
        sums = _densities(first, points, [(-length).exp() for length in lengths])
        for at, (here, density) in enumerate(zip(points, sums.between, strict=False)):
            away = lengths[at] / 3
            value = density.at(away, lengths[at])
            where = ball(Fraction(here) / scale) + away
            parts = (
                arb(w) / first.total * (-abs(where - ball(Fraction(x) / scale))).exp()
                for x, w in zip(*first, strict=True)
            )
            assert value.overlaps(sum(parts, arb(0)))
