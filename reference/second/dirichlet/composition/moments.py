"""The moment generating function of independent releases' privacy losses, rounded to nearest.

M(z) is the product of [Gamma(alpha - z s) Gamma(alpha + s + z s)/(Gamma(alpha) Gamma(alpha+s))]^n
over the releases (alpha, s, n) (proofs_notes/composition.md); f(z) = log M(z) - z epsilon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import gmpy2
from gmpy2 import mpc, mpfr

from ....precision import check_budget
from ...nearest import Stirling, log_gamma, number

Release: TypeAlias = tuple[Fraction, Fraction, int]
Number: TypeAlias = mpfr | Fraction


class Losses:
    """Independent releases, equal ones together."""

    def __init__(self, rows: Iterable[Release]) -> None:
        counted: Counter[tuple[Fraction, Fraction]] = Counter()
        for alpha, step, count in rows:
            counted[alpha, step] += count
        self.kinds = [(alpha, step, count) for (alpha, step), count in counted.items()]
        self.limit = min(alpha / step for alpha, step, _ in self.kinds)
        # M falls off the axis like e^(-pi y) to this power.
        self.steps = sum((step * count for _, step, count in self.kinds), Fraction(0))
        # For the bits that logarithms of Gammas have before the binary point.
        self.size = sum((n * (1 + 2 * alpha + step) for alpha, step, n in self.kinds), Fraction(0))

    @property
    def single(self) -> tuple[Fraction, Fraction] | None:
        """Floor and step where there is one release alone."""
        (alpha, step, count), *others = self.kinds
        return (alpha, step) if count == 1 and not others else None

    def slope(self, point: mpfr, epsilon: Number) -> mpfr:
        """Return f' at a real point of the strip."""
        total = -number(epsilon)
        for alpha, step, count in self.kinds:
            check_budget()
            a, s = number(alpha), number(step)
            rise = gmpy2.digamma(a + s + point * s) - gmpy2.digamma(a - point * s)
            total += count * s * rise
        return total

    def curvature(self, point: mpfr) -> float:
        """Return about f'' at a real point, by 1/x + 1/x^2 for psi'(x), at most its double."""
        total = 0.0
        for alpha, step, count in self.kinds:
            a, s = number(alpha), number(step)
            for x in (a + s + point * s, a - point * s):
                share = s / x
                total += float(count * (share * s + share * share))
        return total

    def logarithm(self, point: mpc, epsilon: Number, stirling: Stirling, bits: int) -> mpc:
        """Return f, but for a multiple of 2 pi i, in the context of ``bits`` bits."""
        total = -point * number(epsilon)
        for alpha, step, count in self.kinds:
            a, s = number(alpha), number(step)
            near, over = stirling.parts(a - point * s)
            far, under = stirling.parts(a + s + point * s)
            total += count * (near + far - gmpy2.log(over * under) - _at_zero(alpha, step, bits))
        return total


@lru_cache(maxsize=1024)
def _at_zero(alpha: Fraction, step: Fraction, bits: int) -> mpfr:
    """Return log Gamma(alpha) + log Gamma(alpha + step)."""
    return log_gamma(alpha, bits) + log_gamma(alpha + step, bits)
