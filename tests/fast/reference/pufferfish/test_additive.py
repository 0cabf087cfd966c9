"""Additive queries of chains: which chains, lengths and values are answered; both engines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from random import Random

import pytest
from each import each_of
from instances import instances
from simplexcert.reference import Answer, DomainError, evaluate
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish import additive
from simplexcert.reference.pufferfish.additive import (
    FarthestStates,
    _backward,
    _in_whole_numbers,
    _values_taken,
    farthest_states,
    fits_into_memory,
    has_few_values,
    steps_of,
)
from simplexcert.reference.structures import ChainLaw, Matrix

EVEN = {"initial": "stationary", "P": [["0.9", "0.1"], ["0.4", "0.6"]]}
# 40 digits make the whole numbers of 600 nodes too long to be kept.
LONG_WINDED = {"initial": "stationary", "P": [[f"0.{1:040}", f"0.{'9' * 40}"], ["0.4", "0.6"]]}
COUNT = [[0, 1]]
SUM = {"chains": [EVEN], "length": 4, "values": COUNT}


def answer(name: str, asked: dict[str, object]) -> Answer:
    one, other = (evaluate(f"pufferfish.{name}", asked, engine=e) for e in ("arb", "second"))
    assert one.narrow
    assert other.narrow
    assert one.exact == other.exact
    assert one.enclosure.overlaps(other.enclosure)
    return one


def distance(asked: dict[str, object]) -> Fraction:
    found = answer("chain_wasserstein", asked).exact
    assert found is not None
    return found


def loss(asked: dict[str, object], scale: object = 1) -> Answer:
    return answer("chain_loss", {**asked, "scale": scale})


def test_both_engines_agree_at_random() -> None:
    random = Random(1)  # noqa: S311

    def law(states: int) -> list[Fraction]:
        weights = [random.choice((0, 1, 3, 50)) for _ in range(states)]
        weights[random.randrange(states)] += 1
        return [Fraction(weight, sum(weights)) for weight in weights]

    for _ in range(instances(5, 20)):
        states, length = random.randint(2, 3), random.randint(1, 4)
        chains = [{"initial": law(states), "P": [law(states) for _ in range(states)]} for _ in "12"]
        rows = random.choice((1, length))
        values = [
            [Fraction(random.randint(-6, 6), random.choice((1, 4))) for _ in range(states)]
            for _ in range(rows)
        ]
        asked = {"chains": chains, "length": length, "values": values}
        distance(asked)
        loss(asked, random.choice(("1/100", "1", "100")))


def test_a_single_node_has_the_sensitivity_of_its_values() -> None:
    asked = {"chains": [EVEN], "length": 1, "values": [["1/3", "-5/2"]]}
    assert distance(asked) == Fraction(17, 6)
    assert loss(asked, "1/2").enclosure.is_above(Fraction("5.66666")).value == "true"


def test_one_row_of_values_stands_for_all() -> None:
    assert distance({**SUM, "values": COUNT * 4}) == distance(SUM)
    assert loss({**SUM, "values": COUNT * 4}).enclosure == loss(SUM).enclosure


def test_a_class_has_its_worst_chain() -> None:
    slow = {"initial": "stationary", "P": [["0.99", "0.01"], ["0.01", "0.99"]]}
    both = {**SUM, "chains": [EVEN, slow]}
    assert distance(both) == distance({**SUM, "chains": [slow]}) > distance(SUM)
    assert loss(both).enclosure == loss({**SUM, "chains": [slow]}).enclosure


def test_nodes_with_one_possible_state_need_no_protection() -> None:
    """From state 1 for sure, back and forth: nothing is random, nothing is to be hidden."""
    swap = {"initial": [1, 0], "P": [[0, 1], [1, 0]]}
    assert distance({**SUM, "chains": [swap]}) == 0
    assert loss({**SUM, "chains": [swap]}).exact == 0


def test_a_constant_query_loses_nothing() -> None:
    asked = {**SUM, "values": [["7/3", "7/3"]]}
    assert distance(asked) == 0
    assert loss(asked).exact == 0


def test_the_node_and_the_states_that_set_the_distance_are_named() -> None:
    chain = ChainLaw((Fraction(1), Fraction(0)), ((Fraction(1, 2),) * 2,) * 2)
    values: Matrix = tuple((Fraction(0), Fraction(weight)) for weight in (9, 2, 5, 1))
    found = farthest_states((chain, chain), 4, values)
    assert found == FarthestStates(Fraction(5), 1, 3, (1, 2))
    certain = ChainLaw((Fraction(1), Fraction(0)), ((Fraction(1), Fraction(0)),) * 2)
    assert farthest_states((certain,), 4, values) is None


def test_transient_states_take_part_as_long_as_they_last() -> None:
    """The stationary law of a chain with a state that is left for good does not know it."""
    leaving = [["1/2", "1/2", 0], [0, "1/2", "1/2"], [0, "1/2", "1/2"]]
    asked = {"length": 3, "values": [[100, 0, 1]]}
    settled = {**asked, "chains": [{"initial": "stationary", "P": leaving}]}
    assert distance(settled) == 1
    assert distance({**asked, "chains": [{"initial": [1, 0, 0], "P": leaving}]}) > 1


def test_the_scale_w_over_epsilon_keeps_its_promise() -> None:
    for p, q in product(("0.9", "0.2"), ("0.7", "0.4")):
        rows = [[Fraction(p), 1 - Fraction(p)], [1 - Fraction(q), Fraction(q)]]
        asked = {**SUM, "chains": [{"initial": "stationary", "P": rows}]}
        needed = distance(asked)
        assert loss(asked, needed / 2).lower <= 2


def test_few_values_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    powers: Matrix = tuple((Fraction(0), Fraction(2**k)) for k in range(6))
    for most, few in ((64, True), (63, False), (6, False)):
        monkeypatch.setattr(additive, "_MAX_VALUES", most)
        assert has_few_values(6, powers) is few
    monkeypatch.setattr(additive, "_MAX_VALUES", 7)
    assert has_few_values(6, ((Fraction(0), Fraction(1)),))
    assert not has_few_values(7, ((Fraction(0), Fraction(1)),))


def test_what_is_kept_is_bounded_by_its_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states, 5 values, 4 nodes: 80 weights, of at most 4 bits each for tenths."""
    tenths: Matrix = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(2, 5), Fraction(3, 5)))
    chains, values = (ChainLaw("stationary", tenths),), ((Fraction(0), Fraction(1)),)
    for most, fits in ((320, True), (319, False), (0, False)):
        monkeypatch.setattr(additive, "_MAX_WEIGHT_BITS", most)
        assert fits_into_memory(chains, 4, values) is fits


