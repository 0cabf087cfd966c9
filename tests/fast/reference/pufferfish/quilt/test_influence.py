"""The max-influence: the paper's examples, zeros, infinities; the scales where numbers end."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import INFINITY, ball, enclosure_of, working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish.quilt import influence, node, score
from simplexcert.reference.pufferfish.quilt.exact import quilt_epsilon, quilt_scale_exact
from simplexcert.reference.pufferfish.quilt.influence import Chain, max_influence
from simplexcert.reference.pufferfish.quilt.score import Tables, backward_table, forward_table
from simplexcert.reference.second import opinion_on
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

ONE, ZERO, HALF, THIRD = Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 3)
BITS = 128
THETA: Matrix = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
START, EVEN = (Fraction(8, 10), Fraction(2, 10)), (HALF, HALF)
SWAP = ((ZERO, ONE), (ONE, ZERO))
# Independent draws.
DRAWS = ((THIRD, 1 - THIRD), (THIRD, 1 - THIRD))
# From state 1 or 2 to state 0, and from there anywhere alike: rows agree after two steps only.
LATE = ((THIRD, THIRD, THIRD), (ONE, ZERO, ZERO), (ONE, ZERO, ZERO))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
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


def is_narrow(found: arb) -> bool:
    return bool(found.is_finite()) and found.rel_accuracy_bits() > 80


def random_matrix(random: Random, size: int, zeros: float) -> Matrix:
    rows = []
    for x in range(size):
        weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in range(size)]
        weights[x] += not sum(weights)
        rows.append(tuple(Fraction(one, sum(weights)) for one in weights))
    return tuple(rows)


@pytest.mark.parametrize("start", [STATIONARY, ANY, EVEN])
def test_epsilons_beyond_floats(start: tuple[Fraction, ...] | str) -> None:
    """With a huge epsilon the nearest quilt is best: 1/(epsilon - influence)."""
    for epsilon in (Fraction(5000), Fraction(10) ** 400):
        found = quilt_scale_exact((ChainLaw(start, THETA),), 50, epsilon, 50) * ball(epsilon)
        assert is_narrow(found)
        assert 0.999 < found < 1.001
    rate = Fraction(10) ** 400
    given = quilt_epsilon((ChainLaw(start, THETA),), 50, (1 / rate,), 50) / ball(rate)
    assert is_narrow(given)
    assert 0.999 < given < 1.001


def test_epsilons_below_floats_need_the_whole_chain() -> None:
    epsilon = Fraction(1, 10**400)
    found = quilt_scale_exact((ChainLaw(ANY, THETA),), 50, epsilon, 50)
    assert is_narrow(found)
    assert found.overlaps(ball(50 / epsilon))


@each_of("start", [STATIONARY, ANY, EVEN])
@each_of("length", [2**63 - 1, 10**19, 10**30][:: instances(2, 1)])
def test_lengths_beyond_64_bits(start: tuple[Fraction, ...] | str, length: int) -> None:
    short, long = (
        quilt_scale_exact((ChainLaw(start, THETA),), nodes, ONE, nodes) for nodes in (200, length)
    )
    assert is_narrow(long)
    assert short.overlaps(long)


@pytest.mark.parametrize("seed", range(instances(3, 12)))
def test_far_ends_count_in_full(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ends taken for near in the grid the search is longer and the answer is the same."""
    random = Random(seed)  # noqa: S311
    for _ in range(instances(3, 10)):
        start = random.choice((ANY, (Fraction(1, 3), Fraction(2, 3))))
        chains = (ChainLaw(start, random_matrix(random, 2, 0.2)),)
        given = chains, 12, Fraction(random.randint(1, 30), 10), random.choice((12, 9, 5))
        expected = quilt_scale_exact(*given)
        with monkeypatch.context() as near:
            near.setattr(node, "_FARTHEST", 2)
            found = quilt_scale_exact(*given)
        assert is_narrow(found)
        assert is_narrow(expected)
        assert found.overlaps(expected)


