"""Pairs of neighbouring inputs: the floor and step of a mechanism's, and one pair's own loss.

What a mechanism's neighbouring inputs come to: floor, step, and whether some pair attains them.

``attained`` is what a refutation needs: inputs that satisfy the definition and lose exactly what
the dominating pair loses (proofs_notes/dominating-pair.md says when they exist).

The exact loss of one given pair of Dirichlet laws: what the suprema over neighbours are held to.

The quantities of `profile` and `add_remove` are suprema over all neighbours of a floor and a step.
Here two laws are given, and the hockey-stick between them is worked out: a pair of neighbours that
loses more than somebody's bound refutes the bound.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import comb, perm
from typing import Annotated

from flint import arb, fmpz

from ..domain import A_PROBABILITY, ZERO, Condition, Interval, NonNegative
from ..domain.kinds import Moved
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from .loss import Addition, Move, delta_of_addition, delta_of_move, delta_of_removal

# So many different reasons are told where no row can change.
_MOST_TOLD = 3


class Neighbours(enum.Enum):
    """Whether neighbouring inputs exist, and whether some lose as much as the dominating pair."""

    ATTAINED = "attained by a pair of neighbouring inputs"
    BOUNDED = "an upper bound; no pair of neighbouring inputs attains it"
    NONE = "no two different inputs are neighbours"
    NO_INPUT = "no input satisfies the definition"
    NO_PAIR = "of this no dominating pair is known here"

    @property
    def exist(self) -> bool:
        """Whether two different inputs are neighbours: else a claim about them is vacuous."""
        return self in (Neighbours.ATTAINED, Neighbours.BOUNDED)


@dataclass(frozen=True)
class Pair:
    """Floor and step of the dominating pair, and two inputs that attain it where some do.

    ``first`` and ``second`` are the two protected coordinates that differ, ``others`` says what
    the remaining coordinates may be; where none attains, they are of neighbours that lose less.
    ``off_lattice`` is the floor that the paper's eta alone would give, where inputs lie on a
    lattice and so keep a higher one; it only bounds. Without neighbours ``why`` says which
    parameters leave none.
    """

    alpha: Fraction
    step: Fraction
    neighbours: Neighbours
    first: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    second: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    others: str = ""
    off_lattice: Fraction | None = None
    why: str = ""


def swapped_pair(
    scale: Fraction, floor: Fraction, shift: Fraction, neighbours: Neighbours, others: str
) -> Pair:
    """Return the pair of inputs (floor, floor + shift) and (floor + shift, floor), times scale."""
    return Pair(
        scale * floor,
        scale * shift,
        neighbours,
        (floor, floor + shift),
        (floor + shift, floor),
        others,
    )


def why_no_row(whys: Sequence[str]) -> str:
    """Return why no row changes: the first few different reasons, each with its first row."""
    first: dict[str, int] = {}
    for at, why in enumerate(whys, 1):
        first.setdefault(why, at)
    told = [f"in row {at} {why}" for why, at in islice(first.items(), _MOST_TOLD)]
    return "; ".join(told) + ", and so on" * (len(whys) > len(told))


_NOTE = "proofs_notes/exact-loss-of-a-pair.md"

_First = Annotated[tuple[Fraction, ...], Moved(Interval(above=ZERO))]
_Second = Annotated[tuple[Fraction, ...], Moved(Interval(above=ZERO), as_long_as="u")]

# Two coordinates of equal sum, or one.
_MOVED, _ADDED = 2, 1
# At epsilon 0 a whole move between whole parameters may have a rational loss; up to this sum of
# both parameters it is looked for.
_MAX_WHOLE_SUM = 1024


def _changes(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction]]:
    """Return the coordinates that differ, as they are in each."""
    return [pair for pair in zip(u, v, strict=True) if pair[0] != pair[1]]


def _is_one_change(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> bool:
    if len(u) != len(v):
        return False
    changed = _changes(u, v)
    moved = len(changed) == _MOVED and sum(a - b for a, b in changed) == 0
    return moved or len(changed) <= _ADDED


def _what_breaks_it(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> str:
    if len(u) != len(v):
        return f"they have {len(u)} and {len(v)} entries"
    changed = len(_changes(u, v))
    return "the two sums differ" if changed == _MOVED else f"they differ in {changed} coordinates"


_ONE_CHANGE = Condition(
    "u and v of one length, equal, or different in one coordinate, or in two of the same sum",
    _is_one_change,
    _NOTE,
    _what_breaks_it,
)


@quantity(
    "dirichlet.pair.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\sup_A \; P(x \in A) - e^{\varepsilon} P(y \in A), \quad x \sim "
    r"\mathrm{Dirichlet}(u), \; y \sim \mathrm{Dirichlet}(v)",
    within=A_PROBABILITY,
    conditions=(_ONE_CHANGE,),
    rises=UNKNOWN,
)
def delta(u: _First, v: _Second, epsilon: NonNegative) -> arb | Fraction:
    """Exact hockey-stick of Dirichlet(u) from Dirichlet(v) at e^epsilon, one move or one change.

    Of two coordinates that change the share of one in both is sufficient, of one the coordinate
    itself: two Beta laws whose ratio is monotone, so the best event is an interval from one end,
    and delta is a difference of two incomplete betas. 0 where u = v.
    """
    changed = _changes(u, v)
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
