"""The pairs of noise on whole numbers and of random answers: losses on a lattice of the line.

Each loss is ``offset`` plus a multiple of ``span``. |M| does not fall along a vertical line: but
for a turn of its phase M is periodic (proofs_notes/mixtures.md).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TypeVar

from flint import acb, arb, ctx

from .. import discrete_gaussian, discrete_laplace, randomized_response
from ..arb.balls import ball, working_precision
from ..precision import check_budget
from .pairs import ClosedPair

_SPARE_BITS, _BETWEEN_LOOKS, _ALIKE = 24, 256, 64
# Sums over the whole numbers are cut where they are this many times smaller.
_NATS_PER_BIT = Fraction(7, 10)
_Point = TypeVar("_Point", arb, acb)


class Lattice(ClosedPair):
    """A pair (P, Q) on whole numbers, both orders alike."""

    @property
    @abstractmethod
    def offset(self) -> Fraction:
        """A loss, next to which all others are multiples of the span."""

    @abstractmethod
    def span(self) -> arb:
        """Enclose how far neighbouring losses are apart."""

    @property
    def exact_span(self) -> Fraction | None:
        """How far neighbouring losses are apart, where that is rational."""
        return None

    @property
    def falls(self) -> bool:
        """Whether |M| falls along a vertical line up to half of its period."""
        return False

    @property
    @abstractmethod
    def largest(self) -> int | None:
        """Where the largest loss is in spans from the offset; None where there is none."""

    @property
    def loses(self) -> bool:
        """Whether anything is lost."""
        return True

    @property
    @abstractmethod
    def sizes(self) -> tuple[Fraction, ...]:
        """The positive numbers that plans are made of."""

    @abstractmethod
    def delta(self, epsilon: Fraction) -> arb | Fraction:
        """Enclose delta of one release at an epsilon of at least 0."""

    @abstractmethod
    def moment_at(self, point: _Point) -> _Point:
        """Enclose M at a point on the right of the imaginary axis."""

    def atoms(self, _bits: int) -> int:
        """Return about how many losses ``chances`` tells."""
        return 1 if self.largest is None else self.largest + 1

    @abstractmethod
    def chances(self, bits: int) -> tuple[int, list[arb], arb]:
        """Enclose the chances of neighbouring losses from a place on, and that of all others.

        Places are spans from the offset. What is left out is at most about 2**-bits.
        """

    def log_at(self, point: _Point) -> _Point:
        """Enclose log M on the real axis."""
        return self.moment_at(point).log()

    def _log_bound(self, crossing: arb, _height: arb) -> arb:
        """It is the value on the axis: |E e^(zL)| is at most E e^(cL)."""
        return self.log_at(crossing)

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose M(crossing + i j step), j = 0, ..., nodes."""
        found: list[acb] = []
        size = abs(acb(crossing, step * nodes)) * (self.span() + abs(ball(self.offset)) + 1)
        more = int(size.log().max(arb(0)).abs_upper().ceil().unique_fmpz() or 0)
        with working_precision(spare + _SPARE_BITS + 2 * more):
            for j in range(nodes + 1):
                if j % _BETWEEN_LOOKS == 0:
                    check_budget()
                found.append(self.moment_at(acb(crossing, step * j)))
        return found


@dataclass(frozen=True)
class DiscreteLaplace(Lattice):
    """Discrete Laplace noise of a scale on a whole number of a sensitivity."""

    scale: Fraction
    sensitivity: int

    @property
    def offset(self) -> Fraction:
        """The least loss."""
        return -self.sensitivity / self.scale

    @property
    def exact_span(self) -> Fraction:
        """2/scale."""
        return 2 / self.scale

    def span(self) -> arb:
        """Enclose 2/scale."""
        return ball(self.exact_span)

    @property
    def largest(self) -> int:
        """The sensitivity."""
        return self.sensitivity

    @property
    def sizes(self) -> tuple[Fraction, ...]:
        """Scale and sensitivity."""
        return self.scale, Fraction(self.sensitivity)

    def delta(self, epsilon: Fraction) -> arb | Fraction:
        """Enclose delta of one release at an epsilon of at least 0."""
        found: arb | Fraction = discrete_laplace.delta(self.scale, self.sensitivity, epsilon)
        return found

    def moment_at(self, point: _Point) -> _Point:
        """Enclose e^(z D/t)/(1 + a) times 1 + b^D + (1 - a)(b - b^D)/(1 - b), b = a^(2z + 1)."""
        shift = ball(1 / self.scale)
        ratio = discrete_laplace.moment_ratio(shift, self.sensitivity, point)
        return (point * shift * self.sensitivity).exp() * ratio

    def chances(self, _bits: int) -> tuple[int, list[arb], arb]:
        """Enclose the chances of all losses."""
        root = ball(-1 / self.scale).exp()
        over = 1 / (1 + root)
        found = [over]
        chance = root * over
        for _ in range(1, self.sensitivity):
            found.append((1 - root) * chance)
            chance *= root
        return 0, [*reversed([*found, chance])], arb(0)


