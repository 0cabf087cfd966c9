"""Laplace samplers with one fault each."""

from __future__ import annotations

import numpy as np

from .entries import Table, generator, put_down


@put_down("laplace")
def scale_above(scale: float, count: int, seed: int) -> Table:
    return generator(seed).laplace(0, 1.05 * scale, size=count)


@put_down("laplace")
def scale_below(scale: float, count: int, seed: int) -> Table:
    return generator(seed).laplace(0, 0.95 * scale, size=count)


@put_down("laplace", where=lambda point: point.values[0] != 1)
def rate_for_scale(scale: float, count: int, seed: int) -> Table:
    return generator(seed).laplace(0, 1 / scale, size=count)


@put_down("laplace")
def deviation_for_scale(scale: float, count: int, seed: int) -> Table:
    """The parameter is taken for the standard deviation, sqrt 2 times the scale."""
    return generator(seed).laplace(0, scale / np.sqrt(2), size=count)


@put_down("laplace")
def one_sided(scale: float, count: int, seed: int) -> Table:
    return generator(seed).exponential(scale, size=count)


@put_down("laplace")
def normal(scale: float, count: int, seed: int) -> Table:
    return generator(seed).normal(0, np.sqrt(2) * scale, size=count)


@put_down("laplace")
def shifted(scale: float, count: int, seed: int) -> Table:
    """Off by a twentieth of the scale."""
    return generator(seed).laplace(scale / 20, scale, size=count)


@put_down("laplace", where=lambda point: point.values[0] < 100)
def on_a_grid(scale: float, count: int, seed: int) -> Table:
    return np.asarray(np.round(generator(seed).laplace(0, scale, size=count) * 1024) / 1024)


@put_down("laplace")
def answered_in_float32(scale: float, count: int, seed: int) -> Table:
    draws = generator(seed).laplace(0, scale, size=count)
    return draws.astype(np.float32).astype(np.float64)


@put_down("laplace")
def logarithm_cut(scale: float, count: int, seed: int) -> Table:
    """Uniforms are cut at 1/500, so that no logarithm is that of 0."""
    random = generator(seed)
    signs = np.where(random.random(count) < 0.5, -scale, scale)
    return np.asarray(-signs * np.log(np.maximum(random.random(count), 1 / 500)))


@put_down("laplace")
def logarithm_of_nothing(scale: float, count: int, seed: int) -> Table:
    """Uniforms of 16 bits, of which some are 0."""
    random = generator(seed)
    uniform = random.integers(2**16, size=count) / 2**16
    with np.errstate(divide="ignore"):
        return np.asarray(scale * np.log(uniform) * np.where(random.random(count) < 0.5, -1, 1))


@put_down("laplace")
def sign_of_the_same_uniform(scale: float, count: int, seed: int) -> Table:
    uniform = 1 - generator(seed).random(count)
    return np.asarray(np.where(uniform < 0.5, scale, -scale) * np.log(uniform))


@put_down("laplace")
def exponentials_reused(scale: float, count: int, seed: int) -> Table:
    """Each exponential is the first part of one difference and the second of the one before."""
    draws = generator(seed).exponential(scale, size=count + 1)
    return np.asarray(draws[1:] - draws[:-1])


@put_down("laplace")
def seed_ignored(scale: float, count: int, seed: int) -> Table:  # noqa: ARG001
    return generator(7).laplace(0, scale, size=count)


@put_down("laplace")
def one_draw_short(scale: float, count: int, seed: int) -> Table:
    return generator(seed).laplace(0, scale, size=count - 1)
