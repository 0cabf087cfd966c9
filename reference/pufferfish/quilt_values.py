"""The pairs of values of a chain's node, and how likely they are, in float64 up to rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .quilt_tables import TINY, Floats, Tables, backward_table


class Values(NamedTuple):
    """The ordered pairs of different values of a node; P(X = x')/P(X = x) for each, and if known.

    ``rows`` and ``columns`` are the x and x'.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    prior: Floats
    sure: bool


class NodeValues:
    """The values of a chain's nodes; a law is moved on from the one asked for before."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._chain = tables.chain
        self._law: tuple[int, Floats] | None = None

    def at(self, node: int) -> Values:
        """Return the pairs of values of one node, and what their laws are worth."""
        states = np.flatnonzero(self._chain.support(node))
        rows, columns = (part.ravel() for part in np.meshgrid(states, states, indexing="ij"))
        different = rows != columns
        rows, columns = rows[different], columns[different]
        prior, sure = self._prior(node)
        return Values(rows, columns, prior[rows, columns], sure)

    def _prior(self, node: int) -> tuple[Floats, bool]:
        """Return P(X = x')/P(X = x), up to rounding, for (x, x'); with any start its supremum."""
        if self._chain.start is None:
            if node == 1:  # no quilt has a left side
                return np.ones((self._tables.size, self._tables.size)), True
            power = self._tables.distant(node - 1)
            table = backward_table(power, np.ones(self._tables.size, dtype=np.bool_))
            return table.ratios.T, table.sure
        law = self._float_law(node)
        support = self._chain.support(node)
        with np.errstate(all="ignore"):
            ratios = law[None, :] / law[:, None]
        known = law > TINY
        return np.where(np.outer(known, known), ratios, 0.0), bool(known[support].all())

    def _float_law(self, node: int) -> Floats:
        start = np.array([float(share) for share in self._chain.start or ()])
        if self._chain.steady or node == 1:
            return start
        if self._law is not None and self._law[0] + 1 == node:
            before, steps = self._law[1], self._tables.power(1).entries
        else:
            before, steps = start, self._tables.distant(node - 1).entries
        law: Floats = np.einsum("i,ij->j", before, steps)
        self._law = (node, law)
        return law
