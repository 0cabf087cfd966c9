"""The Markov Quilt mechanism for Bayesian networks given as tables (song2017 Algorithm 2).

Scales are per unit of the query's Lipschitz constant in the 1-norm. Every set of other nodes is a
quilt of a node, which parts from it what it d-separates; sets that leave more than ``width`` nodes
near it are left out, but the empty one always takes part, which leaves near what is linked to the
node: the whole network, or its piece of it. The least score is over all of these, not over a
family of them. A node that can have one value only needs no noise.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, NamedTuple

from flint import arb

from ...domain import AT_LEAST_ZERO, INDEX_SET, NETWORK, NETWORKS, Condition, Positive, count_from
from ...noisy_releases import OfNetworks
from ...precision import seconds_left
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN, InverseOf, NoisePromise, each, more
from ...structures import Network
from ..loss import log_ratio
from ..quilt.exact import SCALES, WIDTH, rate_of
from ..quilt.score import EpsilonOf, ScaleFor, Score
from .graph import NetworkQuilt
from .search import NO_QUILT, Inference, worst_of

NOTE = "proofs_notes/quilt-network.md"
NODE = Annotated[int, count_from(1, 3)]
NUMBERED = "nodes are numbered from 1"


class WorstNode(NamedTuple):
    """What sets a score: the network and node, from 1, and a quilt that is best there.

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
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(
        Condition(
            "node at most the number of nodes",
            lambda network, node: node <= len(network),
            NUMBERED,
        ),
        Condition(
            "every number in quilt at most the number of nodes",
            lambda network, quilt: all(one <= len(network) for one in quilt),
            NUMBERED,
        ),
        Condition(
            "node not in quilt", lambda node, quilt: node not in quilt, "song2017 Definition 4.1"
        ),
    ),
    rises=UNKNOWN,
)
def network_influence(network: NETWORK, node: NODE, quilt: INDEX_SET) -> arb | Fraction:
    """Max-influence of a network's node on a set of others, song2017 Definition 4.1.

    Over values of positive probability; exactly 0 where they are independent, infinite where the
    set can rule a value of the node out. For a class of networks it is the largest of them.
    """
    return log_ratio(Inference(network).ratio(node, frozenset(quilt)))


@quantity(
    "pufferfish.network_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
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
    source=NOTE,
    within=AT_LEAST_ZERO,
    rises=more("networks"),
    falls=("width", each("scales")),
    noise=NoisePromise("epsilon", lambda p: OfNetworks(p["networks"], 1 / rate_of(p["scales"]))),
)
def network_epsilon(networks: NETWORKS, scales: SCALES, width: WIDTH) -> arb:
    """Epsilon that several Laplace releases of a network, of these scales, give together by quilts.

    The largest over networks and nodes of the least influence + card(near) * (sum of 1/scale) over
    quilts. Queries may be chosen in view of earlier answers. Never more than the sum of the
    epsilons for which these scales are asked one by one.
    """
    return worst_node(networks, EpsilonOf(rate_of(scales)), width).score
