"""How an adapter's measurement draws: exactly, unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from ...reference.errors import DomainError, InputError
from ...reference.exact import shown

# Dirichlet parameters in, shares out. A privacy map holds of a draw from the exact law alone.
Draw: TypeAlias = Callable[[Sequence[Fraction]], Sequence[Fraction | float]]

# Shares that are multiples of 2^-53 and at most 1 are floats exactly.
GRID_BITS = 53
_SAMPLING = "simplexcert.reference.sampling"


def exact_draw(parameters: Sequence[Fraction]) -> Sequence[Fraction]:
    """Return a draw from the exact Dirichlet law, rounded to the grid, by the system's random bits.

    Rounding is a function of the draw alone, so that it loses nothing more.
    """
    sampling = _sampling()
    if sampling is None:
        raise InputError(
            "this version of simplexcert has no exact draws; give a function as draw, but the "
            "privacy map holds of draws from the exact law alone"
        )
    shares: Sequence[Fraction] = sampling.published_vector(
        list(parameters), GRID_BITS, sampling.operating_system
    )
    return shares


def require_drawable(least: Fraction, most: Fraction, draw: Draw) -> None:
    """Raise DomainError if the exact draws would refuse some data of a release.

    They refuse small and huge parameters, and a refusal that depends on the data would tell of
    them. All that a neighbour can change are from ``least`` to ``most``.
    """
    sampling = _sampling() if draw is exact_draw else None
    if sampling is None:
        return
    limits = sampling.limits
    if least < limits.LEAST_ALPHA:
        raise DomainError(
            f"parameters from {shown(least)} on: the exact draws need {shown(limits.LEAST_ALPHA)}"
        )
    if most > limits.GREATEST_ALPHA:
        raise DomainError("parameters above 10^300: the exact draws do not go so far")


def _sampling() -> Any:
    """Return the package of exact draws, or None in a version without it."""
    return import_module(_SAMPLING) if find_spec(_SAMPLING) else None
