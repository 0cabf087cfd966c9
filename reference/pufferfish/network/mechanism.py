"""Bayesian networks given as tables: the Markov Quilt mechanism, and additive queries' losses.

The mechanism is song2017 Algorithm 2. Scales are per unit of the query's Lipschitz constant in the
1-norm. Every set of other nodes is a quilt of a node, which parts from it what it d-separates; sets
that leave more than ``width`` nodes near it are left out, but the empty one always takes part,
which leaves near what is linked to the node: the whole network, or its piece of it. The least score
is over all of these, not over a family of them. A node that can have one value only needs no noise.

An additive query is the sum over nodes of values[node][state]. Its law given a node's state is a
polynomial that variable elimination finds, the exponent of x the query's value and the coefficient
the weight: data sets are summed over, never listed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple, TypeAlias

from flint import Ordering, arb, fmpz_mpoly, fmpz_mpoly_ctx

from ...domain import AT_LEAST_ZERO, INDEX_SET, NETWORK, NETWORKS, Condition, Positive, count_from
from ...domain.matrices import ANY_NUMBERS, MatrixKind
from ...precision import check_budget, seconds_left
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN, InverseOf, NoisePromise, OfNetworks, each, more
from ...structures import Matrix, Network
from ..additive import Whole, atoms_of_weights, steps_of
from ..divergences import LOSS_NOTE, Atoms, log_ratio, loss_within
from ..quilt.exact import SCALES, WIDTH, rate_of
from ..quilt.score import EpsilonOf, ScaleFor, Score
from .inference import Factor, factors_of, joint_weights
from .search import NO_QUILT, Inference, NetworkQuilt, worst_of

_NOTE = "proofs_notes/quilt-network.md"
_NODE = Annotated[int, count_from(1, 3)]
_NUMBERED = "nodes are numbered from 1"


class WorstNode(NamedTuple):
    """The node that sets a score: the network and node, from 1, and a best quilt there.

    Node 0: no node of any network can have two values, or the time was too short to tell.
    """

    score: arb
    network: int
    node: int
    quilt: NetworkQuilt


def worst_node(networks: Iterable[Network], score: Score, width: int) -> WorstNode:
    """Enclose the largest over networks and nodes of the least score over a node's quilts.

    The score is proved, the node and its quilt are found: where two are equal or closer than the
    precision tells, one of them is named. Where the time is too short the score is wide: from the
    nodes that were finished to the best quilts at hand of all others.
    """
    found = WorstNode(arb(0), 0, 0, NO_QUILT)
    ends = time.monotonic() + seconds_left()
    for number, network in enumerate(networks, 1):
        worst = worst_of(network, score, width, found.score, ends)
        if worst.score is not found.score:
            found = WorstNode(worst.score, number if worst.node else 0, worst.node, worst.quilt)
    return found


def worst_node_for_scale(networks: Iterable[Network], epsilon: Fraction, width: int) -> WorstNode:
    """Enclose the scale that gives epsilon, with the node and an active quilt that set it."""
    return worst_node(networks, ScaleFor(epsilon), width)


@quantity(
    "pufferfish.network_influence",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"e(Q \mid X_i) = \max_{a, a'} \; \max_{x_Q} \log \frac{P(X_Q = x_Q \mid X_i = "
    r"a)}{P(X_Q = x_Q \mid X_i = a')}",
    within=AT_LEAST_ZERO,
    conditions=(
        Condition(
            "node at most the number of nodes",
            lambda network, node: node <= len(network),
            _NUMBERED,
        ),
        Condition(
            "every number in quilt at most the number of nodes",
            lambda network, quilt: all(one <= len(network) for one in quilt),
            _NUMBERED,
        ),
        Condition(
            "node not in quilt", lambda node, quilt: node not in quilt, "song2017 Definition 4.1"
        ),
    ),
    rises=UNKNOWN,
)
def network_influence(network: NETWORK, node: _NODE, quilt: INDEX_SET) -> arb | Fraction:
    """Max-influence of a network's node on a set of others, song2017 Definition 4.1.

    Over values of positive probability; exactly 0 where they are independent, infinite where the
    set can rule a value of the node out. For a class of networks it is the largest of them.
    """
    return log_ratio(Inference(network).ratio(node, frozenset(quilt)))


@quantity(
    "pufferfish.network_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\sigma = \max_{\theta, i} \; \min_Q \frac{\mathrm{card}(X_N)}{\varepsilon - e(Q "
    r"\mid X_i)}",
    within=AT_LEAST_ZERO,
    rises=more("networks"),
    falls="epsilon width",
    inverse=InverseOf("pufferfish.network_epsilon", "epsilon", "scales"),
    noise=NoisePromise("scale", lambda p: OfNetworks(p["networks"], p["scale"])),
)
def network_scale(networks: NETWORKS, epsilon: Positive, width: WIDTH) -> arb:
    """Laplace scale of song2017 Algorithm 2 that gives epsilon, per unit of Lipschitz.

    The largest over networks and nodes of the least card(near)/(epsilon - influence) over quilts.
    Where it is undecided the upper end is still enough: that of the best quilts found so far.
    """
    return worst_node_for_scale(networks, epsilon, width).score


@quantity(
    "pufferfish.network_epsilon",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\max_{\theta, i} \; \min_Q \left( e(Q \mid X_i) + \mathrm{card}(X_N) \sum_j "
    r"\frac{1}{\sigma_j} \right)",
    within=AT_LEAST_ZERO,
    rises=more("networks"),
    falls=("width", each("scales")),
    noise=NoisePromise("epsilon", lambda p: OfNetworks(p["networks"], 1 / rate_of(p["scales"]))),
    slow=True,
)
def network_epsilon(networks: NETWORKS, scales: SCALES, width: WIDTH) -> arb:
    """Epsilon that several Laplace releases of a network, of these scales, give together by quilts.

    The largest over networks and nodes of the least influence + card(near) * (sum of 1/scale) over
    quilts. Queries may be chosen in view of earlier answers. Never more than the sum of the
    epsilons for which these scales are asked one by one.
    """
    return worst_node(networks, EpsilonOf(rate_of(scales)), width).score


# At so many values the loss of ten nodes takes seconds; it costs in proportion to both.
_MAX_VALUES = 4096
_Networks: TypeAlias = tuple[Network, ...]
QUERY_VALUES = Annotated[
    Matrix,
    MatrixKind(ANY_NUMBERS, longest_searched=3, as_wide_as="networks", as_long_as="networks"),
]
# Sparse: exponents may be far apart, products cost what there is.
_RING = fmpz_mpoly_ctx.get(("x",), Ordering.lex)


def _row(values: Matrix, node: int) -> tuple[Fraction, ...]:
    """Return the values of a node's states, from the one row there is or from its own."""
    return values[0] if len(values) == 1 else values[node - 1]


