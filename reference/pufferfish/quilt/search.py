"""The largest score over the nodes of a chain: which nodes have to be searched, and which not.

A good quilt of one node bounds other nodes, too (proofs_notes/quilt-influence.md):

- stationary start: a two-sided quilt bounds every node, one to the left alone every later node,
  one to the right alone every earlier one. So bisection finds the worst node.
- any start: a quilt with a left side bounds every later node; once a node's values no longer
  change, one without bounds the earlier ones from there on.
- a given law: what bounds all later nodes for any start bounds them for this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import arb, ctx

from ...precision import check_budget
from ..chain import Chain
from .node import Best, Nodes, Quilt
from .score import RatioBounds, Score
from .tables import Tables

# Later nodes are given up on for good once what they can add is below 2^-(precision - so many).
_SPARED_BITS = 40
# A bound on all later nodes is tried for whenever this many times as many nodes were searched.
_CHECKPOINTS = Fraction(5, 4)
# Quilts that were best for some node and are tried on the next one before a search. For speed.
_REMEMBERED = 6


class Worst(NamedTuple):
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
    def worst(self) -> Worst:
        """The answer, once every node is done with; no node at all needs noise: 0."""
        return Worst(self.score.union(self.bound), self.node, self.quilt)


def worst_of(chain: Chain, length: int, score: Score, width: int) -> Worst:
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
