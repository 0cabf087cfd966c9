"""delta by a bent path, s = sigma + r (-1 + i), r >= 0, and its mirror image: for small k.

    delta = Gamma(k)/pi * real part of the integral over r of (1 + i) e^s s^-k H(s)

To the left |e^s H(s)| falls like e^((1 - w gamma) Re s), whatever k is (tail-contour.md); so the
path is cut off at a finite length, with a bound, and integrated piece by piece. Off the negative
axis the integrand is bounded over boxes, and beyond the end of the path.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from flint import acb, arb, ctx

from ...arb.balls import INFINITY, ball, working_precision
from ...arb.incomplete_gamma import Plan, Region, cheapest_plan
from ...arb.integration import Cuts, integrate
from .event import Miss
from .transform import (
    Doubles,
    Transform,
    UpperBounds,
    bits_for_logarithms,
    log_transform,
    probability_of_any,
    saddle,
)

# What is cut off is pushed so many nats, the integrals' tolerance so many bits further.
_SPARE_NATS, _SPARE_BITS = 4.0, 10
# Bounds are tried at this precision before the path is fixed; speed alone.
_PLANNING_BITS = 64
# Nearer to the branch point 0 the path does not cross the axis.
_LEAST_CROSSING = 1.0
_DIRECTION = acb(-1, 1)
# A longest path, in units of the crossing: beyond so many doublings it is hopeless.
_MOST_PIECES = 48
# A value that is larger, relative to the crossing, is one over a wide box, and worth a bound.
_LARGE = 2
# A piece on which so many nats cancel is divided, unless its ends are that near to each other.
_MUCH_LOST, _SHORT = 150.0, 1.1
# Measured at 128 bits: evaluations on each piece, and near the axis in units of k^0.63; seconds
# for a parameter, for a term, and for a coefficient.
_ON_A_PIECE, _NEAR_AXIS = 95.0, 26.0
_PARAMETER, _TERM, _COEFFICIENT = 2e-5, 2e-7, 4e-7


@dataclass(frozen=True)
class _Piece:
    """A part of the path between two values of r, exact doubles, and the expansions for it."""

    low: float
    high: float
    plans: tuple[Plan, ...]


@dataclass(frozen=True)
class Wedge:
    """A path: where it crosses the axis, its pieces, log H there, precisions, expected time."""

    crossing: float
    pieces: tuple[_Piece, ...]
    log_height: float
    integral_bits: int
    bits: int
    seconds: float


@lru_cache(maxsize=64)
def planned_wedge(miss: Miss, bits: int) -> Wedge | None:
    """Choose a path that leaves out about 2^-bits of delta, or None; a matter of speed alone."""
    event = Doubles.of(miss)
    if event is None:
        return None
    crossing, nats = max(saddle(event), _LEAST_CROSSING), bits * math.log(2) + _SPARE_NATS
    nats += max(-math.log(event.total), 0.0)
    log_height = log_transform(event, crossing)[0]
    with working_precision(_PLANNING_BITS):
        length = _shortest_length(miss, crossing, arb(log_height - nats).exp())
    if math.isinf(length):
        return None
    pieces = _pieces(event, crossing, length, nats)
    loss = max(plan.loss for piece in pieces for plan in piece.plans)
    wanted = int(nats / math.log(2)) + _SPARE_BITS
    path = Wedge(
        crossing, pieces, log_height, wanted, wanted + bits_for_logarithms(event.total, loss), 0.0
    )
    return replace(path, seconds=_seconds(event, path, float(1 - miss.count * miss.gamma)))


def _seconds(event: Doubles, path: Wedge, left: float) -> float:
    """Estimate the time of the integrals by what was measured."""
    terms = sum(plan.terms for piece in path.pieces for plan in piece.plans) / len(path.pieces)
    near: float = _NEAR_AXIS * event.total**0.63 * (1 - 0.8 * math.log(max(left, 1e-300)))
    evaluations = (_ON_A_PIECE * len(path.pieces) + near) * path.integral_bits / 143
    each = _PARAMETER * (1 + len(event.groups)) + _TERM * terms
    scale: float = (path.bits / 180) ** 0.7
    return (evaluations * each + len(path.pieces) * terms * _COEFFICIENT) * scale


def _shortest_length(miss: Miss, crossing: float, negligible: arb) -> float:
    length, majorant = crossing, Majorant(miss, crossing)
    for _ in range(_MOST_PIECES):
        if majorant.cut_off(length) < negligible:
            return length
        length *= 2
    return math.inf


def _pieces(event: Doubles, crossing: float, length: float, nats: float) -> tuple[_Piece, ...]:
    """Cut the path where r doubles, so that |s| does not change by much on any piece."""
    ends = [0.0, crossing]
    while ends[-1] < length:
        ends.append(2 * ends[-1])
    return tuple(
        piece
        for low, high in pairwise(ends)
        for piece in _divided(event, crossing, (low, high), nats)
    )


def _divided(
    event: Doubles, crossing: float, ends: tuple[float, float], nats: float
) -> list[_Piece]:
    """Divide a piece on which no one expansion is good everywhere."""
    low, high = ends
    plans = _plans(event, crossing, low, high, nats)
    if max(plan.loss for plan in plans) < _MUCH_LOST or high < _SHORT * low:
        return [_Piece(low, high, plans)]
    middle = (low + high) / 2
    return [
        piece
        for part in ((low, middle), (middle, high))
        for piece in _divided(event, crossing, part, nats)
    ]


def _plans(
    event: Doubles, crossing: float, low: float, high: float, nats: float
) -> tuple[Plan, ...]:
    closest = min(max(crossing / 2, low), high)
    region = Region(
        least=event.point(math.hypot(crossing - closest, closest)),
        most=event.point(max(math.hypot(crossing - r, r) for r in (low, high))),
        low=math.copysign(event.point(abs(crossing - high) or 1e-300), crossing - high),
        high=math.copysign(event.point(abs(crossing - low) or 1e-300), crossing - low),
        tilt=math.sqrt(2),
    )
    return tuple(cheapest_plan(alpha, region, nats) for alpha, _ in event.groups)


def probability_on_wedge(miss: Miss) -> arb:
    """Enclose delta; NaN where the path is hopeless."""
    wedge = planned_wedge(miss, ctx.prec)
    if wedge is None or not math.isfinite(wedge.seconds):
        return arb("nan")
    return bent_integral(miss, wedge)


def bent_integral(miss: Miss, wedge: Wedge) -> arb:
    """Enclose delta by any path: positive crossing, pieces that follow each other from r = 0."""
    with working_precision(wedge.bits):
        k, sigma = ball(miss.total), arb(wedge.crossing)
        front = (k.lgamma() + sigma - k * sigma.log()).exp() / arb.pi()
        scale = arb(wedge.log_height).exp()
        parts = (_over_piece(miss, wedge, piece, scale) for piece in wedge.pieces)
        total = sum(parts, arb(0))
        rest = Majorant(miss, wedge.crossing).cut_off(wedge.pieces[-1].high)
        return front * (scale * total + rest.union(-rest))


def _over_piece(miss: Miss, wedge: Wedge, piece: _Piece, scale: arb) -> arb:
    transform = Transform.of(miss, piece.plans)
    k, sigma, factor = ball(miss.total), arb(wedge.crossing), acb(1, 1) / scale
    log_sigma, majorant = sigma.log(), Majorant(miss, wedge.crossing)

    def integrand(r: acb, cuts: Cuts) -> acb:
        moved = r * _DIRECTION
        logarithm = cuts.log(1 + moved / sigma)
        parts = transform.parts(sigma + moved, logarithm + log_sigma)
        value = (moved - k * logarithm).exp() * probability_of_any(parts) * factor
        if value.abs_upper() < _LARGE or not logarithm.is_finite():
            return value
        return _smaller(value, majorant.over(sigma + moved) * factor.abs_upper())

    return integrate(integrand, arb(piece.low), arb(piece.high), wedge.integral_bits)


def _smaller(value: acb, bound: arb) -> acb:
    """Return an enclosure of what is in ``value`` and at most ``bound`` in modulus."""
    if value.is_finite() and not value.abs_upper() > bound.upper():
        return value
    either = bound.union(-bound)
    return acb(either, either)


class Majorant:
    """A bound on |F(s)| / (e^sigma sigma^-k) everywhere off the negative axis."""

    def __init__(self, miss: Miss, crossing: float) -> None:
        """Work out what does not depend on s, at the working precision."""
        self.gamma, self.total, self.crossing = ball(miss.gamma), ball(miss.total), arb(crossing)
        self.left = ball(1 - miss.count * miss.gamma)
        self.upper = UpperBounds(miss)

    def at(self, size: arb, real: arb, height: arb) -> arb:
        """Bound by 1 + prod |Q|, |s| = size, Re s = real, |Im s| >= height."""
        common = -self.crossing - self.total * (size / self.crossing).log()
        distance = size if real > 0 else height
        product = self.upper.log_product(self.gamma * size, self.gamma * distance)
        return (common + real).exp() + (common + self.left * real + product).exp()

    def over(self, box: acb) -> arb:
        """Bound |F| over a box."""
        low, high = box.abs_lower(), box.abs_upper()
        return self.at(low.union(high), box.real, box.imag.abs_lower())

    def cut_off(self, length: float) -> arb:
        """Bound the integral of |F| from r = length >= sigma to infinity.

        There |s| and |Im s| increase with r and Re s falls, so what the bound has at the end of
        the path falls at least like e^(-(1 - w gamma)(r - length)).
        """
        r, sigma = arb(length), self.crossing
        if not (r >= sigma and self.left > 0):
            return INFINITY
        size = ((sigma - r) ** 2 + r**2).sqrt()
        return arb(2).sqrt() * self.at(size, sigma - r, r) / self.left
