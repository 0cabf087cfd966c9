"""Second opinions on additive queries of a chain: one forward pass for each node and state.

P(F = v, X_i = a) by carrying the joint law of the query so far and the state along the chain, with
the other states struck out at node i; no backward pass, no lattice, no polynomials. The stationary
law by the Markov chain tree theorem. Distances and losses as in ``divergences``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain as chained
from itertools import combinations, cycle, islice
from typing import TypeAlias

from gmpy2 import lcm, mpq, mpz

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import ChainLaw, Matrix
from ..directed import or_nothing
from ..opinion import second_opinion
from .divergences import Masses, distance, largest_loss

# Whole numbers of one share, by the query's value so far and the state; gmpy2 has no types.
_Joint: TypeAlias = dict[tuple[mpz, int], mpz]
_Row: TypeAlias = Sequence[mpz]


def laws_by_node(
    chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> Iterator[list[Masses]]:
    """Yield the query's laws given each state that a node can have, for all nodes and chains."""
    unit, rows = _whole([[mpq(value) for value in row] for row in values])
    for chain in chains:
        # A law is of shares of their sum, whatever the unit: that of a step's shares drops out.
        _, moves = _whole([[mpq(share) for share in row] for row in chain.P])
        _, (initial,) = _whole([_start(chain)])
        before = {(mpz(0), at): share for at, share in enumerate(initial) if share}
        for node in range(length):
            before = _moved(before, moves) if node else before
            found = [
                _law(_of_the_rest(one, moves, [*islice(cycle(rows), node, length)]), unit)
                for state in range(len(moves))
                if (one := {key: share for key, share in before.items() if key[1] == state})
            ]
            yield found
            before = _counted(before, rows[node % len(rows)])


def _of_the_rest(joint: _Joint, P: Sequence[_Row], rows: Sequence[_Row]) -> _Joint:
    """Carry a joint law, of the query before a node and its state, along the rest of a chain."""
    joint = _counted(joint, rows[0])
    for row in rows[1:]:
        joint = _counted(_moved(joint, P), row)
    return joint


def _counted(joint: _Joint, row: _Row) -> _Joint:
    """Count each state in the query."""
    return {(value + row[at], at): share for (value, at), share in joint.items()}


def _moved(joint: _Joint, P: Sequence[_Row]) -> _Joint:
    moved: _Joint = {}
    for (value, at), share in joint.items():
        check_budget()
        for to, chance in enumerate(P[at]):
            if chance:
                moved[value, to] = moved.get((value, to), 0) + share * chance
    return moved


def _law(joint: _Joint, unit: mpz) -> Masses:
    found: dict[mpz, mpz] = {}
    for (value, _), share in joint.items():
        found[value] = found.get(value, 0) + share
    total = int(sum(found.values()))
    return {
        Fraction(int(value), int(unit)): Fraction(int(share), total)
        for value, share in found.items()
    }


def _whole(table: Sequence[Sequence[mpq]]) -> tuple[mpz, list[list[mpz]]]:
    """Return one denominator of all entries, and their numerators over it."""
    unit = mpz(1)
    for entry in chained.from_iterable(table):
        unit = lcm(unit, entry.denominator)
    return unit, [[mpz(entry * unit) for entry in row] for row in table]


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
