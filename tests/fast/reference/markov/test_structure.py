"""What a chain can do: powers' patterns, reachability, closed classes, periods."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from simplexcert.reference.markov.structure import (
    closed_classes,
    is_irreducible,
    pattern_after,
    pattern_of,
    period,
    reachable,
)

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
CYCLE = ((ZERO, ONE, ZERO), (ZERO, ZERO, ONE), (ONE, ZERO, ZERO))
# Two closed classes, {1} and {2, 3}, and the state 0 that leaves for either.
SPLIT = (
    (HALF, Fraction(1, 4), Fraction(1, 4), ZERO),
    (ZERO, ONE, ZERO, ZERO),
    (ZERO, ZERO, ZERO, ONE),
    (ZERO, ZERO, HALF, HALF),
)


def test_pattern_of_a_power_is_its_positive_entries() -> None:
    random = Random(1)  # noqa: S311
    for steps in range(12):
        entries = np.array([[random.random() < 0.4 for _ in range(5)] for _ in range(5)])
        exact = np.linalg.matrix_power(entries.astype(object), steps)
        assert np.array_equal(pattern_after(entries, steps), exact > 0)


def test_powers_of_a_cycle_return() -> None:
    assert np.array_equal(pattern_after(pattern_of(CYCLE), 3 * 10**9), np.eye(3, dtype=np.bool_))


def test_reachable_in_any_number_of_steps() -> None:
    assert reachable(pattern_of(CYCLE)).all()
    assert reachable(pattern_of(SPLIT)).tolist() == [
        [True, True, True, True],
        [False, True, False, False],
        [False, False, True, True],
        [False, False, True, True],
    ]


def test_closed_classes_are_never_left() -> None:
    assert closed_classes(CYCLE) == ((0, 1, 2),)
    assert closed_classes(SPLIT) == ((1,), (2, 3))
    assert is_irreducible(CYCLE)
    assert not is_irreducible(SPLIT)


def test_period_of_a_cycle_and_with_a_chord() -> None:
    assert period(CYCLE) == 3
    assert period(((ZERO, ONE, ZERO), (HALF, ZERO, HALF), (ONE, ZERO, ZERO))) == 1
    assert period(((ZERO, ONE), (ONE, ZERO))) == 2


def test_no_single_period_without_irreducibility() -> None:
    with pytest.raises(ValueError, match="irreducible"):
        period(SPLIT)
