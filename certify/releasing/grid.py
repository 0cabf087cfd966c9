"""The grid of a release, from a claim file's [output]: public, and chosen before any draw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from ...reference.errors import DomainError
from ...reference.exact import exact_integer, shown
from ..certificate.grids import MOST_BITS, is_noise, least_bits
from ..mechanisms.plan import NoisePlan, Plan
from ..mechanisms.reading import require_keys

GRID_BITS: Final = "grid_bits"
# As fine as a double between 1/2 and 1.
_ON_THE_SIMPLEX: Final = 53
# A grid step is a 2^-30th of the noise's scale: rounding moves nothing that noise does not hide.
_BELOW_THE_SCALE: Final = 30


def chosen_bits(output: Mapping[str, Any], mechanism: str, where: str) -> int | None:
    """Return the grid that a claim file asks for, None if it leaves it open. Raises InputError."""
    require_keys(output, (GRID_BITS,), f"{where} [output]")
    if GRID_BITS not in output:
        return None
    bits = exact_integer(output[GRID_BITS], f"{where}: {GRID_BITS}")
    _require_known(bits, mechanism, f"{where}: {GRID_BITS} = {shown(bits)}")
    return bits


def bits_for(plan: Plan, mechanism: str, where: str) -> int:
    """Return the bits of the usual grid, which no private value goes into. Raises DomainError."""
    if not isinstance(plan, NoisePlan):
        return _ON_THE_SIMPLEX
    bits = _bits_below(plan.scale)
    _require_known(
        bits, mechanism, f"{where}: the usual grid for the scale has {GRID_BITS} = {bits}; give one"
    )
    return bits


def _require_known(bits: int, mechanism: str, said: str) -> None:
    least = least_bits(mechanism)
    if not least <= bits <= MOST_BITS:
        kind = "noisy numbers" if is_noise(mechanism) else "points of the simplex"
        raise DomainError(f"{said}, but {kind} have a grid of {least} to {MOST_BITS} bits")


def _bits_below(scale: Fraction) -> int:
    """Return the least b with 2^-b at most scale * 2^-30."""
    wanted = Fraction(2**_BELOW_THE_SCALE) / scale
    # Within one of the logarithm, from below; one step is left at most.
    bits = wanted.numerator.bit_length() - wanted.denominator.bit_length() - 1
    while Fraction(2) ** bits < wanted:
        bits += 1
    return bits
