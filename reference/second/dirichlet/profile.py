"""Second opinions on the exact profile of the dominating pair (alpha, step).

P = Beta(alpha, alpha + step), Q = Beta(alpha + step, alpha). Where the first engine takes the
difference of two incomplete betas and of log-Betas, these sum series of one sign (``series``,
``gamma``), or take the trapezoid rule for their sum (``profile_integral``). All are rigorous.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from gmpy2 import comb

from ...dyadic import PLUS_INFINITY, Dyadic
from ...enclosure import Enclosure
from ...likely import likely_answer
from ..directed import Span, or_nothing, sharpened
from ..gamma import log_gamma_exchange
from ..opinion import second_opinion
from ..roots import Bracket, bracketed
from .series import log_beta, log_of, log_profile

if TYPE_CHECKING:
    from collections.abc import Callable


# Total variation is rational for whole alpha and step: exact up to this sum 2 alpha + step.
_MAX_WHOLE_SUM = 4096
# KL is rational for a whole step: exact up to this step.
_MAX_WHOLE_STEP = 256


@second_opinion("dirichlet.profile.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the pair's hockey-stick divergence at e^epsilon; rigorous.

    The series of positive terms of proofs_notes/positive-series.md, or its mirror image; where
    both are long the integral of proofs_notes/profile-integral.md, and a bound next to 1. Rational
    at epsilon 0 for whole alpha, step.
    """
    if epsilon == 0:
        return total_variation(bits, alpha, step)
    return log_profile(bits, alpha, step, epsilon).exp_enclosure()


@second_opinion("dirichlet.profile.total_variation", engine="mpfr", rigorous=True)
@or_nothing
def total_variation(bits: int, alpha: Fraction, step: Fraction) -> Enclosure:
    """Enclose the pair's total variation distance; rigorous.

    The series of ``delta`` at q = 1/2, not an incomplete beta. For whole alpha and step it is
    1 less the chance that 2 alpha + step - 1 tosses of a coin leave heads or tails below alpha.
    """
    known = _whole_total_variation(alpha, step)
    if known is not None:
        return Enclosure.of(known, bits)
    return log_profile(bits, alpha, step, Fraction(0)).exp_enclosure()


def _whole_total_variation(alpha: Fraction, step: Fraction) -> Fraction | None:
    tosses = 2 * alpha + step - 1
    if alpha.denominator != 1 or step.denominator != 1 or tosses > _MAX_WHOLE_SUM:
        return None
    tails = sum(int(comb(int(tosses), j)) for j in range(int(alpha)))
    return 1 - Fraction(2 * tails, 1 << int(tosses))


