"""Second opinion on the Chernoff bound of the divergence; rigorous, by MPFR.

log M(z) from log Gamma at arguments that are 1 larger, at a point that two proved signs of the
derivative hold the minimum close to; the tangent there bounds the minimum from below.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from ..dyadic import Dyadic
from ..enclosure import Enclosure
from .directed import Span, hull, or_nothing, sharpened
from .opinion import second_opinion
from .roots import bracketed
from .series import log_of

_ANY_PROBABILITY = Enclosure(Dyadic(0), Dyadic(1))


class LogMoment:
    """log M(z) - eta z and its derivative, M(z) = E e^(z KL), y of Dirichlet(beta p + alpha)."""

    def __init__(
        self, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
    ) -> None:
        self.shares = Counter(share for share in p if share)
        self.count = len(p) if alpha else self.shares.total()
        self.total = beta + self.count * alpha
        self.beta, self.alpha, self.eta = beta, alpha, eta
        self.limit = beta + alpha / max(self.shares)

    def value(self, z: Fraction, bits: int) -> Span:
        """Enclose the logarithm at 0 <= z < limit."""
        total = self._gamma_ratio(self.total, self.total - z, bits) - Span.of(self.eta * z, bits)
        for share, times in self.shares.items():
            b = self.beta * share + self.alpha
            entropy = Span.of(z * share, bits) * log_of(share, bits)
            part = entropy - self._gamma_ratio(b, b - z * share, bits)
            total = total + Span.of(times, bits) * part
        return total

    @staticmethod
    def _gamma_ratio(top: Fraction, bottom: Fraction, bits: int) -> Span:
        """Enclose log(Gamma(top)/Gamma(bottom)) as that of Gamma(x+1)/x."""
        gammas = Span.of(top + 1, bits).lgamma() - Span.of(bottom + 1, bits).lgamma()
        return gammas - log_of(top / bottom, bits)

    def slope(self, z: Fraction, bits: int) -> Span:
        """Enclose the derivative, which increases."""
        total = self._digamma(self.total - z, bits) - Span.of(self.eta, bits)
        for share, times in self.shares.items():
            argument = self.beta * share + self.alpha - z * share
            part = log_of(share, bits) - self._digamma(argument, bits)
            total = total + Span.of(times * share, bits) * part
        return total

    @staticmethod
    def _digamma(x: Fraction, bits: int) -> Span:
        return Span.of(x + 1, bits).digamma() - Span.of(1 / x, bits)


@second_opinion("dirichlet.utility.kl_chernoff", engine="mpfr", rigorous=True)
@or_nothing
def kl_chernoff(
    bits: int, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
) -> Enclosure:
    """Enclose the least E e^(z (KL - eta)) over z >= 0; rigorous."""
    moment = LogMoment(p, beta, alpha, eta)
    if moment.count == 1 or eta == 0:
        return Enclosure.of(Fraction(0 if eta else 1))
    at_mean = sharpened(bits, lambda precision: moment.slope(Fraction(0), precision)).sign
    if at_mean >= 0:
        return Enclosure.of(Fraction(1)) if at_mean else _ANY_PROBABILITY
    return _least(moment, bits)


def _least(moment: LogMoment, bits: int) -> Enclosure:
    """Enclose the minimum between the two points where the slope's sign is proved."""

    def place(odds: Fraction) -> Fraction:
        return moment.limit * odds / (1 + odds)

    def slope(odds: Fraction, precision: int) -> Span:
        return sharpened(precision, lambda more: moment.slope(place(odds), more))

    found = bracketed(slope, Fraction(1), bits)
    if found.low is None or found.high is None:
        return _ANY_PROBABILITY
    low, high = place(found.low), place(found.high)

    def logarithm(precision: int) -> Span:
        drop = moment.slope(low, precision) * Span.of(high - low, precision)
        return moment.value(low, precision) + hull(drop, Span.of(0, precision))

    size = int(abs(logarithm(64).middle)).bit_length()
    return sharpened(bits + size, logarithm).exp_enclosure()
