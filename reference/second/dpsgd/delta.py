"""Second opinions on DP-SGD: other contours, in MPC, rounded to nearest; not rigorous.

One step has its closed form in directed rounding. Else the trapezoid rule on a vertical line of z
for E w^v, v = z + 1 or -z, each moment a sum over points of a line of t; two rules with another
crossing, another line of t, other numbers of points and another precision. Powers are running
products, where the first engine multiplies matrices, and aliases are made small, not bounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import gmpy2
import numpy as np
from gmpy2 import mpc, mpfr

from ...enclosure import Enclosure, Trilean
from ...likely import likely_answer
from ...precision import check_budget, end_the_climb
from ..directed import OutOfReachError, Span, hull, or_nothing
from ..dirichlet.series import log_of
from ..gaussian import log_profile, log_profile_at
from ..nearest import as_fraction, binary_exponent, number, widened, working
from ..opinion import second_opinion
from ..roots import bracketed
from ..trapezoid import two_that_agree

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GUARD_BITS, SPARED_BITS, _BITS_MORE = 40, 10, 16
_NATS_PER_BIT = math.log(2)
# How one rule and the other lift the line of t, lean, cross the axis, and are finer.
_LIFTS, _LEANS, _CROSSINGS, _FINER = (0.9, 0.7), (0.07, 0.05), (0.0, 0.25), (1.0, 1.25)
_STRIP, _SPARE_NATS = 0.5, 6.0
# A precision has so many bits more than the digits need that it is chosen for.
FIRST_BITS, MORE_THAN_ASKED = 32, 40
# Products at so few bits that take some seconds.
_MOST_PRODUCTS, _FEW_BITS = 250_000, 200
_QUIET, _NO_EXPONENT = 4, -(1 << 62)
_POINTS, _WIDTHS = 1_200, 14.0
# Saddles are sought in doubles, which hold the fourth powers of such sizes.
LARGEST = 10**70
_MOST_NEWTON = 60
_CLOSE, _LEAST_EPSILON, _TINY = 1e-3, 1e-9, Fraction(1, 10**300)


@dataclass(frozen=True)
class Order:
    """One order of the pair, T times; the planner's numbers are doubles."""

    noise_multiplier: Fraction
    sampling_probability: Fraction
    steps: int
    removed: bool

    def power(self, crossing: float) -> float:
        """Return v at a real z."""
        return crossing + 1 if self.removed else -crossing

    def points(self, power: float) -> NDArray[np.float64]:
        """Return points of t that cover the integrand."""
        u = 1 / float(self.noise_multiplier)
        low = -u * u / 2 - _WIDTHS * u + (max(power * u * u, -_WIDTHS * u) if power < 0 else 0.0)
        return np.linspace(low, (max(power, 0.0) - 0.5) * u * u + _WIDTHS * u, _POINTS)

    def log_moment(self, crossing: float) -> float:
        """Return about T log M."""
        power, u = self.power(crossing), 1 / float(self.noise_multiplier)
        t, q = self.points(power), math.log(self.sampling_probability)
        rest = math.log(1 - self.sampling_probability)
        logs = power * np.logaddexp(rest, q + t)
        logs -= (t + u * u / 2) ** 2 / (2 * u * u) + math.log(u * math.sqrt(2 * math.pi))
        most = float(np.max(logs))
        total = float(np.sum(np.exp(logs - most))) * float(t[1] - t[0])
        if not 0 < total < math.inf:
            raise OutOfReachError
        return self.steps * (most + math.log(total))

    def saddle(self, epsilon: float) -> tuple[float, float, float]:
        """Return the saddle, its width, and about log delta."""

        def height(c: float) -> float:
            return self.log_moment(c) - c * epsilon - math.log(c) - math.log1p(c)

        low, high = math.log(1e-9), math.log(1e7)
        for _ in range(4):
            grid = np.linspace(low, high, 25)
            values = [height(math.exp(each)) for each in grid]
            at = int(np.nanargmin(values))
            low, high = float(grid[max(at - 1, 0)]), float(grid[min(at + 1, 24)])
        c, near = math.exp(float(grid[at])), 1e-3
        bend = (height(c * (1 + near)) - 2 * height(c) + height(c * (1 - near))) / (near * c) ** 2
        if not bend > 0:
            raise OutOfReachError
        return c, 1 / math.sqrt(bend), min(height(c) - math.log(2 * math.pi * bend) / 2, 0.0)


