"""Sections 4.1 to 4.3: quilts of Bayesian networks, the three nodes, several releases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import TypeAlias

from ....reference.enclosure import Enclosure, Trilean
from ....reference.structures import Network, NetworkNode
from ..evidence import Formula, Identity, Instance, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import At, Enclosed, Exactly
from .chains import (
    P_1,
    P_2,
    START_2,
    START_OF_THREE,
    ByPowers,
    influence_by_formula,
    influence_by_paths,
    matrix,
    near,
    numbers,
    one_chain,
    random_law,
)

# Formulas of the notes on Bayesian networks and composition, executed in rationals.

_Joint: TypeAlias = Mapping[tuple[int, ...], Fraction]
# The graph of Figure 2: X_1 -> X_2, X_1 -> X_3, (X_2, X_3) -> X_4; parents by number from 1.
_FIGURE_2 = ((), (1,), (1,), (2, 3))
# e^(1/s) for the scale s of Laplace noise, as rationals.
_RATES = (Fraction(3), Fraction(5, 4))


def _random_network(random: Random, parents: tuple[tuple[int, ...], ...]) -> Network:
    """Return bits with these parents and positive tables."""
    return tuple(
        NetworkNode(each, tuple(random_law(random, 2) for _ in range(2 ** len(each))))
        for each in parents
    )


def _joint_of(network: Network) -> _Joint:
    """Return the product of the tables of bits whose parents come first."""
    joint = {}
    for x in product((0, 1), repeat=len(network)):
        rows = (
            node.table[int("".join(str(x[at - 1]) for at in node.parents) or "0", 2)]
            for node in network
        )
        joint[x] = prod((row[value] for row, value in zip(rows, x, strict=True)), start=Fraction(1))
    return joint


def _chance(joint: _Joint, known: Mapping[int, int]) -> Fraction:
    """Return the probability that nodes, from 1, have these values."""
    return sum(
        (p for x, p in joint.items() if all(x[at - 1] == v for at, v in known.items())), Fraction(0)
    )


def _examples(count: int) -> Iterator[_Joint]:
    """Yield laws on the graph of Figure 2."""
    random = Random(11)  # noqa: S311
    for _ in range(count):
        yield _joint_of(_random_network(random, _FIGURE_2))


def _product_of_tables_is_the_law() -> bool:
    """The product sums to 1 and its conditional laws are the tables."""
    random = Random(12)  # noqa: S311
    for _ in range(5):
        network = _random_network(random, _FIGURE_2)
        joint = _joint_of(network)
        if sum(joint.values()) != 1:
            return False
        for x in joint:
            for at, node in enumerate(network, 1):
                known = {one: x[one - 1] for one in node.parents}
                row = node.table[int("".join(str(v) for v in known.values()) or "0", 2)]
                if (
                    _chance(joint, {**known, at: x[at - 1]}) / _chance(joint, known)
                    != row[x[at - 1]]
                ):
                    return False
    return True


def _influence(joint: _Joint, node: int, quilt: tuple[int, ...]) -> Fraction:
    """Return e to the max-influence of a node on others, every value being possible."""
    found = Fraction(1)
    for seen in product((0, 1), repeat=len(quilt)):
        known = dict(zip(quilt, seen, strict=True))
        given = [_chance(joint, {**known, node: v}) / _chance(joint, {node: v}) for v in (0, 1)]
        found = max(found, *(a / b for a, b in permutations(given, 2)))
    return found


def _no_influence_is_independence() -> bool:
    """E = 0 exactly where the others are independent of the node; X_1 -> X_3 <- X_2 has both."""
    random, seen = Random(13), set()  # noqa: S311
    for _ in range(5):
        joint = _joint_of(_random_network(random, ((), (), (1, 2))))
        for quilt in ((2,), (3,), (2, 3)):
            free = all(
                _chance(joint, {1: x[0], **{at: x[at - 1] for at in quilt}})
                == _chance(joint, {1: x[0]}) * _chance(joint, {at: x[at - 1] for at in quilt})
                for x in joint
            )
            if (_influence(joint, 1, quilt) == 1) != free:
                return False
            seen.add(free)
    return seen == {True, False}


def _parted(joint: _Joint, node: int, quilt: tuple[int, ...], far: tuple[int, ...]) -> bool:
    """Whether far nodes are independent of the node given the quilt, exactly."""
    for x in joint:
        at = {one: x[one - 1] for one in (*quilt, *far)}
        given = {one: x[one - 1] for one in quilt}
        own = {node: x[node - 1]}
        both = _chance(joint, {**at, **own}) * _chance(joint, given)
        if both != _chance(joint, at) * _chance(joint, {**given, **own}):
            return False
    return True


def _blankets_and_quilts_part() -> bool:
    """X_1's blanket parts it from X_4; {X_1} parts X_2 from X_3, which deleting it does not."""
    return all(
        _parted(joint, 1, (2, 3), (4,)) and _parted(joint, 2, (1,), (3,)) for joint in _examples(5)
    )


