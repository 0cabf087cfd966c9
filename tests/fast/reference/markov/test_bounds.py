"""Bounds on private chains: exact zeros, what is refused and why, and known numbers."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from ball_checks import as_ball, printed, seeded
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.errors import DomainError
from simplexcert.reference.evaluation import ENGINES
from simplexcert.reference.markov.bounds import chain as chain_module
from simplexcert.reference.markov.bounds.chain import (
    bound_by_contraction,
    closed_part,
    least_of_sum,
)
from simplexcert.reference.markov.bounds.deviations import Row, largest, least, root
from simplexcert.reference.markov.bounds.ergodicity import ergodicity_floor
from simplexcert.reference.markov.bounds.stationary import stationary_bound_c
from simplexcert.reference.markov.fundamental import group_inverse_of
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import quantities
from simplexcert.reference.structures import Matrix

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
OF_P = [
    name
    for name, item in quantities("markov.*").items()
    if list(item.parameters) == ["P", "k"]
    and "uniform" not in name
    and "printed" not in name
    and item.source.startswith("proofs_notes/markov-")
]
OF_COUNTS = ["markov.stationary_bound_repair", "markov.ergodicity_bound_repair"]
NOTES = Path(__file__).parents[4] / "proofs_notes"
SWAP = [["0", "1"], ["1", "0"]]
TRAP = [["1", "0"], ["1/2", "1/2"]]


def test_all_bounds_of_a_chain_are_looked_at() -> None:
    assert len(OF_P) == 12


def test_all_bounds_on_means_say_that_they_are_of_the_unrounded_draw() -> None:
    for name in (*OF_P, *OF_COUNTS, "markov.stationary_bound_uniform"):
        assert "unrounded draw" in quantities(name)[name].summary, name
    for note in ("markov-bounds", "markov-coefficient"):
        text = (NOTES / f"{note}.md").read_text(encoding="utf-8")
        assert "is the unrounded draw, throughout" in text


@each_of("name", OF_P)
def test_a_chain_without_chance_does_not_change(name: str) -> None:
    assert evaluate(name, {"P": SWAP, "k": [1, "1e-3"]}).exact == 0


@pytest.mark.parametrize("name", OF_COUNTS)
def test_counts_of_one_kind_in_each_row_do_not_change(name: str) -> None:
    assert evaluate(name, {"counts": [[0, 7], [1, 0]], "k": [1, 2]}).exact == 0


@each_of("name", [name for name in OF_P if ".stationary" in name])
def test_a_trap_keeps_its_law(name: str) -> None:
    assert evaluate(name, {"P": TRAP, "k": [1, "1e-3"]}).exact == 0


def test_a_release_of_a_trap_may_be_of_a_chain_without_one() -> None:
    given = {"Q": TRAP, "k": [10**4] * 2, "sizes": [2, 2], "beta": "1/20", "grid_bits": 53}
    found = evaluate("markov.certificate_stationary", given)
    assert found.lower > 0
    assert found.upper < 1
    known = evaluate("markov.certificate_stationary", {**given, "sizes": [1, 1], "Q": SWAP})
    assert known.exact == 0


def test_nothing_is_said_of_a_release_of_several_closed_classes() -> None:
    two = [["1", "0"], ["0", "1"]]
    given = {"Q": two, "k": [10**9] * 2, "sizes": [2, 2], "beta": "1/20", "grid_bits": 53}
    assert evaluate("markov.certificate_stationary", given).exact == 1


@each_of("name", OF_P)
def test_a_k_too_many_is_refused(name: str) -> None:
    with pytest.raises(DomainError, match="P has 2 rows, k has 3 entries"):
        evaluate(name, {"P": SWAP, "k": [1, 2, 3]})


@pytest.mark.parametrize("name", OF_COUNTS)
def test_a_k_too_few_is_refused(name: str) -> None:
    with pytest.raises(DomainError, match="there are 2 rows, k has 1 entries"):
        evaluate(name, {"counts": [[1, 1], [1, 1]], "k": [1]})


@each_of(
    "name", [*(name for name in OF_P if ".stationary" in name), "markov.stationary_bound_uniform"]
)
def test_two_stationary_laws_are_refused(name: str) -> None:
    k = 1 if "uniform" in name else [1, 1, 1]
    with pytest.raises(DomainError, match=r"\{1\}, \{3\}"):
        evaluate(name, {"P": [["1", "0", "0"], ["1/2", "0", "1/2"], ["0", "0", "1"]], "k": k})


def test_two_stationary_laws_of_counts_are_refused() -> None:
    with pytest.raises(DomainError, match=r"\{1\}, \{2\}"):
        evaluate(OF_COUNTS[0], {"counts": [[3, 0], [0, 4]], "k": [1, 1]})


@each_of(
    "change, why",
    [
        ({"sizes": [2, 2, 2]}, "Q has 2 rows, k 2 entries, sizes 3"),
        ({"k": [1]}, "Q has 2 rows, k 1 entries"),
        ({"sizes": [2, 0]}, "sizes, entry 2"),
        ({"beta": 1}, "beta"),
        ({"grid_bits": 0}, "entry 1 of row 1 is none"),
        ({"Q": [["1/2", "1/2"], ["1/3", "2/3"]], "grid_bits": 53}, "entry 1 of row 2 is none"),
        ({"grid_bits": -1}, "grid_bits"),
        ({"grid_bits": 1025}, "grid_bits"),
    ],
)
def test_certificates_refuse(change: dict[str, object], why: str) -> None:
    given = {"Q": [[HALF, HALF]] * 2, "k": [1, 1], "sizes": [2, 2], "beta": "1/20", "grid_bits": 1}
    evaluate("markov.certificate_stationary", given)
    with pytest.raises(DomainError, match=why):
        evaluate("markov.certificate_stationary", given | change)


def test_more_transitions_than_feasible_are_refused() -> None:
    row = ["1/4", "1/4", "1/2"]
    given = {"Q": [row] * 3, "k": [1] * 3, "sizes": [3, 2, 3], "beta": "1/20", "grid_bits": 2}
    with pytest.raises(DomainError, match="row 2 of Q has 3 positive entries, and n_2 = 2"):
        evaluate("markov.certificate_stationary", given)
    short = {"k": [1] * 3, "sizes": [3, 2], "beta": "1/20", "grid_bits": 2}
    with pytest.raises(DomainError, match="k has 3 entries, sizes 2"):
        evaluate("markov.certificate_ergodicity", short)


@pytest.mark.parametrize("rising_is_flat", [False, True])
def test_the_least_sum_is_found_with_few_values(rising_is_flat: bool) -> None:
    rng = seeded("least")
    points = [Fraction(j) for j in range(60)]
    looked = 0
    for _ in range(instances(7, 30)):
        steps = [Fraction(rng.randint(0, 9) * (not rising_is_flat)) for _ in points]
        up = {point: sum(steps[: int(point)], ZERO) for point in points}
        down = {point: Fraction(3 ** rng.randint(5, 9), 2 ** int(point)) for point in points}
        down = {point: max(down[later] for later in points[int(point) :]) for point in points}
        seen: set[Fraction] = set()

        def rising(point: Fraction, up: dict[Fraction, Fraction] = up) -> arb:
            return ball(up[point])

        def falling(
            point: Fraction, down: dict[Fraction, Fraction] = down, seen: set[Fraction] = seen
        ) -> arb:
            seen.add(point)
            return ball(down[point])

        assert least_of_sum(rising, falling, points).overlaps(
            ball(min(up[point] + down[point] for point in points))
        )
        looked += len(seen)
    assert rising_is_flat or looked < 30 * 40


def test_a_root_of_what_may_be_below_zero() -> None:
    square = arb(0, 1e-20)
    found = root(square)
    assert found.contains(0)
    assert found.contains(arb("1e-10"))
    assert not root(arb("nan")).is_finite()
    assert least(arb(3), arb(2), arb(5)).overlaps(arb(2))
    assert largest(arb(3), arb(2), arb(5)).overlaps(arb(5))


def test_a_half_is_no_more_than_any_other_share() -> None:
    assert Row(ONE, (HALF, HALF)).widest == Row(ONE, (Fraction(1, 3),) * 3).widest == HALF / 2


def test_columns_that_balls_cannot_tell_from_constant_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states that are left alike for two that are alike: then two columns cancel exactly."""
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    P = (  # noqa: N806
        (third, third, sixth, sixth),
        (third, third, sixth, sixth),
        (HALF, HALF, ZERO, ZERO),
        (sixth, sixth, third, third),
    )
    k = (Fraction(500),) * 4
    exact = as_ball(stationary_bound_c(P, k))

    def in_balls(matrix: Matrix) -> tuple[tuple[arb, ...], ...]:
        rows = group_inverse_of(matrix)
        return tuple(tuple(as_ball(x) + arb(0, 2.0**-100) for x in row) for row in rows)

    monkeypatch.setattr(chain_module, "group_inverse_of", in_balls)
    wide = bound_by_contraction(closed_part(P, k))
    assert wide.is_finite()
    assert wide.overlaps(exact)


