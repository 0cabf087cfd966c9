"""The law of an additive query of a chain given each state of each node, in exact whole numbers.

Forward, a polynomial for each state: the exponent of x is the query's value up to that node, the
coefficient the weight of having it and being there. Backward, what the later nodes add. The
product of the two is the law given that state, up to its total (proofs_notes/wasserstein.md).
Weights are probabilities times a power of the common denominator, so nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx

from ..precision import check_budget
from ..structures import Matrix
from .line import Atoms

Whole: TypeAlias = tuple[int, ...]
# Sparse: exponents may be far apart, products cost what there is.
_RING = fmpz_mpoly_ctx.get(("x",), Ordering.lex)
_ONE = _RING.constant(1)


def laws_given_states(
    initial: Sequence[Fraction], P: Matrix, steps: Sequence[Whole]
) -> Iterator[dict[int, Atoms]]:
    """Yield, node by node, the law of the sum of the steps given each state that can be there.

    ``steps`` is what each state adds at each node. States are numbered from 1; those of
    probability 0 at a node are left out.
    """
    (start,), rows = _in_whole_numbers([initial]), _in_whole_numbers(P)
    later = [*_backward(rows, steps)]
    for now in _forward(start, rows, steps):
        check_budget()
        rest = later.pop()
        products = enumerate(zip(now, rest, strict=True), 1)
        yield {state: _atoms(ours * theirs) for state, (ours, theirs) in products if ours}


def _in_whole_numbers(rows: Sequence[Sequence[Fraction]]) -> list[Whole]:
    common = lcm(*(share.denominator for row in rows for share in row))
    return [tuple(int(share * common) for share in row) for row in rows]


def _forward(
    start: Whole, rows: Sequence[Whole], steps: Sequence[Whole]
) -> Iterator[list[fmpz_mpoly]]:
    """Yield, node by node and for each state, the weights of the sum so far and of being there."""
    columns = list(zip(*rows, strict=True))
    now = [share * _power(step) for share, step in zip(start, steps[0], strict=True)]
    yield now
    for added in steps[1:]:
        check_budget()
        arrived = [_combined(column, now) for column in columns]
        now = [weights * _power(step) for weights, step in zip(arrived, added, strict=True)]
        yield now


def _backward(rows: Sequence[Whole], steps: Sequence[Whole]) -> Iterator[list[fmpz_mpoly]]:
    """Yield, from the last node to the first and for each state, the weights of what follows."""
    now = [_ONE] * len(rows)
    yield now
    for added in reversed(steps[1:]):
        check_budget()
        ahead = [_power(step) * weights for step, weights in zip(added, now, strict=True)]
        now = [_combined(row, ahead) for row in rows]
        yield now


def _power(exponent: int) -> fmpz_mpoly:
    return _RING.from_dict({(exponent,): 1})


def _combined(shares: Iterable[int], weights: Iterable[fmpz_mpoly]) -> fmpz_mpoly:
    total = _RING.constant(0)
    for share, weight in zip(shares, weights, strict=True):
        if share:
            total += share * weight
    return total


def _atoms(weights: fmpz_mpoly) -> Atoms:
    """Return the law whose weights are the coefficients; FLINT lists the highest power first."""
    powers = tuple(int(power) for (power,) in reversed(weights.monoms()))
    return Atoms(powers, tuple(int(weight) for weight in reversed(weights.coeffs())))
