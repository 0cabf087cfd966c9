"""The second opinion on the hockey-stick between two given Dirichlet laws, one move or one change.

Both laws come to Betas (a, b) and (more_a, less_b) of one share x, turned so that their ratio falls
in x. Where it is e^epsilon both incomplete betas have the same front
F = x^a (1-x)^b/B(a, b), and with S of ``series``

    delta = F [S(a, b, x) - S(more_a, less_b, x)]
          = F [S(less_b, more_a, 1-x) - S(b, a, 1-x)] - (e^epsilon - 1)

(proofs_notes/exact-loss-of-a-pair.md). The first engine takes the difference of the betas.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from ...enclosure import Enclosure
from ..directed import OutOfReachError, Span, or_nothing, roundings
from ..opinion import second_opinion
from .series import MAX_TERMS, beta_sum, log_beta, terms_expected

_Vector: TypeAlias = tuple[Fraction, ...]
# How much cancels is not known before: the precision is doubled so often at most.
_DOUBLINGS = 4
_GUARD_BITS = 32
# The second line loses what delta is smaller than e^epsilon: it must save so many times the terms.
_WORTH_TURNING = 8


class _Betas(NamedTuple):
    """Beta(a, b) against Beta(more_a, less_b): more_a >= a and b >= less_b, not both equal."""

    a: Fraction
    b: Fraction
    more_a: Fraction
    less_b: Fraction


class _Crossing(NamedTuple):
    """The logarithms of x and 1 - x where the ratio is e^epsilon."""

    log_point: Span
    log_rest: Span


@second_opinion("dirichlet.pair.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, u: _Vector, v: _Vector, epsilon: Fraction) -> Enclosure:
    """Enclose the hockey-stick of Dirichlet(u) from Dirichlet(v) at e^epsilon; rigorous.

    Rounding is directed throughout, and each series has a geometric remainder. 0 where no outcome
    is e^epsilon times as likely.
    """
    betas = _betas_of(u, v)
    if betas is None:
        return Enclosure.of(Fraction(0), bits)
    work = bits + _GUARD_BITS
    for _ in range(_DOUBLINGS):
        found = _log_delta(work, betas, epsilon)
        if found is None or _is_known(found, bits):
            break
        work *= 2
    return Enclosure.of(Fraction(0), bits) if found is None else found.exp_enclosure()


def _betas_of(u: _Vector, v: _Vector) -> _Betas | None:
    """Return the two laws of the share that is sufficient; None where the vectors are equal."""
    changed = [pair for pair in zip(u, v, strict=True) if pair[0] != pair[1]]
    rising = [pair for pair in changed if pair[0] < pair[1]]
    falling = [pair for pair in changed if pair[0] > pair[1]]
    if not changed:
        return None
    if len(changed) == 1:  # the others together do not change
        rest = sum(u, Fraction(0)) - changed[0][0]
        (rising if falling else falling).append((rest, rest))
    ((a, more_a),), ((b, less_b),) = rising, falling
    return _Betas(a, b, more_a, less_b)


def _is_known(found: Span, bits: int) -> bool:
    """Whether a logarithm is known to 2^-bits."""
    down, up = roundings(found.bits)
    return bool(up.sub(found.high, found.low) <= down.exp2(-bits))


def _log_delta(bits: int, betas: _Betas, epsilon: Fraction) -> Span | None:
    """Enclose the logarithm of delta; None where delta is certainly 0."""
    crossing = _crossing(bits, betas, epsilon)
    if crossing is None:
        return None
    a, b, more_a, less_b = betas
    log_front = (
        Span.of(a, bits) * crossing.log_point
        + Span.of(b, bits) * crossing.log_rest
        - log_beta(a, b, bits)
    )
    point, rest = crossing.log_point.exp(), crossing.log_rest.exp()
    if not _is_turned(bits, betas, point.middle, rest.middle):
        return log_front + (beta_sum(a, b, point) - beta_sum(more_a, less_b, point)).log()
    found = log_front.exp() * (beta_sum(less_b, more_a, rest) - beta_sum(b, a, rest))
    return (found - Span.of(epsilon, bits).expm1()).log()


def _crossing(bits: int, betas: _Betas, epsilon: Fraction) -> _Crossing | None:
    """Return where log(B(more_a, less_b)/B(a, b)) - rise log x + fall log(1-x) is epsilon.

    ``rise`` and ``fall`` are what the parameters change by, equal or one of them 0. With no rise
    the ratio has a bound; None where epsilon is certainly not below it.
    """
    a, b, more_a, less_b = betas
    rise, fall = more_a - a, b - less_b
    change = log_beta(more_a, less_b, bits) - log_beta(a, b, bits)
    at = (Span.of(epsilon, bits) - change) / Span.of(max(rise, fall), bits)
    if fall == 0:
        return _Crossing(-at, _log_of_the_other(-at))
    if rise == 0:
        return None if at.sign > 0 else _Crossing(_log_of_the_other(at), at)
    if at.middle < 0:
        log_point = -at.exp().log1p()
        return _Crossing(log_point, log_point + at)
    log_rest = -(-at).exp().log1p()
    return _Crossing(log_rest - at, log_rest)


def _log_of_the_other(log_share: Span) -> Span:
    """Enclose log(1 - x), given log x."""
    return (-log_share.expm1()).log()


def _is_turned(bits: int, betas: _Betas, point: float, rest: float) -> bool:
    """Whether the second line serves better; either is right wherever its series converge."""
    a, b, more_a, less_b = map(float, betas)
    direct = terms_expected(bits, point, rest, max(a + b, more_a + less_b), a + 1)
    turned = terms_expected(bits, rest, point, max(a + b, more_a + less_b), less_b + 1)
    if min(direct, turned) > MAX_TERMS:
        raise OutOfReachError
    return direct > MAX_TERMS or direct > _WORTH_TURNING * turned
