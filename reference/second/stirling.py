"""Gamma at complex points to nearest: Stirling's series after a move to the right.

    log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + sum of B_2j/(2j (2j-1)) z^(1-2j),
    Gamma(z) = Gamma(z+M)/(z (z+1) ... (z+M-1)),

with M so large that z+M is right of the imaginary axis and bits/5 or more from 0. Not rigorous.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import gmpy2
import mpmath
from gmpy2 import mpc, mpfr

from ..precision import check_budget
from .nearest import inverse, number, working

# On the imaginary axis the smallest term is near e^(-2 pi |z|), 2**-bits for |z| = bits/9.
_RADIUS_PER_BIT = 0.2


class Stirling:
    """Gamma at one precision, that of the context in which it is asked."""

    def __init__(self, bits: int) -> None:
        self._radius = _RADIUS_PER_BIT * bits
        with working(bits):
            self._coefficients = [number(c) for c in _coefficients(bits, self._radius)]
            self._constant = gmpy2.log(2 * gmpy2.const_pi()) / 2

    def parts(self, point: mpc) -> tuple[mpc, mpc]:
        """Return log Gamma(z+M), and the product that Gamma(z+M) is to be divided by."""
        moves = self._moves(float(point.real), float(point.imag))
        product = mpc(1)
        for _ in range(moves):
            product = product * point
            point = point + 1
        check_budget()
        return self._by_series(point), product

    def _moves(self, real: float, imaginary: float) -> int:
        height = abs(imaginary)
        missing = self._radius**2 - height**2
        return max(0, math.ceil((math.sqrt(missing) if missing > 0 else 0.0) - real))

    def _by_series(self, point: mpc) -> mpc:
        """Sum the series by Horner's rule; far out fewer terms are enough."""
        one = inverse(point)
        square = one * one
        total = mpc(0)
        for coefficient in self._coefficients:
            total = total * square + coefficient
        return (point - mpfr(0.5)) * gmpy2.log(point) - point + self._constant + total * one


@cache
def _coefficients(bits: int, radius: float) -> tuple[Fraction, ...]:
    """Return the coefficients that matter at that distance from 0, the last one first."""
    found: list[Fraction] = []
    for j in range(1, bits + 2):
        top, bottom = map(int, mpmath.bernfrac(2 * j))
        found.append(Fraction(top, bottom * 2 * j * (2 * j - 1)))
        size = math.log2(abs(top)) - math.log2(abs(bottom)) - (2 * j - 1) * math.log2(radius)
        if size < -bits:
            break
    return tuple(reversed(found))
