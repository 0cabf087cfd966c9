"""The claim file of a release: the claim, how the data are read, the grid; all of it public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, parse_toml, read_file, shown
from ..audits.claim import claim_in
from ..certificate.release import MOST_BITS, is_noise, least_bits
from ..mechanisms import mechanism_named
from ..mechanisms.plan import NoisePlan, Plan
from ..mechanisms.protocol import Claim, PublicSettings
from ..mechanisms.reading import require_keys
from .refusals import public_in, require_no_data_in, require_public

_GRID_BITS: Final = "grid_bits"
# As fine as a double between 1/2 and 1.
_ON_THE_SIMPLEX: Final = 53
# A grid step is a 2^-30th of the noise's scale: rounding moves nothing that noise does not hide.
_BELOW_THE_SCALE: Final = 30


def chosen_bits(output: Mapping[str, Any], mechanism: str, where: str) -> int | None:
    """Return the grid that a claim file asks for, None if it leaves it open. Raises InputError."""
    require_keys(output, (_GRID_BITS,), f"{where} [output]")
    if _GRID_BITS not in output:
        return None
    bits = exact_integer(output[_GRID_BITS], f"{where}: {_GRID_BITS}")
    _require_known(bits, mechanism, f"{where}: {_GRID_BITS} = {shown(bits)}")
    return bits


def bits_for(plan: Plan, mechanism: str, where: str) -> int:
    """Return the bits of the usual grid, which no private value goes into. Raises DomainError."""
    if not isinstance(plan, NoisePlan):
        return _ON_THE_SIMPLEX
    bits = _bits_below(plan.scale)
    _require_known(
        bits,
        mechanism,
        f"{where}: the usual grid for the scale has {_GRID_BITS} = {bits}; give one",
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


_PUBLIC = "public"


@dataclass(frozen=True)
class Asked:
    """A claim file, read: ``content`` are its bytes, ``grid_bits`` None where it leaves them."""

    content: bytes
    claim: Claim
    said: PublicSettings
    grid_bits: int | None


def asked_in(file: Path) -> Asked:
    """Return what a claim file asks for. Raises InputError, also where something is not public."""
    content, where = read_file(file), str(file)
    table = parse_toml(content, where)
    release, data = (_table(table, key, where) for key in ("release", "data"))
    require_no_data_in(release, where)
    mechanism = mechanism_named(_mechanism(release, where))
    require_keys(data, (*mechanism.data_keys, _PUBLIC), f"{where} [data]")
    claim = claim_in(table, where)
    bits = chosen_bits(_table({"output": {}, **table}, "output", where), mechanism.name, where)
    said = PublicSettings(where, release, data, public_in(data, where))
    require_public(said.public, mechanism.public_names(claim, said), where)
    return Asked(content, claim, said, bits)


def _table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key)
    if not isinstance(value, dict):
        raise InputError(
            f"{where} has no table [{key}]; `simplexcert release --template MECHANISM` prints a "
            "claim file with all of them"
        )
    return value


def _mechanism(release: Mapping[str, Any], where: str) -> str:
    value = release.get("mechanism")
    if not isinstance(value, str):
        raise InputError(f"{where}: [release] needs mechanism = a name in quotes")
    return value