def test_widths_below_half_the_chain_cost_nothing() -> None:
    """From the whole chain no quilt with one side is allowed; those with two are tried anyhow."""
    chains = [{"initial": STATIONARY, "P": THETA}]
    given = {"chains": chains, "length": 10**12, "epsilon": 1, "width": 10**9}
    answer = evaluate("pufferfish.quilt_scale_exact", given, budget=Budget(seconds=5))
    assert answer.narrow
    assert answer.enclosure.overlaps(
        enclosure_of(quilt_scale_exact((ChainLaw(STATIONARY, THETA),), 100, ONE, 100))
    )


BELOW = Fraction(1, 10**310)
DENORMAL: Matrix = ((ONE - BELOW, BELOW), (HALF, HALF))


@pytest.mark.parametrize("start", [STATIONARY, ANY, EVEN])
def test_entries_that_floats_hold_badly(start: tuple[Fraction, ...] | str) -> None:
    """Quotients by such an entry overflow: no warning, and no table is sure."""
    for epsilon in (ONE, Fraction(2000)):
        given = {"chains": (ChainLaw(start, DENORMAL),), "length": 5, "epsilon": epsilon}
        with working_precision(2048):
            found = enclosure_of(quilt_scale_exact(**given, width=5))
        other = opinion_on("pufferfish.quilt_scale_exact").enclose(BITS, **given, width=5)
        assert found.is_narrow(20)
        assert other.is_narrow(20)
        assert found.overlaps(other)
    assert not forward_table(Tables(Chain(DENORMAL, None)).power(1)).sure


def test_tables_are_the_same_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)  # noqa: S311
    for zeros in (0.0, 0.4):
        power = Tables(Chain(random_matrix(random, 7, zeros), None)).power(2)
        sources = np.array([random.random() < 0.7 for _ in range(7)]) | (np.arange(7) == 0)
        whole = forward_table(power), backward_table(power, sources)
        with monkeypatch.context() as small:
            small.setattr(score, "_RATIOS_AT_ONCE", 1)
            parts = forward_table(power), backward_table(power, sources)
        for one, other in zip(whole, parts, strict=True):
            assert np.array_equal(one.ratios, other.ratios)
            assert one.sure == other.sure


def test_lags_of_few_states_count_with_their_overhead() -> None:
    """Two states fit ten million numbers a side, but not as many arrays."""
    assert Tables(Chain(THETA, None)).most_lags < 400_000


@pytest.mark.parametrize("start", [STATIONARY, ANY, EVEN])
def test_deadlines_are_kept_by_slow_chains(start: tuple[Fraction, ...] | str) -> None:
    seldom = Fraction(1, 10**6)
    slow = ((1 - seldom, seldom), (2 * seldom, 1 - 2 * seldom))
    given = {"chains": [{"initial": start, "P": slow}], "length": 10**18, "epsilon": 1}
    begun = time.monotonic()
    answer = evaluate(
        "pufferfish.quilt_scale_exact", {**given, "width": 10**18}, budget=Budget(seconds=0.3)
    )
    assert not answer.narrow
    assert time.monotonic() - begun < 3


def test_no_ball_is_needed_for_independence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> arb:
        raise AssertionError

    monkeypatch.setattr(influence, "influence_ratio", refuse)
    rows = (tuple(Fraction(1, 40) for _ in range(40)),) * 40
    assert influence.max_influence(ANY, rows, 10**9, 10**8, 10**8) == 0


def test_second_opinions_that_are_out_of_reach_say_so_at_once() -> None:
    """The common denominator of long entries is given up on before it is known."""
    random = Random(2)  # noqa: S311
    rows = []
    for _ in range(instances(6, 25)):
        longs = [random.randrange(10**999, 10**1000) for _ in range(24)]
        shares = [Fraction(1, 30) + Fraction(1, long) for long in longs]
        rows.append((*shares, 1 - sum(shares, Fraction(0))))
    begun = time.monotonic()
    opinion = opinion_on("pufferfish.max_influence")
    found = opinion.enclose(BITS, initial=ANY, P=tuple(rows), node=1, left=0, right=1)
    assert not found.is_narrow(1)
    assert time.monotonic() - begun < 5
