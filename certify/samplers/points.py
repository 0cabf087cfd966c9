"""The points at which samplers are tested, and the events that are counted there.

Some parameters are fixed, some are drawn from the campaign's seed; the events follow from them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from ..backends.protocol import SAMPLERS
from .distributions import LEAST_THRESHOLD_EXPONENT, BetaLaw, threshold
from .events import (
    AnotherWhenAskedAgain,
    Below,
    BothBelow,
    Counted,
    Event,
    FewBits,
    OffSimplex,
    Repeated,
    SameForAnotherSeed,
    SumAndRatioBelow,
    Within,
    Zero,
)
from .statistics import TOLERANCE, Noise, Ratio, Share, Size

LEAST_RATIO = Fraction(1, 2**200)

# Seeds are whole numbers from 0 and below this: what generators in all languages take.
SEEDS = 2**31

# Where the parameters lie, which are doubles.
LEAST_ALPHA, LARGEST_ALPHA = Fraction(0.01), Fraction(1000)
LEAST_SCALE, LARGEST_SCALE = Fraction(1e-6), Fraction(10**6)


# Masses below the thresholds: the far ends, what is best for a scale that is off, the median.
_FAR, _MEDIAN = Fraction(1, 1000), Fraction(1, 2)
_LOW, _HIGH = Fraction(7, 100), Fraction(93, 100)
_MASSES = (_FAR, _LOW, _MEDIAN, _HIGH, 1 - _FAR)
# Coordinates are told apart where they are in this range, doubles of few bits above 2^-20.
_LEAST_TOLD = Fraction(2) ** LEAST_THRESHOLD_EXPONENT
_LARGEST_TOLD = Fraction(1, 2)
_OCTAVES = 20
# In scales, for Laplace noise: below -6.25 lies 1/1036, within 1.625 four fifths.
_DRAW_THRESHOLDS = tuple(map(Fraction, ("-6.25", "-2", "0", "2", "6.25")))
_SIZE_THRESHOLDS = tuple(map(Fraction, ("0.0009765625", "0.21875", "0.6875", "1.625", "6.875")))
_MEDIAN_SIZE = Fraction("0.6875")
_SCALES_TOLD = 32
# Octaves, around the scale, in which Laplace draws of few bits are looked for.
_OCTAVES_BELOW, _OCTAVES_ABOVE = 3, 4
_BINADE_OF_FLOAT32 = 2**23
_TWO = 2
_KEPT = 256


@lru_cache(_KEPT)
def dirichlet_events(alpha: tuple[Fraction, ...]) -> tuple[Event, ...]:
    """Return the events that are counted of Dirichlet(alpha)."""
    shares = [Share(alpha, (at,)) for at in range(1, len(alpha) + 1)]
    least = shares[alpha.index(min(alpha))]
    movement = _movement(least.law, _LARGEST_TOLD)
    told = (least, _LEAST_TOLD, _LARGEST_TOLD, movement)
    few = (least, _LARGEST_TOLD / 2**_OCTAVES, _LARGEST_TOLD, movement)
    return (
        OffSimplex(len(alpha)),
        AnotherWhenAskedAgain(),
        SameForAnotherSeed(*told),
        Zero(tuple(shares)),
        Repeated(*told),
        FewBits(*few, _OCTAVES * _BINADE_OF_FLOAT32 + 1),
        *(event for share in shares for event in _of_coordinate(share)),
        *(event for pair in _pairs(alpha) for event in _of_pair(alpha, *pair)),
    )


def _movement(law: BetaLaw, high: Fraction) -> Fraction:
    """Bound how far rounding moves a share of at most ``high`` on the scale of probabilities."""
    density = law.largest_log_density(high * (1 + 2 * TOLERANCE))
    return 2 * TOLERANCE * density + TOLERANCE


def _of_coordinate(share: Share) -> Iterator[Counted]:
    found = [threshold(share.law, mass) for mass in _MASSES]
    points = [point for point in dict.fromkeys(found) if point is not None]
    yield from (Below(share, point) for point in points)
    low, median, high = found[1:4]
    if low is not None and high is not None and low < high:
        yield Within(share, low, high)
    if median is not None:
        yield BothBelow(share, median)


def _pairs(alpha: Sequence[Fraction]) -> Iterator[tuple[int, int]]:
    """Yield neighbouring coordinates, of each pair that of the smaller alpha first.

    The last comes with the first, so that each is in two; two alone have nothing between them.
    """
    if len(alpha) > _TWO:
        for at, after in pairwise([*range(1, len(alpha) + 1), 1]):
            yield (at, after) if alpha[at - 1] <= alpha[after - 1] else (after, at)


def _of_pair(alpha: tuple[Fraction, ...], first: int, second: int) -> Iterator[Counted]:
    share = Share(alpha, (first, second))
    median = threshold(share.law, _MEDIAN)
    ratio = threshold(Ratio(alpha, first, second).law, _MEDIAN)
    if median is not None:
        yield Below(share, median)
        if ratio is not None and ratio >= LEAST_RATIO:
            yield SumAndRatioBelow(alpha, first, second, median, ratio)


@lru_cache(_KEPT)
def laplace_events(scale: Fraction) -> tuple[Event, ...]:
    """Return the events that are counted of Laplace noise of a scale.

    A draw of at most 32 scales, whose density is at most 1/(2 scale), was moved by at most 34
    tolerances of the scale.
    """
    draw, size = Noise(scale), Size(scale)
    movement = ((_SCALES_TOLD + 2) / Fraction(2) + 1) * TOLERANCE
    told = (draw, Fraction(0), _SCALES_TOLD * scale, movement)
    octave = math.frexp(float(scale))[1] - 1
    low, high = (Fraction(2) ** (octave + at) for at in (-_OCTAVES_BELOW, _OCTAVES_ABOVE))
    doubles = 2 * ((_OCTAVES_BELOW + _OCTAVES_ABOVE) * _BINADE_OF_FLOAT32 + 1)
    return (
        AnotherWhenAskedAgain(),
        SameForAnotherSeed(*told),
        Zero((size,)),
        Repeated(*told),
        FewBits(draw, low, high, movement, doubles),
        *(Below(draw, _double(times * scale)) for times in _DRAW_THRESHOLDS),
        *(Below(size, _double(times * scale)) for times in _SIZE_THRESHOLDS),
        Within(draw, _double(-_MEDIAN_SIZE * scale), Fraction(0)),
        BothBelow(draw, Fraction(0)),
        BothBelow(size, _double(_MEDIAN_SIZE * scale)),
    )


def _double(value: Fraction) -> Fraction:
    return Fraction(float(value))


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
