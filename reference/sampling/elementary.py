"""Uniform, exponential, Laplace and normal draws."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from ..errors import SoundnessError
from .bits import Bits
from .limits import require_scale
from .refinement import MOST_BITS, Draw, unreachable

# Nothing asks for more than MOST_BITS digits: what is past them are leading zeros.
_MOST_DRAWN = 2 * MOST_BITS
# Bits drawn beyond what a uniform without leading zeros would need: as many leading zeros are met
# without asking the source again.
_SPARE_BITS = 6


class _Uniform(Draw):
    """Uniform on [0, 1]: the first bits of its binary expansion, as an integer."""

    __slots__ = ("_count", "_drawn", "_source")

    def __init__(self, source: Bits) -> None:
        super().__init__()
        self._source = source
        self._drawn, self._count = 0, 0

    def enclosure(self, bits: int) -> arb:
        """Return a ball around the draw: its integer then has more than so many digits."""
        missing = bits + 1 - self._drawn.bit_length()
        if missing > 0:
            while missing > 0:
                self._append(missing + _SPARE_BITS)
                missing = bits + 1 - self._drawn.bit_length()
            self._known = self._ball()
        return self._known

    def _append(self, count: int) -> None:
        if self._count + count > _MOST_DRAWN:
            raise unreachable()
        fresh = self._source(count)
        if fresh >> count:
            raise SoundnessError(f"a source of random bits gave more than the {count} asked for")
        self._drawn = self._drawn << count | fresh
        self._count += count

    def _ball(self) -> arb:
        half = -self._count - 1
        return arb((2 * self._drawn + 1, half), (1, half))

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        return self.enclosure(bits)


class _Exponential(Draw):
    """-log U."""

    __slots__ = ("_uniform",)

    def __init__(self, source: Bits) -> None:
        super().__init__()
        self._uniform = _Uniform(source)

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        return -self._uniform.enclosure(bits).log()


class _Laplace(Draw):
    """An exponential times the scale, with a sign of its own."""

    __slots__ = ("_scale", "_size")

    def __init__(self, scale: Fraction, source: Bits) -> None:
        super().__init__()
        self._scale = fmpq((1 - 2 * source(1)) * scale.numerator, scale.denominator)
        self._size = _Exponential(source)

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        return self._size.enclosure(bits) * arb(self._scale)


class _Normal(Draw):
    """sqrt(-2 log U) cos(2 pi V) for two uniforms (Box and Muller 1958)."""

    __slots__ = ("_angle", "_size")

    def __init__(self, source: Bits) -> None:
        super().__init__()
        self._size, self._angle = _Uniform(source), _Uniform(source)

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        size = (-2 * self._size.enclosure(bits).log()).sqrt()
        return size * (2 * self._angle.enclosure(bits)).cos_pi()


def uniform(source: Bits) -> Draw:
    """Draw a number uniformly from [0, 1]."""
    return _Uniform(source)


def exponential(source: Bits) -> Draw:
    """Draw from the exponential law of mean 1."""
    return _Exponential(source)


def laplace(scale: Fraction, source: Bits) -> Draw:
    """Draw from the Laplace law of mean 0 with this scale. Raises DomainError."""
    require_scale(scale)
    return _Laplace(scale, source)


def normal(source: Bits) -> Draw:
    """Draw from the normal law of mean 0 and variance 1."""
    return _Normal(source)
