"""Privacy of a model: the largest row decides, and every row's domain is guarded by a sentence."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from ball_checks import as_ball, meets, seeded
from each import each_of
from instances import instances
from simplexcert.reference import DomainError, evaluate, quantities
from simplexcert.reference.arb.balls import INFINITY, ball, middle, working_precision
from simplexcert.reference.dirichlet import counts, profile
from simplexcert.reference.domain import Condition
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure, Trilean
from simplexcert.reference.markov.model import privacy
from simplexcert.reference.markov.model.rows import EachRow, largest
from simplexcert.reference.second.markov import model as second_model

K, ETA, N, CATEGORIES, GAMMA = (
    (Fraction(45), Fraction(30), Fraction(45)),
    (Fraction(1, 30), Fraction(1, 20), Fraction(1, 30)),
    (90, 100, 90),
    (5, 4, 5),
    (Fraction(1, 10**6), Fraction(1, 10**5), Fraction(1, 10**6)),
)
POINT = {"k": K, "eta": ETA, "N": N, "n": CATEGORIES, "gamma": GAMMA}


def test_the_printed_epsilon_is_that_of_the_largest_row() -> None:
    rows = [counts.epsilon_bound(*row) for row in zip(*POINT.values(), strict=True)]
    found = privacy.epsilon_bound(**POINT)  # type: ignore[arg-type]
    assert meets(found, rows[0])
    assert rows[1] < found


def test_the_printed_delta_is_that_of_the_largest_row() -> None:
    point = {key: value for key, value in POINT.items() if key != "N"}
    with working_precision(128):
        rows = [counts.delta_bound(*row).value for row in zip(*point.values(), strict=True)]
        found = privacy.delta_bound(**point).value  # type: ignore[arg-type]
    assert meets(found, max(rows, key=lambda row: row.mid()))
    assert rows[0] != rows[1]


def test_a_certain_miss_of_one_row_is_known_exactly() -> None:
    gamma = (Fraction(1, 5), Fraction(1, 10**5))
    assert privacy.delta_bound(K[:2], ETA[:2], CATEGORIES[:2], gamma).value == 1
    assert privacy.delta_bound(K[:2], ETA[:2], CATEGORIES[:2], (Fraction(0),) * 2).value == 0


def test_rows_out_of_the_race_are_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    route = privacy.routed

    def counted(miss: object) -> object:
        asked.append(miss)
        return route(miss)  # type: ignore[arg-type]

    monkeypatch.setattr(privacy, "routed", counted)
    low = Fraction(1, 10**9)
    privacy.delta_bound(K[:2], ETA[:2], CATEGORIES[:2], (low, Fraction(1, 100)))
    assert len(asked) == 1


def test_no_dropped_row_has_a_larger_delta() -> None:
    random = seeded("dropped rows")
    for _ in range(instances(10, 30)):
        k = tuple(Fraction(random.randint(1, 4000), 10) for _ in range(5))
        eta = tuple(Fraction(random.randint(1, 30), 1000) for _ in range(5))
        sizes = tuple(random.randint(40, 400) for _ in range(5))
        epsilon = Fraction(random.randint(0, 40), 10)
        pairs = [counts.floor_and_step(*row) for row in zip(k, eta, sizes, strict=True)]
        every = largest(as_ball(profile.delta(*pair, epsilon)) for pair in pairs)
        assert meets(privacy.delta(k, eta, sizes, epsilon), every)


def test_epsilon_is_where_the_delta_of_all_rows_is_reached() -> None:
    target = Fraction(1, 1000)
    with working_precision(160):
        found = middle(as_ball(privacy.epsilon(K, ETA, N, target)))
        step = Fraction(1, 10**20)
        assert privacy.delta(K, ETA, N, found - step) > ball(target)
        assert privacy.delta(K, ETA, N, found + step) < ball(target)


def test_a_known_number_is_the_largest_only_where_none_can_pass_it() -> None:
    one, wide = Enclosure.of(Fraction(1)), Enclosure(Dyadic(2), Dyadic(3))
    assert second_model._largest([one, wide]).exact is None
    assert second_model._largest([Enclosure.of(Fraction(4)), wide]).exact == 4
    assert second_model._largest([one, Enclosure.infinite()]) == Enclosure.infinite()


def test_epsilon_is_infinite_or_zero_where_every_row_says_so() -> None:
    assert privacy.epsilon(K, ETA, N, Fraction(0)) == INFINITY
    assert privacy.epsilon(K, ETA, N, Fraction(1)) == 0


def test_the_divergence_is_that_of_the_largest_row() -> None:
    rows = [
        profile.renyi(*counts.floor_and_step(*row), Fraction(2))
        for row in zip(K, ETA, N, strict=True)
    ]
    assert meets(privacy.renyi(K, ETA, N, Fraction(2)), largest(rows))
    far = (Fraction(1, 90), *ETA[1:])
    assert privacy.renyi(K, far, N, Fraction(2)) == INFINITY


def test_the_largest_k_is_that_of_each_row() -> None:
    with working_precision(160):
        each = privacy.k_for_dp(ETA, N, Fraction(1), Fraction(1, 50))
        for row, found in zip(zip(ETA, N, strict=True), each, strict=True):
            assert meets(found, counts.k_for_dp(*row, Fraction(1), Fraction(1, 50)))


@pytest.mark.parametrize(
    ("answers", "whole", "without"),
    [
        ((Trilean.TRUE, Trilean.TRUE), Trilean.TRUE, []),
        ((Trilean.TRUE, Trilean.UNKNOWN), Trilean.UNKNOWN, [2]),
        ((Trilean.FALSE, Trilean.UNKNOWN), Trilean.FALSE, [1, 2]),
    ],
)
def test_a_row_that_fails_or_is_undecided_decides_for_all(
    answers: tuple[Trilean, ...], whole: Trilean, without: list[int]
) -> None:
    condition = EachRow.of(Condition("that", lambda k, eta: answers[int(k * eta)], "a test"))
    point = {"k": (Fraction(0), Fraction(1)), "eta": Fraction(1)}
    assert condition.holds(point) is whole
    assert condition.rows_without(point) == without


@each_of(
    "name, change, says",
    [
        ("epsilon_bound", {"N": [90, 100]}, "it needs as many entries in k, eta, N, n, gamma"),
        ("epsilon_bound", {"N": [90, 100]}, "they have 3, 3, 2, 3, 3"),
        ("epsilon_bound", {"n": [5, 40, 5]}, "in each row n eta <= 1"),
        ("epsilon_bound", {"n": [5, 40, 5]}, "row 2 has n = 40, eta = 1/20"),
        ("epsilon_bound", {"n": [5, 2, 5]}, "n, entry 2 = 2"),
        ("epsilon_bound", {"gamma": ["1e-6", "0.25", "1e-6"]}, "row 2 has n = 4, gamma = 1/4"),
        ("epsilon_bound", {"N": [90, 1, 90]}, "row 2 has eta = 1/20, N = 1"),
        ("delta_bound", {"eta": ["1/30", "1/20", "1/3"]}, "row 3 has n = 5, eta = 1/3"),
        ("delta_bound", {"gamma": [0, 0]}, "they have 3, 3, 3, 2"),
        ("delta", {"k": [45, 0, 45]}, "k, entry 2 = 0"),
        ("epsilon", {"eta": ["1/30"]}, "they have 3, 1, 3"),
        ("renyi", {"eta": ["1/30"]}, "they have 3, 1, 3"),
        ("k_for_dp", {"N": [90, 100]}, "they have 3, 2"),
        (
            "k_for_dp",
            {"epsilon": 3, "delta": "1e-6"},
            "in each row delta > e^(-c epsilon)/(1 + 2c)",
        ),
        ("k_for_dp", {"epsilon": 3, "delta": "1e-6"}, "row 1 has eta = 1/30, N = 90"),
        ("k_minimum", {"counts": [[1, 2], [3, 0]]}, "row 2 has n = 1"),
        ("k_minimum", {"counts": [[1, 2], [0, 0]]}, "row 2, without data"),
        ("merged_epsilon", {"groups": [1, 2, 2]}, "group 1 has n = 2, N = 60, least count 10"),
        ("merged_epsilon", {"groups": [1, 2]}, "there are 3 states and 2 groups"),
        ("merged_epsilon", {"groups": [1, 2, 4]}, "groups numbered from 1 without a gap"),
        ("merged_epsilon", {"gamma": "0.34"}, "group 1 has n = 3, N = 60"),
        ("merged_epsilon", {"counts": [[1, 1, 1], [2, 3, 4], [5, 6, 7]]}, "N = 3, least count 1"),
    ],
)
def test_outside_the_domain_a_sentence_names_the_row(
    name: str, change: dict[str, object], says: str
) -> None:
    given = {
        **POINT,
        "epsilon": 1,
        "delta": "1/50",
        "order": 2,
        "counts": [[10, 20, 30], [1, 2, 3], [4, 5, 6]],
        "groups": [1, 2, 3],
    }
    if name.startswith("merged"):
        given["gamma"] = "1e-6"
    needed = quantities()[f"markov.model.{name}"].parameters
    point = {key: given[key] for key in needed}
    assert evaluate(f"markov.model.{name}", point).narrow
    with pytest.raises(DomainError, match=re.escape(says)):
        evaluate(f"markov.model.{name}", {**point, **change})
