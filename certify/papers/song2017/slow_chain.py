"""The chain 1 -> 2 -> ... -> n, n -> n or 1 with probability 1/2 each, exactly.

It is irreducible, and aperiodic through the loop at n. Its P P* is the identity on the first n-2
states and ((1/2, 1/2), (1/4, 3/4)) on the last two, with eigenvalues 1, n-1 times, and 1/4. It
mixes slowly: a witness against MQMApprox and its utility.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..values import At, Enclosed, Worked
from .chains import (
    Law,
    Moves,
    after,
    matrix,
    multiplied,
    power,
    reversed_in_time,
    slow_line,
    worst_ratio_to,
)

_BITS = 128
# What (7) is for these chains: 1 less the only eigenvalue of modulus below 1.
PRINTED_GAP = Fraction(3, 4)
# Partial sums of the exponential series are below it.
_TERMS = 12


@cache
def moves_of(states: int) -> Moves:
    """Return the transitions."""
    return matrix(slow_line(states))


def pi_of(states: int) -> Law:
    """Return the stationary law, (1, ..., 1, 2)/(n+1)."""
    return (*[Fraction(1, states + 1)] * (states - 1), Fraction(2, states + 1))


def hypotheses(states: int, steps: int) -> Mapping[str, bool]:
    """Return the hypotheses of the lemmas, each decided exactly."""
    moves, pi = moves_of(states), pi_of(states)
    return {
        "irreducible: 1 leads to n, and n to 1": all(moves[at][at + 1] for at in range(states - 1))
        and moves[-1][0] > 0,
        "aperiodic: n leads to itself": moves[-1][-1] > 0,
        "the stationary law is positive": after(pi, moves) == pi and min(pi) > 0,
        "(7) is 3/4": has_the_printed_gap(states),
        "t >= 2 log(1/pi_min)/g": _is_past_the_threshold(states, steps),
    }


@cache
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


# The release that loses more than Algorithm 4 says: a count over 50 steps of the slow chain.

_Counts: TypeAlias = dict[int, Fraction]

# Ten states, 50 steps, a node in the middle and two of its values.
STATES, STEPS, NODE, HIGH, LOW = 10, 50, 25, 9, 4
# At least the scale of Algorithm 4.
SCALE = "36.66"


@dataclass(frozen=True)
class LossOfTheCount:
    """The loss between X_25 = 9 and X_25 = 4 of the count of steps whose state 9 makes likelier.

    Each step counts if its state is likelier given X_25 = 9 than given X_25 = 4, so one state
    changes the count by at most 1.
    """

    scale: str

    def enclosed(self) -> Enclosed:
        """Return it by both engines, under a name that does not list the laws."""
        one, other = (_as_texts(law) for law in laws_of_the_count())
        given = {"mu": one, "nu": other, "scale": self.scale}
        found = At("pufferfish.laplace_loss", given).enclosed()
        return Enclosed(f"the count's loss at scale {self.scale}", found.first, found.second)


def _as_texts(law: _Counts) -> dict[str, list[str]]:
    return {"points": [str(at) for at in law], "mass": [str(mass) for mass in law.values()]}


@cache
def marks() -> tuple[tuple[int, ...], ...]:
    """Return for each step which states count."""
    moves, back, found = moves_of(STATES), _backwards(), []
    for step in range(1, STEPS + 1):
        way = moves if step >= NODE else back
        one, other = (after(_point(state), way, abs(step - NODE)) for state in (HIGH, LOW))
        found.append(tuple(int(p > q) for p, q in zip(one, other, strict=True)))
    return tuple(found)


@cache
def laws_of_the_count() -> tuple[_Counts, _Counts]:
    """Return the count's laws given X_25 = 9 and given X_25 = 4: ahead and behind, convolved."""
    return _law_given(HIGH), _law_given(LOW)


def _law_given(state: int) -> _Counts:
    ahead = _counted(moves_of(STATES), state, marks()[NODE:])
    behind = _counted(_backwards(), state, marks()[: NODE - 1][::-1])
    own, law = marks()[NODE - 1][state - 1], defaultdict[int, Fraction](Fraction)
    for (a, p), (b, q) in product(ahead.items(), behind.items()):
        law[a + b + own] += p * q
    return dict(sorted(law.items()))


def _counted(moves: Moves, state: int, steps: tuple[tuple[int, ...], ...]) -> _Counts:
    """Return the law of the count over steps that begin in a state."""
    now = {(state - 1, 0): Fraction(1)}
    for step in steps:
        later = defaultdict[tuple[int, int], Fraction](Fraction)
        for (at, count), chance in now.items():
            for to, share in enumerate(moves[at]):
                if share:
                    later[to, count + step[to]] += chance * share
        now = dict(later)
    law = defaultdict[int, Fraction](Fraction)
    for (_, count), chance in now.items():
        law[count] += chance
    return dict(law)


def laws_by_one_pass() -> tuple[_Counts, _Counts]:
    """Return the same laws by one pass forward that remembers X_25."""
    pi, moves = pi_of(STATES), moves_of(STATES)
    now = {(at, marks()[0][at], 0): chance for at, chance in enumerate(pi)}
    for step in range(2, STEPS + 1):
        later = defaultdict[tuple[int, int, int], Fraction](Fraction)
        for (at, count, known), chance in now.items():
            for to, share in enumerate(moves[at]):
                if share and (step != NODE or to + 1 in {HIGH, LOW}):
                    seen = to + 1 if step == NODE else known
                    later[to, count + marks()[step - 1][to], seen] += chance * share
        now = dict(later)
    found = []
    for state in (HIGH, LOW):
        law = defaultdict[int, Fraction](Fraction)
        for (_, count, known), chance in now.items():
            law[count] += chance / pi[state - 1] if known == state else Fraction(0)
        found.append({at: mass for at, mass in sorted(law.items()) if mass})
    return found[0], found[1]


def _backwards() -> Moves:
    return reversed_in_time(moves_of(STATES), pi_of(STATES))


def _point(state: int) -> Law:
    return tuple(Fraction(at == state) for at in range(1, STATES + 1))
