"""Draws that are refined until a comparison is decided; uniform, exponential, Laplace, normal.

What they are drawn from has limits, on shapes, scales and grids, each with its sentence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from flint import arb, fmpq

from ..arb.balls import working_precision
from ..enclosure import Trilean
from ..errors import DomainError, SoundnessError
from .bits import Bits

# Below, a coordinate lies under every grid with a probability near 1, and each draw costs
# thousands of bits for nothing.
LEAST_ALPHA = Fraction(1, 1000)
# Above, a draw is its mean to a hundred and more digits; within, the bound on MOST_BITS holds.
GREATEST_ALPHA = Fraction(10**300)
# More coordinates than this are no vector that anybody reads; within, the same bound holds.
MOST_COORDINATES = 10_000_000
# The scale of noise lies between this and its inverse, for the same bound.
LEAST_SCALE = Fraction(1, 10**300)
# Published numbers are multiples of 2^-grid_bits with |grid_bits| up to this.
MOST_GRID_BITS = 1024


def require_shape(shape: Fraction) -> None:
    """Raise DomainError for a parameter of a gamma, beta or Dirichlet law that is out of reach."""
    if not LEAST_ALPHA <= shape <= GREATEST_ALPHA:
        raise DomainError("a parameter alpha is drawn from between 0.001 and 10^300 only")


def require_alpha(alpha: Sequence[Fraction]) -> None:
    """Raise DomainError unless every alpha is 0 or within reach, and some alpha is positive.

    A vector of more than MOST_COORDINATES is refused first, by its length alone.
    """
    if len(alpha) > MOST_COORDINATES:
        raise DomainError(
            f"a vector has {len(alpha)} coordinates; more than {MOST_COORDINATES} are not drawn"
        )
    if not any(alpha):
        raise DomainError("a Dirichlet law needs a positive alpha")
    for one in filter(None, alpha):
        require_shape(one)


def require_scale(scale: Fraction) -> None:
    """Raise DomainError for a scale that is out of reach."""
    if not LEAST_SCALE <= scale <= 1 / LEAST_SCALE:
        raise DomainError("the scale of noise is between 10^-300 and 10^300")


def require_grid(grid_bits: int, least: int = -MOST_GRID_BITS) -> None:
    """Raise DomainError for a grid that is out of reach."""
    if not least <= grid_bits <= MOST_GRID_BITS:
        raise DomainError(f"grid_bits is between {least} and {MOST_GRID_BITS}")


# The accuracy up to which a decision asks for draws, and the working precision up to which a draw
# is then evaluated. Within the limits on parameters and grids, fair bits leave a decision open
# there with a probability below 2^-1000 (cap in proofs_notes/exact-draws.md).
MOST_ASKED_BITS = 16_384
MOST_BITS = 65_536
# Bits of the working precision above the accuracy that is asked for. A formula loses more but one
# time in 32 (losses, there); then the precision is raised by what was lost.
_GUARD_BITS = 12
# By so much at least the precision is raised.
_LEAST_RAISE = 24
_NOTHING_KNOWN = arb("nan")


def unreachable() -> SoundnessError:
    """Return the error for what fair bits do with a probability below 2^-1000."""
    return SoundnessError(
        f"a draw is still undecided at {MOST_BITS} bits: with fair random bits that has a "
        "probability below 2^-1000, so the source of random bits is broken, or this program is"
    )


class Draw(ABC):
    """An exact real number, drawn as far as it has been looked at.

    Every random bit in it is drawn once and never changed, so that all enclosures of one draw
    contain one and the same number.
    """

    __slots__ = ("_accuracy", "_known")

    def __init__(self) -> None:
        self._known = _NOTHING_KNOWN
        self._accuracy = 0

    def enclosure(self, bits: int) -> arb:
        """Return a ball around the draw with a relative accuracy of at least so many bits.

        It is meant for up to ``MOST_ASKED_BITS``.
        """
        if self._accuracy < bits:
            self._known = accurate(self._formula, bits)
            self._accuracy = bits
        return self._known

    @abstractmethod
    def _formula(self, bits: int) -> arb:
        """Enclose the draw from parts that are accurate to so many bits, the working precision."""


def accurate(formula: Callable[[int], arb], bits: int) -> arb:
    """Return a formula's ball at a precision that gives it a relative accuracy of so many bits.

    Raises SoundnessError past ``MOST_BITS``.
    """
    working = bits + _GUARD_BITS
    while working <= MOST_BITS:
        with working_precision(working):
            found = formula(working)
        lost = bits - (found.rel_accuracy_bits() if found.is_finite() else 0)
        if lost <= 0:
            return found
        working += min(max(lost, _LEAST_RAISE), working)  # a ball around 0 has lost "everything"
    raise unreachable()


def growing(bits: int) -> Iterator[int]:
    """Yield so many bits, twice that, and so on, up to the most to ask for."""
    while bits <= MOST_ASKED_BITS:
        yield bits
        bits *= 2


def decided(verdict: Callable[[int], Trilean], bits: int) -> bool:
    """Return a verdict on balls, at growing precision until they say yes or no."""
    for precision in growing(bits):
        with working_precision(precision):
            found = verdict(precision)
        if found is not Trilean.UNKNOWN:
            return found is Trilean.TRUE
    raise unreachable()


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


class _Scaled(Draw):
    """A draw times a rational number."""

    __slots__ = ("_draw", "_scale")

    def __init__(self, draw: Draw, scale: Fraction) -> None:
        super().__init__()
        self._draw, self._scale = draw, fmpq(scale.numerator, scale.denominator)

    def _formula(self, bits: int) -> arb:
        """Enclose the draw."""
        return self._draw.enclosure(bits) * arb(self._scale)


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
    sign = 1 - 2 * source(1)
    return _Scaled(_Exponential(source), sign * scale)


def gaussian(scale: Fraction, source: Bits) -> Draw:
    """Draw from the normal law of mean 0 with this standard deviation. Raises DomainError."""
    require_scale(scale)
    return _Scaled(_Normal(source), scale)


def normal(source: Bits) -> Draw:
    """Draw from the normal law of mean 0 and variance 1."""
    return _Normal(source)
