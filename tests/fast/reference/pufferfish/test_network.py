"""Networks: both engines, the order of nodes, chains, what is impossible, what is too large."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

import pytest
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference import Answer, DomainError, InputError, evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.precision import Budget, BudgetSpentError
from simplexcert.reference.pufferfish.network import inference
from simplexcert.reference.pufferfish.network.mechanism import worst_node_for_scale
from simplexcert.reference.pufferfish.network.search import (
    Graph,
    Inference,
    NetworkQuilt,
    Search,
    network_quilts,
    worst_of,
)
from simplexcert.reference.pufferfish.quilt.score import ScaleFor
from simplexcert.reference.structures import Network, NetworkNode

HALF = Fraction(1, 2)
FAIR = ((HALF, HALF),)
COPY = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
STICKY = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
START = (Fraction(4, 5), Fraction(1, 5))


def line(*nodes: NetworkNode) -> Network:
    return nodes


def sticky(length: int) -> Network:
    first = NetworkNode((), (START,))
    return (first, *(NetworkNode((at,), STICKY) for at in range(1, length)))


def star(leaves: int) -> Network:
    return (NetworkNode((), FAIR), *(NetworkNode((1,), STICKY) for _ in range(leaves)))


def answer(name: str, engine: str = "arb", **given: Any) -> Answer:
    return evaluate(f"pufferfish.{name}", given, engine=engine)


def agreed(name: str, **given: Any) -> Answer:
    """Return the first engine's answer, with which the second agrees; both are narrow."""
    first, second = (answer(name, engine, **given) for engine in ("arb", "second"))
    assert first.narrow
    assert second.narrow
    assert first.enclosure.overlaps(second.enclosure)
    return first


