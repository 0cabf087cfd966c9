"""Second opinions on Gamma(alpha) against Gamma(alpha + step), a record added or removed.

Where the first engine sums one series for the difference of two incomplete gammas, these take the
difference of two series (``incomplete_gamma``), and sums of positive terms for the divergence
(``gap``). All are rigorous.
"""

from __future__ import annotations

from fractions import Fraction

from ..dyadic import PLUS_INFINITY, Dyadic
from ..enclosure import Enclosure
from .directed import Span, or_nothing
from .gap import gap
from .incomplete_gamma import log_gamma_profile
from .opinion import second_opinion
from .roots import bracketed
from .series import log_of


@second_opinion("dirichlet.add_remove.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the gamma pair's hockey-stick divergence at e^epsilon; rigorous."""
    found = log_gamma_profile(bits, alpha, step, epsilon).exp_enclosure()
    return Enclosure(found.low, min(found.high, Dyadic(1)))


@second_opinion("dirichlet.add_remove.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, alpha: Fraction, step: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon at which the gamma pair's delta is at most ``delta``; rigorous.

    0 from the total variation on, infinite at delta 0, else a root between two proved signs; where
    delta cannot be told from the total variation, maybe one alone.
    """
    if delta == 0:
        return Enclosure.infinite()
    room = log_gamma_profile(bits, alpha, step, Fraction(0)) - log_of(delta, bits)
    if room.sign < 0 or delta == 1:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_gamma_profile(precision, alpha, step, point)

    # Left of its value at 0, log delta falls by about alpha/step for each unit of epsilon.
    start = Fraction(max(room.middle, 2.0**-bits)) * step / alpha
    return bracketed(excess, start, bits).enclosure()


@second_opinion("dirichlet.add_remove.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, alpha: Fraction, step: Fraction, order: Fraction) -> Enclosure:
    """Enclose the divergence as a sum of positive terms, infinite from (order-1) step >= alpha on.

    Rigorous; at order 1 by the same sum's limit.
    """
    if (order - 1) * step >= alpha:
        return Enclosure.infinite()
    return gap(bits, alpha, alpha + step, order).enclosure()


@second_opinion("dirichlet.add_remove.step_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def step_for_dp(bits: int, alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the largest step at which the gamma pair is (epsilon, delta)-private; rigorous.

    Delta increases in the step (proofs_notes/add-remove.md): two proved signs.
    """

    def excess(step: Fraction, precision: int) -> Span:
        return log_gamma_profile(precision, alpha, step, epsilon) - log_of(delta, precision)

    return bracketed(excess, alpha / (1 + epsilon), bits).enclosure()


@second_opinion("dirichlet.add_remove.step_for_renyi", engine="mpfr", rigorous=True)
@or_nothing
def step_for_renyi(bits: int, alpha: Fraction, order: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the largest step whose divergence is at most epsilon at this order; rigorous.

    The divergence increases in the step (proofs_notes/add-remove.md): two proved signs. Solved for
    odds = step/(limit - step), limit = alpha/(order-1), which stay apart below the limit.
    """
    limit = alpha / (order - 1) if order > 1 else None

    def step_at(odds: Fraction) -> Fraction:
        return alpha * odds if limit is None else limit * odds / (1 + odds)

    def excess(odds: Fraction, precision: int) -> Span:
        divergence = gap(precision, alpha, alpha + step_at(odds), order)
        return divergence.log() - log_of(epsilon, precision)

    beyond = None if limit is None else Fraction(1 << 2 * bits)
    found = bracketed(excess, Fraction(1), bits, beyond)
    low = Dyadic(0) if found.low is None else Dyadic.rounded(step_at(found.low), bits, up=False)
    last = limit if found.high is None else step_at(found.high)
    return Enclosure(low, PLUS_INFINITY if last is None else Dyadic.rounded(last, bits, up=True))
