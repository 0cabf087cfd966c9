"""Beta and Dirichlet draws: shares of independent gammas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from ..arb.balls import working_precision
from .bits import Bits
from .gamma import gamma
from .limits import require_alpha, require_shape
from .refinement import Draw

# A share of positive gammas loses two roundings and the sum of n of them n: with these, a relative
# accuracy of the parts is that of the shares (proofs_notes/exact-draws.md).
_SHARE_BITS = 4


class _Beta(Draw):
    """G / (G + H) for gammas of shapes a and b."""

    __slots__ = ("_first", "_second")

    def __init__(self, a: Fraction, b: Fraction, source: Bits) -> None:
        super().__init__()
        self._first, self._second = gamma(a, source), gamma(b, source)

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        first = self._first.enclosure(bits)
        return first / (first + self._second.enclosure(bits))


class _Exact(Draw):
    """A coordinate that is no matter of chance."""

    __slots__ = ()

    def __init__(self, value: int) -> None:
        super().__init__()
        self._known = arb(value)

    def enclosure(self, bits: int) -> arb:  # noqa: ARG002 - an exact ball has every accuracy
        """Return the number."""
        return self._known

    def _formula(self, bits: int) -> arb:  # noqa: ARG002
        """Return the number."""
        return self._known


class Dirichlet:
    """A Dirichlet draw, all of its coordinates together; an alpha of 0 gives exactly 0."""

    __slots__ = ("_parts",)

    def __init__(self, alpha: Sequence[Fraction], source: Bits) -> None:
        alone = sum(map(bool, alpha)) == 1
        self._parts = [
            _Exact(int(one != 0)) if alone or not one else gamma(one, source) for one in alpha
        ]

    def enclosures(self, bits: int) -> list[arb]:
        """Return a ball around each coordinate, with a relative accuracy of at least so many bits.

        A coordinate that is 0 or 1 by its law is an exact ball.
        """
        working = bits + _SHARE_BITS + len(self._parts).bit_length()
        parts = [one.enclosure(working) for one in self._parts]
        with working_precision(working):
            total = sum(parts, arb(0))
            return [part / total for part in parts]


def beta(a: Fraction, b: Fraction, source: Bits) -> Draw:
    """Draw from Beta(a, b). Raises DomainError, before any bit is drawn."""
    for one in (a, b):
        require_shape(one)
    return _Beta(a, b, source)


def dirichlet(alpha: Sequence[Fraction], source: Bits) -> Dirichlet:
    """Draw from Dirichlet(alpha). Raises DomainError, before any bit is drawn."""
    require_alpha(alpha)
    return Dirichlet(alpha, source)
