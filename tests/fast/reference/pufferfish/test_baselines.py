"""Entry, group and GK16: exact scales, the theorem's condition, and how loose GK16 is."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from flint import arb, ctx
from instances import instances
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.arb.balls import ball, middle, working_precision
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.additive import chain_loss
from simplexcert.reference.pufferfish.baselines import (
    Gamma,
    entry_scale,
    gk16_scale,
    group_scale,
    influences,
)
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

NAME = "pufferfish.gk16_scale"
ONE = Fraction(1)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def two(stay: str, start: str = STATIONARY, other: str | None = None) -> ChainLaw:
    p, q = Fraction(stay), Fraction(other or stay)
    return ChainLaw(start, ((p, 1 - p), (1 - q, q)))


def test_a_histogram_of_a_day_of_minutes() -> None:
    """Counts change by 2 with one entry, relative frequencies by 2/length: 2/epsilon in all."""
    length, epsilon = 1440, Fraction(1, 5)
    assert entry_scale(Fraction(2), epsilon) == 10
    assert group_scale(Fraction(2), length, epsilon) == 2 * length / epsilon
    assert group_scale(Fraction(2, length), length, epsilon) == 10
    assert group_scale(Fraction(7), 1, epsilon) == entry_scale(Fraction(7), epsilon)


def test_gk16_of_independent_entries_is_twice_one_entry() -> None:
    for length in (1, 2, 50):
        assert gk16_scale((two("1/2"),), length, Fraction(1, 5)) == 10


def test_gk16_of_independent_thirds_is_as_narrow() -> None:
    """Whose influences are balls around 0 with negative numbers in them."""
    thirds = ((Fraction(1, 3),) * 3,) * 3
    for start, length in product((STATIONARY, ANY, thirds[0]), (1, 2, 50, 10**9)):
        found = evaluate(
            NAME, {"chains": (ChainLaw(start, thirds),), "length": length, "epsilon": 1}
        )
        assert found.narrow
        assert found.lower <= 2 <= found.upper


def test_influences_are_those_of_the_definition_in_fractions() -> None:
    rng = random.Random("influences")  # noqa: S311
    for _ in range(instances(10, 30)):
        size = rng.randint(2, 4)
        matrix = random_rows(rng, size, [1, 2, 50, 10**40])
        start = tuple(Fraction(at, size * (size - 1) // 2) for at in range(size))
        columns = list(zip(*matrix, strict=True))
        between = [[_given(row, column) for column in columns] for row in matrix]
        turned = [list(laws) for laws in zip(*between, strict=True)]
        known = (
            max(map(_largest_ratio, turned)),
            max(map(_largest_ratio, between)),
            _largest_ratio([_given(start, column) for column in columns]),
        )
        for found, ratio in zip(influences(ChainLaw(start, matrix)), known, strict=True):
            assert (1 + found).rel_accuracy_bits() > 100
            assert found.overlaps(ball(ratio).log() / 2)


def random_rows(rng: random.Random, size: int, weights: Sequence[int]) -> Matrix:
    rows = [[rng.choice(weights) for _ in range(size)] for _ in range(size)]
    return tuple(tuple(Fraction(weight, sum(row)) for weight in row) for row in rows)


def _given(before: Sequence[Fraction], after: Sequence[Fraction]) -> list[Fraction]:
    """Return the law of a node from the chances of coming to its states and of going on."""
    weights = [p * q for p, q in zip(before, after, strict=True)]
    return [weight / sum(weights) for weight in weights]


def _largest_ratio(laws: Sequence[Sequence[Fraction]]) -> Fraction:
    pairs = [zip(*two_laws, strict=True) for two_laws in product(laws, repeat=2)]
    return max(a / b for pair in pairs for a, b in pair if b)


def test_gk16_of_long_fractions_is_decided_at_once() -> None:
    """Its conditions are not under the deadline: exact ratios of ratios would take minutes."""
    rng = random.Random("digits")  # noqa: S311
    matrix = random_rows(rng, 20, range(10**400, 2 * 10**400, 10**397 + 1))
    chains = (ChainLaw(STATIONARY, matrix),)
    started = time.perf_counter()
    assert evaluate(NAME, {"chains": chains, "length": 2, "epsilon": 1}).narrow
    # Measured at 0.1 s; the bound is what a machine under load may need.
    assert time.perf_counter() - started < 10


def test_gk16_takes_the_largest_over_the_class() -> None:
    one, other = two("0.45"), two("0.6", ANY, "0.55")
    scales = [gk16_scale(chains, 30, ONE) for chains in ((one,), (other,), (one, other))]
    assert all(scale.rel_accuracy_bits() > 100 for scale in scales)
    assert scales[2].overlaps(scales[0].max(scales[1]))
    assert not scales[0].overlaps(scales[1])


def test_gk16_in_closed_form_for_three_nodes() -> None:
    """Gamma is a, a beside the diagonal: the middle row's sum is (1 + 2a)/(1 - 2a^2)."""
    a = ball(Fraction(13, 8)).log() / 2  # stay 2/5: ((1-p)^2 + p^2)/(2 p^2) = 13/8
    known = 2 * (1 + 2 * a) / (1 - 2 * a * a)
    found = gk16_scale((two("2/5"),), 3, ONE)
    assert found.rel_accuracy_bits() > 100
    assert found.overlaps(known)


