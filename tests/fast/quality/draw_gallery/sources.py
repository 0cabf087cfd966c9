"""The exact samplers on sources of bits with one fault each."""

from __future__ import annotations

from collections.abc import Iterable

from counted_draws import Counted
from exact_draws import SCALE, laplace_tests, uniform_tests
from simplexcert.reference.sampling import Bits, seeded

from .entries import planted

WORD = 64


class TopBitReused:
    """Each answer's first bit is the last one of the answer before."""

    def __init__(self, source: Bits) -> None:
        self._source, self._last = source, 0

    def __call__(self, count: int) -> int:
        found = self._last << (count - 1) | self._source(count - 1) if count > 1 else self._last
        self._last = found & 1 if count > 1 else self._source(1)
        return found


class WordsChained:
    """A stream of words, each of whose first bits is the last one of the word before."""

    def __init__(self, source: Bits) -> None:
        self._source, self._last = source, 0
        self._left, self._value = 0, 0

    def __call__(self, count: int) -> int:
        while self._left < count:
            word = self._last << (WORD - 1) | self._source(WORD - 1)
            self._last = word & 1
            self._value, self._left = self._value << WORD | word, self._left + WORD
        self._left -= count
        found = self._value >> self._left
        self._value &= (1 << self._left) - 1
        return found


class EndNotConsumed:
    """Each answer begins with the last eight bits of the one before."""

    def __init__(self, source: Bits) -> None:
        self._source, self._kept = source, 0

    def __call__(self, count: int) -> int:
        found = (self._kept << count | self._source(count)) >> 8
        self._kept = found & 0xFF
        return found


@planted("uniform")
def uniform_top_bit_reused(seed: int) -> Iterable[Counted]:
    return uniform_tests(TopBitReused(seeded(seed)))


@planted("uniform", slow=True)
def uniform_words_chained(seed: int) -> Iterable[Counted]:
    return uniform_tests(WordsChained(seeded(seed)))


@planted("uniform")
def uniform_end_not_consumed(seed: int) -> Iterable[Counted]:
    return uniform_tests(EndNotConsumed(seeded(seed)))


@planted("sign and size", slow=True)
def laplace_top_bit_reused(seed: int) -> Iterable[Counted]:
    return laplace_tests(SCALE, TopBitReused(seeded(seed)))
