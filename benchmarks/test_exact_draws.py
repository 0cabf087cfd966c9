"""Speed of exact draws beside floats', on one run, and what the floats give up for theirs.

A vector of 63 coordinates and a matrix of 63 rows on a grid of 2^-53, and 63 numbers with Laplace
noise on a grid of 2^-30. Each line also tells, of 200 draws, how many do not sum to one exactly and
how many hold a zero that the law has not. opendp's noise is exact too, of a discrete law; it is
measured where it is installed. Nothing here asserts a time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from scipy import stats
from simplexcert.reference.sampling import (
    Counted,
    operating_system,
    published_number,
    published_vector,
)

Vector: TypeAlias = Sequence[Any]

SIZE, GRID_BITS, NOISE_GRID_BITS, JUDGED = 63, 53, 30, 200
ALPHAS = {"1/1000": Fraction(1, 1000), "1/2": Fraction(1, 2), "20": Fraction(20)}
SCALE = Fraction(5, 2)


def exact(alpha: Fraction) -> Vector:
    return published_vector([alpha] * SIZE, GRID_BITS, operating_system)


def numpy_doubles(alpha: Fraction) -> Vector:
    return list(np.random.default_rng().dirichlet([float(alpha)] * SIZE))


def scipy_doubles(alpha: Fraction) -> Vector:
    return list(stats.dirichlet.rvs([float(alpha)] * SIZE)[0])


def python_doubles(alpha: Fraction) -> Vector:
    source = random.SystemRandom()
    gammas = [source.gammavariate(float(alpha), 1) for _ in range(SIZE)]
    total = sum(gammas)
    return [one / total for one in gammas] if total else gammas


VECTORS: dict[str, Callable[[Fraction], Vector]] = {
    "exact": exact,
    "numpy": numpy_doubles,
    "scipy": scipy_doubles,
    "python": python_doubles,
}


@pytest.mark.parametrize("how", VECTORS)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_vector(benchmark: Any, how: str, alpha: str) -> None:
    draw = VECTORS[how]
    judged = [draw(ALPHAS[alpha]) for _ in range(JUDGED)]
    sums = [sum(map(Fraction, map(_dyadic, one))) for one in judged]
    benchmark.extra_info["not one"] = sum(one != 1 for one in sums)
    benchmark.extra_info["zeros"] = sum(0 in one for one in judged)
    benchmark(draw, ALPHAS[alpha])


def _dyadic(value: Any) -> Any:
    return value if isinstance(value, Fraction) else float(value)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_bits_of_a_vector(benchmark: Any, alpha: str) -> None:
    """The random bits of a coordinate in the mean, and what counting them costs."""
    source, vector = Counted(operating_system), [ALPHAS[alpha]] * SIZE
    for _ in range(JUDGED):
        published_vector(vector, GRID_BITS, source)
    benchmark.extra_info["bits of a coordinate"] = source.drawn / SIZE / JUDGED
    benchmark(published_vector, vector, GRID_BITS, source)


@pytest.mark.parametrize("how", ["exact", "numpy"])
def test_matrix(benchmark: Any, how: str) -> None:
    rows = [[Fraction(1 + (i * j) % 40, 3) for j in range(SIZE)] for i in range(SIZE)]

    def matrix() -> list[Vector]:
        if how == "exact":
            return [published_vector(row, GRID_BITS, operating_system) for row in rows]
        source = np.random.default_rng()
        return [source.dirichlet([float(one) for one in row]) for row in rows]

    benchmark.pedantic(matrix, rounds=3)


def exact_noise() -> Vector:
    return [
        published_number(Fraction(n, 7), SCALE, NOISE_GRID_BITS, operating_system)
        for n in range(SIZE)
    ]


def numpy_noise() -> Vector:
    return list(np.arange(SIZE) / 7 + np.random.default_rng().laplace(0, float(SCALE), SIZE))


@pytest.mark.parametrize("how", ["exact", "numpy", "opendp"])
def test_noise(benchmark: Any, how: str) -> None:
    benchmark({"exact": exact_noise, "numpy": numpy_noise, "opendp": opendp_noise}[how])


def opendp_noise() -> Vector:
    """Noise of the discrete Laplace law on opendp's grid of 2^-30."""
    opendp = pytest.importorskip("opendp.prelude")
    opendp.enable_features("contrib")
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    noisy = opendp.m.make_laplace(*space, scale=float(SCALE), k=-NOISE_GRID_BITS)
    return [noisy(n / 7) for n in range(SIZE)]
