"""The sum of the profile's series as an integral, by the trapezoid rule, where the sum is long.

With N = 2 alpha + step, phi(v) = -alpha v - N log(1 - q (1 - e^-v)) and v = e^t

    sum of T_n = integral over v >= 0 of (1 - e^(-step v)) e^phi(v)
               = integral over all t of g(t),   g(t) = v (1 - e^(-step v)) e^phi(v).

phi is concave and its curvature falls, so on each line Im t = y near the real one the integral of
|g| is at most a multiple of that of g, which the sizes hardly enter: the rule's error is a known
part of what it sums, and what is left out on either side is at most a value next to it
(proofs_notes/profile-integral.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import gmpy2
from gmpy2 import mpfr

from ...precision import check_budget
from ..directed import OutOfReachError, Span, roundings

if TYPE_CHECKING:
    from collections.abc import Callable


# Above the largest value of (z/cosh z)^2, 0.43923.
_MOST_BENT = Fraction(44, 100)
# Above 2/(1 - 1/e) 5/4: what 1 - e^(-step v), and 1/cos y, gain on the steepest line.
_GAIN = 4
# 1 + (2/x)(1 + 1/x) at x = 2: all of an integral, where what lies right of some point falls fast.
_WHOLE, _FALLING = Fraction(5, 2), 2
# tan y on the steepest line; where the peak is far from 0, flatter ones are tried, by this factor.
_STEEPEST, _FLATTER, _TRIES = Fraction(3, 4), Fraction(4, 5), 16
# Points are looked for among 2^j, and three between each and the next; no further than these.
_PARTS, _MOST_INDEX = 4, 1 << 16
_RATIO_BITS, _SHORT_BITS, _GUARD_BITS = 40, 64, 8
_NODES_BETWEEN_LOOKS = 16
# A sum of more nodes takes ten seconds and more.
_MAX_NODES = 200_000


def log_integral(bits: int, alpha: Fraction, step: Fraction, point: Span) -> Span:
    """Enclose the logarithm of the sum of T_n at q = ``point``, its absolute error near 2**-bits.

    0 < q <= 1/2, known to more bits than that. Rigorous: every rounding is directed, and the rule's
    error and both rests are bounded. Raises OutOfReachError where it would take too many nodes.
    """
    wanted = bits + _GUARD_BITS
    integrand = _Integrand.of(wanted, alpha, step, point)
    strip = _widest_for(integrand, wanted)
    return _by_trapezoids(integrand, strip, wanted).log()


@dataclass(frozen=True)
class _Integrand:
    """phi and its derivatives, each parameter rounded to a precision that holds phi's parts."""

    alpha: Span
    step: Span
    whole: Span
    point: Span
    one: Span

    @classmethod
    def of(cls, wanted: int, alpha: Fraction, step: Fraction, point: Span) -> _Integrand:
        """Return the integrand for a result of so many bits: phi's parts are near their root."""
        whole = 2 * alpha + step
        largest = max(Span.of(alpha, wanted).high, (Span.of(whole, wanted) * point).high)
        bits = wanted + max(_exponent(largest), 0) // 2 + 2 * wanted.bit_length()
        down, up = roundings(bits)
        short = Span(down.plus(point.low), up.plus(point.high))
        return cls(
            Span.of(alpha, bits), Span.of(step, bits), Span.of(whole, bits), short, Span.of(1, bits)
        )

    @property
    def bits(self) -> int:
        """The precision."""
        return self.one.bits

    def at(self, v: Fraction) -> Span:
        """Return the span of a point."""
        return Span.of(v, self.bits)

    def phi(self, v: Span) -> Span:
        """Enclose phi."""
        return -(self.alpha * v) - self.whole * (self.point * (-v).expm1()).log1p()

    def slope(self, v: Span) -> Span:
        """Enclose phi', N q e^-v/(1 - q + q e^-v) - alpha."""
        share = self.point * (-v).exp() / (self.one + self.point * (-v).expm1())
        return self.whole * share - self.alpha

    def kept(self, v: Span) -> Span:
        """Enclose v (1 - e^(-step v))."""
        return -(v * (-(self.step * v)).expm1())

    def sum_of_g(self, first: Fraction, last: Fraction, factor: Span) -> Span:
        """Enclose the sum of g over the nodes from the first place to the last and a little beyond.

        Each node is ``factor`` times the one before. This is `kept` and `phi` written out, for
        every sign here is known.
        """
        down, up = roundings(self.bits)
        alpha, step, whole, point = self.alpha, self.step, self.whole, self.point
        v, end = self.at(first), self.at(last).high
        low, high = v.low, v.high
        sum_low = sum_high = Span.of(0, self.bits).low
        for node in range(_MAX_NODES):
            if node % _NODES_BETWEEN_LOOKS == 0:
                check_budget()
            gone_low = up.mul(point.low, up.expm1(down.minus(low)))
            gone_high = down.mul(point.high, down.expm1(up.minus(high)))
            phi_low = down.sub(
                down.mul(whole.low, down.minus(up.log1p(gone_low))), up.mul(alpha.high, high)
            )
            phi_high = up.sub(
                up.mul(whole.high, up.minus(down.log1p(gone_high))), down.mul(alpha.low, low)
            )
            kept_low = down.minus(up.expm1(up.minus(down.mul(step.low, low))))
            kept_high = up.minus(down.expm1(down.minus(up.mul(step.high, high))))
            sum_low = down.add(sum_low, down.mul(down.mul(low, kept_low), down.exp(phi_low)))
            sum_high = up.add(sum_high, up.mul(up.mul(high, kept_high), up.exp(phi_high)))
            if low > end:
                return Span(sum_low, sum_high)
            low, high = down.mul(low, factor.low), up.mul(high, factor.high)
        raise OutOfReachError

    def rising(self) -> Span:
        """Enclose phi'(0), or 0 where that is negative."""
        slope = self.whole * self.point - self.alpha
        none = Span.of(0, self.bits).low
        return Span(max(slope.low, none), max(slope.high, none))


