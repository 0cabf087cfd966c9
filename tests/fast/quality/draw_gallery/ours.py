"""The exact samplers themselves, with one line of theirs replaced by a faulty one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from unittest.mock import patch

from counted_draws import Counted
from exact_draws import SLOPE, gamma_tests, noise_tests, published_tests
from flint import arb
from simplexcert.reference.sampling import Bits, Draw, normal, seeded, uniform

from .entries import planted

# The package has a function by the name of its module gamma.
GAMMA = sys.modules["simplexcert.reference.sampling.gamma"]
PUBLISHED = sys.modules["simplexcert.reference.sampling.published"]


class _Kept:
    """Functions that make draws, and the last draw that each made."""

    def __init__(self) -> None:
        self.last: Draw | None = None

    def normal(self, source: Bits) -> Draw:
        self.last = found = normal(source)
        return found

    def uniform(self, source: Bits) -> Draw:
        self.last = found = uniform(source)
        return found

    def size_again(self, _source: Bits) -> Draw:
        size: Draw = self.last._size  # type: ignore[union-attr]
        return size

    def exponential_again(self, _source: Bits) -> Draw:
        assert self.last is not None
        return _Logarithm(self.last)


class _Logarithm(Draw):
    """-log of a uniform that was used already."""

    def __init__(self, used: Draw) -> None:
        super().__init__()
        self._used = used

    def _formula(self, bits: int) -> arb:
        return -self._used.enclosure(bits).log()


@planted("gamma", slow=True)
def our_squeeze_accepts_too_much(seed: int) -> Iterable[Counted]:
    with patch.object(GAMMA, "_SQUEEZE", arb(0)):
        return gamma_tests(Fraction(1), seeded(seed))


@planted("gamma", slow=True)
def our_heights_from_the_bits_of_the_size(seed: int) -> Iterable[Counted]:
    kept = _Kept()
    with patch.multiple(GAMMA, normal=kept.normal, uniform=kept.size_again):
        return gamma_tests(Fraction(1), seeded(seed))


@planted("gamma", slow=True)
def our_boost_from_the_height(seed: int) -> Iterable[Counted]:
    kept = _Kept()
    with patch.multiple(GAMMA, uniform=kept.uniform, exponential=kept.exponential_again):
        return gamma_tests(Fraction(1, 100), seeded(seed))


@planted("noise", slow=True)
def our_rounding_truncates(seed: int) -> Iterable[Counted]:
    with patch.object(PUBLISHED, "_HALF", arb(0)):
        return [*noise_tests(seeded(seed))]


def _first(_parts: Sequence[arb], count: int) -> set[int]:
    return set(range(count))


@planted("shares", slow=True)
def our_units_always_to_the_first(seed: int) -> Iterable[Counted]:
    with patch.object(PUBLISHED, "_largest", _first):
        return published_tests(SLOPE, seeded(seed))
