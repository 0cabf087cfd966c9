"""MQMExact for all chains of two states that stay with probabilities from one interval.

A symmetric chain at a corner decides it (proofs_notes/two-state-corner.md). There all three terms
of an influence are w_t = 2 atanh(|2 stay - 1|^t), at the lags and at the node's distance from the
first one. What is left to 1 by the chance q of the rarer move, |2 stay - 1| = 1 - 2q, is exact in
doubles: 1 - stay is, for stay >= 1/2.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ..doubled import UNIT, Flags, Reals
from .chain import Chain
from .mixing import influences, whole_number_above
from .nodes import Nodes
from .quilts import largest_over_nodes, score_of_independent
from .scores import ScaleFor
from .tables import Tables

_EVEN = 0.5
_WHOLE = 2.0**53
# Lags beyond are not looked at, for memory.
_MOST_LAGS = 2**17


class _Symmetric(Tables):
    """The tables of a symmetric chain of two states, from the logarithm of |2 stay - 1|."""

    def __init__(self, log_modulus: float, longest: int) -> None:
        self.size = 2
        self.most = max(1, min(longest, _MOST_LAGS))
        self._log_modulus = log_modulus
        self._known = np.empty((0, 4))

    def forward(self, lags: int) -> Reals:
        if len(self._known) < lags:
            grown = np.arange(1.0, min(self.most, 2 * lags) + 1)
            self._known = self._rows(grown)
        return self._known[:lags]

    def backward(self, lags: int) -> Reals:
        return self.forward(lags)

    def backward_from(self, lag: int, sources: Flags) -> Reals:
        del sources  # with any start a node can have both values
        return np.asarray(self.forward(lag)[lag - 1])

    def far_forward(self, lag: int) -> Reals:
        return np.asarray(self._rows(np.array([float(lag)]))[0])

    def far_backward(self, lag: int, sources: Flags | None = None) -> Reals:
        del sources
        return self.far_forward(lag)

    def supremum(self, lag: int) -> Reals:
        return self.far_forward(lag)

    def _rows(self, lags: Reals) -> Reals:
        exponents = lags * -self._log_modulus
        # A unit in the last place or two of the logarithm, and three roundings; of the sums of
        # three in which it stands, as in all tables.
        found = influences(exponents * (1.0 - 10 * UNIT)) * (1.0 + 8 * UNIT)
        return np.outer(found, (0.0, 1.0, 1.0, 0.0))


def quilt_scale_two_state(
    low: Reals, high: Reals, length: Reals, epsilon: Reals, width: Reals
) -> Reals:
    """Return upper bounds on MQMExact's scale for all chains of the class."""
    points = zip(*(part.tolist() for part in (low, high, length, epsilon, width)), strict=True)
    return np.array([_scale(*point) for point in points])


def _scale(low: float, high: float, length: float, epsilon: float, width: float) -> float:
    nodes = whole_number_above(length)
    near = int(width if width < _WHOLE else np.nextafter(width, 0.0))
    rare = 1.0 - high if Fraction(low) + Fraction(high) >= 1 else low
    score = ScaleFor(epsilon)
    if rare == _EVEN:  # the nodes are independent
        return score_of_independent(score)
    any_start = Chain(np.full((2, 2), _EVEN), None)
    tables = _Symmetric(math.log1p(-2.0 * rare), min(nodes - 1, near))
    return largest_over_nodes(Nodes(any_start, nodes, score, near, tables))
