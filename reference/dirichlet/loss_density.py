"""Delta from the density of the privacy loss, where a series would be too long: large parameters.

Both dominating pairs have a loss step u for which p, the density of u under the first law, is
log-concave, and q(u) = p(u) e^(-step u + constant) is the second law's. So with u0 where the loss
is epsilon

    delta     = integral over v >= 0 of p(u0 + v) (1 - e^(-step v))
    1 - delta = integral over v <= 0 of p(u0 + v), and over v >= 0 of p(u0 + v) e^(-step v),

and tangents to log p bound each of them in closed form (proofs_notes/loss-density.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from ..arb.balls import ball, extra_bits
from ..arb.gamma import log_beta, log_gamma
from ..arb.integration import Cuts, integrate

# The integral is cut where what is left out is this many bits below what is kept, and more.
_SPARE_BITS = 16
# Lengths in units of the density's scale that are tried for the cut: 2, 4, ..., 2^12.
_DOUBLINGS = 12
# log p is expanded at the peak, in a disc where its coefficients are bounded; no further than this.
_REACH = Fraction(1, 2)
_MOST_TERMS = 400
# From this alpha on the integral is taken; below it a series is short, or delta is next to 1.
_LARGE = Fraction(2) ** 20
# So does a step so much smaller than alpha that the difference of two series would lose it.
_NARROW, _MUCH_LARGER = Fraction(2) ** 16, Fraction(2) ** 64
# A smaller step leaves no delta so near to 1 that a bound on the rest would do.
_LEAST_STEP = 64


@dataclass(frozen=True)
class LossDensity:
    """log p at a real u, its first derivatives there over the factorials, and where it is largest.

    ``bound`` is at least the absolute value of each coefficient but the first two, at every u.
    """

    logarithm: Callable[[arb], arb]
    coefficients: Callable[[arb, int], list[arb]]
    bound: Callable[[arb], arb]
    mode: arb

    def slope(self, u: arb) -> arb:
        """Enclose the derivative of log p."""
        return self.coefficients(u, 2)[1]


def of_two_betas(alpha: Fraction, step: Fraction) -> LossDensity:
    """Return the density of u = log((1 - x)/x), x of Beta(alpha, alpha + step).

    log p = -(2 alpha + step) log(1 + e^-u) - alpha u - log B. The derivative of log(1 + e^-u) is at
    most 1 and at most |e^-u| in absolute value for |Im u| < pi/2, and its other coefficients are
    those of log(1 + e^u); so by Cauchy in the disc of radius 1 the bound.
    """
    low, whole, front = ball(alpha), ball(2 * alpha + step), log_beta(alpha, alpha + step)

    def logarithm(u: arb) -> arb:
        return -whole * (-u).exp().log1p() - low * u - front

    def coefficients(u: arb, count: int) -> list[arb]:
        falling = [-whole * each for each in _of_logistic(u, count)]
        return [logarithm(u), whole / (1 + u.exp()) - low, *falling[2:]]

    def bound(u: arb) -> arb:
        found: arb = whole * (1 - abs(u)).exp().min(arb(1))
        return found

    return LossDensity(logarithm, coefficients, bound, (ball(alpha + step) / low).log())


def _of_logistic(u: arb, count: int) -> list[arb]:
    """Enclose the coefficients of log(1 + e^z) at u, from the second power on; 0 before.

    They are those at -u with the signs of odd powers changed. At the one that is at most 0, with
    g = e^u/(1 + e^u), (n + 1) g_(n+1) = g_n - sum of g_k g_(n-k), and the n-th is g_(n-1)/n.
    """
    mirrored = not u <= 0
    share = (-u).exp() if mirrored else u.exp()
    g = [share / (1 + share)]
    for n in range(count - 2):
        square = sum((g[k] * g[n - k] for k in range(n + 1)), arb(0))
        g.append((g[n] - square) / (n + 1))
    signs = [-1 if mirrored and n % 2 else 1 for n in range(count)]
    return [arb(0), arb(0), *(signs[n] * g[n - 1] / n for n in range(2, count))]


def of_two_gammas(alpha: Fraction) -> LossDensity:
    """Return the density of u = -log x, x of Gamma(alpha): log p = -alpha u - e^-u - log Gamma."""
    shape, front = ball(alpha), log_gamma(alpha)

    def logarithm(u: arb) -> arb:
        return -shape * u - (-u).exp() - front

    def coefficients(u: arb, count: int) -> list[arb]:
        falling = (-u).exp()
        found = [falling * (-1) ** (n + 1) / arb.fac_ui(n) for n in range(count)]
        return [logarithm(u), found[1] - shape, *found[2:]]

    return LossDensity(logarithm, coefficients, lambda u: (-u).exp(), -shape.log())


def _extra_bits_for(*sizes: Fraction) -> int:
    """Return the bits before the point of log p: it is made of numbers as large as these."""
    return max(int(abs(size)).bit_length() for size in sizes) + 2 * _SPARE_BITS


def complement_above(density: LossDensity, start: arb, step: Fraction) -> arb | None:
    """Enclose 1 - delta between 0 and a closed bound, where u0 is left of the mode; else None.

    p(u0) (1/p' + 1/(step - p')), p' the slope of log p at u0, between 0 and step.
    """
    slope = density.slope(start)
    back = ball(step) - slope
    if not (slope > 0 and back > 0):
        return None
    bound = density.logarithm(start).exp() * (1 / slope + 1 / back)
    return arb(0).union(bound.abs_upper()) if bound.is_finite() else None


def delta_of(density: LossDensity, start: arb, step: Fraction, bits: int) -> arb:
    """Enclose delta by a guarded integral up to a cut, and a tangent's bound on what lies beyond.

    ``start`` is u0, a ball; about so many ``bits`` are right where the working precision exceeds
    them by what the sizes take. For parameters so large that the density is narrow: elsewhere the
    answer says nothing.
    """
    left = bool(density.mode > start)
    top = arb(density.mode.mid()) if left else start
    slope, bend = density.coefficients(top, 3)[1:]
    width = (-1 / (2 * bend)).sqrt()
    if slope < 0:
        width = width.min(-1 / slope)
    width = arb(width.mid())
    if not width > 0 or not abs(slope) * density.mode.rad() < 1:
        return arb("nan")
    peak, rate = density.logarithm(top), ball(step) * width
    share = arb(rate.min(arb(1)).mid())
    before = (top - start) / width if left else arb(0)
    cut = _cut(density, top, width, share, peak, bits)
    power = None if cut is None else _power(density, top, width, before + cut[0], bits)
    if cut is None or power is None:
        return arb("nan")

    def integrand(v: acb, _: Cuts) -> acb:
        """Return p at top + width v over p at the top, the part of it that is lost, over share."""
        if not abs(v) * width < power.reach:
            return acb("nan")
        value = acb(0)
        for coefficient in reversed(power.coefficients):
            value = value * v + coefficient
        kept: acb = ((value + acb(power.rest, power.rest)) * v).exp()
        return kept * -(-rate * (v + before)).expm1() / share

    value = integrate(integrand, arb(-before.lower()), cut[0], tolerance_bits=bits)
    # Below the first point there is at most so much more: p is at most e p(top) anywhere.
    missed = before.rad() * before.rad() * rate / share * 16
    value += arb(0).union(cut[1]) + arb(0).union(missed)
    return value * share * width * peak.exp()


@dataclass(frozen=True)
class _Power:
    """(log p(top + width v) - log p(top))/v as a polynomial in v, and a bound on what is left.

    It holds where ``width`` |v| is below ``reach``.
    """

    coefficients: list[arb]
    rest: arb
    reach: arb


def _power(density: LossDensity, top: arb, width: arb, length: arb, bits: int) -> _Power | None:
    """Return the polynomial whose rest is negligible; None where it would be too long.

    The terms from n = count on, at |z| <= reach <= 1/2, are at most 2 bound |z|^count together,
    and z = width v.
    """
    reach = arb((2 * length * width).abs_upper())
    if not reach < ball(_REACH):
        return None
    bound, count = density.bound(top).abs_upper(), 3
    negligible = arb(2) ** (-bits - _SPARE_BITS)
    while True:
        rest = 2 * bound * reach ** (count - 1) * width
        if rest < negligible:
            break
        count += 1
        if count > _MOST_TERMS:
            return None
    scaled = [a * width**n for n, a in enumerate(density.coefficients(top, count))]
    return _Power(scaled[1:], rest.union(-rest), reach)


def _cut(
    density: LossDensity, top: arb, width: arb, share: arb, peak: arb, bits: int
) -> tuple[arb, arb] | None:
    """Return where to cut, in widths right of the top, and a bound on what lies beyond."""
    for doubling in range(1, _DOUBLINGS):
        length = arb(2) ** doubling
        there = top + width * length
        slope = density.slope(there)
        if slope < 0:
            height = (density.logarithm(there) - peak).exp()
            rest = height / (-slope * width * share)
            if rest < arb(2) ** (-bits - _SPARE_BITS):
                return length, rest.abs_upper()
    return None


def delta_of_large(
    density: Callable[[], LossDensity],
    start: Callable[[], arb],
    step: Fraction,
    alpha: Fraction,
    sizes: tuple[Fraction, ...],
) -> arb | None:
    """Enclose delta where it is next to 1, or alpha is large; None where neither is the case.

    ``sizes`` are the numbers that log p is made of. What is next to 1 is told by a closed bound.
    """
    narrow = alpha >= _LARGE or (alpha >= _NARROW and alpha > step * _MUCH_LARGER)
    if step < _LEAST_STEP and not narrow:
        return None
    bits = ctx.prec + _SPARE_BITS
    with extra_bits(_extra_bits_for(*sizes) + bits):
        made, at = density(), start()
        rest = complement_above(made, at, step)
        if rest is not None and rest < arb(2) ** -bits:
            return 1 - rest
        return delta_of(made, at, step, bits) if narrow else None
