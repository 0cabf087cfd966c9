"""How a release can look by its claim alone, where its claim file is not at hand."""

from __future__ import annotations

from collections.abc import Sequence

from ...reference.errors import DomainError
from ...reference.exact import shown
from .protocol import Layout


def require_vector(release: Layout, least: int, most: int | None = None) -> None:
    """Raise DomainError unless this is one vector of so many coordinates."""
    if release.rows is not None or release.scalar:
        raise DomainError("the mechanism releases one vector, without labelled rows")
    count = len(release.names)
    if count < least or (most is not None and count > most):
        only = shown(least) if most == least else f"{shown(least)} or more"
        raise DomainError(f"it has {count} coordinates, and the claim's have {only}")


def require_square(release: Layout, rows: int) -> None:
    """Raise DomainError unless this is a square matrix of so many rows, from and to one state."""
    if release.rows is None:
        raise DomainError("the mechanism releases a matrix, whose rows are labelled")
    if len(release.rows) != rows:
        raise DomainError(f"it has {len(release.rows)} rows, and the claim's have {rows}")
    if release.rows != release.names:
        raise DomainError("its rows and its columns are not the same states in the same order")


def require_protected(release: Layout, sizes: Sequence[int] | None) -> None:
    """Raise DomainError unless of each row so many coordinates are protected, and not all.

    Where ``sizes`` is None all are, and none is named.
    """
    protected = release.protected
    if (protected is None) != (sizes is None):
        raise DomainError(
            "the mechanism protects all coordinates, and names none of them"
            if sizes is None
            else "it does not say which coordinates are protected"
        )
    require_sizes(protected or (), sizes or ())
    known = set(release.names)
    if any(not known > set(names) for names in protected or ()):
        raise DomainError(
            "it protects a coordinate that it does not have, or all that it has; eta_bar > 0 is "
            "left outside of them"
        )


def require_sizes(protected: Sequence[Sequence[str]], sizes: Sequence[int]) -> None:
    """Raise DomainError unless of each row so many different coordinates are protected."""
    if len(protected) != len(sizes):
        raise DomainError(f"it protects coordinates of {len(protected)} rows, not {len(sizes)}")
    for names, size in zip(protected, sizes, strict=True):
        if len(set(names)) != len(names) or len(names) != size:
            raise DomainError(f"it protects other than w = {shown(size)} coordinates of a row")


def require_one_number(release: Layout, name: str) -> None:
    """Raise DomainError unless this is one number of that name."""
    if not release.scalar or release.rows is not None or release.names != (name,):
        raise DomainError(f"the mechanism releases one number, by the name {shown(name)}")


def require_numbers(release: Layout, states: int, most: int, *, smooth: bool) -> None:
    """Raise DomainError unless these are numbers of a query: a histogram's, or numbered ones.

    ``most`` is how many numbers have weights, ``smooth`` whether a node changes some histogram by
    no more than is claimed.
    """
    if release.rows is not None or release.scalar:
        raise DomainError("the mechanism releases a list of numbers, without labelled rows")
    numbered = tuple(str(at) for at in range(1, len(release.names) + 1))
    if release.names == numbered and len(numbered) <= most:
        return
    if len(release.names) != states:
        raise DomainError(
            f"its names are neither those of {shown(states)} states nor the numbers of a query's "
            "weights"
        )
    if not smooth:
        raise DomainError("a node changes every histogram of the states by more than lipschitz")
