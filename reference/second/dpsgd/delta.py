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

from ...enclosure import Enclosure
from ...likely import likely_answer
from ...precision import BudgetSpentError, end_the_climb
from ..directed import OutOfReachError, Span, hull, or_nothing
from ..dirichlet.series import log_of
from ..gaussian import log_profile, log_profile_at
from ..leaning import (
    FINER,
    LARGEST,
    NATS_PER_BIT,
    estimate,
    is_reached_at_zero,
    larger,
    require_reach,
    root,
)
from ..nearest import number
from ..opinion import second_opinion
from ..roots import bracketed
from . import few_steps
from .chernoff import below_chernoff

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# How one rule and the other lift the line of t.
_LIFTS = (0.9, 0.7)
_POINTS, _WIDTHS = 1_200, 14.0


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

    @property
    def count(self) -> int:
        """The number of steps."""
        return self.steps

    def leans(self, _epsilon: float) -> bool:
        """True: on the lifted line of t |w^z| stays bounded along a contour that leans a little."""
        return True

    def envelope(self, _crossing: float, _bits: int, _which: int) -> None:
        """None: M falls up the contour."""

    def moment(self, crossing: float, bits: int, which: int) -> tuple[Callable[[mpc], mpc], int]:
        """Return M of all steps, and how many points of t it takes."""
        line = LineOfLosses(self, crossing, bits, which)
        return (lambda z: line.moment(z) ** self.steps), len(line.logs)


class LineOfLosses:
    """Points on a line of t with the logarithms of the density and of w, in the context's bits."""

    def __init__(self, order: Order, crossing: float, bits: int, which: int) -> None:
        self._removed, power = order.removed, order.power(crossing)
        spread = float(order.noise_multiplier)
        nats = bits * NATS_PER_BIT
        lift = min(_LIFTS[which] * math.sqrt(nats / 2) / spread, _LIFTS[which] * 1.4)
        room = nats + (2 * lift * spread) ** 2 / 2
        room += max(-power, 0.0) * -math.log(math.cos(lift))
        step = 2 * math.pi * lift / room / FINER[which]
        reach = math.sqrt(2 * room) / spread + 1 / spread
        low = -0.5 / spread**2 - reach + (max(power / spread**2, -reach) if power < 0 else 0.0)
        high = (max(power, 0.0) - 0.5) / spread**2 + reach
        require_reach((high - low) / step, bits)
        s, q = number(order.noise_multiplier), number(order.sampling_probability)
        front = gmpy2.log(mpfr(step) * s / gmpy2.sqrt(2 * gmpy2.const_pi()))
        self.logs: list[mpc] = []
        self._losses: list[mpc] = []
        for k in range(math.ceil((high - low) / step)):
            t = mpc(mpfr(low) + mpfr(step) * k, mpfr(lift))
            scaled = (t + 1 / (2 * s * s)) * s
            self.logs.append(front - scaled * scaled / 2)
            self._losses.append(gmpy2.log(1 - q + q * gmpy2.exp(t)))

    def moment(self, z: mpc) -> mpc:
        """Return M of one step at a point on or above the real axis."""
        power = z + 1 if self._removed else -z.conjugate()
        pairs = zip(self.logs, self._losses, strict=True)
        moment = sum(gmpy2.exp(log + power * loss) for log, loss in pairs)
        return moment if self._removed else moment.conjugate()


@second_opinion("dpsgd.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(
    bits: int,
    noise_multiplier: Fraction,
    sampling_probability: Fraction,
    steps: int,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the larger delta of both orders; in one step rigorous, else an estimate.

    Where no rule reaches it, it lies between one step's and Chernoff's bound.
    """
    if sampling_probability == 1:
        return full_batches(bits, noise_multiplier, steps, epsilon).exp_enclosure()
    if steps == 1:
        one = one_step(bits, noise_multiplier, sampling_probability, epsilon)
        return one.exp_enclosure()
    nothing = adds_nothing(bits, sampling_probability, steps, epsilon)
    asked = [
        order
        for order in orders(noise_multiplier, sampling_probability, steps)
        # At 0 both have one delta, the total variation distance.
        if (epsilon != 0 if order.removed else not nothing)
    ]
    try:
        return larger([_estimate(bits, order, epsilon) for order in asked])
    except (OutOfReachError, BudgetSpentError):
        sizes = noise_multiplier, sampling_probability
        bounds = larger(
            [below_chernoff(bits, *sizes, steps, epsilon, removed=each.removed) for each in asked]
        )
        least = max(delta(bits, *sizes, 1, epsilon).low, bounds.low)
        return _all_that_is_known(Enclosure(least, bounds.high))


def _estimate(bits: int, order: Order, epsilon: Fraction) -> Enclosure:
    """Return the hull of two rules' deltas; of two steps, of which M falls slowly, without M."""
    if order.steps == few_steps.STEPS:
        try:
            return few_steps.estimate(bits, order, epsilon)
        except OutOfReachError:
            pass
    return estimate(bits, order, epsilon)


@second_opinion("dpsgd.epsilon", engine="mpmath", rigorous=False)
@or_nothing
def epsilon(
    bits: int,
    noise_multiplier: Fraction,
    sampling_probability: Fraction,
    steps: int,
    delta: Fraction,
) -> Enclosure:
    """Enclose the larger epsilon of both orders; in one step rigorous, else an estimate.

    Where no rule reaches it, it is at least one step's.
    """
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
    both = orders(noise_multiplier, sampling_probability, steps)
    try:
        return _root(bits, both, delta)
    except (OutOfReachError, BudgetSpentError):
        least = epsilon(bits, noise_multiplier, sampling_probability, 1, delta).low
        return _all_that_is_known(Enclosure(least, Enclosure.infinite().high))


def _root(bits: int, both: list[Order], delta: Fraction) -> Enclosure:
    if is_reached_at_zero(bits, both[1], delta):  # both have one delta there
        return Enclosure.of(Fraction(0), bits)
    return larger([root(bits, order, delta) for order in both])


def _all_that_is_known(known: Enclosure) -> Enclosure:
    """Return an enclosure beyond which no rule is short enough; a climb ends with it."""
    end_the_climb("no rule is short enough", known)
    return known


def orders(noise_multiplier: Fraction, sampling_probability: Fraction, steps: int) -> list[Order]:
    """Return both orders, that of a removed record first. Raises OutOfReachError at some sizes."""
    q = sampling_probability
    if not all(1 < size * LARGEST < LARGEST**2 for size in (noise_multiplier, q, 1 - q, steps)):
        raise OutOfReachError
    return [
        Order(noise_multiplier, sampling_probability, steps, removed) for removed in (True, False)
    ]


def adds_nothing(bits: int, q: Fraction, steps: int, epsilon: Fraction) -> bool:
    """Whether no loss of an added record exceeds epsilon."""
    most = Span.of(steps, bits) * -(Span.of(1 - q, bits)).log()
    return (Span.of(epsilon, bits) - most).sign > 0


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
