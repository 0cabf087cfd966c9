"""The chain 1 -> 2 -> ... -> n, n -> n or 1 with probability 1/2 each, exactly.

It is irreducible, and aperiodic through the loop at n. Its P P* is the identity on the first n-2
states and ((1/2, 1/2), (1/4, 3/4)) on the last two, with eigenvalues 1, n-1 times, and 1/4.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..values import At, Worked
from .exact_chains import (
    Law,
    Moves,
    after,
    multiplied,
    power,
    reversed_in_time,
    worst_ratio_to,
)
from .inputs import matrix, slow_line

_BITS = 128
# What (7) is for these chains: 1 less the only eigenvalue of modulus below 1.
PRINTED_GAP = Fraction(3, 4)
# Partial sums of the exponential series are below it.
_TERMS = 12


def moves_of(states: int) -> Moves:
    """Return the transitions."""
    return matrix(slow_line(states))


def pi_of(states: int) -> Law:
    """Return the stationary law, (1, ..., 1, 2)/(n+1)."""
    return (*[Fraction(1, states + 1)] * (states - 1), Fraction(2, states + 1))


def hypotheses(states: int, steps: int) -> Mapping[str, bool]:
    """Return what the lemmas ask for, each decided exactly."""
    moves, pi = moves_of(states), pi_of(states)
    return {
        "irreducible: 1 leads to n, and n to 1": all(moves[at][at + 1] for at in range(states - 1))
        and moves[-1][0] > 0,
        "aperiodic: n leads to itself": moves[-1][-1] > 0,
        "the stationary law is positive": after(pi, moves) == pi and min(pi) > 0,
        "(7) is 3/4": has_the_printed_gap(states),
        "t >= 2 log(1/pi_min)/g": _is_past_the_threshold(states, steps),
    }


def has_the_printed_gap(states: int) -> bool:
    """Whether P P* has the form of the module's text, so that 1/4 is its only other eigenvalue."""
    moves, pi = moves_of(states), pi_of(states)
    both, last = multiplied(moves, reversed_in_time(moves, pi)), states - 2
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    corner = ((half, half), (quarter, 3 * quarter))
    return all(
        both[x][y] == (corner[x - last][y - last] if min(x, y) >= last else Fraction(x == y))
        for x, y in product(range(states), repeat=2)
    )


def _is_past_the_threshold(states: int, steps: int) -> bool:
    """Whether e^(g t/2) >= 1/pi_min, by a partial sum that is below the exponential."""
    at, term, total = PRINTED_GAP * steps / 2, Fraction(1), Fraction(1)
    for k in range(1, _TERMS):
        term *= at / k
        total += term
    return total >= states + 1


def furthest_from_stationary(states: int, steps: int) -> Worked:
    """Return the largest |P^t(x, y)/pi(y) - 1|, by powers of P and of its time reversal."""
    moves, pi = moves_of(states), pi_of(states)
    return Worked(
        f"largest |P^{steps}/pi - 1|, {states} states",
        lambda: Enclosure.of(worst_ratio_to(pi, power(moves, steps))),
        lambda: Enclosure.of(worst_ratio_to(pi, power(reversed_in_time(moves, pi), steps))),
    )


def distance_bound(states: int, steps: int) -> Worked:
    """Return D_t with the printed gap: exp(-g t/2)/pi_min."""
    exponent = PRINTED_GAP * steps / 2

    def first() -> Enclosure:
        with working_precision(_BITS):
            return enclosure_of((-ball(exponent)).exp() * (states + 1))

    def second() -> Enclosure:
        return (Span.of(states + 1, _BITS) / Span.of(exponent, _BITS).exp()).enclosure()

    return Worked(f"D_{steps} with g = 3/4, {states} states", first, second)


def influence_limit(states: int, steps: int, times: int) -> Worked:
    """Return so many times w_t with the printed gap, by two formulas."""
    exponent = PRINTED_GAP * steps / 2

    def first() -> Enclosure:
        with working_precision(_BITS):
            share = (-ball(exponent)).exp() * (states + 1)
            return enclosure_of(2 * times * share.atanh())

    def second() -> Enclosure:
        grown, whole = Span.of(exponent, _BITS).exp(), Span.of(states + 1, _BITS)
        return (Span.of(times, _BITS) * ((grown + whole) / (grown - whole)).log()).enclosure()

    return Worked(f"{times} w_{steps} with g = 3/4, {states} states", first, second)


def influence(states: int, node: int, left: int, right: int) -> At:
    """Return the influence of a node on the nodes so far to its left and right, stationary."""
    given = {
        "initial": "stationary",
        "P": slow_line(states),
        "node": node,
        "left": left,
        "right": right,
    }
    return At("pufferfish.max_influence", given)
