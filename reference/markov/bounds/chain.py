"""A chain on its closed class, and the bound on its stationary law by contraction.

Neither law has any mass on the states that are left for good, so they and their rows drop out. A
stands for the group inverse of I - P; only differences of its rows matter.

rho, the ergodicity coefficient of (P~ - P) A in the 1-norm, is the largest of
(E_i - E_j) A 1_S over pairs of rows and sets S of states, E_i = private row i less P_i. The chance
that a pair makes it larger than r is bounded in four ways, of which each is the best somewhere
(proofs_notes/markov-bounds.md#pairs-of-rows). The bound adds a rising and a falling function of r,
whose least sum over some points is found without looking at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

from flint import arb, arb_mat

from ...arb.balls import ball
from ...precision import check_budget
from ...structures import Matrix
from ..distances import largest_distance_of_balls
from ..fundamental import Table, group_inverse_of, law_of
from ..structure import closed_classes
from .deviations import LargestDeviation, Row, as_ball, largest, least, private_rows, root


class _Column(NamedTuple):
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
    def columns(self) -> dict[int, list[_Column]]:
        """For each random row every column of A, after one step from it."""
        return {state: self._columns_after(state) for state in self.random_states}

    def _columns_after(self, state: int) -> list[_Column]:
        """The mean of column j under row i is A_ij - [i = j] + pi_j, as (I - P) A = I - 1 pi."""
        means = [x + share for x, share in zip(self.inverse[state], self.law, strict=True)]
        means[state] -= 1
        weights = [ball(self.P[state][at]) for at in self.supports[state]]
        found = []
        for at, mean in enumerate(means):
            check_budget()
            after = self.supports[state]
            if all(self._table[x][at] == self._table[after[0]][at] for x in after):
                found.append(_Column(arb(0), arb(0)))
                continue
            values = [self.inverse[x][at] for x in after]
            gaps = [x - mean for x in values]
            # A product: FLINT's power of a ball with the middle 0 is not a number.
            squares = (p * gap * gap for p, gap in zip(weights, gaps, strict=True))
            found.append(_Column(sum(squares, arb(0)), largest(*values) - least(*values)))
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


# The values of r. With the next of them above the best r of all the first term is larger by at most
# 1/(64 (1-r)) of itself, 1.6 % for small r and 4 % for r = 0.6, and the last one no larger.
_PARTS = tuple(Fraction(j, 64) for j in range(1, 64))


@dataclass(frozen=True)
class _Noise:
    """The quantities of one row in the bounds; all are 0 for the rows that are not random."""

    support: frozenset[int]
    proxy: arb  # 1/(k+1)
    local_proxy: arb  # kappa_i^2/(k+1)
    variance: arb  # v_i/k
    scale: arb  # kappa_i/k
    columns: list[_Column]  # both parts over k


@dataclass(frozen=True)
class _Pair:
    """Two rows: the terms of the bounds on the chance that rho > r through them."""

    log_local: arb
    log_all: arb
    local: arb
    everywhere: arb
    variance: arb
    scale: arb
    sum_variance: arb
    sum_scale: arb

    def tail(self, r: arb) -> arb:
        """Enclose the least of the bounds."""
        square = r**2
        bernstein = square / (2 * (self.variance + self.scale * r))
        by_sets = (self.log_local - self.local * square).min(
            self.log_all - largest(self.everywhere * square, bernstein)
        )
        by_columns = arb.const_log2() - square / (2 * (self.sum_variance + self.sum_scale * r))
        if by_columns.is_finite():
            return by_sets.min(by_columns).exp()
        return arb(0).union(by_sets.exp())


def tail_of(chain: PrivateChain) -> Callable[[Fraction], arb]:
    """Return the function that encloses the bound on P(rho > r)."""
    pairs = list(_pairs(chain))

    @cache
    def tail(r: Fraction) -> arb:
        check_budget()
        point = ball(r)
        return sum((pair.tail(point) for pair in pairs), arb(0))

    return tail


def _noises(chain: PrivateChain) -> list[_Noise]:
    """Return the random rows' noises, and one silent row in the place of all others."""
    found = [_noise(chain, state) for state in chain.random_states]
    if len(found) < chain.states:
        silent = [_Column(arb(0), arb(0))] * chain.states
        found.append(_Noise(frozenset(), arb(0), arb(0), arb(0), arb(0), silent))
    return found


def _noise(chain: PrivateChain, state: int) -> _Noise:
    k, local = ball(chain.k[state]), chain.local_condition(state)
    return _Noise(
        frozenset(chain.supports[state]),
        1 / (k + 1),
        local**2 / (k + 1),
        chain.variance_bounds[state] / k,
        local / k,
        [_Column(column.variance / k, column.width / k) for column in chain.columns[state]],
    )


def _pairs(chain: PrivateChain) -> Iterator[_Pair]:
    square = chain.condition**2
    for one, other in combinations(_noises(chain), 2):
        yield _Pair(
            _log_subsets(len(one.support | other.support)),
            _log_subsets(chain.states),
            2 / (square * (one.proxy + other.proxy)),
            2 / (one.local_proxy + other.local_proxy),
            one.variance + other.variance,
            one.scale.max(other.scale),
            *_by_columns(one, other),
        )


def _log_subsets(cells: int) -> arb:
    return ball((1 << cells) - 2).log()


def _by_columns(one: _Noise, other: _Noise) -> tuple[arb, arb]:
    """Return s^2/4 and s c/2, s the sum of the columns' deviations.

    c is the largest ratio of a column's width to its deviation. Where a deviation may be 0 for all
    that is known, c is not a finite ball.
    """
    check_budget()
    total, ratio = arb(0), arb(0)
    for first, second in zip(one.columns, other.columns, strict=True):
        variance = first.variance + second.variance
        if not variance.is_zero():
            deviation = variance.sqrt()
            total += deviation
            ratio = ratio.max(first.width.max(second.width) / deviation)
    return total**2 / 4, total * ratio / 2


def _mean_stretch(chain: PrivateChain) -> arb:
    """Enclose q: the mean over states of the bounds on |E_i A|_1, weighed by the rate's parts."""
    parts = (chain.deviations[state] * chain.size_bound(state) for state in chain.random_states)
    return sum(parts, arb(0)) / chain.rate


def bound_by_contraction(chain: PrivateChain) -> arb:
    """Enclose T4-C, the least over r of S/2 (1 + min(r, q)/(1-r)) + P(rho > r)."""
    half, typical = chain.rate / 2, _mean_stretch(chain)

    def first_order(r: Fraction) -> arb:
        return half * (1 + typical.min(ball(r)) / ball(1 - r))

    return least_of_sum(first_order, tail_of(chain), _PARTS)


def least_of_sum(
    rising: Callable[[Fraction], arb],
    falling: Callable[[Fraction], arb],
    points: Sequence[Fraction],
) -> arb:
    """Enclose the least sum of a rising and a falling function over some points in order.

    Between two points both are bounded by their values there; what lies above the least value
    found is not looked at.
    """
    last = len(points) - 1
    values = {at: rising(points[at]) + falling(points[at]) for at in (0, last)}
    waiting = [(0, last)]
    while waiting:
        low, high = waiting.pop()
        floor = rising(points[low]) + falling(points[high])
        if high - low < 2 or any(floor > value for value in values.values()):  # noqa: PLR2004
            continue
        middle = (low + high) // 2
        values[middle] = rising(points[middle]) + falling(points[middle])
        waiting += [(low, middle), (middle, high)]
    found, *others = values.values()
    for value in others:
        found = found.min(value)
    return found
