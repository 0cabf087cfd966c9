"""Chernoff's bound on one order's delta, rigorous, at whole crossings, where a moment is a sum."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Final

from ...enclosure import Enclosure
from ..directed import Span

_CROSSINGS: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)


def below_chernoff(
    bits: int, s: Fraction, q: Fraction, steps: int, epsilon: Fraction, *, removed: bool
) -> Enclosure:
    """Enclose an order's delta between 0 and the least of the bounds at some whole crossings.

    For an added record each moment is itself bounded (proofs_notes/dpsgd.md#whole-crossings).
    """
    moment_at = _removed if removed else _added
    bounds = (_bound(bits, moment_at(bits, s, q, c), c, steps, epsilon) for c in _CROSSINGS)
    least = min(bounds, key=lambda bound: bound.high)
    return Enclosure(Enclosure.of(Fraction(0), bits).low, least.exp_enclosure().high)


def _bound(bits: int, moment: Span, crossing: int, steps: int, epsilon: Fraction) -> Span:
    """Enclose T log M(c) - c epsilon + log c^c/(1 + c)^(1 + c), or 0 where that is more."""
    c, most = Span.of(crossing, bits), Span.of(crossing + 1, bits)
    factor = c * c.log() - most * most.log()
    bound = Span.of(steps, bits) * moment.log() - c * Span.of(epsilon, bits) + factor
    return bound if bound.sign < 0 else Span.of(0, bits)


def _removed(bits: int, s: Fraction, q: Fraction, crossing: int) -> Span:
    """Enclose M(c) where a record is removed, E w^(1 + c): a sum over how often it is drawn."""
    order, total = crossing + 1, Span.of(0, bits)
    for k in range(order + 1):
        weight = Span.of(comb(order, k) * q**k * (1 - q) ** (order - k), bits)
        total += weight * Span.of(k * (k - 1) / (2 * s * s), bits).exp()
    return total


def _added(bits: int, s: Fraction, q: Fraction, crossing: int) -> Span:
    """Enclose a bound on M(c) where a record is added, E w^-c: by convexity 1 - q + q E e^(-ct)."""
    share = Span.of(q, bits)
    grown = Span.of(crossing * (crossing + 1) / (2 * s * s), bits).exp()
    return Span.of(1 - q, bits) + share * grown