def _middle_of_a_chain_is_parted() -> bool:
    """On a chain of 7 nodes {X_2, X_6} parts X_4 from X_1 and X_7."""
    random = Random(14)  # noqa: S311
    chain = _random_network(random, ((), *((at,) for at in range(1, 7))))
    return _parted(_joint_of(chain), 4, (2, 6), (1, 7))


def _colliders_are_not_parted() -> bool:
    """In X_1 -> X_3 <- X_2 the set {X_3} does not part X_1 from X_2."""
    random = Random(15)  # noqa: S311
    return not _parted(_joint_of(_random_network(random, ((), (), (1, 2)))), 1, (3,), (2,))


def _density(
    joint: _Joint, node: int, value: int, queries: list[list[int]], seen: tuple[int, ...]
) -> Fraction:
    """Return the density of all answers given a value of the node, up to a common factor."""
    total = Fraction(0)
    for x, p in joint.items():
        if x[node - 1] == value:
            factor = prod(
                (
                    1 / rate ** abs(at - sum(a * b for a, b in zip(query, x, strict=True)))
                    for query, rate, at in zip(queries, _RATES, seen, strict=False)
                ),
                start=Fraction(1),
            )
            total += p * factor
    return total / _chance(joint, {node: value})


def _quilts_bound(releases: int) -> bool:
    """Ratios of densities are at most e^(e(Q)) times the product of rates^card(N), every quilt."""
    random = Random(16)  # noqa: S311
    near = {(): 4, (1,): 2, (3,): 3, (1, 3): 2, (1, 4): 2, (1, 3, 4): 1}
    for joint in _examples(3):
        queries = [[random.choice((0, 1)) for _ in range(4)] for _ in range(releases)]
        outcomes = list(product(range(-1, 6), repeat=releases))
        laws = [{w: _density(joint, 2, v, queries, w) for w in outcomes} for v in (0, 1)]
        worst = max(a[w] / b[w] for a, b in permutations(laws, 2) for w in outcomes)
        for quilt, card in near.items():
            if worst > _influence(joint, 2, quilt) * prod(_RATES[:releases]) ** card:
                return False
    return True


def _one_release_is_bounded() -> bool:
    """The bound for one release."""
    return _quilts_bound(1)


def _two_releases_are_bounded() -> bool:
    """The bound for two releases together."""
    return _quilts_bound(2)


def _sums_bound_every_combination() -> bool:
    """e_1 + c_1 (1/s_1 + 1/s_2) <= epsilon_1 + epsilon_2 where c_1 <= c_2, c/s <= epsilon - e."""
    random = Random(17)  # noqa: S311
    for _ in range(100):
        cards = sorted(random.randint(1, 9) for _ in "ab")
        influences = [Fraction(random.randint(0, 9), 4) for _ in "ab"]
        wanted = [e + Fraction(random.randint(1, 9), 3) for e in influences]
        inverse = [(eps - e) / c for eps, e, c in zip(wanted, influences, cards, strict=True)]
        if influences[0] + cards[0] * sum(inverse) > sum(wanted):
            return False
        if sum(wanted) > len(wanted) * max(wanted):
            return False
    return True


