"""The gamma family on exact rationals: log-Beta, its change under a shift, digamma, trigamma.

Each function encloses the real number it names, with close to the working precision's relative
accuracy, for positive rational arguments of any size. FLINT's `arb_lgamma`, `arb_digamma` and
Hurwitz zeta carry their own proved error bounds (Johansson 2017, "Arb: efficient arbitrary-
precision midpoint-radius interval arithmetic").
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from .balls import ball, monotone_hull, sharpened


def log_gamma(argument: Fraction) -> arb:
    """Enclose log Gamma(argument), argument > 0."""
    return ball(argument).lgamma()


def log_beta(first: Fraction, second: Fraction) -> arb:
    """Enclose log B(first, second), both > 0; it vanishes on a curve, so it is sharpened."""
    if first == 1 or second == 1:
        return -ball(first * second).log()  # B(1, b) = 1/b
    return sharpened(lambda: log_gamma(first) + log_gamma(second) - log_gamma(first + second))


def log_beta_change(first: Fraction, second: Fraction, shift: Fraction) -> arb:
    """Enclose log B(first, second) - log B(first + shift, second - shift).

    The arguments' sum is the same on both sides, so its Gamma drops out, and what cancels between
    the four that remain is made up for by precision: a float64 difference of log-Betas has no
    correct digit at first = 10^5, shift = 10^-9, this one has them all.
    """
    if shift == 0 or first + shift == second:
        return arb(0)
    return sharpened(
        lambda: (
            log_gamma(first)
            + log_gamma(second)
            - log_gamma(first + shift)
            - log_gamma(second - shift)
        )
    )


def digamma(argument: arb) -> arb:
    """Enclose psi on a ball of positive numbers; psi increases, so both ends give the hull."""
    if argument.is_exact():
        return argument.digamma()
    return monotone_hull(lambda end: end.digamma(), argument)


def digamma_change(argument: Fraction, shift: Fraction) -> arb:
    """Enclose psi(argument + shift) - psi(argument), argument and shift > 0."""
    return sharpened(lambda: digamma(ball(argument + shift)) - digamma(ball(argument)))


def trigamma(argument: arb) -> arb:
    """Enclose psi' on a ball of positive numbers as the Hurwitz zeta(2, argument); it decreases."""

    def at(end: arb) -> arb:
        return arb(2).zeta(end)

    return at(argument) if argument.is_exact() else monotone_hull(at, argument)
