"""Classes and periods: hand-worked ones, an opinion of another kind, and what has no period."""

from __future__ import annotations

import pytest
from ball_checks import seeded
from drawn_chains import some_sparse_chain
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov.structure import is_irreducible
from simplexcert.reference.second import opinion_on

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
    for _ in range(200):
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
