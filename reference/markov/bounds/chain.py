"""A chain on its closed class, as the bounds on its stationary law see it.

Neither law has any mass on the states that are left for good, so they and their rows drop out. A
stands for the group inverse of I - P; only differences of its rows matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from flint import arb, arb_mat

from ...arb.balls import ball
from ...precision import check_budget
from ...structures import Matrix
from ..ball_distances import largest_distance_of_balls
from ..inverse import Table, group_inverse_of, law_of
from ..structure import closed_classes
from .deviations import LargestDeviation
from .rows import Row, as_ball, largest, least, private_rows, root


class Column(NamedTuple):
    """A column of A on the states that can come next: its variance, and its largest difference."""

    variance: arb
    width: arb


@dataclass(frozen=True)
class PrivateChain:
    """The matrix on the closed class, and the concentration of each of its rows."""

    P: Matrix
    k: tuple[Fraction, ...]

    @property
    def states(self) -> int:
        """How many states the closed class has."""
        return len(self.P)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows that are random."""
        return private_rows(self.P, self.k)

    @cached_property
    def deviation(self) -> LargestDeviation:
        """The bounds on the largest deviation of a row; one row at least is random."""
        return LargestDeviation(self.rows, self.states)

    @cached_property
    def random_states(self) -> tuple[int, ...]:
        """The states whose rows are random."""
        return tuple(state for state, row in enumerate(self.P) if max(row) < 1)

    @cached_property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """Of each state, where it can go in one step."""
        return tuple(tuple(at for at, share in enumerate(row) if share) for row in self.P)

    @cached_property
    def law(self) -> list[arb]:
        """The stationary law."""
        return list(map(as_ball, law_of(self.P)))

    @cached_property
    def _table(self) -> Table:
        return group_inverse_of(self.P)

    @cached_property
    def inverse(self) -> list[list[arb]]:
        """The rows of the group inverse A of I - P."""
        return [list(map(as_ball, row)) for row in self._table]

    @cached_property
    def condition(self) -> arb:
        """Kappa: half the largest distance of two rows of A in the 1-norm."""
        return largest_distance_of_balls(self.inverse) / 2

    @cached_property
    def distances(self) -> list[list[arb]]:
        """Half the distance of any two rows of A in the 1-norm."""
        found = [[arb(0)] * self.states for _ in range(self.states)]
        for one, other in combinations(range(self.states), 2):
            check_budget()
            pairs = zip(self.inverse[one], self.inverse[other], strict=True)
            found[one][other] = sum((abs(x - y) for x, y in pairs), arb(0)) / 2
            found[other][one] = found[one][other]
        return found

    def local_condition(self, state: int) -> arb:
        """Half the largest distance of two rows of A that can come after a state: kappa_i."""
        after = self.supports[state]
        if len(after) == self.states:
            return self.condition
        return largest(*(self.distances[one][other] for one, other in combinations(after, 2)))

    @cached_property
    def variance_bounds(self) -> list[arb]:
        """Half the mean square of that distance, for two independent steps from a state: v_i.

        At least the variance, under P_i, of any column of A or sum of columns.
        """
        size = self.states
        squares = arb_mat(size, size, [gap * gap for row in self.distances for gap in row])
        steps = arb_mat(size, size, [ball(share) for row in self.P for share in row])
        means = (steps * squares).tolist()
        return [
            sum((p * mean for p, mean in zip(row, line, strict=True)), arb(0)) / 2
            for row, line in zip(steps.tolist(), means, strict=True)
        ]

    @cached_property
    def columns(self) -> dict[int, list[Column]]:
        """For each random row what can come of every column of A, after one step from it."""
        return {state: self._columns_after(state) for state in self.random_states}

    def _columns_after(self, state: int) -> list[Column]:
        """The mean of column j under row i is A_ij - [i = j] + pi_j, as (I - P) A = I - 1 pi."""
        means = [x + share for x, share in zip(self.inverse[state], self.law, strict=True)]
        means[state] -= 1
        weights = [ball(self.P[state][at]) for at in self.supports[state]]
        found = []
        for at, mean in enumerate(means):
            check_budget()
            after = self.supports[state]
            if all(self._table[x][at] == self._table[after[0]][at] for x in after):
                found.append(Column(arb(0), arb(0)))
                continue
            values = [self.inverse[x][at] for x in after]
            gaps = [x - mean for x in values]
            # A product: FLINT's power of a ball with the middle 0 is not a number.
            squares = (p * gap * gap for p, gap in zip(weights, gaps, strict=True))
            found.append(Column(sum(squares, arb(0)), largest(*values) - least(*values)))
        return found

    @cached_property
    def deviations(self) -> list[arb]:
        """The standard deviations of the entries of pi (P~ - P) A."""
        weights = {
            state: self.law[state] ** 2 / ball(self.k[state] + 1) for state in self.random_states
        }
        return [
            root(
                sum(
                    (
                        weight * self.columns[state][at].variance
                        for state, weight in weights.items()
                    ),
                    arb(0),
                )
            )
            for at in range(self.states)
        ]

    @cached_property
    def rate(self) -> arb:
        """S: the sum of the standard deviations of the entries of pi (P~ - P) A."""
        return sum(self.deviations, arb(0))

    def size_bound(self, state: int) -> arb:
        """An upper bound of the root of E |(P~_i - P_i) A|_1^2, i a random row."""
        total = sum((root(column.variance) for column in self.columns[state]), arb(0))
        return total / ball(self.k[state] + 1).sqrt()


def closed_states(P: Matrix) -> tuple[int, ...]:
    """Return the closed class of states, of which there is one."""
    (closed,) = closed_classes(P)
    return closed


def closed_part(P: Matrix, k: Sequence[Fraction]) -> PrivateChain:
    """Return the chain on its closed class."""
    closed = closed_states(P)
    rows = tuple(tuple(P[source][target] for target in closed) for source in closed)
    return PrivateChain(rows, tuple(k[state] for state in closed))
