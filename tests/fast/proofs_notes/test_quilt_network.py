"""The laws of proofs_notes/quilt-network.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product
from math import prod
from random import Random
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from flint import arb
from gmpy2 import mpq
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import INFINITY, ball, working_precision
from simplexcert.reference.precision import BudgetSpentError
from simplexcert.reference.pufferfish.additive import steps_of
from simplexcert.reference.pufferfish.divergences import largest_density_ratio
from simplexcert.reference.pufferfish.network import search
from simplexcert.reference.pufferfish.network.inference import factors_of, joint_weights
from simplexcert.reference.pufferfish.network.mechanism import (
    laws_by_node,
    network_epsilon,
    network_influence,
    network_loss,
    network_scale,
)
from simplexcert.reference.pufferfish.network.search import Graph, Inference, Search, network_quilts
from simplexcert.reference.pufferfish.quilt.exact import quilt_epsilon, quilt_scale_exact
from simplexcert.reference.pufferfish.quilt.score import EpsilonOf, ScaleFor, Score
from simplexcert.reference.second.pufferfish.network import joint_law, marginal, near_nodes
from simplexcert.reference.structures import ChainLaw, Matrix, Network, NetworkNode

if TYPE_CHECKING:
    from collections.abc import Iterator

FAIR = ((Fraction(1, 2), Fraction(1, 2)),)
XOR = tuple((Fraction(a == b), Fraction(a != b)) for a, b in product((0, 1), repeat=2))
COUNT = ((Fraction(0), Fraction(1)),)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def meets(first: arb, second: arb) -> bool:
    # A wide ball or a NaN overlaps everything, so both have to be narrow first.
    narrow = all(x.is_finite() and x.rel_accuracy_bits() >= 80 for x in (first, second))
    return narrow and bool(first.overlaps(second))


def random_law(random: Random, size: int, zeros: float) -> tuple[Fraction, ...]:
    while True:
        weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in range(size)]
        if sum(weights):
            return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_network(random: Random, size: int, zeros: float = 0.0) -> Network:
    """Return a network whose nodes are numbered in any order, with two or three states each."""
    order = random.sample(range(1, size + 1), size)
    states = {node: random.choice((2, 2, 3)) for node in order}
    nodes = {}
    for at, node in enumerate(order):
        parents = [one for one in order[:at] if random.random() < 0.5][:3]
        rows = prod(states[parent] for parent in parents)
        table = tuple(random_law(random, states[node], zeros) for _ in range(rows))
        nodes[node] = NetworkNode(tuple(parents), table)
    return tuple(nodes[node] for node in sorted(nodes))


def networks(seed: int, count: int, *, most: int = 5) -> Iterator[Network]:
    random = Random(seed)  # noqa: S311
    for at in range(count):
        yield random_network(random, random.randint(2, most), 0.3 * (at % 2))


def chain_network(law: ChainLaw, length: int) -> Network:
    first = NetworkNode((), (tuple(Fraction(share) for share in law.initial),))
    return (first, *(NetworkNode((at,), law.P) for at in range(1, length)))


def subsets(items: list[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def influence(network: Network, node: int, quilt: tuple[int, ...]) -> arb:
    found = network_influence(network, node, quilt)
    return ball(found) if isinstance(found, Fraction) else found


def exact(chance: mpq) -> Fraction:
    return Fraction(int(chance.numerator), int(chance.denominator))


def digraph(network: Network) -> nx.DiGraph[int]:
    arrows = [(parent, at) for at, node in enumerate(network, 1) for parent in node.parents]
    graph = nx.DiGraph(arrows)
    graph.add_nodes_from(range(1, len(network) + 1))
    return graph


def test_active_walks_decide_independence() -> None:
    checked = 0
    for network in networks(1, 24):
        joint, graph = joint_law(network), digraph(network)
        for node in range(1, len(network) + 1):
            for near, quilt, far in network_quilts(network, node):
                for one in {*near, *far} - {node}:
                    parted = nx.is_d_separator(graph, {node}, {one}, {*quilt})
                    assert parted == (one in far)
                assert len(near) == near_nodes(network, node, quilt)
                checked += bool(far)
                law, rest = marginal(joint, (node, *quilt, *far)), len(quilt) + 1
                alone = marginal(joint, quilt)
                with_node, with_far = marginal(joint, (node, *quilt)), marginal(joint, quilt + far)
                for states in product(
                    *(range(len(network[at - 1].table[0])) for at in (node, *quilt, *far))
                ):
                    both = law.get(states, 0) * alone.get(states[1:rest], 0)
                    assert both == with_node.get(states[:rest], 0) * with_far.get(states[1:], 0)
    assert checked > 100


def conditional_loss(network: Network, values: Matrix, node: int, scale: Fraction) -> arb:
    """Enclose the loss of the sum between two values of one node."""
    laws = next(laws for _, at, laws in laws_by_node((network,), values) if at == node)
    return largest_density_ratio([*laws.values()], scale).log()


def test_quilts_protect() -> None:
    random, attained = Random(2), 0  # noqa: S311
    for network in networks(2, 20):
        size = len(network)
        # Whole numbers apart in steps of one: the unit is one, unless no value differs.
        values = tuple(
            tuple(Fraction(x) for x in random.choice(((0, 1, 1), (1, 0, 1), (0, 1, 0))))
            for _ in range(size)
        )
        scale = Fraction(random.randint(1, 30), 10)
        for node in range(1, size + 1):
            loss = conditional_loss(network, values, node, scale)
            for near, quilt, _ in network_quilts(network, node):
                bound = influence(network, node, quilt) + ball(len(near) / scale)
                assert loss < bound or bound == INFINITY or meets(loss, bound)
                attained += bound != INFINITY and bool(loss > bound / 2)
    assert attained > 20
    # Two releases at once: the largest ratio is at two support points (laplace-loss.md).
    for network in networks(3, 8, most=4):
        queries = [[random.randint(0, 1) for _ in range(9)] for _ in "12"]
        scales = (Fraction(1), Fraction(2))
        bound = network_epsilon((network,), scales, len(network))
        loss = two_release_loss(network, queries, scales)
        assert loss < bound or meets(loss, bound)


def spread(values: Matrix, near: tuple[int, ...]) -> Fraction:
    """Return by how much an additive query moves at most when these nodes change."""
    return sum((max(values[at - 1]) - min(values[at - 1]) for at in near), Fraction(0))


def test_quilts_for_a_query() -> None:
    random, below, unseen = Random(12), 0, 0  # noqa: S311
    for network in networks(12, 20):
        rows = tuple(random.choice(((0, 0, 0), (0, 3, 3), (1, 0, 1))) for _ in network)
        values = tuple(tuple(Fraction(x) for x in row) for row in rows)
        scale = Fraction(random.randint(1, 30), 10)
        most = max(spread(values, (at,)) for at in range(1, len(network) + 1))
        unit = steps_of(values, 1).unit
        for node in range(1, len(network) + 1):
            loss = conditional_loss(network, values, node, scale / unit)
            for near, quilt, _ in network_quilts(network, node):
                moved = spread(values, near)
                bound = influence(network, node, quilt) + ball(moved / scale)
                assert loss.is_finite()
                assert not loss > bound
                assert moved <= len(near) * most
                below += moved < len(near) * most
                unseen += not moved and bool(loss > 0)
    assert below > 20
    assert unseen > 5


def test_quilts_for_a_query_do_not_add_up() -> None:
    xor = (NetworkNode((), FAIR), NetworkNode((), FAIR), NetworkNode((1, 2), XOR))
    nothing, bit = (Fraction(0), Fraction(0)), (Fraction(0), Fraction(1))
    second, third = (nothing, bit, nothing), (nothing, nothing, bit)
    scales = (Fraction(1, 3), Fraction(1, 2))
    alone = []
    for values in (second, third):
        quilts = [
            (influence(xor, 1, quilt), spread(values, near))
            for near, quilt, _ in network_quilts(xor, 1)
        ]
        alone.append(min(moved for cost, moved in quilts if cost == 0))
        given_0, given_1 = next(
            laws for _, node, laws in laws_by_node((xor,), values) if node == 1
        ).values()
        assert given_0 == given_1
    assert alone == [0, 0]
    r, s = ((-ball(1 / scale)).exp() for scale in scales)
    laws_of_both = [{(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}]
    laws_of_both.append({(0, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)})
    ratios = [
        density(laws_of_both[one], outcome, scales)
        / density(laws_of_both[1 - one], outcome, scales)
        for one in (0, 1)
        for outcome in product((0, 1), repeat=2)
    ]
    loss = (1 + r * s) / (r + s)
    assert any(meets(ratio, loss) for ratio in ratios)
    assert not any(ratio > loss for ratio in ratios)
    assert loss > 1
    together = [
        spread(second, near) / scales[0] + spread(third, near) / scales[1]
        for near, quilt, _ in network_quilts(xor, 1)
        if influence(xor, 1, quilt) == 0
    ]
    assert min(together) == min(1 / scale for scale in scales)
    assert loss.log() < ball(min(together))
    assert influence(xor, 1, (2,)) == influence(xor, 1, (3,)) == 0
    assert influence(xor, 1, (2, 3)) == INFINITY
    # A search that adds influences finds too little noise, where parities hide what is not seen.
    fair, parity = NetworkNode((), FAIR), tuple(NetworkNode((1, one), XOR) for one in (2, 3))
    network, values = (fair, fair, fair, *parity), (nothing, bit, bit, bit, bit)
    epsilon = Fraction(5)
    enough = []
    for node in range(1, 6):
        scores = []
        for near, quilt, _ in network_quilts(network, node):
            added = sum((influence(network, node, (one,)) for one in quilt), arb(0))
            if added < ball(epsilon):
                scores.append(ball(spread(values, near)) / (ball(epsilon) - added))
        enough.append(min(scores, key=lambda score: float(score.upper())))
    largest = max(Fraction(float(score.upper())) for score in enough)
    assert enough[0] == 0
    assert network_loss((network,), values, largest) > 8
    both = next(laws for _, node, laws in laws_by_node((xor,), (nothing, bit, bit)) if node == 1)
    assert not {*both[1].points} & {*both[2].points}


def two_release_loss(
    network: Network, queries: list[list[int]], scales: tuple[Fraction, ...]
) -> arb:
    """Enclose the loss of two sums of bits of (node + state), over all nodes and pairs."""
    joint, worst = joint_law(network), arb(1)
    answers = {
        states: tuple(
            sum(query[at + state] for at, state in enumerate(states)) for query in queries
        )
        for states in joint
    }
    for node in range(len(network)):
        laws: dict[int, dict[tuple[int, ...], Fraction]] = {}
        for states, chance in joint.items():
            law = laws.setdefault(states[node], {})
            law[answers[states]] = law.get(answers[states], Fraction(0)) + exact(chance)
        for outcome in {answer for law in laws.values() for answer in law}:
            densities = [density(law, outcome, scales) for law in laws.values()]
            for one, other in permutations(densities, 2):
                worst = worst.max(one / other)
    return worst.log()


def density(
    law: dict[tuple[int, ...], Fraction], outcome: tuple[int, ...], scales: tuple[Fraction, ...]
) -> arb:
    total, mass = arb(0), sum(law.values())
    for answer, share in law.items():
        far = sum(abs(a - b) / scale for a, b, scale in zip(answer, outcome, scales, strict=True))
        total += ball(share / mass) * (-ball(Fraction(far))).exp()
    return total


def test_epsilons_add_up() -> None:
    epsilons = (Fraction(1, 2), Fraction(2), Fraction(7))
    below = 0
    for network in networks(4, 10):
        scales = []
        for epsilon in epsilons:
            needed = network_scale((network,), epsilon, len(network))
            # Any scale that is at least what is needed.
            scales.append(Fraction(int((needed.upper() * 2**40).ceil().unique_fmpz()), 2**40))
        together = network_epsilon((network,), tuple(scales), len(network))
        promised = ball(sum(epsilons, Fraction(0)))
        assert together < promised or meets(together, promised)
        below += bool(together < promised - arb("0.01"))
    assert below


def test_skeleton_separation_is_not_enough() -> None:
    collider = (NetworkNode((), FAIR), NetworkNode((), FAIR), NetworkNode((1, 2), XOR))
    assert network_influence(collider, 1, (3,)) == 0
    skeleton = digraph(collider).to_undirected()
    skeleton.remove_node(3)
    assert not nx.has_path(skeleton, 1, 2)
    assert Graph(collider).parted(1, (3,)).near == (1, 2)
    for scale in (Fraction(1), Fraction(1, 9)):
        assert network_loss((collider,), COUNT, scale) > ball(2 / scale) - arb(2).log()
    loss = network_loss((collider,), COUNT, Fraction(1))
    assert meets(loss, ((1 + arb(2).exp()) / 2).log())
    assert loss > arb("1.4337") > 1
    assert meets(network_scale((collider,), Fraction(1), 3), arb(2))


def test_deleting_is_not_asked() -> None:
    random = Random(5)  # noqa: S311
    table = tuple(random_law(random, 2, 0) for _ in range(4))
    second, third = (NetworkNode((1,), table[:2]), NetworkNode((1,), table[2:]))
    network = (NetworkNode((), FAIR), second, third, NetworkNode((2, 3), table))
    assert Graph(network).parted(2, (1,)) == ((2, 4), (1,), (3,))
    skeleton = digraph(network).to_undirected()
    skeleton.remove_node(1)
    assert nx.node_connected_component(skeleton, 2) == {2, 3, 4}


def test_impossible_values_are_left_out() -> None:
    rows = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
    network = chain_network(ChainLaw((Fraction(1), Fraction(0)), rows), 3)
    assert network_influence(network, 1, (2, 3)) == 0
    assert network_influence(network, 2, (1,)) == 0
    assert meets(influence(network, 2, (3,)), arb(6).log())
    # (5) of song2017 over all states: 9/4 or 6 from the column, 6 or 9 from the law of X_2.
    column = max(
        rows[y][x] / rows[y][1 - x] * rows[0][1 - x] / rows[0][x] for x in (0, 1) for y in (0, 1)
    )
    assert column == Fraction(27, 2)
    alone = (NetworkNode((), ((Fraction(0), Fraction(1)),)),)
    assert network_scale((alone,), Fraction(1), 1) == 0
    assert network_epsilon((alone,), (Fraction(1),), 1) == 0


def test_unlinked_nodes_are_far() -> None:
    for network in networks(6, 20):
        graph = Graph(network)
        for node in graph.nodes:
            ours = graph.ancestors([node])
            linked = {one for one in graph.nodes if ours & graph.ancestors([one])}
            assert {*graph.parted(node, ()).near} == linked
            assert network_influence(network, node, ()) == 0
    copy = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    pieces = tuple(
        NetworkNode((at - 1,) * (at % 2 == 0), copy if at % 2 == 0 else FAIR) for at in range(1, 7)
    )
    assert meets(network_scale((pieces,), Fraction(1), 6), arb(2))


def test_influence_grows_with_the_quilt() -> None:
    strictly = 0
    for network in networks(7, 16):
        inference = Inference(network)
        for node in inference.graph.nodes:
            others = [one for one in inference.graph.nodes if one != node]
            for quilt in subsets(others):
                for larger in (frozenset({*quilt, one}) for one in others if one not in quilt):
                    ours, theirs = (
                        inference.ratio(node, each) for each in (frozenset(quilt), larger)
                    )
                    assert theirs is None or (ours is not None and ours <= theirs)
                    strictly += ours != theirs
    assert strictly > 50


def least_by_brute_force(network: Network, node: int, score: Score, width: int) -> arb:
    least = ball(score.of_whole_chain(len(network)))
    for near, quilt, _ in network_quilts(network, node):
        if len(near) <= width or not quilt:
            least = least.min(score.of(len(near), influence(network, node, quilt)))
    return least


def test_the_empty_quilt_needs_no_width() -> None:
    """A node of a piece needs card/epsilon at most at width 1, and no less as the width falls."""
    random, less = Random(71), 0  # noqa: S311
    for network in networks(31, 24, most=6):
        inference = Inference(network)
        node, score = random.choice(list(inference.graph.nodes)), ScaleFor(Fraction(1))
        if inference.possible_values(node) == 1:
            continue
        linked = len(inference.graph.parted(node, ()).near)
        found = [
            Search(inference, node, score, width).best_below(arb(-1)).score
            for width in range(1, len(network) + 1)
        ]
        assert found[0] <= linked
        assert all(not narrow < wide for narrow, wide in pairwise(found))
        less += linked < len(network)
    assert less > 5


def test_the_search_misses_no_better_quilt() -> None:
    random, fewer = Random(8), 0  # noqa: S311
    for network in networks(8, 16, most=6):
        inference = Inference(network)
        for node in inference.graph.nodes:
            width = random.randint(1, len(network))
            for score in (
                ScaleFor(random.choice((Fraction(1), Fraction(8)))),
                EpsilonOf(Fraction(1)),
            ):
                best = Search(inference, node, score, width).best_below(arb(-1))
                if inference.possible_values(node) == 1:
                    assert best.score == 0
                    continue
                assert meets(best.score, least_by_brute_force(network, node, score, width))
                fewer += len(best.quilt.near) < len(network)
    assert fewer > 30
    settled = 0
    for network in networks(9, 16):
        graph = Graph(network)
        for node in graph.nodes:
            others = [one for one in graph.nodes if one != node]
            inside = {one for one in others if random.random() < 0.4}
            outside = {one for one in others if one not in inside and random.random() < 0.6}
            undecided = {*others} - inside - outside
            reached = graph.reached(node, inside, undecided)
            for more in subsets([*undecided]):
                near = {*graph.parted(node, inside | {*more}).near}
                assert near >= {node} | (reached & outside)
            if not reached & undecided:
                settled += 1
                assert {*graph.parted(node, inside).near} == {node} | reached
    assert settled > 10


def test_an_unfinished_search_still_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        """Time that is spent after so many looks at it."""

        def __init__(self, looks: int) -> None:
            self.left = looks

        def look(self) -> None:
            if not self.left:
                raise BudgetSpentError
            self.left -= 1

    wide, helped = 0, 0
    for network, epsilon in product(networks(13, 8), (Fraction(3), Fraction(12))):
        for others in ((), (network[:1],)) if not network[0].parents else ((),):
            asked = (network, *others)
            truth, trivial = network_scale(asked, epsilon, 5), ball(len(network) / epsilon)
            bounds: list[arb] = []
            for looks in range(10_000):
                clock = Clock(looks)
                with monkeypatch.context() as patch:
                    patch.setattr(search, "check_budget", clock.look)
                    bounds.append(network_scale(asked, epsilon, 5))
                # Which a bound below the truth does not, nor one from above it.
                assert bounds[-1].overlaps(truth)
                # Whoever has no time at all still has the trivial quilt, and no less than that.
                assert not bounds[-1].upper() > trivial.upper()
                if clock.left:
                    break
            assert meets(bounds[-1], truth) or truth == 0
            wide += sum(bool(one.upper() > truth) for one in bounds)
            helped += sum(bool(truth < one.upper() < trivial) for one in bounds)
    assert wide > 100
    assert helped > 20


def test_weights_in_whole_numbers() -> None:
    for network in networks(10, 20):
        joint = joint_law(network)
        for node in range(1, len(network) + 1):
            others = [one for one in range(1, len(network) + 1) if one != node]
            targets = (node, *others[::2])
            above = Graph(network).ancestors(targets)
            factors = [factors_of(network)[one - 1] for one in sorted(above)]
            weights = joint_weights(factors, targets)
            law = marginal(joint, targets)
            assert weights.keys() == law.keys()
            total = sum(weights.values())
            assert all(Fraction(weight, total) == law[key] for key, weight in weights.items())


def test_additive_queries_by_elimination() -> None:
    random = Random(11)  # noqa: S311
    for network in networks(11, 20):
        values = tuple(tuple(Fraction(random.randint(0, 5)) for _ in "123") for _ in network)
        rows = [[value - min(row) for value in row] for row in values]
        joint, unit = joint_law(network), steps_of(values, len(network)).unit
        for _, node, laws in laws_by_node((network,), values):
            for state, law in laws.items():
                masses: dict[Fraction, Fraction] = {}
                for states, chance in joint.items():
                    if states[node - 1] == state - 1:
                        sums = sum(
                            (row[at] for row, at in zip(rows, states, strict=True)), Fraction(0)
                        )
                        masses[sums] = masses.get(sums, Fraction(0)) + exact(chance)
                points = sorted(masses)
                assert [point * unit for point in law.points] == points
                given = sum(masses.values())
                shares = [Fraction(weight, law.total) for weight in law.weights]
                assert shares == [masses[point] / given for point in points]


def test_classes_network_by_network() -> None:
    def link(turns: Fraction) -> NetworkNode:
        return NetworkNode((1,), ((1 - turns, turns), (turns, 1 - turns)))

    weak, strong = link(Fraction(2, 5)), link(Fraction(1, 10))
    both = tuple(
        (NetworkNode((), FAIR), one, NetworkNode((2,), other.table))
        for one, other in permutations((weak, strong))
    )
    epsilon = Fraction(2)
    needed = network_scale(both, epsilon, 3)
    assert meets(needed, 2 / (2 - ball(Fraction(3, 2)).log()))
    assert arb("1.2542") < needed < arb("1.2543")
    assert all(meets(needed, network_scale((one,), epsilon, 3)) for one in both)
    printed = arb(3) / 2
    for near, quilt, _ in network_quilts(both[0], 2):
        worst = influence(both[0], 2, quilt).max(influence(both[1], 2, quilt))
        printed = printed.min(ScaleFor(epsilon).of(len(near), worst))
    assert meets(printed, arb(3) / 2)


def test_chains_as_networks() -> None:
    random = Random(12)  # noqa: S311
    for zeros, states in product((0.0, 0.3), (2, 3)):
        rows = tuple(random_law(random, states, zeros) for _ in range(states))
        law = ChainLaw(random_law(random, states, zeros), rows)
        for length, width in ((1, 1), (2, 2), (7, 7), (7, 3)):
            network = chain_network(law, length)
            for epsilon in (Fraction(1), Fraction(6)):
                ours = network_scale((network,), epsilon, width)
                theirs = quilt_scale_exact((law,), length, epsilon, width)
                assert meets(ours, theirs) or ours == theirs == 0
                ours = network_epsilon((network,), (epsilon, Fraction(3)), width)
                theirs = quilt_epsilon((law,), length, (epsilon, Fraction(3)), width)
                assert meets(ours, theirs) or ours == theirs == 0
        network, asked = chain_network(law, 6), {"initial": law.initial, "P": law.P, "node": 3}
        for left, right in product((0, 1, 2), (0, 1, 3)):
            quilt = (3 - left,) * (left > 0) + (3 + right,) * (right > 0)
            found = evaluate("pufferfish.max_influence", {**asked, "left": left, "right": right})
            other = evaluate(
                "pufferfish.network_influence", {"network": network, "node": 3, "quilt": quilt}
            )
            assert found.narrow
            assert other.narrow
            assert found.enclosure.overlaps(other.enclosure)


def test_three_node_example() -> None:
    rows = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(2, 5), Fraction(3, 5)))
    network = chain_network(ChainLaw((Fraction(4, 5), Fraction(1, 5)), rows), 3)
    printed = {(): (1, ".3"), (1,): (6, ".243657577102"), (3,): (6, ".243657577102")}
    printed[1, 3] = (36, ".155848663841")
    for near, quilt, _ in network_quilts(network, 2):
        ratio, score = printed[quilt]
        assert Inference(network).ratio(2, frozenset(quilt)) == ratio
        found = ScaleFor(Fraction(10)).of(len(near), influence(network, 2, quilt))
        assert abs(found - ball(Fraction(score))) < arb("5.1e-13")
    best = Search(Inference(network), 2, ScaleFor(Fraction(10)), 3).best_below(arb(-1))
    assert best.quilt == ((2,), (1, 3), ())