def random_law(random: Random, size: int) -> tuple[Fraction, ...]:
    weights = [random.choice((0, 1, 2, 5, 9)) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_network(random: Random, size: int) -> Network:
    order = random.sample(range(1, size + 1), size)
    states = {node: random.choice((1, 2, 2, 3)) for node in order}
    nodes = {}
    for at, node in enumerate(order):
        parents = random.sample(order[:at], random.randint(0, min(at, 3)))
        rows = prod(states[parent] for parent in parents)
        table = tuple(random_law(random, states[node]) for _ in range(rows))
        nodes[node] = NetworkNode(tuple(parents), table)
    return tuple(nodes[node] for node in sorted(nodes))


def test_both_engines_agree_at_random() -> None:
    random = Random(1)  # noqa: S311
    for _ in range(instances(10, 40)):
        size = random.randint(1, 5)
        networks = [random_network(random, size) for _ in range(random.randint(1, 2))]
        width = random.randint(1, size + 1)
        epsilon = random.choice((Fraction(1, 10), Fraction(1), Fraction(6)))
        agreed("network_scale", networks=networks, epsilon=epsilon, width=width)
        agreed("network_epsilon", networks=networks, scales=[epsilon, 3], width=width)
        node = random.randint(1, size)
        quilt = [at for at in range(1, size + 1) if at != node and random.random() < HALF]
        agreed("network_influence", network=networks[0], node=node, quilt=quilt)
        rows = [[random.randint(-3, 9) for _ in "123"] for _ in range(random.choice((1, size)))]
        agreed("network_loss", networks=networks, values=rows, scale=epsilon)


def test_the_scale_does_not_depend_on_the_numbering() -> None:
    random = Random(2)  # noqa: S311
    for _ in range(12):
        network = random_network(random, 5)
        order = random.sample(range(1, 6), 5)
        number = {old: new for new, old in enumerate(order, 1)}
        other = tuple(
            network[old - 1]._replace(
                parents=tuple(number[one] for one in network[old - 1].parents)
            )
            for old in order
        )
        ours, theirs = (
            answer("network_scale", networks=[one], epsilon=3, width=5) for one in (network, other)
        )
        assert ours.narrow
        assert theirs.narrow
        assert ours.enclosure.overlaps(theirs.enclosure)


def pairs_of_records(count: int) -> Network:
    """Return so many independent pairs: a fair bit, and one that repeats it with 9/10."""
    tenth = Fraction(1, 10)
    link = ((1 - tenth, tenth), (tenth, 1 - tenth))
    fair = NetworkNode((), ((Fraction(1, 2), Fraction(1, 2)),))
    return tuple(node for at in range(count) for node in (fair, NetworkNode((2 * at + 1,), link)))


def test_what_is_independent_asks_for_no_width() -> None:
    """Pairs of which a whole pair is near at epsilon = 1, and not the whole network."""
    for width in (1, 2, 16):
        found = agreed("network_scale", networks=[pairs_of_records(4)], epsilon=1, width=width)
        assert found.upper == 2
        both = agreed("network_epsilon", networks=[pairs_of_records(4)], scales=[2], width=width)
        assert both.upper == 1
    eight = answer("network_scale", networks=[pairs_of_records(8)], epsilon=1, width=1)
    assert eight.upper == 2


def test_a_wider_width_never_asks_for_more() -> None:
    random, less = Random(3), 0  # noqa: S311
    for _ in range(12):
        network = random_network(random, 5)
        scales = [
            answer("network_scale", networks=[network], epsilon=5, width=width)
            for width in range(1, 6)
        ]
        for before, after in pairwise(scales):
            assert after.lower <= before.upper
            less += after.upper < before.lower
    assert less


def test_the_scale_keeps_its_promise_for_every_sum_of_bits() -> None:
    random, spent = Random(4), Fraction(0)  # noqa: S311
    for _ in range(instances(8, 20)):
        network = random_network(random, 4)
        epsilon = random.choice((Fraction(1), Fraction(5)))
        scale = answer("network_scale", networks=[network], epsilon=epsilon, width=4).upper
        if not scale:
            continue
        rows = [[random.randint(0, 1) for _ in "123"] for _ in network]
        loss = answer("network_loss", networks=[network], values=rows, scale=scale)
        assert loss.narrow
        assert loss.lower <= epsilon
        spent = max(spent, Fraction(loss.lower) / epsilon)
    assert spent > Fraction(9, 10)


def test_the_epsilon_of_the_scale_is_epsilon() -> None:
    for network, epsilon in product((sticky(4), star(3)), ("1/2", "10")):
        scale = answer("network_scale", networks=[network], epsilon=epsilon, width=4)
        low, high = (
            answer("network_epsilon", networks=[network], scales=[one], width=4)
            for one in (scale.upper, scale.lower)
        )
        assert low.lower <= Fraction(epsilon) <= high.upper
        assert high.upper - low.lower < Fraction(1, 10**15)


def test_the_papers_three_nodes() -> None:
    for quilt, ratio in (([], 1), ([1], 6), ([3], 6), ([1, 3], 36)):
        found = agreed("network_influence", network=sticky(3), node=2, quilt=quilt)
        with working_precision(128):
            low, high = arb(ratio).log().lower(), arb(ratio).log().upper()
        assert float(low) <= float(found.upper)
        assert float(found.lower) <= float(high)
        assert Inference(sticky(3)).ratio(2, frozenset(quilt)) == ratio
    with working_precision(128):
        worst = worst_node_for_scale((sticky(3),), Fraction(10), 3)
    assert (worst.network, worst.node, worst.quilt.near) == (1, 2, (2,))
    assert len([*network_quilts(sticky(3), 2)]) == 4


def test_a_sum_over_a_chain_loses_what_the_chain_says() -> None:
    initial, rows = (Fraction(4, 5), Fraction(1, 5)), STICKY
    for values in ([[0, 1]], [[0, 1], [2, "1/3"], [0, 0], [5, 1], [1, 0], [0, -2]]):
        ours = answer("network_loss", networks=[sticky(6)], values=values, scale="1.7")
        theirs = answer(
            "chain_loss",
            chains=[{"initial": initial, "P": rows}],
            length=6,
            values=values,
            scale="1.7",
        )
        assert ours.narrow
        assert theirs.narrow
        assert ours.enclosure.overlaps(theirs.enclosure)


def test_a_long_chain_of_data_sets_is_not_listed() -> None:
    found = answer("network_loss", networks=[sticky(40)], values=[[0, 1]], scale=3)
    assert found.narrow
    assert not answer(
        "network_loss", "second", networks=[sticky(40)], values=[[0, 1]], scale=3
    ).narrow


def test_entries_beyond_a_nodes_states_have_no_use() -> None:
    network = line(NetworkNode((), FAIR), NetworkNode((1,), ((Fraction(1, 3),) * 3,) * 2))
    asked = {"networks": [network], "scale": 2}
    found = agreed("network_loss", values=[[0, 1, 100], [0, 1, 5]], **asked)
    other = agreed("network_loss", values=[[0, 1, -7], [0, 1, 5]], **asked)
    assert found.enclosure.overlaps(other.enclosure)
    assert found.upper < 3


def test_a_value_that_the_quilt_rules_out_is_infinite() -> None:
    copies = line(NetworkNode((), FAIR), NetworkNode((1,), COPY))
    assert agreed("network_influence", network=copies, node=1, quilt=[2]).lower == float("inf")
    found = agreed("network_scale", networks=[copies], epsilon=1024, width=2)
    assert found.exact == Fraction(1, 512)


def test_independent_nodes_have_influence_exactly_zero() -> None:
    network = line(NetworkNode((), FAIR), NetworkNode((1,), (START, START)))
    assert agreed("network_influence", network=network, node=1, quilt=[2]).exact == 0
    assert agreed("network_influence", network=network, node=2, quilt=[1]).exact == 0


def test_a_network_that_can_have_one_state_only_needs_no_noise() -> None:
    network = line(NetworkNode((), ((Fraction(0), Fraction(1)),)), NetworkNode((1,), COPY))
    assert agreed("network_scale", networks=[network], epsilon=1, width=2).exact == 0
    assert agreed("network_epsilon", networks=[network], scales=[1], width=2).exact == 0
    assert agreed("network_loss", networks=[network], values=[[0, 1]], scale=1).exact == 0


def test_the_worst_of_a_class_is_its_worst_network() -> None:
    mild = line(NetworkNode((), FAIR), NetworkNode((), FAIR))
    copies = line(NetworkNode((), FAIR), NetworkNode((1,), COPY))
    with working_precision(128):
        worst = worst_node_for_scale((mild, copies, mild), Fraction(2), 2)
    assert worst.network == 2
    assert worst.score == 1
    assert agreed("network_scale", networks=[mild, copies], epsilon=2, width=2).upper == 1
    assert agreed("network_loss", networks=[copies, mild], values=[[0, 1]], scale=1).upper >= 2


@pytest.mark.parametrize("nearby", ["above", "below"])
def test_an_epsilon_next_to_an_influence_is_decided(nearby: str) -> None:
    """128 bits do not tell it from log 6, which the quilts {1} and {3} of node 2 have."""
    with working_precision(600):
        exact = arb(6).log()
        epsilon = Fraction(int((exact * 2**500).floor().unique_fmpz()), 2**500)
    epsilon += Fraction(nearby == "above", 2**499)
    found = agreed("network_scale", networks=[sticky(3)], epsilon=epsilon, width=3)
    assert float(found.upper) == pytest.approx(3 / float(epsilon))


def test_a_score_that_is_not_a_number_ends_the_search() -> None:
    class Undecided(ScaleFor):
        def of(self, card: int, influence: arb) -> arb:
            return arb("nan") if card == 1 else super().of(card, influence)

    with working_precision(128):
        search = Search(Inference(star(9)), 1, Undecided(Fraction(1, 100)), 10)
        assert search.best_below(arb(0)).score.is_nan()
        # All nine leaves in the quilt, and nothing after that.
        assert len(search.inference._ratios) == 10


def test_nothing_is_searched_below_what_is_enough() -> None:
    with working_precision(128):
        search = Search(Inference(sticky(5)), 3, ScaleFor(Fraction(1)), 5)
        assert search.best_below(arb(5)).score == 5
        assert not search.inference._ratios
        assert search.best_below(arb(4)).score > 4
        assert search.inference._ratios


def test_the_largest_score_is_enclosed_where_two_are_closer_than_the_precision() -> None:
    """The first network needs more than the second, by less than the two balls' widths or more."""

    def needed(shift: int) -> Network:
        high = Fraction(3, 4) + Fraction(shift, 2**24)
        return line(NetworkNode((), FAIR), NetworkNode((1,), ((high, 1 - high), (1 - high, high))))

    for shift in range(0, 400, 3):
        larger, smaller = needed(shift), needed(0)
        with working_precision(128):
            exact = worst_node_for_scale((larger,), Fraction(3), 2).score
        with working_precision(20):
            found = worst_node_for_scale((larger, smaller), Fraction(3), 2).score
        assert found.overlaps(exact)
        assert found.rel_accuracy_bits() > 12


def test_the_search_is_short_where_most_quilts_are_hopeless() -> None:
    started = time.monotonic()
    assert answer("network_scale", networks=[star(16)], epsilon=4, width=17).narrow
    assert answer("network_scale", networks=[sticky(60)], epsilon=4, width=12).narrow
    assert time.monotonic() - started < 20


def test_a_spent_budget_leaves_a_scale_that_is_enough() -> None:
    found = evaluate(
        "pufferfish.network_scale",
        {"networks": [sticky(200)], "epsilon": "1/10", "width": 200},
        budget=Budget(seconds=0.2),
    )
    assert not found.narrow
    # One node needs about 210, and the trivial quilt 2000, no unit in the last place more.
    assert found.lower < 211 < found.upper <= 2000


def test_without_time_the_trivial_quilts_of_all_networks_count() -> None:
    asked = {"networks": [sticky(3), sticky(7), sticky(5)], "epsilon": "1/3", "width": 7}
    found = evaluate("pufferfish.network_scale", asked, budget=Budget(seconds=0))
    assert (found.lower, found.upper) == (0, 21)


def test_outside_of_a_climb_the_time_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "simplexcert.reference.pufferfish.network.mechanism.seconds_left", lambda: 0.2
    )
    with working_precision(128):
        found = worst_node_for_scale((sticky(200), sticky(3)), Fraction(1, 10), 200)
    assert (found.network, found.node) == (0, 0)
    assert 211 < found.score.upper() <= 2000


