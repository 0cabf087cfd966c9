"""The conditional tables of a Bayesian network with a public structure, released privately."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...reference.alone import left_alone
from ...reference.errors import InputError
from ...reference.exact import exact_integer, shown
from .layout import (
    Counts,
    Layout,
    Numbers,
    Table,
    counts_of,
    records_of,
    require_categories,
    sizes_of,
    table_in,
)
from .privacy import REPLACE, budget_of, drawn_in_floats, require_records
from .release import KINDS, NOISE, USUAL_RECORDS, draws_of, planned, privacy_of, released

_Parents = tuple[tuple[int, ...], ...]
_DEFAULT_GRID_BITS = 53


class PrivateTables:
    """P(node | parents) for every node of a network, private as a whole.

    ``parents[k]`` lists the columns on which column k depends; columns and structure are public,
    and so are all parameters, and under "replace" the number of records, as for
    ``PrivateNaiveBayes``. A record is counted once in each node's table, which has a vector for
    every combination of its parents' values, seen or not.

    After ``fit``: ``log_prob_``, a list of arrays, for node k of the shape (sizes of its parents in
    the order listed, n_categories[k]); ``privacy_``; ``private_`` and ``not_private_because_``.
    """

    def __init__(
        self,
        n_categories: int | Sequence[int],
        parents: Sequence[Sequence[int]],
        *,
        epsilon: Any,
        delta: Any = None,
        order: Any = None,
        neighbours: str = REPLACE,
        method: str = "dirichlet",
        alpha: Any = None,
        step: Any = None,
        records: int | None = None,
        count_floor: Any = NOISE,
        draw: str = KINDS[0],
        grid_bits: int = _DEFAULT_GRID_BITS,
        random_state: Any = None,
    ) -> None:
        self.parents = _acyclic(parents)
        self.n_categories = sizes_of(n_categories, len(self.parents), "n_categories")
        self.budget = budget_of(epsilon, delta, order, neighbours)
        self.layout = _layout(self.n_categories, self.parents)
        self._records = records if records is None else records_of(records)
        self._way = (method, alpha, step)
        self._draw, self._floor, self._how = draw, count_floor, (draw, grid_bits, random_state)
        draws_of(*self._how)

    def fit(self, data: Any) -> PrivateTables:
        """Release the tables of integers, a column a node; each call spends the budget anew.

        Raises InputError, before anything is drawn. The domain, of which the claim speaks: column k
        holds whole numbers from 0 to n_categories[k] - 1; under "replace" there are N lines, N >= 1
        a public number, under "add_remove" any number, none among them.
        """
        columns = self._columns(data)
        require_records(self.budget, len(columns))
        method, alpha, step = self._way
        seen = len(columns) if self.budget.replaces else USUAL_RECORDS
        records = seen if self._records is None else self._records
        loss = planned(self.layout, self.budget, method, records, alpha, step)
        draws = draws_of(*self._how)
        draws.require(loss)
        privacy = privacy_of(self.layout, self.budget, loss)
        counts = self._counts(columns)
        laws = released(self.layout, counts, loss, draws, self._floor)
        self.privacy_ = privacy
        self.log_prob_ = [
            laws[table.name].reshape(self._shape(k)) for k, table in enumerate(self.layout.tables)
        ]
        self.not_private_because_ = drawn_in_floats(self._draw)
        self.private_ = not self.not_private_because_
        return self

    def log_likelihood(self, data: Any) -> Numbers:
        """Return the logarithm of the released network's probability of each record."""
        columns = self._columns(data)
        total: Numbers = np.zeros(len(columns))
        for k, logarithms in enumerate(self.log_prob_):
            at = tuple(columns[:, j] for j in (*self.parents[k], k))
            total += logarithms[at]
        return total

    def _shape(self, node: int) -> tuple[int, ...]:
        """Return the sizes of a node's parents, then its own."""
        return tuple(self.n_categories[j] for j in (*self.parents[node], node))

    def _counts(self, columns: Counts) -> dict[str, Counts]:
        """Return the counts of every table."""
        counts = {}
        for k, table in enumerate(self.layout.tables):
            vectors = np.zeros(len(columns), dtype=np.int64)
            for parent in self.parents[k]:
                vectors = vectors * self.n_categories[parent] + columns[:, parent]
            counts[table.name] = counts_of(vectors, columns[:, k], table)
        return counts

    def _columns(self, data: Any) -> Counts:
        """Return the data as integers within the public categories. Raises InputError."""
        columns = table_in(data, len(self.parents))
        if columns.shape[1] != len(self.parents):
            raise InputError(f"the data need a column for each of the {len(self.parents)} nodes")
        require_categories(columns, self.n_categories)
        return columns


def _layout(sizes: tuple[int, ...], parents: _Parents) -> Layout:
    return Layout(
        tuple(
            Table(f"node {k}", prod(sizes[j] for j in above), sizes[k])
            for k, above in enumerate(parents)
        )
    )


def _acyclic(parents: Sequence[Sequence[int]]) -> _Parents:
    """Return the structure. Raises InputError if it is no directed graph without cycles."""
    with left_alone():
        import networkx as nx

    known = tuple(tuple(exact_integer(parent, "parents") for parent in above) for above in parents)
    if not known:
        raise InputError("parents is empty: a network has at least one node")
    for node, above in enumerate(known):
        if len(set(above)) < len(above) or not all(0 <= one < len(known) for one in above):
            raise InputError(f"parents of node {node} are {shown(above)}: other nodes, each once")
    graph = nx.DiGraph((one, node) for node, above in enumerate(known) for one in above)
    if not nx.is_directed_acyclic_graph(graph):
        raise InputError("parents form a cycle; a Bayesian network has none")
    return known