class _TooLongError(OutOfReachError):
    """A rule has more nodes, or more points, than some seconds are enough for."""


class _Rule:
    """The nodes of one rule on z(u) = c + B (sin k (cosh u - 1) + i cos k sinh u), with moments.

    The contour leans to the right by so little that on Im t = b > 0 |w^z| stays bounded along it;
    steps in u grow with the distance. It answers for every epsilon near the planned.
    """

    def __init__(self, order: Order, epsilon: float, bits: int, which: int, more: float) -> None:
        self._order, self._which = order, which
        saddle, width, log_delta = order.saddle(epsilon)
        self._crossing = saddle + _CROSSINGS[which] * width
        rise = order.log_moment(self._crossing) - self._crossing * epsilon - log_delta
        self.bits = bits + _GUARD_BITS + _BITS_MORE * which + 2 * order.steps.bit_length()
        self.bits += max(math.ceil(rise / _NATS_PER_BIT), 0)
        self._scale, self._lean = min(2 * width, saddle), _LEANS[which]
        nats = bits * _NATS_PER_BIT
        self._step = 2 * math.pi * _STRIP / (nats + _SPARE_NATS) / (more * _FINER[which])
        with working(self.bits):
            self._nodes = self._summands(mpfr(epsilon))

    def _summands(self, epsilon: mpfr) -> list[tuple[mpc, mpc]]:
        """Return z and M^T/(z (z + 1)) dz/du at every node that matters at this epsilon."""
        logs, losses = self._points()
        nodes: list[tuple[mpc, mpc]] = []
        quiet, top = 0, _NO_EXPONENT
        while quiet < _QUIET:
            self._require_reach((len(nodes) + 1) * len(logs))
            check_budget()
            z, slope = self._place(mpfr(self._step) * len(nodes))
            power = z + 1 if self._order.removed else -z.conjugate()
            moment = sum(
                gmpy2.exp(log + power * loss) for log, loss in zip(logs, losses, strict=True)
            )
            if not self._order.removed:
                moment = moment.conjugate()
            value = moment**self._order.steps / (z * (z + 1)) * slope
            nodes.append((z, value))
            size = binary_exponent(value * gmpy2.exp(-z * epsilon))
            top, quiet = max(top, size), quiet + 1 if size < top - self.bits + _BITS_MORE else 0
        return nodes

    def _require_reach(self, products: float) -> None:
        """Raise _TooLongError where so many products at this precision would take too long."""
        if not products * self.bits <= _MOST_PRODUCTS * _FEW_BITS:
            raise _TooLongError

    def _place(self, u: mpfr) -> tuple[mpc, mpc]:
        """Return z(u) and dz/du."""
        sinh, cosh = gmpy2.sinh_cosh(u)
        right, up = (
            mpfr(self._scale * part) for part in (math.sin(self._lean), math.cos(self._lean))
        )
        return mpc(self._crossing + right * (cosh - 1), up * sinh), mpc(right * sinh, up * cosh)

    def _points(self) -> tuple[list[mpc], list[mpc]]:
        """Return the logarithm of the density and that of w at all points of t."""
        order, power = self._order, self._order.power(self._crossing)
        spread = float(order.noise_multiplier)
        nats = self.bits * _NATS_PER_BIT
        lift = min(_LIFTS[self._which] * math.sqrt(nats / 2) / spread, _LIFTS[self._which] * 1.4)
        room = nats + (2 * lift * spread) ** 2 / 2
        room += max(-power, 0.0) * -math.log(math.cos(lift))
        step = 2 * math.pi * lift / room / _FINER[self._which]
        reach = math.sqrt(2 * room) / spread + 1 / spread
        low = -0.5 / spread**2 - reach + (max(power / spread**2, -reach) if power < 0 else 0.0)
        high = (max(power, 0.0) - 0.5) / spread**2 + reach
        self._require_reach((high - low) / step)
        s, q = number(order.noise_multiplier), number(order.sampling_probability)
        front = gmpy2.log(mpfr(step) * s / gmpy2.sqrt(2 * gmpy2.const_pi()))
        logs, losses = [], []
        for k in range(math.ceil((high - low) / step)):
            t = mpc(mpfr(low) + mpfr(step) * k, mpfr(lift))
            scaled = (t + 1 / (2 * s * s)) * s
            logs.append(front - scaled * scaled / 2)
            losses.append(gmpy2.log(1 - q + q * gmpy2.exp(t)))
        return logs, losses

    def at(self, epsilon: mpfr) -> tuple[mpfr, mpfr]:
        """Return delta and its derivative in epsilon."""
        delta, slope = mpfr(0), mpfr(0)
        for j, (z, value) in enumerate(self._nodes):
            term = value * gmpy2.exp(-z * epsilon) / (2 if j == 0 else 1)
            delta, slope = delta + term.imag, slope - (z * term).imag
        front = mpfr(self._step) / gmpy2.const_pi()
        return delta * front, slope * front


