"""delta of a given pair in float64: at or above the truth, near it where the series is short."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.certify.backends.float64 import add_remove, pair_delta, profile
from simplexcert.reference import Answer, evaluate

Law = list[float]
GRID = 2.0**-20
# How far above the truth its answers are here where the share is not next to 1.
NEAR = Fraction(1, 10**8)


def truth_of(u: Law, v: Law, epsilon: float) -> Answer:
    point = {"u": list(map(Fraction, u)), "v": list(map(Fraction, v)), "epsilon": Fraction(epsilon)}
    return evaluate("dirichlet.pair.delta", point)


def least(answer: Answer) -> Fraction:
    return answer.exact if answer.exact is not None else answer.lower


def some_pairs(count: int, kind: str, sizes: tuple[float, float]) -> Iterator[tuple[Law, Law]]:
    """Yield pairs of 2 or 3 multiples of 2^-20, a step of at most the least of them apart."""
    rng = random.Random(f"float64 pairs {kind}")  # noqa: S311
    for _ in range(count):
        size = 10 ** rng.uniform(*sizes)
        u = [GRID * max(9, round(size * 10 ** rng.uniform(-1, 1) / GRID)) for _ in range(3)]
        step = GRID * max(1, round(min(u) * 10 ** rng.uniform(-4, -0.01) / GRID))
        v = list(u)
        v[0] += -step if kind == "shrinks" else step
        v[1] -= step if kind == "moves" else 0.0
        yield u, v


@each_of("kind", ["moves", "grows", "shrinks"])
@each_of("sizes", [(-3.0, 0.0), (0.0, 4.0)])
def test_no_answer_is_below_the_truth(kind: str, sizes: tuple[float, float]) -> None:
    for u, v in some_pairs(instances(10, 30), kind, sizes):
        for epsilon in (0.0, 0.01, 0.7, 5.0):
            found = pair_delta.delta(u, v, epsilon)
            assert Fraction(found) >= least(truth_of(u, v, epsilon)), (u, v, epsilon)


@pytest.mark.parametrize("kind", ["moves", "grows", "shrinks"])
def test_answers_for_parameters_from_10_to_10000_are_near_the_truth(kind: str) -> None:
    for u, v in some_pairs(instances(8, 20), kind, (2.0, 3.0)):
        for epsilon in (0.0, 0.01):
            found = Fraction(pair_delta.delta(u, v, epsilon))
            assert found <= truth_of(u, v, epsilon).upper * (1 + NEAR), (u, v, epsilon)


def test_shares_too_small_for_a_double_are_taken_larger() -> None:
    u, v = [0.0033435821533203125, 0.0031766891479492188], [0.00486183, 0.0031766891479492188]
    for epsilon in (0.9, 0.9491862164901802, 1.0, 3.0):
        found = Fraction(pair_delta.delta(u, v, epsilon))
        assert found >= least(truth_of(u, v, epsilon))


def test_equal_laws_and_a_count_beyond_its_bound_lose_nothing() -> None:
    assert pair_delta.delta([1.0, 2.0], [1.0, 2.0], 0.0) == 0.0
    assert pair_delta.delta([2.0, 1.0], [1.0, 1.0], 0.6932) == 0.0
    assert pair_delta.delta([2.0, 1.0], [1.0, 1.0], 0.693147) > 0.0


@each_of(
    "u, v",
    [
        ([1.0, 1e308, 1e308], [2.0, 1e308, 1e308]),  # no double is their sum
        ([1.0, 1.0, 2.0**-60, 2.0**70], [2.0, 1.0, 2.0**-60, 2.0**70]),  # nor two, of the rest
        ([1e-290, 1.0], [2e-290, 1.0]),
        ([2.0**-6, 2.0**-10], [2.0**-6 - 2.0**-11, 2.0**-10 + 2.0**-11]),  # 1 - x is tiny
        ([2.0**-6 - 2.0**-11, 2.0**-10 + 2.0**-11], [2.0**-6, 2.0**-10]),
    ],
)
def test_what_is_too_much_for_the_series_has_no_more_than_the_loss_of_the_worst_pair(
    u: Law, v: Law
) -> None:
    changed = [pair for pair in zip(u, v, strict=True) if pair[0] != pair[1]]
    floor, step = min(map(min, changed)), abs(u[0] - v[0])
    law = profile if len(changed) == 2 else add_remove
    with np.errstate(all="ignore"):
        worst = float(law.delta(*(np.array([x]) for x in (floor, step, 0.5)))[0])
    found = pair_delta.delta(u, v, 0.5)
    assert found <= worst
    assert found > 0.0


def test_a_series_cut_short_answers_with_the_worst_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    u, v = [5.0, 7.0], [6.0, 6.0]
    found = pair_delta.delta(u, v, 0.125)
    monkeypatch.setattr(pair_delta, "_MOST_TERMS", 3)
    worst = pair_delta.delta(u, v, 0.125)
    assert found < worst == float(profile.delta(*(np.array([x]) for x in (5.0, 1.0, 0.125)))[0])
