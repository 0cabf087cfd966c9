"""Second opinion on the tail of the divergence: a parabola, rounded to nearest; not rigorous.

P(KL > eta) = 1/(2 pi i) * integral of F(z) = e^(-eta z) M(z)/z over ``kl_parabola``'s path around
[z_max, inf), or 1 plus the same around the pole 0, which is minus P(KL <= eta). The trapezoid rule,
its step halved until little changes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gmpy2 import mpc, mpfr

from ..enclosure import Enclosure
from .directed import OutOfReachError, or_nothing
from .kl_chernoff import LogMoment
from .kl_parabola import Parabola, integrand, parabola
from .nearest import MAX_BITS, binary_exponent, number, widened, working
from .opinion import second_opinion

_LOOK_BITS, _SPARE_BITS = 64, 24
# The reach of a contour, in units of 1/eta, for the size of the numbers on it.
_NATS = 256
# The first step is halved so often at most.
_MOST_REFINEMENTS, _MOST_NODES = 14, 200_000
# The second value comes from a contour that crosses elsewhere, by this share of s.
_ELSEWHERE, _MORE_BITS = Fraction(7, 8), 32


@second_opinion("dirichlet.utility.kl_tail", engine="mpmath", rigorous=False)
@or_nothing
def kl_tail(
    bits: int, p: tuple[Fraction, ...], beta: Fraction, alpha: Fraction, eta: Fraction
) -> Enclosure:
    """Enclose P(KL(p || y) > eta), y of Dirichlet(beta p + alpha); not rigorous."""
    law = LogMoment(p, beta, alpha, eta)
    if law.count == 1 or eta == 0:
        return Enclosure.of(Fraction(0 if law.count == 1 else 1))
    size = _bits_before_the_point(law)
    if bits + 2 * size > MAX_BITS:
        raise OutOfReachError
    path = parabola(law, bits, _LOOK_BITS + 2 * size)
    other = path._replace(s=_scaled(path.s, _ELSEWHERE))
    first = _chance(law, path, bits, size)
    second = _chance(law, other, bits + _MORE_BITS, size)
    return widened(first, second, bits, Fraction(1))


def _bits_before_the_point(law: LogMoment) -> int:
    """Return how many bits the terms of log M and eta z have before their points."""
    size = int(law.total * (1 + law.eta) + _NATS / law.eta).bit_length()
    return size + size.bit_length()


def _scaled(value: mpfr, share: Fraction) -> mpfr:
    with working(value.precision):
        return value * number(share)


def _chance(law: LogMoment, path: Parabola, bits: int, size: int) -> mpfr:
    """Return the chance by one parabola."""
    deep = bits + path.lost + path.risen
    precision = deep + size + _SPARE_BITS
    with working(precision):
        value = integrand(law, path.focus, path.s, precision)
        if not path.around_zero:
            return _integral(value, path.step, bits, deep)
        return 1 + _integral(value, path.step, bits + path.lost, deep, beside_one=True)


def _integral(
    value: Callable[[mpfr], mpc], step: mpfr, bits: int, deep: int, *, beside_one: bool = False
) -> mpfr:
    """Return the integral over t > 0 of the imaginary part, by ever finer trapezoid rules.

    To so many bits of itself, or of 1; nodes matter down to 2^-deep of the largest. Each halving
    doubles the number of correct bits, so half of them are enough to stop.
    """
    total = value(mpfr(0)).imag / 2 + _sum(value, step, step, deep)
    found = step * total
    for _ in range(_MOST_REFINEMENTS):
        total += _sum(value, step / 2, step, deep)
        step, before, found = step / 2, found, step / 2 * total
        scale = 0 if beside_one else binary_exponent(found)
        if binary_exponent(found - before) < scale - bits // 2 - _SPARE_BITS:
            return found
    raise OutOfReachError


def _sum(value: Callable[[mpfr], mpc], start: mpfr, step: mpfr, bits: int) -> mpfr:
    """Return the sum of imaginary parts at start, start + step, ... while they matter."""
    total, largest = mpfr(0), None
    for j in range(_MOST_NODES):
        term = value(start + j * step)
        total += term.imag
        size = binary_exponent(term)
        largest = size if largest is None else max(largest, size)
        if size < largest - bits - _SPARE_BITS:
            return total
    raise OutOfReachError
