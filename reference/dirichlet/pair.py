"""What a mechanism's neighbouring inputs come to: floor, step, and whether some pair attains them.

``attained`` is what a refutation needs: inputs that satisfy the definition and lose exactly what
the dominating pair loses (proofs_notes/dominating-pair.md says when they exist).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

# So many different reasons are told where no row can change.
_MOST_TOLD = 3


class Neighbours(enum.Enum):
    """Whether neighbouring inputs exist, and whether some lose as much as the dominating pair."""

    ATTAINED = "attained by a pair of neighbouring inputs"
    BOUNDED = "an upper bound; no pair of neighbouring inputs attains it"
    NONE = "no two different inputs are neighbours"
    NO_INPUT = "no input satisfies the definition"

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
