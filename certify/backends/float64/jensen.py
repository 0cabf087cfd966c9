"""Bends of logarithms, and Jensen gaps of log Gamma: sums of positive terms.

How far log(1 + x) and (1 + x) log(1 + x) bend away from x, over x^2: nothing cancels.

Both are 1/2 at 0. ``share`` is 1 + x, given beside x so that each keeps its own digits where x is
near 0 or near -1. Relative errors are at most BEND_ERROR if both are within 3 units of round-off.

Jensen gaps of log Gamma over the square of the change: sums of positive terms.

With F = log Gamma, h = v - u, w = u - c h and c = order - 1, the divergence of Gamma(u) from
Gamma(v) is

    [F(w) + c F(v) - order F(u)]/c = h^2 C,

at c = 0 its limit. F(z) = F(z + 1) - log z lifts u, v and w by 16; each lift adds a gap of -log,
and above Stirling's series is differenced exactly. With l and e the bends of the logarithm and of
the entropy, t = h/z and z = u + n,

    C = sum over n < 16 of [l(t) + c l(-c t)]/z^2
        + [e(t) + c e(-c t)]/z + [l(t) + c l(-c t)]/(2 z^2) + order (1/12 - h_2/360 + ...)/(w v z)

where z = u + 16 in the second line, v and w are lifted as well, and h_m is the complete homogeneous
polynomial in 1/w, 1/v, 1/z. At h = 0 it is order psi'(u)/2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from .doubled import UNIT, Flags, Reals

# Between these x the series is used: s = x/(2 + x) is then between -1/3 and 1/3.
_LEAST, _LARGEST = -0.5, 1.0
# 1/3 + s^2/5 + s^4/7 + ...: what follows 17 terms is below 9^-17/37 < 2e-18.
_TERMS = 17
# The direct forms cancel by at most 6.5, and carry 10 units before that.
BEND_ERROR = 80 * UNIT


def logarithm_bend(value: Reals, share: Reals) -> Reals:
    """Return (x - log(1 + x))/x^2 for x > -1, which falls from infinity to 0."""
    close, sine, series = _series(value, share)
    near = 0.5 * (1.0 - sine) * (1.0 - sine * (1.0 - sine) * series)
    far = np.where(close, 1.0, value)
    return np.where(close, near, (far - np.log(share)) / far / far)


def entropy_bend(value: Reals, share: Reals) -> Reals:
    """Return ((1 + x) log(1 + x) - x)/x^2 for x >= -1, which falls from 1 to 0."""
    close, sine, series = _series(value, share)
    near = 0.5 * (1.0 - sine) * (1.0 + sine * (1.0 + sine) * series)
    far = np.where(close, 1.0, value)
    return np.where(close, near, (special.xlogy(share, share) - far) / far / far)


def _series(value: Reals, share: Reals) -> tuple[Flags, Reals, Reals]:
    """Return whether x is close, s = x/(2 + x), and (artanh(s)/s - 1)/s^2 there."""
    close = (value > _LEAST) & (value < _LARGEST)
    sine = np.where(close, value / (1.0 + share), 0.0)
    square = sine * sine
    series = np.full_like(square, 1.0 / (2 * _TERMS + 1))
    for index in range(_TERMS - 1, 0, -1):
        series = series * square + 1.0 / (2 * index + 1)
    return np.asarray(close, dtype=np.bool_), sine, series


_SHIFTS = 16
# B_2k/(2k (2k-1)), k = 1..7 (DLMF 5.11.1). The rest of Stirling's series is enveloped: that of its
# gap is below 3617/122400 h_14, from 16 on less than 2e-17 of the remainder and of the whole.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
# Relative error on either side: a bend, 20 roundings around it, 20 sums, the rest of the series.
CURVATURE_ERROR = BEND_ERROR + 60 * UNIT + 4 * UNIT
# Outside of these sizes nothing is attempted: squares and quotients might under- or overflow.
TINIEST, HUGEST = 1e-140, 1e140
_CHUNK = 4096

_Bend = Callable[[Reals, Reals], Reals]


class Gap(NamedTuple):
    """The five numbers of a gap, each within 3 units of round-off of what it stands for."""

    base: Reals  # u
    change: Reals  # h = v - u, of either sign or 0
    other: Reals  # v
    far: Reals  # w = u - c h
    excess: Reals  # c = order - 1 >= 0


def usable(given: Gap) -> Flags:
    """Whether u, v, w and the others that are not 0 are of sizes that can be handled."""
    ends = (given.base, given.other, given.far)
    flags = np.all([(part > TINIEST) & (part < HUGEST) for part in ends], axis=0)
    for part in (np.abs(given.change), given.excess):
        flags &= (part == 0.0) | ((part > TINIEST) & (part < HUGEST))
    return np.asarray(flags, dtype=np.bool_)


def curvature(given: Gap) -> Reals:
    """Return C, within CURVATURE_ERROR relative, for one-dimensional usable parts."""
    result = np.empty_like(given.base)
    for start in range(0, result.size, _CHUNK):
        here = slice(start, start + _CHUNK)
        result[here] = _curvature(Gap(*(part[here] for part in given)))
    return result


def _curvature(given: Gap) -> Reals:
    low = np.minimum(np.minimum(given.base, given.other), given.far) < _SHIFTS
    lifted = _lifted(given, np.where(low, float(_SHIFTS), 0.0))
    total = _linear_part(lifted) + _beyond(lifted)
    if np.any(low):
        total[low] += np.sum(_lifts(Gap(*(part[low] for part in given))), axis=0)
    return total


def _lifted(given: Gap, shift: Reals) -> Gap:
    return Gap(
        given.base + shift, given.change, given.other + shift, given.far + shift, given.excess
    )


def _lifts(given: Gap) -> Reals:
    """Return the gaps of -log at u, u + 1, ..., u + 15 over h^2, a row for each."""
    steps = np.arange(float(_SHIFTS))[:, None]
    many = Gap(*(np.broadcast_to(part, (_SHIFTS, part.size)) for part in given))
    given = _lifted(many, steps)
    return _both(logarithm_bend, given) / given.base / given.base


def _both(bend: _Bend, given: Gap) -> Reals:
    """Return bend(t) + c bend(-c t), t = h/u."""
    slope = given.change / given.base
    near = bend(slope, given.other / given.base)
    return near + given.excess * bend(-given.excess * slope, given.far / given.base)


def _linear_part(given: Gap) -> Reals:
    """Return the gap of z log z over h^2."""
    return _both(entropy_bend, given) / given.base


def _beyond(given: Gap) -> Reals:
    """Return the gap of -log(z)/2 + 1/(12 z) - ... over h^2, for large u, v and w."""
    half = 0.5 * _both(logarithm_bend, given) / given.base / given.base
    near, across, far = 1.0 / given.base, 1.0 / given.other, 1.0 / given.far
    powers = homogeneous((near, across, far), 2 * len(_STIRLING) - 2)
    series = sum(
        (value * powers[2 * index] for index, value in enumerate(_STIRLING)), np.zeros_like(half)
    )
    return np.asarray(half + (1.0 + given.excess) * near * across * far * series)


def homogeneous(parts: tuple[Reals, ...], degree: int) -> list[Reals]:
    """Return the complete homogeneous polynomials of degrees 0, 1, ..., ``degree``."""
    found = [np.ones_like(parts[0]), *(np.zeros_like(parts[0]) for _ in range(degree))]
    for part in parts:
        for index in range(1, degree + 1):
            found[index] = found[index] + part * found[index - 1]
    return found


def remainder(given: Gap) -> tuple[Reals, Reals]:
    """Return C without ``_linear_part``, and an absolute bound on its error.

    Where all of u, v and w are large it is formed alone, elsewhere by a difference.
    """
    whole, linear = curvature(given), _linear_part(given)
    value = np.maximum(whole - linear, 0.0)
    doubt = CURVATURE_ERROR * (whole + linear)
    large = np.minimum(np.minimum(given.base, given.other), given.far) >= _SHIFTS
    if np.any(large):
        value[large] = _beyond(Gap(*(part[large] for part in given)))
        doubt[large] = CURVATURE_ERROR * value[large]
    return value, doubt


def product(*parts: Reals) -> Reals:
    """Return the product of numbers of any size, which under- or overflows at its end alone.

    Rounded upward by enough to be above the exact product, but never to infinity.
    """
    mantissa, exponent = np.ones_like(parts[0]), np.zeros_like(parts[0], dtype=np.int64)
    for part in parts:
        share, scale = np.frexp(part)
        mantissa = mantissa * share
        exponent = exponent + scale
    value = np.ldexp(mantissa * (1.0 + 4 * len(parts) * UNIT), np.clip(exponent, -3000, 3000))
    value = np.nextafter(value, np.inf)
    largest = np.finfo(np.float64).max
    return np.where(np.isnan(value), largest, np.minimum(value, largest))