@dataclass(frozen=True)
class DiscreteGaussian(Lattice):
    """Discrete Gaussian noise of a scale on a whole number of a sensitivity."""

    scale: Fraction
    sensitivity: int

    @property
    def offset(self) -> Fraction:
        """D^2/(2 s^2), the loss where the noise is 0."""
        return self.sensitivity**2 / (2 * self.scale**2)

    @property
    def exact_span(self) -> Fraction:
        """D/s^2."""
        return self.sensitivity / self.scale**2

    def span(self) -> arb:
        """Enclose D/s^2."""
        return ball(self.exact_span)

    @property
    def falls(self) -> bool:
        """It does: M is a product of numbers 1 + a e^(+-i span y), but for a front of one size."""
        return True

    @property
    def largest(self) -> None:
        """None."""
        return

    @property
    def sizes(self) -> tuple[Fraction, ...]:
        """Scale and sensitivity."""
        return self.scale, Fraction(self.sensitivity)

    def delta(self, epsilon: Fraction) -> arb | Fraction:
        """Enclose delta of one release at an epsilon of at least 0."""
        return discrete_gaussian.profile(self.scale, self.sensitivity, epsilon)

    def moment_at(self, point: _Point) -> _Point:
        """Enclose the mean of e^(zL), term by term, or by Poisson's sum where noise is broad."""
        front = acb(point * (point + 1) * ball(self.sensitivity**2 / (2 * self.scale**2)))
        shift = acb((point + 1) * self.sensitivity)
        found = discrete_gaussian.shifted_theta(self.scale, shift, front)
        return found if isinstance(point, acb) else found.real

    def atoms(self, bits: int) -> int:
        """Return about how many losses ``chances`` tells."""
        reach = 2 * self.scale**2 * bits * _NATS_PER_BIT
        return 3 + 2 * isqrt(int(reach))

    def chances(self, bits: int) -> tuple[int, list[arb], arb]:
        """Enclose those of noise within a distance on either side."""
        rate = 1 / (2 * self.scale**2)
        reach = self.atoms(bits) // 2
        whole = 2 * discrete_gaussian.tail(self.scale, 1) + 1
        side = [(-ball(rate * k**2)).exp() / whole for k in range(reach + 1)]
        left = 2 * discrete_gaussian.tail(self.scale, reach + 1) / whole
        return -reach, [*reversed(side[1:]), *side], left


@dataclass(frozen=True)
class Response(Lattice):
    """A random answer: the likelier answer's chance, the less likely one's, and the others'."""

    high: Fraction
    low: Fraction

    @property
    def loses(self) -> bool:
        """Whether the chances differ."""
        return self.high > self.low

    @property
    def offset(self) -> Fraction:
        """0, the loss of an answer that is neither of the two categories."""
        return Fraction(0)

    def span(self) -> arb:
        """Enclose log of the likelier answer's chance over the other's."""
        return ball(self.high / self.low - 1).log1p()

    @property
    def largest(self) -> int:
        """1."""
        return 1

    def atoms(self, _bits: int) -> int:
        """Return how many losses ``chances`` tells."""
        return 3

    @property
    def sizes(self) -> tuple[Fraction, ...]:
        """Both chances, and how far they are apart."""
        return self.high, self.low, self.high - self.low

    def delta(self, epsilon: Fraction) -> arb | Fraction:
        """Enclose delta of one release at an epsilon of at least 0."""
        return randomized_response.profile(self.high, self.low, epsilon)

    def moment_at(self, point: _Point) -> _Point:
        """Enclose the mean of e^(zL), answer by answer."""
        grown = (point * self.span()).exp()
        return ball(self.high) * grown + ball(self.low) / grown + ball(1 - self.high - self.low)

    def chances(self, _bits: int) -> tuple[int, list[arb], arb]:
        """Return those of the three losses."""
        return -1, [ball(self.low), ball(1 - self.high - self.low), ball(self.high)], arb(0)


def needed_bits(log_delta: float) -> int:
    """Return how many bits more a sum of chances takes whose result is so small."""
    more = max(int(-log_delta / 0.69), 0)
    return (more // _ALIKE + 1) * _ALIKE + _SPARE_BITS + ctx.prec
