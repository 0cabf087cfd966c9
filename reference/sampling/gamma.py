"""Gamma draws by the method of Marsaglia and Tsang (2000), each comparison decided by balls.

Beta and Dirichlet draws are shares of independent gammas.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq

from ..arb.balls import extra_bits, working_precision
from ..enclosure import Trilean
from .bits import Bits
from .draw import (
    Draw,
    decided,
    exponential,
    normal,
    require_alpha,
    require_shape,
    uniform,
    unreachable,
)

# The accuracy of an attempt's first comparison; enough for most, so that a rejected attempt is
# cheap. Its uniform starts with half as many bits.
_FIRST_BITS = 64
# An exponent E/shape turns its absolute error into a relative one: the digits of 1/shape are lost,
# and those of E, which has this many and more with a probability of e^-8.
_POWER_BITS = 3
# Each attempt is rejected with a probability below 0.0484, and 0.0484^256 < 2^-1000.
_MOST_ATTEMPTS = 256
_HALF = arb(1) / 2
_SQUEEZE = arb(3) / 2


class _Attempt(Draw):
    """d (1 + t)^3 with t = x / sqrt(9 d), x normal and d = shape - 1/3."""

    __slots__ = ("_d", "_normal")

    def __init__(self, d: fmpq, source: Bits) -> None:
        super().__init__()
        self._d = d
        self._normal = normal(source)

    def is_accepted(self, source: Bits) -> bool:
        """Decide whether log u < d (3 log(1 + t) - (1 + t)^3 + 1 + 9 t^2 / 2)."""
        height = uniform(source)

        def verdict(bits: int) -> Trilean:
            return _verdict(self._t(bits), arb(self._d), height.enclosure(bits // 2))

        return decided(verdict, _FIRST_BITS)

    def _t(self, bits: int) -> arb:
        return self._normal.enclosure(bits) * (9 * arb(self._d)).rsqrt()

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        return arb(self._d) * (1 + self._t(bits)) ** 3


def _verdict(t: arb, d: arb, height: arb) -> Trilean:
    """Say whether an attempt is accepted, as far as the balls tell.

    Where t > -1/2 the logarithm of the bound is at least -3 d t^4 / 2, hence the first test.
    """
    if t <= -1:
        return Trilean.FALSE
    square = t * t
    if t > -_HALF and height < 1 - _SQUEEZE * d * square * square:
        return Trilean.TRUE
    bound = 3 * d * (t.log1p() - t + square / 2 - square * t / 3)
    level = height.log()
    if level < bound:
        return Trilean.TRUE
    return Trilean.FALSE if level > bound else Trilean.UNKNOWN


class _Small(Draw):
    """gamma(shape + 1) U^(1/shape), the power as e^(-E/shape)."""

    __slots__ = ("_above", "_exponential", "_factor", "_lost")

    def __init__(self, shape: Fraction, source: Bits) -> None:
        super().__init__()
        self._above = _accepted(shape + 1, source)
        self._exponential = exponential(source)
        self._factor = fmpq(-shape.denominator, shape.numerator)
        self._lost = int(1 / shape).bit_length() + _POWER_BITS

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        with extra_bits(self._lost):
            logarithm = self._exponential.enclosure(bits + self._lost) * arb(self._factor)
        return self._above.enclosure(bits) * logarithm.exp()


def _accepted(shape: Fraction, source: Bits) -> Draw:
    """Return the first attempt that is accepted; each has bits of its own. The shape is >= 1."""
    d = fmpq(3 * shape.numerator - shape.denominator, 3 * shape.denominator)
    for _ in range(_MOST_ATTEMPTS):
        attempt = _Attempt(d, source)
        if attempt.is_accepted(source):
            return attempt
    raise unreachable()


def gamma(shape: Fraction, source: Bits) -> Draw:
    """Draw from the gamma law of this shape and of scale 1. Raises DomainError."""
    require_shape(shape)
    return _accepted(shape, source) if shape >= 1 else _Small(shape, source)


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
