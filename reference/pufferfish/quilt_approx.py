"""MQMApprox of song2017: the scale of the Laplace noise from two numbers of a class of chains.

``pi_min`` bounds all stationary probabilities of all chains of the class from below, ``gap`` their
eigengaps, with multiplicities. The scale is per unit of the query's Lipschitz constant: the largest
over the nodes of the least score over *all* quilts. No loop runs over nodes. With s the least score
of two-sided quilts in a chain without ends, L_i and R_i those of the quilts of node i with a left
and with a right side only, the least score of node i is min(s, L_i, R_i, length/epsilon); L falls
and R rises in i, so the worst node is where they cross
(proofs_notes/eigengap.md#best-quilt-of-a-node).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

from flint import arb

from ..arb.balls import INFINITY, ball, middle
from ..domain import AT_LEAST_ZERO, Condition, Interval, OpenProbability, Positive, count_from
from ..precision import check_budget
from ..quantity import Side as SafeSide
from ..quantity import Truth, quantity
from .least_score import Kind, Mixing, Side, larger, least_score, smaller

NOTE = "proofs_notes/eigengap.md"
# A general gap is at most 1, one by song2017 (14) at most 2, and -log(1 - gap) has no bound.
GAP = Annotated[Fraction, Interval(at_least=Fraction(0), search=("0.001", "2"))]
LENGTH = Annotated[int, count_from(1, 1_000)]
HAS_GAP = Condition(
    "gap > 0: without a gap this bounds no influence; take the gap of several steps at once "
    "(proofs_notes/eigengap.md#several-steps-at-once) or pufferfish.quilt_scale_exact",
    lambda gap: gap > 0,
    "song2017 Lemma 4.8",
)


@quantity(
    "pufferfish.quilt_scale_approx",
    safe=SafeSide.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(HAS_GAP,),
    rises="length",
    falls="pi_min gap epsilon",
)
def quilt_scale_approx(
    pi_min: OpenProbability, gap: GAP, length: LENGTH, epsilon: Positive
) -> arb | Fraction:
    """Scale of MQMApprox for any initial law: largest over the nodes, least over all quilts.

    song2017 Algorithm 4 with the influence of Lemma C.1: w at the lag of the right side and 2 w at
    that of the left one. ``length``/``epsilon`` is never exceeded.
    """
    return _Release(Mixing(pi_min, gap), length, epsilon, backward=2).scale()


@quantity(
    "pufferfish.quilt_scale_approx_stationary",
    safe=SafeSide.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(HAS_GAP,),
    rises="length",
    falls="pi_min gap epsilon",
)
def quilt_scale_approx_stationary(
    pi_min: OpenProbability, gap: GAP, length: LENGTH, epsilon: Positive
) -> arb | Fraction:
    """Scale of MQMApprox for chains that start from their stationary laws.

    The influence of the left side is then w, as on the right (#backward-factor of the note).
    """
    return _Release(Mixing(pi_min, gap), length, epsilon, backward=1).scale()


class _Release(NamedTuple):
    """One release of a query on a chain, and the factor of the influence to the left."""

    mixing: Mixing
    length: int
    epsilon: Fraction
    backward: int

    def scale(self) -> arb | Fraction:
        """Enclose min(s, length/epsilon, largest over the nodes of min(L_i, R_i))."""
        trivial = self.length / self.epsilon
        inner = self._least(-1, Side(self.backward), Side(1))
        # Every quilt of the middle node with one side leaves half of the chain within it.
        if inner * ball(self.epsilon) < (self.length + 1) // 2:
            return inner
        best = smaller(inner, self._at_the_ends())
        return trivial if best > ball(trivial) else smaller(best, ball(trivial))

    def _left(self, node: int) -> arb:
        """Enclose L_i, which falls in the node; infinite at node 1."""
        if node == 1:
            return INFINITY
        return self._least(self.length - node, Side(self.backward, node - 1))

    def _right(self, node: int) -> arb:
        """Enclose R_i, which rises in the node; infinite at the last one."""
        if node == self.length:
            return INFINITY
        return self._least(node - 1, Side(1, self.length - node))

    def _least(self, offset: int, *sides: Side) -> arb:
        return least_score(Kind(self.mixing, self.epsilon, offset, sides))

    def _at_the_ends(self) -> arb:
        """Enclose the largest over the nodes of min(L_i, R_i).

        It is at least what two neighbours j and j + 1 have, and, L falling and R rising, at most
        max(R_j, L_(j+1)), for whatever j; where the two cross these are equal.
        """
        after = self._crossing()
        above = smaller(self._left(after), self._right(after))
        if not above.is_finite():  # a node with neither kind of quilt, or nothing is decided
            return above
        before = after - 1
        below = smaller(self._left(before), self._right(before))
        upper = larger(self._right(before), self._left(after))
        return larger(below, above).union(upper)

    def _crossing(self) -> int:
        """Return about the first node with R_i >= L_i; which one is no matter of proof."""
        low, high = 1, self.length
        while low < high:
            check_budget()
            node = (low + high) // 2
            if _about(self._right(node)) >= _about(self._left(node)):
                high = node
            else:
                low = node + 1
        return low


def _about(value: arb) -> Fraction | float:
    """Return the middle of a ball; of an infinite one, infinity."""
    return middle(value) if value.is_finite() else float("inf")
