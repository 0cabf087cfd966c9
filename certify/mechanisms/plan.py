"""What would be drawn from private data: nothing here is published, nor told in any message."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, repr=False)
class Row:
    """One vector of the simplex, to be drawn from Dirichlet(alpha).

    ``names`` are the public names of its coordinates, ``label`` the row's own, where a release has
    several. An alpha of 0 is a coordinate that is publicly impossible: it is exactly 0.
    """

    label: str
    names: tuple[str, ...]
    alpha: tuple[Fraction, ...]


@dataclass(frozen=True, repr=False)
class SimplexPlan:
    """Rows to be drawn independently. ``matrix`` tells a matrix of one row from a vector."""

    rows: tuple[Row, ...]
    matrix: bool


@dataclass(frozen=True, repr=False)
class NoisePlan:
    """Numbers, to each of which independent Laplace noise of mean 0 and this scale is added.

    ``scalar`` tells a query of one number from a vector with one entry.
    """

    names: tuple[str, ...]
    centres: tuple[Fraction, ...]
    scale: Fraction
    scalar: bool


Plan: TypeAlias = SimplexPlan | NoisePlan
