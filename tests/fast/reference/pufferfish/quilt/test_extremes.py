"""The quilts' scales where numbers end: huge parameters, tiny entries, no time, little memory."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish.chain import Chain
from simplexcert.reference.pufferfish.quilt import influence, node, score
from simplexcert.reference.pufferfish.quilt.exact import quilt_epsilon, quilt_scale_exact
from simplexcert.reference.pufferfish.quilt.score import Tables, backward_table, forward_table
from simplexcert.reference.second import opinion_on
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb


ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
THETA: Matrix = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
START = (HALF, HALF)
BITS = 128


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
        yield


def is_narrow(found: arb) -> bool:
    return bool(found.is_finite()) and found.rel_accuracy_bits() > 80


def random_matrix(random: Random, size: int, zeros: float) -> Matrix:
    rows = []
    for x in range(size):
        weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in range(size)]
        weights[x] += not sum(weights)
        rows.append(tuple(Fraction(one, sum(weights)) for one in weights))
    return tuple(rows)


@pytest.mark.parametrize("start", [STATIONARY, ANY, START])
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


@pytest.mark.parametrize("start", [STATIONARY, ANY, START])
@pytest.mark.parametrize("length", [2**63 - 1, 10**19, 10**30][:: instances(2, 1)])
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


@pytest.mark.parametrize("start", [STATIONARY, ANY, START])
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


@pytest.mark.parametrize("start", [STATIONARY, ANY, START])
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
