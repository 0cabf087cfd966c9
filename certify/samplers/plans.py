"""Which events are counted of a sampler at a point: a function of the parameters alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from .atoms import FewBits, Repeated, Zero
from .comparisons import AnotherWhenAskedAgain, OffSimplex, SameForAnotherSeed
from .constants import LEAST_RATIO, LEAST_THRESHOLD_EXPONENT, TOLERANCE
from .events import Below, BothBelow, Counted, Event, SumAndRatioBelow, Within
from .laws import BetaLaw
from .statistics import Noise, Ratio, Share, Size
from .thresholds import threshold

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
