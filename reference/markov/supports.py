"""Which states a chain can be in after so many steps, exactly, however many they are."""

from __future__ import annotations

import numpy as np

from ..precision import check_budget
from .structure import Pattern, composed, pattern_after

# Supports that are kept from the start on, while they are looked through for one that returns. The
# time until one does can be the product of many periods; then powers of the moves are used.
_KEPT = 4096


class Supports:
    """The supports of a chain's nodes, numbered from 1, given the first one's."""

    def __init__(self, first: Pattern, moves: Pattern) -> None:
        self._moves = moves
        self._known = [first]
        self._places = {first.tobytes(): 0}
        self._cycle: int | None = None
        self._last: tuple[int, Pattern] = 1, first

    def at(self, node: int) -> Pattern:
        """Return which states a node can be in."""
        self._extend(node)
        known = self._known
        if node <= len(known):
            return known[node - 1]
        if self._cycle is not None:
            return known[self._cycle + (node - 1 - self._cycle) % (len(known) - self._cycle)]
        if self._last[0] != node:
            self._last = node, self._far(node)
        return self._last[1]

    def _extend(self, node: int) -> None:
        """Go on step by step until the node, a support that was there before, or enough of them."""
        while self._cycle is None and len(self._known) < min(node, _KEPT):
            following = self._after(self._known[-1])
            self._cycle = self._places.setdefault(following.tobytes(), len(self._known))
            if self._cycle == len(self._known):
                self._cycle = None
                self._known.append(following)

    def _far(self, node: int) -> Pattern:
        before, support = self._last
        if before == node - 1:
            return self._after(support)
        check_budget()
        power = pattern_after(self._moves, node - 1)
        return np.asarray(composed(self._known[0][None, :], power)[0])

    def _after(self, support: Pattern) -> Pattern:
        return np.asarray(composed(support[None, :], self._moves)[0])
