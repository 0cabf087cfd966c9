"""Second opinions on Renyi privacy and ponnoprat2023's calibration; all rigorous, by MPFR.

Where the first engine takes differences of log Gamma, these sum the positive terms of ``gap``; the
trigamma is a sum with its own asymptotic series. Where the first engine knows which of two numbers
is the larger, or a rational value, these do not ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...likely import likely_answer
from ..directed import Span, or_nothing, sharpened
from ..gamma import gap, trigamma
from ..opinion import second_opinion
from ..roots import bracketed
from .series import log_of

# Both sides of a tie are powers of whole numbers; beyond so many bits they are not compared.
_MAX_POWER_BITS = 1 << 20


@second_opinion("dirichlet.renyi.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_bound(
    bits: int, order: Fraction, step: Fraction, delta2_squared: Fraction, delta_inf: Fraction
) -> Enclosure:
    """Enclose order step^2 delta2_squared psi'(1 + 3 (order-1) step delta_inf)/2; rigorous."""
    return _line_one(bits, order, step, delta2_squared, delta_inf).enclosure()


def _line_one(
    bits: int, order: Fraction, step: Fraction, delta2_squared: Fraction, delta_inf: Fraction
) -> Span:
    argument = 1 + 3 * (order - 1) * step * delta_inf
    return _spread(bits, order, step, argument, delta2_squared)


def _spread(
    bits: int, order: Fraction, step: Fraction, argument: Fraction, delta2_squared: Fraction
) -> Span:
    """Enclose order step^2 delta2_squared psi'(argument)/2."""
    return Span.of(order * step**2 * delta2_squared / 2, bits) * trigamma(argument, bits)


@second_opinion("dirichlet.renyi.step", engine="mpfr", rigorous=True)
@or_nothing
def step(
    bits: int, order: Fraction, epsilon: Fraction, delta2_squared: Fraction, delta_inf: Fraction
) -> Enclosure:
    """Enclose the step at which ``epsilon_bound`` is epsilon; rigorous.

    The bound increases (proofs_notes/renyi-calibration.md): two proved signs. At order 1 it is
    sqrt(12 epsilon/delta2_squared)/pi, with log pi = 2 log Gamma(1/2).
    """
    if order == 1:

        def logarithm(precision: int) -> Span:
            log_root_pi = Span.of(Fraction(1, 2), precision).lgamma()
            square = log_of(12 * epsilon / delta2_squared, precision)
            return Span.of(Fraction(1, 2), precision) * square - log_root_pi - log_root_pi

        size = int(abs(logarithm(64).middle)).bit_length()
        return sharpened(bits + size, logarithm).exp_enclosure()

    def excess(point: Fraction, precision: int) -> Span:
        bound = _line_one(precision, order, point, delta2_squared, delta_inf)
        return bound.log() - log_of(epsilon, precision)

    return bracketed(
        excess, epsilon / (order * delta_inf), bits, likely=likely_answer()
    ).enclosure()


@second_opinion("dirichlet.renyi.epsilon_bound_alpha", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_bound_alpha(
    bits: int,
    order: Fraction,
    step: Fraction,
    alpha: Fraction,
    delta2_squared: Fraction,
    delta_inf: Fraction,
) -> Enclosure:
    """Enclose order step^2 delta2_squared psi'(alpha - (order-1) step delta_inf)/2; rigorous.

    Infinite where the argument is not positive.
    """
    argument = alpha - (order - 1) * step * delta_inf
    if argument <= 0:
        return Enclosure.infinite()
    return _spread(bits, order, step, argument, delta2_squared).enclosure()


@second_opinion("dirichlet.renyi.epsilon_sensitivity", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_sensitivity(
    bits: int,
    order: Fraction,
    step: Fraction,
    alpha: Fraction,
    delta2_squared: Fraction,
    delta_inf: Fraction,
) -> Enclosure:
    """Enclose the larger of many small changes and few large ones, at every order; rigorous.

    delta2_squared times max{order step^2 psi'(alpha)/2, D/delta_inf^2}, D the divergence of
    Gamma(alpha) from Gamma(alpha + step delta_inf) as a sum of positive terms.
    """
    if (order - 1) * step * delta_inf >= alpha:
        return Enclosure.infinite()
    spread = _spread(bits, order, step, alpha, delta2_squared)
    divergence = gap(bits, alpha, alpha + step * delta_inf, order)
    large = divergence * Span.of(delta2_squared / delta_inf**2, bits)
    return Span(max(spread.low, large.low), max(spread.high, large.high)).enclosure()


@second_opinion("dirichlet.renyi.divergence", engine="mpfr", rigorous=True)
@or_nothing
def divergence(
    bits: int, u: tuple[Fraction, ...], v: tuple[Fraction, ...], order: Fraction
) -> Enclosure:
    """Enclose the sum of all coordinates' gaps, less the totals' gap; rigorous.

    Infinite where some u_i <= (order - 1)(v_i - u_i), 0 for equal laws and for one coordinate.
    """
    moves = Counter(pair for pair in zip(u, v, strict=True) if pair[0] != pair[1])
    if len(u) == 1 or not moves:
        return Enclosure.of(Fraction(0), bits)
    if any(before <= (order - 1) * (after - before) for before, after in moves):
        return Enclosure.infinite()
    totals = sum(u, Fraction(0)), sum(v, Fraction(0))
    return sharpened(
        bits, lambda precision: _sum_of_gaps(precision, moves, totals, order)
    ).enclosure()


def _sum_of_gaps(
    bits: int,
    moves: Mapping[tuple[Fraction, Fraction], int],
    totals: tuple[Fraction, Fraction],
    order: Fraction,
) -> Span:
    hidden = Span.of(0, bits) if totals[0] == totals[1] else gap(bits, *totals, order)
    result = -hidden
    for (before, after), count in moves.items():
        result = result + Span.of(count, bits) * gap(bits, before, after, order)
    return result


@second_opinion("dirichlet.renyi.to_approximate_dp", engine="mpfr", rigorous=True)
@or_nothing
def to_approximate_dp(bits: int, order: Fraction, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose epsilon + log kappa - (order log order + log delta)/kappa, at least 0; rigorous.

    kappa = order - 1; the three logarithms apart, where the first engine takes those of two
    products. Exactly 0 where that is not positive.
    """
    kappa = order - 1
    if _is_tie(order, epsilon, delta):
        return Enclosure.of(Fraction(0), bits)

    def at(precision: int) -> Span:
        inside = Span.of(order, precision) * log_of(order, precision) + log_of(delta, precision)
        whole = Span.of(epsilon, precision) + log_of(kappa, precision)
        return whole - inside / Span.of(kappa, precision)

    found = sharpened(bits, at)
    if found.sign < 0:
        return Enclosure.of(Fraction(0), bits)
    reached = found.enclosure()
    return Enclosure(max(reached.low, Dyadic(0)), reached.high)


def _is_tie(order: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether it is 0 without being cut off.

    That needs epsilon 0, a whole order and delta order^order = kappa^kappa
    (proofs_notes/renyi-calibration.md).
    """
    if epsilon or order.denominator != 1:
        return False
    whole = int(order)
    if whole * whole.bit_length() > _MAX_POWER_BITS:
        return False
    return bool(delta * whole**whole == (whole - 1) ** (whole - 1))


@second_opinion("dirichlet.profile.largest_order", engine="mpfr", rigorous=True)
def largest_order(bits: int, alpha: Fraction, step: Fraction) -> Enclosure:
    """Return the order at which alpha + step - order step is 0, a rational."""
    return Enclosure.of((alpha + step) / step, bits)
