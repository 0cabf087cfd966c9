"""What findings ask of the numbers that came out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from simplexcert.certify.papers.evidence import NEAREST, how_it_rounds
from simplexcert.reference.enclosure import Enclosure


def comes_out(printed: str, value: float) -> bool:
    """Whether a printed decimal is the value to the nearest, as the register of claims asks."""
    return how_it_rounds(printed, Enclosure.of(Fraction(value))) == NEAREST


def falls(values: Iterable[float]) -> bool:
    """Whether each value is below the one before it."""
    return all(later < earlier for earlier, later in pairwise(values))
