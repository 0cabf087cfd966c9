"""A second opinion on the scale by contraction: by bisection on proved signs; rigorous, by MPFR."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import Span, or_nothing
from ...opinion import second_opinion
from .approx import SPARE_BITS, Sided, scale_of


@second_opinion("pufferfish.quilt_scale_contraction", engine="mpfr", rigorous=True)
@or_nothing
def quilt_scale_contraction(
    bits: int, ratio: Fraction, cross: Fraction, length: int, epsilon: Fraction
) -> Enclosure:
    """Enclose the scale with influences log(cross) tau^(t-1) and log(ratio) tau^(t-1)."""
    if cross == 1:
        return Enclosure.of(1 / epsilon)
    precision = bits + SPARE_BITS
    return scale_of(
        _Contracting(length=length, epsilon=epsilon, bits=precision, ratio=ratio, cross=cross)
    )


@dataclass(frozen=True, kw_only=True)
class _Contracting(Sided):
    """With log tau = log((root - 1)/(root + 1)), root^2 = cross, as -log(1 + 2/(root - 1))."""

    ratio: Fraction
    cross: Fraction

    @property
    def even(self) -> bool:
        return self.ratio == self.cross

    @cached_property
    def _log_tau(self) -> Span:
        half = self._log_of(self.cross) / self.number(2)
        return self.number(0) - (self.number(2) / half.expm1()).log1p()

    def _log_of(self, value: Fraction) -> Span:
        return self.number(value - 1).log1p()

    def right(self, lag: int) -> Span:
        """Enclose tau^(t-1) log(ratio)."""
        return self._times(self._log_of(self.ratio), lag)

    def left(self, lag: int) -> Span:
        """Enclose tau^(t-1) log(cross)."""
        return self._times(self._log_of(self.cross), lag)

    def _times(self, first: Span, lag: int) -> Span:
        check_budget()
        return first * (self.number(lag - 1) * self._log_tau).exp()