def test_the_weights_kept_are_within_that_bound() -> None:
    random = Random(5)  # noqa: S311
    for _ in range(instances(8, 20)):
        states, length = random.randint(2, 4), random.randint(1, 12)
        rows = [[random.randint(0, 9) + (x == 0) for x in range(states)] for _ in range(states)]
        matrix: Matrix = tuple(tuple(Fraction(w, sum(row)) for w in row) for row in rows)
        bits = lcm(*(sum(row) for row in rows)).bit_length()
        values = (tuple(Fraction(random.randint(0, 2)) for _ in range(states)),)
        kept = [*_backward(_in_whole_numbers(matrix), steps_of(values, length).steps)]
        used = sum(int(c).bit_length() for now in kept for weights in now for c in weights.coeffs())
        assert used <= _values_taken(length, values) * states * (length**2 * bits // 2 + length)


def test_a_spent_budget_is_no_error() -> None:
    asked = {**SUM, "length": 50}
    found = evaluate("pufferfish.chain_wasserstein", asked, budget=Budget(seconds=-1.0))
    assert not found.narrow


@each_of(
    "change, sentence",
    [
        ({"chains": [{**EVEN, "initial": "any"}]}, "each initial law has its own"),
        ({"chains": [{**EVEN, "P": [[1, 0], [0, 1]]}]}, "only chains that have one stationary law"),
        ({"values": COUNT * 3}, "in values one row, or as many as the chain is long"),
        ({"values": [[0, 1, 2]]}, "as many entries as there are states"),
        ({"length": 0}, "1 <= length <= 600"),
        ({"length": 601}, "1 <= length <= 600"),
        (
            {"length": 12, "values": [[0, 3**k] for k in range(12)]},
            "at most 601 values that the query can take",
        ),
        ({"length": 600, "values": [[0, 1], *[[0, 2]] * 599]}, "at most 601 values"),
        ({"length": 600, "chains": [LONG_WINDED]}, "fit into 2 GB"),
    ],
)
def test_outside_the_domain_a_sentence_says_why(change: dict[str, object], sentence: str) -> None:
    assert evaluate("pufferfish.chain_wasserstein", SUM).narrow
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.chain_wasserstein", {**SUM, **change})