@second_opinion("dirichlet.profile.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, alpha: Fraction, step: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon at which the pair's delta is at most ``delta``; rigorous.

    0 from the total variation on (decided on rationals where it is one), infinite at delta 0, else
    a bracketed root of the series' logarithm. Where delta cannot be told from the total variation
    the upper end is log(C/delta) step/alpha (proofs_notes/monotone-roots.md).
    """
    if delta == 0:
        return Enclosure.infinite()
    target = log_of(delta, bits)
    above = _log_upper_factor(bits, alpha, step) - target
    largest = above * Span.of(step / alpha, bits)
    room = _room_below(bits, alpha, step, delta)
    if room < 0:
        return Enclosure.of(Fraction(0), bits)
    if room == 0:
        return Enclosure(Dyadic(0), largest.enclosure().high)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_profile(precision, alpha, step, point)

    start = Fraction(largest.middle) if largest.middle > 0 else Fraction(1)
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


def _room_below(bits: int, alpha: Fraction, step: Fraction, delta: Fraction) -> int:
    """Return 1 where total variation exceeds delta, -1 where it does not, 0 where that is open."""
    known = _whole_total_variation(alpha, step)
    if known is not None:
        return 1 if known > delta else -1
    return (log_profile(bits, alpha, step, Fraction(0)) - log_of(delta, bits)).sign


def _log_upper_factor(bits: int, alpha: Fraction, step: Fraction) -> Span:
    """Enclose log C, C = step Gamma(2 alpha+step) / (Gamma(alpha+1) Gamma(alpha+step+1))."""
    return log_of(step / (alpha * (alpha + step)), bits) - log_beta(alpha, alpha + step, bits)


@second_opinion("dirichlet.profile.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, alpha: Fraction, step: Fraction, order: Fraction) -> Enclosure:
    """Enclose the pair's Renyi divergence, infinite from (order-1) step >= alpha on; rigorous.

    1/(order-1) times the sum of log1p(order (order-1) step^2 / ((alpha - (order-1) step + n)
    (alpha + order step + n))), positive terms, by Euler and Maclaurin with an enveloping remainder;
    at order 1 MPFR's digamma, or a rational for a whole step.
    """
    if (order - 1) * step >= alpha:
        return Enclosure.infinite()
    if order > 1:
        return _renyi_span(bits, alpha, step, order).enclosure()
    if step.denominator == 1 and step <= _MAX_WHOLE_STEP:
        gaps = (1 / (alpha + j) for j in range(int(step)))
        return Enclosure.of(step * sum(gaps, Fraction(0)), bits)
    return _kullback_leibler(bits, alpha, step).enclosure()


def _renyi_span(bits: int, alpha: Fraction, step: Fraction, order: Fraction) -> Span:
    if order == 1:
        return _kullback_leibler(bits, alpha, step)
    excess = (order - 1) * step
    change = log_gamma_exchange(bits, alpha - excess, alpha + order * step, excess)
    return change / Span.of(order - 1, bits)


def _kullback_leibler(bits: int, alpha: Fraction, step: Fraction) -> Span:
    """Enclose step (psi(alpha + step) - psi(alpha)) by MPFR's digamma at raised precision."""

    def at(precision: int) -> Span:
        after, before = Span.of(alpha + step, precision), Span.of(alpha, precision)
        return Span.of(step, precision) * (after.digamma() - before.digamma())

    return sharpened(bits, at)


@second_opinion("dirichlet.profile.step_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def step_for_dp(bits: int, alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the largest step at which the pair is (epsilon, delta)-indistinguishable; rigorous.

    The series' logarithm increases in the step (proofs_notes/monotone-roots.md): two proved signs.
    """

    def excess(step: Fraction, precision: int) -> Span:
        return log_profile(precision, alpha, step, epsilon) - log_of(delta, precision)

    return bracketed(
        excess, _near_step(alpha, epsilon, delta), bits, likely=likely_answer()
    ).enclosure()


def _near_step(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return about the step that is sought: where a normal loss, or an exponential one, has it.

    It only decides where the search begins. In powers of 2, for nothing else holds every size.
    """
    size, nats = _log2(alpha), max(-_log2(delta) * math.log(2), 0.5)
    wide = size / 2 if alpha > nats else size - math.log2(nats) / 2  # of a loss of step 1
    spread = float(_log2(delta))
    if epsilon:
        far, deviations = _log2(epsilon), math.log2(2 * nats) / 2
        spread = max(spread, far + 1 - max(deviations, (far + 1) / 2))
        if spread + wide > size:
            return Fraction(2) ** int(far - math.log2(1 + max(far - size, 0)))
    return Fraction(2) ** int(spread + wide)


def _log2(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length()


@second_opinion("dirichlet.profile.step_for_renyi", engine="mpfr", rigorous=True)
@or_nothing
def step_for_renyi(bits: int, alpha: Fraction, order: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the largest step with Renyi divergence at most epsilon at this order; rigorous.

    Solved for odds = step/(limit - step), limit = alpha/(order-1), which stay apart where steps
    crowd below the limit; the divergence increases in them (proofs_notes/monotone-roots.md).
    """
    limit = alpha / (order - 1) if order > 1 else None

    def step_at(odds: Fraction) -> Fraction:
        return alpha * odds if limit is None else limit * odds / (1 + odds)

    def excess(odds: Fraction, precision: int) -> Span:
        divergence = _renyi_span(precision, alpha, step_at(odds), order)
        return divergence.log() - log_of(epsilon, precision)

    beyond = Fraction(1 << 2 * bits) if limit is not None else None
    likely = odds_of(likely_answer(), alpha, limit)
    found = bracketed(excess, Fraction(1), bits, beyond, likely=likely)
    return _translated(found, step_at, limit, bits)


def odds_of(step: Fraction | None, alpha: Fraction, limit: Fraction | None) -> Fraction | None:
    """Return the odds that a step below the limit has, if there is one."""
    if step is None or (limit is not None and step >= limit):
        return None
    return step / alpha if limit is None else step / (limit - step)


def _translated(
    found: Bracket, step_at: Callable[[Fraction], Fraction], limit: Fraction | None, bits: int
) -> Enclosure:
    """Return the steps at the ends of a bracket in odds; no step reaches the limit."""
    low = Dyadic(0) if found.low is None else Dyadic.rounded(step_at(found.low), bits, up=False)
    last = limit if found.high is None else step_at(found.high)
    return Enclosure(low, PLUS_INFINITY if last is None else Dyadic.rounded(last, bits, up=True))