def test_gk16_of_two_nodes_is_above_that_of_their_own_influences() -> None:
    """Which are log(3/2)/2, less than an inner node's: the quantity is a bound, and says so."""
    own = ball(Fraction(3, 2)).log() / 2
    assert gk16_scale((two("2/5"),), 2, ONE) > 2 / (1 - own)
    assert quantities()[NAME].summary.startswith("Upper bound")


def test_gk16_of_a_long_chain_is_that_of_an_endless_one() -> None:
    a = ball(Fraction(13, 8)).log() / 2
    for length in (4096, 4097, 10**9):
        found = gk16_scale((two("2/5"),), length, ONE)
        assert found.rel_accuracy_bits() > 100
        assert found.overlaps(2 / (1 - 2 * a))


def test_gk16_refuses_where_its_condition_fails() -> None:
    refused = {"length": "100", "epsilon": "1"}
    with pytest.raises(DomainError, match=r"spectral norm.*below 1"):
        evaluate(NAME, {"chains": (two("0.32"),), **refused})
    with pytest.raises(DomainError, match=r"spectral norm.*below 1"):
        evaluate(NAME, {"chains": (two("0.45"), two("0.9")), **refused})
    with pytest.raises(DomainError, match=r"every entry of every P positive"):
        evaluate(NAME, {"chains": (two("1", STATIONARY, "1/2"),), **refused})
    # The same chain, long enough or short enough: the norm grows with the length.
    assert evaluate(NAME, {"chains": (two("0.32"),), "length": "4", "epsilon": "1"})


def test_gk16_above_one_is_refused_for_a_chain_of_any_length() -> None:
    for length in (10**4, 10**9):
        with pytest.raises(DomainError, match="spectral norm"):
            evaluate(NAME, {"chains": (two("0.32"),), "length": length, "epsilon": 1})


def test_gk16_under_every_initial_law_can_cost_more() -> None:
    steady, anyhow = (gk16_scale((two("0.4", start),), 100, ONE) for start in (STATIONARY, ANY))
    assert steady < anyhow
    fixed = ChainLaw((ONE, Fraction(0)), two("0.4").P)
    assert not gk16_scale((fixed,), 100, ONE) > steady


def test_gk16_without_enough_bits_is_not_a_number() -> None:
    with working_precision(4):
        found = gk16_scale((two("0.322"),), 100, ONE)
    assert isinstance(found, arb)
    assert not found.is_finite() or found.rel_accuracy_bits() < 8


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    evaluate(NAME, {"chains": (two("0.4"),), "length": 10, "epsilon": 1})
    assert ctx.prec == before


def test_gk16_leaves_no_more_than_epsilon_in_small_chains() -> None:
    """Evidence for the cited theorem, which is not proved here; length 1 spends half of epsilon."""
    rng = random.Random("gk16 loss")  # noqa: S311
    for _ in range(instances(10, 30)):
        rows = [[rng.randint(15, 40) for _ in range(2)] for _ in range(2)]
        matrix = tuple(tuple(Fraction(weight, sum(row)) for weight in row) for row in rows)
        start = rng.choice([STATIONARY, (Fraction(1, 3), Fraction(2, 3))])
        chains, length = (ChainLaw(start, matrix),), rng.randint(1, 7)
        if Gamma(influences(chains[0]), length).norm_below_one() is Trilean.TRUE:
            epsilon = Fraction(rng.randint(2, 50), 10)
            values = tuple((Fraction(0), Fraction(rng.choice([-1, 1]))) for _ in range(length))
            scale = middle(gk16_scale(chains, length, epsilon)) * (1 + Fraction(1, 10**20))
            assert chain_loss(chains, length, values, scale) < ball(epsilon)
