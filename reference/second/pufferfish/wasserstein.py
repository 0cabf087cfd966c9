"""Second opinions on the Wasserstein mechanism of a finite instantiation (song2017 Algorithm 1).

The query's laws given each secret from the definition, every pair under every law; distances and
losses as in ``divergences``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import or_nothing
from ..opinion import second_opinion
from .divergences import Masses, distance, largest_loss

_Vector: TypeAlias = tuple[Fraction, ...]
_Sets: TypeAlias = tuple[tuple[int, ...], ...]


def laws_of_pairs(
    values: _Vector, laws: tuple[_Vector, ...], secrets: _Sets, pairs: _Sets
) -> Iterator[tuple[Masses, Masses]]:
    """Yield the query's laws given each secret of a pair, where both are possible."""
    for law in laws:
        for one, other in pairs:
            check_budget()
            first = _given(values, law, secrets[one - 1])
            second = _given(values, law, secrets[other - 1])
            if first and second:
                yield first, second


def _given(values: _Vector, law: _Vector, secret: tuple[int, ...]) -> Masses:
    """Return P(value and secret)/P(secret), value by value; nothing for an impossible secret."""
    certain = sum((law[number - 1] for number in secret), Fraction(0))
    found: dict[Fraction, Fraction] = {}
    for number in secret:
        if law[number - 1]:
            value = values[number - 1]
            found[value] = found.get(value, Fraction(0)) + law[number - 1] / certain
    return found


@second_opinion("pufferfish.wasserstein_scale", engine="mpfr", rigorous=True)
def wasserstein_scale(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the largest distance over epsilon, exactly."""
    found = [distance(*pair) for pair in laws_of_pairs(values, laws, secrets, pairs)]
    return Enclosure.of(max(found, default=Fraction(0)) / epsilon, bits)


@second_opinion("pufferfish.instantiation_loss", engine="mpfr", rigorous=True)
@or_nothing
def instantiation_loss(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    scale: Fraction,
) -> Enclosure:
    """Enclose the largest loss of any pair under any law; rigorous."""
    return largest_loss(bits, laws_of_pairs(values, laws, secrets, pairs), scale)
