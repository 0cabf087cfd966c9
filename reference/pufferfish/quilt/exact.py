"""MQMExact of song2017: Markov quilts of chains, listed one by one or given by an interval.

The Markov Quilt mechanism for chains, MQMExact of song2017: the scale, and what scales give.

Scales are per unit of the query's Lipschitz constant in the 1-norm. All quilts of song2017 Lemma
4.6 take part, whichever end of the chain they reach over, those with more than ``width`` nodes near
the protected one left out; the trivial quilt, the whole chain, always takes part. A node that can
have one value only needs no noise.

MQMExact for all chains of two states whose probabilities to stay lie in one interval.

song2017 Section 5.2 puts a grid over such a class. None is needed: with every initial law allowed,
no influence of any quilt is larger than that in a symmetric chain at a corner, where both states
are left as rarely, or as often, as the class allows (proofs_notes/two-state-corner.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, NamedTuple

from flint import arb

from ...arb.balls import extra_bits
from ...domain import (
    AT_LEAST_ZERO,
    CHAINS,
    WHOLE_NUMBERS,
    Condition,
    Entries,
    Interval,
    Positive,
    count_from,
)
from ...markov.stationary import has_one_stationary_law
from ...noisy_releases import OfChains, OfTwoStates
from ...quantity import Side, Truth, quantity
from ...relations import InverseOf, NoisePromise, each, more
from ...structures import ANY, STATIONARY, ChainLaw
from ..chain import Chain
from .influence import NOTE
from .node import Quilt
from .score import EpsilonOf, ScaleFor, Score
from .search import worst_of

LENGTH = Annotated[int, count_from(1, 12)]
WIDTH = Annotated[int, count_from(1, 12)]
SCALES = Annotated[tuple[Fraction, ...], Entries(Interval(above=Fraction(0)), longest_searched=3)]
CONDITIONS = (
    Condition(
        "in each chain that starts stationary one set of states that is never left",
        lambda chains: all(
            chain.initial != STATIONARY or has_one_stationary_law(chain.P) for chain in chains
        ),
        "else its stationary law is not unique",
    ),
)
# A power over 2^20 steps of 51 states loses some 30 bits, the rest some more.
_GUARD_BITS = 48


class WorstNode(NamedTuple):
    """What sets a score: the chain and node, from 1, and the nodes of a quilt that is best there.

    Node 0: no node of any chain can have two values. No node in ``quilt``: the trivial quilt.
    """

    score: arb
    chain: int
    node: int
    quilt: tuple[int, ...]


def worst_node(chains: Iterable[ChainLaw], length: int, score: Score, width: int) -> WorstNode:
    """Enclose the largest score over all nodes of all chains, and say about where it is reached.

    The score is proved, the node and its quilt are found: where two are equal or closer than the
    precision tells, one of them is named. Raises DomainError: no unique stationary law.
    """
    found = WorstNode(arb(0), 0, 0, ())
    for number, law in enumerate(chains, 1):
        with extra_bits(_GUARD_BITS + length.bit_length()):
            worst = worst_of(Chain.of(law), length, score, width)
        if not worst.node:
            continue
        one = WorstNode(worst.score, number, worst.node, _nodes_of(worst.node, worst.quilt))
        if not found.node:
            found = one
        else:
            kept = one if one.score > found.score else found
            found = kept._replace(score=worst.score.max(found.score))
    return found


def _nodes_of(node: int, quilt: Quilt) -> tuple[int, ...]:
    left = (node - quilt.left,) if quilt.left else ()
    return left + ((node + quilt.right,) if quilt.right else ())


def worst_node_for_scale(
    chains: Iterable[ChainLaw], length: int, epsilon: Fraction, width: int
) -> WorstNode:
    """Enclose MQMExact's scale, with the node and an active quilt that set it."""
    return worst_node(chains, length, ScaleFor(epsilon), width)


def rate_of(scales: Iterable[Fraction]) -> Fraction:
    """Return the sum of 1/scale, which is 1 over the scale of one release that loses as much."""
    return sum((1 / scale for scale in scales), Fraction(0))


