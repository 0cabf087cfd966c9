"""Both engines at more points, over the full ranges, and on the profile from 1e-300 to 1e300."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from fast.reference.second.test_second_opinion import NAMES, both, seeded, shown, some_point
from simplexcert.reference import quantities
from simplexcert.reference.enclosure import overlap
from simplexcert.reference.precision import Budget

# Over the full ranges one root can take seconds.
FULL_POINTS, SECONDS = 300, 5.0


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_over_the_full_ranges(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"soak {name}")
    for _ in range(FULL_POINTS):
        first, second = both(name, some_point(quantity, rng, {}, {}), Budget(SECONDS))
        assert overlap(first.enclosure, second.enclosure), shown(first, second)


POINTS_OF_ALL_SIZES = 400


def size(rng: random.Random) -> str:
    return f"{rng.uniform(1, 10):.8f}e{rng.randint(-300, 299)}"


def probability(rng: random.Random) -> str:
    exponent = rng.choice([1, rng.randint(1, 60), rng.randint(1, 300)])
    return str(
        rng.choice(
            [Fraction(1, 10**exponent), 1 - Fraction(1, 10 ** min(exponent, 60)), Fraction(3, 7)]
        )
    )


def order(rng: random.Random) -> str:
    return str(1 + rng.choice([Fraction(0), Fraction(size(rng))]))


KINDS = {"delta": probability, "order": order}
PARAMETERS = {
    "delta": ("alpha", "step", "epsilon"),
    "total_variation": ("alpha", "step"),
    "epsilon": ("alpha", "step", "delta"),
    "renyi": ("alpha", "step", "order"),
    "step_for_dp": ("alpha", "epsilon", "delta"),
    "step_for_renyi": ("alpha", "order", "epsilon"),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_both_engines_overlap_over_all_sizes(name: str) -> None:
    rng = random.Random(f"sizes {name}")  # noqa: S311 (test points, the same every time)
    for _ in range(POINTS_OF_ALL_SIZES):
        point = {each: KINDS.get(each, size)(rng) for each in PARAMETERS[name]}
        first, second = both(f"dirichlet.profile.{name}", point, Budget(60.0), digits=12)
        assert overlap(first.enclosure, second.enclosure), point
