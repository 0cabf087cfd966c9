"""The level of a good set: two proved signs around the only gamma."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.dirichlet import counts, identity
from simplexcert.reference.dirichlet.tail import Miss, level
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.precision import Budget

# What is not looked for is not found in any time.
SECONDS = 1.0
LAWS = [("identity", "w"), ("counts", "n")]


@pytest.mark.parametrize(("query", "size"), LAWS)
@pytest.mark.parametrize("k", ["0.7", "20.6", "400"])
@pytest.mark.parametrize("delta", ["1e-9", "0.05", "0.999"])
def test_the_tail_passes_delta_at_gamma(query: str, size: str, k: str, delta: str) -> None:
    given = {"k": k, "eta": "0.07", size: 5}
    gamma = evaluate(f"dirichlet.{query}.gamma", {**given, "delta": delta})
    assert gamma.narrow
    for end, above in ((gamma.lower, Trilean.FALSE), (gamma.upper, Trilean.TRUE)):
        at_end = evaluate(f"dirichlet.{query}.delta_bound", {**given, "gamma": end}, digits=40)
        assert at_end.enclosure.is_above(Fraction(delta)) is above


@pytest.mark.parametrize(("query", "size"), LAWS)
def test_an_astronomically_small_gamma_is_bounded_and_not_looked_for(query: str, size: str) -> None:
    """K eta = 1e-6: gamma is about delta to the millionth power."""
    given = {"k": "0.001", "eta": "0.001", size: 5, "delta": "1e-5"}
    found = evaluate(f"dirichlet.{query}.gamma", given, budget=Budget(SECONDS))
    assert not found.narrow
    assert found.lower == 0
    assert 0 < found.upper < Fraction(1, 10**39000)


@pytest.mark.parametrize("k", ["1e-300", "1e-30", "1e-6", "1e100", "1e300"])
def test_next_to_the_ends_gamma_takes_no_route_to_the_tail(
    monkeypatch: pytest.MonkeyPatch, k: str
) -> None:
    """Closed bounds tell each sign that the search asks for."""
    asked: list[Miss] = []
    real = level.probability
    monkeypatch.setattr(level, "probability", lambda miss: asked.append(miss) or real(miss))
    point = {"k": k, "eta": "1e-4", "w": 3, "delta": "1e-5"}
    found = evaluate("dirichlet.identity.gamma", point, budget=Budget(bits=128))
    assert not asked
    small = found.lower == 0 and found.upper < Fraction(1, 10**39000)
    assert small if Fraction(k) < 1 else found.narrow


def test_of_a_large_draw_gamma_is_within_spreads_of_the_mean() -> None:
    """At k = 1e30 the floor's spread is 1e-13 of it; no way to a delta of 1e-5 is short there."""
    point = {"k": "1e30", "eta": "1e-4", "w": 3, "delta": "1e-5"}
    found = evaluate("dirichlet.identity.gamma", point, budget=Budget(bits=128))
    spread = Fraction(1, 10**13)
    assert 1 - 7 * spread < 10_000 * found.lower < 1 < 10_000 * found.upper < 1 + 20 * spread


def test_as_many_categories_as_one_likes_make_two_kinds_of_coordinate() -> None:
    miss = counts.worst_miss(Fraction(7), Fraction(1, 10**18), 10**17, Fraction(1, 10**19))
    assert [count for _, count in miss.groups] == [10**17 - 1, 1]
    assert miss.total == 7


def test_at_the_centre_all_coordinates_are_of_one_kind() -> None:
    fifth = Fraction(1, 5)
    assert counts.worst_miss(Fraction(5), fifth, 5, Fraction(1, 9)).groups == ((1, 5),)
    assert identity.worst_miss(Fraction(5), fifth, 5, Fraction(1, 9)).rest == 0
