"""Sources of random bits: all of them fresh, none lost, and a seed's the same for ever."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from fractions import Fraction

import pytest
from simplexcert.reference import sampling
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.sampling import Counted, operating_system, seeded
from simplexcert.reference.sampling.draw import MOST_BITS
from simplexcert.reference.sampling.gamma import _Attempt


def test_bits_of_a_seed_are_those_of_the_hash() -> None:
    block = hashlib.shake_256(b"simplexcert sampling seed 2a block 0").digest(16)
    assert seeded(42)(128) == int.from_bytes(block, "big")


def test_bits_of_a_seed_go_on_with_the_next_block() -> None:
    block = hashlib.shake_256(b"simplexcert sampling seed 2a block 1").digest(16)
    assert seeded(42)(8 * 1088 + 128) % 2**128 == int.from_bytes(block, "big")


def test_seed_never_changes_its_bits() -> None:
    """Recorded: a seeded release is the same on every machine and in every version."""
    assert seeded(7)(64) == 0x91B0A8F03ED7EF73


def test_bits_do_not_depend_on_how_they_are_asked_for() -> None:
    source, whole = seeded(3), 0
    counts = [1, 7, 64, 9000, 0, 3, 20000]
    for count in counts:
        whole = whole << count | source(count)
    assert whole == seeded(3)(sum(counts))


@pytest.mark.parametrize("count", [0, 1, 5, 64, 1000])
@pytest.mark.parametrize("source", [operating_system, seeded(1)])
def test_bits_are_as_many_as_asked_for(source: sampling.Bits, count: int) -> None:
    assert all(0 <= source(count) < 1 << count for _ in range(50))


def test_different_seeds_have_different_bits() -> None:
    assert len({seeded(seed)(256) for seed in (-1, 0, 1, 2**64, 16)}) == 5


def test_counted_hands_on_and_counts() -> None:
    counted, other = Counted(seeded(1)), seeded(1)
    assert [counted(count) for count in (3, 0, 70)] == [other(count) for count in (3, 0, 70)]
    assert counted.drawn == 73


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_forked_process_repeats_no_bits() -> None:
    """Nothing of the operating system's bits is kept, so parent and child have different ones."""
    sampling.published_vector([Fraction(1)] * 3, 20, operating_system)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, operating_system(256).to_bytes(32, "big"))
        os._exit(0)
    os.waitpid(child, 0)
    assert int.from_bytes(os.read(reading, 32), "big") != operating_system(256)
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("given", [lambda count: 1 << count, lambda _: -1])
def test_bits_out_of_range_are_refused(given: sampling.Bits) -> None:
    with pytest.raises(SoundnessError, match="more than"):
        sampling.uniform(given).enclosure(10)


STUCK: dict[str, Callable[[sampling.Bits], object]] = {
    "vector": lambda source: sampling.published_vector([Fraction(2), Fraction(1, 2)], 10, source),
    "number": lambda source: sampling.published_number(Fraction(0), Fraction(1), 10, source),
}


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize("law", STUCK)
def test_stuck_source_ends_in_an_error(bit: int, law: str) -> None:
    """All bits alike: no endless loop, and no value."""
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        STUCK[law](lambda count: bit * ((1 << count) - 1))


def test_endless_rejections_end_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = []
    monkeypatch.setattr(_Attempt, "is_accepted", lambda *attempt: attempts.append(attempt))
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        sampling.gamma(Fraction(1), seeded(1))
    assert len(attempts) == 256


def test_endless_zeros_end_in_an_error() -> None:
    zeros = Counted(lambda _: 0)
    with pytest.raises(SoundnessError, match="source of random bits is broken"):
        sampling.uniform(zeros).enclosure(10)
    assert zeros.drawn <= 2 * MOST_BITS
