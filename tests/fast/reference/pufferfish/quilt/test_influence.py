"""The max-influence: the paper's examples, zeros, infinities, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import INFINITY, ball, working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.chain import Chain
from simplexcert.reference.pufferfish.quilt.influence import max_influence
from simplexcert.reference.structures import ANY, STATIONARY, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb


ONE, ZERO, THIRD = Fraction(1), Fraction(0), Fraction(1, 3)
THETA = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
START = (Fraction(8, 10), Fraction(2, 10))
SWAP = ((ZERO, ONE), (ONE, ZERO))
# Independent draws.
DRAWS = ((THIRD, 1 - THIRD), (THIRD, 1 - THIRD))
# From state 1 or 2 to state 0, and from there anywhere alike: rows agree after two steps only.
LATE = ((THIRD, THIRD, THIRD), (ONE, ZERO, ZERO), (ONE, ZERO, ZERO))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def is_log_of(found: arb | Fraction, ratio: Fraction) -> bool:
    assert not isinstance(found, Fraction)
    return found.rel_accuracy_bits() > 100 and bool(found.overlaps(ball(ratio).log()))


@pytest.mark.parametrize(("left", "right", "ratio"), [(1, 0, 6), (0, 1, 6), (1, 1, 36)])
def test_song2017_three_nodes(left: int, right: int, ratio: int) -> None:
    assert is_log_of(max_influence(START, THETA, 2, left, right), Fraction(ratio))


def test_values_that_the_start_excludes_do_not_count() -> None:
    """The first node is constant: {X_1, X_6} on X_4 is 8/3, with (5) over all states 264/49."""
    assert is_log_of(max_influence((ONE, ZERO), THETA, 4, 3, 2), Fraction(8, 3))
    assert is_log_of(max_influence(ANY, THETA, 4, 3, 2), Fraction(264, 49))
    assert max_influence((ONE, ZERO), THETA, 2, 1, 0) == 0


def test_trivial_quilt_has_none() -> None:
    assert max_influence(START, THETA, 5, 0, 0) == 0


def test_independent_draws_have_none_exactly() -> None:
    for start in (START, STATIONARY, ANY):
        assert max_influence(start, DRAWS, 5, 3, 2) == 0


def test_independence_after_several_steps_is_exact() -> None:
    """A chain that forgets after two steps and not after one; from there on exactly 0."""
    forgets: Matrix = ((ZERO, ONE, ZERO), (ZERO, ZERO, ONE), (ZERO, ZERO, ONE))
    assert max_influence(ANY, forgets, 1, 0, 1) == INFINITY
    assert max_influence(ANY, forgets, 1, 0, 2) == 0
    assert max_influence(ANY, forgets, 1, 0, 10**6) == 0
    assert max_influence((THIRD, THIRD, THIRD), LATE, 1, 0, 1) == INFINITY


def test_a_value_that_is_ruled_out_is_infinite() -> None:
    assert max_influence(STATIONARY, SWAP, 8, 7, 0) == INFINITY
    assert max_influence(ANY, SWAP, 8, 0, 10**9) == INFINITY


def test_a_node_with_one_value_has_none() -> None:
    assert max_influence((ONE, ZERO), SWAP, 8, 7, 5) == 0


def test_states_that_are_never_reached_are_left_out() -> None:
    reducible = ((*START, ZERO), (Fraction(1, 2), Fraction(1, 2), ZERO), (ZERO, ZERO, ONE))
    inside = tuple(row[:2] for row in reducible[:2])
    found = max_influence((*START, ZERO), reducible, 4, 2, 2)
    assert not isinstance(found, Fraction)
    assert found.overlaps(max_influence(START, inside, 4, 2, 2))
    assert found.rel_accuracy_bits() > 100
    assert max_influence(ANY, reducible, 4, 2, 2) == INFINITY


def test_small_influences_keep_their_digits() -> None:
    """At lag 60 the influence is near 1e-18: no digits are lost to the ratio's 1."""
    found = max_influence(STATIONARY, THETA, 100, 60, 60)
    assert not isinstance(found, Fraction)
    assert found < 1e-16
    assert found.rel_accuracy_bits() > 100


def test_supports_repeat_with_the_chain() -> None:
    chain = Chain(SWAP, (ONE, ZERO))
    assert [chain.values_at(node) for node in (1, 2, 3, 10**12)] == [[0], [1], [0], [1]]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"node": 1}, "left < node"),
        ({"initial": "stationary", "P": [[1, 0], [0, 1]]}, "one set of states"),
        ({"initial": [1, 0, 0]}, "as many entries"),
    ],
)
def test_what_is_refused(changed: dict[str, object], reason: str) -> None:
    given = {"initial": [1, 0], "P": [[1, 0], ["1/2", "1/2"]], "node": 2, "left": 1, "right": 1}
    with pytest.raises(DomainError, match=reason):
        evaluate("pufferfish.max_influence", {**given, **changed})
