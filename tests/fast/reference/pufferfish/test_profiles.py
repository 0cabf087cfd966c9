"""Delta of two known laws under noise, against densities on fine grids; both engines, and borders.

A sum over a grid is no enclosure: of a function that changes its slope a few times it is off by a
multiple of the square of the grid's step, which is known to be enough here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from each import each
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.structures import LineLaw

# Density at a distance, in scales, and how far out it is looked at.
NOISE: dict[str, tuple[Callable[[Any], Any], float]] = {
    "gaussian": (lambda d: np.exp(-(d**2) / 2) / math.sqrt(2 * math.pi), 12.0),
    "laplace": (lambda d: np.exp(-np.abs(d)) / 2, 45.0),
}
STEPS = 400_000


def random_law(random: Random) -> LineLaw:
    points = random.sample(range(12), random.randint(1, 5))
    weights = [random.choice((1, 2, 7, 100)) for _ in points]
    masses = tuple(Fraction(w, sum(weights)) for w in weights)
    return LineLaw(tuple(map(Fraction, points)), masses)


def on_a_grid(noise: str, mu: LineLaw, nu: LineLaw, scale: float, epsilon: float) -> float:
    density, reach = NOISE[noise]
    ends = [float(point) for law in (mu, nu) for point in law.points]
    w, step = np.linspace(min(ends) - reach * scale, max(ends) + reach * scale, STEPS, retstep=True)
    p, r = (
        sum(
            float(mass) * density((w - float(point)) / scale) / scale
            for point, mass in zip(law.points, law.mass, strict=True)
        )
        for law in (mu, nu)
    )
    factor = math.exp(epsilon)
    parts = (np.maximum(one - factor * other, 0) for one, other in ((p, r), (r, p)))
    return max(float(part.sum() * step) for part in parts)


@each(sorted(NOISE))
def test_delta_is_the_area_of_the_positive_part(noise: str) -> None:
    random = Random(f"grid {noise}")  # noqa: S311
    for _ in range(instances(12, 100)):
        mu, nu = random_law(random), random_law(random)
        scale, epsilon = Fraction(random.randint(1, 40), 8), Fraction(random.randint(0, 12), 8)
        given = {"mu": mu, "nu": nu, "scale": scale, "epsilon": epsilon}
        found = evaluate(f"pufferfish.{noise}_delta", given)
        other = evaluate(f"pufferfish.{noise}_delta", given, engine="second")
        assert found.narrow
        assert found.lower <= other.upper
        assert other.lower <= found.upper
        near = on_a_grid(noise, mu, nu, float(scale), float(epsilon))
        assert found.lower_float - 1e-7 <= near <= found.upper_float + 1e-7


@each(sorted(NOISE))
def test_epsilon_is_where_delta_is_met(noise: str) -> None:
    random = Random(f"epsilon {noise}")  # noqa: S311
    for _ in range(instances(4, 40)):
        mu, nu = random_law(random), random_law(random)
        given = {"mu": mu, "nu": nu, "scale": Fraction(random.randint(1, 40), 8)}
        delta = Fraction(random.choice(("0.2", "0.01", "1e-9")))
        found = evaluate(f"pufferfish.{noise}_epsilon", given, delta=delta)
        margin = Fraction(1, 10**12)
        above = found.upper + margin
        assert evaluate(f"pufferfish.{noise}_delta", given, epsilon=above).upper <= delta
        if found.lower > margin:
            below = found.lower - margin
            assert evaluate(f"pufferfish.{noise}_delta", given, epsilon=below).lower > delta