def _has_a_value_for_each_state(networks: _Networks, values: Matrix) -> bool:
    """Whether the rows, which are of one length, are long enough for every node."""
    return all(len(node.table[0]) <= len(values[0]) for network in networks for node in network)


def _has_few_values(networks: _Networks, values: Matrix) -> bool:
    """Whether the query takes at most MAX_VALUES values in each network, whatever the tables."""
    for network in networks:
        sums = {Fraction(0)}
        for number, node in enumerate(network, 1):
            steps = {*_row(values, number)[: len(node.table[0])]}
            sums = {value + step for value in sums for step in steps}
            if len(sums) > _MAX_VALUES:
                return False
    return True


CONDITIONS = (
    Condition(
        "in values one row, or as many as each network has nodes",
        lambda networks, values: all(len(values) in (1, len(network)) for network in networks),
        LOSS_NOTE,
    ),
    Condition(
        "in every row of values an entry for each state of the node with the most states",
        _has_a_value_for_each_state,
        LOSS_NOTE,
    ),
    Condition(f"at most {_MAX_VALUES} values that the query can take", _has_few_values, LOSS_NOTE),
)


def laws_by_node(
    networks: _Networks, values: Matrix
) -> Iterator[tuple[int, int, dict[int, Atoms]]]:
    """Yield network, node, and the query's law given each of the node's states, all from 1.

    States of probability 0 are left out. In units of ``steps_of``, for each network from its own
    least value on.
    """
    for number, network in enumerate(networks, 1):
        factors = _factors(network, steps_of(values, len(network)).steps)
        for node in range(1, len(network) + 1):
            check_budget()
            found = joint_weights(factors, (node,))
            yield (
                number,
                node,
                {state + 1: atoms_of_weights(found[state,]) for (state,) in sorted(found)},
            )


def _factors(network: Network, steps: Sequence[Whole]) -> list[Factor]:
    def power(node: int, state: int) -> fmpz_mpoly:
        return _RING.from_dict({(steps[node - 1][state],): 1})

    return factors_of(network, power)


@quantity(
    "pufferfish.network_loss",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=LOSS_NOTE,
    formula=r"\max_{\theta, i, a, a'} \; \sup_x \log \frac{P_\theta(F + \mathrm{Lap}(\sigma) = x "
    r"\mid X_i = a)}{P_\theta(F + \mathrm{Lap}(\sigma) = x \mid X_i = a')}, \quad F = "
    r"\sum_i f_i(X_i)",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    falls="scale",
    log_ratio=True,
)
def network_loss(networks: NETWORKS, values: QUERY_VALUES, scale: Positive) -> arb:
    """Exact epsilon of an additive query of a network released with Laplace noise of this scale.

    The largest log-ratio over outcomes, nodes, pairs of a node's states, and networks. ``values``
    has one row, used at every node, or one for each node; entries beyond a node's states have no
    use.
    """
    unit = steps_of(values, 1).unit

    def groups() -> Iterator[list[Atoms]]:
        return ([*laws.values()] for _, _, laws in laws_by_node(networks, values))

    return loss_within(groups, scale / unit)
