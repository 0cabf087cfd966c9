"""Spans for the second opinions on bounds: roots, extremes, and the rows' means as spans."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import OutOfReachError, Span, roundings
from ...dirichlet.utility import absolute_deviation, expected_kl

Vector = tuple[Fraction, ...]


def span_of(found: Enclosure, bits: int) -> Span:
    """Return the span of an enclosure with finite ends."""
    low, high = found.lower, found.upper
    if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
        raise OutOfReachError
    return Span(Span.of(low, bits).low, Span.of(high, bits).high)


def total(spans: Iterable[Span], bits: int) -> Span:
    """Return the sum of some spans, 0 for none."""
    found = Span.of(0, bits)
    for span in spans:
        found = found + span
    return found


def least(spans: Iterable[Span]) -> Span:
    """Return the span of the least of some numbers."""
    found = list(spans)
    return Span(min(span.low for span in found), min(span.high for span in found))


def largest(spans: Iterable[Span]) -> Span:
    """Return the span of the largest of some numbers."""
    found = list(spans)
    return Span(max(span.low for span in found), max(span.high for span in found))


def root(square: Span) -> Span:
    """Return the root of a number that is not negative, whose span may reach below 0."""
    down, up = roundings(square.bits)
    return Span(down.sqrt(max(square.low, Span.of(0, square.bits).low)), up.sqrt(square.high))


def root_of(square: Fraction, bits: int) -> Span:
    """Return the root of a rational that is not negative."""
    return root(Span.of(square, bits))


def positive(row: Vector) -> Vector:
    """Return the positive entries."""
    return tuple(filter(None, row))


def mean_deviation(share: Fraction, k: Fraction, bits: int) -> Span:
    """Return the mean of |x - p|, x of Beta(k p, k (1-p)), by the second formula."""
    check_budget()
    return span_of(absolute_deviation(bits, share, k), bits)


def mean_deviation_of_row(row: Vector, k: Fraction, bits: int) -> Span:
    """Return the mean 1-norm of a private row less the row, entry by entry."""
    return total((mean_deviation(share, k, bits) for share in positive(row)), bits)


def mean_divergence(row: Vector, k: Fraction, bits: int) -> Span:
    """Return the mean of KL(P_i || private row i), by the second formula."""
    return span_of(expected_kl(bits, row, k), bits)
