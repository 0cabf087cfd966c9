"""Supports: those of single steps, however far, and without waiting for them to return."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import pytest
from simplexcert.reference.markov import structure
from simplexcert.reference.markov.structure import Pattern, Supports, composed


def cycles(*lengths: int) -> tuple[Pattern, Pattern]:
    """Return a start in one state of each cycle, and the moves."""
    size = sum(lengths)
    moves, first = np.zeros((size, size), dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    begin = 0
    for length in lengths:
        first[begin] = True
        for step in range(length):
            moves[begin + step, begin + (step + 1) % length] = True
        begin += length
    return first, moves


@pytest.mark.parametrize("kept", [1, 3, 4096])
def test_supports_are_those_of_single_steps(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "_KEPT", kept)
    random = Random(kept)  # noqa: S311
    for _ in range(30):
        moves = np.array([[random.random() < 0.3 for _ in range(5)] for _ in range(5)])
        moves |= np.roll(np.eye(5, dtype=np.bool_), random.randint(0, 4), axis=1)
        first = np.arange(5) == random.randrange(5)
        asked, expected = Supports(first, moves), [first]
        for _ in range(25):
            expected.append(np.asarray(composed(expected[-1][None, :], moves)[0]))
        for node in (*range(1, 27), *(random.randint(1, 26) for _ in range(20))):
            assert np.array_equal(asked.at(node), expected[node - 1])


def test_supports_far_away_do_not_wait_for_the_product_of_periods() -> None:
    """Nine cycles return together after 223092870 steps only."""
    lengths = (2, 3, 5, 7, 11, 13, 17, 19, 23)
    asked, begun = Supports(*cycles(*lengths)), time.monotonic()
    for node in (10**12, 10**15 + 1):
        found, begin = asked.at(node), 0
        for length in lengths:
            assert found[begin + (node - 1) % length]
            begin += length
        assert found.sum() == len(lengths)
    assert time.monotonic() - begun < 5
