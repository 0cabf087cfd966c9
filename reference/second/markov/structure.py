"""Second opinions on the classes of a chain and its period, by other algorithms; exact."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from ...enclosure import Enclosure
from ...precision import check_budget
from ..opinion import second_opinion
from .fundamental import Matrix, reached


@second_opinion("markov.communicating_classes", engine="mpfr", rigorous=True)
def communicating_classes(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Count the states from which no earlier one is reached that leads back."""
    sets = [reached(P, state) for state in range(len(P))]
    first = (
        not any(earlier in found and state in sets[earlier] for earlier in range(state))
        for state, found in enumerate(sets)
    )
    return Enclosure.of(Fraction(sum(first)))


@second_opinion("markov.period", engine="mpfr", rigorous=True)
def period(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return the greatest common divisor of the lengths, up to the number of states, of returns.

    Every closed path is made of cycles that visit no state twice, which are no longer than that.
    """
    moves = [{y for y, share in enumerate(row) if share} for row in P]
    found = 0
    for start in range(len(P)):
        ends = {start}
        for steps in range(1, len(P) + 1):
            check_budget()
            ends = set().union(*(moves[state] for state in ends))
            if start in ends:
                found = gcd(found, steps)
    return Enclosure.of(Fraction(found))
