"""The moment function of the divergence KL(p || y), y ~ Dirichlet(beta p + alpha).

With b_i = beta p_i + alpha, A their sum, and z_max the least b_i/p_i = beta + alpha/max(p),

    M(z) = E e^(z KL) = Gamma(A)/Gamma(A-z) * product of p_i^(z p_i) Gamma(b_i - z p_i)/Gamma(b_i)

for Re z < z_max, and by this formula off [z_max, inf). proofs_notes/kl-tail.md has the proofs.

The error of the trapezoid rule on a hyperbola z(u) = f + r cos(psi - i u), 0 < psi < pi/2,
f + r <= z_max, is bounded: with q = z_max - z, the larger G of |q| + Re q and |Im z|, and
B = alpha * sum of |d p_i - 1| + m + 1,

    |q| + Re q >= r (1 - cos psi)(1 + cosh u),  |(log M)'| <= pi B/G,  |(log M)''| <= 4 B/G^2.

All bounds are evaluated in balls, at whatever precision; proofs_notes/kl-tail.md has the proofs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import acb, arb

from ..arb.balls import INFINITY, ball
from ..arb.gamma import digamma, log_gamma, trigamma
from ..precision import check_budget

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


# The angle of the path, between a line to the right and one upward.
ANGLE = Fraction(1)
# A panel may overestimate by so many nats for each bit that is asked for.
_NATS_A_BIT, _LEAST_NATS = Fraction(1, 8), 4
# Beyond so many panels (seconds) a strip counts as hopeless.
_MOST_PANELS = 20_000
# A panel whose bound is below this share of the sum so far is taken as it is.
_LITTLE = Fraction(1, 1024)


@dataclass(frozen=True)
class Hyperbola:
    """z(u) = f + r cos(psi - i u) for any angle psi; f and r are exact.

    On the right of the pole at 0: 0 < f and f + r < z_max; on its left f + r < 0.
    """

    centre: arb
    radius: arb
    right: bool

    def is_admitted(self, limit: arb) -> bool:
        """Whether the foci are certainly where the proofs want them, limit being z_max."""
        focus = self.centre + self.radius
        inside = bool(self.centre > 0 and focus < limit) if self.right else bool(focus < 0)
        return inside and bool(self.radius > 0)

    def point(self, angle: arb, u: arb) -> tuple[acb, acb]:
        """Enclose z(u) and z'(u)."""
        w = acb(angle, -u)
        return self.centre + self.radius * w.cos(), acb(0, 1) * self.radius * w.sin()

    def speed(self, angle: arb, u: arb) -> arb:
        """Enclose |z'(u)|, which increases in u >= 0."""
        return self.radius * (u.sinh() ** 2 + angle.sin() ** 2).sqrt()

    def room(self, angle: arb, u: arb) -> arb:
        """Bound |q| + Re q from below for q = t - z, t >= f + r; it increases in u >= 0."""
        return self.radius * (1 - angle.cos()) * (1 + u.cosh())

    def distance_from_pole(self, angle: arb, u: arb) -> arb:
        """Bound |z| from below; the bound increases in u >= 0."""
        if self.right:
            return abs(self.point(angle, u)[0])
        return self.room(angle, u) / 2


