"""Exact delta of Laplace noise between two known laws on the line, and its inverse.

Two laws with finitely many atoms are told apart by a number drawn from one of them plus Laplace
noise. Between neighbouring support points the difference of densities, the first less e^epsilon
times the second, is A e^(-w/scale) + B e^(w/scale), which changes its sign at most once: the area
of its positive part is a perfect square of square roots of A and B, so delta is a finite sum
(proofs_notes/laplace-profile.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, pairwise, permutations
from typing import NamedTuple

from flint import arb

from ..arb.balls import INFINITY, ball, sharpened, sign
from ..arb.roots import positive_root
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    LINE_LAW,
    NonNegative,
    Positive,
    Probability,
)
from ..enclosure import Trilean
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import InverseOf
from .divergences import Atoms, atoms_of_law, largest_move, loss_within

NOTE = "proofs_notes/laplace-profile.md"
_ZERO = arb(0)


class _Gap(NamedTuple):
    """The distance of two neighbouring points in scales, and e to minus half of it."""

    length: arb
    half_decay: arb

    @classmethod
    def of(cls, length: Fraction) -> _Gap:
        known = ball(length)
        return cls(known, (-known / 2).exp())

    @property
    def decay(self) -> arb:
        """E to minus the length."""
        return self.half_decay**2

    @property
    def share(self) -> arb:
        """1 less the decay, to full relative accuracy."""
        return -((-self.length).expm1())


def _positive(value: arb) -> arb:
    return value.max(_ZERO)


def _area(left: arb, right: arb, gap: _Gap) -> arb:
    """Enclose twice the positive part's area between two points, at two exact numbers A and B.

    Of A e^-s + B e^(s - length)) for s from 0 to the length, over 2.
    """
    if left <= 0 and right <= 0:
        return _ZERO
    if left >= 0 and right >= 0:
        return (left + right) * gap.share
    above, below = (left, -right) if left > 0 else (right, -left)
    high, low = above.sqrt(), below.sqrt()
    near, far = high - low * gap.half_decay, high * gap.half_decay - low
    if far > 0:
        return (above - below) * gap.share
    return _positive(near) ** 2 - _positive(far) ** 2


def _area_within(left: arb, right: arb, gap: _Gap) -> arb:
    """Enclose the same where A and B are enclosed: it rises in both."""
    least = _area(left.lower(), right.lower(), gap)
    return least.union(_area(left.upper(), right.upper(), gap))


def signed_weights(
    first: Atoms, second: Atoms, points: Sequence[Fraction | int], epsilon: Fraction
) -> list[arb]:
    """Enclose, point by point, the first law's mass less e^epsilon times the second's.

    At epsilon 0 what is equal cancels exactly.
    """
    ours, theirs = (dict(zip(law.points, law.weights, strict=True)) for law in (first, second))
    mine, others = first.total, second.total
    if epsilon == 0:
        return [
            ball(Fraction(ours.get(at, 0), mine) - Fraction(theirs.get(at, 0), others))
            for at in points
        ]
    factor = ball(epsilon).exp() / others
    return [arb(ours.get(at, 0)) / mine - factor * theirs.get(at, 0) for at in points]


def sums_of_weights(weights: Iterable[arb], decays: Iterable[arb]) -> list[arb]:
    """Return at each point what lies at or before it, each weight times its decay up to there."""
    total, found = _ZERO, []
    for weight, decay in zip(weights, chain([_ZERO], decays), strict=True):
        total = total * decay + weight
        found.append(total)
    return found


def _vanishes(
    first: Atoms, second: Atoms, at: Fraction | int, scale: Fraction, epsilon: Fraction
) -> bool:
    """Whether the difference of the densities at a point is exactly 0.

    It is a sum of rational numbers times e to different rational powers, and 0 only if each of them
    is (Lindemann and Weierstrass).
    """
    found: dict[Fraction, Fraction] = {}
    for law, weight, shift in ((first, 1, Fraction(0)), (second, -1, epsilon)):
        for point, mass in zip(law.points, law.weights, strict=True):
            power = shift - abs(Fraction(at) - point) / scale
            found[power] = found.get(power, Fraction(0)) + Fraction(weight * mass, law.total)
    return not any(found.values())


def laplace_hockey_stick(first: Atoms, second: Atoms, scale: Fraction, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick at e^epsilon of two laws under Laplace noise, in this order.

    Exactly 0 where no outcome is e^epsilon times as likely under the first.
    """
    points = sorted({*first.points, *second.points})
    distances = [Fraction(after - before) / scale for before, after in pairwise(points)]
    known = {length: _Gap.of(length) for length in set(distances)}
    gaps = [known[length] for length in distances]
    check_budget()
    weights = signed_weights(first, second, points, epsilon)
    decays = [gap.decay for gap in gaps]
    left = sums_of_weights(weights, decays)
    right = sums_of_weights(reversed(weights), reversed(decays))[::-1]
    values = [
        here + gap.decay * beyond for here, gap, beyond in zip(left, gaps, right[1:], strict=False)
    ] + [left[-1]]
    if not any(value > 0 for value in values) and all(
        value < 0 or _vanishes(first, second, at, scale, epsilon)
        for at, value in zip(points, values, strict=True)
    ):
        return _ZERO
    pieces = zip(left, right[1:], gaps, strict=False)
    total = sum((_area_within(*piece) for piece in pieces), _positive(right[0]))
    return (total + _positive(left[-1])) / 2


