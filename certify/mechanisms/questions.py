"""What an audit asks: numbers that a claim said something of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Value
from ...reference.precision import MAX_SECONDS


@dataclass(frozen=True)
class Term:
    """A quantity at a point, taken so many times."""

    quantity: str
    point: Mapping[str, Value]
    times: Fraction = Fraction(1)


@dataclass(frozen=True)
class Question:
    """A number, the sum of its terms, that was claimed to be at most ``claimed``.

    The second engine is asked about each term for at most ``second_seconds``.
    """

    key: str
    claimed: Fraction
    terms: tuple[Term, ...]
    second_seconds: float = MAX_SECONDS
