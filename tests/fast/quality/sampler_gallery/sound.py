"""Sound samplers, which round as differently as they may."""

from __future__ import annotations

import math
from random import Random

import numpy as np
from simplexcert.certify.samplers import Point

from .entries import Table, exact, generator, log_gammas, normalised, put_down


@put_down("dirichlet", is_sound=True)
def log_gammas_normalised(alpha: list[float], count: int, seed: int) -> list[list[float]]:
    """Many coordinates underflow at alpha = 0.01, as often as the law says."""
    draws: list[list[float]] = exact(alpha, count, generator(seed)).tolist()
    return draws


@put_down("dirichlet", is_sound=True, where=lambda point: max(point.values) >= 0.5)
def gammas_normalised(alpha: list[float], count: int, seed: int) -> Table:
    """The sum of the gammas is no small number, so only what is small in the law underflows."""
    draws = generator(seed).standard_gamma(np.array(alpha), size=(count, len(alpha)))
    return np.asarray(draws / draws.sum(axis=1, keepdims=True))


@put_down("dirichlet", is_sound=True)
def stick_of_pairs(alpha: list[float], count: int, seed: int) -> Table:
    """Beta breaks, of which both parts are kept, in logarithms."""
    random = generator(seed)
    left = np.zeros(count)
    columns = []
    for at, a in enumerate(alpha[:-1], 1):
        broken = log_gammas([a, sum(alpha[at:])], count, random)
        broken = broken - np.logaddexp(broken[:, 0], broken[:, 1])[:, None]
        columns.append(left + broken[:, 0])
        left = left + broken[:, 1]
    return normalised(np.column_stack([*columns, left]))


@put_down("dirichlet", is_sound=True)
def subnormals_flushed(alpha: list[float], count: int, seed: int) -> Table:
    draws = exact(alpha, count, generator(seed))
    draws[draws < np.finfo(np.float64).tiny] = 0
    return draws


@put_down("dirichlet", is_sound=True)
def last_bits_off(alpha: list[float], count: int, seed: int) -> Table:
    """Seven last bits of each coordinate are noise."""
    random = generator(seed)
    draws = exact(alpha, count, random)
    return np.asarray(draws * (1 + 2.0**-45 * random.standard_normal(draws.shape)))


def _is_short(point: Point) -> bool:
    return len(point.values) == 2


@put_down("dirichlet", is_sound=True, where=_is_short)
def rejection_in_python(alpha: list[float], count: int, seed: int) -> list[tuple[float, ...]]:
    """Marsaglia and Tsang 2000, one number after the other, with the boost in logarithms."""
    random = Random(seed)  # noqa: S311
    return [_shares([_log_gamma(a, random) for a in alpha]) for _ in range(count)]


def _log_gamma(shape: float, random: Random) -> float:
    d = shape + 1 - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = random.gauss(0, 1)
        v = (1 + c * x) ** 3
        if v > 0 and math.log(1 - random.random()) < x * x / 2 + d - d * v + d * math.log(v):
            return math.log(d * v) + math.log(1 - random.random()) / shape


def _shares(logarithms: list[float]) -> tuple[float, ...]:
    parts = [math.exp(one - max(logarithms)) for one in logarithms]
    return tuple(part / sum(parts) for part in parts)


@put_down("laplace", is_sound=True)
def numpy_laplace(scale: float, count: int, seed: int) -> Table:
    return generator(seed).laplace(0, scale, size=count)


@put_down("laplace", is_sound=True)
def inverse_of_the_distribution(scale: float, count: int, seed: int) -> Table:
    centred = (generator(seed).integers(2**53, size=count) + 0.5) / 2**53 - 0.5
    return np.asarray(-scale * np.sign(centred) * np.log1p(-2 * np.abs(centred)))


@put_down("laplace", is_sound=True)
def difference_of_exponentials(scale: float, count: int, seed: int) -> Table:
    draws = generator(seed).exponential(scale, size=(2, count))
    return np.asarray(draws[0] - draws[1])


@put_down("laplace", is_sound=True)
def exponential_with_a_sign(scale: float, count: int, seed: int) -> list[float]:
    random = Random(seed)  # noqa: S311
    return [
        math.copysign(random.expovariate(1 / scale), random.random() - 0.5) for _ in range(count)
    ]
