"""What would be drawn from private data: nothing here is published, nor told in any message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ...reference.errors import DomainError
from ...reference.exact import exact_text
from ...reference.sampling.limits import GREATEST_ALPHA, LEAST_ALPHA, require_alpha
from .data.quiet import told
from .protocol import PublicSettings

SUPPORT = "support"


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


def require_reach(least: Fraction, most: Fraction, where: str) -> None:
    """Raise DomainError unless all laws of inputs that the mechanism protects can be drawn from.

    It is asked of the public parameters, and before the data are read: otherwise data would be
    refused, and a neighbour of theirs not. ``least`` and ``most`` are the alphas that a protected
    coordinate can have.
    """
    if least < LEAST_ALPHA or most > GREATEST_ALPHA:
        raise DomainError(
            f"{where}: by its parameters an alpha of the Dirichlet law can be out of reach: it is "
            f"drawn from {exact_text(LEAST_ALPHA)} to 10^300"
        )


def row_of(label: str, names: Sequence[str], alpha: Sequence[Fraction], place: str) -> Row:
    """Return a row to be drawn. Raises InputError where an alpha is out of the samplers' reach."""
    told(
        lambda: require_alpha(alpha),
        f"{place}: a coordinate is so near to 0, or k so extreme, that the Dirichlet law is not "
        "drawn from",
    )
    return Row(label, tuple(names), tuple(alpha))


def vector_plan(names: Sequence[str], alpha: Sequence[Fraction], place: str) -> SimplexPlan:
    """Return a plan of one vector. Raises InputError as ``row_of`` does."""
    return SimplexPlan((row_of("", names, alpha, place),), matrix=False)


def with_support(settings: PublicSettings, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what has to be public, and the support where [data] says that it is.

    Whether it has to be depends on the data, so a plan asks for it (``require_support``).
    """
    return (*names, SUPPORT) if SUPPORT in settings.public else names


def require_support(
    vector: Sequence[Fraction], settings: PublicSettings, place: str, source: str
) -> None:
    """Raise DomainError where a coordinate is 0 and nothing says that this is known.

    It would be 0 in the release, too, which tells it of the data.
    """
    if SUPPORT not in settings.public and not all(vector):
        raise DomainError(f'{place}: a coordinate is 0, and would be 0 in the release; list '
                          f'"{SUPPORT}" in [data] public if it was known without looking at the '
                          f"data which ones are ({source})")  # fmt: skip