@pytest.mark.parametrize("engine", ["arb", "second"])
def test_a_long_line_that_is_numbered_backwards_is_no_hardship(engine: str) -> None:
    one = ((Fraction(1),),)
    backwards = (*(NetworkNode((at + 1,), one) for at in range(1, 800)), NetworkNode((), one))
    started = time.monotonic()
    asked = {"network": backwards, "node": 1, "quilt": [2]}
    assert answer("network_influence", engine, **asked).exact == 0
    assert time.monotonic() - started < 3


def test_what_runs_out_of_time_is_not_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(*_: object) -> None:
        raise BudgetSpentError

    with working_precision(128):
        search = Search(Inference(sticky(3)), 2, ScaleFor(Fraction(10)), 3)
        with monkeypatch.context() as patch:
            patch.setattr(Search, "_searched", spent)
            with pytest.raises(BudgetSpentError):
                search.step()
        assert not search.is_over
        assert search.best_below(arb(0)).score < arb("0.16")


def steps_taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    taken, step = [], Search.step

    def counted(self: Search) -> None:
        taken.append(self.node)
        step(self)

    monkeypatch.setattr(Search, "step", counted)
    return taken


def test_nodes_that_need_no_more_than_what_is_enough_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = steps_taken(monkeypatch)
    with working_precision(128):
        assert worst_of(sticky(5), ScaleFor(Fraction(1)), 5, arb(5)).node == 0
        assert not taken
        # It is what the middle node needs, and the others less.
        assert worst_of(sticky(5), ScaleFor(Fraction(1)), 5, arb("4.9")).score == 5
        assert taken