class Strip:
    """|F z'| on the hyperbolas of the angles 1 + turn, for one divergence and one eta."""

    def __init__(self, divergence: Divergence, eta: Fraction, path: Hyperbola, bits: int) -> None:
        """Work out what does not depend on the angle, at the precision of the moment."""
        self.path, self._eta = path, ball(eta)
        self._moments = Moments(divergence)
        self._limit, self._spread = ball(divergence.limit), ball(divergence.spread)
        self._gammas, self._rest = divergence.support + 1, ball(divergence.total - divergence.limit)
        self._moves = [(ball(gap), ball(move)) for gap, move in divergence.moves]
        self._allowed = max(int(bits * _NATS_A_BIT), _LEAST_NATS)

    def height(self, turn: Fraction) -> arb:
        """Enclose |F z'| where the hyperbola crosses the real axis."""
        z, change = self.path.point(ball(ANGLE + turn), arb(0))
        return abs((self._moments.log_moment(z) - self._eta * z).exp() * change / z)

    def shortest(self, turn: Fraction) -> arb:
        """Return about the u from which on e^(-eta z) falls twice as fast as M may grow."""
        angle = ball(ANGLE + turn)
        fall = self._eta * self.path.radius * angle.cos()
        return (2 * arb.pi() * self._spread / (angle.sin() * fall)).max(arb(1)).asinh().mid()

    def beyond(self, turn: Fraction, end: arb) -> arb:
        """Bound the integral of |F z'| over u > end, and the sum over nodes there times the step.

        Infinite where e^(-eta z) does not fall as fast as M may grow.
        """
        angle = ball(ANGLE + turn)
        z, _ = self.path.point(angle, end)
        ratio = self.path.speed(angle, end) / z.imag
        fall = self._eta * self.path.radius * angle.cos() * end.sinh()
        rate = fall - arb.pi() * self._spread * ratio
        if not rate > 0:
            return INFINITY
        return (self._moments.log_moment(z) - self._eta * z).real.exp() * ratio / rate

    def edge_integral(self, turn: Fraction) -> arb:
        """Bound the integral of |F z'| over the whole hyperbola; infinite if that takes too long.

        Panel by panel from the real axis on, halving those with bounds that may be too large and
        matter; what is left is ``beyond``.
        """
        angle, end = ball(ANGLE + turn), self.shortest(turn)
        total, waiting, seen = self.beyond(turn, end), [(arb(0), end)], 0
        while waiting:
            check_budget()
            low, high = waiting.pop()
            bound, change = self._panel(angle, low, high)
            part, seen = (high - low) * bound, seen + 1
            if seen > _MOST_PANELS:
                return INFINITY
            if change < self._allowed or part < total * ball(_LITTLE):
                total += part
            else:
                middle = ((low + high) / 2).mid()
                waiting += [(middle, high), (low, middle)]
        return 2 * total

    def _panel(self, angle: arb, low: arb, high: arb) -> tuple[arb, arb]:
        """Bound |F z'| over low <= u <= high, and by how much that may be too large, in nats.

        The change of log M from the middle is bounded, or that of log M - eta z.
        """
        z, _ = self.path.point(angle, ((low + high) / 2).mid())
        first, speed = self.path.point(angle, low)[0], self.path.speed(angle, high)
        way = (high - low) / 2 * speed
        alone, whole = self._changes(z, way, self._room(angle, low, z, way))
        logarithm = (self._eta * (z - first).real + alone).min(whole)
        logarithm += (self._moments.log_moment(z) - self._eta * z).real
        return logarithm.exp() * speed / self.path.distance_from_pole(angle, low), alone.min(whole)

    def _changes(self, z: acb, way: arb, room: arb) -> tuple[arb, arb]:
        """Bound the change of log M and that of log M - eta z within that way of z, G >= room."""
        slope, bend = self._moments.slope(z), way * self._most_curved(z, room, way)
        steepest = (abs(slope) + bend).min(arb.pi() * self._spread / room)
        return way * steepest, way * (abs(slope - self._eta) + bend)

    def _most_curved(self, z: acb, room: arb, radius: arb) -> arb:
        """Bound |(log M)''| on the disc of that radius around z, where G >= room."""
        q = self._limit - z

        def distance(gap: arb) -> arb:
            return (abs(q + gap) - radius).max(room / 2)

        far = distance(self._rest)
        shifts = (move / (distance(gap) * far) for gap, move in self._moves)
        return sum(shifts, 4 * self._gammas / room**2)

    def _room(self, angle: arb, low: arb, z: acb, radius: arb) -> arb:
        """Bound G from below there; |q| + Re q changes by at most twice the way."""
        q, height = self._limit - z, self.path.point(angle, low)[0].imag
        return self.path.room(angle, low).max(height).max(abs(q) + q.real - 2 * radius)
