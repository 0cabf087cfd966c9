"""Chains in float64: as accurate for chains that hardly mix as for others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from each import each_of
from simplexcert.certify.backends.float64 import markov
from simplexcert.certify.search.draws import on_grid
from simplexcert.reference import evaluate
from simplexcert.reference.markov.structure import has_one_stationary_law

Rows = list[tuple[float, ...]]
# What is promised, of the size of the largest entry.
PROMISED = Fraction(1, 10**13)


def some_chains(count: int) -> Iterator[Rows]:
    """Yield chains with one closed class, with moves as rare as 1e-14, of 2 to 5 states."""
    rng = random.Random("float64 chains")  # noqa: S311
    while count:
        states = rng.choice([2, 3, 5])
        weights = [[rng.choice([0, 0, 1, 10 ** rng.uniform(-14, 0)]) for _ in range(states)]
                for _ in range(states)]  # fmt: skip
        rows = [on_grid(row if any(row) else [1] * states) for row in weights]
        if has_one_stationary_law(exactly(rows)):
            count -= 1
            yield rows


def exactly(rows: Rows) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(Fraction, row)) for row in rows)


CHAINS = list(some_chains(60))


@each_of("name", ["stationary", "fundamental", "group_inverse", "condition_number"])
def test_answers_are_within_the_promise_however_slow_the_chain(name: str) -> None:
    for rows in CHAINS:
        truth = np.atleast_1d(np.array(evaluate(f"markov.{name}", {"P": rows}).upper, dtype=object))
        found = np.atleast_1d(getattr(markov, name)(rows)).tolist()
        error = np.abs(truth - np.vectorize(Fraction, otypes=[object])(found)).max()
        assert error <= PROMISED * np.abs(truth).max(), rows


def test_every_share_of_a_stationary_law_is_accurate_by_itself() -> None:
    for rows in CHAINS:
        truth = evaluate("markov.stationary", {"P": rows}).upper
        for share, found in zip(truth, markov.stationary(rows).tolist(), strict=True):
            assert abs(Fraction(found) - share) <= PROMISED * share, rows


def line(rates: list[tuple[float, float]]) -> Rows:
    """Return a chain on a line with these chances to go up from one state and back to it."""
    size = len(rates) + 1
    rows = [[0.0] * size for _ in range(size)]
    for at, (up, down) in enumerate(rates):
        rows[at][at + 1], rows[at + 1][at] = up, down
    for at, row in enumerate(rows):
        row[at] = 1 - sum(row)
    return [tuple(row) for row in rows]


RARE = 2.0**-40


@pytest.mark.parametrize(
    "rates",
    [
        [(0.5, RARE)] * 30,  # the last state's share is 2^1170 times the first one's
        [(RARE, 0.5)] * 30,
        [(RARE, 0.5)] * 30 + [(0.5, RARE)] * 31,  # down beyond all doubles, and up again
    ],
)
def test_a_law_that_drifts_beyond_all_doubles_is_found(rates: list[tuple[float, float]]) -> None:
    rows = line(rates)
    truth = evaluate("markov.stationary", {"P": rows}).upper
    found = markov.stationary(rows).tolist()
    assert max(found) > 0.9
    assert all(abs(Fraction(f) - t) <= PROMISED for f, t in zip(found, truth, strict=True))


def test_a_move_too_rare_for_doubles_gives_no_law() -> None:
    rare = 2.0**-1000
    rows = [(1.0, 0.0, rare), (0.5, 0.5, 0.0), (1.0, rare, 0.0)]
    assert np.isnan(markov.stationary(rows)).all()


def test_the_distance_of_a_chain_to_itself_is_zero() -> None:
    for rows in CHAINS:
        assert markov.stationary_distance(rows, rows) == 0


# What is asked of a distance, for which nothing is promised.
ASKED = Fraction(1, 10**9)
# It leaves its states with chances 2^-53 and 3 * 2^-53 only.
HARDLY_MOVES: Rows = [(1 - 2.0**-53, 2.0**-53), (3 * 2.0**-53, 1 - 3 * 2.0**-53)]
MOVES: Rows = [(0.75, 0.25), (1.0, 0.0)]


def distance_is_near(one: Rows, other: Rows) -> bool:
    truth = evaluate("markov.stationary_distance", {"P": one, "Q": other})
    found = Fraction(markov.stationary_distance(one, other))
    return truth.lower * (1 - ASKED) <= found <= truth.upper * (1 + ASKED)


@pytest.mark.parametrize(("one", "other"), [(HARDLY_MOVES, MOVES), (MOVES, HARDLY_MOVES)])
def test_a_distance_from_a_chain_that_hardly_moves_is_found(one: Rows, other: Rows) -> None:
    assert distance_is_near(one, other)


def test_a_distance_between_two_chains_that_hardly_move_is_found() -> None:
    twice = [(1 - 2.0**-52, 2.0**-52), (3 * 2.0**-53, 1 - 3 * 2.0**-53)]
    for one, other in ((HARDLY_MOVES, twice), (twice, HARDLY_MOVES)):
        assert distance_is_near(one, other)


def test_a_tiny_distance_keeps_its_digits() -> None:
    near = [(0.75 - 2.0**-50, 0.25 + 2.0**-50), (1.0, 0.0)]
    hardly = [(1 - 2.0**-30, 2.0**-30), (1.0, 0.0)]
    faster = [(1 - 2.0**-29, 2.0**-29), (0.75, 0.25)]
    for one, other in ((MOVES, near), (near, MOVES), (hardly, faster), (faster, hardly)):
        assert distance_is_near(one, other)


def test_distances_of_all_pairs_of_chains_are_near_the_truth() -> None:
    for size in (2, 3, 5):
        of_size = [rows for rows in CHAINS if len(rows) == size]
        for one, other in pairwise(of_size):
            assert distance_is_near(one, other), (one, other)


def test_classes_and_periods_are_exact() -> None:
    cycle = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert markov.period(cycle) == 3
    assert markov.communicating_classes(cycle) == 1
    assert markov.communicating_classes([[1.0, 0.0], [0.5, 0.5]]) == 2
    assert markov.period([[0.0, 1.0], [0.5, 0.5]]) == 1


def test_certificates_are_at_or_above_the_truth() -> None:
    rng = random.Random("float64 certificates")  # noqa: S311
    telling = 0
    for rows in CHAINS * 2:
        bits = rng.choice([2, 10, 20, 53])
        released = [on_grid(row, bits) for row in rows]
        given = {
            "k": [10 ** rng.uniform(-3, 14) for _ in rows],
            "sizes": [rng.randint(max(1, np.count_nonzero(row)), 9) for row in released],
            "beta": 10 ** -rng.uniform(0.01, 300),
            "grid_bits": bits,
        }
        for name, point in (
            ("certificate_stationary", {"Q": released, **given}),
            ("certificate_ergodicity", given),
        ):
            found = getattr(markov, name)(**point)
            truth = evaluate(f"markov.{name}", point)
            assert Fraction(found) >= (truth.upper if truth.exact is None else truth.exact)
            telling += found < 1
    assert telling > 40


def test_no_certificate_is_given_where_kappa_is_lost() -> None:
    rare = 2.0**-1000
    rows = [(1.0, 0.0, rare), (0.5, 0.5, 0.0), (1.0, rare, 0.0)]
    with np.errstate(all="ignore"):
        assert np.isnan(markov.condition_number(rows))
    given = {"k": [1e9] * 3, "sizes": [3] * 3, "beta": 0.05, "grid_bits": 1024}
    assert markov.certificate_stationary(rows, **given) == 1


def test_unlike_chains_whose_laws_are_nearly_one_are_told_apart() -> None:
    around: Rows = [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    more, less = 715827883 / 2**31, 1431655765 / 2**32
    even: Rows = [(more, less, less)] * 3
    assert distance_is_near(around, even)
