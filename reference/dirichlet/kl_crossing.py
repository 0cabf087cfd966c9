"""Where the contour crosses the real axis: about the saddle of the integrand.

A matter of speed alone, but for the conditions on the foci, which are checked. On the real axis
log M is convex, so log |F| = log M - eta z - log |z| has one stationary point on either side of
the pole at 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from ..arb.balls import ball, middle
from ..dyadic import Dyadic
from ..precision import check_budget
from .kl_moments import Divergence
from .kl_strip import ANGLE, Hyperbola

# The search goes over powers of 2 with exponents in these units, to 2^(2^16) at most.
_UNITS, _LARGEST = 64, 1 << 22
_SHORT_BITS = 64
# The foci are moved off their bounds by this share.
_INSIDE = Fraction(63, 64)


@dataclass(frozen=True)
class Crossing:
    """A hyperbola; about the size of the answer, and about the integrand's width in u."""

    hyperbola: Hyperbola
    size: arb
    width: arb


def crossing(divergence: Divergence, eta: Fraction) -> Crossing | None:
    """Choose the side of the pole and the hyperbola there; None if no saddle is found."""
    right = divergence.slope_at(Fraction(0)).mid() < ball(eta)
    place = _right_place(divergence, eta) if right else _left_place(divergence, eta)
    if place is None:
        return None
    path = _right_path(divergence, place) if right else _left_path(place)
    length = 1 / (divergence.curvature_at(place) + 1 / ball(place) ** 2).sqrt()
    size = arb(1)
    if right:
        log_moment = divergence.log_moment_at(place) - ball(eta * place)
        size = log_moment.exp() / ball(place) * length / (2 * arb.pi()).sqrt()
    if not (size.is_finite() and length.is_finite() and path.is_admitted(ball(divergence.limit))):
        return None
    return Crossing(path, size.mid(), (length / path.radius).mid())


def _right_place(divergence: Divergence, eta: Fraction) -> Fraction | None:
    def place(odds: Fraction) -> Fraction:
        """Return a point between 0 and z_max, short as seen from the nearer end."""
        if odds < 1:
            return _short(divergence.limit * odds / (1 + odds))
        return divergence.limit - _short(divergence.limit / (1 + odds))

    def slope(odds: Fraction) -> arb:
        return divergence.slope_at(place(odds)) - ball(eta) - 1 / ball(place(odds))

    found = _zero(slope)
    return None if found is None else place(found)


def _left_place(divergence: Divergence, eta: Fraction) -> Fraction | None:
    found = _zero(lambda t: ball(eta) - 1 / ball(t) - divergence.slope_at(-t))
    return None if found is None else -found


def _right_path(divergence: Divergence, place: Fraction) -> Hyperbola:
    """Return the widest hyperbola with a centre >= 0 and its focus at most z_max."""
    cosine = ball(ANGLE).cos()
    rooms = ball(place) / cosine, ball(divergence.limit - place) / (1 - cosine)
    radius = (rooms[0].min(rooms[1]) * ball(_INSIDE)).mid()
    return Hyperbola((ball(place) - radius * cosine).mid(), radius, right=True)


def _left_path(place: Fraction) -> Hyperbola:
    """Return the widest hyperbola with its focus at most 0."""
    cosine = ball(ANGLE).cos()
    radius = (ball(-place) / (1 - cosine) * ball(_INSIDE)).mid()
    return Hyperbola((ball(place) - radius * cosine).mid(), radius, right=False)


def _zero(increasing: Callable[[Fraction], arb]) -> Fraction | None:
    """Return about the zero of a function on the positive numbers, to one part in 2^6."""

    def is_above(exponent: int) -> bool:
        check_budget()
        return bool(increasing(_power(exponent)).mid() > 0)

    step = -_UNITS if is_above(0) else _UNITS
    while is_above(step) == (step < 0):
        step *= 2
        if abs(step) > _LARGEST:
            return None
    low, high = sorted((step, step // 2 if abs(step) > _UNITS else 0))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return _power(high)


def _power(exponent: int) -> Fraction:
    """Return a short dyadic near 2^(exponent/64)."""
    return _short(middle(arb(2) ** arb(fmpq(exponent, _UNITS))))


def _short(value: Fraction) -> Fraction:
    return Fraction(Dyadic.rounded(value, _SHORT_BITS, up=False).as_fraction())
