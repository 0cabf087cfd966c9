"""Whether a chain forgets which of some states it was in, exactly, after so many steps."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpq_mat, nmod, nmod_mat

from ..precision import check_budget
from .stationary import exact_matrix
from .structure import Matrix

# A prime: numbers that differ modulo it differ. One that divides a denominator tells nothing.
_PRIME = 2**61 - 1


def rows_agree(P: Matrix, sources: Sequence[int], steps: int) -> bool:
    """Whether the matrix's power has equal rows for all of these states.

    Over k steps or more that is so when it is over k, k the number of states
    (proofs_notes/quilt-influence.md#independence-is-decided-within-k-steps).
    """
    steps = min(steps, len(P))
    if len(sources) == 1 or _differ_modulo_prime(P, sources, steps):
        return len(sources) == 1
    moves, first = exact_matrix(P), sources[0]
    differences = fmpq_mat(
        len(sources) - 1,
        len(P),
        [fmpq((y == first) - (y == other)) for other in sources[1:] for y in range(len(P))],
    )
    zero = differences * fmpq(0)
    for _ in range(steps):
        check_budget()
        if differences == zero:
            break
        differences = differences * moves
    return bool(differences == zero)


def _differ_modulo_prime(P: Matrix, sources: Sequence[int], steps: int) -> bool:
    """Whether rows differ modulo a prime, so that they differ: some are found out fast."""
    if any(entry.denominator % _PRIME == 0 for row in P for entry in row):
        return False
    residues = [
        nmod(entry.numerator % _PRIME, _PRIME) / nmod(entry.denominator % _PRIME, _PRIME)
        for row in P
        for entry in row
    ]
    moves = nmod_mat(len(P), len(P), residues, _PRIME)
    power = (moves**steps).tolist()
    return any(power[source] != power[sources[0]] for source in sources)