@pytest.mark.parametrize(
    ("name", "given", "figures"),
    [
        ("ergodicity_bound_b", {"P": [[Fraction(1, 5)] * 5] * 5, "k": [75] * 5}, "0.3067"),
        ("ergodicity_floor", {"P": [["0.1", "0.9"]] * 2, "k": [10, "0.001"]}, "0.1799"),
        ("stationary_rate", {"P": [[Fraction(1, 5)] * 5] * 5, "k": [75] * 5}, "0.05130"),
    ],
)
def test_numbers_on_record(name: str, given: dict[str, object], figures: str) -> None:
    answer = evaluate(f"markov.{name}", given)
    low, high = answer.lower, answer.upper
    assert low > -inf
    assert ball(low).union(ball(high)).overlaps(printed(figures))


def test_the_floor_is_zero_where_nothing_moves() -> None:
    still = ((ONE, ZERO), (ZERO, ONE))
    assert ergodicity_floor(still, (ONE, ONE)) == 0


@pytest.mark.parametrize(
    "name", ["largest_deviation_bound", "largest_deviation_square_bound", "stationary_bound_b"]
)
def test_one_k_far_above_another_is_decided_by_both_engines(name: str) -> None:
    """The exponents go up to the square of the largest k, which is no exponent of MPFR's."""
    given = {"P": [["1/3"] * 3] * 3, "k": ["1/2", 1, "1e15"]}
    few = Budget(bits=256)
    first, second = (evaluate(f"markov.{name}", given, engine=e, budget=few) for e in ENGINES)
    assert first.narrow
    assert second.narrow
    assert max(first.lower, second.lower) <= min(first.upper, second.upper)
