"""MQMExact of song2017: the Markov Quilt mechanism for chains, listed or given by an interval.

Scales are per unit of the query's Lipschitz constant in the 1-norm. All quilts of song2017 Lemma
4.6 take part, whichever end of the chain they reach over, those with more than ``width`` nodes near
the protected one left out; the trivial quilt, the whole chain, always takes part. A node that can
have one value only needs no noise.

Not every node has to be searched: a good quilt of one node bounds other nodes, too
(proofs_notes/quilt-influence.md):

- stationary start: a two-sided quilt bounds every node, one to the left alone every later node,
  one to the right alone every earlier one. So bisection finds the worst node.
- any start: a quilt with a left side bounds every later node; once a node's values no longer
  change, one without bounds the earlier ones from there on.
- a given law: what bounds all later nodes for any start bounds them for this one.

Of the chains of two states whose probabilities to stay lie in one interval, song2017 Section 5.2
makes a grid. None is needed: with every initial law allowed, no influence of any quilt is larger
than that in a symmetric chain at a corner, where both states are left as rarely, or as often, as
the class allows (proofs_notes/two-state-corner.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np
from flint import arb, ctx

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
from ...markov.structure import has_one_stationary_law
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...relations import InverseOf, NoisePromise, OfChains, OfTwoStates, each, more
from ...structures import ANY, STATIONARY, ChainLaw
from .influence import NOTE, Chain
from .node import Best, Nodes, Quilt
from .score import EpsilonOf, RatioBounds, ScaleFor, Score, Tables

# Later nodes are given up on for good once what they can add is below 2^-(precision - so many).
_SPARED_BITS = 40
# A bound on all later nodes is tried for whenever this many times as many nodes were searched.
_CHECKPOINTS = Fraction(5, 4)
# Quilts that were best for some node and are tried on the next one before a search. For speed.
_REMEMBERED = 6


class _Worst(NamedTuple):
    """The largest score over the nodes, a node with about that score, and a best quilt there."""

    score: arb
    node: int
    quilt: Quilt


@dataclass
class _Found:
    """The largest score of the nodes so far, and a bound on all nodes that are done with."""

    score: arb = field(default_factory=lambda: arb(0))
    bound: arb = field(default_factory=lambda: arb(0))
    node: int = 0
    quilt: Quilt = field(default_factory=lambda: Quilt(0, 0))

    def add(self, node: int, best: Best) -> None:
        """Take the score of one node into account."""
        if not self.node or best.reached > self.bound:
            self.node, self.quilt = node, best.quilt
        self.score = self.score.max(best.score)
        self.bound = self.bound.max(best.reached)

    @property
    def worst(self) -> _Worst:
        """The answer, once every node is done with; no node at all needs noise: 0."""
        return _Worst(self.score.union(self.bound), self.node, self.quilt)


def _worst_of(chain: Chain, length: int, score: Score, width: int) -> _Worst:
    """Enclose the largest over the nodes of the least score over a node's quilts."""
    nodes = Nodes(Tables(chain), length, score, width)
    found = _Found()
    if chain.steady:
        _bisect(nodes, found, 1, length)
    elif chain.start is None:
        _search_any(nodes, found)
    else:
        _search_given(nodes, found)
    return found.worst


def _is_trivial(best: Best) -> bool:
    return best.quilt == (0, 0)


def _bisect(nodes: Nodes, found: _Found, first: int, last: int) -> None:
    """Search nodes whose possible values are the same and that cover each other as above."""
    steady = nodes.chain.steady
    while first <= last:
        check_budget()
        # What is worst for any start is near the start, mostly, however long the chain.
        node = (first + last) // 2 if steady else min((first + last) // 2, 2 * first)
        best = nodes.best(node)
        if best is None:
            return
        found.add(node, best)
        if _is_trivial(best) or (steady and best.quilt.left and best.quilt.right):
            return
        if best.quilt.left:
            last = node - 1
        else:
            first = node + 1


def _search_any(nodes: Nodes, found: _Found) -> None:
    node = 1
    while node < nodes.length and not _is_settled(nodes.chain, node):
        best = nodes.best(node)
        node += 1
        if best is not None:
            found.add(node - 1, best)
            if best.quilt.left or _is_trivial(best):
                return
    _bisect(nodes, found, node, nodes.length)


def _is_settled(chain: Chain, node: int) -> bool:
    return np.array_equal(chain.support(node), chain.support(node + 1))


def _search_given(nodes: Nodes, found: _Found) -> None:
    """Search node after node, until a bound for any start covers the rest."""
    anyhow = Nodes(Tables(nodes.chain.with_any_start()), nodes.length, nodes.score, nodes.width)
    done = tried = 0
    for checkpoint in _checkpoints(nodes.length):
        _search_stretch(nodes, found, done + 1, checkpoint)
        done = checkpoint
        if done == nodes.length or (found.node and found.quilt == (0, 0)):
            return  # no node can have a larger score than the trivial quilt
        # A left side of an earlier node's quilt fits at the next node, too.
        bounds = _bounds(anyhow, found)
        if found.quilt.left and anyhow.reaches(done + 1, [found.quilt], bounds):
            return
        if done >= 2 * tried:
            tried = done
            if _covers_the_rest(anyhow, found, done + 1):
                return


