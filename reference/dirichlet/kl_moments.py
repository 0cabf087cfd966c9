"""The moment function of the divergence KL(p || y), y ~ Dirichlet(beta p + alpha).

With b_i = beta p_i + alpha, A their sum, and z_max the least b_i/p_i = beta + alpha/max(p),

    M(z) = E e^(z KL) = Gamma(A)/Gamma(A-z) * product of p_i^(z p_i) Gamma(b_i - z p_i)/Gamma(b_i)

for Re z < z_max, and by this formula off [z_max, inf). proofs_notes/kl-tail.md has the proofs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import acb, arb

from ..arb.balls import ball
from ..arb.gamma import digamma, log_gamma, trigamma

# A contour reaches to some hundred nats of e^(-eta z); a plan needs some digits, not all.
_NATS, _PLANNING_BITS = 256, 64


@dataclass(frozen=True)
class Divergence:
    """The law of KL(p || y): positive shares and how often each occurs, and the other numbers.

    ``count`` is the number of coordinates of y that are not certainly 0.
    """

    shares: tuple[tuple[Fraction, int], ...]
    count: int
    beta: Fraction
    alpha: Fraction

    @classmethod
    def of(cls, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction) -> Divergence:
        """Return the law; without a prior (alpha = 0) a share of 0 gives no coordinate at all."""
        shares = Counter(share for share in p if share)
        count = len(p) if alpha else shares.total()
        return cls(tuple(sorted(shares.items())), count, beta, alpha)

    @property
    def is_zero(self) -> bool:
        """Whether y has one coordinate, so that the divergence is 0."""
        return self.count == 1

    @property
    def support(self) -> int:
        """The number of positive shares."""
        return sum(times for _, times in self.shares)

    @property
    def total(self) -> Fraction:
        """A, the sum of the Dirichlet parameters."""
        return self.beta + self.count * self.alpha

    @property
    def limit(self) -> Fraction:
        """z_max, from which on the moments are infinite."""
        return self.beta + self.alpha / self.shares[-1][0]

    @property
    def spread(self) -> Fraction:
        """B = alpha * sum of |count p_i - 1| + m + 1 over the m positive shares: see the note."""
        return sum((move for _, move in self.moves), Fraction(self.support + 1))

    @property
    def moves(self) -> list[tuple[Fraction, Fraction]]:
        """b_i/p_i - z_max and n alpha |count p_i - 1|, for each positive share that occurs n times.

        The second is p_i times the distance of b_i/p_i from A.
        """
        return [
            (self.parameter(x) / x - self.limit, n * self.alpha * abs(self.count * x - 1))
            for x, n in self.shares
        ]

    def parameter(self, share: Fraction) -> Fraction:
        """Return b_i of a share."""
        return self.beta * share + self.alpha

    def bits_before_the_point(self, eta: Fraction) -> int:
        """Return how many bits log M and eta z have before their points.

        |z| is up to A and some 100/eta; and where eta is large, A - z may be as small as 1/eta.
        """
        size = (self.total * (1 + eta) + _NATS / eta).__ceil__().bit_length()
        return size + size.bit_length()

    def planning_bits(self, eta: Fraction) -> int:
        """Return a precision at which log M and its slope have some digits."""
        return _PLANNING_BITS + 2 * self.bits_before_the_point(eta)

    def log_moment_at(self, z: Fraction) -> arb:
        """Enclose log M at a rational z < z_max; the terms cancel, so it may be wide."""
        total = log_gamma(self.total) - log_gamma(self.total - z)
        for x, times in self.shares:
            b = self.parameter(x)
            total += times * (log_gamma(b - z * x) - log_gamma(b) + ball(z * x) * ball(x).log())
        return total

    def slope_at(self, z: Fraction) -> arb:
        """Enclose (log M)' at a rational z < z_max, the tilted mean; it increases."""
        total = digamma(ball(self.total - z))
        for x, times in self.shares:
            value = ball(x).log() - digamma(ball(self.parameter(x) - z * x))
            total += times * ball(x) * value
        return total

    def curvature_at(self, z: Fraction) -> arb:
        """Enclose (log M)'' at a rational z < z_max, the tilted variance."""
        total = -trigamma(ball(self.total - z))
        for x, times in self.shares:
            total += times * ball(x) ** 2 * trigamma(ball(self.parameter(x) - z * x))
        return total


class Moments:
    """log M and its derivative at complex points, at the precision of the object's making."""

    def __init__(self, divergence: Divergence) -> None:
        """Work out what does not depend on the point."""
        self._total = ball(divergence.total)
        self._parts = [
            (ball(x), ball(divergence.parameter(x)), ball(x) * ball(x).log(), times)
            for x, times in divergence.shares
        ]

    @cached_property
    def _constant(self) -> arb:
        logs = (times * b.lgamma() for _, b, _, times in self._parts)
        return self._total.lgamma() - sum(logs, arb(0))

    def log_moment(self, z: acb) -> acb:
        """Enclose a logarithm of M(z), z off [z_max, inf); its exponential is analytic there."""
        total = self._constant - (self._total - z).lgamma()
        for x, b, entropy, times in self._parts:
            total += times * ((b - x * z).lgamma() + z * entropy)
        return total

    def slope(self, z: acb) -> acb:
        """Enclose (log M)'(z), z off [z_max, inf)."""
        total = (self._total - z).digamma()
        for x, b, entropy, times in self._parts:
            total += times * (entropy - x * (b - x * z).digamma())
        return total
