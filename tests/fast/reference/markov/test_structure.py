"""What a chain can do: powers' patterns, reachability, closed classes, periods.

Classes and periods: hand-worked ones, an opinion of another kind, and what has no period.

Supports: those of single steps, however far, and without waiting for them to return.
"""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from ball_checks import seeded
from drawn_chains import some_sparse_chain
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov import structure
from simplexcert.reference.markov.structure import (
    Pattern,
    Supports,
    closed_classes,
    composed,
    is_irreducible,
    may_be_irreducible,
    pattern_after,
    pattern_of,
    period,
    reachable,
)
from simplexcert.reference.second import opinion_on

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


# Two states that take turns, one that stays, one that is left for good.
CLASSES = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], ["1/4", "1/4", "1/4", "1/4"]]
CHORD = [[0, 1, 0, 0], [0, 0, 1, 0], ["1/2", 0, 0, "1/2"], ["1/2", 0, "1/2", 0]]


def test_classes_are_counted_closed_or_not() -> None:
    assert evaluate("markov.communicating_classes", {"P": CLASSES}).exact == 3
    assert evaluate("markov.communicating_classes", {"P": CHORD}).exact == 1


def test_periods() -> None:
    assert evaluate("markov.period", {"P": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]}).exact == 3
    assert evaluate("markov.period", {"P": CHORD}).exact == 1


def test_the_state_that_is_not_reached_is_named() -> None:
    with pytest.raises(DomainError, match="state 3 cannot be reached from state 1"):
        evaluate("markov.period", {"P": CLASSES})


def test_the_second_opinions_agree() -> None:
    rng = seeded("classes")
    counts, periods = set(), set()
    for _ in range(instances(66, 200)):
        chain = some_sparse_chain(rng, rng.randint(2, 6))
        number = evaluate("markov.communicating_classes", {"P": chain}).exact
        counts.add(number)
        assert opinion_on("markov.communicating_classes").enclose(64, P=chain).exact == number
        assert is_irreducible(chain) == (number == 1)
        if number == 1:
            steps = evaluate("markov.period", {"P": chain}).exact
            periods.add(steps)
            assert opinion_on("markov.period").enclose(64, P=chain).exact == steps
    assert len(counts) > 3
    assert len(periods) > 2


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


def test_moves_that_may_be_those_of_an_irreducible_chain_are_found_by_trying_all() -> None:
    rows = [row for row in product((False, True), repeat=3) if any(row)]
    full = {ways: [pick for pick in rows if sum(pick) == ways] for ways in (1, 2, 3)}
    irreducible: dict[tuple[int, ...], list[tuple[tuple[bool, ...], ...]]] = {}
    for ways in product((1, 2, 3), repeat=3):
        every = product(*(full[way] for way in ways))
        irreducible[ways] = [one for one in every if reachable(np.array(one)).all()]
    for moves in product(rows, repeat=3):
        for ways, found in irreducible.items():
            if any(sum(row) > way for row, way in zip(moves, ways, strict=True)):
                continue
            some = any(np.less_equal(moves, one).all() for one in found)
            assert may_be_irreducible(moves, ways) == some
