"""How likely (P~ - P) A is to stretch, and the bound on the stationary law that rests on it.

rho, the ergodicity coefficient of (P~ - P) A in the 1-norm, is the largest of
(E_i - E_j) A 1_S over pairs of rows and sets S of states, E_i = private row i less P_i. The chance
that a pair makes it larger than r is bounded in four ways, of which each is the best somewhere
(proofs_notes/markov-bounds.md#pairs-of-rows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

from flint import arb

from ...arb.balls import ball
from ...precision import check_budget
from .chain import Column, PrivateChain
from .least_sum import least_of_sum
from .rows import largest

# The values of r. With the next of them above the best r of all the first term is larger by at most
# 1/(64 (1-r)) of itself, 1.6 % for small r and 4 % for r = 0.6, and the last one no larger.
PARTS = tuple(Fraction(j, 64) for j in range(1, 64))


@dataclass(frozen=True)
class Noise:
    """What the bounds need of one row; all of it is 0 for the rows that are not random."""

    support: frozenset[int]
    proxy: arb  # 1/(k+1)
    local_proxy: arb  # kappa_i^2/(k+1)
    variance: arb  # v_i/k
    scale: arb  # kappa_i/k
    columns: list[Column]  # both parts over k


@dataclass(frozen=True)
class Pair:
    """Two rows: what the bounds on the chance that rho > r through them are made of."""

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


def _noises(chain: PrivateChain) -> list[Noise]:
    """Return the random rows' noises, and one silent row in the place of all others."""
    found = [_noise(chain, state) for state in chain.random_states]
    if len(found) < chain.states:
        silent = [Column(arb(0), arb(0))] * chain.states
        found.append(Noise(frozenset(), arb(0), arb(0), arb(0), arb(0), silent))
    return found


def _noise(chain: PrivateChain, state: int) -> Noise:
    k, local = ball(chain.k[state]), chain.local_condition(state)
    return Noise(
        frozenset(chain.supports[state]),
        1 / (k + 1),
        local**2 / (k + 1),
        chain.variance_bounds[state] / k,
        local / k,
        [Column(column.variance / k, column.width / k) for column in chain.columns[state]],
    )


def _pairs(chain: PrivateChain) -> Iterator[Pair]:
    square = chain.condition**2
    for one, other in combinations(_noises(chain), 2):
        yield Pair(
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


def _by_columns(one: Noise, other: Noise) -> tuple[arb, arb]:
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


def mean_stretch(chain: PrivateChain) -> arb:
    """Enclose q: the mean over states of the bounds on |E_i A|_1, weighed by the rate's parts."""
    parts = (chain.deviations[state] * chain.size_bound(state) for state in chain.random_states)
    return sum(parts, arb(0)) / chain.rate


def bound_by_contraction(chain: PrivateChain) -> arb:
    """Enclose T4-C, the least over r of S/2 (1 + min(r, q)/(1-r)) + P(rho > r)."""
    half, typical = chain.rate / 2, mean_stretch(chain)

    def first_order(r: Fraction) -> arb:
        return half * (1 + typical.min(ball(r)) / ball(1 - r))

    return least_of_sum(first_order, tail_of(chain), PARTS)
