"""What a mechanism's neighbouring inputs come to: floor, step, and whether some pair attains them.

``attained`` is what a refutation needs: inputs that satisfy the definition and lose exactly what
the dominating pair loses (proofs_notes/dominating-pair.md says when they exist).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction


class Neighbours(enum.Enum):
    """Whether neighbouring inputs exist, and whether some lose as much as the dominating pair."""

    ATTAINED = "attained by a pair of neighbouring inputs"
    BOUNDED = "an upper bound; no pair of neighbouring inputs attains it"
    NONE = "there is an input, but no two neighbouring ones"
    NO_INPUT = "no input satisfies the definition"


@dataclass(frozen=True)
class Pair:
    """Floor and step of the dominating pair, and two inputs that attain it where some do.

    ``first`` and ``second`` are the two protected coordinates that differ, ``others`` says what
    the remaining coordinates may be. ``off_lattice`` is the floor that the paper's eta alone
    would give, where inputs lie on a lattice and so keep a higher one; it only bounds.
    """

    alpha: Fraction
    step: Fraction
    neighbours: Neighbours
    first: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    second: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    others: str = ""
    off_lattice: Fraction | None = None


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
