"""Rows that can be drawn: of what is told about a row, nothing is private."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...reference.errors import DomainError
from ...reference.exact import exact_text
from ...reference.sampling.limits import GREATEST_ALPHA, LEAST_ALPHA, require_alpha
from .data.quiet import told
from .maker import Said
from .plan import Row, SimplexPlan

SUPPORT = "support"


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


def with_support(said: Said, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what has to be public, and the support where [data] says that it is.

    Whether it has to be depends on the data, so a plan asks for it (``require_support``).
    """
    return (*names, SUPPORT) if SUPPORT in said.public else names


def require_support(vector: Sequence[Fraction], said: Said, place: str, source: str) -> None:
    """Raise DomainError where a coordinate is 0 and nothing says that this is known.

    It would be 0 in the release, too, which tells it of the data.
    """
    if SUPPORT not in said.public and not all(vector):
        raise DomainError(f'{place}: a coordinate is 0, and would be 0 in the release; list '
                          f'"{SUPPORT}" in [data] public if it was known without looking at the '
                          f"data which ones are ({source})")  # fmt: skip