def _checkpoints(length: int) -> Iterator[int]:
    node = 1
    while node < length:
        yield node
        node = max(node + 1, int(node * _CHECKPOINTS))
    yield length


def _search_stretch(nodes: Nodes, found: _Found, first: int, last: int) -> None:
    """Search the nodes of a stretch, the last one first: what it needs is often enough for all."""
    remembered: list[Quilt] = []
    bounds = _bounds(nodes, found)
    for node in (last, *range(first, last)):
        check_budget()
        if nodes.reaches(node, remembered, bounds):
            continue
        best = nodes.best(node)
        if best is None:
            continue
        found.add(node, best)
        remembered = [best.quilt, *(one for one in remembered if one != best.quilt)][:_REMEMBERED]
        bounds = _bounds(nodes, found)


def _bounds(nodes: Nodes, found: _Found) -> RatioBounds:
    """Return for each card a ratio with which a quilt certainly has no larger score than found."""
    return RatioBounds(nodes.score, found.score.lower(), above=False)


def _covers_the_rest(anyhow: Nodes, found: _Found, node: int) -> bool:
    """Whether a quilt for any start with a left side shows that later nodes add nothing."""
    if not found.node:
        return False
    best = anyhow.best(node)
    if best is None:  # later nodes have one value only, whatever the start
        return True
    if not best.quilt.left:
        return False
    bound = found.bound.max(best.reached)
    if not bound - found.score < bound * arb(2) ** (_SPARED_BITS - ctx.prec):
        return False
    found.bound = bound
    return True


LENGTH = Annotated[int, count_from(1, 12, 100)]
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
    """The node that sets a score: the chain and node, from 1, and the nodes of a best quilt there.

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
            worst = _worst_of(Chain.of(law), length, score, width)
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
    formula=r"\sigma = \max_{\theta, t} \; \min_Q \frac{\mathrm{card}(X_N)}{\varepsilon - e(Q "
    r"\mid X_t)}",
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
    formula=r"\max_{\theta, t} \; \min_Q \left( e(Q \mid X_t) + \mathrm{card}(X_N) \sum_j "
    r"\frac{1}{\sigma_j} \right)",
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
    formula=r"\sigma = \max_j \; \max_{\theta, t \le T_j} \; \min_Q "
    r"\frac{\mathrm{card}(X_N)}{\varepsilon - e(Q \mid X_t)}",
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


_CORNER_NOTE = "proofs_notes/two-state-corner.md"
# Both ends of a drawn interval come from here; a condition puts them in order.
_STAY = Annotated[Fraction, Interval(above=Fraction(0), below=Fraction(1), search=("0.01", "0.99"))]
_SHORT = Annotated[int, count_from(1, 12, 100)]


def worst_corner(low: Fraction, high: Fraction) -> ChainLaw:
    """Return the chain that decides a class, with every initial law.

    Influences in a symmetric chain grow with |2 stay - 1|, so it is the end farther from 1/2.
    """
    stay = high if low + high >= 1 else low
    return ChainLaw(ANY, ((stay, 1 - stay), (1 - stay, stay)))


def corners(first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction]) -> list[ChainLaw]:
    """Return the chains that decide a class of two states, each with its bounds on staying.

    Both states are left as rarely as the class allows, or as often; with every initial law, no
    quilt's influence under a member is above that under one of these two
    (proofs_notes/two-state-corner.md#rectangles-have-two-corners).
    """
    ends = sorted({(first[1], second[1]), (first[0], second[0])})
    return [ChainLaw(ANY, ((one, 1 - one), (1 - two, two))) for one, two in ends]


@quantity(
    "pufferfish.quilt_scale_two_state",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_CORNER_NOTE,
    formula=r"\sigma = \sup_{p_0, p_1 \in [l, h]} \; \max_t \; \min_Q "
    r"\frac{\mathrm{card}(X_N)}{\varepsilon - e(Q \mid X_t)}",
    within=AT_LEAST_ZERO,
    conditions=(Condition("low <= high", lambda low, high: low <= high, _CORNER_NOTE),),
    rises="high length",
    falls="low epsilon width",
    noise=NoisePromise(
        "scale", lambda p: OfTwoStates(p["low"], p["high"], p["length"], p["scale"])
    ),
)
def quilt_scale_two_state(
    low: _STAY, high: _STAY, length: _SHORT, epsilon: Positive, width: _SHORT
) -> arb | Fraction:
    """Laplace scale of MQMExact for all chains of two states that stay with p in [low, high].

    Both probabilities to stay and the initial law are free: song2017's Theta = [alpha, beta]. Per
    unit of the query's Lipschitz constant; exact, as the supremum over the class is attained.
    """
    scale: arb | Fraction = quilt_scale_exact((worst_corner(low, high),), length, epsilon, width)
    return scale
