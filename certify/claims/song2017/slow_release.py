"""The release that loses more than Algorithm 4 says: a count over 50 steps of the slow chain."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from ..values import At, Enclosed
from .exact_chains import Law, Moves, after, reversed_in_time
from .slow_chain import moves_of, pi_of

Counts: TypeAlias = dict[int, Fraction]

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


def _as_texts(law: Counts) -> dict[str, list[str]]:
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
def laws_of_the_count() -> tuple[Counts, Counts]:
    """Return the count's laws given X_25 = 9 and given X_25 = 4: ahead and behind, convolved."""
    return _law_given(HIGH), _law_given(LOW)


def _law_given(state: int) -> Counts:
    ahead = _counted(moves_of(STATES), state, marks()[NODE:])
    behind = _counted(_backwards(), state, marks()[: NODE - 1][::-1])
    own, law = marks()[NODE - 1][state - 1], defaultdict[int, Fraction](Fraction)
    for (a, p), (b, q) in product(ahead.items(), behind.items()):
        law[a + b + own] += p * q
    return dict(sorted(law.items()))


def _counted(moves: Moves, state: int, steps: tuple[tuple[int, ...], ...]) -> Counts:
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


def laws_by_one_pass() -> tuple[Counts, Counts]:
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
