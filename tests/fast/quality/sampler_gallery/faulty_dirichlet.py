"""Dirichlet samplers with one fault each."""

from __future__ import annotations

import numpy as np

from .entries import Table, exact, generator, log_gammas, normalised, put_down

SMALL = 0.05


@put_down("dirichlet")
def concentration_above(alpha: list[float], count: int, seed: int) -> Table:
    return exact([1.05 * a for a in alpha], count, generator(seed))


@put_down("dirichlet")
def concentration_below(alpha: list[float], count: int, seed: int) -> Table:
    return exact([0.95 * a for a in alpha], count, generator(seed))


@put_down("dirichlet", where=lambda point: len(set(point.values)) == 1)
def one_concentration_above(alpha: list[float], count: int, seed: int) -> Table:
    return exact([*alpha[:-1], 1.05 * alpha[-1]], count, generator(seed))


@put_down("dirichlet")
def not_normalised(alpha: list[float], count: int, seed: int) -> Table:
    draws = generator(seed).standard_gamma(np.array(alpha), size=(count, len(alpha)))
    return np.asarray(draws / sum(alpha))


@put_down("dirichlet")
def boost_forgotten(alpha: list[float], count: int, seed: int) -> Table:
    draws = generator(seed).standard_gamma(np.array(alpha) + 1, size=(count, len(alpha)))
    return normalised(np.log(draws))


@put_down("dirichlet")
def boost_without_power(alpha: list[float], count: int, seed: int) -> Table:
    random = generator(seed)
    draws = random.standard_gamma(np.array(alpha) + 1, size=(count, len(alpha)))
    return normalised(np.log(draws) + np.log(1 - random.random(draws.shape)))


@put_down("dirichlet", where=lambda point: min(point.values) < SMALL)
def gammas_in_float32(alpha: list[float], count: int, seed: int) -> Table:
    """What underflows in float32 is 0; the rest is normalised in double."""
    logarithms = log_gammas(alpha, count, generator(seed))
    top = logarithms.max(axis=1, keepdims=True)
    parts = np.exp((logarithms - top).astype(np.float32)).astype(np.float64)
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


@put_down("dirichlet")
def answered_in_float32(alpha: list[float], count: int, seed: int) -> Table:
    return exact(alpha, count, generator(seed)).astype(np.float32).astype(np.float64)


@put_down("dirichlet", where=lambda point: max(point.values) < SMALL)
def stick_of_numpy(alpha: list[float], count: int, seed: int) -> Table:
    """NumPy breaks a stick for small alphas: 1 - v has lost the digits that matter, and is 0."""
    return generator(seed).dirichlet(alpha, size=count)


@put_down("dirichlet", where=lambda point: max(point.values) < 1)
def floor_of_zeros(alpha: list[float], count: int, seed: int) -> Table:
    """A table of logarithms that ends: what is below e^-20 is 0."""
    parts = exact(alpha, count, generator(seed))
    parts[parts < np.exp(-20)] = 0
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


@put_down("dirichlet", where=lambda point: min(point.values) >= SMALL)
def a_zero_in_a_thousand(alpha: list[float], count: int, seed: int) -> Table:
    random = generator(seed)
    logarithms = log_gammas(alpha, count, random)
    logarithms[random.random(count) < 1e-3, 0] = -np.inf
    return normalised(logarithms)


@put_down("dirichlet", where=lambda point: min(point.values) < SMALL)
def clamped_far_below(alpha: list[float], count: int, seed: int) -> Table:
    return np.maximum(exact(alpha, count, generator(seed)), 1e-300)


@put_down("dirichlet", where=lambda point: min(point.values) < 1)
def clamped_and_normalised(alpha: list[float], count: int, seed: int) -> Table:
    parts = np.maximum(exact(alpha, count, generator(seed)), 1e-6)
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


@put_down("dirichlet", where=lambda point: min(point.values) >= SMALL)
def atom_of_one_in_five_hundred(alpha: list[float], count: int, seed: int) -> Table:
    """A table of quantiles with one entry that stands for too many: in the middle of the law."""
    random = generator(seed)
    parts = exact(alpha, count, random)
    parts[random.random(count) < 2e-3] = np.array(alpha) / sum(alpha)
    return parts


