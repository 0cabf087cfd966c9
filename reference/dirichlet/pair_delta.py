"""The exact loss of one given pair of Dirichlet laws: what the suprema over neighbours are held to.

The quantities of `profile` and `add_remove` are suprema over all neighbours of a floor and a step.
Here two laws are given, and the hockey-stick between them is worked out: a pair of neighbours that
loses more than somebody's bound refutes the bound.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, perm
from typing import Annotated

from flint import arb, fmpz

from ..domain import A_PROBABILITY, ZERO, Condition, Interval, NonNegative
from ..move_kinds import Moved
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from .loss import Addition, Move, delta_of_addition, delta_of_move, delta_of_removal

NOTE = "proofs_notes/exact-loss-of-a-pair.md"

First = Annotated[tuple[Fraction, ...], Moved(Interval(above=ZERO))]
Second = Annotated[tuple[Fraction, ...], Moved(Interval(above=ZERO), as_long_as="u")]

# Two coordinates of equal sum, or one.
_MOVED, _ADDED = 2, 1
# At epsilon 0 a whole move between whole parameters may have a rational loss; up to this sum of
# both parameters it is looked for.
_MAX_WHOLE_SUM = 1024


def changes(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction]]:
    """Return the coordinates that differ, as they are in each."""
    return [pair for pair in zip(u, v, strict=True) if pair[0] != pair[1]]


def _is_one_change(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> bool:
    if len(u) != len(v):
        return False
    changed = changes(u, v)
    moved = len(changed) == _MOVED and sum(a - b for a, b in changed) == 0
    return moved or len(changed) <= _ADDED


def _what_breaks_it(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> str:
    if len(u) != len(v):
        return f"they have {len(u)} and {len(v)} entries"
    changed = len(changes(u, v))
    return "the two sums differ" if changed == _MOVED else f"they differ in {changed} coordinates"


ONE_CHANGE = Condition(
    "u and v of one length, equal, or different in one coordinate, or in two of the same sum",
    _is_one_change,
    NOTE,
    _what_breaks_it,
)


@quantity(
    "dirichlet.pair.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    within=A_PROBABILITY,
    conditions=(ONE_CHANGE,),
    rises=UNKNOWN,
)
def delta(u: First, v: Second, epsilon: NonNegative) -> arb | Fraction:
    """Exact hockey-stick of Dirichlet(u) from Dirichlet(v) at e^epsilon, one move or one change.

    Of two coordinates that change the share of one in both is sufficient, of one the coordinate
    itself: two Beta laws whose ratio is monotone, so the best event is an interval from one end,
    and delta is a difference of two incomplete betas. 0 where u = v.
    """
    changed = changes(u, v)
    if len(changed) == _ADDED:
        grows = changed[0][0] > changed[0][1]
        less, more = (v, u) if grows else (u, v)
        pair = Addition.between(less, more)
        return delta_of_addition(pair, epsilon) if grows else delta_of_removal(pair, epsilon)
    move = Move.between(u, v)
    known = None if move is None or epsilon else _rational_total_variation(move)
    return delta_of_move(move, epsilon) if known is None else known


def _rational_total_variation(move: Move) -> Fraction | None:
    """Return the total variation of whole parameters where the crossing is rational, else None.

    With q the chance at the crossing, ((1-q)/q)^moved is the product of near + j over that of
    far + j, j < moved, and delta is the chance that of near + far + moved - 1 trials between far
    and far + moved - 1 succeed.
    """
    parts = (move.near, move.far, move.moved)
    if sum(parts) > _MAX_WHOLE_SUM or any(part.denominator != 1 for part in parts):
        return None
    near, far, moved = map(int, parts)
    power = Fraction(perm(near + moved - 1, moved), perm(far + moved - 1, moved))
    odds = _rational_root(power, moved)
    if odds is None:
        return None
    trials, chance = near + far + moved - 1, 1 / (1 + odds)
    hits = range(far, far + moved)
    chances = (comb(trials, hit) * chance**hit * (1 - chance) ** (trials - hit) for hit in hits)
    return sum(chances, ZERO)


def _rational_root(value: Fraction, degree: int) -> Fraction | None:
    """Return the positive root of a degree, where it is rational."""
    ends = [fmpz(end) for end in (value.numerator, value.denominator)]
    roots = [end.root(degree) for end in ends]
    if any(root**degree != end for root, end in zip(roots, ends, strict=True)):
        return None
    return Fraction(*map(int, roots))
