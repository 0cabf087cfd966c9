"""Both engines on the profile over all sizes: each parameter drawn from 1e-300 to 1e300."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from fast.reference.second.test_sizes_opinion import both
from simplexcert.reference.enclosure import overlap

POINTS = 400


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
    for _ in range(POINTS):
        point = {each: KINDS.get(each, size)(rng) for each in PARAMETERS[name]}
        first, second = both(name, point)
        assert overlap(first.enclosure, second.enclosure), point
