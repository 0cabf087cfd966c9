"""Second opinions on additive queries of a chain: one forward pass for each node and state.

P(F = v, X_i = a) by carrying the joint law of the query so far and the state along the chain, with
the other states struck out at node i; no backward pass, no lattice, no polynomials. The stationary
law by the Markov chain tree theorem. Distances and losses as in ``divergences``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from gmpy2 import mpq

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import ChainLaw, Matrix
from ..directed import or_nothing
from ..opinion import second_opinion
from .divergences import Masses, distance, largest_loss

# Probabilities by the query's value so far and the state; gmpy2 has no types.
_Joint: TypeAlias = dict[tuple[mpq, int], mpq]


def laws_by_node(
    chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> Iterator[list[Masses]]:
    """Yield the query's laws given each state that a node can have, for all nodes and chains."""
    rows = [[mpq(value) for value in row] for row in values]
    for chain in chains:
        moves = [[mpq(share) for share in row] for row in chain.P]
        initial, states = _start(chain), range(len(moves))
        for node in range(length):
            found = [_law_given(initial, moves, rows, length, node, state) for state in states]
            yield [law for law in found if law]


def _law_given(
    initial: Sequence[mpq],
    P: Sequence[Sequence[mpq]],
    rows: Sequence[Sequence[mpq]],
    length: int,
    node: int,
    state: int,
) -> Masses:
    """Return the law of the query given a node's state; nothing where that is impossible."""
    joint: _Joint = {(mpq(0), at): share for at, share in enumerate(initial) if share}
    for step in range(length):
        check_budget()
        joint = _moved(joint, P) if step else joint
        row = rows[step % len(rows)]
        joint = {
            (sum_so_far + row[at], at): share
            for (sum_so_far, at), share in joint.items()
            if step != node or at == state
        }
    found: dict[mpq, mpq] = {}
    for (value, _), share in joint.items():
        found[value] = found.get(value, mpq(0)) + share
    total = sum(found.values(), mpq(0))
    return {_fraction(value): _fraction(share / total) for value, share in found.items()}


def _moved(joint: _Joint, P: Sequence[Sequence[mpq]]) -> _Joint:
    moved: _Joint = {}
    for (value, at), share in joint.items():
        check_budget()
        for to, chance in enumerate(P[at]):
            if chance:
                moved[value, to] = moved.get((value, to), mpq(0)) + share * chance
    return moved


def _fraction(value: mpq) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def _start(chain: ChainLaw) -> list[mpq]:
    if not isinstance(chain.initial, str):
        return [mpq(share) for share in chain.initial]
    # Its share of a state is that of the spanning trees rooted there: a principal minor of I - P.
    states = range(len(chain.P))
    minors = [
        _determinant(
            [
                [mpq(row == at) - mpq(chain.P[row][at]) for at in states if at != root]
                for row in states
                if row != root
            ]
        )
        for root in states
    ]
    total = sum(minors, mpq(0))
    return [minor / total for minor in minors]


def _determinant(matrix: list[list[mpq]]) -> mpq:
    """Return the determinant by elimination with whatever pivot is not zero."""
    product = mpq(1)
    while matrix:
        check_budget()
        at = next((at for at, row in enumerate(matrix) if row[0]), None)
        if at is None:
            return mpq(0)
        pivot = matrix.pop(at)
        product *= pivot[0] * (-1) ** at
        matrix = [
            [
                entry - row[0] / pivot[0] * over
                for entry, over in zip(row[1:], pivot[1:], strict=True)
            ]
            for row in matrix
        ]
    return product


@second_opinion("pufferfish.chain_wasserstein", engine="mpfr", rigorous=True)
def chain_wasserstein(
    bits: int, chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> Enclosure:
    """Enclose the largest distance between the query's laws given two states of a node, exactly."""
    nodes = laws_by_node(chains, length, values)
    found = [distance(*pair) for laws in nodes for pair in combinations(laws, 2)]
    return Enclosure.of(max(found, default=Fraction(0)), bits)


@second_opinion("pufferfish.chain_loss", engine="mpfr", rigorous=True)
@or_nothing
def chain_loss(
    bits: int, chains: tuple[ChainLaw, ...], length: int, values: Matrix, scale: Fraction
) -> Enclosure:
    """Enclose the largest loss between the query's laws given two states of a node; rigorous."""
    return largest_loss(bits, laws_by_node(chains, length, values), scale)
