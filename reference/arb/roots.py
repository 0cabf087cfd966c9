"""Certified roots of monotone functions on (0, infinity).

The answer is a ball between two exact points at which the function's sign is *proved*: negative
at the lower one, positive at the upper one. Where the next probe falls is a matter of speed alone;
which side of the root it is on is decided by a ball that does not contain 0. Where somebody says
what the root may be (``likely``) the search begins beside that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb, ctx

from ..dyadic import Dyadic
from ..enclosure import Trilean
from ..likely import likely_answer, looking_near
from ..precision import check_budget
from .balls import INFINITY, ball, middle, sign

_Excess: TypeAlias = Callable[[Fraction], arb]

# How many bits below the working precision the bracket aims at: the noise of the formulas.
_NOISE_BITS = 48
_MAX_PROBES = 400
# Around a point whose sign does not show, look this many bits further out each time.
_WIDENING_BITS = 8
# Brackets wider than this factor are split in log scale, narrower ones by interpolation in x.
_WIDE_RATIO = 4
# The search for a first bracket squares its factor each time: 2, 4, 16, ... 2^(2^16).
_MAX_DOUBLINGS = 16
# Near a likely place the steps outward grow by this factor.
_LONGER = 16
# A likely root is looked for within this part of it on either side; then within this part of the
# way to where the line through the two points leads.
_MARGIN, _MARGIN_AGAIN = 1 << 40, 1 << 10
_MOST_GUESSES = 3
_BITS_OF_A_PLACE = 128
# From a probe beside a likely root the search goes on outward, by so much first; not where the
# likely root and the start are so many times apart, and so one of them is far off.
_OUTWARD, _FAR = Fraction(1, 64), 256
# In brackets as narrow as this the function is nearly straight.
_STRAIGHT = Fraction(1, 1 << 16)
_HALF = Fraction(1, 2)
# A neighbouring point, should a search begin on the root itself.
_BESIDE = Fraction(1023, 1024)


class _NoBracketError(ArithmeticError):
    """The sign could not be decided at the working precision; a higher one may do."""


@dataclass(frozen=True)
class _End:
    """A probe whose sign is proved, and the value there (its ball's middle, or infinity)."""

    point: Fraction
    value: arb


def positive_root(
    excess: _Excess, start: Fraction, limit: Fraction | None = None, near: Fraction | None = None
) -> arb:
    """Enclose the root of an increasing ``excess`` on (0, limit], searched outward from ``start``.

    It is looked for within the part ``near`` of ``start`` first, where it is likely to be.

    Precondition: the function changes sign there, from negative to positive (which may be
    infinite, as at ``limit`` itself). The ball's width is
    about 2^(48 - precision) of the root where the formulas allow it; where they do not, the ball
    is wider and the ladder climbs. If not even a bracket can be decided it is [0, limit].
    """
    likely = likely_answer()
    with looking_near(None):  # it is not where another root is that the function needs
        try:
            low, high = _first_bracket(excess, start, limit, near, likely)
        except _NoBracketError:
            return arb(0).union(INFINITY if limit is None else ball(limit))
        return _narrowed(excess, low, high)


def positive_near(guess: arb) -> Fraction:
    """Return some positive dyadic near a ball, where a search for a root may begin."""
    return middle(guess) if guess.is_finite() and guess.mid() > 0 else Fraction(1)


def _probe(excess: _Excess, point: Fraction) -> _End:
    check_budget()
    value = excess(point)
    if sign(value) is Trilean.UNKNOWN:
        raise _NoBracketError
    return _End(point, value.mid() if value.is_finite() else INFINITY)


def _probe_near(excess: _Excess, point: Fraction) -> _End:
    """Probe a point, or one beside it should it be too close to the root for a sign to show."""
    try:
        return _probe(excess, point)
    except _NoBracketError:
        return _probe(excess, point * _BESIDE)


def _looked_beside(excess: _Excess, likely: Fraction, limit: Fraction | None) -> list[_End]:
    """Probe around a likely root, then around where the line beside it leads.

    Return the last end below the root and the first one above it, of those that there are: two are
    a bracket.
    """
    ends: dict[bool, _End] = {}
    margin = likely / _MARGIN
    for _ in range(_MOST_GUESSES):
        around = Fraction(Dyadic.rounded(likely, _BITS_OF_A_PLACE, up=False).as_fraction())
        below, above = around - margin, around + margin
        if below <= 0 or (limit is not None and above >= limit):
            break
        try:
            low, high = _probe(excess, below), _probe(excess, above)
        except _NoBracketError:
            margin *= _MARGIN_AGAIN
            continue
        for end in (low, high):
            is_above = bool(end.value > 0)
            known = ends.get(is_above, end)
            ends[is_above] = min(known, end, key=lambda one: one.point if is_above else -one.point)
        if len(ends) > 1 or low.value == high.value:
            break  # a bracket; or there is no line
        likely = below + (above - below) * _secant_share(low, high)
        margin = abs(likely - around) / _MARGIN_AGAIN
    return [ends[is_above] for is_above in (False, True) if is_above in ends]


def _factors(near: Fraction | None) -> Iterator[Fraction]:
    while near is not None and near < 1:
        yield 1 + near
        near *= _LONGER
    for doubling in range(_MAX_DOUBLINGS):
        yield Fraction(2) ** (1 << doubling)


def _first_bracket(
    excess: _Excess,
    start: Fraction,
    limit: Fraction | None,
    near: Fraction | None,
    likely: Fraction | None,
) -> tuple[_End, _End]:
    """Return a bracket: beside a likely root, outward from there, or outward from the start."""
    ends = [] if likely is None else _looked_beside(excess, likely, limit)
    if len(ends) > 1:
        return ends[0], ends[1]
    if ends and start < _FAR * ends[0].point and ends[0].point < _FAR * start:
        here, near = ends[0], _OUTWARD
    else:
        here = _probe_near(excess, start)
    for factor in _factors(near):
        if here.value < 0:
            further = here.point * factor
            there = _probe_near(excess, further if limit is None else min(further, limit))
            if there.value > 0:
                return here, there
        else:
            there = _probe_near(excess, here.point / factor)
            if there.value < 0:
                return there, here
        here = there
    raise _NoBracketError


def _narrowed(excess: _Excess, low: _End, high: _End) -> arb:
    """Narrow a proved bracket until it is as narrow as the precision allows."""
    aim = Fraction(1, 1 << max(ctx.prec - _NOISE_BITS, 8))
    newest, opposite, before = low, high, None
    for _ in range(_MAX_PROBES):
        low, high = sorted((newest, opposite), key=lambda end: end.point)
        if high.point - low.point <= aim * low.point:
            break
        point = _next_point(newest, opposite, before, aim)
        try:
            probe = _probe(excess, point)
        except _NoBracketError:
            low, high = _straddled(excess, point, aim, low, high)
            break
        if (probe.value < 0) == (newest.value < 0):
            newest, before = probe, newest
        else:
            newest, opposite, before = probe, newest, opposite
    return ball(low.point).union(ball(high.point))


def _straddled(
    excess: _Excess, point: Fraction, aim: Fraction, low: _End, high: _End
) -> tuple[_End, _End]:
    """Return the narrowest bracket around a point too close to the root for its sign to show."""
    for widening in range(0, ctx.prec, _WIDENING_BITS):
        margin = point * aim * (1 << widening) / 2
        for beside in (point - margin, point + margin):
            if low.point < beside < high.point:
                try:
                    probe = _probe(excess, beside)
                except _NoBracketError:
                    continue
                low, high = (probe, high) if probe.value < 0 else (low, probe)
        if high.point - low.point <= 2 * margin:
            break
    return low, high


def _next_point(newest: _End, opposite: _End, before: _End | None, aim: Fraction) -> Fraction:
    """Return a point strictly between the two ends of the bracket (Chandrupatla 1997).

    In log scale while the bracket is wide; then by inverse quadratic interpolation where that is
    safe, by bisection elsewhere, and never closer to an end than half of what is aimed at, so
    that the last probes close the bracket from both sides.
    """
    low, high = sorted((newest.point, opposite.point))
    if high > _WIDE_RATIO * low:
        return low * Fraction(2) ** ((high / low).__ceil__().bit_length() // 2)
    span = opposite.point - newest.point
    if before:
        share = _interpolated_share(newest, opposite, before)
    else:
        share = _secant_share(newest, opposite) if abs(span) < low * _STRAIGHT else _HALF
    least = aim * low / abs(span) / 2
    return _short(newest.point + span * min(max(share, least), 1 - least), low, high)


def _interpolated_share(newest: _End, opposite: _End, before: _End) -> Fraction:
    """Return how far along from ``newest`` to ``opposite`` the root seems to be.

    In full precision: a share rounded to a double would stop the last steps from converging.
    """
    f1, f2, f3 = newest.value, opposite.value, before.value
    if not all(value.is_finite() for value in (f1, f2, f3)) or f3 in (f1, f2):
        return _HALF
    x1, x2, x3 = (ball(end.point) for end in (newest, opposite, before))
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if not (phi**2 < xi and (1 - phi) ** 2 < 1 - xi):
        return _HALF
    ratio = (x3 - x1) / (x2 - x1)
    share = f1 / (f2 - f1) * f3 / (f2 - f3) + ratio * f1 / (f3 - f1) * f2 / (f3 - f2)
    return middle(share)


def _secant_share(newest: _End, opposite: _End) -> Fraction:
    """Return how far along the root is of a straight line through both ends."""
    f1, f2 = newest.value, opposite.value
    return middle(f1 / (f1 - f2)) if f1.is_finite() and f2.is_finite() else _HALF


def _short(point: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return a dyadic of about the working precision near ``point``, inside the bracket."""
    short = Dyadic.rounded(point, ctx.prec, up=False).as_fraction()
    return short if isinstance(short, Fraction) and low < short < high else point