@quantity(
    "pufferfish.quilt_scale_exact",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=("length", more("chains")),
    falls="epsilon width",
    inverse=InverseOf("pufferfish.quilt_epsilon", "epsilon", "scales"),
    noise=NoisePromise("scale", lambda p: OfChains(p["chains"], p["length"], p["scale"])),
)
def quilt_scale_exact(chains: CHAINS, length: LENGTH, epsilon: Positive, width: WIDTH) -> arb:
    """Laplace scale of song2017 Algorithm 3 (MQMExact) that gives epsilon, per unit of Lipschitz.

    The largest over chains and nodes of the least card/(epsilon - influence) over quilts. Initial
    laws "any" are song2017 C.4: the supremum over them stands inside the influence, which is safe,
    and can be more than Algorithm 3 asks over all of them.
    """
    return worst_node_for_scale(chains, length, epsilon, width).score


@quantity(
    "pufferfish.quilt_epsilon",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=("length", more("chains")),
    falls=("width", each("scales")),
    noise=NoisePromise(
        "epsilon", lambda p: OfChains(p["chains"], p["length"], 1 / rate_of(p["scales"]))
    ),
)
def quilt_epsilon(chains: CHAINS, length: LENGTH, scales: SCALES, width: WIDTH) -> arb:
    """Epsilon that several Laplace releases of a chain, of these scales, give together by quilts.

    The largest over chains and nodes of the least influence + card * (sum of 1/scale) over quilts.
    Queries may be chosen in view of earlier answers. Never more than the sum of the epsilons for
    which MQMExact asks these scales one by one.
    """
    return worst_node(chains, length, EpsilonOf(rate_of(scales)), width).score


@quantity(
    "pufferfish.quilt_scale_pieces",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=(more("chains"), more("lengths")),
    falls="epsilon width",
    noise=NoisePromise("scale", lambda p: OfChains(p["chains"], max(p["lengths"]), p["scale"])),
)
def quilt_scale_pieces(
    chains: CHAINS, lengths: WHOLE_NUMBERS, epsilon: Positive, width: WIDTH
) -> arb:
    """Laplace scale of MQMExact for a series of independent pieces, each started anew.

    A quilt leaves the other pieces out, so this is the largest scale of a piece: the longest's.
    """
    return worst_node_for_scale(chains, max(lengths), epsilon, width).score


NOTE = "proofs_notes/two-state-corner.md"
# Both ends of a drawn interval come from here; a condition puts them in order.
_STAY = Annotated[Fraction, Interval(above=Fraction(0), below=Fraction(1), search=("0.01", "0.99"))]
SHORT = Annotated[int, count_from(1, 12)]


def worst_corner(low: Fraction, high: Fraction) -> ChainLaw:
    """Return the chain that decides a class, with every initial law.

    Influences in a symmetric chain grow with |2 stay - 1|, so it is the end farther from 1/2.
    """
    stay = high if low + high >= 1 else low
    return ChainLaw(ANY, ((stay, 1 - stay), (1 - stay, stay)))


@quantity(
    "pufferfish.quilt_scale_two_state",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(Condition("low <= high", lambda low, high: low <= high, NOTE),),
    rises="high length",
    falls="low epsilon width",
    noise=NoisePromise(
        "scale", lambda p: OfTwoStates(p["low"], p["high"], p["length"], p["scale"])
    ),
)
def quilt_scale_two_state(
    low: _STAY, high: _STAY, length: SHORT, epsilon: Positive, width: SHORT
) -> arb | Fraction:
    """Laplace scale of MQMExact for all chains of two states that stay with p in [low, high].

    Both probabilities to stay and the initial law are free: song2017's Theta = [alpha, beta]. Per
    unit of the query's Lipschitz constant; exact, as the supremum over the class is attained.
    """
    scale: arb | Fraction = quilt_scale_exact((worst_corner(low, high),), length, epsilon, width)
    return scale
