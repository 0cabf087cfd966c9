"""The laws of proofs_notes/counted-chains.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from simplexcert.certify.mechanisms.pufferfish.counted import bounds_of, least


def likelihood(count: int, total: int, p: Fraction) -> Fraction:
    return (total + 1) * comb(total, count) * p**count * (1 - p) ** (total - count)


@pytest.mark.parametrize("p", ["1/3", "1/20", "1/2"])
def test_bounds_hold_at_every_length(p: str) -> None:
    """The chance that they fail at some length up to 40 is added up exactly; a good part is used.

    Bounds that hold at each length alone would fail more often.
    """
    truth, doubt = Fraction(p), Fraction(1, 5)
    alive, failed = {0: Fraction(1)}, Fraction(0)
    for total in range(1, 41):
        after: dict[int, Fraction] = {}
        for count, chance in alive.items():
            after[count] = after.get(count, Fraction(0)) + chance * (1 - truth)
            after[count + 1] = after.get(count + 1, Fraction(0)) + chance * truth
        alive = {}
        for count, chance in after.items():
            low = least(count, total, doubt)
            high = 1 - least(total - count, total, doubt)
            if low <= truth <= high:
                alive[count] = chance
            else:
                failed += chance
    assert failed <= doubt
    assert failed > doubt / 40


def test_rounded_outwards() -> None:
    """Held against exact rationals."""
    doubt = Fraction(1, 100)
    for count, total in ((1, 1), (1, 5), (3, 7), (20, 30), (30, 30)):
        low = least(count, total, doubt)
        assert likelihood(count, total, low) < doubt
        assert likelihood(count, total, low + Fraction(1, 10**9)) >= doubt
    assert least(0, 9, doubt) == 0
    low, high = bounds_of(((3, 1), (2, 2)), Fraction(98, 100))
    assert low[0][0] == least(3, 4, doubt)
    assert all(a + b == 1 for a, b in zip(low[0], reversed(high[0]), strict=True))
    # Nine bounds of three states share the doubt.
    low, _ = bounds_of(((3, 1, 1), (2, 2, 1), (1, 1, 3)), Fraction(91, 100))
    assert low[0][0] == least(3, 5, doubt)


def test_more_counts_say_more() -> None:
    for transitions in (((7, 3), (2, 8)), ((5, 3, 2), (2, 6, 2), (1, 1, 8))):
        few = bounds_of(transitions, Fraction(95, 100))
        many = bounds_of([[10 * one for one in row] for row in transitions], Fraction(95, 100))
        for (a, b), (c, d) in zip(zip(*few, strict=True), zip(*many, strict=True), strict=True):
            assert all(x < y for x, y in zip(a, c, strict=True))
            assert all(x > y for x, y in zip(b, d, strict=True))
