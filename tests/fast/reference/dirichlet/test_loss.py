"""Losses of concrete pairs: against the dominating pair, other routes, and single events.

The loss of a given pair: its domain, its extremes, and both engines on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet import loss, profile
from simplexcert.reference.dirichlet.composition.quantities import delta as composed
from simplexcert.reference.dirichlet.loss import (
    Addition,
    Move,
    delta_between,
    delta_of_addition,
    delta_of_move,
    delta_of_moves,
    delta_of_removal,
    log_density_ratio,
)
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError, InputError


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(96):
        yield


def meets(first: arb | Fraction, second: arb | Fraction, bits: int = 40) -> bool:
    one, two = (ball(x) if isinstance(x, Fraction) else x for x in (first, second))
    narrow = all(x.is_finite() and x.rel_accuracy_bits() >= bits for x in (one, two))
    return narrow and bool(one.overlaps(two))


def vector(*entries: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, entries))


def a_move(random: Random) -> Move:
    near, far, moved = (Fraction(random.randint(1, 400), 40) for _ in range(3))
    return Move(near + Fraction(1, 2), far + Fraction(1, 2), moved / 3)


def test_log_density_ratio_of_whole_parameters_is_the_log_of_a_rational() -> None:
    """Dirichlet(3, 1, 2) against (1, 2, 2): 5!/(2! 1!) x1^2 against 4!/(1! 1!) x2."""
    x = vector("0.2", "0.5", "0.3")
    found = log_density_ratio(vector("3", "1", "2"), vector("1", "2", "2"), x)
    assert meets(found, ball(60 * x[0] ** 2 / (24 * x[1])).log())
    assert log_density_ratio(x, x, x) == 0
    nothing = log_density_ratio(
        vector("2", "1", "1"), vector("1", "2", "1"), vector(".4", ".6", "0")
    )
    assert meets(nothing, ball(Fraction(2, 3)).log())


@pytest.mark.parametrize("seed", range(instances(3, 10)))
def test_delta_of_a_swap_is_that_of_the_dominating_pair(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    alpha, step = (Fraction(random.randint(1, 500), 50) for _ in range(2))
    epsilon = Fraction(random.randint(0, 30), 10)
    found = delta_of_move(Move(alpha, alpha, step), epsilon)
    assert meets(found, profile.delta(alpha, step, epsilon))


@pytest.mark.parametrize("seed", range(instances(3, 10)))
def test_delta_is_above_every_event_and_attained_by_one(seed: int) -> None:
    """P(r > t) - e^epsilon Q(r > t) over thresholds t never passes it, and comes up to it."""
    random = Random(seed)  # noqa: S311
    move, epsilon = a_move(random), Fraction(random.randint(0, 15), 10)
    found = delta_of_move(move, epsilon)
    assert isinstance(found, arb)
    gaps = []
    for place in range(1, 200):
        below = Fraction(place, 200)
        first = regularised_incomplete_beta(move.far, move.near + move.moved, below)
        second = regularised_incomplete_beta(move.far + move.moved, move.near, below)
        gaps.append(first - ball(epsilon).exp() * second)
    assert all(gap < found for gap in gaps)
    assert max(float(gap) for gap in gaps) > float(found) - 2e-3


@pytest.mark.parametrize("seed", range(instances(3, 6)))
def test_a_line_agrees_with_the_closed_form_of_one_move(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    move, epsilon = a_move(random), Fraction(random.randint(0, 15), 10)
    on_line = loss._on_line(loss._Exponent([move], epsilon), 96)
    assert meets(on_line, delta_of_move(move, epsilon))


def test_swaps_together_agree_with_the_composition() -> None:
    kinds = ((Fraction(3, 2), Fraction(1, 2), 2), (Fraction(4), Fraction(1), 1))
    moves = [Move(alpha, alpha, step) for alpha, step, count in kinds for _ in range(count)]
    for epsilon in (Fraction(0), Fraction(1), Fraction(3)):
        assert meets(delta_of_moves(moves, epsilon), composed(kinds, epsilon).value)


def test_moves_that_cancel_are_not_those_that_add() -> None:
    """Order within a pair matters, that of the pairs does not; more moves show more."""
    first, second = Move(Fraction(1), Fraction(3), Fraction(1)), Move(*[Fraction(2)] * 3)
    epsilon = Fraction(1, 2)
    found = delta_of_moves([first, second], epsilon)
    assert meets(found, delta_of_moves([second, first], epsilon))
    assert not found.overlaps(delta_of_moves([first.reversed(), second], epsilon))
    assert found > delta_of_move(first, epsilon)


def test_a_sum_of_aliases_that_diverges_is_not_a_number() -> None:
    assert loss._geometric(arb(-1)).is_nan()
    assert loss._geometric(arb(0, 1)).is_nan()
    exponent = loss._Exponent([Move(Fraction(1), Fraction(2), Fraction(1))], Fraction(1))
    assert exponent(arb(1)).is_finite()
    assert exponent(arb(2)).is_nan()
    assert exponent(arb(-3)).is_nan()


def test_few_nodes_give_a_wide_ball_that_is_still_true(monkeypatch: pytest.MonkeyPatch) -> None:
    moves, epsilon = [Move(*[Fraction(2)] * 3)] * 2, Fraction(1)
    exact = delta_of_moves(moves, epsilon)
    monkeypatch.setattr(loss, "_MOST_NODES", 5)
    wide = delta_of_moves(moves, epsilon)
    assert isinstance(wide, arb)
    assert isinstance(exact, arb)
    assert wide.contains(exact)
    assert wide.rad() > exact.rad() * 2**20


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(3, 4)])
def test_both_orders_of_an_addition_follow_the_law_of_thresholds(epsilon: Fraction) -> None:
    """Against the events x < t and x > t; at epsilon 0 both are the total variation."""
    pair = Addition(Fraction(3, 2), Fraction(5), Fraction(7, 4))
    removal, addition = delta_of_removal(pair, epsilon), delta_of_addition(pair, epsilon)
    growth = ball(epsilon).exp()
    for place in range(1, 100):
        at = Fraction(place, 100)
        less = regularised_incomplete_beta(pair.alpha, pair.rest, at)
        more = regularised_incomplete_beta(pair.alpha + pair.step, pair.rest, at)
        assert less - growth * more < removal
        assert (1 - more) - growth * (1 - less) < addition
    assert (epsilon == 0) is meets(removal, addition)


def test_the_larger_count_has_a_bounded_loss() -> None:
    """B(1, 1)/B(2, 1) x is at most 2, so delta is 0 from epsilon = log 2 on, and exactly so."""
    pair = Addition(Fraction(1), Fraction(1), Fraction(1))
    assert delta_of_addition(pair, Fraction(7, 10)) == 0
    assert delta_of_addition(pair, Fraction(69, 100)) > 0


def test_more_than_one_move_is_refused() -> None:
    base = vector("1", "2", "3")
    assert Move.between(base, base) is None
    assert delta_between(base, base, Fraction(1)) == 0
    assert delta_of_moves([], Fraction(1)) == 0
    assert Move.between(vector("1", "3", "2"), base) == Move(*map(Fraction, (2, 2, 1)))
    with pytest.raises(ValueError, match="more than a move"):
        Move.between(vector("2", "2", "2.5"), base)
    with pytest.raises(ValueError, match="more than a move"):
        Move.between(vector("2", "1.5", "2.5"), base)
    with pytest.raises(ValueError, match="one coordinate"):
        Addition.between(vector("2", "2", "3"), base)
    with pytest.raises(ValueError, match="one coordinate"):
        Addition.between(base, vector("2", "3", "3"))


NAME = "dirichlet.pair.delta"


@each_of(
    "u, v, says",
    [
        ([1, 2, 3], [2, 1], "they have 3 and 2 entries"),
        ([1, 2, 3], [2, 3, 4], "they differ in 3 coordinates"),
        ([1, 2, 3], [2, 3, 3], "the two sums differ"),
        ([1], [1], "at least 2 of them"),
        ([1, 0], [0, 1], "0 < each of u"),
    ],
)
def test_other_pairs_are_outside_the_domain_and_a_sentence_says_why(
    u: list[int], v: list[int], says: str
) -> None:
    with pytest.raises(DomainError, match=says):
        evaluate(NAME, {"u": u, "v": v, "epsilon": 1})


def test_a_sum_that_differs_beyond_double_precision_is_outside_the_domain() -> None:
    v = [2, "1.000000000000000000000000000001"]
    with pytest.raises(DomainError, match="the two sums differ"):
        evaluate(NAME, {"u": [1, 2], "v": v, "epsilon": 1})


def test_what_is_no_vector_is_bad_input() -> None:
    with pytest.raises(InputError):
        evaluate(NAME, {"u": 1, "v": [1, 2], "epsilon": 1})


@pytest.mark.parametrize("engine", ["arb", "second"])
def test_equal_laws_lose_exactly_nothing(engine: str) -> None:
    found = evaluate(NAME, {"u": [1, 2], "v": [1, 2], "epsilon": 0}, engine=engine)
    assert found.enclosure.exact == 0


@pytest.mark.parametrize("engine", ["arb", "second"])
def test_a_larger_count_loses_exactly_nothing_beyond_its_bound(engine: str) -> None:
    """Of Beta(2, 1) from Beta(1, 1) the largest log-ratio is log 2 = 0.693147..."""
    point = {"u": [2, 1], "v": [1, 1]}
    beyond = evaluate(NAME, {**point, "epsilon": "0.693148"}, engine=engine)
    assert beyond.enclosure.exact == 0
    before = evaluate(NAME, {**point, "epsilon": "0.693147"}, engine=engine)
    assert before.enclosure.low.compared_with(Fraction(0)) > 0


@each_of("engine", ["arb", "second"])
@each_of(
    "u, v, epsilon",
    [
        (["1e-9", 1], [1, "1e-9"], "0.1"),
        (["1000", "1000.000001"], ["1000.000001", "1000"], "1e-9"),
        (["7e-6", 1], ["1e5", 1], "0.03"),
        (["1e5", 1], ["7e-6", 1], "13"),
        (["2.5", 3, 4], ["2", 3, 4], "0.5"),
        (["30", "1e-6"], ["1e-6", "30"], "500"),
    ],
)
def test_extreme_pairs_are_narrow(engine: str, u: list[str], v: list[str], epsilon: str) -> None:
    assert evaluate(NAME, {"u": u, "v": v, "epsilon": epsilon}, engine=engine).narrow


def test_moves_and_one_coordinate_by_hand() -> None:
    """Uniform against Beta(2, 1), density 2x: at e^epsilon = 1 below 1/2, 1/2 - 1/4."""
    for u, v in [([1, 1], [2, 1]), ([2, 1], [1, 1])]:
        found = evaluate(NAME, {"u": u, "v": v, "epsilon": 0}).enclosure
        assert (
            found.low.compared_with(Fraction(1, 4)) <= 0 <= found.high.compared_with(Fraction(1, 4))
        )
    moved = evaluate(NAME, {"u": [1, 2], "v": [2, 1], "epsilon": 0})
    assert moved.enclosure.exact == Fraction(1, 2)


@pytest.mark.parametrize(
    ("size", "epsilon"),
    [("1e20", "1"), ("1e27", "1e5"), ("1e300", "0"), ("1e300", "1e296")][:: instances(2, 1)],
)
def test_laws_far_apart_lose_all_at_any_size(size: str, epsilon: str) -> None:
    whole, next_to = Fraction(size), Fraction(1, 10**30)
    u, v = ([whole * part, whole * (13 - part)] for part in (1, 2))
    lost = evaluate(NAME, {"u": u, "v": v, "epsilon": epsilon})
    assert lost.enclosure.is_above(1 - next_to) is Trilean.TRUE
    beyond = evaluate(NAME, {"u": u, "v": v, "epsilon": whole * 100})
    assert beyond.enclosure.is_below(next_to) is Trilean.TRUE
