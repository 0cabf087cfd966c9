"""Roundings with one fault each, and sound ones, of shares and noise in doubles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from counted_draws import Counted
from exact_draws import (
    CENTRE,
    DRAWS,
    GRID,
    SCALE,
    SHARES_GRID,
    SLOPE,
    cells_of_published,
    shares_tests,
)
from numpy.typing import NDArray

from .entries import planted

WHOLE = 2**SHARES_GRID


def scaled(seed: int) -> NDArray[np.float64]:
    """Shares in units of the grid."""
    draws = np.random.default_rng(seed).standard_gamma([1, 1, 2], (DRAWS, 3))
    return np.asarray(WHOLE * draws / draws.sum(axis=1, keepdims=True))


def with_units(parts: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Round down, and give the missing units to the coordinates that come first in an order."""
    found = np.floor(parts).astype(np.int64)
    missing = WHOLE - found.sum(axis=1, keepdims=True)
    ranks = np.argsort(order, axis=1)
    return found + (ranks < missing)


def by_remainder(parts: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(np.floor(parts) - parts, axis=1)


@planted("")
def sound_shares(seed: int) -> Iterable[Counted]:
    parts = scaled(seed)
    return shares_tests(SLOPE, with_units(parts, by_remainder(parts)))


@planted("shares")
def unit_always_to_the_first(seed: int) -> Iterable[Counted]:
    parts = scaled(seed)
    return shares_tests(SLOPE, with_units(parts, np.tile([0, 1, 2], (DRAWS, 1))))


@planted("shares")
def least_remainder(seed: int) -> Iterable[Counted]:
    parts = scaled(seed)
    return shares_tests(SLOPE, with_units(parts, by_remainder(parts)[:, ::-1]))


@planted("shares")
def unit_to_any(seed: int) -> Iterable[Counted]:
    order = np.random.default_rng(seed + 1).permuted(np.tile([0, 1, 2], (DRAWS, 1)), axis=1)
    return shares_tests(SLOPE, with_units(scaled(seed), order))


@planted("shares elsewhere")
def rounded_down_and_not_summing(seed: int) -> Iterable[Counted]:
    return shares_tests(SLOPE, np.floor(scaled(seed)).astype(np.int64))


@planted("shares")
def rest_to_the_last(seed: int) -> Iterable[Counted]:
    """The first two are truncated, and the last is what is left."""
    found = np.floor(scaled(seed)).astype(np.int64)
    found[:, 2] = WHOLE - found[:, 0] - found[:, 1]
    return shares_tests(SLOPE, found)


def noisy(seed: int) -> NDArray[np.float64]:
    noise = np.random.default_rng(seed).laplace(0, float(SCALE), DRAWS)
    return np.asarray((float(CENTRE) + noise) * 2**GRID)


@planted("")
def sound_noise(seed: int) -> Iterable[Counted]:
    return cells_of_published(np.floor(noisy(seed) + 0.5).astype(np.int64))


@planted("noise")
def truncated_towards_nothing(seed: int) -> Iterable[Counted]:
    return cells_of_published(np.trunc(noisy(seed)).astype(np.int64))


@planted("noise")
def rounded_down(seed: int) -> Iterable[Counted]:
    return cells_of_published(np.floor(noisy(seed)).astype(np.int64))


@planted("noise")
def rounded_before_the_centre_is_added(seed: int) -> Iterable[Counted]:
    noise = noisy(seed) - float(CENTRE) * 2**GRID
    return cells_of_published(np.floor(noise + 0.5).astype(np.int64))
