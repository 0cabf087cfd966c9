"""The laws that a release is drawn from, at private data, or at a made-up input of a simulation.

No private number here is published, nor shown in any message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, shown
from ...reference.labels import MAX_COUNT_DIGITS
from ...reference.sampling import Noise
from ...reference.sampling.draw import GREATEST_ALPHA, LEAST_ALPHA, laplace, require_alpha
from .data.fields import told
from .protocol import PublicSettings

_SUPPORT = "support"


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
    """Numbers, to each of which independent ``noise`` of mean 0 and this scale is added.

    ``scalar`` tells a query of one number from a vector with one entry.
    """

    names: tuple[str, ...]
    centres: tuple[Fraction, ...]
    scale: Fraction
    scalar: bool
    noise: Noise = laplace


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
            f"drawn from {shown(LEAST_ALPHA)} to 10^300"
        )


def require_countable(records: int, labels: int, where: str) -> None:
    """Raise DomainError where no data file holds so many records of so many labels."""
    if records > labels * (10**MAX_COUNT_DIGITS - 1):
        raise DomainError(
            f"{where}: N = {shown(records)} is more records than a data file holds, in which a "
            f"count has at most {MAX_COUNT_DIGITS} digits"
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
    return (*names, _SUPPORT) if _SUPPORT in settings.public else names


def require_support(
    vector: Sequence[Fraction], settings: PublicSettings, place: str, source: str
) -> None:
    """Raise DomainError where a coordinate is 0 and nothing says that this is known.

    It would be 0 in the release, too, which tells it of the data.
    """
    if _SUPPORT not in settings.public and not all(vector):
        raise DomainError(f'{place}: a coordinate is 0, and would be 0 in the release; list '
                          f'"{_SUPPORT}" in [data] public if it was known without looking at the '
                          f"data which ones are ({source})")  # fmt: skip


# Entries of one draw: a matrix of 1,000 states, the most that the reference takes.
MOST_ENTRIES: Final = 1_000_000
A_VECTOR: Final = 'shares that sum to 1, such as ["1/2", "0.3", "0.2"]'
COUNTS: Final = "counts, such as [8, 20, 20, 25, 25]"


def _items_in(value: Any, what: str) -> Sequence[object]:
    """Return the entries of a list. Raises InputError, which says what is needed."""
    if value is None:
        raise InputError(f"give an input that is made up or public (--input): {what}")
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence) or not value:
        raise InputError(f"the input is {shown(value)}; it needs {what}")
    if len(value) > MOST_ENTRIES:
        raise InputError(f"an input of more than {MOST_ENTRIES} entries is not simulated")
    return value


def shares_in(value: Any) -> tuple[Fraction, ...]:
    """Return shares that sum to 1. Raises InputError."""
    found = tuple(exact_number(item, "the input") for item in _items_in(value, A_VECTOR))
    require_law(found, "the input")
    return found


def counts_in(value: Any) -> tuple[int, ...]:
    """Return counts of some records. Raises InputError."""
    found = tuple(exact_integer(item, "the input") for item in _items_in(value, COUNTS))
    if min(found) < 0 or not sum(found):
        raise DomainError("the input: counts are at least 0, and one at least is positive")
    return found


def rows_in(value: Any, number: int, what: str) -> Sequence[object]:
    """Return as many rows as the claim has. Raises InputError."""
    rows = _items_in(value, f"{number} rows of {what}")
    if len(rows) != number:
        raise InputError(f"the input has {len(rows)} rows; the claim is of {number}")
    return rows


def require_law(shares: Sequence[Fraction], where: str) -> None:
    """Raise DomainError unless these are at least 0 and sum to 1 exactly."""
    if any(share < 0 for share in shares) or sum(shares) != 1:
        raise DomainError(f"{where}: a row is no point of the simplex: shares are at least 0 and "
                          "sum to 1 exactly")  # fmt: skip


def drawn_from(*rows: Sequence[Fraction], matrix: bool = False) -> SimplexPlan:
    """Return a plan of rows without names."""
    return SimplexPlan(tuple(Row("", (), tuple(alpha)) for alpha in rows), matrix)


def noise_on(value: Any, scale: Fraction, noise: Noise = laplace) -> NoisePlan:
    """Return noise on as many numbers as the input has; by default, on one."""
    if value is None:
        return NoisePlan((), (Fraction(0),), scale, scalar=True, noise=noise)
    numbers = _items_in(value, "as many numbers as the query has, such as [3, 1, 4]")
    centres = tuple(exact_number(item, "the input") for item in numbers)
    return NoisePlan((), centres, scale, scalar=False, noise=noise)
