"""Draws that are refined: how accurate, how far, and when a comparison is decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

from flint import arb

from ..arb.balls import working_precision
from ..enclosure import Trilean
from ..errors import SoundnessError

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
