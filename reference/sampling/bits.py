"""Where random bits come from: the operating system, or a seed for tests."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import TypeAlias

# Asked for a count, so many fresh random bits as an integer from 0 to 2^count - 1.
Bits: TypeAlias = Callable[[int], int]


def operating_system(count: int) -> int:
    """Return so many fresh bits of the operating system's generator.

    Nothing is kept from one call to the next, so a forked process repeats no bit of its parent.
    """
    return secrets.randbits(count)


def seeded(seed: int) -> Bits:
    """Return a source that gives the same bits for the same seed for ever; never private.

    The bits are those of SHAKE-256 over the seed's text and the number of the block, in order.
    """
    return _Seeded(seed)


# Bytes of SHAKE-256 at a time: how many does not change which bits there are, only a call's cost.
_BLOCK_BYTES = 1088


class _Seeded:
    """Blocks of a hash, cut into what is asked for; the first bit is the highest."""

    def __init__(self, seed: int) -> None:
        self._name = f"simplexcert sampling seed {seed:x} block ".encode()
        self._block = 0
        self._left, self._value = 0, 0

    def __call__(self, count: int) -> int:
        """Return the next bits."""
        while self._left < count:
            self._append()
        self._left -= count
        found = self._value >> self._left
        self._value &= (1 << self._left) - 1
        return found

    def _append(self) -> None:
        """Put one more block behind what is left."""
        text = self._name + str(self._block).encode()
        block = hashlib.shake_256(text).digest(_BLOCK_BYTES)
        self._value = self._value << (8 * _BLOCK_BYTES) | int.from_bytes(block, "big")
        self._left += 8 * _BLOCK_BYTES
        self._block += 1


class Counted:
    """A source that hands on another's bits, and counts them in ``drawn``."""

    def __init__(self, source: Bits) -> None:
        self._source = source
        self.drawn = 0

    def __call__(self, count: int) -> int:
        """Return the next bits of the other source."""
        self.drawn += count
        return self._source(count)
