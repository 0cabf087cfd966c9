"""Second opinion on the tail of the divergence: a parabola, by mpmath; not rigorous.

P(KL > eta) = 1/(2 pi i) * integral of F(z) = e^(-eta z) M(z)/z over z = focus - (s - i t)^2, t
real: a parabola around [z_max, inf) with z_max as its focus, or, for minus P(KL <= eta), around
the pole 0 with 0 as its focus. The trapezoid rule in t, its step halved until little changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import gmpy2
import mpmath
from gmpy2 import mpfr, mpz

from ..enclosure import Enclosure
from ..precision import check_budget
from .directed import OutOfReachError, or_nothing
from .nearest import MAX_BITS, widened, working
from .opinion import second_opinion

# mpmath ships no types.
Number: TypeAlias = Any

_LOOK_BITS, _SPARE_BITS = 64, 24
# The reach of a contour, in units of 1/eta, for the size of the numbers on it.
_NATS = 256
# The crossing is looked for over powers of 2 in so many doublings of the exponent and halvings.
_DOUBLINGS, _HALVINGS = 14, 20
# The first step is the integrand's width, halved so often at most.
_MOST_REFINEMENTS, _MOST_NODES = 14, 200_000
# The second value comes from a contour that crosses elsewhere, by this share.
_ELSEWHERE = Fraction(7, 8)


class _Integrand:
    """F on the two sides of the pole, at mpmath's precision of the moment."""

    def __init__(
        self, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
    ) -> None:
        shares = Counter(share for share in p if share)
        self.count = len(p) if alpha else shares.total()
        self.eta, self.total = eta, beta + self.count * alpha
        self.limit = beta + alpha / max(shares)
        self.parts = [(x, beta * x + alpha, n) for x, n in shares.items()]

    def bits_before_the_point(self) -> int:
        """Return how many bits the terms of log M have before their point."""
        size = int(self.total * (1 + self.eta) + _NATS / self.eta).bit_length()
        return size + size.bit_length()

    def slope(self, z: Number) -> Number:
        """Return the derivative of log M at a real point."""
        total = mpmath.digamma(_mp(self.total) - z)
        for share, b, times in self.parts:
            inside = mpmath.log(_mp(share)) - mpmath.digamma(_mp(b) - _mp(share) * z)
            total += times * _mp(share) * inside
        return total

    def curvature(self, z: Number) -> Number:
        """Return the second derivative of log |F| at a real point."""
        total = 1 / z**2 - mpmath.psi(1, _mp(self.total) - z)
        for share, b, times in self.parts:
            total += times * _mp(share) ** 2 * mpmath.psi(1, _mp(b) - _mp(share) * z)
        return total

    def along(self, focus: Fraction, s: Number) -> Callable[[Number], Number]:
        """Return t -> imaginary part of F dz/dt on the parabola, over pi."""
        total, eta = _mp(self.total), _mp(self.eta)
        parts = [(_mp(x), _mp(b), mpmath.log(_mp(x)) * _mp(x), n) for x, b, n in self.parts]
        constant = mpmath.loggamma(total)
        constant -= sum(n * mpmath.loggamma(b) for _, b, _, n in parts)
        start = _mp(focus)

        def value(t: Number) -> Number:
            check_budget()
            w = mpmath.mpc(s, -t)
            z = start - w * w
            logarithm = constant - mpmath.loggamma(total - z) - eta * z
            for x, b, entropy, n in parts:
                logarithm += n * (mpmath.loggamma(b - x * z) + z * entropy)
            return mpmath.exp(logarithm) * 2j * w / z / mpmath.pi

        return value


@second_opinion("dirichlet.utility.kl_tail", engine="mpmath", rigorous=False)
@or_nothing
def kl_tail(
    bits: int, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
) -> Enclosure:
    """Enclose P(KL(p || y) > eta), y of Dirichlet(beta p + alpha); not rigorous."""
    integrand = _Integrand(p, beta, alpha, eta)
    if integrand.count == 1 or eta == 0:
        return Enclosure.of(Fraction(0 if integrand.count == 1 else 1))
    size = integrand.bits_before_the_point()
    if bits + 2 * size > MAX_BITS:
        raise OutOfReachError
    with working(bits):  # the caller's context is not to be read nor marked
        values = _two_values(integrand, bits, size)
        return widened(values[0], values[1], bits, Fraction(1))


