"""The stationary law of a chain that has one, by an exact linear solve.

And whether a chain forgets which of some states it was in, exactly, after so many steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from flint import arb_mat, fmpq, fmpq_mat, nmod, nmod_mat

from ..arb.balls import ball
from ..errors import DomainError
from ..precision import BudgetSpentError, check_budget, seconds_left
from .structure import Matrix, closed_classes, not_unique

# The exact solve cannot be interrupted. With k states and B bits in the determinant it took about
# 1.5e-11 (k B)^2 seconds for 50 to 200 states and 1200 to 17000 bits: measured, and for time alone.
# The exact inverse of a matrix takes no longer: 1.0e-11 to 1.4e-11 (k B)^2 for 63 to 150 states.
_SECONDS_PER_WORK = 1.5e-11


def stationary_law(P: Matrix) -> tuple[Fraction, ...]:
    """Return the only law pi with pi P = pi, exactly: positive on the closed class, 0 elsewhere.

    It need not be approached: the closed class may be periodic. Raises DomainError where there is
    more than one closed class, for then pi is not unique, and BudgetSpentError where there is no
    time for the solve.
    """
    closed, *others = closed_classes(P)
    if others:
        raise DomainError(f"{not_unique((closed, *others))}; give the initial law")
    _require_time(P, closed)
    law = [Fraction(0)] * len(P)
    for state, share in zip(closed, _solution(P, closed), strict=True):
        law[state] = share
    return tuple(law)


def next_law(law: Sequence[Fraction], P: Matrix) -> tuple[Fraction, ...]:
    """Return the law one step later, exactly."""
    return tuple(_share_after(law, P, state) for state in range(len(P)))


def is_stationary(law: Sequence[Fraction], P: Matrix) -> bool:
    """Whether a law is its own next one, exactly; balls find most of those that are not."""
    row = arb_mat(1, len(P), [ball(share) for share in law])
    after = row * arb_mat(len(P), len(P), [ball(entry) for line in P for entry in line])
    if not all(
        now.overlaps(then) for now, then in zip(row.entries(), after.entries(), strict=True)
    ):
        return False
    return all(_share_after(law, P, state) == share for state, share in enumerate(law))


def _share_after(law: Sequence[Fraction], P: Matrix, state: int) -> Fraction:
    found = fmpq(0)
    for share, row in zip(law, P, strict=True):
        if share and row[state]:
            check_budget()
            found += _rational(share) * _rational(row[state])
    return Fraction(int(found.p), int(found.q))


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def exact_matrix(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    """Return FLINT's matrix of rationals with these rows; there is at least one."""
    return fmpq_mat(len(rows), len(rows[0]), [_rational(entry) for row in rows for entry in row])


def determinant_bits(P: Matrix, states: Sequence[int]) -> int:
    """Return about how many bits the determinant of I - P on some states has.

    The rows' common denominators bound the determinant's, and its numerator is about as long.
    """
    bits = 0
    for source in states:
        check_budget()
        bits += lcm(*(P[source][target].denominator for target in states)).bit_length()
    return bits


def seconds_exactly(size: int, bits: int) -> float:
    """Return about how long an exact solve, or an exact inverse, takes; for choosing a way."""
    return _SECONDS_PER_WORK * (size * bits) ** 2


def _require_time(P: Matrix, closed: Sequence[int]) -> None:
    """Raise BudgetSpentError where the solve would pass the deadline."""
    seconds = seconds_exactly(len(closed), determinant_bits(P, closed))
    if seconds > seconds_left():
        raise BudgetSpentError(f"the stationary law would take about {seconds:.0f} s")


def _solution(P: Matrix, closed: Sequence[int]) -> list[Fraction]:
    """Solve pi (P - I) = 0, sum pi = 1 on one closed class; the last equation is redundant.

    The equations add up to 0 = 0, so the sum can stand in the last one's place; what is left is
    regular because the chain on the class is irreducible.
    """
    size = len(closed)
    rows = [[P[source][target] - (source == target) for source in closed] for target in closed]
    rows[-1] = [Fraction(1)] * size
    right = fmpq_mat(size, 1, [fmpq(0)] * (size - 1) + [fmpq(1)])
    solved = exact_matrix(rows).solve(right).entries()
    return [Fraction(int(share.p), int(share.q)) for share in solved]


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
