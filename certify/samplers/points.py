"""The parameters at which samplers are tested: some fixed, some drawn from the campaign's seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..backends.protocol import SAMPLERS
from .constants import (
    LARGEST_ALPHA,
    LARGEST_SCALE,
    LEAST_ALPHA,
    LEAST_SCALE,
    SEEDS,
)
from .events import Event
from .plans import dirichlet_events, laplace_events

DIRICHLET, LAPLACE = SAMPLERS

_FIXED_ALPHAS = (
    (0.01, 0.01),
    (0.01, 1000.0),
    (1.0, 1.0),
    (0.3, 0.3, 0.3),
    (2.0, 3.0, 5.0),
    (20.0, 0.5, 0.01),
    (0.01, 0.01, 0.01, 0.01, 0.01),
    (0.01, 0.1, 1.0, 10.0, 1000.0),
    (1000.0, 1000.0, 1000.0, 1000.0, 1000.0),
)
_FIXED_SCALES = (1e-6, 0.001, 1.0, 12.5, 1e6)
DIMENSIONS = (2, 3, 5)
_DRAWN_SCALES = 2
# Drawn numbers are m 2^e, m of 5 bits: these are the powers of two they lie between.
_ALPHA_POWERS, _SCALE_POWERS = (-6, 9), (-19, 18)
_MANTISSA = 16
# Odd, so that seeds repeat only after all SEEDS of them; next to 2^31 over the golden ratio, so
# that neighbours are far apart.
_STRIDE = 1_327_217_885


@dataclass(frozen=True)
class Point:
    """A sampler, its parameters, and the first of the seeds that it is asked with."""

    sampler: str
    values: tuple[Fraction, ...]
    seed: int

    @property
    def width(self) -> int | None:
        """How many coordinates a draw has; None where it is a number."""
        return len(self.values) if self.sampler == DIRICHLET else None

    def given(self) -> Mapping[str, list[float] | float]:
        """Return the parameters as the sampler is given them."""
        numbers = [float(value) for value in self.values]
        return {"alpha": numbers} if self.sampler == DIRICHLET else {"scale": numbers[0]}

    def written(self) -> Mapping[str, list[str] | str]:
        """Return the parameters as a certificate has them."""
        numbers = [float(value).hex() for value in self.values]
        return {"alpha": numbers} if self.sampler == DIRICHLET else {"scale": numbers[0]}

    def events(self) -> tuple[Event, ...]:
        """Return what is counted of its draws."""
        if self.sampler == DIRICHLET:
            return dirichlet_events(self.values)
        return laplace_events(self.values[0])

    def chunk_seed(self, chunk: int) -> int:
        """Return the seed of a chunk of draws; no two chunks have the same."""
        return (self.seed + chunk * _STRIDE) % SEEDS


def fixed_points(sampler: str) -> tuple[tuple[Fraction, ...], ...]:
    """Return the parameters that are tested in every campaign."""
    rows = _FIXED_ALPHAS if sampler == DIRICHLET else [(scale,) for scale in _FIXED_SCALES]
    return tuple(tuple(map(Fraction, row)) for row in rows)


def points_of(sampler: str, seed: int) -> tuple[Point, ...]:
    """Return the points at which a sampler is tested in the campaign of a seed."""
    source = f"{seed}/{sampler}"
    drawn = _drawn_alphas(source) if sampler == DIRICHLET else _drawn_scales(source)
    rows = (*fixed_points(sampler), *drawn)
    return tuple(
        Point(sampler, row, _whole(f"{source}/{number}", SEEDS)) for number, row in enumerate(rows)
    )


def _drawn_alphas(source: str) -> Iterator[tuple[Fraction, ...]]:
    """Yield alphas for each dimension, every other time all equal."""
    for dimension in DIMENSIONS:
        row = [
            _drawn(f"{source}/alpha/{dimension}/{at}", _ALPHA_POWERS, LEAST_ALPHA, LARGEST_ALPHA)
            for at in range(dimension)
        ]
        equal = _whole(f"{source}/equal/{dimension}", 2) == 1
        yield tuple(row[:1] * dimension if equal else row)


def _drawn_scales(source: str) -> Iterator[tuple[Fraction, ...]]:
    for at in range(_DRAWN_SCALES):
        yield (_drawn(f"{source}/scale/{at}", _SCALE_POWERS, LEAST_SCALE, LARGEST_SCALE),)


def _drawn(source: str, powers: tuple[int, int], least: Fraction, largest: Fraction) -> Fraction:
    low, high = powers
    power = low + _whole(f"{source}/power", high - low + 1)
    mantissa = _MANTISSA + _whole(f"{source}/mantissa", _MANTISSA)
    return min(max(mantissa * Fraction(2) ** power / _MANTISSA, least), largest)


def _whole(source: str, below: int) -> int:
    """Return a number from 0 and below another that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:8], "big") % below