# The hockey-stick of two laws under noise of a scale, in this order, at e^epsilon.
HockeyStick = Callable[[Atoms, Atoms, Fraction, Fraction], arb]


def delta_between(
    laws: Sequence[Atoms], hockey_stick: HockeyStick, scale: Fraction, epsilon: Fraction
) -> arb:
    """Enclose the largest hockey-stick of two of these laws, in either order.

    Exactly 0 where there is nothing to tell apart.
    """

    def largest() -> arb:
        worst = _ZERO
        for first, second in permutations(laws, 2):
            check_budget()
            if not first.is_same_law(second):
                worst = worst.max(hockey_stick(first, second, scale, epsilon))
        return worst

    return sharpened(largest)


@quantity(
    "pufferfish.laplace_delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \left\{ H(\mu, \nu), H(\nu, \mu) \right\}, \quad H(\mu, \nu) = \int \Big( \int "
    r"\frac{e^{-|w - x| / \sigma}}{2 \sigma} \, d\mu(x) - e^{\varepsilon} \int \frac{e^{-|w - y| / "
    r"\sigma}}{2 \sigma} \, d\nu(y) \Big)_+ dw",
    within=A_PROBABILITY,
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
)
def laplace_delta(mu: LINE_LAW, nu: LINE_LAW, scale: Positive, epsilon: NonNegative) -> arb:
    """Exact delta at epsilon of two laws on the line under Laplace noise, the worse of both orders.

    A finite sum, in closed form. Exactly 0 from ``pufferfish.laplace_loss`` on.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    return delta_between(laws, laplace_hockey_stick, scale, epsilon)


@quantity(
    "pufferfish.laplace_epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\mu, \nu, \sigma, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    falls="scale delta",
    vanishes="high delta, high scale",
    inverse=InverseOf("pufferfish.laplace_delta", "delta", "epsilon"),
)
def laplace_epsilon(
    mu: LINE_LAW, nu: LINE_LAW, scale: Positive, delta: Probability
) -> arb | Fraction:
    """Smallest epsilon at which Laplace noise leaves two laws on the line at most ``delta``.

    0 from their total variation under the noise on, ``pufferfish.laplace_loss`` at delta = 0, else
    the root of a strictly decreasing function, bracketed with both signs proved.
    """
    laws = [atoms_of_law(mu), atoms_of_law(nu)]
    if delta == 1 or laws[0].is_same_law(laws[1]):
        return Fraction(0)
    if delta == 0:
        return loss_within(lambda: [laws], scale)

    def profile(epsilon: Fraction) -> arb:
        return delta_between(laws, laplace_hockey_stick, scale, epsilon)

    limit = largest_move(*laws) / scale
    return least_argument(profile, delta, limit / 2, limit)


def least_argument(
    falling: Callable[[Fraction], arb],
    target: Fraction,
    start: Fraction,
    limit: Fraction | None = None,
) -> arb | Fraction:
    """Enclose the least x >= 0 at which a function that falls is at most a positive target.

    At ``limit``, if there is one, it is below the target.
    """
    excess = excess_below(target)
    room = sign(excess(falling(Fraction(0))))
    if room is Trilean.TRUE:
        return Fraction(0)
    if room is Trilean.UNKNOWN:
        return _ZERO.union(INFINITY if limit is None else ball(limit))
    return positive_root(lambda point: excess(falling(point)), start, limit)


def excess_below(target: Fraction) -> Callable[[arb], arb]:
    """Return what is positive where a value is below the target: their log-ratio, if it has one."""
    aim = ball(target)

    def excess(value: arb) -> arb:
        return (aim / value).log() if value > 0 else 1 - value / aim

    return excess