def two_rules(bits: int, order: Order, epsilon: float) -> tuple[_Rule, _Rule]:
    """Return two rules whose deltas agree to about ``bits`` bits.

    A climb ends where not even the shortest one is within reach: more bits would not help.
    """

    def rule(which: int, more: float) -> _Rule:
        try:
            return _Rule(order, epsilon, bits, which, more)
        except _TooLongError:
            if more == 1:
                end_the_climb("a rule would take too long, and longer at more bits")
            raise

    def shared(first: _Rule, second: _Rule) -> int:
        with working(second.bits):
            one, other = (each.at(mpfr(epsilon))[0] for each in (first, second))
            return binary_exponent(one) - binary_exponent(one - other)

    return two_that_agree(rule, shared, bits)


@second_opinion("dpsgd.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(
    bits: int,
    noise_multiplier: Fraction,
    sampling_probability: Fraction,
    steps: int,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the larger delta of both orders; in one step rigorous, else an estimate."""
    if sampling_probability == 1:
        return full_batches(bits, noise_multiplier, steps, epsilon).exp_enclosure()
    if steps == 1:
        one = one_step(bits, noise_multiplier, sampling_probability, epsilon)
        return one.exp_enclosure()
    nothing = adds_nothing(bits, sampling_probability, steps, epsilon)
    found = [
        estimate(bits, order, epsilon)
        for order in orders(noise_multiplier, sampling_probability, steps)
        # At 0 both have one delta, the total variation distance.
        if (epsilon != 0 if order.removed else not nothing)
    ]
    return larger(found)


@second_opinion("dpsgd.epsilon", engine="mpmath", rigorous=False)
@or_nothing
def epsilon(
    bits: int,
    noise_multiplier: Fraction,
    sampling_probability: Fraction,
    steps: int,
    delta: Fraction,
) -> Enclosure:
    """Enclose the larger epsilon of both orders; in one step rigorous, else an estimate."""
    if delta == 0:
        return Enclosure.infinite()
    if delta == 1:
        return Enclosure.of(Fraction(0), bits)
    if sampling_probability == 1 or steps == 1:

        def log_delta(point: Fraction, precision: int) -> Span:
            if sampling_probability == 1:
                return full_batches(precision, noise_multiplier, steps, point)
            return one_step(precision, noise_multiplier, sampling_probability, point)

        target = log_of(delta, bits)
        if (log_delta(Fraction(0), bits) - target).sign < 0:
            return Enclosure.of(Fraction(0), bits)
        return bracketed(
            lambda point, precision: log_of(delta, precision) - log_delta(point, precision),
            Fraction(1),
            bits,
            likely=likely_answer(),
        ).enclosure()
    removed, added = orders(noise_multiplier, sampling_probability, steps)
    if _is_reached_at_zero(bits, added, delta):  # both have one delta there
        return Enclosure.of(Fraction(0), bits)
    return larger([_root(bits, order, delta) for order in (removed, added)])


def orders(noise_multiplier: Fraction, sampling_probability: Fraction, steps: int) -> list[Order]:
    """Return both orders, that of a removed record first. Raises OutOfReachError at some sizes."""
    q = sampling_probability
    if not all(1 < size * LARGEST < LARGEST**2 for size in (noise_multiplier, q, 1 - q, steps)):
        raise OutOfReachError
    return [
        Order(noise_multiplier, sampling_probability, steps, removed) for removed in (True, False)
    ]


def larger(found: list[Enclosure]) -> Enclosure:
    """Return the larger of some numbers, enclosed."""
    return Enclosure(max(each.low for each in found), max(each.high for each in found))


def adds_nothing(bits: int, q: Fraction, steps: int, epsilon: Fraction) -> bool:
    """Whether no loss of an added record exceeds epsilon."""
    most = Span.of(steps, bits) * -(Span.of(1 - q, bits)).log()
    return (Span.of(epsilon, bits) - most).sign > 0


def estimate(bits: int, order: Order, epsilon: Fraction) -> Enclosure:
    """Return the hull of two rules' deltas, widened."""
    if epsilon > LARGEST:
        raise OutOfReachError
    found, bits = [], max(bits - MORE_THAN_ASKED, FIRST_BITS)
    for rule in two_rules(bits, order, float(epsilon)):
        with working(rule.bits):
            found.append(rule.at(number(epsilon))[0])
    return widened(found[0], found[1], bits - SPARED_BITS, Fraction(1))


def _root(bits: int, order: Order, delta: Fraction) -> Enclosure:
    """Return the hull of two rules' epsilons, widened."""
    found, bits = [], max(bits - MORE_THAN_ASKED, FIRST_BITS)
    about = _epsilon_about(order, delta)
    for rule in two_rules(bits, order, about):
        with working(rule.bits):
            target, here = gmpy2.log(number(delta)), mpfr(about)
            for _ in range(_MOST_NEWTON):
                value, slope = rule.at(here)
                if not value > 0:
                    raise OutOfReachError
                moved = max(here - (gmpy2.log(value) - target) * value / slope, here / 4)
                close = binary_exponent(moved - here) < binary_exponent(here) - bits - 4
                here = moved
                if close:
                    break
            else:
                raise OutOfReachError
            found.append(here)
    limit = 4 * max(as_fraction(each) for each in found)
    return widened(found[0], found[1], bits - SPARED_BITS, limit)


def _is_reached_at_zero(bits: int, order: Order, delta: Fraction) -> bool:
    """Whether delta at epsilon 0 is below the target. Raises OutOfReachError: it is close."""
    for precision in (FIRST_BITS, bits):
        is_above = estimate(precision, order, Fraction(0)).is_above(delta)
        if is_above is not Trilean.UNKNOWN:
            return is_above is Trilean.FALSE
    raise OutOfReachError


def _epsilon_about(order: Order, delta: Fraction) -> float:
    """Return about the epsilon of a delta, by Newton's method on the saddle's estimate."""
    epsilon, target = 1.0, math.log(delta) if delta > _TINY else -1e6
    for _ in range(_MOST_NEWTON):
        crossing, _, log_delta = order.saddle(epsilon)
        moved = max(epsilon + (log_delta - target) / crossing, epsilon / 16)
        if abs(log_delta - target) < _CLOSE or epsilon < _LEAST_EPSILON:
            break
        epsilon = moved
    return epsilon


def full_batches(bits: int, s: Fraction, steps: int, epsilon: Fraction) -> Span:
    """Enclose log delta where every record takes part: s/sqrt(T), or the steps as one."""
    root = math.isqrt(steps)
    if root * root == steps:
        return log_profile(bits, s / root, epsilon)
    # delta falls with the multiplier: between two rational ones on either side of s/sqrt(T).
    scale = 1 << 4 * bits
    low = math.isqrt(steps * scale * scale)
    first, last = s * scale / (low + 1), s * scale / low
    return hull(log_profile(bits, first, epsilon), log_profile(bits, last, epsilon))


def one_step(bits: int, s: Fraction, q: Fraction, epsilon: Fraction) -> Span:
    """Enclose log delta of one step, the larger of both orders, by the Gaussian profile."""
    work = bits + 64 + int(epsilon).bit_length()
    over, share = Span.of(epsilon, work), Span.of(q, work)
    removed = share.log() + log_profile_at(s, (over.expm1() / share).log1p())
    most = Span.of(1, work) - Span.of(1 - q, work) * over.exp()
    if most.sign <= 0:
        return removed
    added = most.log() + log_profile_at(s, -((-over).expm1() / share).log1p())
    if (removed - added).sign > 0:
        return removed
    return added if (removed - added).sign < 0 else hull(removed, added)
