"""Second opinion on the epsilon that Renyi privacy of one order implies; rigorous, by MPFR.

Where the first engine encloses the root at which both bounds meet, this one finds two candidates
somehow and checks them: a pair of laws on two points whose divergences, both ways, are at most
epsilon, which nothing below may claim, and the bound of two tangents, which nothing exceeds.
Everything is in powers of the ratios (proofs_notes/renyi-to-dp.md: any-tangents-bound,
attained-on-two-points, corner).
"""

from __future__ import annotations

from fractions import Fraction

from ..dyadic import Dyadic
from ..enclosure import Enclosure
from ..precision import check_budget
from .directed import OutOfReachError, Span, or_nothing, sharpened
from .dirichlet.series import log_of
from .opinion import second_opinion
from .roots import Bracket, bracketed, shortened

# A pair is looked for this close below the tangents' bound, in bits, and then further away.
_LEFT_FREE, _FURTHER = 12, 12
# Roots serve to choose where to check: the bounds are flat there, so half the bits are enough.
_ROOM_OF_ROOTS = 48
# Fewer bits do not show whether there is a pair of the two ratios.
_FEWEST_BITS = 64


@second_opinion("renyi.epsilon_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_for_dp(bits: int, order: Fraction, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the least epsilon-hat between a pair that attains and tangents that bound."""
    if epsilon == 0:
        return Enclosure.of(Fraction(0), bits)
    tipping = sharpened(
        bits, lambda b: _response(order, log_of((1 + delta) / (1 - delta), b)) - Span.of(epsilon, b)
    )
    if tipping.sign > 0:
        return Enclosure.of(Fraction(0), bits)
    corner = bracketed(
        lambda x, b: _response(order, Span.of(x, b)) - Span.of(epsilon, b), epsilon + 1, bits
    )
    if corner.low is None or corner.high is None:
        raise OutOfReachError
    low = _at_corner(bits, delta, corner.low)
    at_corner = _at_corner(bits, delta, corner.high)
    if (_log_slope(bits, order, corner.high) - at_corner).sign > 0:
        return _between(low, at_corner)
    above, below = _dual_and_pair(bits, order, epsilon, delta, corner.high)
    return _between(low if below is None or below.low < low.low else below, above)


def _between(low: Span, high: Span) -> Enclosure:
    """Return what lies between a lower bound and an upper one, and is at least 0."""
    least = max(low.enclosure().low, Dyadic(0))
    return Enclosure(least, max(high.enclosure().high, Dyadic(0)))


def _response(order: Fraction, x: Span) -> Span:
    """Enclose x + log((1 + e^((1 - 2 order) x))/(1 + e^-x))/(order - 1); x tanh(x/2) at order 1."""
    bits = x.bits
    one, mirrored = Span.of(1, bits), (-x).exp()
    if order == 1:
        return x * (one - mirrored) / (one + mirrored)
    powers = (Span.of(1 - 2 * order, bits) * x).exp().log1p() - mirrored.log1p()
    return x + powers / Span.of(order - 1, bits)


def _at_corner(bits: int, delta: Fraction, corner: Fraction) -> Span:
    """Enclose log((1 - delta) e^corner - delta)."""

    def at(precision: int) -> Span:
        x = Span.of(corner, precision)
        return x + (Span.of(1 - delta, precision) - Span.of(delta, precision) * (-x).exp()).log()

    return sharpened(bits, at)


def _log_slope(bits: int, order: Fraction, corner: Fraction) -> Span:
    """Enclose the logarithm of (order - 1) sinh(order x)/(order sinh((order - 1) x))."""

    def shrunk(factor: Fraction, precision: int) -> Span:
        """Enclose 2 sinh(factor x) e^(-factor x)."""
        return -(Span.of(-2 * factor * corner, precision).expm1())

    def at(precision: int) -> Span:
        if order == 1:
            ratio = shrunk(order, precision) / Span.of(2 * corner, precision)
        else:
            ratio = shrunk(order, precision) / shrunk(order - 1, precision)
            ratio = ratio * Span.of(1 - 1 / order, precision)
        return Span.of(corner, precision) + ratio.log()

    return sharpened(bits, at)


def _dual_and_pair(
    bits: int, order: Fraction, epsilon: Fraction, delta: Fraction, corner: Fraction
) -> tuple[Span, Span | None]:
    """Return the log of the tangents' bound at about the best b, and of a pair's, if one shows."""
    tangents = _Tangents(order, epsilon, delta)
    near = bracketed(
        tangents.excess, min(order * delta, corner / 2), bits // 2 + _ROOM_OF_ROOTS, corner
    )
    point = _inside(near, corner)
    above = sharpened(bits, lambda precision: tangents.log_slope(point, precision))
    return above, _best_pair(bits, tangents, point, above)


def _inside(near: Bracket, corner: Fraction) -> Fraction:
    if near.low is None or near.high is None:
        return near.low or near.high or corner
    return (near.low + near.high) / 2


class _Tangents:
    """The planes that touch p^order q^(1-order) at two ratios, b = e^-y and the a that fits it."""

    def __init__(self, order: Fraction, epsilon: Fraction, delta: Fraction) -> None:
        self.order, self.epsilon, self.delta = order, epsilon, delta

    def log_a(self, y: Fraction, bits: int) -> Span:
        """Enclose log a: delta is where the tangents' bound meets the axis."""
        over, delta = self.order - 1, Span.of(self.delta, bits)
        log_b = Span.of(-y, bits)
        if over == 0:
            return log_b + (Span.of(self.epsilon - 1 + y, bits) + log_b.exp()) / delta
        # All of it over E = e^((order - 1) epsilon), which may be too large to be written.
        small = Span.of(over * (-y - self.epsilon), bits).exp()
        inside = Span.of(self.order * (self.delta - 1), bits) + Span.of(over, bits) * log_b.exp()
        spread = log_of(self.order * self.delta, bits)
        grown = (small * inside).log1p() - spread
        return Span.of(self.epsilon, bits) + grown / Span.of(over, bits)

    def log_slope(self, y: Fraction, bits: int) -> Span:
        """Enclose log((order - 1)(a^order - b^order)/(order (a^(order-1) - b^(order-1))))."""
        log_a, log_b = self.log_a(y, bits), Span.of(-y, bits)
        narrowed, one = log_b - log_a, Span.of(1, bits)
        if self.order == 1:
            return log_a + ((narrowed.exp() - one) / narrowed).log()
        over, order = Span.of(self.order - 1, bits), Span.of(self.order, bits)
        top, bottom = (order * narrowed).exp() - one, (over * narrowed).exp() - one
        return log_a + (over * top / (order * bottom)).log()

    def excess(self, y: Fraction, bits: int) -> Span:
        """Enclose how much more than epsilon the pair of ratios a and b loses; 1 if none has them.

        It serves to find the best b alone.
        """
        precise = 2 * max(bits, _FEWEST_BITS)
        log_a, log_b = self.log_a(y, precise), Span.of(-y, precise)
        if log_a.sign <= 0:
            return Span.of(1, bits)
        p, rest = self._pair(log_a, log_b)
        if self.order == 1:
            return p * log_a + rest * log_b - Span.of(self.epsilon, precise)
        over = Span.of(self.order - 1, precise)
        lost = log_a + (p + rest * (over * (log_b - log_a)).exp()).log() / over
        return lost - Span.of(self.epsilon, precise)

    @staticmethod
    def _pair(log_a: Span, log_b: Span) -> tuple[Span, Span]:
        """Enclose p and 1 - p of the laws whose ratios are a and b."""
        one, b = Span.of(1, log_a.bits), log_b.exp()
        whole = one - (log_b - log_a).exp()
        return (one - b) / whole, b * (one - (-log_a).exp()) / whole

    def shares(self, y: Fraction, bits: int) -> tuple[Fraction, Fraction] | None:
        """Return about p and 1 - p of that pair, exact numbers of sum 1; None where it has none."""
        p, rest = self._pair(self.log_a(y, 2 * bits), Span.of(-y, 2 * bits))
        if p.sign <= 0 or rest.sign <= 0:
            return None
        if p.high < rest.low:
            share = shortened(p.low_fraction, bits)
            return share, 1 - share
        share = shortened(rest.low_fraction, bits)
        return 1 - share, share

    def admit(self, shares: tuple[Fraction, Fraction], log_t: Span) -> bool:
        """Whether the laws of p and q = (p - delta)/t certainly differ by at most epsilon.

        ``log_t`` is a point; both divergences, of either law from the other, are looked at.
        """
        bits = log_t.bits
        log_q = log_of(shares[0] - self.delta, bits) - log_t
        q = log_q.exp()
        p, logs_p = [Span.of(x, bits) for x in shares], [log_of(x, bits) for x in shares]
        pair, logs = [q, Span.of(1, bits) - q], [log_q, (-q).log1p()]
        there, back = self._lost(p, logs_p, logs), self._lost(pair, logs, logs_p)
        return bool(there.high <= 0 and back.high <= 0)

    def _lost(self, weights: list[Span], logs: list[Span], others: list[Span]) -> Span:
        bits = logs[0].bits
        gaps = [one - other for one, other in zip(logs, others, strict=True)]
        if self.order == 1:
            lost = weights[0] * gaps[0] + weights[1] * gaps[1]
            return lost - Span.of(self.epsilon, bits)
        over, first = Span.of(self.order - 1, bits), gaps[0]
        rest = weights[1] * (over * (gaps[1] - first)).exp()
        lost = first + (weights[0] + rest).log() / over
        return lost - Span.of(self.epsilon, bits)


def _best_pair(bits: int, tangents: _Tangents, y: Fraction, above: Span) -> Span | None:
    """Return the log of (p - delta)/q for a pair that is admitted, as near the bound as shows."""
    shares = tangents.shares(y, bits)
    if shares is None or shares[0] <= tangents.delta:
        return None
    for free in range(_LEFT_FREE, bits, _FURTHER):
        check_budget()
        lower = (above - Span.of(Fraction(1, 1 << bits - free), bits)).low_fraction
        log_t = Span.of(lower, 3 * bits)
        if tangents.admit(shares, log_t):
            return log_t
    return None
