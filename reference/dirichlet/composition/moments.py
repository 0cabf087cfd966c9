"""Independent releases, and the moment generating function of their privacy loss.

Under P the loss L of the dominating pair of one release has E e^(zL) = Gamma(alpha - z step)
Gamma(alpha + step + z step)/(Gamma(alpha) Gamma(alpha + step)); losses of independent releases
add up, so the functions multiply. M(z) is finite on -1 - limit < Re z < limit, the least of
alpha/step, and M(-1 - z) = M(z).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias, TypeVar

from flint import acb, arb

from ...arb.balls import ball
from ...arb.gamma import trigamma
from ...precision import check_budget

_Kind: TypeAlias = tuple[Fraction, Fraction, int]
_Point = TypeVar("_Point", arb, acb)
# Up to this radius of a sum of log Gammas its exponential is of use as it is; a matter of speed.
_WIDE_RADIUS = 1


@dataclass(frozen=True)
class Releases:
    """Independent releases: each different (alpha, step) with how many there are of it."""

    kinds: tuple[_Kind, ...]

    @classmethod
    def of(cls, rows: Iterable[_Kind]) -> Releases:
        """Return the releases of a table, equal ones together, in increasing order."""
        counted: Counter[tuple[Fraction, Fraction]] = Counter()
        for alpha, step, count in rows:
            counted[Fraction(alpha), Fraction(step)] += int(count)
        return cls(tuple((*kind, count) for kind, count in sorted(counted.items())))

    @cached_property
    def limit(self) -> Fraction:
        """The least alpha/step: the first pole of M on the right."""
        return min(alpha / step for alpha, step, _ in self.kinds)

    @cached_property
    def single(self) -> tuple[Fraction, Fraction] | None:
        """Floor and step where there is one release alone."""
        alpha, step, count = self.kinds[0]
        return (alpha, step) if len(self.kinds) == count == 1 else None


class LossMoments:
    """f(z) = log M(z) - z epsilon and its derivatives, in balls of the precision it is made at.

    Every answer is NaN unless the arguments of all Gammas are certainly off (-infinity, 0], the
    branch cut of log Gamma: elsewhere it is analytic. On the real axis that is the strip.
    """

    def __init__(self, releases: Releases, epsilon: Fraction) -> None:
        self._kinds = [(ball(a), ball(s), count) for a, s, count in releases.kinds]
        self._epsilon = ball(epsilon)
        self._at_zero = sum(
            (n * (a.lgamma() + (a + s).lgamma()) for a, s, n in self._kinds), arb(0)
        )

    def logarithm(self, point: _Point) -> _Point:
        """Enclose f at a real or complex point of the strip."""
        return self.moved(self.log_moment(point), point)

    def moved(self, log_moment: _Point, point: _Point) -> _Point:
        """Enclose f at a point where log M is enclosed."""
        return log_moment - point * self._epsilon

    def log_moment(self, point: _Point) -> _Point:
        """Enclose log M, which no epsilon changes."""
        total = point * 0 - self._at_zero
        for alpha, step, count in self._kinds:
            check_budget()
            total += _log_gammas(alpha, step, count, point)
        return total

    def slope(self, point: arb) -> arb:
        """Enclose f' at a real point: the mean loss under the tilted law, less epsilon."""
        total = -self._epsilon
        for alpha, step, count in self._kinds:
            check_budget()
            near, far = _arguments(alpha, step, point)
            if not (near > 0 and far > 0):
                return arb("nan")
            total += count * step * (far.digamma() - near.digamma())
        return total

    def curvature(self, point: arb) -> arb:
        """Enclose f'' > 0 at a real point: the variance of the loss under the tilted law."""
        total = arb(0)
        for alpha, step, count in self._kinds:
            near, far = _arguments(alpha, step, point)
            total += count * step**2 * (trigamma(near) + trigamma(far))
        return total


def _log_gammas(alpha: arb, step: arb, count: int, point: _Point) -> _Point:
    """Enclose count times log Gamma(alpha - z step) + log Gamma(alpha + step + z step)."""
    near, far = _arguments(alpha, step, point)
    if not (_off_the_cut(near) and _off_the_cut(far)):
        return near * arb("nan")
    found = count * (near.lgamma() + far.lgamma())
    if isinstance(point, arb) or found.rad() < _WIDE_RADIUS:
        return found
    centred = count * _centred_log_gammas(alpha, step, point)
    return found if centred.rad() >= found.rad() else centred


def _centred_log_gammas(alpha: arb, step: arb, box: acb) -> acb:
    """Enclose the same on a box that is off both cuts, by g(c) + g'(box) (box - c), c its centre.

    Of the two log Gammas each has its own radius on a box, of their slopes most cancels.
    """
    centre = box.mid()
    near, far = _arguments(alpha, step, centre)
    wide_near, wide_far = _arguments(alpha, step, box)
    slope = step * (wide_far.digamma() - wide_near.digamma())
    return near.lgamma() + far.lgamma() + slope * (box - centre)


def _arguments(alpha: arb, step: arb, point: _Point) -> tuple[_Point, _Point]:
    shift = point * step
    return alpha - shift, alpha + step + shift


def _off_the_cut(argument: arb | acb) -> bool:
    return bool(argument.real > 0 or argument.imag > 0 or argument.imag < 0)