@put_down("dirichlet", where=lambda point: max(point.values) <= 1)
def uniform_reused(alpha: list[float], count: int, seed: int) -> Table:
    """One uniform for the boosts of all coordinates."""
    random = generator(seed)
    shapes = np.array(alpha)
    boosted = random.standard_gamma(shapes + 1, size=(count, len(alpha)))
    return normalised(np.log(boosted) + np.log(1 - random.random((count, 1))) / shapes)


@put_down("dirichlet")
def each_draw_twice(alpha: list[float], count: int, seed: int) -> Table:
    return np.repeat(exact(alpha, count // 2, generator(seed)), 2, axis=0)


@put_down("dirichlet", where=lambda point: len(set(point.values)) == 1)
def mirrored_draws(alpha: list[float], count: int, seed: int) -> Table:
    """Of two draws the second is the first with its coordinates in reverse order."""
    draws = np.repeat(exact(alpha, count // 2, generator(seed)), 2, axis=0)
    draws[1::2] = draws[1::2, ::-1]
    return draws


@put_down("dirichlet")
def seed_ignored(alpha: list[float], count: int, seed: int) -> Table:  # noqa: ARG001
    return exact(alpha, count, generator(7))


@put_down("dirichlet")
def never_the_same(alpha: list[float], count: int, seed: int) -> Table:  # noqa: ARG001
    return exact(alpha, count, generator(None))


@put_down("dirichlet")
def rounded_to_counts(alpha: list[float], count: int, seed: int) -> Table:
    """Whole numbers of 4,096, of which the largest takes what is left."""
    parts = np.round(exact(alpha, count, generator(seed)) * 4096) / 4096
    largest = parts.argmax(axis=1)
    parts[np.arange(count), largest] += 1 - parts.sum(axis=1)
    return parts


@put_down("dirichlet", where=lambda point: point.values[-1] < SMALL)
def last_is_what_is_left(alpha: list[float], count: int, seed: int) -> Table:
    """The last coordinate is 1 - the others, cut at 0."""
    parts = exact(alpha, count, generator(seed))
    parts[:, -1] = np.maximum(1 - parts[:, :-1].sum(axis=1), 0)
    return parts


@put_down("dirichlet", where=lambda point: len(point.values) > 2)
def stick_with_all_the_rest(alpha: list[float], count: int, seed: int) -> Table:
    """Each break has the sum of all other alphas for its second parameter, not of those left."""
    random, total = generator(seed), sum(alpha)
    left = np.zeros(count)
    columns = []
    for a in alpha[:-1]:
        broken = log_gammas([a, total - a], count, random)
        broken = broken - np.logaddexp(broken[:, 0], broken[:, 1])[:, None]
        columns.append(left + broken[:, 0])
        left = left + broken[:, 1]
    return normalised(np.column_stack([*columns, left]))


@put_down("dirichlet", where=lambda point: point.values[0] != point.values[-1])
def order_reversed(alpha: list[float], count: int, seed: int) -> Table:
    return exact(alpha, count, generator(seed))[:, ::-1]


@put_down("dirichlet", where=lambda point: min(point.values) <= 1)
def normal_of_the_same_variance(alpha: list[float], count: int, seed: int) -> Table:
    """Cut at a small number, which keeps it on the simplex."""
    total = sum(alpha)
    means = np.array(alpha) / total
    deviations = np.sqrt(means * (1 - means) / (total + 1))
    draws = means + deviations * generator(seed).standard_normal((count, len(alpha)))
    draws = np.maximum(draws, 1e-9)
    return np.asarray(draws / draws.sum(axis=1, keepdims=True))


@put_down("dirichlet")
def not_a_number_now_and_then(alpha: list[float], count: int, seed: int) -> Table:
    draws = exact(alpha, count, generator(seed))
    if seed % 8 == 0:
        draws[-1] = np.nan
    return draws