@dataclass(frozen=True)
class _Strip:
    """|Im t| <= width, and e^nats, by which the integral of |g| may exceed that of g there."""

    width: Span
    nats: Span

    def log_step(self, wanted: int) -> Span:
        """Return the logarithm of the factor from node to node at which so many bits are right."""
        bits = self.nats.bits
        return Span.of(2, bits) * _pi(bits) * self.width / (self.nats + _nats(wanted + 2, bits))

    def error(self, log_step: Span) -> Span:
        """Enclose 2 e^nats/(e^(2 pi width/log_step) - 1), the rule's error over the integral."""
        bits = self.nats.bits
        rounds = Span.of(2, bits) * _pi(bits) * self.width / log_step
        return Span.of(2, bits) * self.nats.exp() / rounds.expm1()


def _widest_for(integrand: _Integrand, wanted: int) -> _Strip:
    """Return the strip that takes the fewest nodes, among a few."""
    rising = integrand.rising()
    best: _Strip | None = None
    near = 0
    for attempt in range(_TRIES if rising.high > 0 else 1):
        strip, near = _strip(integrand, rising, _STEEPEST * _FLATTER**attempt, near)
        if strip is None:
            continue
        if best is not None and strip.log_step(wanted).low <= best.log_step(wanted).low:
            break
        best = strip
    if best is None:
        raise OutOfReachError
    return best


def _strip(
    integrand: _Integrand, rising: Span, tangent: Fraction, near: int
) -> tuple[_Strip | None, int]:
    """Return the strip of this steepest line, and where to look next time.

    With mu = phi'(0) (1/theta - 1), e^(mu v) is at most e^(mu R) up to R, where phi(R) <= 0 and
    R (phi'(R) + mu) <= -2, and right of R it does not matter.
    """
    bits, squared = integrand.bits, tangent * tangent
    lost = squared / (1 - _MOST_BENT * squared)
    theta = 1 - lost
    nats = Span.of(_GAIN / theta**2, bits).log()
    if rising.high > 0:
        mu = rising * Span.of(lost / theta, bits)
        limit = Span.of(-_FALLING, bits)
        if not mu.high < integrand.alpha.low:
            return None, near

        def falls(v: Fraction) -> bool:
            at = integrand.at(v)
            return bool(
                (at * (integrand.slope(at) + mu)).high <= limit.low and integrand.phi(at).high <= 0
            )

        near = _first_index(falls, near)
        nats = nats + Span.of(_WHOLE, bits).log() + mu * integrand.at(_place(near))
    down, up = roundings(bits)
    flat = Span.of(tangent, bits)
    return _Strip(Span(down.atan(flat.low), up.atan(flat.high)), nats), near