def test_a_node_that_is_not_decided_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Undecided(ScaleFor):
        def of(self, card: int, influence: arb) -> arb:
            return arb("nan") if card == 1 else super().of(card, influence)

    taken = steps_taken(monkeypatch)
    with working_precision(128):
        assert worst_of(sticky(9), Undecided(Fraction(1, 100)), 9, arb(0)).score.is_nan()
    assert {*taken} == {1}


def test_elimination_keeps_to_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three times ten nodes, arrows right and down: tables of four nodes, or five, are enough."""
    rows = tuple(START for _ in range(4))
    grid = tuple(
        NetworkNode(parents, rows[: 2 ** len(parents)])
        for parents in ((at - 3,) * (at > 3) + (at - 1,) * (at % 3 != 1) for at in range(1, 31))
    )
    monkeypatch.setattr(inference, "_MAX_TABLE", 32)
    assert answer("network_influence", network=grid, node=1, quilt=[30]).exact == 0


def test_a_network_too_dense_to_infer_from_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"networks": [star(5)], "epsilon": 50, "width": 6}
    assert answer("network_scale", **asked).narrow
    monkeypatch.setattr(inference, "_MAX_TABLE", 8)
    with pytest.raises(DomainError, match="too densely connected"):
        answer("network_scale", **asked)


def test_networkx_confirms_every_quilt_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    collider = line(NetworkNode((), FAIR), NetworkNode((), FAIR), NetworkNode((1, 2), COPY * 2))
    graph = Graph(collider)
    graph.require_separation(1, graph.parted(1, ()))
    graph.require_separation(1, NetworkQuilt((1, 2), (3,), ()))
    with pytest.raises(SoundnessError, match="do not part 1"):
        graph.require_separation(1, NetworkQuilt((1,), (3,), (2,)))

    def links(self: Graph, node: int, quilt: frozenset[int], _: object = ()) -> set[int]:
        return {*self.parents[node], *self.children[node]} - quilt

    # A search that forgets that arrows meet at what is in the quilt.
    monkeypatch.setattr(Graph, "reached", links)
    with pytest.raises(SoundnessError, match=r"\(3,\) do not part 1 from \(2,\)"):
        answer("network_scale", networks=[collider], epsilon=9, width=3)


@each_of(
    "name, change, sentence",
    [
        ("network_influence", {"node": 4}, "node at most the number of nodes"),
        ("network_influence", {"quilt": [1, 4]}, "every number in quilt at most the number"),
        ("network_influence", {"quilt": [2]}, "node not in quilt"),
        ("network_influence", {"quilt": [1, 1]}, "none of them twice"),
        ("network_influence", {"node": 0}, "1 <= node"),
        ("network_scale", {"epsilon": 0}, "0 < epsilon"),
        ("network_scale", {"width": 0}, "1 <= width"),
        ("network_epsilon", {"scales": [1, 0]}, "scales"),
        ("network_loss", {"values": [[0, 1], [1, 0]]}, "one row, or as many as each network"),
        ("network_loss", {"values": [[0]]}, "an entry for each state"),
        ("network_loss", {"scale": 0}, "0 < scale"),
    ],
)
def test_outside_the_domain_a_sentence_says_why(
    name: str, change: dict[str, object], sentence: str
) -> None:
    given: dict[str, dict[str, object]] = {
        "network_influence": {"network": sticky(3), "node": 2, "quilt": [1, 3]},
        "network_scale": {"networks": [sticky(3)], "epsilon": 1, "width": 3},
        "network_epsilon": {"networks": [sticky(3)], "scales": [1], "width": 3},
        "network_loss": {"networks": [sticky(3)], "values": [[0, 1]], "scale": 1},
    }
    assert answer(name, **given[name]).narrow
    with pytest.raises(DomainError, match=sentence):
        answer(name, **{**given[name], **change})


def test_entries_without_use_do_not_count_as_values() -> None:
    wide = NetworkNode((), ((Fraction(1, 3),) * 3,))
    nodes = tuple(NetworkNode((), FAIR) for _ in range(8))
    rows = [[0, 3**at, 10**9 * 3**at] for at in range(9)]
    assert answer("network_loss", networks=[(*nodes, wide)], values=rows, scale=9).narrow


def test_a_query_of_too_many_values_is_refused() -> None:
    powers = [[0, 2**at] for at in range(13)]
    alone = tuple(NetworkNode((), FAIR) for _ in powers)
    assert answer("network_loss", networks=[alone[:8]], values=powers[:8], scale=9).narrow
    with pytest.raises(DomainError, match="at most 4096 values"):
        answer("network_loss", networks=[alone], values=powers, scale=9)


@each_of(
    "nodes, sentence",
    [
        ([NetworkNode((2,), COPY), NetworkNode((1,), COPY)], "cycle 1 -> 2 -> 1"),
        ([NetworkNode((), FAIR), NetworkNode((1,), FAIR)], "a table of length 1 and not 2"),
        ([NetworkNode((2,), COPY)], "parent 2 in a network of 1 nodes"),
        ([NetworkNode((), ((HALF, Fraction(1, 3)),))], "with sum 5/6"),
        ([NetworkNode((), ((Fraction(3, 2), -HALF),))], "entry 1"),
    ],
)
def test_what_is_no_network_is_refused_by_its_place(
    nodes: list[NetworkNode], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        answer("network_scale", networks=[nodes], epsilon=1, width=1)


# Each is imported first in a process of its own.
_CONFIRMING = """
from simplexcert.reference.pufferfish.network.search import Graph, NetworkQuilt
from simplexcert.reference.structures import NetworkNode

Graph([NetworkNode((), ()), NetworkNode((1,), ()), NetworkNode((2,), ())]).require_separation(
    1, NetworkQuilt((1,), (2,), (3,))
)
"""
_BEFOREHAND = """
from simplexcert.certify.backends.beforehand import import_all

import_all()
"""


@pytest.mark.parametrize("script", [_CONFIRMING, _BEFOREHAND])
def test_what_the_environment_says_to_networkx_plays_no_part(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETWORKX_BACKEND_PRIORITY", "not-installed")
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