def _two_values(integrand: _Integrand, bits: int, size: int) -> list[mpfr]:
    """Return the chance from two contours at two precisions."""
    with mpmath.mp.workprec(_LOOK_BITS + 2 * size):
        right = integrand.slope(mpmath.mpf(0)) < _mp(integrand.eta)
        focus = integrand.limit if right else Fraction(0)
        s, width = _shape(integrand, focus, right)
    values = []
    for share, more in ((Fraction(1), 0), (_ELSEWHERE, 32)):
        with mpmath.mp.workprec(bits + size + _SPARE_BITS + more):
            found = _integral(integrand.along(focus, s * _mp(share)), width, bits)
            values.append(_as_mpfr(found if right else 1 + found, bits + more))
    return values


def _shape(integrand: _Integrand, focus: Fraction, right: bool) -> tuple[Number, Number]:
    """Return s of the parabola through the saddle, and the integrand's width in t there."""
    limit, eta = _mp(integrand.limit), _mp(integrand.eta)

    def place(odds: Number) -> Number:
        return limit * odds / (1 + odds) if right else -1 / odds

    def is_beyond(exponent: Number) -> bool:
        check_budget()
        z = place(mpmath.mpf(2) ** exponent)
        return bool(integrand.slope(z) - eta - 1 / z > 0)

    z = place(mpmath.mpf(2) ** _turn(is_beyond))
    s = mpmath.sqrt(_mp(focus) - z)
    return s, 1 / (2 * s * mpmath.sqrt(integrand.curvature(z)))


def _turn(is_beyond: Callable[[Number], bool]) -> Number:
    """Return about where an increasing function changes sign."""
    beyond = is_beyond(mpmath.mpf(0))
    near, far = mpmath.mpf(0), mpmath.mpf(-1 if beyond else 1)
    for _ in range(_DOUBLINGS):
        if is_beyond(far) != beyond:
            break
        near, far = far, 2 * far
    else:
        raise OutOfReachError
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (middle, far) if is_beyond(middle) == beyond else (near, middle)
    return (near + far) / 2


def _integral(value: Callable[[Number], Number], step: Number, bits: int) -> Number:
    """Return the integral over t > 0 of the imaginary part, by ever finer trapezoid rules.

    Each halving doubles the number of correct bits, so half of them are enough to stop.
    """
    negligible = mpmath.mpf(2) ** -(bits + _SPARE_BITS)
    total = value(mpmath.mpf(0)).imag / 2 + _sum(value, step, step, negligible)
    found = step * total
    for _ in range(_MOST_REFINEMENTS):
        total += _sum(value, step / 2, step, negligible)
        step, before, found = step / 2, found, step / 2 * total
        if abs(found - before) < abs(found) * mpmath.mpf(2) ** -(bits // 2 + _SPARE_BITS):
            return found
    raise OutOfReachError


def _sum(
    value: Callable[[Number], Number], start: Number, step: Number, negligible: Number
) -> Number:
    """Return the sum of imaginary parts at start, start + step, ... while they matter."""
    total, largest = mpmath.mpf(0), mpmath.mpf(0)
    for j in range(_MOST_NODES):
        term = value(start + j * step)
        total += term.imag
        size = abs(term)
        largest = max(largest, size)
        if size < largest * negligible:
            return total
    raise OutOfReachError


def _mp(value: Fraction) -> Number:
    return mpmath.mp.mpf(value.numerator) / value.denominator


def _as_mpfr(value: Number, bits: int) -> mpfr:
    """Return mpmath's number as gmpy2's, rounded to so many bits."""
    negative, mantissa, exponent, _ = value._mpf_  # its exact form
    with working(bits):
        size = gmpy2.mul_2exp(mpfr(mpz(mantissa)), max(exponent, 0))
        size = gmpy2.div_2exp(size, max(-exponent, 0))
        return -size if negative else size