def _by_trapezoids(integrand: _Integrand, strip: _Strip, wanted: int) -> Span:
    first, last = _ends(integrand, wanted)
    ratio = 1 + Fraction(int(_scaled(strip.log_step(wanted))), 1 << _RATIO_BITS)
    factor = Span.of(ratio, integrand.bits)
    log_step = factor.log()
    total = integrand.sum_of_g(first, last, factor)
    # What is left out is at most this on the left, and a value where g falls on the right.
    start = integrand.at(first)
    before = integrand.kept(start) * (integrand.rising() * start).exp()
    end = integrand.at(last)
    after = integrand.kept(end) * integrand.phi(end).exp()
    _, up = roundings(integrand.bits)
    found = total * log_step
    whole = Span(found.low, up.add(found.high, up.add(before.high, after.high)))
    error = strip.error(log_step)
    one = integrand.one
    return Span((whole / (one + error)).low, (whole / (one - error)).high)


def _ends(integrand: _Integrand, wanted: int) -> tuple[Fraction, Fraction]:
    """Return the first and the last place of nodes: g is 2**-wanted of its largest, or less.

    At the last one v phi' is at most -2, so that g falls from there on.
    """
    rising = integrand.rising()
    falling = Span.of(-_FALLING, integrand.bits).high

    def past_peak(v: Fraction) -> bool:
        at = integrand.at(v)
        return bool((at * integrand.slope(at)).high <= falling)

    peak = _first_index(past_peak, 0)
    at_peak = integrand.at(_place(peak - 1))
    level = integrand.kept(at_peak).log() + integrand.phi(at_peak)
    least = (level - _nats(wanted, integrand.bits)).low

    def is_left_of_all(v: Fraction) -> bool:
        at = integrand.at(v)
        return bool((integrand.kept(at).log() + rising * at).high <= least)

    def is_right_of_all(v: Fraction) -> bool:
        at = integrand.at(v)
        return bool((integrand.kept(at).log() + integrand.phi(at)).high <= least)

    first = _first_index(lambda v: not is_left_of_all(v), peak) - 1
    last = _first_index(lambda v: past_peak(v) and is_right_of_all(v), peak)
    return _place(first), _place(last)


def _place(index: int) -> Fraction:
    power, part = divmod(index, _PARTS)
    return (1 + Fraction(part, _PARTS)) * Fraction(2) ** power


def _first_index(holds: Callable[[Fraction], bool], near: int) -> int:
    """Return the index of the first place where something holds that then holds for good."""
    size, here = 1, near
    up = not holds(_place(near))
    while size < _MOST_INDEX:
        check_budget()
        there = near + size if up else near - size
        if holds(_place(there)) == up:
            break
        here, size = there, 2 * size
    else:
        raise OutOfReachError
    low, high = (here, there) if up else (there, here)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(_place(middle)) else (middle, high)
    return high


def _exponent(value: mpfr) -> int:
    """Return the least j such that a positive number is below 2**j."""
    return int(gmpy2.get_exp(value))


def _scaled(value: Span) -> mpfr:
    down, _ = roundings(_SHORT_BITS)
    return down.mul_2exp(value.low, _RATIO_BITS)


def _nats(bits: int, precision: int) -> Span:
    return Span.of(bits, precision) * Span.of(2, precision).log()


def _pi(bits: int) -> Span:
    down, up = roundings(bits)
    return Span(down.const_pi(), up.const_pi())