def sets_of_others(length: int) -> int:
    """Count the sets of other nodes of a chain's node."""
    return sum(1 for size in range(length) for _ in combinations(range(length - 1), size))


_NOTE = "song2017/networks.md"


def _protect(says: str, formula: Callable[[], bool] = _one_release_is_bounded) -> Proof:
    return Proof("quilt-network.md#quilts-protect", f"{says} (3)", (Formula("(3)", formula),))


_NETWORKS_STATEMENTS = (
    Statement(
        id="song2017.figure-2",
        kind="figure",
        where="Section 4.1, the factorisation and Figure 2",
        says="The law of a network is the product of its tables; for the graph of Figure 2 that is "
        "P(X1) P(X2|X1) P(X3|X1) P(X4|X2,X3).",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#product-of-tables",
                "the product sums to 1 and has the tables as its conditional laws (1)",
                (Formula("(1)", _product_of_tables_is_the_law),),
            ),
        ),
    ),
    Statement(
        id="song2017.definition-4-1",
        kind="definition",
        where="Section 4.2, Definition 4.1 and the text after it",
        says="The max-influence is the largest max-divergence between laws given two values of "
        "X_i, and 0 where the others are independent of X_i.",
        hypotheses=("given a value of probability 0 there is no law, and nothing to compare",),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#no-influence",
                "it is 0 exactly where they are independent (2)",
                (Formula("(2)", _no_influence_is_independence),),
            ),
        ),
    ),
    Statement(
        id="song2017.definition-4-2",
        kind="definition",
        where="Section 4.2, Definition 4.2, the blanket before it, Figure 3",
        says="The rest of a network is independent of a node given its Markov blanket; "
        "{X_(i-2), X_(i+2)} is a quilt of a chain's node, and so is the empty set.",
        garbled="whether condition 1 asks for parts without a path between them; Theorem 4.3 "
        "needs condition 2 alone",
        note=_NOTE,
        evidence=(
            Proof(
                "quilt-network.md#active-walks-decide-independence",
                "no active walk leaves a blanket, or passes X_(i-2) or X_(i+2) on a chain; "
                "condition 1 alone would not do: X_1 -> X_3 <- X_2",
                (
                    Formula("blanket", _blankets_and_quilts_part),
                    Formula("chain", _middle_of_a_chain_is_parted),
                    Formula("collider", _colliders_are_not_parted),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.algorithm-2",
        kind="algorithm",
        where="Section 4.2, Algorithm 2",
        says="The scale of the Markov quilt mechanism, with the supremum over the class inside the "
        "minimum over quilts, protects every law of the class.",
        hypotheses=("the trivial quilt is among the quilts, as in Theorem 4.3",),
        note=_NOTE,
        evidence=(
            _protect("the influence over the class is at least that of each law"),
            Instance(
                "it can be more than each law needs: two links of 1/10 and 2/5, or the reverse, at "
                "epsilon = 2, where the printed order gives 3/2",
                At(
                    "pufferfish.network_scale",
                    {
                        "networks": [
                            [
                                {"parents": [], "table": [["1/2", "1/2"]]},
                                {"parents": [1], "table": [[one, rest], [rest, one]]},
                                {"parents": [2], "table": [[two, left], [left, two]]},
                            ]
                            for one, rest, two, left in (
                                ("0.9", "0.1", "0.6", "0.4"),
                                ("0.6", "0.4", "0.9", "0.1"),
                            )
                        ],
                        "epsilon": 2,
                        "width": 3,
                    },
                ),
                "<",
                Exactly("3/2"),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-vector-valued",
        kind="remark",
        where="Section 4.2, vector-valued functions",
        says="For a query that is L-Lipschitz in the 1-norm, independent noise of the same scale "
        "on each coordinate gives the same epsilon.",
        note=_NOTE,
        evidence=(_protect("the proof takes the 1-norm: a coordinate each is a factor each"),),
    ),
    Statement(
        id="song2017.theorem-4-3",
        kind="theorem",
        where="Section 4.2, Theorem 4.3; proof in Appendix C.1",
        says="The Markov quilt mechanism is epsilon-Pufferfish private; for one node the scale "
        "card(X_N)/(epsilon - delta) is enough.",
        hypotheses=(
            "F is L-Lipschitz",
            "the trivial quilt is among the quilts",
            "influences compare values of positive probability",
        ),
        note=_NOTE,
        evidence=(
            _protect("the loss is at most e(Q) + card(X_N)/scale for every quilt"),
            Reproduced(
                "five independent bits released with scale 1/2 lose all of epsilon = 2",
                "2.00000",
                At(
                    "pufferfish.chain_loss",
                    {
                        "chains": one_chain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]]),
                        "length": 5,
                        "values": [["0", "1"]],
                        "scale": "1/2",
                    },
                ),
                decides=False,
            ),
        ),
    ),
)


# The quilts of node 2 of 3 in the order of the paper: lags to the left and right.
_QUILTS = {(0, 0): "the empty quilt", (1, 0): "{X_1}", (0, 1): "{X_3}", (1, 1): "{X_1, X_3}"}
_SCORES = ("0.3", "0.2437", "0.2437", "0.1558")
_EPSILON = 10


@dataclass(frozen=True)
class _Score:
    """The score of a quilt: so many nodes over epsilon less an influence, by both engines."""

    card: int
    epsilon: Fraction
    influence: At

    def enclosed(self) -> Enclosed:
        """Return the score; it rises with the influence."""
        e = self.influence.enclosed()
        of = f"{self.card}/({self.epsilon} - {e.of})"
        return Enclosed(of, self._of(e.first), self._of(e.second))

    def _of(self, e: Enclosure) -> Enclosure:
        ends = (
            Enclosure.of(self.card / (self.epsilon - Fraction(end))) for end in (e.lower, e.upper)
        )
        low, high = ends
        return Enclosure(low.low, high.high)


def _influence_of_three_nodes(lags: tuple[int, int]) -> At:
    left, right = lags
    given = {"initial": START_OF_THREE, "P": P_1, "node": 2, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _score(lags: tuple[int, int]) -> _Score:
    return _Score(near(2, 3, *lags), Fraction(_EPSILON), _influence_of_three_nodes(lags))


def _influences_are(expected: tuple[int, ...]) -> Callable[[], Trilean]:
    def found() -> Trilean:
        start, moves = numbers(START_OF_THREE), matrix(P_1)
        by_formula = [influence_by_formula(start, moves, 2, *lags) for lags in _QUILTS]
        by_paths = [
            influence_by_paths(start, moves, 3, 2, [1] * left + [3] * right)
            for left, right in _QUILTS
        ]
        return Trilean.of(by_formula == by_paths == list(expected))

    return found


_THREE_NODES_STATEMENTS = (
    Statement(
        id="song2017.example-4-3-influences",
        kind="number",
        where="Section 4.3, example after Definition 4.5",
        says="For X_2 of three nodes the four quilts have influences 0, log 6, log 6, log 36 and "
        "leave 3, 2, 2, 1 nodes.",
        garbled="quilt sizes are those of X_N",
        note=_NOTE,
        evidence=(
            Identity(
                "e to the influences, by the formula and over all paths",
                _influences_are((1, 6, 6, 36)),
            ),
            Identity(
                "nodes left with X_2",
                lambda: Trilean.of([near(2, 3, *lags) for lags in _QUILTS] == [3, 2, 2, 1]),
            ),
        ),
    ),
    Statement(
        id="song2017.example-4-3-scores",
        kind="number",
        where="Section 4.3, same example, epsilon = 10",
        says="The scores are 0.3, 0.2437, 0.2437 and 0.1558, so {X_1, X_3} is active.",
        note=_NOTE,
        evidence=(
            *(
                Reproduced(f"score of {name}", printed, _score(lags))
                for (lags, name), printed in zip(_QUILTS.items(), _SCORES, strict=True)
            ),
            Instance("the last is the least", _score((1, 1)), "<", _score((1, 0)), decides=True),
        ),
    ),
)


_COMPOSITION = "song2017/composition.md"


# What the quilts of the second running chain ask for, a little rounded up, for two epsilons.
_LENGTH, _SCALES, _SUM = 100, ("10.6402", "0.5338"), "6"


def _active_quilts_differ() -> Trilean:
    start, moves = numbers(START_2), matrix(P_2)
    found = []
    for epsilon in (1, 5):
        scores = ByPowers(start, moves, _LENGTH, Fraction(epsilon), all_states=False)
        found.append(scores.least(6)[1])
    return Trilean.of(found == [(0, 4), (1, 1)])


def _chain_of_two(**more: object) -> dict[str, object]:
    return {"chains": one_chain(START_2, P_2), "length": _LENGTH, "width": _LENGTH, **more}


_ADD_UP = Proof(
    "quilt-network.md#epsilons-add-up",
    "the quilt of the least card bounds the sum (1), at most K times the largest (2)",
    (
        Formula("(1)", _two_releases_are_bounded),
        Formula("(2)", _sums_bound_every_combination),
    ),
)

_COMPOSITION_STATEMENTS = (
    Statement(
        id="song2017.theorem-4-4",
        kind="theorem",
        where="Section 4.3, Theorem 4.4; proof in Appendix C.1",
        says="K releases by the quilt mechanism, each epsilon-private, with the same sets of "
        "quilts, are K epsilon-private together.",
        hypotheses=("independent noise",),
        note=_COMPOSITION,
        evidence=(_ADD_UP,),
    ),
    Statement(
        id="song2017.remark-composition-condition",
        kind="remark",
        where="Section 4.3, last paragraph",
        says="One active quilt for all releases is enough for epsilons to add up, and for "
        "different epsilons with the same sets K times the largest is guaranteed.",
        note=_COMPOSITION,
        evidence=(_ADD_UP,),
        readings=(
            Reading(
                "one active quilt is needed for epsilons to add up",
                (
                    Instance(
                        "second running chain at epsilons 1 and 5, whose active quilts differ: the "
                        "releases together are not bounded by the sum",
                        At("pufferfish.quilt_epsilon", _chain_of_two(scales=list(_SCALES))),
                        ">",
                        Exactly(_SUM),
                    ),
                    Identity(
                        "the active quilts of X_6 are {X_10} at 1 and {X_5, X_7} at 5",
                        _active_quilts_differ,
                        decides=False,
                    ),
                    *(
                        Instance(
                            f"the scale needed for epsilon = {epsilon}",
                            At("pufferfish.quilt_scale_exact", _chain_of_two(epsilon=epsilon)),
                            "<=",
                            Exactly(scale),
                        )
                        for epsilon, scale in zip((1, 5), _SCALES, strict=True)
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Statement(
        id="song2017.remark-composition-condition-repaired",
        kind="repair",
        repairs="song2017.remark-composition-condition",
        where="Section 4.3, Theorem 4.4 and the last paragraph",
        says="Releases for epsilon_1, ..., epsilon_K lose at most their sum together, whatever "
        "their quilts, also for queries chosen in view of earlier answers.",
        note=_COMPOSITION,
        evidence=(_ADD_UP,),
    ),
)

STATEMENTS = (*_NETWORKS_STATEMENTS, *_THREE_NODES_STATEMENTS, *_COMPOSITION_STATEMENTS)
